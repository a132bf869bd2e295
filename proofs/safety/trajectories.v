(* Mixing by whole trajectories; constraint (c); deployments put together from small ones. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.
From derl.probability Require Import hoeffding.

Section Mixture.
Variables (R : realFieldType) (T : finType) (ret : T -> R) (H : R).
(* T: the trajectories, ret: their return, the sum of H rewards in [0, 1] *)
Hypothesis ret0H : forall t, 0 <= ret t <= H.

(* the value of a policy with the law p of trajectories *)
Definition worth (p : T -> R) : R := \sum_t p t * ret t.
(* with probability alpha the whole trajectory is the optimist's *)
Definition mixed (alpha : R) (p o : T -> R) t : R := (1 - alpha) * p t + alpha * o t.

Lemma mixed_law alpha p o : 0 <= alpha <= 1 -> is_law p -> is_law o -> is_law (mixed alpha p o).
Proof.
move=> /andP[a0 a1] [p0 p1] [o0 o1]; split=> [t|].
  by rewrite /mixed addr_ge0 ?mulr_ge0 // subr_ge0.
by rewrite /mixed big_split /= -!mulr_sumr p1 o1 !mulr1 subrK.
Qed.

Lemma worth_bounds p : is_law p -> 0 <= worth p <= H.
Proof.
move=> [p0 p1]; apply/andP; split.
  by apply: sumr_ge0 => t _; rewrite mulr_ge0 //; case/andP: (ret0H t).
have -> : H = \sum_t p t * H by rewrite -mulr_suml p1 mul1r.
by apply: ler_sum => t _; rewrite ler_wpmul2l //; case/andP: (ret0H t).
Qed.
End Mixture.

(* [eq-mixture-improvement], whole *)
Theorem mixture_improvement (R : realFieldType) (T : finType) (ret : T -> R) (H alpha : R) (pess opt : T -> R) :
  (forall t, 0 <= ret t <= H) -> 0 <= alpha <= 1 -> is_law pess -> is_law opt ->
  worth ret (mixed alpha pess opt) = (1 - alpha) * worth ret pess + alpha * worth ret opt /\
  worth ret pess - alpha * H <= worth ret (mixed alpha pess opt).
Proof.
move=> hr ha hp ho; have [a0 a1] := andP ha.
have e : worth ret (mixed alpha pess opt) = (1 - alpha) * worth ret pess + alpha * worth ret opt.
  by rewrite /worth !mulr_sumr -big_split /=; apply: eq_bigr => t _; rewrite /mixed; ring.
split=> //; rewrite e -subr_ge0; have /andP[p0 p1] := worth_bounds hr hp.
have /andP[o0 o1] := worth_bounds hr ho.
have -> : (1 - alpha) * worth ret pess + alpha * worth ret opt - (worth ret pess - alpha * H) =
  alpha * (H - worth ret pess) + alpha * worth ret opt by ring.
by rewrite addr_ge0 ?mulr_ge0 // subr_ge0.
Qed.

(* [prop-mixture], whole, with alpha H in the place of O(alpha) *)
Theorem mixture_property (R : realFieldType) (T : finType) (ret : T -> R) (H alpha : R) (pess opt prev : T -> R) :
  (forall t, 0 <= ret t <= H) -> 0 <= alpha <= 1 -> is_law pess -> is_law opt ->
  worth ret pess - worth ret prev - alpha * H <= worth ret (mixed alpha pess opt) - worth ret prev.
Proof.
move=> hr ha hp ho; have [_ h] := mixture_improvement hr ha hp ho.
by rewrite addrAC ler_add2r.
Qed.

(* [text-mixture-safety], whole: the offline algorithm improves on prev up to eta *)
Theorem mixture_safety (R : realFieldType) (T : finType) (ret : T -> R) (H alpha eta eps : R) (pess opt prev : T -> R) :
  (forall t, 0 <= ret t <= H) -> 0 < H -> 0 <= alpha <= 1 -> is_law pess -> is_law opt ->
  worth ret prev - eta <= worth ret pess -> alpha <= (eps - eta) / H ->
  worth ret prev - eps <= worth ret (mixed alpha pess opt).
Proof.
move=> hr H0 ha hp ho imp; rewrite ler_pdivl_mulr // => small.
have [_ h] := mixture_improvement hr ha hp ho; apply: le_trans h.
rewrite -subr_ge0; have -> : worth ret pess - alpha * H - (worth ret prev - eps) =
  (worth ret pess - (worth ret prev - eta)) + (eps - eta - alpha * H) by ring.
by rewrite addr_ge0 // subr_ge0.
Qed.

(* control: with half of alpha H it is false; two trajectories with returns 1 and 0 *)
Theorem mixture_control : ~ (forall (T : finType) (ret : T -> rat) (H alpha : rat) (pess opt : T -> rat),
  (forall t, 0 <= ret t <= H) -> 0 <= alpha <= 1 -> is_law pess -> is_law opt ->
  worth ret pess - alpha * H / 2%:R <= worth ret (mixed alpha pess opt)).
Proof.
pose ret (b : bool) : rat := if b then 1 else 0.
move=> /(_ [finType of bool] ret 1 1 ret (fun b => if b then 0 else 1)) h.
have no : ~~ (worth ret ret - 1 * 1 / 2%:R <= worth ret (mixed 1 ret (fun b => if b then 0 else 1)) :> rat).
  by rewrite /worth !big_bool; vm_compute.
apply: (negP no); apply: h => //.
- by case.
- by split; [case|rewrite big_bool].
- by split; [case|rewrite big_bool].
Qed.

(* [eq-safety], whole: constraint (c) for K deployments allows a loss of (K-1) eps in all,
   and no more; the loss is attained *)
Theorem eq_safety (R : realFieldType) (eps : R) (K : nat) : (0 < K)%N ->
  (forall J : nat -> R, (forall i, (i.+1 < K)%N -> J i - eps <= J i.+1) ->
     J 0%N - (K.-1)%:R * eps <= J K.-1) /\
  exists J : nat -> R, (forall i, J i - eps <= J i.+1) /\ J 0%N - (K.-1)%:R * eps = J K.-1.
Proof.
case: K => // K _ /=; split.
  move=> J; elim: K => [|K IH] h; first by rewrite mul0r subr0.
  have le1 : J 0%N - K%:R * eps <= J K by apply: IH => i iK; apply: h; exact: ltnW.
  apply: le_trans (h K (ltnSn _)); rewrite -[K.+1]addn1 natrD mulrDl mul1r opprD addrA.
  by rewrite ler_add2r.
exists (fun i => - (i%:R * eps)); split=> [i|]; last by rewrite mul0r oppr0 sub0r.
by rewrite -[i.+1]addn1 natrD mulrDl mul1r opprD.
Qed.
Theorem eq_safety_control : ~ (forall (J : nat -> rat), (forall i, J i - 1 <= J i.+1) -> J 0%N - 1 <= J 2%N).
Proof.
move=> /(_ (fun i => - i%:R)) h; have no : ~~ (- 0%:R - 1 <= - 2%:R :> rat) by vm_compute.
by apply: (negP no); apply: h => i; rewrite -[i.+1]addn1 natrD opprD.
Qed.

Lemma ceil_step x N N0 : (0 < N0)%N -> (N0 + x <= N + N0.-1)%N = (x < N)%N.
Proof. by case: N0 => // q _ /=; rewrite addSn -addnS [(N + q)%N]addnC leq_add2l. Qed.

Section Joined.
Variables (R : realFieldType) (T : finType) (p : T -> R).
Hypothesis hp : is_law p.

(* numbers that are 1 from N on *)
Lemma prod_blocks (F : nat -> R) n N0 :
  \prod_(k < n) \prod_(j < N0) F (k * N0 + j)%N = \prod_(0 <= m < n * N0) F m.
Proof.
elim: n => [|n IH]; first by rewrite big_ord0 mul0n big_geq.
have e : \prod_(0 + n * N0 <= i < n * N0 + N0) F i = \prod_(j < N0) F (n * N0 + j)%N.
  by rewrite big_addn addKn big_mkord; apply: eq_bigr => j _; rewrite addnC.
rewrite add0n in e; by rewrite big_ord_recr /= IH mulSnr -e -big_cat_nat ?leq_addr.
Qed.

(* the law of the trajectories 0, ..., N - 1 of n batches of N0, joined: trajectory k N0 + j is the j-th of batch k *)
Lemma joined_law N N0 n (o : {ffun 'I_N -> T}) :
  \sum_(x : {ffun 'I_n -> {ffun 'I_N0 -> T}} | [forall i : 'I_N, [forall k : 'I_n, [forall j : 'I_N0,
      (i == k * N0 + j :> nat)%N ==> (x k j == o i)]]])
    product_law (fun=> product_law (fun=> p)) x =
  \prod_(0 <= m < n * N0) (if insub m is Some i then p (o i) else 1).
Proof.
pose g (k : 'I_n) (j : 'I_N0) (t : T) : R := if insub (k * N0 + j)%N is Some i then (t == o i)%:R else 1.
have indicator (x : {ffun 'I_n -> {ffun 'I_N0 -> T}}) : ([forall i : 'I_N, [forall k : 'I_n, [forall j : 'I_N0,
    (i == k * N0 + j :> nat)%N ==> (x k j == o i)]]])%:R = \prod_k \prod_j g k j (x k j).
  case: (boolP [forall i, _]) => [h|/forallPn [i /forallPn [k /forallPn [j]]]].
    rewrite big1 // => k _; rewrite big1 // => j _; rewrite /g; case: insubP => // i _ iE.
    by move: h => /forallP /(_ i) /forallP /(_ k) /forallP /(_ j); rewrite iE eqxx /= => ->.
  rewrite negb_imply => /andP[/eqP iE ne]; rewrite (bigD1 k) //= (bigD1 j) //= {1}/g -iE valK (negPf ne).
  by rewrite !mul0r.
