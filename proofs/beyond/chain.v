(* Designs layer after layer: what one design costs multiplies over the layers of a block, and the
   combination lock attains the product. *)
From derl.common Require Import prelude forms.
From derl.lower_bounds Require Import game locks gate lock features.
From derl.analysis Require Import matrices.
From derl.beyond Require Import domination.

Section Block.
Variables (R : realFieldType) (S A : finType) (d : nat).
(* the features of the layers, counted from the first of the block; the laws of the next state *)
Variables (phi : nat -> S -> A -> 'cV[R]_d) (P : nat -> S -> A -> S -> R).

(* a policy in the block: pi pre s a is the probability of a in s after the steps pre of the block *)
Definition remembering := seq (S * A) -> S -> A -> R.
(* the probability of the pair (x, a) j steps after the state s, which was reached by pre *)
Fixpoint pair_law (pi : remembering) pre s j x a : R :=
  if j is k.+1 then \sum_b pi pre s b * \sum_y P (size pre) s b y * pair_law pi (rcons pre (s, b)) y k x a
  else (s == x)%:R * pi pre s a.
(* p w s is the probability of the past w and the state s at the beginning of the block, pi w the
   policy after that past; a mixture has its member in w.  The law of the pair in layer j *)
Definition pair_after (V : finType) (p : V -> S -> R) (pi : V -> remembering) j x a : R :=
  \sum_w \sum_s p w s * pair_law (pi w) [::] s j x a.
(* the law of the state in layer j of the block *)
Definition state_after (V : finType) (p : V -> S -> R) pi j x : R := \sum_a pair_after p pi j x a.
(* the second moment of the features in layer j of the block *)
Definition moment_after (V : finType) (p : V -> S -> R) pi j : 'M[R]_d :=
  \sum_x \sum_a pair_after p pi j x a *: outer (phi j x a).

(* in every layer the laws of the next state are linear in the feature *)
Definition linear_layers :=
  (forall h, exists m : S -> 'cV[R]_d, forall s a x, P h s a x = ((m x)^T *m phi h s a) ord0 ord0) /\
  forall h s a, is_law (P h s a).
(* in every state of every layer rho is a design, W inverts its covariance, and no feature is longer than g in it *)
Definition designs (rho : nat -> S -> A -> R) (W : nat -> S -> 'M[R]_d) (g : R) := forall h s,
  [/\ is_law (rho h s), inverts (phi h s) (rho h s) (W h s) & forall a, qf (W h s) (phi h s a) <= g].
(* the policy that plays the designs *)
Definition plays (rho : nat -> S -> A -> R) : remembering := fun pre s a => rho (size pre) s a.

(* the mean of f in layer j, from a state, and for a policy that depends on the layer alone *)
Let expected pi pre s j f : R := \sum_x \sum_a pair_law pi pre s j x a * f x a.
Fixpoint designed rho h s j (f : S -> A -> R) : R :=
  if j is k.+1 then \sum_b rho h s b * \sum_y P h s b y * designed rho h.+1 y k f
  else \sum_a rho h s a * f s a.

Lemma expected0 pi pre s f : expected pi pre s 0 f = \sum_a pi pre s a * f s a.
Proof.
rewrite /expected (bigD1 s) //= [X in _ + X]big1 ?addr0 => [|x xs].
  by apply: eq_bigr => a _; rewrite eqxx mul1r.
by rewrite big1 // => a _; rewrite eq_sym (negPf xs) !mul0r.
Qed.

Lemma expectedS pi pre s j f : expected pi pre s j.+1 f =
  \sum_b pi pre s b * \sum_y P (size pre) s b y * expected pi (rcons pre (s, b)) y j f.
Proof.
rewrite /expected; transitivity (\sum_x \sum_a \sum_b \sum_y
    pi pre s b * (P (size pre) s b y * (pair_law pi (rcons pre (s, b)) y j x a * f x a))).
  apply: eq_bigr => x _; apply: eq_bigr => a _; rewrite /= mulr_suml; apply: eq_bigr => b _.
  by rewrite -mulrA mulr_suml mulr_sumr; apply: eq_bigr => y _; rewrite !mulrA.
under eq_bigr do rewrite exchange_big; rewrite exchange_big; apply: eq_bigr => b _ /=.
under eq_bigr do rewrite exchange_big; rewrite exchange_big mulr_sumr; apply: eq_bigr => y _ /=.
rewrite !mulr_sumr; apply: eq_bigr => x _; rewrite !mulr_sumr; by apply: eq_bigr => a _.
Qed.

Lemma expected_plays rho pre s j f : expected (plays rho) pre s j f = designed rho (size pre) s j f.
Proof.
elim: j pre s => [|j IH] pre s; first by rewrite expected0.
rewrite expectedS /=; apply: eq_bigr => b _; congr (_ * _); apply: eq_bigr => y _.
by rewrite IH size_rcons.
Qed.

Section Dominated.
Variables (rho : nat -> S -> A -> R) (W : nat -> S -> 'M[R]_d) (g : R).
Hypotheses (hl : linear_layers) (hd : designs rho W g).

Lemma one_step h s a x : P h s a x <= g * \sum_b rho h s b * P h s b x.
Proof.
have [hr hi hq] := hd h s; have [lin _ _] := domination (P h s) hr hi hq.
by apply: lin; split=> [|b]; [have [m hm] := hl.1 h; exists m|exact: hl.2].
Qed.

Lemma designed_ge0 h s j f : (forall x a, 0 <= f x a) -> 0 <= designed rho h s j f.
Proof.
move=> f0; elim: j h s => [|j IH] h s /=; apply: sumr_ge0 => a _; rewrite mulr_ge0 ?f0 //.
- by have [[r0 _] _ _] := hd h s.
- by have [[r0 _] _ _] := hd h s.
- by apply: sumr_ge0 => y _; rewrite mulr_ge0 //; case: (hl.2 h s a).
Qed.

Lemma g_ge0 (s : S) : 0 <= g.
Proof.
have [[r0 r1] [[_ W0] _] hq] := hd 0%N s; have [b _|none] := pickP (fun _ : A => true).
  exact: le_trans (W0 _) (hq b).
by move: r1; rewrite big_pred0 // => /eqP; rewrite eq_sym oner_eq0.
Qed.

Lemma expected_le pi pre s j (c : R) f : (forall pre s, is_law (pi pre s)) -> (forall x a, 0 <= f x a) -> 0 <= c ->
  (forall x a, f x a <= c * \sum_b rho (size pre + j)%N x b * f x b) ->
  expected pi pre s j f <= c * g ^+ j * designed rho (size pre) s j f.
Proof.
move=> hp f0 c0; elim: j pre s => [|j IH] pre s hf.
  rewrite expected0 expr0 mulr1 /= -[leRHS]mul1r -(proj2 (hp pre s)) mulr_suml.
  apply: ler_sum => a _; rewrite ler_wpmul2l ?(proj1 (hp pre s)) //; by have := hf s a; rewrite addn0.
set E := fun y => designed rho (size pre).+1 y j f.
have E0 y : 0 <= E y by exact: designed_ge0.
have cg : 0 <= c * g ^+ j by rewrite mulr_ge0 ?exprn_ge0 ?(g_ge0 s).
rewrite expectedS -[leRHS]mul1r -(proj2 (hp pre s)) mulr_suml; apply: ler_sum => b _.
rewrite ler_wpmul2l ?(proj1 (hp pre s)) //.
apply: (@le_trans _ _ (c * g ^+ j * \sum_y P (size pre) s b y * E y)).
  rewrite mulr_sumr; apply: ler_sum => y _; rewrite mulrCA ler_wpmul2l ?(proj1 (hl.2 _ _ _)) //.
  by rewrite /E -[(size pre).+1](size_rcons pre (s, b)); apply: IH => x a; rewrite size_rcons addSnnS.
have -> : c * g ^+ j.+1 = c * g ^+ j * g by rewrite exprSr mulrA.
rewrite -[leRHS]mulrA ler_wpmul2l //= mulr_sumr.
apply: (@le_trans _ _ (\sum_y g * (\sum_b' rho (size pre) s b' * P (size pre) s b' y) * E y)).
  by apply: ler_sum => y _; rewrite ler_wpmul2r ?one_step.
under [leRHS]eq_bigr do rewrite mulr_sumr mulr_sumr; rewrite exchange_big /=.
apply: ler_sum => y _; rewrite -mulrA mulr_suml mulr_sumr le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_bigr => b' _; rewrite !mulrA.
Qed.

(* the same from a law of the pasts and states at the beginning *)
Lemma after_le (V V' : finType) (p : V -> S -> R) (q : V' -> S -> R) pi j (c C : R) f :
  (forall w pre s, is_law (pi w pre s)) -> (forall w s, 0 <= p w s) ->
  (forall s, \sum_w p w s <= C * \sum_w q w s) -> (forall x a, 0 <= f x a) -> 0 <= c ->
  (forall x a, f x a <= c * \sum_b rho j x b * f x b) ->
  \sum_x \sum_a pair_after p pi j x a * f x a <=
  C * (c * g ^+ j) * \sum_x \sum_a pair_after q (fun=> plays rho) j x a * f x a.
Proof.
move=> hp p0 pq f0 c0 hf.
have swap (U : finType) (u : U -> S -> R) (sg : U -> remembering) :
    \sum_x \sum_a pair_after u sg j x a * f x a = \sum_s \sum_w u w s * expected (sg w) [::] s j f.
  rewrite [RHS]exchange_big /=; transitivity (\sum_x \sum_a \sum_w \sum_s
      u w s * (pair_law (sg w) [::] s j x a * f x a)).
    apply: eq_bigr => x _; apply: eq_bigr => a _; rewrite /pair_after mulr_suml; apply: eq_bigr => w _.
    by rewrite mulr_suml; apply: eq_bigr => s _; rewrite mulrA.
  under eq_bigr do rewrite exchange_big; rewrite exchange_big; apply: eq_bigr => w _ /=.
  under eq_bigr do rewrite exchange_big; rewrite exchange_big; apply: eq_bigr => s _ /=.
  by rewrite /expected mulr_sumr; apply: eq_bigr => x _; rewrite mulr_sumr.
rewrite !swap mulr_sumr; apply: ler_sum => s _.
have D0 : 0 <= c * g ^+ j * designed rho 0%N s j f.
  by rewrite !mulr_ge0 ?exprn_ge0 ?(g_ge0 s) ?designed_ge0.
apply: (@le_trans _ _ (\sum_w p w s * (c * g ^+ j * designed rho 0%N s j f))).
  by apply: ler_sum => w _; rewrite ler_wpmul2l //; apply: (expected_le (pre := [::])).
have -> : \sum_w q w s * expected (plays rho) [::] s j f = (\sum_w q w s) * designed rho 0%N s j f.
  by rewrite mulr_suml; apply: eq_bigr => w _; rewrite expected_plays.
rewrite -mulr_suml; apply: le_trans (ler_wpmul2r D0 (pq s)) _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; move: (\sum_w q w s) (designed _ _ _ _ _) => u v; ring.
Qed.
End Dominated.

Lemma moment_form (V : finType) (p : V -> S -> R) pi j z :
  qf (moment_after p pi j) z = \sum_x \sum_a pair_after p pi j x a * ((phi j x a)^T *m z) ord0 ord0 ^+ 2.
Proof.
rewrite /moment_after; elim/big_rec2: _ => [|x u M _ <-]; first by rewrite /qf bil0l.
rewrite qfD; congr (_ + _); elim/big_rec2: _ => [|a v N _ <-]; first by rewrite /qf bil0l.
by rewrite qfD qfZ qf_outer.
Qed.

Lemma moment_sym (V : finType) (p : V -> S -> R) pi j : sym (moment_after p pi j).
Proof.
have zero : sym (0 : 'M[R]_d) by exact: sym0.
rewrite /moment_after; apply: big_ind => [//|M N|x _]; first exact: symD.
apply: big_ind => [//|M N|a _]; [exact: symD|exact/symZ/outer_sym].
Qed.

(* [res-design-chain], the two dominations *)
Theorem design_chain (V V' : finType) (p : V -> S -> R) (q : V' -> S -> R) (pi : V -> remembering) rho W g (C : R) j :
  linear_layers -> designs rho W g -> (forall w pre s, is_law (pi w pre s)) -> (forall w s, 0 <= p w s) ->
  (forall s, \sum_w p w s <= C * \sum_w q w s) ->
  (forall x, state_after p pi j x <= C * g ^+ j * state_after q (fun=> plays rho) j x) /\
  above ((C * g ^+ j.+1) *: moment_after q (fun=> plays rho) j) (moment_after p pi j).
Proof.
move=> hl hd hp p0 pq; split=> [x|].
  have h := after_le hl hd hp p0 pq (f := fun y _ => (y == x)%:R) (c := 1) _ ler01.
  have e (U : finType) (u : U -> S -> R) sg : state_after u sg j x =
      \sum_y \sum_a pair_after u sg j y a * (y == x)%:R.
    rewrite (bigD1 x) //= [X in _ = _ + X]big1 ?addr0 => [|y yx].
      by apply: eq_bigr => a _; rewrite eqxx mulr1.
    by apply: big1 => a _; rewrite (negPf yx) mulr0.
  rewrite !e -[g ^+ j]mul1r; apply: h => [y a|y a]; first exact: ler0n.
  by have [[_ r1] _ _] := hd j y; rewrite -mulr_suml r1 !mul1r.
split=> [|z]; first by apply: symB; [apply: symZ|]; exact: moment_sym.
rewrite qfB qfZ subr_ge0 !moment_form exprS; case: (pickP (fun _ : S => true)) => [s _|none]; last first.
  by rewrite !big_pred0 // mulr0.
apply: (after_le hl hd hp p0 pq (f := fun x a => ((phi j x a)^T *m z) ord0 ord0 ^+ 2)).
- by move=> x a; exact: sqr_ge0.
- exact: (g_ge0 hd s).
move=> x a; have [hr hi hq] := hd j x; have [_ dom _] := domination (P j x) hr hi hq.
have [_ /(_ z)] := dom a; rewrite qfB qfZ subr_ge0 qf_outer => h; apply: le_trans h _.
rewrite le_eqVlt; apply/orP; left; apply/eqP; congr (_ * _); rewrite /design_matrix.
elim/big_rec2: _ => [|b v N _ <-]; first by rewrite /qf bil0l.
by rewrite qfD qfZ qf_outer.
Qed.
End Block.

Section Attained.
Variables (R : realFieldType) (n d : nat) (b : R) (c : code n d).
Hypotheses (d0 : (0 < d)%N) (hb : 0 <= b <= 2%:R^-1).
Let Rd : d%:R != 0 :> R. Proof. by rewrite pnatr_eq0 -lt0n. Qed.

(* the uniform design of the lock, and the inverse of its covariance on the span of the features *)
Definition uniform_design (h : nat) (s : state) (a : 'I_d) : R := d%:R^-1.
Definition uniform_inverse (h : nat) (s : state) : 'M[R]_(d + 2) := if s is None then d%:R%:M else 1%:M.
(* the policy that plays the code, and an arbitrary action a0 after it *)
Definition plays_digits (a0 : 'I_d) : remembering R [finType of state] [finType of 'I_d] := fun pre _ a =>
  (a == (if insub (size pre) is Some i then c i else a0))%:R.
(* the first state is the gate *)
Definition at_gate (_ : unit) (s : state) : R := (s == None)%:R.

Lemma feature_dot s (a a' : 'I_d) : ((feature_vector R s a)^T *m feature_vector R None a') ord0 ord0 =
  if s is None then (a == a')%:R else 0.
Proof.
have := inner_feature (fun j : 'I_d => (j == a')%:R : R) (fun=> 0) s a; case: s => [x|] <-.
  by rewrite mxE; apply: eq_bigr => i _; rewrite !mxE mulrC /feature; case: (split i).
by rewrite mxE; apply: eq_bigr => i _; rewrite !mxE mulrC /feature; case: (split i).
Qed.

Lemma feature_dot_end x (a : 'I_d) y (a' : 'I_d) : ((feature_vector R (Some x) a)^T *m feature_vector R (Some y) a')
  ord0 ord0 = (x == y)%:R.
Proof.
have := inner_feature (fun j : 'I_d => 0 : R) (fun z => (z == y)%:R) (Some x) a => /= <-.
by rewrite mxE; apply: eq_bigr => i _; rewrite !mxE mulrC /feature; case: (split i).
Qed.

Lemma uniform_law (h : nat) s : is_law (uniform_design h s).
Proof.
split=> [a|]; first by rewrite invr_ge0 ler0n.
by rewrite /uniform_design sumr_const card_ord -[LHS]mulr_natl mulfV.
Qed.

Lemma uniform_designs : designs (fun=> feature_vector R (d := d)) uniform_design uniform_inverse d%:R.
Proof.
move=> h s; split; first exact: uniform_law.
  split; first by case: s => [x|]; apply/pd_psd/pd_scalar; rewrite ?ltr0n ?ltr01.
  move=> a; rewrite /design_matrix /uniform_design; case: s => [x|] /=.
    rewrite mulmx1 mulmx_suml (eq_bigr (fun=> d%:R^-1 *: feature_vector R (Some x) a)) => [|a' _].
      by rewrite sumr_const card_ord -scaler_nat scalerA mulfV // scale1r.
    rewrite -scalemxAl outer_mulx feature_dot_end eqxx scale1r; congr (_ *: _).
  rewrite mul_mx_scalar -scalemxAl mulmx_suml (bigD1 a) //= big1 ?addr0 => [|a' /negPf aa].
    by rewrite -scalemxAl outer_mulx feature_dot eqxx scale1r scalerA mulfV // scale1r.
  by rewrite -scalemxAl outer_mulx feature_dot aa scale0r scaler0.
move=> a; case: s => [x|] /=.
  by rewrite /qf bil1 feature_dot_end eqxx ler1n.
by rewrite -scalemx1 qfZ /qf bil1 feature_dot eqxx mulr1.
Qed.

Lemma lock_layers : linear_layers (fun=> feature_vector R (d := d)) (kernel (lock b c)).
Proof.
split=> [h|h s a]; last by apply: kernel_law; exact: lock_mild.
exists (measure_vector (lock b c) h) => s a x.
by have [[_ e] _ _ _ _] := gate_assumption n h (lock_mild c hb); exact: e.
Qed.

Let law := pair_law (kernel (lock b c)).
Lemma law_end pi pre x j (a : 'I_d) : law pi pre (Some x) j None a = 0.
Proof.
elim: j pre x => [|j IH] pre x /=; first by rewrite mul0r.
apply: big1 => a' _; rewrite big1 ?mulr0 // => y _; case: (eqVneq y (Some x)) => [->|_]; last by rewrite mul0r.
by rewrite -/law IH mulr0.
Qed.

Lemma law_gate pi pre j a : law pi pre None j.+1 None a =
  \sum_a' pi pre None a' * ((((size pre) < n.-1)%N && hit c (size pre) a')%:R * law pi (rcons pre (None, a')) None j
  None a).
Proof.
rewrite /law /=; apply: eq_bigr => a' _; congr (_ * _); rewrite sum_state /= -!/law !law_end.
by rewrite !mulr0 !addr0.
Qed.

Lemma law_uniform pre j a : (size pre + j < n)%N ->
  law (plays uniform_design) pre None j None a = (d%:R ^+ j.+1)^-1.
Proof.
elim: j pre => [|j IH] pre hj; first by rewrite /law /plays /uniform_design /= ?eqxx ?mulr1n mul1r expr1.
have hn : (size pre < n.-1)%N.
  by case: (n) hj => // k; rewrite addnS ltnS /=; apply: leq_ltn_trans; exact: leq_addr.
rewrite law_gate; have hn' : (size pre < n)%N by exact: leq_trans hn (leq_pred n).
rewrite (bigD1 (c (Ordinal hn'))) //= big1 ?addr0 => [|a' aa].
  by rewrite hn (hit_ord c (Ordinal hn')) eqxx mul1r IH ?size_rcons ?addSnnS // /plays /uniform_design -invfM -exprS.
by rewrite (hit_ord c (Ordinal hn')) eq_sym (negPf aa) andbF mul0r mulr0.
Qed.

Lemma law_digits a0 pre j a : (size pre + j < n)%N ->
  law (plays_digits a0) pre None j None a = (a == (if insub (size pre + j)%N is Some i then c i else a0))%:R.
Proof.
elim: j pre => [|j IH] pre hj; first by rewrite /law /plays /uniform_design /= ?eqxx ?mulr1n mul1r addn0.
have hn : (size pre < n.-1)%N.
  by case: (n) hj => // k; rewrite addnS ltnS /=; apply: leq_ltn_trans; exact: leq_addr.
rewrite law_gate; have hn' : (size pre < n)%N by exact: leq_trans hn (leq_pred n).
rewrite (bigD1 (c (Ordinal hn'))) //= big1 ?addr0 => [|a' aa].
  rewrite hn (hit_ord c (Ordinal hn')) eqxx mul1r IH ?size_rcons ?addSnnS //.
  by rewrite /plays_digits insubT eqxx mul1r.
by rewrite (hit_ord c (Ordinal hn')) eq_sym (negPf aa) andbF mul0r mulr0.
Qed.

Lemma after_gate pi j a :
  pair_after (kernel (lock b c)) at_gate (fun=> pi) j None a = law pi [::] None j None a.
Proof.
rewrite /pair_after (big_pred1 tt) => [|[]//]; rewrite sum_state /at_gate /= !mul0r !addr0 mul1r //.
Qed.

(* both dominations are equalities for the policy that plays the code, in every layer that has a digit *)
Theorem lock_chain (a0 : 'I_d) j : (j < n)%N ->
  let P := kernel (lock b c) in let phi := fun _ : nat => feature_vector R (d := d) in
  state_after P at_gate (fun=> plays_digits a0) j None =
    d%:R ^+ j * state_after P at_gate (fun=> plays uniform_design) j None /\
  exists z, 0 < qf (moment_after phi P at_gate (fun=> plays uniform_design) j) z /\
    qf (moment_after phi P at_gate (fun=> plays_digits a0) j) z =
      d%:R ^+ j.+1 * qf (moment_after phi P at_gate (fun=> plays uniform_design) j) z.
Proof.
move=> jn P phi; have dj k : (d%:R ^+ k : R) != 0 by rewrite expf_neq0.
pose i := Ordinal jn.
have code_law a : pair_after P at_gate (fun=> plays_digits a0) j None a = (a == c i)%:R.
  by rewrite after_gate law_digits ?add0n // insubT.
have design_law a : pair_after P at_gate (fun=> plays uniform_design) j None a = (d%:R ^+ j.+1)^-1.
  by rewrite after_gate law_uniform ?add0n.
split.
  rewrite /state_after; under eq_bigr do rewrite code_law; under [in RHS]eq_bigr do rewrite design_law.
  rewrite (bigD1 (c i)) //= eqxx big1 ?addr0 => [|a /negPf ->//].
  by rewrite sumr_const card_ord -[X in _ * X]mulr_natl mulrA -exprSr mulfV.
have form pi : qf (moment_after phi P at_gate (fun=> pi) j) (feature_vector R None (c i)) =
    pair_after P at_gate (fun=> pi) j None (c i).
  rewrite moment_form sum_state /phi [X in _ + X + _]big1 => [|a _]; last by rewrite feature_dot expr0n mulr0.
  rewrite [X in _ + X]big1 => [|a _]; last by rewrite feature_dot expr0n mulr0.
  rewrite !addr0 (bigD1 (c i)) //= feature_dot eqxx expr1n mulr1 big1 ?addr0 // => a /negPf ne.
  by rewrite feature_dot ne expr0n mulr0.
exists (feature_vector R None (c i)); rewrite !form code_law design_law eqxx mulfV //; split=> //.
by rewrite invr_gt0 exprn_gt0 // ltr0n.
Qed.
End Attained.

(* [res-design-chain], whole: the two dominations; and for every number d of actions, every code of n digits and
   every layer j < n the lock has designs with g = d for which both are equalities, from the gate, C = 1 *)
Theorem res_design_chain (R : realFieldType) :
  (forall (S A V V' : finType) (d : nat) (phi : nat -> S -> A -> 'cV[R]_d) (P : nat -> S -> A -> S -> R)
      (p : V -> S -> R) (q : V' -> S -> R) (pi : V -> remembering R S A) rho W (g C : R) j,
     linear_layers phi P -> designs phi rho W g -> (forall w pre s, is_law (pi w pre s)) ->
     (forall w s, 0 <= p w s) -> (forall s, \sum_w p w s <= C * \sum_w q w s) ->
     (forall x, state_after P p pi j x <= C * g ^+ j * state_after P q (fun=> plays rho) j x) /\
     above ((C * g ^+ j.+1) *: moment_after phi P q (fun=> plays rho) j) (moment_after phi P p pi j)) /\
  (forall (n d : nat) (b : R) (c : code n d) (a0 : 'I_d) j, 0 <= b <= 2%:R^-1 -> (j < n)%N ->
     let phi := fun _ : nat => feature_vector R (d := d) in let P := kernel (lock b c) in
     exists rho W,
     [/\ linear_layers phi P, designs phi rho W d%:R,
         state_after P (at_gate R) (fun=> plays_digits R c a0) j None =
           d%:R ^+ j * state_after P (at_gate R) (fun=> plays rho) j None &
         exists z, 0 < qf (moment_after phi P (at_gate R) (fun=> plays rho) j) z /\
           qf (moment_after phi P (at_gate R) (fun=> plays_digits R c a0) j) z =
             d%:R ^+ j.+1 * qf (moment_after phi P (at_gate R) (fun=> plays rho) j) z]).
Proof.
split=> [S A V V' d phi P p q pi rho W g C j|n d b c a0 j hb jn]; first exact: design_chain.
have d0 : (0 < d)%N by apply: leq_ltn_trans (ltn_ord a0).
exists (uniform_design R (d := d)), (uniform_inverse R d).
by have [h1 h2] := lock_chain b c d0 a0 jn; split=> //; [exact: lock_layers|exact: uniform_designs].
Qed.

(* control: with one factor g less in the domination of the second moments it is false: the lock with
   two actions, two digits, layer 0 *)
Theorem design_chain_control (R : realFieldType) : ~ (forall (S A V V' : finType) (d : nat)
    (phi : nat -> S -> A -> 'cV[R]_d) (P : nat -> S -> A -> S -> R)
    (p : V -> S -> R) (q : V' -> S -> R) (pi : V -> remembering R S A) rho W (g C : R) j,
  linear_layers phi P -> designs phi rho W g -> (forall w pre s, is_law (pi w pre s)) ->
  (forall w s, 0 <= p w s) -> (forall s, \sum_w p w s <= C * \sum_w q w s) ->
  above ((C * g ^+ j) *: moment_after phi P q (fun=> plays rho) j) (moment_after phi P p pi j)).
Proof.
move=> h; pose c : code 2 2 := [ffun=> ord0]; have b0 : 0 <= (0 : R) <= 2%:R^-1 by rewrite lexx invr_ge0 ler0n.
have proper0 (w : unit) pre s : is_law (plays_digits R c ord0 pre s).
  rewrite /plays_digits; set a := (if insub _ is Some _ then _ else _).
  split=> [a'|]; first exact: ler0n.
  by rewrite (bigD1 a) //= eqxx big1 ?addr0 // => a' /negPf ->.
have start s : \sum_w at_gate R w s <= 1 * \sum_w at_gate R w s by rewrite mul1r.
have [_ [z [z0 e]]] := lock_chain (0 : R) c (isT : (0 < 2)%N) ord0 (isT : (0 < 2)%N).
have [_ /(_ z)] := h _ _ _ _ _ _ _ _ _ _ _ _ _ 1 0%N (lock_layers c b0) (uniform_designs R (isT : (0 < 2)%N))
  proper0 (fun w s => ler0n _ _) start.
rewrite qfB qfZ e expr1 mul1r expr0 mul1r subr_ge0 leNgt => /negP []; by rewrite ltr_pmull // ltr1n.
Qed.
