"""Instance lemmas for one layer of the other algorithms: lists of policies, regressions, capped bonuses."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
from instances import law, rat, some, truth
from runs import AXES
from texts import exactly, greater, looked_up, number, over, table, vectors

from derl.estimation import fit

R, EVENT, NOISE, CAP = (f"derl.{name}" for name in ("arbitrary.theorem_r", "reward_free.event", "reward_free.violation",
                                                    "layerwise.cap"))


def listed(rng, name: str) -> str:
    """`covariances`, `estimates`: two policies and the second layer; the law of the state is carried forward."""
    phi, first = some(rng, (2, 2, 2)), law(rng, 2)
    moves = np.array([[law(rng, 2) for _ in AXES] for _ in AXES], dtype=object)
    rules = np.array([[[law(rng, 2) for _ in AXES] for _ in AXES] for _ in AXES], dtype=object)  # policy, layer, state
    planned = some(rng, (2, 2, 2, 2), 3, 4)  # policy, entry, entry, state
    state = [np.einsum("s,sa,sat->t", np.array(first), rule[0], moves) for rule in rules]
    true = sum(np.einsum("s,sa,sai,saj->ij", p, rule[1], phi, phi) for p, rule in zip(state, rules, strict=True))
    told = sum(2 * np.einsum("s,ijs->ij", np.array(first), v) - 1 for v in planned)
    place = ("ord0", "(lift ord0 ord0)")
    goals = []
    for i, j in product(AXES, AXES):
        goals.append(f"""Goal {R}.covariances P_{name} phi_{name} rho_{name} X_{name} 1 {place[i]} {place[j]} =
  {rat(true[i, j])}.
Proof.
rewrite /{R}.covariances summxE !big_ord_recl big_ord0 /evaluation.covariance !mxE /evaluation.TJ /=.
by do 4 (rewrite ?big_bool /=); rewrite !mxE /= /rho_{name} /P_{name} /p_{name} /pol_{name} /=; whole.
Qed.
Goal {R}.estimates rho_{name} X_{name} 1 {place[i]} {place[j]} = {rat(told[i, j])}.
Proof.
rewrite /{R}.estimates summxE !big_ord_recl big_ord0 /evaluation.estimated !mxE /= !big_bool /=.
by rewrite /V_{name} /rho_{name} /=; whole.
Qed.""")
    return "\n".join([
        looked_up(f"f_{name}", "'cV[real]_2", vectors(phi.tolist(), 2), "bb", "0"),
        f"Definition phi_{name} (h : nat) s a : 'cV[real]_2 := f_{name} s a.",
        looked_up(f"p_{name}", "real", table(moves.tolist(), 3, number), "bbb", "0"),
        f"Definition P_{name} (h : nat) s a t : real := p_{name} s a t.",
        looked_up(f"rho_{name}", "real", table(first, 1, number), "b", "0"),
        looked_up(f"pol_{name}", "real", table(rules.tolist(), 4, number), "nnbb", "0"),
        looked_up(f"V_{name}", "real", table(planned.tolist(), 4, number), "nnnb", "0"),
        f"Definition X_{name} (L : nat) : {R}.layer_run real bool_finType bool_finType 2 :=",
        f"  {R}.LayerRun 2 pol_{name} (fun _ _ _ _ => 0) (fun k i j h s => if h == 0%N then V_{name} k i j s else 0)",
        "    (fun=> 0) (fun _ _ => true)."] + goals)


def last_call(rng, name: str) -> str:
    """`reward5`, `value5`, `linear`, `bonus`: weights and actions of SolveOptQ in two layers, features on the axes."""
    axis, size = rng.integers(0, 2, (2, 2, 2)), some(rng, (2, 2, 2), 4, 4)  # layer, state, action
    phi = np.array([[[[size[at] if axis[at] == i else Fraction(0) for i in AXES] for at in product([h], [s], AXES)]
                     for s in AXES] for h in range(2)], dtype=object)
    squares = [Fraction(25, 16), Fraction(4)][::int(rng.choice([-1, 1]))]
    shift = [Fraction(1, 4), Fraction(17, 16)]  # what the estimates add to 2 I: again squares
    weights, acts, scale = some(rng, 2, 3, 2), rng.integers(0, 2, (2, 2)), Fraction(int(rng.integers(1, 4)), 2)
    root = lambda x: exactly(float(x) ** 0.5)  # noqa: E731
    goals, diagonal = [], f"(dg {rat(squares[0])} {rat(squares[1])})"
    for s, a in product(AXES, AXES):
        length, norm = (sum(abs(x) / root(y) for x, y in zip(phi[h, s, a], by, strict=True))
                        for h, by in ((1, [2 + x for x in shift]), (0, squares)))
        estimate = sum(weights * phi[0, s, a])
        planned, called = min(estimate + scale * norm, Fraction(1)), f"{truth(s)} {truth(a)}"
        entry = lambda h: f"[phi_{name} {h} {called}](_ : _ = {vectors(phi[h, s, a].tolist(), 0)}) //"  # noqa: B023, E731
        goals.append(f"""Lemma reward_{name}_{s}{a} : {R}.reward5 phi_{name} rho_{name} X_{name} 1 {called} =
  {rat(length)}.
