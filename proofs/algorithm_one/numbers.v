(* The printed number of trajectories is enough for the conditions of the proof. *)
From Coq Require Import Reals Lra Psatz.
From derl.common Require Import reals.
From derl.layerwise Require Import sizes.
From derl.analysis Require Import logarithms.
Local Open Scope R_scope.

(* from T >= 2 k (g + 2 ln (4 k)) to T >= k (g + 2 ln T) *)
Lemma tangent_solve k g T : 0 < k -> 0 < T -> 2 * k * (g + 2 * ln (4 * k)) <= T -> k * (g + 2 * ln T) <= T.
Proof.
intros k0 T0 h; pose proof (ln_tangent T (4 * k) ltac:(lra) T0) as t.
assert (e : k * (2 * ln T) <= k * (2 * (ln (4 * k) + T / (4 * k) - 1))) by (apply Rmult_le_compat_l; lra).
replace (k * (2 * (ln (4 * k) + T / (4 * k) - 1))) with (2 * k * ln (4 * k) + T / 2 - 2 * k) in e by (field; lra).
lra.
Qed.

Lemma two_power c : 2 <= c -> c <= Rpower 2 c.
Proof. intros c2; pose proof (bernoulli_real 2 c ltac:(lra) ltac:(lra)); lra. Qed.

(* ln of a power of two *)
Lemma ln_two_pow n x : 0 < x -> x <= 2 ^ n -> ln x <= INR n.
Proof.
intros x0 h; apply Rle_trans with (ln (2 ^ n)); [apply ln_mono; assumption|].
rewrite <- Rpower_pow by lra; unfold Rpower; rewrite ln_exp.
pose proof (ln_le 2 ltac:(lra)); pose proof (pos_INR n); nra.
Qed.

Lemma ln_sq x : 0 < x -> ln (x ^ 2) = 2 * ln x.
Proof. intros x0; replace (x ^ 2) with (x * x) by ring; rewrite ln_mult by exact x0; ring. Qed.

Definition size_constant : R := 10 ^ 20.

Section Sizes.
Variables d H N eps delta : R.
Hypothesis d1 : 1 <= d.
Hypothesis H1 : 1 <= H.
Hypothesis dH : 2 <= d * H.
Hypothesis e0 : 0 < eps.
Hypothesis e1 : eps <= 1.
Hypothesis t0 : 0 < delta.
Hypothesis t1 : delta < 1.
Hypothesis N1 : 1 <= N.
Let L := ln (H * d / (delta * eps)).
Let W := H * d / (delta * eps).
Let z := d * H ^ 2 / eps.
Let ell := ln (2 * d * H * N / delta).
Let g := ln (2 * d * H / delta).

Lemma product_small : 0 < delta * eps <= 1. Proof. nra. Qed.
Lemma W2 : 2 <= W.
Proof.
pose proof product_small; unfold W; apply Rmult_le_reg_r with (delta * eps); [lra|].
replace (H * d / (delta * eps) * (delta * eps)) with (d * H) by (field; lra); lra.
Qed.
Lemma L_half : / 2 <= L.
Proof.
pose proof W2; apply Rle_trans with (ln 2); [left; exact ln_lt_2|]; unfold L; apply ln_mono; [lra|exact W2].
Qed.
Lemma z1 : 1 <= z.
Proof.
unfold z; apply Rmult_le_reg_r with eps; [exact e0|].
replace (d * H ^ 2 / eps * eps) with (d * H ^ 2) by (field; lra); assert (1 <= H ^ 2) by nra; nra.
Qed.
Lemma ln_z : ln z <= 2 * L.
Proof.
pose proof W2; pose proof z1; pose proof product_small.
replace (2 * L) with (ln (W * W)) by (rewrite ln_mult by lra; unfold L, W; ring).
apply ln_mono; [lra|]; unfold z, W.
replace (H * d / (delta * eps) * (H * d / (delta * eps))) with (d * H ^ 2 / eps * (d / (delta * (delta * eps))))
  by (field; lra).
