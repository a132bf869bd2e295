(* Mixing by whole trajectories; constraint (c); deployments put together from small ones. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From derl.lower_bounds Require Import game.
Import GRing.Theory Num.Theory Order.Theory.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

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

(* [text-emulation], whole: n = ceil (N / N0) is the least number of deployments of at most
   N0 trajectories that make N of them; K deployments become K n *)
Theorem text_emulation (N N0 K : nat) : (0 < N0)%N -> (N0 < N)%N ->
  let n := ((N + N0.-1) %/ N0)%N in
  (N <= n * N0)%N /\ (forall m, (m < n)%N -> (m * N0 < N)%N) /\
  (forall m, (N <= m * N0)%N -> (n <= m)%N) /\ (\sum_(k < K) n = K * n)%N.
Proof.
move=> N00 _ n; have least m : (m < n)%N -> (m * N0 < N)%N.
  move=> mn; have : (m.+1 * N0 <= N + N0.-1)%N by rewrite -leq_divRL.
  by rewrite mulSn ceil_step.
split; last split=> //; last split.
- rewrite /n leqNgt; apply/negP => lt.
  have h : (((N + N0.-1) %/ N0).+1 * N0 <= N + N0.-1)%N.
    by rewrite mulSn ceil_step.
  by rewrite -leq_divRL // ltnn in h.
- by move=> m hm; rewrite leqNgt; apply/negP => /least; rewrite ltnNge hm.
- by rewrite sum_nat_const card_ord.
Qed.
Theorem text_emulation_control : ~ (forall N N0 : nat, (0 < N0)%N -> (N0 < N)%N -> (N <= N %/ N0 * N0)%N).
Proof. by move=> /(_ 3%N 2%N isT isT). Qed.
