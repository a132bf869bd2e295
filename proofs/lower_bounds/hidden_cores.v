(* The hard instances of Theorem B.3: the template with random core states and a random optimal
   state in the last layer but one.  Claims 1 and 2 on it, for policies of any kind. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks gate trajectories lock template template_game.
From derl.probability Require Import finite chebyshev best_of.

Section Hidden.
(* H - 1 digits: the core states of the layers 1, ..., H - 2 and the optimal state of layer
   H - 1; a0 stands where there is no core *)
Variables (R : realFieldType) (H d N : nat) (b : R) (a0 : 'I_d).
Implicit Types (c e : code H.-1 d) (pi : tpolicy R d) (x : treturned R d).

(* the state that is the core of layer H - 1 if state j is the optimal one: the next in a circle *)
Definition next (j : 'I_d) : 'I_d := insubd j (j.+1 %% d)%N.
(* the core states of the instance with the digits c *)
Definition cores c (h : nat) : 'I_d :=
  if insub h.-1 is Some i then (if (h < H.-1)%N then c i else next (c i)) else a0.
(* its optimal state: in layer H - 1, the state that the last digit names *)
Definition hidden c : option (place H (cores c)) :=
  [pick i : place H (cores c) | ((val i).1 == H.-1 :> nat) && hit c H.-2 (val i).2].

(* u1 and u2 do not count as states of a level *)
Definition absorbed (y : tstep d) : bool := if y.2 is Some (inr _) then true else false.
(* the deepest level that a trajectory reaches *)
Definition depth (t : seq (tstep d)) : nat := find absorbed t.
(* the deepest level that the N trajectories of a deployment reach *)
Definition deepest (o : tdata H d N) : nat := \max_(k < N) depth (o k).

(* the law of the data of a deployment on the instance c *)
Definition hidden_law c (x : treturned R d) : tdata H d N -> R :=
  tdata_law (core := cores c) b (hidden c) x.

Lemma next_neq j : (1 < d)%N -> next j != j.
Proof.
move=> d1; have d0 := ltnW d1; apply/negP => /eqP /(congr1 val) /=.
rewrite /next /insubd insubT ?ltn_mod //= => lt.
have := ltn_ord j; case: (ltngtP j.+1 d) => // [lt' _|e _].
  by rewrite modn_small // => /eqP; rewrite -[X in _ == X]addn0 -addn1 eqn_add2l.
by rewrite e modnn => j0; move: d1; rewrite -e -j0.
Qed.

Lemma cores_agree h c c' : agree h c c' -> (0 < h)%N -> cores c h = cores c' h.
Proof.
move=> hc h0; rewrite /cores; case: insubP => // i _ iE.
by rewrite hc // iE -ltnS prednK.
Qed.

(* the bias of state j of layer h *)
Lemma hidden_bias c h j : (1 < d)%N -> (1 < H)%N ->
  tbias b (hidden c) h j = if (h == H.-1) && hit c H.-2 j then b else 0.
Proof.
move=> d1 H1; have H0 : (0 < H.-1)%N by rewrite -subn1 subn_gt0.
have HH : (H.-1 < H)%N by rewrite prednK // ltnW.
have lt : (H.-2 < H.-1)%N by rewrite prednK.
rewrite /tbias /hidden; case: pickP => [i /andP[/eqP i1 i2]|no].
  congr (if _ then _ else _); rewrite /at_place i1 eq_sym; congr (_ && _).
  by move: i2; rewrite !(hit_ord _ (Ordinal lt)) => /eqP <-.
case: ifP => // /andP[/eqP hE hj]; exfalso.
have ok : (0 < (Ordinal HH, j).1)%N && ((Ordinal HH, j).2 != cores c (Ordinal HH, j).1).
  rewrite /= H0 /= /cores (insubT (fun k => k < H.-1)%N lt) ltnn.
  move: hj; rewrite (hit_ord _ (Ordinal lt)) => /eqP <-.
  by rewrite eq_sym next_neq.
have := no (exist _ (Ordinal HH, j) ok); by rewrite /= eqxx hj.
Qed.

Lemma kernel_agree c c' h s a s' : agree h c c' -> (1 < d)%N -> (1 < H)%N -> (h = 0%N -> s = None) ->
  tkernel (core := cores c) b (hidden c) h s a s' = tkernel (core := cores c') b (hidden c') h s a s'.
Proof.
move=> hc d1 H1; case: (posnP h) => [-> -> //|h0 _].
have cE : is_core (cores c) h s = is_core (cores c') h s by case: s => [[j|x]|] //=; rewrite (cores_agree hc h0).
rewrite /tkernel cE; case: ifP => // _; case: s {cE} => [[j|x]|] //; rewrite !hidden_bias //.
suff -> : (h == H.-1) && hit c H.-2 j = (h == H.-1) && hit c' H.-2 j by [].
case: eqP => //= hE; apply: (hit_agree _ hc); rewrite hE prednK //.
by rewrite -subn1 subn_gt0.
Qed.

Lemma end_agree c c' pi h pre (x : bool) t :
  ttraj (core := cores c) b (hidden c) pi h pre (Some (inr x)) t = ttraj (core := cores c') b (hidden c') pi h pre
  (Some (inr x)) t.
Proof.
elim: t h pre x => [|[a s'] t IH] h pre x //=; rewrite /tkernel /=.
case: (eqVneq s' (Some (inr x))) => [->|_]; first by rewrite IH.
by rewrite !mulr0 !mul0r.
Qed.

Lemma traj_agree pi j c c' h pre s t : agree j c c' -> (1 < d)%N -> (1 < H)%N -> (h = 0%N -> s = None) ->
  (h + depth t <= j)%N ->
  ttraj (core := cores c) b (hidden c) pi h pre s t = ttraj (core := cores c') b (hidden c') pi h pre s t.
Proof.
move=> hc d1 H1; elim: t h pre s => [|[a s'] t IH] h pre s hs //= hj.
have hh : agree h c c' by apply: agree_le hc; apply: leq_trans hj; exact: leq_addr.
rewrite (kernel_agree a s' hh) //; case e : (absorbed (a, s')).
  by move: e; rewrite /absorbed; case: s' {hj} => [[j'|x]|] // _; rewrite (end_agree c c').
rewrite (IH h.+1) //; move: hj; rewrite /depth /= e; by rewrite addnS.
Qed.

(* the digits that a deployment gets right: the deepest level but one, at most H - 2 *)
Definition hmatched (o : tdata H d N) : nat := minn (deepest o).-1 H.-2.

Lemma hidden_blind : (1 < d)%N -> (1 < H)%N -> blind_behind hidden_law hmatched.
Proof.
move=> d1 H1 c c' x o hc; rewrite /hidden_law /tdata_law; apply: eq_bigr => k _.
apply: (@traj_agree _ (depth (o k))) => // i ik; apply: hc.
rewrite ltnS /hmatched leq_min; apply/andP; split.
  have le : (i < deepest o)%N by apply: leq_trans ik _; exact: (leq_bigmax k).
  by rewrite -ltnS prednK // (leq_ltn_trans _ le).
by rewrite -ltnS prednK ?ltn_ord // -subn1 subn_gt0.
Qed.

(* the policy as one of the lock, along the cores *)
Definition along (pre : seq (step d)) : seq (tstep d) := [seq (y.1, Some (inl y.1)) | y <- pre].
Definition last_state (pre : seq (step d)) : tstate d := last None [seq Some (inl y.1) | y <- pre].
Definition gate_policy pi : policy R d := fun pre _ a => pi (along pre) (last_state pre) a.

Lemma gate_proper pi : tproper pi -> proper (gate_policy pi).
Proof. by move=> hp pre s; exact: hp. Qed.

Lemma ttrajS c pi h pre s a s' t :
  ttraj (core := cores c) b (hidden c) pi h pre s ((a, s') :: t) =
  pi pre s a * tkernel (core := cores c) b (hidden c) h s a s' *
  ttraj (core := cores c) b (hidden c) pi h.+1 (rcons pre (a, s')) s' t.
Proof. by []. Qed.

(* a trajectory comes k levels deeper *)
Lemma depth_prob c pi k m pre : 0 <= b <= 2%:R^-1 -> (1 < d)%N -> (1 < H)%N -> tproper pi ->
  is_core (cores c) (size pre) (last_state pre) -> (k < m)%N -> (size pre + k <= H.-2)%N ->
  \sum_(t : m.-tuple (tstep d)) ttraj (core := cores c) b (hidden c) pi (size pre) (along pre) (last_state pre)
  t * (k < depth t)%N%:R = staying (lock b c) (gate_policy pi) (size pre) pre k.
Proof.
move=> hb d1 H1 hp; elim: k m pre => [|k IH] [|m] pre // hc km hk.
  rewrite [RHS]/= -[RHS](ttraj_total (core := cores c) (hidden c) (size pre) (along pre) (last_state pre) m.+1 hb hp).
  rewrite (sum_tuple_cons m (fun t => ttraj (core := cores c) b (hidden c) pi (size pre) (along pre) (last_state pre)
    t * (0 < depth t)%N%:R)).
  rewrite (sum_tuple_cons m (ttraj (core := cores c) b (hidden c) pi (size pre) (along pre) (last_state pre))).
  apply: eq_bigr => -[a s'] _; apply: eq_bigr => t _; rewrite !ttrajS /tkernel hc.
  case: eqP => [->|_]; first by rewrite /depth /= mulr1.
  by rewrite mulr0 !mul0r.
rewrite (sum_tuple_cons m (fun t => ttraj (core := cores c) b (hidden c) pi (size pre) (along pre) (last_state pre)
  t * (k.+1 < depth t)%N%:R)).
pose G a s' := \sum_(t : m.-tuple (tstep d)) ttraj (core := cores c) b (hidden c) pi (size pre) (along pre)
  (last_state pre) ((a, s') :: t) * (k.+1 < depth ((a, s') :: t))%N%:R.
rewrite (eq_bigr (fun y => G y.1 y.2)) => [|[a s'] _ //].
rewrite -(pair_big xpredT xpredT G) /=; apply: eq_bigr => a _.
rewrite (bigD1 (Some (inl a))) //= [X in _ + X]big1 ?addr0 => [|s' /negPf ne]; last first.
  by rewrite /G big1 // => t _; rewrite ttrajS /tkernel hc ne mulr0 !mul0r.
have hn : (size pre < H.-2)%N by apply: leq_trans hk; rewrite addnS ltnS leq_addr.
have hn' : (size pre < H.-1)%N by apply: leq_trans hn _; exact: leq_pred.
have stE : (size pre < H.-2)%N && hit c (size pre) a = (a == cores c (size pre).+1).
  rewrite hn (hit_ord c (Ordinal hn')) /cores (insubT (fun k => k < H.-1)%N hn') eq_sym /=.
  by have -> : ((size pre).+1 < H.-1)%N by rewrite -ltn_predRL.
have GE : G a (Some (inl a)) = pi (along pre) (last_state pre) a *
    \sum_(t : m.-tuple (tstep d)) ttraj (core := cores c) b (hidden c) pi (size pre).+1
    (rcons (along pre) (a, Some (inl a))) (Some (inl a)) t * (k < depth t)%N%:R.
  rewrite /G mulr_sumr; apply: eq_bigr => t _; rewrite ttrajS /tkernel hc eqxx mulr1 mulrA.
  by rewrite /depth /= ltnS.
rewrite GE stE; congr (_ * _).
have e1 : rcons (along pre) (a, Some (inl a)) = along (rcons pre (a, None)) by rewrite /along map_rcons.
have e2 : Some (inl a) = last_state (rcons pre (a, None)) by rewrite /last_state map_rcons last_rcons.
have e3 : (size pre).+1 = size (rcons pre ((a, None) : step d)) by rewrite size_rcons.
case: eqP => [ac|nc].
  rewrite mul1r e1 e2 e3 IH //.
    by rewrite size_rcons -e2 /= ac.
  by rewrite size_rcons addSnnS.
rewrite mul0r; case: m km {IH G GE} => // m km.
rewrite (sum_tuple_cons m (fun t => ttraj (core := cores c) b (hidden c) pi (size pre).+1
  (rcons (along pre) (a, Some (inl a))) (Some (inl a)) t * (k < depth t)%N%:R)).
apply: big1 => -[a' s'] _; apply: big1 => t _; rewrite ttrajS /tkernel /=; case: eqP => // _.
by case: s' => [[j|x]|]; rewrite ?mulr0 ?mul0r // /depth /= mulr0.
Qed.

Lemma hidden_law_law c x : 0 <= b <= 2%:R^-1 -> is_law (hidden_law c x).
Proof. by move=> hb; apply: tdata_law_law => //; exact: tout_proper. Qed.

(* the probability that one trajectory reaches level j *)
Definition single c (x : treturned R d) j : R := staying (lock b c) (gate_policy x) 0 [::] j.-1.

Lemma single_depth c x j : 0 <= b <= 2%:R^-1 -> (1 < d)%N -> (1 < H)%N -> (0 < j < H)%N ->
  \sum_(t : H.-tuple (tstep d) | (j <= depth t)%N) ttraj (core := cores c) b (hidden c) x 0 [::] None t = single c x j.
Proof.
move=> hb d1 H1 /andP[j0 jH]; rewrite /single -(@depth_prob c x j.-1 H [::]) //.
- rewrite big_mkcond; apply: eq_bigr => t _; rewrite prednK //.
  by case: (j <= depth t)%N; rewrite ?mulr1 ?mulr0.
- exact: tout_proper.
- by rewrite (leq_ltn_trans (leq_pred _)).
- by rewrite add0n -!subn1 leq_sub2r // subn1 -ltnS prednK // ltnW.
Qed.

Lemma traj_is_law c (x : treturned R d) : 0 <= b <= 2%:R^-1 ->
  is_law (fun t : H.-tuple (tstep d) => ttraj (core := cores c) b (hidden c) x 0 [::] None t).
Proof.
move=> hb; split=> [t|]; first by apply: ttraj_ge0 => //; exact: tout_proper.
by apply: ttraj_total => //; exact: tout_proper.
Qed.

Lemma single_bounds c x j : 0 <= b <= 2%:R^-1 -> (1 < d)%N -> (1 < H)%N -> (0 < j < H)%N ->
  0 <= single c x j <= 1.
Proof. by move=> hb d1 H1 hj; rewrite -single_depth //; apply: single_range; exact: traj_is_law. Qed.

(* and that a deployment does *)
Lemma deployment_depth c x j : 0 <= b <= 2%:R^-1 -> (1 < d)%N -> (1 < H)%N -> (0 < j < H)%N ->
  \sum_(o | (j <= deepest o)%N) hidden_law c x o = 1 - (1 - single c x j) ^+ N.
Proof.
move=> hb d1 H1 hj; have /andP[j0 jH] := hj.
rewrite -(single_depth c x hb d1 H1 hj) -(some_good N (traj_is_law c x hb)).
apply: eq_bigl => o; exact: (best_exists (fun t : H.-tuple (tstep d) => depth t) o j0).
Qed.

Lemma average_depth x c j M : 0 <= b <= 2%:R^-1 -> (1 < d)%N -> (1 < H)%N -> (j <= M <= H.-2)%N ->
  \sum_e \sum_(o | (M < deepest o)%N) hidden_law (mix j c e) x o <=
  (d ^ H.-1)%:R * (1 - (1 - ((d ^ (M - j))%:R)^-1) ^+ N).
Proof.
move=> hb d1 H1 /andP[jM MH]; have d0 := ltnW d1.
have H0 : (0 < H.-1)%N by rewrite -subn1 subn_gt0.
have hM : (0 < M.+1 < H)%N by move: MH H0; clear; case: H => [|[|h]] //=; rewrite ltnS.
have dR k : 0 < (d ^ k)%:R :> R by rewrite ltr0n expn_gt0 d0.
under eq_bigr do rewrite deployment_depth //.
rewrite -(card_code H.-1 d); apply: average_tries.
- by move=> e; exact: single_bounds.
- by rewrite invr_ge0 ler0n invf_le1 ?dR // ler1n expn_gt0 d0.
rewrite card_code ler_pdivl_mulr // mulrC; have := staying_reach b c j M 0 [::] (gate_proper (tout_proper x)) d0.
by rewrite add0n maxn0.
Qed.

Lemma hidden_reach : 0 <= b <= 2%:R^-1 -> (1 < d)%N -> (1 < H)%N -> (0 < N)%N ->
  short_reach N hidden_law hmatched.
Proof.
move=> hb d1 H1 N0 x c j M /andP[jM MH]; have d0 := ltnW d1.
have dR k : 0 < (d ^ k)%:R :> R by rewrite ltr0n expn_gt0 d0.
case: (posnP M) => [M0|M0].
  move: jM; rewrite M0 leqn0 => /eqP ->; rewrite subnn expn0 divr1.
  apply: (@le_trans _ _ (\sum_(e : code H.-1 d) 1)).
    by apply: ler_sum => e _; under eq_bigl do rewrite leq0n; rewrite (proj2 (hidden_law_law _ x hb)).
  by rewrite sumr_const card_code ler_pemull ?ler0n // ler1n.
case: (leqP M H.-2) => MH2; last first.
  rewrite big1 ?divr_ge0 ?mulr_ge0 ?ler0n // => e _; rewrite big_pred0 // => o.
  by apply/negbTE; rewrite -ltnNge /hmatched (leq_ltn_trans (geq_minr _ _)).
apply: (@le_trans _ _ (\sum_e \sum_(o | (M < deepest o)%N) hidden_law (mix j c e) x o)).
  rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => e _; apply: eq_bigl => o.
  rewrite /hmatched leq_min MH2 andbT; case: (deepest o) => [|D]; last by rewrite ltnS.
  by rewrite ltn0 leqn0 gtn_eqF.
have jMH : (j <= M <= H.-2)%N by rewrite jM.
apply: le_trans (average_depth x c hb d1 H1 jMH) _.
rewrite mulrAC [leRHS]mulrC ler_wpmul2l ?ler0n //; apply: tries_union.
by rewrite invr_ge0 ler0n invf_le1 ?dR // ler1n expn_gt0 d0.
Qed.
End Hidden.
