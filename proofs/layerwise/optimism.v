(* Lemma C.5, repaired: on the concentration event the optimistic values are above
   those of every policy, and the greedy policy loses at most twice its expected
   bonuses. *)
From derl.common Require Import prelude forms.
From derl.lower_bounds Require Import game.

Section Optimism.
Variables (R : realFieldType) (S A : finType).
(* transition probabilities and rewards; layers are 0, 1, ... *)
Variables (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R).

(* the value of a Markov policy, possibly stochastic, from layer h on with k layers
   to go: truncated at layer h + k *)
Fixpoint value (mu : nat -> S -> A -> R) (rew : nat -> S -> A -> R) h k s : R :=
  if k is k'.+1 then
    \sum_a mu h s a * (rew h s a + \sum_s' P h s a s' * value mu rew h.+1 k' s')
  else 0.
(* a deterministic policy as a stochastic one *)
Definition det (g : nat -> S -> A) h s a : R := (a == g h s)%:R.

(* the capped optimistic value of an action, given the estimate `est` of the next
   expected value and the bonus *)
Definition Qcap (Hcap : R) (est bonus : nat -> S -> A -> R) h s a : R :=
  Num.min (est h s a + r h s a + bonus h s a) Hcap.
(* V^k: the greedy value in the layers below L, nothing from L on *)
Definition Vopt Hcap est bonus (g : nat -> S -> A) L h s : R :=
  if (h < L)%N then Qcap Hcap est bonus h s (g h s) else 0.

Lemma sum_det g h s (F : A -> R) : \sum_a det g h s a * F a = F (g h s).
Proof.
rewrite (bigD1 (g h s)) //= /det eqxx mul1r big1 ?addr0 // => a /negPf ->.
by rewrite mul0r.
Qed.
Lemma det_law g h s : is_law (det g h s).
Proof.
split=> [a|]; first by rewrite /det ler0n.
by have := sum_det g h s (fun _ => 1); under eq_bigr do rewrite mulr1.
Qed.

Lemma mean_le T (p F G : T -> R) (s : seq T) : (forall a, 0 <= p a) -> (forall a, F a <= G a) ->
  \sum_(a <- s) p a * F a <= \sum_(a <- s) p a * G a.
Proof. by move=> p0 h; apply: ler_sum => a _; rewrite ler_wpmul2l. Qed.

Lemma mean_bound (T : finType) (p F : T -> R) (c : R) : is_law p -> (forall a, F a <= c) ->
  \sum_a p a * F a <= c.
Proof.
move=> [p0 p1] h; have -> : c = \sum_a p a * c by rewrite -mulr_suml p1 mul1r.
exact: mean_le.
Qed.

Lemma combine (v e u b x y z : R) :
  v <= e + u + b -> e - x <= b -> x - y <= 2%:R * z -> v - (u + y) <= 2%:R * (b + z).
Proof.
move=> e1 e2 e3; rewrite -subr_ge0.
have -> : 2%:R * (b + z) - (v - (u + y)) = (e + u + b - v) + (b - (e - x)) + (2%:R * z - (x - y)).
  by ring.
by apply: addr_ge0; [apply: addr_ge0|]; rewrite subr_ge0.
Qed.

(* Both inequalities, in every state and from every layer on.  The event: the
   estimate is within the bonus of the true expectation of the next value. *)
