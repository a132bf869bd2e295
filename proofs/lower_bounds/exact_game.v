(* The exact game: on the compact bandit the smallest probability of failure in the worst case is
   between 1 - (K + 1) / m and 1 - (K + 1) / m + K / (N b^2). *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game gate trajectories bandit best sweep.
From derl.probability Require Import finite chebyshev.

Section Heads.
Variables (R : realFieldType) (n d' N : nat) (b : R).
Local Notation d := d'.+1.
Implicit Types (i x : arm n d') (pi : policy R d).

(* a trajectory shows heads: it comes to u2 *)
Definition heads_up (t : seq (step d)) : bool := has (fun y => y.2 == Some true) t.

Lemma never_heads (M : instance R d) pi h pre t : heads_up t -> traj M pi h pre (Some false) t = 0.
Proof.
elim: t h pre => // -[a s'] t IH h pre /=; case: (eqVneq s' (Some false)) => [->|_] ht.
  by rewrite IH ?mulr0.
by rewrite mulr0 mul0r.
Qed.

(* the policy that pulls the arm x shows heads with probability 1/2, or 1/2 + b if x is hidden *)
Lemma puller_heads i x : 0 <= b <= 2%:R^-1 ->
  \sum_(t : n.-tuple (step d)) traj (bandit b i) (pol R (puller x)) 0 [::] None t * (heads_up t)%:R =
  2%:R^-1 + (if x == i then b else 0).
Proof.
move=> hb; set M := bandit b i; set pi := pol R (puller x).
have hM : mild M by exact: bandit_mild.
have hp : proper pi by exact: pol_proper.
suff gen k pre : (size pre + k)%N = n -> (size pre <= x.1)%N ->
    \sum_(t : k.-tuple (step d)) traj M pi (size pre) pre None t * (heads_up t)%:R =
    2%:R^-1 + (if x == i then b else 0) by exact: (gen n [::]).
elim: k pre => [|k IH] pre hk hx.
  by move: (ltn_ord x.1); rewrite ltnNge -[X in (X <= _)%N]hk addn0 hx.
rewrite (sum_tuple_cons k (fun t => traj M pi (size pre) pre None t * (heads_up t)%:R)).
pose a0 := puller x pre None.
pose G a s' := pi pre None a * (kernel M (size pre) None a s' *
   \sum_(t : k.-tuple (step d)) traj M pi (size pre).+1 (rcons pre (a, s')) s' t * (heads_up ((a, s') :: t))%:R).
rewrite (eq_bigr (fun y => G y.1 y.2)) => [|[a s'] _]; last first.
  by rewrite /G /= !mulr_sumr; apply: eq_bigr => t _; rewrite !mulrA.
rewrite -(pair_big xpredT xpredT G) /= /G.
rewrite (bigD1 a0) //= [X in _ + X]big1 => [|a /negPf na]; last first.
  by apply: big1 => s' _; rewrite {1}/pi /pol -/a0 na mul0r.
have pa0 : pi pre None a0 = 1 by rewrite /pi /pol eqxx.
rewrite addr0 sum_state !pa0 !mul1r.
rewrite [X in _ + _ * X]big1 => [|t _]; last first.
  by case: (boolP (heads_up t)) => ht; rewrite ?mulr0 // never_heads ?mul0r.
rewrite mulr0 addr0 /=; case: (eqVneq (size pre) x.1) => [now|later].
  have a0E : a0 = lift ord0 x.2 by rewrite /a0 /puller now eqxx.
  have -> : (a0 == ord0) = false by rewrite a0E.
  rewrite mul0r add0r; under eq_bigr do rewrite mulr1.
  rewrite traj_total // mulr1; congr (_ + _); rewrite /is_arm a0E now.
  have -> : (lift ord0 x.2 == lift ord0 i.2) = (x.2 == i.2) by apply/eqP/eqP => [/lift_inj|->].
  by rewrite -[x == i]/((_ == _) && (_ == _)).
have a0E : a0 = ord0 by rewrite /a0 /puller (negPf later).
rewrite a0E eqxx mul0r addr0 mul1r.
have sz (y : step d) : (size pre).+1 = size (rcons pre y) by rewrite size_rcons.
rewrite (sz (ord0, None)); rewrite -[RHS](IH (rcons pre (ord0, None))) ?size_rcons ?addSnnS //.
by rewrite ltn_neqAle later.
Qed.

(* the test: at least N (1 + b) / 2 of the N trajectories show heads *)
Definition passes (o : data n d N) : bool :=
  N%:R * (1 + b) / 2%:R <= \sum_(k < N) (heads_up (o k))%:R :> R.

(* it errs with probability at most 1 / (N b^2), by Chebyshev's inequality *)
Lemma test_errs i x : (0 < N)%N -> 0 < b <= 2%:R^-1 ->
  \sum_(o : data n d N | passes o != (x == i)) data_law (N := N) (bandit b i) (pol R (puller x)) o
  <= (N%:R * b ^+ 2)^-1.
Proof.
move=> N0 /andP[b0 b1]; have hb : 0 <= b <= 2%:R^-1 by rewrite (ltW b0) b1.
have NR : 0 < N%:R :> R by rewrite ltr0n.
pose p (t : n.-tuple (step d)) := traj (bandit b i) (pol R (puller x)) 0 [::] None t.
have hp : is_law p.
  split=> [t|]; first by apply: traj_ge0; [exact: bandit_mild|exact: pol_proper].
  by apply: traj_total; [exact: bandit_mild|exact: pol_proper].
pose f (t : n.-tuple (step d)) : R := (heads_up t)%:R.
pose m : R := 2%:R^-1 + (if x == i then b else 0).
have hm : mean p f = m by exact: puller_heads.
have var : \sum_t p t * (f t - m) ^+ 2 <= 4%:R^-1.
  have -> : \sum_t p t * (f t - m) ^+ 2 = m - m ^+ 2.
    transitivity (\sum_t (p t * f t - (2%:R * m) * (p t * f t) + m ^+ 2 * p t)).
      by apply: eq_bigr => t _; rewrite /f; case: (heads_up t) => /=; ring.
    rewrite big_split sumrB /= -!mulr_sumr -/(mean p f) hm (proj2 hp); ring.
  rewrite -subr_ge0; have -> : 4%:R^-1 - (m - m ^+ 2) = (m - 2%:R^-1) ^+ 2 by field.
  exact: sqr_ge0.
have s0 : 0 < N%:R * b / 2%:R by rewrite !mulr_gt0 ?invr_gt0 ?ltr0n.
apply: le_trans (_ : prob (draws (N := N) p) (fun o => N%:R * b / 2%:R <= `|\sum_k f (o k) - N%:R * m|) <= _);
  last first.
  apply: le_trans (chebyshev N hp hm var s0) _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by field; rewrite !gt_eqF.
rewrite /prob [leLHS]big_mkcond [leRHS]big_mkcond /=; apply: ler_sum => o _.
have d0 : 0 <= draws p o by case: (draws_is_law N hp).
case: ifP => err; last by case: ifP.
case: ifP => [//|/negP []]; move: err; rewrite /passes /m.
set S := \sum_k _; case: (x == i); rewrite ?eqb_id ?eqbF_neg ?negbK => h.
  rewrite distrC; apply: le_trans (ler_norm _); move: h; rewrite -ltNge => /ltW h.
  rewrite -subr_ge0; have -> : N%:R * (2%:R^-1 + b) - S - N%:R * b / 2%:R = N%:R * (1 + b) / 2%:R - S by field.
  by rewrite subr_ge0.
apply: le_trans (ler_norm _).
rewrite -subr_ge0; have -> : S - N%:R * (2%:R^-1 + 0) - N%:R * b / 2%:R = S - N%:R * (1 + b) / 2%:R by field.
by rewrite subr_ge0.
Qed.
End Heads.

Section Game.
Variables (R : archiFieldType) (n d' : nat) (b : R).
(* the number of arms *)
Local Notation m := (n * d')%N.

(* a sense of success: good i x says that the output x is right where the arm i is hidden; no
   output is right for two arms, and every arm has one *)
Definition sense (X : Type) (good : arm n d' -> X -> bool) : Prop :=
  names_one good /\ exists say, forall i, good i (say i).

(* some strategy, a finite mixture of deterministic ones, with K deployments of deterministic
   policies and N trajectories each, fails with probability at most delta, whatever arm is hidden *)
Definition within (X : Type) (good : arm n d' -> X -> bool) (N K : nat) (delta : R) : Prop :=
  exists (W : finType) (w : W -> R) (psi : W -> strategy [finType of data n d'.+1 N] (deterministic d') X),
    is_law w /\ forall i, 1 - mixed_success w psi (fun f => data_law (N := N) (bandit b i) (pol R f)) (good i) K <=
    delta.

(* naming the arm, a deterministic output and any output that is eps-optimal *)
Lemma senses : (0 < n)%N -> (0 < d')%N -> 0 < b <= 2%:R^-1 ->
  [/\ sense (fun i x => x == i),
      forall eps, 0 <= eps < b -> sense (det_output b eps) &
      forall eps, 0 <= eps -> 2%:R * eps < b -> sense (good_output b eps)].
Proof.
move=> n0 d0 /andP[b0 b1]; split=> [|eps /andP[e0 eb]|eps e0 eb].
- by split; [move=> x i j /eqP -> /eqP ->|exists id].
- split; first exact: det_names.
  by exists (@puller n d') => i; rewrite /det_output bandit_best ger_addl oppr_le0.
- split; first exact: bandit_names.
  exists (fun i => Returned (pol_proper R (puller i))) => i.
  by rewrite /good_output bandit_best ger_addl oppr_le0.
Qed.

Lemma within_lower (X : Type) (good : arm n d' -> X -> bool) N K delta : (0 < n)%N -> (0 < d')%N ->
  0 < b <= 2%:R^-1 -> names_one good -> within good N K delta -> 1 - K.+1%:R / m%:R <= delta.
Proof.
move=> n0 d0 /andP[b0 b1] hg [W [w [psi [hw hd]]]]; have hb : 0 <= b <= 2%:R^-1 by rewrite (ltW b0) b1.
suff [i hi] : exists i, 1 - mixed_success w psi (fun f => data_law (N := N) (bandit b i) (pol R f))
    (good i) K >= 1 - K.+1%:R / m%:R by apply: le_trans hi (hd i).
rewrite -card_arm; apply: (search_failure (arm := @pulled n d')
  (law0 := fun f => data_law (N := N) (fair R d') (pol R f)) psi K _ hw _ hg).
- by rewrite card_arm muln_gt0 n0.
- move=> i f o hi; apply: eq_bigr => t _.
  by apply: (@traj_unpulled _ _ _ b f i 0) => //; exact: pulledE.
- by move=> f; apply: data_law_law; [exact: fair_mild|exact: pol_proper].
- by move=> i f; apply: data_law_law; [exact: bandit_mild|exact: pol_proper].
Qed.

Lemma within_upper (X : Type) (good : arm n d' -> X -> bool) N K : (0 < n)%N -> (0 < d')%N ->
  0 < b <= 2%:R^-1 -> sense good -> (K < m)%N -> (0 < N)%N ->
  within good N K (1 - K.+1%:R / m%:R + K%:R / (N%:R * b ^+ 2)).
Proof.
move=> n0 d0 /andP[b0 b1] [_ [say hsay]] Km N0; have hb : 0 <= b <= 2%:R^-1 by rewrite (ltW b0) b1.
have m0 : (0 < #|arm n d'|)%N by rewrite card_arm muln_gt0 n0.
have [i0 _] := card_gt0P m0.
exists (ordinal_finType #|arm n d'|), (fun _ => #|arm n d'|%:R^-1),
  (fun r : 'I_#|arm n d'| => sweep i0 (@puller n d') say (@passes R n d' N b) (val r)); split.
  split=> [_|]; first by rewrite invr_ge0 ler0n.
  by rewrite sumr_const card_ord -[LHS]mulr_natr mulVf // pnatr_eq0 -lt0n.
move=> i; rewrite -{1}card_arm.
have ht : reliable (@puller n d') (@passes R n d' N b)
    (fun j f => data_law (N := N) (bandit b j) (pol R f)) (N%:R * b ^+ 2)^-1.
  by move=> j x; apply: test_errs => //; rewrite b0 b1.
have e0 : 0 <= (N%:R * b ^+ 2)^-1 by rewrite invr_ge0 mulr_ge0 ?ler0n // exprn_ge0 // ltW.
have hl f : is_law (data_law (n := n) (N := N) (bandit b i) (pol R f)).
  by apply: data_law_law; [exact: bandit_mild|exact: pol_proper].
have Km' : (K < #|arm n d'|)%N by rewrite card_arm.
exact: (sweep_failure i0 ht e0 hl (hsay i) Km').
Qed.

(* [res-exact-deterministic-game], whole: n >= 1 layers with d' >= 1 arms each, in one of three
   senses of success or any other *)
Theorem res_exact_deterministic_game (K : nat) :
  (0 < n)%N -> (0 < d')%N -> 0 < b <= 2%:R^-1 -> (K < m)%N ->
  [/\ sense (fun i x => x == i),
      forall eps, 0 <= eps < b -> sense (det_output b eps) &
      forall eps, 0 <= eps -> 2%:R * eps < b -> sense (good_output b eps)] /\
  forall (X : Type) (good : arm n d' -> X -> bool), sense good ->
  [/\ forall N delta, within good N K delta -> 1 - K.+1%:R / m%:R <= delta,
      forall N, (0 < N)%N -> within good N K (1 - K.+1%:R / m%:R + K%:R / (N%:R * b ^+ 2)),
      forall N delta, within good N K delta -> (1 - delta) * m%:R - 1 <= K%:R &
      forall delta, (1 - delta) * m%:R - 1 < K%:R ->
        exists N0, forall N, (N0 <= N)%N -> within good N K delta].
Proof.
move=> n0 d0 hb Km; split; first exact: senses.
have mR : 0 < m%:R :> R by rewrite ltr0n muln_gt0 n0.
move=> X good hs; have low N delta : within good N K delta -> 1 - K.+1%:R / m%:R <= delta.
  by apply: within_lower => //; case: hs.
have b0 : 0 < b by case/andP: hb.
split=> // [N N0|N delta /low h|delta h].
- exact: within_upper.
- by rewrite ler_subl_addr -mulrSr -ler_pdivl_mulr // ler_subl_addr addrC -ler_subl_addr.
pose gap := delta - (1 - K.+1%:R / m%:R).
have g0 : 0 < gap.
  rewrite /gap -(pmulr_lgt0 _ mR).
  have -> : (delta - (1 - K.+1%:R / m%:R)) * m%:R = K%:R - ((1 - delta) * m%:R - 1).
    rewrite mulrSr; move: (gt_eqF mR); move: ((n * d')%:R : R) (K%:R : R) => u v hu; field; by rewrite hu.
  by rewrite subr_gt0.
pose x := K%:R / (b ^+ 2 * gap).
have x0 : 0 <= x by rewrite divr_ge0 ?ler0n // mulr_ge0 ?sqr_ge0 // ltW.
exists (Num.bound x).+1 => N hN; have N0 : (0 < N)%N by exact: leq_trans hN.
have [W [w [psi [hw hd]]]] := within_upper n0 d0 hb hs Km N0.
exists W, w, psi; split=> // i; apply: le_trans (hd i) _.
have lt : x < N%:R.
  apply: lt_le_trans (archi_boundP x0) _; rewrite ler_nat; exact: ltnW.
rewrite -ler_subr_addl -/gap ler_pdivr_mulr ?mulr_gt0 ?exprn_gt0 ?ltr0n //.
move: lt; rewrite /x ltr_pdivr_mulr ?mulr_gt0 ?exprn_gt0 // => /ltW.
by have -> : gap * (N%:R * b ^+ 2) = N%:R * (b ^+ 2 * gap) by ring.
Qed.
End Game.

(* control: with K in the place of K + 1 the lower bound is false: one arm, no deployment *)
Theorem res_exact_deterministic_game_control : ~ (forall (n d' N K : nat) (b delta : rat), (0 < n)%N -> (0 < d')%N ->
  0 < b <= 2%:R^-1 -> (K < n * d')%N -> within b (fun (i x : arm n d') => x == i) N K delta ->
  1 - K%:R / (n * d')%:R <= delta).
Proof.
move=> h; have hb : 0 < (2%:R^-1 : rat) <= 2%:R^-1 by [].
have [s _ _] := @senses _ 1 1 _ isT isT hb.
have := h 1%N 1%N 1%N 0%N _ _ isT isT hb isT (within_upper (n := 1) (d' := 1) (N := 1) (K := 0) isT isT hb s isT isT).
by apply/negP; vm_compute.
Qed.
