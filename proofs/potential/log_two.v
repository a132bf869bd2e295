(* The natural logarithm of 2 to four digits, by squaring 1 + t/2^15 fifteen times. *)
From Coq Require Import Reals Lra.
From derl.common Require Import reals.
Local Open Scope R_scope.

Lemma square_step q q' t : 0 <= q -> q' <= q * q -> q <= exp (t / 2) -> q' <= exp t.
Proof.
intros q0 h e; apply Rle_trans with (1 := h).
replace t with (t / 2 + t / 2) by field; rewrite exp_plus; apply Rmult_le_compat; assumption.
Qed.

Lemma exp_lower : 500002727897 / 250000000000 <= exp (17329 / 25000).
Proof.
apply (square_step (1414217420197 / 1000000000000)); [lra|lra|].
apply (square_step (1189208737017 / 1000000000000)); [lra|lra|].
apply (square_step (545254238181 / 500000000000)); [lra|lra|].
apply (square_step (1044274138511 / 1000000000000)); [lra|lra|].
apply (square_step (1021897322881 / 1000000000000)); [lra|lra|].
apply (square_step (1010889372227 / 1000000000000)); [lra|lra|].
apply (square_step (31419685749 / 31250000000)); [lra|lra|].
apply (square_step (50135564821 / 50000000000)); [lra|lra|].
apply (square_step (1001354730563 / 1000000000000)); [lra|lra|].
apply (square_step (40027085441 / 40000000000)); [lra|lra|].
apply (square_step (500169255359 / 500000000000)); [lra|lra|].
apply (square_step (500084620519 / 500000000000)); [lra|lra|].
apply (square_step (1000084616939 / 1000000000000)); [lra|lra|].
apply (square_step (40001692303 / 40000000000)); [lra|lra|].
apply (square_step (250005288391 / 250000000000)); [lra|lra|].
pose proof (exp_ge (17329 / 25000 / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2)); lra.
Qed.

Lemma exp_upper : 500004914809 / 1000000000000 <= exp (-69313 / 100000).
Proof.
apply (square_step (707110256473 / 1000000000000)); [lra|lra|].
apply (square_step (840898481669 / 1000000000000)); [lra|lra|].
apply (square_step (36680206797 / 40000000000)); [lra|lra|].
apply (square_step (957603869001 / 1000000000000)); [lra|lra|].
apply (square_step (24464309067 / 25000000000)); [lra|lra|].
apply (square_step (989228165127 / 1000000000000)); [lra|lra|].
apply (square_step (994599499863 / 1000000000000)); [lra|lra|].
apply (square_step (997296094379 / 1000000000000)); [lra|lra|].
apply (square_step (31207722877 / 31250000000)); [lra|lra|].
apply (square_step (124915417137 / 125000000000)); [lra|lra|].
apply (square_step (199932322259 / 200000000000)); [lra|lra|].
apply (square_step (249957697833 / 250000000000)); [lra|lra|].
apply (square_step (999915392087 / 1000000000000)); [lra|lra|].
apply (square_step (999957695149 / 1000000000000)); [lra|lra|].
apply (square_step (999978847351 / 1000000000000)); [lra|lra|].
pose proof (exp_ge (-69313 / 100000 / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2)); lra.
Qed.

Lemma ln_two : 69313 / 100000 < ln 2 < 69316 / 100000.
Proof.
split; apply exp_lt_inv; rewrite exp_ln by lra.
- pose proof exp_upper as h; assert (p : exp (69313 / 100000) * exp (-69313 / 100000) = 1).
  { rewrite <- exp_plus, <- exp_0; f_equal; lra. }
  pose proof (exp_pos (69313 / 100000)); nra.
- replace (69316 / 100000) with (17329 / 25000) by lra; pose proof exp_lower; lra.
Qed.

(* the threshold of Lemma C.1, to four digits *)
Lemma threshold_digits : 44265 / 100000 <= / ln 2 - 1 < 44275 / 100000.
Proof.
destruct ln_two as [h1 h2]; assert (e : / ln 2 * ln 2 = 1) by (apply Rinv_l; lra).
assert (i0 : 0 < / ln 2) by (apply Rinv_0_lt_compat; lra).
split; nra.
Qed.
