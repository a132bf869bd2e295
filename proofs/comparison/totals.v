(* The totals of Table 1, and the algebra of the comparison with other methods. *)
From Coq Require Import Reals Lra Psatz.
From derl.common Require Import reals limits.
From derl.layerwise Require Import sizes.
Local Open Scope R_scope.

(* [text-regret-forms], whole: K episodes of H steps, T = K H *)
Theorem text_regret_forms d H K T : T = K * H ->
  sqrt (d ^ 3 * H ^ 4 * K) = sqrt (d ^ 3 * H ^ 3 * T).
Proof. intros ->; f_equal; ring. Qed.

Theorem text_regret_forms_control : ~ (forall d H K T, 0 < d -> 0 < H -> 0 < K -> T = K * H ->
  sqrt (d ^ 3 * H ^ 4 * K) = sqrt (d ^ 3 * H ^ 4 * T)).
Proof.
intros h; assert (e := h 1 2 1 2 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)).
apply sqrt_inj in e; lra.
Qed.

(* [text-pac-samples], whole: the gap 3 c iota sqrt (d^3 H^4 / K) of a policy drawn from
   K episodes is at most eps for K = 9 c^2 iota^2 d^3 H^4 / eps^2; in fact equal *)
Theorem text_pac_samples c iota d H eps K :
  0 < c -> 0 < iota -> 0 < d -> 0 < H -> 0 < eps ->
  K = 9 * c ^ 2 * iota ^ 2 * d ^ 3 * H ^ 4 / eps ^ 2 ->
  3 * c * iota * sqrt (d ^ 3 * H ^ 4 / K) = eps.
Proof.
intros c0 i0 d0 H0 e0 ->.
replace (d ^ 3 * H ^ 4 / (9 * c ^ 2 * iota ^ 2 * d ^ 3 * H ^ 4 / eps ^ 2)) with
  (Rsqr (eps / (3 * c * iota))) by (unfold Rsqr; field; lra).
assert (k : 0 < 3 * c * iota) by (repeat apply Rmult_lt_0_compat; lra).
rewrite sqrt_Rsqr; [field; lra|left; apply Rdiv_lt_0_compat; lra].
Qed.

Theorem text_pac_samples_control : ~ (forall c iota d H eps K,
  0 < c -> 0 < iota -> 0 < d -> 0 < H -> 0 < eps ->
  K = 8 * c ^ 2 * iota ^ 2 * d ^ 3 * H ^ 4 / eps ^ 2 ->
  3 * c * iota * sqrt (d ^ 3 * H ^ 4 / K) <= eps).
Proof.
intros h; assert (e := h 1 1 1 1 1 8 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)).
replace (1 ^ 3 * 1 ^ 4 / 8) with (/ 8) in e by field.
assert (s : / 3 < sqrt (/ 8)).
  rewrite <- (sqrt_square (/ 3)) by lra; apply sqrt_lt_1; lra.
lra.
Qed.

(* [text-policy-switches], whole: log K is between 2 and 4 times log (d H / eps) *)
Theorem text_policy_switches d H eps : 1 <= d -> 1 <= H -> 0 < eps <= 1 ->
  let K := d ^ 3 * H ^ 4 / eps ^ 2 in
  2 * (d * H * ln (d * H / eps)) <= d * H * ln K <= 4 * (d * H * ln (d * H / eps)).
Proof.
intros d1 H1 [e0 e1] K.
assert (KE : ln K = 3 * ln d + 4 * ln H - 2 * ln eps).
  rewrite <- (ln_exp (3 * ln d + 4 * ln H - 2 * ln eps)); f_equal; unfold K, Rdiv.
  rewrite <- (Rpower_nat d 3 3), <- (Rpower_nat H 4 4), <- (Rpower_nat eps 2 2);
    try lra; try (simpl; ring).
  rewrite Rpower_div; unfold Rpower; rewrite <- !exp_plus; f_equal; ring.
assert (E : ln (d * H / eps) = ln d + ln H - ln eps).
  unfold Rdiv; rewrite !ln_mult, ln_Rinv; try lra; try nra; apply Rinv_0_lt_compat; exact e0.
rewrite KE, E; pose proof (ln_ge0 d d1); pose proof (ln_ge0 H H1).
assert (ln eps <= 0) by (rewrite <- ln_1; apply ln_mono; lra).
assert (p : 0 < d * H) by nra.
split; [replace (2 * (d * H * (ln d + ln H - ln eps))) with (d * H * (2 * (ln d + ln H - ln eps))) by ring
  |replace (4 * (d * H * (ln d + ln H - ln eps))) with (d * H * (4 * (ln d + ln H - ln eps))) by ring];
  apply Rmult_le_compat_l; lra.
