(* Deterministic policies on the template: each visits one place at most, and the data of a
   deployment depend on the hidden place only if it is visited.  Theorem B.2. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game template events bandit.

Section Deterministic.
Variables (R : realFieldType) (n d N : nat) (core : nat -> 'I_d) (b : R).
(* a place for the optimal state on this template *)
Local Notation place := (place n core).
(* the states of a template with d actions *)
Local Notation tstate := (tstate d).
(* one step: an action and the next state *)
Local Notation tstep := (tstep d).

(* a deterministic policy may look at all steps so far *)
Definition tdeterministic := seq tstep -> tstate -> 'I_d.
(* a deterministic policy as a policy: it takes its action with probability 1 *)
Definition tpol (f : tdeterministic) : tpolicy R d := fun pre s a => (a == f pre s)%:R.
Lemma tpol_proper f : tproper (tpol f).
Proof.
move=> pre s; split=> [a|]; first exact: ler0n.
by rewrite (bigD1 (f pre s)) //= /tpol eqxx big1 ?addr0 // => a /negPf ->.
Qed.

(* the core state of layer h (s_0 for h = 0), and the steps along the cores to it *)
Definition core_state (h : nat) : tstate := if h is 0 then None else Some (inl (core h)).
(* the first h steps along the cores *)
Fixpoint core_path (h : nat) : seq tstep :=
  if h is h'.+1 then rcons (core_path h') (core h, core_state h) else [::].
Lemma core_stateP h : is_core core h (core_state h).
Proof. by case: h => [|h] //=. Qed.

(* f follows the cores for h steps *)
Definition follows (f : tdeterministic) (h : nat) : bool :=
  [forall k : 'I_h, f (core_path k) (core_state k) == core k.+1].
(* f pulls the arm i: it follows the cores to the layer before i, and goes to i *)
Definition tpulls (f : tdeterministic) (i : place) : bool :=
  follows f (val i).1.-1 && (f (core_path (val i).1.-1) (core_state (val i).1.-1) == (val i).2).

Lemma follows_lt f h k : follows f h -> (k < h)%N -> f (core_path k) (core_state k) = core k.+1.
Proof. by move=> /forallP fh kh; apply/eqP; have := fh (Ordinal kh). Qed.

Lemma tpulls_one f i j : tpulls f i -> tpulls f j -> i = j.
Proof.
have no (i' j' : place) : tpulls f i' -> tpulls f j' -> ~ ((val i').1 < (val j').1)%N.
  move=> /andP[_ /eqP i2] /andP[/follows_lt j1 _] lt.
  have /andP[i0 _] := place_layer i'.
  have lt' : ((val i').1.-1 < (val j').1.-1)%N by rewrite -ltnS !prednK // (leq_trans i0) // ltnW.
  have := j1 _ lt'; rewrite i2 prednK // => e.
  have := place_core i' (val i').1; rewrite /at_place eqxx e /= => /negP []; by rewrite eqxx.
move=> hi hj; have same : (val i).1 = (val j).1 :> nat.
  by case: (ltngtP (val i).1 (val j).1) => // lt; [case: (no _ _ hi hj lt)|case: (no _ _ hj hi lt)].
move: hi hj => /andP[_ /eqP i2] /andP[_ /eqP j2].
apply: (@place_inj _ _ _ i j (val i).1 (val i).2); rewrite /at_place ?eqxx //.
by rewrite -same eqxx /= -i2 -j2 same.
Qed.

(* the arm that f pulls, if any *)
Definition tpulled (f : tdeterministic) : option place := [pick i | tpulls f i].
Lemma tpulledE f i : tpulled f != Some i -> ~~ tpulls f i.
Proof.
rewrite /tpulled; case: pickP => [j hj|no]; last by rewrite no.
by apply: contra => hi; rewrite (tpulls_one hi hj).
Qed.

(* the law of the steps of one trajectory from layer h on *)
Fixpoint ttraj (o : option place) (pi : tpolicy R d) h pre s (t : seq tstep) : R :=
  if t is (a, s') :: t' then
    pi pre s a * tkernel b o h s a s' * ttraj o pi h.+1 (rcons pre (a, s')) s' t'
  else 1.
