(* Policies that may depend on the past of their trajectory and draw their actions: the law of a trajectory and of a
   batch, the value, and the best value of all policies.

   past_policy S A          a law on the actions for every past (states and actions of the earlier layers) and state
   past_law P pi h past q   the probability of states and actions from layer h on
   past_batch_law           the law of N independent trajectories of H layers
   past_value, past_return  the value from layer h on; the expected return J
   best_return              the largest return, by backward induction
   pure g                   the deterministic Markov policy g as such a policy
   cut_off g l tail         g in the layers up to l, then tail *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite hoeffding.
From derl.layerwise Require Import optimism.
From derl.algorithm_one Require Import trajectory_law.

(* what is done after a past, in a state: a law on the actions *)
Record past_policy (R : realFieldType) (S A : finType) := PastPolicy {
  chance :> seq (S * A) -> S -> A -> R;
  chance_law : forall past s, is_law (chance past s) }.

Section Policies.
Variables (R : realFieldType) (S A : finType).
Implicit Types (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R) (q rho : S -> R) (pi : past_policy R S A).

(* a deterministic Markov policy *)
Lemma pure_law (g : nat -> S -> A) (past : seq (S * A)) s : is_law (fun a => (a == g (size past) s)%:R : R).
Proof.
split=> [a|]; first exact: ler0n.
by rewrite (bigD1 (g (size past) s)) //= eqxx big1 ?addr0 // => a /negPf ->.
Qed.
Definition pure (g : nat -> S -> A) : past_policy R S A :=
  @PastPolicy R S A (fun past s a => (a == g (size past) s)%:R) (pure_law g).

(* the policy g in the layers up to l, the policy tail beyond *)
Definition cut_off_chance (g : nat -> S -> A) (l : nat) (tail : past_policy R S A) (past : seq (S * A)) s a : R :=
  if (size past <= l)%N then (a == g (size past) s)%:R else tail past s a.
Lemma cut_off_law g l tail past s : is_law (cut_off_chance g l tail past s).
Proof. by rewrite /cut_off_chance; case: (size past <= l)%N; [exact: (pure_law g)|exact: chance_law]. Qed.
Definition cut_off g l tail : past_policy R S A :=
  @PastPolicy R S A (cut_off_chance g l tail) (cut_off_law g l tail).

(* the probability of the states and actions t from layer h on after the past, if the state of layer h has the law q *)
Fixpoint past_law P (pi : seq (S * A) -> S -> A -> R) h past q (t : seq (S * A)) : R :=
  if t is x :: t' then q x.1 * pi past x.1 x.2 * past_law P pi h.+1 (rcons past x) (P h x.1 x.2) t' else 1.

(* N independent trajectories of H layers *)
Definition past_batch_law P N H rho pi : batch S A N H -> R :=
  product_law (fun (_ : 'I_N) (t : H.-tuple (S * A)) => past_law P pi 0 [::] rho t).

(* the expected sum of the rewards of k layers, from layer h on, in the state s after the past *)
Fixpoint past_value P r (pi : seq (S * A) -> S -> A -> R) h past k s : R :=
  if k is k'.+1 then
    \sum_a pi past s a * (r h s a + \sum_s' P h s a s' * past_value P r pi h.+1 (rcons past (s, a)) k' s')
  else 0.
(* J: the expected return of H layers *)
Definition past_return P r rho H (pi : seq (S * A) -> S -> A -> R) : R :=
  \sum_s rho s * past_value P r pi 0 [::] H s.

(* the largest value of k layers from layer h on; a0 begins the search of an arg max *)
Fixpoint largest_value (a0 : A) P r h k s : R :=
  if k is k'.+1 then
    let q a := r h s a + \sum_s' P h s a s' * largest_value a0 P r h.+1 k' s' in q [arg max_(a > a0) q a]%O
  else 0.
(* the largest expected return, of all policies *)
Definition best_return (a0 : A) P r rho H : R := \sum_s rho s * largest_value a0 P r 0 H s.

Section Law.
Variable P : nat -> S -> A -> S -> R.
Hypothesis hP : forall h s a, is_law (P h s a).

Lemma past_law_ge0 pi h past q t : (forall s, 0 <= q s) -> 0 <= past_law P pi h past q t.
Proof.
elim: t h past q => [|[s a] t IH] h past q q0 /=; first exact: ler01.
rewrite !mulr_ge0 ?IH //; first by case: (chance_law pi past s).
by move=> s'; case: (hP h s a).
Qed.

(* the first layer of a sum over trajectories *)
Lemma past_sum pi h past q k (F : seq (S * A) -> R) :
  \sum_(t : k.+1.-tuple (S * A)) past_law P pi h past q t * F t =
  \sum_s q s * \sum_a pi past s a *
    \sum_(t : k.-tuple (S * A)) past_law P pi h.+1 (rcons past (s, a)) (P h s a) t * F ((s, a) :: t).
Proof.
rewrite (sum_tuple_cons k (fun t => past_law P pi h past q t * F t)) /=.
pose G s a := \sum_(t : k.-tuple (S * A)) q s * pi past s a *
  past_law P pi h.+1 (rcons past (s, a)) (P h s a) t * F ((s, a) :: t).
rewrite (eq_bigr (fun x => G x.1 x.2)) => [|[s a] _ //].
rewrite -(pair_big xpredT xpredT G) /=; apply: eq_bigr => s _.
rewrite mulr_sumr; apply: eq_bigr => a _; rewrite /G !mulr_sumr.
by apply: eq_bigr => t _; rewrite !mulrA.
Qed.

Lemma past_is_law pi h past q k : is_law q -> is_law (fun t : k.-tuple (S * A) => past_law P pi h past q t).
Proof.
move=> hq; split=> [t|]; first by apply: past_law_ge0; case: hq.
elim: k h past q hq => [|k IH] h past q [q0 q1]; first by rewrite (path_sum0 (past_law P pi h past q)).
transitivity (\sum_(t : k.+1.-tuple (S * A)) past_law P pi h past q t * 1).
  by apply: eq_bigr => t _; rewrite mulr1.
rewrite (past_sum pi h past q k (fun _ => 1)) -[RHS]q1; apply: eq_bigr => s _.
transitivity (q s * \sum_a pi past s a); last by rewrite (proj2 (chance_law pi past s)) mulr1.
congr (_ * _); apply: eq_bigr => a _; under eq_bigr do rewrite mulr1.
by rewrite IH ?mulr1.
Qed.

Lemma past_batch_is_law N H rho pi : is_law rho -> is_law (@past_batch_law P N H rho pi).
Proof. by move=> hr; apply: product_is_law => i; exact: past_is_law. Qed.

(* the step from layer h + j to the next: a function of both has mean at most 1 if it has
   given each state and action *)
Lemma past_step pi (M : S -> A -> S -> R) (x0 : S * A) j k h past q : is_law q -> (j.+1 < k)%N ->
  (forall s a, \sum_s' P (h + j)%N s a s' * M s a s' <= 1) ->
  \sum_(t : k.-tuple (S * A)) past_law P pi h past q t * M (nth x0 t j).1 (nth x0 t j).2 (nth x0 t j.+1).1 <= 1.
Proof.
elim: j k h past q => [|j IH] [//|k] h past q [q0 q1] jk hM.
  rewrite (past_sum pi h past q k (fun t => M (nth x0 t 0).1 (nth x0 t 0).2 (nth x0 t 1).1)) -q1.
  apply: ler_sum => s _; rewrite -[leRHS]mulr1 ler_wpmul2l //=; case: k jk => // k _.
  rewrite -(proj2 (chance_law pi past s)); apply: ler_sum => a _.
  rewrite -[leRHS]mulr1 ler_wpmul2l ?(proj1 (chance_law pi past s)) //.
  rewrite (past_sum pi h.+1 _ (P h s a) k (fun t => M s a (nth x0 t 0).1)) /=.
  apply: le_trans (hM s a); rewrite addn0; apply: ler_sum => s' _.
  rewrite ler_wpmul2l ?(proj1 (hP h s a)) //.
  under eq_bigr => b _ do rewrite -mulr_suml (proj2 (past_is_law _ _ _ _ (hP _ _ _))) mul1r.
  by rewrite -mulr_suml (proj2 (chance_law pi _ s')) mul1r.
rewrite (past_sum pi h past q k (fun t => M (nth x0 t j.+1).1 (nth x0 t j.+1).2 (nth x0 t j.+2).1)) -q1.
apply: ler_sum => s _; rewrite -[leRHS]mulr1 ler_wpmul2l //=.
rewrite -(proj2 (chance_law pi past s)); apply: ler_sum => a _.
rewrite -[leRHS]mulr1 ler_wpmul2l ?(proj1 (chance_law pi past s)) //.
by apply: IH => // s' a'; rewrite addSnnS.
Qed.

(* the mean of a sum over the first L layers is a value *)
Lemma past_mean pi (f : nat -> S -> A -> R) (x0 : S * A) L k h past q : is_law q -> (L <= k)%N ->
  \sum_(t : k.-tuple (S * A)) past_law P pi h past q t * (\sum_(j < L) f (h + j)%N (nth x0 t j).1 (nth x0 t j).2) =
  \sum_s q s * past_value P f pi h past L s.
Proof.
elim: L k h past q => [|L IH] k h past q hq Lk.
  rewrite [LHS]big1 => [|t _]; last by rewrite big_ord0 mulr0.
  by rewrite big1 // => s _; rewrite /= mulr0.
case: k Lk => // k Lk.
rewrite (past_sum pi h past q k (fun t => \sum_(j < L.+1) f (h + j)%N (nth x0 t j).1 (nth x0 t j).2)).
apply: eq_bigr => s _; congr (_ * _); rewrite [RHS]/=; apply: eq_bigr => a _; congr (_ * _).
rewrite -(IH k h.+1 _ _ (hP h s a) Lk).
under eq_bigr => t _ do rewrite big_ord_recl /= addn0 mulrDr.
rewrite big_split /= -mulr_suml (proj2 (past_is_law _ _ _ _ (hP _ _ _))) mul1r; congr (_ + _).
by apply: eq_bigr => t _; congr (_ * _); apply: eq_bigr => j _; rewrite addSnnS.
Qed.

(* no policy has more than the largest value, and a deterministic Markov policy has it *)
Lemma past_value_largest a0 r pi h past k s : past_value P r pi h past k s <= largest_value a0 P r h k s.
Proof.
elim: k h past s => [|k IH] h past s; first exact: lexx.
rewrite [past_value _ _ _ _ _ _ _]/=; apply: mean_bound => [|a]; first exact: chance_law.
rewrite [leRHS]/=; set q := fun a => _ + _; set m := [arg max_(_ > _) _]%O.
apply: (@le_trans _ _ (q a)); last by rewrite /m; case: arg_maxP => // b _; exact.
by rewrite /q ler_add2l; apply: mean_le => // s'; case: (hP h s a).
Qed.

End Law.

Definition best_actions a0 P r H h s : A :=
  [arg max_(a > a0) (r h s a + \sum_s' P h s a s' * largest_value a0 P r h.+1 (H - h.+1) s')]%O.

Lemma best_actions_value a0 P r H past k s : (size past + k)%N = H ->
  past_value P r (pure (best_actions a0 P r H)) (size past) past k s = largest_value a0 P r (size past) k s.
Proof.
elim: k past s => [|k IH] past s hk //.
have hk' : (H - (size past).+1 = k)%N by rewrite -hk addnS subSS addKn.
rewrite [LHS]/= (bigD1 (best_actions a0 P r H (size past) s)) //= eqxx mul1r.
rewrite [X in _ + X]big1 ?addr0 => [|a /negPf ->]; last first.
  by rewrite mul0r.
rewrite /best_actions hk'; congr (_ + _); apply: eq_bigr => s' _; congr (_ * _); set a := [arg max_(_ > _) _]%O.
by have := IH (rcons past (s, a)) s'; rewrite size_rcons addSnnS; exact.
Qed.

(* [best_return] is the largest expected return: no policy has more, and a deterministic Markov policy has it *)
Theorem best_return_attained a0 P r rho H : is_law rho -> (forall h s a, is_law (P h s a)) ->
  (forall pi, past_return P r rho H pi <= best_return a0 P r rho H) /\
  exists g, past_return P r rho H (pure g) = best_return a0 P r rho H.
Proof.
move=> [r0 _] hP; split=> [pi|].
  by apply: ler_sum => s _; rewrite ler_wpmul2l //; exact: past_value_largest.
exists (best_actions a0 P r H); apply: eq_bigr => s _; congr (_ * _).
exact: (best_actions_value a0 P r (past := [::]) s (add0n H)).
Qed.

(* what agrees with a deterministic Markov policy in the first layers has its values there *)
Lemma past_value_pure P r pi (g : nat -> S -> A) L past k s : (size past + k <= L)%N ->
  (forall past s a, (size past < L)%N -> pi past s a = (a == g (size past) s)%:R) ->
  past_value P r pi (size past) past k s = value P (det R g) r (size past) k s.
Proof.
move=> + hg; elim: k past s => [|k IH] past s hk //=.
apply: eq_bigr => a _; rewrite hg; last by apply: leq_trans hk; rewrite addnS ltnS leq_addr.
congr (_ * (_ + _)); apply: eq_bigr => s' _; congr (_ * _).
by have := IH (rcons past (s, a)) s'; rewrite size_rcons addSnnS; exact.
Qed.

(* and its law, if they agree in all layers *)
Lemma past_law_pure P pi (g : nat -> S -> A) past q t :
  (forall past s a, pi past s a = (a == g (size past) s)%:R) ->
  past_law P pi (size past) past q t = path_law P g (size past) q t.
Proof.
move=> hg; elim: t past q => [|[s a] t IH] past q //=.
by rewrite hg; congr (_ * _); have := IH (rcons past (s, a)) (P (size past) s a); rewrite size_rcons.
Qed.

Lemma past_return_pure P r rho H g : past_return P r rho H (pure g) = \sum_s rho s * value P (det R g) r 0 H s.
Proof.
apply: eq_bigr => s _; congr (_ * _).
by apply: (@past_value_pure P r (pure g) g H [::]) => //; rewrite add0n.
Qed.

Lemma past_batch_law_pure P N H rho pi (g : nat -> S -> A) (o : batch S A N H) :
  (forall past s a, pi past s a = (a == g (size past) s)%:R) ->
  past_batch_law P rho pi o = batch_law P rho g o.
Proof. by move=> hg; apply: eq_bigr => i _; exact: (@past_law_pure P pi g [::]). Qed.
End Policies.

(* strategies that deploy, and return, the same in other words succeed with the same probability *)
Lemma success_same (R : realFieldType) (O : finType) (D D' X X' : Type) (law : D -> O -> R) (law' : D' -> O -> R)
    (psi : strategy O D X) (psi' : strategy O D' X') (good : X -> bool) (good' : X' -> bool) K :
  (forall h o, law (deploy psi h) o = law' (deploy psi' h) o) ->
  (forall h, good (output psi h) = good' (output psi' h)) ->
  success law psi good K = success law' psi' good' K.
Proof.
move=> hd ho; apply: eq_bigr => t _; rewrite ho; congr (_ * _).
by elim: (tval t) [::] => [|o h IH] pre //=; rewrite hd IH.
Qed.
