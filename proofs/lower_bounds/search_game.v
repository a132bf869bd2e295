(* The search game: no algorithm matches more digits than uniform search to which the digit at the
   frontier is revealed after each deployment. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks gate trajectories lock frontier chains.
From derl.probability Require Import finite chebyshev best_of.

Section Advance.
Variables (R : realFieldType) (d N : nat).
(* the probability that one of N trajectories has a digits right, if the digits are uniform *)
Definition advance (a : nat) : R := 1 - (1 - (d ^ a)%:R^-1) ^+ N.
Hypotheses (d0 : (0 < d)%N) (N0 : (0 < N)%N).

Lemma advance0 : advance 0 = 1.
Proof. by rewrite /advance expn0 invr1 subrr expr0n gtn_eqF // subr0. Qed.
Lemma single_range' a : 0 <= 1 - (d ^ a)%:R^-1 :> R.
Proof. by rewrite subr_ge0 invf_le1 ?ler1n ?ltr0n expn_gt0 d0. Qed.
Lemma advance_mono a : advance a.+1 <= advance a.
Proof.
rewrite ler_add2l ler_opp2; apply: ler_expn2r; rewrite ?nnegrE ?single_range' // ler_add2l ler_opp2.
by rewrite lef_pinv ?posrE ?ltr0n ?expn_gt0 ?d0 // ler_nat leq_pexp2l.
Qed.
Lemma advance_ge0 a : 0 <= advance a.
Proof.
rewrite subr_ge0 exprn_ile1 ?single_range' // ler_subl_addr ler_addl invr_ge0; exact: ler0n.
Qed.

End Advance.

Section OnLocks.
(* locks with n + 1 digits: a trajectory is seen to match n of them at most, the last one changes the bias only *)
Variables (R : realFieldType) (n d N : nat) (b : R).
(* what one deployment of N trajectories yields *)
Local Notation dat := [finType of data n.+1 d N].
Implicit Types (c : code n.+1 d) (x : deployed R d).

(* the probability that K deployments of N trajectories match at least M of the digits c *)
Definition matches c (psi : strategy dat (deployed R d) unit) (K M : nat) : R :=
  \sum_(h : K.-tuple dat) history (fun x : deployed R d => data_law (N := N) (lock b c) x) psi [::] h *
    (has (fun o => M <= matched o)%N h)%:R.

(* play the first f digits of c, and every action with the same probability after them *)
Definition search_policy c (f : nat) : policy R d := fun pre _ =>
  if (insub (size pre) : option 'I_n.+1) is Some i then (if (i < f)%N then fun a => (c i == a)%:R else fun=> d%:R^-1)
  else fun=> d%:R^-1.
Hypothesis hb : 0 <= b <= 2%:R^-1.
Hypotheses (d1 : (1 < d)%N) (N0 : (0 < N)%N).

Lemma search_proper c f : proper (search_policy c f).
Proof.
have d0 : (0 < d)%N by exact: ltnW.
have u : is_law (fun _ : 'I_d => d%:R^-1 : R).
  split=> [_|]; first by rewrite invr_ge0 ler0n.
  by rewrite sumr_const card_ord -[LHS]mulr_natl mulfV // pnatr_eq0 gtn_eqF.
move=> pre s; rewrite /search_policy; case: insubP => [i _ _|_]; last exact: u.
case: ifP => _; last exact: u.
split=> [a|]; first exact: ler0n.
by rewrite (bigD1 (c i)) //= eqxx big1 ?addr0 // => a /negPf; rewrite eq_sym => ->.
Qed.
(* it as something to deploy: its probabilities are laws *)
Definition search c f : deployed R d := Deployed (search_proper c f).
(* uniform search to which the digit at the frontier is revealed after each deployment: where the data
   match f - 1 digits, it knows f *)
Definition revealed_search c : strategy dat (deployed R d) unit :=
  Strategy (fun h => search c (known (@matched n.+1 d N) h)) (fun _ => tt).

Lemma lock_laws c x : is_law (data_law (N := N) (n := n.+1) (lock b c) x).
Proof. by apply: data_law_law; [exact: lock_mild|exact: pol_proper]. Qed.

Lemma traj_laws c x : is_law (fun t : n.+1.-tuple (gate.step d) => traj (lock b c) x 0 [::] None t).
Proof.
split=> [t|]; first by apply: traj_ge0; [exact: lock_mild|exact: pol_proper].
by apply: traj_total; [exact: lock_mild|exact: pol_proper].
Qed.

Lemma matched_tail c x k : (0 < k <= n.+1)%N ->
  \sum_(o | (k <= matched o)%N) data_law (N := N) (n := n.+1) (lock b c) x o = 1 - (1 - staying (lock b c) x 0 [::] k)
  ^+ N.
Proof.
move=> /andP[k0 kn].
have e : \sum_(t : n.+1.-tuple (gate.step d) | (k <= leading t)%N) traj (lock b c) x 0 [::] None t = staying (lock b c)
  x 0 [::] k.
  rewrite -(@leading_prob R d (lock b c) x k n.+1 0 [::] (lock_mild c hb) (pol_proper x) kn) big_mkcond.
  by apply: eq_bigr => t _; case: (k <= leading t)%N; rewrite ?mulr1 ?mulr0.
rewrite -e -(some_good N (traj_laws c x)); apply: eq_bigl => o.
exact: (best_exists (fun t : n.+1.-tuple (gate.step d) => leading t) o k0).
Qed.

Lemma staying_range c x k : (k <= n.+1)%N -> 0 <= staying (lock b c) x 0 [::] k <= 1.
Proof.
move=> kn; rewrite -(@leading_prob R d (lock b c) x k n.+1 0 [::] (lock_mild c hb) (pol_proper x) kn).
have [t0 t1] := traj_laws c x; apply/andP; split.
  by apply: sumr_ge0 => t _; rewrite mulr_ge0 ?ler0n.
by rewrite -[leRHS]t1; apply: ler_sum => t _; case: (k <= _)%N; rewrite ?mulr1 ?mulr0 ?lexx //; exact: (t0 t).
Qed.

(* where j digits are known and the others are uniform *)
Lemma sharp_reach x c j M : (j <= M <= n.+1)%N ->
  \sum_e \sum_(o | (M <= matched o)%N) data_law (N := N) (n := n.+1) (lock b (mix j c e)) x o <=
  (d ^ n.+1)%:R * advance R d N (M - j).
Proof.
move=> /andP[jM Mn]; have d0 := ltnW d1.
have dR k : 0 < (d ^ k)%:R :> R by rewrite ltr0n expn_gt0 d0.
case: (posnP M) => [M0|M0].
  rewrite M0 sub0n advance0 // mulr1 -(card_code n.+1 d) -sum1_card natr_sum.
  apply: ler_sum => e _; under eq_bigl do rewrite leq0n.
  by rewrite (proj2 (lock_laws _ x)).
under eq_bigr do rewrite matched_tail ?M0 //.
rewrite -(card_code n.+1 d); apply: average_tries.
- by move=> e; exact: staying_range.
- by rewrite invr_ge0 ler0n invf_le1 ?dR // ler1n expn_gt0 d0.
rewrite card_code ler_pdivl_mulr // mulrC.
by have := staying_reach b c j M 0 [::] (pol_proper x) d0; rewrite add0n maxn0.
Qed.

(* the search matches a digits more than the f that it knows *)
Lemma staying_search c c' f k pre : agree f c c' -> (size pre + k <= n)%N ->
  staying (lock b c) (search_policy c' f) (size pre) pre k = (d ^ (size pre + k - maxn f (size pre)))%:R^-1.
Proof.
move=> hc; elim: k pre => [|k IH] pre hk.
  by rewrite addn0 (_ : (size pre - maxn f (size pre) = 0)%N) ?expn0 ?invr1 //; apply/eqP; rewrite subn_eq0 leq_maxr.
have hn : (size pre < n)%N by apply: leq_trans hk; rewrite addnS ltnS leq_addr.
have hn' : (size pre < n.+1)%N by exact: leqW.
rewrite stayingS (bigD1 (c (Ordinal hn'))) //= big1 ?addr0 => [|a na]; last first.
  by rewrite (hit_ord c (Ordinal hn')) eq_sym (negPf na) andbF mul0r mulr0.
have e3 a : (size pre).+1 = size (rcons pre ((a, None) : gate.step d)) by rewrite size_rcons.
rewrite hn (hit_ord c (Ordinal hn')) eqxx mul1r {1}(e3 (c (Ordinal hn'))) IH ?size_rcons ?addSnnS //.
rewrite /search_policy (insubT (fun i => i < n.+1)%N hn') /=; case: ifP => hf.
  rewrite -(hc (Ordinal hn') hf) eqxx mul1r; congr (_%:R^-1); congr (_ ^ _)%N.
  by rewrite (maxn_idPl hf) (maxn_idPl (ltnW hf)).
have {}hf : (f <= size pre)%N by rewrite leqNgt hf.
rewrite (maxn_idPr hf) (maxn_idPr (leqW hf)) addnS.
rewrite -addnS addKn -[(size pre + k.+1)%N]addSnnS addKn expnS natrM invfM //.
Qed.

Lemma search_tail c c' f a : agree f c c' -> (f + a <= n)%N ->
  \sum_(o | (f + a <= matched o)%N) data_law (N := N) (n := n.+1) (lock b c) (search c' f) o = advance R d N a.
Proof.
move=> hc fa; case: (posnP (f + a)) => [z|p].
  have -> : a = 0%N by move: z; case: (a) => // a'; rewrite addnS.
  rewrite advance0 // -(proj2 (lock_laws c (search c' f))); apply: eq_bigl => o.
  by have -> : (f = 0)%N by move: z; case: (f).
rewrite matched_tail ?p //=; last exact: leqW.
have := @staying_search c c' f (f + a) [::] hc; rewrite /= add0n maxn0 addKn => -> //.
Qed.

(* what is played before the last layer decides how many digits are matched *)
Lemma staying_same (I : instance R d) pi pi' p pre k :
  (forall pre', (size pre' < size pre + k)%N -> pi pre' None =1 pi' pre' None) -> staying I pi p pre k = staying I pi' p
  pre k.
Proof.
elim: k p pre => [|k IH] p pre same //; rewrite !stayingS; apply: eq_bigr => a _.
rewrite same ?addnS ?ltnS ?leq_addr // IH // => pre' hp; apply: same.
by move: hp; rewrite size_rcons addSnnS.
Qed.
Definition like_search c f x := forall pre, (size pre < n)%N -> pol x pre None =1 search_policy c f pre None.

Lemma like_tail c x f a : like_search c f x -> (f + a <= n)%N ->
  \sum_(o | (f + a <= matched o)%N) data_law (N := N) (n := n.+1) (lock b c) x o = advance R d N a.
Proof.
move=> like fa; rewrite -(@search_tail c c f a) //; case: (posnP (f + a)) => [z|p].
  have e (F : dat -> R) : \sum_(o | (f + a <= matched o)%N) F o = \sum_o F o by apply: eq_bigl => o; rewrite z.
  by rewrite !e (proj2 (lock_laws c x)) (proj2 (lock_laws c (search c f))).
rewrite !matched_tail ?p /=; try exact: leqW; congr (1 - (1 - _) ^+ _).
by apply: staying_same => pre' hp; apply: like; exact: leq_trans hp fa.
Qed.

(* a strategy that plays, after all data that can be, as the search that knows the digits up to the frontier *)
Lemma search_value c (psi : strategy dat (deployed R d) unit) K M : (M <= n)%N ->
  (forall h, history (fun x : deployed R d => data_law (N := N) (n := n.+1) (lock b c) x) psi [::] h != 0 ->
    like_search c (known (@matched n.+1 d N) h) (deploy psi h)) ->
  matches c psi K M = reveal (advance R d N) K M.
Proof.
move=> Mn like; have d0 := ltnW d1.
pose P := history (fun x : deployed R d => data_law (N := N) (lock b c) x) psi [::].
pose T k f := \sum_(h : k.-tuple dat) f (known (@matched n.+1 d N) h) * P h : R.
have T0 i : T 0%N (fun j => lacking (advance R d N) i (M.+1 - j)) = reveal (advance R d N) i M.
  by rewrite /T /P (big_pred1 [tuple]) => [|t];
    [rewrite /known /= big_nil subn0 mulr1|rewrite [t]tuple0; apply/esym/eqP].
have st k i : T k.+1 (fun j => lacking (advance R d N) i (M.+1 - j)) = T k (fun j => lacking (advance R d N) i.+1
  (M.+1 - j)).
  rewrite /T (sum_tuple_rcons k (fun h => lacking (advance R d N) i (M.+1 - known (@matched n.+1 d N) h) * P h)).
  apply: eq_bigr => h _; set j := known _ h.
  pose L o := data_law (N := N) (n := n.+1) (lock b c) (deploy psi h) o.
  have LS : \sum_o L o = 1 by exact: (proj2 (lock_laws c (deploy psi h))).
  rewrite (eq_bigr (fun o => (L o * lacking (advance R d N) i (M.+1 - maxn j (matched o).+1)) * P h)) => [|o _];
    last first.
    by rewrite known_rcons /P history_rcons -/(P h) -/j /L; move: (lacking _ _ _) (P h) (data_law _ _ _) => u v w; ring.
  rewrite -mulr_suml; have [->|P0] := eqVneq (P h) 0; first by rewrite !mulr0.
  congr (_ * _); case: (leqP j M) => jM; last first.
    have -> : (M.+1 - j = 0)%N by apply/eqP; rewrite subn_eq0.
    rewrite -[RHS]LS; apply: eq_bigr => o _.
    have -> : (M.+1 - maxn j (matched o).+1 = 0)%N by apply/eqP; rewrite subn_eq0 leq_max jM.
    by rewrite mulr1.
  rewrite (@value_step R (advance R d N) _ (@matched n.+1 d N) L 1 (advance R d N) i j M jM LS).
    by rewrite subSn // (revealS (advance0 R d N0)) mul1r.
  by move=> a aM; apply: like_tail; [exact: like|lia].
rewrite (_ : matches _ _ _ _ = T K (fun j => lacking (advance R d N) 0 (M.+1 - j))).
  suff hh i : T K (fun j => lacking (advance R d N) i (M.+1 - j)) = reveal (advance R d N) (K + i) M by rewrite hh
    addn0.
  by elim: K i => [|k IH] i; [rewrite T0|rewrite st IH addSnnS].
by apply: eq_bigr => h _; rewrite mulrC (has_known (advance R d N)).
Qed.

Lemma revealed_value c K M : (M <= n)%N -> matches c (revealed_search c) K M = reveal (advance R d N) K M.
Proof. by move=> Mn; apply: search_value => // h _ pre _ a. Qed.
End OnLocks.

(* [res-search-upper], whole *)
Theorem res_search_upper (R : realFieldType) (n d N : nat) (b : R) (hb : 0 <= b <= 2%:R^-1) (d1 : (1 < d)%N)
    (W : finType) (w : W -> R) (psi : W -> strategy [finType of data n.+1 d N] (deployed R d) unit) (K M : nat) :
  is_law w -> (0 < N)%N -> (M <= n)%N ->
  [/\ \sum_v w v * ((\sum_(c : code n.+1 d) matches b c (psi v) K M) / (d ^ n.+1)%:R) <= reveal (advance R d N) K M,
      forall c : code n.+1 d, matches b c (revealed_search R N d1 c) K M = reveal (advance R d N) K M &
      forall (c : code n.+1 d) f a, (f + a <= n)%N ->
        \sum_(o | (f + a <= matched o)%N) data_law (n := n.+1) (N := N) (lock b c) (search R d1 c f) o =
        1 - (1 - (d ^ a)%:R^-1) ^+ N].
Proof.
move=> [w0 w1] N0 Mn; have d0 := ltnW d1; split.
- have -> : reveal (advance R d N) K M = \sum_v w v * reveal (advance R d N) K M by rewrite -mulr_suml w1 mul1r.
  apply: ler_sum => v _; rewrite ler_wpmul2l // ler_pdivr_mulr ?ltr0n ?expn_gt0 ?d0 // mulrC.
  pose law (c : code n.+1 d) (x : deployed R d) := data_law (n := n.+1) (N := N) (lock b c) x.
  have Mn' : (M <= n.+1)%N by exact: leqW.
  have bl : blind_behind law (@matched n.+1 d N) by exact: lock_blind.
  have ll c x : is_law (law c x) by exact: lock_laws.
  have re (x : deployed R d) (c : code n.+1 d) j M' : (j <= M' <= n.+1)%N ->
    \sum_e \sum_(o | (M' <= matched o)%N) law (mix j c e) x o <= (d ^ n.+1)%:R * advance R d N (M' - j) by exact:
    sharp_reach.
  have := @total_reveal R (advance R d N) n.+1 d _ _ _ law (@matched n.+1 d N) bl ll d0 (advance0 R d N0)
    (advance_mono R N d0) (advance_ge0 R N d0) n.+1 re (psi v) K M Mn'.
  apply: le_trans; rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite exchange_big; apply: eq_bigr => h _.
  by rewrite -mulr_suml mulrC (has_known (advance R d N)).
- by move=> c; exact: revealed_value.
by move=> c f a fa; exact: search_tail.
Qed.

(* control: the chain of one trajectory fewer is exceeded by uniform play, one digit, d = 2, N = 2, K = 1 *)
Theorem res_search_upper_control : ~ (forall psi : strategy [finType of data 2 2 2] (deployed rat_realFieldType 2) unit,
  (\sum_(c : code 2 2) matches 0 c psi 1 1) / (2 ^ 2)%:R <= reveal (advance rat_realFieldType 2 1) 1 1).
Proof.
pose c0 : code 2 2 := [ffun=> ord0].
pose psi := Strategy (fun _ : seq [finType of data 2 2 2] => search rat_realFieldType (isT : 1 < 2)%N c0 0)
  (fun _ => tt).
move=> /(_ psi); rewrite (eq_bigr (fun=> advance rat_realFieldType 2 2 1)) => [|c _].
  rewrite sumr_const card_code /= big_ord_recl big_ord0 /=.
  by apply/negP; vm_compute.
rewrite /matches (sum_tuple_cons 0 (fun h => history (fun x : deployed rat_realFieldType 2 => data_law (N := 2)
  (lock 0 c) x) psi [::] h * (has (fun o => 1 <= matched o)%N h)%:R)).
have := @search_tail rat_realFieldType 1 2 2 0 isT isT isT c c0 0 1; rewrite add0n => <- //.
rewrite [RHS]big_mkcond; apply: eq_bigr => o _.
rewrite (big_pred1 [tuple]) => [|t]; last by rewrite [t]tuple0; apply/esym/eqP.
by rewrite /= mulr1 orbF; case: (0 < matched o)%N; rewrite ?mulr1 ?mulr0.
Qed.
