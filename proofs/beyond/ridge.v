(* The mean error of a ridge regression on n independent pairs, by exchangeability with one more pair. *)
From derl.common Require Import prelude forms determinants.
From derl.lower_bounds Require Import game.
From derl.foundations Require Import rewards.

Section Draws.
Variables (R : realFieldType) (T : finType) (p : T -> R).
Hypothesis hp : is_law p.

(* the mean over n independent draws *)
Definition draws_mean n (F : seq T -> R) : R := \sum_(t : n.-tuple T) (\prod_(z <- t) p z) * F t.

Lemma draws_nil F : draws_mean 0 F = F [::].
Proof.
rewrite /draws_mean (big_pred1 [tuple]) => [|t]; first by rewrite big_nil mul1r.
by apply/esym/eqP; exact: (tuple0 t).
Qed.

Lemma draws_cons n F : draws_mean n.+1 F = \sum_z p z * draws_mean n (fun s => F (z :: s)).
Proof.
rewrite /draws_mean (sum_tuple_cons n (fun t => (\prod_(z <- t) p z) * F t)); apply: eq_bigr => z _.
by rewrite mulr_sumr; apply: eq_bigr => t _; rewrite big_cons mulrA.
Qed.

Lemma draws_weight (t : seq T) : 0 <= \prod_(z <- t) p z.
Proof. by apply: prodr_ge0 => z _; case: hp. Qed.

Lemma draws_le n F G : (forall t, F t <= G t) -> draws_mean n F <= draws_mean n G.
Proof. by move=> le; apply: ler_sum => t _; rewrite ler_wpmul2l ?draws_weight. Qed.

Lemma draws_total n : draws_mean n (fun _ => 1) = 1.
Proof.
by elim: n => [|n IH]; rewrite ?draws_nil // draws_cons IH -mulr_suml (proj2 hp) mulr1.
Qed.

Lemma draws_scale n c F : draws_mean n (fun t => c * F t) = c * draws_mean n F.
Proof. by rewrite /draws_mean mulr_sumr; apply: eq_bigr => t _; rewrite mulrCA. Qed.

Lemma draws_add n F G : draws_mean n (fun t => F t + G t) = draws_mean n F + draws_mean n G.
Proof. by rewrite /draws_mean -big_split; apply: eq_bigr => t _; rewrite mulrDr. Qed.

Lemma draws_sum n (I : finType) (F : I -> seq T -> R) :
  draws_mean n (fun t => \sum_i F i t) = \sum_i draws_mean n (F i).
Proof. by rewrite /draws_mean exchange_big; apply: eq_bigr => t _; rewrite mulr_sumr. Qed.

Lemma draws_eq n F G : (forall t, F t = G t) -> draws_mean n F = draws_mean n G.
Proof. by move=> e; apply: eq_bigr => t _; rewrite e. Qed.

(* the draws are exchangeable: each of them is as good as the first *)
Lemma exchange n (G : seq T -> T -> R) : (forall i t z, G (rot i t) z = G t z) ->
  draws_mean n.+1 (fun t => \sum_(z <- t) G t z) = n.+1%:R * \sum_z p z * draws_mean n (fun s => G (z :: s) z).
Proof.
move=> sym; case: (pickP (fun _ : T => true)) => [z0 _|no]; last first.
  by move: (proj2 hp); rewrite big_pred0 // => /esym/eqP; rewrite oner_eq0.
rewrite -(draws_cons n (fun t => G t (head z0 t))).
transitivity (\sum_(i < n.+1) draws_mean n.+1 (fun t => G t (nth z0 t i))).
  rewrite -draws_sum; apply: eq_bigr => t _; congr (_ * _).
  by rewrite (big_nth z0) size_tuple big_mkord.
rewrite mulr_natl -[X in _ = _ *+ X](card_ord n.+1) -sumr_const; apply: eq_bigr => i _.
rewrite /draws_mean [RHS](reindex (fun t : n.+1.-tuple T => [tuple of rot i t])) /=; last first.
  by exists (fun t : n.+1.-tuple T => [tuple of rotr i t]) => t _; apply/val_inj; rewrite /= ?rotK ?rotrK.
apply: eq_bigr => t _; rewrite sym; congr (_ * G _ _).
  by apply: perm_big; rewrite perm_sym perm_rot.
