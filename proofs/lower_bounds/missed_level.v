(* The end of the proof of Theorem B.3, on its hard instances: level H - 2 is missed, and then the
   output misses the optimal state. *)
From derl.common Require Import real_prelude.
From derl.lower_bounds Require Import game locks gate trajectories lock template template_game hidden_cores
  no_factor_two levels.

Section Missed.
Variables (R : realFieldType) (H d N : nat) (b : R) (a0 : 'I_d) (X : Type).
Local Notation data := (tdata H d N).
Hypotheses (hb : 0 <= b <= 2%:R^-1) (d1 : (1 < d)%N) (H1 : (1 < H)%N) (N0 : (0 < N)%N).

Lemma unreached_le1 (psi : strategy data (treturned R d) X) k j : unreached b a0 psi k j <= 1.
Proof.
rewrite unreached_complement // ler_subl_addr ler_addl divr_ge0 ?ler0n // sumr_ge0 // => c _.
by apply: sumr_ge0 => h _; rewrite mulr_ge0 ?ler0n //; apply: history_ge0; exact: hidden_laws.
Qed.

(* the first deployment costs 1/H, every other one 1/H^2 *)
Lemma unreached_sum (psi : strategy data (treturned R d) X) l k j : (N * H <= d ^ l)%N ->
  (l.+1 + 2 * (k * l) <= j < H)%N ->
  1 - H%:R^-1 - k%:R * (H%:R^-1) ^+ 2 <= unreached b a0 psi k.+1 j.
Proof.
move=> NH; have H0 : 0 < H%:R :> R by rewrite ltr0n ltnW.
have d0 e : 0 < (d ^ e)%:R :> R by rewrite ltr0n expn_gt0 ltnW.
have f1 : N%:R / (d ^ l)%:R <= H%:R^-1 :> R.
  by rewrite ler_pdivr_mulr // mulrC ler_pdivl_mulr // -natrM ler_nat.
have f2 : N%:R / (d ^ (2 * l))%:R <= (H%:R^-1) ^+ 2 :> R.
  rewrite mul2n -addnn expnD natrM invfM mulrA expr2; apply: ler_pmul => //; rewrite ?divr_ge0 ?invr_ge0 ?ler0n //.
  apply: le_trans f1; rewrite ler_pdivl_mulr // mulVf ?gt_eqF //.
  by rewrite ler1n.
elim: k j => [|k IH] j /andP[lj jH].
  rewrite mul0r subr0; have jl : (l <= j)%N by apply: leq_trans lj; rewrite addn0.
  have s := @levels_step R H d N b a0 X hb d1 H1 N0 psi 0 l (j - l).
  rewrite subn_gt0 subnK // unreached0 // mulr1 in s.
  apply: le_trans (s _ jH); first by rewrite ler_add2l ler_opp2.
  by apply: leq_trans lj; rewrite addn0.
have jl : (2 * l + (l.+1 + 2 * (k * l)) <= j)%N by apply: leq_trans lj; rewrite mulSn; lia.
have jl2 : (2 * l <= j)%N by apply: leq_trans jl; exact: leq_addr.
have s := @levels_step R H d N b a0 X hb d1 H1 N0 psi k.+1 (2 * l) (j - 2 * l).
rewrite subn_gt0 subnK // in s; have s1 := s _ jH.
have u := IH (j - 2 * l)%N; have u1 := unreached_le1 psi k.+1 (j - 2 * l).
have u0 := @unreached_ge0 R H d N b a0 X hb psi k.+1 (j - 2 * l).
apply: le_trans (s1 _); last by apply: leq_trans jl; rewrite addSn addnS ltnS leq_addr.
have {}u : 1 - H%:R^-1 - k%:R * H%:R^-1 ^+ 2 <= unreached b a0 psi k.+1 (j - 2 * l).
  apply: u; apply/andP; split; first by rewrite leq_subRL // .
  by apply: leq_ltn_trans jH; exact: leq_subr.
have -> : 1 - H%:R^-1 - k.+1%:R * H%:R^-1 ^+ 2 = 1 - H%:R^-1 - k%:R * H%:R^-1 ^+ 2 - H%:R^-1 ^+ 2 :> R.
  by rewrite -[k.+1]addn1 natrD; ring.
rewrite mulrBl mul1r; apply: ler_sub => //; rewrite -[leRHS]mulr1; apply: ler_pmul => //.
by rewrite divr_ge0 ?ler0n.
Qed.

(* level H - 2 is missed with probability at least 3/4 *)
Lemma unreached_three_quarters (psi : strategy data (treturned R d) X) K l : (3 <= H)%N -> (N * H <= d ^ l)%N ->
  (2 * (K * l) <= H - 2)%N -> 3%:R / 4%:R <= unreached b a0 psi K (H - 2).
Proof.
move=> H3 NH KH; have l0 : (0 < l)%N.
  by case: l NH KH => // NH _; move: NH; rewrite expn0 leqNgt; case/negP; nia.
case: K KH => [_|k KH].
  by rewrite unreached0 // ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
have H0 : 0 < H%:R :> R by rewrite ltr0n ltnW.
apply: le_trans (unreached_sum psi NH (_ : (l.+1 + 2 * (k * l) <= H - 2 < H)%N)); last first.
  apply/andP; split; [nia|lia].
have key : (4 * (H + k) <= H * H)%N by nia.
have e : 1 - H%:R^-1 - k%:R * H%:R^-1 ^+ 2 = 1 - (H + k)%:R / (H * H)%:R :> R.
  by rewrite natrD natrM; field; exact: lt0r_neq0.
rewrite e ler_subr_addr -ler_subr_addl ler_pdivr_mulr ?natrM ?mulr_gt0 //.
have -> : 1 - 3%:R / 4%:R = 4%:R^-1 :> R by field.
by rewrite mulrC ler_pdivl_mulr ?ltr0n // -!natrM ler_nat mulnC.
Qed.
End Missed.

Section Chosen.
Variables (R : realFieldType) (H d N : nat) (b : R) (a0 : 'I_d).
Implicit Types (c : code H.-1 d) (x : treturned R d).

(* the probability that the output x chooses the optimal state of the instance c: that one trajectory of x visits it *)
Definition chooses c x : R := if hidden a0 c is Some i then tq i x else 0.
(* averaged over the instances, the probability that the output after K deployments does not choose it *)
Definition not_chosen (psi : strategy (tdata H d N) (treturned R d) (treturned R d)) (K : nat) : R :=
  (\sum_(c : code H.-1 d) \sum_(h : K.-tuple (tdata H d N))
     history (hidden_law (N := N) b a0 c) psi [::] h * (1 - chooses c (output psi h))) / (d ^ H.-1)%:R.

(* instances that differ in the last digit only share the probability of one path *)
Lemma visits_family (cs : 'I_d -> code H.-1 d) (is_ : forall v, place H (cores a0 (cs v))) (pi : tpolicy R d) h pre s
  k : tproper pi -> (forall v w, agree H.-2 (cs v) (cs w)) -> (forall v, (val (is_ v)).1 = H.-1 :> nat) ->
  (forall v, (val (is_ v)).2 = v) -> (h = 0%N -> s = None) ->
  \sum_v visits (is_ v) pi h pre s k <= 1.
Proof.
move=> hp hc i1 i2.
have one h0 (s0 : tstate d) : \sum_v (here (is_ v) h0 s0)%:R <= 1 :> R.
  case: s0 => [[j|y]|]; last 2 first.
  - by rewrite big1 ?ler01.
  - by rewrite big1 ?ler01.
  rewrite (bigD1 j) //= big1 ?addr0 ?lern1 ?leq_b1 // => v vj.
  by rewrite /at_place i2 (negPf vj) andbF.
have early v h0 (s0 : tstate d) : (h0 < H.-1)%N -> here (is_ v) h0 s0 = false.
  by move=> lt; case: s0 => [[l|y]|] //=; rewrite /at_place i1 gtn_eqF.
elim: k h pre s => [|k IH] h pre s hs.
  by under eq_bigr do rewrite /= addr0; exact: one.
case: (ltnP h H.-1) => lt; last first.
  apply: le_trans (one h s); apply: ler_sum => v _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  rewrite /= -[RHS]addr0; congr (_ + _); case: ifP => // _; apply: big1 => a _.
  by rewrite visits_late ?mulr0 // i1 ltnS.
have coreE v w : is_core (cores a0 (cs v)) h s = is_core (cores a0 (cs w)) h s.
  case: (posnP h) => [h0|h0]; first by rewrite hs.
  case: s {hs} => [[j|y]|] //=; rewrite (@cores_agree H d a0 h (cs v) (cs w)) //.
  by apply: agree_le (hc v w); rewrite -ltnS prednK // (leq_ltn_trans _ lt).
case e : [forall v, is_core (cores a0 (cs v)) h s]; last first.
  rewrite big1 ?ler01 // => v _; rewrite /= early // add0r.
  case: ifP => // cv; move/negP: e; case; apply/forallP => w; by rewrite (coreE w v).
rewrite (eq_bigr (fun v => \sum_a pi pre s a * visits (is_ v) pi h.+1 (rcons pre (a, Some (inl a))) (Some (inl a)) k))
  => [|v _]; last first.
  by rewrite /= early // add0r (forallP e v).
rewrite exchange_big /= -[leRHS](proj2 (hp pre s)); apply: ler_sum => a _.
by rewrite -mulr_sumr ler_pimulr ?IH //; case: (hp pre s).
Qed.

Lemma chooses_sum c x (i : 'I_H.-1) : (1 < d)%N -> (1 < H)%N -> val i = H.-2 ->
  \sum_v chooses (upd c i v) x <= 1.
Proof.
move=> d1 H1 iE; have H0 : (0 < H.-1)%N by rewrite -subn1 subn_gt0.
have some v : {j : place H (cores a0 (upd c i v)) | hidden a0 (upd c i v) = Some j &
    (val j).1 = H.-1 :> nat /\ (val j).2 = v}.
  have hv : hit (upd c i v) H.-2 v by rewrite -iE hit_ord ffunE eqxx.
  case e : (hidden a0 (upd c i v)) => [j|]; last first.
    have := @hidden_bias rat_realFieldType H d 1 a0 (upd c i v) H.-1 v d1 H1.
    by rewrite e eqxx hv.
  exists j => //; move: e; rewrite /hidden; case: pickP => // k /andP[/eqP k1 k2] [<-]; split=> //.
  by move: k2; rewrite -iE hit_ord ffunE eqxx => /eqP.
pose pl v := let: exist2 j _ _ := some v in j.
have plE v : hidden a0 (upd c i v) = Some (pl v) by rewrite /pl; case: (some v).
rewrite (eq_bigr (fun v => visits (pl v) x 0 [::] None H)) => [|v _]; last by rewrite /chooses plE.
apply: visits_family => //.
- exact: tout_proper.
- move=> v w k kH; rewrite !ffunE; case: eqP => // ki; by move: kH; rewrite ki iE ltnn.
- by move=> v; rewrite /pl; case: (some v) => j _ [].
- by move=> v; rewrite /pl; case: (some v) => j _ [].
Qed.

(* on a history that misses level H - 2 the last digit is still uniform *)
Lemma not_chosen_unreached (psi : strategy (tdata H d N) (treturned R d) (treturned R d)) K :
  0 <= b <= 2%:R^-1 -> (1 < d)%N -> (3 <= H)%N -> (0 < N)%N ->
  (1 - d%:R^-1) * unreached b a0 psi K (H - 2) <= not_chosen psi K.
Proof.
move=> hb d1 H3 N0; have H1 : (1 < H)%N by exact: ltnW.
have lt : (H.-2 < H.-1)%N by move: H3; clear; case: H => [|[|h]].
pose i := Ordinal lt; have dp : 0 < d%:R :> R by rewrite ltr0n ltnW.
rewrite /unreached /not_chosen mulrA ler_wpmul2r ?invr_ge0 ?ler0n //.
rewrite [X in _ * X]exchange_big [leRHS]exchange_big /= mulr_sumr; apply: ler_sum => h _.
pose ch c := chooses c (output psi h).
have hist0 c : 0 <= history (hidden_law (N := N) b a0 c) psi [::] h by apply: history_ge0; exact: hidden_laws.
have ch1 c : 0 <= 1 - ch c.
  rewrite subr_ge0 /ch /chooses; case: (hidden a0 c) => [j|]; last exact: ler01.
  by case/andP: (visits_bounds j H 0 [::] None (tout_proper (output psi h))).
case al : (all (fun o => deepest o < H - 2)%N h); last first.
  rewrite [X in _ * X]big1 ?mulr0 => [|c _]; last by rewrite mulr0.
  by apply: sumr_ge0 => c _; apply: mulr_ge0; [exact: hist0|exact: ch1].
have al' : all (fun o => hmatched o < H.-2)%N h.
  apply: sub_all al => o; rewrite subn2 /hmatched => ho; apply: leq_ltn_trans (geq_minl _ _) _.
  by apply: leq_ltn_trans ho; exact: leq_pred.
rewrite -(ler_pmul2l dp) -[leRHS](upd_sum (fun c => history (hidden_law (N := N) b a0 c) psi [::] h * (1 - ch c)) i).
rewrite mulrA mulrBr mulr1 mulfV ?gt_eqF // mulr_sumr; apply: ler_sum => c _; rewrite mulr1.
under eq_bigr => v _.
  rewrite (@history_blind R H.-1 d _ _ _ _ (@hmatched H d N) (upd c i v) c psi [::] h H.-2
    (@hidden_blind R H d N b a0 d1 H1) _ al'); last first.
    move=> k kH; rewrite ffunE; case: eqP => // ki; by move: kH; rewrite ki ltnn.
  over.
rewrite -mulr_sumr mulrC ler_wpmul2l // sumrB sumr_const card_ord ler_add2l ler_opp2.
exact: chooses_sum.
Qed.
End Chosen.

Lemma exp_quarter : exp (-1)%coqR <= 2%:R^-1 /\ 4%:R^-1 <= exp (-1)%coqR :> R_realFieldType.
Proof.
have p := exp_pos 1; have e3 : (exp 1 <= 3)%coqR := exp_le_3.
have e2 : (2 <= exp 1)%coqR by have := exp_ineq1 1 R1_neq_R0; Lra.lra.
have i2 : INR 2 = 2%coqR by rewrite /=; Lra.lra.
have i4 : INR 4 = 4%coqR by rewrite /=; Lra.lra.
have e1 : exp (-1)%coqR = (/ exp 1)%coqR by rewrite -exp_Ropp; f_equal; Lra.lra.
rewrite -!RinvE ?pnatr_eq0 // -!INRE i2 i4 e1.
by split; apply/RleP; apply: Rinv_le_contravar; Lra.lra.
Qed.

(* [ineq-miss-probability], whole; l is any number with N H <= d^l *)
Theorem ineq_miss_probability (H d N K l : nat) (b : R_realFieldType) (a0 : 'I_d) (X : Type)
    (psi : strategy (tdata H d N) (treturned R_realFieldType d) X) :
  (2 <= d)%N -> (3 <= H)%N -> (1 <= N)%N -> 0 <= b <= 2%:R^-1 -> (N * H <= d ^ l)%N -> (2 * (K * l) <= H - 2)%N ->
  1 - exp (-1)%coqR <= unreached b a0 psi K (H - 2).
Proof.
move=> d2 H3 N1 hb NH KH; have H1 : (1 < H)%N by exact: ltnW.
apply: le_trans (unreached_three_quarters a0 hb d2 H1 N1 psi H3 NH KH).
have [_ h] := exp_quarter.
rewrite ler_subl_addr -ler_subl_addl; apply: le_trans h; rewrite le_eqVlt; apply/orP; left; apply/eqP; by field.
Qed.

(* [ineq-final-failure], whole; l is any number with N H <= d^l *)
Theorem ineq_final_failure (H d N K l : nat) (b : R_realFieldType) (a0 : 'I_d)
    (psi : strategy (tdata H d N) (treturned R_realFieldType d) (treturned R_realFieldType d)) :
  (2 <= d)%N -> (3 <= H)%N -> (1 <= N)%N -> 0 <= b <= 2%:R^-1 -> (N * H <= d ^ l)%N -> (2 * (K * l) <= H - 2)%N ->
  (1 - d%:R^-1) * unreached b a0 psi K (H - 2) <= not_chosen b a0 psi K /\
  exp (-1)%coqR / 2%:R <= (1 - d%:R^-1) * unreached b a0 psi K (H - 2).
Proof.
move=> d2 H3 N1 hb NH KH; have H1 : (1 < H)%N by exact: ltnW.
split; first exact: not_chosen_unreached.
have u := unreached_three_quarters a0 hb d2 H1 N1 psi H3 NH KH.
have [h _] := exp_quarter.
have q : 2%:R^-1 <= 1 - d%:R^-1 :> R_realFieldType.
  rewrite ler_subr_addr -ler_subr_addl; have -> : 1 - 2%:R^-1 = 2%:R^-1 :> R_realFieldType by field.
  by rewrite lef_pinv ?posrE ?ltr0n ?ler_nat // ltnW.
apply: (@le_trans _ _ (2%:R^-1 * (3%:R / 4%:R))); last by apply: ler_pmul => //; rewrite ?divr_ge0 ?invr_ge0 ?ler0n.
rewrite mulrC; apply: ler_wpmul2l; first by rewrite invr_ge0 ler0n.
apply: le_trans h _; rewrite ler_pdivl_mulr ?ltr0n // -ler_pdivl_mull ?invr_gt0 ?ltr0n // invrK -natrM ler_nat //.
Qed.

Lemma even_proper (R : realFieldType) d : @tproper R d.+1 (fun _ _ _ => d.+1%:R^-1).
Proof.
move=> pre s; split=> [a|]; first by rewrite invr_ge0 ler0n.
by rewrite sumr_const card_ord -[LHS]mulr_natl mulfV // pnatr_eq0.
Qed.

(* control: with N <= d^l in the place of N H <= d^l level 2 of H = 4 is missed too seldom, d = N = 4, K = 1 *)
Theorem ineq_miss_probability_control : ~ (forall psi : strategy (tdata 4 4 4) (treturned R_realFieldType 4) unit,
  1 - exp (-1)%coqR <= unreached 0 ord0 psi 1 2).
Proof.
move=> h; pose psi := Strategy (fun _ : seq (tdata 4 4 4) => TReturned (@even_proper R_realFieldType 3)) (fun _ => tt).
have hb : 0 <= (0 : R_realFieldType) <= 2%:R^-1 by rewrite lexx invr_ge0 ler0n.
have [_ e] := @res_first_deployment_sharp _ 4 4 4 0 ord0 unit psi 2 hb isT isT isT.
have := h psi; rewrite (@unreached_complement _ 4 4 4 0 ord0 unit hb isT) e // => {}h.
have [e2 _] := exp_quarter.
have : 1 - 2%:R^-1 <= 81%:R / 256%:R :> R_realFieldType.
  have -> : 81%:R / 256%:R = 1 - (1 - (1 - (4 ^ 2.-1)%:R^-1) ^+ 4) :> R_realFieldType by rewrite expn1; field.
  by apply: le_trans h; rewrite ler_add2l ler_opp2.
have -> : 1 - 2%:R^-1 = 128%:R / 256%:R :> R_realFieldType by field.
by rewrite ler_pmul2r ?invr_gt0 ?ltr0n // ler_nat.
Qed.

(* control: the factor (d - 1) / d cannot be left out: without a deployment the even output of H = 3, d = 2 is right at
   times *)
Theorem ineq_final_failure_control :
  ~ (forall psi : strategy (tdata 3 2 1) (treturned rat_realFieldType 2) (treturned rat_realFieldType 2),
  unreached 0 ord0 psi 0 (3 - 2) <= not_chosen 0 ord0 psi 0).
Proof.
move=> h; pose x := TReturned (@even_proper rat_realFieldType 1).
pose psi := Strategy (fun _ : seq (tdata 3 2 1) => x) (fun _ => x).
have := h psi; rewrite (@unreached0 _ 3 2 1 0 ord0 _ isT) /not_chosen leNgt => /negP [].
rewrite ltr_pdivr_mulr // mul1r.
have pos (c : code 2 2) : 0 < @chooses rat_realFieldType 3 2 ord0 c x.
  rewrite /chooses; have [i -> [i1 _]] := @hidden_some 3 2 ord0 c isT isT.
  have v0 h0 pre s k : 0 <= visits i x h0 pre s k by case/andP: (visits_bounds i k h0 pre s (tout_proper x)).
  have half0 : 0 < (2%:R^-1 : rat) by [].
  rewrite /tq (_ : visits i x 0 [::] None 3 = \sum_a tout x [::] None a * visits i x 1 [:: (a, Some (inl a))]
    (Some (inl a)) 2); last by rewrite /= add0r.
  pose cc := @cores 3 2 ord0 c 1.
  rewrite (bigD1 cc) //; apply: ltr_spaddl; last first.
    by apply: sumr_ge0 => a _; apply: mulr_ge0; [exact: ltW|exact: v0].
  apply: mulr_gt0; first by [].
  rewrite (_ : visits i x 1 [:: (cc, Some (inl cc))] (Some (inl cc)) 2 = (here i 1 (Some (inl cc)))%:R +
    \sum_a tout x [:: (cc, Some (inl cc))] (Some (inl cc)) a * visits i x 2 [:: (cc, Some (inl cc)); (a, Some (inl a))]
    (Some (inl a)) 1); last first.
    by rewrite [LHS]/= eqxx.
  apply: ltr_paddl; first exact: ler0n.
  rewrite (bigD1 (val i).2) //; apply: ltr_spaddl; last first.
    by apply: sumr_ge0 => a _; apply: mulr_ge0; [exact: ltW|exact: v0].
  apply: mulr_gt0; first by [].
  rewrite [visits _ _ _ _ _ _]/=; apply: ltr_spaddl; first by rewrite /at_place i1 !eqxx.
  case: ifP => // _; apply: sumr_ge0 => a _; apply: mulr_ge0; first exact: ltW.
  by rewrite addr0; exact: ler0n.
have -> : (2 ^ 3.-1)%:R = \sum_(c : code 2 2) (1 : rat) by rewrite sumr_const card_code.
have one (c : code 2 2) : \sum_(t : 0.-tuple (tdata 3 2 1)) history (@hidden_law rat_realFieldType 3 2 1 0 ord0 c) psi
  [::] t * (1 - @chooses rat_realFieldType 3 2 ord0 c (output psi t)) < 1.
  rewrite (big_pred1 [tuple]) => [|t]; last by rewrite [t]tuple0; apply/esym/eqP.
  by rewrite /= mul1r ltr_subl_addr ltr_addl.
pose c0 : code 2 2 := [ffun=> ord0]; rewrite (bigD1 c0) //= [ltRHS](bigD1 c0) //=.
by apply: ltr_le_add; [exact: one|apply: ler_sum => c _; exact: ltW].
Qed.
