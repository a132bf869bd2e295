(* The exchange law from below: K deployments of N trajectories do not explore n layers where
   K (log N + 1) is less than half of n. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks gate trajectories lock frontier.

Section Tail.
Variables (R : realFieldType) (p : R).
Hypothesis p01 : 0 <= p < 1.
Let p0 : 0 <= p. Proof. by case/andP: p01. Qed.
Let q0 : 0 < 1 - p. Proof. by rewrite subr_gt0; case/andP: p01. Qed.
Let unit_range : 0 <= p <= 1. Proof. by rewrite p0 ltW //; case/andP: p01. Qed.

Lemma tail_range k x : 0 <= before_tail p k x <= 1. Proof. exact: heads_range. Qed.
Lemma tail_none x : before_tail p 0 x.+1 = 0.
Proof.
rewrite /before_tail addn0 /=.
have gen m n : (m < n)%N -> heads p m n = 0.
  elim: m n => [|m IH] [|n] //= mn; by rewrite !IH ?mulr0 ?addr0 // (ltn_trans (ltnSn m)).
exact: gen.
Qed.

Lemma tail_falls k x : before_tail p k x.+1 <= before_tail p k x.
Proof.
elim: k x => [|k IHk] x; first by rewrite tail_none; case/andP: (tail_range 0 x).
elim: x => [|x IHx]; first by rewrite before_tail0; case/andP: (tail_range k.+1 1).
by rewrite before_tailS [leRHS]before_tailS; apply: ler_add; rewrite ler_wpmul2l // ltW.
Qed.

(* the mean number of heads before the k-th tail, cut at x, is at most k p/(1-p) *)
Lemma tail_sum k x : \sum_(i < x) before_tail p k i.+1 <= k%:R * (p / (1 - p)).
Proof.
have r0 : 0 <= p / (1 - p) by rewrite divr_ge0 // ltW.
elim: k x => [|k IH] x; first by rewrite mul0r big1 // => i _; exact: tail_none.
set T := \sum_(i < x) _; suff h : (1 - p) * T <= p + (1 - p) * (k%:R * (p / (1 - p))).
  have e : p + (1 - p) * (k%:R * (p / (1 - p))) = (1 - p) * (k.+1%:R * (p / (1 - p))).
    by rewrite -[k.+1]addn1 natrD; move: (k%:R : R) => u; field; rewrite gt_eqF.
  by move: h; rewrite e ler_pmul2l.
have e : T = p * (\sum_(i < x) before_tail p k.+1 i) + (1 - p) * \sum_(i < x) before_tail p k i.+1.
  by rewrite !mulr_sumr -big_split; apply: eq_bigr => i _; rewrite before_tailS.
have le : \sum_(i < x) before_tail p k.+1 i <= 1 + T.
  rewrite /T; case: (x) => [|y]; first by rewrite !big_ord0 addr0 ler01.
  rewrite big_ord_recl before_tail0 ler_add2l big_ord_recr /= ler_addl.
  by case/andP: (tail_range k.+1 y.+1).
rewrite mulrBl mul1r {1}e ler_subl_addr; apply: (@le_trans _ _ (p * (1 + T) + (1 - p) * (k%:R * (p / (1 - p))))).
  by apply: ler_add; rewrite ler_wpmul2l // ltW.
by rewrite mulrDr mulr1 addrAC.
Qed.

Lemma tail_markov k x : x%:R * before_tail p k x <= k%:R * (p / (1 - p)).
Proof.
apply: le_trans (tail_sum k x); rewrite mulr_natl -[X in _ *+ X]card_ord -sumr_const.
apply: ler_sum => i _; have := ltn_ord i; move: (nat_of_ord i) => m {i}.
elim: x => // x IH; rewrite ltnS leq_eqVlt => /orP[/eqP ->|/IH h]; first exact: lexx.
exact: le_trans (tail_falls k x) h.
Qed.
End Tail.

(* [res-exchange-law], the side below: locks with n digits and A >= 3 actions, l any number with N <= A^l, such
   as the rounded logarithm.  Whoever deploys K policies of any kind, with N trajectories each and
   K (l + A/(A-1)) <= (n+1)/2, is not epsilon-optimal on some lock with probability at least 1/3 *)
Theorem law_below (R : realFieldType) (n A N : nat) (b eps : R) (W : finType) (w : W -> R)
    (psi : W -> strategy [finType of data n A N] (deployed R A) (deployed R A)) K l :
  is_law w -> (2 < A)%N -> (1 < n)%N -> (0 < N)%N -> (N <= A ^ l)%N ->
  2%:R * eps < b -> 0 < b <= 2%:R^-1 ->
  K%:R * (l%:R + A%:R / (A%:R - 1)) <= (n%:R + 1) / 2%:R :> R ->
  exists c : code n A, 3%:R^-1 <=
    \sum_v w v * failure (fun (c : code n A) (x : deployed R A) => data_law (N := N) (lock b c) x)
      (good_output b eps) c (psi v) K.
Proof.
move=> hw A3 n1 N0 Nl eb hb hK; have A1 : (1 < A)%N by exact: ltnW.
have a0 : 0 < A%:R :> R by rewrite ltr0n ltnW.
have a1 : 0 < A%:R - 1 :> R by rewrite subr_gt0 ltr1n.
have split : l%:R + A%:R / (A%:R - 1) = l.+1%:R + (A%:R - 1)^-1 :> R.
  by rewrite -[l.+1]addn1 natrD; field; rewrite gt_eqF.
rewrite split mulrDr -natrM in hK.
set m := (n - K * l.+1)%N; pose r : R := (A%:R - 1)^-1.
have r0 : 0 <= r by rewrite invr_ge0 ltW.
have Kr : 0 <= K%:R * r by rewrite mulr_ge0 ?ler0n.
have Kn2 : (2 * (K * l.+1) <= n.+1)%N.
  rewrite -(ler_nat R) natrM mulrC -ler_pdivl_mulr ?ltr0n // -[n.+1]addn1 natrD.
  by apply: le_trans hK; rewrite ler_addl.
have Kn : (K * l.+1 < n)%N.
  rewrite ltnNge; apply/negP => nK; have : (2 * n <= n.+1)%N by apply: leq_trans Kn2; rewrite leq_mul2l nK orbT.
  by rewrite mul2n -addnn -addn1 leq_add2l leqNgt n1.
have [c hc] := lower_without_horizon psi hw A1 n1 N0 Nl Kn eb hb; exists c; apply: le_trans hc.
rewrite -/m; set B := heads _ _ _.
have p01 : 0 <= (A%:R^-1 : R) < 1 by rewrite invr_ge0 ler0n invf_lt1 // ltr1n.
have odds : A%:R^-1 / (1 - A%:R^-1) = r :> R by rewrite /r; field; rewrite !gt_eqF.
have hB : m%:R * B <= K%:R * r by rewrite -odds; exact: (tail_markov p01 K m).
have m0 : 0 < m%:R :> R by rewrite ltr0n subn_gt0.
have mE : m%:R = n%:R - (K * l.+1)%:R :> R by rewrite /m natrB // ltnW.
have half : B <= 2%:R^-1.
  case: (posnP K) => [K0|K0].
    have B0 : m%:R * B <= 0 by move: hB; rewrite K0 mul0r.
    by apply: (@le_trans _ _ 0); [rewrite -(pmulr_rle0 _ m0)|rewrite invr_ge0 ler0n].
  rewrite -(ler_pmul2l m0); apply: le_trans hB _; rewrite mE.
  have l1 : 1 <= (K * l.+1)%:R :> R by rewrite ler1n muln_gt0 K0.
  rewrite -subr_ge0; have -> : (n%:R - (K * l.+1)%:R) * 2%:R^-1 - K%:R * r =
    ((n%:R + 1) / 2%:R - ((K * l.+1)%:R + K%:R * r)) + ((K * l.+1)%:R - 1) / 2%:R :> R.
    by move: (K * l.+1)%N%:R (K%:R * r) (n%:R) => x y z; field.
  by rewrite addr_ge0 ?divr_ge0 ?ler0n // subr_ge0.
have thirds : 2%:R / 3%:R <= 1 - A%:R^-1 :> R.
  rewrite ler_subr_addr -ler_subr_addl; have -> : 1 - 2%:R / 3%:R = 3%:R^-1 :> R by field.
  by rewrite lef_pinv ?posrE ?ltr0n ?ler_nat // ltnW.
have -> : 3%:R^-1 = 2%:R / 3%:R * (1 - 2%:R^-1) :> R by field.
apply: ler_pmul => //; first by rewrite divr_ge0 ?ler0n.
  by rewrite subr_ge0 invf_le1 ?ler1n ?ltr0n.
by rewrite ler_add2l ler_opp2.
Qed.

(* control: with 5/2 (n+1) in the place of (n+1)/2 the statement is false: three actions, two digits, N = 9
   trajectories (l = 2) and two deployments are allowed, and then the tail itself is certain *)
Theorem law_below_control (R : realFieldType) : ~ (forall A n K l : nat, (2 < A)%N -> (1 < n)%N ->
  K%:R * (l%:R + A%:R / (A%:R - 1)) <= 5%:R / 2%:R * (n%:R + 1) :> R ->
  3%:R^-1 <= (1 - A%:R^-1) * (1 - heads (A%:R^-1) ((n - K * l.+1) + K).-1 (n - K * l.+1)) :> R).
Proof.
move=> h; have := h 3%N 2%N 2%N 2%N isT isT; rewrite (_ : (2 - 2 * 3 = 0)%N) //=.
rewrite subrr mulr0 => bad; have : 3%:R^-1 <= 0 :> R.
  apply: bad; have -> : 3%:R - 1 = 2%:R :> R by ring.
  rewrite -subr_ge0; have -> : 5%:R / 2%:R * (2%:R + 1) - 2%:R * (2%:R + 3%:R / 2%:R) = 2%:R^-1 :> R by field.
  by rewrite invr_ge0 ler0n.
by rewrite leNgt invr_gt0 ltr0n.
Qed.
