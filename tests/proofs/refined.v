(* Algorithm 2 with d = 2, two states and two actions, once more, on intervals with rational ends.

   Each function below has a lemma that says which definition of `algorithm_two` it encloses or computes; the
   lemmas hold for every horizon, batch, grid and number of iterations.  Where an interval does not decide (a
   rounding, an arg max, the stopping rule) the function returns None.  So a whole run is evaluated by the kernel's
   machine. *)
From Coq Require QArith Qreduction Qreals.
Module Refined.
Import Rdefinitions Raxioms RIneq QArith_base Qreduction Qreals.
Import ssreflect ssrfun ssrbool eqtype ssrnat seq path choice fintype finfun bigop matrix.
Import GRing.Theory Num.Theory Order.Theory ring.
Delimit Scope Q_scope with Q.
Delimit Scope R_scope with coqR.
Delimit Scope nat_scope with N.
Delimit Scope ring_scope with R.
Local Open Scope ring_scope.
Local Notation num x := (Q2R x : real).
Local Arguments Qred : simpl never.
Local Arguments Qplus : simpl never.
Local Arguments Qmult : simpl never.
Local Arguments Qopp : simpl never.
Local Arguments Qdiv : simpl never.
Local Arguments Q2R : simpl never.
Local Arguments Qle_bool : simpl never.
Local Notation V2 := (Q * Q)%type.
Local Notation M4 := (Q * Q * Q * Q)%type.

(* rational numbers *)
Lemma numD a b : num (a + b)%Q = num a + num b. Proof. exact: Q2R_plus. Qed.
Lemma numM a b : num (a * b)%Q = num a * num b. Proof. exact: Q2R_mult. Qed.
Lemma numN a : num (- a)%Q = - num a. Proof. exact: Q2R_opp. Qed.
Lemma num0 : num 0%Q = 0. Proof. by rewrite /Q2R Rmult_0_l. Qed.
Lemma num1 : num 1%Q = 1. Proof. by rewrite /Q2R Rinv_1 Rmult_1_r. Qed.
Lemma num_red a : num (Qred a) = num a. Proof. exact/Qeq_eqR/Qred_correct. Qed.
Lemma num_nat n : num (inject_Z (Z.of_nat n)) = n%:R.
Proof. by rewrite /Q2R /inject_Z /= Rinv_1 Rmult_1_r -INR_IZR_INZ INRE. Qed.
Lemma num_le a b : Qle_bool a b -> num a <= num b.
Proof. by move=> h; apply/RleP/Qle_Rle; rewrite -Qle_bool_iff. Qed.
Lemma num_lt a b : ~~ Qle_bool b a -> num a < num b.
Proof.
move=> h; apply/RltP/Qlt_Rlt/Qnot_le_lt => le; move/negP: h; apply; exact/Qle_bool_iff.
Qed.
Lemma numV a : num (/ a)%Q = (num a)^-1.
Proof.
case: (Qeq_dec a 0) => [e|ne].
  have -> : num a = 0 by rewrite (Qeq_eqR _ _ e) num0.
  have -> : num (/ a)%Q = 0; last by rewrite invr0.
  by rewrite -num0; apply: Qeq_eqR; rewrite e.
rewrite Q2R_inv // RinvE //; apply/eqP => e; apply: ne; apply: eqR_Qeq; by rewrite e num0.
Qed.

(* intervals *)
Definition iv := (Q * Q)%type.
Definition inI (x : real) (i : iv) := (num i.1 <= x) && (x <= num i.2).
Definition pt (q : Q) : iv := (q, q).
Definition addI (i j : iv) : iv := (Qred (i.1 + j.1), Qred (i.2 + j.2))%Q.
Definition sclI (c : Q) (i : iv) : iv :=
  if Qle_bool 0 c then (Qred (c * i.1), Qred (c * i.2))%Q else (Qred (c * i.2), Qred (c * i.1))%Q.
Definition qmax a b := if Qle_bool a b then b else a.
Definition qmin a b := if Qle_bool a b then a else b.
Definition maxI (i j : iv) : iv := (qmax i.1 j.1, qmax i.2 j.2).
Definition minI (i j : iv) : iv := (qmin i.1 j.1, qmin i.2 j.2).
Definition clipI i := minI (maxI i (pt 0%Q)) (pt 1%Q).
(* the root of a rational number to eight digits *)
Definition scale : positive := 100000000.
Definition sqrtI (q : Q) : iv :=
  let s := Z.sqrt (Qnum q * (Zpos scale * Zpos scale) / Zpos (Qden q)) in
  let lo := Qmake s scale in let hi := Qmake (s + 1) scale in
  if [&& Qle_bool 0 lo, Qle_bool (lo * lo) q, Qle_bool 0 hi & Qle_bool q (hi * hi)] then (lo, hi)
  else (0, 1 + q * q)%Q.

Lemma in_pt q : inI (num q) (pt q). Proof. by rewrite /inI lexx. Qed.
Lemma in_add x y i j : inI x i -> inI y j -> inI (x + y) (addI i j).
Proof.
by move=> /andP[a b] /andP[c e]; rewrite /inI /= !num_red !numD !ler_add.
Qed.
Lemma in_scl c x i : inI x i -> inI (num c * x) (sclI c i).
Proof.
move=> /andP[a b]; rewrite /inI /sclI; case: ifP => c0 /=; rewrite !num_red !numM.
  by rewrite !ler_wpmul2l // -num0 num_le.
have {}c0 : num c <= 0 by rewrite ltW // -num0 num_lt // c0.
by rewrite !ler_wnmul2l.
Qed.
Lemma num_max a b : num (qmax a b) = Num.max (num a) (num b).
Proof.
rewrite /qmax; case: ifP => h; first by rewrite (max_idPr _) // num_le.
by rewrite (max_idPl _) // ltW // num_lt // h.
Qed.
Lemma num_min a b : num (qmin a b) = Num.min (num a) (num b).
Proof.
rewrite /qmin; case: ifP => h; first by rewrite (min_idPl _) // num_le.
by rewrite (min_idPr _) // ltW // num_lt // h.
Qed.
Lemma in_max x y i j : inI x i -> inI y j -> inI (Num.max x y) (maxI i j).
Proof.
move=> /andP[a b] /andP[c e]; rewrite /inI /= !num_max !le_maxl !le_maxr.
by rewrite a b c e !orbT.
Qed.
Lemma in_min x y i j : inI x i -> inI y j -> inI (Num.min x y) (minI i j).
Proof.
move=> /andP[a b] /andP[c e]; rewrite /inI /= !num_min !le_minr !le_minl a c b e !orbT.
by [].
Qed.
Lemma in_clip x i : inI x i -> inI (derl.analysis.evaluation.clip x) (clipI i).
Proof. by move=> h; apply: in_min; rewrite -?num1 ?in_pt //; apply: in_max; rewrite // -?num0 ?in_pt. Qed.
Lemma in_sqrt q : inI (Num.sqrt (num q)) (sqrtI q).
Proof.
rewrite /inI /sqrtI; case: ifP => [/and4P[l0 l h0 h]|_] /=.
  have L0 := num_le l0; have H0 := num_le h0; rewrite num0 in L0 H0.
  have q0 : 0 <= num q by apply: le_trans (num_le l); rewrite numM mulr_ge0.
  rewrite -(ler_pexpn2r (n := 2)) ?nnegrE ?sqrtr_ge0 // sqr_sqrtr // expr2 -numM (num_le l) /=.
  by rewrite -(ler_pexpn2r (n := 2)) ?nnegrE ?sqrtr_ge0 // sqr_sqrtr // expr2 -numM (num_le h).