Qed.

Theorem text_policy_switches_control : ~ (forall d H eps, 1 <= d -> 1 <= H -> 0 < eps <= 1 ->
  d * H * ln (d ^ 3 * H ^ 4 / eps ^ 2) <= 3 * (d * H * ln (d * H / eps))).
Proof.
intros h; assert (e := h 1 2 1 ltac:(lra) ltac:(lra) ltac:(lra)).
replace (1 ^ 3 * 2 ^ 4 / 1 ^ 2) with (2 ^ 4) in e by field.
replace (1 * 2 / 1) with 2 in e by field.
rewrite <- (Rpower_nat 2 4 4) in e; try lra; [|simpl; ring].
unfold Rpower in e; rewrite ln_exp in e; pose proof ln_lt_2; lra.
Qed.

(* [tab-row-layerwise], whole: d H times the limit of the printed size *)
Theorem tab_row_layerwise cst d H eps L : 0 < d -> 0 < H -> 0 < eps -> 0 < L ->
  at_infinity (fun c => d * H * printed_size 4 cst c d H eps L)
    (cst * (d ^ 4 * H ^ 5 / eps ^ 2) * L ^ 2).
Proof.
intros d0 H0 e0 L0; destruct (text_exponents cst d H eps L) as [_ [_ l]]; try assumption.
apply limit_scale with (k := d * H) in l.
replace (cst * (d ^ 4 * H ^ 5 / eps ^ 2) * L ^ 2) with
  (d * H * (cst * (H ^ 4 * d ^ 3 / eps ^ 2 * L ^ 2))) by (field; lra); exact l.
Qed.

Theorem tab_row_layerwise_control : ~ (forall cst d H eps L, 0 < cst -> 0 < d -> 0 < H -> 0 < eps ->
  0 < L -> at_infinity (fun c => d * H * printed_size 4 cst c d H eps L)
    (cst * (d ^ 4 * H ^ 4 / eps ^ 2) * L ^ 2)).
Proof.
intros h; pose proof (limit_unique _ _ _ (tab_row_layerwise 1 1 2 1 1 ltac:(lra) ltac:(lra) ltac:(lra)
  ltac:(lra)) (h 1 1 2 1 1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra))); lra.
Qed.

(* [tab-row-reward-free], whole *)
Theorem tab_row_reward_free cst d H eps L : 0 < d -> 0 < H -> 0 < eps -> 0 < L ->
  at_infinity (fun c => d * H * printed_size 6 cst c d H eps L)
    (cst * (d ^ 4 * H ^ 7 / eps ^ 2) * L ^ 2).
Proof.
intros d0 H0 e0 L0; pose proof (size_limit 6 cst d H eps L d0 H0 e0 L0) as l.
apply limit_scale with (k := d * H) in l; unfold limit_size in l.
rewrite (Rpower_nat H 6) in l; [|exact H0|simpl; lra].
replace (cst * (d ^ 4 * H ^ 7 / eps ^ 2) * L ^ 2) with
  (d * H * (cst * (H ^ 6 * d ^ 3 / eps ^ 2 * L ^ 2))) by (field; lra); exact l.
Qed.

Theorem tab_row_reward_free_control : ~ (forall cst d H eps L, 0 < cst -> 0 < d -> 0 < H -> 0 < eps ->
  0 < L -> at_infinity (fun c => d * H * printed_size 6 cst c d H eps L)
    (cst * (d ^ 4 * H ^ 6 / eps ^ 2) * L ^ 2)).
Proof.
intros h; pose proof (limit_unique _ _ _ (tab_row_reward_free 1 1 2 1 1 ltac:(lra) ltac:(lra) ltac:(lra)
  ltac:(lra)) (h 1 1 2 1 1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra))); lra.
Qed.

(* the size that Theorem E.9 prints for Algorithm 2 *)
Definition arbitrary_size (cst d H eps nu L : R) : R :=
  cst * (H ^ 4 * d ^ 3 / (eps ^ 2 * nu ^ 2) + H ^ 2 * d ^ 7 / nu ^ 14) * L ^ 2.

