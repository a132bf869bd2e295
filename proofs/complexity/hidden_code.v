(* The combination lock as a task of Definition 2.1: a learner that deploys any policies K times fails on one of its
   codes.  The features of the task and the law of the first state are left open here.

   code_task phi        the gate, two absorbing states, d' + 1 actions and n + 1 layers, with the features phi
   code_world b rho c   the lock with the code c of n digits and the bias b; the first state has the law rho
   staying_steps t      the number of states of a trajectory before it leaves the gate
   seen o               the number of digits that the best trajectory of a batch got right *)
From derl.common Require Import real_prelude forms.
From derl.lower_bounds Require Import game locks gate trajectories lock features conclusion.
From derl.probability Require Import finite hoeffding adaptive.
From derl.foundations Require Import rewards policies.
From derl.algorithm_one Require Import trajectory_law.
From derl.complexity Require Import definition hidden_arm.

Section HiddenCode.
Variables (n d' N : nat) (b : R).
Hypothesis b01 : 0 < b <= 2%:R^-1.
Hypothesis n0 : (0 < n)%N.
Variable phi : nat -> gate.state -> 'I_d'.+1 -> 'cV[R]_(d'.+1 + 2).
Variable rho : gate.state -> R.
Hypothesis hrho : is_law rho.
Hypothesis start : 0 < rho None.
Local Notation d := d'.+1.
Local Notation H := n.+1.
Local Notation S := [finType of gate.state].
Local Notation A := [finType of 'I_d'.+1].
Local Notation O := (batch S A N H).
Local Notation policy' := (past_policy R_realFieldType S A).
Local Notation kernel := (@gate.kernel R_realFieldType d).
Local Notation lock c := (@lock.lock R_realFieldType n d b c).
Implicit Types (c e : code n d) (t : seq (S * A)).

