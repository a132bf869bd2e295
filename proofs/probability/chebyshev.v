(* Chebyshev's inequality for independent draws of one law. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.

Section Chebyshev.
Variables (R : realFieldType) (T : finType) (N : nat) (p : T -> R).
Hypothesis hp : is_law p.
(* the law of N independent draws *)
Definition draws (o : {ffun 'I_N -> T}) : R := \prod_(i < N) p (o i).

Lemma draws_is_law : is_law draws.
Proof.
split=> [o|]; first by apply: prodr_ge0 => i _; case: hp.
rewrite /draws -(bigA_distr_bigA (fun _ t => p t)).
by apply: big1 => i _; exact: (proj2 hp).
Qed.

Lemma draws_two (g : T -> R) (i j : 'I_N) : \sum_t p t * g t = 0 ->
  \sum_o draws o * (g (o i) * g (o j)) = (i == j)%:R * \sum_t p t * g t ^+ 2.
Proof.
move=> g0; pose F (k : 'I_N) (t : T) : R := p t * ((if k == i then g t else 1) * (if k == j then g t else 1)).
transitivity (\prod_(k < N) \sum_t F k t).
  rewrite bigA_distr_bigA; apply: eq_bigr => o _; rewrite big_split /= big_split /=; congr (_ * _).
  congr (_ * _).
    by rewrite (bigD1 i) //= eqxx big1 ?mulr1 // => k /negPf ->.
  by rewrite (bigD1 j) //= eqxx big1 ?mulr1 // => k /negPf ->.
rewrite (bigD1 i) //= {1}/F eqxx; case: (eqVneq i j) => [ij|ij].
  rewrite [X in _ * X]big1 ?mulr1 ?mul1r => [|k /negPf ki].
    by apply: eq_bigr => t _; rewrite expr2.
  by rewrite /F -ij ki; under eq_bigr do rewrite !mulr1; exact: (proj2 hp).
by under eq_bigr do rewrite mulr1; rewrite g0 !mul0r.
Qed.

(* a sum of N independent draws with mean m and variance at most v each is off N m by s or more
   with probability at most N v / s^2 *)
Theorem chebyshev (f : T -> R) (m v s : R) : mean p f = m ->
  \sum_t p t * (f t - m) ^+ 2 <= v -> 0 < s ->
  prob draws (fun o => s <= `|\sum_i f (o i) - N%:R * m|) <= N%:R * v / s ^+ 2.
Proof.
move=> hm hv s0; have s2 : 0 < s ^+ 2 by rewrite exprn_gt0.
pose g t := f t - m.
have g0 : \sum_t p t * g t = 0.
  by under eq_bigr do rewrite mulrBr; rewrite sumrB -mulr_suml (proj2 hp) mul1r -hm subrr.
have eg (o : {ffun 'I_N -> T}) : \sum_i f (o i) - N%:R * m = \sum_i g (o i).
  by rewrite /g sumrB [X in _ = _ - X]sumr_const card_ord mulr_natl.
rewrite ler_pdivl_mulr // /prob mulr_suml.
apply: (@le_trans _ _ (\sum_(o : {ffun 'I_N -> T}) draws o * (\sum_i g (o i)) ^+ 2)).
  rewrite [leRHS](bigID (fun o : {ffun 'I_N -> T} => s <= `|\sum_i f (o i) - N%:R * m|)) /= -[leLHS]addr0.
  have d0 o : 0 <= draws o by case: draws_is_law.
  apply: ler_add; last by apply: sumr_ge0 => o _; rewrite mulr_ge0 ?sqr_ge0.
  apply: ler_sum => o; rewrite eg => so; rewrite ler_wpmul2l // -(real_normK (num_real (\sum_i _))).
  by rewrite ler_pexpn2r ?nnegrE // ltW.
have -> : \sum_(o : {ffun 'I_N -> T}) draws o * (\sum_i g (o i)) ^+ 2 =
    \sum_i \sum_j \sum_(o : {ffun 'I_N -> T}) draws o * (g (o i) * g (o j)).
  under [RHS]eq_bigr do rewrite exchange_big /=; rewrite [RHS]exchange_big /=; apply: eq_bigr => o _.
  rewrite expr2 mulr_suml mulr_sumr; apply: eq_bigr => i _.
  by rewrite mulr_sumr mulr_sumr.
under eq_bigr => i _ do under eq_bigr => j _ do rewrite draws_two //.
have -> : N%:R * v = \sum_(i < N) v by rewrite sumr_const card_ord mulr_natl.
apply: ler_sum => i _; rewrite (bigD1 i) //= eqxx mul1r [X in _ + X]big1 ?addr0 // => j /negPf ji.
by rewrite eq_sym ji mul0r.
Qed.
End Chebyshev.
