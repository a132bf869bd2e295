(* The compact bandit as an explicit Markov decision process, and the lower bound
   for deterministic policies. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game gate trajectories.

Section Bandit.
Variables (R : realFieldType) (n d' N : nat) (b : R).
(* there are d = d' + 1 actions, of which action 0 stays at g *)
Local Notation d := d'.+1.

(* an arm: a layer h < n and an action other than 0; there are n d' of them, that
   is (D - 3)(T - 1) for the dimension D = d + 2 and T = n + 1 layers *)
Definition arm : finType := [finType of 'I_n * 'I_d'].
Lemma card_arm : #|arm| = (n * d')%N.
Proof. by rewrite card_prod !card_ord. Qed.

(* action a of layer h is the arm i *)
Definition is_arm (i : arm) (h : nat) (a : 'I_d) : bool := (h == i.1) && (a == lift ord0 i.2).
(* the instance with the hidden arm i, and the one without *)
Definition bandit (i : arm) : instance R d :=
  Instance (fun _ a => a == ord0) (fun h a => if is_arm i h a then b else 0).
Definition fair : instance R d := Instance (fun _ a => a == ord0) (fun _ _ => 0).

Lemma bandit_mild i : 0 <= b <= 2%:R^-1 -> mild (bandit i).
Proof.
move=> /andP[b0 b1] h a /=; case: ifP => _; first by rewrite ger0_norm.
by rewrite normr0 invr_ge0 ler0n.
Qed.
Lemma fair_mild : mild fair.
Proof. by move=> h a; rewrite normr0 invr_ge0 ler0n. Qed.

(* a deterministic policy may look at all steps so far *)
Definition deterministic := seq (step d) -> state -> 'I_d.
(* a deterministic policy as a policy: it takes its action with probability 1 *)
Definition pol (f : deterministic) : policy R d := fun pre s a => (a == f pre s)%:R.
Lemma pol_proper f : proper (pol f).
Proof.
move=> pre s; split=> [a|]; first exact: ler0n.
by rewrite (bigD1 (f pre s)) //= /pol eqxx big1 ?addr0 // => a /negPf ->.
Qed.

(* the steps of a trajectory that has always stayed *)
Definition stayed h : seq (step d) := nseq h (ord0, None).
(* f pulls the arm i: it stays before the layer of i, and plays i there *)
Definition pulls (f : deterministic) (i : arm) : bool :=
  (f (stayed i.1) None == lift ord0 i.2) &&
  [forall k : 'I_i.1, f (stayed k) None == ord0].

Lemma pulls_one f i j : pulls f i -> pulls f j -> i = j.
Proof.
move=> /andP[/eqP i1 /forallP i2] /andP[/eqP j1 /forallP j2].
have same : i.1 = j.1 :> nat.
  case: (ltngtP i.1 j.1) => // lt.
    by have := j2 (Ordinal lt); rewrite /= i1.
  by have := i2 (Ordinal lt); rewrite /= j1.
move: i1 j1; rewrite same => -> /lift_inj e.
by case: i j same e {i2 j2} => [i1 i2] [j1 j2] /= /val_inj -> ->.
Qed.

Definition pulled (f : deterministic) : option arm := [pick i | pulls f i].
Lemma pulledE f i : pulled f != Some i -> ~~ pulls f i.
Proof.
rewrite /pulled; case: pickP => [j hj|no]; last by rewrite no.
by apply: contra => hi; rewrite (pulls_one hi hj).
Qed.

(* a policy that does not pull i sees nothing of i *)
Lemma traj_unpulled f i h t : ~~ pulls f i -> (forall k, (k < h)%N -> f (stayed k) None = ord0) ->
  traj (bandit i) (pol f) h (stayed h) None t = traj fair (pol f) h (stayed h) None t.
Proof.
move=> np; elim: t h => [|[a s'] t IH] h hs // .
have step_eq (M : instance R d) : traj M (pol f) h (stayed h) None ((a, s') :: t) =
  (a == f (stayed h) None)%:R * kernel M h None a s' *
  traj M (pol f) h.+1 (rcons (stayed h) (a, s')) s' t by [].
rewrite !step_eq; case: eqP => [ae|]; last by rewrite !mul0r.
have kE : kernel (bandit i) h None a s' = kernel fair h None a s'.
  case: s' {step_eq} => [x|] //=; case: eqP => //= a0; rewrite /is_arm.
  case: eqP => //= hi; case: eqP => //= ai; exfalso; move/negP: np; apply; apply/andP; split.
    by rewrite -hi -ae ai.
  by apply/forallP => k; rewrite hs // hi; exact: ltn_ord.
rewrite kE; case: s' {kE step_eq} => [x|]; first by rewrite (traj_end _ fair).
rewrite /= ae; case: eqP => [a0|_]; last by rewrite mulr0 !mul0r.
have -> : rcons (stayed h) (f (stayed h) None, None) = stayed h.+1.
  by rewrite a0 /stayed; elim: (h) => //= h' ->.
by rewrite IH // => k; rewrite ltnS leq_eqVlt => /orP[/eqP -> //|]; exact: hs.
Qed.

(* the probability of pulling the arm i *)
Fixpoint pull_prob (i : arm) (pi : policy R d) h pre k : R :=
  if k is k'.+1 then
    \sum_a pi pre None a * (if a == ord0 then pull_prob i pi h.+1 (rcons pre (a, None)) k'
                            else (is_arm i h a)%:R)
  else 0.
(* the probability that one trajectory of pi pulls the arm i *)
Definition q (i : arm) (pi : policy R d) : R := pull_prob i pi 0 [::] n.

Lemma exit_bandit i pi h pre k : exit_bias (bandit i) pi h pre k = b * pull_prob i pi h pre k.
Proof.
elim: k h pre => [|k IH] h pre /=; first by rewrite mulr0.
rewrite mulr_sumr; apply: eq_bigr => a _; rewrite [RHS]mulrCA; congr (_ * _).
case: (a == ord0); first exact: IH.
by case: (is_arm _ _ _); rewrite ?mulr1 ?mulr0.
Qed.

(* [res-compact-bandit], the values: every policy is worth n/2 + b q *)
Theorem bandit_value i (pi : policy R d) : proper pi ->
  J n (bandit i) pi = n%:R / 2%:R + b * q i pi.
Proof. by move=> hp; rewrite gate_value // exit_bandit. Qed.

Lemma pull_two i j (pi : policy R d) h pre k : proper pi -> i != j ->
  pull_prob i pi h pre k + pull_prob j pi h pre k <= 1.
Proof.
move=> hp ij; elim: k h pre => [|k IH] h pre /=; first by rewrite addr0 ler01.
rewrite -[leRHS](proj2 (hp pre None)) -big_split /=; apply: ler_sum => a _.
rewrite -mulrDr; apply: ler_pimulr; first exact: (proj1 (hp pre None)).
case: (a == ord0) => //; rewrite -natrD lern1.
case hi: (is_arm i h a); case hj: (is_arm j h a) => //; exfalso.
move: hi hj ij; rewrite /is_arm => /andP[/eqP -> /eqP ->] /andP[/eqP e1 /eqP/lift_inj e2].
move: e1 e2; clear; case: i j => [i1 i2] [j1 j2] /= /val_inj -> ->; by rewrite eqxx.
Qed.

(* any policy, stochastic ones included, as an output *)
Record returned := Returned { out :> policy R d; out_proper : proper out }.
(* it is epsilon-optimal: its value is at least the best one, n/2 + b, minus epsilon *)
Definition good_output (eps : R) (i : arm) (x : returned) : bool :=
  n%:R / 2%:R + b - eps <= J n (bandit i) x.

Lemma bandit_names eps : 2%:R * eps < b -> 0 < b -> names_one (good_output eps).
Proof.
move=> eb b0 x i j; rewrite /good_output !bandit_value; try exact: out_proper.
move=> h1 h2; apply/eqP; apply: contraT => ij.
have := pull_two 0 [::] n (out_proper x) ij; rewrite -/(q i x) -/(q j x) => h3.
have h4 : b * (q i x + q j x) <= b by rewrite -[leRHS]mulr1 ler_wpmul2l ?(ltW b0).
have := ler_add h1 h2; rewrite leNgt => /negP []; rewrite -subr_gt0.
have -> : n%:R / 2%:R + b - eps + (n%:R / 2%:R + b - eps) -
  (n%:R / 2%:R + b * q i x + (n%:R / 2%:R + b * q j x)) =
  (b - 2%:R * eps) + (b - b * (q i x + q j x)) by ring.
by apply: ltr_spaddl; rewrite ?subr_gt0 ?subr_ge0.
Qed.

(* a deterministic output pulls an arm with probability 0 or 1 *)
Lemma pull_det i f h pre k : (pull_prob i (pol f) h pre k == 0) || (pull_prob i (pol f) h pre k == 1).
Proof.
elim: k h pre => [|k IH] h pre /=; first by rewrite eqxx.
rewrite (bigD1 (f pre None)) //= big1 => [|a /negPf na]; last by rewrite /pol na mul0r.
rewrite /pol eqxx mul1r addr0; case: (_ == ord0); first exact: IH.
by case: (is_arm _ _ _); rewrite eqxx ?orbT.
Qed.

(* a deterministic output is epsilon-optimal: its value is at least the best one, n/2 + b, minus epsilon *)
Definition det_output (eps : R) (i : arm) (f : deterministic) : bool :=
  n%:R / 2%:R + b - eps <= J n (bandit i) (pol f).

Lemma det_names eps : eps < b -> 0 < b -> names_one (det_output eps).
Proof.
move=> eb b0 f; have one i : det_output eps i f -> q i (pol f) = 1.
  rewrite /det_output bandit_value; last exact: pol_proper.
  case/orP: (pull_det i f 0 [::] n) => /eqP; rewrite -/(q i (pol f)) => -> //.
  rewrite mulr0 addr0 -addrA ger_addl subr_le0 => h.
  by move: eb; rewrite ltNge h.
move=> i j /one hi /one hj; apply/eqP; apply: contraT => ij.
have := pull_two 0 [::] n (pol_proper f) ij; rewrite -/(q i (pol f)) -/(q j (pol f)) hi hj.
by rewrite -ler_subr_addl subrr ler10.
Qed.

(* one output fits one arm at most: then every strategy misses an arm *)
Lemma hidden_arm_missed (W : finType) (w : W -> R) (X : Type)
    (psi : W -> strategy [finType of data n d N] deterministic X) (good : arm -> X -> bool) K :
  is_law w -> (0 < n)%N -> (0 < d')%N -> 0 < b <= 2%:R^-1 -> names_one good ->
  exists i, 1 - mixed_success w psi (fun f => data_law (N := N) (bandit i) (pol f)) (good i) K >=
    1 - K.+1%:R / (n * d')%:R.
Proof.
move=> hw n0 d0 /andP[b0 b1] one; have hb : 0 <= b <= 2%:R^-1 by rewrite (ltW b0) b1.
rewrite -card_arm; apply: (search_failure (arm := pulled)
  (law0 := fun f => data_law (N := N) fair (pol f)) psi K _ hw _ one).
- by rewrite card_arm muln_gt0 n0.
- move=> i f o hi; apply: eq_bigr => t _.
  by apply: (@traj_unpulled f i 0) => //; exact: pulledE.
- by move=> f; apply: data_law_law; [exact: fair_mild|exact: pol_proper].
- by move=> i f; apply: data_law_law; [exact: bandit_mild|exact: pol_proper].
Qed.

(* [thm-lower-deterministic-repaired] on the compact bandit: every strategy,
   randomised ones included, that deploys K deterministic policies, with any number
   N of trajectories each, fails on one of the instances with probability at
   least 1 - (K + 1) / m, m = n d' = (D - 3)(T - 1). *)
Theorem lower_deterministic (W : finType) (w : W -> R)
    (psi : W -> strategy [finType of data n d N] deterministic returned) eps K :
  is_law w -> (0 < n)%N -> (0 < d')%N -> 2%:R * eps < b -> 0 < b <= 2%:R^-1 ->
  exists i, 1 - mixed_success w psi (fun f => data_law (N := N) (bandit i) (pol f))
                  (good_output eps i) K >= 1 - K.+1%:R / (n * d')%:R.
Proof.
by move=> hw n0 d0 eb hb; apply: hidden_arm_missed => //; apply: bandit_names => //; case/andP: hb.
Qed.

(* the same for deterministic outputs, where a bias above epsilon is enough *)
Theorem lower_deterministic_output (W : finType) (w : W -> R)
    (psi : W -> strategy [finType of data n d N] deterministic deterministic) eps K :
  is_law w -> (0 < n)%N -> (0 < d')%N -> eps < b -> 0 < b <= 2%:R^-1 ->
  exists i, 1 - mixed_success w psi (fun f => data_law (N := N) (bandit i) (pol f))
                  (det_output eps i) K >= 1 - K.+1%:R / (n * d')%:R.
Proof.
by move=> hw n0 d0 eb hb; apply: hidden_arm_missed => //; apply: det_names => //; case/andP: hb.
Qed.
End Bandit.
