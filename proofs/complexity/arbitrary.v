(* The deployment complexity of linear MDPs with arbitrary policies: at least (H - 1) / l with l the logarithm of
   N (H - 1) to the base d - 2, rounded up, and at most H, if all directions can be reached.

   What separates the two bounds is the factor l: N trajectories of one deployment may guess l digits of a code by
   chance, and an algorithm that made use of this would need fewer deployments; Algorithm 2 makes one for each layer.
   The upper bound needs that the features reach nu in every layer and that the law of the first state is known.  The
   lower bound needs neither, and holds in this class too, for nu up to 1 / (2 sqrt d). *)
From derl.common Require Import real_prelude reals.
From derl.potential Require Import sharp.
From derl.lower_bounds Require Import game locks gate trajectories lock features conclusion.
From derl.foundations Require Import rewards policies.
From derl.layerwise Require Import sizes theorem.
From derl.algorithm_one Require Import trajectory_law setting.
From derl.algorithm_one Require deployment_complexity.
From derl.algorithm_two Require Import exploration.
From derl.complexity Require Import definition classes hidden_arm upper theorem reached hidden_code reached_lock
  reached_unknown.

(* what the hard instances are called *)
Local Notation code_of n d' := (locks.code n d'.+1).

(* the probability of failure is above 1 / (2e) *)
Lemma failure_above (d n N K l : nat) : (2 <= d)%N -> (2 <= n)%N -> (1 <= N)%N -> (N * n <= d ^ l)%N ->
  (K * l <= n.-1)%N -> (exp (-1))%coqR / 2%:R < (1 - d%:R^-1) * (1 - n%:R^-1) ^+ K :> R.
