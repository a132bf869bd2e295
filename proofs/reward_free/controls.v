(* Near variants of the lemmas on the event that are false: one state, two actions that lead
   nowhere, one layer, the feature 1 or -1, bonus 1/2.  The estimate is 1/2 too high for one
   action and 1/2 too low for the other, which is the whole of the error that the event allows. *)
From derl.common Require Import prelude forms.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism.
From derl.reward_free Require Import planning event.

Lemma sum_bool (R : zmodType) (F : bool -> R) : \sum_a F a = F true + F false.
Proof. exact: big_bool. Qed.

Section Lone.
Variable R : rcfType.
Let u : R := 2%:R^-1.

Lemma uu : u + u = 1. Proof. by rewrite /u; field. Qed.
Lemma u0 : 0 <= u. Proof. by rewrite invr_ge0 ler0n. Qed.
Lemma u_gt0 : 0 < u. Proof. by rewrite invr_gt0 ltr0n. Qed.
Lemma u_le1 : u <= 1. Proof. by rewrite -uu ler_addl u0. Qed.

Lemma form1 (c : R) : qf (invmx 1%:M) (c%:M : 'cV[R]_1) = c ^+ 2.
Proof. by rewrite invmx1 /qf /bil tr_scalar_mx mulmx1 -scalar_mxM mxE eqxx mulr1n. Qed.
Lemma dot1 (a c : R) : ((a%:M : 'cV[R]_1)^T *m (c%:M : 'cV[R]_1)) ord0 ord0 = a * c.
Proof. by rewrite tr_scalar_mx -scalar_mxM mxE eqxx mulr1n. Qed.

(* the lone state follows, whatever is done *)
Definition lone_next (h : nat) (s : unit) (a : bool) (s' : unit) : R := 1.
Definition lone_first (s : unit) : R := 1.
Definition lone_features (h : nat) (s : unit) (a : bool) : 'cV[R]_1 := (if a then 1 else -1)%:M.
Definition lone_reward (h : nat) (s : unit) (a : bool) : R := if a then 0 else 1.
Definition lone_weights (c : R) (h : nat) : 'cV[R]_1 := c%:M.
Definition lone_matrix (h : nat) : 'M[R]_1 := 1%:M.

Lemma lone_law h s a : is_law (lone_next h s a).
Proof. by split=> [o|]; [exact: ler01|rewrite sum_unit]. Qed.
Lemma first_law : is_law lone_first.
Proof. by split=> [o|]; [exact: ler01|rewrite sum_unit]. Qed.
Lemma reward01 h s a : 0 <= lone_reward h s a <= 1.
Proof. by rewrite /lone_reward; case: a; rewrite ?lexx ler01. Qed.
Lemma lone_pd h : pd (lone_matrix h). Proof. exact: pd1. Qed.

Lemma lone_norm h s a : Num.sqrt (qf (invmx (lone_matrix h)) (lone_features h s a)) = 1.
Proof. by rewrite form1 sqrtr_sqr; case: a; rewrite ?normrN normr1. Qed.
Lemma lone_bonus c h s a : bonus lone_features c lone_matrix h s a = c.
Proof. by rewrite /bonus lone_norm mulr1. Qed.
Lemma lone_linear c h s a : linear lone_features (lone_weights c) h s a = if a then c else - c.
Proof. by rewrite /linear dot1; case: a; rewrite ?mulrN mulr1. Qed.

Lemma value1 mu r s : value lone_next mu r 0 1 s = \sum_a mu 0%N s a * r 0%N s a.
Proof. by rewrite /=; apply: eq_bigr => a _; rewrite sum_unit mulr0 addr0. Qed.
Lemma valueg g r s : value lone_next (det R g) r 0 1 s = r 0%N s (g 0%N s).
Proof. by rewrite value1 sum_det. Qed.
Lemma value_const mu r c s : is_law (mu 0%N s) -> (forall a, r 0%N s a = c) ->
  value lone_next mu r 0 1 s = c.
Proof. by move=> [_ m1] e; rewrite value1; under eq_bigr do rewrite e; rewrite -mulr_suml m1 mul1r. Qed.
Lemma J1 mu r : J lone_next lone_first mu r 1 = value lone_next mu r 0 1 tt.
Proof. by rewrite /J sum_unit mul1r. Qed.

Definition bad (h : nat) (s : unit) : bool := true.
Definition good (h : nat) (s : unit) : bool := false.

(* both actions look equally good, and the greedy policy may take the bad one *)
Lemma QE h s a :
  Qcap lone_reward 1%:R (linear lone_features (lone_weights u)) (bonus lone_features u lone_matrix) h s a = 1.
Proof.
rewrite /Qcap lone_linear lone_bonus /lone_reward; case: a.
  by rewrite addr0 uu minxx.
by rewrite addrAC addNr add0r minxx.
Qed.
Lemma lone_event h s a : (h < 1)%N ->
  `|linear lone_features (lone_weights u) h s a - \sum_s' lone_next h s a s' *
    Vopt lone_reward 1%:R (linear lone_features (lone_weights u)) (bonus lone_features u lone_matrix) bad 1 h.+1 s'|
  <= bonus lone_features u lone_matrix h s a.
Proof.
by case: h => // _; rewrite sum_unit mulr0 subr0 lone_linear lone_bonus; case: a; rewrite ?normrN ger0_norm ?u0.
Qed.
Lemma loss1 : J lone_next lone_first (det R good) lone_reward 1 -
  J lone_next lone_first (det R bad) lone_reward 1 = 1.
Proof. by rewrite !J1 !valueg subr0. Qed.
Lemma no19 : ~ (1 <= 19%:R / 10%:R * u).
Proof.
apply/negP; rewrite -ltNge; have -> : 19%:R / 10%:R * u = 19%:R / 20%:R by rewrite /u; field.
by rewrite ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat.
Qed.

(* control for lem-overestimation-repaired: 19/10 in the place of 2 *)
Theorem lem_overestimation_control :
  ~ (forall (S A : finType) (d : nat) (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R)
      (phi : nat -> S -> A -> 'cV[R]_d) (w : nat -> 'cV[R]_d) (Lam : nat -> 'M[R]_d) (beta : R) (H L : nat)
      (g : nat -> S -> A) (mu : nat -> S -> A -> R) (rho : S -> R),
    let est := linear phi w in let b := bonus phi beta Lam in
    let Q := Qcap r H%:R est b in let V := Vopt r H%:R est b g L in
    (L <= H)%N -> is_law rho -> (forall h s a, is_law (P h s a)) -> (forall h s, is_law (mu h s)) ->
    (forall h s a, 0 <= r h s a <= 1) -> (forall h s a, Q h s a <= Q h s (g h s)) ->
    (forall h s a, (h < L)%N -> `|est h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a) ->
    \sum_s rho s * (value P mu r 0 L s - value P (det R g) r 0 L s) <=
      19%:R / 10%:R * (\sum_s rho s * value P (det R g) b 0 L s)).