rewrite <- (Rmult_1_r (d * H ^ 2 / eps)) at 1; apply Rmult_le_compat_l; [unfold z in *; lra|].
apply Rmult_le_reg_r with (delta * (delta * eps)); [nra|].
replace (d / (delta * (delta * eps)) * (delta * (delta * eps))) with d by (field; lra); nra.
Qed.
Lemma g_small : g <= 2 * L.
Proof.
pose proof W2; pose proof L_half; pose proof product_small.
apply Rle_trans with (ln (W * W)); [|rewrite ln_mult by lra; unfold L, W; lra].
assert (q : 0 < 2 * d * H / delta) by (apply Rdiv_lt_0_compat; [lra|lra]).
apply ln_mono; [exact q|].
apply Rle_trans with (2 * W); [|nra].
unfold W; replace (2 * (H * d / (delta * eps))) with (2 * d * H / delta * / eps) by (field; lra).
rewrite <- (Rmult_1_r (2 * d * H / delta)) at 1; apply Rmult_le_compat_l; [lra|].
rewrite <- Rinv_1; apply Rinv_le_contravar; lra.
Qed.
Lemma ell_split : ell = g + ln N.
Proof.
unfold ell, g; rewrite <- ln_mult; [f_equal; field; lra|apply Rdiv_lt_0_compat; lra|lra].
Qed.
Lemma ell1 : 1 <= ell.
Proof.
assert (b : 4 <= 2 * d * H * N / delta).
  apply Rmult_le_reg_r with delta; [exact t0|].
  replace (2 * d * H * N / delta * delta) with (2 * (d * H) * N) by (field; lra).
  assert (4 <= 2 * (d * H) * N) by nra; lra.
apply Rle_trans with (ln 4); [|apply ln_mono; lra].
replace 4 with (2 * 2) by ring; rewrite ln_mult by lra; pose proof ln_lt_2; lra.
Qed.

(* what the printed size says: N^(1 - 1/c) >= 10^10 z^2 d L^2 *)
Lemma printed_power c : 2 <= c -> printed_size 4 size_constant c d H eps L <= N ->
  10 ^ 10 * (z ^ 2 * d * L ^ 2) <= Rpower N ((c - 1) / c).
Proof.
intros c2 h; pose proof L_half as L2; pose proof z1.
set (Y := z ^ 2 * d * L ^ 2).
assert (z20 : 0 < z ^ 2) by (apply pow_lt; lra); assert (L20 : 0 < L ^ 2) by (apply pow_lt; lra).
assert (Y0 : 0 < Y) by (unfold Y; apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|exact L20]).
assert (lY : ln Y = 4 * ln H + 3 * ln d - 2 * ln eps + 2 * ln L).
  assert (lz : ln z = ln d + 2 * ln H - ln eps).
    unfold z, Rdiv; rewrite ln_mult, ln_mult, ln_Rinv, ln_sq; try lra.
      apply pow_lt; lra.
    apply Rmult_lt_0_compat; [lra|apply pow_lt; lra].
    apply Rinv_0_lt_compat; lra.
  unfold Y; rewrite ln_mult, ln_mult, !ln_sq, lz; try lra; try (apply Rmult_lt_0_compat; lra).
rewrite size_exp in h by lra.
set (E := ln c + (4 * c + 1) * ln H + 3 * c * ln d - 2 * c * ln eps + 2 * c * ln L) in h.
assert (EE : E = ln c + ln H + c * ln Y) by (unfold E; rewrite lY; ring).
assert (c0 : 0 < size_constant) by (unfold size_constant; apply pow_lt; lra).
assert (lN : ln size_constant + / (c - 1) * E <= ln N).
  apply Rle_trans with (ln (size_constant * exp (/ (c - 1) * E))).
    rewrite ln_mult, ln_exp; [lra|exact c0|apply exp_pos].
  apply ln_mono; [apply Rmult_lt_0_compat; [exact c0|apply exp_pos]|exact h].
assert (p0 : 0 < 10 ^ 10) by (apply pow_lt; lra).
assert (lc : ln size_constant = 2 * ln (10 ^ 10)).
  unfold size_constant; replace (10 ^ 20) with (10 ^ 10 * 10 ^ 10) by ring; rewrite ln_mult by exact p0; ring.
