(* Lemma D.3 and the chain of Theorem D.4 with maxima over all policies; what the printed
   lemma says of rewards of Assumption 1 is false. *)
From derl.common Require Import prelude forms.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism truncation.
From derl.foundations Require Import rewards.
From derl.reward_free Require Import planning event controls.

Section Maxima.
Variables (R : rcfType) (S A : finType) (d : nat).
Variables (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d) (rho : S -> R).

Lemma J_scale mu (c : R) r L : J P rho mu (fun h s a => c * r h s a) L = c * J P rho mu r L.
Proof. by rewrite /J mulr_sumr; apply: eq_bigr => s _; rewrite value_scale mulrCA. Qed.

(* [res-reward-free-gap], whole: M bounds the expected capped bonuses of every policy *)
Theorem res_reward_free_gap_max (L : nat) (beta : R) (w : nat -> 'cV[R]_d) (Lam : nat -> 'M[R]_d)
    (r : nat -> S -> A -> R) (g : nat -> S -> A) (mu : nat -> S -> A -> R) :
  let b := bonus phi beta Lam in let u h s a := Num.min (b h s a) L%:R in
  let Q := Qcap r L%:R (linear phi w) b in let V := Vopt r L%:R (linear phi w) b g L in
  (0 < L)%N -> (forall h s a, is_law (P h s a)) -> is_law rho -> (forall h s, is_law (mu h s)) ->
  (forall h s a, 0 <= r h s a <= 1) -> (forall h s a, Q h s a <= Q h s (g h s)) ->
  (forall h s a, (h < L)%N -> `|linear phi w h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a) ->
  (forall M, (forall pi, (forall h s, is_law (pi h s)) -> J P rho pi u L <= M) ->
     J P rho mu r L - J P rho (det R g) r L <= 2%:R * M) /\
  (forall pi, 2%:R * J P rho pi u L = 2%:R * L%:R * J P rho pi (fun h s a => u h s a / L%:R) L).
Proof.
move=> b u Q V L0 hP hrho hmu hr greedy event; split.
  move=> M hM; have [pi hpi [h _]] := res_reward_free_gap L0 hP hrho hmu hr greedy event.
  by apply: le_trans h _; rewrite ler_pmul2l ?ltr0n //; apply: hM.
move=> pi; have LR : L%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
rewrite -mulrA; congr (_ * _); rewrite -J_scale /J; apply: eq_bigr => s _; congr (_ * _).
by apply: value_ext => x y z; rewrite mulrCA divff // mulr1.
Qed.

(* [res-reward-free-chain], whole: the loss is at most the first number of some policy, the
   first number of every policy at most its second, that at most the third, and that eps *)
Theorem res_reward_free_chain_max (H L : nat) (beta eps Delta : R) (w w' : nat -> 'cV[R]_d)
    (Lam Lam' : nat -> 'M[R]_d) (r : nat -> S -> A -> R) (g gk : nat -> S -> A)
    (mu : nat -> S -> A -> R) :
  let b := bonus phi beta Lam in let b' := bonus phi beta Lam' in
  let u' h s a := Num.min (b' h s a) L%:R in
  let rk := explore_reward H b in
  let Q := Qcap r L%:R (linear phi w') b' in let V := Vopt r L%:R (linear phi w') b' g L in
  let Qk := Qcap rk H%:R (linear phi w) b in let Vk := Vopt rk H%:R (linear phi w) b gk L in
  (0 < L)%N -> (L <= H)%N -> 0 <= beta -> (forall h s a, is_law (P h s a)) -> is_law rho ->
  (forall h s, is_law (mu h s)) -> (forall h s a, 0 <= r h s a <= 1) ->
  (forall h, pd (Lam h)) -> (forall h, psd (Lam' h - Lam h)) ->
  (forall h s a, Q h s a <= Q h s (g h s)) -> (forall h s a, Qk h s a <= Qk h s (gk h s)) ->
  (forall h s a, (h < L)%N -> `|linear phi w' h s a - \sum_s' P h s a s' * V h.+1 s'| <= b' h s a) ->
  (forall h s a, (h < L)%N -> `|linear phi w h s a - \sum_s' P h s a s' * Vk h.+1 s'| <= b h s a) ->
  (* layer L is finished, and Hoeffding's step *)
  Delta <= eps * L%:R / ((4%:R * H%:R + 2%:R) * H%:R) ->
  J P rho (det R gk) (fun h s a => 2%:R * b h s a) L <= Delta + eps / (4%:R * H%:R + 2%:R) -> 0 <= eps ->
  let plan pi := 2%:R * L%:R * J P rho pi (fun h s a => u' h s a / L%:R) L in
  let explore pi := 2%:R * H%:R * J P rho pi rk L in
  let deployed := 2%:R * H%:R * (2%:R * H%:R + 1) * J P rho (det R gk) rk L in
  [/\ exists2 pi, (forall h s, is_law (pi h s)) & J P rho mu r L - J P rho (det R g) r L <= plan pi,
      forall pi, (forall h s, is_law (pi h s)) -> plan pi <= explore pi /\ explore pi <= deployed &
      deployed <= eps].
Proof.
move=> b b' u' rk Q V Qk Vk L0 LH b0 hP hrho hmu hr pL ge greedy greedyk event eventk fin hoeff e0.
move=> plan explore deployed; have [rho0 _] := hrho.
have [pi hpi [h1 _ _ h4]] := res_reward_free_chain L0 LH b0 hP hrho hmu hr pL ge greedy greedyk event eventk
  fin hoeff e0.
split=> //; first by exists pi.
have H0 : (0 < H)%N by exact: leq_trans LH.
have LR : L%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have HR : 0 < H%:R :> R by rewrite ltr0n.
move=> po hpo; split.
  rewrite /plan /explore -!mulrA ler_pmul2l ?ltr0n // -!J_scale /J; apply: ler_sum => s _.
  rewrite ler_wpmul2l //; apply: value_le => // x y z.
  rewrite /rk /explore_reward !(mulrCA _%:R) !divff ?mulr1 ?gt_eqF ?ltr0n //.
  by have [] := res_plan_reward (phi x y z) (pL x) (ge x) b0 L0 LH.
rewrite /explore /deployed -[leRHS]mulrA ler_pmul2l ?mulr_gt0 ?ltr0n // /J mulr_sumr.
apply: ler_sum => s _; rewrite mulrCA ler_wpmul2l //.
have [_ o1 o2] := lem_overestimation_reward_free_repaired H0 LH b0 hP hpo greedyk eventk s (add0n L).
exact: le_trans o1 o2.
Qed.
End Maxima.

(* [eq-reward-free-gap] is false for rewards of Assumption 1: one state, two actions, one
   layer, rewards 3/2 and 1, both of which the cap makes 1, and bonuses of at most 1/5 *)
Section Cap.
Variable R : rcfType.
Definition cap_phi (h : nat) (s : unit) (a : bool) : 'cV[R]_4 :=
  \col_i nth 0 [:: if a then 3%:R / 4%:R else 2%:R^-1; 2%:R^-1] i.
Definition cap_mu (h : nat) (s : unit) : 'cV[R]_4 := \col_i nth 0 [:: 0; 2%:R] i.
Definition cap_theta (h : nat) : 'cV[R]_4 := \col_i nth 0 [:: 2%:R; 0] i.
Definition cap_reward (h : nat) (s : unit) (a : bool) : R := if a then 3%:R / 2%:R else 1.

Lemma four_dot (a b x y : R) : ((\col_i nth 0 [:: a; b] i : 'cV[R]_4)^T *m
  (\col_i nth 0 [:: x; y] i : 'cV[R]_4)) ord0 ord0 = a * x + b * y.
Proof. by rewrite mxE !big_ord_recl big_ord0 !mxE /= !mulr0 !addr0. Qed.
Lemma four_sq (a b : R) : qf 1%:M (\col_i nth 0 [:: a; b] i : 'cV[R]_4) = a * a + b * b.
Proof. by rewrite /qf bil1 four_dot. Qed.

Lemma cap_sq h s a : qf 1%:M (cap_phi h s a) <= 1.
Proof.
rewrite four_sq; case: a; last first.
  have -> : 2%:R^-1 * 2%:R^-1 + 2%:R^-1 * 2%:R^-1 = 2%:R^-1 :> R by field.
  exact: u_le1.
have -> : 3%:R / 4%:R * (3%:R / 4%:R) + 2%:R^-1 * 2%:R^-1 = 13%:R / 16%:R :> R by field.
by rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
Qed.
Lemma cap_linear h : assumption_one (cap_phi h) (cap_mu h) (cap_theta h) (fun _ _ _ => 1) (cap_reward h).
Proof.
split.
- split=> [s a|s a s'].
    by split=> [o|]; [exact: ler01|rewrite sum_unit].
  by rewrite four_dot mul0r add0r divff // pnatr_eq0.
- by move=> s a; rewrite four_dot mul0r addr0 /cap_reward; case: a; field.
- exact: cap_sq.
- by rewrite four_sq mul0r addr0 -natrM ler_nat.
- move=> v hv; rewrite sum_unit qfZr four_sq mul0r add0r -natrM.
  have h1 : v tt ^+ 2 <= 1 by rewrite -real_normK ?num_real // expr_le1.
  by rewrite -[leRHS]mul1r ler_wpmul2r ?ler0n.
Qed.

Theorem eq_reward_free_gap_refuted :
  ~ (forall (S A : finType) (d : nat) (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d)
      (rho : S -> R) (H L : nat) (beta : R) (w : nat -> 'cV[R]_d) (Lam : nat -> 'M[R]_d)
      (nu : nat -> S -> 'cV[R]_d) (theta : nat -> 'cV[R]_d)
      (r : nat -> S -> A -> R) (g : nat -> S -> A) (mu : nat -> S -> A -> R),
    let b := bonus phi beta Lam in let v h s a := Num.min (b h s a) H%:R in
    let Q := Qcap r H%:R (linear phi w) v in let V := Vopt r H%:R (linear phi w) v g L in
    (0 < L)%N -> (L <= H)%N -> 0 < beta -> (forall h, pd (Lam h)) ->
    (forall h, assumption_one (phi h) (nu h) (theta h) (P h) (r h)) ->
    is_law rho -> (forall h s, is_law (mu h s)) -> (forall h s a, Q h s a <= Q h s (g h s)) ->
    (forall h s a, (h < L)%N -> `|linear phi w h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a) ->
    exists2 pi : nat -> S -> A -> R, (forall h s, is_law (pi h s)) &
      J P rho mu r L - J P rho (det R g) r L <= 2%:R * H%:R * J P rho pi (fun h s a => v h s a / H%:R) L).
