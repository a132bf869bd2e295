"""Instance lemmas for norms and roots whose squares are squares of rational numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from instances import law, rat, truth
from texts import exactly, greater, looked_up, number, table, vectors

BLOW, VALUES, REACH, BIAS = (f"derl.{name}" for name in (
    "analysis.blow_up", "analysis.evaluation", "reachability.coefficient", "analysis.regression_bias"))


def norms(rng, name: str) -> str:
    """`uncertainty`, `width`, `inorm`: numpy's norms of features on the axes in the inverse of a diagonal matrix."""
    sizes = [Fraction(int(x), 3) for x in rng.choice([-2, -1, 1, 2], 2)]
    phi = [[x, Fraction(0)] if rng.integers(0, 2) else [Fraction(0), x] for x in sizes]
    squares = [Fraction(int(x) ** 2, 16) for x in rng.integers(3, 9, 2)]
    inverse = np.diag([1 / float(x) for x in squares])
    found = [exactly(np.sqrt(np.array(x, float) @ inverse @ np.array(x, float))) for x in phi]
    chances = law(rng, 2)
    mean = sum(p * x for p, x in zip(chances, found, strict=True))
    matrix = f"(dg {rat(squares[0])} {rat(squares[1])})"
    goals = [f"""Lemma width_{name}_{s} :
  {VALUES}.width (fun _ (s : bool) (_ : unit) => phi_{name} s) (fun=> {matrix}) 0 {truth(s)} tt = {rat(found[s])}.
Proof.
rewrite /{VALUES}.width dg_inv; [|by nonzero|by nonzero].
apply: root_is; first by {greater(found[s], Fraction(0), False)}.
by rewrite [phi_{name} _](_ : _ = {vectors(phi[s], 0)}) // dg_qf; whole.
Qed.
Goal derl.analysis.perturbation.inorm {matrix} (phi_{name} {truth(s)}) = {rat(found[s])}.
Proof. exact: width_{name}_{s}. Qed.""" for s in (0, 1)]
    return "\n".join([
        looked_up(f"phi_{name}", "'cV[real]_2", vectors(phi, 1), "b", "0"),
        looked_up(f"p_{name}", "real", table(chances, 1, number), "b", "0"), *goals,
        f"""Goal {BLOW}.uncertainty phi_{name} (fun (_ : unit) s => p_{name} s) {matrix} tt = {rat(mean)}.
Proof.
have := width_{name}_0; have := width_{name}_1; rewrite /{BLOW}.uncertainty /mean big_bool /{VALUES}.width => e1 e0.
by rewrite e1 ?e0 /p_{name} /=; whole.
Qed."""])


def second(rng, name: str) -> str:
    """`root` of a second moment: two pairs, of which the direction sees one."""
    chance, size = Fraction(int(rng.integers(1, 4)) ** 2, 16), Fraction(int(rng.choice([-2, -1, 1, 2])), 3)
    value = exactly(np.sqrt(float(chance) * float(size) ** 2))
    return f"""Definition phi_{name} (t : bool) : 'cV[real]_2 := if t then v2 {rat(size)} 1 else v2 0 1.
Goal {REACH}.root phi_{name} (fun (h : 'I_1) (_ : unit) t => if t then {rat(chance)} else {rat(1 - chance)}) ord0
  (v2 1 0) tt = {rat(value)}.
Proof.
rewrite /{REACH}.root /{REACH}.second /mean big_bool /= !v2_dot; apply: root_is.
  by {greater(value, Fraction(0), False)}.
by whole.
Qed."""


def noise(rng, name: str) -> str:
    """`noise_norm` and `width` of a regression on three transitions along one axis, whose covariance is diag(4, 1)."""
    signs, after = [int(x) for x in rng.choice([-1, 1], 3)], [int(x) for x in rng.integers(0, 2, 3)]
    values, first = [Fraction(int(x), 4) for x in rng.integers(0, 5, 2)], Fraction(int(rng.integers(1, 4)), 4)
    measures = [first, 1 - first]  # of the two next states, along the axis
    total = sum(s * (values[t] - s * sum(m * v for m, v in zip(measures, values, strict=True)))
                for s, t in zip(signs, after, strict=True))
    listed = "; ".join(f"v2 {rat(s)} 0" for s in signs)
    return f"""Definition phi_{name} (n : 'I_3) : 'cV[real]_2 := nth 0 [:: {listed}] n.
Definition s_{name} (n : 'I_3) : bool := nth false [:: {'; '.join(map(truth, after))}] n.
Definition mu_{name} (t : bool) : 'cV[real]_2 := if t then v2 {rat(measures[1])} 0 else v2 {rat(measures[0])} 0.
Definition V_{name} (t : bool) : real := if t then {rat(values[1])} else {rat(values[0])}.
Lemma covariance_{name} : 1%:M + \\sum_n outer (phi_{name} n) = dg 4%:R 1.
Proof.
rewrite !big_ord_recl big_ord0 /phi_{name} /= !dg_outer1 dg_1 addr0 !dg_add; congr (dg _ _); whole.
Qed.
Lemma noise_{name} : derl.reward_free.violation.noise phi_{name} s_{name} mu_{name} V_{name} = v2 {rat(total)} 0.
Proof.
apply/matrixP => -[[|[|?]] ?] // j;
  rewrite (ord1 j) /derl.reward_free.violation.noise summxE !big_ord_recl big_ord0 /=;
  rewrite /derl.reward_free.violation.next !big_bool /phi_{name} /mu_{name} /s_{name} /V_{name} /= !v2_dot;
  rewrite !mxE /=; whole.
Qed.
Goal {BIAS}.noise_norm phi_{name} s_{name} mu_{name} V_{name} = {rat(abs(total) / 2)}.
Proof.
rewrite /{BIAS}.noise_norm covariance_{name} noise_{name} dg_inv; [|by nonzero|by nonzero].
by apply: root_is; [{greater(abs(total) / 2, Fraction(0), False)}|rewrite dg_qf; whole].
Qed.
Goal {BIAS}.width phi_{name} (v2 {rat(signs[0])} 0) = {rat(Fraction(1, 2))}.
Proof.
rewrite /{BIAS}.width covariance_{name} dg_inv; [|by nonzero|by nonzero].
by apply: root_is; [{greater(Fraction(1, 2), Fraction(0), False)}|rewrite dg_qf; whole].
Qed."""
