(* The reachability coefficient with its minima and maxima: the claims that compare it with
   other coefficients, over all layers. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.common Require Import forms determinants.
From derl.reachability Require Import chain.

Section Values.
Variables (R : realFieldType) (d : nat) (I : Type).
(* v is the largest, or the smallest, value of F *)
Definition maximum (F : I -> R) v := (exists i, F i = v) /\ forall i, F i <= v.
(* v is the smallest value of F *)
Definition minimum (F : I -> R) v := (exists i, F i = v) /\ forall i, v <= F i.
(* unit vectors *)
Definition unit_vector (theta : 'cV[R]_d) := qf 1%:M theta = 1.
(* v is the smallest value of f on the unit sphere *)
Definition sphere_min (f : 'cV[R]_d -> R) v :=
  (exists theta, unit_vector theta /\ f theta = v) /\ forall theta, unit_vector theta -> v <= f theta.
(* v = min over unit vectors theta of max over i of f theta i *)
Definition minmax (f : 'cV[R]_d -> I -> R) v :=
  (exists theta, unit_vector theta /\ maximum (f theta) v) /\
  forall theta, unit_vector theta -> exists i, v <= f theta i.
(* v = max over i of min over unit vectors theta of f theta i *)
Definition maxmin (f : 'cV[R]_d -> I -> R) v :=
  (exists i, sphere_min (f^~ i) v) /\ forall i, exists theta, unit_vector theta /\ f theta i <= v.
(* l is the smallest eigenvalue of M *)
Definition least_eigenvalue (M : 'M[R]_d) l := eigenvalue M l /\ forall a, eigenvalue M a -> l <= a.

Lemma minmax_le f g u v : (forall theta i, f theta i <= g theta i) -> minmax f u -> minmax g v -> u <= v.
Proof.
move=> fg [_ hf] [[theta [t1 [_ hg]]] _]; have [i hi] := hf theta t1.
exact: le_trans hi (le_trans (fg theta i) (hg i)).
Qed.
End Values.

Section Coefficient.
Variables (R : rcfType) (d H : nat) (T : finType) (Pi : Type).
(* the feature vectors of the pairs t of a state and an action *)
Variable phi : T -> 'cV[R]_d.
(* the law of the pair in layer h under a policy *)
Variable p : 'I_H -> Pi -> T -> R.

(* E_pi (phi_h^T theta)^2, its root, E_pi |phi_h^T theta| and |E_pi phi_h^T theta| *)
Definition second h (theta : 'cV[R]_d) pi : R := mean (p h pi) (fun t => ((phi t)^T *m theta) ord0 ord0 ^+ 2).
(* the root of the second moment *)
Definition root h theta pi : R := Num.sqrt (second h theta pi).
Definition absolute h (theta : 'cV[R]_d) pi : R := mean (p h pi) (fun t => `|((phi t)^T *m theta) ord0 ord0|).
(* |E_pi phi_h^T theta|, of which the coefficient of Zanette et al. is made *)
Definition zero_mean h (theta : 'cV[R]_d) pi : R := `|mean (p h pi) (fun t => ((phi t)^T *m theta) ord0 ord0)|.
(* the covariance E_pi phi_h phi_h^T *)
Definition covariance h pi : 'M[R]_d := \sum_t p h pi t *: outer (phi t).
(* nu is the list of the coefficients of the layers, and a = nu_min *)
Definition coefficients (nu : 'I_H -> R) a := (forall h, minmax (root h) (nu h)) /\ minimum nu a.

(* p h pi is a law on the pairs, for every layer and policy *)
Definition laws := forall h pi, is_law (p h pi).
(* features have length at most one *)
Definition short_features := forall t, qf 1%:M (phi t) <= 1.

Lemma secondE h theta pi : second h theta pi = qf (covariance h pi) theta.
Proof.
rewrite /second /mean /covariance; elim/big_rec2: _ => [|t M x _ ->]; first by rewrite /qf bil0l.
by rewrite qfD qfZ qf_outer.
Qed.

Lemma second_ge0 h theta pi : laws -> 0 <= second h theta pi.
Proof. by move=> hp; apply: sumr_ge0 => t _; rewrite mulr_ge0 ?sqr_ge0 //; case: (hp h pi). Qed.

Lemma psd_covariance h pi : laws -> psd (covariance h pi).
Proof. by move=> hp; apply: psd_sum => t _; apply: psdZ; [case: (hp h pi)|exact: psd_outer]. Qed.

(* [ineq-nu-zanette], whole: nu_min is at least the explorability coefficient b of Zanette et al. *)
Theorem ineq_nu_zanette (nu z : 'I_H -> R) a b : laws -> coefficients nu a ->
  (forall h, minmax (zero_mean h) (z h)) -> minimum z b -> b <= a.
Proof.
move=> hp [hn [[h <-] _]] hz [_ hb]; apply: le_trans (hb h) _.
apply: minmax_le (hz h) (hn h) => theta pi.
apply: le_trans (mean_abs_square _ (hp h pi)).
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => t _.
by rewrite normrM ger0_norm //; case: (hp h pi).
Qed.

(* the smallest value on the sphere is the smallest eigenvalue *)
Lemma sphere_least (M : 'M[R]_d) m : sym M -> sphere_min (qf M) m -> least_eigenvalue M m.
Proof.
move=> sM [[theta [t1 tm]] hm].
have unit0 (x : 'cV[R]_d) : x != 0 -> 0 < qf 1%:M x by exact: qf1_gt0.
have low x : m * qf 1%:M x <= qf M x.
  case: (eqVneq x 0) => [->|x0]; first by rewrite !qf0r mulr0.
  have q0 := unit0 x x0; pose c := (Num.sqrt (qf 1%:M x))^-1.
  have cc : c ^+ 2 = (qf 1%:M x)^-1 by rewrite exprVn sqr_sqrtr // ltW.
  have u1 : unit_vector (c *: x) by rewrite /unit_vector qfZr cc mulVf // gt_eqF.
  by have := hm _ u1; rewrite qfZr cc mulrC ler_pdivl_mulr.
have pM : psd (M - m%:M).
  split=> [|x]; first by apply: symB => //; rewrite /sym tr_scalar_mx.
  by rewrite qfB -scalemx1 qfZ subr_ge0.
have t0 : theta != 0 by apply: contra_eqN t1 => /eqP ->; rewrite qf0r eq_sym oner_eq0.
have zero : (M - m%:M) *m theta = 0.
  by apply: psd_kernel => //; rewrite qfB -scalemx1 qfZ t1 tm mulr1 subrr.
split.
  apply/eigenvalueP; exists theta^T; last by rewrite trmx_eq0.
  apply: (can_inj (@trmxK _ _ _)); rewrite trmx_mul trmxK sM linearZ /= trmxK.
  by apply/eqP; rewrite -subr_eq0 -mul_scalar_mx -mulmxBl zero.
move=> a /eigenvalueP [v va v0].
have vt0 : v^T != 0 by rewrite trmx_eq0.
have q0 := unit0 _ vt0; have := low v^T.
have -> : qf M v^T = a * qf 1%:M v^T.
  by rewrite /qf /bil trmxK va -scalemxAl mxE mulmx1.
by rewrite ler_pmul2r.
Qed.

Lemma least_unique (M : 'M[R]_d) a b : least_eigenvalue M a -> least_eigenvalue M b -> a = b.
Proof. by move=> [ea ha] [eb hb]; apply/eqP; rewrite eq_le ha // hb. Qed.

Lemma maxmin_le_minmax (f : 'cV[R]_d -> Pi -> R) u v : maxmin f u -> minmax f v -> u <= v.
Proof.
by move=> [[pi [_ hpi]] _] [[theta [t1 [_ ht]]] _]; apply: le_trans (hpi theta t1) (ht pi).
Qed.

(* [ineq-max-min-eigenvalue], whole, with its equality: where the second moment of every
   policy has a smallest value on the sphere (as it has, by compactness), that is its smallest
   eigenvalue; so the two maxima over the policies are the same; and max min <= min max *)
Theorem ineq_max_min_eigenvalue_whole h (sigma : Pi -> R) : laws ->
  (forall pi, exists m, sphere_min (second h ^~ pi) m) ->
  (forall pi, least_eigenvalue (covariance h pi) (sigma pi)) ->
  (forall v, maximum sigma v <-> maxmin (second h) v) /\
  forall u v, maximum sigma u -> minmax (second h) v -> u <= v.
Proof.
move=> hp attained hs.
have min_sigma pi : sphere_min (second h ^~ pi) (sigma pi).
  have [m hm] := attained pi; suff <- : m = sigma pi by [].
  apply: least_unique (hs pi); apply: sphere_least; first by case: (psd_covariance h pi hp).
  case: hm => [[theta [t1 tm]] hm]; split; first by exists theta; rewrite -secondE.
  by move=> x x1; rewrite -secondE; exact: hm.
have eq v : maximum sigma v <-> maxmin (second h) v.
  split=> [[[pi <-] hv]|[[pi hpi] hv]].
    split; first by exists pi.
    by move=> pi'; have [[theta [t1 tm]] _] := min_sigma pi'; exists theta; rewrite tm.
  have e : sigma pi = v.
    case: (min_sigma pi) => [[x [x1 <-]] hx]; case: hpi => [[y [y1 <-]] hy].
    by apply/eqP; rewrite eq_le hy // hx.
  split; first by exists pi.
  move=> pi'; have [theta [t1 le]] := hv pi'; have [_ hx] := min_sigma pi'.
  exact: le_trans (hx _ t1) le.
by split=> // u v /eq hu; exact: maxmin_le_minmax.
Qed.

(* [ineq-nu-eigenvalue], whole: nu_min^2 is at least the smallest over the layers of
   max_pi sigma_min, which is max_pi min_theta of the second moment by the theorem above *)
Theorem ineq_nu_eigenvalue (nu s : 'I_H -> R) a b : laws -> coefficients nu a ->
  (forall h, maxmin (second h) (s h)) -> minimum s b -> b <= a ^+ 2.
Proof.
move=> hp [hn [[h <-] _]] hs [_ hb]; apply: le_trans (hb h) _.
have [[theta [t1 [[pi <-] hpi]]] _] := hn h; rewrite sqr_sqrtr ?second_ge0 //.
have [[pi' [_ h']] _] := hs h; apply: le_trans (h' theta t1) _.
have h2 : root h theta pi' ^+ 2 <= root h theta pi ^+ 2.
  by rewrite ler_pexpn2r ?nnegrE ?sqrtr_ge0.
by move: h2; rewrite /root !sqr_sqrtr; try exact: second_ge0.
Qed.

(* [text-well-explored], whole: a policy whose smallest eigenvalue (its smallest second moment)
   is at least c in every layer makes nu_min at least sqrt c >= c, because d c <= 1 *)
Theorem text_well_explored_whole (nu : 'I_H -> R) a (c : R) (pi : Pi) : laws -> short_features ->
  coefficients nu a -> (0 < d)%N -> 0 <= c ->
  (forall h theta, unit_vector theta -> c <= second h theta pi) ->
  [/\ d%:R * c <= 1, c <= Num.sqrt c, Num.sqrt c <= a & c <= a].
Proof.
move=> hp hphi [hn [[h <-] _]] d0 c0 hc.
have dc : d%:R * c <= 1.
  have e1 i : unit_vector (delta_mx i ord0 : 'cV[R]_d) by rewrite /unit_vector -diag_qf mxE eqxx.
  rewrite -[d in d%:R](card_ord d) mulr_natl -sumr_const.
  apply: (@le_trans _ _ (\sum_i second h (delta_mx i ord0) pi)).
    by apply: ler_sum => i _; exact: hc.
  rewrite /second /mean exchange_big /= -(proj2 (hp h pi)); apply: ler_sum => t _.
  rewrite -mulr_sumr ler_pimulr //; first by case: (hp h pi).
  apply: le_trans (hphi t); rewrite qfE; apply: ler_sum => i _.
  by rewrite -colE !mxE.
have c1 : c <= 1.
  by apply: le_trans dc; rewrite ler_pemull // ler1n.
have cs : c <= Num.sqrt c.
  rewrite -{1}(sqr_sqrtr c0) expr2 ler_pimulr ?sqrtr_ge0 //.
  by rewrite -(sqrtr1 R) ler_wsqrtr.
have sa : Num.sqrt c <= nu h.
  have [[theta [t1 [_ hpi]]] _] := hn h; apply: le_trans (hpi pi).
  by apply: ler_wsqrtr; exact: hc.
by split=> //; exact: le_trans cs sa.
Qed.
End Coefficient.