Proof.
move=> /(_ unit_finType bool_finType 1%N lone_next lone_reward lone_features (lone_weights u) lone_matrix u
  1%N 1%N bad (det R good) lone_first (leqnn 1) first_law lone_law (det_law R good) reward01).
move=> /(_ (fun h s a => _) lone_event) h; apply: no19; move: h; rewrite !sum_unit !mul1r !valueg subr0 lone_bonus.
by apply=> h s a; rewrite !QE.
Qed.

(* control for res-reward-free-gap: 19/10 in the place of 2 *)
Theorem res_reward_free_gap_control :
  ~ (forall (S A : finType) (d : nat) (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d)
      (rho : S -> R) (L : nat) (beta : R) (w : nat -> 'cV[R]_d) (Lam : nat -> 'M[R]_d)
      (r : nat -> S -> A -> R) (g : nat -> S -> A) (mu : nat -> S -> A -> R),
    let b := bonus phi beta Lam in let v h s a := Num.min (b h s a) L%:R in
    let Q := Qcap r L%:R (linear phi w) b in let V := Vopt r L%:R (linear phi w) b g L in
    (0 < L)%N -> (forall h s a, is_law (P h s a)) -> is_law rho -> (forall h s, is_law (mu h s)) ->
    (forall h s a, 0 <= r h s a <= 1) -> (forall h s a, Q h s a <= Q h s (g h s)) ->
    (forall h s a, (h < L)%N -> `|linear phi w h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a) ->
    exists2 pi : nat -> S -> A -> R, (forall h s, is_law (pi h s)) &
      J P rho mu r L - J P rho (det R g) r L <= 19%:R / 10%:R * J P rho pi v L).
Proof.
move=> /(_ unit_finType bool_finType 1%N lone_next lone_features lone_first 1%N u (lone_weights u) lone_matrix
  lone_reward bad (det R good) isT lone_law first_law (det_law R good) reward01).
move=> /(_ (fun h s a => _) lone_event) [h s a|pi hpi]; first by rewrite !QE.
rewrite loss1 J1 (@value_const _ _ u) //; first exact: no19.
by move=> a; rewrite lone_bonus; apply/min_idPl; exact: u_le1.
Qed.

(* control for ineq-plan-loss: 19/10 in the place of 2 *)
Theorem ineq_plan_loss_control :
  ~ (forall (S A : finType) (d : nat) (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d)
      (rho : S -> R) (L : nat) (beta xi : R) (w : nat -> 'cV[R]_d) (Lam : nat -> 'M[R]_d)
      (r : nat -> S -> A -> R) (g : nat -> S -> A) (mu : nat -> S -> A -> R),
    let b := bonus phi beta Lam in let Q := Qcap r L%:R (linear phi w) b in
    let V := Vopt r L%:R (linear phi w) b g L in
    0 < beta -> (forall h s a, is_law (P h s a)) -> is_law rho -> (forall h s, is_law (mu h s)) ->
    (forall h s a, 0 <= r h s a <= 1) -> (forall h s a, Q h s a <= Q h s (g h s)) ->
    (forall h s a, (h < L)%N -> `|linear phi w h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a) ->
    (forall pi, (forall h s, is_law (pi h s)) ->
       J P rho pi (fun h s a => Num.sqrt (qf (invmx (Lam h)) (phi h s a))) L <= xi) ->
    J P rho mu r L - J P rho (det R g) r L <= 19%:R / 10%:R * beta * xi).
