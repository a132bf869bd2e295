(* Every stored certificate of a reachability coefficient, read again by the kernel. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From derl.common Require Import forms.
From derl.reachability Require Import coefficient examples certificates cones covered stored.
Import GRing.Theory Num.Theory Order.Theory.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

(* the coefficient lies in a certified interval, which is not longer than e times its lower end *)
Definition known (R : realFieldType) (m : model) (value : policy R m -> 'cV[R]_(dim m) -> R) (e : R) :=
  exists lo hi, [/\ encloses value lo hi, 0 < lo & hi - lo <= e * lo].

Section Ends.
Variable R : realFieldType.
Local Notation num := (number R).

(* two intervals of one coefficient meet *)
Lemma intervals_meet m (value : policy R m -> 'cV[R]_(dim m) -> R) lo hi lo' hi' :
  encloses value lo hi -> encloses value lo' hi' -> lo' <= hi.
Proof.
move=> [_ [x x0 hx]] [h' _]; have [pi hpi le] := h' x.
by move: (le_trans le (hx pi hpi)); rewrite ler_pmul2r // qf1_gt0.
Qed.

(* the gap in whole numbers *)
Lemma gap p q p' q' (n : positive) : Z.ltb 0 q -> Z.ltb 0 q' ->
  Z.leb (Z.mul (Zpos n) (Z.mul p' q)) (Z.mul (Z.succ (Zpos n)) (Z.mul p q')) ->
  num p' / num q' - num p / num q <= (num (Zpos n))^-1 * (num p / num q).
Proof.
move=> /(num_gt0 R) q0 /(num_gt0 R) q0' /(num_le R).
have n0 : 0 < num (Zpos n) by exact: num_gt0.
rewrite -[Z.succ (Zpos n)]/(Z.add (Zpos n) (Zpos 1)) (numM R (Zpos n)) (numM R (Z.add _ _)) (numM R p') (numM R p) numD.
have -> : num (Zpos 1) = 1 by [].
move: (num (Zpos n)) n0 => c c0; move=> le; have h := le; rewrite -subr_ge0 in h; rewrite -subr_ge0.
have -> : c^-1 * (num p / num q) - (num p' / num q' - num p / num q) =
    ((c + 1) * (num p * num q') - c * (num p' * num q)) / (c * num q * num q').
  by field; rewrite !gt_eqF.
by apply: divr_ge0 => //; rewrite !mulr_ge0 // ltW.
Qed.

Lemma known2 m plans p q cols back det f theta p' q' (n : positive) :
  check_model m -> check_lower2 m plans p q cols back det f -> check_upper2 m theta p' q' ->
  [&& Z.ltb 0 p, Z.ltb 0 q, Z.ltb 0 q' &
    Z.leb (Z.mul (Zpos n) (Z.mul p' q)) (Z.mul (Z.succ (Zpos n)) (Z.mul p q'))] ->
  known (@moment2 R m) (num (Zpos n))^-1.
Proof.
move=> ok lo hi /and4P [p0 q0 q0' g]; exists (num p / num q), (num p' / num q'); split.
- exact: (encloses2 R ok lo hi).
- by rewrite divr_gt0 ?num_gt0.
- exact: gap.
Qed.
Lemma known1 m plans p q cols back det f theta p' q' (n : positive) :
  check_model m -> check_lower1 m plans p q cols back det f -> check_upper1 m theta p' q' ->
  [&& Z.ltb 0 p, Z.ltb 0 q, Z.ltb 0 q' &
    Z.leb (Z.mul (Zpos n) (Z.mul p' q)) (Z.mul (Z.succ (Zpos n)) (Z.mul p q'))] ->
  known (@moment1 R m) (num (Zpos n))^-1.
Proof.
move=> ok lo hi /and4P [p0 q0 q0' g]; exists (num p / num q), (num p' / num q'); split.
- exact: (encloses1 R ok lo hi).
- by rewrite divr_gt0 ?num_gt0.
- exact: gap.
Qed.

Lemma million : num (Zpos 1000000) = 10%:R ^+ 6.
Proof.
have -> : Zpos 1000000 = iter 6 (Z.mul (Zpos 10)) (Zpos 1) by vm_compute.
have ten : num (Zpos 10) = 10%:R by []. have one : num (Zpos 1) = 1 by [].
by rewrite /iter !numM ten one !exprS expr0 !mulr1.
Qed.
Lemma thousand : num (Zpos 1000) = 10%:R ^+ 3.
Proof.
have -> : Zpos 1000 = iter 3 (Z.mul (Zpos 10)) (Zpos 1) by vm_compute.
have ten : num (Zpos 10) = 10%:R by []. have one : num (Zpos 1) = 1 by [].
by rewrite /iter !numM ten one !exprS expr0 !mulr1.
Qed.
End Ends.

(* [res-nu-certified], whole: the nine stored certificates *)
Theorem res_nu_certified (R : rcfType) :
  (* exactly: the hexagon, its nu^2 and its lambda*; twelve points; a tabular instance *)
  [/\ minmax (@hexagon_moment R) (3%:R / 8%:R), maxmin (@hexagon_moment R) (1 / 4%:R),
      direction_value (@twelve_moment R) (81%:R / 250%:R) &
      proper R model_tabular /\ encloses (@moment2 R model_tabular) (23%:R / 200%:R) (23%:R / 200%:R)] /\
  (* within a millionth: d = 3 *)
  [/\ proper R model_d3, known (@moment2 R model_d3) (10%:R ^+ 6)^-1,
      proper R model_random_d3 & known (@moment2 R model_random_d3) (10%:R ^+ 6)^-1] /\
  (* within a thousandth: d = 4 *)
  [/\ proper R model_d4, known (@moment2 R model_d4) (10%:R ^+ 3)^-1,
      proper R model_random_d4 & known (@moment2 R model_random_d4) (10%:R ^+ 3)^-1] /\
  (* the squared explorability coefficient *)
  proper R model_explorability_d3 /\ known (@moment1 R model_explorability_d3) (10%:R ^+ 3)^-1.
Proof.
split; [split|split; [|split]]; [| | | |split|split|split].
- by have [] := res_nu_hexagon R.
- by have [] := res_nu_hexagon R.
- exact: twelve_points_certified.
- split; first exact: model_proper model_tabular_proper.
  exact: (encloses2 R model_tabular_proper lower_tabular upper_tabular).
- exact: model_proper model_d3_proper.
- by rewrite -million; apply: (known2 R model_d3_proper lower_d3 upper_d3); vm_compute.
- exact: model_proper model_random_d3_proper.
- by rewrite -million; apply: (known2 R model_random_d3_proper lower_random_d3 upper_random_d3); vm_compute.
- exact: model_proper model_d4_proper.
- by rewrite -thousand; apply: (known2 R model_d4_proper lower_d4 upper_d4); vm_compute.
- exact: model_proper model_random_d4_proper.
- by rewrite -thousand; apply: (known2 R model_random_d4_proper lower_random_d4 upper_random_d4); vm_compute.
- exact: model_proper model_explorability_d3_proper.
- by rewrite -thousand; apply: (known1 R model_explorability_d3_proper lower_explorability_d3 upper_explorability_d3); vm_compute.
Qed.

(* control: two millionths above the lower end there is no certificate, of any kind; and the checker refuses one *)
Theorem res_nu_certified_control (R : realFieldType) :
  (forall lo hi, encloses (@moment2 R model_d3) lo hi -> 0 < lo -> hi - lo <= (10%:R ^+ 6)^-1 * lo ->
    ~ exists hi', encloses (@moment2 R model_d3) ((1 + 2%:R / 10%:R ^+ 6) * lo) hi') /\
  ~~ check_lower2 model_d3 plans_d3 (Zpos 1708033737509023795) (Zpos 18446744073709551616) columns_d3 back_d3
    (Zpos 2890402576096256238334555967476131634) trees_d3.
Proof.
split; last by vm_compute.
move=> lo hi h lo0 g [hi' h']; have := intervals_meet h h'.
rewrite leNgt => /negP []; move: g; rewrite ler_subl_addr => /le_lt_trans; apply.
rewrite mulrDl mul1r addrC ltr_add2l ltr_pmul2r // -[X in X < _]mul1r ltr_pmul2r ?invr_gt0 ?exprn_gt0 ?ltr0n //.
by rewrite ltr1n.
Qed.
