(* The sharp blow-up, whole: the Loewner bound, both bounds of the uncertainty, and that both
   are attained in dimension one. *)
From derl.common Require Import prelude forms determinants.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.analysis Require Import matrices eigenvalue blow_up.

(* [res-sharp-blow-up], whole; the last part is the sharpness for d = 1: nu = 1, one feature 1,
   A = a for any a >= 0, and e, e2 the two uncertainties *)
Theorem res_sharp_blow_up_whole (R : rcfType) :
  (forall d (A : 'M[R]_d) (lam b c n : R), above A lam%:M -> 0 <= lam -> 0 < b -> 0 < c -> b <= n * c ->
    above (b%:M + n *: A) (((b + n * lam) / (c + lam)) *: (c%:M + A))) /\
  (forall d (T : finType) (Pi : Type) (phi : T -> 'cV[R]_d) (p : Pi -> T -> R) (nu c b n e : R) (A : 'M[R]_d),
    (forall pi, is_law (p pi)) -> (forall t, sq (phi t) <= 1) -> reaches phi p nu -> psd A ->
    0 < c -> 0 < b -> b <= n * c -> 0 < e -> 0 < nu ->
    ((forall pi, uncertainty phi p (c%:M + A) pi <= e) -> let lam := nu ^+ 4 / e ^+ 2 - c in 0 <= lam ->
       forall pi, uncertainty phi p (b%:M + n *: A) pi <= nu ^+ 2 / Num.sqrt (b + n * lam)) /\
    ((forall pi, uncertainty2 phi p (c%:M + A) pi <= e) -> let lam := nu ^+ 2 / e - c in 0 <= lam ->
       forall pi, uncertainty2 phi p (b%:M + n *: A) pi <= nu ^+ 2 / (b + n * lam))) /\
  forall a b c n : R, 0 <= a -> 0 < b -> 0 < c -> b <= n * c ->
    exists (phi : unit -> 'cV[R]_1) (p : unit -> unit -> R) (e e2 : R),
    [/\ forall pi, is_law (p pi), forall t, sq (phi t) <= 1, reaches phi p 1 & 0 < e /\ 0 < e2] /\
    [/\ forall pi, uncertainty phi p (c%:M + a%:M) pi = e, 0 <= 1 ^+ 4 / e ^+ 2 - c &
        forall pi, uncertainty phi p (b%:M + n *: a%:M) pi = 1 ^+ 2 / Num.sqrt (b + n * (1 ^+ 4 / e ^+ 2 - c))] /\
    [/\ forall pi, uncertainty2 phi p (c%:M + a%:M) pi = e2, 0 <= 1 ^+ 2 / e2 - c &
        forall pi, uncertainty2 phi p (b%:M + n *: a%:M) pi = 1 ^+ 2 / (b + n * (1 ^+ 2 / e2 - c))].
Proof.
have pos (b c n : R) : 0 < b -> 0 < c -> b <= n * c -> 0 < n.
  by move=> b0 c0 nc; rewrite -(pmulr_lgt0 _ c0); exact: lt_le_trans nc.
split; first by move=> d A lam b c n; exact: sharp_above.
split.
  move=> d T Pi phi p nu c b n e A hp hphi hnu pA c0 b0 nc e0 nu0.
  by have [_ h] := res_sharp_blow_up hp hphi hnu pA c0 b0 (pos _ _ _ b0 c0 nc) nc e0 nu0.
move=> a b c n a0 b0 c0 nc; have n0 := pos _ _ _ b0 c0 nc.
have s0 : 0 < c + a by rewrite ltr_paddr.
have t0 : 0 < b + n * a by rewrite ltr_paddr // mulr_ge0 // ltW.
have one (F : unit -> R) : mean (fun=> 1) F = F tt by rewrite /mean (big_pred1 tt) ?mul1r // => -[].
have q (k : R) : qf (k%:M : 'M[R]_1) 1%:M = k by rewrite /qf /bil trmx1 mul1mx mulmx1 mxE eqxx mulr1n.
have inv (k m : R) : qf (invmx (k%:M + m%:M : 'M[R]_1)) 1%:M = (k + m)^-1 by rewrite -raddfD /= invmx_scalar q.
have back : (c + a) - c = a by rewrite addrAC subrr add0r.
exists (fun=> 1%:M), (fun _ _ => 1), (Num.sqrt (c + a)^-1), (c + a)^-1; split.
  split; last by rewrite sqrtr_gt0 invr_gt0.
  - by move=> _; split=> [t|]; [exact: ler01|rewrite (big_pred1 tt) // => -[]].
  - by move=> _; rewrite /sq q.
  - by move=> u u1; exists tt; rewrite one trmx1 mul1mx expr1n -[leLHS]u1 /sq qfE big_ord1.
have eE : 1 ^+ 4 / Num.sqrt (c + a)^-1 ^+ 2 - c = a by rewrite expr1n sqr_sqrtr ?invr_ge0 ?(ltW s0) // invrK mul1r back.
have e2E : 1 ^+ 2 / (c + a)^-1 - c = a by rewrite expr1n invrK mul1r back.
rewrite eE e2E /uncertainty /uncertainty2 scale_scalar_mx expr1n !mul1r.
by split; split=> // pi; rewrite one inv // sqrtrV // ltW.
Qed.

(* control: 9/10 of the bound of the squared norm is too little *)
Theorem res_sharp_blow_up_control (R : rcfType) : ~ (forall d (T : finType) (Pi : Type) (phi : T -> 'cV[R]_d)
  (p : Pi -> T -> R) (nu c b n e : R) (A : 'M[R]_d),
  (forall pi, is_law (p pi)) -> (forall t, sq (phi t) <= 1) -> reaches phi p nu -> psd A ->
  0 < c -> 0 < b -> b <= n * c -> 0 < e -> 0 < nu ->
  (forall pi, uncertainty2 phi p (c%:M + A) pi <= e) -> 0 <= nu ^+ 2 / e - c ->
  forall pi, uncertainty2 phi p (b%:M + n *: A) pi <= 9%:R / 10%:R * (nu ^+ 2 / (b + n * (nu ^+ 2 / e - c)))).
Proof.
have le1 : 1 <= 1 * 1 :> R by rewrite mulr1.
have [_ [_ /(_ 1 1 1 1 ler01 ltr01 ltr01 le1)]] := res_sharp_blow_up_whole R.
move=> [phi [p [e [e2 [[hp hs hr [_ e20]] [_ [he l0 hu]]]]]]] h.
have p1 : psd (1%:M : 'M[R]_1) by exact/pd_psd/pd1.
have tp : 0 < 1 + 1 * (1 ^+ 2 / e2 - 1) :> R by rewrite mul1r; exact: ltr_spaddl ltr01 l0.
have := h 1%N _ _ phi p 1 1 1 1 e2 1%:M hp hs hr p1 ltr01 ltr01 le1 e20 ltr01 (fun pi => eq_ind_r (fun x => x <= e2)
  (lexx e2) (he pi)) l0 tt.
have bp : 0 < 1 ^+ 2 / (1 + 1 * (1 ^+ 2 / e2 - 1)) by apply: divr_gt0 => //; rewrite expr1n; exact: ltr01.
by rewrite hu leNgt gtr_pmull // ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat.
Qed.
