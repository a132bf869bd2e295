(* Near variants of the pieces of the end-to-end theorem that are false. *)
From derl.common Require Import real_prelude forms reals.
From derl.potential Require Import count sharp.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite exponential hoeffding.
From derl.layerwise Require Import optimism.
From derl.algorithm_one Require Import adaptive_product grid values.
Local Arguments exp x%R.

(* half of the variance proxy is too little: a fair coin *)
Theorem hoeffding_step_control : ~ (forall (T : finType) (p g : T -> R) (B s : R), is_law p -> 0 < B ->
  (forall t, 0 <= g t <= B) ->
  \sum_t p t * exp (s * (g t - mean p g) - s ^+ 2 * B ^+ 2 / 16%:R) <= 1).
Proof.
move=> claim; pose p (t : bool) : R := (2%:R^-1)%R; pose g (t : bool) : R := (t%:R)%R.
have hp : is_law p by split=> [t|]; rewrite /p ?invr_ge0 ?ler0n // big_bool /=; field.
have m : mean p g = 2%:R^-1 by rewrite /mean big_bool /p /g /= mulr1 mulr0 addr0.
have hg t : 0 <= g t <= 1 by rewrite /g ler0n lern1 leq_b1.
have := claim bool_finType p g 1%R 1%R hp ltr01 hg.
rewrite leNgt => /negP; apply; rewrite big_bool m -[X in _ < X]/(2%:R^-1 * _ + 2%:R^-1 * _) -mulrDr /g.
have e (b : bool) (x : R) : 1 * (b%:R - 2%:R^-1) - 1 ^+ 2 * 1 ^+ 2 / 16%:R = x + x ->
    exp (1 * (b%:R - 2%:R^-1) - 1 ^+ 2 * 1 ^+ 2 / 16%:R) = exp x * exp x by move=> ->; exact: expD.
rewrite (e true (7%:R / 32%:R)%R) ?(e false (- (9%:R / 32%:R))%R); try by (rewrite /=; field).
have sq (x y : R) : 0 <= y -> y <= 1 + x -> y * y <= exp x * exp x.
  by move=> y0 yx; have h : y <= exp x by [apply: le_trans yx _; apply/RleP; exact: exp_ge]; exact: ler_pmul.
