(* Exact values: the hexagon, and two layers that refute a sentence about eigenvalues. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.common Require Import forms determinants.
From derl.reachability Require Import chain coefficient.

Section Hexagon.
Variable R : rcfType.

(* the corners of the regular hexagon; sqrt 3 / 2 is the sine of 60 degrees *)
Definition half_root3 : R := Num.sqrt 3%:R / 2%:R.
(* the first coordinate of corner k *)
Definition corner_x (k : 'I_6) : R :=
  nth 0 [:: 1; 2%:R^-1; - 2%:R^-1; - 1; - 2%:R^-1; 2%:R^-1] k.
(* the second coordinate of corner k *)
Definition corner_y (k : 'I_6) : R :=
  nth 0 [:: 0; half_root3; half_root3; 0; - half_root3; - half_root3] k.
(* the feature (1, u)/sqrt 2 of action k *)
Definition hexagon (k : 'I_6) : 'cV[R]_3 :=
  (Num.sqrt 2%:R)^-1 *: \col_i nth 0 [:: 1; corner_x k; corner_y k] i.
(* one state: a policy is a law on the six actions *)
Definition mixture := {w : 'I_6 -> R | is_law w}.
(* E (phi^T theta)^2 under the policy w *)
Definition hexagon_moment (theta : 'cV[R]_3) (w : mixture) : R :=
  mean (sval w) (fun k => ((hexagon k)^T *m theta) ord0 ord0 ^+ 2).

Lemma root3 : half_root3 ^+ 2 = 3%:R / 4%:R.
Proof. by rewrite expr_div_n sqr_sqrtr ?ler0n //; field. Qed.

Lemma square_hexagon k (theta : 'cV[R]_3) : ((hexagon k)^T *m theta) ord0 ord0 ^+ 2 =
  (theta 0 0 + corner_x k * theta 1 0 + corner_y k * theta 2%:R 0) ^+ 2 / 2%:R.
Proof.
rewrite linearZ /= -scalemxAl mxE exprMn exprVn sqr_sqrtr ?ler0n // mulrC; congr (_ ^+ 2 / _).
rewrite mxE !big_ord_recl big_ord0 !mxE /= mul1r addr0 addrA.
by congr (_ + _ * theta _ _ + _ * theta _ _); apply/val_inj.
Qed.

Definition point (a b c : R) : 'cV[R]_3 := \col_i nth 0 [:: a; b; c] i.
Lemma unit_point a b c : a ^+ 2 + b ^+ 2 + c ^+ 2 = 1 -> unit_vector (point a b c).
Proof. by move=> e; rewrite /unit_vector -[RHS]e qfE !big_ord_recl big_ord0 !mxE /= addr0 addrA. Qed.
Lemma unit_coords (theta : 'cV[R]_3) : unit_vector theta ->
  theta 0 0 ^+ 2 + theta 1 0 ^+ 2 + theta 2%:R 0 ^+ 2 = 1.
Proof.
rewrite /unit_vector qfE !big_ord_recl big_ord0 addr0 addrA => <-.
by congr (_ + theta _ _ ^+ 2 + theta _ _ ^+ 2); apply/val_inj.
Qed.

(* the policy that takes action k *)
Lemma law_at (k : 'I_6) : is_law (fun j : 'I_6 => (j == k)%:R : R).
Proof.
split=> [j|]; first exact: ler0n.
by rewrite (bigD1 k) //= eqxx big1 ?addr0 // => j /negPf ->.
Qed.
Definition act (k : 'I_6) : mixture := exist _ _ (law_at k).
Lemma moment_act theta k : hexagon_moment theta (act k) = ((hexagon k)^T *m theta) ord0 ord0 ^+ 2.
Proof.
rewrite /hexagon_moment /mean (bigD1 k) //= eqxx mul1r big1 ?addr0 // => j /negPf ->.
by rewrite mul0r.
Qed.

Lemma law_uniform : is_law (fun _ : 'I_6 => 6%:R^-1 : R).
Proof.
split=> [j|]; first by rewrite invr_ge0 ler0n.
by rewrite sumr_const card_ord -[_ *+ _]mulr_natr mulVf // pnatr_eq0.
Qed.
Definition uniform : mixture := exist _ _ law_uniform.

Lemma moment_uniform theta : hexagon_moment theta uniform =
  theta 0 0 ^+ 2 / 2%:R + theta 1 0 ^+ 2 / 4%:R + theta 2%:R 0 ^+ 2 / 4%:R.
Proof.
rewrite /hexagon_moment /mean /=; under eq_bigr do rewrite square_hexagon.
rewrite !big_ord_recl big_ord0 /corner_x /corner_y /=.
have e : theta 2%:R 0 ^+ 2 / 4%:R = half_root3 ^+ 2 * theta 2%:R 0 ^+ 2 / 3%:R by rewrite root3; field.
by rewrite e; field.
Qed.

(* some corner sees (b, c) with at least the cosine of 30 degrees *)
Lemma corner_sees (b c : R) : exists k : 'I_6,
  3%:R / 4%:R * (b ^+ 2 + c ^+ 2) <= (corner_x k * b + corner_y k * c) ^+ 2.
Proof.
case: (lerP (3%:R * c ^+ 2) (b ^+ 2)) => bc.
  exists 0; rewrite /corner_x /corner_y /= mul1r mul0r addr0 -subr_ge0.
  have -> : b ^+ 2 - 3%:R / 4%:R * (b ^+ 2 + c ^+ 2) = (b ^+ 2 - 3%:R * c ^+ 2) / 4%:R by field.
  by rewrite divr_ge0 ?ler0n // subr_ge0.
have root : 3%:R = (2%:R * half_root3) ^+ 2 :> R by rewrite exprMn root3; field.
have h0 : 0 <= half_root3 by apply: divr_ge0; [exact: sqrtr_ge0|exact: ler0n].
have lt : b ^+ 2 <= 2%:R * half_root3 * `|b * c|.
  have : `|b| ^+ 2 <= (2%:R * half_root3 * `|c|) ^+ 2.
    by rewrite exprMn -root !real_normK ?num_real // ltW.
  have p0 : 0 <= 2%:R * half_root3 * `|c|.
    by apply: mulr_ge0; [apply: mulr_ge0; [exact: ler0n|exact: h0]|exact: normr_ge0].
  rewrite ler_pexpn2r ?nnegrE ?normr_ge0 // => le.
  by rewrite normrM mulrCA -(real_normK (num_real b)) expr2 ler_wpmul2l.
have key (z : R) : z = `|b * c| -> 3%:R / 4%:R * (b ^+ 2 + c ^+ 2) <=
    2%:R^-1 ^+ 2 * b ^+ 2 + half_root3 * z + half_root3 ^+ 2 * c ^+ 2.
  move=> zE; rewrite root3 -subr_ge0.
  have -> : 2%:R^-1 ^+ 2 * b ^+ 2 + half_root3 * z + 3%:R / 4%:R * c ^+ 2 - 3%:R / 4%:R * (b ^+ 2 + c ^+ 2) =
    (2%:R * half_root3 * z - b ^+ 2) / 2%:R by field.
  by rewrite zE divr_ge0 ?ler0n // subr_ge0.
case: (lerP 0 (b * c)) => s.
  exists 1; rewrite /corner_x /corner_y /=; apply: le_trans (key (b * c) _) _; first by rewrite ger0_norm.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
exists 2%:R; rewrite /corner_x /corner_y /=; apply: le_trans (key (- (b * c)) _) _; first by rewrite ltr0_norm.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
Qed.

(* the opposite corner *)
Lemma opposite (k : 'I_6) : exists j, corner_x j = - corner_x k /\ corner_y j = - corner_y k.
Proof.
case: k => -[|[|[|[|[|[|k]]]]]] hk //; rewrite /corner_x /corner_y /=.
- by exists (inord 3); rewrite inordK //= oppr0.
- by exists (inord 4); rewrite inordK.
- by exists (inord 5); rewrite inordK //= opprK.
- by exists (inord 0); rewrite inordK //= opprK oppr0.
- by exists (inord 1); rewrite inordK //= !opprK.
- by exists (inord 2); rewrite inordK //= opprK.
Qed.

(* [res-nu-hexagon], whole: nu^2 = 3/8 and lambda* = 1/4 *)
Theorem res_nu_hexagon :
  minmax hexagon_moment (3%:R / 8%:R) /\ maxmin hexagon_moment (1 / 4%:R).
Proof.
have small (theta : 'cV[R]_3) c (w : mixture) :
    (forall k, ((hexagon k)^T *m theta) ord0 ord0 ^+ 2 <= c) -> hexagon_moment theta w <= c.
  move=> hc; case: w => w [w0 w1]; rewrite /hexagon_moment /mean /= -[leRHS]mul1r -w1 mulr_suml.
  by apply: ler_sum => k _; rewrite ler_wpmul2l.
split; split.
- exists (point 0 0 1); split; first by apply: unit_point; rewrite !expr0n expr1n /= !add0r.
  have val k : ((hexagon k)^T *m point 0 0 1) ord0 ord0 ^+ 2 = corner_y k ^+ 2 / 2%:R.
    by rewrite square_hexagon !mxE /= mulr0 mulr1 !add0r.
  split.
    by exists (act 1); rewrite moment_act val /corner_y /= root3; field.
  move=> w; apply: small => k; rewrite val ler_pdivr_mulr ?ltr0n //.
  have -> : 3%:R / 8%:R * 2%:R = half_root3 ^+ 2 by rewrite root3; field.
  by case: k => -[|[|[|[|[|[|k]]]]]] hk //; rewrite /corner_y /= ?sqrrN ?expr0n /= ?sqr_ge0 ?lexx.
- move=> theta /unit_coords; set a := theta 0 0; set b := theta 1 0; set c := theta 2%:R 0 => t1.
  have [k hk] := corner_sees b c.
  suff [j hj] : exists j, 3%:R / 4%:R <= (a + corner_x j * b + corner_y j * c) ^+ 2.
    exists (act j); rewrite moment_act square_hexagon ler_pdivl_mulr ?ltr0n //.
    by have -> : 3%:R / 8%:R * 2%:R = 3%:R / 4%:R :> R by field.
  have enough x : 0 <= a * x -> x ^+ 2 = (corner_x k * b + corner_y k * c) ^+ 2 ->
      3%:R / 4%:R <= (a + x) ^+ 2.
    move=> ax xE; have -> : 3%:R / 4%:R = 3%:R / 4%:R * a ^+ 2 + 3%:R / 4%:R * (b ^+ 2 + c ^+ 2) :> R.
      by rewrite -mulrDr addrA t1 mulr1.
    have -> : (a + x) ^+ 2 = a ^+ 2 + (2%:R * (a * x) + x ^+ 2) by ring.
    apply: ler_add; last by rewrite xE (le_trans hk) // ler_addr mulr_ge0 ?ler0n.
    by rewrite ler_pimull ?sqr_ge0 // ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
  case: (lerP 0 (a * (corner_x k * b + corner_y k * c))) => s.
    by exists k; rewrite -addrA; exact: enough.
  have [j [jx jy]] := opposite k; exists j; rewrite -addrA jx jy; apply: enough.
    have -> : a * (- corner_x k * b + - corner_y k * c) = - (a * (corner_x k * b + corner_y k * c)) by ring.
    by rewrite oppr_ge0 ltW.
  have -> : - corner_x k * b + - corner_y k * c = - (corner_x k * b + corner_y k * c) by ring.
  by rewrite sqrrN.
- exists uniform; split.
    exists (point 0 1 0); split; first by apply: unit_point; rewrite !expr0n expr1n /= add0r addr0.
    by rewrite moment_uniform !mxE /= !expr0n expr1n /= !mul0r add0r addr0.
  move=> theta /unit_coords t1; rewrite moment_uniform -subr_ge0.
  have -> : 1 / 4%:R = (theta 0 0 ^+ 2 + theta 1 0 ^+ 2 + theta 2%:R 0 ^+ 2) / 4%:R by rewrite t1.
  set a := theta 0 0; set b := theta 1 0; set c := theta 2%:R 0.
  have -> : a ^+ 2 / 2%:R + b ^+ 2 / 4%:R + c ^+ 2 / 4%:R - (a ^+ 2 + b ^+ 2 + c ^+ 2) / 4%:R = a ^+ 2 / 4%:R by field.
  by rewrite divr_ge0 ?sqr_ge0 ?ler0n.
- move=> w; have u1 : unit_vector (point 0 1 0) by apply: unit_point; rewrite !expr0n expr1n /= add0r addr0.
  have u2 : unit_vector (point 0 0 1) by apply: unit_point; rewrite !expr0n expr1n /= !add0r.
  have sum : hexagon_moment (point 0 1 0) w + hexagon_moment (point 0 0 1) w = 2%:R^-1.
    case: w => w [w0 w1]; rewrite /hexagon_moment /mean /= -big_split /= -[RHS]mul1r -[X in _ = X * _]w1 mulr_suml.
    apply: eq_bigr => k _; rewrite -mulrDr; congr (_ * _); rewrite !square_hexagon !mxE /=.
    rewrite !mulr0 !mulr1 !add0r !addr0 -mulrDl; apply: (mulIf (_ : 2%:R != 0)); rewrite ?pnatr_eq0 //.
    rewrite mulfVK ?pnatr_eq0 // mulVf ?pnatr_eq0 //.
    case: k => -[|[|[|[|[|[|k]]]]]] hk //; rewrite /corner_x /corner_y /= ?sqrrN ?root3 ?expr0n ?expr1n /=; by field.
  case: (lerP (hexagon_moment (point 0 1 0) w) (1 / 4%:R)) => le; first by exists (point 0 1 0).
  exists (point 0 0 1); split=> //; rewrite leNgt; apply/negP => lt.
  have := ltr_add le lt; rewrite sum; have -> : 1 / 4%:R + 1 / 4%:R = 2%:R^-1 :> R by field.
  by rewrite ltxx.
Qed.
End Hexagon.

(* control: a value 1 per cent larger is not the coefficient *)
Theorem res_nu_hexagon_control (R : rcfType) : ~ minmax (@hexagon_moment R) (101%:R / 100%:R * (3%:R / 8%:R)).
Proof.
move=> h; have [h' _] := res_nu_hexagon R.
have := minmax_le (fun theta i => lexx _) h h'.
have c0 : 0 < 3%:R / 8%:R :> R by rewrite divr_gt0 ?ltr0n.
by rewrite -[leRHS]mul1r ler_pmul2r // ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
Qed.

Section TwoLayers.
Variable R : rcfType.
Definition axes (t : bool) : 'cV[R]_2 := delta_mx (if t then 0 else 1) 0.
(* layer 1 meets both axes with probability 1/2, layer 2 the first axis only *)
Definition two_layers (h : 'I_2) (_ : unit) (t : bool) : R := if h == 0 then 2%:R^-1 else t%:R.

Lemma axes_dot t (theta : 'cV[R]_2) : ((axes t)^T *m theta) ord0 ord0 = theta (if t then 0 else 1) 0.
Proof. by rewrite /axes trmx_delta -rowE mxE. Qed.
Lemma two_second h theta u : second axes two_layers h theta u =
  if h == 0 then 2%:R^-1 * qf 1%:M theta else theta 0 0 ^+ 2.
Proof.
rewrite /second /mean big_bool !axes_dot /two_layers; case: ifP => _; last first.
  by rewrite /= mul0r addr0 [LHS]mul1r.
rewrite qfE !big_ord_recl big_ord0 addr0 [RHS]mulrDr /=; congr (_ + _ * theta _ _ ^+ 2); exact/val_inj.
Qed.

(* [text-eigenvalue-layer], refuted: nu_min^2 is not at least max_pi sigma_min of every layer *)
Theorem text_eigenvalue_layer : ~ (forall (d H : nat) (T : finType) (Pi : Type) (phi : T -> 'cV[R]_d)
  (p : 'I_H -> Pi -> T -> R) (nu : 'I_H -> R) a, laws p -> short_features phi -> coefficients phi p nu a ->
  forall h s, maxmin (second phi p h) s -> s <= a ^+ 2).
Proof.
move=> claim.
have hp : laws two_layers.
  move=> h u; split=> [t|]; rewrite /two_layers; first by case: ifP => _; rewrite ?invr_ge0 ler0n.
  by rewrite big_bool; case: ifP => _ /=; rewrite ?addr0 //; field.
have short : short_features axes.
  move=> t; rewrite /axes -diag_qf mxE; by case: (_ == _); rewrite ?lexx ?ler01.
have e1 : unit_vector (delta_mx 0 0 : 'cV[R]_2) by rewrite /unit_vector -diag_qf mxE eqxx.
have e2 : unit_vector (delta_mx 1 0 : 'cV[R]_2) by rewrite /unit_vector -diag_qf mxE eqxx.
pose nu (h : 'I_2) : R := if h == 0 then Num.sqrt (2%:R^-1) else 0.
have hnu : coefficients axes two_layers nu 0.
  split=> [h|]; last first.
    split; first by exists 1.
    by move=> h; rewrite /nu; case: ifP => _; rewrite ?sqrtr_ge0.
  split.
    exists (delta_mx 1 0); split=> //; split; first exists tt; rewrite /root.
      by rewrite two_second /nu; case: ifP => _; rewrite ?e2 ?mulr1 // mxE /= expr0n sqrtr0.
    by move=> u; rewrite two_second /nu; case: ifP => _; rewrite ?e2 ?mulr1 // mxE /= expr0n sqrtr0.
  move=> theta t1; exists tt; rewrite /root two_second /nu; case: ifP => _; last exact: sqrtr_ge0.
  by rewrite t1 mulr1.
have hs : maxmin (second axes two_layers 0) (2%:R^-1).
  split; first (exists tt; split).
  - by exists (delta_mx 0 0); rewrite two_second eqxx e1 mulr1.
  - by move=> theta t1; rewrite two_second eqxx t1 mulr1.
  by move=> u; exists (delta_mx 0 0); rewrite two_second eqxx e1 mulr1.
have := claim 2%N 2%N _ _ axes two_layers nu 0 hp short hnu 0 _ hs.
by rewrite expr0n /= leNgt invr_gt0 ltr0n.
Qed.
End TwoLayers.

(* controls: one feature of length 1 in dimension 1, one layer *)
Section OneFeature.
Variable R : rcfType.
Definition one_law (_ : 'I_1) (_ : unit) (_ : unit) : R := 1.
Definition one_feature (_ : unit) : 'cV[R]_1 := 1%:M.

Lemma one_dot (theta : 'cV[R]_1) : ((one_feature tt)^T *m theta) ord0 ord0 = theta 0 0.
Proof. by rewrite trmx1 mul1mx. Qed.
Lemma one_unit (theta : 'cV[R]_1) : unit_vector theta -> theta 0 0 ^+ 2 = 1.
Proof. by rewrite /unit_vector qfE big_ord1. Qed.
Lemma one_second h theta u : unit_vector theta -> second one_feature one_law h theta u = 1.
Proof. by move=> t1; rewrite /second /mean (big_pred1 tt) => [|[]//]; rewrite one_dot one_unit // mulr1. Qed.
Lemma one_zero h theta u : unit_vector theta -> zero_mean one_feature one_law h theta u = 1.
Proof.
move=> t1; rewrite /zero_mean /mean (big_pred1 tt) => [|[]//]; rewrite one_dot mul1r.
by apply/eqP; rewrite -(@eqr_expn2 _ 2) ?normr_ge0 ?ler01 // real_normK ?num_real // one_unit // expr1n.
Qed.
Lemma one_laws : laws one_law.
Proof. by move=> h u; split=> [t|]; [exact: ler01|rewrite (big_pred1 tt) // => -[]]. Qed.
Lemma one_unit_vector : unit_vector (1%:M : 'cV[R]_1).
Proof. by rewrite /unit_vector qfE big_ord1 mxE expr1n. Qed.
Lemma one_minmax (f : 'cV[R]_1 -> unit -> R) : (forall theta u, unit_vector theta -> f theta u = 1) -> minmax f 1.
Proof.
move=> hf; split; last by move=> theta t1; exists tt; rewrite hf.
exists 1%:M; split; first exact: one_unit_vector.
by split; [exists tt|move=> u]; rewrite hf //; exact: one_unit_vector.
Qed.
Lemma one_coefficients : coefficients one_feature one_law (fun=> 1) 1.
Proof.
split=> [h|]; last by split; [exists 0|move=> h].
by apply: one_minmax => theta u t1; rewrite /root one_second // sqrtr1.
Qed.

(* nu_min >= 1.1 times the coefficient of Zanette et al. is false *)
Theorem ineq_nu_zanette_control : ~ (forall (d H : nat) (T : finType) (Pi : Type) (phi : T -> 'cV[R]_d)
  (p : 'I_H -> Pi -> T -> R) (nu z : 'I_H -> R) a b, laws p -> coefficients phi p nu a ->
  (forall h, minmax (zero_mean phi p h) (z h)) -> minimum z b -> 11%:R / 10%:R * b <= a).
Proof.
move=> h; have hz i : minmax (zero_mean one_feature one_law i) 1.
  by apply: one_minmax => theta u; exact: one_zero.
have hm : minimum (fun _ : 'I_1 => 1 : R) 1 by split=> [|i]; [exists (0 : 'I_1)|].
have := h 1%N 1%N _ _ one_feature one_law (fun=> 1) (fun=> 1) 1 1 one_laws one_coefficients hz hm.
by rewrite mulr1 ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
Qed.

(* nor nu_min^2 >= 1.1 times the smallest eigenvalue *)
Theorem ineq_nu_eigenvalue_control : ~ (forall (d H : nat) (T : finType) (Pi : Type) (phi : T -> 'cV[R]_d)
  (p : 'I_H -> Pi -> T -> R) (nu s : 'I_H -> R) a b, laws p -> coefficients phi p nu a ->
  (forall h, maxmin (second phi p h) (s h)) -> minimum s b -> 11%:R / 10%:R * b <= a ^+ 2).
Proof.
move=> h; have hs i : maxmin (second one_feature one_law i) 1.
  split; first (exists tt; split); first by exists 1%:M; rewrite one_second; last exact: one_unit_vector; split=> //;
    exact: one_unit_vector.
    by move=> theta t1; rewrite one_second.
  by move=> u; exists 1%:M; rewrite one_second; [split=> //|]; exact: one_unit_vector.
have hm : minimum (fun _ : 'I_1 => 1 : R) 1 by split=> [|i]; [exists (0 : 'I_1)|].
have := h 1%N 1%N _ _ one_feature one_law (fun=> 1) (fun=> 1) 1 1 one_laws one_coefficients hs hm.
by rewrite mulr1 expr1n ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
Qed.

(* with 11/10 in the place of 1 the bound sqrt c <= nu_min is false *)
Theorem text_well_explored_control : ~ (forall (d H : nat) (T : finType) (Pi : Type) (phi : T -> 'cV[R]_d)
  (p : 'I_H -> Pi -> T -> R) (nu : 'I_H -> R) a (c : R) (pi : Pi), laws p -> short_features phi ->
  coefficients phi p nu a -> (0 < d)%N -> 0 <= c ->
  (forall h theta, unit_vector theta -> c <= second phi p h theta pi) -> 11%:R / 10%:R * Num.sqrt c <= a).
Proof.
move=> h; have sh : short_features one_feature by move=> t; rewrite one_unit_vector.
have := h 1%N 1%N _ _ one_feature one_law (fun=> 1) 1 1 tt one_laws sh one_coefficients isT ler01.
have all1 i theta : unit_vector theta -> 1 <= second one_feature one_law i theta tt by move=> t1; rewrite one_second.
by move=> /(_ all1); rewrite sqrtr1 mulr1 ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
Qed.
End OneFeature.

(* control: min max is not at most 1.4 times max min; the hexagon has 3/8 and 1/4 *)
Theorem max_min_control (R : rcfType) : ~ (forall (d : nat) (I : Type) (f : 'cV[R]_d -> I -> R) u v,
  maxmin f u -> minmax f v -> v <= 14%:R / 10%:R * u).
Proof.
move=> h; have [h1 h2] := res_nu_hexagon R; have := h _ _ _ _ _ h2 h1.
rewrite leNgt => /negP []; rewrite -subr_gt0.
have -> : 3%:R / 8%:R - 14%:R / 10%:R * (1 / 4%:R) = 40%:R^-1 :> R by field.
by rewrite invr_gt0 ltr0n.
Qed.

(* control for the chain: 1.1 times the mean absolute value is not below the root *)
Theorem ineq_reachability_chain_control (R : rcfType) : ~ (forall (T : finType) (p f : T -> R), is_law p ->
  11%:R / 10%:R * mean p (fun t => `|f t|) <= Num.sqrt (mean p (fun t => f t ^+ 2))).
Proof.
move=> h; have law1 : is_law (fun _ : unit => 1 : R).
  by split=> [_|]; [exact: ler01|rewrite (big_pred1 tt) // => -[]].
have := h _ _ (fun=> 1) law1.
have one (F : unit -> R) : \sum_t F t = F tt by rewrite (big_pred1 tt) // => -[].
rewrite /mean !one.
by rewrite normr1 expr1n !mulr1 sqrtr1 ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
Qed.
