(* The best of N independent draws: its exact law, the union bound, and the average over many
   laws by the tangent of (1 - q)^N. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite chebyshev.

(* (1 - q)^N is above its tangent at u *)
Lemma tangent (R : realFieldType) (q u : R) N : 0 <= q <= 1 -> 0 <= u <= 1 ->
  (1 - u) ^+ N - N%:R * (1 - u) ^+ N.-1 * (q - u) <= (1 - q) ^+ N.
Proof.
move=> /andP[q0 q1] /andP[u0 u1].
have v0 : 0 <= 1 - u by rewrite subr_ge0.
have p0 : 0 <= 1 - q by rewrite subr_ge0.
elim: N => [|[|N] IH]; first by rewrite !expr0 !mul0r subr0.
  by rewrite !expr1 expr0; have -> : 1 - u - 1 * 1 * (q - u) = 1 - q by ring.
rewrite exprS [leRHS]exprS; apply: le_trans (ler_wpmul2l p0 IH).
rewrite -subr_ge0 /= !exprS.
have -> : (1 - q) * ((1 - u) * (1 - u) ^+ N - N.+1%:R * (1 - u) ^+ N * (q - u)) -
   ((1 - u) * ((1 - u) * (1 - u) ^+ N) - N.+2%:R * ((1 - u) * (1 - u) ^+ N) * (q - u)) =
   N.+1%:R * (1 - u) ^+ N * (q - u) ^+ 2.
  by rewrite -[N.+2]addn1 natrD; ring.
by apply: mulr_ge0; [apply: mulr_ge0; [exact: ler0n|exact: exprn_ge0]|exact: sqr_ge0].
Qed.

(* if the probabilities q c of single successes are at most u on average, N independent tries
   succeed with probability at most 1 - (1 - u)^N on average *)
Lemma average_tries (R : realFieldType) (C : finType) (q : C -> R) (u : R) N :
  (forall c, 0 <= q c <= 1) -> 0 <= u <= 1 -> \sum_c q c <= #|C|%:R * u ->
  \sum_c (1 - (1 - q c) ^+ N) <= #|C|%:R * (1 - (1 - u) ^+ N).
Proof.
move=> hq hu hs; have /andP[u0 u1] := hu.
pose t : R := N%:R * (1 - u) ^+ N.-1.
have t0 : 0 <= t by rewrite mulr_ge0 ?ler0n // exprn_ge0 // subr_ge0.
apply: (@le_trans _ _ (\sum_c ((1 - (1 - u) ^+ N) + t * (q c - u)))).
  apply: ler_sum => c _; rewrite -addrA ler_add2l ler_oppl opprD opprK; exact: tangent.
rewrite big_split /= sumr_const -[X in X + _]mulr_natl -[leRHS]addr0 ler_add2l -mulr_sumr.
rewrite mulr_ge0_le0 // sumrB sumr_const -[X in _ - X]mulr_natl subr_le0 //.
Qed.

Section Best.
Variables (R : realFieldType) (T : finType) (N : nat) (p : T -> R).
Hypothesis hp : is_law p.

(* none of the N draws is good *)
Lemma none_good (good : pred T) :
  \sum_(o : {ffun 'I_N -> T} | [forall i, ~~ good (o i)]) draws p o = (1 - \sum_(t | good t) p t) ^+ N.
Proof.
have -> : 1 - \sum_(t | good t) p t = \sum_t p t * (~~ good t)%:R.
  rewrite -[X in X - _](proj2 hp) [X in X - _](bigID good) /= addrC addKr [LHS]big_mkcond; apply: eq_bigr => t _.
  by case: (good t); rewrite ?mulr0 ?mulr1.
set S := \sum_t _; have -> : S ^+ N = \prod_(i < N) S by rewrite prodr_const card_ord.
rewrite /S bigA_distr_bigA [LHS]big_mkcond /=; apply: eq_bigr => o _.
rewrite big_split /=; case: ifP => [/forallP h|/negbT].
  by rewrite [X in _ * X]big1 ?mulr1 // => i _; rewrite h.
rewrite negb_forall => /existsP [i /negPn hi].
by rewrite [X in _ * X](bigD1 i) //= hi mul0r mulr0.
Qed.

Lemma some_good (good : pred T) :
  \sum_(o : {ffun 'I_N -> T} | [exists i, good (o i)]) draws p o = 1 - (1 - \sum_(t | good t) p t) ^+ N.
Proof.
rewrite -none_good -[X in X - _](proj2 (draws_is_law N hp)).
rewrite [X in X - _](bigID (fun o : {ffun 'I_N -> T} => [exists i, good (o i)])) /= addrC.
rewrite [X in _ + (_ + X)](eq_bigl (fun o : {ffun 'I_N -> T} => [forall i, ~~ good (o i)])) => [|o].
  by rewrite addrC addrK.
by rewrite negb_exists.
Qed.

Lemma single_range (good : pred T) : 0 <= \sum_(t | good t) p t <= 1.
Proof.
have [p0 p1] := hp; rewrite sumr_ge0 //= -p1 [leRHS](bigID good) /= ler_addl.
by apply: sumr_ge0.
Qed.
End Best.

(* 1 - (1 - q)^N <= N q *)
Lemma tries_union (R : realFieldType) (q : R) N : 0 <= q <= 1 -> 1 - (1 - q) ^+ N <= N%:R * q.
Proof.
move=> hq; have := @tangent R q 0 N hq; rewrite lexx ler01 !subr0 !expr1n mulr1 => /(_ isT).
by rewrite ler_subl_addr -ler_subl_addl.
Qed.

(* the best of the draws, as a number *)
Lemma best_exists (T : finType) (N : nat) (f : T -> nat) (o : {ffun 'I_N -> T}) k : (0 < k)%N ->
  (k <= \max_(i < N) f (o i))%N = [exists i, (k <= f (o i))%N].
Proof.
move=> k0; apply/idP/existsP => [|[i hi]]; last exact: leq_trans hi (leq_bigmax i).
move=> h0; apply/existsP; apply: contraTT h0; rewrite negb_exists => /forallP h.
rewrite -ltnNge -[X in (_ < X)%N](prednK k0) ltnS; apply/bigmax_leqP => i _.
by rewrite -ltnS (prednK k0) ltnNge h.
Qed.
