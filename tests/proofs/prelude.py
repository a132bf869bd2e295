"""What every file of evaluations begins with: the proofs, matrices of rational numbers, sums written out."""

from diagonal import DIAGONAL

PRELUDE = """From mathcomp Require Import all_ssreflect all_algebra.
From derl.common Require Import forms.
From derl.potential Require Import bridge count.
From derl.lower_bounds Require Import game gate bandit locks lock trajectories.
From derl.lower_bounds Require template template_game remarks theorem_b2 hidden_cores.
From derl.lower_bounds Require best events corollaries sweep gaps levels missed_level no_factor_two.
From derl.layerwise Require optimism.
From derl.analysis Require evaluation matrices.
From derl.reward_free Require planning.
From derl.safety Require mixture trajectories.
From derl.probability Require Import finite.
From derl.probability Require hoeffding adaptive multinomial chebyshev best_of.
From derl.lower_bounds Require frontier chains search_game search_exact features exact_game.
From derl.beyond Require domination chain sums junk_lock junk_game junk_bounds junk_controls ridge.
From derl.potential Require certificates attained elliptical elliptical_sharp.
From derl.reachability Require certificates cones covered stored tabular.
Import GRing.Theory Num.Theory Order.Theory.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

Definition matr d (l : seq (seq rat)) : 'M[rat]_d := \\matrix_(i, j) nth 0 (nth [::] l i) j.
Definition vect d (l : seq rat) : 'cV[rat]_d := \\col_i nth 0 l i.
Definition phis d (l : seq (seq (seq rat))) (k i : nat) : 'cV[rat]_d := vect d (nth [::] (nth [::] l k) i).
Lemma inv_by d (A B : 'M[rat]_d) : A *m B = 1%:M -> invmx A = B.
Proof. by move=> h; have [uA _] := mulmx1_unit h; rewrite -[LHS]mulmx1 -h mulKmx. Qed.
Lemma det2 (A : 'M[rat]_2) : \\det A = A 0 0 * A 1 1 - A 0 1 * A 1 0.
Proof.
rewrite (expand_det_row _ 0) !big_ord_recl big_ord0 addr0 /cofactor !det_mx11 !mxE /= expr0 mul1r expr1 mulN1r mulrN.
have -> : lift 0 0 = 1 :> 'I_2 by exact/val_inj.
have -> : lift 1 0 = 0 :> 'I_2 by exact/val_inj.
by [].
Qed.
Lemma sum_pairs (O : finType) (F : seq O -> rat) : \\sum_(t : 2.-tuple O) F t = \\sum_o \\sum_o' F [:: o; o'].
Proof.
rewrite (sum_tuple_cons 1 F); apply: eq_bigr => o _; rewrite (sum_tuple_cons 0 (fun h => F (o :: h))).
by apply: eq_bigr => o' _; rewrite (big_pred1 [tuple]) // => t; rewrite [t]tuple0; apply/esym/eqP.
Qed.
Lemma sum_single (O : finType) (F : 1.-tuple O -> rat) : \\sum_t F t = \\sum_o F [tuple o].
Proof.
rewrite (reindex (fun o : O => [tuple o])) //; exists (fun t : 1.-tuple O => thead t) => [o|t] _ //.
by apply/val_inj; rewrite [t]tuple_eta /=; case: (t) => [[|x [|]]].
Qed.
Lemma sum_draw (T : finType) (F : {ffun 'I_1 -> T} -> rat) : \\sum_o F o = \\sum_t F [ffun=> t].
Proof.
rewrite (reindex (fun t : T => [ffun=> t])) //.
exists (fun o : {ffun 'I_1 -> T} => o ord0) => [t|o] _; first by rewrite ffunE.
by apply/ffunP => i; rewrite ffunE [i]ord1.
Qed.
Lemma sum_tupleS (O : finType) k (F : k.+1.-tuple O -> rat) :
  \\sum_t F t = \\sum_o \\sum_(t : k.-tuple O) F [tuple of o :: t].
Proof.
rewrite pair_big /= (reindex (fun p : O * k.-tuple O => [tuple of p.1 :: p.2])) //=.
exists (fun t : k.+1.-tuple O => (thead t, [tuple of behead t])) => [[o t] _|t _] /=.
  by rewrite theadE; congr (_, _); apply/val_inj.
by rewrite -tuple_eta.
Qed.
Lemma sum_tuple0 (O : finType) (F : 0.-tuple O -> rat) : \\sum_t F t = F [tuple].
Proof. by rewrite (big_pred1 [tuple]) // => t; rewrite [t]tuple0; apply/esym/eqP. Qed.
Lemma sum_both (S T : finType) (F : S * T -> rat) : \\sum_p F p = \\sum_s \\sum_t F (s, t).
Proof. by rewrite pair_bigA; apply: eq_bigr => -[]. Qed.
Lemma hit_at n d (c : code n d) h a : hit c h a = if insub h is Some i then c i == a else false.
Proof.
case: insubP => [i _ <-|out]; first exact: hit_ord.
by apply/existsP => -[i /andP[/eqP e _]]; move: out; rewrite -e ltn_ord.
Qed.
Lemma sum_codes (F : {ffun 'I_2 -> 'I_2} -> rat) :
  \\sum_c F c = \\sum_(a : 'I_2) \\sum_(b : 'I_2) F [ffun i : 'I_2 => nth ord0 [:: a; b] i].
Proof.
rewrite pair_big /= (reindex (fun p : 'I_2 * 'I_2 => [ffun i : 'I_2 => nth ord0 [:: p.1; p.2] i])) //=.
exists (fun c : {ffun 'I_2 -> 'I_2} => (c ord0, c (lift ord0 ord0))) => [[a b]|c] _; first by rewrite /= !ffunE.
by apply/ffunP; case=> [[|[|?]] lt] //=; rewrite ffunE; congr (c _); apply/val_inj.
Qed.
(* policies for two actions that toss a coin in every layer: l lists the probabilities of the first action *)
Definition tossed (l : seq rat) k : rat := if 0 <= nth 0 l k <= 1 then nth 0 l k else 0.
Lemma tossed_law l k : is_law (fun a : 'I_2 => if a == ord0 then tossed l k else 1 - tossed l k).
Proof.
have /andP [lo hi] : 0 <= tossed l k <= 1 by rewrite /tossed; case: ifP => // _; rewrite lexx ler01.
split=> [a|]; first by case: (a == ord0) => //; rewrite subr_ge0.
by rewrite !big_ord_recl big_ord0 eqxx /= addr0 addrCA subrr addr0.
Qed.
Definition tosses l : policy rat_realFieldType 2 := fun pre _ a =>
  if a == ord0 then tossed l (size pre) else 1 - tossed l (size pre).
Lemma tosses_proper l : proper (tosses l). Proof. move=> pre s; exact: tossed_law. Qed.
Definition ttosses l : template.tpolicy rat_realFieldType 2 := fun pre _ a =>
  if a == ord0 then tossed l (size pre) else 1 - tossed l (size pre).
Lemma ttosses_proper l : template.tproper (ttosses l). Proof. move=> pre s; exact: tossed_law. Qed.
(* a deployment that reaches less than j: by the proved law of what it reaches *)
Lemma rest_of (O : finType) (p : O -> rat) (m : O -> nat) j s : is_law p ->
  \\sum_(o | (j <= m o)%N) p o = 1 - s -> \\sum_o p o * (m o < j)%:R = s.
Proof.
move=> [_ p1] h; have -> : \\sum_o p o * (m o < j)%:R = \\sum_o p o - \\sum_(o | (j <= m o)%N) p o.
  rewrite [X in _ = _ - X]big_mkcond -sumrB; apply: eq_bigr => o _.
  by rewrite ltnNge; case: (j <= _)%N; rewrite ?mulr0 ?mulr1 ?subrr ?subr0.
by rewrite p1 h subKr.
Qed.
Lemma lock_missed (b : rat) N (c : code 2 2) (x : deployed rat_realFieldType 2) j :
  0 <= b <= 2%:R^-1 -> (0 < j <= 2)%N ->
  \\sum_(o : data 2 2 N) data_law (lock b c) x o * (matched o < j)%:R = (1 - staying (lock b c) x 0 [::] j) ^+ N.
Proof. by move=> hb hj; apply: rest_of; [exact: search_game.lock_laws|exact: search_game.matched_tail]. Qed.
Lemma template_missed (b : rat) N (a0 : 'I_2) (c : code 3.-1 2) (x : template_game.treturned rat_realFieldType 2) j :
  0 <= b <= 2%:R^-1 -> (0 < j < 3)%N ->
  \\sum_o @hidden_cores.hidden_law rat_realFieldType 3 2 N b a0 c x o * (hidden_cores.deepest o < j)%:R =
  (1 - @hidden_cores.single rat_realFieldType 3 2 b c x j) ^+ N.
Proof.
by move=> hb hj; apply: rest_of; [exact: hidden_cores.hidden_law_law|exact: hidden_cores.deployment_depth].
Qed.
(* only the kernel evaluates, and it does so once: a wrong value is refused at Qed *)
Ltac kernel := apply/eqP; vm_cast_no_check (erefl true).
Ltac sums := rewrite ?mxE ?summxE ?big_ord_recl ?big_ord0 /=.
Ltac number := repeat progress sums; kernel.
(* what is summed over, as a list: then the kernel's machine runs through the sums, also under binders *)
Lemma index2 : index_enum [finType of 'I_2] = [:: ord0; lift ord0 ord0].
Proof. by rewrite /index_enum unlock; apply/(inj_map val_inj); rewrite -enumT val_enum_ord. Qed.
Lemma index3 : index_enum [finType of 'I_3] = [:: ord0; lift ord0 ord0; lift ord0 (lift ord0 ord0)].
Proof. by rewrite /index_enum unlock; apply/(inj_map val_inj); rewrite -enumT val_enum_ord. Qed.
Lemma index_sum (T U : finType) : index_enum [finType of T + U] = map inl (index_enum T) ++ map inr (index_enum U).
Proof. by rewrite /index_enum !locked_withE [in LHS]Finite.EnumDef.enumDef. Qed.
Lemma index_option (T : finType) : index_enum [finType of option T] = None :: map Some (index_enum T).
Proof. by rewrite /index_enum !locked_withE [in LHS]Finite.EnumDef.enumDef. Qed.
Lemma index_bool : index_enum [finType of bool] = [:: true; false].
Proof. by rewrite /index_enum !locked_withE Finite.EnumDef.enumDef. Qed.
Ltac opened := rewrite ?BigOp.bigopE ?index_option ?index_sum ?index_bool ?index2 ?index3.
Ltac counted := opened; kernel.
Ltac entries := apply/matrixP; case=> [[|[|?]] ?] //; case=> [[|[|?]] ?] //; number.
Lemma exists1 (P : pred 'I_1) : [exists i, P i] = P ord0.
Proof. by apply/existsP/idP => [[i]|h]; [rewrite (ord1 i)|exists ord0]. Qed.
Lemma uniform2 (P : pred 'I_2) a : search_exact.uniform_on rat_realFieldType [set x | P x] a =
  if (P ord0 + P (lift ord0 ord0) == 0)%N then 2%:R^-1 else (P a)%:R / (P ord0 + P (lift ord0 ord0))%:R.
Proof.
have card : #|[set x | P x]| = (P ord0 + P (lift ord0 ord0))%N.
  by rewrite -sum1_card big_mkcond !big_ord_recl big_ord0 !inE /=; case: (P _) (P _) => [] [].
by rewrite /search_exact.uniform_on -cards_eq0 card inE.
Qed.
Lemma all2 : setT = [set x : 'I_2 | true]. Proof. by apply/setP => x; rewrite !inE. Qed.
""" + DIAGONAL
