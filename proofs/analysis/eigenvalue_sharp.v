(* From a small expected norm to a large smallest eigenvalue: both halves, and that they are sharp. *)
From derl.common Require Import prelude forms determinants.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.analysis Require Import matrices eigenvalue.

(* [res-sharp-eigenvalue], whole; the last part is the sharpness for d = 1: nu = 1, one feature 1, and A = a for any
   a *)
Theorem res_sharp_eigenvalue (R : rcfType) :
  (forall d (T : finType) (Pi : Type) (phi : T -> 'cV[R]_d) (p : Pi -> T -> R) (nu c e : R) (A : 'M[R]_d),
    (forall pi, is_law (p pi)) -> (forall t, sq (phi t) <= 1) -> reaches phi p nu -> psd A -> 0 < c -> 0 < e ->
    ((forall pi, mean (p pi) (fun t => Num.sqrt (qf (invmx (c%:M + A)) (phi t))) <= e) ->
      above A (nu ^+ 4 / e ^+ 2 - c)%:M) /\
    ((forall pi, mean (p pi) (fun t => qf (invmx (c%:M + A)) (phi t)) <= e) ->
      above A (nu ^+ 2 / e - c)%:M)) /\
  forall a c : R, 0 <= a -> 0 < c -> exists (phi : unit -> 'cV[R]_1) (p : unit -> unit -> R) (e e2 : R),
    [/\ forall pi, is_law (p pi), forall t, sq (phi t) <= 1, reaches phi p 1 & 0 < e /\ 0 < e2] /\
    [/\ forall pi, mean (p pi) (fun t => Num.sqrt (qf (invmx (c%:M + a%:M)) (phi t))) = e,
      a%:M = (1 ^+ 4 / e ^+ 2 - c)%:M :> 'M[R]_1,
      forall pi, mean (p pi) (fun t => qf (invmx (c%:M + a%:M)) (phi t)) = e2 &
      a%:M = (1 ^+ 2 / e2 - c)%:M :> 'M[R]_1].
Proof.
split=> [d T Pi phi p nu c e A hp hphi hnu pA c0 e0|a c a0 c0].
  by split=> he; [exact: (sharp_eigenvalue hp hphi hnu)|exact: (sharp_eigenvalue_square hp hnu)].
have s0 : 0 < c + a by rewrite ltr_paddr.
have one (F : unit -> R) : mean (fun=> 1) F = F tt by rewrite /mean (big_pred1 tt) ?mul1r // => -[].
have q (b : R) : qf (b%:M : 'M[R]_1) 1%:M = b by rewrite /qf /bil trmx1 mul1mx mulmx1 mxE eqxx mulr1n.
exists (fun=> 1%:M), (fun _ _ => 1), (Num.sqrt (c + a)^-1), (c + a)^-1; split.
  split; last by rewrite sqrtr_gt0 invr_gt0.
  - by move=> _; split=> [t|]; [exact: ler01|rewrite (big_pred1 tt) // => -[]].
  - by move=> _; rewrite /sq q.
  - by move=> u u1; exists tt; rewrite one trmx1 mul1mx expr1n -[leLHS]u1 /sq qfE big_ord1.
have inv : qf (invmx (c%:M + a%:M : 'M[R]_1)) 1%:M = (c + a)^-1 by rewrite -raddfD /= invmx_scalar q.
have back : (c + a) - c = a by rewrite addrAC subrr add0r.
split=> [pi||pi|]; rewrite ?one ?inv //.
  by rewrite expr1n sqr_sqrtr ?invr_ge0 ?(ltW s0) // invrK mul1r back.
by rewrite expr1n invrK mul1r back.
Qed.

(* control: 11/10 of the quotient is too much *)
Theorem res_sharp_eigenvalue_control (R : rcfType) : ~ (forall d (T : finType) (Pi : Type) (phi : T -> 'cV[R]_d)
  (p : Pi -> T -> R) (nu c e : R) (A : 'M[R]_d),
  (forall pi, is_law (p pi)) -> (forall t, sq (phi t) <= 1) -> reaches phi p nu -> psd A -> 0 < c -> 0 < e ->
  (forall pi, mean (p pi) (fun t => qf (invmx (c%:M + A)) (phi t)) <= e) ->
  above A (11%:R / 10%:R * (nu ^+ 2 / e) - c)%:M).
Proof.
have [_ /(_ 1 1 ler01 ltr01) [phi [p [e [e2 [[hp hs hr [_ e20]] [_ _ he ae]]]]]]] := res_sharp_eigenvalue R.
have p1 : psd (1%:M : 'M[R]_1) by exact/pd_psd/pd1.
move=> h;
  have [_ /(_ 1%:M)] := h 1%N _ _ phi p 1 1 e2 1%:M hp hs hr p1 ltr01 e20 (fun pi => eq_ind_r (fun x => x <= e2)
  (lexx e2) (he pi)).
have v : 1 / e2 = 2%:R.
  have := congr1 (fun M : 'M[R]_1 => M 0 0) ae; rewrite !mxE !eqxx !mulr1n expr1n => /eqP.
  by rewrite eq_sym subr_eq => /eqP ->.
rewrite expr1n v qfB -[X in qf X _ - _]/(1%:M) !(fun x => @qfE R 1 x) ?big_ord1.
have q (b : R) : qf (b%:M : 'M[R]_1) 1%:M = b by rewrite /qf /bil trmx1 mul1mx mulmx1 mxE eqxx mulr1n.
rewrite q mxE eqxx expr1n subr_ge0 leNgt => /negP [].
have -> : 11%:R / 10%:R * 2%:R - 1 = 1 + 5%:R^-1 :> R by field.
by rewrite ltr_addl invr_gt0 ltr0n.
Qed.
