(* K deployments, each chosen from the data of the earlier ones, N independent draws in each:
   with which probability every average is near its mean. *)
From Coq Require Import Psatz.
From derl.common Require Import real_prelude reals forms.
From derl.potential Require Import count.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite exponential hoeffding.
Local Arguments exp x%R.
Local Arguments ln x%R.
Local Arguments R_sqrt.sqrt x%R.

Section Adaptive.
Variables (F : realFieldType) (O : finType) (D X : Type).
Variables (law : D -> O -> F) (psi : strategy O D X) (ok : D -> O -> bool).

(* every deployment after the data `pre` and with the data h is ok *)
Fixpoint always (pre h : seq O) : bool :=
  if h is o :: h' then ok (deploy psi pre) o && always (rcons pre o) h' else true.
(* the probability of that for K deployments *)
Definition always_prob (pre : seq O) (K : nat) : F :=
  \sum_(h : K.-tuple O) history law psi pre h * (always pre h)%:R.

Lemma always_bound q pre K : (forall x, is_law (law x)) ->
  (forall x, prob (law x) (fun o => ~~ ok x o) <= q) -> 0 <= q ->
  1 - K%:R * q <= always_prob pre K <= 1.
Proof.
move=> hl hq q0; elim: K pre => [|K IH] pre.
  rewrite /always_prob (big_pred1 [tuple]) /= ?mulr1 ?mul0r ?subr0 ?lexx // => t.
  by rewrite [t]tuple0; apply/esym/eqP.
have -> : always_prob pre K.+1 =
    \sum_o law (deploy psi pre) o * ((ok (deploy psi pre) o)%:R * always_prob (rcons pre o) K).
  rewrite /always_prob (sum_tuple_cons K (fun h => history law psi pre h * (always pre h)%:R)).
  apply: eq_bigr => o _; rewrite !mulr_sumr; apply: eq_bigr => t _ /=.
  by case: (ok _ _) => /=; rewrite ?mul1r ?mul0r ?mulr0 ?mulrA.
have [l0 l1] := hl (deploy psi pre); apply/andP; split; last first.
  rewrite -[leRHS]l1; apply: ler_sum => o _; rewrite ler_pimulr //.
  have /andP[_ h] := IH (rcons pre o).
  by case: (ok _ _); rewrite ?mul1r ?mul0r ?ler01.
have good : 1 - q <= \sum_o law (deploy psi pre) o * (ok (deploy psi pre) o)%:R.
  rewrite ler_subl_addr -[leLHS]l1; apply: (@le_trans _ _ (\sum_o law (deploy psi pre) o *
      (ok (deploy psi pre) o)%:R + prob (law (deploy psi pre)) (fun o => ~~ ok (deploy psi pre) o))).
    rewrite /prob [X in _ + X]big_mkcond -big_split /=; apply: ler_sum => o _.
    by case: (ok _ _); rewrite /= ?mulr1 ?mulr0 ?addr0 ?add0r.
  by rewrite ler_add2l.
apply: (@le_trans _ _ (\sum_o law (deploy psi pre) o * ((ok (deploy psi pre) o)%:R - K%:R * q))).
  under eq_bigr do rewrite mulrBr.
  rewrite sumrB -mulr_suml l1 mul1r -[K.+1%:R]/((1 + K)%:R) natrD mulrDl mul1r opprD addrA.
  by rewrite ler_add2r.
apply: ler_sum => o _; rewrite ler_wpmul2l //; have /andP[h _] := IH (rcons pre o).
case: (ok _ _); rewrite ?mul1r ?mul0r //.
by rewrite sub0r oppr_le0 mulr_ge0 ?ler0n.
Qed.

(* one deployment with an outcome that is not ok *)
Lemma always_one pre o : (forall x, is_law (law x)) -> ~~ ok (deploy psi pre) o ->
  always_prob pre 1 <= 1 - law (deploy psi pre) o.
