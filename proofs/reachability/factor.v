(* The factor d - 1 between nu^2 and the best smallest eigenvalue: right for every linear MDP, and no smaller one is. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.common Require Import forms determinants.
From derl.reachability Require Import coefficient certificates sandwich.

Section Rounding.
Variable R : archiFieldType.
(* rounding down *)
Lemma round_down (x : R) : 0 <= x -> exists c : nat, c%:R <= x < c.+1%:R.
Proof.
move=> x0; have P0 : exists c : nat, c%:R <= x by exists 0%N.
have Pb (c : nat) : c%:R <= x -> (c <= Num.bound x)%N.
  by move=> cx; rewrite -(ler_nat R); apply/ltW/(le_lt_trans cx)/archi_boundP.
case: (ex_maxnP P0 Pb) => c cx cmax; exists c; rewrite cx ltNge /=; apply/negP => /cmax.
by rewrite ltnn.
Qed.

(* a length is almost 1 after a change of scale *)
Lemma near_one (W g : R) : 0 < W -> 0 < g -> exists2 t, 0 <= t & 1 - g <= t ^+ 2 * W <= 1.
Proof.
move=> W0 g0; pose J := (Num.bound (2%:R / g)).+1; pose M := (Num.bound W).+1; pose N := (J * M)%N.
have MW : W <= M%:R ^+ 2.
  have h : W <= M%:R by apply/ltW/(lt_trans (archi_boundP (ltW W0))); rewrite ltr_nat.
  by apply: le_trans h _; rewrite expr2 ler_pemulr ?ler0n // ler1n.
have N0 : 0 < N%:R ^+ 2 :> R by rewrite exprn_gt0 // ltr0n.
pose P (j : nat) := j%:R ^+ 2 * W <= N%:R ^+ 2.
have PJ : P J.
  by rewrite /P /N natrM exprMn ler_pmul2l // exprn_gt0 // ltr0n.
have Pb j : P j -> (j <= Num.bound (N%:R ^+ 2 / W))%N.
  move=> h; rewrite -(ler_nat R); apply/ltW/(le_lt_trans _ (archi_boundP _)); last by rewrite divr_ge0 ?ltW.
  rewrite ler_pdivl_mulr //; apply: le_trans h; rewrite ler_pmul2r //.
  by rewrite -natrX ler_nat; case: j => // j; rewrite expnS expn1 leq_pmull.
case: (ex_maxnP (ex_intro _ J PJ) Pb) => j Pj jmax; have Jj := jmax _ PJ.
exists (j%:R / N%:R); first by rewrite divr_ge0 ?ler0n.
have Pj' : j%:R ^+ 2 * W <= N%:R ^+ 2 := Pj.
rewrite expr_div_n mulrAC ler_pdivr_mulr // mul1r Pj' andbT ler_pdivl_mulr //.
have lt : N%:R ^+ 2 < j.+1%:R ^+ 2 * W.
  by rewrite ltNge; apply/negP => /jmax; rewrite ltnn.
have j1 : 0 < j.+1%:R :> R by rewrite ltr0n.
case: (lerP (1 - g) 0) => gneg.
  by apply: le_trans (_ : 0 <= _); [rewrite mulr_le0_ge0 // ltW|rewrite mulr_ge0 ?sqr_ge0 // ltW].
apply: (@le_trans _ _ ((1 - g) * (j.+1%:R ^+ 2 * W))); first by rewrite ler_pmul2l // ltW.
rewrite mulrA ler_pmul2r //.
have big : 2%:R <= g * j.+1%:R.
  rewrite mulrC -ler_pdivr_mulr //; apply/ltW/(lt_le_trans (archi_boundP _)); first by rewrite divr_ge0 ?ler0n ?ltW.
  by rewrite ler_nat (leq_trans _ (leqW Jj)) // leqnSn.
have -> : j%:R = j.+1%:R - 1 :> R by rewrite -addn1 natrD addrK.
rewrite -subr_ge0; have -> : (j.+1%:R - 1) ^+ 2 - (1 - g) * j.+1%:R ^+ 2 = (g * j.+1%:R - 2%:R) * j.+1%:R + 1 by ring.
by apply: addr_ge0; rewrite ?ler01 // mulr_ge0 ?subr_ge0 // ltW.
Qed.
End Rounding.

Section Take.
Variable R : realFieldType.
(* one state: a policy takes one action; mixtures of policies take several *)
Definition take (T : finType) (i t : T) : R := (t == i)%:R.

Lemma take_law (T : finType) (i : T) : is_law (take i).
Proof.
split=> [t|]; first exact: ler0n.
by rewrite /take (bigD1 i) //= eqxx big1 ?addr0 // => t /negPf ->.
Qed.
Lemma take_mean (T : finType) (i : T) (g : T -> R) : mean (take i) g = g i.
Proof.
by rewrite /mean /take (bigD1 i) //= eqxx mul1r big1 ?addr0 // => t /negPf ->; rewrite mul0r.
Qed.
Lemma take_moment d (T : finType) (phi : T -> 'cV[R]_d) theta (w : {w : T -> R | is_law w}) :
  mixed_moment phi (@take T) theta w = \sum_t sval w t * ((phi t)^T *m theta) ord0 ord0 ^+ 2.
Proof. by apply: eq_bigr => t _; rewrite take_mean. Qed.
End Take.

Section Sphere.
Variables (R : archiFieldType) (k n : nat).
Hypothesis n0 : (0 < n)%N.
(* the points of a grid in the ball *)
Definition grid := [finType of {ffun 'I_k -> 'I_(n.*2.+1)}].
Definition grid_point (f : grid) (j : 'I_k) : R := (f j : nat)%:R / n%:R - 1.
Definition in_ball (f : grid) := \sum_j grid_point f j ^+ 2 <= 1.
(* features (4/5, 3/5 u), u in the ball; points outside count as the middle *)
Definition round_feature (f : grid) : 'cV[R]_k.+1 :=
  \col_i (if unlift ord0 i is Some j then 3%:R / 5%:R * (if in_ball f then grid_point f j else 0) else 4%:R / 5%:R).
Lemma round_dot f (theta : 'cV[R]_k.+1) : ((round_feature f)^T *m theta) ord0 ord0 =
  4%:R / 5%:R * theta ord0 ord0 + 3%:R / 5%:R * \sum_j (if in_ball f then grid_point f j else 0) * theta (lift ord0 j)
  ord0.
Proof.
rewrite mxE big_ord_recl !mxE unlift_none mulr_sumr; congr (_ + _); apply: eq_bigr => j _.
by rewrite !mxE liftK mulrA.
Qed.
Lemma round_sums : sums_to_one round_feature.
Proof.
exists (5%:R / 4%:R *: delta_mx ord0 ord0) => f; rewrite round_dot big1 => [|j _]; last by rewrite !mxE /= !mulr0.
by rewrite !mxE eqxx /= mulr0 addr0 mulr1; field.
Qed.
Lemma round_short f : qf 1%:M (round_feature f) <= 1.
Proof.
rewrite qfE big_ord_recl !mxE unlift_none.
have -> : \sum_(i < k) round_feature f (lift ord0 i) ord0 ^+ 2 =
    (3%:R / 5%:R) ^+ 2 * \sum_j (if in_ball f then grid_point f j else 0) ^+ 2.
  by rewrite mulr_sumr; apply: eq_bigr => j _; rewrite !mxE liftK exprMn.
have ball : \sum_j (if in_ball f then grid_point f j else 0) ^+ 2 <= 1.
  by case: (boolP (in_ball f)) => [//|_]; rewrite big1 ?ler01 // => j _; rewrite expr0n.
have e : 1 = (4%:R / 5%:R) ^+ 2 + (3%:R / 5%:R) ^+ 2 * 1 :> R by field.
by rewrite [leRHS]e ler_add2l ler_wpmul2l ?sqr_ge0.
Qed.

(* one policy for all mixtures is not better than 9/25 over k *)
Lemma round_low (w : {w : grid -> R | is_law w}) : (0 < k)%N -> exists2 theta, theta != 0 &
  mixed_moment round_feature (@take R grid) theta w <= 9%:R / 25%:R / k%:R * qf 1%:M theta.
Proof.
move=> k0; pose e (j : 'I_k) : 'cV[R]_k.+1 := delta_mx (lift ord0 j) ord0.
have e1 j : qf 1%:M (e j) = 1 by rewrite -diag_qf mxE eqxx.
have dot f j : ((round_feature f)^T *m e j) ord0 ord0 = 3%:R / 5%:R * (if in_ball f then grid_point f j else 0).
  rewrite round_dot !mxE /= mulr0 add0r (bigD1 j) //= !mxE !eqxx mulr1 big1 ?addr0 // => i ij.
  by rewrite !mxE (inj_eq lift_inj) (negPf ij) /= mulr0.
case: (boolP [exists j, mixed_moment round_feature (@take R grid) (e j) w <= 9%:R / 25%:R / k%:R]) =>
  [/existsP [j le]|/existsPn no].
  by exists (e j); rewrite ?e1 ?mulr1 //; apply: contra_eqN (e1 j) => /eqP ->; rewrite qf0r eq_sym oner_eq0.
have : \sum_j mixed_moment round_feature (@take R grid) (e j) w <= 9%:R / 25%:R.
  have [u0 u1] := svalP w; under eq_bigr do rewrite take_moment.
  have e9 : 9%:R / 25%:R = \sum_f sval w f * (9%:R / 25%:R) by rewrite -mulr_suml u1 mul1r.
  rewrite exchange_big /= [leRHS]e9; apply: ler_sum => f _.
  rewrite -mulr_sumr ler_wpmul2l //; under eq_bigr do rewrite dot exprMn; rewrite -mulr_sumr.
  have -> : 9%:R / 25%:R = (3%:R / 5%:R) ^+ 2 * 1 :> R by field.
  rewrite ler_wpmul2l ?sqr_ge0 //; case: (boolP (in_ball f)) => [//|_]; rewrite big1 ?ler01 // => j _;
    by rewrite expr0n.
rewrite leNgt => /negP []; have -> : 9%:R / 25%:R = \sum_(j < k) (9%:R / 25%:R / k%:R) :> R.
  by rewrite sumr_const card_ord -[RHS]mulr_natr divfK // pnatr_eq0 -lt0n.
rewrite (bigD1 (Ordinal k0)) //= [ltRHS](bigD1 (Ordinal k0)) //= ltr_le_add //; first by rewrite ltNge no.
by apply: ler_sum => j _; rewrite ltW // ltNge no.
Qed.

(* some point of the grid sees a vector almost with its whole length *)
Lemma grid_sees (g : R) (x : 'I_k -> R) : 0 < g -> g <= 1 -> k%:R / n%:R <= g / 4%:R ->
  exists2 f : grid, in_ball f & (0 <= \sum_j grid_point f j * x j) /\
    ((1 - g / 2%:R) ^+ 2 * (\sum_j x j ^+ 2) <= (\sum_j grid_point f j * x j) ^+ 2).
Proof.
move=> g0 g1 ng; set W := \sum_j _.
have nR : 0 < n%:R :> R by rewrite ltr0n.
have W_ge0 : 0 <= W by apply: sumr_ge0 => j _; exact: sqr_ge0.
case: (eqVneq W 0) => [e|w0].
  have xz j : x j = 0.
    have /eqP := e; rewrite psumr_eq0 => [|i _]; last exact: sqr_ge0.
    by move=> /allP /(_ j (mem_index_enum j)); rewrite sqrf_eq0 => /eqP.
  have mid : (n < n.*2.+1)%N by rewrite ltnS -addnn leq_addr.
  exists [ffun=> Ordinal mid].
    by rewrite /in_ball big1 ?ler01 // => j _; rewrite /grid_point ffunE divff ?gt_eqF // subrr expr0n.
  by rewrite e mulr0 sqr_ge0 big1 ?lexx // => j _; rewrite xz mulr0.
have Wp : 0 < W by rewrite lt_def w0.
have g4 : 0 < g / 4%:R by rewrite divr_gt0 ?ltr0n.
have [t t0 /andP [tl tu]] := near_one Wp g4.
have tx j : t * `|x j| <= 1.
  have le : (t * `|x j|) ^+ 2 <= 1.
    apply: le_trans tu; rewrite exprMn real_normK ?num_real // ler_wpmul2l ?sqr_ge0 //.
    by rewrite /W (bigD1 j) //= ler_addl; apply: sumr_ge0 => i _; exact: sqr_ge0.
  rewrite leNgt; apply/negP => lt; move: le; rewrite leNgt => /negP [].
  by rewrite -[X in X < _](expr1n _ 2) ltr_pexpn2r ?nnegrE ?ler01 // ltW // (lt_trans ltr01).
have y0 j : 0 <= n%:R * (t * `|x j|) by rewrite !mulr_ge0 // ltW.
pose c j := xchoose (round_down (y0 j)).
have cP j : (c j)%:R <= n%:R * (t * `|x j|) < (c j).+1%:R := xchooseP (round_down (y0 j)).
have cn j : (c j <= n)%N.
  have /andP [le _] := cP j; rewrite -(ler_nat R); apply: le_trans le _.
  by rewrite -[leRHS]mulr1 ler_pmul2l.
have pos_in j : ((if (x j < 0)%R then n - c j else n + c j) < n.*2.+1)%N.
  by rewrite ltnS -addnn; case: ifP => _; [apply: leq_trans (leq_subr _ _) (leq_addr _ _)|rewrite leq_add2l].
pose f : grid := [ffun j => Ordinal (pos_in j)].
have fE j : grid_point f j = (-1) ^+ (x j < 0)%R * ((c j)%:R / n%:R).
  rewrite /grid_point ffunE /=; case: ifP => _; rewrite ?expr0 ?expr1 ?mul1r ?mulN1r.
    by rewrite natrB // mulrBl divff ?gt_eqF // addrAC subrr add0r.
  by rewrite natrD mulrDl divff ?gt_eqF // addrAC subrr add0r.
have cl j : (c j)%:R / n%:R <= t * `|x j|.
  by rewrite ler_pdivr_mulr // mulrC; case/andP: (cP j).
have cg j : t * `|x j| - n%:R^-1 <= (c j)%:R / n%:R.
  rewrite ler_pdivl_mulr // mulrBl mulVf ?gt_eqF // ler_subl_addr mulrC.
  by have /andP [_ /ltW] := cP j; rewrite -addn1 natrD.
have fx j : grid_point f j * x j = (c j)%:R / n%:R * `|x j|.
  rewrite fE; set s := (-1) ^+ _; have xs : x j = s * `|x j| by exact: numEsign.
  have ss : s * s = 1 by rewrite -expr2 sqrr_sign.
  by rewrite {1}xs mulrACA ss mul1r.
have ball : in_ball f.
  apply: le_trans tu; rewrite /W mulr_sumr; apply: ler_sum => j _.
  rewrite fE exprMn sqrr_sign mul1r -[x j ^+ 2]real_normK ?num_real // -exprMn.
  by rewrite ler_pexpn2r ?nnegrE ?divr_ge0 ?ler0n ?mulr_ge0.
exists f => //; under eq_bigr do rewrite fx.
set X := \sum_j _; have X0 : 0 <= X by apply: sumr_ge0 => j _; rewrite mulr_ge0 // divr_ge0 ?ler0n.
split=> //; have tX : 1 - g / 2%:R <= t * X.
  have lo : t ^+ 2 * W - k%:R / n%:R <= t * X.
    have -> : k%:R / n%:R = \sum_(j < k) n%:R^-1 :> R by rewrite sumr_const card_ord mulr_natl.
    rewrite /W /X !mulr_sumr -sumrB; apply: ler_sum => j _.
    have h : (t * `|x j| - n%:R^-1) * (t * `|x j|) <= (c j)%:R / n%:R * (t * `|x j|).
      by rewrite ler_wpmul2r // mulr_ge0.
    rewrite [leRHS]mulrCA; apply: le_trans h; rewrite mulrBl -expr2 exprMn real_normK ?num_real //.
    by rewrite ler_add2l ler_opp2 -[leRHS]mulr1 ler_pmul2l ?invr_gt0.
  apply: le_trans lo; rewrite ler_subr_addr; apply: le_trans tl.
  by rewrite -ler_subr_addl (le_trans ng) // le_eqVlt; apply/orP; left; apply/eqP; field.
have h0 : 0 <= 1 - g / 2%:R.
  by rewrite subr_ge0 ler_pdivr_mulr ?ltr0n // mul1r (le_trans g1) // ler1n.
apply: (@le_trans _ _ ((t * X) ^+ 2 * W)).
  by rewrite ler_pmul2r // ler_pexpn2r ?nnegrE // mulr_ge0.
by rewrite exprMn mulrAC -[leRHS]mul1r ler_wpmul2r ?sqr_ge0.
Qed.

(* every direction is seen by an action *)
Lemma round_high (g : R) theta : 0 < g -> g <= 1 -> k%:R / n%:R <= g / 4%:R -> exists w : {w : grid -> R | is_law w},
  9%:R / 25%:R * (1 - g / 2%:R) ^+ 2 * qf 1%:M theta <= mixed_moment round_feature (@take R grid) theta w.
Proof.
move=> g0 g1 ng; set mu := (1 - g / 2%:R) ^+ 2.
pose a := theta ord0 ord0; pose x j := theta (lift ord0 j) ord0.
pose z : R := if 0 <= a then 1 else -1.
have z2 : z * z = 1 by rewrite /z; case: ifP => _; rewrite ?mulr1 ?mulrNN ?mulr1.
have za : 0 <= z * a.
  by rewrite /z; case: (lerP 0 a) => h; rewrite ?mul1r // mulN1r oppr_ge0 ltW.
have [f ball [X0 sees]] := grid_sees (fun j => z * x j) g0 g1 ng.
exists (exist _ (take R f) (take_law R f)); rewrite take_moment /=.
rewrite (bigD1 f) //= {1}/take eqxx mul1r big1 ?addr0 => [|i /negPf fi]; last by rewrite /take fi mul0r.
rewrite round_dot ball -/a.
set X := \sum_j grid_point f j * (z * x j) in X0 sees.
have -> : \sum_j grid_point f j * theta (lift ord0 j) ord0 = z * X.
  by rewrite /X mulr_sumr; apply: eq_bigr => j _; rewrite -/(x j) mulrCA (mulrA z) z2 mul1r.
have norm : qf 1%:M theta = (z * a) ^+ 2 + \sum_j (z * x j) ^+ 2.
  have sq y : (z * y) ^+ 2 = y ^+ 2 by rewrite exprMn (expr2 z) z2 mul1r.
  by rewrite qfE big_ord_recl sq; congr (_ + _); apply: eq_bigr => j _; rewrite sq.
have mu1 : 0 <= mu <= 1.
  rewrite sqr_ge0 /mu /=; have h : 0 <= 1 - g / 2%:R <= 1.
    rewrite subr_ge0 ler_subl_addr ler_addl divr_ge0 ?ler0n ?(ltW g0) // andbT.
    by rewrite ler_pdivr_mulr ?ltr0n // mul1r (le_trans g1) // ler1n.
  by case/andP: h => h0 h1; rewrite -[leRHS](expr1n _ 2) ler_pexpn2r ?nnegrE.
rewrite norm mulrDr; set Y := \sum_j _ in sees *.
have -> : (4%:R / 5%:R * a + 3%:R / 5%:R * (z * X)) ^+ 2 =
    16%:R / 25%:R * (z * a) ^+ 2 + (24%:R / 25%:R * (z * a * X) + 9%:R / 25%:R * X ^+ 2 * (z * z)) +
    (1 - z * z) * (16%:R / 25%:R * a ^+ 2) .
  by move: (z) (a) (X) => u v y; field.
rewrite z2 subrr mul0r addr0 mulr1; have /andP [m0 m1] := mu1.
apply: ler_add.
  apply: ler_wpmul2r; first exact: sqr_ge0.
  apply: (@le_trans _ _ (9%:R / 25%:R)); first by rewrite -[leRHS]mulr1 ler_wpmul2l // divr_ge0 ?ler0n.
  by rewrite ler_pmul2r ?invr_gt0 ?ltr0n // ler_nat.
apply: (@le_trans _ _ (9%:R / 25%:R * X ^+ 2)).
  by rewrite -mulrA ler_wpmul2l // divr_ge0 ?ler0n.
by rewrite ler_addr mulr_ge0 ?divr_ge0 ?ler0n // mulr_ge0.
Qed.
End Sphere.

Section Twelve.
Variable R : realFieldType.
Lemma twelve_moments theta (w : {w : 'I_12 -> R | is_law w}) :
  mixed_moment (@twelve R) (@take R _) theta w = twelve_moment theta w.
Proof. exact: take_moment. Qed.

(* the four points on the axes, by their places in the list *)
Definition four_points (k : 'I_12) : R := if val k \in [:: 0; 5; 6; 11]%N then 4%:R^-1 else 0.
Lemma four_law : is_law four_points.
Proof.
split=> [k|]; first by rewrite /four_points; case: ifP => _; rewrite ?invr_ge0 ?ler0n.
by rewrite !big_ord_recl big_ord0 /four_points /=; field.
Qed.
Lemma twelve_norm (theta : 'cV[R]_3) : qf 1%:M theta = theta 0 0 ^+ 2 + theta 1 0 ^+ 2 + theta 2%:R 0 ^+ 2.
Proof.
rewrite qfE !big_ord_recl big_ord0 addr0 addrA.
by congr (_ + theta _ _ ^+ 2 + theta _ _ ^+ 2); apply/val_inj.
Qed.
Lemma four_moment theta : twelve_moment theta (exist _ _ four_law) =
  16%:R / 25%:R * theta 0 0 ^+ 2 + 9%:R / 50%:R * theta 1 0 ^+ 2 + 9%:R / 50%:R * theta 2%:R 0 ^+ 2.
Proof.
rewrite /twelve_moment /mean /= (eq_bigr _ (fun k _ => congr1 (fun x => four_points k * x ^+ 2) (twelve_dot k theta))).
rewrite !big_ord_recl big_ord0 /four_points /= !mul0r !add0r !addr0.
move: (theta 0 0) (theta 1 0) (theta 2%:R 0) => a b c.
have m15 : (Negz 14)%:~R = - 15%:R :> R by rewrite NegzE rmorphN.
have p15 : (Posz 15)%:~R = 15%:R :> R by [].
by rewrite m15 p15; field.
Qed.

(* the best smallest eigenvalue of the twelve points is 9/50 *)
Lemma twelve_eigenvalue : policy_value (@twelve_moment R) (9%:R / 50%:R).
Proof.
split.
  exists (exist _ _ four_law) => theta; rewrite four_moment twelve_norm !mulrDr !ler_add2r.
  rewrite ler_wpmul2r ?sqr_ge0 // ler_pdivr_mulr ?ltr0n // mulrAC ler_pdivl_mulr ?ltr0n //.
  by rewrite -!natrM ler_nat.
move=> w; pose e (i : 'I_3) : 'cV[R]_3 := delta_mx i 0.
have e1 i : qf 1%:M (e i) = 1 by rewrite -diag_qf mxE eqxx.
have e0 i : e i != 0 by apply: contra_eqN (e1 i) => /eqP ->; rewrite qf0r eq_sym oner_eq0.
have sum : twelve_moment (e 1) w + twelve_moment (e 2%:R) w = 9%:R / 25%:R.
  have [_ w1] := svalP w; have e9 : 9%:R / 25%:R = \sum_k sval w k * (9%:R / 25%:R) by rewrite -mulr_suml w1 mul1r.
  rewrite /twelve_moment /mean -big_split /= [RHS]e9; apply: eq_bigr => k _; rewrite -mulrDr; congr (_ * _).
  rewrite !twelve_dot /= !mxE /= !(mulr0, mulr1, addr0, add0r).
  suff h : (nth (0, 0) twelve_points k).1 ^+ 2 + (nth (0, 0) twelve_points k).2 ^+ 2 = 225%:R :> int.
    rewrite !expr_div_n -mulrDl -!rmorphX -rmorphD /= h rmorph_nat.
    by field.
  have : all (fun e : int * int => e.1 ^+ 2 + e.2 ^+ 2 == 225%:R) twelve_points by vm_compute.
  by move=> /all_nthP h; apply/eqP; apply: h.
case: (lerP (twelve_moment (e 1) w) (9%:R / 50%:R)) => le; first by exists (e 1); rewrite ?e1 ?mulr1.
exists (e 2%:R); rewrite ?e1 ?mulr1 // leNgt; apply/negP => lt.
have := ltr_add le lt; rewrite sum; have -> : 9%:R / 50%:R + 9%:R / 50%:R = 9%:R / 25%:R :> R by field.
by rewrite ltxx.
Qed.
Lemma twelve_sums : sums_to_one (@twelve R).
Proof.
exists (5%:R / 4%:R *: delta_mx 0 0) => k; rewrite twelve_dot !mxE /= !mulr0 !addr0 mulr1.
by field.
Qed.
Lemma twelve_short k : qf 1%:M (@twelve R k) <= 1.
Proof.
rewrite twelve_norm !mxE /= !expr_div_n -!mulrDl ler_pdivr_mulr ?exprn_gt0 ?ltr0n // mul1r.
have h : all (fun e : int * int => (20%:R : int) ^+ 2 + e.1 ^+ 2 + e.2 ^+ 2 <= 25%:R ^+ 2) twelve_points by vm_compute.
move/all_nthP: h => /(_ (0, 0) k (ltn_ord k)); rewrite -(ler_int R) !rmorphD !rmorphX /= !rmorph_nat.
by [].
Qed.
End Twelve.

(* the same with a vector m of squared length at most d, as Assumption 1 has it of the measures of all next states *)
Definition sums_to_one_short (R : realFieldType) (d : nat) (T : finType) (phi : T -> 'cV[R]_d) :=
  exists2 m : 'cV[R]_d, qf 1%:M m <= d%:R & forall t, ((phi t)^T *m m) ord0 ord0 = 1.

(* the vector of the instances below: 5/4 of an axis *)
Lemma axis_short (R : realFieldType) (d : nat) (i : 'I_d) : (1 < d)%N ->
  qf 1%:M (5%:R / 4%:R *: delta_mx i ord0 : 'cV[R]_d) <= d%:R.
Proof.
move=> d1; rewrite qfZr -diag_qf mxE eqxx mulr1; apply: (@le_trans _ _ 2%:R); last by rewrite ler_nat.
by rewrite expr_div_n ler_pdivr_mulr ?exprn_gt0 ?ltr0n // -!natrX -natrM ler_nat.
Qed.

(* [res-nu-sandwich], whole *)
Theorem res_nu_sandwich (R : archiFieldType) :
  (* in every linear MDP *)
  (forall d (I T : finType) (phi : T -> 'cV[R]_d) (p : I -> T -> R) nu2 lam,
    (forall i, is_law (p i)) -> sums_to_one phi ->
    direction_value (mixed_moment phi p) nu2 -> policy_value (mixed_moment phi p) lam ->
    [/\ 0 <= lam, lam <= nu2 <= Num.max 1 d.-1%:R * lam, (nu2 == 0) = (lam == 0) & d = 2%N -> nu2 = lam]) /\
  (* no factor below d - 1 *)
  (forall d C, (1 < d)%N -> C < d.-1%:R ->
    exists (T : finType) (phi : T -> 'cV[R]_d) v l, [/\ sums_to_one_short phi, forall t, qf 1%:M (phi t) <= 1,
      forall theta, exists w, v * qf 1%:M theta <= mixed_moment phi (@take R T) theta w,
      forall w, exists2 theta, theta != 0 & mixed_moment phi (@take R T) theta w <= l * qf 1%:M theta &
      0 < l /\ C * l < v]) /\
  (* the ratio 9/5 in dimension 3 *)
  exists (T : finType) (phi : T -> 'cV[R]_3) nu2 lam, [/\ sums_to_one_short phi, forall t, qf 1%:M (phi t) <= 1,
    direction_value (mixed_moment phi (@take R T)) nu2, policy_value (mixed_moment phi (@take R T)) lam &
    0 < lam /\ nu2 = 9%:R / 5%:R * lam].
Proof.
split; [|split].
- move=> d I T phi p nu2 lam hp hm [[theta1 [t1 [_ hmax]]] hv] [[w1 h1] hl].
  have [theta t0 le] := hl w1; have q0 := qf1_gt0 t0.
  have lam0 : 0 <= lam by rewrite -(pmulr_lge0 _ q0); apply: le_trans le; exact: F_ge0.
  have lo : lam <= nu2.
    by have := le_trans (h1 theta1) (hmax w1); rewrite ler_pmul2r // qf1_gt0.
  have hi := sandwich_upper hp hm hv hl.
  split=> //; first by rewrite lo.
    apply/eqP/eqP => e; first by apply/eqP; rewrite eq_le lam0 andbT -e.
    by apply/eqP; rewrite eq_le -{2}e lo andbT; move: hi; rewrite e mulr0.
  by move=> d2; apply/eqP; rewrite eq_le lo andbT; move: hi; rewrite d2 maxxx mul1r.
- case=> [//|k] C /= k0 Ck; rewrite ltnS in k0.
  have kR : 0 < k%:R :> R by rewrite ltr0n.
  pose g := Num.min 1 (1 - C / k%:R).
  have g0 : 0 < g by rewrite /g lt_minr ltr01 subr_gt0 ltr_pdivr_mulr // mul1r.
  have g1 : g <= 1 by rewrite /g le_minl lexx.
  have gC : C / k%:R <= 1 - g.
    by rewrite ler_subr_addl -ler_subr_addr /g le_minl lexx orbT.
  pose n := (Num.bound (k%:R * 4%:R / g)).+1.
  have n0 : (0 < n)%N by [].
  have ng : k%:R / n%:R <= g / 4%:R.
    have b0 : 0 <= k%:R * 4%:R / g by rewrite divr_ge0 ?mulr_ge0 ?ler0n ?ltW.
    have lt : k%:R * 4%:R / g < n%:R by apply: lt_trans (archi_boundP b0) _; rewrite ltr_nat.
    rewrite ler_pdivr_mulr ?ltr0n // mulrAC ler_pdivl_mulr ?ltr0n // (mulrC g).
    by move: lt; rewrite ltr_pdivr_mulr // => /ltW.
  exists (grid k n), (@round_feature R k n), (9%:R / 25%:R * (1 - g / 2%:R) ^+ 2), (9%:R / 25%:R / k%:R).
  split; [|exact: round_short|by move=> theta; exact: round_high|by move=> w; exact: round_low|].
    exists (5%:R / 4%:R *: delta_mx ord0 ord0); first exact: axis_short.
    move=> f; rewrite round_dot big1 => [|j _]; last by rewrite !mxE /= !mulr0.
    by rewrite !mxE eqxx /= mulr0 addr0 mulr1; field.
  have c0 : 0 < 9%:R / 25%:R :> R by rewrite divr_gt0 ?ltr0n.
  split; first by rewrite divr_gt0.
  rewrite mulrCA ltr_pmul2l //; apply: le_lt_trans gC _.
  have -> : (1 - g / 2%:R) ^+ 2 = 1 - g + (g / 2%:R) ^+ 2 by field.
  by rewrite ltr_addl exprn_gt0 // divr_gt0 ?ltr0n.
exists [finType of 'I_12], (@twelve R), (81%:R / 250%:R), (9%:R / 50%:R).
have [[theta [t0 [[w wE] hw]]] hv] := twelve_points_certified R; have [[w' h'] hl] := twelve_eigenvalue R.
split; [|exact: twelve_short|split|split|].
- exists (5%:R / 4%:R *: delta_mx 0 0); first exact: axis_short.
  by move=> k; rewrite twelve_dot !mxE /= !mulr0 !addr0 mulr1; field.
- exists theta; split=> //; split; first by exists w; rewrite twelve_moments.
  by move=> i; rewrite twelve_moments.
- by move=> x; have [i le] := hv x; exists i; rewrite twelve_moments.
- by exists w' => x; rewrite twelve_moments.
- by move=> i; have [x x0 le] := hl i; exists x; rewrite ?twelve_moments.
by split; [rewrite divr_gt0 ?ltr0n|field].
Qed.

(* control: 17/10 is too small a factor in dimension 3 *)
Theorem res_nu_sandwich_control (R : archiFieldType) : ~ (forall (I T : finType) (phi : T -> 'cV[R]_3) (p : I -> T -> R)
  nu2 lam, (forall i, is_law (p i)) -> sums_to_one phi ->
  direction_value (mixed_moment phi p) nu2 -> policy_value (mixed_moment phi p) lam -> nu2 <= 17%:R / 10%:R * lam).
Proof.
have [_ [_ [T [phi [nu2 [lam [[m _ hm] _ hv hl [lam0 e]]]]]]]] := res_nu_sandwich R.
have {}hm : sums_to_one phi by exists m.
move=> h; have := h _ _ _ _ _ _ (@take_law R T) hm hv hl; rewrite e ler_pmul2r //.
rewrite ler_pdivr_mulr ?ltr0n // mulrAC ler_pdivl_mulr ?ltr0n // -!natrM ler_nat.
by [].
Qed.
