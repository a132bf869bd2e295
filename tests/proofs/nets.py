"""Instance lemmas around Algorithm 1: laws of batches, best values, the bonus without an inner cap, grids and nets."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from instances import law, rat, truth
from runs import AXES, BATCH, HORIZON
from texts import exactly, greater, looked_up, number, table

from derl.estimation import fit, optimistic_backup

A, OPTIMAL, LAW, GRID, VALUES, MODEL = (
    f"derl.algorithm_one.{name}" for name in ("algorithm", "optimal", "trajectory_law", "grid", "values", "certainty"))


def optimal(rng, name: str) -> str:
    """`path_law`, `batch_law`: a deterministic policy in two layers, two trajectories; `best_value`, `Jstar`: backward
    induction over all actions."""
    moves = np.array([[[law(rng, 2) for _ in AXES] for _ in AXES] for _ in range(HORIZON)], dtype=object)
    first, g = law(rng, 2), rng.integers(0, 2, (HORIZON, 2))
    states, acts = rng.integers(0, 2, (BATCH, HORIZON)), np.zeros((BATCH, HORIZON), int)
    chances = []
    for i in range(BATCH):
        acts[i] = [g[h, states[i, h]] for h in range(HORIZON)]
        chances.append(first[states[i, 0]] * moves[0, states[i, 0], acts[i, 0], states[i, 1]])
    texts = ["[:: " + "; ".join(f"({truth(s)}, {truth(a)})" for s, a in zip(*path, strict=True)) + "]"
             for path in zip(states, acts, strict=True)]
    strayed = f"[:: ({truth(states[0, 0])}, {truth(1 - acts[0, 0])})]"
    while True:
        rewards = np.vectorize(lambda n: Fraction(int(n), 4), otypes=[object])(rng.integers(0, 5, (HORIZON, 2, 2)))
        later, layers, tied = np.array([Fraction(0)] * 2), {}, False
        for h in reversed(range(HORIZON)):
            q = np.array([[rewards[h, s, a] + moves[h, s, a] @ later for a in AXES] for s in AXES])
            tied |= bool((q[:, 0] == q[:, 1]).any())
            later, layers[h] = q.max(axis=1), q
        if not tied:
            break
    parts = [
        looked_up(f"P_{name}", "rat", table(moves.tolist(), 4, number), "nbbb", "0"),
        looked_up(f"rho_{name}", "rat", table(first, 1, number), "b", "0"),
        looked_up(f"g_{name}", "bool", table(g.tolist(), 2, truth), "nb", "false"),
        f"""Goal {LAW}.path_law P_{name} g_{name} 0 rho_{name} {texts[0]} = {rat(chances[0])}.
