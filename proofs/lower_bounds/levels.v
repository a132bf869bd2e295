(* Claims 1 and 2 of the paper, and Theorem B.3 without its factor 2, on the template with random
   core states. *)
From derl.common Require Import real_prelude.
From derl.lower_bounds Require Import game locks gate trajectories lock template template_game hidden_cores features
  conclusion best.

Section Levels.
Variables (R : realFieldType) (H d N : nat) (b : R) (a0 : 'I_d) (X : Type).
(* what one deployment yields *)
Local Notation data := (tdata H d N).
Implicit Types (psi : strategy data (treturned R d) X).

(* averaged over the instances, the probability that none of the trajectories of the first k
   deployments reaches level j: the complement of the event E_k(j) *)
Definition unreached psi (k j : nat) : R :=
  (\sum_(c : code H.-1 d) \sum_(h : k.-tuple data)
     history (hidden_law (N := N) b a0 c) psi [::] h * (all (fun o => deepest o < j)%N h)%:R) / (d ^ H.-1)%:R.
(* averaged over the instances, the probability that one of them does *)
Definition reached psi (k j : nat) : R :=
  (\sum_(c : code H.-1 d) \sum_(h : k.-tuple data)
     history (hidden_law (N := N) b a0 c) psi [::] h * (has (fun o => j <= deepest o)%N h)%:R) / (d ^ H.-1)%:R.

Hypotheses (hb : 0 <= b <= 2%:R^-1) (d1 : (1 < d)%N) (H1 : (1 < H)%N) (N0 : (0 < N)%N).

Lemma dR k : 0 < (d ^ k)%:R :> R. Proof. by rewrite ltr0n expn_gt0 ltnW. Qed.
Lemma hidden_laws (c : code H.-1 d) (x : treturned R d) : is_law (hidden_law (N := N) b a0 c x).
Proof. exact: hidden_law_law. Qed.

(* the first step always reaches level 1 *)
Lemma zero_depth (c : code H.-1 d) (x : treturned R d) (t : seq (tstep d)) : (0 < size t)%N -> depth t = 0%N ->
  ttraj (core := cores a0 c) b (hidden a0 c) x 0 [::] None t = 0.
Proof.
case: t => // -[a s'] t _ hd; rewrite ttrajS.
have e : absorbed (a, s') by move: hd; rewrite /depth /=; case: (absorbed _).
have -> : tkernel (core := cores a0 c) b (hidden a0 c) 0 None a s' = 0.
  by rewrite /tkernel /=; case: eqP => // h; rewrite h in e.
by rewrite mulr0 mul0r.
Qed.

Lemma level_one (c : code H.-1 d) (x : treturned R d) o : deepest o = 0%N -> hidden_law (N := N) b a0 c x o = 0.
Proof.
move=> o0; have z : ttraj (core := cores a0 c) b (hidden a0 c) x 0 [::] None (o (Ordinal N0)) = 0.
  apply: zero_depth; first by rewrite size_tuple ltnW.
  have := leq_bigmax (F := fun k => depth (o k)) (Ordinal N0).
  by rewrite -/(deepest o) o0 leqn0 => /eqP.
rewrite /hidden_law /tdata_law (bigD1 (Ordinal N0)) // z; exact: mul0r.
Qed.

Lemma history_zero (c : code H.-1 d) psi pre h : (0 < size h)%N -> all (fun o => deepest o < 1)%N h ->
  history (hidden_law (N := N) b a0 c) psi pre h = 0.
Proof.
case: h => // o h _ /= /andP[o1 _]; rewrite level_one ?mul0r //.
by apply/eqP; rewrite -leqn0 -ltnS.
Qed.

Lemma unreached_complement psi k j : unreached psi k j = 1 - reached psi k j.
Proof.
apply/eqP; rewrite eq_sym subr_eq -mulrDl -big_split /=.
rewrite (eq_bigr (fun=> 1)) => [|c _].
  by rewrite sumr_const card_code divff // gt_eqF // dR.
rewrite -big_split -[RHS](history_total psi k [::] (hidden_laws c)) /=; apply: eq_bigr => h _.
rewrite -mulrDr -natrD.
have -> : has (fun o => (j <= deepest o)%N) h = ~~ all (fun o => (deepest o < j)%N) h.
  by rewrite -has_predC; apply: eq_has => o /=; rewrite -leqNgt.
by case: (all _ _); rewrite mulr1.
Qed.

Lemma unreached_miss psi k j : (0 < j < H)%N ->
  unreached psi k j = (\sum_c miss (hidden_law (N := N) b a0) (@hmatched H d N) c psi k j.-1) / (d ^ H.-1)%:R.
Proof.
move=> /andP[j0 jH]; congr (_ / _); apply: eq_bigr => c _; apply: eq_bigr => h _.
have jH2 : (j.-1 <= H.-2)%N by rewrite -!subn1 leq_sub2r // subn1 -ltnS prednK // ltnW.
case: (ltngtP j 1) => [||j1]; first by rewrite ltnS leqn0 gtn_eqF.
  move=> j2; congr (_ * (nat_of_bool _)%:R); apply: eq_all => o; rewrite /hmatched.
  rewrite gtn_min [(H.-2 < _)%N]ltnNge jH2 orbF.
  by move: j2; clear; case: j => [|[|j]] // _; case: (deepest o) => [|D].
rewrite j1 /=; case hk : (size h) => [|s].
  by move/size0nil: hk => ->.
case al : (all _ _); first by rewrite history_zero ?hk ?mul0r.
rewrite mulr0; suff -> : all (fun o => hmatched o < 0)%N h = false by rewrite mulr0.
by case: (val h) hk.
Qed.

Lemma unreached0 psi j : unreached psi 0 j = 1.
Proof.
rewrite /unreached (eq_bigr (fun=> 1)) => [|c _].
  by rewrite sumr_const card_code divff // gt_eqF // dR.
by rewrite (big_pred1 [tuple]) /= ?mulr1 // => t; rewrite [t]tuple0; apply/esym/eqP.
Qed.

Lemma unreached_ge0 psi k j : 0 <= unreached psi k j.
Proof.
rewrite divr_ge0 ?ler0n // sumr_ge0 // => c _; apply: sumr_ge0 => h _.
by rewrite mulr_ge0 ?ler0n //; apply: history_ge0; exact: hidden_laws.
Qed.

(* one more deployment, with the exponent L *)
Lemma levels_step psi k L L' : (0 < L')%N -> (L' + L < H)%N ->
  (1 - N%:R / (d ^ L)%:R) * unreached psi k L' <= unreached psi k.+1 (L' + L).
Proof.
move=> L0 LH; have d0 := ltnW d1.
rewrite !unreached_miss ?L0 ?addn_gt0 ?L0 ?LH //; last by rewrite (leq_ltn_trans (leq_addr L L')).
rewrite mulrA ler_wpmul2r ?invr_ge0 ?ler0n //.
have e : ((L' + L).-1 - L'.-1 = L)%N by case: (L') L0 => // l _; rewrite addSn /= addKn.
have jM : (L'.-1 <= (L' + L).-1 <= H.-1)%N.
  by rewrite -!subn1 !leq_sub2r ?leq_addr // ltnW.
have := frontier_step psi k (@hidden_blind R H d N b a0 d1 H1) (@hidden_reach R H d N b a0 hb d1 H1 N0) hidden_laws d0
  jM.
by rewrite e.
Qed.
End Levels.

(* [claim-first-deployment], whole, for levels up to H - 1 *)
Theorem claim_first_deployment_template (R : realFieldType) (H d N : nat) (b : R) (a0 : 'I_d) (X : Type)
    (psi : strategy (tdata H d N) (treturned R d) X) (L : nat) :
  0 <= b <= 2%:R^-1 -> (1 < d)%N -> (0 < N)%N -> (0 < L < H)%N ->
  reached b a0 psi 1 L <= N%:R / (d ^ L.-1)%:R.
Proof.
move=> hb d1 N0 /andP[L0 LH]; have H1 : (1 < H)%N by exact: leq_ltn_trans L0 LH.
have e : (1 + L.-1 = L)%N by rewrite add1n prednK.
have := @levels_step R H d N b a0 X hb d1 H1 N0 psi 0 L.-1 1 isT; rewrite e => /(_ LH).
by rewrite unreached0 // mulr1 unreached_complement // ler_add2l ler_opp2.
Qed.

(* [claim-frontier-step], whole *)
Theorem claim_frontier_step_template (R : realFieldType) (H d N : nat) (b : R) (a0 : 'I_d) (X : Type)
    (psi : strategy (tdata H d N) (treturned R d) X) (L L' k : nat) :
  0 <= b <= 2%:R^-1 -> (1 < d)%N -> (0 < N)%N -> (0 < L)%N -> (0 < L')%N -> (L + L' < H)%N -> (0 < k)%N ->
  (1 - N%:R / (d ^ L.-1)%:R) * unreached b a0 psi k.-1 L' <= unreached b a0 psi k (L' + L).
Proof.
move=> hb d1 N0 L0 L'0 LH k0; have H1 : (1 < H)%N.
  by apply: leq_ltn_trans LH; rewrite addn_gt0 L0.
rewrite addnC in LH; have := @levels_step R H d N b a0 X hb d1 H1 N0 psi k.-1 L L' L'0 LH.
rewrite prednK //; apply: le_trans; rewrite ler_wpmul2r ?unreached_ge0 //.
rewrite ler_add2l ler_opp2 ler_wpmul2l ?ler0n //.
by rewrite lef_pinv ?posrE ?dR // ler_nat leq_pexp2l ?leq_pred // ltnW.
Qed.

(* [res-first-deployment-sharp], whole: the bound, and equality where the actions are uniform *)
Theorem res_first_deployment_sharp (R : realFieldType) (H d N : nat) (b : R) (a0 : 'I_d) (X : Type)
    (psi : strategy (tdata H d N) (treturned R d) X) (L : nat) :
  0 <= b <= 2%:R^-1 -> (1 < d)%N -> (0 < N)%N -> (0 < L < H)%N ->
  let bound := 1 - (1 - ((d ^ L.-1)%:R)^-1) ^+ N in
  reached b a0 psi 1 L <= bound /\
  ((forall pre s a, tout (deploy psi [::]) pre s a = d%:R^-1) -> reached b a0 psi 1 L = bound).
Proof.
move=> hb d1 N0 hL bound; have /andP[L0 LH] := hL; have H1 : (1 < H)%N by exact: leq_ltn_trans L0 LH.
have d0 := ltnW d1; have dR k : 0 < (d ^ k)%:R :> R by rewrite ltr0n expn_gt0 d0.
set x := deploy psi [::].
have rE : reached b a0 psi 1 L = (\sum_(c : code H.-1 d) (1 - (1 - single b c x L) ^+ N)) / (d ^ H.-1)%:R.
  congr (_ / _); apply: eq_bigr => c _.
  rewrite (sum_tuple_cons 0%N (fun h => history (hidden_law b a0 c) psi [::] h * (has (fun o => L <= deepest o)%N
    h)%:R)).
  rewrite -(@deployment_depth R H d N b a0 c x L hb d1 H1 hL) [RHS]big_mkcond; apply: eq_bigr => o _.
  rewrite (big_pred1 [tuple]) => [|t]; last by rewrite [t]tuple0; apply/esym/eqP.
  by rewrite /= mulr1 orbF; case: (L <= deepest o)%N; rewrite ?mulr1 ?mulr0.
have sumE : \sum_(c : code H.-1 d) (1 : R) = (d ^ H.-1)%:R by rewrite sumr_const card_code.
split.
  rewrite rE ler_pdivr_mulr // mulrC.
  have jM : (0 <= L.-1 <= H.-2)%N by rewrite -!subn1 leq_sub2r // subn1 -ltnS prednK // ltnW.
  have := @average_depth R H d N b a0 x [ffun=> a0] 0 L.-1 hb d1 H1 jM; rewrite subn0 prednK // => h.
  apply: le_trans h; apply: ler_sum => c _; have -> : mix 0 [ffun=> a0] c = c by apply/ffunP => i; rewrite ffunE.
  by rewrite deployment_depth.
move=> hx; rewrite rE.
have st (c : code H.-1 d) k h pre : (h + k <= H.-2)%N -> staying (lock b c) (gate_policy x) h pre k = ((d ^ k)%:R)^-1.
  elim: k h pre => [|k IH] h pre hk; first by rewrite expn0 invr1.
  have hn : (h < H.-2)%N by apply: leq_trans hk; rewrite addnS ltnS leq_addr.
  have hn' : (h < H.-1)%N by apply: leq_trans hn _; exact: leq_pred.
  rewrite /= (bigD1 (c (Ordinal hn'))) //= hn (hit_ord c (Ordinal hn')) eqxx mul1r IH ?addSnnS //.
  rewrite big1 ?addr0 => [|a /negPf na]; last by rewrite (hit_ord c (Ordinal hn')) eq_sym na mul0r mulr0.
  by rewrite /gate_policy hx expnS natrM invfM.
rewrite (eq_bigr (fun=> bound * 1)) => [|c _]; first by rewrite -mulr_sumr sumE mulfK // gt_eqF.
by rewrite mulr1 /single st // add0n -!subn1 leq_sub2r // subn1 -ltnS prednK // ltnW.
Qed.

Lemma uniform_proper : @tproper rat_realFieldType 2 (fun _ _ _ => 2%:R^-1).
Proof. by move=> pre s; split=> [a|]; [|rewrite sumr_const card_ord]. Qed.
(* every deployment is the uniform policy on two actions *)
Definition uniform_strategy N : strategy (tdata 3 2 N) (treturned rat_realFieldType 2) unit :=
  Strategy (fun _ => TReturned uniform_proper) (fun _ => tt).

(* control: with L in the place of L - 1 the bound of one trajectory is exceeded, H = 3, d = 2, L = 2 *)
Theorem claim_first_deployment_control : ~ (forall psi : strategy (tdata 3 2 1) (treturned rat_realFieldType 2) unit,
  reached 0 ord0 psi 1 2 <= 1%:R / (2 ^ 2)%:R).
Proof.
move=> h; have := h (uniform_strategy 1).
have [_ ->] := @res_first_deployment_sharp rat_realFieldType 3 2 1 0 ord0 unit (uniform_strategy 1) 2 isT isT isT isT;
  last by [].
by apply/negP; vm_compute.
Qed.

(* control: with N / d^(L + 1) in the place of N / d^(L - 1) the step is false, at L = L' = 1 *)
Theorem claim_frontier_step_control : ~ (forall psi : strategy (tdata 3 2 1) (treturned rat_realFieldType 2) unit,
  (1 - 1%:R / (2 ^ 2)%:R) * unreached 0 ord0 psi 0 1 <= unreached 0 ord0 psi 1 2).
Proof.
move=> h; have := h (uniform_strategy 1).
rewrite (@unreached0 rat_realFieldType 3 2 1 0 ord0 unit isT).
rewrite (@unreached_complement rat_realFieldType 3 2 1 0 ord0 unit isT isT).
have [_ ->] := @res_first_deployment_sharp rat_realFieldType 3 2 1 0 ord0 unit (uniform_strategy 1) 2 isT isT isT isT;
  last by [].
by apply/negP; vm_compute.
Qed.

(* control: one trajectory fewer in the exponent is not enough *)
Theorem res_first_deployment_sharp_control : ~ (forall psi : strategy (tdata 3 2 2) (treturned rat_realFieldType 2)
  unit, reached 0 ord0 psi 1 2 <= 1 - (1 - ((2 ^ 1)%:R)^-1) ^+ 1).
Proof.
move=> h; have := h (uniform_strategy 2).
have [_ ->] := @res_first_deployment_sharp rat_realFieldType 3 2 2 0 ord0 unit (uniform_strategy 2) 2 isT isT isT isT;
  last by [].
by apply/negP; vm_compute.
Qed.
