(* The hard instances as explicit Markov decision processes: a gate g, where
   some actions stay, and two absorbing states.  One definition serves the
   compact bandit and the combination lock. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.

Section Gate.
Variables (R : realFieldType) (n d : nat).

(* states: None is the gate g, Some false is u1, Some true is u2 *)
Definition state := option bool.
(* the d actions *)
Definition action := 'I_d.
(* what one step shows: the action and the next state *)
Definition step : Type := (action * state)%type.
(* a policy: any function of the steps so far; `pi pre s a` is the probability
   of action a in state s after the steps pre *)
Definition policy := seq step -> state -> action -> R.
(* in every state, after any steps, the policy is a law on the actions *)
Definition proper (pi : policy) := forall pre s, is_law (pi pre s).

(* an instance: which actions stay at g in layer h < n, and by how much the exit
   of an action that does not stay is biased towards u2 *)
Record instance := Instance { stays : nat -> action -> bool; bias : nat -> action -> R }.

(* transition probabilities: u1 and u2 are absorbing *)
Definition kernel (M : instance) (h : nat) (s : state) (a : action) (s' : state) : R :=
  match s, s' with
  | Some x, _ => (s' == Some x)%:R
  | None, None => (stays M h a)%:R
  | None, Some x => if stays M h a then 0
                    else if x then 2%:R^-1 + bias M h a else 2%:R^-1 - bias M h a
  end.
(* layer 0 pays nothing, the layers between pay 1/2; in layer n, u1 pays nothing
   and u2 pays 1 *)
Definition reward (h : nat) (s : state) : R :=
  if h == 0%N then 0 else if h == n then (if s is Some x then x%:R else 2%:R^-1) else 2%:R^-1.

(* biases are at most 1/2, so that transition probabilities are probabilities *)
Definition mild (M : instance) := forall h a, `|bias M h a| <= 2%:R^-1.

Lemma sum_state (F : state -> R) : \sum_s F s = F None + F (Some true) + F (Some false).
Proof.
rewrite (bigD1 None) //= -addrA; congr (_ + _).
rewrite (bigD1 (Some true)) //=; congr (_ + _).
rewrite (bigD1 (Some false)) //= big1 ?addr0 // => -[[]|]; by rewrite ?eqxx ?andbF.
Qed.

Lemma kernel_law M h s a : mild M -> is_law (kernel M h s a).
Proof.
move=> hM; split=> [s'|].
  case: s => [x|]; case: s' => [y|] //=; rewrite ?ler0n //.
  have := hM h a; rewrite ler_norml => /andP[h1 h2].
  case: ifP => // _; case: y.
    by rewrite addrC -ler_subl_addr sub0r.
  by rewrite subr_ge0.
rewrite sum_state; case: s => [x|] /=.
  by case: x; rewrite ?add0r ?addr0 ?mulr1n.
case: (stays M h a) => /=; first by rewrite !addr0.
by rewrite add0r; field.
Qed.

(* the law of the steps of one trajectory from layer h on *)
Fixpoint traj (M : instance) (pi : policy) h pre s (t : seq step) : R :=
  if t is (a, s') :: t' then
    pi pre s a * kernel M h s a s' * traj M pi h.+1 (rcons pre (a, s')) s' t'
  else 1.

(* the value of layers h, ..., n, with k = n - h steps to go (the action in layer n
   changes nothing and is left out) *)
Fixpoint value (M : instance) (pi : policy) h pre s k : R :=
  reward h s + if k is k'.+1 then
    \sum_a pi pre s a * \sum_s' kernel M h s a s' * value M pi h.+1 (rcons pre (a, s')) s' k'
  else 0.
(* the value of a policy from the first state g on *)
Definition J (M : instance) (pi : policy) := value M pi 0 [::] None n.

(* the expected bias of the exit from g *)
Fixpoint exit_bias (M : instance) (pi : policy) h pre k : R :=
  if k is k'.+1 then
    \sum_a pi pre None a * (if stays M h a then exit_bias M pi h.+1 (rcons pre (a, None)) k'
                            else bias M h a)
  else 0.

Lemma value_end M pi x k h pre : proper pi -> (h + k)%N = n -> (0 < h)%N ->
  value M pi h pre (Some x) k = k%:R / 2%:R + x%:R.
Proof.
move=> hp; elim: k h pre => [|k IH] h pre hk h0.
  have hn : h == n by rewrite -hk addn0.
  by rewrite /= /reward (gtn_eqF h0) hn addr0 mul0r add0r.
have hn : (h == n) = false by apply/negP => /eqP e; move: hk; rewrite e -[RHS]addn0 => /addnI.
rewrite /= /reward (gtn_eqF h0) hn.
have e a : \sum_s' kernel M h (Some x) a s' * value M pi h.+1 (rcons pre (a, s')) s' k =
    k%:R / 2%:R + x%:R.
  rewrite (bigD1 (Some x)) //= eqxx mul1r IH ?addSnnS // big1 ?addr0 // => s' ne.
  by rewrite (negPf ne) mul0r.
under eq_bigr do rewrite e; rewrite -mulr_suml (proj2 (hp _ _)) mul1r.
by rewrite -[k.+1]addn1 natrD; field.
Qed.

Lemma value_gate M pi k h pre : proper pi -> (h + k)%N = n ->
  value M pi h pre None k = (0 < h)%N%:R / 2%:R + k%:R / 2%:R + exit_bias M pi h pre k.
Proof.
move=> hp; elim: k h pre => [|k IH] h pre hk.
  have hn : h == n by rewrite -hk addn0.
  rewrite /= /reward hn !addr0 mul0r addr0.
  by case: (h) => [|h'] /=; rewrite ?mul0r ?mul1r.
have hn : (h == n) = false by apply/negP => /eqP e; move: hk; rewrite e -[RHS]addn0 => /addnI.
rewrite /= {1}/reward hn.
have e a : \sum_s' kernel M h None a s' * value M pi h.+1 (rcons pre (a, s')) s' k =
    k.+1%:R / 2%:R + (if stays M h a then exit_bias M pi h.+1 (rcons pre (a, None)) k
                            else bias M h a).
  rewrite sum_state /=; case: (stays M h a) => /=.
    rewrite !mul0r !addr0 mul1r IH ?addSnnS //= -[k.+1]addn1 natrD.
    by move: (exit_bias _ _ _ _ _) (k%:R) => u v; field.
  rewrite mul0r add0r !value_end ?addSnnS // -[k.+1]addn1 natrD /=.
  by move: (bias _ _ _) (k%:R) => u v; field.
under eq_bigr do rewrite e mulrDr; rewrite big_split /= -mulr_suml (proj2 (hp _ _)) mul1r.
rewrite -addrA; case: h hk hn e => [|h] hk hn e /=; first by rewrite mul0r !add0r.
by rewrite mul1r addrA.
Qed.

(* every policy is worth n/2 plus its expected exit bias *)
Theorem gate_value M pi : proper pi -> J M pi = n%:R / 2%:R + exit_bias M pi 0 [::] n.
Proof. by move=> hp; rewrite /J value_gate // mul0r add0r. Qed.

(* Assumption 1: one feature map of dimension d + 2 for all these instances *)
Definition feature (s : state) (a : action) : 'I_(d + 2) -> R := fun i =>
  match s, split i with
  | None, inl j => (j == a)%:R
  | Some x, inr j => ((j == 1%N :> nat) == x)%:R
  | _, _ => 0
  end.
(* the measure mu_h of a next state s': transition probabilities are its products with the features *)
Definition measure (M : instance) (h : nat) (s' : state) : 'I_(d + 2) -> R := fun i =>
  match split i with
  | inl a => kernel M h None a s'
  | inr j => (s' == Some (j == 1%N :> nat))%:R
  end.
(* the vector theta_h: rewards are its products with the features *)
Definition theta (h : nat) : 'I_(d + 2) -> R := fun i =>
  match split i with
  | inl a => reward h None
  | inr j => reward h (Some (j == 1%N :> nat))
  end.

Lemma inner_feature (F : 'I_d -> R) (G : bool -> R) s a :
  \sum_i (match split i with inl j => F j | inr j => G (j == 1%N :> nat) end) * feature s a i =
  if s is Some x then G x else F a.
Proof.
rewrite big_split_ord /=.
under eq_bigr do rewrite /feature (unsplitK (inl _)).
under [X in _ + X]eq_bigr do rewrite /feature (unsplitK (inr _)).
case: s => [x|].
  under eq_bigr do rewrite mulr0.
  by rewrite sumr_const mul0rn add0r !big_ord_recl big_ord0 /=; case: x; rewrite /= ?mulr1 ?mulr0 ?addr0 ?add0r.
rewrite [X in _ + X]big1 => [|i _]; last by rewrite mulr0.
rewrite addr0 (bigD1 a) //= eqxx mulr1 big1 ?addr0 // => i ia.
by rewrite (negPf ia) mulr0.
Qed.

(* transitions and rewards are linear in the features *)
Theorem gate_linear M h s a s' :
  kernel M h s a s' = \sum_i measure M h s' i * feature s a i /\
  reward h s = \sum_i theta h i * feature s a i.
Proof.
split.
  rewrite (inner_feature (fun a => kernel M h None a s') (fun x => (s' == Some x)%:R)).
  by case: s.
rewrite (inner_feature (fun _ => reward h None) (fun x => reward h (Some x))).
by case: s.
Qed.

End Gate.