(* [res-table-rows], whole *)
Theorem res_table_rows cst d H eps nu L :
  0 < d -> 0 < H -> 0 < eps -> 0 < nu -> 0 < L ->
  at_infinity (fun c => d * H * printed_size 4 cst c d H eps L)
    (cst * (d ^ 4 * H ^ 5 / eps ^ 2) * L ^ 2) /\
  at_infinity (fun c => d * H * printed_size 6 cst c d H eps L)
    (cst * (d ^ 4 * H ^ 7 / eps ^ 2) * L ^ 2) /\
  H * arbitrary_size cst d H eps nu L =
    cst * (d ^ 3 * H ^ 5 / (eps ^ 2 * nu ^ 2) + d ^ 7 * H ^ 3 / nu ^ 14) * L ^ 2.
Proof.
intros d0 H0 e0 n0 L0; split; [apply tab_row_layerwise; assumption|split].
  apply tab_row_reward_free; assumption.
unfold arbitrary_size; field; lra.
Qed.

(* [tab-row-arbitrary] is false: with N of Theorem E.9 and K = H the printed total is N, and
   K N is larger for every H > 1 *)
Theorem tab_row_arbitrary_refuted cst d H eps nu L :
  0 < cst -> 0 < d -> 1 < H -> 0 < eps -> 0 < nu -> 0 < L ->
  H * arbitrary_size cst d H eps nu L <>
    cst * (d ^ 3 * H ^ 4 / (eps ^ 2 * nu ^ 2) + d ^ 7 * H ^ 2 / nu ^ 14) * L ^ 2.
Proof.
intros k0 d0 H1 e0 n0 L0 h.
assert (N0 : 0 < arbitrary_size cst d H eps nu L).
  assert (s : 0 < H ^ 4 * d ^ 3 / (eps ^ 2 * nu ^ 2) + H ^ 2 * d ^ 7 / nu ^ 14).
    apply Rplus_lt_0_compat; apply Rdiv_lt_0_compat; repeat apply Rmult_lt_0_compat;
      try apply pow_lt; lra.
  unfold arbitrary_size; apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; assumption|].
  apply pow_lt; exact L0.
replace (cst * (d ^ 3 * H ^ 4 / (eps ^ 2 * nu ^ 2) + d ^ 7 * H ^ 2 / nu ^ 14) * L ^ 2) with
  (1 * arbitrary_size cst d H eps nu L) in h by (unfold arbitrary_size; field; lra).
nra.
Qed.

Lemma Rpower_c_ge1 c : 1 < c -> 1 <= Rpower c (/ (c - 1)).
Proof. intros h; apply Rpower_ge1; [lra|left; apply Rinv_0_lt_compat; lra]. Qed.

(* [res-asymptotic], whole: at a fixed trade-off c_K > 1, with K at most c_K d H + 1 *)
Theorem res_asymptotic cst c d H eps L K : 0 < cst -> 1 < c -> 1 <= d -> 1 <= H -> 0 < eps ->
  0 < L -> 0 <= K <= c * d * H + 1 ->
  K * printed_size 4 cst c d H eps L <= 2 * cst * Rpower c (/ (c - 1)) * Rpower L (2 * c / (c - 1)) *
    (c * Rpower d (1 + 3 * c / (c - 1)) * Rpower H (1 + (4 * c + 1) / (c - 1)) *
     Rpower eps (- (2 * c / (c - 1)))).
Proof.
intros k0 c1 d1 H1 e0 L0 [K0 K1].
rewrite size_exponents by exact c1; rewrite Rpower_Ropp, !Rpower_plus, !Rpower_1 by lra.
set (a := Rpower c _); set (b := Rpower H _); set (e := Rpower d _); set (f := Rpower eps _).
set (g := Rpower L _).
assert (f0 : 0 < f) by apply exp_pos.
assert (p : 0 < cst * a * (b * e / f) * g).
  unfold Rdiv, a, b, e, g; repeat apply Rmult_lt_0_compat; try apply Rinv_0_lt_compat;
    try apply exp_pos; assumption.
apply Rle_trans with (2 * (c * d * H) * (cst * a * (b * e / f) * g)); [|right; field; lra].
apply Rmult_le_compat_r; [lra|].
assert (1 <= d * H) by nra; assert (1 <= c * (d * H)) by nra; lra.
Qed.

(* control: at d = 1 the power of H cannot be one less *)
Theorem res_asymptotic_control c : 1 < c -> ~ (exists C, forall H, 1 <= H ->
  (c * H + 1) * printed_size 4 1 c 1 H 1 1 <= C * Rpower H ((4 * c + 1) / (c - 1))).