rewrite num0 sqrtr_ge0 /= numD numM num1.
have p : 0 <= 1 + num q * num q by apply: addr_ge0; [exact: ler01|exact: sqr_ge0].
case: (ltrP (num q) 0) => [n|q0]; first by rewrite ltr0_sqrtr.
rewrite -(ler_pexpn2r (n := 2)) ?nnegrE ?sqrtr_ge0 // sqr_sqrtr // -subr_ge0.
have -> : (1 + num q * num q) ^+ 2 - num q = (num q - 2%:R^-1) ^+ 2 + 3%:R / 4%:R + num q ^+ 2 + num q ^+ 4
  by field.
by rewrite !addr_ge0 ?sqr_ge0 ?exprn_ge0 ?divr_ge0 ?ler0n.
Qed.

(* vectors and matrices with two rows *)
Definition mt (F : rcfType) (a b c e : F) : 'M[F]_2 :=
  \matrix_(i, j) (if i == 0 then if j == 0 then a else b else if j == 0 then c else e).
Definition asV (v : V2) : 'cV[real]_2 := v2 (num v.1) (num v.2).
Definition asM (m : M4) : 'M[real]_2 := let: (a, b, c, e) := m in mt (num a) (num b) (num c) (num e).
Definition dotQ (v w : V2) : Q := Qred (v.1 * w.1 + v.2 * w.2)%Q.
Definition add4 (m n : M4) : M4 :=
  let: (a, b, c, e) := m in let: (a', b', c', e') := n in (Qred (a + a'), Qred (b + b'), Qred (c + c'), Qred
    (e + e'))%Q.
Definition one4 : M4 := (1, 0, 0, 1)%Q.
Definition out4 (v : V2) : M4 := (v.1 * v.1, v.1 * v.2, v.2 * v.1, v.2 * v.2)%Q.
Definition inv4 (m : M4) : M4 := let: (a, b, c, e) := m in let det := Qred (a * e - b * c)%Q in
  if Qeq_bool det 0 then m else (Qred (e / det), Qred (- b / det), Qred (- c / det), Qred (a / det))%Q.
Definition qf4 (m : M4) (v : V2) : Q := let: (a, b, c, e) := m in
  Qred (a * (v.1 * v.1) + (b + c) * (v.1 * v.2) + e * (v.2 * v.2))%Q.

Lemma eq_mt (F : rcfType) (B : 'M[F]_2) : B = mt (B ord0 ord0) (B ord0 (lift ord0 ord0)) (B (lift ord0 ord0)
  ord0)
  (B (lift ord0 ord0) (lift ord0 ord0)).
Proof.
by apply/matrixP => -[[|[|?]] ?] // -[[|[|?]] ?] //; rewrite !mxE /=; congr (B _ _); apply/val_inj.
Qed.
Lemma mt_add (F : rcfType) (a b c e a' b' c' e' : F) : mt a b c e + mt a' b' c' e' = mt (a + a') (b + b') (c
  + c') (e + e').
Proof. by apply/matrixP => i j; rewrite !mxE; case: ifP; case: ifP. Qed.
Lemma mt_det (F : rcfType) (a b c e : F) : \det (mt a b c e) = a * e - b * c.
Proof.
rewrite (expand_det_row _ 0) !big_ord_recl big_ord0 addr0 /cofactor !det_mx11 !mxE /= expr0 mul1r expr1
  mulN1r mulrN.
by [].
Qed.
Lemma mt_mul (F : rcfType) (a b c e a' b' c' e' : F) : mt a b c e *m mt a' b' c' e' =
  mt (a * a' + b * c') (a * b' + b * e') (c * a' + e * c') (c * b' + e * e').
Proof.
by apply/matrixP => -[[|[|?]] ?] // -[[|[|?]] ?] //; rewrite !mxE !big_ord_recl big_ord0 !mxE /= addr0.
Qed.
Lemma mt_1 (F : rcfType) : 1%:M = mt 1 0 0 1 :> 'M[F]_2.
Proof. by apply/matrixP => -[[|[|?]] ?] // -[[|[|?]] ?] //; rewrite !mxE. Qed.
Lemma mt_qf (F : rcfType) (a b c e x y : F) :
  qf (mt a b c e) (v2 x y) = a * (x * x) + (b + c) * (x * y) + e * (y * y).
Proof. by rewrite /qf /bil !mxE !big_ord_recl big_ord0 !mxE !big_ord_recl !big_ord0 !mxE /=; ring. Qed.
Lemma inv4_is m : invmx (asM m) = asM (inv4 m).
Proof.
case: m => [[[a b] c] e] /=; set D := Qred _.
have dD : num D = num a * num e - num b * num c by rewrite /D num_red numD numN !numM.
case: ifP => [/Qeq_bool_eq z|nz].
  have nu : mt (num a) (num b) (num c) (num e) \notin unitmx.
    by rewrite unitmxE mt_det -dD (Qeq_eqR _ _ z) num0 unitr0.
  by rewrite invmx_out.
have D0 : num a * num e - num b * num c != 0.
  rewrite -dD; apply/eqP => z; move/negP: nz; apply; apply: Qeq_eq_bool; apply: eqR_Qeq; by rewrite z num0.
have h : asM (a, b, c, e) *m asM (Qred (e / D), Qred (- b / D), Qred (- c / D), Qred (a / D))%Q = 1%:M.
  rewrite /= !num_red /Qdiv !numM numV dD !numN mt_mul mt_1; congr (mt _ _ _ _); field; exact: D0.
by have [u _] := mulmx1_unit h; rewrite -[LHS]mulmx1 -h mulKmx.
Qed.
Lemma qf4_is m v : qf (asM m) (asV v) = num (qf4 m v).
Proof.
by case: m => [[[a b] c] e] /=; rewrite num_red !(numD, numM) mt_qf.
Qed.
Lemma add4_is m n : asM m + asM n = asM (add4 m n).
Proof. by case: m n => [[[a b] c] e] [[[a' b'] c'] e'] /=; rewrite mt_add !num_red !numD. Qed.
Lemma one4_is : 1%:M = asM one4. Proof. by rewrite mt_1 /= num0 num1. Qed.
Lemma out4_is v : outer (asV v) = asM (out4 v).
Proof.
rewrite [LHS]eq_mt /= !numM; congr (mt _ _ _ _); by rewrite !mxE big_ord_recl big_ord0 addr0 !mxE.
Qed.
Lemma dot_is v w : ((asV v)^T *m asV w) ord0 ord0 = num (dotQ v w).
Proof. by rewrite v2_dot num_red numD !numM. Qed.
Lemma bool_sum (F : bool -> real) : \sum_s F s = F true + F false.
Proof. exact: big_bool. Qed.

Definition iv2 := (iv * iv)%type.
Definition iv4 := (iv * iv * iv * iv)%type.
Definition inV (v : 'cV[real]_2) (i : iv2) := inI (v ord0 ord0) i.1 && inI (v (lift ord0 ord0) ord0) i.2.
Definition inM (B : 'M[real]_2) (i : iv4) := let: (a, b, c, e) := i in
  [&& inI (B ord0 ord0) a, inI (B ord0 (lift ord0 ord0)) b, inI (B (lift ord0 ord0) ord0) c &
    inI (B (lift ord0 ord0) (lift ord0 ord0)) e].
Definition pt4 (m : M4) : iv4 := let: (a, b, c, e) := m in (pt a, pt b, pt c, pt e).
Definition pt2 (v : V2) : iv2 := (pt v.1, pt v.2).
Definition addV (v w : iv2) : iv2 := (addI v.1 w.1, addI v.2 w.2).
Definition addM (m n : iv4) : iv4 :=
  let: (a, b, c, e) := m in let: (a', b', c', e') := n in (addI a a', addI b b', addI c c', addI e e').
Lemma in_pt4 m : inM (asM m) (pt4 m).
Proof. by case: m => [[[a b] c] e] /=; rewrite !mxE /= !in_pt. Qed.
Lemma in_pt2 v : inV (asV v) (pt2 v). Proof. by rewrite /inV !mxE /= !in_pt. Qed.
Lemma in_addM B C i j : inM B i -> inM C j -> inM (B + C) (addM i j).
Proof.
case: i j => [[[a b] c] e] [[[a' b'] c'] e'] /= /and4P[h1 h2 h3 h4] /and4P[k1 k2 k3 k4].
by rewrite !mxE !in_add.
Qed.
Lemma in_addV v w i j : inV v i -> inV w j -> inV (v + w) (addV i j).
Proof. by move=> /andP[a b] /andP[c e]; rewrite /inV !mxE !in_add. Qed.

Lemma bindP T U (f : T -> option U) o y : obind f o = Some y -> exists2 x, o = Some x & f x = Some y.
Proof. by case: o => // x h; exists x. Qed.
Lemma pick_first n (P : pred 'I_n) (j : 'I_n) :
  P j -> (forall k : 'I_n, (k < j)%N -> ~~ P k) -> [pick k | P k] = Some j.
Proof.
move=> Pj before; rewrite /pick.
have so : sorted leq (map val (enum P)).
  rewrite sorted_map; apply: sorted_filter; first by move=> x y z; exact: leq_trans.
  by rewrite -sorted_map -enumT (val_enum_ord n); exact: iota_sorted.
have jin : j \in enum P by rewrite mem_enum.
have all x : x \in enum P -> (j <= x)%N.
  by rewrite mem_enum => Px; rewrite leqNgt; apply/negP => lt; move/negP: (before _ lt); apply; exact: Px.
case e: (enum P) jin so all => [//|x l] jin so all /=.
congr Some; apply/val_inj/eqP; rewrite eqn_leq all ?mem_head // andbT.
move: jin; rewrite inE => /orP[/eqP-> //|jl].
move: so; rewrite /= path_sortedE; last by move=> ???; exact: leq_trans.
by move=> /andP[/allP h _]; apply: h; apply/mapP; exists j.
Qed.
Section Run.
Variables (N H M imax : nat) (f : nat -> bool -> bool -> V2) (rho0 : bool -> Q) (beta beta5 nu : Q) (s0 a0 :
  bool).
Local Notation O := (derl.algorithm_one.trajectory_law.batch bool_finType bool_finType N H).
Variables (w : nat -> O) (data : nat -> seq ((bool * bool) * bool)).
Definition phi h s a : 'cV[real]_2 := asV (f h s a).
Definition rho s : real := num (rho0 s).
Hypothesis M0 : (0 < M)%N.
Hypothesis data_size : forall h, seq.size (data h) = N.
Hypothesis data_here : forall h (i : 'I_N), derl.algorithm_two.mixtures.here (s0, a0) h (w h) i = (nth ((s0,
  a0), s0) (data h) i).1.
Hypothesis data_next : forall h (i : 'I_N), derl.algorithm_two.mixtures.next_state (s0, a0) h (w h) i = (nth
  ((s0, a0), s0) (data h) i).2.
(* the grid: the value of mark j, and the value to which an interval is rounded *)
Definition lev (j : nat) : Q := ((inject_Z (Z.of_nat j) - inject_Z (Z.of_nat (M ^ 2))) / inject_Z (Z.of_nat
  M))%Q.
Definition roundI (i : iv) : option Q :=
  let x := (i.1 * inject_Z (Z.of_nat M) + inject_Z (Z.of_nat (M ^ 2)))%Q in
  let j := Z.to_nat (- ((- Qnum x) / Zpos (Qden x)) - 1) in
  if [&& (j < (2 * M ^ 2).+1)%N, ~~ Qle_bool i.1 (lev j) & Qle_bool i.2 (lev j + / inject_Z (Z.of_nat M))]
    then
    Some (Qred (lev j)) else None.
Lemma level_is (j : derl.algorithm_one.grid.mark M) : derl.algorithm_one.grid.level j = num (lev j).
Proof. by rewrite /lev /Qdiv numM /Qminus numD numN numV !num_nat. Qed.
Lemma round_is x i q : inI x i -> roundI i = Some q ->
  derl.algorithm_one.grid.level (derl.algorithm_two.algorithm.rounded M x) = num q.
Proof.
move=> /andP[lo hi]; rewrite /roundI; set j := Z.to_nat _.
case: ifP => // /and3P[jM jlo jhi] [<-]; rewrite num_red.
have {}lo := lt_le_trans (num_lt jlo) lo; have {}hi := le_trans hi (num_le jhi).
rewrite numD numV num_nat in hi; have MR : 0 < M%:R :> real by rewrite ltr0n.
pose J : derl.algorithm_one.grid.mark M := Ordinal jM.
rewrite /derl.algorithm_two.algorithm.rounded (@pick_first _ _ J) /=; first by rewrite level_is.
  rewrite level_is ler_norml /= ler_subr_addl !ler_subl_addl; apply/andP; split; last exact: hi.
  by apply: (le_trans (ltW lo)); rewrite ler_addr invr_ge0 ltW.
move=> k kj; rewrite -ltNge level_is; apply: lt_le_trans (ler_norm _); rewrite ltr_subr_addl.
apply: le_lt_trans lo; rewrite /lev /Qdiv !numM /Qminus !numD !numN !numV !num_nat.
have MN : M%:R != 0 :> real by rewrite gt_eqF.
rewrite -(ler_pmul2r MR) mulrDl !divfK // mulVf // addrAC ler_add2r.
by rewrite -(natrD _ k 1) addn1 ler_nat.
Qed.
Definition round2 (i : iv2) : option V2 := obind (fun a => omap (fun b => (a, b)) (roundI i.2)) (roundI i.1).
Definition round4 (i : iv4) : option M4 := let: (a, b, c, e) := i in
  obind (fun a => obind (fun b => obind (fun c => omap (fun e => add4 one4 (a, b, c, e)) (roundI e)) (roundI
    c))
    (roundI b)) (roundI a).
Lemma round2_is v i q : inV v i -> round2 i = Some q ->
  derl.algorithm_one.grid.point (derl.algorithm_two.algorithm.round_weight M v) = asV q.
Proof.
move=> /andP[ha hb]; rewrite /round2 => /(@bindP _ _ _ _ _)[a ea]; case eb: (roundI _) => [b|] //= [<-].
apply/matrixP => -[[|[|?]] lt] // j; rewrite !mxE ffunE /=.
  by rewrite -(round_is ha ea) (_ : Ordinal lt = ord0) //; exact/val_inj.
by rewrite -(round_is hb eb) (_ : Ordinal lt = lift ord0 ord0) //; exact/val_inj.
Qed.
Lemma round4_is B i m : inM B i -> round4 i = Some m ->
  derl.algorithm_two.algorithm.matrix (derl.algorithm_two.algorithm.round_shape M B) = asM m.
Proof.
case: i => [[[a b] c] e] /and4P[ha hb hc he]; rewrite /round4 => /(@bindP _ _ _ _ _)[a' ea] /(@bindP _ _ _ _
  _)[b' eb] /(@bindP _ _ _ _ _)[c' ec].
case ee: (roundI _) => [e'|] //= [<-]; rewrite /derl.algorithm_two.algorithm.matrix one4_is.
rewrite [X in _ + X](_ : _ = asM (a', b', c', e')) ?add4_is //.
rewrite /asM -(round_is ha ea) -(round_is hb eb) -(round_is hc ec) -(round_is he ee) [LHS]eq_mt.
by rewrite !mxE !ffunE.
Qed.
(* the Q of a planner, on weights and a matrix *)
Definition lenI (m : M4) h s a : iv := sqrtI (qf4 (inv4 m) (f h s a)).
Definition scoreI (before : bool) (q : V2 * M4) h s a : iv :=
  clipI (addI (pt (dotQ q.1 (f h s a))) (sclI (if before then beta5 else 1%Q) (lenI q.2 h s a))).
Definition planScoreI L (q : V2 * M4) h s a : iv :=
  minI (maxI (addI (pt (dotQ q.1 (f h s a))) (sclI beta (lenI q.2 h s a))) (pt 0%Q)) (pt (inject_Z (Z.of_nat
    L))).
Definition topI (q : bool -> iv) : iv := maxI (q true) (q false).
Definition bestI (q : bool -> iv) : option bool :=
  if ~~ Qle_bool (q true).1 (q false).2 then Some true else if ~~ Qle_bool (q false).1 (q true).2 then Some
    false
  else None.
Definition sumI (q : bool -> iv) : iv := addI (sclI (rho0 true) (q true)) (sclI (rho0 false) (q false)).
Definition means (q : derl.algorithm_two.algorithm.weight 2 M * derl.algorithm_two.algorithm.shape 2 M) (r :
  V2 * M4) :=
  derl.algorithm_one.grid.point q.1 = asV r.1 /\ derl.algorithm_two.algorithm.matrix q.2 = asM r.2.
Lemma length_is (B : derl.algorithm_two.algorithm.shape 2 M) m h s a : derl.algorithm_two.algorithm.matrix B
  = asM m ->
  inI (derl.algorithm_two.algorithm.length phi B h s a) (lenI m h s a).
Proof. by move=> e; rewrite /derl.algorithm_two.algorithm.length e inv4_is qf4_is in_sqrt. Qed.
Lemma score_is before q r h s a : means q r ->
  inI (derl.algorithm_two.algorithm.score phi (num beta5) before q h s a) (scoreI before r h s a).
Proof.
move=> [e1 e2]; rewrite /derl.algorithm_two.algorithm.score e1 dot_is; apply: in_clip; apply: in_add; first
  exact: in_pt.
by rewrite -[if before then _ else _](_ : num (if before then beta5 else 1%Q) = _) ?in_scl ?length_is //;
  case: before; rewrite // num1.
Qed.
Lemma plan_score_is L q r h s a : means q r ->
  inI (derl.algorithm_two.algorithm.plan_score phi (num beta) L q h s a) (planScoreI L r h s a).
Proof.
move=> [e1 e2]; rewrite /derl.algorithm_two.algorithm.plan_score e1 dot_is; apply: in_min; last first.
  by rewrite -num_nat in_pt.
apply: in_max; last by rewrite -num0 in_pt.
by apply: in_add; [exact: in_pt|apply: in_scl; exact: length_is].
Qed.
Lemma top_is (q : bool -> real) i : (forall a, inI (q a) (i a)) -> inI (q (derl.algorithm_one.algorithm.best
  a0 q)) (topI i).
Proof.
move=> h; have t := derl.algorithm_one.algorithm.best_max a0 q true; have e :=
  derl.algorithm_one.algorithm.best_max a0 q false.
have /andP[t1 t2] := h true; have /andP[f1 f2] := h false; rewrite /inI /= !num_max le_maxl (le_trans t1 t)
  (le_trans f1 e).
by rewrite le_maxr; case: (derl.algorithm_one.algorithm.best a0 q); rewrite ?t2 ?f2 ?orbT.
Qed.
Lemma best_of (q : bool -> real) i b : (forall a, inI (q a) (i a)) -> bestI i = Some b ->
  derl.algorithm_one.algorithm.best a0 q = b.
Proof.
move=> h; have /andP[t1 t2] := h true; have /andP[f1 f2] := h false; rewrite /bestI.
case: ifP => [lt [<-]|_]; first by apply: best_is; apply: le_lt_trans f2 (lt_le_trans (num_lt lt) t1).
by case: ifP => // lt [<-]; apply: best_is; apply: le_lt_trans t2 (lt_le_trans (num_lt lt) f1).
Qed.
Lemma sum_is (q : bool -> real) i : (forall s, inI (q s) (i s)) -> inI (\sum_s rho s * q s) (sumI i).
Proof. by move=> h; rewrite bool_sum; apply: in_add; apply: in_scl. Qed.
Lemma greedy_is before q r h s b : means q r -> bestI (scoreI before r h s) = Some b ->
  derl.algorithm_two.algorithm.greedy phi (num beta5) a0 before q h s = b.
Proof. by move=> m; apply: best_of => a; exact: score_is. Qed.
Lemma top_value_is before q r h s : means q r ->
  inI (derl.algorithm_two.algorithm.top_value phi (num beta5) a0 before q h s) (topI (scoreI before r h s)).
Proof. by move=> m; apply: top_is => a; exact: score_is. Qed.
Lemma plan_greedy_is L q r h s b : means q r -> bestI (planScoreI L r h s) = Some b ->
  derl.algorithm_two.algorithm.plan_greedy phi (num beta) a0 L q h s = b.
Proof. by move=> m; apply: best_of => a; exact: plan_score_is. Qed.
Lemma plan_value_is L q r h s : means q r ->
  inI (derl.algorithm_two.algorithm.plan_value phi (num beta) a0 L q h s) (topI (planScoreI L r h s)).
Proof. by move=> m; apply: top_is => a; exact: plan_score_is. Qed.
(* the regression of a layer on its batch *)
Definition gram4 h : M4 := foldr (fun x m => add4 (out4 (f h x.1.1 x.1.2)) m) (0, 0, 0, 0)%Q (data h).
Definition sigmaI h : option M4 := round4 (pt4 (add4 one4 (gram4 h))).
Definition momentI h (V : bool -> iv) : iv2 :=
  foldr (fun x v => addV (sclI (f h x.1.1 x.1.2).1 (V x.2), sclI (f h x.1.1 x.1.2).2 (V x.2)) v) (pt2 (0,
    0)%Q) (data h).
Definition fitI h (V : bool -> iv) : iv2 :=
  let: (a, b, c, e) := inv4 (add4 one4 (gram4 h)) in let v := momentI h V in
  (addI (sclI a v.1) (sclI b v.2), addI (sclI c v.1) (sclI e v.2)).
Lemma over_data (Z : zmodType) (F : bool * bool -> bool -> Z) h :
  \sum_(i < N) F (derl.algorithm_two.mixtures.here (s0, a0) h (w h) i)
    (derl.algorithm_two.mixtures.next_state (s0, a0) h (w h) i) =
  \sum_(x <- data h) F x.1 x.2.
Proof.
rewrite (big_nth ((s0, a0), s0)) data_size big_mkord; apply: eq_bigr => i _.
by rewrite data_here data_next.
Qed.
Lemma gram_is h : derl.algorithm_two.mixtures.gram phi (s0, a0) h (w h) = asM (gram4 h).
Proof.
rewrite /derl.algorithm_two.mixtures.gram /derl.algorithm_one.values.features_sum (over_data (fun x _ =>
  outer (phi h x.1 x.2))) /gram4.
elim: (data h) => [|x l IH]; last by rewrite big_cons IH out4_is add4_is.
by rewrite big_nil [LHS]eq_mt !mxE /= num0.
Qed.
Lemma sigma_is h m : sigmaI h = Some m -> derl.algorithm_two.algorithm.matrix
  (derl.algorithm_two.algorithm.sigma_of M phi s0 a0 w h) = asM m.
Proof. by apply: round4_is; rewrite gram_is one4_is add4_is in_pt4. Qed.
Lemma fit_is h V i : (forall s, inI (V s) (i s)) -> inV (derl.algorithm_two.algorithm.fit phi s0 a0 w h V)
  (fitI h i).
Proof.
move=> hV; rewrite /derl.algorithm_two.algorithm.fit /derl.algorithm_one.values.least_squares
  -/(derl.algorithm_two.mixtures.gram phi (s0, a0) h (w h)) gram_is.
rewrite one4_is add4_is inv4_is /fitI (over_data (fun x y => V y *: phi h x.1 x.2)).
have : inV (\sum_(x <- data h) V x.2 *: phi h x.1.1 x.1.2) (momentI h i).
  rewrite /momentI; elim: (data h) => [|x l IH].
    by rewrite big_nil -[0](_ : asV (0, 0)%Q = _) ?in_pt2 //; apply/matrixP => j k; rewrite !mxE /= num0;
      case: ifP.
  by rewrite big_cons; apply: in_addV IH; rewrite /inV !mxE /= ![V _ * _]mulrC !in_scl.
case: (inv4 _) => [[[a b] c] e] /andP[h1 h2]; rewrite /inV !mxE !big_ord_recl !big_ord0 !addr0 !mxE /=.
by rewrite !in_add ?in_scl.
Qed.
(* SolveOptQ *)
Fixpoint solveI L (m : M4) j : option (V2 * M4) := if j is j'.+1 then
    let h := (L - j)%N in obind (fun q => obind (fun v => omap (pair v) (sigmaI h))
      (round2 (fitI h (fun s => topI (scoreI (j' != 0)%N q h.+1 s))))) (solveI L m j')
  else Some ((0, 0)%Q, m).
Definition solvedI L m h s : option bool :=
  obind (fun q => bestI (scoreI (L - h != 0)%N q h s)) (solveI L m (L - h)).
Definition optimumI L m : option iv :=
  omap (fun q => sumI (fun s => topI (scoreI (L != 0)%N q 0 s))) (solveI L m L).
Lemma origin_is : derl.algorithm_one.grid.point (derl.algorithm_two.algorithm.origin 2 M) = asV (0, 0)%Q.
Proof.
by rewrite derl.algorithm_two.algorithm.point_origin //; apply/matrixP => i j; rewrite !mxE /= num0; case:
  ifP.
Qed.
Lemma solveIS L m j : solveI L m j.+1 = let h := (L - j.+1)%N in
  obind (fun q => obind (fun v => omap (pair v) (sigmaI h))
    (round2 (fitI h (fun s => topI (scoreI (j != 0)%N q h.+1 s))))) (solveI L m j).
Proof. by []. Qed.
Lemma solve_is L (B : derl.algorithm_two.algorithm.shape 2 M) m j q : derl.algorithm_two.algorithm.matrix B =
  asM m -> solveI L m j = Some q ->
  means (derl.algorithm_two.algorithm.solve phi (num beta5) s0 a0 w L B j) q.
Proof.
move=> e; elim: j q => [|j IH] q; first by move=> [<-]; split; [exact: origin_is|exact: e].
rewrite solveIS => /(@bindP _ _ _ _ _)[r /IH hr] /(@bindP _ _ _ _ _)[v hv]; case es: (sigmaI _) => [m'|//]
  [<-].
split; last exact: (sigma_is es).
by apply: round2_is hv; apply: fit_is => s; apply: top_is => a; exact: score_is.
Qed.
Lemma solved_is L (B : derl.algorithm_two.algorithm.shape 2 M) m h s b : derl.algorithm_two.algorithm.matrix
  B = asM m -> solvedI L m h s = Some b ->
  derl.algorithm_two.algorithm.solved phi (num beta5) s0 a0 w L B h s = b.
Proof. by move=> e /(@bindP _ _ _ _ _)[q hq hb]; apply: best_of hb => a; apply: score_is; exact: (solve_is e
  hq). Qed.
Lemma optimum_is L (B : derl.algorithm_two.algorithm.shape 2 M) m i : derl.algorithm_two.algorithm.matrix B =
  asM m -> optimumI L m = Some i ->
  inI (derl.algorithm_two.algorithm.optimum phi rho (num beta5) s0 a0 w L B) i.
Proof.
move=> e; rewrite /optimumI; case hq: (solveI _ _ _) => [q|//] [<-]; apply: sum_is => s; apply: top_is => a.
by apply: score_is; exact: (solve_is e hq).
Qed.
(* EstimateCovMatrix *)
Definition entry (v : V2) (i : 'I_2) : Q := if i == 0 then v.1 else v.2.
Definition actions L m h : option (bool -> bool) :=
  obind (fun x => omap (fun y s => if s then x else y) (solvedI L m h false)) (solvedI L m h true).
Fixpoint evaluateI L m (a b : 'I_2) j : option (bool -> iv) := if j is j'.+1 then
    let h := (L - j)%N in obind (fun V => obind (fun v => omap (fun g s => clipI (pt (dotQ v (f h s (g s)))))
    (actions L m h)) (round2 (fitI h V))) (evaluateI L m a b j')
  else omap (fun g s => pt ((1 + entry (f L s (g s)) a * entry (f L s (g s)) b) / (1 + 1))%Q) (actions L m L).
Definition estimateI L m : option iv4 :=
  let e a b := omap (fun V => addI (sclI (1 + 1)%Q (sumI V)) (pt (- 1)%Q)) (evaluateI L m a b L) in
  let one := lift ord0 ord0 : 'I_2 in
  obind (fun a => obind (fun b => obind (fun c => omap (fun d => (a, b, c, d)) (e one one)) (e one ord0)) (e
    ord0 one))
    (e ord0 ord0).
Lemma actions_is L (B : derl.algorithm_two.algorithm.shape 2 M) m h g s : derl.algorithm_two.algorithm.matrix
  B = asM m ->
  actions L m h = Some g -> derl.algorithm_two.algorithm.solved phi (num beta5) s0 a0 w L B h s = g s.
Proof.
move=> e /(@bindP _ _ _ _ _)[x hx]; case hy: (solvedI _ _ _ _) => [y|//] [<-].
by case: s; [exact: (solved_is e hx)|exact: (solved_is e hy)].
Qed.
Lemma entry_is v i : asV v i ord0 = num (entry v i). Proof. by rewrite /entry !mxE; case: ifP. Qed.
Lemma evaluateI0 L m a b : evaluateI L m a b 0 =
  omap (fun g s => pt ((1 + entry (f L s (g s)) a * entry (f L s (g s)) b) / (1 + 1))%Q) (actions L m L).
Proof. by []. Qed.
Lemma evaluateIS L m a b j : evaluateI L m a b j.+1 = let h := (L - j.+1)%N in
  obind (fun V => obind (fun v => omap (fun g s => clipI (pt (dotQ v (f h s (g s))))) (actions L m h))
    (round2 (fitI h V))) (evaluateI L m a b j).
Proof. by []. Qed.
Lemma evaluate_is L (B : derl.algorithm_two.algorithm.shape 2 M) m a b j V s :
  derl.algorithm_two.algorithm.matrix B = asM m ->
  evaluateI L m a b j = Some V ->
  inI (derl.algorithm_two.algorithm.evaluate phi (num beta5) s0 a0 w L B a b j s) (V s).
Proof.
move=> e; elim: j V s => [|j IH] V s.
  rewrite evaluateI0; case hg: (actions _ _ _) => [g|//] [<-].
  rewrite -[X in inI X _]/(derl.analysis.evaluation.entry_reward phi L a b s
    (derl.algorithm_two.algorithm.solved _ _ s0 a0 w L B L s)).
  rewrite (actions_is s e hg) /derl.analysis.evaluation.entry_reward !entry_is.
  rewrite (_ : _ / _ = num ((1 + entry (f L s (g s)) a * entry (f L s (g s)) b) / (1 + 1))%Q) ?in_pt //.
  by rewrite /Qdiv numM numV !numD numM !num1.
rewrite evaluateIS => /(@bindP _ _ _ _ _)[W hW] /(@bindP _ _ _ _ _)[v hv]; case hg: (actions _ _ _) => [g|//]
  [<-].
apply: in_clip; rewrite (actions_is s e hg) (round2_is _ hv) ?dot_is ?in_pt //.
by apply: fit_is => s'; exact: IH.
Qed.
Lemma estimate_is L (B : derl.algorithm_two.algorithm.shape 2 M) m i : derl.algorithm_two.algorithm.matrix B
  = asM m ->
  estimateI L m = Some i -> inM (derl.algorithm_two.algorithm.estimate phi rho (num beta5) s0 a0 w L B) i.
Proof.
move=> e; have one a b j : omap (fun V => addI (sclI (1 + 1)%Q (sumI V)) (pt (- 1)%Q)) (evaluateI L m a b L)
  = Some j ->
    inI (derl.algorithm_two.algorithm.estimate phi rho (num beta5) s0 a0 w L B a b) j.
  case hV: (evaluateI _ _ _ _ _) => [V|//] [<-]; rewrite mxE.
  have minus : - 1 = num (- 1)%Q by rewrite -num1 -numN.
  have two : 2%:R = num (1 + 1)%Q by rewrite numD num1 mulr2n.
  rewrite minus two; apply: in_add (in_pt _); apply: in_scl; apply: sum_is => s; exact: (evaluate_is s e hV).
rewrite /estimateI => /(@bindP _ _ _ _ _)[a ha] /(@bindP _ _ _ _ _)[b hb] /(@bindP _ _ _ _ _)[c hc].
case hd: (omap _ (evaluateI _ _ _ _ _)) => [d|//] [<-].
by apply/and4P; split; [exact: one ha|exact: one hb|exact: one hc|exact: one hd].
Qed.
(* the loop *)
Fixpoint summedI L k : option iv4 := if k is k'.+1 then
    obind (fun X => obind (fun m => omap (addM X) (estimateI L m)) (round4 X)) (summedI L k')
  else Some (pt4 one4).
Definition shapeI L k : option M4 := obind round4 (summedI L k).
Definition limit : Q := (inject_Z 3 / inject_Z 8 * (nu * nu))%Q.
Definition stopsI L k : option bool := obind (fun m => obind (fun i : iv =>
  if Qle_bool i.2 limit then Some true else if ~~ Qle_bool i.1 limit then Some false else None) (optimumI L
    m))
  (shapeI L k.+1).
Fixpoint findI (p : nat -> option bool) (l : seq nat) : option nat :=
  if l is x :: l' then obind (fun b : bool => if b then Some 0%N else omap S (findI p l')) (p x) else Some
    0%N.
Definition lastI L : option nat := findI (stopsI L) (iota 0 imax).
Definition memberI L k h s : option bool := obind (fun m => solvedI L m h s) (shapeI L k).
Lemma summedIS L k : summedI L k.+1 =
  obind (fun X => obind (fun m => omap (addM X) (estimateI L m)) (round4 X)) (summedI L k).
Proof. by []. Qed.
Lemma summed_is L k i : summedI L k = Some i ->
  inM (derl.algorithm_two.algorithm.summed M phi rho (num beta5) s0 a0 w L k) i.
Proof.
elim: k i => [|k IH] i; first by move=> [<-]; rewrite [X in inM X](one4_is) in_pt4.
rewrite summedIS => /(@bindP _ _ _ _ _)[X hX] /(@bindP _ _ _ _ _)[m hm]; case hE: (estimateI _ _) => [E|//]
  [<-].
apply: in_addM; first exact: IH.
by apply: (estimate_is _ hE); apply: round4_is hm; exact: IH.
Qed.
Lemma shape_is L k m : shapeI L k = Some m ->
  derl.algorithm_two.algorithm.matrix (derl.algorithm_two.algorithm.shape_of M phi rho (num beta5) s0 a0 w L
    k) = asM m.
Proof. by move=> /(@bindP _ _ _ _ _)[X hX hm]; apply: round4_is hm; exact: summed_is. Qed.
Lemma stops_is L k b : stopsI L k = Some b ->
  derl.algorithm_two.algorithm.stops M phi rho (num beta5) (num nu) s0 a0 w L k = b.
Proof.
rewrite /stopsI => /(@bindP _ _ _ _ _)[m hm] /(@bindP _ _ _ _ _)[i hi].
have /andP[lo hi'] := optimum_is (shape_is hm) hi.
rewrite /derl.algorithm_two.algorithm.stops [X in _ <= X](_ : _ = num limit); last first.
  by rewrite /limit /Qdiv !numM numV (num_nat 3) (num_nat 8).
case: ifP => [h [<-]|_]; first exact: (le_trans hi' (num_le h)).
by case: ifP => // h [<-]; apply/negbTE; rewrite -ltNge; exact: (lt_le_trans (num_lt h) lo).
Qed.
Lemma find_is p pI l n : (forall k b, pI k = Some b -> p k = b) -> findI pI l = Some n -> find p l = n.
Proof.
move=> h; elim: l n => [|x l IH] n /=; first by move=> [<-].
move=> /(@bindP _ _ _ _ _)[b /h ->]; case: b; first by move=> [<-].
by case e: (findI _ _) => [k|//] [<-]; rewrite (IH _ e).
Qed.
Lemma last_policy_is L n : lastI L = Some n ->
  derl.algorithm_two.algorithm.last_policy M imax phi rho (num beta5) (num nu) s0 a0 w L = n.
Proof. by apply: find_is => k b; exact: stops_is. Qed.
Lemma last_is L n : lastI L = Some n ->
  derl.algorithm_two.mixtures.last (derl.algorithm_two.algorithm.explore M imax phi rho (num beta5) (num nu)
    s0 a0 w L) = n.
Proof. by apply: find_is => k b; exact: stops_is. Qed.
Lemma member_is L k h s b : memberI L k h s = Some b ->
  derl.algorithm_two.mixtures.member (derl.algorithm_two.algorithm.explore M imax phi rho (num beta5) (num
    nu) s0 a0 w L) k h s = b.
Proof. by move=> /(@bindP _ _ _ _ _)[m hm hb]; exact: (solved_is (shape_is hm) hb). Qed.
(* planning *)
Variables (theta : nat -> V2).
Fixpoint plannedI L j : option (V2 * M4) := if j is j'.+1 then
    let h := (L - j)%N in
    let out q := obind (fun v => omap (pair v) (sigmaI h)) (round2 (addV
      (fitI h (fun s => if j' is 0%N then pt 0%Q else topI (planScoreI L q h.+1 s))) (pt2 (theta h)))) in
    obind out (plannedI L j')
  else omap (pair (0, 0)%Q) (round4 (pt4 (0, 0, 0, 0)%Q)).
Definition planI L h s : option bool := obind (fun q => bestI (planScoreI L q h s)) (plannedI L (L - h)).
Lemma plannedI0 L : plannedI L 0 = omap (pair (0, 0)%Q) (round4 (pt4 (0, 0, 0, 0)%Q)).
Proof. by []. Qed.
Lemma plannedIS L j : plannedI L j.+1 = let h := (L - j.+1)%N in
  obind (fun q => obind (fun v => omap (pair v) (sigmaI h)) (round2 (addV
      (fitI h (fun s => if j is 0%N then pt 0%Q else topI (planScoreI L q h.+1 s))) (pt2 (theta h)))))
        (plannedI L j).
Proof. by []. Qed.
Lemma planned_is L j q : plannedI L j = Some q ->
  means (derl.algorithm_two.algorithm.planned M phi (num beta) s0 a0 w L (fun h => asV (theta h)) j) q.
Proof.
elim: j q => [|j IH] q.
  rewrite plannedI0; case hm: (round4 _) => [m|//] [<-]; split; first exact: origin_is.
  apply: round4_is hm; rewrite (_ : 0 = asM (0, 0, 0, 0)%Q) ?in_pt4 //.
  by rewrite [LHS]eq_mt !mxE /= num0.
rewrite plannedIS => /(@bindP _ _ _ _ _)[r /IH hr] /(@bindP _ _ _ _ _)[v hv]; case es: (sigmaI _) => [m'|//]
  [<-].
split; last exact: (sigma_is es).
apply: round2_is hv; apply: in_addV (in_pt2 _); apply: fit_is => s.
case: j {IH es} hr => [|j] hr; first by rewrite -num0 in_pt.
by apply: top_is => a; exact: plan_score_is.
Qed.
Lemma plan_is L h s b : planI L h s = Some b ->
  derl.algorithm_two.algorithm.plan M phi (num beta) s0 a0 w L (fun h => asV (theta h)) h s = b.
Proof.
by move=> /(@bindP _ _ _ _ _)[q hq hb]; apply: best_of hb => a; apply: plan_score_is; exact: planned_is.
Qed.
End Run.
(* batches of two layers: step number i of layer h in batch k *)
Section Data.
Variables (N : nat) (s0 a0 : bool) (steps : nat -> nat -> nat -> bool * bool).
Local Notation O := (derl.algorithm_one.trajectory_law.batch bool_finType bool_finType N 2).
Definition batch_of k : O := [ffun i : 'I_N => [tuple steps k 0 i; steps k 1 i]].
Definition given n : nat -> O := nth (derl.algorithm_two.algorithm.nothing N 2 s0 a0) (mkseq batch_of n).
Definition step_at n k h i := if (k < n)%N && (h < 2)%N then steps k h i else (s0, a0).
Definition seen n k := mkseq (fun i => (step_at n k k i, (step_at n k k.+1 i).1)) N.
Lemma given_is n k h i : nth (s0, a0) (given n k i) h = step_at n k h i.
Proof.
rewrite /given /step_at; case: ltnP => kn; last first.
  by rewrite [nth _ (mkseq _ _) _]nth_default ?size_mkseq // /derl.algorithm_two.algorithm.nothing ffunE;
    case: h => [|[|[|h]]].
by rewrite nth_mkseq // ffunE /=; case: h => [|[|h]] //=; rewrite nth_nil.
Qed.
Lemma seen_size n h : size (seen n h) = N. Proof. exact: size_mkseq. Qed.
Lemma seen_here n h (i : 'I_N) : derl.algorithm_two.mixtures.here (s0, a0) h (given n h) i = (nth ((s0, a0),
  s0) (seen n h) i).1.
Proof. by rewrite nth_mkseq // /derl.algorithm_two.mixtures.here given_is. Qed.
Lemma seen_next n h (i : 'I_N) : derl.algorithm_two.mixtures.next_state (s0, a0) h (given n h) i = (nth ((s0,
  a0), s0) (seen n h) i).2.
Proof. by rewrite nth_mkseq // /derl.algorithm_two.mixtures.next_state given_is. Qed.
End Data.
(* what Algorithm 2 deploys after n of these batches, and what it plans after two *)
Section Strategy.
Variables (N M imax : nat) (f : nat -> bool -> bool -> V2) (rho0 : bool -> Q) (beta beta5 nu : Q) (s0 a0 :
  bool).
Variables (steps : nat -> nat -> nat -> bool * bool) (theta : nat -> V2).
Hypothesis M0 : (0 < M)%N.
Local Notation psi := (derl.algorithm_two.algorithm.algorithm_two N 2 M imax (phi f) (rho rho0) (num beta)
  (num beta5) (num nu)
  s0 a0).
Local Notation data := (seen N s0 a0 steps).
Let sizes n := @seen_size N s0 a0 steps n.
Let heres n := @seen_here N s0 a0 steps n.
Let nexts n := @seen_next N s0 a0 steps n.
Lemma deployed_is n : deploy psi (mkseq (batch_of N steps) n) =
  (n, derl.algorithm_two.algorithm.explore M imax (phi f) (rho rho0) (num beta5) (num nu) s0 a0 (given N s0
    a0 steps n) n).
Proof. by rewrite [LHS]/= size_mkseq. Qed.
Lemma deployed_layer n : (deploy psi (mkseq (batch_of N steps) n)).1 = n.
Proof. by rewrite deployed_is. Qed.
Lemma deployed_last n l : lastI M imax f rho0 beta5 nu (data n) n = Some l ->
  derl.algorithm_two.mixtures.last (deploy psi (mkseq (batch_of N steps) n)).2 = l.
Proof. by rewrite deployed_is; apply: (last_is (w := given N s0 a0 steps n) M0 (sizes n) (heres n) (nexts
  n)). Qed.
Lemma deployed_member n k h s b : memberI M f rho0 beta5 (data n) n k h s = Some b ->
  derl.algorithm_two.mixtures.member (deploy psi (mkseq (batch_of N steps) n)).2 k h s = b.
Proof. by rewrite deployed_is; apply: (member_is imax nu (w := given N s0 a0 steps n) M0 (sizes n) (heres n)
  (nexts n)). Qed.
Lemma planned_action L h s b : planI M f beta (data 2) theta L h s = Some b ->
  output psi (mkseq (batch_of N steps) 2) L (fun h => asV (theta h)) h s = b.
Proof. exact: (plan_is (w := given N s0 a0 steps 2) M0 (sizes 2) (heres 2) (nexts 2)). Qed.
Lemma loop_matrix n k m : shapeI M f rho0 beta5 (data n) n k = Some m ->
  derl.algorithm_two.algorithm.matrix (derl.algorithm_two.algorithm.shape_of M (phi f) (rho rho0) (num beta5)
    s0 a0
    (given N s0 a0 steps n) n k) = asM m.
Proof. exact: (shape_is (w := given N s0 a0 steps n) M0 (sizes n) (heres n) (nexts n)). Qed.
Lemma loop_value n k m i : shapeI M f rho0 beta5 (data n) n k = Some m -> optimumI M f rho0 beta5 (data n) n
  m = Some i ->
  inI (derl.algorithm_two.algorithm.optimum (phi f) (rho rho0) (num beta5) s0 a0 (given N s0 a0 steps n) n
    (derl.algorithm_two.algorithm.shape_of M (phi f) (rho rho0) (num beta5) s0 a0 (given N s0 a0 steps n) n
      k)) i.
Proof. by move=> h; apply: (optimum_is (w := given N s0 a0 steps n) M0 (sizes n) (heres n) (nexts n)); exact:
  loop_matrix. Qed.
End Strategy.
(* multiples of 1/10 *)
Definition tenths (n : nat) : Q := Qmake (Z.of_nat n) 10.
Definition minus_tenths (n : nat) : Q := Qopp (tenths n).
End Refined.
Delimit Scope rat_scope with Q.
Delimit Scope ring_scope with R.