Proof.
have f0 : 0 < 5%:R^-1 :> R by rewrite invr_gt0 ltr0n.
move=> /(_ unit_finType bool_finType 4%N (@lone_next R) cap_phi (@lone_first R) 1%N 1%N 5%:R^-1 (fun _ => 0)
  (fun _ => 1%:M) cap_mu cap_theta cap_reward (fun _ _ => false) (det R (fun _ _ => true)) isT isT f0
  (fun _ => pd1 R 4) cap_linear (@first_law R) (det_law R _)).
have est0 h s a : linear cap_phi (fun _ => 0) h s a = 0 by rewrite /linear trmx0 mul0mx mxE.
have b0 h s a : 0 <= bonus cap_phi 5%:R^-1 (fun _ => 1%:M) h s a by rewrite mulr_ge0 ?sqrtr_ge0 // ltW.
have b1 h s a : bonus cap_phi 5%:R^-1 (fun _ => 1%:M) h s a <= 5%:R^-1.
  rewrite /bonus -[X in _ <= X]mulr1 ler_pmul2l // -[X in _ <= X]sqrtr1 ler_wsqrtr //.
  have -> : invmx (1%:M : 'M[R]_4) = 1%:M by exact: invmx1.
  exact: cap_sq.
have Q1 h s a : Qcap cap_reward 1%:R (linear cap_phi (fun _ => 0))
    (fun h s a => Num.min (bonus cap_phi 5%:R^-1 (fun _ => 1%:M) h s a) 1%:R) h s a = 1.
  rewrite /Qcap est0 add0r; apply/min_idPr; apply: (@le_trans _ _ (cap_reward h s a)).
    by rewrite /cap_reward; case: a; rewrite // ler_pdivl_mulr ?ltr0n // mul1r ler_nat.
  by rewrite ler_addl le_minr b0 ler01.
move=> h; case: h => [h s a|h s a h1|pi hpi].
- by rewrite !Q1.
- rewrite est0 sub0r normrN sum_unit mul1r; case: h h1 => // _.
  by rewrite /Vopt normr0.
have lhs : J (@lone_next R) (@lone_first R) (det R (fun _ _ => true)) cap_reward 1 -
    J (@lone_next R) (@lone_first R) (det R (fun _ _ => false)) cap_reward 1 = 2%:R^-1.
  by rewrite !J1 !valueg /cap_reward; field.
rewrite lhs => le1.
have le2 : J (@lone_next R) (@lone_first R) pi (fun h s a =>
    Num.min (bonus cap_phi 5%:R^-1 (fun _ => 1%:M) h s a) 1%:R / 1%:R) 1 <= 5%:R^-1.
  have d1 (x : R) : x / 1%:R = x by exact: divr1.
  rewrite J1 value1; apply: (@le_trans _ _ (\sum_a pi 0%N tt a * 5%:R^-1)).
    by apply: ler_sum => a _; rewrite ler_wpmul2l ?(proj1 (hpi 0%N tt)) // d1 le_minl b1.
  by rewrite -mulr_suml (proj2 (hpi 0%N tt)) mul1r.
have := le_trans le1 (ler_wpmul2l (_ : 0 <= 2%:R * 1%:R) le2); rewrite mulr1 => /(_ (ler0n _ _)).
rewrite -[2%:R^-1]mul1r ler_pdivr_mulr ?ltr0n // mulrAC ler_pdivl_mulr ?ltr0n // mul1r -natrM ler_nat.
by [].
Qed.
End Cap.
