(* A stored certificate of the reachability coefficient read again: the twelve points, whose squared
   coefficient is 81/250.  The file is reachability-twelve-points.json. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.common Require Import forms.
From derl.reachability Require Import coefficient.

(* v is the smallest, over all directions, of the largest value of f over the policies, per squared length of
   the direction; there is a direction in which it is that *)
Definition direction_value (R : realFieldType) d (I : Type) (f : 'cV[R]_d -> I -> R) v :=
  (exists theta, theta != 0 /\ maximum (f theta) (v * qf 1%:M theta)) /\
  forall theta, exists i, v * qf 1%:M theta <= f theta i.

Section Twelve.
Variable R : realFieldType.
(* the second and third entry of each feature, times 25; the first is 20 *)
Definition twelve_points : seq (int * int) :=
  [:: (-15, 0); (-12, -9); (-12, 9); (-9, -12); (-9, 12); (0, -15); (0, 15); (9, -12); (9, 12); (12, -9); (12, 9);
  (15, 0)].
(* the feature of action k *)
Definition twelve (k : 'I_12) : 'cV[R]_3 :=
  let e := nth (0, 0) twelve_points k in \col_i ((nth 0 [:: 20; e.1; e.2] i)%:~R / 25%:R).
(* one state: a policy is a law on the twelve actions; E (phi^T theta)^2 *)
Definition twelve_moment (theta : 'cV[R]_3) (w : {w : 'I_12 -> R | is_law w}) : R :=
  mean (sval w) (fun k => ((twelve k)^T *m theta) ord0 ord0 ^+ 2).

Lemma twelve_dot (k : 'I_12) (theta : 'cV[R]_3) : let e := nth (0, 0) twelve_points k in
  ((twelve k)^T *m theta) ord0 ord0 =
  (20%:R * theta 0 0 + e.1%:~R * theta 1 0 + e.2%:~R * theta 2%:R 0) / 25%:R.
Proof.
move=> e; rewrite mxE !big_ord_recl big_ord0 !mxE /= -/e.
have -> : lift ord0 (0 : 'I_2) = 1 :> 'I_3 by exact/val_inj.
have -> : lift ord0 (lift ord0 (0 : 'I_1)) = 2%:R :> 'I_3 by exact/val_inj.
by rewrite rmorph_nat addr0 !addrA !mulrDl; congr (_ + _ + _); rewrite mulrAC.
Qed.

Lemma at_law (k : 'I_12) : is_law (fun j : 'I_12 => (j == k)%:R : R).
Proof.
split=> [j|]; first exact: ler0n.
by rewrite (bigD1 k) //= eqxx big1 ?addr0 // => j /negPf ->.
Qed.

(* some point of the first quadrant sees (x, y) with at least 9/10 of its squared length 225 *)
Lemma quadrant (x y : R) : 0 <= x -> 0 <= y -> exists e, e \in [:: (15, 0); (12, 9); (9, 12); (0, 15)]%N /\
  405%:R / 2%:R * (x ^+ 2 + y ^+ 2) <= (e.1%:R * x + e.2%:R * y) ^+ 2.
Proof.
have side (u v : R) : 0 <= u -> 0 <= v -> v <= u ->
    (405%:R / 2%:R * (u ^+ 2 + v ^+ 2) <= (15%:R * u) ^+ 2) || (405%:R / 2%:R * (u ^+ 2 + v ^+ 2) <=
    (12%:R * u + 9%:R * v) ^+ 2).
  move=> u0 v0 vu; case: (lerP (3%:R * v) u) => h; apply/orP; [left|right]; rewrite -subr_ge0.
    have -> : (15%:R * u) ^+ 2 - 405%:R / 2%:R * (u ^+ 2 + v ^+ 2) =
      45%:R / 2%:R * ((u - 3%:R * v) * (u + 3%:R * v)) by field.
    apply: mulr_ge0; first by rewrite divr_ge0 ?ler0n.
    by apply: mulr_ge0; rewrite ?subr_ge0 // addr_ge0 // mulr_ge0 ?ler0n.
  have -> : (12%:R * u + 9%:R * v) ^+ 2 - 405%:R / 2%:R * (u ^+ 2 + v ^+ 2) =
    (3%:R * v - u) * (117%:R / 2%:R * (u - v) + 18%:R * v) by field.
  apply: mulr_ge0; first by rewrite subr_ge0 ltW.
  apply: addr_ge0; last by rewrite mulr_ge0 ?ler0n.
  by apply: mulr_ge0; rewrite ?subr_ge0 // divr_ge0 ?ler0n.
move=> x0 y0; case: (lerP y x) => yx.
  case/orP: (side x y x0 y0 yx) => h; first by exists (15%N, 0%N); rewrite /= mul0r addr0.
  by exists (12%N, 9%N).
case/orP: (side y x y0 x0 (ltW yx)) => h.
  by exists (0%N, 15%N); rewrite /= mul0r add0r (addrC (x ^+ 2)).
by exists (9%N, 12%N); rewrite /= (addrC (x ^+ 2)) (addrC (9%:R * x)).
Qed.

(* [res-nu-certified], the twelve points: nu^2 = 81/250 *)
Theorem twelve_points_certified : direction_value twelve_moment (81%:R / 250%:R).
Proof.
have norm (theta : 'cV[R]_3) : qf 1%:M theta = theta 0 0 ^+ 2 + theta 1 0 ^+ 2 + theta 2%:R 0 ^+ 2.
  rewrite qfE !big_ord_recl big_ord0 addr0 addrA.
  by congr (_ + theta _ _ ^+ 2 + theta _ _ ^+ 2); apply/val_inj.
have alone theta k : twelve_moment theta (exist _ _ (at_law k)) = ((twelve k)^T *m theta) ord0 ord0 ^+ 2.
  rewrite /twelve_moment /mean (bigD1 k) //= eqxx mul1r big1 ?addr0 // => j /negPf ->.
  by rewrite mul0r.
split.
  pose t : 'cV[R]_3 := \col_i nth 0 [:: 0; 3%:R; 1] i.
  have tE : [/\ t 0 0 = 0, t 1 0 = 3%:R & t 2%:R 0 = 1] by split; rewrite mxE.
  have [t0 t1 t2] := tE; have size : qf 1%:M t = 10%:R by rewrite norm t0 t1 t2; ring.
  exists t; split; first by apply: contra_eqN size => /eqP ->; rewrite qf0r eq_sym pnatr_eq0.
  have val (k : 'I_12) : let e := nth (0, 0) twelve_points k in
      ((twelve k)^T *m t) ord0 ord0 ^+ 2 = ((3%:R * e.1 + e.2) ^+ 2)%:~R / 625%:R.
    move=> e; rewrite twelve_dot -/e t0 t1 t2 rmorphX rmorphD rmorphM /=.
    by move: (e.1%:~R : R) (e.2%:~R : R) => u v; field.
  have -> : 81%:R / 250%:R * qf 1%:M t = 2025%:R / 625%:R by rewrite size; field.
  split; first by exists (exist _ _ (at_law (@Ordinal 12 11 isT))); rewrite alone val.
  case=> w [w0 w1]; rewrite /twelve_moment /mean /= -[leRHS]mul1r -[X in _ <= X * _]w1 mulr_suml.
  apply: ler_sum => k _; rewrite ler_wpmul2l // val ler_pmul2r ?invr_gt0 ?ltr0n //.
  have -> : 2025%:R = (2025%:R : int)%:~R :> R by rewrite rmorph_nat.
  rewrite ler_int.
  have : all (fun e : int * int => (3%:R * e.1 + e.2) ^+ 2 <= 2025) twelve_points by vm_compute.
  by move=> /all_nthP; apply.
move=> theta; set a := theta 0 0; set b := theta 1 0; set c := theta 2%:R 0.
have [e [eq he]] := quadrant (normr_ge0 b) (normr_ge0 c).
pose sg (s : bool) (n : nat) : int := if s then - n%:R else n%:R.
pose f := (sg ((a < 0) (+) (b < 0)) e.1, sg ((a < 0) (+) (c < 0)) e.2).
have fin : f \in twelve_points.
  rewrite /f; move: ((a < 0) (+) (b < 0)) ((a < 0) (+) (c < 0)) => s1 s2.
  by move: eq; rewrite !inE => /or4P [] /eqP ->; case: s1; case: s2; vm_compute.
have kP : (index f twelve_points < 12)%N by have := index_mem f twelve_points; rewrite fin => ->.
exists (exist _ _ (at_law (Ordinal kP))); rewrite alone twelve_dot nth_index // -/a -/b -/c.
have sgE s n : (sg s n)%:~R = (-1) ^+ s * n%:R :> R.
  by case: s; rewrite /sg /= ?expr0 ?mul1r ?expr1 ?mulN1r ?rmorphN /= ?rmorph_nat.
rewrite /f /= !sgE norm -/a -/b -/c.
have [z [z2 az bz cz]] : exists z : R, [/\ z * z = 1, a = z * `|a|, b = z * (-1) ^+ ((a < 0) (+) (b < 0)) * `|b| &
    c = z * (-1) ^+ ((a < 0) (+) (c < 0)) * `|c|].
  have s1 (x y : bool) : (-1) ^+ x * (-1) ^+ (x (+) y) = (-1) ^+ y :> R by rewrite -signr_addb addbA addbb.
  exists ((-1) ^+ (a < 0)%R); rewrite !s1 -!numEsign -signr_addb addbb; by split.
set u := (-1) ^+ _ in bz *; set v := (-1) ^+ _ in cz *.
have u2 : u * u = 1 by rewrite /u -signr_addb addbb.
have v2 : v * v = 1 by rewrite /v -signr_addb addbb.
have na : a ^+ 2 = `|a| ^+ 2 by rewrite real_normK ?num_real.
have nb : b ^+ 2 = `|b| ^+ 2 by rewrite real_normK ?num_real.
have nc : c ^+ 2 = `|c| ^+ 2 by rewrite real_normK ?num_real.
rewrite na nb nc.
have -> : 20%:R * a + u * e.1%:R * b + v * e.2%:R * c =
    z * (20%:R * `|a| + (u * u * (e.1%:R * `|b|) + v * v * (e.2%:R * `|c|))).
  rewrite {1}az {1}bz {1}cz.
  by move: `|a| `|b| `|c| (e.1%:R : R) (e.2%:R : R) => x y w q r; ring.
rewrite u2 v2 !mul1r.
set m := e.1%:R * `|b| + e.2%:R * `|c| in he *; set x := `|a|.
have x0 : 0 <= x by exact: normr_ge0.
have m0 : 0 <= m by rewrite /m addr_ge0 // mulr_ge0 ?ler0n.
have -> : (z * (20%:R * x + m) / 25%:R) ^+ 2 =
  z * z * (20%:R * x + m) ^+ 2 / 625%:R by field.
rewrite z2 mul1r ler_pdivl_mulr ?ltr0n // -subr_ge0.
have -> : (20%:R * x + m) ^+ 2 - 81%:R / 250%:R * (x ^+ 2 + `|b| ^+ 2 + `|c| ^+ 2) * 625%:R =
  (m ^+ 2 - 405%:R / 2%:R * (`|b| ^+ 2 + `|c| ^+ 2)) + 40%:R * x * m + 395%:R / 2%:R * x ^+ 2 by field.
apply: addr_ge0; last by apply: mulr_ge0; [rewrite divr_ge0 ?ler0n|exact: sqr_ge0].
by apply: addr_ge0; [rewrite subr_ge0|apply: mulr_ge0 => //; apply: mulr_ge0; rewrite ?ler0n].
Qed.

(* control: one per cent more is not the value *)
Theorem twelve_points_control : ~ direction_value twelve_moment (101%:R / 100%:R * (81%:R / 250%:R)).
Proof.
case=> _ h; have [[theta [t0 [_ le]]] _] := twelve_points_certified.
have q0 : 0 < 81%:R / 250%:R * qf 1%:M theta by rewrite mulr_gt0 ?divr_gt0 ?ltr0n // qf1_gt0.
have [i hi] := h theta; have := le_trans hi (le i).
by rewrite -[leLHS]mulrA -[leRHS]mul1r ler_pmul2r // ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
Qed.
End Twelve.
