"""Instance lemmas for what the paper prints: the cap inside Q, the count of violations, two sizes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from instances import rat, truth
from runs import AXES
from texts import exactly, greater, looked_up, number, table

from derl.estimation import fit, optimistic_backup

CAP, COUNT = "derl.layerwise.cap", "derl.layerwise.count_attained"


def capped(rng, name: str) -> str:
    """`Qprinted`, `Vprinted`: derl's backup as printed, in one state with two actions; the bonus above the cap and
    below it."""
    top, scale = int(rng.integers(1, 4)), Fraction(int(rng.integers(1, 16)), 4)
    rewards, sign = [Fraction(int(x), 4) for x in rng.integers(0, 5, 2)], [int(x) for x in rng.choice([-1, 1], 2)]
    slope = Fraction(int(rng.integers(-8, 9)), 4)  # the regression has one visit with a next value of twice this
    phi = np.array([[[1.0 * sign[0]], [0.5 * sign[1]]]])
    visits = np.zeros((1, 2, 1))
    visits[0, 0, 0] = 3  # the covariance is four
    value = Fraction(4, 3) * slope * sign[0]
    step = optimistic_backup(phi, np.array([rewards], float), np.array([float(value)]), fit(phi, visits), float(scale),
                             top, version="as-printed")
    q, norms = [exactly(x) for x in step.q[0]], [exactly(x) for x in step.norms[0]]
    goals = []
    for a in AXES:
        estimate = slope * exactly(phi[0, a, 0])
        inner = min(scale * norms[a], Fraction(top))
        free = estimate + rewards[a] + inner
        goals.append(f"""Lemma Q_{name}_{a} : {CAP}.Qprinted (fun _ _ => r_{name}) {rat(top)} (fun _ _ => est_{name})
  (fun _ _ => bonus_{name}) 0%N tt {truth(a)} = {rat(q[a])}.
Proof.
rewrite /{CAP}.Qprinted /r_{name} /est_{name} /bonus_{name} /=.
rewrite [X in _ + X](_ : _ = {rat(inner)}); last first.
  rewrite {"min_l" if scale * norms[a] <= top else "min_r"} //.
  by {greater(max(scale * norms[a], Fraction(top)), inner, False)}.
rewrite {"min_l" if free <= top else "min_r"}; first by whole.
by {greater(max(free, Fraction(top)), min(free, Fraction(top)), False)}.
Qed.""")
    best, layers = int(np.argmax(step.q[0])), int(rng.integers(0, 2))
    goals.append(f"""Goal {CAP}.Vprinted (fun _ _ => r_{name}) {rat(top)} (fun _ _ => est_{name})
  (fun _ _ => bonus_{name}) (fun _ _ => {truth(best)}) {layers} 0%N tt = {rat(q[best]) if layers else "0"}.
Proof. {f"exact: Q_{name}_{best}" if layers else "by []"}. Qed.""")
    estimates = [slope * exactly(phi[0, a, 0]) for a in AXES]
    return "\n".join([looked_up(f"{what}_{name}", "real", table(of, 1, number), "b", "0") for what, of in (
        ("r", rewards), ("est", estimates), ("bonus", [scale * x for x in norms]))] + goals)


def counted(rng, name: str) -> str:
    """`zeta`: violations before a deployment, layer by layer."""
    seen = rng.integers(0, 2, (4, 2))
    goals = [f"Goal {COUNT}.zeta viol_{name} {k} {j} = {int(seen[:k, j].sum())}%N.\n"
             f"Proof. by rewrite /{COUNT}.zeta; do 5 rewrite ?big_ord_recl ?big_ord0 /= /bump /=. Qed."
             for k in (1, 3, 4) for j in AXES]
    return "\n".join([looked_up(f"viol_{name}", "bool", table(seen.tolist(), 2, truth), "nn", "false")] + goals)


def sizes(rng, name: str) -> str:
    """`lone_delta`, `deviation` where the root is a whole number; `hoeffding_size`, `arbitrary_size`: the printed
    formulas in fractions."""
    beta, H, d, log = (int(x) for x in rng.integers(1, 4, 4))
    eps, nu = (Fraction(1, int(x)) for x in rng.integers(1, 3, 2))
    hoeffding = 8 * Fraction(beta * H * (2 * H + 1)) ** 2 / eps**2 * log
    arbitrary = 3 * (H**4 * d**3 / (eps * nu) ** 2 + H**2 * d**7 / nu**14) * log**2
    real = lambda x: f"({Fraction(x).numerator} / {Fraction(x).denominator})"  # noqa: E731
    return f"""Section Sizes.
Import Reals Lra.
Local Open Scope R_scope.
Goal derl.reward_free.sizes.lone_delta {beta} {d**2 - 1} = {real(Fraction(2 * beta, d))}.
Proof.
unfold derl.reward_free.sizes.lone_delta; replace (1 + INR {d**2 - 1}) with ({d} * {d}) by (simpl; ring).
rewrite sqrt_square; [field|lra].
Qed.
Goal derl.layerwise.constants.deviation {beta} {H} {log} {2 * log * d**2} = {2 * beta * H * d}.
Proof.
unfold derl.layerwise.constants.deviation; replace (1 / (2 * {log}) * {2 * log * d**2}) with ({d} * {d}) by field.
rewrite sqrt_square; [ring|lra].
Qed.
Goal derl.reward_free.sizes.hoeffding_size {beta} {H} {real(eps)} {log} = {real(hoeffding)}.
Proof. unfold derl.reward_free.sizes.hoeffding_size; field. Qed.
Goal derl.comparison.totals.arbitrary_size 3 {d} {H} {real(eps)} {real(nu)} {log} = {real(arbitrary)}.
Proof. unfold derl.comparison.totals.arbitrary_size; field. Qed.
End Sizes."""


def floors(rng, name: str) -> str:
    """`floor` of a fraction, and of the whole number below it."""
    p, q = int(rng.integers(7, 40)), int(rng.integers(2, 7))
    goals = []
    for x in (Fraction(p, q), Fraction(p // q)):
        n = int(x)
        goals.append(f"""Goal derl.layerwise.theorem.floor {rat(x)} = {n}%N.
Proof.
apply/eqP; rewrite eqn_leq; apply/andP; split; last first.
  by apply: derl.layerwise.theorem.le_floor; {greater(x, Fraction(n), False)}.
rewrite -ltnS -(ltr_nat real); apply: le_lt_trans (derl.layerwise.theorem.floor_below _) _.
  by {greater(x, Fraction(0), False)}.
by {greater(Fraction(n + 1), x, True)}.
Qed.""")
    return "\n".join(goals)