Proof.
move=> hl no; have [l0 l1] := hl (deploy psi pre).
rewrite /always_prob (sum_tuple_cons 0 (fun h => history law psi pre h * (always pre h)%:R)).
have e (G : seq O -> F) : \sum_(t : 0.-tuple O) G t = G [::].
  by rewrite (big_pred1 [tuple]) // => t; rewrite [t]tuple0; apply/esym/eqP.
under eq_bigr => o' _ do rewrite (e (fun h => history law psi pre (o' :: h) * (always pre (o' :: h))%:R)) /=.
rewrite ler_subr_addr -[leRHS]l1 (bigD1 o) //= [leRHS](bigD1 o) //= (negPf no) mulr0 add0r addrC.
by rewrite ler_add2l; apply: ler_sum => o' _; rewrite mulr1 ler_pimulr // lern1 leq_b1.
Qed.
End Adaptive.

(* the average of N numbers *)
Definition average (T : finType) N (f : 'I_N -> T -> R) (o : {ffun 'I_N -> T}) : R :=
  ((\sum_i f i (o i)) / N%:R)%R.

Lemma exp_neg_ln (x : R) : 0 < x -> exp (- ln x) = x^-1.
Proof.
by move=> x0; rewrite -RinvE ?gt_eqF // exp_Ropp exp_ln //; apply/RltP.
Qed.

Lemma ln_gt0' (x : R) : 1 < x -> 0 < ln x.
Proof. by move=> /RltP h; apply/RltP; exact: ln_gt0. Qed.

Lemma sqrt_square' (x : R) : 0 <= x -> R_sqrt.sqrt x ^+ 2 = x.
Proof. by move=> /RleP h; rewrite expr2; exact: sqrt_sqrt. Qed.
Lemma sqrt_gt0' (x : R) : 0 < x -> 0 < R_sqrt.sqrt x.
Proof. by move=> /RltP h; apply/RltP; exact: sqrt_lt_R0. Qed.

(* [res-hoeffding-bonus], whole.  A deployment x fixes the laws p x i of its N draws and the
   numbers f x i of them, all with the mean m x; what is deployed depends on all earlier data *)
Theorem res_hoeffding_bonus (T : finType) (N K : nat) (D X : Type)
    (psi : strategy [finType of {ffun 'I_N -> T}] D X)
    (p f : D -> 'I_N -> T -> R) (m : D -> R) (B delta : R) :
  (0 < N)%N -> (0 < K)%N -> 0 < B -> 0 < delta < 1 ->
  (forall x i, is_law (p x i)) -> (forall x i t, 0 <= f x i t <= B) ->
  (forall x i, mean (p x i) (f x i) = m x) ->
  1 - delta / 2%:R <= always_prob (fun x => product_law (p x)) psi
    (fun x o => m x <= average (f x) o +
       B * R_sqrt.sqrt ((2%:R * N%:R)^-1 * ln (2%:R * K%:R / delta))) [::] K.
Proof.
move=> N0 K0 B0 /andP[t0 t1] hp hf hm.
have NR : 0 < N%:R :> R by rewrite ltr0n.
have K1 : 1 <= K%:R :> R by rewrite ler1n.
have KR : 0 < K%:R :> R by rewrite ltr0n.
have big : 1 < 2%:R * K%:R / delta.
  rewrite ltr_pdivl_mulr // mul1r; apply: lt_le_trans t1 _; apply: le_trans K1 _.
  by rewrite ler_pemull ?ler0n // ler1n.
set l := ln _; have l0 : 0 < l by exact: ln_gt0'.
set s := R_sqrt.sqrt _; have s0 : 0 < s by apply: sqrt_gt0'; rewrite mulr_gt0 // invr_gt0 mulr_gt0 ?ltr0n.
have q0 : 0 <= delta / (2%:R * K%:R) by rewrite divr_ge0 ?mulr_ge0 ?ler0n // ltW.
have := always_bound (law := fun x => product_law (p x)) psi
  (ok := fun x o => m x <= average (f x) o + B * s) [::] K _ _ q0.
rewrite (_ : K%:R * (delta / (2%:R * K%:R)) = delta / 2%:R); last by field; rewrite gt_eqF.
move=> /(_ (fun x => product_is_law (hp x))) h; suff /h /andP[] : forall x, prob (product_law (p x))
    (fun o => ~~ (m x <= average (f x) o + B * s)) <= delta / (2%:R * K%:R) by [].
move=> x.
have Bs : 0 < B * s by rewrite mulr_gt0.
apply: le_trans (_ : exp (- (2%:R * N%:R * (B * s / B) ^+ 2)) <= _); last first.
  have -> : B * s / B = s by field; rewrite gt_eqF.
  rewrite /s sqrt_square' ?mulr_ge0 ?invr_ge0 ?mulr_ge0 ?ler0n ?(ltW l0) //.
  rewrite mulrA divff ?mul1r; last by rewrite mulf_neq0 ?pnatr_eq0 // -lt0n.
  by rewrite exp_neg_ln ?(lt_trans ltr01) // invf_div lexx.
apply: le_trans (hoeffding (hp x) N0 B0 Bs (hf x) (hm x)).
rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigl => o.
by rewrite -ltNge.
Qed.

Section Bonus.
Variables (S A : finType) (d H N : nat) (phi : nat -> S -> A -> 'cV[R]_d) (beta : R).
(* a trajectory: state and action in every layer *)
Definition trajectory : finType := [finType of {ffun 'I_H -> S * A}].
(* a deployment: the law of its trajectories, the matrices and the number of layers *)
Record batch := Batch { path_law : trajectory -> R; Lam : nat -> 'M[R]_d; layers : nat }.
(* the bonuses of a trajectory: twice beta times the sum of the norms *)
Definition bonuses (x : batch) (t : trajectory) : R :=
  \sum_(h < H | (h < layers x)%N)
    2%:R * beta * R_sqrt.sqrt (qf (invmx (Lam x h)) (phi h (t h).1 (t h).2)).
(* its expectation, and its average over the N trajectories of the data *)
Definition expected (x : batch) : R := mean (path_law x) (bonuses x).
(* the average of the bonuses over the N trajectories of the data *)
Definition delta_k (x : batch) (o : {ffun 'I_N -> trajectory}) : R := average (fun _ : 'I_N => bonuses x) o.
(* Lam >= I, and trajectories have a law *)
Definition sound (x : batch) : Prop :=
  is_law (path_law x) /\ forall h, psd (Lam x h - 1%:M).

Lemma norm_le1 (L : 'M[R]_d) v : psd (L - 1%:M) -> sqnorm v <= 1 ->
  0 <= R_sqrt.sqrt (qf (invmx L) v) <= 1.
Proof.
move=> pL hv; apply/andP; split; first by apply/RleP; exact: sqrt_pos.
have q1 : qf (invmx L) v <= 1.
  apply: le_trans (inv_antitone v (pd1 _ d) pL) _; rewrite invmx1 qfE; exact: hv.
have -> : 1 = R_sqrt.sqrt 1 by rewrite sqrt_1.
apply/RleP; apply: sqrt_le_1_alt; exact/RleP.
Qed.

Lemma bonuses_range x t : 0 < beta -> sound x -> (forall h s a, sqnorm (phi h s a) <= 1) ->
  0 <= bonuses x t <= 2%:R * beta * H%:R.
Proof.
move=> b0 [_ pL] hphi.
have h0 (h : 'I_H) : 0 <= 2%:R * beta * R_sqrt.sqrt (qf (invmx (Lam x h)) (phi h (t h).1 (t h).2)) <= 2%:R * beta.
  have /andP[h0 h1] := norm_le1 (pL h) (hphi h (t h).1 (t h).2).
  by rewrite ler_pimulr ?andbT ?mulr_ge0 ?ler0n // ltW.
apply/andP; split; first by apply: sumr_ge0 => h _; case/andP: (h0 h).
rewrite /bonuses big_mkcond /=; apply: (@le_trans _ _ (\sum_(h < H) 2%:R * beta)).
  by apply: ler_sum => h _; case: ifP => _; [case/andP: (h0 h)|rewrite mulr_ge0 ?ler0n // ltW].
by rewrite sumr_const card_ord mulr_natr.
Qed.

(* [res-hoeffding-reward-free], whole: matrices, policies and layers of a deployment depend on
   all earlier data *)
Theorem res_hoeffding_reward_free (K : nat) (D X : Type) (batch_of : D -> batch)
    (psi : strategy [finType of {ffun 'I_N -> trajectory}] D X) (delta : R) :
  (0 < N)%N -> (0 < K)%N -> (0 < H)%N -> 0 < beta -> 0 < delta < 1 ->
  (forall h s a, sqnorm (phi h s a) <= 1) -> (forall x, sound (batch_of x)) ->
  1 - delta / 2%:R <= always_prob (fun x => product_law (fun _ : 'I_N => path_law (batch_of x))) psi
    (fun x o => expected (batch_of x) <= delta_k (batch_of x) o +
       2%:R * beta * H%:R * R_sqrt.sqrt ((2%:R * N%:R)^-1 * ln (2%:R * K%:R / delta))) [::] K.
Proof.
move=> N0 K0 H0 b0 hd hphi hs.
apply: (@res_hoeffding_bonus trajectory N K D X psi (fun x _ => path_law (batch_of x))
  (fun x _ => bonuses (batch_of x)) (fun x => expected (batch_of x))) => //.
- by rewrite !mulr_gt0 ?ltr0n.
- by move=> x _; case: (hs x).
- by move=> x _ t; exact: bonuses_range.
Qed.

(* [res-chernoff-bonus], whole *)
Theorem res_chernoff_bonus (K : nat) (D X : Type) (batch_of : D -> batch)
    (psi : strategy [finType of {ffun 'I_N -> trajectory}] D X) (delta eps t : R) :
  (0 < N)%N -> (0 < K)%N -> (0 < H)%N -> 0 < beta -> 0 < delta < 1 -> 0 < eps -> 0 < t < 1 ->
  (forall h s a, sqnorm (phi h s a) <= 1) -> (forall x, sound (batch_of x)) ->
  4%:R * beta * H%:R / (t ^+ 2 * eps) * ln (2%:R * K%:R / delta) <= N%:R ->
  1 - delta / 2%:R <= always_prob (fun x => product_law (fun _ : 'I_N => path_law (batch_of x))) psi
    (fun x o => (delta_k (batch_of x) o < (1 - t) * eps) ==> (expected (batch_of x) <= eps)) [::] K.
Proof.
move=> N0 K0 H0 b0 /andP[d0 d1] e0 /andP[t0 t1] hphi hs hN.
have NR : 0 < N%:R :> R by rewrite ltr0n.
have HR : 0 < H%:R :> R by rewrite ltr0n.
have K1 : 1 <= K%:R :> R by rewrite ler1n.
have KR : 0 < K%:R :> R by rewrite ltr0n.
have big : 1 < 2%:R * K%:R / delta.
  rewrite ltr_pdivl_mulr // mul1r; apply: lt_le_trans d1 _; apply: le_trans K1 _.
  by rewrite ler_pemull ?ler0n // ler1n.
set B := 2%:R * beta * H%:R; have B0 : 0 < B by rewrite !mulr_gt0 ?ltr0n.
have q0 : 0 <= delta / (2%:R * K%:R) by rewrite divr_ge0 ?mulr_ge0 ?ler0n // ltW.
have hp x (i : 'I_N) : is_law (path_law (batch_of x)) by case: (hs x).
pose ok x o := (delta_k (batch_of x) o < (1 - t) * eps) ==> (expected (batch_of x) <= eps).
have := always_bound (law := fun x => product_law (fun _ : 'I_N => path_law (batch_of x))) psi
  (ok := ok) [::] K _ _ q0.
rewrite (_ : K%:R * (delta / (2%:R * K%:R)) = delta / 2%:R); last by field; rewrite gt_eqF.
move=> /(_ (fun x => product_is_law (hp x))) h; suff /h /andP[] : forall x,
    prob (product_law (fun _ : 'I_N => path_law (batch_of x))) (fun o => ~~ ok x o) <=
    delta / (2%:R * K%:R) by [].
move=> x; case: (leP (expected (batch_of x)) eps) => me.
  by rewrite /prob big1 // => o; rewrite /ok me implybT.
have m0 : 0 < expected (batch_of x) by exact: lt_trans e0 me.
apply: (@le_trans _ _ (prob (product_law (fun _ : 'I_N => path_law (batch_of x)))
    (fun o => delta_k (batch_of x) o < (1 - t) * expected (batch_of x)))).
  have P0 o : 0 <= product_law (fun _ : 'I_N => path_law (batch_of x)) o.
    by case: (product_is_law (hp x)).
  rewrite /prob [leRHS]big_mkcond [leLHS]big_mkcond /=; apply: ler_sum => o _.
  case: ifP => [|_]; last by case: ifP.
  rewrite /ok negb_imply => /andP[lt _].
  by rewrite (lt_trans lt) // ltr_pmul2l // subr_gt0.
have hb (i : 'I_N) u : 0 <= bonuses (batch_of x) u <= B by exact: bonuses_range.
have := @chernoff _ _ _ (hp x) (fun _ => bonuses (batch_of x)) B (expected (batch_of x)) t N0 B0 t0 hb (fun _ => erefl).
move=> c; apply: le_trans c _ => {hb}.
have -> : delta / (2%:R * K%:R) = exp (- ln (2%:R * K%:R / delta)).
  by rewrite exp_neg_ln ?(lt_trans ltr01) // invf_div.
apply: exp_mono; rewrite ler_opp2.
have t2 : 0 < t ^+ 2 / (2%:R * B) by rewrite divr_gt0 ?exprn_gt0 ?mulr_gt0 ?ltr0n.
apply: (@le_trans _ _ (N%:R * eps * (t ^+ 2 / (2%:R * B)))); last first.
  by rewrite -[leRHS]mulrA ler_wpmul2r ?(ltW t2) // ler_wpmul2l ?(ltW NR) // ltW.
rewrite -(ler_pmul2l (_ : 0 < 4%:R * beta * H%:R / (t ^+ 2 * eps))); last first.
  by rewrite divr_gt0 ?mulr_gt0 ?exprn_gt0 ?ltr0n.
apply: le_trans hN _; rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /B.
by field; rewrite (gt_eqF b0) (gt_eqF HR) (gt_eqF e0) (gt_eqF t0).
Qed.
End Bonus.


(* For the controls: one layer, two states, one of them with the feature 0, each with
   probability 1/2; the bonuses are 0 and 2. *)
Definition coin_phi (h : nat) (s : bool) (a : unit) : 'cV[R]_1 := const_mx (s%:R)%R.
Definition coin_batch : batch bool_finType unit_finType 1 1 := Batch (fun _ => 2%:R^-1)%R (fun _ => 1%:M) 1.

Lemma sum_one (T : finType) (G : T -> R) : \sum_(o : {ffun 'I_1 -> T}) G (o ord0) = \sum_t G t.
Proof.
rewrite (reindex (fun t : T => [ffun _ : 'I_1 => t])) /=.
  by apply: eq_bigr => t _; rewrite ffunE.
exists (fun o : {ffun 'I_1 -> T} => o ord0) => [t _|o _]; first by rewrite ffunE.
by apply/ffunP => i; rewrite ffunE (ord1 i).
Qed.

Lemma coin_bonuses t : bonuses coin_phi 1 coin_batch t = 2%:R * ((t ord0).1)%:R.
Proof.
rewrite /bonuses big_mkcond big_ord1 /= mulr1 invmx1 qfE big_ord1 mxE.
case: ((t ord0).1); rewrite ?expr1n ?expr0n /= ?sqrt_1 ?sqrt_0 //.
Qed.

Lemma coin_sound : sound coin_batch.
Proof.
split=> [|h]; last by rewrite subrr; exact: psd0.
split=> [t|] /=; first by rewrite invr_ge0 ler0n.
rewrite sumr_const card_ffun card_prod card_bool card_unit card_ord /=.
by rewrite muln1 expn1; field.
Qed.

Lemma coin_expected : expected coin_phi 1 coin_batch = 1.
Proof.
rewrite /expected /mean /=; under eq_bigr do rewrite coin_bonuses.
rewrite (sum_one (fun u : bool * unit => 2%:R^-1 * (2%:R * (u.1)%:R))).
under eq_bigr do rewrite mulrA mulVf ?pnatr_eq0 // mul1r.
rewrite -(pair_big xpredT xpredT (fun (b : bool) (_ : unit) => b%:R : R)) /= big_bool /= !sumr_const card_unit.
by rewrite !mulr1n addr0.
Qed.

Lemma coin_phi_le1 h s a : sqnorm (coin_phi h s a) <= 1.
Proof. by rewrite /sqnorm big_ord1 mxE; case: s; rewrite ?expr1n ?expr0n ?lexx ?ler01. Qed.

(* the sample in which the feature is 0 *)
Definition tails : {ffun 'I_1 -> trajectory bool_finType unit_finType 1} := [ffun _ => [ffun _ => (false, tt)]].

Lemma coin_tails : delta_k coin_phi 1 coin_batch tails = 0.
Proof. by rewrite /delta_k /average big_ord1 coin_bonuses !ffunE mulr0 mul0r. Qed.

Definition coin_strategy : strategy [finType of {ffun 'I_1 -> trajectory bool_finType unit_finType 1}] unit unit :=
  Strategy (fun _ => tt) (fun _ => tt).

Lemma coin_fails (ok : unit -> {ffun 'I_1 -> trajectory bool_finType unit_finType 1} -> bool) :
  ~~ ok tt tails -> always_prob (fun _ => product_law (fun _ : 'I_1 => path_law coin_batch))
    coin_strategy ok [::] 1 < 1 - 9%:R / 10%:R / 2%:R.
Proof.
move=> no; have hl (x : unit) : is_law (product_law (fun _ : 'I_1 => path_law coin_batch)).
  by apply: product_is_law => i; case: coin_sound.
apply: le_lt_trans (always_one hl no) _.
rewrite /product_law big_ord1 /= ltr_add2l ltr_opp2 -subr_gt0.
have -> : 2%:R^-1 - 9%:R / 10%:R / 2%:R = 20%:R^-1 :> R by field.
by rewrite invr_gt0 ltr0n.
Qed.

Lemma ln_ratio : ln (2%:R * 1%:R / (9%:R / 10%:R)) <= 8%:R / 9%:R.
Proof.
have -> : 2%:R * 1%:R / (9%:R / 10%:R) = 20%:R / 9%:R :> R by field.
by apply/RleP; rewrite -!RinvE ?pnatr_eq0 // -!INRE; exact: ln_20_9.
Qed.

(* control for [res-hoeffding-bonus]: with 7/10 of the deviation the statement is false *)
Theorem res_hoeffding_bonus_control :
  ~ (forall (S A : finType) (d H N : nat) (phi : nat -> S -> A -> 'cV[R]_d) (beta : R)
       (K : nat) (D X : Type) (batch_of : D -> batch S A d H)
       (psi : strategy [finType of {ffun 'I_N -> trajectory S A H}] D X) (delta : R),
  (0 < N)%N -> (0 < K)%N -> (0 < H)%N -> 0 < beta -> 0 < delta < 1 ->
  (forall h s a, sqnorm (phi h s a) <= 1) -> (forall x, sound (batch_of x)) ->
  1 - delta / 2%:R <= always_prob (fun x => product_law (fun _ : 'I_N => path_law (batch_of x))) psi
    (fun x o => expected phi beta (batch_of x) <= delta_k phi beta (batch_of x) o +
       7%:R / 10%:R * (2%:R * beta * H%:R * R_sqrt.sqrt ((2%:R * N%:R)^-1 * ln (2%:R * K%:R / delta)))) [::] K).
Proof.
move=> h; have d01 : 0 < (9%:R / 10%:R : R) < 1.
  by rewrite divr_gt0 ?ltr0n //= ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat.
have := h bool_finType unit_finType 1%N 1%N 1%N coin_phi 1 1%N unit unit (fun _ => coin_batch) coin_strategy
  (9%:R / 10%:R) isT isT isT ltr01 d01 coin_phi_le1 (fun _ => coin_sound).
rewrite leNgt => /negP []; apply: coin_fails; rewrite -ltNge coin_expected coin_tails add0r !mulr1.
rewrite [ltRHS](_ : 1 = 7%:R / 10%:R * (2%:R * (5%:R / 7%:R)) :> R); last by field.
rewrite ltr_pmul2l ?divr_gt0 ?ltr0n // ltr_pmul2l ?ltr0n //.
have q : R_sqrt.sqrt (2%:R^-1 * ln (2%:R / (9%:R / 10%:R))) <= 2%:R / 3%:R.
  have -> : 2%:R / 3%:R = R_sqrt.sqrt ((2%:R / 3%:R) ^+ 2) :> R.
    by rewrite expr2 [RHS]sqrt_square //; apply/RleP; rewrite divr_ge0 // ler0n.
  apply/RleP; apply: sqrt_le_1_alt; apply/RleP; have := ln_ratio; rewrite mulr1 => l.
  apply: le_trans (ler_wpmul2l _ l) _; first by rewrite invr_ge0 ler0n.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
apply: le_lt_trans q _; rewrite ltr_pdivr_mulr ?ltr0n // mulrAC ltr_pdivl_mulr ?ltr0n //.
by rewrite -!natrM ltr_nat.
Qed.

(* control for [res-chernoff-bonus]: with 4/5 in the place of 4 the statement is false *)
Theorem res_chernoff_bonus_control :
  ~ (forall (S A : finType) (d H N : nat) (phi : nat -> S -> A -> 'cV[R]_d) (beta : R)
       (K : nat) (D X : Type) (batch_of : D -> batch S A d H)
       (psi : strategy [finType of {ffun 'I_N -> trajectory S A H}] D X) (delta eps t : R),
  (0 < N)%N -> (0 < K)%N -> (0 < H)%N -> 0 < beta -> 0 < delta < 1 -> 0 < eps -> 0 < t < 1 ->
  (forall h s a, sqnorm (phi h s a) <= 1) -> (forall x, sound (batch_of x)) ->
  4%:R / 5%:R * beta * H%:R / (t ^+ 2 * eps) * ln (2%:R * K%:R / delta) <= N%:R ->
  1 - delta / 2%:R <= always_prob (fun x => product_law (fun _ : 'I_N => path_law (batch_of x))) psi
    (fun x o => (delta_k phi beta (batch_of x) o < (1 - t) * eps) ==>
                (expected phi beta (batch_of x) <= eps)) [::] K).
Proof.
move=> h; have d01 : 0 < (9%:R / 10%:R : R) < 1.
  by rewrite divr_gt0 ?ltr0n //= ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat.
have [d0 d1] := andP d01.
have := h bool_finType unit_finType 1%N 1%N 1%N coin_phi 1 1%N unit unit (fun _ => coin_batch) coin_strategy
  (9%:R / 10%:R) (9%:R / 10%:R) (9%:R / 10%:R) isT isT isT ltr01 d01 d0 d01 coin_phi_le1 (fun _ => coin_sound).
move=> k; suff /k : 4%:R / 5%:R * 1 * 1%:R / ((9%:R / 10%:R) ^+ 2 * (9%:R / 10%:R)) *
    ln (2%:R * 1%:R / (9%:R / 10%:R)) <= 1%:R :> R.
  rewrite leNgt => /negP []; apply: coin_fails; rewrite negb_imply coin_tails coin_expected -ltNge d1 andbT.
  by rewrite mulr_gt0 // subr_gt0.
have -> : 4%:R / 5%:R * 1 * 1%:R / ((9%:R / 10%:R) ^+ 2 * (9%:R / 10%:R)) = 800%:R / 729%:R :> R by field.
apply: le_trans (ler_wpmul2l _ ln_ratio) _; first by rewrite divr_ge0 ?ler0n.
have -> : 800%:R / 729%:R * (8%:R / 9%:R) = 6400%:R / 6561%:R :> R by field.
by rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
Qed.