Proof.
move=> d2 n2 N1 Nn Kl; have law1 : is_law (fun _ : unit => 1 : R).
  by split=> [_|]; [exact: ler01|rewrite (big_pred1 tt) // => -[]].
have d0 : (0 < d)%N by exact: ltnW.
have dep : deployed R_realFieldType d.
  exact: (Deployed (@best.knows_proper R_realFieldType n d [ffun=> Ordinal d0] (Ordinal d0))).
have e0 : 0 < (8%:R^-1 : R) by rewrite invr_gt0 ltr0n.
have eb : 2%:R * 8%:R^-1 < 2%:R^-1 :> R.
  have -> : 2%:R * 8%:R^-1 = 4%:R^-1 :> R by field.
  by rewrite ltf_pinv ?posrE ?ltr0n // ltr_nat.
have [c [_ lt]] := thm_lower_arbitrary_repaired (fun _ : unit => Strategy (fun _ => dep) (fun _ => dep))
  d2 n2 N1 Nn Kl e0 eb (lexx _) law1.
exact: lt.
Qed.

(* the two dimensions and the number of layers of the locks *)
Lemma numbers_of_lock d H : (4 <= d)%N -> (3 <= H)%N -> exists d' n,
  [/\ d = (d'.+1 + 2)%N, H = n.+1, (0 < d')%N, (2 <= n)%N & (d - 2 = d'.+1)%N /\ (H - 1 = n)%N].
Proof.
move=> d4 H3; exists (d - 3)%N, (H - 1)%N; case: H H3 => // H; rewrite ltnS subn1 /= => H2.
have dE : (d - 2 = (d - 3).+1)%N by rewrite -subSn ?(ltnW d4) // subSS.
by split=> //; rewrite -?dE ?subnK ?subn_gt0 ?(leq_trans _ d4).
Qed.

(* [thm-lower-arbitrary-repaired] in the words of Definition 2.1: for every learner, with a random seed of any law, that
   deploys any policies K times, some linear MDP with dimension d, H layers and one feature map makes it fail with
   probability at least (1 - 1 / (d - 2)) (1 - 1 / (H - 1))^K, which is above 1 / (2e), if K l <= H - 2 *)
Theorem hidden_code_bound d H N eps : (4 <= d)%N -> (3 <= H)%N -> (1 <= N)%N -> 0 < eps < 4%:R^-1 ->
  exists2 t : task d, one_map t & forall (L : learner H N t) K, (K * up_log (d - 2) (N * (H - 1)) <= H - 2)%N ->
    (forall w : world t, linear_mdp H w -> has_mean L (chance_near_best w K eps)) ->
    exists2 w : world t, linear_mdp H w &
      mean_of L (chance_near_best w K eps) <= 1 - (1 - (d - 2)%:R^-1) * (1 - (H - 1)%:R^-1) ^+ K /\
      mean_of L (chance_near_best w K eps) < 1 - (exp (-1))%coqR / 2%:R.
Proof.
move=> d4 H3 N1 /andP[e0 e1]; have [d' [n [dE HE d0 n2 [-> H1]]]] := numbers_of_lock d4 H3.
have -> : (H - 2 = n.-1)%N by rewrite -H1 -subn1 -subnDA.
rewrite H1; subst d H; have n0 : (0 < n)%N by exact: ltnW.
have b01 : 0 < (2%:R^-1 : R) <= 2%:R^-1 by rewrite invr_gt0 ltr0n lexx.
pose phi := fun _ : nat => feature_vector R_realFieldType (d := d'.+1).
pose rho (s : gate.state) : R := (s == None)%:R.
have hrho : is_law rho.
  by split=> [s|]; [exact: ler0n|rewrite /rho (bigD1 None) //= big1 ?addr0 // => s /negPf ->].
have start : 0 < rho None by exact: ltr01.
have eb : 2%:R * eps < rho None * 2%:R^-1.
  rewrite mul1r mulrC -ltr_pdivl_mulr ?ltr0n // -invfM -natrM; exact: e1.
exists (code_task n phi) => [//|L K Kl def].
have {}Nl := up_logP (N * n) (d0 : (1 < d'.+1)%N).
have lin (c : code_of n d') : linear_mdp n.+1 (code_world (2%:R^-1 : R) phi rho c).
  by apply: code_linear => //; [rewrite lexx invr_ge0 ler0n|left].
have [c le] := hidden_code b01 n0 hrho start N1 Nl Kl eb (fun c => def _ (lin c)).
exists (code_world 2%:R^-1 phi rho c) => //; split=> //; apply: le_lt_trans le _.
rewrite ltr_add2l ltr_opp2; exact: failure_above N1 Nl Kl.
Qed.

(* the same among the linear MDPs that reach nu, where the law of the first state is known *)
Theorem reached_code_bound d H N eps nu : (4 <= d)%N -> (3 <= H)%N -> (1 <= N)%N -> 0 < eps < 8%:R^-1 ->
  4%:R * d%:R * nu ^+ 2 <= 1 ->
  exists (t : task d) (rho : states t -> R), forall (L : learner H N t) K, (K * up_log (d - 2) (N * (H - 1)) <= H - 2)%N
    -> (forall w : world t, linear_mdp H w -> (forall s, first w s = rho s) -> reaches nu H w ->
      has_mean L (chance_near_best w K eps)) ->
    exists2 w : world t, [/\ linear_mdp H w, forall s, first w s = rho s & reaches nu H w] &
      mean_of L (chance_near_best w K eps) < 1 - (exp (-1))%coqR / 2%:R.
Proof.
move=> d4 H3 N1 /andP[e0 e1] small; have [d' [n [dE HE d0 n2 [-> H1]]]] := numbers_of_lock d4 H3.
have -> : (H - 2 = n.-1)%N by rewrite -H1 -subn1 -subnDA.
rewrite H1; subst d H; have n0 : (0 < n)%N by exact: ltnW.
have b01 : 0 < (2%:R^-1 : R) <= 2%:R^-1 by rewrite invr_gt0 ltr0n lexx.
have start : 0 < half_start None by rewrite invr_gt0 ltr0n.
have eb : 2%:R * eps < half_start None * 2%:R^-1.
  rewrite mulrC -ltr_pdivl_mulr ?ltr0n //; apply: lt_le_trans e1 _.
  by rewrite /half_start le_eqVlt; apply/orP; left; apply/eqP; field.
exists (code_task n (@code_features n d')), half_start => L K Kl def.
have Nl := up_logP (N * n) (d0 : (1 < d'.+1)%N).
have b01' : 0 <= (2%:R^-1 : R) <= 2%:R^-1 by rewrite lexx invr_ge0 ler0n.
have lin (c : code_of n d') : linear_mdp n.+1 (code_world (2%:R^-1 : R) (@code_features n d') half_start c).
  apply: code_linear => // [|h hn|]; first exact: half_start_law.
    by rewrite /code_features (ltn_eqF hn).
  by right; rewrite /code_features eqxx.
have reach (c : code_of n d') : reaches nu n.+1 (code_world (2%:R^-1 : R) (@code_features n d') half_start c).
  exact: reached_lock.
have [c le] := hidden_code b01 n0 half_start_law start N1 Nl Kl eb (fun c => def _ (lin c) (fun _ => erefl) (reach c)).
exists (code_world 2%:R^-1 (@code_features n d') half_start c); first by split.
apply: le_lt_trans le _; rewrite ltr_add2l ltr_opp2; exact: failure_above N1 Nl Kl.
Qed.

(* what K deployments of any policies achieve needs K l >= H - 1 *)
Lemma arbitrary_needs d H N eps delta K : (4 <= d)%N -> (3 <= H)%N -> (1 <= N)%N -> 0 < eps < 4%:R^-1 ->
  delta <= (exp (-1))%coqR / 2%:R ->
  achievable one_map arbitrary d H N eps delta K -> (H - 1 <= K * up_log (d - 2) (N * (H - 1)))%N.
Proof.
move=> d4 H3 N1 he hd ach; have [t one hard] := hidden_code_bound d4 H3 N1 he; have [L [_ suc]] := ach t one.
rewrite leqNgt; apply/negP => lt; have Kl : (K * up_log (d - 2) (N * (H - 1)) <= H - 2)%N.
  by rewrite -ltnS -subSn ?(leq_trans _ H3) // subSS.
have [w lin [_ below]] := hard L K Kl (fun w lin => proj1 (suc w lin)).
have [_ above] := suc w lin; move: (le_lt_trans above below).
by rewrite ltr_add2l ltr_opp2 ltNge hd.
Qed.

Lemma reached_needs nu d H N eps delta K : (4 <= d)%N -> (3 <= H)%N -> (1 <= N)%N -> 0 < eps < 8%:R^-1 ->
  4%:R * d%:R * nu ^+ 2 <= 1 -> delta <= (exp (-1))%coqR / 2%:R ->
  achievable_reached arbitrary nu d H N eps delta K -> (H - 1 <= K * up_log (d - 2) (N * (H - 1)))%N.
Proof.
move=> d4 H3 N1 he hn hd ach; have [t [rho hard]] := reached_code_bound d4 H3 N1 he hn; have [L [_ suc]] := ach t rho.
rewrite leqNgt; apply/negP => lt; have Kl : (K * up_log (d - 2) (N * (H - 1)) <= H - 2)%N.
  by rewrite -ltnS -subSn ?(leq_trans _ H3) // subSS.
have [w [lin same reach] below] := hard L K Kl (fun w lin same reach => proj1 (suc w lin same reach)).
have [_ above] := suc w lin same reach; move: (le_lt_trans above below).
by rewrite ltr_add2l ltr_opp2 ltNge hd.
Qed.

Lemma level_below_one (delta : R) : 0 < delta -> delta <= (exp (-1))%coqR / 2%:R -> 0 < delta < 1.
Proof.
move=> t0 t1; rewrite t0 /=; apply: le_lt_trans t1 _; rewrite ltr_pdivr_mulr ?ltr0n // mul1r.
apply: (@lt_trans _ _ (1 : R)); last by rewrite ltr1n.
apply: (@lt_le_trans _ _ (exp 0)%coqR); last by rewrite exp_0.
by apply/RltP; apply: exp_increasing; Lra.lra.
Qed.

(* [res-arbitrary-complexity]: for d >= 4, H >= 3, 0 < epsilon < 1/4, 0 < delta <= 1/(2e) and every N from the printed
   bound of Theorem 4.1 on, the deployment complexity K with arbitrary policies satisfies
   H - 1 <= K l and K <= 2 d H + 1, in any class that contains the tasks with one feature map for all layers *)
Theorem arbitrary_deployment_complexity (tasks : class) (d H N : nat) (eps delta : R) :
  (forall t : task d, one_map t -> tasks d t) ->
  (4 <= d)%N -> (3 <= H)%N -> 0 < eps < 4%:R^-1 -> 0 < delta <= (exp (-1))%coqR / 2%:R ->
  (printed_size 4 (10 ^ 20) 2 (INR d) (INR H) eps (ln (INR H * INR d / (delta * eps))) <= INR N)%coqR ->
  exists K : nat,
    [/\ deployment_complexity_is tasks arbitrary d H N eps delta K,
        (H - 1 <= K * up_log (d - 2) (N * (H - 1)))%N & (K <= 2 * d * H + 1)%N].
Proof.
move=> some d4 H3 he /andP[t0 t1] size; have /andP[e0 e1] := he.
have R2 : (2%:R = 2 :> R)%coqR by rewrite natE /=; Lra.lra.
have dH : (2 <= d * H)%N by apply: leq_trans (leq_mul d4 H3).
have ok : numbers_allowed d H eps delta 2%:R.
  split; rewrite ?e0 ?lexx ?(level_below_one t0 t1) //=.
  by apply: le_trans (ltW e1) _; rewrite invf_le1 ?ltr0n // ler1n.
have up := layerwise_achieves (N := N) ok; rewrite R2 in up; have {}up := up size.
have N1 : (0 < N)%N := deployment_complexity.N_pos size.
have fl : (floor (2%coqR * d%:R * H%:R)%R <= 2 * d * H)%N.
  rewrite -R2 -(ler_nat R_numDomainType); apply: le_trans (floor_below _) _.
    by rewrite !mulr_ge0 ?ler0n.
  by rewrite -!natrM.
have [_ [K [hK le]]] := arbitrary_needs_no_more
  (achieved_for_fewer (fun _ _ => Logic.I) up : achievable tasks _ _ _ _ _ _ _).
exists K; split=> //; first exact: (arbitrary_needs d4 H3 N1 he t1 (achieved_for_fewer some (proj1 hK))).
by apply: leq_trans le _; rewrite leq_add2r.
Qed.

(* [res-reached-complexity]: for all d and H, 0 < epsilon <= 1, 0 < delta < 1, 0 < nu <= 1 and every N from the printed
   bound of Theorem R on, H deployments of arbitrary policies are enough among the linear MDPs that reach nu, if the law
   of the first state is known.  For d >= 4, H >= 3, epsilon < 1/8, delta <= 1/(2e) and nu <= 1/(2 sqrt d) the
   deployment complexity K in this class satisfies H - 1 <= K l and K <= H *)
Theorem reached_deployment_complexity (d H N : nat) (eps delta nu : R) :
  (1 <= d)%N -> (1 <= H)%N -> 0 < eps <= 1 -> 0 < delta < 1 -> 0 < nu <= 1 ->
  (sample_size d H eps delta nu <= INR N)%coqR ->
  achievable_reached arbitrary nu d H N eps delta H /\
  ((4 <= d)%N -> (3 <= H)%N -> eps < 8%:R^-1 -> delta <= (exp (-1))%coqR / 2%:R -> 4%:R * d%:R * nu ^+ 2 <= 1 ->
    exists K : nat,
      [/\ reached_complexity_is arbitrary nu d H N eps delta K,
          (H - 1 <= K * up_log (d - 2) (N * (H - 1)))%N & (K <= H)%N]).
Proof.
move=> d0 H0 e01 t01 nu01 size; have up := exploration_achieves d0 H0 e01 t01 nu01 size; split=> // d4 H3 e8 t1 small.
have N1 := N0 d0 H0 e01 t01 nu01 size; have [K [hK le]] := least_exists up.
have he : 0 < eps < 8%:R^-1 by rewrite e8 andbT; case/andP: e01.
by exists K; split=> //; apply: (reached_needs d4 H3 N1 he small t1 (proj1 hK)).
Qed.