Proof.
rewrite /{R}.reward5 estimates_{name} dg_inv ?mulf_neq0 ?invr_eq0 ?pnatr_eq0 //; apply: root_is.
  by {greater(length, Fraction(0), False)}.
by rewrite {entry(1)} dg_qf; whole.
Qed.
Lemma linear_{name}_{s}{a} :
  {EVENT}.linear phi_{name} (fun=> v2 {rat(weights[0])} {rat(weights[1])}) 0 {called} = {rat(estimate)}.
Proof. by rewrite /{EVENT}.linear {entry(0)} v2_dot; whole. Qed.
Lemma bonus_{name}_{s}{a} :
  {EVENT}.bonus phi_{name} {rat(scale)} (fun=> {diagonal}) 0 {called} = {rat(scale * norm)}.
Proof.
rewrite /{EVENT}.bonus dg_inv ?oner_eq0 ?mulf_neq0 ?invr_eq0 ?pnatr_eq0 // (root_is (y := {rat(norm)})).
- by whole.
- by {greater(norm, Fraction(0), False)}.
by rewrite {entry(0)} dg_qf; whole.
Qed.""")
        if acts[0, s] == a:
            goals.append(f"""Goal {R}.value5 phi_{name} rho_{name} {rat(scale)} X_{name} (fun=> {diagonal}) 1 0%N
  {truth(s)} = {rat(planned)}.
Proof.
rewrite /{R}.value5 /evaluation.solve_value ltnS leqnn linear_{name}_{s}{a} bonus_{name}_{s}{a}.
rewrite {"min_l" if estimate + scale * norm <= 1 else "min_r"}; first by whole.
by {greater(max(estimate + scale * norm, Fraction(1)), planned, False)}.
Qed.""")
        if acts[1, s] == a:
            goals.append(f"""Goal {R}.value5 phi_{name} rho_{name} {rat(scale)} X_{name} (fun=> {diagonal}) 1 1%N
  {truth(s)} = {rat(length)}.
Proof. exact: reward_{name}_{s}{a}. Qed.""")
    first = law(rng, 2)
    return "\n".join([
        looked_up(f"phi_{name}", "'cV[real]_2", vectors(phi.tolist(), 3), "nbb", "0"),
        looked_up(f"rho_{name}", "real", table(first, 1, number), "b", "0"),
        looked_up(f"acts_{name}", "bool", table(acts.tolist(), 2, truth), "nb", "false"),
        f"Definition V_{name} (i j : 'I_2) : real :=",
        f"  if i == j then if i == ord0 then {rat((1 + shift[0]) / 2)} else {rat((1 + shift[1]) / 2)}",
        f"  else {rat(Fraction(1, 2))}.",
        f"Definition X_{name} (L : nat) : {R}.layer_run real bool_finType bool_finType 2 :=",
        f"  {R}.LayerRun 1 (fun _ _ _ _ => 0) (fun _ _ _ _ => 0) (fun k i j h s => V_{name} i j)",
        f"    (fun=> v2 {rat(weights[0])} {rat(weights[1])}) acts_{name}.",
        f"""Lemma estimates_{name} : 2%:R%:M + {R}.estimates rho_{name} X_{name} 1 =
  dg {rat(2 + shift[0])} {rat(2 + shift[1])}.
