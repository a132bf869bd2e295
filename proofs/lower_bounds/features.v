(* The hard instances satisfy Assumption 1 with one feature map, and no smaller dimension serves
   all combination locks; Theorem B.3 for every average of deterministic algorithms. *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From mathcomp.analysis Require Import Rstruct.
From derl.common Require Import forms.
From derl.foundations Require Import rewards.
From derl.lower_bounds Require Import game locks gate trajectories lock best conclusion.
Import GRing.Theory Num.Theory Order.Theory.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Delimit Scope R_scope with coqR.
Local Open Scope ring_scope.

Section Features.
Variables (R : realFieldType) (n d : nat).
Implicit Types (M : instance R d).

(* the features, measures and reward vector of gate.v as vectors of dimension d + 2 *)
Definition feature_vector (s : state) (a : 'I_d) : 'cV[R]_(d + 2) := \col_i feature R s a i.
Definition measure_vector M h (s' : state) : 'cV[R]_(d + 2) := \col_i measure M h s' i.
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
    (c (rshift d 0) * kernel (lock b e) 0 (Some false) a0 s' + c (rshift d 1) * kernel (lock b e) 0 (Some true) a0 s') = 0.
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
Theorem res_lock_control (R : realFieldType) : ~ (forall (n d : nat) (b : R), (1 < d)%N -> (1 < n)%N -> 0 <= b <= 2%:R^-1 ->
  forall D (phi : state -> 'I_d -> 'cV[R]_D), (forall c : code n d, serves phi (lock b c) 0) -> (d + 3 <= D)%N).
Proof.
move=> h; have b0 : 0 <= (0 : R) <= 2%:R^-1 by rewrite lexx invr_ge0 ler0n.
suff : (2 + 3 <= 2 + 2)%N by [].
apply: (h 2%N 2%N 0 isT isT b0 _ (@feature_vector R 2)) => c.
by have [[_ hk] _ _ _ _] := gate_assumption 2 0 (lock_mild c b0); exists (measure_vector (lock 0 c) 0).
Qed.

(* a randomised algorithm: an average over deterministic ones.  Finite mixtures and integrals
   are averages: additive, monotone, and constant on constants. *)
Definition averaging (R : realFieldType) (W : Type) (E : (W -> R) -> R) :=
  [/\ forall f g, E (fun v => f v + g v) = E f + E g,
      forall k, E (fun=> k) = k & forall f g, (forall v, f v <= g v) -> E f <= E g].

Lemma average_sum (R : realFieldType) (W : Type) (E : (W -> R) -> R) (I : finType) (f : I -> W -> R) :
  averaging E -> (forall g h, g =1 h -> E g = E h) -> E (fun v => \sum_i f i v) = \sum_i E (f i).
Proof.
move=> [add const _] ext.
suff gen (s : seq I) : E (fun v => \sum_(i <- s) f i v) = \sum_(i <- s) E (f i) by exact: gen.
elim: s => [|i s IH]; first by rewrite big_nil (ext _ (fun=> 0)) => [|v]; rewrite ?const ?big_nil.
by rewrite big_cons -IH -add; apply: ext => v; rewrite big_cons.
Qed.

(* [thm-lower-arbitrary-repaired], whole *)
Theorem thm_lower_arbitrary_whole (d H N K l : nat) (b eps : R) (W : Type) (E : (W -> R) -> R)
    (psi : W -> strategy [finType of data H d N] (deployed R_realFieldType d) (deployed R_realFieldType d)) :
  (2 <= d)%N -> (2 <= H)%N -> (1 <= N)%N -> (N * H <= d ^ l)%N -> (K * l <= H.-1)%N ->
  0 < eps -> 2%:R * eps < b -> b <= 2%:R^-1 -> averaging E ->
  exists c : code H d,
    [/\ forall h, assumption_one (@feature_vector R_realFieldType d) (measure_vector (lock b c) h)
          (reward_vector _ H d h) (kernel (lock b c) h) (fun s _ => reward _ H h s),
        (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K <=
          E (fun v => failure (fun (c : code H d) (x : deployed R_realFieldType d) =>
             data_law (N := N) (lock b c) x) (good_output b eps) c (psi v) K) &
        (exp (-1))%coqR / 2%:R < (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K].
Proof.
move=> d2 H2 N1 NH Kl e0 eb b1 hE; have b0 : 0 < b by apply: lt_trans eb; rewrite mulr_gt0 ?ltr0n.
have H0 : (0 < H)%N by exact: ltnW.
have d0 : (0 < d)%N by exact: ltnW.
have hb : 0 <= b <= 2%:R^-1 by rewrite (ltW b0).
have ext g h : g =1 h -> E g = E h.
  case: hE => _ _ mono gh; apply/eqP; rewrite eq_le; apply/andP.
  by split; apply: mono => v; rewrite gh.
pose fail c v := failure (fun (c : code H d) (x : deployed R_realFieldType d) =>
  data_law (N := N) (lock b c) x) (good_output b eps) c (psi v) K.
set p := (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K.
(* the bound for one deterministic algorithm, added over the codes *)
have one v : p * (d ^ H)%:R <= \sum_c fail c v.
  have Nl : (N <= d ^ l)%N by apply: leq_trans NH; exact: leq_pmulr.
  apply: le_trans (lock_failure_sum (psi v) (lock_blind hb) (lock_reach hb d0 N1) _ (lock_last H0 eb b0) d0 H0 Nl Kl).
    rewrite ler_wpmul2r ?ler0n // ler_wpmul2l //.
      by rewrite subr_ge0 invf_le1 ?ler1n // ltr0n.
    apply: ler_expn2r; rewrite ?nnegrE.
    - by rewrite subr_ge0 invf_le1 ?ler1n // ltr0n.
    - by rewrite subr_ge0 ler_pdivr_mulr ?ltr0n ?expn_gt0 ?d0 // mul1r ler_nat.
    rewrite ler_add2l ler_opp2 ler_pdivr_mulr ?ltr0n ?expn_gt0 ?d0 //.
    by rewrite mulrC ler_pdivl_mulr ?ltr0n // -natrM ler_nat.
  by move=> c x; apply: data_law_law; [exact: lock_mild|exact: pol_proper].
have tot : p * (d ^ H)%:R <= \sum_c E (fail c).
  by rewrite -average_sum //; case: hE => _ const mono; rewrite -[leLHS]const; exact: mono.
have [c hc] : exists c, p <= E (fail c).
  case: (pickP (fun c => p <= E (fail c))) => [c hc|no]; first by exists c.
  pose c0 : code H d := [ffun => Ordinal d0].
  move: tot; rewrite leNgt => /negP []; rewrite -card_code mulr_natr -sumr_const.
  rewrite (bigD1 c0) //= [ltRHS](bigD1 c0) //=; apply: ltr_le_add; first by rewrite ltNge no.
  by apply: ler_sum => c _; rewrite leNgt; apply/negP => lt; move: (no c); rewrite ltW.
exists c; split=> [h||//]; first by apply: gate_assumption; exact: lock_mild.
  exact: hc.
have law1 : is_law (fun _ : unit => 1 : R) by split=> [_|]; [exact: ler01|rewrite (big_pred1 tt) // => -[]].
have dep : deployed R_realFieldType d.
  exact: (Deployed (@knows_proper R_realFieldType H d [ffun=> Ordinal d0] (Ordinal d0))).
have [c' [_ lt]] := thm_lower_arbitrary_repaired (fun _ : unit => Strategy (fun _ => dep) (fun _ => dep))
  d2 H2 N1 NH Kl e0 eb b1 law1.
exact: lt.
Qed.

(* control: 1/e in the place of 1/(2e) is false, at d = H = 2 and K = 1 *)
Theorem thm_lower_arbitrary_control : ~ (forall d H K : nat, (2 <= d)%N -> (2 <= H)%N -> (K <= H.-1)%N ->
  (exp (-1))%coqR < (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K :> R).
Proof.
move=> h; have := h 2%N 2%N 1%N isT isT isT; rewrite expr1 => /RltP.
rewrite -RinvE ?pnatr_eq0 // -INRE; change (exp (-1) < (1 - / INR 2) * (1 - / INR 2) -> False)%coqR.
have p : (exp 1 * exp (-1) = 1)%coqR by rewrite -exp_plus (_ : (1 + -1 = 0)%coqR) ?exp_0 //; Lra.lra.
have := exp_le_3; have := exp_pos (-1); rewrite (_ : INR 2 = 2%coqR) /=; last by Lra.lra.
move=> h0 h3 lt; have : (exp 1 * exp (-1) <= 3 * exp (-1))%coqR by apply: Rmult_le_compat_r; Lra.lra.
by Lra.lra.
Qed.
