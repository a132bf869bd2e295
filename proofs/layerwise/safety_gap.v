(* The loss of a policy that is good for a truncated MDP: the bound, and that it is attained. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism truncation.

Section Late.
Variable R : realFieldType.
(* one state; from layer h on the action true is worth 1 *)
Definition late_reward h (l : nat) (_ : unit) (a : bool) : R := ((h <= l)%N && a)%:R.
(* there is one state to go to; the policy that always takes action b *)
Definition stay (_ : nat) (_ : unit) (_ : bool) (_ : unit) : R := 1.
Definition always_action (b : bool) (_ : nat) (_ : unit) (a : bool) : R := (a == b)%:R.

Lemma late_value h b k l : value stay (always_action b) (late_reward h) l k tt =
  (if b then \sum_(l <= j < l + k) (h <= j)%N else 0)%N%:R.
Proof.
elim: k l => [|k IH] l /=; first by rewrite addn0 big_geq //; case: b.
have one (F : unit -> R) : \sum_s F s = F tt by rewrite (big_pred1 tt) // => -[].
rewrite big_bool /= /always_action /late_reward !one /stay !mul1r IH.
case: b {IH} => /=; rewrite ?mul1r ?mul0r ?addr0 ?add0r ?andbF ?andbT; last by rewrite ?addr0.
by rewrite -natrD addnS [in RHS]big_ltn ?ltnS ?leq_addr // addSn.
Qed.
End Late.

(* [res-safety-gap], whole: a policy that is eps-optimal for the MDP truncated at layer h loses at most H - h + eps
   over all H layers; and H - h is attained, for every h and H *)
Theorem res_safety_gap_whole (R : realFieldType) :
  (forall (S A : finType) (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R) (rho : S -> R)
    (pi mu : nat -> S -> A -> R) (h H : nat) (eps : R),
    (forall h s a, is_law (P h s a)) -> (forall h s a, 0 <= r h s a <= 1) -> is_law rho ->
    (forall h s, is_law (pi h s)) -> (forall h s, is_law (mu h s)) -> (h <= H)%N ->
    let J p L := \sum_s rho s * value P p r 0 L s in
    J mu h - J pi h <= eps -> J mu H - J pi H <= (H - h)%:R + eps) /\
  forall h H, (h <= H)%N -> exists (S A : finType) (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R) (rho : S -> R)
    (pi mu : nat -> S -> A -> R), let J p L := \sum_s rho s * value P p r 0 L s in
    [/\ forall h s a, is_law (P h s a), forall h s a, 0 <= r h s a <= 1, is_law rho &
      [/\ forall h s, is_law (pi h s), forall h s, is_law (mu h s),
        forall nu, (forall h s, is_law (nu h s)) -> J nu h <= J pi h & J mu H - J pi H = (H - h)%:R]].
Proof.
split; first by move=> S A P r rho pi mu h H eps; exact: res_safety_gap.
move=> h H hH; exists unit_finType, bool_finType, (@stay R), (late_reward R h), (fun=> 1), (always_action R false),
  (always_action R true).
have one (F : unit -> R) : \sum_s F s = F tt by rewrite (big_pred1 tt) // => -[].
have r01 l s a : 0 <= late_reward R h l s a <= 1 by rewrite /late_reward ler0n lern1 leq_b1.
have lawP l s a : is_law (stay R l s a) by split=> [t|]; [exact: ler01|rewrite one].
have lawa b l s : is_law (always_action R b l s).
  by split=> [a|]; [exact: ler0n|rewrite big_bool /always_action; case: b; rewrite /= ?addr0 ?add0r].
have early nu k l : (l + k <= h)%N -> value (@stay R) nu (late_reward R h) l k tt = 0.
  elim: k l => [//|k IH] l lk /=; apply: big1 => a _; rewrite one IH ?addSnnS // mulr0 addr0.
  by rewrite /late_reward leqNgt (leq_trans _ lk) ?mulr0 // addnS ltnS leq_addr.
move=> J; split=> //; first by split=> [s|]; [exact: ler01|rewrite one].
split=> //; first by move=> nu _; rewrite /J !one !early.
rewrite /J !one !mul1r !late_value subr0 add0n; congr (_%:R).
rewrite (@big_cat_nat _ _ _ h) //= [X in (X + _)%N]big_nat_cond big1 ?add0n => [|j /andP [/andP [_ jh] _]]; last first.
  by rewrite leqNgt jh.
rewrite big_nat_cond (eq_bigr (fun=> 1%N)) => [|j /andP [/andP [-> _] _] //].
by rewrite -big_nat_cond sum_nat_const_nat muln1.
Qed.

(* control: H - h - 1 is not enough, one layer *)
Theorem res_safety_gap_control (R : realFieldType) : ~ (forall (S A : finType) (P : nat -> S -> A -> S -> R)
    (r : nat -> S -> A -> R) (rho : S -> R) (pi mu : nat -> S -> A -> R) (h H : nat) (eps : R),
    (forall h s a, is_law (P h s a)) -> (forall h s a, 0 <= r h s a <= 1) -> is_law rho ->
    (forall h s, is_law (pi h s)) -> (forall h s, is_law (mu h s)) -> (h < H)%N ->
    let J p L := \sum_s rho s * value P p r 0 L s in
    J mu h - J pi h <= eps -> J mu H - J pi H <= (H - h.+1)%:R + eps).
Proof.
have [_ /(_ 0%N 1%N isT) [S [A [P [r [rho [pi [mu [hP hr hrho [hpi hmu best e]]]]]]]]]] := res_safety_gap_whole R.
move=> claim; have := claim S A P r rho pi mu 0%N 1%N 0 hP hr hrho hpi hmu isT.
by rewrite /= subr_le0 => /(_ (best mu hmu)); rewrite e subnn add0r ler10.
Qed.