(* what is known: the gate and the two absorbing states, d actions, the features, the rewards of the lock *)
Definition code_task : task (d'.+1 + 2) :=
  @Task (d'.+1 + 2) S A ord0 phi (fun h s _ => gate.reward R_realFieldType n h s).
(* the transitions with the code c, and the law of the first state *)
Definition code_world c : world code_task := @World (d'.+1 + 2) code_task rho (kernel (lock c)).

Let hb : 0 <= b <= 2%:R^-1. Proof. by case/andP: b01 => b0 ->; rewrite (ltW b0). Qed.
Let mild_c c : mild (lock c). Proof. exact: lock_mild. Qed.

(* the number of states before a trajectory leaves the gate *)
Definition staying_steps t : nat := find (fun x => x.1 != None) t.
(* the digits that the best trajectory got right: one for each step that stays at the gate *)
Definition seen (o : O) : nat := \max_(i < N) (staying_steps (o i)).-1.
Local Notation law c := (@past_batch_law R_realFieldType S A (kernel (lock c)) N H rho).

Lemma code_law c (pi : policy') : is_law (law c pi).
Proof. by apply: past_batch_is_law => // h s a; exact: kernel_law. Qed.

(* a trajectory shows no digit beyond the one with which it left the gate *)
Lemma past_law_code (pi : policy') j c c' h past q t : agree j c c' ->
  (staying_steps t == 0)%N || (h + staying_steps t <= j)%N ->
  past_law (kernel (lock c)) pi h past q t = past_law (kernel (lock c')) pi h past q t.
Proof.
move=> hc; elim: t h past q => [|[s a] t IH] h past q // ht.
rewrite [LHS]/= [RHS]/=; congr (_ * _); case: s ht => [x|] ht.
  rewrite (past_law_end (lock c) (lock c')) //; exact: past_law_ext.
have hj : (h.+1 + staying_steps t <= j)%N by move: ht; rewrite /staying_steps /= addnS -addSn.
rewrite IH; last by rewrite hj orbT.
apply: past_law_ext => s'; have lt : (h < j)%N by apply: leq_trans hj; rewrite ltn_addr.
by case: s' => [x|] /=; rewrite (hit_agree _ hc lt).
Qed.

Lemma code_blind : blind_behind (fun c (pi : policy') => law c pi) seen.
Proof.
move=> c c' pi o hc; apply: eq_bigr => i _; apply: (past_law_code _ _ _ hc); rewrite add0n.
have le : ((staying_steps (o i)).-1 <= seen o)%N by exact: (@leq_bigmax _ (fun i : 'I_N => (staying_steps (o i)).-1) i).
by case: (staying_steps (o i)) le.
Qed.

(* the probability that a trajectory stays at the gate for k steps *)
Lemma past_staying (M : gate.instance R_realFieldType d) (pi : policy') k m h pre q : mild M -> is_law q ->
  last None (map snd pre) = None -> (k <= m)%N ->
  \sum_(t : m.+1.-tuple (S * A)) past_law (kernel M) pi h (past_of None pre) q t * (k < staying_steps t)%N%:R =
  q None * staying M (gate_policy pi) h pre k.
Proof.
move=> hM; have hP h' s a : is_law (kernel M h' s a) by exact: kernel_law.
elim: k m h pre q => [|k IH] m h pre q hq hpre km.
  rewrite (past_sum (kernel M) pi h (past_of None pre) q m (fun t => (0 < staying_steps t)%N%:R)) (bigD1 None) //=.
  rewrite [X in _ + X]big1 ?addr0 => [|[x|] // _]; last first.
    by rewrite big1 ?mulr0 // => a _; rewrite big1 ?mulr0 // => t _; rewrite mulr0.
  congr (_ * _); rewrite -[RHS](proj2 (chance_law pi (past_of None pre) None)); apply: eq_bigr => a _.
  by under eq_bigr do rewrite mulr1; rewrite (proj2 (past_is_law hP _ _ _ _ (hP _ _ _))) mulr1.
case: m km => // m km.
rewrite (past_sum (kernel M) pi h (past_of None pre) q m.+1 (fun t => (k.+1 < staying_steps t)%N%:R)) (bigD1 None) //=.
rewrite [X in _ + X]big1 ?addr0 => [|[x|] // _]; last first.
  by rewrite big1 ?mulr0 // => a _; rewrite big1 ?mulr0 // => t _; rewrite mulr0.
congr (_ * _); apply: eq_bigr => a _; congr (_ * _).
have := IH m h.+1 (rcons pre (a, None)) (kernel M h None a) (hP _ _ _).
rewrite map_rcons last_rcons past_of_rcons hpre => /(_ erefl km) => q1.
rewrite -[(stays M h a)%:R]/(kernel M h None a None) -q1; apply: eq_bigr => t _; by rewrite ltnS.
Qed.

(* the union bound over the N trajectories of a batch *)
Lemma batch_union (p : H.-tuple (S * A) -> R) (f : H.-tuple (S * A) -> nat) k : is_law p -> (0 < k)%N ->
  \sum_(o : O | (k <= \max_(i < N) f (o i))%N) product_law (fun _ => p) o <=
  N%:R * (\sum_(t : H.-tuple (S * A)) p t * (k <= f t)%N%:R).
Proof.
move=> hp k0; have hl : is_law (product_law (N := N) (fun _ => p)) by apply: product_is_law => i.
have one (i : 'I_N) : prob (product_law (N := N) (fun _ => p)) (fun o => (k <= f (o i))%N) = \sum_t p
  t * (k <= f t)%N%:R.
  pose G (j : 'I_N) (t : H.-tuple (S * A)) : R := if j == i then (k <= f t)%N%:R else 1.
  transitivity (\sum_o product_law (N := N) (fun _ => p) o * \prod_j G j (o j)).
    rewrite /prob big_mkcond; apply: eq_bigr => o _; rewrite (bigD1 i) //= /G eqxx big1 => [|j /negPf -> //].
    by rewrite mulr1; case: ifP => _; rewrite ?mulr1 ?mulr0.
  rewrite (product_mean (fun _ => p) G) (bigD1 i) //= [X in _ * X]big1 ?mulr1 => [|j /negPf ji].
    by apply: eq_bigr => t _; rewrite /G eqxx.
  by rewrite /G ji; under eq_bigr do rewrite mulr1; exact: (proj2 hp).
rewrite -[N in N%:R]card_ord mulr_natl -sumr_const -(eq_bigr _ (fun i _ => one i)).
apply: le_trans (union_bound (fun (i : 'I_N) (o : O) => (k <= f (o i))%N) hl).
rewrite /prob; rewrite [leRHS]big_mkcond [leLHS]big_mkcond; apply: ler_sum => o _.
case: ifP => ok; last by case: ifP => // _; exact: (proj1 hl).
suff ex : [exists i : 'I_N, (k <= f (o i))%N] by rewrite /= ex.
apply: contraTT ok; rewrite negb_exists => /forallP h.
rewrite -ltnNge -[X in (_ < X)%N](prednK k0) ltnS; apply/bigmax_leqP => i _.
by rewrite -ltnS (prednK k0) ltnNge; exact: h.
Qed.

Lemma code_reach : (0 < N)%N -> short_reach N (fun c (pi : policy') => law c pi) seen.
Proof.
move=> N0 pi c j M /andP[jM Mn].
have dR k' : 0 < (d ^ k')%:R :> R by rewrite ltr0n expn_gt0.
case: (posnP M) => [M0|M0].
  move: jM; rewrite M0 leqn0 => /eqP ->; rewrite subnn expn0 divr1.
  apply: (@le_trans _ _ (\sum_(e : code n d) 1)).
    apply: ler_sum => e _; under eq_bigl do rewrite leq0n.
    by rewrite (proj2 (code_law (mix 0 c e) pi)).
  by rewrite sumr_const card_code ler_pemull ?ler0n // ler1n.
have rho1 : rho None <= 1.
  rewrite -(proj2 hrho) (bigD1 None) //= ler_addl; apply: sumr_ge0 => s _; exact: (proj1 hrho).
apply: (@le_trans _ _ (\sum_(e : code n d) N%:R * staying (lock (mix j c e)) (gate_policy pi) 0 [::] M)).
  apply: ler_sum => e _; have hP h s a : is_law (kernel (lock (mix j c e)) h s a) by exact: kernel_law.
  apply: le_trans (batch_union (fun t : H.-tuple (S * A) => (staying_steps t).-1) (past_is_law hP pi 0 [::] H hrho) M0)
    _.
  rewrite ler_wpmul2l ?ler0n //.
  have := past_staying pi 0 (mild_c (mix j c e)) hrho (erefl : last None (map snd ([::] : seq (step d))) = None) Mn.
  rewrite /past_of => q; apply: (@le_trans _ _ (rho None * staying (lock (mix j c e)) (gate_policy pi) 0 [::] M)).
    rewrite -q le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => t _; congr (_ * _%:R); congr nat_of_bool.
    by case: (staying_steps t) => //; case: M M0 {jM Mn q}.
  apply: ler_pimull => //; elim: (M) (0%N) ([::] : seq (step d)) => [|k IH] h pre /=; first exact: ler01.
  by apply: sumr_ge0 => a _; rewrite !mulr_ge0 ?ler0n //; exact: (proj1 (chance_law pi _ _)).
rewrite -mulr_sumr -mulrA ler_wpmul2l ?ler0n // ler_pdivl_mulr // mulrC.
have := staying_reach b c j M 0 [::] (gate_policy_proper pi) (ltn0Sn d').
by rewrite add0n maxn0.
Qed.

(* where a trajectory starts in an absorbing state, its rewards depend on nothing else *)
Lemma absorbed_value (M : gate.instance R_realFieldType d) (pi : policy') h past k x :
  past_value (kernel M) (rewards code_task) pi h past k (Some x) =
  \sum_(j < k) gate.reward R_realFieldType n (h + j) (Some x).
Proof.
elim: k h past => [|k IH] h past; first by rewrite big_ord0.
rewrite big_ord_recl [LHS]/= addn0; set c := (X in _ = X).
rewrite -[c]mul1r -[X in X * c](proj2 (chance_law pi past (Some x))) mulr_suml /c {c}.
apply: eq_bigr => a _; congr (_ * (_ + _)); rewrite (bigD1 (Some x)) //= eqxx mul1r IH.
rewrite [X in _ + X = _]big1 ?addr0 => [|s /negPf ->].
  by apply: eq_bigr => j _; rewrite addSnnS.
by rewrite mul0r.
Qed.
(* what is earned from the absorbing states *)
Let rest : R := \sum_(x : bool) rho (Some x) * \sum_(j < H) gate.reward R_realFieldType n (0 + j) (Some x).

Lemma code_return c (pi : policy') :
  past_return (transitions (code_world c)) (rewards code_task) (first (code_world c)) H pi =
  rho None * gate.J n (lock c) (gate_policy pi) + rest.
Proof.
rewrite /past_return sum_state -addrA; congr (_ * _ + _).
  exact: (@gate_past_value n d' (lock c) pi 0 [::] n).
by rewrite /rest big_bool; congr (_ * _ + _ * _); exact: (absorbed_value (lock c) pi 0 [::]).
Qed.

(* the policy that plays the code *)
Definition digit c (h : nat) : 'I_d := if insub h is Some i then c i else ord0.
Lemma hit_digit c h : (h < n)%N -> hit c h (digit c h).
Proof. by move=> hn; rewrite /digit insubT -[h in hit c h _]/(val (Ordinal hn)) hit_ord. Qed.

Lemma plays_digits c h pre k : size pre = h -> (h + k <= n)%N ->
  plays_code c (gate_policy (pure R_realFieldType (fun h _ => digit c h))) h pre k = 1.
Proof.
elim: k h pre => [|k IH] h pre hs hk //=.
have hn : (h < n)%N by apply: leq_trans hk; rewrite addnS ltnS leq_addr.
rewrite (bigD1 (digit c h)) //= /gate_policy /= size_past_of hs eqxx mul1r hit_digit // mul1r.
by rewrite IH ?size_rcons ?hs ?addSnnS // big1 ?addr0 // => a /negPf ->; rewrite mul0r.
Qed.

Lemma code_best_return c : rho None * (n%:R / 2%:R + b) + rest <=
  best_return (some_action code_task) (transitions (code_world c)) (rewards code_task) (first (code_world c)) H.
Proof.
have [above _] := @best_return_attained R_realFieldType _ _ ord0 (kernel (lock c)) (rewards code_task)
  rho H hrho (fun h s a => kernel_law h s a (mild_c c)).
apply: le_trans (above (pure R_realFieldType (fun h _ => digit c h))).
rewrite (code_return c) lock_value //; last exact: gate_policy_proper.
by rewrite /q plays_digits ?add0n // mulr1.
Qed.

Lemma code_last_digit eps : 2%:R * eps < rho None * b ->
  last_digit_matters (fun c (pi : policy') => near_best H eps (code_world c) pi).
Proof.
move=> eb pi c c' hc; have b0 : 0 < b by case/andP: b01.
have eb' : 2%:R * (eps / rho None) < b by rewrite mulrA ltr_pdivr_mulr // [b * _]mulrC.
have good e : near_best H eps (code_world e) pi ->
    lock.good_output b (eps / rho None) e (Deployed (gate_policy_proper pi)).
  rewrite /near_best code_return => le; rewrite /lock.good_output -(ler_pmul2l start) /=.
  rewrite mulrBr [rho None * (eps / _)]mulrCA divff ?gt_eqF // mulr1.
  rewrite -(ler_add2r rest); apply: le_trans le; rewrite addrAC ler_add2r; exact: code_best_return.
by move=> h1 h2; exact: (lock_last n0 eb' b0 hc (good _ h1) (good _ h2)).
Qed.

Lemma success_failure c (psi : strategy O policy' policy') eps K :
  success (fun pi : policy' => law c pi) psi (near_best H eps (code_world c)) K =
  1 - failure (fun c (pi : policy') => law c pi) (fun c (pi : policy') => near_best H eps (code_world c) pi) c psi K.
Proof.
apply/esym/eqP; rewrite subr_eq /success /failure -big_split /= eq_sym; apply/eqP.
rewrite (eq_bigr (fun h : K.-tuple O => history (fun pi : policy' => law c pi) psi [::] h)) => [|h _]; last first.
  by case: (near_best _ _ _ _); rewrite /= ?mulr1 ?mulr0 ?addr0 ?add0r.
have -> : \sum_(h : K.-tuple O) history (fun pi : policy' => law c pi) psi [::] h =
    success_from (fun pi : policy' => law c pi) psi (fun _ => true) [::] K.
  by apply: eq_bigr => h _; rewrite mulr1.
elim: (K) ([::] : seq O) => [|k IH] pre; first by rewrite success_from0.
rewrite success_fromS; under eq_bigr do rewrite IH mulr1; exact: (proj2 (code_law c _)).
Qed.

(* the chances of success for one seed, added over the codes *)
Lemma code_chances (psi : strategy O policy' policy') eps K l : (0 < N)%N -> (N * n <= d ^ l)%N -> (K * l <= n.-1)%N ->
  2%:R * eps < rho None * b ->
  \sum_(c : code n d) success (fun pi : policy' => law c pi) psi (near_best H eps (code_world c)) K <=
  (1 - (1 - d%:R^-1) * (1 - n%:R^-1) ^+ K) * #|[finType of code n d]|%:R.
Proof.
move=> N0 Nn Kl eb; under eq_bigr do rewrite success_failure.
rewrite sumrB sumr_const mulrBl mul1r ler_add2l ler_opp2 card_code.
have Nl : (N <= d ^ l)%N by apply: leq_trans Nn; exact: leq_pmulr.
apply: le_trans (lock_failure_sum psi code_blind (code_reach N0) code_law (code_last_digit eb) (ltn0Sn d') n0 Nl Kl).
have nR : 0 < n%:R :> R by rewrite ltr0n.
rewrite ler_wpmul2r ?ler0n // ler_wpmul2l //.
  by rewrite subr_ge0 invf_le1 ?ler1n // ltr0n.
apply: ler_expn2r; rewrite ?nnegrE.
- by rewrite subr_ge0 invf_le1 ?ler1n.
- by rewrite subr_ge0 ler_pdivr_mulr ?ltr0n ?expn_gt0 // mul1r ler_nat.
rewrite ler_add2l ler_opp2 ler_pdivr_mulr ?ltr0n ?expn_gt0 //.
by rewrite mulrC ler_pdivl_mulr // -natrM ler_nat.
Qed.

(* one of the codes is bad for a learner, on average over its seed *)
Lemma hidden_code (L : learner H N code_task) eps K l : (0 < N)%N -> (N * n <= d ^ l)%N -> (K * l <= n.-1)%N ->
  2%:R * eps < rho None * b ->
  (forall c, has_mean L (chance_near_best (code_world c) K eps)) ->
  exists c, mean_of L (chance_near_best (code_world c) K eps) <= 1 - (1 - d%:R^-1) * (1 - n%:R^-1) ^+ K.
Proof.
move=> N0 Nn Kl eb hd; have [const add mono] := seed_law L; set p := 1 - _.
pose win (c : [finType of code n d]) v := chance_near_best (code_world c) K eps (L := L) v.
have one v : \sum_c win c v <= p * #|[finType of code n d]|%:R by exact: code_chances Nn Kl eb.
have [dsum esum] := add _ win hd; have [dm em] := const (p * #|[finType of code n d]|%:R).
have tot := mono _ _ dsum dm one; rewrite esum em in tot.
case: (pickP (fun c => mean_of L (win c) <= p)) => [c hc|no]; first by exists c.
have c0 : [finType of code n d] by exact: [ffun _ => ord0].
move: tot; rewrite leNgt => /negP[]; rewrite mulr_natr -sumr_const.
rewrite (bigD1 c0) //= [ltRHS](bigD1 c0) //=; apply: ltr_le_add; first by rewrite ltNge no.
by apply: ler_sum => c _; rewrite leNgt; apply/negP => lt; move: (no c); rewrite ltW.
Qed.
End HiddenCode.
