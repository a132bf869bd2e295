(* The printed cap of the bonus: on the event the values of Algorithm 1 can be below the true
   ones.  Three layers, three states, two dimensions. *)
From derl.common Require Import prelude forms.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism.

Section Printed.
Variables (R : rcfType) (S A : finType).
(* min (w^T phi + r + min (bonus, H), H): the bonus is capped before it is added *)
Definition Qprinted (r : nat -> S -> A -> R) (Hcap : R) (est bonus : nat -> S -> A -> R) h s a : R :=
  Num.min (est h s a + r h s a + Num.min (bonus h s a) Hcap) Hcap.
(* its value at the greedy action in the layers below L, nothing from L on *)
Definition Vprinted r Hcap est bonus (g : nat -> S -> A) L h s : R :=
  if (h < L)%N then Qprinted r Hcap est bonus h s (g h s) else 0.
End Printed.

Section Trap.
Variable R : rcfType.

(* the states: None is C, Some true is E, Some false is Q; action true leads from C to E,
   action false to Q; E and Q stay *)
Definition turn (s : option bool) (a : bool) : bool := if s is Some x then x else a.
Definition trap_kernel (h : nat) (s : option bool) (a : bool) (s' : option bool) : R := (s' == Some (turn s a))%:R.
(* the first layer pays nothing; then E pays 4/5 and Q pays 1 *)
Definition trap_reward (h : nat) (s : option bool) (a : bool) : R :=
  if h == 0%N then 0 else if turn s a then 4%:R / 5%:R else 1.
Definition pair (x y : R) : 'cV[R]_2 := \col_i (if i == 0 then x else y).
(* the features (1, 0) and (-3/5, 4/5) *)
Definition trap_phi (h : nat) (s : option bool) (a : bool) : 'cV[R]_2 :=
  if turn s a then pair 1 0 else pair (- (3%:R / 5%:R)) (4%:R / 5%:R).

Lemma dot_pair x y u v : ((pair x y)^T *m pair u v) ord0 ord0 = x * u + y * v.
Proof. by rewrite mxE !big_ord_recl big_ord0 !mxE /= addr0. Qed.
Lemma scale_pair c x y : c *: pair x y = pair (c * x) (c * y).
Proof. by apply/matrixP => i j; rewrite !mxE; case: ifP. Qed.

Lemma trap_linear h s a :
  (forall s', trap_kernel h s a s' = (((if s' is Some x then (if x then pair 1 (3%:R / 4%:R)
     else pair 0 (5%:R / 4%:R)) else pair 0 0))^T *m trap_phi h s a) ord0 ord0) /\
  trap_reward h s a = ((if h == 0%N then pair 0 0 else pair (4%:R / 5%:R) (37%:R / 20%:R))^T *m
    trap_phi h s a) ord0 ord0.
