(* The search game behind the lower bound for deterministic policies: a hidden
   arm, K deployments with any data, one output.  Every adaptive strategy,
   deterministic or a finite mixture, every K and every finite law of data. *)
From derl.common Require Import prelude.

(* a sum over sequences of length k+1, first entry first *)
Lemma sum_tuple_cons (R : zmodType) (O : finType) k (F : seq O -> R) :
  \sum_(t : k.+1.-tuple O) F t = \sum_(o : O) \sum_(t : k.-tuple O) F (o :: t).
Proof.
rewrite pair_big /= (reindex (fun p : O * k.-tuple O => [tuple of p.1 :: p.2])) //=.
exists (fun t : k.+1.-tuple O => (thead t, [tuple of behead t])) => [[o t] _|t _] /=.
  by congr pair; apply/val_inj.
by rewrite [RHS]tuple_eta; apply/val_inj.
Qed.

Section Strategy.
Variables (R : realFieldType) (O : finType) (D X : Type).

(* a deterministic adaptive strategy: what is deployed after the data h of the
   earlier deployments, and what is returned after the last *)
Record strategy := Strategy { deploy : seq O -> D; output : seq O -> X }.

(* a law on a finite set *)
Definition is_law (T : finType) (p : T -> R) := (forall o, 0 <= p o) /\ \sum_o p o = 1.

(* the probability that the data after the data `pre` are h, when a deployment x
   yields data with the law `law x` *)
Fixpoint history (law : D -> O -> R) (psi : strategy) (pre h : seq O) : R :=
  if h is o :: h' then law (deploy psi pre) o * history law psi (rcons pre o) h' else 1.

(* the probability that the output after K deployments is in the set `good` *)
Definition success (law : D -> O -> R) (psi : strategy) (good : X -> bool) (K : nat) : R :=
  \sum_(h : K.-tuple O) history law psi [::] h * (good (output psi h))%:R.

Lemma history_ge0 law psi pre h : (forall x, is_law (law x)) -> 0 <= history law psi pre h.
Proof.
move=> hl; elim: h pre => [|o h IH] pre /=; first exact: ler01.
by rewrite mulr_ge0 //; case: (hl (deploy psi pre)).
Qed.
Lemma history_total law psi k pre : (forall x, is_law (law x)) ->
  \sum_(h : k.-tuple O) history law psi pre h = 1.
Proof.
move=> hl; elim: k pre => [|k IH] pre.
  by rewrite (big_pred1 [tuple]) //= => t; rewrite [t]tuple0; apply/esym/eqP.
rewrite (sum_tuple_cons k (history law psi pre)) -[RHS](proj2 (hl (deploy psi pre))).
by apply: eq_bigr => o _ /=; rewrite -mulr_sumr IH mulr1.
Qed.

Definition success_from law psi (good : X -> bool) pre K : R :=
  \sum_(h : K.-tuple O) history law psi pre h * (good (output psi (pre ++ h)))%:R.

Lemma success_from0 law psi good pre :
  success_from law psi good pre 0 = (good (output psi pre))%:R.
Proof.
rewrite /success_from (big_pred1 [tuple]) /= ?mul1r ?cats0 // => t.
by rewrite [t]tuple0; apply/esym/eqP.
Qed.

Lemma success_fromS law psi good pre K :
  success_from law psi good pre K.+1 =
  \sum_o law (deploy psi pre) o * success_from law psi good (rcons pre o) K.
Proof.
rewrite /success_from
  (sum_tuple_cons K (fun h => history law psi pre h * (good (output psi (pre ++ h)))%:R)).
apply: eq_bigr => o _; rewrite mulr_sumr; apply: eq_bigr => t _ /=.
by rewrite mulrA cat_rcons.
Qed.

Lemma success_from_bounds law psi good pre K : (forall x, is_law (law x)) ->
  0 <= success_from law psi good pre K <= 1.
Proof.
move=> hl; elim: K pre => [|K IH] pre.
  by rewrite success_from0 ler0n lern1 leq_b1.
rewrite success_fromS; have [l0 l1] := hl (deploy psi pre); apply/andP; split.
  by apply: sumr_ge0 => o _; rewrite mulr_ge0 //; case/andP: (IH (rcons pre o)).
rewrite -l1; apply: ler_sum => o _; rewrite ler_pimulr //.
by case/andP: (IH (rcons pre o)).
Qed.

Lemma success_nil law psi good K : success law psi good K = success_from law psi good [::] K.
Proof. by []. Qed.

End Strategy.

Section Search.
Variables (R : realFieldType) (O : finType) (D X : Type) (A : finType).

(* The data of deployment x depend on the hidden arm i only if x pulls i: with
   arm x the arm that x pulls, if any, law i x = law0 x unless arm x = Some i. *)
Definition blind (arm : D -> option A) (law0 : D -> O -> R) (law : A -> D -> O -> R) :=
  forall i x o, arm x != Some i -> law i x o = law0 x o.

(* no output is good for two hidden arms *)
Definition names_one (good : A -> X -> bool) :=
  forall x i j, good i x -> good j x -> i = j.

Lemma names_sum (good : A -> X -> bool) x : names_one good ->
  \sum_i (good i x)%:R <= 1 :> R.
