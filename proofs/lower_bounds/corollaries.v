(* Corollaries of the counting arguments in the paper's indices, and what a bias means. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks gate trajectories lock.

Section Levels.
Variables (R : realFieldType) (n d N : nat) (b : R).
Variable psi : strategy [finType of data n d N] (deployed R d) (deployed R d).

(* averaged over the codes, the probability that the first k deployments do not reach
   level j, that is, match fewer than j - 1 digits *)
Definition avoids (k j : nat) : R :=
  (\sum_c miss (fun (c : code n d) (x : deployed R d) => data_law (N := N) (lock b c) x)
     (@matched n d N) c psi k j.-1) / (d ^ n)%:R.

(* [claim-frontier-step] and, with L in the place of L - 1, [res-frontier-step-sharp], on
   the combination lock: from level L' to level L' + L *)
Theorem res_frontier_step_sharp (L L' k : nat) :
  0 <= b <= 2%:R^-1 -> (0 < d)%N -> (0 < N)%N -> (0 < L')%N -> ((L' + L).-1 <= n)%N ->
  (1 - N%:R / (d ^ L)%:R) * avoids k L' <= avoids k.+1 (L' + L).
Proof.
move=> hb d0 N0 L0 Ln; rewrite /avoids mulrA ler_wpmul2r ?invr_ge0 ?ler0n //.
have e : ((L' + L).-1 - L'.-1 = L)%N by case: (L') L0 => // l _; rewrite addSn /= addKn.
have jM : (L'.-1 <= (L' + L).-1 <= n)%N.
  by rewrite Ln andbT -!subn1 leq_sub2r // leq_addr.
have := frontier_step psi k (lock_blind hb) (lock_reach hb d0 N0) _ d0 jM.
rewrite e; apply=> c x; apply: data_law_law; [exact: lock_mild|exact: lock.pol_proper].
Qed.

Theorem claim_frontier_step (L L' k : nat) :
  0 <= b <= 2%:R^-1 -> (0 < d)%N -> (0 < N)%N -> (0 < L')%N -> (0 < L)%N ->
  ((L' + L).-1 <= n)%N -> 0 <= avoids k L' ->
  (1 - N%:R / (d ^ L.-1)%:R) * avoids k L' <= avoids k.+1 (L' + L).
Proof.
move=> hb d0 N0 L'0 L0 Ln a0; apply: le_trans (res_frontier_step_sharp _ _ _ _ _ Ln) => //.
have dR k' : 0 < (d ^ k')%:R :> R by rewrite ltr0n expn_gt0 d0.
rewrite ler_wpmul2r // ler_add2l ler_opp2 ler_wpmul2l ?ler0n //.
by rewrite lef_pinv ?posrE ?dR // ler_nat leq_pexp2l // leq_pred.
Qed.

(* [claim-first-deployment], on the combination lock: level L is reached by the first
   deployment with probability at most N / d^(L-1) *)
Theorem claim_first_deployment (L : nat) :
  0 <= b <= 2%:R^-1 -> (0 < d)%N -> (0 < N)%N -> (0 < L)%N -> (L.-1 <= n)%N ->
  1 - avoids 1 L <= N%:R / (d ^ L.-1)%:R.
Proof.
move=> hb d0 N0 L0 Ln; have := @res_frontier_step_sharp L.-1 1 0 hb d0 N0 isT.
rewrite add1n prednK //; move=> /(_ Ln).
have -> : avoids 0 1 = 1.
  rewrite /avoids; under eq_bigr do rewrite miss0.
  by rewrite sumr_const card_code divff // pnatr_eq0 -lt0n expn_gt0 d0.
by rewrite mulr1 ler_subl_addr -ler_subl_addl.
Qed.
End Levels.

(* [ineq-levels-fit], whole: l is the rounded logarithm of N H *)
Theorem ineq_levels_fit (H K l : nat) : (3 <= H)%N -> (1 <= l)%N ->
  (K * (2 * l) <= H - 2)%N -> (K * l.+1 <= H - 2)%N.
Proof.
move=> _ l1 h; apply: leq_trans h; rewrite leq_mul2l mul2n -addnn -[l.+1]add1n leq_add2r l1.
by rewrite orbT.
Qed.

(* [ineq-k-over-h], whole: K = c_K d H + 1 *)
Theorem ineq_k_over_h (R : realFieldType) (cK d H K : R) : 0 < H -> K = cK * d * H + 1 ->
  K / H - cK * d = H^-1 /\ cK * d < K / H.
Proof.
move=> H0 ->; have e : (cK * d * H + 1) / H - cK * d = H^-1 by field; rewrite gt_eqF.
by split=> //; rewrite -subr_gt0 e invr_gt0.
Qed.

(* [res-bias], the count: one policy, with probability q i of pulling arm i, is
   eps-optimal for at most b / (b - eps) arms, and for all of them if b <= eps *)
Theorem res_bias (R : realFieldType) (A : finType) (q : A -> R) (c b eps : R) :
  (forall i, 0 <= q i) -> \sum_i q i <= 1 -> 0 < b ->
  (eps < b -> #|[pred i | c + b - eps <= c + b * q i]|%:R <= b / (b - eps)) /\
  (b <= eps -> forall i, c + b - eps <= c + b * q i).
Proof.
move=> q0 q1 b0; split=> [eb|be i].
  have s0 : 0 < b - eps by rewrite subr_gt0.
  rewrite ler_pdivl_mulr // mulrC mulr_natr -sumr_const.
  apply: (@le_trans _ _ (\sum_(i in [pred i | c + b - eps <= c + b * q i]) b * q i)).
    by apply: ler_sum => i; rewrite inE -addrA ler_add2l.
  rewrite -mulr_sumr -[leRHS]mulr1 ler_pmul2l //; apply: le_trans q1.
  rewrite [leRHS](bigID (mem [pred i | c + b - eps <= c + b * q i])) /= ler_addl.
  exact: sumr_ge0.
by rewrite -addrA ler_add2l (@le_trans _ _ 0) ?subr_le0 // mulr_ge0 // ltW.
Qed.
