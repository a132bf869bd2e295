(* The error of policy evaluation in Algorithm 6 with clipped values, whole: the bound, and data that meet it. *)
From derl.common Require Import prelude forms.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism.
From derl.reward_free Require Import event violation.
From derl.analysis Require Import evaluation.

Section Noisy.
Variable R : rcfType.
(* two layers, two states, one action, d = 1: the feature is 1 in the first layer, in the second 1 in the high state
   (true) and 0 in the low one *)
Definition noisy_phi (h : nat) (s : bool) (a : unit) : 'cV[R]_1 := const_mx (if h == 0%N then 1 else s%:R).
(* the high state has probability 3/49 *)
Definition noisy_P (h : nat) (s : bool) (a : unit) (s' : bool) : R := if s' then 3%:R / 49%:R else 46%:R / 49%:R.
Definition noisy_mu (s' : bool) : 'cV[R]_1 := const_mx (noisy_P 0 true tt s').
Definition noisy_rho (s : bool) : R := s%:R.
Definition noisy_pi (h : nat) (s : bool) (a : unit) : R := 1.
(* of 48 samples 46 come to the high state *)
Definition noisy_next (n : 'I_48) : bool := (n < 46)%N.
Definition noisy_Sig (h : nat) : 'M[R]_1 := 1%:M + \sum_(n < 48) outer (noisy_phi 0 true tt).
(* the reward of Algorithm 6 for the only entry, the regression, and the values of Algorithm 6 *)
Definition noisy_reward := entry_reward noisy_phi 1 ord0 ord0.
Definition noisy_w (h : nat) : 'cV[R]_1 :=
  weights (fun _ : 'I_48 => noisy_phi 0 true tt) noisy_next (fun s => noisy_reward s tt).
Definition noisy_V (h : nat) (s : bool) : R := if h == 0%N then clip (linear noisy_phi noisy_w 0 s tt) else noisy_reward
  s tt.

Lemma scalar (x : R) : const_mx x = x%:M :> 'M_1.
Proof. by apply/matrixP => i j; rewrite !ord1 !mxE eqxx mulr1n. Qed.
Lemma outer_const (x : R) : outer (const_mx x : 'cV[R]_1) = (x ^+ 2)%:M.
Proof. by rewrite /outer scalar tr_scalar_mx -scalar_mxM expr2. Qed.
Lemma Sig_is h : noisy_Sig h = 49%:R%:M.
Proof.
rewrite /noisy_Sig /noisy_phi /= outer_const expr1n sumr_const card_ord.
by apply/matrixP => i j; rewrite !ord1 mxE mulmxnE !mxE eqxx !mulr1n -mulrS.
Qed.
Lemma width_is s : width noisy_phi noisy_Sig 0 s tt = 7%:R^-1.
Proof.
rewrite /width Sig_is invmx_scalar /qf /bil /noisy_phi /= scalar tr_scalar_mx -!scalar_mxM !mxE eqxx mulr1n mul1r mulr1.
have -> : 49%:R^-1 = (7%:R^-1) ^+ 2 :> R by rewrite exprVn -natrX.
by rewrite sqrtr_sqr ger0_norm // invr_ge0 ler0n.
Qed.
Lemma reward_is s : noisy_reward s tt = if s then 1 else 2%:R^-1.
Proof. by rewrite /noisy_reward /entry_reward !mxE /=; case: s; rewrite /= ?mulr1 ?mulr0; field. Qed.
Lemma linear_is s : linear noisy_phi noisy_w 0 s tt = 47%:R / 49%:R.
Proof.
rewrite /linear /noisy_w /weights -/(noisy_Sig 0) Sig_is invmx_scalar.
rewrite -scaler_suml /noisy_phi /= scalar scale_scalar_mx mulr1 -scalar_mxM tr_scalar_mx -scalar_mxM !mxE eqxx mulr1n
  mulr1.
have -> : \sum_(n < 48) noisy_reward (noisy_next n) tt = 47%:R.
  rewrite (eq_bigr (fun n : 'I_48 => if (n < 46)%N then 1 else 2%:R^-1)) => [|n _]; last by rewrite reward_is.
  rewrite -(big_mkord xpredT (fun n => if (n < 46)%N then 1 else 2%:R^-1)) (@big_cat_nat _ _ _ 46) //.
  rewrite (@eq_big_nat _ _ _ 0 46 _ (fun=> 1)) => [|n /andP[_ low]]; last by rewrite low.
  rewrite (@eq_big_nat _ _ _ 46 48 _ (fun=> 2%:R^-1)) => [|n /andP[low _]]; last by rewrite ltnNge low.
  transitivity (46%:R + 2%:R * 2%:R^-1 : R); last by field.
  by rewrite !sumr_const_nat [2%:R * _]mulr_natl.
by rewrite mulrC.
Qed.
Lemma next_is s : \sum_s' noisy_P 0 s tt s' * noisy_V 1 s' = 26%:R / 49%:R.
Proof. by rewrite big_bool /= /noisy_V /= !reward_is /noisy_P; field. Qed.
Lemma noisy_laws : (forall h s a, is_law (noisy_P h s a)) /\ is_law noisy_rho /\ forall h s, is_law (noisy_pi h s).
Proof.
split; [|split] => [h s a||h s]; split=> [x|].
- by rewrite /noisy_P; case: x; rewrite divr_ge0 ?ler0n.
- by rewrite big_bool /= /noisy_P; field.
- exact: ler0n.
- by rewrite big_bool /= addr0.
- exact: ler01.
by rewrite (big_pred1 tt) // => -[].
Qed.
Lemma noisy_evaluated : evaluated noisy_pi (linear noisy_phi noisy_w) noisy_reward 1 noisy_V.
Proof.
split=> [[|//] s _|s]; rewrite (big_pred1 tt) ?mul1r // => -[] //.
Qed.
Lemma noisy_event h s a : (h < 1)%N ->
  `|linear noisy_phi noisy_w h s a - \sum_s' noisy_P h s a s' * noisy_V h.+1 s'| <=
  bonus noisy_phi 3%:R noisy_Sig h s a.
Proof.
case: h => // _; case: a; rewrite linear_is next_is /bonus -/(width noisy_phi noisy_Sig 0 s tt) width_is.
rewrite ger0_norm ?subr_ge0 ?ler_pmul2r ?invr_gt0 ?ltr0n ?ler_nat // le_eqVlt; apply/orP; left; apply/eqP.
by field.
Qed.
Lemma noisy_error : `|TJ noisy_P noisy_rho noisy_pi noisy_reward 1 - \sum_s noisy_rho s * noisy_V 0 s| = 3%:R / 7%:R.
Proof.
have -> : TJ noisy_P noisy_rho noisy_pi noisy_reward 1 = 26%:R / 49%:R.
  rewrite /TJ big_bool /= !sum_unit !big_bool /= !sum_unit !reward_is /noisy_rho /noisy_pi /noisy_P /=; by field.
have -> : \sum_s noisy_rho s * noisy_V 0 s = 47%:R / 49%:R.
  rewrite big_bool /noisy_rho /= mul0r addr0 mul1r /noisy_V /= linear_is /clip max_l ?min_l //.
    by rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
  by rewrite divr_ge0 ?ler0n.
rewrite ler0_norm; first by field.
by rewrite subr_le0 ler_pmul2r ?invr_gt0 ?ltr0n // ler_nat.
Qed.
Lemma noisy_uncertainty : J noisy_P noisy_rho noisy_pi (width noisy_phi noisy_Sig) 1 = 7%:R^-1.
Proof.
rewrite /J big_bool /= !sum_unit !big_bool /= !width_is /noisy_rho /noisy_pi /=.
by field.
Qed.
End Noisy.

(* data which meet the bound: a linear layer, ridge regression on its transitions, values clipped to [0, 1] *)
Definition met (R : rcfType) : Prop := exists (N : nat) (P : nat -> bool -> unit -> bool -> R)
    (phi : nat -> bool -> unit -> 'cV[R]_1) (m : bool -> 'cV[R]_1) (rho : bool -> R) (mu : nat -> bool -> unit -> R)
    (next : 'I_N -> bool) (s : 'I_N -> bool) (beta : R) (Vh : nat -> bool -> R),
  let Rw := entry_reward phi 1 ord0 ord0 in
  let Sig := fun _ : nat => 1%:M + \sum_n outer (phi 0%N (s n) tt) in
  let w := fun _ : nat => weights (fun n => phi 0%N (s n) tt) next (Vh 1%N) in
  [/\ (forall h s a, is_law (P h s a)) /\ is_law rho /\ (forall h s, is_law (mu h s)),
      (forall h s a, qf 1%:M (phi h s a) <= 1) /\
      (forall s a s', P 0%N s a s' = ((m s')^T *m phi 0%N s a) ord0 ord0),
      1 <= beta /\ evaluated mu (linear phi w) Rw 1 Vh,
      forall h s a, (h < 1)%N ->
        `|linear phi w h s a - \sum_s' P h s a s' * Vh h.+1 s'| <= bonus phi beta Sig h s a &
      0 < J P rho mu (width phi Sig) 1 /\
      `|TJ P rho mu Rw 1 - \sum_s rho s * Vh 0%N s| = beta * J P rho mu (width phi Sig) 1].

Lemma noisy_met (R : rcfType) : met R.
Proof.
exists 48%N, (@noisy_P R), (@noisy_phi R), (@noisy_mu R), (@noisy_rho R), (@noisy_pi R), noisy_next, (fun _ => true),
  3%:R, (@noisy_V R) => Rw Sig w.
have Ve : noisy_V R 1 = (fun s => noisy_reward R s tt) by [].
have [hP [hrho hmu]] := noisy_laws R; split=> //.
- split=> [h s a|s a s'].
    rewrite /noisy_phi qfE big_ord1 mxE; case: ifP => _; first by rewrite expr1n.
    by case: s; rewrite ?expr1n ?expr0n ?lexx ?ler01.
  by rewrite /noisy_mu /noisy_phi /= !scalar tr_scalar_mx -scalar_mxM mxE eqxx mulr1n mulr1.
- by split; [rewrite ler1n|exact: noisy_evaluated].
- exact: noisy_event.
rewrite noisy_uncertainty noisy_error; split=> //.
by rewrite invr_gt0 ltr0n.
Qed.

(* [res-policy-evaluation], whole: L = h - 1 layers lie before the one that carries the reward *)
Theorem res_policy_evaluation_whole (R : rcfType) :
  (forall (S A : finType) (d : nat) (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d) (rho : S -> R)
      (L : nat) (beta : R) (w : nat -> 'cV[R]_d) (Sig : nat -> 'M[R]_d) (Rw : S -> A -> R) (mu : nat -> S -> A -> R)
      (Vh : nat -> S -> R),
    (forall h s a, is_law (P h s a)) -> is_law rho -> (forall h s, is_law (mu h s)) ->
    0 <= beta -> (forall s a, 0 <= Rw s a <= 1) -> evaluated mu (linear phi w) Rw L Vh ->
    (forall h s a, (h < L)%N ->
      `|linear phi w h s a - \sum_s' P h s a s' * Vh h.+1 s'| <= bonus phi beta Sig h s a) ->
    `|TJ P rho mu Rw L - \sum_s rho s * Vh 0%N s| <= beta * J P rho mu (width phi Sig) L /\
    (forall (H : nat) xi, J P rho mu (width phi Sig) L <= L%:R / H%:R * xi ->
      beta * J P rho mu (width phi Sig) L <= beta * xi * (L%:R / H%:R))) /\
  met R.
Proof.
split; last exact: noisy_met.
move=> S A d P phi rho L beta w Sig Rw mu Vh hP hrho hmu b0 hR hV event; split=> [|H xi h]; last first.
  by rewrite -mulrA ler_wpmul2l // [xi * _]mulrC.
have [key _] := res_policy_evaluation hP hrho hmu b0 hR hV event.
rewrite /TJ -sumrB; apply: le_trans (ler_norm_sum _ _ _) _.
rewrite /J mulr_sumr; apply: ler_sum => s _; rewrite -mulrBr normrM ger0_norm ?(proj1 hrho) // mulrCA.
by rewrite ler_wpmul2l ?(proj1 hrho) //; apply: key.
Qed.

(* control: 99/100 of the bound is not one *)
Theorem res_policy_evaluation_control (R : rcfType) :
  ~ (forall (S A : finType) (d : nat) (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d) (rho : S -> R)
      (L : nat) (beta : R) (w : nat -> 'cV[R]_d) (Sig : nat -> 'M[R]_d) (Rw : S -> A -> R) (mu : nat -> S -> A -> R)
      (Vh : nat -> S -> R),
    (forall h s a, is_law (P h s a)) -> is_law rho -> (forall h s, is_law (mu h s)) ->
    0 <= beta -> (forall s a, 0 <= Rw s a <= 1) -> evaluated mu (linear phi w) Rw L Vh ->
    (forall h s a, (h < L)%N ->
      `|linear phi w h s a - \sum_s' P h s a s' * Vh h.+1 s'| <= bonus phi beta Sig h s a) ->
    `|TJ P rho mu Rw L - \sum_s rho s * Vh 0%N s| <= 99%:R / 100%:R * (beta * J P rho mu (width phi Sig) L)).
Proof.
have [hP [hrho hmu]] := noisy_laws R.
have b0 : 0 <= 3%:R :> R by rewrite ler0n.
have hR s a : 0 <= noisy_reward R s a <= 1.
  by case: a; rewrite reward_is; case: s; rewrite ?ler01 ?lexx // invr_ge0 ler0n invf_le1 ?ltr0n // ler1n.
move/(_ _ _ _ _ _ _ 1%N _ _ _ _ _ _ hP hrho hmu b0 hR (noisy_evaluated R) (@noisy_event R)).
rewrite noisy_error noisy_uncertainty ler_pmull ?mulr_gt0 ?invr_gt0 ?ltr0n //.
by rewrite ler_pdivl_mulr ?ltr0n // mul1r ler_nat.
Qed.