assert (q0 : 0 <= ln (10 ^ 10)) by (apply ln_ge0; lra).
unfold Rpower; rewrite <- (exp_ln (10 ^ 10 * Y)) by (apply Rmult_lt_0_compat; assumption).
apply exp_le; rewrite ln_mult by assumption.
assert (lc0 : 0 <= ln c) by (apply ln_ge0; lra).
assert (lH0 : 0 <= ln H) by (apply ln_ge0; lra).
assert (gm : (c - 1) / c * (ln size_constant + / (c - 1) * E) <= (c - 1) / c * ln N).
  apply Rmult_le_compat_l; [apply Rlt_le, Rdiv_lt_0_compat; lra|exact lN].
apply Rle_trans with (2 := gm); rewrite EE, lc.
replace ((c - 1) / c * (2 * ln (10 ^ 10) + / (c - 1) * (ln c + ln H + c * ln Y))) with
  ((c - 1) / c * 2 * ln (10 ^ 10) + / c * (ln c + ln H) + ln Y) by (field; lra).
assert (i0 : 0 < / c) by (apply Rinv_0_lt_compat; lra).
assert (0 <= / c * (ln c + ln H)) by (apply Rmult_le_pos; lra).
assert (1 <= (c - 1) / c * 2).
  apply Rmult_le_reg_r with c; [lra|]; replace ((c - 1) / c * 2 * c) with (2 * (c - 1)) by (field; lra); lra.
assert (1 * ln (10 ^ 10) <= (c - 1) / c * 2 * ln (10 ^ 10)) by (apply Rmult_le_compat_r; assumption); lra.
Qed.

(* both conditions *)
Theorem printed_enough c : 2 <= c -> printed_size 4 size_constant c d H eps L <= N ->
  (208 * z * ell) ^ 2 <= N /\ 2 * (10816 * z ^ 2 * ell) <= Rpower N ((c - 1) / c).
Proof.
intros c2 h; pose proof (printed_power c c2 h) as big; pose proof L_half as L2; pose proof z1 as z1'.
pose proof ln_z as lz; pose proof g_small as gs; pose proof ell_split as es.
set (T := Rpower N ((c - 1) / c)) in *.
assert (T0 : 0 < T) by apply exp_pos.
assert (lN0 : 0 <= ln N) by (apply ln_ge0; exact N1).
assert (ga : / 2 <= (c - 1) / c <= 1).
  split; apply Rmult_le_reg_r with c; try lra;
    replace ((c - 1) / c * c) with (c - 1) by (field; lra); lra.
assert (lT : ln T = (c - 1) / c * ln N) by (unfold T, Rpower; apply ln_exp).
assert (zL : z ^ 2 * L ^ 2 <= z ^ 2 * d * L ^ 2).
  assert (0 <= z ^ 2 * L ^ 2) by (apply Rmult_le_pos; apply pow2_ge_0).
  replace (z ^ 2 * d * L ^ 2) with (d * (z ^ 2 * L ^ 2)) by ring; nra.
assert (TL : 10 ^ 10 * (z ^ 2 * L ^ 2) <= T).
  apply Rle_trans with (2 := big); apply Rmult_le_compat_l; [lra|exact zL].
assert (TN : T <= N).
  rewrite <- (exp_ln N) by lra; rewrite <- (exp_ln T) by exact T0; apply exp_le; rewrite lT; nra.
