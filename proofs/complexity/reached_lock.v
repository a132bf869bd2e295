(* Combination locks of which every layer can be reached in all directions: the first state is random, and the last
   layer has other features.

   half_start          the law of the first state: the gate with 1/2, each absorbing state with 1/4
   spread x a          the axis of the last layer for the absorbing state x and the action a
   code_features h     the features of gate.v before layer n, an axis in layer n *)
From derl.common Require Import real_prelude forms.
From derl.lower_bounds Require Import game locks gate trajectories lock features.
From derl.foundations Require Import rewards policies.
From derl.layerwise Require Import optimism.
From derl.analysis Require Import matrices evaluation.
From derl.algorithm_two Require Import whole_run.
From derl.complexity Require Import definition hidden_arm reached hidden_code.

(* the law of the first state *)
Definition half_start (s : gate.state) : R := if s is Some _ then 4%:R^-1 else 2%:R^-1.
Lemma half_start_law : is_law half_start.
Proof.
split=> [[x|]|]; rewrite ?invr_ge0 ?ler0n // sum_state /half_start.
by field.
Qed.

Section LastLayer.
Variables (n d' : nat).
Hypothesis n0 : (0 < n)%N.
Local Notation d := d'.+1.
Local Notation D := (d'.+1 + 2)%N.
Implicit Types (M : gate.instance R_realFieldType d).

(* a vector along one axis *)
Definition axis (i : 'I_D) : 'cV[R]_D := \col_k (k == i)%:R.
(* in the state Some false the action a has the axis of its number; in Some true the actions share the last two *)
Definition spread (x : bool) (a : 'I_d) : 'I_D :=
  if x then rshift d (if a == ord0 then ord0 else ord_max : 'I_2) else lshift 2 a.
(* the features of the last layer; at the gate, half of the two first of the axes *)
Definition last_feature (s : gate.state) (a : 'I_d) : 'cV[R]_D :=
  if s is Some x then axis (spread x a) else 2%:R^-1 *: (axis (spread false ord0) + axis (spread true ord0)).
(* the features of layer h *)
Definition code_features (h : nat) (s : gate.state) (a : 'I_d) : 'cV[R]_D :=
  if h == n then last_feature s a else feature_vector R_realFieldType s a.
(* a vector with one value in the axes of Some false, another in those of Some true *)
Definition two_parts (u v : R) : 'cV[R]_D := \col_i (if split i is inl _ then u else v).

Lemma dot_axis (v : 'cV[R]_D) i : (v^T *m axis i) ord0 ord0 = v i ord0.
Proof. by rewrite mxE (bigD1 i) //= !mxE eqxx mulr1 big1 ?addr0 // => k /negPf ki; rewrite !mxE ki mulr0. Qed.

Lemma two_parts_spread u v x a : two_parts u v (spread x a) ord0 = if x then v else u.
Proof.
by rewrite mxE /spread; case: x; [rewrite (unsplitK (inr _ : 'I_d + 'I_2))|rewrite (unsplitK (inl _ : 'I_d + 'I_2))].
Qed.

Lemma dot_two_parts u v s a : ((two_parts u v)^T *m last_feature s a) ord0 ord0 =
  if s is Some x then (if x then v else u) else (u + v) / 2%:R.
Proof.
case: s => [x|]; first by rewrite dot_axis two_parts_spread.
by rewrite -scalemxAr mxE mulmxDr mxE !dot_axis !two_parts_spread mulrC.
Qed.

Lemma small_entries (v : 'cV[R]_D) : (forall i, 0 <= v i ord0 <= 1) -> qf 1%:M v <= \sum_i v i ord0.
Proof.
move=> h; rewrite qfE; apply: ler_sum => i _; have /andP[v0 v1] := h i.
by rewrite expr2 ler_pimull.
Qed.
Lemma axis_entry i k : 0 <= axis i k ord0 <= 1. Proof. by rewrite mxE ler0n lern1 leq_b1. Qed.
Lemma axis_sum i : \sum_k axis i k ord0 = 1.
Proof. by rewrite (bigD1 i) //= mxE eqxx big1 ?addr0 // => k /negPf ki; rewrite mxE ki. Qed.

Lemma last_feature_norm s a : qf 1%:M (last_feature s a) <= 1.
Proof.
case: s => [x|].
  by apply: le_trans (small_entries _) _ => [k|]; [exact: axis_entry|rewrite axis_sum].
pose i := spread false ord0; pose j := spread true ord0.
have e k : last_feature None a k ord0 = 2%:R^-1 * (axis i k ord0 + axis j k ord0) by rewrite mxE [X in _ * X]mxE.
have two : 1 = 2%:R^-1 * (1 + 1) :> R by field.
apply: le_trans (small_entries _) _ => [k|].
  have /andP[a0 a1] := axis_entry i k; have /andP[b0 b1] := axis_entry j k.
  rewrite e mulr_ge0 ?invr_ge0 ?ler0n ?addr_ge0 //= [leRHS]two ler_wpmul2l ?invr_ge0 ?ler0n //; exact: ler_add.
by under eq_bigr do rewrite e; rewrite -mulr_sumr big_split /= !axis_sum -two.
Qed.

Lemma parts_norm (u v : R) : `|u| <= 1 -> `|v| <= 1 -> qf 1%:M (two_parts u v) <= D%:R.
Proof.
move=> hu hv; rewrite qfE -[X in _ <= X%:R](card_ord D) -sumr_const; apply: ler_sum => i _; rewrite mxE.
by case: (split i) => _; rewrite -real_normK ?num_real //; apply: exprn_ile1; rewrite ?normr_ge0.
Qed.

(* the last layer satisfies Assumption 1 *)
Lemma last_assumption M : mild M -> (forall a, stays M n a = false) -> (forall a, bias M n a = 0) ->
  assumption_one last_feature (fun s' => two_parts (s' == Some false)%:R (s' == Some true)%:R) (two_parts 0 1)
    (gate.kernel M n) (fun s _ => gate.reward R_realFieldType n n s).
Proof.
move=> hM hs hb; split.
- split=> [s a|s a s']; first exact: kernel_law.
  rewrite dot_two_parts; case: s => [x|] /=; first by case: x.
  case: s' => [x|]; rewrite hs ?hb; last by rewrite /= addr0 mul0r.
  by rewrite addr0 subr0; case: x; rewrite /= ?addr0 ?add0r ?mul1r.
- move=> s a; rewrite dot_two_parts /gate.reward eqxx (gtn_eqF n0).
  by case: s => [[]|] //=; rewrite add0r mul1r.
- exact: last_feature_norm.
- by apply: parts_norm; rewrite ?normr0 ?normr1 ?ler01.
- move=> v hv; have -> : \sum_s v s *: two_parts (s == Some false)%:R (s == Some true)%:R =
      two_parts (v (Some false)) (v (Some true)).
    apply/matrixP => i k; rewrite summxE sum_state !mxE; case: (split i) => _ /=; by rewrite !mulr0 mulr1 ?addr0 ?add0r.
  by apply: parts_norm.
Qed.
End LastLayer.

Section ReachedLock.
Variables (n d' : nat) (b : R).
Hypothesis b01 : 0 <= b <= 2%:R^-1.
Hypothesis n0 : (0 < n)%N.
Hypothesis d0 : (0 < d')%N.
Local Notation d := d'.+1.
Local Notation D := (d'.+1 + 2)%N.
Local Notation lock c := (@lock.lock R_realFieldType n d b c).
Implicit Types (c : code n d).

Lemma code_linear (phi : nat -> gate.state -> 'I_d -> 'cV[R]_D) rho c : is_law rho ->
  (forall h, (h < n)%N -> phi h = feature_vector R_realFieldType (d := d)) ->
  phi n = feature_vector R_realFieldType (d := d) \/ phi n = @last_feature d' ->
  linear_mdp n.+1 (code_world b phi rho c).
Proof.
move=> hrho below top; split=> //.
pose plain := fun h => measure_vector (lock c) h; pose other := fun h => reward_vector R_realFieldType n d h.
have rw h (s : gate.state) (a : 'I_d) : 0 <= gate.reward R_realFieldType n h s <= 1 by exact: reward_bounds.
have hM := lock_mild c b01.
case: top => top.
  exists plain, other => h; rewrite ltnS => hn; split=> [|s a]; last exact: rw.
  have -> : features (code_task n phi) h = feature_vector R_realFieldType (d := d).
    by move: hn; rewrite leq_eqVlt => /orP[/eqP ->|/below].
  exact: gate_assumption.
exists (fun h => if h == n then fun s' => two_parts d' (s' == Some false)%:R (s' == Some true)%:R else plain h),
  (fun h => if h == n then two_parts d' 0 1 else other h) => h; rewrite ltnS => hn; split=> [|s a]; last exact: rw.
case: (eqVneq h n) => [->|ne].
  rewrite -[features _ n]/(phi n) top; apply: last_assumption => //= a; first by rewrite ltnNge leq_pred.
  by rewrite gtn_eqF ?prednK.
rewrite -[features _ h]/(phi h) below ?ltn_neqAle ?ne //; exact: gate_assumption.
Qed.

(* a value in one layer, of a deterministic policy: from the absorbing states, and from the gate if it stays there *)
Lemma absorbed_layer (M : gate.instance R_realFieldType d) g f h k x :
  tvalue (gate.kernel M) (det R_realFieldType g) f h k (Some x) = f (Some x) (g (h + k)%N (Some x)).
Proof.
elim: k h => [|k IH] h; rewrite /= sum_det; first by rewrite addn0.
by rewrite (bigD1 (Some x)) //= eqxx mul1r big1 ?addr0 ?IH ?addSnnS // => s /negPf ->; rewrite mul0r.
Qed.
Lemma staying_layer (M : gate.instance R_realFieldType d) g f h k : (forall j, (h <= j < h + k)%N ->
  stays M j (g j None)) -> tvalue (gate.kernel M) (det R_realFieldType g) f h k None = f None (g (h + k)%N None).
Proof.
elim: k h => [|k IH] h st; rewrite /= sum_det; first by rewrite addn0.
have sh : stays M h (g h None) by apply: st; rewrite leqnn addnS ltnS leq_addr.
rewrite sum_state /= sh !mul0r !addr0 mul1r IH ?addSnnS // => j /andP[j1 j2].
by apply: st; rewrite (ltnW j1).
Qed.

(* some entry of a vector of length 1 is not small *)
Lemma large_entry (u : 'cV[R]_D) : sq u = 1 -> exists i, D%:R^-1 <= u i ord0 ^+ 2.
Proof.
rewrite /sq qfE => e; case: (pickP (fun i => D%:R^-1 <= u i ord0 ^+ 2)) => [i hi|no]; first by exists i.
have i0 : 'I_D by exact: (lshift 2 ord0).
have: \sum_i u i ord0 ^+ 2 < \sum_(i < D) (D%:R^-1 : R).
  rewrite (bigD1 i0) //= [ltRHS](bigD1 i0) //=; apply: ltr_le_add; first by rewrite ltNge no.
  by apply: ler_sum => i _; rewrite leNgt; apply/negP => lt; move: (no i); rewrite ltW.
by rewrite e sumr_const card_ord -[X in _ < X]mulr_natr mulVf ?ltxx // pnatr_eq0.
Qed.

Lemma reached_lock c nu : 4%:R * D%:R * nu ^+ 2 <= 1 ->
  reaches nu n.+1 (code_world b (@code_features n d') half_start c).
Proof.
move=> small h; rewrite ltnS => hn u u1; have [i hi] := large_entry u1.
pose P := gate.kernel (lock c); pose f (s : gate.state) (a : 'I_d) := ((@code_features n d' h s a)^T *m u) ord0 ord0
  ^+ 2.
suff : exists2 pi : nat -> gate.state -> 'I_d -> R, (forall h s, is_law (pi h s)) & nu ^+ 2 <= TJ P half_start pi f h
  by [].
have DR : 0 < D%:R :> R by rewrite ltr0n.
have nuE : nu ^+ 2 <= 4%:R^-1 * u i ord0 ^+ 2.
  apply: (@le_trans _ _ (4%:R^-1 * D%:R^-1)); last by rewrite ler_wpmul2l ?invr_ge0 ?ler0n.
  by rewrite -invfM -[leRHS]mul1r ler_pdivl_mulr ?mulr_gt0 ?ltr0n // mulrC.
have f0 s a : 0 <= f s a by exact: sqr_ge0.
have TJ_ge g s : 0 <= tvalue P (det R_realFieldType g) f 0 h s ->
  (forall s, 0 <= tvalue P (det R_realFieldType g) f 0 h s) ->
  4%:R^-1 * tvalue P (det R_realFieldType g) f 0 h s <= TJ P half_start (det R_realFieldType g) f h.
  move=> s0 all0; rewrite /TJ (bigD1 s) //= -[leLHS]addr0; apply: ler_add.
    apply: ler_wpmul2r => //; case: s {s0} => [x|] //=.
    by rewrite lef_pinv ?posrE ?ltr0n // ler_nat.
  by apply: sumr_ge0 => s' _; rewrite mulr_ge0 //; exact: (proj1 half_start_law).
have all0 g s : 0 <= tvalue P (det R_realFieldType g) f 0 h s.
  elim: (h) (0%N) s => [|k IH] j s; rewrite /= sum_det //.
  apply: sumr_ge0 => s' _; rewrite mulr_ge0 // /P; exact: (proj1 (kernel_law _ _ _ (lock_mild c b01))).
have use g s a : tvalue P (det R_realFieldType g) f 0 h s = f s a -> f s a = u i ord0 ^+ 2 ->
    exists2 pi : nat -> gate.state -> 'I_d -> R, (forall h s, is_law (pi h s)) & nu ^+ 2 <= TJ P half_start pi f h.
  move=> e1 e2; exists (det R_realFieldType g); first by move=> *; exact: layerwise.optimism.det_law.
  by apply: le_trans nuE _; rewrite -e2 -e1; apply: TJ_ge.
have fE s a : f s a = ((@code_features n d' h s a)^T *m u) ord0 ord0 ^+ 2 by [].
have along s a (v : 'cV[R]_D) : v = axis i -> @code_features n d' h s a = v -> f s a = u i ord0 ^+ 2.
  by move=> -> e; rewrite fE e dotC dot_axis.
case: (eqVneq h n) => [hE|ne].
  (* the last layer: the state Some false, or Some true, and an action with this axis *)
  have ax x a : spread x a = i -> @code_features n d' h (Some x) a = axis i by rewrite /code_features hE eqxx /= => ->.
  have [x [a xa]] : exists x a, spread x a = i.
    rewrite -(splitK i); case: (split i) => [a|j] /=; first by exists false, a.
    exists true; case: (eqVneq j ord0) => [->|j0]; first by exists ord0.
    exists (inord 1); rewrite /spread; have -> : (inord 1 == ord0 :> 'I_d) = false by apply/eqP => /(congr1 val) /=;
      rewrite inordK.
    congr (rshift _ _); apply/val_inj; by case: j j0 => -[|[|//]].
  apply: (use (fun _ _ => a) (Some x) a); first exact: absorbed_layer.
  exact: along (ax _ _ xa).
have hn' : (h < n)%N by rewrite ltn_neqAle ne.
have plain s a : @code_features n d' h s a = feature_vector R_realFieldType s a by rewrite /code_features (negPf ne).
case iE : (split i) => [a|j].
  (* an action at the gate, after the digits *)
  pose g j (s : gate.state) := if j == h then a else digit c j.
  have ga : g h None = a by rewrite /g eqxx.
  apply: (use g None a).
    rewrite /P staying_layer ?add0n ?ga // => k /andP[_ kh] /=.
    rewrite /g (ltn_eqF kh) hit_digit ?andbT; last exact: ltn_trans kh hn'.
    by rewrite -ltnS prednK //; exact: leq_ltn_trans kh hn'.
  apply: along (plain _ _); apply/matrixP => k l; rewrite !mxE /feature -(splitK i) iE;
    case kE : (split k) => [a'|j'] /=.
    rewrite -(splitK k) kE /=; congr (_%:R); congr nat_of_bool; by apply/eqP/eqP => [->|/lshift_inj].
  rewrite -(splitK k) kE /=; case: eqP => // /(congr1 val) /= e; exfalso.
  by have := ltn_ord a; rewrite -e ltnNge leq_addr.
(* an absorbing state *)
pose x := (j == 1%N :> nat).
apply: (use (fun _ _ => ord0) (Some x) ord0); first exact: absorbed_layer.
apply: along (plain _ _); apply/matrixP => k l; rewrite !mxE /feature -(splitK i) iE; case kE : (split k) => [a'|j'] /=.
  rewrite -(splitK k) kE /=; case: eqP => // /(congr1 val) /= e; exfalso.
  by have := ltn_ord a'; rewrite e ltnNge leq_addr.
rewrite -(splitK k) kE /=; congr (_%:R); congr nat_of_bool; rewrite (inj_eq (@rshift_inj _ _)) /x -val_eqE /=.
by case: j' j {iE x kE} => -[|[|//]] ? [] [|[|//]].
Qed.
End ReachedLock.