Proof.
intros c1 [C h]; pose proof (Rle_abs C) as C0; pose proof (Rabs_pos C) as C1.
set (H := Rabs C + 1).
assert (hH : 1 <= H) by (unfold H; lra).
specialize (h H hH); rewrite size_exponents, !Rpower_one_l in h by exact c1.
pose proof (Rpower_c_ge1 c c1) as g; set (a := Rpower c _) in *.
set (b := Rpower H _) in *; assert (b0 : 0 < b) by apply exp_pos.
replace ((c * H + 1) * (1 * a * (b * 1 / 1) * 1)) with ((c * H + 1) * a * b) in h by field.
apply Rmult_le_reg_r in h; [|exact b0].
assert (C < H) by (unfold H; lra); assert (H <= c * H) by nra.
assert (c * H + 1 <= (c * H + 1) * a) by nra; lra.
Qed.

(* [text-asymptotic] is false: K N has no limit for a large trade-off *)
Theorem text_asymptotic_refuted cst d H eps L : 0 < cst -> 0 < d -> 0 < H -> 0 < eps -> 0 < L ->
  to_infinity (fun c => (c * d * H + 1) * printed_size 4 cst c d H eps L) /\
  ~ (exists l, at_infinity (fun c => (c * d * H + 1) * printed_size 4 cst c d H eps L) l).
Proof.
intros k0 d0 H0 e0 L0.
assert (T : to_infinity (fun c => (c * d * H + 1) * printed_size 4 cst c d H eps L)).
  intros M; destruct (text_exponents cst d H eps L) as [_ [_ l]]; try assumption.
  set (l0 := cst * _) in l.
  assert (lp : 0 < l0).
    unfold l0, Rdiv; repeat apply Rmult_lt_0_compat; try apply Rinv_0_lt_compat; try apply pow_lt; lra.
  destruct (l (l0 / 2) ltac:(lra)) as [c0 hc].
  assert (p : 0 < d * H * l0) by (apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; assumption|exact lp]).
  exists (Rmax c0 (2 * Rabs M / (d * H * l0))); intros c hcc.
  pose proof (Rmax_l c0 (2 * Rabs M / (d * H * l0))); pose proof (Rmax_r c0 (2 * Rabs M / (d * H * l0))).
  assert (s := hc c ltac:(lra)); apply Rabs_def2 in s; destruct s as [_ s].
  set (N := printed_size 4 cst c d H eps L) in *; assert (N2 : l0 / 2 < N) by lra.
  assert (cp : 2 * Rabs M < c * (d * H * l0)).
    apply Rmult_lt_reg_r with (/ (d * H * l0)); [apply Rinv_0_lt_compat; exact p|].
    rewrite (Rmult_assoc c), Rinv_r, Rmult_1_r by lra; unfold Rdiv in *; lra.
  pose proof (Rle_abs M); pose proof (Rabs_pos M).
  assert (dH : 0 < d * H) by (apply Rmult_lt_0_compat; assumption).
  assert (c00 : 0 < c) by nra.
  apply Rle_lt_trans with (1 := Rle_abs M).
  apply Rlt_trans with (c * (d * H) * (l0 / 2)); [lra|].
  assert (q : 0 < c * (d * H)) by (apply Rmult_lt_0_compat; assumption).
  replace (c * d * H) with (c * (d * H)) by ring; nra.
split; [exact T|intros [l hl]].
destruct (hl 1 Rlt_0_1) as [a ha]; destruct (T (l + 1)) as [b hb].
set (c := Rmax a b + 1); pose proof (Rmax_l a b); pose proof (Rmax_r a b).
assert (h1 := ha c ltac:(unfold c; lra)); assert (h2 := hb c ltac:(unfold c; lra)).
apply Rabs_def2 in h1; lra.
Qed.

(* [res-optimal-epsilon], whole: with c_K = 2 + log (1/eps); K is at most c_K d H + 1 *)
Theorem res_optimal_epsilon d H eps : 0 < eps <= 1 -> 1 <= d -> 1 <= H ->
  let c := 2 + ln (1 / eps) in
  Rpower eps (- (2 * c / (c - 1))) <= exp 2 * (1 / eps ^ 2) /\
  c * d * H + 1 <= 3 * (d * H * (1 + ln (1 / eps))).
