(* The coefficient in the span of the features that can be met. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.common Require Import forms.
From derl.reachability Require Import coefficient certificates sandwich span.

Section Subspace.
Variables (R : realFieldType) (d : nat).
(* v is the smallest, over the directions in U, of the largest value of f over the policies, per squared length *)
Definition direction_value_in (U : 'cV[R]_d -> Prop) (I : Type) (f : 'cV[R]_d -> I -> R) v :=
  (exists theta, [/\ U theta, theta != 0 & maximum (f theta) (v * qf 1%:M theta)]) /\
  forall theta, U theta -> exists i, v * qf 1%:M theta <= f theta i.

Variables (I T : finType) (phi : T -> 'cV[R]_d) (p : I -> T -> R).
(* a combination of features that can be met *)
Definition in_span (theta : 'cV[R]_d) := exists c : T -> R, theta = \sum_(t | met p t) c t *: phi t.
(* P projects onto their span *)
Definition projects (P : 'M[R]_d) :=
  [/\ P^T = P, P *m P = P & forall theta, in_span theta <-> P *m theta = theta].
End Subspace.

(* [res-nu-reachable-span]: positive in the span; the same number where the span is everything; the norms of the
   features are those of the block of the span *)
Theorem res_nu_reachable_span (R : realFieldType) d (I T : finType) (phi : T -> 'cV[R]_d) (p : I -> T -> R) :
  (forall i, is_law (p i)) ->
  [/\ forall v, direction_value_in (in_span phi p) (mixed_moment phi p) v -> 0 < v,
      (forall theta, in_span phi p theta) -> forall v,
        direction_value_in (in_span phi p) (mixed_moment phi p) v <-> direction_value (mixed_moment phi p) v &
      forall (P A X : 'M[R]_d) c x, projects phi p P -> psd A -> P *m A *m P = A -> 0 < c ->
        P *m X *m P = X -> X *m (c *: P + A) = P -> in_span phi p x ->
        qf (invmx (c%:M + A)) x = qf X x].
Proof.
move=> hp; split.
- move=> v [[theta [[c thE] t0 [_ hmax]]] _].
  have q0 := qf1_gt0 t0; rewrite -(pmulr_lgt0 _ q0).
  have [t tm dt] : exists2 t, met p t & ((phi t)^T *m theta) ord0 ord0 != 0.
    case: (boolP [exists t, met p t && (((phi t)^T *m theta) ord0 ord0 != 0)]) => [/existsP [t /andP [tm dt]]|/existsPn
      no].
      by exists t.
    move: q0; rewrite /qf bil1 {1}thE linear_sum /= mulmx_suml summxE big1 ?ltxx // => t tm.
    have := no t; rewrite tm /= negbK => /eqP z.
    by rewrite linearZ /= -scalemxAl mxE z mulr0.
  have [i pit] := existsP tm; have [w we] := moment_at phi p i theta.
  apply: lt_le_trans (hmax w); rewrite we /mean (bigD1 t) //=; apply: ltr_paddr.
    by apply: sumr_ge0 => s _; rewrite mulr_ge0 ?sqr_ge0 //; case: (hp i).
  by rewrite mulr_gt0 // lt_def sqr_ge0 sqrf_eq0 dt.
- move=> all v; split=> [[[theta [_ t0 hmax]] hv]|[[theta [t0 hmax]] hv]].
    by split; [exists theta|move=> x; exact: hv (all x)].
  by split; [exists theta; split=> //; exact: all|move=> x _; exact: hv].
move=> P A X c x [sP PP span] pA PAP c0 PXP XP /span xP.
have pM : pd (c%:M + A).
  apply: pdD => //; rewrite -scalemx1; apply: pdZ => //; exact: pd1.
have Q : (X + c^-1 *: (1%:M - P)) *m (c%:M + A) = 1%:M.
  have PA : P *m A = A by rewrite -PAP !mulmxA PP.
  have XPX : X *m P = X by rewrite -PXP -!mulmxA PP.
  have e1 : X *m (c%:M + A) = P.
    by rewrite -[RHS]XP !mulmxDr -scalemxAr XPX mul_mx_scalar.
  have e2 : (1%:M - P) *m (c%:M + A) = c *: (1%:M - P).
    by rewrite mulmxBl mul1mx mulmxDr PA mul_mx_scalar opprD addrACA subrr addr0 scalerBr scalemx1.
  by rewrite mulmxDl -scalemxAl e1 e2 scalerA mulVf ?gt_eqF // scale1r addrC subrK.
have -> : invmx (c%:M + A) = X + c^-1 *: (1%:M - P).
  apply: (can_inj (mulmxK (pd_unit pM))); rewrite mulVmx ?pd_unit //; exact: esym Q.
rewrite qfD qfZ /qf [bil (1%:M - P) _ _]/bil -mulmxA mulmxBl mul1mx xP subrr mulmx0 mxE mulr0 addr0.
by [].
Qed.
