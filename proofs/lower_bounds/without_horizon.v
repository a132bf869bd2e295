(* The bound without the horizon in the logarithm, solved for the number of deployments: the mean
   number of heads before the K-th tail, and Markov's inequality. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks gate trajectories lock frontier.

Lemma heads_short (R : realFieldType) (p : R) n m : (n < m)%N -> heads p n m = 0.
Proof. by elim: n m => [|n IH] [|m] //= nm; rewrite !IH ?mulr0 ?addr0 //; exact: leqW. Qed.

(* Markov's inequality for the heads before the k-th tail, whose mean is k p / (1 - p) *)
Lemma before_tail_mean (R : realFieldType) (p : R) k x : 0 <= p < 1 ->
  x%:R * before_tail p k x <= k%:R * (p / (1 - p)).
Proof.
move=> /andP[p0 p1]; have q0 : 0 < 1 - p by rewrite subr_gt0.
have p01 : 0 <= p <= 1 by rewrite p0 ltW.
have mu0 : 0 <= p / (1 - p) by rewrite divr_ge0 // ltW.
elim: x k => [|x IHx] k; first by rewrite mul0r mulr_ge0 ?ler0n.
elim: k => [|k IHk]; first by rewrite /before_tail addn0 /= heads_short ?mulr0 ?mul0r.
rewrite before_tailS.
have /andP[_ t1] := heads_range (x + k.+1).-1 x p01; rewrite -/(before_tail p k.+1 x) in t1.
have e : k.+1%:R * (p / (1 - p)) = p * (k.+1%:R * (p / (1 - p)) + 1) + (1 - p) * (k%:R * (p / (1 - p))).
  by rewrite -[k.+1]addn1 natrD; field; exact: lt0r_neq0.
have -> : x.+1%:R * (p * before_tail p k.+1 x + (1 - p) * before_tail p k x.+1) =
   p * (x%:R * before_tail p k.+1 x + before_tail p k.+1 x) + (1 - p) * (x.+1%:R * before_tail p k x.+1).
  by rewrite -[x.+1]addn1 natrD; ring.
rewrite e; apply: ler_add; apply: ler_wpmul2l => //; last exact: ltW.
exact: ler_add.
Qed.

(* the probability of the first bound of [res-arbitrary-without-horizon-log] is at least that of the second *)
Lemma coin_bound (R : realFieldType) (n d K l : nat) : (1 < d)%N -> (0 < K)%N -> (1 < n)%N -> (K * l.+1 < n)%N ->
  let m := (n - K * l.+1)%N in
  1 - (K%:R * (l%:R + d%:R / (d%:R - 1)) - 1) / (n%:R - 1) <= 1 - heads (d%:R^-1) (m + K).-1 m :> R.
Proof.
move=> d1 K0 n1 Kn /=; set m := (n - _)%N; rewrite ler_add2l ler_opp2.
have dR : 1 < d%:R :> R by rewrite ltr1n.
have d0 : 0 < d%:R :> R by exact: lt_trans ltr01 dR.
have dm : 0 < d%:R - 1 :> R by rewrite subr_gt0.
have nm : 0 < n%:R - 1 :> R by rewrite subr_gt0 ltr1n.
have p01 : 0 <= (d%:R^-1 : R) < 1 by rewrite invr_ge0 (ltW d0) invf_lt1.
have p01' : 0 <= (d%:R^-1 : R) <= 1 by case/andP: p01 => -> /ltW ->.
rewrite ler_pdivl_mulr // -/(before_tail (d%:R^-1) K m).
have mk := before_tail_mean K m p01; have /andP[_ t1] := heads_range (m + K).-1 m p01'.
rewrite -/(before_tail (d%:R^-1 : R) K m) in t1.
have muE : (d%:R^-1 : R) / (1 - d%:R^-1) = (d%:R - 1)^-1 by field; rewrite !lt0r_neq0.
rewrite muE in mk.
pose A : R := K%:R * l.+1%:R - 1.
have A0 : 0 <= A by rewrite subr_ge0 -natrM ler1n muln_gt0 K0.
have nE : n%:R - 1 = m%:R + A :> R by rewrite /A -natrM addrA -natrD subnK // ltnW.
have -> : K%:R * (l%:R + d%:R / (d%:R - 1)) - 1 = K%:R * (d%:R - 1)^-1 + A :> R.
  by rewrite /A -[l.+1]addn1 natrD; field; exact: lt0r_neq0.
rewrite nE mulrDr; apply: ler_add; first by rewrite mulrC.
by rewrite ler_pimull.
Qed.

(* [res-arbitrary-without-horizon-log], both bounds and what they say of K: K >= 1 deployments fail on some
   lock at least as the coin says; up to K = (n + 1) / (2 (l + d / (d - 1))) with probability at least
   1/2 (d - 1) / d; and without a deployment with probability at least (d - 1) / d *)
Theorem lower_without_horizon_solved (R : realFieldType) (n d N : nat) (b : R) (W : finType) (w : W -> R)
    (psi : W -> strategy [finType of data n d N] (deployed R d) (deployed R d)) eps K l :
  is_law w -> (1 < d)%N -> (1 < n)%N -> (0 < N)%N -> (N <= d ^ l)%N -> 2%:R * eps < b -> 0 < b <= 2%:R^-1 ->
  let m := (n - K * l.+1)%N in
  let fails c := \sum_v w v * failure (fun (c : code n d) (x : deployed R d) => data_law (N := N) (lock b c) x)
      (good_output b eps) c (psi v) K in
  let share : R := 1 - d%:R^-1 in
  [/\ (0 < K)%N -> (K * l.+1 < n)%N ->
        (exists c, share * (1 - heads (d%:R^-1) (m + K).-1 m) <= fails c) /\
        share * (1 - (K%:R * (l%:R + d%:R / (d%:R - 1)) - 1) / (n%:R - 1)) <= share * (1 - heads (d%:R^-1) (m + K).-1
      m), (0 < K)%N -> K%:R <= (n%:R + 1) / (2%:R * (l%:R + d%:R / (d%:R - 1))) :> R ->
        (K * l.+1 < n)%N /\ exists c, share / 2%:R <= fails c,
      K = 0%N -> exists c, share <= fails c &
      4%:R^-1 <= share / 2%:R].
Proof.
move=> hw d1 n1 N0 Nl eb hb m fails share.
have dR : 1 < d%:R :> R by rewrite ltr1n.
have d0 : 0 < d%:R :> R by exact: lt_trans ltr01 dR.
have dm : 0 < d%:R - 1 :> R by rewrite subr_gt0.
have nm : 0 < n%:R - 1 :> R by rewrite subr_gt0 ltr1n.
have s2 : 2%:R^-1 <= share.
  rewrite /share ler_subr_addr -ler_subr_addl; have -> : 1 - 2%:R^-1 = 2%:R^-1 :> R by field.
  by rewrite lef_pinv ?posrE ?ltr0n ?ler_nat // ltnW.
have s0 : 0 <= share by apply: le_trans s2; rewrite invr_ge0 ler0n.
have first : (K * l.+1 < n)%N -> exists c, share * (1 - heads (d%:R^-1) (m + K).-1 m) <= fails c.
  by move=> Kn; exact: lower_without_horizon.
have second : (0 < K)%N -> (K * l.+1 < n)%N ->
   share * (1 - (K%:R * (l%:R + d%:R / (d%:R - 1)) - 1) / (n%:R - 1)) <= share * (1 - heads (d%:R^-1) (m + K).-1 m).
  by move=> K0 Kn; rewrite ler_wpmul2l //; exact: coin_bound.
have rE : d%:R / (d%:R - 1) = 1 + (d%:R - 1)^-1 :> R by field; exact: lt0r_neq0.
have r1 : 1 < d%:R / (d%:R - 1) :> R by rewrite rE ltr_addl invr_gt0.
split.
- by move=> K0 Kn; split; [exact: first|exact: second].
- move=> K0; set z := l%:R + _; have z1 : l.+1%:R < z by rewrite /z -[l.+1]addn1 natrD ltr_add2l.
  have z0 : 0 < z by apply: lt_trans z1; rewrite ltr0n.
  rewrite ler_pdivl_mulr ?mulr_gt0 ?ltr0n // => hK.
  have Kn : (K * l.+1 < n)%N.
    have : K%:R * (2%:R * l.+1%:R) < n%:R + 1 :> R.
      by apply: lt_le_trans hK; rewrite ltr_pmul2l ?ltr0n // ltr_pmul2l ?ltr0n.
    by rewrite -natrM -natrM -(natrD R n 1) ltr_nat mulnCA; move: (K * l.+1)%N n1; clear; lia.
  split=> //; have [c hc] := first Kn; exists c; apply: le_trans hc; apply: le_trans (second K0 Kn).
  apply: ler_wpmul2l => //; rewrite -/z ler_subr_addr -ler_subr_addl ler_pdivr_mulr //.
  have -> : 1 - 2%:R^-1 = 2%:R^-1 :> R by field.
  rewrite [leRHS]mulrC ler_pdivl_mulr ?ltr0n //.
  have -> : (K%:R * z - 1) * 2%:R = K%:R * (2%:R * z) - 2%:R by ring.
  by rewrite ler_subl_addr; apply: le_trans hK _; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
- move=> K0; have Kn : (K * l.+1 < n)%N by rewrite K0 mul0n ltnW.
  have [c hc] := first Kn; exists c; apply: le_trans hc.
  by rewrite /m K0 mul0n subn0 addn0 heads_short ?subr0 ?mulr1 // prednK // ltnW.
rewrite ler_pdivl_mulr ?ltr0n //; apply: le_trans s2; rewrite le_eqVlt; apply/orP; left; apply/eqP; by field.
Qed.

(* control: 1 less than d / (d - 1) is not enough in the mean, n = 3, d = 2, K = 1, l = 0 *)
Theorem lower_without_horizon_control : ~ (forall n d K l : nat, (1 < d)%N -> (0 < K)%N -> (1 < n)%N ->
  (K * l.+1 < n)%N -> let m := (n - K * l.+1)%N in
  1 - (K%:R * (l%:R + 1) - 1) / (n%:R - 1) <= 1 - heads (d%:R^-1) (m + K).-1 m :> rat).
Proof. by move=> h; have := h 3%N 2%N 1%N 0%N isT isT isT isT; apply/negP; vm_compute. Qed.
