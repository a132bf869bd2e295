(* The lemmas of Appendix D on the event: D.2, D.3, the chain of Theorem D.4, and the plan
   of Algorithm 4 in general. *)
From derl.common Require Import prelude forms.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism truncation.
From derl.reward_free Require Import planning.

Lemma value_ext (R : realFieldType) (S A : finType) (P : nat -> S -> A -> S -> R) mu r r' h k s :
  (forall h s a, r h s a = r' h s a) -> value P mu r h k s = value P mu r' h k s.
Proof.
move=> e; elim: k h s => [|k IH] h s //=; apply: eq_bigr => a _; rewrite e.
by congr (_ * (_ + _)); apply: eq_bigr => s' _; rewrite IH.
Qed.

Section Event.
Variables (R : rcfType) (S A : finType) (d : nat).
Variables (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d) (rho : S -> R).

(* beta |phi|_{Lambda^-1} *)
Definition bonus (beta : R) (Lam : nat -> 'M[R]_d) h s a : R :=
  beta * Num.sqrt (qf (invmx (Lam h)) (phi h s a)).
(* w^T phi *)
Definition linear (w : nat -> 'cV[R]_d) h s a : R := ((w h)^T *m phi h s a) ord0 ord0.
(* the expected value of the first state *)
Definition J (mu : nat -> S -> A -> R) (r : nat -> S -> A -> R) L : R :=
  \sum_s rho s * value P mu r 0 L s.

Lemma bonus_ge0 beta Lam h s a : 0 <= beta -> 0 <= bonus beta Lam h s a.
Proof. by move=> b0; rewrite mulr_ge0 ?sqrtr_ge0. Qed.

(* [lem-overestimation-reward-free-repaired], whole: the bonus is uncapped inside Q, r is
   the reward of exploration, mu any policy (the best one among them) *)
Theorem lem_overestimation_reward_free_repaired (H L : nat) (beta : R) (w : nat -> 'cV[R]_d)
    (Lam : nat -> 'M[R]_d) (g : nat -> S -> A) (mu : nat -> S -> A -> R) :
  let b := bonus beta Lam in let r := explore_reward H b in
  let Q := Qcap r H%:R (linear w) b in let V := Vopt r H%:R (linear w) b g L in
  (0 < H)%N -> (L <= H)%N -> 0 <= beta -> (forall h s a, is_law (P h s a)) ->
  (forall h s, is_law (mu h s)) -> (forall h s a, Q h s a <= Q h s (g h s)) ->
  (forall h s a, (h < L)%N -> `|linear w h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a) ->
  forall h k s, (h + k)%N = L ->
    [/\ 0 <= value P mu r h k s, value P mu r h k s <= V h s &
        V h s <= (2%:R * H%:R + 1) * value P (det R g) r h k s].
Proof.
move=> b r Q V H0 LH b0 hP hmu greedy event h k s hk.
have hr x y z : 0 <= r x y z <= 1 by apply: explore_reward01 => //; exact: bonus_ge0.
have hL : L%:R <= H%:R :> R by rewrite ler_nat.
split.
- by apply: value_ge0 => // x y z; case/andP: (hr x y z).
- by have [O _] := optimism hP hmu hr hL greedy event s hk.
- apply: (@explored_value _ _ _ P hP H L (linear w) b b g) => // x y z; exact: bonus_ge0.
Qed.

(* [ineq-explored-value], whole: with the bonus u inside Q capped as printed, and without *)
Theorem ineq_explored_value (H L : nat) (beta : R) (w : nat -> 'cV[R]_d)
    (Lam : nat -> 'M[R]_d) (g : nat -> S -> A) (u : nat -> S -> A -> R) :
  let b := bonus beta Lam in let r := explore_reward H b in
  let V := Vopt r H%:R (linear w) u g L in
  (u = b \/ u = fun h s a => Num.min (b h s a) H%:R) ->
  (0 < H)%N -> (L <= H)%N -> 0 <= beta -> (forall h s a, is_law (P h s a)) -> is_law rho ->
  (forall h s a, (h < L)%N -> `|linear w h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a) ->
  \sum_s rho s * V 0%N s <= (2%:R * H%:R + 1) * J (det R g) r L.
Proof.
move=> b r V hu H0 LH b0 hP [rho0 _] event.
rewrite /J mulr_sumr; apply: ler_sum => s _; rewrite mulrCA ler_wpmul2l //.
apply: (@explored_value _ _ _ P hP H L (linear w) b u g) => // [x y z|x y z]; first exact: bonus_ge0.
by case: hu => ->; rewrite // le_minl lexx.
Qed.

(* [res-reward-free-gap], whole: any reward in [0, 1], a horizon L, any policy mu as the
   competitor; the bound is attained by some policy pi, here the planned one, and u / L is
   the planner's reward *)
Theorem res_reward_free_gap (L : nat) (beta : R) (w : nat -> 'cV[R]_d) (Lam : nat -> 'M[R]_d)
    (r : nat -> S -> A -> R) (g : nat -> S -> A) (mu : nat -> S -> A -> R) :
  let b := bonus beta Lam in let u h s a := Num.min (b h s a) L%:R in
  let Q := Qcap r L%:R (linear w) b in let V := Vopt r L%:R (linear w) b g L in
  (0 < L)%N -> (forall h s a, is_law (P h s a)) -> is_law rho -> (forall h s, is_law (mu h s)) ->
  (forall h s a, 0 <= r h s a <= 1) -> (forall h s a, Q h s a <= Q h s (g h s)) ->
  (forall h s a, (h < L)%N -> `|linear w h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a) ->
  exists2 pi : nat -> S -> A -> R, (forall h s, is_law (pi h s)) &
    J mu r L - J (det R g) r L <= 2%:R * J pi u L /\
    2%:R * J pi u L = 2%:R * L%:R * J pi (fun h s a => u h s a / L%:R) L.
Proof.
move=> b u Q V L0 hP [rho0 _] hmu hr greedy event; exists (det R g); first exact: det_law.
have LR : L%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have hL : L%:R <= L%:R :> R by [].
split.
  rewrite /J -sumrB mulr_sumr; apply: ler_sum => s _; rewrite -mulrBr mulrCA ler_wpmul2l //.
  have h1 := optimism_capped hP hr hL greedy event s (add0n L).
  have [h2 _] := optimism hP hmu hr hL greedy event s (add0n L).
  by apply: le_trans h1; rewrite ler_add2r.
rewrite -mulrA; congr (_ * _); rewrite /J mulr_sumr; apply: eq_bigr => s _.
rewrite mulrCA; congr (_ * _).
rewrite -value_scale; apply: value_ext => x y z.
by rewrite mulrCA divff // mulr1.
Qed.

(* [res-plan-reward], whole: more data and a smaller horizon make the planner's reward times
   the horizon smaller *)
Theorem res_plan_reward (Lam Lam' : 'M[R]_d) (x : 'cV[R]_d) (beta : R) (L H : nat) :
  pd Lam -> psd (Lam' - Lam) -> 0 <= beta -> (0 < L)%N -> (L <= H)%N ->
  let u' := Num.min (beta * Num.sqrt (qf (invmx Lam') x)) L%:R in
  let u := Num.min (beta * Num.sqrt (qf (invmx Lam) x)) H%:R in
  u' <= u /\ L%:R * (u' / L%:R) <= H%:R * (u / H%:R).
Proof.
move=> pL ge b0 L0 LH u' u.
have le : u' <= u.
  rewrite /u' /u le_minr; apply/andP; split.
    by rewrite le_minl ler_wpmul2l ?ler_wsqrtr ?inv_antitone.
  by rewrite le_minl ler_nat LH orbT.
have LR : L%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have HR : H%:R != 0 :> R by rewrite pnatr_eq0 -lt0n (leq_trans L0).
by split=> //; rewrite !(mulrC _ (_ / _)) !mulfVK.
Qed.

(* [res-reward-free-chain], whole: r any reward in [0, 1], planned with horizon L <= H on the
   covariances Lam', which contain at least the data of the exploration, Lam; gk is the
   exploring policy that finishes layer L, Delta its statistic; mu is the competitor. *)
Theorem res_reward_free_chain (H L : nat) (beta eps Delta : R) (w w' : nat -> 'cV[R]_d)
    (Lam Lam' : nat -> 'M[R]_d) (r : nat -> S -> A -> R) (g gk : nat -> S -> A)
    (mu : nat -> S -> A -> R) :
  let b := bonus beta Lam in let b' := bonus beta Lam' in
  let u' h s a := Num.min (b' h s a) L%:R in
  let rk := explore_reward H b in
  let Q := Qcap r L%:R (linear w') b' in let V := Vopt r L%:R (linear w') b' g L in
  let Qk := Qcap rk H%:R (linear w) b in let Vk := Vopt rk H%:R (linear w) b gk L in
  (0 < L)%N -> (L <= H)%N -> 0 <= beta -> (forall h s a, is_law (P h s a)) -> is_law rho ->
  (forall h s, is_law (mu h s)) -> (forall h s a, 0 <= r h s a <= 1) ->
  (forall h, pd (Lam h)) -> (forall h, psd (Lam' h - Lam h)) ->
  (forall h s a, Q h s a <= Q h s (g h s)) -> (forall h s a, Qk h s a <= Qk h s (gk h s)) ->
  (forall h s a, (h < L)%N -> `|linear w' h s a - \sum_s' P h s a s' * V h.+1 s'| <= b' h s a) ->
  (forall h s a, (h < L)%N -> `|linear w h s a - \sum_s' P h s a s' * Vk h.+1 s'| <= b h s a) ->
  (* layer L is finished, and Hoeffding's step *)
  Delta <= eps * L%:R / ((4%:R * H%:R + 2%:R) * H%:R) ->
  J (det R gk) (fun h s a => 2%:R * b h s a) L <= Delta + eps / (4%:R * H%:R + 2%:R) -> 0 <= eps ->
  exists2 pi : nat -> S -> A -> R, (forall h s, is_law (pi h s)) &
  [/\ J mu r L - J (det R g) r L <= 2%:R * L%:R * J pi (fun h s a => u' h s a / L%:R) L,
      2%:R * L%:R * J pi (fun h s a => u' h s a / L%:R) L <= 2%:R * H%:R * J pi rk L,
      2%:R * H%:R * J pi rk L <= 2%:R * H%:R * (2%:R * H%:R + 1) * J (det R gk) rk L &
      2%:R * H%:R * (2%:R * H%:R + 1) * J (det R gk) rk L <= eps].
Proof.
move=> b b' u' rk Q V Qk Vk L0 LH b0 hP hrho hmu hr pL ge greedy greedyk event eventk fin hoeff e0.
have [rho0 rho1] := hrho.
have H0 : (0 < H)%N by exact: leq_trans LH.
have HR : 0 < H%:R :> R by rewrite ltr0n.
have [pi hpi [h1 h2]] := res_reward_free_gap L0 hP hrho hmu hr greedy event.
exists pi => //; split.
- by rewrite -h2.
- rewrite -h2 -!mulrA ler_pmul2l ?ltr0n // /J mulr_sumr; apply: ler_sum => s _.
  rewrite mulrCA ler_wpmul2l // -value_scale; apply: value_le => // x y z.
  rewrite /rk /explore_reward mulrCA divff ?mulr1 ?gt_eqF //.
  by have [] := res_plan_reward (phi x y z) (pL x) (ge x) b0 L0 LH.
- rewrite -[leRHS]mulrA ler_pmul2l ?mulr_gt0 ?ltr0n // /J mulr_sumr; apply: ler_sum => s _.
  rewrite mulrCA ler_wpmul2l //.
  have [_ o1 o2] := lem_overestimation_reward_free_repaired H0 LH b0 hP hpi greedyk eventk s (add0n L).
  exact: le_trans o1 o2.
- have two : 2%:R * H%:R * J (det R gk) rk L <= J (det R gk) (fun h s a => 2%:R * b h s a) L.
    rewrite /J mulr_sumr; apply: ler_sum => s _; rewrite mulrCA ler_wpmul2l // -value_scale.
    apply: value_le => // [x y|x y z]; first exact: det_law.
    rewrite /rk /explore_reward -mulrA ler_pmul2l ?ltr0n // mulrCA divff ?mulr1 ?gt_eqF //.
    by rewrite le_minl lexx.
  have c0 : 0 < 2%:R * H%:R + 1 :> R by rewrite addr_gt0 ?ltr01 ?mulr_gt0 ?ltr0n.
  have le1 : eps * L%:R / ((4%:R * H%:R + 2%:R) * H%:R) <= eps / (4%:R * H%:R + 2%:R).
    have q0 : 0 < 4%:R * H%:R + 2%:R :> R by rewrite addr_gt0 ?mulr_gt0 ?ltr0n.
    rewrite ler_pdivr_mulr ?mulr_gt0 // mulrA mulfVK ?gt_eqF // ler_wpmul2l // ler_nat //.
  rewrite mulrAC mulrC.
  apply: (@le_trans _ _ ((2%:R * H%:R + 1) * (eps / (4%:R * H%:R + 2%:R) + eps / (4%:R * H%:R + 2%:R)))).
    rewrite ler_pmul2l //; apply: le_trans two _; apply: le_trans hoeff _.
    by rewrite ler_add2r; exact: le_trans fin le1.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
  by rewrite gt_eqF // addr_gt0 ?mulr_gt0 ?ltr0n.
Qed.

(* [ineq-plan-loss], whole: xi bounds the summed uncertainty of every policy, that is (2) *)
Theorem ineq_plan_loss (L : nat) (beta xi : R) (w : nat -> 'cV[R]_d) (Lam : nat -> 'M[R]_d)
    (r : nat -> S -> A -> R) (g : nat -> S -> A) (mu : nat -> S -> A -> R) :
  let b := bonus beta Lam in let Q := Qcap r L%:R (linear w) b in
  let V := Vopt r L%:R (linear w) b g L in
  0 < beta -> (forall h s a, is_law (P h s a)) -> is_law rho -> (forall h s, is_law (mu h s)) ->
  (forall h s a, 0 <= r h s a <= 1) -> (forall h s a, Q h s a <= Q h s (g h s)) ->
  (forall h s a, (h < L)%N -> `|linear w h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a) ->
  (forall pi, (forall h s, is_law (pi h s)) ->
     J pi (fun h s a => Num.sqrt (qf (invmx (Lam h)) (phi h s a))) L <= xi) ->
  (exists2 pi : nat -> S -> A -> R, (forall h s, is_law (pi h s)) &
     J mu r L - J (det R g) r L <=
       2%:R * beta * J pi (fun h s a => Num.sqrt (qf (invmx (Lam h)) (phi h s a))) L) /\
  J mu r L - J (det R g) r L <= 2%:R * beta * xi /\
  forall eps, xi <= eps / (2%:R * beta) -> J mu r L - J (det R g) r L <= eps.
Proof.
move=> b Q V b0 hP [rho0 _] hmu hr greedy event hxi.
have hL : L%:R <= L%:R :> R by [].
have le1 : J mu r L - J (det R g) r L <=
    2%:R * beta * J (det R g) (fun h s a => Num.sqrt (qf (invmx (Lam h)) (phi h s a))) L.
  rewrite /J -sumrB -mulrA mulr_sumr mulr_sumr; apply: ler_sum => s _; rewrite -mulrBr.
  have [o1 o2] := optimism hP hmu hr hL greedy event s (add0n L).
  rewrite (mulrCA beta (rho s)) (mulrCA 2%:R (rho s)) ler_wpmul2l // -value_scale.
  by apply: le_trans o2; rewrite ler_add2r.
have le2 : J mu r L - J (det R g) r L <= 2%:R * beta * xi.
  apply: le_trans le1 _; rewrite ler_pmul2l ?mulr_gt0 ?ltr0n //; apply: hxi => h s; exact: det_law.
split; first by exists (det R g) => //; exact: det_law.
split=> // eps; rewrite ler_pdivl_mulr ?mulr_gt0 ?ltr0n // => h.
by apply: le_trans le2 _; rewrite mulrC.
Qed.
End Event.

(* [text-plan-reward] is false: with the same data and beta |phi| = 1, the planner's reward
   for horizon 1 is 1, that of the exploration with H = 2 is 1/2 *)
Theorem text_plan_reward_refuted :
  ~ (forall (x : rat) (L H : nat), 0 <= x -> (0 < L)%N -> (L <= H)%N ->
     Num.min x L%:R / L%:R = Num.min x H%:R / H%:R).
Proof. by move=> /(_ 1 1%N 2%N isT isT isT) /eqP; vm_compute. Qed.

(* control for the lemmas with the factor 2 H + 1: with 2 H it is false, for one state, H = 1,
   where V is 1 and the value of the reward 2/5 is 2/5 *)
Theorem explored_value_control : ~ (forall (est b v : rat), 0 <= b -> `|est| <= b ->
  Num.min (est + Num.min b 1 + b) 1 <= 2%:R * Num.min b 1).
Proof.
move=> /(_ (2%:R / 5%:R) (2%:R / 5%:R) 0) h.
by have /negP := (isT : ~~ (Num.min (2%:R / 5%:R + Num.min (2%:R / 5%:R) 1 + 2%:R / 5%:R) 1 <= 2%:R * Num.min
  (2%:R / 5%:R) 1 :> rat)); apply; apply: h.
Qed.
