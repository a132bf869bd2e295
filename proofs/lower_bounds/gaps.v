(* How many deterministic Markov policies are optimal on the template. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game template template_game.

Section Markov.
Variables (R : realFieldType) (n d : nat) (core : nat -> 'I_d) (b : R).
Local Notation place := (place n core).
Implicit Types (i : place).

(* a deterministic Markov policy chooses one action in each of the layers 0, ..., n - 1, at the
   state with a choice (in the other states all actions do the same) *)
Definition markov : finType := [finType of {ffun 'I_n -> 'I_d}].
(* it as a policy: the number of steps so far tells it the layer *)
Definition markov_policy (g : markov) : tdeterministic d := fun pre _ =>
  if insub (size pre) is Some k then g k else core 0.
(* its value on the instance with the optimal state i *)
Definition markov_value i (g : markov) : R := tJ b (Some i) (tpol R (markov_policy g)).

(* the right choice in layer k: towards the optimal state from the layer before it, else to the core *)
Definition wanted i (k : nat) : 'I_d := if k.+1 == (val i).1 then (val i).2 else core k.+1.
Definition right_from i (g : markov) (h : nat) : bool :=
  [forall k : 'I_n, (h <= k < (val i).1)%N ==> (g k == wanted i k)].

Lemma size_core_path h : size (core_path core h) = h.
Proof. by elim: h => //= h IH; rewrite size_rcons IH. Qed.

Lemma visits_past i pi k h pre s : ((val i).1 < h)%N -> visits i pi h pre s k = 0 :> R.
Proof.
have no h' s' : ((val i).1 < h')%N -> here i h' s' = false.
  by move=> lt; case: s' => [[j|x]|] //=; rewrite /at_place (ltn_eqF lt).
elim: k h pre s => [|k IH] h pre s lt /=; rewrite no // add0r //.
case: ifP => // _; apply: big1 => a _; rewrite IH ?mulr0 //; exact: leq_trans lt _.
Qed.

Lemma right_split i g (k : 'I_n) : (k < (val i).1)%N ->
  right_from i g k = (g k == wanted i k) && right_from i g k.+1.
Proof.
move=> ki; apply/forallP/andP => [h|[gk /forallP h] l].
  split; first by have := h k; rewrite leqnn ki.
  by apply/forallP => l; apply/implyP => /andP[kl li]; apply: (implyP (h l)); rewrite li ltnW.
apply/implyP => /andP[]; rewrite leq_eqVlt => /orP[/eqP kl|kl] li; last by apply: (implyP (h l)); rewrite kl.
by have -> : l = k by exact/val_inj/esym.
Qed.

Lemma right_end i g : right_from i g (val i).1.
Proof. by apply/forallP => l; apply/implyP => /andP[h1]; rewrite ltnNge h1. Qed.

Lemma visits_markov i g k h : (h + k)%N = n -> (h < (val i).1)%N ->
  visits i (tpol R (markov_policy g)) h (core_path core h) (core_state core h) k = (right_from i g h)%:R.
Proof.
have /andP[_ i1n] := place_layer i.
elim: k h => [|k IH] h hk hi; first by move: hi; rewrite ltnNge ltnW // -[h]addn0 hk.
have hn : (h < n)%N by exact: ltn_trans hi i1n.
rewrite /= here_core ?core_stateP // add0r.
set a := markov_policy g (core_path core h) (core_state core h).
have aE : a = g (Ordinal hn) by rewrite /a /markov_policy size_core_path insubT.
rewrite (bigD1 a) //= big1 => [|a' /negPf na]; last by rewrite /tpol -/a na mul0r.
rewrite /tpol -/a eqxx mul1r addr0 (@right_split i g (Ordinal hn)) // -aE.
rewrite [nat_of_ord (Ordinal hn)]/=; case: (ltngtP h.+1 (val i).1) hi => // [lt _|e _].
  have wE : wanted i h = core h.+1 by rewrite /wanted (ltn_eqF lt).
  rewrite wE; case: eqP => [ac|/eqP nc] /=.
    by rewrite -(IH h.+1) ?addSnnS //= ac.
  case: k {IH} hk => [|k] hk /=.
    by rewrite /at_place (gtn_eqF lt) addr0.
  have -> : (a == core h.+1) = false by exact: negPf.
  by rewrite /at_place (gtn_eqF lt) addr0.
have wE : wanted i h = (val i).2 by rewrite /wanted e eqxx.
have re : right_from i g h.+1 by rewrite e right_end.
rewrite wE re andbT; case: k {IH} hk => [|k] hk /=.
  by rewrite /at_place e eqxx /= addr0 eq_sym.
rewrite [X in _ + X](_ : _ = 0) ?addr0; first by rewrite /at_place e eqxx /= eq_sym.
case: ifP => // _; apply: big1 => a' _; rewrite visits_past ?mulr0 // -e; exact: leqnn.
Qed.

Lemma markov_valueE i g : markov_value i g = n%:R / 2%:R + b * (right_from i g 0)%:R.
Proof.
rewrite /markov_value template_value; last exact: tpol_proper.
have /andP[i0 _] := place_layer i.
by rewrite /tq (visits_markov g (add0n n) i0).
Qed.

Lemma card_right i : #|[pred g : markov | right_from i g 0]| = (d ^ (n - (val i).1))%N.
Proof.
have /andP[_ /ltnW i1n] := place_layer i.
pose F (k : 'I_n) (a : 'I_d) : nat := if (k < (val i).1)%N then nat_of_bool (a == wanted i k) else 1%N.
have e1 : (\prod_(k < n) (\sum_(a < d) F k a) = d ^ (n - (val i).1))%N.
  rewrite (bigID (fun k : 'I_n => (k < (val i).1)%N)) /= big1 ?mul1n => [|k ki]; last first.
    rewrite (bigD1 (wanted i k)) //= /F ki eqxx big1 // => a na.
    by apply/eqP; rewrite eqb0.
  rewrite (eq_bigr (fun=> d)) => [|k /negPf ki]; last by rewrite /F ki sum1_card card_ord.
  rewrite prod_nat_const; congr (d ^ _)%N.
  have := cardC [pred k : 'I_n | (k < (val i).1)%N]; rewrite card_ord.
  have -> : #|[pred k : 'I_n | (k < (val i).1)%N]| = (val i).1.
    rewrite -sum1_card big_mkcond /= -(big_mkord xpredT (fun k => if (k < (val i).1)%N then 1 else 0)%N).
    rewrite (big_cat_nat _ _ _ (leq0n _) i1n) /= [X in (_ + X)%N]big_nat_cond [X in (_ + X)%N]big1 => [|k]; last first.
      by rewrite andbT => /andP[h _]; rewrite ltnNge h.
    rewrite addn0 big_nat_cond (eq_bigr (fun=> 1%N)) => [|k]; last by rewrite andbT => /andP[_ ->].
    by rewrite -big_nat_cond sum_nat_const_nat subn0 muln1.
  move=> cE; apply: (@addnI (val i).1); rewrite subnKC //; apply: etrans cE; congr (_ + _)%N.
rewrite -e1 bigA_distr_bigA /= -sum1_card big_mkcond /=; apply: eq_bigr => g _.
rewrite inE; case: ifP => [/forallP h|/negP no].
  rewrite big1 // => k _; rewrite /F; case: ifP => // ki.
  by have := h k; rewrite leq0n ki /= => ->.
have /forallPn [k] : ~~ right_from i g 0 by exact/negP.
rewrite leq0n negb_imply => /andP[/= ki /negPf nk].
by rewrite (bigD1 k) //= /F ki nk mul0n.
Qed.

End Markov.

(* [gap-to-other-policies-repaired], whole: the optimal state lies in layer h = (val i).1; of
   the d^n policies exactly d^(n-h) are worth n/2 + b, the most any policy is worth; they are
   those that visit it with probability 1; all others are worth exactly b less *)
Theorem gap_to_other_policies_repaired (R : realFieldType) (n d : nat) (core : nat -> 'I_d) (b : R) (i : place n core) :
  0 < b ->
  [/\ #|markov n d| = (d ^ n)%N,
      #|[pred g : markov n d | markov_value b i g == n%:R / 2%:R + b]| = (d ^ (n - (val i).1))%N,
      forall g : markov n d, markov_value b i g = n%:R / 2%:R + b \/ markov_value b i g = n%:R / 2%:R,
      forall g : markov n d, (markov_value b i g == n%:R / 2%:R + b) = (tq i (tpol R (markov_policy core g)) == 1) &
      forall pi : tpolicy R d, tproper pi -> tJ b (Some i) pi <= n%:R / 2%:R + b].
Proof.
move=> b0; have optE (g : markov n d) : (markov_value b i g == n%:R / 2%:R + b) = right_from i g 0.
  rewrite markov_valueE -subr_eq0 opprD addrACA subrr add0r.
  by case: (right_from i g 0); rewrite ?mulr1 ?subrr ?eqxx // mulr0 sub0r oppr_eq0 gt_eqF.
split.
- by rewrite card_ffun !card_ord.
- by rewrite -(card_right i); apply: eq_card => g; rewrite !inE optE.
- by move=> g; rewrite markov_valueE; case: (right_from i g 0); rewrite ?mulr1 ?mulr0 ?addr0; [left|right].
- move=> g; rewrite optE; have /andP[i0 _] := place_layer i.
  rewrite /tq (visits_markov R g (add0n n) i0); case: (right_from _ _ _); rewrite ?eqxx //.
  by rewrite eq_sym oner_eq0.
- move=> pi hp; rewrite template_value // ler_add2l ler_pimulr ?(ltW b0) //.
  by case/andP: (visits_bounds i n 0 [::] None hp).
Qed.

(* [gap-to-other-policies], refuted as printed: not always is there one policy that is b better
   than all other deterministic policies *)
Theorem gap_to_other_policies : ~ (forall (n d : nat) (core : nat -> 'I_d) (b : rat) (i : place n core),
  (2 <= d)%N -> (2 <= n)%N -> 0 < b <= 2%:R^-1 ->
  exists best : markov n d, forall g, g != best -> markov_value b i g <= markov_value b i best - b).
Proof.
move=> h; pose core := fun _ : nat => ord0 : 'I_2.
pose p : 'I_2 * 'I_2 := (@Ordinal 2 1 isT, lift ord0 ord0).
have pl : (0 < p.1)%N && (p.2 != core p.1) by [].
pose i : place 2 core := exist (fun p : 'I_2 * 'I_2 => (0 < p.1)%N && (p.2 != core p.1)) p pl.
have b01 : 0 < (2%:R^-1 : rat) <= 2%:R^-1 by rewrite lexx invr_gt0 ltr0n.
have b0 : 0 < (2%:R^-1 : rat) by rewrite invr_gt0 ltr0n.
have [best hbest] := h 2%N 2%N core _ i isT isT b01.
have [_ count two _ _] := gap_to_other_policies_repaired i b0.
move: count; set P := [pred g : markov 2 2 | _] => count.
have [g] : exists g : markov 2 2, (g != best) && P g.
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP none.
  have : (#|P| <= #|pred1 best|)%N.
    apply: subset_leq_card; apply/subsetP => g hg; have := none g.
    by rewrite negb_and negbK => /orP[//|]; rewrite -[P g]/(g \in P) hg.
  by rewrite count card1.
case/andP => gb /eqP hg; have := hbest g gb; rewrite hg.
case: (two best) => ->; rewrite leNgt => /negP []; first by rewrite addrK ltr_addl.
by rewrite ltr_add2l; apply: lt_trans b0; rewrite oppr_lt0.
Qed.

(* control: d^(n-h+1) is not their number *)
Theorem gap_to_other_policies_control : ~ (forall (n d : nat) (core : nat -> 'I_d) (b : rat) (i : place n core),
  0 < b -> #|[pred g : markov n d | markov_value b i g == n%:R / 2%:R + b]| = (d ^ (n - (val i).1).+1)%N).
Proof.
move=> h; pose core := fun _ : nat => ord0 : 'I_2.
pose p : 'I_2 * 'I_2 := (@Ordinal 2 1 isT, lift ord0 ord0).
have pl : (0 < p.1)%N && (p.2 != core p.1) by [].
pose i : place 2 core := exist (fun p : 'I_2 * 'I_2 => (0 < p.1)%N && (p.2 != core p.1)) p pl.
have b0 : 0 < (2%:R^-1 : rat) by rewrite invr_gt0 ltr0n.
have [_ count _ _ _] := gap_to_other_policies_repaired i b0.
by have := h 2%N 2%N core _ i b0; rewrite count.
Qed.
