(* Features on the axes: the coefficient is the value of a linear programme. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.common Require Import forms determinants.
From derl.reachability Require Import coefficient certificates sandwich factor.

Section Tabular.
Variables (R : archiFieldType) (d : nat) (I T : finType) (phi : T -> 'cV[R]_d) (p : I -> T -> R).
(* every feature lies on a coordinate axis *)
Definition on_axes := forall t (i j : 'I_d), i != j -> phi t i ord0 * phi t j ord0 = 0.
(* E_w phi_i^2 under the mixture w of policies *)
Definition second_entry (i : 'I_d) (w : {w : I -> R | is_law w}) : R :=
  \sum_k sval w k * mean (p k) (fun t => phi t i ord0 ^+ 2).
(* c is max over the policies of min over i of f i *)
Definition maxmin_entry (f : 'I_d -> {w : I -> R | is_law w} -> R) c :=
  (exists w, (forall i, c <= f i w) /\ exists i, f i w = c) /\ forall w, exists i, f i w <= c.

Hypotheses (p_law : forall k, is_law (p k)) (axes : on_axes).
Local Notation F := (mixed_moment phi p).

Lemma square_on_axes t (theta : 'cV[R]_d) :
  ((phi t)^T *m theta) ord0 ord0 ^+ 2 = \sum_i theta i ord0 ^+ 2 * phi t i ord0 ^+ 2.
Proof.
rewrite mxE expr2 big_distrlr /=; apply: eq_bigr => i _; rewrite (bigD1 i) //= big1 ?addr0 => [|j ji].
  by rewrite !mxE; move: (phi t i ord0) (theta i ord0) => a b; ring.
by rewrite !mxE mulrACA axes ?mul0r // eq_sym.
Qed.
Lemma moment_on_axes theta w : F theta w = \sum_i theta i ord0 ^+ 2 * second_entry i w.
Proof.
transitivity (\sum_k \sum_i theta i ord0 ^+ 2 * (sval w k * mean (p k) (fun t => phi t i ord0 ^+ 2))).
  apply: eq_bigr => k _; rewrite /mean mulr_sumr; under [RHS]eq_bigr => i _ do rewrite !mulr_sumr.
  rewrite exchange_big /=; apply: eq_bigr => t _; rewrite square_on_axes !mulr_sumr; apply: eq_bigr => i _.
  by move: (sval w k) (p k t) => a b; ring.
by rewrite exchange_big /=; apply: eq_bigr => i _; rewrite -mulr_sumr.
Qed.

(* in terms of squares: any weights are almost those of a direction *)
Lemma almost_direction (P : 'I_d -> R) g : (forall i, 0 <= P i) -> 0 < g ->
  exists theta : 'cV[R]_d, forall i, (1 - g) * P i <= theta i ord0 ^+ 2 <= P i.
Proof.
move=> P0 g0; have one i : exists x : R, (1 - g) * P i <= x ^+ 2 <= P i.
  case: (eqVneq (P i) 0) => [->|nz]; first by exists 0; rewrite mulr0 expr0n lexx.
  have Pi : 0 < P i by rewrite lt_def nz P0.
  have [t _ /andP [lo hi]] := near_one Pi g0; exists (P i * t).
  have -> : (P i * t) ^+ 2 = t ^+ 2 * P i * P i by ring.
  by rewrite ler_pmul2r // lo -[leRHS]mul1r ler_pmul2r.
pose x i := xchoose (one i); exists (\col_i x i) => i; rewrite mxE; exact: (xchooseP (one i)).
Qed.

(* nu^2 is at most whatever bounds the best smallest entry *)
Lemma tabular_upper v l : (forall theta, exists w, v * qf 1%:M theta <= F theta w) ->
  (forall w, exists i, second_entry i w <= l) -> 0 <= v -> v <= l.
Proof.
move=> hv hl v0; pose C k : 'M[R]_d := \sum_t p k t *: outer (phi t).
have CF k theta : qf (C k) theta = \sum_i theta i ord0 ^+ 2 * mean (p k) (fun t => phi t i ord0 ^+ 2).
  rewrite -CE /mean; under [RHS]eq_bigr => i _ do rewrite mulr_sumr.
  rewrite exchange_big /=; apply: eq_bigr => t _; rewrite square_on_axes mulr_sumr; apply: eq_bigr => i _.
  by rewrite mulrCA.
have [k0 _] : exists k : I, True by have [[w hw] _] := hv 0; exact: law_inhabited hw.
have low w : is_law w -> exists2 theta, theta != 0 & \sum_k w k * qf (C k) theta <= l * qf 1%:M theta.
  move=> hw; have [i le] := hl (exist _ w hw); exists (delta_mx i ord0).
    by apply/eqP => /matrixP /(_ i ord0); rewrite !mxE !eqxx => /eqP; rewrite oner_eq0.
  rewrite -diag_qf mxE eqxx mulr1; apply: le_trans le; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  apply: eq_bigr => k _; rewrite CF (bigD1 i) //= mxE !eqxx expr1n mul1r big1 ?addr0 // => j ji.
  by rewrite mxE (negPf ji) andFb expr0n mul0r.
suff close e : 0 < e -> e <= 1 -> v * (1 - e) <= l + e.
  rewrite leNgt; apply/negP => lt; pose e := Num.min 1 ((v - l) / (2%:R * (v + 1))).
  have v1 : 0 < v + 1 by rewrite ltr_paddl ?ltr01.
  have e0 : 0 < e by rewrite lt_minr ltr01 divr_gt0 ?subr_gt0 ?mulr_gt0 ?ltr0n.
  have e1 : e <= 1 by rewrite le_minl lexx.
  have := close e e0 e1; rewrite leNgt => /negP [].
  have h : e * (v + 1) <= (v - l) / 2%:R.
    rewrite -ler_pdivl_mulr //; have -> : (v - l) / 2%:R / (v + 1) = (v - l) / (2%:R * (v + 1)) by rewrite -mulrA
      -invfM.
    by rewrite le_minl lexx orbT.
  have h' : (v - l) / 2%:R < v - l by rewrite ltr_pdivr_mulr ?ltr0n // mulr_natr mulr2n ltr_addl subr_gt0.
  have := le_lt_trans h h'; rewrite -subr_gt0 => h2; rewrite -subr_gt0.
  by have -> : v * (1 - e) - (l + e) = v - l - e * (v + 1) by ring.
move=> e0 e1.
have [P [pP trP hP]] := near_saddle (C_psd phi p_law) (C_le phi p_law) low k0 e0.
have P0 i : 0 <= P i i by exact: psd_diag_ge0.
have [theta th] := almost_direction P0 e0; have [[w [w0 w1]]] := hv theta; rewrite FE /= => le.
have trC k : \tr (C k *m P) = \sum_i P i i * mean (p k) (fun t => phi t i ord0 ^+ 2).
  have Cd i j : C k i j = if i == j then mean (p k) (fun t => phi t i ord0 ^+ 2) else 0.
    rewrite summxE; case: eqP => [->|/eqP ij].
      by apply: eq_bigr => t _; rewrite mxE outerE expr2.
    by apply: big1 => t _; rewrite mxE outerE axes ?mulr0.
  apply: eq_bigr => i _; rewrite mxE (bigD1 i) //= Cd eqxx big1 ?addr0 1?mulrC // => j ji.
  by rewrite Cd eq_sym (negPf ji) mul0r.
have q : 1 - e <= qf 1%:M theta.
  have -> : 1 - e = \sum_i (1 - e) * P i i by rewrite -mulr_sumr -/(\tr P) trP mulr1.
  by rewrite qfE; apply: ler_sum => i _; case/andP: (th i).
apply: (@le_trans _ _ (v * qf 1%:M theta)); first by rewrite ler_wpmul2l.
apply: le_trans le _; rewrite -[leRHS]mul1r -w1 mulr_suml; apply: ler_sum => k _; rewrite ler_wpmul2l //.
apply: le_trans (hP k); rewrite trC CF; apply: ler_sum => i _; rewrite ler_wpmul2r //; last by case/andP: (th i).
by apply: sumr_ge0 => t _; rewrite mulr_ge0 ?sqr_ge0 //; case: (p_law k).
Qed.
End Tabular.

(* [res-nu-tabular], whole *)
Theorem res_nu_tabular (R : archiFieldType) d (I T : finType) (phi : T -> 'cV[R]_d) (p : I -> T -> R) nu2 lam c :
  (forall k, is_law (p k)) -> on_axes phi ->
  direction_value (mixed_moment phi p) nu2 -> policy_value (mixed_moment phi p) lam ->
  (maxmin_entry (second_entry phi p) c -> nu2 = c /\ lam = c) /\
  (forall pair : 'I_d -> T, injective pair -> (forall t, exists i, t = pair i) ->
    (forall i, phi (pair i) = delta_mx i ord0) ->
    maxmin_entry (fun i w => \sum_k sval w k * p k (pair i)) c -> nu2 = c).
Proof.
move=> hp axes [[theta1 [t1 [_ hmax]]] hv] [[w1 h1] hl].
have lo : lam <= nu2 by have := le_trans (h1 theta1) (hmax w1); rewrite ler_pmul2r // qf1_gt0.
have lam0 : 0 <= lam.
  have [theta t0 le] := hl w1; have q0 := qf1_gt0 t0.
  by rewrite -(pmulr_lge0 _ q0); apply: le_trans le; exact: F_ge0.
have first : maxmin_entry (second_entry phi p) c -> nu2 = c /\ lam = c.
  move=> [[w [hw _]] hc].
  have up : nu2 <= c by apply: (tabular_upper hp axes hv hc); exact: le_trans lo.
  have low : c <= lam.
    have [theta t0 le] := hl w; have q0 := qf1_gt0 t0; rewrite -(ler_pmul2r q0); apply: le_trans le.
    by rewrite moment_on_axes // qfE mulr_sumr; apply: ler_sum => i _; rewrite mulrC ler_wpmul2l ?sqr_ge0.
  by split; apply/eqP; rewrite eq_le ?up ?low ?(le_trans low lo) ?(le_trans lo up).
split=> // pair inj onto hot mm; apply: (proj1 (first _)).
have e i w : second_entry phi p i w = \sum_k sval w k * p k (pair i).
  apply: eq_bigr => k _; congr (_ * _); rewrite /mean (bigD1 (pair i)) //= hot mxE !eqxx expr1n mulr1.
  rewrite big1 ?addr0 // => t ti; have [j tj] := onto t; rewrite tj hot mxE.
  case: eqP => [ij|_]; last by rewrite expr0n mulr0.
  by rewrite tj ij eqxx in ti.
case: mm => [[w [h [i hi]]] h']; split; last by move=> u; have [j le] := h' u; exists j; rewrite e.
by exists w; split=> [j|]; [rewrite e|exists i; rewrite e].
Qed.

(* control: for features off the axes the two values differ, in a linear MDP with d = 3 *)
Theorem res_nu_tabular_control (R : archiFieldType) : ~ (forall d (I T : finType) (phi : T -> 'cV[R]_d)
  (p : I -> T -> R) nu2 lam, (forall k, is_law (p k)) -> sums_to_one phi ->
  direction_value (mixed_moment phi p) nu2 -> policy_value (mixed_moment phi p) lam -> nu2 = lam).
Proof.
have [_ [_ [T [phi [nu2 [lam [[m _ hm] _ hv hl [lam0 e]]]]]]]] := res_nu_sandwich R.
have {}hm : sums_to_one phi by exists m.
move=> h; have := h _ _ _ _ _ _ _ (@take_law R T) hm hv hl; rewrite e => /eqP; rewrite gt_eqF //.
by rewrite -[X in X < _]mul1r ltr_pmul2r // ltr_pdivl_mulr ?ltr0n // mul1r ltr_nat.
Qed.