by rewrite /rot -nth0 nth_cat size_drop size_tuple subn_gt0 ltn_ord nth_drop addn0.
Qed.
End Draws.

Section Ridge.
Variables (R : realFieldType) (T : finType) (p : T -> R) (d : nat).
(* the feature and the target of a pair *)
Variables (f : T -> 'cV[R]_d) (y : T -> R) (w : 'cV[R]_d) (top : R).
Local Notation half := (top / 2%:R).

(* I plus the features of the data *)
Definition ridge_matrix (t : seq T) : 'M[R]_d := 1%:M + \sum_(z <- t) outer (f z).
(* ridge regression of the targets minus top / 2 *)
Definition ridge (t : seq T) : 'cV[R]_d := invmx (ridge_matrix t) *m \sum_(z <- t) (y z - half) *: f z.
(* the second moment of a feature *)
Definition second_moment : 'M[R]_d := \sum_z p z *: outer (f z).

Hypothesis hp : is_law p.
Hypothesis f1 : forall z, qf 1%:M (f z) <= 1.
Hypothesis y01 : forall z, 0 <= y z <= top.
Hypothesis linear_mean : forall v,
  \sum_(z | f z == v) p z * y z = \sum_(z | f z == v) p z * ((v^T *m w) ord0 ord0 + half).

Let noise z : R := y z - half - ((f z)^T *m w) ord0 ord0.
Local Notation S := ridge_matrix.
Local Notation E := (draws_mean p).