Proof.
move=> /(_ unit_finType bool_finType 1%N lone_next lone_features lone_first 1%N u 1 (lone_weights u) lone_matrix
  lone_reward bad (det R good) u_gt0 lone_law first_law (det_law R good) reward01).
move=> /(_ (fun h s a => _) lone_event _) h; have := h _ _; rewrite loss1 mulr1 => {}h; apply/no19/h.
  by move=> x s a; rewrite !QE.
by move=> pi hpi; rewrite J1 (@value_const _ _ 1) // => a; exact: lone_norm.
Qed.

(* in the exploration the rewards come from the bonus, here capped at 1 *)
Lemma explore1 c h s a : c <= 1 -> explore_reward 1 (bonus lone_features c lone_matrix) h s a = c.
Proof. by move=> c1; rewrite /explore_reward lone_bonus divr1; apply/min_idPl. Qed.

(* control for res-reward-free-chain: 9/10 of eps is not enough in the last step *)
Theorem res_reward_free_chain_control :
  ~ (forall (S A : finType) (d : nat) (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d)
      (rho : S -> R) (H L : nat) (beta eps Delta : R) (w w' : nat -> 'cV[R]_d)
      (Lam Lam' : nat -> 'M[R]_d) (r : nat -> S -> A -> R) (g gk : nat -> S -> A) (mu : nat -> S -> A -> R),
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
    Delta <= eps * L%:R / ((4%:R * H%:R + 2%:R) * H%:R) ->
    J P rho (det R gk) (fun h s a => 2%:R * b h s a) L <= Delta + eps / (4%:R * H%:R + 2%:R) -> 0 <= eps ->
    exists2 pi : nat -> S -> A -> R, (forall h s, is_law (pi h s)) &
    [/\ J P rho mu r L - J P rho (det R g) r L <= 2%:R * L%:R * J P rho pi (fun h s a => u' h s a / L%:R) L,
        2%:R * L%:R * J P rho pi (fun h s a => u' h s a / L%:R) L <= 2%:R * H%:R * J P rho pi rk L,
        2%:R * H%:R * J P rho pi rk L <= 2%:R * H%:R * (2%:R * H%:R + 1) * J P rho (det R gk) rk L &
        2%:R * H%:R * (2%:R * H%:R + 1) * J P rho (det R gk) rk L <= 9%:R / 10%:R * eps]).
Proof.
move=> /(_ unit_finType bool_finType 1%N lone_next lone_features lone_first 1%N 1%N u 3%:R u (lone_weights u)
  (lone_weights u) lone_matrix lone_matrix lone_reward bad bad (det R good) isT isT u0 lone_law first_law
  (det_law R good) reward01 lone_pd).
move=> /(_ (fun h => _) (fun h s a => _) (fun h s a => _) lone_event (fun h s a => _)) h.
case: h => [h|h s a|h s a|h s a||||pi _ [_ _ _]].
- by rewrite subrr; exact: psd0.
- by rewrite !QE.
- rewrite /Qcap !lone_linear !lone_bonus !explore1 ?u_le1 //; case: a; first exact: lexx.
  rewrite addNr add0r; apply: (@le_trans _ _ u); first by rewrite le_minl lexx.
  by rewrite le_minr u_le1 -addrA ler_addl uu ler01.
- case: h => // _; rewrite sum_unit mulr0 subr0 lone_linear lone_bonus.
  by case: a; rewrite ?normrN ger0_norm ?u0.
- by rewrite /u le_eqVlt; apply/orP; left; apply/eqP; field.
- by rewrite J1 valueg lone_bonus /u le_eqVlt; apply/orP; left; apply/eqP; field.
- by rewrite ler0n.
- rewrite J1 valueg explore1 ?u_le1 //; apply/negP; rewrite -ltNge.
  have -> : 2%:R * 1%:R * (2%:R * 1%:R + 1) * u = 3%:R by rewrite /u; field.
  by rewrite mulrAC ltr_pdivr_mulr ?ltr0n // -!natrM ltr_nat.
Qed.

(* the exploration with the estimate as high as the event allows: its value is 1 at bonus 2/5 *)
Let b5 : R := 2%:R / 5%:R.
Lemma b5_ge0 : 0 <= b5. Proof. by rewrite divr_ge0 ?ler0n. Qed.
Lemma b5_le1 : b5 <= 1. Proof. by rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat. Qed.
Lemma b5_three : 1 <= b5 + b5 + b5.
Proof.
have -> : b5 + b5 + b5 = 6%:R / 5%:R by rewrite /b5; field.
by rewrite ler_pdivl_mulr ?ltr0n // mul1r ler_nat.
Qed.
Lemma b5_two : ~ (1 <= 2%:R * 1%:R * b5).
Proof.
apply/negP; rewrite -ltNge mulr1 mulrA ltr_pdivr_mulr ?ltr0n // mul1r -natrM ltr_nat //.
Qed.
Lemma b5_Q h s : Qcap (explore_reward 1 (bonus lone_features b5 lone_matrix)) 1%:R
  (linear lone_features (lone_weights b5)) (bonus lone_features b5 lone_matrix) h s true = 1.
Proof. by rewrite /Qcap lone_linear lone_bonus explore1 ?b5_le1 //; apply/min_idPr; exact: b5_three. Qed.
Lemma b5_event h s a : (h < 1)%N ->
  `|linear lone_features (lone_weights b5) h s a - \sum_s' lone_next h s a s' *
    Vopt (explore_reward 1 (bonus lone_features b5 lone_matrix)) 1%:R (linear lone_features (lone_weights b5))
      (bonus lone_features b5 lone_matrix) bad 1 h.+1 s'| <= bonus lone_features b5 lone_matrix h s a.
Proof.
by case: h => // _; rewrite sum_unit mulr0 subr0 lone_linear lone_bonus; case: a; rewrite ?normrN ger0_norm ?b5_ge0.
Qed.

(* control for lem-overestimation-reward-free-repaired: 2 H in the place of 2 H + 1 *)
Theorem lem_overestimation_reward_free_control :
  ~ (forall (S A : finType) (d : nat) (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d)
      (H L : nat) (beta : R) (w : nat -> 'cV[R]_d) (Lam : nat -> 'M[R]_d) (g : nat -> S -> A)
      (mu : nat -> S -> A -> R),
    let b := bonus phi beta Lam in let r := explore_reward H b in
    let Q := Qcap r H%:R (linear phi w) b in let V := Vopt r H%:R (linear phi w) b g L in
    (0 < H)%N -> (L <= H)%N -> 0 <= beta -> (forall h s a, is_law (P h s a)) ->
    (forall h s, is_law (mu h s)) -> (forall h s a, Q h s a <= Q h s (g h s)) ->
    (forall h s a, (h < L)%N -> `|linear phi w h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a) ->
    forall h k s, (h + k)%N = L ->
      [/\ 0 <= value P mu r h k s, value P mu r h k s <= V h s &
          V h s <= 2%:R * H%:R * value P (det R g) r h k s]).