split.
- assert (sN : 100000 * (z * L) <= sqrt N).
    rewrite <- (sqrt_pow2 (100000 * (z * L))) by nra; apply sqrt_le_1_alt.
    apply Rle_trans with (2 := TN); apply Rle_trans with (2 := TL).
    right; ring.
  assert (s0 : 0 < sqrt N) by (apply sqrt_lt_R0; lra).
  assert (ls : 2 * ln (sqrt N) = ln N).
    rewrite <- (sqrt_sqrt N) at 2 by lra; rewrite ln_mult by exact s0; ring.
  assert (k : 208 * z * (g + 2 * ln (sqrt N)) <= sqrt N).
    apply tangent_solve; [lra|exact s0|].
    assert (l4 : ln (4 * (208 * z)) <= 10 + 2 * L).
      replace (4 * (208 * z)) with (832 * z) by ring; rewrite ln_mult by lra.
      pose proof (ln_two_pow 10 832 ltac:(lra) ltac:(simpl; lra)) as l; simpl in l; lra.
    apply Rle_trans with (2 := sN).
    apply Rle_trans with (2 * (208 * z) * (46 * L)).
      apply Rmult_le_compat_l; lra.
    assert (0 <= z * L) by (apply Rmult_le_pos; lra); lra.
  rewrite ls, <- es in k; pose proof ell1.
  rewrite <- (sqrt_sqrt N) by lra.
  replace ((208 * z * ell) ^ 2) with ((208 * z * ell) * (208 * z * ell)) by ring.
  assert (0 <= 208 * z * ell) by (apply Rmult_le_pos; lra).
  apply Rmult_le_compat; lra.
- assert (Z1 : 1 <= z ^ 2) by (rewrite <- (pow1 2); apply pow_incr; lra).
  assert (k : 2 * 10816 * z ^ 2 * (g + 2 * ln T) <= T).
    apply tangent_solve; [lra|exact T0|].
    assert (l8 : ln (4 * (2 * 10816 * z ^ 2)) <= 17 + 4 * L).
      replace (4 * (2 * 10816 * z ^ 2)) with (86528 * (z * z)) by ring; rewrite !ln_mult by lra.
      pose proof (ln_two_pow 17 86528 ltac:(lra) ltac:(simpl; lra)) as l; simpl in l; lra.
    apply Rle_trans with (2 := TL).
    apply Rle_trans with (2 * (2 * 10816 * z ^ 2) * (78 * L)).
      apply Rmult_le_compat_l; lra.
    assert (L * / 2 <= L ^ 2) by (simpl; rewrite Rmult_1_r; apply Rmult_le_compat_l; lra).
    replace (2 * (2 * 10816 * z ^ 2) * (78 * L)) with (3374592 * (z ^ 2 * L)) by ring.
    assert (z ^ 2 * (L * / 2) <= z ^ 2 * L ^ 2) by (apply Rmult_le_compat_l; lra).
    assert (0 <= z ^ 2 * L) by (apply Rmult_le_pos; lra).
    lra.
  apply Rle_trans with (2 := k); rewrite es.
  assert (/ 2 * ln N <= ln T) by (rewrite lT; apply Rmult_le_compat_r; lra).
  replace (2 * (10816 * z ^ 2 * (g + ln N))) with (2 * 10816 * z ^ 2 * (g + ln N)) by ring.
  apply Rmult_le_compat_l; lra.
Qed.
End Sizes.

(* the condition of the sharp potential lemma *)
Lemma potential_condition c l N : 1 < c -> 0 < l -> 0 < N -> c / Rpower l c <= Rpower N (c - 1) ->
  Rpower (c / Rpower l c) (/ (c - 1)) <= N.
Proof.
intros c1 l0 N0 h.
apply Rle_trans with (Rpower (Rpower N (c - 1)) (/ (c - 1))).
  apply Rpower_mono; [|exact h|left; apply Rinv_0_lt_compat; lra].
  apply Rdiv_lt_0_compat; [lra|apply exp_pos].
rewrite Rpower_mult, Rinv_r, Rpower_1 by lra; lra.
Qed.

Lemma Rpower_inv l c : 0 < l -> / Rpower l c = Rpower (/ l) c.
Proof. intros l0; unfold Rpower; rewrite <- exp_Ropp, ln_Rinv by exact l0; f_equal; ring. Qed.

Theorem condition_small c l N : 2 <= c -> 0 < l -> 0 < N -> 2 * / l <= Rpower N ((c - 1) / c) ->
  Rpower (c / Rpower l c) (/ (c - 1)) <= N.