Let noise_mean (g : 'cV[R]_d -> R) : \sum_z p z * (noise z * g (f z)) = 0.
Proof.
pose rep z := odflt z [pick z' | f z' == f z].
have repE z : f (rep z) = f z by rewrite /rep; case: pickP => [z' /eqP|].
have rep_same z z' : f z = f z' -> rep z = rep z'.
  by rewrite /rep => ->; case: pickP => [//|/(_ z')]; rewrite eqxx.
rewrite (partition_big rep predT) //=; apply: big1 => t _.
case: (pickP (fun z => rep z == t)) => [z0 /eqP e|no]; last by rewrite big_pred0.
rewrite (eq_bigl (fun z => f z == f z0)) => [|z]; last first.
  by apply/eqP/eqP => [e'|/rep_same ->//]; rewrite -repE e' -e repE.
rewrite (eq_bigr (fun z => g (f z0) * (p z * y z - p z * (((f z0)^T *m w) ord0 ord0 + half)))) => [|z /eqP e1].
  by rewrite -mulr_sumr sumrB linear_mean subrr mulr0.
by rewrite /noise e1; ring.
Qed.

Let noise_square (g : 'cV[R]_d -> R) : (forall v, 0 <= g v) ->
  \sum_z p z * (noise z ^+ 2 * g (f z)) <= half ^+ 2 * \sum_z p z * g (f z).
Proof.
move=> g0; rewrite -[leLHS]addr0 -[X in _ + X <= _](noise_mean (fun v => 2%:R * (v^T *m w) ord0 ord0 * g v)).
rewrite -big_split mulr_sumr /=.
apply: ler_sum => z _; rewrite -mulrDr [leRHS]mulrCA; apply: ler_wpmul2l; first by case: hp.
set m := ((f z)^T *m w) ord0 ord0.
have -> : noise z ^+ 2 * g (f z) + noise z * (2%:R * m * g (f z)) = ((y z - half) ^+ 2 - m ^+ 2) * g (f z).
  by rewrite /noise -/m; ring.
apply: ler_wpmul2r => //; rewrite ler_subl_addr; apply: ler_paddr; first exact: sqr_ge0.
have /andP[y0 y1] := y01 z; rewrite -subr_ge0.
have -> : half ^+ 2 - (y z - half) ^+ 2 = (top - y z) * y z by field.
by rewrite mulr_ge0 ?subr_ge0.
Qed.

Let S_rot i t : S (rot i t) = S t.
Proof. by congr (_ + _); apply: perm_big; rewrite perm_rot. Qed.
Let S_cons z t : S (z :: t) = S t + outer (f z).
Proof. by rewrite /ridge_matrix big_cons addrCA addrC. Qed.
Let S_pd t : pd (S t).
Proof. by apply: pdD (pd1 _ d) _; apply: psd_sum => z _; exact: psd_outer. Qed.

Let noise_swap n (F : T -> seq T -> R) : \sum_z p z * E n (F z) = E n (fun s => \sum_z p z * F z s).
Proof. by rewrite draws_sum; apply: eq_bigr => z _; rewrite draws_scale. Qed.

(* the noise has mean 0 given the features *)
Let noise_linear n (h : 'M[R]_d -> 'cV[R]_d -> R) : E n (fun t => \sum_(z <- t) noise z * h (S t) (f z)) = 0.
Proof.
case: n => [|n]; first by rewrite draws_nil big_nil.
rewrite (exchange hp) => [|i t z]; last by rewrite S_rot.
rewrite noise_swap (draws_eq p n (G := fun _ => 0 * 1)) ?draws_scale ?mul0r ?mulr0 // => s.
by under eq_bigr do rewrite S_cons; rewrite (noise_mean (fun v => h (S s + outer v) v)) /= ?mul0r.
Qed.

(* its square has the mean of the squares *)
Let noise_part n (h : 'M[R]_d -> 'cV[R]_d -> R) : E n (fun t => (\sum_(z <- t) noise z * h (S t) (f z)) ^+ 2) <=
  half ^+ 2 * E n (fun t => \sum_(z <- t) h (S t) (f z) ^+ 2).
Proof.
case: n => [|n]; first by rewrite !draws_nil !big_nil expr0n mulr0.
pose B M (t : seq T) := \sum_(z <- t) noise z * h M (f z).
rewrite (draws_eq p n.+1 (G := fun t => \sum_(z <- t) noise z * h (S t) (f z) * B (S t) t)) => [|t]; last first.
  by rewrite -mulr_suml expr2.
rewrite !(exchange hp); last 2 first.
- by move=> i t z; rewrite S_rot.
- by move=> i t z; rewrite S_rot; congr (_ * _); apply: perm_big; rewrite perm_rot.
rewrite mulrCA ler_wpmul2l ?ler0n // !noise_swap -draws_scale; apply: draws_le => // s.
rewrite (eq_bigr (fun z => p z * (noise z ^+ 2 * h (S s + outer (f z)) (f z) ^+ 2) +
  p z * (noise z * (h (S s + outer (f z)) (f z) * B (S s + outer (f z)) s)))) => [|z _].
  rewrite big_split /= (noise_mean (fun v => h (S s + outer v) v * B (S s + outer v) s)) addr0.
  under [X in _ <= _ * X]eq_bigr do rewrite S_cons.
  by apply: (noise_square (g := fun v => h (S s + outer v) v ^+ 2)) => v; exact: sqr_ge0.
have Bcons M : B M (z :: s) = noise z * h M (f z) + B M s by rewrite /B big_cons.
by rewrite /= S_cons Bcons -mulrDr; congr (_ * _); ring.
Qed.

(* one more pair: Sherman and Morrison *)
Let one_more (M : 'M[R]_d) v x : pd M -> bil (invmx (M + outer v)) v x = bil (invmx M) v x / (1 + qf (invmx M) v).
Proof.
move=> pM; have q0 : 0 <= qf (invmx M) v by exact: qfi_ge0.
have q1 : 1 + 1 * qf (invmx M) v != 0 by rewrite mul1r gt_eqF // ltr_spaddl ?ltr01.
have := sherman_morrison (pd_unit pM) q1 (proj1 pM); rewrite scale1r mul1r => ->.
have e z : bil 1%:M (invmx M *m v) z = bil (invmx M) v z.
  by rewrite (bil_sym _ _ (sym1 R d)) -bil_mulr mul1mx (bil_sym _ _ (inv_sym (proj1 pM))).
rewrite bilBl bilZl bil_outer -!bil1 !e -/(qf _ _).
by field; rewrite gt_eqF // ltr_spaddl ?ltr01.
Qed.

Let forms_sum (A : 'M[R]_d) t x : sym A ->
  \sum_(z <- t) bil A x (f z) ^+ 2 = qf (S t) (A *m x) - qf 1%:M (A *m x).
Proof.
move=> sA; rewrite /ridge_matrix qfD addrAC subrr add0r.
elim: t => [|z t IH]; first by rewrite !big_nil /qf bil0l.
by rewrite !big_cons qfD -IH qf_outer -bil1 -bil_mulr mul1mx (bil_sym _ _ sA).
Qed.

Let trace_le t : \sum_(z <- t) qf (invmx (S t)) (f z) <= d%:R.
Proof.
have -> : \sum_(z <- t) qf (invmx (S t)) (f z) = \tr (invmx (S t) *m \sum_(z <- t) outer (f z)).
  rewrite mulmx_sumr raddf_sum; apply: eq_bigr => z _; by rewrite /= tr_mul_outer.
have -> : \sum_(z <- t) outer (f z) = S t - 1%:M by rewrite addrAC subrr add0r.
rewrite mulmxBr mulVmx ?pd_unit // mulmx1 raddfB /= mxtrace1 ler_subl_addr ler_addl.
have := tr_psd (pd_psd (pd_inv (S_pd t))) (pd_psd (pd1 R d)); by rewrite mulmx1.
Qed.

Let bias_le t : \sum_(z <- t) bil (invmx (S t)) (f z) w ^+ 2 <= qf 1%:M w / 4%:R.
Proof.
have sA := inv_sym (proj1 (S_pd t)).
under eq_bigr do rewrite (bil_sym _ _ sA).
have e : bil 1%:M w (invmx (S t) *m w) = qf (invmx (S t)) w by rewrite -bil_mulr mul1mx.
rewrite (forms_sum t w sA) (qf_inv _ (S_pd t)) ler_subl_addr -subr_ge0.
have half_square (a b c : R) : 0 <= 2%:R^-1 ^+ 2 * a - 2%:R * 2%:R^-1 * 1 * b + 1 ^+ 2 * c -> 0 <= a / 4%:R + c - b.
  by move/le_trans; apply; rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
apply: half_square; rewrite -e -(qf_comb _ _ _ _ (sym1 R d)); exact: qf1_ge0.
Qed.

(* the error in a direction that does not depend on the data *)
Let error_along n v : E n (fun t => ((v^T *m (ridge t - w)) ord0 ord0) ^+ 2) <=
  half ^+ 2 * E n (fun t => \sum_(z <- t) bil (invmx (S t)) v (f z) ^+ 2) + E n (fun t => bil (invmx (S t)) v w ^+ 2).
Proof.
pose h (M : 'M[R]_d) x := bil (invmx M) v x.
have err t : (v^T *m (ridge t - w)) ord0 ord0 = \sum_(z <- t) noise z * h (S t) (f z) - h (S t) w.
  have sum : \sum_(z <- t) (y z - half) *: f z = \sum_(z <- t) noise z *: f z + (S t *m w - w).
    rewrite mulmxDl mul1mx addrAC subrr add0r mulmx_suml -big_split; apply: eq_bigr => z _ /=.
    have -> : outer (f z) *m w = ((f z)^T *m w) ord0 ord0 *: f z.
      by rewrite /outer -mulmxA [X in _ *m X]mx11_scalar mul_mx_scalar.
    by rewrite -scalerDl subrK.
  have -> : ridge t - w = invmx (S t) *m (\sum_(z <- t) noise z *: f z) - invmx (S t) *m w.
    rewrite /ridge sum mulmxDr mulmxBr (mulKmx (pd_unit (S_pd t))).
    by rewrite addrA addrAC addrK.
  rewrite -bil1 bilDr bilNr -!bil_mulr !mul1mx -/(h _ _); congr (_ - _).
  rewrite /h; elim: (t) (S t) => [|z s IH] M; first by rewrite !big_nil bil0r.
  by rewrite !big_cons bilDr bilZr IH.
rewrite (draws_eq p n (G := fun t => (\sum_(z <- t) noise z * h (S t) (f z)) ^+ 2 +
  (h (S t) w ^+ 2 + - 2%:R * \sum_(z <- t) noise z * (h (S t) (f z) * h (S t) w)))) => [|t]; last first.
  rewrite err; have -> : \sum_(z <- t) noise z * (h (S t) (f z) * h (S t) w) =
    (\sum_(z <- t) noise z * h (S t) (f z)) * h (S t) w by rewrite mulr_suml; apply: eq_bigr => z _; rewrite mulrA.
  by ring.
rewrite !draws_add draws_scale (noise_linear n (fun M x => h M x * h M w)) mulr0 addr0 ler_add2r.
exact: noise_part.
Qed.

(* one pair more pays for both parts *)
Let with_one_more t z :
  half ^+ 2 * (\sum_(z' <- t) bil (invmx (S t)) (f z) (f z') ^+ 2) + bil (invmx (S t)) (f z) w ^+ 2 <=
  half ^+ 2 * qf (invmx (S (z :: t))) (f z) + 4%:R * bil (invmx (S (z :: t))) (f z) w ^+ 2.
Proof.
have pM := S_pd t; have sA := inv_sym (proj1 pM); set q := qf (invmx (S t)) (f z).
have q0 : 0 <= q by exact: qfi_ge0.
have q1 : q <= 1.
  have above1 : psd (S t - 1%:M).
    by rewrite addrAC subrr add0r; apply: psd_sum => z' _; exact: psd_outer.
  by apply: le_trans (f1 z); rewrite -[X in _ <= qf X _]invmx1; exact: inv_antitone (pd1 R d) above1.
have qp : 0 < 1 + q by rewrite ltr_spaddl ?ltr01.
rewrite (forms_sum t _ sA) (qf_inv _ pM) -/q S_cons /qf !one_more // -/(qf _ _) -/q.
set a := qf 1%:M _; apply: ler_add.
  apply: ler_wpmul2l; first exact: sqr_ge0.
  have sq : q ^+ 2 <= a.
    have := cauchy (f z) (invmx (S t) *m f z) (pd_psd (pd1 R d)); rewrite -bil_mulr mul1mx -/(qf _ _) -/q.
    by move/le_trans; apply; rewrite ler_pimull ?qf1_ge0.
  rewrite ler_pdivl_mulr //; apply: (@le_trans _ _ ((q - q ^+ 2) * (1 + q))).
    by rewrite ler_pmul2r // ler_add2l ler_opp2.
  have -> : (q - q ^+ 2) * (1 + q) = q - q ^+ 3 by ring.
  by rewrite ler_subl_addr ler_addl exprn_ge0.
set b := bil _ _ w; rewrite expr_div_n mulrA ler_pdivl_mulr ?exprn_gt0 // mulrC ler_wpmul2r ?sqr_ge0 //.
have -> : 4%:R = 2%:R ^+ 2 :> R by ring.
rewrite ler_pexpn2r ?nnegrE ?ler0n ?(ltW qp) //.
by have -> : 2%:R = 1 + 1 :> R by []; rewrite ler_add2l.
Qed.

(* the mean error is at most (top^2 d / 4 + |w|^2) / (n + 1) *)
Theorem ridge_mean_error n : qf 1%:M w <= half ^+ 2 * d%:R ->
  E n (fun t => qf second_moment (ridge t - w)) <= top ^+ 2 * d%:R / (4%:R * n.+1%:R) + qf 1%:M w / n.+1%:R /\
  top ^+ 2 * d%:R / (4%:R * n.+1%:R) + qf 1%:M w / n.+1%:R <= top ^+ 2 * d%:R / (2%:R * n.+1%:R).
Proof.
have n0 : 0 < n.+1%:R :> R by rewrite ltr0n.
move=> short; split; last first.
  have second (u : R) : 0 < u -> top ^+ 2 * d%:R / (2%:R * u) = top ^+ 2 * d%:R / (4%:R * u) + half ^+ 2 * d%:R / u.
    by move=> u0; field; rewrite gt_eqF.
  by rewrite second // ler_add2l ler_wpmul2r // invr_ge0 ltW.
have -> : E n (fun t => qf second_moment (ridge t - w)) =
    \sum_z p z * E n (fun t => (((f z)^T *m (ridge t - w)) ord0 ord0) ^+ 2).
  rewrite noise_swap; apply: draws_eq => t; rewrite /second_moment; elim/big_rec2: _ => [|z x B _ IH].
    by rewrite /qf bil0l.
  by rewrite qfD qfZ qf_outer IH.
apply: (@le_trans _ _ (\sum_z p z * (half ^+ 2 * E n (fun t => qf (invmx (S (z :: t))) (f z)) +
    4%:R * E n (fun t => bil (invmx (S (z :: t))) (f z) w ^+ 2)))).
  apply: ler_sum => z _; rewrite ler_wpmul2l ?(proj1 hp) //; apply: le_trans (error_along n (f z)) _.
  by rewrite -!draws_scale -!draws_add; apply: draws_le => // t; exact: with_one_more.
rewrite (eq_bigr (fun z => half ^+ 2 * (p z * E n (fun t => qf (invmx (S (z :: t))) (f z))) +
    4%:R * (p z * E n (fun t => bil (invmx (S (z :: t))) (f z) w ^+ 2)))) => [|z _]; last by ring.
rewrite big_split /= -!mulr_sumr -(ler_pmul2l n0) mulrDr ![n.+1%:R * (_ * \sum_z _)]mulrCA.
rewrite -(exchange hp n (G := fun t z => qf (invmx (S t)) (f z))) => [|i t z]; last by rewrite S_rot.
rewrite -(exchange hp n (G := fun t z => bil (invmx (S t)) (f z) w ^+ 2)) => [|i t z]; last by rewrite S_rot.
have first (u : R) : 0 < u -> u * (top ^+ 2 * d%:R / (4%:R * u) + qf 1%:M w / u) =
    half ^+ 2 * (d%:R * 1) + 4%:R * (qf 1%:M w / 4%:R * 1) by move=> u0; field; rewrite gt_eqF.
rewrite (first _ n0).
have all_below c F : (forall t, F t <= c) -> E n.+1 F <= c * 1.
  move=> le; rewrite -[X in _ * X](draws_total hp n.+1) -draws_scale.
  by apply: draws_le => // t; rewrite mulr1.
apply: ler_add; apply: ler_wpmul2l; rewrite ?sqr_ge0 ?ler0n //; apply: all_below => t; first exact: trace_le.
exact: bias_le.
Qed.
End Ridge.

(* a pair z with the law p has a feature f z of length at most 1 and a target y z in [0, top] whose mean, given the
   feature, is linear in it up to the constant top / 2; w is the vector *)
Definition linear_targets (R : realFieldType) (T : finType) d (p : T -> R) (f : T -> 'cV[R]_d) (y : T -> R)
    (w : 'cV[R]_d) (top : R) : Prop :=
  [/\ is_law p, forall z, qf 1%:M (f z) <= 1, forall z, 0 <= y z <= top,
      forall v, \sum_(z | f z == v) p z * y z =
        \sum_(z | f z == v) p z * ((v^T *m w) ord0 ord0 + top / 2%:R) &
      qf 1%:M w <= (top / 2%:R) ^+ 2 * d%:R].

(* [res-ridge-mean]: the mean error in the norm of the second moment, of which no eigenvalue appears; and in a linear
   MDP a function V of the next state, with values in [0, top], is such a target of the pair of state and action *)
Theorem ridge_mean (R : realFieldType) :
  (forall (T : finType) (p : T -> R) (d : nat) (f : T -> 'cV[R]_d) (y : T -> R) (w : 'cV[R]_d) (top : R) (n : nat),
    linear_targets p f y w top ->
    draws_mean p n (fun t => qf (second_moment p f) (ridge f y top t - w)) <=
      top ^+ 2 * d%:R / (4%:R * n.+1%:R) + qf 1%:M w / n.+1%:R /\
    top ^+ 2 * d%:R / (4%:R * n.+1%:R) + qf 1%:M w / n.+1%:R <= top ^+ 2 * d%:R / (2%:R * n.+1%:R)) /\
  (forall (S A : finType) (d : nat) (phi : S -> A -> 'cV[R]_d) mu theta P r (V : S -> R) (top : R) (m : S * A -> R),
    assumption_one phi mu theta P r -> (forall s, 0 <= V s <= top) -> is_law m ->
    linear_targets (fun z : S * A * S => m z.1 * P z.1.1 z.1.2 z.2) (fun z => phi z.1.1 z.1.2) (fun z => V z.2)
      (\sum_s (V s - top / 2%:R) *: mu s) top).
Proof.
split=> [T p d f y w top n [hp f1 y01 hw short]|S A d phi mu theta P r V top m].
  exact: (ridge_mean_error hp f1 y01 hw n short).
move=> [[hP hmu] _ f1 _ mass] hV hm; have pair (F : S * A * S -> R) : \sum_z F z = \sum_x \sum_s' F (x, s').
  by rewrite pair_bigA; apply: eq_bigr => -[].
split=> //.
- split=> [z|]; first by rewrite mulr_ge0 ?(proj1 hm) ?(proj1 (hP _ _)).
  rewrite pair -(proj2 hm); apply: eq_bigr => x _; by rewrite /= -mulr_sumr (proj2 (hP _ _)) mulr1.
- move=> v; rewrite [LHS]big_mkcond [RHS]big_mkcond !pair; apply: eq_bigr => -[s a] _ /=.
  case: (eqVneq (phi s a) v) => [<-|_]; last by rewrite !big1.
  under eq_bigr do rewrite -mulrA; rewrite -mulr_sumr -[RHS]mulr_suml -mulr_sumr (proj2 (hP s a)) mulr1; congr (_ * _).
  have c : top / 2%:R = \sum_s' P s a s' * (top / 2%:R) by rewrite -mulr_suml (proj2 (hP s a)) mul1r.
  rewrite mulmx_sumr summxE [X in _ + X]c -big_split; apply: eq_bigr => s' _ /=.
  by rewrite -scalemxAr mxE dotC -hmu; move: (V s') (P s a s') (top / 2%:R) => x u h; ring.
have half0 : 0 <= top / 2%:R.
  case: (pickP (fun _ : S => true)) => [s _|no]; last first.
    move: (proj2 hm); rewrite big_pred0 => [/esym/eqP|[s a]]; first by rewrite oner_eq0.
    by move: (no s).
  by have /andP[v0 v1] := hV s; rewrite divr_ge0 ?ler0n // (le_trans v0).
have near s : `|V s - top / 2%:R| <= top / 2%:R.
  have /andP[v0 v1] := hV s; rewrite ler_norml ler_subr_addr addNr v0 /= ler_subl_addr.
  by have -> : top / 2%:R + top / 2%:R = top by field.
move: half0 near; set h := top / 2%:R; rewrite le_eqVlt => /orP[/eqP <-|hp] near.
  rewrite expr0n mul0r big1 ?qf0r // => s _; move: (near s); rewrite normr_le0 => /eqP ->; exact: scale0r.
have -> : \sum_s (V s - h) *: mu s = h *: \sum_s ((V s - h) / h) *: mu s.
  by rewrite scaler_sumr; apply: eq_bigr => s _; rewrite scalerA mulrC divfK // gt_eqF.
rewrite qfZr ler_wpmul2l ?sqr_ge0 //; apply: mass => s.
by rewrite normrM normfV (gtr0_norm hp) ler_pdivr_mulr // mul1r.
Qed.

(* control: 5 in the place of 2; one pair with the feature 1 and the target 2, and no data *)
Theorem ridge_mean_control : ~ (forall (T : finType) (p : T -> rat) (d : nat) (f : T -> 'cV[rat]_d) (y : T -> rat)
    (w : 'cV[rat]_d) (top : rat) (n : nat), linear_targets p f y w top ->
  draws_mean p n (fun t => qf (second_moment p f) (ridge f y top t - w)) <= top ^+ 2 * d%:R / (5%:R * n.+1%:R)).
Proof.
move=> claim; have one : ((1%:M : 'cV[rat]_1)^T *m 1%:M) ord0 ord0 = 1 by rewrite trmx1 mul1mx mxE.
have norm1 : qf 1%:M (1%:M : 'cV[rat]_1) = 1 by rewrite /qf bil1.
have := claim _ (fun _ : unit => 1) 1%N (fun _ => 1%:M) (fun _ => 2%:R) 1%:M 2%:R 0%N.
rewrite draws_nil /ridge big_nil mulmx0 sub0r /second_moment sum_unit scale1r qf_outer mulmxN mxE one.
move=> h; suff : (- 1) ^+ 2 <= 2%:R ^+ 2 * 1 / (5%:R * 1) :> rat by [].
apply: h; split=> [|_|_|v|] //; rewrite ?norm1 //; first by split=> [_|]; rewrite ?ler01 ?sum_unit.
by apply: eq_bigr => z /eqP <-; rewrite one.
Qed.
