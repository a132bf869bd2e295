(* One design in place of every action: a linear transition law and a covariance are dominated
   by those of a design, with the largest norm of the features in its inverse as the factor. *)
From derl.common Require Import prelude forms.
From derl.lower_bounds Require Import game.
From derl.analysis Require Import matrices.

Section Domination.
Variables (R : realFieldType) (A S : finType) (d : nat).
Implicit Types (phi : A -> 'cV[R]_d) (rho : A -> R) (W : 'M[R]_d) (P : A -> S -> R).

(* the covariance of a design *)
Definition design_matrix phi rho : 'M[R]_d := \sum_a rho a *: outer (phi a).
(* W inverts the covariance on the span of the features, as its pseudo-inverse does *)
Definition inverts phi rho W := psd W /\ forall a, design_matrix phi rho *m W *m phi a = phi a.
(* a law of the next state that is linear in the feature *)
Definition linear_law phi P :=
  (exists m : S -> 'cV[R]_d, forall a s, P a s = ((m s)^T *m phi a) ord0 ord0) /\ forall a, is_law (P a).
(* the law of the next state under the design *)
Definition design_law rho P s : R := \sum_b rho b * P b s.

Lemma outer_mulx (v x : 'cV[R]_d) : outer v *m x = (v^T *m x) ord0 ord0 *: v.
Proof. by rewrite /outer -mulmxA [X in _ *m X]mx11_scalar mul_mx_scalar. Qed.

(* g is the largest norm: r for a G-optimal design with features of rank r, C r for one that is
   optimal up to the factor C *)
Theorem domination phi rho W (g : R) P :
  is_law rho -> inverts phi rho W -> (forall a, qf W (phi a) <= g) ->
  [/\ linear_law phi P -> forall a s, P a s <= g * design_law rho P s,
      forall a, above (g *: design_matrix phi rho) (outer (phi a)) &
      forall a, phi a != 0 -> qf W (phi a) = g -> exists x,
        0 < qf (design_matrix phi rho) x /\ qf (outer (phi a)) x = g * qf (design_matrix phi rho) x].
Proof.
move=> [r0 r1] [pW inv] hg; set V := design_matrix phi rho; have [sW W0] := pW.
have sV : sym V.
  by have [h _] : psd V by apply: psd_sum => a _; exact: psdZ (r0 a) (psd_outer _).
have VWV : V *m W *m V = V.
  rewrite {2 3}/V /design_matrix mulmx_sumr; apply: eq_bigr => a _.
  by rewrite -scalemxAr /outer mulmxA inv.
have g0 (a : A) : 0 <= g := le_trans (W0 (phi a)) (hg a).
have c (a b : A) : bil W (phi b) (phi a) <= g.
  apply: le_trans (ler_norm _) _; rewrite -(ler_pexpn2r (n := 2)) ?nnegrE ?normr_ge0 ?(g0 a) //.
  rewrite real_normK ?num_real //; apply: le_trans (cauchy _ _ pW) _.
  by rewrite expr2; apply: ler_pmul.
split.
- move=> [[m hm] hP] a s.
  have -> : P a s = \sum_b rho b * (bil W (phi b) (phi a) * P b s).
    rewrite hm -{1}(inv a) /V /design_matrix mulmx_suml mulmx_suml mulmx_sumr summxE.
    have sc k (M : 'M[R]_1) : (k *: M) ord0 ord0 = k * M ord0 ord0 by rewrite mxE.
    apply: eq_bigr => b _; rewrite -!scalemxAl -(mulmxA (outer (phi b))) outer_mulx -!scalemxAr !sc -hm.
    by rewrite /bil mulmxA.
  rewrite /design_law mulr_sumr; apply: ler_sum => b _; rewrite [leRHS]mulrCA ler_wpmul2l //.
  by rewrite ler_wpmul2r //; case: (hP b).
- move=> a; split=> [|x]; first by apply: symB (outer_sym _); exact: symZ.
  rewrite qfB qfZ subr_ge0 qf_outer.
  have e : ((phi a)^T *m x) ord0 ord0 = bil W (phi a) (V *m x).
    by rewrite /bil -{1}(inv a) !trmx_mul sV sW !mulmxA.
  have q : qf W (V *m x) = qf V x.
    by rewrite /qf /bil trmx_mul sV -!mulmxA; congr ((_ *m _) _ _); rewrite !mulmxA VWV.
  rewrite e; apply: le_trans (cauchy _ _ pW) _; rewrite q ler_wpmul2r //.
  by rewrite -q; exact: W0.
- move=> a a0 ga; exists (W *m phi a).
  have q : qf V (W *m phi a) = g.
    rewrite -ga /qf /bil trmx_mul sW -!mulmxA; congr ((_ *m _) _ _); rewrite !mulmxA.
    by rewrite -mulmxA -mulmxA (mulmxA V) inv.
  rewrite q qf_outer; have -> : ((phi a)^T *m (W *m phi a)) ord0 ord0 = g by rewrite mulmxA -ga.
  split; last by rewrite expr2.
  rewrite lt_def (g0 a) andbT; apply: contra a0 => /eqP gz.
  have k : W *m phi a = 0 by apply: psd_kernel pW _; rewrite ga.
  by rewrite -(inv a) -mulmxA k mulmx0.
Qed.
End Domination.

(* the first factor is attained: n orthonormal features, each action with a next state of its
   own, the uniform design; W = n I *)
Theorem domination_attained (R : realFieldType) (n : nat) : (0 < n)%N ->
  let phi (a : 'I_n) : 'cV[R]_n := delta_mx a ord0 in let rho (a : 'I_n) : R := n%:R^-1 in
  let W : 'M[R]_n := n%:R%:M in let P (a s : 'I_n) : R := (a == s)%:R in
  [/\ is_law rho, inverts phi rho W, forall a, qf W (phi a) = n%:R, linear_law phi P &
      forall a, P a a = n%:R * design_law rho P a].
Proof.
move=> n0 phi rho W P; have nR : n%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have V : design_matrix phi rho = (n%:R^-1)%:M.
  rewrite /design_matrix -scaler_sumr -scalemx1; congr (_ *: _).
  apply/matrixP => i j; rewrite summxE (bigD1 i) //= big1 => [|a ai].
    by rewrite addr0 outerE !mxE !eqxx mul1r andbT eq_sym.
  by rewrite outerE !mxE (eq_sym i) (negPf ai) mul0r.
split.
- split=> [a|]; first by rewrite invr_ge0 ler0n.
  have -> : \sum_o rho o = n%:R * n%:R^-1 by rewrite sumr_const card_ord mulr_natl.
  by rewrite mulfV.
- split; first by apply/pd_psd/pd_scalar; rewrite ltr0n.
  by move=> a; rewrite V -scalar_mxM mulVf // mul1mx.
- move=> a; rewrite /W -scalemx1 qfZ qfE (bigD1 a) //= mxE !eqxx expr1n big1 ?addr0 ?mulr1 // => b ba.
  by rewrite mxE (negPf ba) expr0n.
- split; first exists (fun s => delta_mx s ord0).
    move=> a s; rewrite mxE (bigD1 a) //= !mxE !eqxx mulr1 big1 ?addr0 => [|b ba]; first by rewrite andbT.
    by rewrite !mxE (negPf ba) mulr0.
  move=> a; split=> [s|]; first by rewrite /P ler0n.
  by rewrite (bigD1 a) //= /P eqxx big1 ?addr0 // => s; rewrite eq_sym => /negPf ->.
- move=> a; rewrite /design_law -mulr_sumr mulrA mulfV // mul1r (bigD1 a) //= /P eqxx big1 ?addr0 // => b.
  by move=> /negPf ->.
Qed.

(* [res-one-step-domination], whole: the two dominations, a direction in which the second is an
   equality, and for every n an instance with g = n in which the first is one *)
Theorem res_one_step_domination (R : realFieldType) :
  (forall (A S : finType) (d : nat) (phi : A -> 'cV[R]_d) (rho : A -> R) (W : 'M[R]_d) (g : R) (P : A -> S -> R),
     is_law rho -> inverts phi rho W -> (forall a, qf W (phi a) <= g) ->
     [/\ linear_law phi P -> forall a s, P a s <= g * design_law rho P s,
         forall a, above (g *: design_matrix phi rho) (outer (phi a)) &
         forall a, phi a != 0 -> qf W (phi a) = g -> exists x,
           0 < qf (design_matrix phi rho) x /\ qf (outer (phi a)) x = g * qf (design_matrix phi rho) x]) /\
  (forall n : nat, (0 < n)%N -> exists (phi : 'I_n -> 'cV[R]_n) (rho : 'I_n -> R) (W : 'M[R]_n) (P : 'I_n -> 'I_n -> R),
     [/\ is_law rho, inverts phi rho W, forall a, qf W (phi a) = n%:R, linear_law phi P &
         forall a, P a a = n%:R * design_law rho P a]).
Proof.
split=> [A S d phi rho W g P|n n0]; first exact: domination.
by do 4 eexists; exact: (domination_attained R n0).
Qed.

(* control: with 9/10 of the factor the domination of the laws is false, one action *)
Theorem domination_control (R : realFieldType) : ~ (forall (A S : finType) (d : nat) (phi : A -> 'cV[R]_d)
    (rho : A -> R) (W : 'M[R]_d) (g : R) (P : A -> S -> R),
  is_law rho -> inverts phi rho W -> (forall a, qf W (phi a) <= g) -> linear_law phi P ->
  forall a s, P a s <= 9%:R / 10%:R * g * design_law rho P s).
Proof.
move=> h; have [hr hi hq hl e] := domination_attained R (n := 1) isT.
have := h _ _ _ _ _ _ 1%:R _ hr hi (fun a => eq_ind_r (fun x => x <= 1%:R) (lexx _) (hq a)) hl ord0 ord0.
by rewrite -mulrA -e eqxx mulr1 leNgt ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat.
Qed.
