(* Every stored certificate of a reachability coefficient, read again by the kernel. *)
From Coq Require Import ZArith.
From derl.common Require Import prelude forms.
From derl.reachability Require Import coefficient examples certificates cones covered stored.

(* the coefficient lies between lo / s and hi / s; these numbers are apart by at most 1 / n of the lower one *)
Definition known (R : realFieldType) (m : model) (value : policy R m -> 'cV[R]_(dim m) -> R) (lo hi s n : Z) :=
  let a := number R lo / number R s in let b := number R hi / number R s in
  [/\ encloses value a b, 0 < a & b - a <= (number R n)^-1 * a].

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

(* wider ends *)
Lemma encloses_wider m (value : policy R m -> 'cV[R]_(dim m) -> R) lo hi lo' hi' :
  encloses value lo hi -> lo' <= lo -> hi <= hi' -> encloses value lo' hi'.
Proof.
move=> [h [x x0 hx]] le le'; split.
  by move=> theta; have [pi hpi v] := h theta; exists pi => //; apply: le_trans v; rewrite ler_wpmul2r ?qf1_ge0.
by exists x => // pi hpi; apply: le_trans (hx pi hpi) _; rewrite ler_wpmul2r ?qf1_ge0.
Qed.

(* p / q is at most p' / q' *)
Lemma quotients p q p' q' : Z.ltb 0 q -> Z.ltb 0 q' -> Z.leb (Z.mul p q') (Z.mul p' q) -> num p / num q <= num p' / num
  q'.
Proof.
move=> /(num_gt0 R) q0 /(num_gt0 R) q0' /(num_le R); rewrite !numM => le.
by rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr.
Qed.

(* the ends p / q and p' / q' of a file, rounded outwards to lo / s and hi / s *)
Definition rounded p q p' q' lo hi (s n : positive) : bool :=
  [&& Z.ltb 0 lo, Z.ltb 0 q, Z.ltb 0 q', Z.leb (Z.mul lo q) (Z.mul p (Zpos s)), Z.leb (Z.mul p' (Zpos s)) (Z.mul hi q')
    & Z.leb (Z.mul (Zpos n) (Z.mul hi (Zpos s))) (Z.mul (Z.succ (Zpos n)) (Z.mul lo (Zpos s)))].

Lemma rounded_known m (value : policy R m -> 'cV[R]_(dim m) -> R) p q p' q' lo hi (s n : positive) :
  encloses value (num p / num q) (num p' / num q') -> rounded p q p' q' lo hi s n -> known value lo hi (Zpos s)
  (Zpos n).
Proof.
move=> h /and5P [l0 q0 q0' le /andP [le' g]]; split.
- by apply: encloses_wider h _ _; exact: quotients.
- by rewrite divr_gt0 // num_gt0.
- exact: gap.
Qed.

Lemma known2 m plans p q cols back det f theta p' q' lo hi (s n : positive) :
  check_model m -> check_lower2 m plans p q cols back det f -> check_upper2 m theta p' q' ->
  rounded p q p' q' lo hi s n -> known (@moment2 R m) lo hi (Zpos s) (Zpos n).
Proof. by move=> ok hlo hhi; apply: rounded_known; exact: (encloses2 R ok hlo hhi). Qed.
Lemma known1 m plans p q cols back det f theta p' q' lo hi (s n : positive) :
  check_model m -> check_lower1 m plans p q cols back det f -> check_upper1 m theta p' q' ->
  rounded p q p' q' lo hi s n -> known (@moment1 R m) lo hi (Zpos s) (Zpos n).
Proof. by move=> ok hlo hhi; apply: rounded_known; exact: (encloses1 R ok hlo hhi). Qed.
End Ends.

(* [res-nu-certified], whole: the nine stored certificates *)
Theorem res_nu_certified (R : rcfType) :
  (* exactly: the hexagon, its nu^2 and its lambda*; twelve points; a tabular instance *)
  [/\ minmax (@hexagon_moment R) (3%:R / 8%:R), maxmin (@hexagon_moment R) (1 / 4%:R),
      direction_value (@twelve_moment R) (81%:R / 250%:R) &
      proper R model_tabular /\ encloses (@moment2 R model_tabular) (23%:R / 200%:R) (23%:R / 200%:R)] /\
  (* within a millionth: d = 3 *)
  [/\ proper R model_d3, known (@moment2 R model_d3) 92592509 92592593 1000000000 1000000,
      proper R model_random_d3 & known (@moment2 R model_random_d3) 12075108 12075120 100000000 1000000] /\
  (* within a thousandth: d = 4 *)
  [/\ proper R model_d4, known (@moment2 R model_d4) 56462 56514 1000000 1000,
      proper R model_random_d4 & known (@moment2 R model_random_d4) 45358 45399 1000000 1000] /\
  (* the squared explorability coefficient, within a thousandth *)
  proper R model_explorability_d3 /\ known (@moment1 R model_explorability_d3) 26215 26240 1000000 1000.
Proof.
split; [split|split; [|split]]; [| | | |split|split|split].
- by have [] := res_nu_hexagon R.
- by have [] := res_nu_hexagon R.
- exact: twelve_points_certified.
- split; first exact: model_proper model_tabular_proper.
  exact: (encloses2 R model_tabular_proper lower_tabular upper_tabular).
- exact: model_proper model_d3_proper.
- by apply: (known2 R model_d3_proper lower_d3 upper_d3); vm_compute.
- exact: model_proper model_random_d3_proper.
- by apply: (known2 R model_random_d3_proper lower_random_d3 upper_random_d3); vm_compute.
- exact: model_proper model_d4_proper.
- by apply: (known2 R model_d4_proper lower_d4 upper_d4); vm_compute.
- exact: model_proper model_random_d4_proper.
- by apply: (known2 R model_random_d4_proper lower_random_d4 upper_random_d4); vm_compute.
- exact: model_proper model_explorability_d3_proper.
- by apply: (known1 R model_explorability_d3_proper lower_explorability_d3 upper_explorability_d3); vm_compute.
Qed.

(* control: an interval of the same length that begins one unit of its last digit above the upper end encloses
   nothing; and the checker refuses a lower end that is two millionths larger *)
Theorem res_nu_certified_control (R : realFieldType) :
  ~ known (@moment2 R model_d3) 92592594 92592678 1000000000 1000000 /\
  ~~ check_lower2 model_d3 plans_d3 (Zpos 1708033737509023795) (Zpos 18446744073709551616) columns_d3 back_d3
    (Zpos 2890402576096256238334555967476131634) trees_d3.
Proof.
split; last by vm_compute.
have [hi _ _] : known (@moment2 R model_d3) 92592509 92592593 1000000000 1000000.
  by apply: (known2 R model_d3_proper lower_d3 upper_d3); vm_compute.
move=> [h _ _]; have := intervals_meet hi h; rewrite ler_pmul2r ?invr_gt0 ?num_gt0 //.
by rewrite -[Zpos 92592594]/(Z.add (Zpos 92592593) (Zpos 1)) numD ger_addl ler10.
Qed.