Proof.
intros [e0 e1] d1 H1 c; set (l := ln (1 / eps)) in *.
assert (lE : l = - ln eps) by (unfold l, Rdiv; rewrite Rmult_1_l, ln_Rinv by exact e0; ring).
assert (l0 : 0 <= l) by (assert (ln eps <= 0) by (rewrite <- ln_1; apply ln_mono; lra); lra).
split.
- unfold Rdiv at 2; rewrite Rmult_1_l, <- (Rpower_nat eps 2 2) by (simpl; lra).
  rewrite Rpower_div; unfold Rpower; rewrite <- exp_plus; apply exp_le.
  replace (ln eps) with (- l) by lra; unfold c.
  replace (- (2 * (2 + l) / (2 + l - 1)) * - l) with (2 * l + 2 * (l / (1 + l))) by (field; lra).
  assert (l / (1 + l) <= 1); [|lra].
  apply Rmult_le_reg_r with (1 + l); [lra|]; replace (l / (1 + l) * (1 + l)) with l by (field; lra); lra.
- assert (dH : 1 <= d * H) by nra; unfold c.
  replace ((2 + l) * d * H) with ((2 + l) * (d * H)) by ring; nra.
Qed.

Theorem res_optimal_epsilon_control : ~ (forall eps, 0 < eps <= 1 -> let c := 2 + ln (1 / eps) in
  Rpower eps (- (2 * c / (c - 1))) <= exp 1 * (1 / eps ^ 2)).
Proof.
intros h; specialize (h (exp (-2))).
assert (e0 : 0 < exp (-2)) by apply exp_pos.
assert (e1 : exp (-2) <= 1) by (rewrite <- exp_0; apply exp_le; lra).
specialize (h (conj e0 e1)); cbv zeta in h; revert h; apply Rlt_not_le.
assert (lE : ln (1 / exp (-2)) = 2) by (unfold Rdiv; rewrite Rmult_1_l, ln_Rinv, ln_exp by exact e0; ring).
rewrite lE; unfold Rdiv at 1; rewrite Rmult_1_l, <- (Rpower_nat _ 2 2) by (simpl; lra).
rewrite Rpower_div; unfold Rpower; rewrite ln_exp, <- exp_plus; apply exp_increasing; lra.
Qed.

(* [text-optimal-epsilon] is false: at a fixed trade-off N eps^2 exceeds every bound *)
Theorem text_optimal_epsilon_refuted cst c d H delta :
  0 < cst -> 1 < c -> 1 <= d -> 1 <= H -> 0 < delta <= 1 ->
  forall C, exists eps, 0 < eps <= 1 /\
    C < printed_size 4 cst c d H eps (ln (H * d / (delta * eps))) * eps ^ 2.
Proof.
intros k0 c1 d1 H1 [t0' t1'] C.
set (t := (Rabs C / cst + 1) * (c - 1) / 2 + 1).
assert (q : 0 <= Rabs C / cst) by (apply Rmult_le_pos; [apply Rabs_pos|left; apply Rinv_0_lt_compat; exact k0]).
assert (t1 : 1 <= t) by (unfold t, Rdiv in *; nra).
exists (exp (- t)); assert (e0 : 0 < exp (- t)) by apply exp_pos.
split; [split; [exact e0|rewrite <- exp_0; apply exp_le; lra]|].
assert (L1 : 1 <= ln (H * d / (delta * exp (- t)))).
  apply Rle_trans with (1 := t1); rewrite <- (ln_exp t) at 1; apply ln_mono; [apply exp_pos|].
  apply Rmult_le_reg_r with (delta * exp (- t)); [apply Rmult_lt_0_compat; lra|].
  replace (exp t * (delta * exp (- t))) with (delta * (exp t * exp (- t))) by ring.
  rewrite <- exp_plus, Rplus_opp_r, exp_0; unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l; [nra|apply Rgt_not_eq, Rmult_lt_0_compat; lra].
