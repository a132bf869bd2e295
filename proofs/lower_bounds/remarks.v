(* Elementary sentences of the chapter on lower bounds: the false ones, and counts. *)
From derl.common Require Import real_prelude.
From derl.lower_bounds Require Import game.
From derl.lower_bounds Require corollaries.

(* [text-bias-range]: a normal state of the template goes to u1 and u2 with the probabilities
   1/2 - eps and 1/2 + eps; that is not a law for every eps > 0 *)
Definition normal_law (eps : rat) (u : bool) : rat := if u then 2%:R^-1 + eps else 2%:R^-1 - eps.

Theorem text_bias_range : ~ (forall eps : rat, 0 < eps -> is_law (normal_law eps)).
Proof.
have e0 : 0 < 3%:R / 5%:R :> rat by vm_compute.
by move=> h; have [+ _] := h _ e0; move/(_ false); vm_compute.
Qed.

Theorem text_bias_range_corrected : forall eps : rat, 0 < eps <= 2%:R^-1 -> is_law (normal_law eps).
Proof.
move=> eps /andP[e0 e1]; split=> [[]|].
- by rewrite /= addr_ge0 // ltW.
- by rewrite /= subr_ge0.
by rewrite big_bool /normal_law /=; field.
Qed.

(* [text-core-modulo]: (i + 1) mod d is not always one of 1, ..., d *)
Theorem text_core_modulo : ~ (forall d i : nat, (1 <= i <= d)%N -> (1 <= (i.+1 %% d)%N <= d)%N).
Proof. by move=> h; have := h 2%N 1%N isT. Qed.

Theorem text_core_modulo_corrected : forall d i : nat, (1 <= i <= d)%N -> (1 <= ((i %% d).+1)%N <= d)%N.
Proof.
by move=> d i /andP[i0 id]; have d0 := leq_trans i0 id; rewrite /= ltn_mod.
Qed.

(* [text-actions-at-start]: s_0 has d + 2 actions, and the first d of them need not have
   probability 1 together *)
