(* Theorem B.3 on the template with random core states, without the factor 2: every algorithm
   that sees trajectories only fails on some instance. *)
From derl.common Require Import real_prelude.
From derl.lower_bounds Require Import game locks gate trajectories lock template template_game hidden_cores features
  conclusion best.

Section Outputs.
Variables (R : realFieldType) (H d : nat) (b : R) (a0 : 'I_d).
Implicit Types (c : code H.-1 d) (x : treturned R d).

(* the output x is eps-optimal on the instance c: its value is at least H/2 + b, the best one, minus eps *)
Definition hgood (eps : R) c x : bool := H%:R / 2%:R + b - eps <= tJ b (hidden a0 c) x.

Lemma hidden_some c : (1 < d)%N -> (1 < H)%N -> {i : place H (cores a0 c) | hidden a0 c = Some i &
  (val i).1 = H.-1 :> nat /\ hit c H.-2 (val i).2}.
Proof.
move=> d1 H1; case e : (hidden a0 c) => [i|].
  by exists i => //; move: e; rewrite /hidden; case: pickP => // j /andP[/eqP j1 j2] [<-].
exfalso; have lt : (H.-2 < H.-1)%N by rewrite prednK // -subn1 subn_gt0.
have h1 : hit c H.-2 (c (Ordinal lt)) by rewrite (hit_ord c (Ordinal lt)).
have := @hidden_bias rat_realFieldType H d 1 a0 c H.-1 (c (Ordinal lt)) d1 H1.
by rewrite e eqxx h1 /=.
Qed.

Lemma visits_late c (i : place H (cores a0 c)) (pi : tpolicy R d) h pre s k : ((val i).1 < h)%N ->
  visits i pi h pre s k = 0.
Proof.
have no h' s' : ((val i).1 < h')%N -> here i h' s' = false.
  by move=> lt; case: s' => [[j|y]|] //=; rewrite /at_place ltn_eqF.
elim: k h pre s => [|k IH] h pre s lt /=; rewrite no // !add0r //.
case: ifP => // _; apply: big1 => a _; by rewrite IH ?mulr0 // leqW.
Qed.

(* instances that differ in the last digit share the probability of one path *)
Lemma visits_pair c c' (i : place H (cores a0 c)) (i' : place H (cores a0 c')) (pi : tpolicy R d) h pre s k :
  tproper pi -> agree H.-2 c c' -> (val i).1 = H.-1 :> nat -> (val i').1 = H.-1 :> nat -> (val i).2 != (val i').2 ->
  (h = 0%N -> s = None) -> visits i pi h pre s k + visits i' pi h pre s k <= 1.
Proof.
move=> hp hc i1 i1' ne.
have one h0 (s0 : tstate d) : (here i h0 s0)%:R + (here i' h0 s0)%:R <= 1 :> R.
  rewrite -natrD lern1; case: s0 => [[l|y]|] //=; rewrite /at_place.
  case: (eqVneq (val i).2 l) => [e|_]; last by rewrite andbF add0n leq_b1.
  by rewrite -e [(val i').2 == _]eq_sym (negPf ne) !andbF addn0 leq_b1.
have early h0 (s0 : tstate d) : (h0 < H.-1)%N -> here i h0 s0 = false /\ here i' h0 s0 = false.
  by move=> lt; case: s0 => [[l|y]|] //=; rewrite /at_place i1 i1' gtn_eqF.
elim: k h pre s => [|k IH] h pre s hs; first by rewrite /= !addr0 one.
case: (ltnP h H.-1) => lt; last first.
  have z c1 (j : place H (cores a0 c1)) : (val j).1 = H.-1 :> nat ->
      visits j pi h pre s k.+1 = (here j h s)%:R.
    move=> j1 /=; rewrite -[RHS]addr0; congr (_ + _); case: ifP => // _; apply: big1 => a _.
    by rewrite visits_late ?mulr0 // j1 ltnS.
  by rewrite !z.
rewrite /= (proj1 (early h s lt)) (proj2 (early h s lt)) !add0r.
have -> : is_core (cores a0 c') h s = is_core (cores a0 c) h s.
  case: (posnP h) => [h0|h0]; first by rewrite hs // h0.
  case: s {hs} => [[j|y]|] //=; rewrite (@cores_agree H d a0 h c c') //.
  by apply: agree_le hc; rewrite -ltnS prednK // (leq_ltn_trans _ lt).
case: ifP => _; last by rewrite addr0 ler01.
rewrite -[leRHS](proj2 (hp pre s)) -big_split /=; apply: ler_sum => a _.
by rewrite -mulrDr ler_pimulr ?IH //; case: (hp pre s).
Qed.

Lemma hidden_last eps : (1 < d)%N -> (1 < H)%N -> 2%:R * eps < b -> 0 < b ->
  last_digit_matters (n := H.-1) (hgood eps).
Proof.
move=> d1 H1 eb b0 x c c' hc; rewrite /hgood.
have [i -> [i1 i2]] := hidden_some c d1 H1; have [i' -> [i1' i2']] := hidden_some c' d1 H1.
rewrite !template_value; try exact: tout_proper.
move=> h1 h2; apply/eqP; apply: contraT => cc.
have lt : (H.-2 < H.-1)%N by rewrite prednK // -subn1 subn_gt0.
have ne : (val i).2 != (val i').2.
  apply: contra cc => /eqP e; apply/eqP/ffunP => j.
  case: (ltnP j H.-2) => [/hc //|hj].
  have -> : j = Ordinal lt by apply/val_inj/eqP;
    rewrite eqn_leq /= hj andbT -ltnS prednK ?ltn_ord // (leq_ltn_trans _ lt).
  by move: i2 i2'; rewrite !(hit_ord _ (Ordinal lt)) e => /eqP -> /eqP ->.
have := @visits_pair c c' i i' x 0 [::] None H (tout_proper x) hc i1 i1' ne (fun=> erefl).
rewrite -/(tq i x) -/(tq i' x) => h3.
have h4 : b * (tq i x + tq i' x) <= b by rewrite -[leRHS]mulr1 ler_wpmul2l ?(ltW b0).
have := ler_add h1 h2; rewrite leNgt => /negP []; rewrite -subr_gt0.
have -> : H%:R / 2%:R + b - eps + (H%:R / 2%:R + b - eps) -
  (H%:R / 2%:R + b * tq i x + (H%:R / 2%:R + b * tq i' x)) =
  (b - 2%:R * eps) + (b - b * (tq i x + tq i' x)) by ring.
by apply: ltr_spaddl; rewrite ?subr_gt0 ?subr_ge0.
Qed.
End Outputs.

(* [res-arbitrary-no-factor-two], whole: averages over deterministic algorithms that see
   trajectories only; l is any number with N H <= d^l *)
Theorem res_arbitrary_no_factor_two (d H N K l : nat) (b eps : R) (a0 : 'I_d) (W : Type) (defined : (W -> R) -> Prop)
    (E : (W -> R) -> R) (psi : W -> strategy (tdata H d N) (treturned R_realFieldType d) (treturned R_realFieldType d))
  : let fails c v := failure (hidden_law (N := N) b a0) (hgood b a0 eps) c (psi v) K in
  (2 <= d)%N -> (2 <= H)%N -> (1 <= N)%N -> (N * H <= d ^ l)%N -> (K * l <= H - 2)%N ->
  0 < eps -> 2%:R * eps < b -> b <= 2%:R^-1 -> averaging defined E -> (forall c, defined (fails c)) ->
  exists c : code H.-1 d,
    (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K <= E (fails c) /\
    (exp (-1))%coqR / 2%:R < (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K.
Proof.
move=> fails d2 H2 N1 NH Kl e0 eb b1 hE hd; have b0 : 0 < b by apply: lt_trans eb; rewrite mulr_gt0 ?ltr0n.
have H0 : (0 < H)%N by exact: ltnW.
have d0 : (0 < d)%N by exact: ltnW.
have n0 : (0 < H.-1)%N by rewrite -subn1 subn_gt0.
have hb : 0 <= b <= 2%:R^-1 by rewrite (ltW b0).
have Kl2 : (K * l <= H.-1.-1)%N by rewrite -!subn1 -subnDA.
set p := (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K.
have one v : p * #|[finType of code H.-1 d]|%:R <= \sum_c fails c v.
  rewrite card_code; have Nl : (N <= d ^ l)%N by apply: leq_trans NH; exact: leq_pmulr.
  apply: le_trans (lock_failure_sum (psi v) (@hidden_blind _ H d N b a0 d2 H2) (@hidden_reach _ H d N b a0 hb d2 H2 N1)
    _ (@hidden_last _ H d b a0 eps d2 H2 eb b0) d0 n0 Nl Kl2).
    by rewrite ler_wpmul2r ?ler0n // missing_chance.
  by move=> c x; exact: hidden_law_law.
have codes : (0 < #|[finType of code H.-1 d]|)%N by rewrite card_code expn_gt0 d0.
have [c hc] := averaging_case hE hd codes one.
exists c; split; first exact: hc.
have law1 : is_law (fun _ : unit => 1 : R) by split=> [_|]; [exact: ler01|rewrite (big_pred1 tt) // => -[]].
have dep : deployed R_realFieldType d.
  exact: (Deployed (@knows_proper R_realFieldType H d [ffun=> a0] a0)).
have Kl1 : (K * l <= H.-1)%N by apply: leq_trans Kl2 _; exact: leq_pred.
have [c' [_ lt]] := thm_lower_arbitrary_repaired (fun _ : unit => Strategy (fun _ => dep) (fun _ => dep))
  d2 H2 N1 NH Kl1 e0 eb b1 law1.
exact: lt.
Qed.

(* control: with 2 eps <= b in the place of 2 eps < b it is false, for d = H = 2 and K = 0: the output that takes both
   actions with the same probability is worth half of b on each instance *)
Section Equality.
Variable R : realFieldType.
Let b : R := 2%:R^-1.
Let eps : R := 4%:R^-1.
Lemma even_proper : @tproper R 2 (fun _ _ _ => 2%:R^-1).
Proof.
move=> pre s; split=> [a|]; first by rewrite invr_ge0 ler0n.
by rewrite big_ord_recl big_ord1; field.
Qed.
Let even : treturned R 2 := TReturned even_proper.

Lemma even_good (c : code 1 2) : hgood (H := 2) b ord0 eps c even.
Proof.
rewrite /hgood; have [i -> [i1 _]] := @hidden_some 2 2 ord0 c isT isT.
rewrite template_value; last exact: even_proper.
have q : 2%:R^-1 <= tq i even.
  rewrite /tq [visits _ _ _ _ _ 2]/= add0r (bigD1 (val i).2) //= -[leLHS]addr0; apply: ler_add.
    rewrite -[leLHS]mulr1 ler_wpmul2l ?invr_ge0 ?ler0n //; have -> : at_place i 1 (val i).2 by rewrite /at_place i1
      !eqxx.
    rewrite ler_addl.
    by case: ifP => // _; apply: sumr_ge0 => a _; rewrite mulr_ge0 ?invr_ge0 ?ler0n // addr0 ler0n.
  apply: sumr_ge0 => a _; rewrite mulr_ge0 ?invr_ge0 ?ler0n // addr_ge0 ?ler0n //.
  by case: ifP => // _; apply: sumr_ge0 => a' _; rewrite mulr_ge0 ?invr_ge0 ?ler0n // addr0 ler0n.
rewrite -addrA ler_add2l; apply: (@le_trans _ _ (b * 2%:R^-1)); last by rewrite ler_wpmul2l ?invr_ge0 ?ler0n.
by rewrite /b /eps -subr_ge0; set x := (X in 0 <= X); have -> : x = 0 by rewrite /x; field.
Qed.

Theorem res_arbitrary_no_factor_two_control : ~ (forall (d H N K l : nat) (b eps : R) (a0 : 'I_d)
    (psi : strategy (tdata H d N) (treturned R d) (treturned R d)),
  (2 <= d)%N -> (2 <= H)%N -> (1 <= N)%N -> (N * H <= d ^ l)%N -> (K * l <= H - 2)%N ->
  0 < eps -> 2%:R * eps <= b -> b <= 2%:R^-1 -> exists c : code H.-1 d,
    (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K <= failure (hidden_law (N := N) b a0) (hgood b a0 eps) c psi K).
Proof.
move=> h; have e0 : 0 < eps by rewrite invr_gt0 ltr0n.
have eb : 2%:R * eps <= b by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /eps /b; field.
have [c] := h 2%N 2%N 1%N 0%N 1%N b eps ord0 (Strategy (fun _ => even) (fun _ => even)) isT isT isT isT isT e0 eb
  (lexx _).
rewrite /failure big1 => [|t _]; last by rewrite /= even_good mulr0.
rewrite leNgt => /negP []; rewrite expr0 mulr1; set x := (X in 0 < X).
have -> : x = 2%:R^-1 by rewrite /x; field.
by rewrite invr_gt0 ltr0n.
Qed.
End Equality.
