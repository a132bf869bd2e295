(* When the coefficient is zero: the features that can be met do not span the space. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.common Require Import forms.
From derl.reachability Require Import coefficient certificates sandwich.

Section Span.
Variables (R : realFieldType) (d : nat) (I T : finType) (phi : T -> 'cV[R]_d) (p : I -> T -> R).
(* some policy meets the pair t *)
Definition met (t : T) := [exists i, 0 < p i t].
(* the features that can be met, as rows; a pair that cannot be met has a row of zeros *)
Definition met_rows : 'M[R]_(#|T|, d) := \matrix_(k, j) (if met (enum_val k) then phi (enum_val k) j ord0 else 0).
(* they span the space *)
Definition met_span := \rank met_rows == d.

Hypothesis p_law : forall i, is_law (p i).
Local Notation F := (mixed_moment phi p).

Lemma met_rowsE (theta : 'cV[R]_d) : (forall t, met t -> ((phi t)^T *m theta) ord0 ord0 = 0) <-> met_rows *m theta = 0.
Proof.
split=> [h|h t tm].
  apply/matrixP => k l; rewrite ord1 !mxE; case: (boolP (met (enum_val k))) => m.
    have := h _ m; rewrite mxE => e; rewrite -[RHS]e; apply: eq_bigr => j _; by rewrite !mxE m.
  by apply: big1 => j _; rewrite !mxE (negPf m) mul0r.
have := congr1 (fun M : 'cV[R]_#|T| => M (enum_rank t) ord0) h; rewrite !mxE => e.
by rewrite -[RHS]e; apply: eq_bigr => j _; rewrite !mxE enum_rankK tm.
Qed.

Lemma moment_at i (theta : 'cV[R]_d) : exists w, F theta w = mean (p i) (fun t => ((phi t)^T *m theta) ord0 ord0 ^+ 2).
Proof.
have law : is_law (fun j : I => (j == i)%:R : R).
  split=> [j|]; first exact: ler0n.
  by rewrite (bigD1 i) //= eqxx big1 ?addr0 // => j /negPf ->.
exists (exist _ _ law); rewrite /mixed_moment (bigD1 i) //= eqxx mul1r big1 ?addr0 // => j /negPf ->.
by rewrite mul0r.
Qed.

(* nu^2 = 0 exactly when the features that can be met do not span the space *)
Lemma nu_zero nu2 : direction_value F nu2 -> (nu2 == 0) = ~~ met_span.
Proof.
move=> [[theta [t0 [[w0 w0E] hmax]]] hv].
have F0 x w : 0 <= F x w.
  apply: sumr_ge0 => i _; rewrite mulr_ge0 //; first by case: (svalP w).
  by apply: sumr_ge0 => t _; rewrite mulr_ge0 ?sqr_ge0 //; case: (p_law i).
have nu0 : 0 <= nu2 by rewrite -(pmulr_lge0 _ (qf1_gt0 t0)) -w0E.
have full : met_span = row_full met_rows by [].
apply/eqP/idP => [e|].
  rewrite full; apply: contra t0 => f; apply/eqP.
  rewrite -[theta]mul1mx -(mulVpmx f) -mulmxA (proj1 (met_rowsE theta)) ?mulmx0 // => t /existsP [i pi].
  have [w we] := moment_at i theta; have := hmax w; rewrite e mul0r we => le.
  have term s : 0 <= p i s * ((phi s)^T *m theta) ord0 ord0 ^+ 2.
    by rewrite mulr_ge0 ?sqr_ge0 //; case: (p_law i).
  have : p i t * ((phi t)^T *m theta) ord0 ord0 ^+ 2 <= 0.
    by apply: le_trans le; rewrite /mean (bigD1 t) //= ler_addl; apply: sumr_ge0 => s _; exact: term.
  by rewrite pmulr_rle0 // => le2; apply/eqP; rewrite -sqrf_eq0 eq_le le2 sqr_ge0.
rewrite full -cokermx_eq0 => /negPf nz.
have [j cj] : exists j, col j (cokermx met_rows) != 0.
  apply/existsP; apply: contraFT nz => /existsPn h; apply/eqP/matrixP => a b.
  by have := h b; rewrite negbK => /eqP /matrixP /(_ a 0); rewrite !mxE.
have zero : met_rows *m col j (cokermx met_rows) = 0 by rewrite colE mulmxA mulmx_coker mul0mx.
have [w le] := hv (col j (cokermx met_rows)).
apply/eqP; rewrite eq_le nu0 andbT -(pmulr_lle0 _ (qf1_gt0 cj)); apply: le_trans le _.
rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: big1 => i _; rewrite /mean big1 ?mulr0 // => t _.
case: (boolP (met t)) => m; first by rewrite (proj2 (met_rowsE _) zero) // expr0n mulr0.
have /existsPn /(_ i) := m; have [p0 _] := p_law i; rewrite lt_def p0 andbT negbK => /eqP ->.
by rewrite mul0r.
Qed.
End Span.

(* [res-nu-fixed-start], whole *)
Theorem res_nu_fixed_start (R : rcfType) :
  (* nu_h = 0 exactly when the features that some policy can meet do not span *)
  (forall d (I T : finType) (phi : T -> 'cV[R]_d) (p : I -> T -> R) nu, (forall i, is_law (p i)) -> 0 <= nu ->
    direction_value (mixed_moment phi p) (nu ^+ 2) -> (nu = 0 <-> ~ met_span phi p)) /\
  (* with a fixed first state and fewer than d actions the first coefficient and the smallest one are zero *)
  (forall d (I A : finType) (phi : A -> 'cV[R]_d) (p : I -> A -> R) H (nu : 'I_H.+1 -> R) numin,
    (forall i, is_law (p i)) -> (#|A| < d)%N -> (forall h, 0 <= nu h) ->
    direction_value (mixed_moment phi p) (nu ord0 ^+ 2) -> minimum nu numin -> nu ord0 = 0 /\ numin = 0) /\
  (* as in every tabular instance *)
  forall (S A : finType) d, d = (#|S| * #|A|)%N -> (0 < #|A|)%N -> (2 <= #|S|)%N -> (#|A| < d)%N.
Proof.
have first d (I T : finType) (phi : T -> 'cV[R]_d) (p : I -> T -> R) nu : (forall i, is_law (p i)) -> 0 <= nu ->
    direction_value (mixed_moment phi p) (nu ^+ 2) -> (nu = 0 <-> ~ met_span phi p).
  move=> hp _ /(nu_zero hp); rewrite sqrf_eq0 => e; split=> [z|/negP h]; last by apply/eqP; rewrite e.
  by apply/negP; rewrite -e z.
split=> //; split=> [d I A phi p H nu numin hp Ad nu0 hv [[h <-] hmin]|S A d -> A0 S2].
  have z : nu ord0 = 0.
    apply/(first _ _ _ _ _ _ hp (nu0 _) hv) => /eqP e; move: Ad; rewrite ltnNge -{1}e => /negP []; exact: rank_leq_row.
  by split=> //; apply/eqP; rewrite eq_le nu0 andbT -[leRHS]z.
by rewrite -{1}[#|A|]mul1n ltn_pmul2r.
Qed.

(* control: as many actions as dimensions can be enough, d = 1 *)
Theorem res_nu_fixed_start_control (R : rcfType) : ~ (forall d (I A : finType) (phi : A -> 'cV[R]_d) (p : I -> A -> R)
  nu, (forall i, is_law (p i)) -> (#|A| <= d)%N -> 0 <= nu ->
  direction_value (mixed_moment phi p) (nu ^+ 2) -> nu = 0).
Proof.
move=> h; pose phi (_ : unit) : 'cV[R]_1 := 1%:M; pose p (_ _ : unit) : R := 1.
have law : forall i, is_law (p i) by move=> i; split=> [t|]; [exact: ler01|rewrite (big_pred1 tt) // => -[]].
have val theta w : mixed_moment phi p theta w = qf 1%:M theta.
  have [_ w1] := svalP w; rewrite /mixed_moment /mean.
  rewrite (eq_bigr (fun i => sval w i * qf 1%:M theta)) => [|i _]; first by rewrite -mulr_suml w1 mul1r.
  by rewrite (big_pred1 tt) => [|[] //]; rewrite mul1r /phi trmx1 mul1mx qfE big_ord1.
have lawu : is_law (fun _ : unit => 1 : R) by exact: law tt.
have := h 1%N _ _ phi p 1 law _ ler01; rewrite card_unit => /(_ isT) => imp.
suff dv : direction_value (mixed_moment phi p) (1 ^+ 2) by have /eqP := imp dv; rewrite oner_eq0.
split; last by move=> theta; exists (exist _ _ lawu); rewrite val expr1n mul1r.
exists 1%:M; split; first by rewrite -[1%:M]/(phi tt); apply/eqP => /matrixP /(_ 0 0); rewrite !mxE => /eqP;
  rewrite oner_eq0.
by split; [exists (exist _ _ lawu)|move=> w]; rewrite val expr1n mul1r.
Qed.
