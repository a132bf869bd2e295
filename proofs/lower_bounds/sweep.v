(* The upper side of the search game: a strategy that tries the arms one after another, from a
   random one on, and names the first that a test of its data accepts. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.

Section Sweep.
Variables (R : realFieldType) (O : finType) (D X : Type) (A : finType) (i0 : A).
(* the number of arms *)
Local Notation m := #|A|.

(* the arm at position p of the round that starts with arm number r *)
Definition round (r p : nat) : A := nth i0 (enum A) ((r + p) %% m).
(* the position of the arm i in that round *)
Definition position (r : nat) (i : A) : nat := (enum_rank i + m - r) %% m.

Lemma arms_gt0 : (0 < m)%N. Proof. by apply/card_gt0P; exists i0. Qed.

Lemma round_position r i : (r < m)%N -> round r (position r i) = i.
Proof.
move=> rm; rewrite /round /position modnDmr.
have -> : (r + (enum_rank i + m - r) = enum_rank i + m)%N.
  by rewrite subnKC // (leq_trans (ltnW rm)) // leq_addl.
by rewrite modnDr modn_small ?ltn_ord // -[RHS]enum_rankK /enum_val; apply: set_nth_default; rewrite -cardE ltn_ord.
Qed.

Lemma round_inj r p q : (r < m)%N -> (p < m)%N -> (q < m)%N -> round r p = round r q -> p = q.
Proof.
move=> rm pm qm /eqP; rewrite /round nth_uniq ?enum_uniq -?cardE ?ltn_mod ?arms_gt0 //.
by rewrite eqn_modDl !modn_small // => /eqP.
Qed.

(* over all starts an arm has each position once *)
Lemma count_positions i K : (K < m)%N -> (\sum_(r < m) (position r i <= K)%N = K.+1)%N.
Proof.
move=> Km; have pm r : (position r i < m)%N by rewrite ltn_mod arms_gt0.
rewrite (reindex_inj (h := fun p : 'I_m => Ordinal (pm p))) /=; last first.
  move=> p q /(congr1 val) /= e; apply/val_inj => /=.
  have e' : round p (position p i) = round q (position p i) by rewrite [in RHS]e !round_position.
  move: e' => /eqP; rewrite /round nth_uniq ?enum_uniq -?cardE ?ltn_mod ?arms_gt0 //.
  by rewrite eqn_modDr !modn_small ?ltn_ord // => /eqP.
have pp (p : 'I_m) : position (position p i) i = p.
  apply: (@round_inj (position p i)) => //; rewrite round_position // -[LHS](round_position i (ltn_ord p)).
  by rewrite /round addnC.
under eq_bigr do rewrite pp.
rewrite -big_mkcond /= sum1_card.
rewrite (eq_card (_ : _ =i [pred p : 'I_m | p < K.+1]%N)) // -sum1_card.
by rewrite (big_ord_narrow_cond (F := fun=> 1%N) (P := xpredT) Km) sum1_card card_ord.
Qed.

Variables (pull : A -> D) (say : A -> X) (test : O -> bool).
(* the strategy: the round from arm number r on; then the first arm whose data pass the test,
   or else the next one of the round *)
Definition sweep (r : nat) : strategy O D X :=
  Strategy (fun h => pull (round r (size h))) (fun h => say (round r (find test h))).

Variables (law : A -> D -> O -> R) (eta : R).
(* the test of the data of the arm x is wrong with probability at most eta, whatever is hidden *)
Definition reliable := forall i x, \sum_(o | test o != (x == i)) law i (pull x) o <= eta.

Lemma found (good : A -> X -> bool) r i pre K : (forall x, is_law (law i x)) -> good i (say i) ->
  has test pre -> round r (find test pre) = i -> success_from (law i) (sweep r) (good i) pre K = 1.
Proof.
move=> hl hg; elim: K pre => [|K IH] pre hp fi.
  by rewrite success_from0 /= fi hg.
rewrite success_fromS -[RHS](proj2 (hl (deploy (sweep r) pre))); apply: eq_bigr => o _.
rewrite IH ?mulr1 //; first by rewrite has_rcons hp orbT.
by rewrite -cats1 find_cat hp.
Qed.

Lemma sweep_from (good : A -> X -> bool) r i pre K : reliable -> 0 <= eta ->
  (forall x, is_law (law i x)) -> good i (say i) -> (r < m)%N -> ~~ has test pre ->
  (size pre <= position r i <= size pre + K)%N ->
  1 - K%:R * eta <= success_from (law i) (sweep r) (good i) pre K.
Proof.
move=> ht e0 hl hg rm; elim: K pre => [|K IH] pre np /andP[p1 p2].
  have e : find test pre = position r i.
    by rewrite (hasNfind np); apply/eqP; rewrite eqn_leq p1 -(addn0 (size pre)).
  by rewrite mul0r subr0 success_from0 /= e round_position // hg.
set x := deploy (sweep r) pre; have [l0 l1] := hl x.
have s0 o : 0 <= success_from (law i) (sweep r) (good i) (rcons pre o) K.
  by case/andP: (success_from_bounds (sweep r) (good i) (rcons pre o) K hl).
case: (lerP 0 (1 - K.+1%:R * eta)) => [pos|neg]; last first.
  apply: (le_trans (ltW neg)).
  by case/andP: (success_from_bounds (sweep r) (good i) pre K.+1 hl).
have K0 : 0 <= 1 - K%:R * eta.
  by apply: le_trans pos _; rewrite ler_add2l ler_opp2 ler_wpmul2r // ler_nat.
have right b : \sum_(o | test o != b) law i x o <= eta ->
    (1 - eta) <= \sum_(o | test o == b) law i x o.
  move=> h; rewrite ler_subl_addr -l1 (bigID (fun o => test o == b)) /= ler_add2l //.
case: (eqVneq (size pre) (position r i)) => [now|later].
  (* the hidden arm is tried *)
  have xi : x = pull i by rewrite /x /= now round_position.
  have r1 : 1 - eta <= \sum_(o | test o == true) law i x o.
    by apply: right; rewrite xi -{1}(eqxx i) ; exact: ht.
  rewrite success_fromS (bigID (fun o => test o == true)) /=.
  have n0 : 0 <= \sum_(o | test o != true) law i x o * success_from (law i) (sweep r) (good i) (rcons pre o) K.
    by apply: sumr_ge0 => o _; rewrite mulr_ge0.
  apply: (@le_trans _ _ (1 - eta)).
    by rewrite ler_add2l ler_opp2 ler_pemull // ler1n.
  apply: le_trans r1 _; rewrite -[leLHS]addr0; apply: ler_add => //.
  rewrite [leRHS](eq_bigr (law i x)) // => o /eqP to; rewrite found ?mulr1 //.
    by rewrite has_rcons to.
  by rewrite -cats1 find_cat (negPf np) /= to addn0 now round_position.
(* another one *)
have lt : (size pre < position r i)%N by rewrite ltn_neqAle later.
have xi : (round r (size pre) == i) = false.
  apply/negP => /eqP e; move/negP: later; apply; apply/eqP.
  have pm : (position r i < m)%N by rewrite ltn_mod arms_gt0.
  by apply: (@round_inj r) => //; [exact: ltn_trans lt pm|rewrite round_position].
have r1 : 1 - eta <= \sum_(o | test o == false) law i x o.
  by apply: right; rewrite -xi; exact: ht.
rewrite success_fromS (bigID (fun o => test o == false)) /=.
have n0 : 0 <= \sum_(o | test o != false) law i x o * success_from (law i) (sweep r) (good i) (rcons pre o) K.
  by apply: sumr_ge0 => o _; rewrite mulr_ge0.
apply: (@le_trans _ _ ((1 - eta) * (1 - K%:R * eta))).
  have -> : (1 - eta) * (1 - K%:R * eta) = 1 - K.+1%:R * eta + K%:R * (eta * eta).
    by rewrite -[K.+1]addn1 natrD; ring.
  by rewrite ler_addl !mulr_ge0 ?ler0n.
rewrite -[leLHS]addr0; apply: ler_add => //.
apply: le_trans (ler_wpmul2r K0 r1) _; rewrite mulr_suml; apply: ler_sum => o /eqP to.
rewrite ler_wpmul2l // IH //; first by rewrite has_rcons to.
by rewrite size_rcons lt addSnnS.
Qed.

(* With a start drawn uniformly the sweep fails on no arm with more than 1 - (K + 1) / m + K eta. *)
Theorem sweep_failure (good : A -> X -> bool) i K : reliable -> 0 <= eta ->
  (forall x, is_law (law i x)) -> good i (say i) -> (K < m)%N ->
  1 - mixed_success (fun _ : 'I_m => m%:R^-1) (fun r => sweep r) (law i) (good i) K
  <= 1 - K.+1%:R / m%:R + K%:R * eta.
Proof.
move=> ht e0 hl hg Km; have mR : 0 < m%:R :> R by rewrite ltr0n arms_gt0.
rewrite -addrA ler_add2l [leRHS]addrC -[leRHS]opprB ler_opp2 /mixed_success -mulr_sumr.
rewrite [leRHS]mulrC ler_pdivl_mulr //.
apply: (@le_trans _ _ (\sum_(r < m) (position r i <= K)%N%:R * (1 - K%:R * eta))).
  rewrite -mulr_suml -natr_sum count_positions //.
  have -> : (K.+1%:R / m%:R - K%:R * eta) * m%:R = K.+1%:R - (m%:R * K%:R) * eta by field; rewrite gt_eqF.
  rewrite mulrBr mulr1 ler_add2l ler_opp2 mulrA; apply: ler_wpmul2r => //; apply: ler_wpmul2r; first exact: ler0n.
  by rewrite ler_nat.
apply: ler_sum => r _; case hp : (position r i <= K)%N; last first.
  by rewrite mul0r success_nil; case/andP: (success_from_bounds (sweep r) (good i) [::] K hl).
by rewrite mul1r success_nil; apply: sweep_from => //; rewrite hp.
Qed.
End Sweep.