(* what one deployment yields: N independent trajectories of n steps *)
Definition tdata : finType := [finType of {ffun 'I_N -> n.-tuple tstep}].
(* the law of N independent trajectories of the policy pi where the place o is hidden, if any *)
Definition tdata_law (o : option place) (pi : tpolicy R d) (x : tdata) : R :=
  \prod_(i < N) ttraj o pi 0 [::] None (x i).

Lemma ttraj_total o pi h pre s k : 0 <= b <= 2%:R^-1 -> tproper pi ->
  \sum_(t : k.-tuple tstep) ttraj o pi h pre s t = 1.
Proof.
move=> hb hp; elim: k h pre s => [|k IH] h pre s.
  by rewrite (big_pred1 [tuple]) //= => t; rewrite [t]tuple0; apply/esym/eqP.
rewrite (sum_tuple_cons k (ttraj o pi h pre s)).
rewrite (eq_bigr (fun p => pi pre s p.1 * tkernel b o h s p.1 p.2)) => [|[a s'] _]; last first.
  by rewrite /= -mulr_sumr IH mulr1.
rewrite -(pair_big xpredT xpredT (fun a s' => pi pre s a * tkernel b o h s a s')) /=.
under eq_bigr do rewrite -mulr_sumr (proj2 (tkernel_law _ _ _ _ hb)) mulr1.
exact: (proj2 (hp pre s)).
Qed.

Lemma ttraj_ge0 o pi h pre s t : 0 <= b <= 2%:R^-1 -> tproper pi -> 0 <= ttraj o pi h pre s t.
Proof.
move=> hb hp; elim: t h pre s => [|[a s'] t IH] h pre s /=; first exact: ler01.
rewrite !mulr_ge0 ?IH //; first exact: (proj1 (hp _ _)).
exact: (proj1 (tkernel_law _ _ _ _ hb)).
Qed.

Lemma tdata_law_law o pi : 0 <= b <= 2%:R^-1 -> tproper pi -> is_law (tdata_law o pi).
Proof.
move=> hb hp; split=> [x|]; first by apply: prodr_ge0 => i _; exact: ttraj_ge0.
rewrite /tdata_law -(bigA_distr_bigA (fun _ (t : n.-tuple tstep) => ttraj o pi 0 [::] None t)).
by apply: big1 => i _; exact: ttraj_total.
Qed.

(* u1 and u2 look the same in all instances, and so does a state that is not the place *)
Lemma ttraj_end o o' pi h pre x t : ttraj o pi h pre (Some (inr x)) t = ttraj o' pi h pre (Some (inr x)) t.
Proof.
elim: t h pre x => [|[a s'] t IH] h pre x //=; rewrite /tkernel /=.
case: (eqVneq s' (Some (inr x))) => [->|_]; first by rewrite IH.
by rewrite !mulr0 !mul0r.
Qed.

Lemma ttraj_unpulled f i h t : ~~ tpulls f i -> follows f h ->
  ttraj (Some i) (tpol f) h (core_path h) (core_state h) t =
  ttraj None (tpol f) h (core_path h) (core_state h) t.
Proof.
move=> np; elim: t h => [|[a s'] t IH] h hf //=.
rewrite /tkernel core_stateP /tpol; case: eqP => [ae|]; last by rewrite !mul0r.
case: eqP => [->|]; last by rewrite !mulr0 !mul0r.
congr (_ * _); case: (eqVneq a (core h.+1)) => [ac|nc].
  have hf' : follows f h.+1.
    apply/forallP => k; case: (ltngtP k h) => [kh| |kh].
    - by rewrite (follows_lt hf kh).
    - by rewrite ltnNge -ltnS ltn_ord.
    - by rewrite kh -ae ac.
  by have := IH _ hf'; rewrite /= -ac.
have bE : at_place i h.+1 a = false.
  apply/negP => /andP[/eqP i1 /eqP i2]; move/negP: np; apply; rewrite /tpulls i1 i2 [h.+1.-1]/= hf.
  by rewrite -ae eqxx.
have kE (o : option place) a' s'' : tkernel b o h.+1 (Some (inl a)) a' s'' = if s'' is Some (inr x) then
    (if x then 2%:R^-1 + tbias b o h.+1 a else 2%:R^-1 - tbias b o h.+1 a) else 0.
  rewrite /tkernel; have -> : is_core core h.+1 (Some (inl a)) = false by exact: negPf nc.
  by [].
case: t {IH} => [|[a' s''] t] //=; rewrite !kE.
case: s'' => [[j|x]|]; rewrite ?mulr0 ?mul0r // (ttraj_end _ None); congr (_ * _ * _).
by rewrite /tbias bE.
Qed.

Lemma template_blind : blind tpulled (fun f => tdata_law None (tpol f)) (fun i f => tdata_law (Some i) (tpol f)).
Proof.
move=> i f x hi; apply: eq_bigr => k _.
apply: (@ttraj_unpulled f i 0); first exact: tpulledE.
by apply/forallP => -[].
Qed.
End Deterministic.

Section Theorems.
Variables (R : realFieldType) (n d N : nat) (core : nat -> 'I_d) (b : R).
(* a place for the optimal state on this template *)
Local Notation place := (place n core).
(* the law of the data of a deployment of a deterministic policy *)
Local Notation tlaw o := (fun f : tdeterministic d => tdata_law (N := N) (n := n) (core := core) b o (tpol R f)).

(* any policy as an output *)
Record treturned := TReturned { tout :> tpolicy R d; tout_proper : tproper tout }.
(* it is eps-optimal: its value is at least the best one, n/2 + b, minus eps *)
Definition tgood (eps : R) (i : place) (x : treturned) : bool :=
  n%:R / 2%:R + b - eps <= tJ b (Some i) x.
(* the same for a deterministic policy *)
Definition tgood_det (eps : R) (i : place) (f : tdeterministic d) : bool :=
  n%:R / 2%:R + b - eps <= tJ b (Some i) (tpol R f).

Lemma tgood_names eps : 2%:R * eps < b -> 0 < b -> names_one (tgood eps).
Proof.
move=> eb b0 x i j; rewrite /tgood !template_value; try exact: tout_proper.
move=> h1 h2; apply/eqP; apply: contraT => ij.
have := visits_two n 0 [::] None (tout_proper x) ij; rewrite -/(tq i x) -/(tq j x) => h3.
have h4 : b * (tq i x + tq j x) <= b by rewrite -[leRHS]mulr1 ler_wpmul2l ?(ltW b0).
have := ler_add h1 h2; rewrite leNgt => /negP []; rewrite -subr_gt0.
have -> : n%:R / 2%:R + b - eps + (n%:R / 2%:R + b - eps) -
  (n%:R / 2%:R + b * tq i x + (n%:R / 2%:R + b * tq j x)) =
  (b - 2%:R * eps) + (b - b * (tq i x + tq j x)) by ring.
by apply: ltr_spaddl; rewrite ?subr_gt0 ?subr_ge0.
Qed.

Lemma visits_det (i : place) f h pre s k :
  (visits i (tpol R f) h pre s k == 0) || (visits i (tpol R f) h pre s k == 1).
Proof.
elim: k h pre s => [|k IH] h pre s /=; first by rewrite addr0; case: (here _ _ _); rewrite eqxx ?orbT.
case c : (is_core core h s); last by rewrite addr0; case: (here _ _ _); rewrite eqxx ?orbT.
rewrite (here_core _ c) add0r (bigD1 (f pre s)) //= big1 => [|a /negPf na]; last by rewrite /tpol na mul0r.
by rewrite /tpol eqxx mul1r addr0.
Qed.

Lemma tgood_det_names eps : eps < b -> 0 < b -> names_one (tgood_det eps).
Proof.
move=> eb b0 f; have one i : tgood_det eps i f -> tq i (tpol R f) = 1.
  rewrite /tgood_det template_value; last exact: tpol_proper.
  case/orP: (visits_det i f 0 [::] None n) => /eqP; rewrite -/(tq i (tpol R f)) => -> //.
  rewrite mulr0 addr0 -addrA ger_addl subr_le0 => h.
  by move: eb; rewrite ltNge h.
move=> i j /one hi /one hj; apply/eqP; apply: contraT => ij.
have := visits_two n 0 [::] None (tpol_proper R f) ij; rewrite -/(tq i (tpol R f)) -/(tq j (tpol R f)) hi hj.
by rewrite -ler_subr_addl subrr ler10.
Qed.

(* [thm-lower-deterministic-repaired], the template: m = (d - 1)(n - 1).  Every strategy,
   randomised ones included, that deploys K deterministic policies fails to name the hidden
   arm, to return an eps-optimal deterministic policy, or any eps-optimal one. *)
Theorem lower_template (W : finType) (w : W -> R) (K : nat) :
  is_law w -> (1 < d)%N -> (1 < n)%N -> 0 < b <= 2%:R^-1 ->
  let m := (d.-1 * n.-1)%N in
  [/\ forall psi : W -> strategy (tdata n d N) (tdeterministic d) (option place),
        exists i, 1 - mixed_success w psi (tlaw (Some i)) (fun x => x == Some i) K >= 1 - K.+1%:R / m%:R,
      forall (eps : R) (psi : W -> strategy (tdata n d N) (tdeterministic d) (tdeterministic d)), eps < b ->
        exists i, 1 - mixed_success w psi (tlaw (Some i)) (tgood_det eps i) K >= 1 - K.+1%:R / m%:R &
      forall (eps : R) (psi : W -> strategy (tdata n d N) (tdeterministic d) treturned), 2%:R * eps < b ->
        exists i, 1 - mixed_success w psi (tlaw (Some i)) (tgood eps i) K >= 1 - K.+1%:R / m%:R].
Proof.
move=> hw d1 n1 /andP[b0 b1] m; have hb : 0 <= b <= 2%:R^-1 by rewrite (ltW b0) b1.
have mE : m = #|place| by rewrite card_place.
have m0 : (0 < #|place|)%N by rewrite -mE muln_gt0; case: d d1 => [|[|]] //; case: n n1 => [|[|]].
have hl o f : is_law (tdata_law (N := N) (n := n) (core := core) b o (tpol R f)).
  by apply: tdata_law_law => //; exact: tpol_proper.
have hbl := @template_blind R n d N core b.
rewrite mE; split=> [psi|eps psi eb|eps psi eb].
- apply: (search_failure psi K m0 hw hbl) => // x i j /eqP -> /eqP [] //.
- exact: (search_failure psi K m0 hw hbl (tgood_det_names eb b0)).
- exact: (search_failure psi K m0 hw hbl (tgood_names eb b0)).
Qed.
End Theorems.

(* the numerical consequences of the same claim *)
Theorem lower_numbers (m K D T : nat) : (0 < m)%N ->
  [/\ (10 * K.+1 <= 9 * m)%N -> 10%:R^-1 <= 1 - K.+1%:R / m%:R :> rat,
      (3 <= m)%N -> (2 * K <= m)%N -> 10%:R^-1 <= 1 - K.+1%:R / m%:R :> rat &
      (4 <= D)%N -> (2 <= T)%N -> (D * T <= 8 * ((D - 3) * (T - 1)))%N].
Proof.
move=> m0; have main : (10 * K.+1 <= 9 * m)%N -> 10%:R^-1 <= 1 - K.+1%:R / m%:R :> rat.
  move=> h; rewrite ler_subr_addl -ler_subr_addr ler_pdivr_mulr ?ltr0n //.
  have -> : 1 - 10%:R^-1 = 9%:R / 10%:R :> rat by [].
  by rewrite mulrAC ler_pdivl_mulr ?ltr0n // -!natrM ler_nat mulnC.
split=> // [m3 hK|D4 T2]; first by apply: main; lia.
by nia.
Qed.
