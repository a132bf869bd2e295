(* The hard instances satisfy Assumption 1 with one feature map, and no smaller dimension serves
   all combination locks; Theorem B.3 for every average of deterministic algorithms. *)
From derl.common Require Import real_prelude forms.
From derl.foundations Require Import rewards.
From derl.lower_bounds Require Import game locks gate trajectories lock best conclusion.

Section Features.
Variables (R : realFieldType) (n d : nat).
Implicit Types (M : instance R d).

(* the features, measures and reward vector of gate.v as vectors of dimension d + 2 *)
Definition feature_vector (s : state) (a : 'I_d) : 'cV[R]_(d + 2) := \col_i feature R s a i.
(* the measure of the state s' in layer h *)
Definition measure_vector M h (s' : state) : 'cV[R]_(d + 2) := \col_i measure M h s' i.
(* the vector theta of layer h, of which the reward is the product with the feature *)
Definition reward_vector h : 'cV[R]_(d + 2) := \col_i theta R n h i.

Lemma reward_bounds h s : 0 <= reward R n h s <= 1.
Proof.
have half : 0 <= (2%:R^-1 : R) <= 1 by rewrite invr_ge0 ler0n invf_le1 ?ltr0n // ler1n.
rewrite /reward; case: ifP => _; first by rewrite lexx ler01.
case: ifP => _ //; case: s => [x|] //; by rewrite ler0n lern1 leq_b1.
Qed.

(* each instance satisfies Assumption 1 in every layer, with the same features *)
Theorem gate_assumption M h : mild M ->
  assumption_one feature_vector (measure_vector M h) (reward_vector h) (kernel M h) (fun s _ => reward R n h s).
Proof.
move=> hM; have dot (F : 'I_(d + 2) -> R) s a :
    ((\col_i F i)^T *m feature_vector s a) ord0 ord0 = \sum_i F i * feature R s a i.
  by rewrite mxE; apply: eq_bigr => i _; rewrite !mxE.
split.
- split=> [s a|s a s']; first exact: kernel_law.
  by rewrite dot; case: (gate_linear n M h s a s').
- by move=> s a; rewrite dot; case: (gate_linear n M h s a None).
- move=> s a; rewrite qfE; apply: (@le_trans _ _ (\sum_i feature R s a i * feature R s a i)).
    by apply: ler_sum => i _; rewrite mxE expr2.
  have := inner_feature (fun j => (if s is None then (j == a)%:R else 0) : R)
    (fun x => (if s is Some y then (x == y)%:R else 0)) s a.
  rewrite (eq_bigr (fun i => feature R s a i * feature R s a i)) => [->|i _]; last first.
    by congr (_ * _); rewrite /feature; case: s => [x|]; case: (split i).
  by case: s => [x|]; rewrite eqxx.
- rewrite qfE -[X in _ <= X%:R](card_ord (d + 2)%N) -sumr_const; apply: ler_sum => i _.
  rewrite mxE /theta; case: (split i) => j.
    by have /andP[r0 r1] := reward_bounds h None; exact: exprn_ile1.
  by have /andP[r0 r1] := reward_bounds h (Some (j == 1%N :> nat)); exact: exprn_ile1.
- move=> v hv; rewrite qfE -[X in _ <= X%:R](card_ord (d + 2)%N) -sumr_const; apply: ler_sum => i _.
  rewrite summxE -real_normK ?num_real //; apply: exprn_ile1; first exact: normr_ge0.
  apply: le_trans (ler_norm_sum _ _ _) _.
  have law : is_law (fun s' => measure M h s' i).
    rewrite /measure; case: (split i) => [a|j]; first exact: kernel_law.
    split=> [s'|]; first exact: ler0n.
    by rewrite (bigD1 (Some (j == 1%N :> nat))) //= eqxx big1 ?addr0 // => s' /negPf ->.
  rewrite -(proj2 law); apply: ler_sum => s' _; rewrite !mxE normrM (ger0_norm (proj1 law s')).
  by rewrite ler_pimull //; case: law.
Qed.

(* a feature map of dimension D serves an instance in layer h: its transitions are linear *)
Definition serves D (phi : state -> 'I_d -> 'cV[R]_D) (M : instance R d) (h : nat) :=
  exists mu : state -> 'cV[R]_D, forall s a s', kernel M h s a s' = ((mu s')^T *m phi s a) ord0 ord0.

(* d + 2 vectors of which every combination with sum zero is trivial *)
Lemma independent D (f : 'I_(d + 2) -> 'cV[R]_D) :
  (forall c : 'I_(d + 2) -> R, \sum_i c i *: f i = 0 -> forall i, c i = 0) -> (d + 2 <= D)%N.
Proof.
move=> hf; pose F : 'M[R]_(d + 2, D) := \matrix_i (f i)^T.
suff free : row_free F by rewrite -(eqP free) rank_leq_col.
rewrite -kermx_eq0; apply/eqP/row_matrixP => k; rewrite row0; set u := row k _.
have uF : u *m F = 0 by apply/sub_kermxP; exact: row_sub.
apply/rowP => i; rewrite [RHS]mxE; apply: (hf (fun i => u 0 i)).
apply: (can_inj (@trmxK _ _ _)); rewrite trmx0 -uF mulmx_sum_row linear_sum /=.
by apply: eq_bigr => j _; rewrite linearZ /= rowK.
Qed.

(* one map for all codes needs dimension d + 2, already in layer 0, where there are two digits *)
Theorem lock_dimension D (b : R) (phi : state -> 'I_d -> 'cV[R]_D) : (1 < n)%N -> (0 < d)%N ->
  (forall c : code n d, serves phi (lock b c) 0) -> (d + 2 <= D)%N.
Proof.
move=> n1 d0 hs; have n0 : (0 < n)%N by exact: ltnW.
pose a0 : 'I_d := Ordinal d0.
pose f (i : 'I_(d + 2)) : 'cV[R]_D := match split i with
  inl a => phi None a | inr j => phi (Some (j == 1%N :> nat)) a0 end.
apply: (independent (f := f)) => c hc.
(* the product with a measure *)
have prod (e : code n d) s' : \sum_(a < d) c (lshift 2 a) * kernel (lock b e) 0 None a s' +
    (c (rshift d 0) * kernel (lock b e) 0 (Some false) a0 s' + c (rshift d 1) * kernel (lock b e) 0 (Some true) a0 s') =
    0.
  have [mu hmu] := hs e; have := congr1 (fun v => ((mu s')^T *m v) ord0 ord0) hc.
  rewrite mulmx0 [X in _ = X -> _]mxE mulmx_sumr summxE big_split_ord => h0; rewrite -[RHS]h0; congr (_ + _).
    by apply: eq_bigr => a _; rewrite /f (unsplitK (inl a)) -scalemxAr [RHS]mxE hmu.
  rewrite big_ord_recl big_ord1; congr (_ + _).
    by rewrite /f (unsplitK (inr _)) -scalemxAr [RHS]mxE hmu.
  rewrite /f (unsplitK (inr _)) -scalemxAr [RHS]mxE hmu; congr (c _ * _); exact/val_inj.
have first a : c (lshift 2 a) = 0.
  have hitE a' : hit ([ffun=> a] : code n d) 0 a' = (a == a').
    by rewrite (hit_ord ([ffun=> a] : code n d) (Ordinal n0)) ffunE.
  have := prod [ffun=> a] None; rewrite /= !mulr0 !addr0 (bigD1 a) //= big1 => [|a' /negPf aa].
    by rewrite hitE eqxx andbT -ltnS prednK // n1 mulr1 addr0.
  by rewrite hitE eq_sym aa andbF mulr0.
have u (x : bool) : \sum_(a < d) c (lshift 2 a) * kernel (lock b [ffun=> a0]) 0 None a (Some x) = 0.
  by apply: big1 => a _; rewrite first mul0r.
move=> i; rewrite -(splitK i); case: (split i) => [a|j] /=; first exact: first.
have := prod [ffun=> a0] (Some false); have := prod [ffun=> a0] (Some true).
rewrite !u !add0r /= !mulr1 !mulr0 ?addr0 ?add0r => h1 h0.
case: j => -[|[|j]] hj //; [rewrite -[RHS]h0|rewrite -[RHS]h1]; congr c; exact/val_inj.
Qed.

End Features.

(* [res-lock], whole: the locks with d >= 2 actions and n >= 2 digits (n + 1 layers) satisfy
   Assumption 1 with one feature map of dimension d + 2; J = n/2 + b q, where q is the
   probability of playing all digits; and no smaller dimension serves all of them *)
Theorem res_lock (R : realFieldType) (n d : nat) (b : R) : (1 < d)%N -> (1 < n)%N -> 0 <= b <= 2%:R^-1 ->
  [/\ forall (c : code n d) h, assumption_one (@feature_vector R d) (measure_vector (lock b c) h)
        (reward_vector R n d h) (kernel (lock b c) h) (fun s _ => reward R n h s),
      forall (c : code n d) (pi : policy R d), proper pi -> J n (lock b c) pi = n%:R / 2%:R + b * q c pi &
      forall D (phi : state -> 'I_d -> 'cV[R]_D), (forall c : code n d, serves phi (lock b c) 0) -> (d + 2 <= D)%N].
Proof.
move=> d1 n1 hb; split=> [c h|c pi hp|D phi].
- by apply: gate_assumption; exact: lock_mild.
- by apply: lock_value => //; exact: ltnW.
- by apply: lock_dimension => //; exact: ltnW.
Qed.

(* control: dimension d + 3 is not needed *)
Theorem res_lock_control (R : realFieldType) : ~ (forall (n d : nat) (b : R), (1 < d)%N -> (1 < n)%N -> 0 <= b <=
  2%:R^-1 ->
  forall D (phi : state -> 'I_d -> 'cV[R]_D), (forall c : code n d, serves phi (lock b c) 0) -> (d + 3 <= D)%N).
Proof.
move=> h; have b0 : 0 <= (0 : R) <= 2%:R^-1 by rewrite lexx invr_ge0 ler0n.
suff : (2 + 3 <= 2 + 2)%N by [].
apply: (h 2%N 2%N 0 isT isT b0 _ (@feature_vector R 2)) => c.
by have [[_ hk] _ _ _ _] := gate_assumption 2 0 (lock_mild c b0); exists (measure_vector (lock 0 c) 0).
Qed.

(* a randomised algorithm: an average over deterministic ones, which a seed v chooses.  E is the expectation of
   numbers that depend on the seed; it is defined for those that satisfy `defined`, such as the integrable ones.
   Constants and finite sums are among these; E is additive, monotone, and constant on constants. *)
Definition averaging (R : realFieldType) (W : Type) (defined : (W -> R) -> Prop) (E : (W -> R) -> R) :=
  [/\ forall k, defined (fun=> k) /\ E (fun=> k) = k,
      forall (I : finType) (f : I -> W -> R), (forall i, defined (f i)) ->
        defined (fun v => \sum_i f i v) /\ E (fun v => \sum_i f i v) = \sum_i E (f i) &
      forall f g, defined f -> defined g -> (forall v, f v <= g v) -> E f <= E g].

(* what is at least m on average over finitely many cases is so in one of them, also on average over seeds *)
Lemma averaging_case (R : realFieldType) (W : Type) (defined : (W -> R) -> Prop) E (C : finType) (fail : C -> W -> R)
  (m : R) : averaging defined E -> (forall c, defined (fail c)) -> (0 < #|C|)%N ->
  (forall v, m * #|C|%:R <= \sum_c fail c v) -> exists c, m <= E (fail c).
Proof.
move=> [const add mono] hd C0 one; have [dsum esum] := add _ _ hd; have [dm em] := const (m * #|C|%:R).
have := mono _ _ dm dsum one; rewrite em esum => tot.
case: (pickP (fun c => m <= E (fail c))) => [c hc|no]; first by exists c.
have [c0 _] := card_gt0P C0.
move: tot; rewrite leNgt => /negP []; rewrite mulr_natr -sumr_const.
rewrite (bigD1 c0) //= [ltRHS](bigD1 c0) //=; apply: ltr_le_add; first by rewrite ltNge no.
by apply: ler_sum => c _; rewrite leNgt; apply/negP => lt; move: (no c); rewrite ltW.
Qed.

(* the chance that K deployments miss one step of l levels each *)
Lemma missing_chance d H N K l : (0 < d)%N -> (0 < H)%N -> (N <= d ^ l)%N -> (N * H <= d ^ l)%N ->
  (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K <= (1 - d%:R^-1) * (1 - N%:R / (d ^ l)%:R) ^+ K :> R.
Proof.
move=> d0 H0 Nl NH; rewrite ler_wpmul2l //; first by rewrite subr_ge0 invf_le1 ?ler1n // ltr0n.
apply: ler_expn2r; rewrite ?nnegrE.
- by rewrite subr_ge0 invf_le1 ?ler1n // ltr0n.
- by rewrite subr_ge0 ler_pdivr_mulr ?ltr0n ?expn_gt0 ?d0 // mul1r ler_nat.
rewrite ler_add2l ler_opp2 ler_pdivr_mulr ?ltr0n ?expn_gt0 ?d0 //.
by rewrite mulrC ler_pdivl_mulr ?ltr0n // -natrM ler_nat.
Qed.

(* [thm-lower-arbitrary-repaired], whole *)
Theorem thm_lower_arbitrary_whole (d H N K l : nat) (b eps : R) (W : Type) (defined : (W -> R) -> Prop) (E : (W -> R) ->
    R) (psi : W -> strategy [finType of data H d N] (deployed R_realFieldType d) (deployed R_realFieldType d)) :
  let fails c v := failure (fun (c : code H d) (x : deployed R_realFieldType d) => data_law (N := N) (lock b c) x)
    (good_output b eps) c (psi v) K in
  (2 <= d)%N -> (2 <= H)%N -> (1 <= N)%N -> (N * H <= d ^ l)%N -> (K * l <= H.-1)%N ->
  0 < eps -> 2%:R * eps < b -> b <= 2%:R^-1 -> averaging defined E -> (forall c, defined (fails c)) ->
  exists c : code H d,
    [/\ forall h, assumption_one (@feature_vector R_realFieldType d) (measure_vector (lock b c) h)
          (reward_vector _ H d h) (kernel (lock b c) h) (fun s _ => reward _ H h s),
        (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K <= E (fails c) &
        (exp (-1))%coqR / 2%:R < (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K].
Proof.
move=> fails d2 H2 N1 NH Kl e0 eb b1 hE hd; have b0 : 0 < b by apply: lt_trans eb; rewrite mulr_gt0 ?ltr0n.
have H0 : (0 < H)%N by exact: ltnW.
have d0 : (0 < d)%N by exact: ltnW.
have hb : 0 <= b <= 2%:R^-1 by rewrite (ltW b0).
set p := (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K.
(* the bound for one deterministic algorithm, added over the codes *)
have one v : p * #|[finType of code H d]|%:R <= \sum_c fails c v.
  rewrite card_code; have Nl : (N <= d ^ l)%N by apply: leq_trans NH; exact: leq_pmulr.
  apply: le_trans (lock_failure_sum (psi v) (lock_blind hb) (lock_reach hb d0 N1) _ (lock_last H0 eb b0) d0 H0 Nl Kl).
    by rewrite ler_wpmul2r ?ler0n // missing_chance.
  by move=> c x; apply: data_law_law; [exact: lock_mild|exact: pol_proper].
have codes : (0 < #|[finType of code H d]|)%N by rewrite card_code expn_gt0 d0.
have [c hc] := averaging_case hE hd codes one.
exists c; split=> [h||//]; first by apply: gate_assumption; exact: lock_mild.
  exact: hc.
have law1 : is_law (fun _ : unit => 1 : R) by split=> [_|]; [exact: ler01|rewrite (big_pred1 tt) // => -[]].
have dep : deployed R_realFieldType d.
  exact: (Deployed (@knows_proper R_realFieldType H d [ffun=> Ordinal d0] (Ordinal d0))).
have [c' [_ lt]] := thm_lower_arbitrary_repaired (fun _ : unit => Strategy (fun _ => dep) (fun _ => dep))
  d2 H2 N1 NH Kl e0 eb b1 law1.
exact: lt.
Qed.

(* control: with 2 eps <= b in the place of 2 eps < b it is false.  Two actions, two digits, one trajectory, which
   plays 0 and so shows the first digit; the output plays it, and both values of the last digit: worth half of b *)
Section Equality.
Variable R : realFieldType.
Let b : R := 2%:R^-1.
Let eps : R := 4%:R^-1.
Let first_digit (o : data 2 2 1) : 'I_2 := if (thead (o ord0)).2 is None then ord0 else lift ord0 ord0.
Let halves (g : 'I_2) : policy R 2 := fun pre _ a => if pre is [::] then (a == g)%:R else 2%:R^-1.
Lemma halves_proper g : proper (halves g).
Proof.
case=> [|x pre] s; split=> [a|]; rewrite ?ler0n ?invr_ge0 ?ler0n //.
  by rewrite (bigD1 g) //= eqxx big1 ?addr0 // => a /negPf ->.
by rewrite big_ord_recl big_ord1 /=; field.
Qed.
Let first (h : seq (data 2 2 1)) : 'I_2 := if h is o :: _ then first_digit o else ord0.
Let zero := Deployed (@knows_proper R 2 2 [ffun=> ord0] ord0).
Let psi : strategy [finType of data 2 2 1] (deployed R 2) (deployed R 2) :=
  Strategy (fun _ => zero) (fun h => Deployed (halves_proper (first h))).

Lemma halves_good (c : code 2 2) : good_output b eps c (Deployed (halves_proper (c ord0))).
Proof.
rewrite /good_output lock_value //; last exact: halves_proper.
have -> : q c (halves (c ord0)) = 2%:R^-1.
  rewrite /q /= (bigD1 (c ord0)) //= eqxx (hit_ord c ord0) eqxx !mul1r [X in _ + X]big1 ?addr0 => [|a /negPf ->];
    last by rewrite mul0r.
  have lE a : hit c 1 a = (c (lift ord0 ord0) == a) by exact: (hit_ord c (lift ord0 ord0)).
  rewrite (bigD1 (c (lift ord0 ord0))) //= lE eqxx !mulr1 big1 ?addr0 // => a ca.
  by rewrite lE eq_sym (negPf ca) mul0r mulr0.
by rewrite /b /eps -subr_ge0; set x := (X in 0 <= X); have -> : x = 0 by rewrite /x; field.
Qed.

Lemma zero_shows (c : code 2 2) (o : data 2 2 1) : data_law (lock b c) zero o = 0 \/ first_digit o = c ord0.
Proof.
rewrite /data_law big_ord1 /first_digit; case: (tupleP (o ord0)) => -[a s'] t; rewrite theadE.
case: (eqVneq a ord0) => [->|a0]; last first.
  by left; rewrite /= /knows insubT /= ffunE (negPf a0) !mul0r.
have hE : hit c 0 ord0 = (c ord0 == ord0) by exact: (hit_ord c ord0).
case c0 : (c ord0 == ord0); case: s' => [x|] /=; rewrite ?hE ?c0 ?mulr0 ?mul0r; try by [left|right; rewrite (eqP c0)].
right; case: (c ord0) c0 => -[|[|//]] i // _; exact/val_inj.
Qed.

Theorem thm_lower_arbitrary_control : ~ (forall (d H N K l : nat) (b eps : R)
    (psi : strategy [finType of data H d N] (deployed R d) (deployed R d)),
  (2 <= d)%N -> (2 <= H)%N -> (1 <= N)%N -> (N * H <= d ^ l)%N -> (K * l <= H.-1)%N ->
  0 < eps -> 2%:R * eps <= b -> b <= 2%:R^-1 -> exists c : code H d,
    (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K <=
      failure (fun (c : code H d) (x : deployed R d) => data_law (N := N) (lock b c) x) (good_output b eps) c psi K).
Proof.
move=> h; have e0 : 0 < eps by rewrite invr_gt0 ltr0n.
have eb : 2%:R * eps <= b by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /eps /b; field.
have [c] := h 2%N 2%N 1%N 1%N 1%N b eps psi isT isT isT isT isT e0 eb (lexx _).
have -> : failure (fun (c : code 2 2) (x : deployed R 2) => data_law (N := 1) (lock b c) x) (good_output b eps) c psi
  1 = 0.
  pose F h := history (fun x : deployed R 2 => data_law (N := 1) (lock b c) x) psi [::]
    h * (~~ good_output b eps c (output psi h))%:R.
  rewrite /failure (sum_tuple_cons 0%N F); apply: big1 => o _; apply: big1 => t _; rewrite [t]tuple0 /F /=.
  by case: (zero_shows c o) => [->|e]; [rewrite !mul0r|rewrite e halves_good mulr0].
rewrite leNgt => /negP []; rewrite expr1; set x := (X in 0 < X).
by have -> : x = 4%:R^-1 by rewrite /x; field.
Qed.
End Equality.
