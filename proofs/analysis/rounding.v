(* The constant 3 of Lemma E.6 cannot be 2. *)
From derl.common Require Import prelude forms.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism.
From derl.reward_free Require Import planning event controls.
From derl.analysis Require Import evaluation.

Section Rounding.
Variable R : rcfType.
(* all numbers are twentieths *)
Let t (n : nat) : R := n%:R / 20%:R.
Lemma t_le m n : (t m <= t n) = (m <= n)%N.
Proof. by rewrite /t ler_pmul2r ?invr_gt0 ?ltr0n // ler_nat. Qed.
Lemma t_ge0 n : 0 <= t n. Proof. by rewrite divr_ge0 ?ler0n. Qed.
Lemma t_add m n : t m + t n = t (m + n). Proof. by rewrite /t natrD mulrDl. Qed.
Lemma t_1 : t 20 = 1. Proof. by rewrite /t divff // pnatr_eq0. Qed.
Lemma t_0 : t 0 = 0. Proof. by rewrite /t mul0r. Qed.
Lemma t_near m n k : (m <= n + k)%N -> (n <= m + k)%N -> `|t m - t n| <= t k.
Proof.
move=> h1 h2; rewrite ler_norml; apply/andP; split.
  by rewrite ler_subr_addr addrC ler_subl_addr t_add t_le.
by rewrite ler_subl_addr t_add t_le addnC.
Qed.
Lemma t_min n : (n <= 20)%N -> Num.min (t n) 1 = t n.
Proof. by move=> h; apply/min_idPl; rewrite -t_1 t_le. Qed.

(* the next state is the action; the first state is true *)
Definition two_next (h : nat) (s a s' : bool) : R := (s' == a)%:R.
Definition two_first (s : bool) : R := (s == true)%:R.
Definition two_phi (h : nat) (s a : bool) : 'cV[R]_2 := delta_mx (if a then ord0 else ord_max) ord0.
Definition two_w (h : nat) : 'cV[R]_2 := \col_i (if i == ord0 then t 12 else t 8).
Definition two_sigma (h : nat) : 'M[R]_2 := 1%:M.
(* the reward, the rounded reward, and the rounded Q *)
Definition two_reward (s a : bool) : R := t (if s then 16 else if a then 4 else 0)%N.
Definition two_rounded (s a : bool) : R := if s then t 17 else if a then t 4 else - t 1.
Definition two_Q (h : nat) (s a : bool) : R :=
  if h == 0%N then t 14 else if h == 1%N then (if s then t 16 else t 2) else 0.
Definition two_greedy (h : nat) (s : bool) : bool := true.
Definition two_other (h : nat) (s : bool) : bool := false.

Lemma bool_law (b : bool) : is_law (fun s => (s == b)%:R : R).
Proof. by split=> [o|]; [rewrite ler0n|rewrite sum_bool; case: b; rewrite /= ?addr0 ?add0r]. Qed.
Lemma bool_mean (b : bool) (F : bool -> R) : \sum_s (s == b)%:R * F s = F b.
Proof. by rewrite sum_bool; case: b; rewrite /= !(mul1r, mul0r, addr0, add0r). Qed.

Lemma two_linear h s a : linear two_phi two_w h s a = t (if a then 12 else 8)%N.
Proof.
rewrite /linear dotC /two_phi mxE big_ord_recl big_ord1 !mxE.
by case: a; rewrite /= !(mul1r, mul0r, addr0, add0r).
Qed.
Lemma two_width h s a : width two_phi two_sigma h s a = 1.
Proof.
rewrite /width; have -> : invmx (two_sigma h) = 1%:M by exact: invmx1.
rewrite qfE big_ord_recl big_ord1 !mxE; case: a; rewrite /= !(expr1n, expr0n) /= ?addr0 ?add0r;
  exact: sqrtr1.
Qed.
Lemma two_bonus h s a : bonus two_phi (t 4) two_sigma h s a = t 4.
Proof. by rewrite /bonus -/(width two_phi two_sigma h s a) two_width mulr1. Qed.

Lemma two_TJ g : TJ two_next two_first (det R g) two_rounded 1 = two_rounded (g 0%N true) (g 1%N (g 0%N true)).
Proof.
rewrite /TJ (bool_mean true) -[LHS]/(\sum_a det R g 0 true a * \sum_s' two_next 0 true a s' *
  \sum_a' det R g 1 s' a' * two_rounded s' a') sum_det (bool_mean _) sum_det //.
Qed.

(* control for lem-bias-accumulation: 2 in the place of 3; H = 2 and one layer before the reward's,
   beta = 1/5, xi = 2, eps = 1/10 *)
Theorem lem_bias_accumulation_control :
  ~ (forall (S A : finType) (d : nat)
    (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d) (rho : S -> R)
    (L H : nat) (beta xi eps : R) (w : nat -> 'cV[R]_d) (Sig : nat -> 'M[R]_d) (Rw Rb : S -> A -> R)
    (Qb : nat -> S -> A -> R) (g g' : nat -> S -> A),
  let est := linear phi w in let b := bonus phi beta Sig in
  let V := solve_value est b g Rw L in
  let Q h s a := if (h < L)%N then Num.min (est h s a + b h s a) 1 else Rw s a in
  (forall h s a, is_law (P h s a)) -> is_law rho -> 0 <= beta -> (L < H)%N ->
  (forall s a, 0 <= Rw s a <= 1) -> (forall h s a, (h <= L)%N -> Q h s a <= V h s) ->
  (forall h s a, (h <= L)%N -> `|Qb h s a - Q h s a| <= eps) ->
  (forall h s a, Qb h s a <= Qb h s (g' h s)) -> (forall s a, `|Rb s a - Rw s a| <= eps / 2%:R) ->
  (forall h s a, (h < L)%N -> `|est h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a) ->
  (forall pi, (forall h s, is_law (pi h s)) -> J P rho pi (width phi Sig) L <= L%:R / H%:R * xi) ->
  eps <= beta * xi / (2%:R * H%:R) -> 0 <= eps ->
  forall mu, (forall h s, is_law (mu h s)) ->
    TJ P rho mu Rb L - TJ P rho (det R g') Rb L <= 2%:R * beta * xi).
Proof.
move=> h.
have V1 s : solve_value (linear two_phi two_w) (bonus two_phi (t 4) two_sigma) two_greedy two_reward 1 1 s =
    t (if s then 16 else 4)%N by rewrite /solve_value ltnn /two_reward; case: s.
have no : ~ (TJ two_next two_first (det R (fun _ _ => true)) two_rounded 1 -
    TJ two_next two_first (det R two_other) two_rounded 1 <= 2%:R * t 4 * 2%:R).
  rewrite !two_TJ /two_rounded /=.
  have -> : 2%:R * t 4 * 2%:R = t 16 by rewrite /t; field.
  by rewrite opprK t_add t_le.
apply: no; apply: (h _ _ 2%N two_next two_phi two_first 1%N 2%N (t 4) 2%:R (t 2) two_w two_sigma two_reward
  two_rounded two_Q two_greedy two_other (fun _ _ a => bool_law a) (bool_law true) (t_ge0 4) isT).
- by move=> s a; rewrite t_ge0 -t_1 t_le; case: s; case: a.
- case=> [|[|x]] s a // _; rewrite /solve_value /=.
    by rewrite !two_linear !two_bonus !t_add !t_min ?t_le //; case: a.
  by rewrite t_le; case: s; case: a.
- case=> [|[|x]] s a // _ /=.
    by rewrite two_linear two_bonus t_add t_min; case: a => //; apply: t_near.
  by rewrite /two_Q /two_reward /=; case: s; case: a; apply: t_near.
- by case=> [|[|x]] s a; rewrite /two_Q /=; case: s.
- move=> s a; have -> : t 2 / 2%:R = t 1 by rewrite /t; field.
  rewrite /two_rounded /two_reward; case: s; first by apply: t_near.
  case: a; first by apply: t_near.
  by rewrite t_0 subr0 normrN ger0_norm ?t_ge0.
- case=> [|x] s a // _; rewrite bool_mean V1 two_linear two_bonus.
  by case: a; apply: t_near.
- move=> pi hpi; rewrite /J bool_mean /=.
  have -> : 1%:R / 2%:R * 2%:R = 1 :> R by field.
  rewrite -(proj2 (hpi 0%N true)); apply: ler_sum => a _; rewrite two_width big1 ?addr0 ?mulr1 // => s' _.
  by rewrite mulr0.
- have -> : t 4 * 2%:R / (2%:R * 2%:R) = t 2 by rewrite /t; field.
  exact: lexx.
- exact: t_ge0.
- exact: det_law.
Qed.
End Rounding.
