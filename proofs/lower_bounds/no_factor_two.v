(* Theorem B.3 on the template with random core states, without the factor 2: every algorithm
   that sees trajectories only fails on some instance. *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From mathcomp.analysis Require Import Rstruct.
From derl.lower_bounds Require Import game locks gate trajectories lock template template_game hidden_cores features conclusion best.
Import GRing.Theory Num.Theory Order.Theory.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Delimit Scope R_scope with coqR.
Local Open Scope ring_scope.

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
  have -> : j = Ordinal lt by apply/val_inj/eqP; rewrite eqn_leq /= hj andbT -ltnS prednK ?ltn_ord // (leq_ltn_trans _ lt).
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
Theorem res_arbitrary_no_factor_two (d H N K l : nat) (b eps : R) (a0 : 'I_d) (W : Type) (E : (W -> R) -> R)
    (psi : W -> strategy (tdata H d N) (treturned R_realFieldType d) (treturned R_realFieldType d)) :
  (2 <= d)%N -> (2 <= H)%N -> (1 <= N)%N -> (N * H <= d ^ l)%N -> (K * l <= H - 2)%N ->
  0 < eps -> 2%:R * eps < b -> b <= 2%:R^-1 -> averaging E ->
  exists c : code H.-1 d,
    (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K <=
      E (fun v => failure (hidden_law (N := N) b a0) (hgood b a0 eps) c (psi v) K) /\
    (exp (-1))%coqR / 2%:R < (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K.
Proof.
move=> d2 H2 N1 NH Kl e0 eb b1 hE; have b0 : 0 < b by apply: lt_trans eb; rewrite mulr_gt0 ?ltr0n.
have H0 : (0 < H)%N by exact: ltnW.
have d0 : (0 < d)%N by exact: ltnW.
have n0 : (0 < H.-1)%N by rewrite -subn1 subn_gt0.
have hb : 0 <= b <= 2%:R^-1 by rewrite (ltW b0).
have Kl2 : (K * l <= H.-1.-1)%N by rewrite -!subn1 -subnDA.
have ext g h : g =1 h -> E g = E h.
  case: hE => _ _ mono gh; apply/eqP; rewrite eq_le; apply/andP.
  by split; apply: mono => v; rewrite gh.
pose fail c v := failure (hidden_law (N := N) b a0) (hgood b a0 eps) c (psi v) K.
set p := (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K.
have one v : p * (d ^ H.-1)%:R <= \sum_c fail c v.
  have Nl : (N <= d ^ l)%N by apply: leq_trans NH; exact: leq_pmulr.
  apply: le_trans (lock_failure_sum (psi v) (@hidden_blind _ H d N b a0 d2 H2) (@hidden_reach _ H d N b a0 hb d2 H2 N1) _
    (@hidden_last _ H d b a0 eps d2 H2 eb b0) d0 n0 Nl Kl2).
    rewrite ler_wpmul2r ?ler0n // ler_wpmul2l //.
      by rewrite subr_ge0 invf_le1 ?ler1n // ltr0n.
    apply: ler_expn2r; rewrite ?nnegrE.
    - by rewrite subr_ge0 invf_le1 ?ler1n // ltr0n.
    - by rewrite subr_ge0 ler_pdivr_mulr ?ltr0n ?expn_gt0 ?d0 // mul1r ler_nat.
    rewrite ler_add2l ler_opp2 ler_pdivr_mulr ?ltr0n ?expn_gt0 ?d0 //.
    by rewrite mulrC ler_pdivl_mulr ?ltr0n // -natrM ler_nat.
  by move=> c x; exact: hidden_law_law.
have tot : p * (d ^ H.-1)%:R <= \sum_c E (fail c).
  by rewrite -average_sum //; case: hE => _ const mono; rewrite -[leLHS]const; exact: mono.
have [c hc] : exists c, p <= E (fail c).
  case: (pickP (fun c => p <= E (fail c))) => [c hc|no]; first by exists c.
  pose c0 : code H.-1 d := [ffun => a0].
  move: tot; rewrite leNgt => /negP []; rewrite -card_code mulr_natr -sumr_const.
  rewrite (bigD1 c0) //= [ltRHS](bigD1 c0) //=; apply: ltr_le_add; first by rewrite ltNge no.
  by apply: ler_sum => c _; rewrite leNgt; apply/negP => lt; move: (no c); rewrite ltW.
exists c; split; first exact: hc.
have law1 : is_law (fun _ : unit => 1 : R) by split=> [_|]; [exact: ler01|rewrite (big_pred1 tt) // => -[]].
have dep : deployed R_realFieldType d.
  exact: (Deployed (@knows_proper R_realFieldType H d [ffun=> a0] a0)).
have Kl1 : (K * l <= H.-1)%N by apply: leq_trans Kl2 _; exact: leq_pred.
have [c' [_ lt]] := thm_lower_arbitrary_repaired (fun _ : unit => Strategy (fun _ => dep) (fun _ => dep))
  d2 H2 N1 NH Kl1 e0 eb b1 law1.
exact: lt.
Qed.

(* control: 2/5 in the place of 1/(2e) is false, at d = 2, H = 4, N = 1 and K = 1 *)
Theorem res_arbitrary_no_factor_two_control : ~ (forall d H N K l : nat, (2 <= d)%N -> (2 <= H)%N -> (1 <= N)%N ->
  (N * H <= d ^ l)%N -> (K * l <= H - 2)%N -> 2%:R / 5%:R < (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K :> rat).
Proof. by move=> h; have := h 2%N 4%N 1%N 1%N 2%N isT isT isT isT isT; apply/negP; vm_compute. Qed.
