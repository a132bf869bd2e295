(* Sums of independent whole numbers, given by their tails: the tail of the sum, and Markov's inequality for it. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks frontier chains.

Section Sums.
Variable R : realFieldType.
Implicit Types (F : nat -> R) (Fs : seq (nat -> R)).

(* the probability that independent X_1, X_2, ... with P(X_i >= a) = F_i a add up to x at least *)
Fixpoint at_least Fs (x : nat) : R :=
  if Fs is F :: Fs' then \sum_(a < x) (F a - F a.+1) * at_least Fs' (x - a) + F x else (x == 0%N)%:R.
(* the tail of a whole number X >= 0 *)
Definition tail F := [/\ F 0%N = 1, forall a, F a.+1 <= F a & forall a, 0 <= F a].
(* all of them are tails *)
Fixpoint tails Fs : Prop := if Fs is F :: Fs' then tail F /\ tails Fs' else True.

Lemma at_least0 Fs : tails Fs -> at_least Fs 0 = 1.
Proof. by case: Fs => [|F Fs] //= [[F0 _ _] _]; rewrite big_ord0 add0r. Qed.

Lemma at_least_range Fs x : tails Fs -> 0 <= at_least Fs x.+1 <= at_least Fs x.
Proof.
elim: Fs x => [|F Fs IH] x /=; first by case: x => [|x] _; rewrite ?lexx ?ler01.
move=> [[F0 F1 F2] hF]; have dF a : 0 <= F a - F a.+1 by rewrite subr_ge0.
have nn y : 0 <= at_least Fs y by case: y => [|y]; [rewrite at_least0 ?ler01|case/andP: (IH y hF)].
apply/andP; split.
  by rewrite addr_ge0 //; apply: sumr_ge0 => a _; rewrite mulr_ge0.
rewrite big_ord_recr /= -addrA; apply: ler_add.
  apply: ler_sum => a _; rewrite ler_wpmul2l // subSn; last exact: ltnW.
  by case/andP: (IH (x - a)%N hF).
rewrite subSnn -[leRHS](subrK (F x.+1)) ler_add2r -[leRHS]mulr1 ler_wpmul2l // -(at_least0 hF).
by case/andP: (IH 0%N hF).
Qed.

Lemma at_least_ge0 Fs x : tails Fs -> 0 <= at_least Fs x.
Proof. by move=> h; case: x => [|x]; [rewrite at_least0 ?ler01|case/andP: (at_least_range x h)]. Qed.
Lemma at_least_mono Fs x y : tails Fs -> (x <= y)%N -> at_least Fs y <= at_least Fs x.
Proof.
move=> h /subnKC <-; elim: (y - x)%N => [|z IH]; first by rewrite addn0.
by rewrite addnS; apply: le_trans IH; case/andP: (at_least_range (x + z) h).
Qed.
Lemma at_least_le1 Fs x : tails Fs -> at_least Fs x <= 1.
Proof. by move=> h; rewrite -(at_least0 h); exact: at_least_mono. Qed.

(* where k of the x digits are revealed for nothing *)
Lemma at_least_cut F Fs x k : tail F -> tails Fs ->
  \sum_(a < x) (F a - F a.+1) * at_least Fs (x - a - k) + F x = at_least (F :: Fs) (x - k).
Proof.
move=> [F0 F1 F2] hF; have [kx|xk] := leqP k x; last first.
  have -> : (x - k = 0)%N by lia.
  rewrite (eq_bigr (fun a : 'I_x => F a - F a.+1)) => [|a _].
    rewrite /= big_ord0 add0r.
    elim: x {xk} => [|x IH]; first by rewrite big_ord0 add0r.
    by rewrite big_ord_recr /= -addrA subrK IH.
  by rewrite (_ : (x - a - k = 0)%N) ?at_least0 ?mulr1 //; lia.
rewrite -[in LHS](subnK kx) addnC; set y := (x - k)%N.
have -> : \sum_(a < k + y) (F a - F a.+1) * at_least Fs (k + y - a - k) =
  \sum_(a < y) (F a - F a.+1) * at_least Fs (y - a) + (F y - F (k + y)%N).
  elim: (k) => [|k' IH].
    rewrite add0n subrr addr0; apply: eq_bigr => a _; by rewrite subn0.
  rewrite addSn big_ord_recr /= (eq_bigr (fun a : 'I_(k' + y) => (F a - F a.+1) * at_least Fs (k' + y - a - k'))).
    rewrite IH (_ : (_ - _ - _ = 0)%N) ?at_least0 //; last by lia.
    by rewrite mulr1 -addrA; congr (_ + _); ring.
  by move=> a _; congr (_ * at_least _ _); lia.
by rewrite -addrA subrK.
Qed.

(* the chain that reveals a digit after each deployment *)
Lemma reveal_at_least F k x : tail F -> reveal F k x <= at_least (nseq k F) (x.+1 - k).
Proof.
move=> hF; have hs k' : tails (nseq k' F) by elim: k'.
elim: k x => [|k IH] x /=; first exact: ler0n.
rewrite subSS -[leRHS]/(at_least (F :: nseq k F) (x - k)) -(at_least_cut x k hF (hs k)) ler_add2r.
apply: ler_sum => a _; rewrite ler_wpmul2l ?subr_ge0; first by [].
  by case: hF.
by apply: le_trans (IH _) _; rewrite -subSn ?subSS ?lexx //.
Qed.

(* Markov's inequality: if the mean of the part of X_i above l_i is at most m_i, the sum of the X_i exceeds that of the
   l_i by M with probability at most the sum of the m_i over M *)
Definition above_level F (l : nat) (m : R) := forall x, \sum_(a < x | (l <= a)%N) F a.+1 <= m.

Lemma excess_step F Fs l L (m m' : R) : tail F -> tails Fs -> above_level F l m' ->
  (forall M c : nat, M%:R * at_least Fs (L + M - c) <= m + c%:R) ->
  forall M c : nat, M%:R * at_least (F :: Fs) (l + L + M - c) <= m' + m + c%:R.
Proof.
move=> [F0 F1 F2] hF hm IH M c; set x := (l + L + M - c)%N.
have one a : (a <= x)%N -> M%:R * at_least Fs (x - a) <= m + c%:R + (a - l)%N%:R.
  move=> ax; have [la|al] := leqP l a.
    have e : (x - a = L + M - (c + (a - l)))%N by rewrite /x; lia.
    by rewrite e; apply: le_trans (IH _ _) _; rewrite natrD addrA.
  have le : M%:R * at_least Fs (x - a) <= M%:R * at_least Fs (L + M - c).
    by rewrite ler_wpmul2l ?ler0n //; apply: at_least_mono => //; rewrite /x; lia.
  by apply: le_trans le (le_trans (IH _ _) _); rewrite ler_addl ler0n.
have last := one x (leqnn x); rewrite subnn at_least0 // mulr1 in last.
pose g (a : nat) : R := m + c%:R + (a - l)%N%:R.
have up : M%:R * at_least (F :: Fs) x <= \sum_(a < x) (F a - F a.+1) * g a + F x * g x.
  rewrite /= mulrDr mulr_sumr; apply: ler_add; last by rewrite mulrC ler_wpmul2l.
  apply: ler_sum => a _; rewrite mulrCA ler_wpmul2l ?subr_ge0 //; apply: one; exact: ltnW.
apply: le_trans up _.
have -> : \sum_(a < x) (F a - F a.+1) * g a + F x * g x = g 0%N + \sum_(a < x | (l <= a)%N) F a.+1.
  elim: (x) => [|y IHy]; first by rewrite !big_ord0 add0r addr0 F0 mul1r.
  rewrite big_ord_recr [in RHS]big_mkcond [in RHS]big_ord_recr -big_mkcond /= [in RHS]addrA -IHy.
  have gS : g y.+1 = g y + (l <= y)%N%:R.
    rewrite /g -[RHS]addrA -natrD; congr (_ + _%:R); case: leqP => h /=; lia.
  by rewrite gS; case: (l <= y)%N => /=; ring.
rewrite /g sub0n addr0 addrC -addrA ler_add2r.
exact: hm.
Qed.

Lemma excess_nil (M c : nat) : M%:R * at_least [::] (0 + M - c) <= 0 + c%:R.
Proof.
rewrite add0n add0r /=; case: (leqP M c) => h.
  by rewrite (_ : (M - c = 0)%N) ?eqxx ?mulr1 ?ler_nat //; lia.
by rewrite (_ : (M - c == 0)%N = false) ?mulr0 ?ler0n //; apply/negbTE; lia.
Qed.

(* the tail min (1, N / b^a) *)
Definition capped (b N a : nat) : R := Num.min 1 (N%:R / (b ^ a)%:R).

Lemma capped_tail b N : (0 < b)%N -> (0 < N)%N -> tail (capped b N).
Proof.
move=> b0 N0; have bR a : 0 < (b ^ a)%:R :> R by rewrite ltr0n expn_gt0 b0.
split=> [|a|a]; rewrite /capped.
- by rewrite expn0 divr1; apply/min_idPl; rewrite ler1n.
- rewrite le_minr !le_minl lexx /=; apply/orP; right.
  by rewrite ler_wpmul2l ?ler0n // lef_pinv ?posrE ?bR // ler_nat leq_pexp2l.
- by rewrite le_minr ler01 divr_ge0 ?ler0n.
Qed.

Lemma capped_level b N l : (1 < b)%N -> (N <= b ^ l)%N -> above_level (capped b N) l ((b%:R - 1)^-1).
Proof.
move=> b1 Nl x; have b0 : (0 < b)%N by exact: ltnW.
have bR a : 0 < (b ^ a)%:R :> R by rewrite ltr0n expn_gt0 b0.
have c0 : 0 < b%:R - 1 :> R by rewrite subr_gt0 ltr1n.
apply: (@le_trans _ _ ((1 - (b ^ (x - l))%:R^-1) * (b%:R - 1)^-1)); last first.
  by rewrite ler_pimull ?invr_ge0 ?(ltW c0) // ler_subl_addr ler_addl invr_ge0 ler0n.
elim: x => [|x IH]; first by rewrite big_ord0 sub0n expn0 invr1 subrr mul0r.
rewrite big_mkcond big_ord_recr -big_mkcond /=; case: (leqP l x) => lx; last first.
  by rewrite addr0; have -> : (x.+1 - l = x - l)%N by lia.
apply: le_trans (ler_add IH (_ : _ <= (b ^ (x - l).+1)%:R^-1)) _; last first.
  rewrite subSn // le_eqVlt; apply/orP; left; apply/eqP; rewrite expnS natrM.
  have := bR (x - l)%N; have := c0; have : 0 < b%:R :> R by rewrite ltr0n.
  move: ((b ^ (x - l))%:R : R) (b%:R : R) => u v v0 v1 u0; field; by rewrite ?(gt_eqF u0) ?(gt_eqF v1) ?(gt_eqF v0).
rewrite /capped le_minl; apply/orP; right.
rewrite ler_pdivr_mulr // mulrC ler_pdivl_mulr // -natrM ler_nat.
have -> : (b ^ x.+1 = b ^ l * b ^ (x - l).+1)%N by rewrite -expnD; congr (_ ^ _)%N; lia.
by rewrite leq_mul2r Nl orbT.
Qed.
End Sums.
