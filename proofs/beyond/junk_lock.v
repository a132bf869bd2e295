(* The junk lock: a lock whose dimension is the number d of its digits.  The states in which a trajectory fails borrow a
   feature of the gate that is not the next digit. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks frontier chains.
From derl.probability Require Import finite chebyshev best_of.

Section Lock.
Variables (R : realFieldType) (n d : nat).
(* the layers 1, ..., n = H - 1 of the claim are 0, ..., n - 1 here; the code, the junk of a layer and the sign of the
   bias: 1/2 or -1/2 *)
Record lock := Lock { digit : code n d; junk : code n d; sign : bool }.
(* the junk of a layer is not its digit *)
Definition fair (w : lock) := forall i : 'I_n, (0 < i)%N -> junk w i != digit w i.

(* the gate; the junk state that borrows the feature e_j; the ends z_1, z_0 and z_1/2 *)
Definition place := option ('I_d + option bool).
Definition gate : place := None.
Definition borrows (j : 'I_d) : place := Some (inl j).
Definition ends (q : option bool) : place := Some (inr q).
(* the coordinate of the feature that is played: all features are unit vectors in the layers 0, ..., n - 1 *)
Definition coordinate (s : place) (a : 'I_d) : 'I_d := if s is Some (inl j) then j else a.
(* where the coordinate a leads from layer i *)
Definition leads (w : lock) (i : 'I_n) (a : 'I_d) : place :=
  if a == digit w i then (if (insub i.+1 : option 'I_n) is Some i' then gate else ends (Some (sign w)))
  else (if (insub i.+1 : option 'I_n) is Some i' then borrows (junk w i') else ends None).
(* the reward of the last layer *)
Definition pays (s : place) : R := match s with Some (inr (Some q)) => q%:R | Some (inr None) => 2%:R^-1 | _ => 0 end.

(* the first t digits of a guess are those of the code *)
Definition shares (t : nat) (c g : code n d) : bool := [forall i : 'I_n, (i < t)%N ==> (g i == c i)].
(* where the trajectory of a guess is in layer t, and the coordinate that it plays there *)
Definition at_layer (w : lock) (g : code n d) (i : 'I_n) : place :=
  if shares i (digit w) g then gate else borrows (junk w i).
Definition transcript (w : lock) (g : code n d) : {ffun 'I_n -> 'I_d * place} :=
  [ffun i => let a := coordinate (at_layer w g i) (g i) in (a, leads w i a)].

Lemma sharesS (i : 'I_n) c g : shares i.+1 c g = shares i c g && (g i == c i).
Proof.
apply/forallP/andP => [h|[/forallP h gi] k].
  split; first by apply/forallP => k; apply/implyP => ki; apply: (implyP (h k)); exact: ltnW.
  exact: (implyP (h i)).
apply/implyP; rewrite ltnS leq_eqVlt => /orP[/eqP/val_inj -> //|ki]; exact: (implyP (h k)).
Qed.
Lemma shares0 c g : shares 0 c g. Proof. by apply/forallP. Qed.
Lemma shares_le t t' c g : (t <= t')%N -> shares t' c g -> shares t c g.
Proof. by move=> tt' /forallP h; apply/forallP => k; apply/implyP => kt; apply: (implyP (h k));
  exact: leq_trans kt tt'. Qed.
Lemma shares_all c g : shares n c g = (g == c).
Proof.
apply/forallP/eqP => [h|-> i]; last by rewrite eqxx implybT.
by apply/ffunP => i; apply/eqP/(implyP (h i)).
Qed.
Lemma shares_agree t c c' g : agree t c c' -> shares t c g = shares t c' g.
Proof. by move=> h; apply: eq_forallb => i; case: (ltnP i t) => //= it; rewrite h. Qed.

(* the next state is where the trajectory is: a transcript is a path of the lock *)
Lemma transcript_path w g (i : 'I_n) : fair w ->
  (transcript w g i).2 = if (insub i.+1 : option 'I_n) is Some i' then at_layer w g i'
                         else if shares n (digit w) g then ends (Some (sign w)) else ends None.
Proof.
move=> fw; rewrite ffunE /= /leads.
have e : (coordinate (at_layer w g i) (g i) == digit w i) = shares i.+1 (digit w) g.
  rewrite sharesS /at_layer; case si: (shares i _ g) => //=; apply/negbTE/fw.
  by rewrite lt0n; apply/eqP => i0; move: si; rewrite i0 shares0.
rewrite e; case: insubP => [i' _ ii'|]; first by rewrite /at_layer -ii'.
rewrite -leqNgt => ni; have -> : i.+1 = n by apply/eqP; rewrite eqn_leq ni ltn_ord.
by [].
Qed.

(* the layers in which a transcript plays the code, counted to the first other one *)
Definition stays (s : place) : bool := if s is Some x then (if x is inr (Some q) then true else false) else true.
Definition depth (t : {ffun 'I_n -> 'I_d * place}) : nat := \max_(i < n | stays (t i).2) i.+1.

Lemma stays_shares w g (i : 'I_n) : fair w -> stays (transcript w g i).2 = shares i.+1 (digit w) g.
Proof.
move=> fw; rewrite (transcript_path g i fw); case: insubP => [i' _ ii'|].
  by rewrite /at_layer -ii'; case: (shares _ _ _).
rewrite -leqNgt => ni; have -> : i.+1 = n by apply/eqP; rewrite eqn_leq ni ltn_ord.
by case: (shares _ _ _).
Qed.

Lemma depth_shares w g M : fair w -> (M <= n)%N -> (M <= depth (transcript w g))%N = shares M (digit w) g.
Proof.
move=> fw; case: M => [|M] Mn; first by rewrite shares0.
apply/idP/idP => [h|h]; last first.
  rewrite /depth; apply: (@leq_trans (Ordinal Mn).+1) => //.
  by apply: (bigmax_sup (Ordinal Mn)) => //; rewrite (stays_shares g _ fw).
apply: contraTT h => h; rewrite -ltnNge ltnS; apply/bigmax_leqP => i; rewrite (stays_shares g _ fw) => si.
rewrite ltnNge; apply: contra h => Mi; apply: shares_le si; exact: Mi.
Qed.
End Lock.