Proof.
intros c2 l0 N0 h; apply potential_condition; try lra.
assert (i0 : 0 < / l) by (apply Rinv_0_lt_compat; exact l0).
replace (c - 1) with ((c - 1) / c * c) by (field; lra); rewrite <- Rpower_mult.
apply Rle_trans with (Rpower (2 * / l) c); [|apply Rpower_mono; lra].
rewrite <- Rpower_mult_distr by lra; unfold Rdiv; rewrite Rpower_inv by exact l0.
apply Rmult_le_compat_r; [left; apply exp_pos|exact (two_power c c2)].
Qed.

Theorem condition_large l N : 0 < l -> 1 <= N -> 4 <= N * l ->
  Rpower ((N + 4) / Rpower l (N + 4)) (/ (N + 4 - 1)) <= N.
Proof.
intros l0 N1 h; apply potential_condition; try lra.
assert (i0 : 0 < / l) by (apply Rinv_0_lt_compat; exact l0).
set (c := N + 4).
assert (lo : 4 * / l <= N).
  apply Rmult_le_reg_r with l; [exact l0|]; rewrite Rmult_assoc, Rinv_l by lra; lra.
assert (e : Rpower N c = Rpower N (c - 1) * N).
  rewrite <- (Rpower_1 N) at 3 by lra; rewrite <- Rpower_plus; f_equal; ring.
apply Rmult_le_reg_r with N; [lra|]; rewrite <- e.
apply Rle_trans with (Rpower (4 * / l) c); [|apply Rpower_mono; unfold c; lra].
replace (4 * / l) with (2 * (2 * / l)) by ring.
rewrite <- Rpower_mult_distr, <- (Rpower_mult_distr 2 (/ l)) by lra.
unfold Rdiv; rewrite Rpower_inv by exact l0.
pose proof (two_power c ltac:(unfold c; lra)) as p.
assert (q : 0 < Rpower (/ l) c) by apply exp_pos.
assert (N <= c) by (unfold c; lra).
replace (c * Rpower (/ l) c * N) with (c * N * Rpower (/ l) c) by ring.
rewrite <- Rmult_assoc; apply Rmult_le_compat_r; [lra|].
apply Rmult_le_compat; lra.
Qed.

(* the conditions of the proof, for beta = 26 d H sqrt (log (2 d H N / delta)) and the level l of a violation *)
Theorem conditions d H N eps delta c l beta :
  1 <= d -> 1 <= H -> 2 <= d * H -> 0 < eps -> eps <= 1 -> 0 < delta -> delta < 1 -> 1 <= N -> 2 <= c ->
  printed_size 4 size_constant c d H eps (ln (H * d / (delta * eps))) <= N ->
  let ell := ln (2 * d * H * N / delta) in
  beta * beta = 676 * (d * d) * (H * H) * ell ->
  l * (16 * (H * H) * (beta * beta)) = eps * eps ->
  4 * ell <= N * l /\ Rpower (c / Rpower l c) (/ (c - 1)) <= N /\
  Rpower ((N + 4) / Rpower l (N + 4)) (/ (N + 4 - 1)) <= N /\ l * d <= 1 /\ 0 < l.