Theorem text_actions_at_start : ~ (forall (d : nat) (p : 'I_(d + 2) -> rat), (2 <= d)%N -> is_law p ->
  \sum_(i < d) p (lshift 2 i) = 1).
Proof.
move=> h; have law : is_law (fun _ : 'I_(3 + 2)%N => 5%:R^-1 : rat).
  split=> [_|]; first by vm_compute.
  by rewrite sumr_const card_ord; apply: (elimT eqP); vm_compute.
by have := h 3%N _ isT law; rewrite sumr_const card_ord; vm_compute.
Qed.

Theorem text_actions_at_start_corrected (d N : nat) (p : 'I_(d + 2) -> rat) : is_law p ->
  N%:R * (\sum_(i < d) p (lshift 2 i)) <= N%:R.
Proof.
move=> [p0 p1]; rewrite ler_pimulr ?ler0n // -p1 big_split_ord /= ler_addl.
by apply: sumr_ge0.
Qed.

(* the probability that one of N independent episodes does what one does with probability p *)
Definition one_of (N : nat) (p : rat) : rat := 1 - (1 - p) ^+ N.

(* [text-union-as-equality]: it is not N p *)
Theorem text_union_as_equality : ~ (forall (N : nat) (p : rat), (0 < N)%N -> 0 <= p <= 1 -> one_of N p = N%:R * p).
Proof. 
have p01 : 0 <= (3%:R / 4%:R : rat) <= 1 by vm_compute.
by move=> h; have /eqP := h 2%N _ isT p01; vm_compute.
Qed.

Theorem text_union_as_equality_corrected : forall (N : nat) (p : rat), 0 <= p <= 1 -> one_of N p <= N%:R * p.
Proof.
move=> N p /andP[p0 p1]; rewrite /one_of; elim: N => [|N IH]; first by rewrite expr0 subrr mul0r.
rewrite exprS -[N.+1]addn1 natrD [leRHS]mulrDl mul1r.
have -> : 1 - (1 - p) * (1 - p) ^+ N = (1 - p) * (1 - (1 - p) ^+ N) + p by ring.
rewrite ler_add2r; apply: le_trans IH; apply: ler_pimull.
  by rewrite subr_ge0 exprn_ile1 ?subr_ge0 // ler_subl_addr ler_addl.
by rewrite ler_subl_addr ler_addl.
Qed.

(* [ineq-half], as printed: (K + 1)/|M| <= 1/2 for every K that Theorem B.2 speaks of,
   where |M| = (d - 1)(H - 1) + 1 *)
Theorem ineq_half : ~ (forall d H K : nat, (2 <= d)%N -> (2 <= H)%N ->
  (2 * K <= d.-1 * H.-1)%N -> K.+1%:R / (d.-1 * H.-1).+1%:R <= 2%:R^-1 :> rat).
Proof. by move=> h; have := h 3%N 3%N 2%N isT isT isT; vm_compute. Qed.

(* [ineq-half], corrected: it is true where 2 K < |M| - 1 *)
Theorem ineq_half_corrected : forall d H K : nat,
  (2 * K < d.-1 * H.-1)%N -> K.+1%:R / (d.-1 * H.-1).+1%:R <= 2%:R^-1 :> rat.
Proof.
move=> d H K; move: (d.-1 * H.-1)%N => m h; rewrite ler_pdivr_mulr ?ltr0n // mulrC.
by rewrite ler_pdivl_mulr ?ltr0n // -natrM ler_nat mulnC mulnS addSn add1n ltnS.
Qed.

(* [res-template-without-arms]: a template with d' states a layer has dimension 2 d' + 1 and
   (d' - 1)(H' - 1) arms; the compact bandit of dimension D with T layers has (D - 3)(T - 1) *)
Theorem res_template_without_arms : forall d H d' H' T : nat, (1 <= H)%N -> (1 <= d')%N ->
  (4 <= d <= 4 * H)%N ->
  [/\ maxn 4 (d %/ H) = 4%N, (2 * d' + 1 <= 4)%N -> d' = 1%N /\ (d'.-1 * H'.-1)%N = 0%N &
      ((4 - 3) * (T - 1))%N = (T - 1)%N].
Proof.
move=> d H d' H' T H1 d1 /andP[d4 dH]; split.
- apply/maxn_idPl; apply: (leq_trans (leq_div2r H dH)); by rewrite mulnK.
- by case: d' d1 => [//|[|d'']] //; rewrite addn1 !mulnS ltnS.
- by rewrite mul1n.
Qed.

(* control: for d = 4 H + 4 the template has an arm *)
Theorem res_template_without_arms_control : ~ (forall d H d' : nat, (1 <= H)%N -> (1 <= d')%N ->
  (4 <= d <= 5 * H)%N -> (2 * d' + 1 <= maxn 4 (d %/ H))%N -> d' = 1%N).
Proof. by move=> h; have := h 5%N 1%N 2%N isT isT isT isT. Qed.

Section Paths.
Variables (R : realFieldType) (d : nat).
(* the probability of a path: p h a is the probability of the digit a after the digits h *)
Fixpoint path_law (p : seq 'I_d -> 'I_d -> R) (h t : seq 'I_d) : R :=
  if t is a :: t' then p h a * path_law p (rcons h a) t' else 1.

(* [eq-sum-of-paths], also for probabilities that depend on the whole path *)
Theorem eq_sum_of_paths (p : seq 'I_d -> 'I_d -> R) (N L : nat) : (forall h, \sum_a p h a = 1) ->
  \sum_(t : L.-tuple 'I_d) N%:R * path_law p [::] t = N%:R.
Proof.
move=> hp; rewrite -mulr_sumr; suff -> : \sum_(t : L.-tuple 'I_d) path_law p [::] t = 1 by rewrite mulr1.
elim: L (Nil _) => [|L IH] h.
  by rewrite (big_pred1 [tuple]) //= => t; rewrite [t]tuple0; apply/esym/eqP.
rewrite (sum_tuple_cons L (path_law p h)) -[RHS](hp h); apply: eq_bigr => a _ /=.
by rewrite -mulr_sumr IH mulr1.
Qed.
End Paths.

(* control: with one probability less than 1 the sum is smaller *)
Theorem eq_sum_of_paths_control : ~ (forall (p : seq 'I_1 -> 'I_1 -> rat) (N L : nat),
  (forall h, \sum_a p h a <= 1) -> \sum_(t : L.-tuple 'I_1) N%:R * path_law p [::] t = N%:R).
Proof.
move=> h; have le1 (x : seq 'I_1) : \sum_(a < 1) (2%:R^-1 : rat) <= 1 by rewrite big_ord1; vm_compute.
have := h (fun _ _ => 2%:R^-1) 1%N 1%N le1.
rewrite (eq_bigr (fun _ => 2%:R^-1)) => [|t _].
  by rewrite sumr_const card_tuple card_ord => /eqP; vm_compute.
by case/tupleP: t => a t; rewrite [t]tuple0 /= mulr1 mul1r.
Qed.

(* [res-bias]: J = c + b q for the hidden arm.  A policy with the probabilities q i of taking
   arm i is eps-optimal for at most b/(b - eps) arms (a whole number, so for at most the
   floor of it), and for all of them if b <= eps; a deterministic output that misses the arm
   (q = 0) fails exactly if eps < b; one output can serve two arms exactly if b <= 2 eps. *)
Theorem res_bias_whole (R : realFieldType) (c b eps : R) : 0 < b -> 0 <= eps ->
  [/\ forall (A : finType) (q : A -> R), (forall i, 0 <= q i) -> \sum_i q i <= 1 -> eps < b ->
        #|[pred i | c + b - eps <= c + b * q i]|%:R <= b / (b - eps),
      forall (A : finType) (q : A -> R), (forall i, 0 <= q i) -> b <= eps ->
        forall i, c + b - eps <= c + b * q i,
      forall q : R, q = 0 \/ q = 1 -> (~~ (c + b - eps <= c + b * q) <-> q = 0 /\ eps < b) &
      (exists q : bool -> R, [/\ forall i, 0 <= q i, q false + q true <= 1 &
         forall i, c + b - eps <= c + b * q i]) <-> b <= 2%:R * eps].
Proof.
move=> b0 e0; split.
- by move=> A q q0 q1 eb; have [le _] := corollaries.res_bias c eps q0 q1 b0; exact: le.
- move=> A q q0 be i.
  by rewrite -addrA ler_add2l (@le_trans _ _ 0) ?subr_le0 // mulr_ge0 // ltW.
- move=> q q01; rewrite -ltNge -addrA ltr_add2l; split=> [|[-> eb]]; last by rewrite mulr0 subr_gt0.
  case: q01 => ->; first by rewrite mulr0 subr_gt0.
  by rewrite mulr1 ltNge ler_subl_addr ler_addl e0.
split=> [[q [q0 q1 h]]|h].
  have := ler_add (h false) (h true); rewrite -!addrA !(addrCA _ c) !ler_add2l !addrA.
  rewrite -mulrDr => h2.
  have h3 : b * (q false + q true) <= b by rewrite -[leRHS]mulr1 ler_pmul2l.
  have := le_trans h2 h3; rewrite -subr_ge0 => h4; rewrite -subr_ge0; apply: le_trans h4 _.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
exists (fun _ => 2%:R^-1); split=> [_||_].
- by rewrite invr_ge0 ler0n.
- by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
rewrite -addrA ler_add2l ler_subl_addr -ler_subl_addl.
have -> : b - b * 2%:R^-1 = b / 2%:R by field.
by rewrite ler_pdivr_mulr ?ltr0n // mulrC.
Qed.

(* control: two arms are not served for b slightly above 2 eps *)
Theorem res_bias_control : ~ (forall b eps : rat, 0 < b -> 0 <= eps -> b <= 21%:R / 10%:R * eps ->
  exists q : bool -> rat, [/\ forall i, 0 <= q i, q false + q true <= 1 &
    forall i, b - eps <= b * q i]).
Proof.
move=> h; have b0 : 0 < 21%:R / 10%:R :> rat by vm_compute.
have b1 : 21%:R / 10%:R <= 21%:R / 10%:R * 1 :> rat by rewrite mulr1.
have [q [q0 q1 hq]] := h _ 1 b0 ler01 b1.
have := ler_add (hq false) (hq true); rewrite -mulrDr leNgt => /negP []; apply: le_lt_trans (_ : 21%:R / 10%:R < _);
  last by vm_compute.
by rewrite -[leRHS]mulr1 ler_pmul2l.
Qed.

(* control for the number of levels that fit: without the factor 2 it is false *)
Theorem ineq_levels_fit_control : ~ (forall H K l : nat, (3 <= H)%N -> (1 <= l)%N ->
  (K * l <= H - 2)%N -> (K * l.+1 <= H - 2)%N).
Proof. by move=> h; have := h 3%N 1%N 1%N isT isT isT. Qed.

(* control for K/H: with K = c_K d H it is false *)
Theorem ineq_k_over_h_control : ~ (forall cK d H K : rat, 0 < H -> K = cK * d * H -> cK * d < K / H).
Proof. by move=> h; have := h 1 1 1 1 ltr01 erefl; apply/negP; vm_compute. Qed.