set (L := ln _) in *.
rewrite size_exponents by exact c1.
set (x := (4 * c + 1) / (c - 1)); set (y := 3 * c / (c - 1)); set (z := 2 * c / (c - 1)).
assert (i0 : 0 < / (c - 1)) by (apply Rinv_0_lt_compat; lra).
assert (x0 : 0 <= x) by (unfold x, Rdiv; nra); assert (y0 : 0 <= y) by (unfold y, Rdiv; nra).
assert (z0 : 0 <= z) by (unfold z, Rdiv; nra).
pose proof (Rpower_ge1 H x H1 x0); pose proof (Rpower_ge1 d y d1 y0).
pose proof (Rpower_ge1 L z L1 z0); pose proof (Rpower_c_ge1 c c1).
assert (E : / Rpower (exp (- t)) z * exp (- t) ^ 2 = exp (2 * t / (c - 1))).
  rewrite <- (Rpower_nat (exp (- t)) 2 2) by (trivial; simpl; lra).
  rewrite Rpower_div; unfold Rpower; rewrite ln_exp, <- exp_plus; f_equal; unfold z; field; lra.
assert (big : Rabs C / cst + 1 < exp (2 * t / (c - 1))).
  apply Rlt_le_trans with (exp (Rabs C / cst + 1)).
    pose proof (exp_ineq1 (Rabs C / cst + 1) ltac:(lra)); lra.
  apply exp_le; replace (2 * t / (c - 1)) with (Rabs C / cst + 1 + 2 * / (c - 1)) by
    (unfold t; field; lra).
  assert (0 < / (c - 1)) by (apply Rinv_0_lt_compat; lra); lra.
apply Rle_lt_trans with (1 := Rle_abs C).
set (P := Rpower c _) in *; set (Q := Rpower H x) in *; set (S := Rpower d y) in *; set (T := Rpower L z) in *.
replace (cst * P * (Q * S / Rpower (exp (- t)) z) * T * exp (- t) ^ 2) with
  (cst * (P * Q * S * T) * (/ Rpower (exp (- t)) z * exp (- t) ^ 2)) by (unfold Rdiv; ring).
rewrite E; assert (one : 1 <= P * Q * S * T).
  assert (1 <= P * Q) by nra; assert (1 <= P * Q * S) by nra; nra.
apply Rlt_le_trans with (cst * exp (2 * t / (c - 1))).
  apply Rlt_trans with (cst * (Rabs C / cst + 1)).
    replace (cst * (Rabs C / cst + 1)) with (Rabs C + cst) by (field; lra); lra.
  apply Rmult_lt_compat_l; assumption.
set (X := exp _); assert (X0 : 0 < cst * X) by (apply Rmult_lt_0_compat; [exact k0|apply exp_pos]).
replace (cst * (P * Q * S * T) * X) with (P * Q * S * T * (cst * X)) by ring.
rewrite <- (Rmult_1_l (cst * X)) at 1; apply Rmult_le_compat_r; lra.
Qed.

(* [text-implicit-reachability], whole: eps <= nu / sqrt d *)
Theorem text_implicit_reachability d nu eps : 0 < d -> 0 < nu -> 0 < eps ->
  eps <= nu / sqrt d -> d / nu ^ 2 <= 1 / eps ^ 2.
Proof.
intros d0 n0 e0 h; assert (s0 : 0 < sqrt d) by (apply sqrt_lt_R0; exact d0).
assert (ss : sqrt d * sqrt d = d) by (apply sqrt_sqrt; lra).
assert (k : eps * sqrt d <= nu).
  apply Rmult_le_reg_r with (/ sqrt d); [apply Rinv_0_lt_compat; exact s0|].
  rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra; exact h.
assert (m : eps ^ 2 * d <= nu ^ 2) .
  replace (eps ^ 2 * d) with ((eps * sqrt d) ^ 2) by (rewrite <- ss at 2; ring).
  apply pow_incr; split; [left; apply Rmult_lt_0_compat; assumption|exact k].
apply Rmult_le_reg_r with (eps ^ 2 * nu ^ 2); [apply Rmult_lt_0_compat; apply pow_lt; assumption|].
replace (d / nu ^ 2 * (eps ^ 2 * nu ^ 2)) with (eps ^ 2 * d) by (field; lra).
replace (1 / eps ^ 2 * (eps ^ 2 * nu ^ 2)) with (nu ^ 2) by (field; lra); exact m.
Qed.

Theorem text_implicit_reachability_control : ~ (forall d nu eps, 0 < d -> 0 < nu -> 0 < eps ->
  eps <= nu / sqrt d -> d ^ 2 / nu ^ 2 <= 1 / eps ^ 2).
Proof.
intros h; specialize (h 4 2 1 ltac:(lra) ltac:(lra) ltac:(lra)).
replace (sqrt 4) with 2 in h by (symmetry; replace 4 with (2 * 2) by lra; apply sqrt_square; lra).
assert (k := h ltac:(lra)); lra.
Qed.
