(* The paper's template of hard instances (Appendix B.1) as an explicit Markov decision
   process, with the completion r_0(s_0) = 0 and r_(H-1)(u) = 1/2 of this book. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.

Section Template.
(* n is the paper's H: layers 0, ..., n; d states s_h^j in each layer from 1 on; core h is
   the index of the core state of layer h, the same in all instances; b is the bias *)
Variables (R : realFieldType) (n d : nat) (core : nat -> 'I_d) (b : R).

(* None is s_0; Some (inl j) is the state s_h^j; Some (inr x) is u1 (false) or u2 (true) *)
Definition tstate : finType := [finType of option ('I_d + bool)].
(* one step shows the action and the next state *)
Definition tstep : finType := [finType of 'I_d * tstate].
(* a policy: the probability of an action after any steps *)
Definition tpolicy := seq tstep -> tstate -> 'I_d -> R.
(* in every state, after any steps, the policy is a law on the actions *)
Definition tproper (pi : tpolicy) := forall pre s, is_law (pi pre s).

(* a place for the optimal state: a layer 1, ..., n - 1 and a state that is not the core *)
Definition place : finType := [finType of {p : 'I_n * 'I_d | (0 < p.1)%N && (p.2 != core p.1)}].
(* state j of layer h is the place i *)
Definition at_place (i : place) (h : nat) (j : 'I_d) : bool := ((val i).1 == h :> nat) && ((val i).2 == j).
(* the bias of state j of layer h, where o is the hidden place, if any *)
Definition tbias (o : option place) (h : nat) (j : 'I_d) : R := if o is Some i then if at_place i h j then b else 0
  else 0.

(* the states with a choice: s_0 and the core states *)
Definition is_core (h : nat) (s : tstate) : bool :=
  match s with None => true | Some (inl j) => j == core h | Some (inr _) => false end.
(* transitions: action a of a core state of layer h leads to s_(h+1)^a; a normal state leads
   to u1 or u2, whatever the action; u1 and u2 stay *)
Definition tkernel (o : option place) (h : nat) (s : tstate) (a : 'I_d) (s' : tstate) : R :=
  if is_core h s then (s' == Some (inl a))%:R else
  match s with
  | Some (inl j) => match s' with
      | Some (inr x) => if x then 2%:R^-1 + tbias o h j else 2%:R^-1 - tbias o h j
      | _ => 0 end
  | _ => (s' == s)%:R
  end.
(* s_0 pays nothing; all states of the layers 1, ..., n pay 1/2, except that in layer n
   u1 pays nothing and u2 pays 1 *)
Definition treward (h : nat) (s : tstate) : R :=
  if h == 0%N then 0 else if s is Some (inr x) then (if h == n then x%:R else 2%:R^-1) else 2%:R^-1.

(* the value of layers h, ..., n, with k = n - h steps to go *)
Fixpoint tvalue (o : option place) (pi : tpolicy) h pre s k : R :=
  treward h s + if k is k'.+1 then
    \sum_a pi pre s a * (\sum_s' tkernel o h s a s' * tvalue o pi h.+1 (rcons pre (a, s')) s' k')
  else 0.
(* the value of a policy from s_0 on *)
Definition tJ o pi := tvalue o pi 0 [::] None n.

(* the state s of layer h is the place i *)
Definition here (i : place) (h : nat) (s : tstate) : bool :=
  match s with Some (inl j) => at_place i h j | _ => false end.
(* the probability of visiting the place i in the layers h, ..., n *)
Fixpoint visits (i : place) (pi : tpolicy) h pre (s : tstate) k : R :=
  (here i h s)%:R +
  if k is k'.+1 then
    if is_core h s then \sum_a pi pre s a * visits i pi h.+1 (rcons pre (a, Some (inl a))) (Some (inl a)) k'
    else 0
  else 0.
(* the probability that one trajectory of pi visits the place i *)
Definition tq i pi := visits i pi 0 [::] None n.

Lemma sum_tstate (F : tstate -> R) :
  \sum_s F s = F None + \sum_j F (Some (inl j)) + (F (Some (inr true)) + F (Some (inr false))).
Proof.
rewrite (bigD1 None) //= -addrA; congr (_ + _).
rewrite (reindex_onto Some (odflt (inr true))) => [|[x|] //].
rewrite (eq_bigl xpredT) => [|x]; last by rewrite /= eqxx.
by rewrite big_sumType /= big_bool.
Qed.

Lemma place_layer (i : place) : (0 < (val i).1 < n)%N.
Proof. by rewrite ltn_ord andbT; case: i => p /= /andP[]. Qed.
Lemma place_core (i : place) h : at_place i h (core h) = false.
Proof.
apply/negP => /andP[/eqP e1 /eqP e2]; case: i e1 e2 => [[l j] /= /andP[_ /eqP c]] e1 e2.
by apply: c; rewrite e2 e1.
Qed.
Lemma place_last (i : place) j : at_place i n j = false.
Proof. by apply/negP => /andP[/eqP e _]; have := place_layer i; rewrite e ltnn andbF. Qed.

Lemma here_core (i : place) h s : is_core h s -> here i h s = false.
Proof. by case: s => [[j|x]|] //= /eqP ->; exact: place_core. Qed.

Lemma tkernel_law o h s a : 0 <= b <= 2%:R^-1 -> is_law (tkernel o h s a).
Proof.
move=> /andP[b0 b1]; rewrite /tkernel; case: (is_core h s).
  split=> [s'|]; first exact: ler0n.
  by rewrite (bigD1 (Some (inl a))) //= eqxx big1 ?addr0 // => s' /negPf ->.
have one (s0 : tstate) : is_law (fun s' : tstate => (s' == s0)%:R : R).
  split=> [s'|]; first exact: ler0n.
  by rewrite (bigD1 s0) //= eqxx big1 ?addr0 // => s' /negPf ->.
case: s => [[j|x]|]; try exact: one.
have t0 : 0 <= tbias o h j by rewrite /tbias; case: o => [i|//]; case: ifP.
have t1 : tbias o h j <= 2%:R^-1.
  by rewrite /tbias; case: o {t0} => [i|]; [case: ifP => // _|]; rewrite invr_ge0 ler0n.
split=> [[[k|[]]|]|] //; first by rewrite addr_ge0 ?invr_ge0 ?ler0n.
  by rewrite subr_ge0.
by rewrite sum_tstate /= big1 // !add0r; field.
Qed.

Lemma tvalue_end o pi x k h pre : tproper pi -> (h + k)%N = n -> (0 < h)%N ->
  tvalue o pi h pre (Some (inr x)) k = k%:R / 2%:R + x%:R.
Proof.
move=> hp; elim: k h pre => [|k IH] h pre hk h0.
  have hn : h == n by rewrite -hk addn0.
  by rewrite /= /treward (gtn_eqF h0) hn addr0 mul0r add0r.
have hn : (h == n) = false by apply/negP => /eqP e; move: hk; rewrite e -[RHS]addn0 => /addnI.
rewrite /= /treward (gtn_eqF h0) hn.
have e a : \sum_s' tkernel o h (Some (inr x)) a s' * tvalue o pi h.+1 (rcons pre (a, s')) s' k =
    k%:R / 2%:R + x%:R.
  rewrite (bigD1 (Some (inr x))) //= /tkernel /= eqxx mul1r IH ?addSnnS // big1 ?addr0 // => s' ne.
  by rewrite (negPf ne) mul0r.
under eq_bigr do rewrite e; rewrite -mulr_suml (proj2 (hp _ _)) mul1r.
by rewrite -[k.+1]addn1 natrD; field.
Qed.

Lemma tvalue_visits i pi k h pre s : tproper pi -> (h + k)%N = n -> (h = 0%N -> s = None) ->
  (if s is Some (inr _) then False else True) ->
  tvalue (Some i) pi h pre s k = (0 < h)%N%:R / 2%:R + k%:R / 2%:R + b * visits i pi h pre s k.
Proof.
move=> hp; have n0 : (0 < n)%N by case/andP: (place_layer i) => _; exact: leq_ltn_trans.
elim: k h pre s => [|k IH] h pre s hk h0 ns.
  have hn : h = n by rewrite -hk addn0.
  rewrite /= hn n0 /treward (gtn_eqF n0) mul0r !addr0.
  by case: s h0 ns => [[j|x]|] //= _ _; rewrite ?place_last mulr0 addr0 mul1r.
have hn : (h == n) = false by apply/negP => /eqP e; move: hk; rewrite e -[RHS]addn0 => /addnI.
have rE : treward h s = (0 < h)%N%:R / 2%:R.
  rewrite /treward; case: h hn h0 {hk} => [|h] hn h0 /=; first by rewrite mul0r.
  by case: s ns {h0} => [[j|x]|] //= _; rewrite mul1r.
rewrite /= rE -!addrA; congr (_ + _); case c : (is_core h s).
  rewrite (here_core _ c) add0r.
  have e a : \sum_s' tkernel (Some i) h s a s' * tvalue (Some i) pi h.+1 (rcons pre (a, s')) s' k =
      k.+1%:R / 2%:R + b * visits i pi h.+1 (rcons pre (a, Some (inl a))) (Some (inl a)) k.
    rewrite /tkernel c (bigD1 (Some (inl a))) //= eqxx mul1r IH ?addSnnS //= big1 ?addr0 => [|s' /negPf ->].
      by rewrite -[k.+1]addn1 natrD; field.
    by rewrite mul0r.
  under eq_bigr do rewrite e mulrDr; rewrite big_split /= -mulr_suml (proj2 (hp _ _)) mul1r.
  by congr (_ + _); rewrite mulr_sumr; apply: eq_bigr => a _; rewrite mulrCA.
case: s c h0 ns {rE} => [[j|x]|] //= c h0 _; rewrite addr0.
have e a : \sum_s' tkernel (Some i) h (Some (inl j)) a s' * tvalue (Some i) pi h.+1 (rcons pre (a, s')) s' k =
    k.+1%:R / 2%:R + b * (at_place i h j)%:R.
  rewrite sum_tstate /tkernel /= c mul0r add0r big1 => [|j' _]; last by rewrite mul0r.
  rewrite !tvalue_end ?addSnnS // add0r /tbias -[k.+1]addn1 natrD.
  by case: (at_place i h j) => /=; field.
by under eq_bigr do rewrite e; rewrite -mulr_suml (proj2 (hp _ _)) mul1r.
Qed.

(* J(pi) = H/2 + b q(pi), for every policy *)
Theorem template_value i pi : tproper pi -> tJ (Some i) pi = n%:R / 2%:R + b * tq i pi.
Proof. by move=> hp; rewrite /tJ tvalue_visits //= mul0r add0r. Qed.

Lemma visits_bounds i pi k h pre s : tproper pi -> 0 <= visits i pi h pre s k <= 1.
Proof.
move=> hp; elim: k h pre s => [|k IH] h pre s /=.
  by rewrite addr0 ler0n lern1 leq_b1.
case c : (is_core h s); last by rewrite addr0 ler0n lern1 leq_b1.
rewrite (here_core _ c) add0r; apply/andP; split.
  by apply: sumr_ge0 => a _; rewrite mulr_ge0 //;
    [case: (hp pre s)|case/andP: (IH h.+1 (rcons pre (a, Some (inl a))) (Some (inl a)))].
rewrite -[leRHS](proj2 (hp pre s)); apply: ler_sum => a _; rewrite ler_pimulr //.
  by case: (hp pre s).
by case/andP: (IH h.+1 (rcons pre (a, Some (inl a))) (Some (inl a))).
Qed.

Lemma place_inj (i j : place) h k : at_place i h k -> at_place j h k -> i = j.
Proof.
move=> /andP[/eqP i1 /eqP i2] /andP[/eqP j1 /eqP j2]; apply/val_inj.
case: (val i) (val j) i1 i2 j1 j2 => [a1 a2] [b1 b2] /= <- <- e1 ->; congr (_, _).
exact/val_inj/esym.
Qed.

(* two places share the probability of one path *)
Lemma visits_two i j pi k h pre s : tproper pi -> i != j ->
  visits i pi h pre s k + visits j pi h pre s k <= 1.
Proof.
move=> hp ij.
have one (s0 : tstate) h0 : (here i h0 s0)%:R + (here j h0 s0)%:R <= 1 :> R.
  rewrite -natrD lern1; case: s0 => [[l|x]|] //=.
  case ai : (at_place i h0 l); case aj : (at_place j h0 l) => //.
  by case/eqP: ij; exact: place_inj ai aj.
elim: k h pre s => [|k IH] h pre s /=; first by rewrite !addr0 one.
case c : (is_core h s); last by rewrite !addr0 one.
rewrite !(here_core _ c) !add0r -[leRHS](proj2 (hp pre s)) -big_split /=; apply: ler_sum => a _.
by rewrite -mulrDr ler_pimulr //; case: (hp pre s).
Qed.

Lemma card_place : #|place| = (d.-1 * n.-1)%N.
Proof.
rewrite card_sig -sum1_card big_mkcond /=.
rewrite -(pair_big xpredT xpredT (fun (h : 'I_n) (j : 'I_d) => if (0 < h)%N && (j != core h) then 1 else 0)%N) /=.
rewrite (eq_bigr (fun h : 'I_n => if (0 < h)%N then d.-1 else 0)%N) => [|h _].
  case: n => [|m]; first by rewrite big_ord0 muln0.
  by rewrite big_ord_recl /= add0n (eq_bigr (fun=> d.-1)) // sum_nat_const card_ord mulnC.
case: ifP => _; last by rewrite big1.
rewrite -big_mkcond /= sum1_card (eq_card (_ : _ =i predC1 (core h))) => [|j]; last by rewrite !inE.
by rewrite cardC1 card_ord.
Qed.

End Template.