Proof. by kernel. Qed.
Goal {LAW}.path_law P_{name} g_{name} 0 rho_{name} {strayed} = 0%:R.
Proof. by kernel. Qed.
Goal {LAW}.batch_law P_{name} rho_{name} g_{name}
  [ffun i : 'I_2 => nth [tuple (true, true); (true, true)] [:: [tuple of {texts[0]}]; [tuple of {texts[1]}]] i] =
  {rat(chances[0] * chances[1])}.
Proof.
rewrite /{LAW}.batch_law /hoeffding.product_law !big_ord_recl big_ord0 !ffunE /=; kernel.
Qed.""",
        looked_up(f"R_{name}", "real", table(moves.tolist(), 4, number), "nbbb", "0"),
        looked_up(f"start_{name}", "real", table(first, 1, number), "b", "0"),
        looked_up(f"r_{name}", "real", table(rewards.tolist(), 3, number), "nbb", "0"),
    ]
    for h in reversed(range(HORIZON)):
        k = HORIZON - h
        for s in AXES:
            q, b = layers[h][s], int(np.argmax(layers[h][s]))
            known = " ".join(f"?best_{name}_{h + 1}_{x}" for x in AXES) if k > 1 else ""
            for a in AXES:
                parts.append(f"""Lemma q_{name}_{h}_{s}{a} : r_{name} {h} {truth(s)} {truth(a)} +
  \\sum_s' R_{name} {h} {truth(s)} {truth(a)} s' * {OPTIMAL}.best_value R_{name} r_{name} true {h + 1} {k - 1} s' =
  {rat(q[a])}.
Proof. rewrite big_bool {known} {"" if k > 1 else "!mulr0"} /r_{name} /R_{name} /=; whole. Qed.""")
            parts.append(f"""Lemma best_{name}_{h}_{s} :
  {OPTIMAL}.best_value R_{name} r_{name} true {h} {k} {truth(s)} =
  {rat(q[b])}.
Proof.
apply: (@best_value_is _ _ _ _ _ _ {truth(b)} _ _ q_{name}_{h}_{s}{b} q_{name}_{h}_{s}{1 - b}).
by {greater(q[b], q[1 - b], True)}.
Qed.""")
    parts.append(f"""Goal {OPTIMAL}.Jstar {HORIZON} R_{name} r_{name} start_{name} true = {rat(first @ later)}.
Proof. by rewrite /{OPTIMAL}.Jstar big_bool best_{name}_0_0 best_{name}_0_1 /start_{name} /=; whole. Qed.""")
    return "\n".join(parts)


def inside(rng, name: str) -> str:
    """`optimistic` where the cap inside makes a difference: derl's backup as repaired; as printed it is another."""
    scale = Fraction(int(rng.integers(3, 9)))
    rewards, value = [Fraction(int(x), 8) for x in rng.integers(0, 3, 2)], Fraction(int(rng.integers(3, 9)), 8)
    # one action was seen twice; the feature of the other one points the other way
    phi = np.array([[[0.75, 0.0], [-1.0, 0.0]]])
    visits = np.zeros((1, 2, 1))
    visits[0, 0, 0] = 1
    step, printed = (optimistic_backup(phi, np.array([rewards], float), np.array([float(value)]), fit(phi, visits),
                                       float(scale), HORIZON, version=version)
                     for version in ("repaired", "as-printed"))
    assert step.q[0, 1] != printed.q[0, 1]
    weight = value * Fraction(3, 4) / (1 + Fraction(9, 16))
    goals = []
    for a in (1, 0):
        feature, norm, q = exactly(phi[0, a, 0]), exactly(step.norms[0, a]), exactly(step.q[0, a])
        free = weight * feature + rewards[a] + scale * norm
        goals.append(f"""Goal {A}.optimistic {HORIZON} phi_{name} r_{name} {rat(scale)} (v2 {rat(weight)} 0)
  (dg {rat(Fraction(25, 16))} 1) 0 tt {truth(a)} = {rat(q)}.
Proof.
rewrite /{A}.optimistic dg_inv ?oner_eq0 ?mulf_neq0 ?invr_eq0 ?pnatr_eq0 //.
rewrite [phi_{name} _ _ _](_ : _ = v2 {rat(feature)} 0) // dg_qf v2_dot.
rewrite (root_is (y := {rat(norm)})); [|by {greater(norm, Fraction(0), False)}|by whole].
rewrite /r_{name} /= {"min_l" if free <= HORIZON else "min_r"}; first by whole.
by {greater(max(free, Fraction(HORIZON)), min(free, Fraction(HORIZON)), False)}.
Qed.""")
    return "\n".join([
        f"Definition phi_{name} (h : nat) (s : unit) (a : bool) : 'cV[real]_2 :=\n"
        f"  if a then v2 {rat(exactly(phi[0, 1, 0]))} 0 else v2 {rat(exactly(phi[0, 0, 0]))} 0.",
        looked_up(f"at_{name}", "real", table(rewards, 1, number), "b", "0"),
        f"Definition r_{name} (h : nat) (s : unit) (a : bool) : real := at_{name} a.", *goals]).replace(
            f"/r_{name} /=", f"/r_{name} /at_{name} /=")


def nets(rng, name: str) -> str:
    """`level`, `point` of a grid; `level_of`, `candidate` with any form; the model of the control."""
    marks, steps = int(rng.integers(1, 4)), []
    chosen = [int(x) for x in rng.integers(0, 2 * marks**2 + 1, 2)]
    entries = [Fraction(x - marks**2, marks) for x in chosen]
    parts = [f"""Goal @{GRID}.point {marks} 2 [ffun i : 'I_2 => nth ord0 [:: inord {chosen[0]}; inord {chosen[1]}] i]
  {axis} ord0 = {rat(entries[i]) if entries[i] else "0"}.
Proof.
by rewrite mxE ffunE /{GRID}.level /= inordK //; whole.
Qed.""" for i, axis in enumerate(("ord0", "(lift ord0 ord0)"))]
    top, x = Fraction(int(rng.integers(1, 4))), [Fraction(int(v), 2) for v in rng.integers(-4, 5, 2)]
    roots, signs = [Fraction(int(v), 2) for v in rng.integers(0, 5, 2)], rng.choice([-1, 1], 2)
    rewards, sizes = [Fraction(int(v), 4) for v in rng.integers(0, 5, 2)], [Fraction(int(v), 2) for v in (1, -2)]
    levels = [min(x[a] * sizes[a] + rewards[a] + roots[a] * abs(sizes[a]), top) for a in AXES]
    form = " ".join(number(int(sign) * root**2) for sign, root in zip(signs, roots, strict=True))
    vectors = [f"v2 {rat(sizes[0])} 0", f"v2 0 {rat(sizes[1])}"]
    parts += [f"Definition f_{name} (s : unit) (a : bool) : 'cV[real]_2 := if a then {vectors[1]} else {vectors[0]}.",
              looked_up(f"at_{name}", "real", table(rewards, 1, number), "b", "0"),
              f"Definition c_{name} := (v2 {number(x[0])} {number(x[1])} : 'cV[real]_2)."]
    for a in AXES:
        free, root, square = x[a] * sizes[a] + rewards[a] + roots[a] * abs(sizes[a]), roots[a] * abs(sizes[a]), \
            int(signs[a]) * (roots[a] * sizes[a]) ** 2
        steps.append(f"""Lemma level_{name}_{a} :
  {VALUES}.level_of f_{name} (fun=> at_{name}) {rat(top)} c_{name} (dg {form}) tt {truth(a)} = {number(levels[a])}.
Proof.
rewrite /{VALUES}.level_of /c_{name} /f_{name} /at_{name} /= v2_dot dg_qf.
rewrite [X in `|X|](_ : _ = {number(square)}); last by whole.
rewrite {"ger0_norm" if square >= 0 else "ler0_norm"}; last first.
  by {greater(max(square, Fraction(0)), min(square, Fraction(0)), False)}.
rewrite (root_is (y := {number(root)})); [|by {greater(root, Fraction(0), False)}|by whole].
rewrite {"min_l" if free <= top else "min_r"}; first by whole.
by {greater(max(free, top), min(free, top), False)}.
Qed.""")
    inner = max(levels[0], Fraction(0))
    steps.append(f"""Goal {VALUES}.candidate f_{name} (fun=> at_{name}) {rat(top)} c_{name} (dg {form}) tt =
  {number(max(inner, levels[1]))}.
Proof.
rewrite candidate_bool level_{name}_0 level_{name}_1 [X in Num.max _ X](_ : _ = {number(inner)}); last first.
  rewrite {"max_l" if levels[0] >= 0 else "max_r"} //; by {greater(inner, min(levels[0], Fraction(0)), False)}.
rewrite {"max_l" if levels[1] >= inner else "max_r"} //.
by {greater(max(inner, levels[1]), min(inner, levels[1]), False)}.
Qed.""")
    state, action = (int(v) for v in rng.integers(0, 2, 2))
    parts += [f"""Goal {MODEL}.axis_of true {MODEL}.picked = inord 1. Proof. by rewrite /{MODEL}.axis_of eqxx. Qed.
Goal {MODEL}.two_phi 0 true (~~ {MODEL}.picked) (inord 2) ord0 = 1.
Proof. by rewrite mxE /{MODEL}.axis_of; case: {MODEL}.picked; rewrite !eqxx. Qed.
Goal {MODEL}.two_P 0 {truth(state)} {truth(action)} true * {MODEL}.two_rho {truth(state)} = {rat(Fraction(1, 4))}.
Proof. by rewrite /{MODEL}.two_P /{MODEL}.two_rho; whole. Qed.
Goal {MODEL}.two_r 0 true (~~ {MODEL}.picked) = 1.
Proof. by rewrite /{MODEL}.two_r /{MODEL}.axis_of; case: {MODEL}.picked; rewrite eqxx. Qed."""]
    return "\n".join(parts + steps)