Proof.
rewrite /trap_kernel /trap_reward /trap_phi; split=> [s'|].
  by case: s' => [[]|]; case: (turn s a); rewrite dot_pair !eqE /=; field.
by case: (h == 0%N); case: (turn s a); rewrite dot_pair; field.
Qed.

Lemma trap_law h s a : is_law (trap_kernel h s a).
Proof.
split=> [s'|]; first by rewrite /trap_kernel ler0n.
by rewrite (bigD1 (Some (turn s a))) //= /trap_kernel eqxx big1 ?addr0 // => s' /negPf ->.
Qed.

Variable n : nat.
Hypothesis nE : n.+1%:R = 60%:R ^+ 2 :> R.
(* n samples with the feature (1, 0) in every layer *)
Definition trap_Lam : 'M[R]_2 := 1%:M + \sum_(i < n) outer (pair 1 0).
Let c : R := n%:R / n.+1%:R.

Lemma n1 : 0 < n.+1%:R :> R. Proof. by rewrite ltr0n. Qed.
Lemma pd_trap : pd trap_Lam.
Proof. by apply: pdD; [exact: pd1|apply: psd_sum => i _; exact: psd_outer]. Qed.
Lemma trap_e : invmx trap_Lam *m pair 1 0 = n.+1%:R^-1 *: pair 1 0.
Proof.
have h : trap_Lam *m pair 1 0 = n.+1%:R *: pair 1 0.
  rewrite /trap_Lam mulmxDl mul1mx sumr_const card_ord -scaler_nat -scalemxAl.
  have -> : outer (pair 1 0) *m pair 1 0 = pair 1 0.
    by rewrite /outer -mulmxA [X in _ *m X]mx11_scalar dot_pair mul_mx_scalar !mul0r addr0 mulr1 scale1r.
  by rewrite -{1}[pair 1 0]scale1r -scalerDl -[1]/(1%:R) -natrD add1n.
have u := pd_unit pd_trap.
by apply: (can_inj (mulKmx u)); rewrite mulKVmx // -scalemxAr h scalerA mulVf ?scale1r // lt0r_neq0 // n1.
Qed.
Lemma norm_e : Num.sqrt (qf (invmx trap_Lam) (pair 1 0)) = 60%:R^-1.
Proof.
have -> : qf (invmx trap_Lam) (pair 1 0) = 60%:R^-1 ^+ 2.
  by rewrite /qf /bil -mulmxA trap_e -scalemxAr mxE dot_pair mulr0 addr0 !mulr1 nE exprVn.
by rewrite sqrtr_sqr ger0_norm // invr_ge0 ler0n.
Qed.
Lemma norm_q : 4%:R / 5%:R <= Num.sqrt (qf (invmx trap_Lam) (pair (- (3%:R / 5%:R)) (4%:R / 5%:R))).
Proof.
have h := cauchy_dual (pair 0 1) (pair (- (3%:R / 5%:R)) (4%:R / 5%:R)) pd_trap.
have q1 : qf trap_Lam (pair 0 1) = 1.
  rewrite /trap_Lam qfD sumr_const card_ord -scaler_nat qfZ qf_outer dot_pair /qf bil1 dot_pair.
  by rewrite !(mulr0, mul0r, addr0, add0r) expr0n mulr0 addr0 mulr1.
rewrite q1 mul1r dot_pair mul0r add0r mul1r in h.
have p : 0 <= 4%:R / 5%:R :> R by rewrite divr_ge0 ?ler0n.
by rewrite -[leLHS](ger0_norm p) -sqrtr_sqr; apply: ler_wsqrtr.
Qed.

(* the weights: W 0, W 1, 0 in the first coordinate *)
Let u : R := c * (9%:R / 10%:R).
Let v : R := c * (u + 9%:R / 10%:R).
Definition W (h : nat) : R := if h is h'.+1 then (if h' is 0 then u else 0) else v.
Let est h (s : option bool) a := ((pair (W h) 0)^T *m trap_phi h s a) ord0 ord0.
Let bonus h (s : option bool) a := 6%:R * Num.sqrt (qf (invmx trap_Lam) (trap_phi h s a)).
Let Qt := Qprinted trap_reward 3%:R est bonus.
Definition trap_greedy (h : nat) (s : option bool) : bool := Qt h s false <= Qt h s true.
Let V := Vprinted trap_reward 3%:R est bonus trap_greedy 3.

Lemma c_bounds : 99%:R / 100%:R <= c <= 1.
Proof.
have m0 := n1; rewrite /c ler_pdivl_mulr // ler_pdivr_mulr // mul1r ler_nat leqnSn andbT.
have -> : n%:R = n.+1%:R - 1 :> R by rewrite -addn1 natrD addrK.
rewrite nE -subr_ge0.
have -> : 60%:R ^+ 2 - 1 - 99%:R / 100%:R * 60%:R ^+ 2 = 35%:R :> R by field.
exact: ler0n.
Qed.
Lemma u_bounds : 22%:R / 25%:R <= u <= 9%:R / 10%:R.
Proof.
have /andP[c0 c1] := c_bounds; have p : 0 < 9%:R / 10%:R :> R by rewrite divr_gt0 ?ltr0n.
rewrite /u; apply/andP; split; last by rewrite -[leRHS]mul1r ler_pmul2r.
apply: (@le_trans _ _ (99%:R / 100%:R * (9%:R / 10%:R))); last by rewrite ler_pmul2r.
rewrite -subr_ge0; have -> : 99%:R / 100%:R * (9%:R / 10%:R) - 22%:R / 25%:R = 11%:R / 1000%:R :> R by field.
by rewrite divr_ge0 ?ler0n.
Qed.
Lemma v_bounds : 17%:R / 10%:R <= v <= 9%:R / 5%:R.
Proof.
have /andP[c0 c1] := c_bounds; have /andP[u0 u1] := u_bounds.
have p : 0 < u + 9%:R / 10%:R.
  by rewrite ltr_paddl ?divr_gt0 ?ltr0n // (le_trans _ u0) // divr_ge0 ?ler0n.
rewrite /v; apply/andP; split.
  apply: (@le_trans _ _ (99%:R / 100%:R * (22%:R / 25%:R + 9%:R / 10%:R))).
    rewrite -subr_ge0; have -> : 99%:R / 100%:R * (22%:R / 25%:R + 9%:R / 10%:R) - 17%:R / 10%:R = 311%:R / 5000%:R
      :> R.
      by field.
    by rewrite divr_ge0 ?ler0n.
  apply: (@le_trans _ _ (99%:R / 100%:R * (u + 9%:R / 10%:R))); last by rewrite ler_pmul2r.
  by rewrite ler_pmul2l ?divr_gt0 ?ltr0n // ler_add2r.
apply: (@le_trans _ _ (u + 9%:R / 10%:R)); first by rewrite ler_pimull // ltW.
have -> : 9%:R / 5%:R = 9%:R / 10%:R + 9%:R / 10%:R :> R by field.
by rewrite ler_add2r.
Qed.

Lemma bonus_e h s a : turn s a -> bonus h s a = 10%:R^-1.
Proof. by move=> t; rewrite /bonus /trap_phi t norm_e; field. Qed.
Lemma bonus_q h s a : ~~ turn s a -> 24%:R / 5%:R <= bonus h s a.
Proof.
move=> /negbTE t; rewrite /bonus /trap_phi t.
have -> : 24%:R / 5%:R = 6%:R * (4%:R / 5%:R) :> R by field.
by rewrite ler_pmul2l ?ltr0n // norm_q.
Qed.
Lemma est_e h s a : turn s a -> est h s a = W h.
Proof. by move=> t; rewrite /est /trap_phi t dot_pair mulr1 mulr0 addr0. Qed.
Lemma est_q h s a : ~~ turn s a -> est h s a = - (3%:R / 5%:R * W h).
Proof. by move=> /negbTE t; rewrite /est /trap_phi t dot_pair mul0r addr0 mulrN mulrC. Qed.

Lemma Q_e h s a : turn s a -> W h + trap_reward h s a + 10%:R^-1 <= 3%:R ->
  Qt h s a = W h + trap_reward h s a + 10%:R^-1.
Proof.
move=> t h3; rewrite /Qt /Qprinted est_e // bonus_e // (min_idPl (_ : 10%:R^-1 <= 3%:R)); first exact/min_idPl.
by apply: (@le_trans _ _ 1); rewrite ?invf_le1 ?ltr0n // ler1n.
Qed.
Lemma Q_q h s a : ~~ turn s a ->
  Qt h s a = Num.min (3%:R + trap_reward h s a - 3%:R / 5%:R * W h) 3%:R.
Proof.
move=> t; have b3 : 3%:R <= bonus h s a.
  apply: le_trans (bonus_q h t); rewrite ler_pdivl_mulr ?ltr0n // -natrM ler_nat //.
rewrite /Qt /Qprinted est_q // (min_idPr b3); congr (Num.min _ _); ring.
Qed.

Lemma VE h s : V h s = if (h < 3)%N then Qt h s (trap_greedy h s) else 0. Proof. by []. Qed.
Lemma VE1 : V 1 (Some true) = u + 9%:R / 10%:R.
Proof.
have /andP[_ u1] := u_bounds.
rewrite VE /= Q_e //= /trap_reward /=; first by field.
apply: (@le_trans _ _ (9%:R / 10%:R + 4%:R / 5%:R + 10%:R^-1)); first by rewrite !ler_add2r.
have -> : 9%:R / 10%:R + 4%:R / 5%:R + 10%:R^-1 = 9%:R / 5%:R :> R by field.
by rewrite ler_pdivr_mulr ?ltr0n // -natrM ler_nat.
Qed.
Lemma VE2 : V 2 (Some true) = 9%:R / 10%:R.
Proof.
rewrite VE /= Q_e //= /trap_reward /=; first by field.
have -> : 0 + 4%:R / 5%:R + 10%:R^-1 = 9%:R / 10%:R :> R by field.
by rewrite ler_pdivr_mulr ?ltr0n // -natrM ler_nat.
Qed.
Lemma V3 h s : V h.+3 s = 0. Proof. by []. Qed.
Lemma W_range h : 0 <= W h <= 9%:R / 5%:R.
Proof.
have /andP[u0 u1] := u_bounds; have /andP[v0 v1] := v_bounds.
case: h => [|[|h]] /=.
- by rewrite v1 andbT (le_trans _ v0) // divr_ge0 ?ler0n.
- rewrite (le_trans _ u0) ?divr_ge0 ?ler0n //= (le_trans u1) //.
  by rewrite ler_pdivr_mulr ?ltr0n // mulrAC ler_pdivl_mulr ?ltr0n // -!natrM ler_nat.
- by rewrite lexx divr_ge0 ?ler0n.
Qed.
Lemma VQ h : V h.+1 (Some false) = if (h < 2)%N then 3%:R else 0.
Proof.
have q k : (0 < k)%N -> (k < 3)%N -> V k (Some false) = 3%:R.
  move=> k0 k3; rewrite VE k3 Q_q //=; apply/min_idPr.
  have /andP[_ w] := W_range k; rewrite /trap_reward eqn0Ngt k0 /= -subr_ge0.
  have e : 3%:R / 5%:R * W k <= 1.
    case: k k0 {k3} w => [//|[|k]] _ _ /=; last by rewrite mulr0 ler01.
    have /andP[_ u1] := u_bounds; apply: (@le_trans _ _ (3%:R / 5%:R * 1)).
      rewrite ler_pmul2l ?divr_gt0 ?ltr0n //; apply: le_trans u1 _.
      by rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
    by rewrite mulr1 ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
  have -> : 3%:R + 1 - 3%:R / 5%:R * W k - 3%:R = 1 - 3%:R / 5%:R * W k by ring.
  by rewrite subr_ge0.
case: ltnP => h2; last by case: h h2 => [|[|h]] // _; exact: V3.
by apply: q.
Qed.

Lemma below_two : V 0 None < 2%:R.
Proof.
have /andP[v0 v1] := v_bounds; rewrite VE /=; case: (trap_greedy 0 None).
  rewrite Q_e //= /trap_reward /= addr0.
    apply: (@le_lt_trans _ _ (9%:R / 5%:R + 10%:R^-1)); first by rewrite ler_add2r.
    have -> : 9%:R / 5%:R + 10%:R^-1 = 19%:R / 10%:R :> R by field.
    by rewrite ltr_pdivr_mulr ?ltr0n // -natrM ltr_nat.
  apply: (@le_trans _ _ (9%:R / 5%:R + 10%:R^-1)); first by rewrite ler_add2r.
  have -> : 9%:R / 5%:R + 10%:R^-1 = 19%:R / 10%:R :> R by field.
  by rewrite ler_pdivr_mulr ?ltr0n // -natrM ler_nat.
rewrite Q_q //= /trap_reward /= addr0 lt_minl; apply/orP; left.
rewrite ltr_subl_addl -ltr_subl_addr.
apply: lt_le_trans (_ : 3%:R / 5%:R * (17%:R / 10%:R) <= _); last first.
  by rewrite ler_pmul2l // divr_gt0 ?ltr0n.
have -> : 3%:R - 2%:R = 1 :> R by ring.
have -> : 3%:R / 5%:R * (17%:R / 10%:R) = 51%:R / 50%:R :> R by field.
by rewrite ltr_pdivl_mulr ?ltr0n // mul1r ltr_nat.
Qed.

Lemma trap_event h s a :
  `|est h s a - \sum_s' trap_kernel h s a s' * V h.+1 s'| <= bonus h s a.
Proof.
have -> : \sum_s' trap_kernel h s a s' * V h.+1 s' = V h.+1 (Some (turn s a)).
  rewrite (bigD1 (Some (turn s a))) //= /trap_kernel eqxx mul1r big1 ?addr0 // => s' /negPf ->.
  by rewrite mul0r.
have /andP[w0 w1] := W_range h; case t : (turn s a).
  rewrite est_e // bonus_e //.
  have /andP[c0 c1] := c_bounds; have /andP[u0 u1] := u_bounds.
  have gap y : 0 <= y -> y <= 9%:R / 5%:R -> `|c * y - y| <= 10%:R^-1.
    move=> y0 y1; rewrite -{2}[y]mul1r -mulrBl normrM (ger0_norm y0) distrC ger0_norm ?subr_ge0 //.
    apply: (@le_trans _ _ (100%:R^-1 * (9%:R / 5%:R))).
      apply: ler_pmul => //; first by rewrite subr_ge0.
      rewrite ler_subl_addr -ler_subl_addl; apply: le_trans c0.
      by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
    rewrite mulrC ler_pdivr_mulr ?ltr0n // ler_pdivr_mulr ?ltr0n // -mulrA ler_pdivl_mull ?ltr0n //.
    by rewrite -!natrM ler_nat.
  have n95 : 9%:R / 10%:R <= 9%:R / 5%:R :> R.
    by rewrite ler_pdivr_mulr ?ltr0n // mulrAC ler_pdivl_mulr ?ltr0n // -!natrM ler_nat.
  have p910 : 0 <= 9%:R / 10%:R :> R by rewrite divr_ge0 ?ler0n.
  case: h w0 w1 => [|[|h]] /= w0 w1; rewrite ?VE1 ?VE2 ?V3.
  - rewrite /v; apply: gap; first by rewrite addr_ge0 // (le_trans _ u0) // divr_ge0 ?ler0n.
    have -> : 9%:R / 5%:R = 9%:R / 10%:R + 9%:R / 10%:R :> R by field.
    by rewrite ler_add2r.
  - exact: gap.
  - by rewrite subrr normr0 invr_ge0 ler0n.
apply: le_trans (bonus_q h (negbT t)); rewrite est_q ?t // VQ.
have w3 : 3%:R / 5%:R * W h <= 9%:R / 5%:R.
  apply: (@le_trans _ _ (3%:R / 5%:R * (9%:R / 5%:R))); first by rewrite ler_pmul2l ?divr_gt0 ?ltr0n.
  by rewrite ler_pimull ?divr_ge0 ?ler0n // ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
have x0 : 0 <= 3%:R / 5%:R * W h by rewrite mulr_ge0 ?divr_ge0 ?ler0n.
rewrite -opprD normrN ger0_norm; last by rewrite addr_ge0 //; case: ifP => _; rewrite ?ler0n.
apply: (@le_trans _ _ (9%:R / 5%:R + 3%:R)).
  by apply: ler_add => //; case: ifP; rewrite ?lexx ?ler0n.
have -> : 9%:R / 5%:R + 3%:R = 24%:R / 5%:R :> R by field.
exact: lexx.
Qed.

Lemma trap_weights h : pair (W h) 0 = invmx trap_Lam *m
  (\sum_(i < n) V h.+1 (Some true) *: pair 1 0).
Proof.
rewrite sumr_const card_ord -scaler_nat scalerA linearZ /= trap_e scalerA scale_pair mulr0 mulr1.
congr pair; rewrite mulrAC -/c; case: h => [|[|h]] /=; rewrite ?VE1 ?VE2 ?V3 ?mulr0 //.
Qed.

Lemma trap_short h s a : qf 1%:M (trap_phi h s a) <= 1.
Proof.
rewrite /trap_phi; case: (turn s a); rewrite /qf bil1 dot_pair; first by rewrite mulr0 addr0 mulr1.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
Qed.

(* the policy that takes action false *)
Definition go_q (h : nat) (s : option bool) (a : bool) : R := (~~ a)%:R.
Lemma go_q_law h s : is_law (go_q h s).
Proof. by split=> [a|]; [exact: ler0n|rewrite big_bool /= add0r]. Qed.
Lemma go_q_value : value trap_kernel go_q trap_reward 0 3 None = 2%:R.
Proof.
have step F h s : \sum_a go_q h s a * (trap_reward h s a + \sum_s' trap_kernel h s a s' * F s') =
    trap_reward h s false + F (Some (turn s false)).
  rewrite big_bool /= mul0r add0r mul1r; congr (_ + _).
  rewrite (bigD1 (Some (turn s false))) //= /trap_kernel eqxx mul1r big1 ?addr0 // => s' /negPf ->.
  by rewrite mul0r.
rewrite /value !step /trap_reward /=; ring.
Qed.
End Trap.

(* [lem-overestimation] with the printed cap: a step of its proof.  Data of n trajectories
   (state h i, act h i), weights by least squares for the printed values, greedy actions, a linear
   MDP with three layers; every regression is right up to beta times the norm; and yet the value
   at some state is below that of some policy. *)
Theorem lem_overestimation_cap (R : rcfType) : ~ (forall (S A : finType) (d n H : nat)
    (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R) (phi : nat -> S -> A -> 'cV[R]_d)
    (m : nat -> S -> 'cV[R]_d) (theta : nat -> 'cV[R]_d) (state : nat -> nat -> S) (act : nat -> nat -> A)
    (w : nat -> 'cV[R]_d) (beta : R) (g : nat -> S -> A) (mu : nat -> S -> A -> R),
  let Lam h := 1%:M + \sum_(i < n) outer (phi h (state h i) (act h i)) in
  let est h s a := ((w h)^T *m phi h s a) ord0 ord0 in
  let bonus h s a := beta * Num.sqrt (qf (invmx (Lam h)) (phi h s a)) in
  let Q := Qprinted r H%:R est bonus in
  let V := Vprinted r H%:R est bonus g H in
  (forall h s a s', P h s a s' = ((m h s')^T *m phi h s a) ord0 ord0) ->
  (forall h s a, r h s a = ((theta h)^T *m phi h s a) ord0 ord0) ->
  (forall h s a, is_law (P h s a)) -> (forall h s, is_law (mu h s)) ->
  (forall h s a, 0 <= r h s a <= 1) -> (forall h s a, qf 1%:M (phi h s a) <= 1) ->
  (forall h, w h = invmx (Lam h) *m (\sum_(i < n) V h.+1 (state h.+1 i) *: phi h (state h i) (act h i))) ->
  (forall h s a, Q h s a <= Q h s (g h s)) ->
  (forall h s a, (h < H)%N -> `|est h s a - \sum_s' P h s a s' * V h.+1 s'| <= bonus h s a) ->
  forall s, value P mu r 0 H s <= V 0%N s).
Proof.
move=> h; pose n := 3599%N.
have nE : n.+1%:R = 60%:R ^+ 2 :> R by rewrite -natrX.
pose m (_ : nat) (s' : option bool) : 'cV[R]_2 := if s' is Some x then
  (if x then pair 1 (3%:R / 4%:R) else pair 0 (5%:R / 4%:R)) else pair 0 0.
pose th (h : nat) : 'cV[R]_2 := if h == 0%N then pair 0 0 else pair (4%:R / 5%:R) (37%:R / 20%:R).
have := h [finType of option bool] [finType of bool] 2%N n 3%N (@trap_kernel R) (@trap_reward R) (@trap_phi R)
  m th (fun _ _ => Some true) (fun _ _ => true) (fun h => pair (W R n h) 0) 6%:R (@trap_greedy R n) (@go_q R).
move=> k; have : value (@trap_kernel R) (@go_q R) (@trap_reward R) 0 3 None <=
    Vprinted (@trap_reward R) 3%:R (fun h s a => ((pair (W R n h) 0)^T *m trap_phi R h s a) ord0 ord0)
     (fun h s a => 6%:R * Num.sqrt (qf (invmx (trap_Lam R n)) (trap_phi R h s a))) (@trap_greedy R n) 3 0 None.
  apply: k.
  - by move=> h' s a s'; exact: (proj1 (trap_linear R h' s a)) s'.
  - by move=> h' s a; exact: (proj2 (trap_linear R h' s a)).
  - exact: trap_law.
  - exact: go_q_law.
  - move=> h' s a; rewrite /trap_reward; case: ifP => _; first by rewrite lexx ler01.
    case: ifP => _; last by rewrite ler01 lexx.
    by rewrite divr_ge0 ?ler0n //= ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
  - exact: trap_short.
  - exact: trap_weights nE.
  - move=> h' s a; case: a; case e : (@trap_greedy R n h' s); rewrite ?lexx //.
      by move: e; rewrite /trap_greedy => /negbT; rewrite -ltNge => /ltW.
  - by move=> h' s a _; exact: trap_event nE _ _ _.
by rewrite go_q_value leNgt (below_two nE).
Qed.
