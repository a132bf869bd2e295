(* Near variants of the bounds on junk locks that are false, and what a bait costs. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks frontier chains.
From derl.probability Require Import finite chebyshev best_of.
From derl.beyond Require Import sums junk_lock junk_game junk_bounds.

Section AllDigits.
(* one layer, three digits, N = 3: one deployment plays all digits, and then everything is known *)
Variable R : realFieldType.
Local Notation data := [finType of {ffun 'I_3 -> {ffun 'I_1 -> 'I_3 * place 3}}].
Local Notation one k := ([ffun=> k] : code 1 3).
(* the law of one value *)
Definition sure (T : finType) (t : T) : T -> R := fun t' => (t' == t)%:R.
Lemma sure_law (T : finType) (t : T) : is_law (sure t).
Proof. by split=> [t'|]; rewrite /sure ?ler0n // (bigD1 t) //= eqxx big1 ?addr0 // => t' /negPf ->. Qed.
Lemma sure_sum (T : finType) (t : T) (F : T -> R) : \sum_t' sure t t' * F t' = F t.
Proof. by rewrite (bigD1 t) //= /sure eqxx mul1r big1 ?addr0 // => t' /negPf ->; rewrite mul0r. Qed.

Definition every_digit : {ffun 'I_3 -> code 1 3} := [ffun k => one k].
(* after a hit play the code or another digit, as the sign says *)
Definition best_guess (o : data) : code 1 3 :=
  if [pick k | (o k ord0).2 == ends 3 (Some true)] is Some k then one k
  else if [pick k | (o k ord0).2 == ends 3 (Some false)] is Some k then one (lift k (ord0 : 'I_2)) else one ord0.
Definition try_all : strategy data (deployed R 1 3 3) (returned R 1 3) :=
  Strategy (fun _ => Deployed (sure_law every_digit))
           (fun h => Returned (sure_law (best_guess (head [ffun=> [ffun=> (ord0, gate 3)]] h)))).

Lemma try_all_right (eps : R) j u s : 0 <= eps -> misses eps (@junk_lock 1 2 j u s) try_all 1 = 0.
Proof.
move=> e0; set w := junk_lock j u s; have fw : fair w by exact: junk_fair.
rewrite /misses (sum_tuple_cons 0 (fun h => history (fun x : deployed R 1 3 3 => deploy_law w x) try_all [::] h *
  (~~ optimal eps w (output try_all h))%:R)).
rewrite (eq_bigr (fun o => deploy_law w (Deployed (sure_law every_digit)) o *
    (~~ optimal eps w (Returned (sure_law (best_guess o))))%:R)) => [|o _]; last first.
  by rewrite (big_pred1 [tuple]) => [|t]; [rewrite /= mulr1|rewrite [t]tuple0; apply/esym/eqP].
apply: big1 => o _; rewrite /deploy_law sure_sum; case: eqP => [->|_]; last by rewrite mul0r.
rewrite mul1r; suff -> : optimal eps w (Returned (sure_law (best_guess (seen w every_digit)))) by [].
pose k0 := digit w ord0; have dw : digit w = one k0.
  by apply/ffunP => i; rewrite !ffunE (ord1 i) /k0 /w /= ffunE.
have sees k : (seen w every_digit k ord0).2 = if k == k0 then ends 3 (Some s) else ends 3 None.
  rewrite ffunE (transcript_path _ _ fw) insubF // shares_all dw ffunE.
  have -> : (one k == one k0) = (k == k0) by apply/eqP/eqP => [/ffunP/(_ ord0)|-> //]; rewrite !ffunE.
  by [].
rewrite /optimal (junk_value (ltn0Sn 0) _ fw) /best_worth.
have tell q : [pick k | (seen w every_digit k ord0).2 == ends 3 (Some q)] = if q == s then Some k0 else None.
  case: pickP => [k|none]; rewrite ?sees; last by have := none k0; rewrite sees eqxx; case: (q) (s) => [] [].
  by case: (eqVneq k k0) => [->|_] //; case: (q) (s) => [] [].
rewrite /best_guess !tell dw /w /=; case: (s) => /=.
  by rewrite /sure eqxx mulr1 (_ : 2%:R^-1 + 2%:R^-1 = 1 :> R) ?ler_subl_addr ?ler_addl //; field.
have -> : sure (one (lift k0 (ord0 : 'I_2))) (one k0) = 0.
  rewrite /sure (_ : (_ == _) = false) //; apply/negbTE/eqP => /ffunP/(_ ord0); rewrite !ffunE => /eqP.
  by rewrite (negPf (neq_lift _ _)).
by rewrite mulr0 addr0 ler_subl_addr ler_addl.
Qed.

Lemma one_algorithm : is_law (fun _ : unit => 1 : R).
Proof. by split=> [_|]; [exact: ler01|rewrite (big_pred1 tt) // => -[]]. Qed.
Lemma try_all_mixed (eps : R) j u s : 0 <= eps ->
  \sum_(v : unit) 1 * misses eps (@junk_lock 1 2 j u s) try_all 1 = 0.
Proof. by move=> e0; rewrite big1 // => v _; rewrite try_all_right ?mulr0. Qed.
End AllDigits.

(* control: N - 1 in the place of N; one layer, three digits, N = 3 *)
Theorem first_deployment_control (R : realFieldType) : ~ (forall (n b N : nat) (eps : R) (W : finType) (w : W -> R)
    (psi : W -> strategy [finType of {ffun 'I_N -> {ffun 'I_n -> 'I_b.+1 * place b.+1}}] (deployed R n b.+1 N)
  (returned R n b.+1)), (0 < n)%N -> (0 < b)%N -> (0 < N)%N -> 0 <= eps < 4%:R^-1 -> is_law w ->
  exists j u s, 2%:R^-1 * (1 - N.-1%:R / (b.+1 ^ n)%:R) <= \sum_v w v * misses eps (@junk_lock n b j u s) (psi v) 1).
Proof.
move=> claim; have e4 : 0 <= (0 : R) < 4%:R^-1 by rewrite lexx invr_gt0 ltr0n.
have [j [u [s]]] := claim 1%N 2%N 3%N 0 unit_finType _ (fun=> try_all R) isT isT isT e4 (one_algorithm R).
rewrite try_all_mixed // leNgt => /negP; apply; rewrite expn1 /= mulr_gt0 ?invr_gt0 ?ltr0n //.
by rewrite subr_gt0 ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat.
Qed.

(* control: one layer more in the place of H - 1 - K; one layer, three digits, N = 3, K = 1 *)
Theorem later_deployments_control (R : realFieldType) : ~ (forall (n b N K : nat) (eps : R) (W : finType) (w : W -> R)
    (psi : W -> strategy [finType of {ffun 'I_N -> {ffun 'I_n -> 'I_b.+1 * place b.+1}}] (deployed R n b.+1 N)
  (returned R n b.+1)), (0 < n)%N -> (1 < b)%N -> (0 < N)%N -> (0 < K)%N -> 0 <= eps < 4%:R^-1 -> is_law w ->
  exists j u s, 2%:R^-1 * (1 - at_least (capped R b.+1 N :: nseq K.-1 (capped R b N)) (n.+2 - K)) <=
    \sum_v w v * misses eps (@junk_lock n b j u s) (psi v) K).
Proof.
move=> claim; have e4 : 0 <= (0 : R) < 4%:R^-1 by rewrite lexx invr_gt0 ltr0n.
have [j [u [s]]] := claim 1%N 2%N 3%N 1%N 0 unit_finType _ (fun=> try_all R) isT isT isT isT e4 (one_algorithm R).
rewrite try_all_mixed // leNgt => /negP; apply; rewrite mulr_gt0 ?invr_gt0 ?ltr0n // subr_gt0.
rewrite /= !big_ord_recl big_ord0 /= !mulr0 !add0r /capped lt_minl; apply/orP; right.
by rewrite ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat.
Qed.

(* [res-random-time-needed], its end: if no trajectory of any deployment plays the code, the output is wrong for one of
   the two signs with probability 1/2, for every N.  So it is after a bait: the trajectories of the first deployment
   leave the code in the second layer, and those of the second, designs without mass on the first digit, in the first *)
Theorem bait (R : realFieldType) (n b N : nat) (eps : R) (j : code n b.+1) (u : code n b)
    (psi : strategy [finType of {ffun 'I_N -> {ffun 'I_n -> 'I_b.+1 * place b.+1}}] (deployed R n b.+1 N)
    (returned R n b.+1)) (i0 i1 : 'I_n) :
  eps < 4%:R^-1 ->
  (forall gs, deploy psi [::] gs != 0 -> forall k, gs k i1 != digits j u i1) ->
  (forall o gs, deploy psi [:: o] gs != 0 -> forall k, gs k i0 != digits j u i0) ->
  exists s, 2%:R^-1 <= misses eps (junk_lock j u s) psi 2.
Proof.
move=> e4 h1 h2; have n0 : (0 < n)%N by case: (i0) => m; case: (n).
suff no : hits (junk_lock j u true) psi 2 = 0.
  have := fair_sign n0 psi 2 j u e4; rewrite no subr0 => tot.
  case: (lerP (2%:R^-1) (misses eps (junk_lock j u true) psi 2)) => [h|h]; [by exists true|exists false].
  rewrite leNgt; apply/negP => h'; move: tot; rewrite leNgt => /negP; apply.
  have e : 1 = 2%:R^-1 + 2%:R^-1 :> R by field.
  by rewrite [ltRHS]e; exact: ltr_add.
have off (x : deployed R n b.+1 N) (i : 'I_n) (o : {ffun 'I_N -> {ffun 'I_n -> 'I_b.+1 * place b.+1}}) :
    (forall gs, x gs != 0 -> forall k, gs k i != digits j u i) -> (n <= deepest o)%N ->
    deploy_law (junk_lock j u true) x o = 0.
  move=> hx no; apply: big1 => gs _; case: eqP => [e|_]; last by rewrite mulr0.
  have [-> |/hx miss] := eqVneq (x gs) 0; first by rewrite mul0r.
  move: no; rewrite e (seen_deep gs (@junk_fair n b j u true) (leqnn n) n0) => /existsP[k].
  by rewrite shares_all => /eqP gk; have := miss k; rewrite gk /= eqxx.
apply: big1 => h _; case: h => -[|o1 [|o2 [|]]] //= hs; rewrite orbF.
case d1: (n <= deepest o1)%N; first by rewrite (off _ _ _ h1 d1) !mul0r.
case d2: (n <= deepest o2)%N; first by rewrite (off _ _ _ (h2 o1) d2) mul0r mulr0 mul0r.
by rewrite mulr0.
Qed.
