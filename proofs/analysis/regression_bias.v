(* The error of the regressions of Algorithms 5 and 6, with values in [0, 1], on the event of the analysis. *)
From derl.common Require Import real_prelude forms reals.
From derl.reward_free Require Import violation.
From derl.analysis Require Import logarithms.

Section Event.
Variables (S : finType) (d N : nat) (phi : 'I_N -> 'cV[R]_d) (s : 'I_N -> S) (mu : S -> 'cV[R]_d) (V : S -> R).
(* the norm of the noise sum_n phi^n (V(s^n) - P V) in the inverse of Sigma = I + sum_n phi^n phi^nT *)
Definition noise_norm : R := Num.sqrt (qf (invmx (1%:M + \sum_n outer (phi n))) (noise phi s mu V)).
(* the norm of a feature in the inverse of Sigma *)
Definition width (x : 'cV[R]_d) : R := Num.sqrt (qf (invmx (1%:M + \sum_n outer (phi n))) x).
(* beta' of (26), with its constant 24 *)
Definition beta_prime (H eps delta : R) : R :=
  (24 * d%:R * sqrt (ln (d%:R * H * N%:R / (eps * delta))))%coqR.
(* what the noise is at most on the event, with its constant 12 *)
Definition event_bound (H eps delta : R) : R :=
  (12 * d%:R * sqrt (ln (d%:R * H * N%:R * beta_prime H eps delta / (eps * delta))))%coqR.

(* [res-regression-bias], whole *)
Theorem res_regression_bias_whole (x : 'cV[R]_d) (H eps delta : R) :
  (0 < d)%N -> (0 < N)%N -> (1 <= H)%coqR -> (0 < delta <= 1)%coqR -> (0 < eps)%coqR ->
  (eps <= / N%:R)%coqR -> (eps <= / (4 * d%:R))%coqR ->
  (forall s, 0 <= V s <= 1) ->
  (forall v : S -> R, (forall s, `|v s| <= 1) -> qf 1%:M (\sum_s v s *: mu s) <= d%:R) ->
  let error := `|((weights phi s V)^T *m x) ord0 ord0 - next mu V x| in
  error <= (noise_norm + Num.sqrt d%:R) * width x /\
  (noise_norm <= event_bound H eps delta -> error <= beta_prime H eps delta * width x).
Proof.
move=> d0 N0 H1 hdelta e0 eN ed hV hmu error.
have first : error <= (noise_norm + Num.sqrt d%:R) * width x by exact: res_regression_bias.
split=> // event; apply: le_trans first _; rewrite ler_wpmul2r ?sqrtr_ge0 //.
have one n : (0 < n)%N -> (1 <= n%:R)%coqR by move=> n0; apply/RleP; rewrite ler1n.
have := @eq_beta_prime d%:R H N%:R eps delta (one _ d0) H1 (one _ N0) hdelta e0 eN ed.
move/RleP; apply: le_trans; rewrite -RplusE ler_add //.
by rewrite RsqrtE ?ler0n.
Qed.
End Event.

(* control: 99/100 of sqrt d is not enough, even without noise; one sample with the feature 0, d = 1, V = 1 *)
Theorem res_regression_bias_whole_control :
  ~ (forall (S : finType) (d N : nat) (phi : 'I_N -> 'cV[R]_d) (s : 'I_N -> S) (mu : S -> 'cV[R]_d) (V : S -> R)
      (x : 'cV[R]_d),
    (0 < d)%N -> (0 < N)%N -> (forall s, 0 <= V s <= 1) ->
    (forall v : S -> R, (forall s, `|v s| <= 1) -> qf 1%:M (\sum_s v s *: mu s) <= d%:R) ->
    `|((weights phi s V)^T *m x) ord0 ord0 - next mu V x| <=
    (noise_norm phi s mu V + 99%:R / 100%:R * Num.sqrt d%:R) * width phi x).
Proof.
pose phi (n : 'I_1) : 'cV[R]_1 := 0; pose mu (s : unit) : 'cV[R]_1 := const_mx 1; pose x : 'cV[R]_1 := const_mx 1.
move=> /(_ [finType of unit] 1%N 1%N phi (fun _ => tt) mu (fun _ => 1) x isT isT).
have S1 : 1%:M + \sum_n outer (phi n) = 1%:M by rewrite big_ord1 /phi /outer mul0mx addr0.
have W : weights phi (fun _ => tt) (fun _ : unit => 1) = 0.
  by rewrite /weights [X in _ *m X]big1 ?mulmx0 // => n _; rewrite scaler0.
have G : noise phi (fun _ => tt) mu (fun _ : unit => 1) = 0.
  by rewrite /noise big1 // => n _; rewrite scaler0.
have Px : next mu (fun _ : unit => 1) x = 1 by rewrite /next sum_unit mxE big_ord1 !mxE !mulr1.
have nx : width phi x = 1 by rewrite /width S1 invmx1 qfE big_ord1 mxE expr1n sqrtr1.
have nG : noise_norm phi (fun _ => tt) mu (fun _ : unit => 1) = 0.
  by rewrite /noise_norm S1 G invmx1 qfE big_ord1 mxE expr0n sqrtr0.
rewrite W Px nx nG trmx0 mul0mx mxE sub0r normrN1 sqrtr1 add0r !mulr1 => h.
have : 1 <= 99%:R / 100%:R :> R.
  apply: h => [s|v hv]; first by rewrite ler01 lexx.
  rewrite qfE big_ord1 (big_pred1 tt) => [|[] //]; rewrite !mxE mulr1 -[leRHS](expr1n _ 2).
  by rewrite -(ger0_norm (sqr_ge0 (v tt))) normrX ler_sqr ?nnegrE ?ler01.
by rewrite ler_pdivl_mulr ?ltr0n // mul1r ler_nat.
Qed.
