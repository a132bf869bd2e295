(* Assumption 1 allows rewards above 1, and what the cap of Algorithm 4 then does. *)
From derl.common Require Import prelude forms.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism.

(* Assumption 1 for one layer: transitions and rewards are linear in the features, with the
   three norms; the norm of the measures is that of sum_s v(s) mu(s) for |v| <= 1 *)
Definition assumption_one (R : realFieldType) (d : nat) (S A : finType) (phi : S -> A -> 'cV[R]_d)
    (mu : S -> 'cV[R]_d) (theta : 'cV[R]_d) (P : S -> A -> S -> R) (r : S -> A -> R) : Prop :=
  [/\ (forall s a, is_law (P s a)) /\ (forall s a s', P s a s' = ((mu s')^T *m phi s a) ord0 ord0),
      forall s a, r s a = (theta^T *m phi s a) ord0 ord0,
      forall s a, qf 1%:M (phi s a) <= 1,
      qf 1%:M theta <= d%:R &
      forall v : S -> R, (forall s, `|v s| <= 1) -> qf 1%:M (\sum_s v s *: mu s) <= d%:R].

Definition vec4 (a b : rat) : 'cV[rat]_4 := \col_i nth 0 [:: a; b] i.
(* one state, two actions: features (4/5, 3/5, 0, 0) and (11/20, 3/5, 0, 0) *)
Definition rich_phi (s : unit) (a : bool) : 'cV[rat]_4 :=
  vec4 (if a then 4%:R / 5%:R else 11%:R / 20%:R) (3%:R / 5%:R).
Definition rich_mu (s : unit) : 'cV[rat]_4 := vec4 0 (5%:R / 3%:R).
Definition rich_theta : 'cV[rat]_4 := vec4 2%:R 0.
Definition rich_reward (s : unit) (a : bool) : rat := if a then 8%:R / 5%:R else 11%:R / 10%:R.

Lemma vec4_dot a b x y : ((vec4 a b)^T *m vec4 x y) ord0 ord0 = a * x + b * y.
Proof.
by rewrite mxE !big_ord_recl big_ord0 !mxE /= !mulr0 !addr0.
Qed.


Lemma vec4_sq a b : qf 1%:M (vec4 a b) = a * a + b * b.
Proof. by rewrite /qf bil1 vec4_dot. Qed.

Lemma rich_linear : assumption_one rich_phi rich_mu rich_theta (fun _ _ _ => 1) rich_reward.
Proof.
split.
- split=> [s a|s a s'].
    by split=> [o|]; [exact: ler01|rewrite sum_unit].
  by rewrite /rich_mu /rich_phi vec4_dot; case: a; apply: (elimT eqP); vm_compute.
- by move=> s a; rewrite /rich_theta /rich_phi vec4_dot; case: a; apply: (elimT eqP); vm_compute.
- by move=> s a; rewrite /rich_phi vec4_sq; case: a; vm_compute.
- by rewrite /rich_theta vec4_sq; vm_compute.
- move=> v hv; rewrite sum_unit qfZr /rich_mu vec4_sq.
  have h : v tt ^+ 2 <= 1.
    by rewrite -real_normK ?num_real // expr_le1.
  by apply: le_trans (ler_wpmul2r _ h) _; vm_compute.
Qed.

(* [asm-bounded-rewards] is false *)
Theorem asm_bounded_rewards_refuted : ~ (forall (d : nat) (S A : finType) (phi : S -> A -> 'cV[rat]_d)
  mu theta P r, assumption_one phi mu theta P r -> forall s a, 0 <= r s a <= 1).
Proof.
by move=> h; have := h 4%N _ _ _ _ _ _ _ rich_linear tt true; rewrite /rich_reward; vm_compute.
Qed.

(* what Assumption 1 does give: r^2 <= d *)
Theorem asm_rewards_bounded (R : realFieldType) (d : nat) (S A : finType) (phi : S -> A -> 'cV[R]_d)
  mu theta P r : assumption_one phi mu theta P r -> forall s a, r s a ^+ 2 <= d%:R.
Proof.
move=> [_ hr h1 ht _] s a; rewrite hr.
have := cauchy theta (phi s a) (pd_psd (pd1 R d)); rewrite bil1 => h; apply: le_trans h _.
by rewrite -[leRHS]mulr1 ler_pmul ?qf1_ge0.
Qed.

(* [thm-reward-free], [thm-arbitrary-informal] and [thm-arbitrary-formal] for rewards of
   Assumption 1: with H = 1 the planner's Q is min (w^T phi + r + u, 1) with w = 0, and u >= 0
   whatever the data; both actions have Q = 1, and the worse one loses 1/2 *)
Theorem planner_cap_refuted : exists (phi : unit -> bool -> 'cV[rat]_4) mu theta P r,
  assumption_one phi mu theta P r /\
  forall u : nat -> unit -> bool -> rat, (forall h s a, 0 <= u h s a) ->
    (forall h s a, Qcap (fun _ => r) 1 (fun _ _ _ => 0) u h s a <=
                   Qcap (fun _ => r) 1 (fun _ _ _ => 0) u h s false) /\
    r tt true - r tt false = 2%:R^-1.
Proof.
exists rich_phi, rich_mu, rich_theta, (fun _ _ _ => 1), rich_reward; split; first exact: rich_linear.
move=> u u0; have one h s a : Qcap (fun _ => rich_reward) 1 (fun _ _ _ => 0) u h s a = 1.
  rewrite /Qcap add0r; apply/min_idPr; apply: (@le_trans _ _ (rich_reward s a)).
    by rewrite /rich_reward; case: a; vm_compute.
  by rewrite ler_addl.
by split=> [h s a|]; [rewrite !one|rewrite /rich_reward; apply: (elimT eqP); vm_compute].
Qed.