Proof.
move=> h1; case: (pickP (good^~ x)) => [i gi|h0]; last first.
  by rewrite big1 ?ler01 // => i _; rewrite h0.
rewrite (bigD1 i) //= gi big1 ?addr0 ?lexx // => j ji.
by case gj: (good j x) => //; move: ji; rewrite (h1 _ _ _ gj gi) eqxx.
Qed.

Lemma search_from arm law0 law (good : A -> X -> bool) (psi : strategy O D X) pre K :
  blind arm law0 law -> names_one good ->
  (forall x, is_law (law0 x)) -> (forall i x, is_law (law i x)) ->
  \sum_i success_from (law i) psi (good i) pre K <= K.+1%:R.
Proof.
move=> hb hg h0 hl; elim: K pre => [|K IH] pre.
  under eq_bigr do rewrite success_from0; exact: names_sum.
set x := deploy psi pre.
have rest : forall P : pred A, (forall i, P i -> arm x != Some i) ->
    \sum_(i | P i) success_from (law i) psi (good i) pre K.+1 <= K.+1%:R.
  move=> P hP; have [l0 l1] := h0 x.
  apply: (@le_trans _ _ (\sum_o law0 x o * K.+1%:R)); last by rewrite -mulr_suml l1 mul1r.
  have -> : \sum_(i | P i) success_from (law i) psi (good i) pre K.+1 =
      \sum_o law0 x o * \sum_(i | P i) success_from (law i) psi (good i) (rcons pre o) K.
    under [RHS]eq_bigr do rewrite mulr_sumr.
    rewrite [RHS]exchange_big /=; apply: eq_bigr => i /hP hi; rewrite success_fromS.
    by apply: eq_bigr => o _; rewrite hb.
  apply: ler_sum => o _; rewrite ler_wpmul2l //; apply: le_trans (IH (rcons pre o)).
  rewrite [leRHS](bigID P) /= ler_addl; apply: sumr_ge0 => i _.
  by case/andP: (success_from_bounds psi (good i) (rcons pre o) K (hl i)).
case e: (arm x) => [j|]; last first.
  apply: le_trans (rest predT _) _; first by move=> i _; rewrite e.
  by rewrite ler_nat.
rewrite (bigD1 j) //= -[K.+2]add1n natrD; apply: ler_add.
  by case/andP: (success_from_bounds psi (good j) pre K.+1 (hl j)).
apply: rest => i ij; rewrite e; apply: contra ij => /eqP [->]; exact: eqxx.
Qed.

(* Lower side of [res-exact-deterministic-game] for deterministic strategies: the
   probabilities of success, added over the hidden arms, are at most K + 1. *)
Theorem search_sum arm law0 law (good : A -> X -> bool) (psi : strategy O D X) K :
  blind arm law0 law -> names_one good ->
  (forall x, is_law (law0 x)) -> (forall i x, is_law (law i x)) ->
  \sum_i success (law i) psi (good i) K <= K.+1%:R.
Proof. by move=> *; apply: search_from; eassumption. Qed.

(* a randomised strategy: a finite mixture of deterministic ones *)
Definition mixed_success (W : finType) (w : W -> R) (psi : W -> strategy O D X)
    (law : D -> O -> R) (good : X -> bool) K : R :=
  \sum_(v : W) w v * success law (psi v) good K.

(* Lower side of the exact game: on one of the #|A| instances every strategy fails
   with probability at least 1 - (K + 1) / #|A|. *)
Theorem search_failure (W : finType) (w : W -> R) (psi : W -> strategy O D X)
    arm law0 law (good : A -> X -> bool) K :
  (0 < #|A|)%N -> is_law w ->
  blind arm law0 law -> names_one good ->
  (forall x, is_law (law0 x)) -> (forall i x, is_law (law i x)) ->
  exists i, 1 - mixed_success w psi (law i) (good i) K >= 1 - K.+1%:R / #|A|%:R.
Proof.
move=> m0 [w0 w1] hb hg h0 hl; have [a0 _] := card_gt0P m0.
have mR : 0 < #|A|%:R :> R by rewrite ltr0n.
have tot : \sum_i mixed_success w psi (law i) (good i) K <= K.+1%:R.
  rewrite /mixed_success exchange_big /=.
  have -> : K.+1%:R = \sum_v w v * K.+1%:R :> R by rewrite -mulr_suml w1 mul1r.
  apply: ler_sum => v _; rewrite -mulr_sumr ler_wpmul2l //.
  exact: (search_sum (psi v) K hb hg h0 hl).
case: (pickP (fun i => mixed_success w psi (law i) (good i) K <= K.+1%:R / #|A|%:R)) => [i hi|no].
  by exists i; rewrite ler_add2l ler_opp2.
have big : \sum_(i : A) (K.+1%:R / #|A|%:R) < \sum_i mixed_success w psi (law i) (good i) K :> R.
  rewrite (bigD1 a0) //= [ltRHS](bigD1 a0) //=; apply: ltr_le_add.
    by rewrite ltNge no.
  by apply: ler_sum => i _; rewrite leNgt; apply/negP => h; move: (no i); rewrite ltW.
move: big; rewrite sumr_const -mulr_natr mulfVK ?gt_eqF //.
by rewrite ltNge tot.
Qed.
End Search.