Theorem optimism Hcap est bonus g L mu :
  (forall h s a, is_law (P h s a)) -> (forall h s, is_law (mu h s)) ->
  (forall h s a, 0 <= r h s a <= 1) -> L%:R <= Hcap ->
  (forall h s a, Qcap Hcap est bonus h s a <= Qcap Hcap est bonus h s (g h s)) ->
  (forall h s a, (h < L)%N ->
    `|est h s a - \sum_s' P h s a s' * Vopt Hcap est bonus g L h.+1 s'| <= bonus h s a) ->
  forall h k s, (h + k)%N = L ->
    value mu r h k s <= Vopt Hcap est bonus g L h s /\
    Vopt Hcap est bonus g L h s - value (det g) r h k s <= 2%:R * value (det g) bonus h k s.
Proof.
move=> hP hmu hr hL greedy event h k; elim: k h => [|k IH] h s hk.
  by rewrite /Vopt ltnNge -hk addn0 leqnn /= subrr mulr0.
have hL' : (h < L)%N by rewrite -hk addnS ltnS leq_addr.
have hk' : (h.+1 + k)%N = L by rewrite addSnnS.
set V := Vopt Hcap est bonus g L; split.
  (* V is above every policy *)
  have below a : r h s a + \sum_s' P h s a s' * value mu r h.+1 k s' <= V h s.
    rewrite /V /Vopt hL'; apply: le_trans (greedy h s a); rewrite /Qcap le_minr; apply/andP; split.
      have le1 : \sum_s' P h s a s' * value mu r h.+1 k s' <= \sum_s' P h s a s' * V h.+1 s'.
        apply: mean_le; first exact: (proj1 (hP h s a)).
        by move=> s'; case: (IH h.+1 s' hk').
      have := event h s a hL'; rewrite ler_norml => /andP[e _].
      rewrite -/V in e.
      have -> : est h s a + r h s a + bonus h s a = r h s a + (est h s a + bonus h s a) by ring.
      rewrite ler_add2l; apply: le_trans le1 _.
      by rewrite -ler_subl_addr addrC -ler_subr_addr.
    (* the value of k + 1 rewards is at most the cap *)
    have vmax : forall k' h' s', value mu r h' k' s' <= k'%:R.
      elim=> [|k' IHk] h' s' /=; first exact: lexx.
      apply: mean_bound => // a'; rewrite -[k'.+1]add1n natrD; apply: ler_add.
        by case/andP: (hr h' s' a').
      by apply: mean_bound.
    apply: le_trans hL; apply: (@le_trans _ _ (k.+1)%:R); last by rewrite ler_nat -hk leq_addl.
    rewrite -[k.+1]add1n natrD; apply: ler_add; first by case/andP: (hr h s a).
    by apply: mean_bound.
  by rewrite /=; apply: mean_bound.
(* the greedy policy *)
rewrite /= !sum_det; set a := g h s.
have e1 : V h s <= est h s a + r h s a + bonus h s a.
  by rewrite /V /Vopt hL' /Qcap le_minl lexx.
have e2 := event h s a hL'; rewrite -/V ler_norml in e2; case/andP: e2 => _ e2.
have e3 : \sum_s' P h s a s' * V h.+1 s' - \sum_s' P h s a s' * value (det g) r h.+1 k s' <=
    2%:R * \sum_s' P h s a s' * value (det g) bonus h.+1 k s'.
  rewrite -sumrB mulr_sumr; apply: ler_sum => s' _; rewrite -mulrBr mulrCA.
  by rewrite ler_wpmul2l ?(proj1 (hP h s a)) //; case: (IH h.+1 s' hk').
exact: combine e1 e2 e3.
Qed.
End Optimism.

Section Features.
Variables (R : rcfType) (S A : finType) (d : nat).
Variables (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R).

(* [lem-overestimation-repaired], whole: w_h^T phi is the regression, beta times the
   norm of phi in Lambda_h^-1 the bonus; the MDP is truncated at layer L <= H; mu is
   any policy, the best one among them; values are averaged over the first state. *)
Theorem lem_overestimation_repaired (phi : nat -> S -> A -> 'cV[R]_d)
    (w : nat -> 'cV[R]_d) (Lam : nat -> 'M[R]_d) (beta : R) (H L : nat)
    (g : nat -> S -> A) (mu : nat -> S -> A -> R) (rho : S -> R) :
  let est h s a := ((w h)^T *m phi h s a) ord0 ord0 in
  let bonus h s a := beta * Num.sqrt (qf (invmx (Lam h)) (phi h s a)) in
  let Q := Qcap r H%:R est bonus in
  let V := Vopt r H%:R est bonus g L in
  (L <= H)%N -> is_law rho ->
  (forall h s a, is_law (P h s a)) -> (forall h s, is_law (mu h s)) ->
  (forall h s a, 0 <= r h s a <= 1) ->
  (forall h s a, Q h s a <= Q h s (g h s)) ->
  (forall h s a, (h < L)%N -> `|est h s a - \sum_s' P h s a s' * V h.+1 s'| <= bonus h s a) ->
  (forall s, value P mu r 0 L s <= V 0%N s) /\
  \sum_s rho s * (value P mu r 0 L s - value P (det R g) r 0 L s) <=
  2%:R * (\sum_s rho s * value P (det R g) bonus 0 L s).
Proof.
move=> est bonus Q V LH [rho0 rho1] hP hmu hr greedy event.
have hL : L%:R <= H%:R :> R by rewrite ler_nat.
have O s := optimism hP hmu hr hL greedy event s (add0n L).
split=> [s|]; first by case: (O s).
rewrite mulr_sumr; apply: ler_sum => s _; rewrite mulrCA ler_wpmul2l //.
have [h1 h2] := O s; apply: le_trans h2; by rewrite ler_add2r.
Qed.
End Features.
