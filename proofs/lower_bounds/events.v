(* The events of the paper's proof of Theorem B.2: which arms the first k deployments pull.
   The data of a deployment depend on the hidden arm only where that arm is pulled. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks.

Section Events.
Variables (R : realFieldType) (O : finType) (D X : Type) (A : finType).
Variables (arm : D -> option A) (law0 : D -> O -> R) (law : A -> D -> O -> R).
Variable psi : strategy O D X.

(* the arm i is not pulled by the deployments that yield the data h, after the data pre *)
Fixpoint unpulled_from (i : A) (pre h : seq O) : bool :=
  if h is o :: h' then (arm (deploy psi pre) != Some i) && unpulled_from i (rcons pre o) h' else true.
(* the complement of the paper's event E_(k,i), for data h of k deployments *)
Definition unpulled i (h : seq O) : bool := unpulled_from i [::] h.

(* the probability under the laws q of an event of the data of k deployments *)
Definition event (q : D -> O -> R) (k : nat) (E : seq O -> bool) : R :=
  \sum_(h : k.-tuple O) history q psi [::] h * (E h)%:R.

Lemma history_unpulled i pre h : blind arm law0 law -> unpulled_from i pre h ->
  history (law i) psi pre h = history law0 psi pre h.
Proof.
move=> hb; elim: h pre => //= o h IH pre /andP[ai hu].
by rewrite IH // hb.
Qed.

Lemma event_same i k (E : seq O -> bool) : blind arm law0 law ->
  event (law i) k (fun h => unpulled i h && E h) = event law0 k (fun h => unpulled i h && E h).
Proof.
move=> hb; apply: eq_bigr => h _; case u : (unpulled i h); last by rewrite !mulr0.
by rewrite (history_unpulled hb u).
Qed.

(* [eq-same-choice]: the next choice pulls i and none of the first k did *)
Theorem eq_same_choice i k : blind arm law0 law ->
  event (law i) k (fun h => unpulled i h && (arm (deploy psi h) == Some i)) =
  event law0 k (fun h => unpulled i h && (arm (deploy psi h) == Some i)).
Proof. exact: event_same. Qed.

(* [eq-same-behaviour]: none of the first k + 1 choices pulls i (they depend on the data of
   k deployments) *)
Theorem eq_same_behaviour i k : blind arm law0 law ->
  event (law i) k (fun h => unpulled i h && (arm (deploy psi h) != Some i)) =
  event law0 k (fun h => unpulled i h && (arm (deploy psi h) != Some i)).
Proof. exact: event_same. Qed.

Lemma event_not (q : D -> O -> R) k E : (forall x, is_law (q x)) ->
  event q k (fun h => ~~ E h) = 1 - event q k E.
Proof.
move=> hq; rewrite -(history_total psi k [::] hq) /event -sumrB; apply: eq_bigr => h _.
by case: (E h); rewrite ?mulr1 ?mulr0 ?subrr ?subr0.
Qed.

Lemma pulled_count pre (h : seq O) : (\sum_i ~~ unpulled_from i pre h <= size h)%N.
Proof.
elim: h pre => [|o h IH] pre /=; first by rewrite big1.
have le i : (~~ ((arm (deploy psi pre) != Some i) && unpulled_from i (rcons pre o) h) <=
    (arm (deploy psi pre) == Some i) + ~~ unpulled_from i (rcons pre o) h)%N.
  by case: (_ == _); case: (unpulled_from _ _ _).
apply: (@leq_trans (\sum_i ((arm (deploy psi pre) == Some i) + ~~ unpulled_from i (rcons pre o) h))%N).
  by apply: leq_sum => i _; exact: le.
rewrite big_split /= -add1n.
apply: leq_add (IH _); case: (arm (deploy psi pre)) => [j|]; last by rewrite big1.
rewrite (bigD1 j) //= eqxx big1 // => i ij.
by case: eqP => // -[e]; rewrite e eqxx in ij.
Qed.

(* what the output names, if anything *)
Variable name : X -> option A.
(* the probability that the output after K deployments names i *)
Definition names_arm (q : D -> O -> R) (K : nat) (i : A) : R := event q K (fun h => name (output psi h) == Some i).

(* [ineq-half-repaired]: E_(K,i) is the event that the first K deployments pull i *)
Theorem ineq_half_repaired K : blind arm law0 law ->
  (forall x, is_law (law0 x)) -> (forall i x, is_law (law i x)) ->
  [/\ \sum_i (names_arm (law i) K i - names_arm law0 K i) <= \sum_i event law0 K (fun h => ~~ unpulled i h),
      \sum_i event law0 K (fun h => ~~ unpulled i h) <= K%:R &
      forall M : nat, (2 * K <= M - 1)%N -> (0 < M)%N -> K%:R / M%:R <= 2%:R^-1 :> R].
Proof.
move=> hb h0 hl; split.
- apply: ler_sum => i _; rewrite ler_subl_addr.
  pose E h := name (output psi h) == Some i.
  have split (q : D -> O -> R) : (forall x, is_law (q x)) -> names_arm q K i =
      event q K (fun h => unpulled i h && E h) + event q K (fun h => ~~ unpulled i h && E h).
    move=> hq; rewrite /names_arm /event -big_split /=; apply: eq_bigr => h _; rewrite -/(E h) -mulrDr.
    by case: (unpulled i h); rewrite ?addr0 ?add0r.
  have pos (q : D -> O -> R) k F : (forall x, is_law (q x)) -> 0 <= event q k F.
    by move=> hq; apply: sumr_ge0 => h _; rewrite mulr_ge0 ?ler0n // history_ge0.
  rewrite (split _ (hl i)) (split _ h0) (event_same i K E hb) addrCA ler_add2l ler_paddr ?pos //.
  apply: (@le_trans _ _ (event (law i) K (fun h => ~~ unpulled i h))).
    apply: ler_sum => h _; rewrite ler_wpmul2l ?ler_nat //.
      exact: history_ge0.
    by case: (unpulled i h); case: (E h).
  rewrite !event_not // ler_add2l ler_opp2 le_eqVlt; apply/orP; left; apply/eqP.
  have := event_same i K (fun _ => true) hb.
  by rewrite /event; under eq_bigr do rewrite andbT; under [X in _ = X -> _]eq_bigr do rewrite andbT.
- rewrite /event exchange_big /= -[leRHS]mul1r -[X in _ <= X * _](history_total psi K [::] h0) mulr_suml.
  apply: ler_sum => h _; rewrite -mulr_sumr ler_wpmul2l //.
    exact: history_ge0.
  apply: (@le_trans _ _ (\sum_i ~~ unpulled i h)%N%:R); first by rewrite natr_sum.
  by rewrite ler_nat -[X in (_ <= X)%N](size_tuple h) pulled_count.
- move=> M hM M0; rewrite ler_pdivr_mulr ?ltr0n // mulrC ler_pdivl_mulr ?ltr0n // -natrM ler_nat mulnC.
  exact: leq_trans hM (leq_subr _ _).
Qed.

(* [ineq-tenth]: the class M has the m = #|A| instances and the one without a hidden arm,
   where s0 is the probability of success; K <= m/2 *)
Theorem ineq_tenth K (s0 : R) : blind arm law0 law ->
  (forall x, is_law (law0 x)) -> (forall i x, is_law (law i x)) -> s0 <= 1 -> (2 * K <= #|A|)%N ->
  (s0 + \sum_i names_arm (law i) K i) / #|A|.+1%:R <= 2%:R / #|A|.+1%:R + 2%:R^-1 /\
  forall d H : nat, (3 <= d)%N -> (3 <= H)%N -> #|A| = (d.-1 * H.-1)%N ->
    2%:R / #|A|.+1%:R + 2%:R^-1 <= 9%:R / 10%:R :> R.
Proof.
move=> hb h0 hl s1 hK; set M := #|A|.+1; have MR : 0 < M%:R :> R by rewrite ltr0n.
have [h1 h2 h3] := ineq_half_repaired K hb h0 hl; split.
  have one : \sum_i names_arm law0 K i <= 1.
    rewrite /names_arm /event exchange_big /= -[leRHS](history_total psi K [::] h0); apply: ler_sum => h _.
    rewrite -mulr_sumr ler_pimulr //.
      exact: history_ge0.
    case: (name _) => [j|]; last by rewrite big1 ?ler01.
    rewrite (bigD1 j) //= eqxx big1 ?addr0 ?lexx // => i ij.
    by case: eqP => // -[e]; rewrite e eqxx in ij.
  have kM : K%:R / M%:R <= 2%:R^-1 :> R by apply: h3 => //; rewrite subn1.
  have tot : s0 + \sum_i names_arm (law i) K i <= 2%:R + K%:R.
    have -> : \sum_i names_arm (law i) K i =
        \sum_i (names_arm (law i) K i - names_arm law0 K i) + \sum_i names_arm law0 K i.
      by rewrite -big_split /=; apply: eq_bigr => i _; rewrite subrK.
    rewrite -[2%:R]/(1 + 1) -addrA; apply: ler_add => //; rewrite addrC; apply: ler_add => //.
    exact: le_trans h1 h2.
  apply: (@le_trans _ _ ((2%:R + K%:R) / M%:R)); first by rewrite ler_pmul2r ?invr_gt0.
  by rewrite mulrDl ler_add2l.
move=> d H d3 H3 cA; have M5 : (5 <= M)%N.
  rewrite /M cA ltnS; apply: (@leq_trans (2 * 2)) => //; apply: leq_mul;
    [by case: d d3 {cA} => [|[|[|]]]|by case: H H3 {cA} => [|[|[|]]]].
have -> : 9%:R / 10%:R = 2%:R / 5%:R + 2%:R^-1 :> R by field.
rewrite ler_add2r ler_pmul2l ?ltr0n // lef_pinv ?posrE ?ltr0n // ler_nat //.
Qed.
End Events.