rewrite big_mkcond /=; transitivity (\sum_(x : {ffun 'I_n -> {ffun 'I_N0 -> T}})
    product_law (fun=> product_law (fun=> p)) x * \prod_k \prod_j g k j (x k j)).
  by apply: eq_bigr => x _; rewrite -indicator; case: ifP; rewrite ?mulr1 ?mulr0.
rewrite (product_mean (fun=> product_law (fun=> p)) (fun k (y : {ffun 'I_N0 -> T}) => \prod_j g k j (y j))).
rewrite -(prod_blocks (fun m => if insub m is Some i then p (o i) else 1)); apply: eq_bigr => k _.
rewrite (product_mean (fun=> p) (g k)); apply: eq_bigr => j _; rewrite /g.
case: insubP => [i _ _|_]; last by under eq_bigr do rewrite mulr1; exact: (proj2 hp).
by rewrite (bigD1 (o i)) //= eqxx mulr1 big1 ?addr0 // => t /negPf ->; rewrite mulr0.
Qed.
End Joined.

(* [text-emulation], whole: n = ceil (N / N0) is the least number of deployments of N0 trajectories that make N of
   them; the first N of these trajectories have the law of one deployment with N trajectories of the policy, which has
   the law p of trajectories; K deployments become K n *)
Theorem text_emulation (N N0 K : nat) : (0 < N0)%N -> (N0 < N)%N ->
  let n := ((N + N0.-1) %/ N0)%N in
  [/\ (N <= n * N0)%N, forall m, (m < n)%N -> (m * N0 < N)%N,
      forall (R : realFieldType) (T : finType) (p : T -> R) (o : {ffun 'I_N -> T}), is_law p ->
        \sum_(x : {ffun 'I_n -> {ffun 'I_N0 -> T}} | [forall i : 'I_N, [forall k : 'I_n, [forall j : 'I_N0,
            (i == k * N0 + j :> nat)%N ==> (x k j == o i)]]])
          product_law (fun=> product_law (fun=> p)) x = product_law (fun=> p) o &
      (\sum_(k < K) n = K * n)%N].
Proof.
move=> N00 _ n; have least m : (m < n)%N -> (m * N0 < N)%N.
  move=> mn; have : (m.+1 * N0 <= N + N0.-1)%N by rewrite -leq_divRL.
  by rewrite mulSn ceil_step.
have enough : (N <= n * N0)%N.
  rewrite /n leqNgt; apply/negP => lt.
  have h : (((N + N0.-1) %/ N0).+1 * N0 <= N + N0.-1)%N.
    by rewrite mulSn ceil_step.
  by rewrite -leq_divRL // ltnn in h.
split=> // [R T p o hp|]; last by rewrite sum_nat_const card_ord.
rewrite joined_law // (@big_cat_nat _ _ _ N) //= [X in _ * X]big1_seq ?mulr1 => [|m]; last first.
  by rewrite mem_index_iota /= => /andP[Nm _]; rewrite insubN // -leqNgt.
by rewrite big_mkord /product_law; apply: eq_bigr => i _; rewrite valK.
Qed.

(* control: rounded down it is false, at N = 3 and N0 = 2: two trajectories have not the law of three *)
Theorem text_emulation_control : ~ (forall (N N0 : nat) (T : finType) (p : T -> rat) (o : {ffun 'I_N -> T}),
  (0 < N0)%N -> (N0 < N)%N -> is_law p -> let n := (N %/ N0)%N in
    \sum_(x : {ffun 'I_n -> {ffun 'I_N0 -> T}} | [forall i : 'I_N, [forall k : 'I_n, [forall j : 'I_N0,
        (i == k * N0 + j :> nat)%N ==> (x k j == o i)]]])
      product_law (fun=> product_law (fun=> p)) x = product_law (fun=> p) o).
Proof.
pose p (_ : bool) : rat := 2%:R^-1.
have hp : is_law p by split=> [b|] //; rewrite big_bool /p /= -mulr2n -mulr_natl.
move=> h; have := h 3%N 2%N [finType of bool] p [ffun=> true] isT isT hp.
rewrite /= joined_law // /product_law !big_ord_recl big_ord0 /= big_mkord !big_ord_recl big_ord0.
by rewrite !(insubT (fun m => m < 3)%N) // /p => /eqP.
Qed.
