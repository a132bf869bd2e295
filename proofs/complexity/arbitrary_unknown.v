(* The deployment complexity with arbitrary policies among the linear MDPs that reach nu, for rewards that are not told:
   the bounds of `reached_deployment_complexity`, with the same number of trajectories. *)
From derl.common Require Import real_prelude reals.
From derl.potential Require Import sharp.
From derl.lower_bounds Require Import game locks.
From derl.algorithm_two Require Import exploration.
From derl.complexity Require Import definition upper unknown_rewards reached reached_unknown arbitrary.
From derl.complexity Require Import arbitrary_controls.

(* [res-reached-unknown]: for all d and H, 0 < epsilon <= 1, 0 < delta < 1, 0 < nu <= 1 and every N from the printed
   bound of Theorem R on, H deployments of arbitrary policies are enough among the linear MDPs that reach nu, if the law
   of the first state is known and the rewards are seen in the data only.  For d >= 4, H >= 3, epsilon < 1/8,
   delta <= 1/(2e) and nu <= 1/(2 sqrt d) the deployment complexity K in this class satisfies H - 1 <= K l and K <= H *)
Theorem reached_unknown_complexity (d H N : nat) (eps delta nu : R) :
  (1 <= d)%N -> (1 <= H)%N -> 0 < eps <= 1 -> 0 < delta < 1 -> 0 < nu <= 1 ->
  (sample_size d H eps delta nu <= INR N)%coqR ->
  achievable_reached_unknown arbitrary nu d H N eps delta H /\
  ((4 <= d)%N -> (3 <= H)%N -> eps < 8%:R^-1 -> delta <= (exp (-1))%coqR / 2%:R -> 4%:R * d%:R * nu ^+ 2 <= 1 ->
    exists K : nat,
      [/\ reached_unknown_complexity_is arbitrary nu d H N eps delta K,
          (H - 1 <= K * up_log (d - 2) (N * (H - 1)))%N & (K <= H)%N]).
Proof.
move=> d0 H0 e01 t01 nu01 size; have up := exploration_learns d0 H0 e01 t01 nu01 size; split=> // d4 H3 e8 t1 small.
have N1 := N0 d0 H0 e01 t01 nu01 size; have [K [hK le]] := least_exists up.
have he : 0 < eps < 8%:R^-1 by rewrite e8 andbT; case/andP: e01.
by exists K; split=> //; apply: (reached_needs d4 H3 N1 he small t1 (achievable_reached_told (proj1 hK))).
Qed.

(* control: without the bound on N *)
Theorem reached_unknown_control : ~ (forall (d H N : nat) (eps delta nu : R),
  (1 <= d)%N -> (1 <= H)%N -> 0 < eps <= 1 -> 0 < delta < 1 -> 0 < nu <= 1 ->
  achievable_reached_unknown arbitrary nu d H N eps delta H).
Proof.
move=> claim; apply: reached_complexity_control => d H N eps delta nu d0 H0 e01 t01 nu01.
exact: achievable_reached_told (claim d H N eps delta nu d0 H0 e01 t01 nu01).
Qed.
