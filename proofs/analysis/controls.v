(* Near variants of the lemmas of the analysis that are false, on the smallest instances. *)
From derl.common Require Import prelude forms.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism.
From derl.reward_free Require Import planning event violation controls.
From derl.analysis Require Import matrices evaluation.

(* control for lem-matrix-domination: n + 1 in the place of n in the factor; A = c = lambda = 1, n = 2 *)
Theorem lem_matrix_domination_control :
  ~ (forall (d : nat) (A : 'M[rat]_d) (lam c n : rat) (x : 'cV[rat]_d),
     above A lam%:M -> 0 < lam -> 0 < c -> 1 < n ->
     qf (invmx (c%:M + n *: A)) x <= (lam + c) / (lam * (n + 1) + c) * qf (invmx (c%:M + A)) x).
Proof.
have q (a : rat) : qf (a%:M : 'M[rat]_1) 1%:M = a.
  by rewrite /qf /bil trmx1 mul1mx mulmx1 mxE eqxx mulr1n.
move=> /(_ 1%N 1%:M 1 1 2%:R 1%:M) h; have := h _ isT isT isT.
rewrite scale_scalar_mx -!raddfD /= !invmx_scalar !q => {}h.
have no : ~~ ((1 + 2%:R * 1)^-1 <= (1 + 1) / (1 * (2%:R + 1) + 1) * (1 + 1)^-1 :> rat) by vm_compute.
by apply/(negP no)/h; rewrite /above subrr; exact: psd0.
Qed.

(* control for text-sketch-sum: 19/10 in the place of 2 *)
Theorem text_sketch_sum_control :
  ~ (forall (d i : nat) (Lh Lt : nat -> 'M[rat]_d) (beta xi : rat),
     (forall k a b, (k < i)%N -> `|Lh k a b - Lt k a b| <= 2%:R * beta * xi) ->
     forall a b, `|(2%:R%:M + \sum_(k < i) Lh k) a b - (2%:R%:M + \sum_(k < i) Lt k) a b| <=
       i%:R * (19%:R / 10%:R * beta * xi)).
Proof.
move=> /(_ 1%N 1%N (fun _ => 2%:R%:M) (fun _ => 0) 1 1) h.
have := h _ ord0 ord0; rewrite !big_ord1 !mxE eqxx !mulr1n => {}h.
have no : ~~ (`|2%:R + 2%:R - (2%:R + 0)| <= 1 * (19%:R / 10%:R * 1 * 1) :> rat) by vm_compute.
by apply: (negP no); apply: h => k a b _; rewrite !mxE !ord1 eqxx mulr1n subr0 !mulr1.
Qed.

(* control for res-estimation-bias: without the mass of the measures, that is with the bonus C d H l;
   no data, one state that follows with probability 1, d = H = l = V = 1, C = 0 *)
Theorem res_estimation_bias_control (R : rcfType) :
  ~ (forall (S : finType) (d N : nat) (phi : 'I_N -> 'cV[R]_d)
      (s : 'I_N -> S) (mu : S -> 'cV[R]_d) (V : S -> R) (H C l beta : R) (x : 'cV[R]_d),
    (0 < d)%N -> 0 < H -> 1 <= l -> 0 <= C -> (forall s, 0 <= V s <= H) ->
    (forall v : S -> R, (forall s, `|v s| <= 1) -> qf 1%:M (\sum_s v s *: mu s) <= d%:R) ->
    Num.sqrt (qf (invmx (1%:M + \sum_n outer (phi n))) (noise phi s mu V)) <= C * d%:R * H * l ->
    C * d%:R * H * l <= beta ->
    `|((weights phi s V)^T *m x) ord0 ord0 - next mu V x| <=
      beta * Num.sqrt (qf (invmx (1%:M + \sum_n outer (phi n))) x)).
Proof.
move=> /(_ unit_finType 1%N 0%N (fun _ => 0) (fun _ => tt) (fun _ => 1%:M) (fun _ => 1) 1 0 1 0 1%:M).
rewrite /weights /noise /next !big_ord0 addr0 !mul0r mulmx0 trmx0 mul0mx mxE sub0r normrN sum_unit mulr1.
rewrite dot1 mulr1 normr1 qf0r sqrtr0 => h; have : (1 : R) <= 0.
  apply: h => // [||v hv]; rewrite ?ltr01 ?lexx ?ler01 //.
  rewrite sum_unit scalemx1; have -> : qf (1%:M : 'M[R]_1) (v tt)%:M = `|v tt| ^+ 2.
    by rewrite real_normK ?num_real // -[1%:M]invmx1 form1.
  by rewrite expr_le1.
by rewrite ler10.
Qed.

Section Lone.
Variable R : rcfType.
Let u : R := 2%:R^-1.

(* the reward of the last layer, and widths of the lone state *)
Definition nothing (s : unit) (a : bool) : R := 0.
Lemma lone_width h s a : width (@lone_features R) (@lone_matrix R) h s a = 1.
Proof. exact: lone_norm. Qed.

Lemma lone_nothing mu h k s : tvalue (@lone_next R) mu nothing h k s = 0.
Proof.
elim: k h s => [|k IH] h s /=; apply: big1 => a _; first exact: mulr0.
by rewrite big1 ?mulr0 // => s' _; rewrite IH mulr0.
Qed.

(* control for res-optq-overestimation: 19/10 in the place of 2; the estimate is 1/2 and nothing follows *)
Theorem res_optq_overestimation_control :
  ~ (forall (S A : finType) (d : nat) (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d)
      (rho : S -> R) (L : nat) (beta : R) (w : nat -> 'cV[R]_d) (Sig : nat -> 'M[R]_d) (Rw : S -> A -> R)
      (g : nat -> S -> A),
    let est := linear phi w in let b := bonus phi beta Sig in let V := solve_value est b g Rw L in
    (forall h s a, is_law (P h s a)) -> is_law rho -> 0 <= beta -> (forall s a, 0 <= Rw s a <= 1) ->
    (forall h s a, (h < L)%N -> Num.min (est h s a + b h s a) 1 <= V h s) ->
    (forall s a, Rw s a <= V L s) ->
    (forall h s a, (h < L)%N -> `|est h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a) ->
    forall h k s, (h + k)%N = L -> exists2 pi : nat -> S -> A -> R, (forall h s, is_law (pi h s)) &
      V h s <= tvalue P pi Rw h k s + 19%:R / 10%:R * beta * value P pi (width phi Sig) h k s).
Proof.
move=> /(_ unit_finType bool_finType 1%N (@lone_next R) (@lone_features R) (@lone_first R) 1%N u
  (lone_weights u) (@lone_matrix R) nothing bad (@lone_law R) (@first_law R) (@u0 R)) h.
have [||||pi hpi] := h _ _ _ _ 0%N 1%N tt erefl.
- by move=> s a; rewrite lexx ler01.
- case=> // s a _; rewrite /solve_value ltnSn !lone_linear !lone_bonus; case: a => //.
  by rewrite addNr uu minxx le_minl lexx ler01.
- by move=> s a; rewrite /solve_value ltnn.
- case=> // s a _; rewrite sum_unit mulr0 subr0 lone_linear lone_bonus.
  by case: a; rewrite ?normrN ger0_norm ?u0.
rewrite (@value_const _ _ _ 1) // ?lone_nothing => [|a]; last exact: lone_width.
rewrite /solve_value ltnSn lone_linear lone_bonus uu minxx.
by rewrite add0r mulr1; exact: no19.
Qed.

(* one feature in both layers; its entry is 1, so the reward of the entry is 1 *)
Definition ones (h : nat) (s : unit) (a : bool) : 'cV[R]_1 := 1%:M.
Let q : R := 4%:R^-1.
Lemma ones_sq h s a : qf 1%:M (ones h s a) = 1.
Proof. by rewrite -[X in qf X]invmx1 form1 expr1n. Qed.
Lemma ones_width h s a : width ones (@lone_matrix R) h s a = 1.
Proof. by rewrite /width form1 expr1n sqrtr1. Qed.
Lemma ones_entry i j s a : entry_reward ones 1 i j s a = 1.
Proof. by rewrite /entry_reward !ord1 !mxE eqxx mulr1n mulr1; field. Qed.
(* the estimate is 3/4 where the truth is 1 *)
Definition low (i j : 'I_1) (h : nat) (s : unit) : R := if h is 0%N then 1 - q else 1.
Lemma q01 : 0 <= q <= 1.
Proof. by rewrite invr_ge0 ler0n /= invf_le1 ?ltr0n // ler1n. Qed.
Lemma ones_linear h s a : linear ones (lone_weights (1 - q)) h s a = 1 - q.
Proof. by rewrite /linear dot1 mulr1. Qed.
Lemma low_evaluated mu i j : (forall h s, is_law (mu h s)) ->
  evaluated mu (linear ones (lone_weights (1 - q))) (entry_reward ones 1 i j) 1 (low i j).
Proof.
move=> hmu; have /andP[a0 a1] := q01; split.
  case=> // s _; under eq_bigr do rewrite ones_linear.
  rewrite -mulr_suml (proj2 (hmu _ _)) mul1r /clip /low.
  have /max_idPl -> : 0 <= 1 - q by rewrite subr_ge0.
  by apply/esym/min_idPl; rewrite ler_subl_addr ler_addl.
by move=> s; under eq_bigr do rewrite ones_entry mulr1; rewrite (proj2 (hmu _ _)).
Qed.
Lemma low_event (i j : 'I_1) h s a : (h < 1)%N ->
  `|linear ones (lone_weights (1 - q)) h s a - \sum_s' lone_next R h s a s' * low i j h.+1 s'| <=
  bonus ones q (@lone_matrix R) h s a.
Proof.
case: h => // _; have /andP[a0 _] := q01; rewrite sum_unit mul1r ones_linear /low addrAC subrr add0r normrN.
by rewrite ger0_norm // /bonus -/(width _ _ _ _ _) ones_width mulr1.
Qed.
Lemma ones_covariance mu : (forall h s, is_law (mu h s)) ->
  covariance (@lone_next R) ones (@lone_first R) mu 1 ord0 ord0 = 1.
Proof.
move=> hmu; rewrite mxE /TJ sum_unit mul1r /=.
under eq_bigr do rewrite sum_unit mul1r.
have e s : \sum_a mu 1%N s a * (ones 1 s a ord0 ord0 * ones 1 s a ord0 ord0) = 1.
  by under eq_bigr do rewrite !mxE eqxx mulr1n !mulr1; rewrite (proj2 (hmu _ _)).
by under eq_bigr do rewrite e mulr1; rewrite (proj2 (hmu _ _)).
Qed.
Lemma ones_estimated : estimated (@lone_first R) low ord0 ord0 = u.
Proof. by rewrite mxE sum_unit mul1r /low /q /u; field. Qed.
Lemma ones_J mu : (forall h s, is_law (mu h s)) ->
  J (@lone_next R) (@lone_first R) mu (width ones (@lone_matrix R)) 1 <= 1%:R / 1%:R * 1.
Proof. by move=> hmu; rewrite J1 (@value_const _ _ _ 1) // => [|a]; rewrite ?ones_width // divr1 mulr1. Qed.
Lemma ones_no : ~ (`|u - 1| <= 19%:R / 10%:R * q * 1 * (1%:R / 1%:R)).
Proof.
have -> : u - 1 = - u by rewrite -(uu R) opprD addrA subrr add0r.
rewrite normrN ger0_norm ?u0 //; apply/negP; rewrite -ltNge divr1 !mulr1.
have -> : 19%:R / 10%:R * q = 19%:R / 20%:R * u by rewrite /q /u; field.
by rewrite gtr_pmull ?u_gt0 // ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat.
Qed.

(* control for eq-covariance-entries: 19/10 in the place of 2 *)
Theorem eq_covariance_entries_control :
  ~ (forall (S A : finType) (d : nat) (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d)
      (rho : S -> R) (L H : nat) (beta xi : R) (w : 'I_d -> 'I_d -> nat -> 'cV[R]_d) (Sig : nat -> 'M[R]_d)
      (mu : nat -> S -> A -> R) (Vh : 'I_d -> 'I_d -> nat -> S -> R),
    (forall h s a, is_law (P h s a)) -> is_law rho -> (forall h s, is_law (mu h s)) -> 0 <= beta ->
    (forall s a, qf 1%:M (phi L s a) <= 1) ->
    (forall i j, evaluated mu (linear phi (w i j)) (entry_reward phi L i j) L (Vh i j)) ->
    (forall i j h s a, (h < L)%N ->
       `|linear phi (w i j) h s a - \sum_s' P h s a s' * Vh i j h.+1 s'| <= bonus phi beta Sig h s a) ->
    J P rho mu (width phi Sig) L <= L%:R / H%:R * xi ->
    forall i j, `|estimated rho Vh i j - covariance P phi rho mu L i j| <=
      19%:R / 10%:R * beta * xi * (L%:R / H%:R)).
Proof.
move=> /(_ unit_finType bool_finType 1%N (@lone_next R) ones (@lone_first R) 1%N 1%N q 1
  (fun _ _ => lone_weights (1 - q)) (@lone_matrix R) (det R good) low (@lone_law R) (@first_law R)
  (det_law R good) (proj1 (andP q01))) h.
have := h _ (fun i j => low_evaluated i j (det_law R good)) low_event (ones_J (det_law R good)) ord0 ord0.
rewrite ones_covariance ?ones_estimated => [{}h|]; last exact: det_law.
by apply/ones_no/h => s a; rewrite ones_sq.
Qed.

(* control for res-accumulated-error: 19/10 in the place of 2 *)
Theorem res_accumulated_error_control :
  ~ (forall (S A : finType) (d : nat) (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d)
      (rho : S -> R) (L H i : nat) (beta xi : R) (w : nat -> 'I_d -> 'I_d -> nat -> 'cV[R]_d)
      (Sig : nat -> 'M[R]_d) (mu : nat -> nat -> S -> A -> R) (Vh : nat -> 'I_d -> 'I_d -> nat -> S -> R),
    (forall h s a, is_law (P h s a)) -> is_law rho -> (forall k h s, is_law (mu k h s)) -> 0 <= beta ->
    (forall s a, qf 1%:M (phi L s a) <= 1) ->
    (forall k a b, evaluated (mu k) (linear phi (w k a b)) (entry_reward phi L a b) L (Vh k a b)) ->
    (forall k a b h s u, (h < L)%N ->
       `|linear phi (w k a b) h s u - \sum_s' P h s u s' * Vh k a b h.+1 s'| <= bonus phi beta Sig h s u) ->
    (forall k, J P rho (mu k) (width phi Sig) L <= L%:R / H%:R * xi) ->
    forall a b, `|(2%:R%:M + \sum_(k < i) estimated rho (Vh k)) a b -
                  (2%:R%:M + \sum_(k < i) covariance P phi rho (mu k) L) a b| <=
      19%:R / 10%:R * i%:R * beta * xi * (L%:R / H%:R)).
Proof.
move=> /(_ unit_finType bool_finType 1%N (@lone_next R) ones (@lone_first R) 1%N 1%N 1%N q 1
  (fun _ _ _ => lone_weights (1 - q)) (@lone_matrix R) (fun _ => det R good) (fun _ => low) (@lone_law R)
  (@first_law R) (fun _ => det_law R good) (proj1 (andP q01))) h.
have := h _ (fun _ i j => low_evaluated i j (det_law R good)) (fun _ => low_event)
  (fun _ => ones_J (det_law R good)) ord0 ord0.
rewrite !big_ord1 ![(_ + _ : 'M_1) ord0 ord0]mxE opprD addrACA subrr add0r.
rewrite ones_covariance ?ones_estimated => [{}h|]; last exact: det_law.
apply: ones_no; rewrite -{1}[19%:R / 10%:R]mulr1; apply: h => s a; by rewrite ones_sq.
Qed.
End Lone.