have h1 := sq (7%:R / 32%:R)%R (39%:R / 32%:R)%R; have h2 := sq (- (9%:R / 32%:R))%R (23%:R / 32%:R)%R.
have up (p' q : nat) (x y : R) : y - x = p'%:R / q%:R -> x <= y.
  by move=> e'; rewrite -subr_ge0 e' divr_ge0 ?ler0n.
apply: lt_le_trans (ler_wpmul2l _ (ler_add (h1 _ _) (h2 _ _))); rewrite ?invr_ge0 ?divr_ge0 ?ler0n //.
- rewrite -subr_gt0.
  have -> : 2%:R^-1 * (39%:R / 32%:R * (39%:R / 32%:R) + 23%:R / 32%:R * (23%:R / 32%:R)) - 1 = 1024%:R^-1 :> R
    by field.
  by rewrite invr_gt0 ltr0n.
- by apply: (up 0%N 1%N); field.
by apply: (up 0%N 1%N); field.
Qed.

(* a mean of at most 1 under the law of the first deployment says nothing of the second *)
Theorem history_exponential_control : ~ (forall (O : finType) (D X : Type) (law : D -> O -> R) (psi : strategy O D X)
    (o0 : O) (f : nat -> O -> R) (L : R) k K, (forall x, is_law (law x)) -> (k <= K)%N ->
  (forall j, \sum_o law (deploy psi [::]) o * exp (f j o) <= 1) ->
  prob (fun h : K.-tuple O => history law psi [::] h) (fun h => L < \sum_(j < k) f j (nth o0 h j)) <= exp (- L)).
Proof.
move=> claim; pose law (x o : bool) : R := ((o == x)%:R)%R.
pose psi := Strategy (fun h : seq bool => nilp h) (fun _ => tt);
  pose f (j : nat) (o : bool) : R := if o then 0 else 2%:R.
have hl x : is_law (law x).
  by split=> [o|]; rewrite /law ?ler0n // big_bool /=; case: x; rewrite ?addr0 ?add0r.
have h0 (j : nat) : \sum_o law (deploy psi [::]) o * exp (f j o) <= 1.
  by rewrite big_bool /law /f /= mul0r addr0 mul1r exp_0.
have := claim bool_finType bool unit law psi true f 1%R 2%N 2%N hl (leqnn 2) h0.
rewrite leNgt => /negP; apply; rewrite /prob (bigD1 [tuple true; false]) /=; last first.
  by rewrite !big_ord_recl big_ord0 /f /= add0r addr0 ltr1n.
rewrite (_ : law _ _ * _ = 1) ?big1 ?addr0; last 2 first.
- move=> [[|a [|b [|? ?]]] // s] /= /andP[_ ne].
  rewrite /law /=; case: a s ne => s ne; last by rewrite !mul0r.
  by case: b s ne => s ne; rewrite /= ?mul0r ?mulr0 //; case/eqP: ne; apply/val_inj.
- by rewrite /= /law /= mul1r mulr1.
have e : exp (- (1 : R)) * exp 1 = 1 by rewrite -expD addNr exp_0.
rewrite -[ltRHS]e ltr_pmulr ?exp_pos' //; apply: lt_le_trans (_ : 1 + 1 <= _); first by rewrite ltr_addl ltr01.
by apply/RleP; exact: exp_ge.
Qed.

(* a grid that is too coarse for the number of data: -1, 0 and 1 for 24 data in one dimension *)
Theorem grid_norm_control : ~ (forall M, (0 < M)%N -> forall d n (G : 'M[R]_d) (S : 'cV[R]_d) (scale kappa L : R),
  psd G -> (forall e, qf G e <= n%:R * qf 1%:M e) ->
  0 < scale -> 0 <= kappa -> 0 <= L ->
  (forall f, scale * ((point f)^T *m S) ord0 ord0 - kappa * qf G (@point M d f) <= L) ->
  Num.sqrt (qf (invmx (1%:M + G)) S) <= (9%:R / 4%:R * kappa + L) * 2%:R / scale).
Proof.
move=> claim; pose G : 'M[R]_1 := 24%:R%:M; pose S : 'cV[R]_1 := 24%:R%:M.
have q (a : R) (x : 'cV[R]_1) : qf (a%:M) x = a * x ord0 ord0 ^+ 2.
  rewrite /qf /bil mul_mx_scalar -scalemxAl mxE; congr (_ * _); by rewrite mxE big_ord1 mxE.
have pG : psd G by split=> [|x]; [exact: tr_scalar_mx|rewrite q mulr_ge0 ?ler0n ?sqr_ge0].
have hG e : qf G e <= 24%:R * qf 1%:M e by rewrite !q mul1r.
have tests h : 1 * ((@point 1 1 h)^T *m S) ord0 ord0 - 1 * qf G (point h) <= 0.
  rewrite q !mul1r mxE big_ord1 !mxE mulr1n; set x := level _.
  have hx : x <= x ^+ 2.
    rewrite /x /level natrX expr1n divr1; case: (h ord0) => -[|[|[|j]]] //= _.
    + by rewrite sub0r sqrrN expr1n; apply: le_trans ler01; rewrite oppr_le0 ler01.
    + by rewrite subrr expr0n.
    by rewrite -[2%:R]/(1 + 1 : R) addrK expr1n.
  by rewrite subr_le0 mulrC ler_wpmul2l ?ler0n.
have := claim 1%N isT 1%N 24%N G S 1%R 1%R 0%R pG hG ltr01 ler01 (lexx 0) tests.
have i : invmx (1%:M + G) = (25%:R^-1)%:M.
  by rewrite /G -raddfD /= -[1 + 24%:R]/(1%:R + 24%:R) -natrD invmx_scalar.
rewrite i q mxE mulr1n (_ : 25%:R^-1 * 24%:R ^+ 2 = (24%:R / 5%:R) ^+ 2); last by field.
rewrite sqrtr_sqr ger0_norm ?divr_ge0 ?ler0n // leNgt => /negP; apply; rewrite -subr_gt0.
have -> : 24%:R / 5%:R - (9%:R / 4%:R * 1 + 0) * 2%:R / 1 = 3%:R / 10%:R :> R by field.
by rewrite divr_gt0 ?ltr0n.
Qed.

(* an entry of beta^2 Lambda^-1 that is off by t changes the value by the root of t *)
Theorem candidate_near_control : ~ (forall (S A : finType) (d : nat) (f : S -> A -> 'cV[R]_d) (rew : S -> A -> R)
  (top : R), (forall s a, qf 1%:M (f s a) <= 1) ->
  forall (x x' : 'cV[R]_d) (L B : 'M[R]_d) (beta c t : R) (V : S -> R) s b,
  0 <= beta -> 0 <= t -> pd L ->
  (forall i, `|x i ord0 - x' i ord0| <= c) -> (forall i j, `|(beta ^+ 2 *: invmx L) i j - B i j| <= c) ->
  d%:R * c <= t -> d%:R * (d%:R * c) <= t ->
  let q a := Num.min ((x^T *m f s a) ord0 ord0 + rew s a + beta * Num.sqrt (qf (invmx L) (f s a))) top in
  (forall a, q a <= V s) -> V s = q b -> 0 <= V s ->
  `|V s - candidate f rew top x' B s| <= 2%:R * t).
Proof.
move=> claim; pose f (s a : unit) : 'cV[R]_1 := 1%:M; pose t : R := (16%:R^-1)%R.
have q (a : R) (x : 'cV[R]_1) : qf (a%:M) x = a * x ord0 ord0 ^+ 2.
  rewrite /qf /bil mul_mx_scalar -scalemxAl mxE; congr (_ * _); by rewrite mxE big_ord1 mxE.
have t0 : 0 <= t by rewrite invr_ge0 ler0n.
have z (a : unit) : Num.min (((0 : 'cV[R]_1)^T *m f tt a) ord0 ord0 + 0 + 0 * Num.sqrt (qf (invmx 1%:M) (f tt a))) 1 =
  0.
  by rewrite trmx0 mul0mx mxE mul0r !addr0; apply/min_idPl; exact: ler01.
have h1 (s a : unit) : qf 1%:M (f s a) <= 1 by rewrite q mxE mulr1n expr1n mulr1.
have h2 (i : 'I_1) : `|(0 : 'cV[R]_1) i ord0 - (0 : 'cV[R]_1) i ord0| <= t by rewrite !mxE subrr normr0.
have h3 (i j : 'I_1) : `|(0 ^+ 2 *: invmx 1%:M : 'M[R]_1) i j - (t%:M : 'M[R]_1) i j| <= t.
  by rewrite expr0n /= scale0r !mxE !ord1 eqxx mulr1n sub0r normrN ger0_norm.
have h4 : 1%:R * t <= t by rewrite mul1r.
have h5 : 1%:R * (1%:R * t) <= t by rewrite !mul1r.
have h6 a : Num.min (((0 : 'cV[R]_1)^T *m f tt a) ord0 ord0 + 0 + 0 * Num.sqrt (qf (invmx 1%:M) (f tt a))) 1 <= 0.
  by rewrite z.
have := claim unit_finType unit_finType 1%N f (fun _ _ => 0%R) 1%R h1 0 0 1%:M t%:M 0%R t t (fun _ => 0%R) tt tt
  (lexx 0) t0 (pd1 _ 1) h2 h3 h4 h5 h6 (esym (z tt)) (lexx 0).
rewrite sub0r normrN leNgt => /negP; apply.
have v : 4%:R^-1 <= candidate f (fun _ _ => 0%R) 1%R 0 t%:M tt.
  apply: le_trans (big_max_ge (level_of f (fun _ _ => 0%R) 1%R 0 t%:M tt) tt).
  rewrite /level_of trmx0 mul0mx mxE !add0r q mxE mulr1n expr1n mulr1 ger0_norm //.
  rewrite (_ : t = 4%:R^-1 ^+ 2); last by rewrite /t; field.
  by rewrite sqrtr_sqr ger0_norm ?invr_ge0 ?ler0n // le_minr lexx invf_le1 ?ltr0n // ler1n.
apply: lt_le_trans (le_trans v (ler_norm _)); rewrite /t -subr_gt0.
have -> : 4%:R^-1 - 2%:R / 16%:R = 8%:R^-1 :> R by field.
by rewrite invr_gt0 ltr0n.
Qed.