Proof.
intros d1 H1 dH e0 e1 t0 t1 N1 c2 h ell hb hl.
destruct (printed_enough d H N eps delta d1 H1 dH e0 e1 t0 t1 N1 c c2 h) as [p1 p2].
assert (l1 : 1 <= ln (2 * d * H * N / delta)) by (apply ell1; assumption).
assert (z1' : 1 <= d * H ^ 2 / eps) by (apply z1 with delta; assumption).
fold ell in p1, p2, l1; set (z := d * H ^ 2 / eps) in *.
assert (zE : z * eps = d * (H * H)) by (unfold z; field; lra).
assert (L1 : l * (10816 * (z * z) * ell) = 1).
  apply Rmult_eq_reg_r with (eps * eps); [|nra].
  replace (l * (10816 * (z * z) * ell) * (eps * eps)) with (l * (10816 * ((z * eps) * (z * eps)) * ell)) by ring.
  rewrite zE, Rmult_1_l, <- hl, hb; ring.
assert (q0 : 0 < 10816 * (z * z) * ell) by nra.
assert (l0 : 0 < l) by nra.
assert (il : / l = 10816 * (z * z) * ell).
  apply Rmult_eq_reg_l with l; [|lra]; rewrite Rinv_r by lra; lra.
assert (big : 4 * ell <= N * l).
  apply Rle_trans with ((208 * z * ell) ^ 2 * l); [|apply Rmult_le_compat_r; lra].
  replace ((208 * z * ell) ^ 2 * l) with (4 * ell * (l * (10816 * (z * z) * ell))) by ring.
  rewrite L1; lra.
split; [exact big|split; [|split; [|split; [|exact l0]]]].
- apply condition_small; try lra; rewrite il; replace (z * z) with (z ^ 2) by ring; exact p2.
- apply condition_large; lra.
- assert (d <= 10816 * (z * z) * ell).
    assert (d <= z).
      unfold z; apply Rmult_le_reg_r with eps; [exact e0|].
      replace (d * H ^ 2 / eps * eps) with (d * (H * H)) by (field; lra); nra.
    nra.
  rewrite <- L1; apply Rmult_le_compat_l; lra.
Qed.

(* the number M of marks of the grid *)
Lemma marks d H N delta K X beta : 1 <= d -> 1 <= H -> 2 <= d * H -> 0 < delta -> delta < 1 -> 1 <= N ->
  0 <= K -> K <= 6 * N * d * H -> X * delta = 2 * d * H * N ->
  beta * beta = 676 * (d * d) * (H * H) * ln X ->
  4 <= X /\ 16 * (d * d) * ((K * N) * (K * N)) * H <= X ^ 8 /\ beta * beta <= X ^ 8 /\
  (forall M, 0 <= M -> M <= X ^ 8 + 1 -> 2 * (M * M) + 1 <= X ^ 18).
Proof.
intros d1 H1 dH t0 t1 N1 K0 hK hX hb; set (p := d * H * N) in *.
assert (p2 : 2 <= p) by (unfold p; nra).
assert (XE : X = 2 * p / delta) by (unfold p; apply Rmult_eq_reg_r with delta; [rewrite hX; field; lra|lra]).
assert (X2p : 2 * p <= X).
  rewrite XE; apply Rmult_le_reg_r with delta; [exact t0|].
  replace (2 * p / delta * delta) with (2 * p) by (field; lra); nra.
assert (X4 : 4 <= X) by lra.
assert (Xn : forall n, 4 ^ n <= X ^ n) by (intros n; apply pow_incr; lra).
assert (P : forall n, 0 < X ^ n) by (intros n; apply pow_lt; lra).
assert (mul : forall m n a, 0 <= a -> a <= 4 ^ m -> a * X ^ n <= X ^ (m + n)).
  intros m n a a0 am; rewrite pow_add; apply Rmult_le_compat_r; [left; apply P|].
  apply Rle_trans with (1 := am); apply Xn.
split; [exact X4|split; [|split]].
- assert (k : d * (K * N) <= 6 * (p * p)).
    apply Rle_trans with (d * ((6 * N * d * H) * N)).
      apply Rmult_le_compat_l; [lra|]; apply Rmult_le_compat_r; lra.
    replace (d * (6 * N * d * H * N)) with (6 * (d * N) * (d * H * N)) by ring; fold p.
    assert (d * N <= p) by (unfold p; replace (d * H * N) with (d * N * H) by ring; nra).
    assert (0 <= p) by lra; nra.
  assert (k0 : 0 <= d * (K * N)) by (repeat apply Rmult_le_pos; lra).
  assert (Hp : H <= p) by (unfold p; nra).
  apply Rle_trans with (16 * ((6 * (p * p)) * (6 * (p * p))) * p).
    replace (16 * (d * d) * (K * N * (K * N)) * H) with (16 * ((d * (K * N)) * (d * (K * N))) * H) by ring.
    apply Rmult_le_compat; [nra|lra| |exact Hp].
    apply Rmult_le_compat_l; [lra|]; apply Rmult_le_compat; lra.
  replace (16 * (6 * (p * p) * (6 * (p * p))) * p) with (18 * (2 * p) ^ 5) by ring.
  apply Rle_trans with (18 * X ^ 5).
    apply Rmult_le_compat_l; [lra|]; apply pow_incr; lra.
  apply (mul 3%nat 5%nat 18); lra.
- rewrite hb; assert (lX : 0 <= ln X <= X).
    split; [apply ln_ge0; lra|]; pose proof (ln_le X ltac:(lra)); lra.
  assert (dHp : d * H <= p) by (unfold p; nra).
  assert (dH0 : 0 <= d * H) by lra.
  apply Rle_trans with (169 * X ^ 3); [|apply (mul 5%nat 3%nat 169); lra].
  replace (676 * (d * d) * (H * H) * ln X) with (169 * ((2 * (d * H)) * (2 * (d * H)) * ln X)) by ring.
  replace (X ^ 3) with (X * X * X) by ring.
  apply Rmult_le_compat_l; [lra|]; apply Rmult_le_compat; try lra.
    apply Rmult_le_pos; lra.
  apply Rmult_le_compat; lra.
- intros M M0 hM; assert (one : 1 <= X ^ 8) by (apply pow_R1_Rle; lra).
  assert (M * M <= (2 * X ^ 8) * (2 * X ^ 8)) by (apply Rmult_le_compat; lra).
  apply Rle_trans with (9 * X ^ 16); [|apply (mul 2%nat 16%nat 9); lra].
  replace (9 * X ^ 16) with (8 * (X ^ 8 * X ^ 8) + X ^ 8 * X ^ 8) by ring; nra.
Qed.

(* the probabilities of all bad events together *)
Lemma union_numbers d H N delta K X card v : 1 <= d -> 1 <= H -> 2 <= d * H -> 0 < delta -> delta < 1 -> 1 <= N ->
  0 <= K -> K <= 6 * N * d * H -> X * delta = 2 * d * H * N -> 4 <= X ->
  0 <= card -> card <= exp (18 * ln X * (3 * (d * d))) -> 8 * ln X <= v ->
  K * H * card * exp (- (64 * (d * d) * ln X)) + K * exp (- v) <= delta.
Proof.
intros d1 H1 dH t0 t1 N1 K0 hK hX X4 c0 hc hv; set (u := ln X) in *.
assert (eX : exp u = X) by (apply exp_ln; lra).
assert (u1 : 1 <= u).
  apply Rle_trans with (ln 4); [|apply ln_mono; lra].
  replace 4 with (2 * 2) by ring; rewrite ln_mult by lra; pose proof ln_lt_2; lra.
assert (p2 : 2 * H * 1 <= 2 * d * H * N) by nra.
assert (Xd : X * delta <= X) by nra.
assert (HX : H <= exp u) by (rewrite eX; lra).
assert (KX : K <= exp (2 * u)).
  replace (2 * u) with (u + u) by ring; rewrite exp_plus, eX.
  apply Rle_trans with (1 := hK); replace (6 * N * d * H) with (3 * (2 * d * H * N)) by ring; nra.
assert (half : 2 * exp (- u) <= delta).
  rewrite exp_Ropp, eX; apply Rmult_le_reg_r with X; [lra|].
  replace (2 * / X * X) with 2 by (field; lra); lra.
assert (E : forall t, 0 < exp t) by (intros; apply exp_pos).
assert (b1 : K * exp (- v) <= exp (- u)).
  apply Rle_trans with (exp (2 * u) * exp (- v)); [apply Rmult_le_compat_r; [left; apply E|exact KX]|].
  rewrite <- exp_plus; apply exp_le; lra.
assert (b2 : K * H * card * exp (- (64 * (d * d) * u)) <= exp (- u)).
  apply Rle_trans with (exp (2 * u) * exp u * exp (18 * u * (3 * (d * d))) * exp (- (64 * (d * d) * u))).
    apply Rmult_le_compat_r; [left; apply E|]; apply Rmult_le_compat; try assumption.
      apply Rmult_le_pos; lra.
    apply Rmult_le_compat; lra.
  rewrite <- !exp_plus; apply exp_le.
  assert (u * (1 * 1) <= u * (d * d)) by (apply Rmult_le_compat_l; [|apply Rmult_le_compat]; lra); lra.
lra.
Qed.
