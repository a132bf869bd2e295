"""Instance lemmas for Algorithm 2: mixtures, the matrices of batches, the Q of its two planners.

One state and two actions with features on the axes. The deployment without data is made for layer 0, by a loop that
adds one policy.
"""

from __future__ import annotations

from fractions import Fraction

from instances import rat, truth
from texts import greater, number

A, MIX = "derl.algorithm_two.algorithm", "derl.algorithm_two.mixtures"
CONTROLS, EVALUATION = "derl.algorithm_two.controls", "derl.analysis.evaluation"
MARKS = 3  # the grid has the multiples of 1/3 from -3 to 3


def mark(value: Fraction) -> str:
    """The mark of a multiple of 1/3."""
    return f"inord {int(value * MARKS) + MARKS**2}"


def ordered(x: Fraction, y: Fraction) -> str:
    """The end of a proof that the larger of two numbers is at least the smaller."""
    return greater(max(x, y), min(x, y), False)


def mixed(rng, name: str) -> str:
    """`mixed_path`, `mean_covariance`, `gram`; `score`, `plan_score`, `greedy` on named weights and matrices; what is
    deployed."""
    sizes = [Fraction(int(x), 4) for x in rng.integers(1, 4, 2)]
    last, true = int(rng.integers(1, 4)), 0
    true = int(rng.integers(1, last + 1))  # so many of the policies take the action true
    parts = [f"""Definition phi_{name} (h : nat) (s : unit) (a : bool) : 'cV[real]_2 :=
  if a then v2 {rat(sizes[1])} 0 else v2 0 {rat(sizes[0])}.
Definition one_{name} (h : nat) (s : unit) (a : bool) (s' : unit) : real := 1.
Definition first_{name} (s : unit) : real := 1.
Definition x_{name} := {MIX}.Mixture {last} (fun (j h : nat) (s : unit) => (j < {true})%N).
Lemma unit_{name} (W : zmodType) (F : unit -> W) : \\sum_s F s = F tt.
Proof. by rewrite (big_pred1 tt) // => -[]. Qed.
Lemma path_{name} : {MIX}.mixed_path one_{name} first_{name} x_{name} [:: (tt, true)] =
  {rat(Fraction(true, last + 1))}.
Proof. by rewrite /{MIX}.mixed_path !big_ord_recl big_ord0 /first_{name} /=; whole. Qed.
Goal {MIX}.mixed_batch one_{name} first_{name} x_{name} [ffun i : 'I_2 => [tuple (tt, true)]] =
  {rat(Fraction(true, last + 1) ** 2)}.
Proof.
rewrite /{MIX}.mixed_batch /derl.probability.hoeffding.product_law !big_ord_recl big_ord0 mulr1 !ffunE /= path_{name}.
by whole.
Qed.
Goal {MIX}.mean_covariance 3 one_{name} first_{name} phi_{name} x_{name} 0 ord0 ord0 =
  {rat(3 * Fraction(true, last + 1) * sizes[1] ** 2)}.
Proof.
rewrite /{MIX}.mean_covariance mxE summxE !big_ord_recl big_ord0 !mxE /{EVALUATION}.TJ !unit_{name} /=.
by rewrite !derl.layerwise.optimism.sum_det /first_{name} /phi_{name} /= !mxE /=; whole.
Qed."""]
    taken = [int(x) for x in rng.integers(0, 2, 2)]
    squares = [sum(sizes[a] ** 2 for a in taken if a == b) for b in (1, 0)]
    acts = " ".join(truth(a) for a in taken)
    parts.append(f"""Definition o_{name} : derl.algorithm_one.trajectory_law.batch unit_finType bool_finType 2 1 :=
  [ffun i : 'I_2 => [tuple (tt, nth true [:: {acts.replace(' ', '; ')}] i)]].
Goal {MIX}.gram phi_{name} (tt, true) 0 o_{name} = dg {number(squares[0])} {number(squares[1])}.
Proof.
rewrite /{MIX}.gram /derl.algorithm_one.values.features_sum !big_ord_recl big_ord0 addr0 /{MIX}.here !ffunE /=.
by rewrite ?dg_outer1 ?dg_outer2 dg_add; congr (dg _ _); whole.
Qed.""")
    # I + table = diag(4, 1), and weights on the grid; the second action has no visits
    weights = [Fraction(int(x), 3) for x in rng.integers(-3, 4, 2)]
    beta = Fraction(int(rng.integers(1, 9)), 2)
    lengths = [sizes[0], sizes[1] / 2]
    free = [weights[1] * sizes[0] + beta * lengths[0], weights[0] * sizes[1] + beta * lengths[1]]
    clipped = [min(max(x, Fraction(0)), Fraction(1)) for x in free]
    parts.append(f"""Definition q_{name} : {A}.weight 2 {MARKS} * {A}.shape 2 {MARKS} :=
  ([ffun i => if i == 0 then {mark(weights[0])} else {mark(weights[1])}],
   [ffun p => if (p.1 == 0) && (p.2 == 0) then {mark(Fraction(3))} else {mark(Fraction(0))}]).
Lemma point_{name} : derl.algorithm_one.grid.point q_{name}.1 = v2 {number(weights[0])} {number(weights[1])}.
Proof.
by apply/matrixP => i j; rewrite !mxE ffunE /derl.algorithm_one.grid.level; case: ifP => _; rewrite inordK //; whole.
Qed.
Lemma matrix_{name} : {A}.matrix q_{name}.2 = dg {number(4)} 1.
Proof.
rewrite /{A}.matrix dg_1 (_ : derl.algorithm_one.grid.table _ = dg {number(3)} 0) ?dg_add; last first.
  apply/matrixP => -[[|[|?]] ?] // -[[|[|?]] ?] //; rewrite !mxE ffunE
    /derl.algorithm_one.grid.level /= inordK //; whole.
by congr (dg _ _); whole.
Qed.""")
    for a in (1, 0):
        feature = f"v2 {rat(sizes[1])} 0" if a else f"v2 0 {rat(sizes[0])}"
        parts.append(f"""Lemma length_{name}_{a} : {A}.length phi_{name} q_{name}.2 0 tt {truth(a)} = {rat(lengths[a])}.
Proof.
rewrite /{A}.length matrix_{name} dg_inv ?oner_eq0 ?pnatr_eq0 // [phi_{name} _ _ _](_ : _ = {feature}) // dg_qf.
by apply: root_is; [{greater(lengths[a], Fraction(0), False)}|whole].
Qed.
Lemma score_{name}_{a} : {A}.score phi_{name} {rat(beta)} true q_{name} 0 tt {truth(a)} = {number(clipped[a])}.
Proof.
rewrite /{A}.score length_{name}_{a} point_{name} [phi_{name} _ _ _](_ : _ = {feature}) // v2_dot /{EVALUATION}.clip.
rewrite [X in Num.max X](_ : _ = {number(free[a])}); last by whole.
rewrite [Num.max _ _](_ : _ = {number(max(free[a], Fraction(0)))}); last first.
  by rewrite {"max_l" if free[a] >= 0 else "max_r"} //; {ordered(free[a], Fraction(0))}.
by rewrite {"min_l" if free[a] <= 1 else "min_r"} //; {ordered(max(free[a], Fraction(0)), Fraction(1))}.
Qed.""")
    if clipped[0] != clipped[1]:
        b = int(clipped[1] > clipped[0])
        parts.append(f"""Goal {A}.greedy phi_{name} {rat(beta)} true true q_{name} 0 tt = {truth(b)}.
Proof.
by apply: best_is; rewrite /= score_{name}_{b} score_{name}_{1 - b}; {greater(clipped[b], clipped[1 - b], True)}.
Qed.""")
    plan = [min(max(x, Fraction(0)), Fraction(2)) for x in free]
    for a in (1, 0):
        feature = f"v2 {rat(sizes[1])} 0" if a else f"v2 0 {rat(sizes[0])}"
        parts.append(f"""Goal {A}.plan_score phi_{name} {rat(beta)} 2 q_{name} 0 tt {truth(a)} = {number(plan[a])}.
Proof.
rewrite /{A}.plan_score length_{name}_{a} point_{name} [phi_{name} _ _ _](_ : _ = {feature}) // v2_dot.
rewrite [X in Num.max X](_ : _ = {number(free[a])}); last by whole.
rewrite [Num.max _ _](_ : _ = {number(max(free[a], Fraction(0)))}); last first.
  by rewrite {"max_l" if free[a] >= 0 else "max_r"} //; {ordered(free[a], Fraction(0))}.
by rewrite {"min_l" if free[a] <= 2 else "min_r"} //; {ordered(max(free[a], Fraction(0)), Fraction(2))}.
Qed.""")
    model = f"one_{name} first_{name} phi_{name}"
    run = f"({A}.algorithm_two 2 1 {MARKS} 0 phi_{name} first_{name} 1 {rat(beta)} 1 tt true)"
    parts.append(f"""Goal {MIX}.last (deploy {run} [::]).2 = 0%N.
Proof. by []. Qed.
Goal (deploy {run} [:: o_{name}]).1 = 1%N.
Proof. by []. Qed.
Goal output {run} [::] 0%N (fun _ => 0) 0%N tt =
  {A}.plan {MARKS} phi_{name} 1 tt true
    (nth ({A}.nothing 2 1 tt true) [::]) 0 (fun _ => 0) 0 tt.
Proof. by []. Qed.
Goal @{A}.value_of _ _ 2 1 {MARKS} phi_{name} 1 {rat(beta)} true 0 (inl (inl (inl tt)), (true, q_{name})) tt =
  {A}.top_value phi_{name} {rat(beta)} true true q_{name} 0 tt.
Proof. by []. Qed.
Goal {MIX}.passes {model} (tt, true) {MARKS}
  (@{A}.value_of _ _ 2 1 {MARKS} phi_{name} 1 {rat(beta)} true) 1 1 (1%N, x_{name})
    o_{name} = true.
Proof. by rewrite /{MIX}.passes. Qed.
Goal derl.algorithm_two.loop.summed_covariances 0 {model[:model.rindex(" ")].split()[0]} phi_{name} first_{name}
  (fun k => derl.layerwise.optimism.det real ({MIX}.member x_{name} k)) {true} ord0 ord0 = {rat(true * sizes[1] ** 2)}.
Proof.
rewrite /derl.algorithm_two.loop.summed_covariances summxE !big_ord_recl big_ord0 !mxE /{EVALUATION}.TJ !unit_{name} /=.
by rewrite !derl.layerwise.optimism.sum_det /first_{name} /phi_{name} /= !mxE /=; whole.
Qed.
Goal derl.algorithm_two.exploration.grid_size 0 3 2 1 = 0%N.
Proof. by rewrite /derl.algorithm_two.exploration.grid_size exp0n // muln0 !mul0n. Qed.
Goal {CONTROLS}.arms_phi true 0 tt true ord0 ord0 + {CONTROLS}.arms_mu 0 tt ord0 ord0 +
  {CONTROLS}.high_theta 0 ord0 ord0 + {CONTROLS}.arms_P 0 tt true tt + {CONTROLS}.arms_rho tt = {rat(Fraction(51, 10))}.
Proof.
by rewrite /{CONTROLS}.arms_phi /= !mxE /= /{CONTROLS}.arms_P /{CONTROLS}.arms_rho; whole.
Qed.""")
    return "\n".join(parts)