Proof.
rewrite /{R}.estimates big_ord1 /evaluation.estimated.
by apply/matrixP => -[[|[|?]] ?] // -[[|[|?]] ?] //; rewrite !mxE /= !big_bool /= /V_{name} /rho_{name} /=; whole.
Qed."""] + goals)


def noises(rng, name: str) -> str:
    """`weights`, `next`, `noise`: three transitions with features on the axes; the weights of derl's regression."""
    size = [Fraction(int(x), 2) for x in rng.choice([-2, -1, 1, 2], 3)]
    axis, after = [0, 1, int(rng.integers(0, 2))], [int(x) for x in rng.integers(0, 2, 3)]
    phi = np.array([[x if a == i else Fraction(0) for i in AXES] for x, a in zip(size, axis, strict=True)])
    measures, values = some(rng, (2, 2), 3, 4), some(rng, 2, 4, 2)
    counts = np.zeros((3, 1, 2))
    counts[range(3), 0, after] = 1
    weights = [exactly(w) for w in fit(phi[:, None].astype(float), counts).weights(values.astype(float))]
    follow = [sum(measures[t] @ row * values[t] for t in AXES) for row in phi]
    noise = sum((values[t] - expected) * row for t, expected, row in zip(after, follow, phi, strict=True))
    diagonal = [1 + sum(phi[:, i] ** 2) for i in AXES]
    place, call = ("ord0", "(lift ord0 ord0)"), f"phi_{name} after_{name}"
    ends = ["ord0", "(lift ord0 ord0)", "(lift ord0 (lift ord0 ord0))"]
    goals = [f"""Goal {NOISE}.next mu_{name} V_{name} (phi_{name} {ends[n]}) = {rat(follow[n])}.
Proof. by rewrite /{NOISE}.next big_bool /phi_{name} /mu_{name} /= !v2_dot /V_{name} /=; whole. Qed."""
             for n in range(3)]
    for i in AXES:
        goals.append(f"""Goal {NOISE}.noise {call} mu_{name} V_{name} {place[i]} ord0 = {rat(noise[i])}.
Proof.
rewrite /{NOISE}.noise summxE !big_ord_recl big_ord0 /= /{NOISE}.next !big_bool /phi_{name} /mu_{name} /= !v2_dot.
by rewrite !mxE /V_{name} /after_{name} /=; whole.
Qed.
Goal {NOISE}.weights {call} V_{name} {place[i]} ord0 = {rat(weights[i])}.
Proof.
rewrite /{NOISE}.weights !big_ord_recl !big_ord0 /phi_{name} /after_{name} /V_{name} /= ?dg_outer1 ?dg_outer2.
rewrite dg_1 addr0 !dg_add.
rewrite [X in invmx X](_ : _ = dg {rat(diagonal[0])} {rat(diagonal[1])}); last by congr (dg _ _); whole.
rewrite dg_inv ?mulf_neq0 ?invr_eq0 ?pnatr_eq0 //.
by rewrite !mxE !big_ord_recl !big_ord0 !mxE /=; whole.
Qed.""")
    return "\n".join([
        over(3, looked_up(f"phi_{name}", "'cV[real]_2", vectors(phi.tolist(), 1), "n", "0")),
        over(3, looked_up(f"after_{name}", "bool", table(after, 1, truth), "n", "false")),
        looked_up(f"mu_{name}", "'cV[real]_2", vectors(measures.tolist(), 1), "b", "0"),
        looked_up(f"V_{name}", "real", table(values.tolist(), 1, number), "b", "0")] + goals)