Proof.
move=> /(_ unit_finType bool_finType 1%N lone_next lone_features 1%N 1%N b5 (lone_weights b5) lone_matrix bad
  (det R good) isT isT b5_ge0 lone_law (det_law R good)).
move=> /(_ (fun h s a => _) b5_event 0%N 1%N tt erefl) [h s a|_ _].
  by rewrite b5_Q /Qcap le_minl lexx orbT.
by rewrite valueg explore1 ?b5_le1 // /Vopt /= b5_Q; exact: b5_two.
Qed.

(* control for ineq-explored-value: 2 H in the place of 2 H + 1 *)
Theorem ineq_explored_value_control :
  ~ (forall (S A : finType) (d : nat) (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d)
      (rho : S -> R) (H L : nat) (beta : R) (w : nat -> 'cV[R]_d) (Lam : nat -> 'M[R]_d) (g : nat -> S -> A)
      (v : nat -> S -> A -> R),
    let b := bonus phi beta Lam in let r := explore_reward H b in
    let V := Vopt r H%:R (linear phi w) v g L in
    (v = b \/ v = fun h s a => Num.min (b h s a) H%:R) ->
    (0 < H)%N -> (L <= H)%N -> 0 <= beta -> (forall h s a, is_law (P h s a)) -> is_law rho ->
    (forall h s a, (h < L)%N -> `|linear phi w h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a) ->
    \sum_s rho s * V 0%N s <= 2%:R * H%:R * J P rho (det R g) r L).
Proof.
move=> /(_ unit_finType bool_finType 1%N lone_next lone_features lone_first 1%N 1%N b5 (lone_weights b5)
  lone_matrix bad _ (or_introl erefl) isT isT b5_ge0 lone_law first_law b5_event).
by rewrite sum_unit mul1r J1 valueg explore1 ?b5_le1 // /Vopt /= b5_Q; exact: b5_two.
Qed.
End Lone.

(* control for res-plan-reward: without the factors h and H the reward of the planner is not at most that of the
   exploration; one feature of length 1, the same data, beta = 1, L = 1 and H = 2 *)
Theorem res_plan_reward_control (R : rcfType) : ~ (forall (d : nat) (Lam Lam' : 'M[R]_d) (x : 'cV[R]_d) (beta : R)
  (L H : nat), pd Lam -> psd (Lam' - Lam) -> 0 <= beta -> (0 < L)%N -> (L <= H)%N ->
  Num.min (beta * Num.sqrt (qf (invmx Lam') x)) L%:R / L%:R <= Num.min (beta * Num.sqrt (qf (invmx Lam) x)) H%:R
  / H%:R).
Proof.
move=> h; have p0 : psd (1%:M - 1%:M : 'M[R]_1) by rewrite subrr; exact: psd0.
have := h 1%N 1%:M 1%:M 1%:M 1 1%N 2%N (pd1 _ _) p0 ler01 isT isT.
rewrite invmx1 /qf /bil trmx1 !mulmx1 mxE eqxx sqrtr1 mulr1 minxx divr1.
have -> : Num.min 1 2%:R = 1 :> R by apply/min_idPl; rewrite ler1n.
by rewrite mul1r invf_ge1 ?ltr0n // lern1.
Qed.
