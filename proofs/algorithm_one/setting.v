(* What Theorem 4.1 assumes of the numbers and of the model. *)
From derl.common Require Import real_prelude.
From derl.lower_bounds Require Import game.
From derl.foundations Require Import rewards.

(* the numbers: d H >= 2, 0 < epsilon <= 1, 0 < delta < 1, c_K >= 2 *)
Definition numbers_allowed (d H : nat) (eps delta cK : R) : Prop :=
  [/\ (2 <= d * H)%N, 0 < eps <= 1, 0 < delta < 1 & 2%:R <= cK].

(* the model: a law of the first state, Assumption 1 in every layer, rewards in [0, 1] *)
Definition linear_model (S A : finType) d (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R) (rho : S -> R)
    (phi : nat -> S -> A -> 'cV[R]_d) : Prop :=
  exists (mu : nat -> S -> 'cV[R]_d) (theta : nat -> 'cV[R]_d),
  [/\ is_law rho, forall h, assumption_one (phi h) (mu h) (theta h) (P h) (r h) & forall h s a, 0 <= r h s a <= 1].
