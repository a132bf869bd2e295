"""Instance lemmas: the definitions of the formal statements, evaluated on rational numbers that derl computes.

Every function makes a random instance, asks derl for the value, and returns Coq text that states and proves that the
formal definition has this very value there. If the definition meant something else, Coq would refuse the lemma.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from derl.exact.matrices import inverse
from derl.mdp import exact
from derl.mdp.instances import compact_bandit, lock
from derl.theory import potential
from derl.theory.analysis.perturbation import squared_norm
from derl.theory.lower_bounds import bandit_game
from derl.theory.lower_bounds.search_game import matched


def rat(value) -> str:
    """A rational number in Coq's notation."""
    value = Fraction(value)
    top = f"{abs(value.numerator)}%:R"
    text = top if value.denominator == 1 else f"{top} / {value.denominator}%:R"
    return f"(- ({text}))" if value < 0 else f"({text})"


def seq(values) -> str:
    return "[:: " + "; ".join(seq(v) if isinstance(v, list | tuple | np.ndarray) else rat(v) for v in values) + "]"


def truth(value) -> str:
    return "true" if value else "false"


def some(rng, shape, bound=1, denominator=2) -> np.ndarray:
    """Random rational numbers of absolute value at most bound / denominator; small, as Coq counts in unary here."""
    drawn = rng.integers(-bound, bound + 1, shape)
    return np.vectorize(lambda n: Fraction(int(n), denominator), otypes=[object])(drawn)


def law(rng, size) -> list[Fraction]:
    """Random probabilities, in quarters."""
    cuts = np.sort(rng.choice([1, 2, 3], size - 1, replace=False))
    return [Fraction(int(w), 4) for w in np.diff([0, *cuts, 4])]


def violates(rng, name: str) -> str:
    """`violates`, `violations`, `before`, `batches`: two batches of two vectors, at a level that each just reaches
    and just misses."""
    vectors = some(rng, (2, 2, 2))
    gram = [sum(np.outer(v, v) for v in batch) for batch in vectors]
    before = [np.array([[Fraction(int(i == j)) for j in range(2)] for i in range(2)], dtype=object)]
    before.append(before[0] + gram[0])
    parts = [f"Definition p_{name} := phis 2 {seq(vectors)}."]
    for k in range(2):
        level = np.trace(inverse(before[k]) @ gram[k])
        parts.append(f"""Lemma trace_{name}_{k} :
  \\tr (invmx (before (batches 2 p_{name}) {k}) *m batches 2 p_{name} {k}) = {rat(level)}.
Proof.
have -> : before (batches 2 p_{name}) {k} = matr 2 {seq(before[k])} by rewrite /before /batches /gram /outer; entries.
rewrite (inv_by (B := matr 2 {seq(inverse(before[k]))})); last by entries.
by rewrite /batches /gram /outer /mxtrace; number.
Qed.""")
        below = Fraction(int(level * 10), 20)
        for epsilon in (below, below + Fraction(1, 20)):
            if epsilon > 0 and 2 * epsilon != level:
                mask = potential.violation_mask(vectors.astype(float), 2, float(epsilon), "vectors")
                parts.append(f"Goal violates (batches 2 p_{name}) (2%:R * {rat(epsilon)}) {k} = {truth(mask[k])}.\n"
                             f"Proof. by rewrite /violates trace_{name}_{k}; vm_compute. Qed.")
                if k == 0:
                    parts.append(f"Goal violations (batches 2 p_{name}) (2%:R * {rat(epsilon)}) 1 = {int(mask[0])}%N.\n"
                                 f"Proof. by rewrite /violations big_ord1 /violates trace_{name}_0; vm_compute. Qed.")
    return "\n".join(parts)


def forms(rng, name: str) -> str:
    """`qf` of an inverse and `rho`, for A = I + a random Gram matrix and a random Phi."""
    a, b, x = some(rng, (2, 2)), some(rng, (2, 2)), some(rng, 2)
    matrix, phi = a @ a.T + np.array([[1, 0], [0, 1]]), b @ b.T
    ratio = Fraction(potential.bridge(matrix.astype(float), phi.astype(float)).ratio).limit_denominator(10**6)
    return f"""Goal qf (invmx (matr 2 {seq(matrix)})) (vect 2 {seq(x)}) = {rat(squared_norm(matrix, x))}.
Proof. by rewrite (inv_by (B := matr 2 {seq(inverse(matrix))})); [rewrite /qf /bil; number|entries]. Qed.
Goal rho (matr 2 {seq(matrix)}) (matr 2 {seq(phi)}) = {rat(ratio)}.
Proof. by rewrite /rho !det2; number. Qed."""


def tree_table(tree, N: int, before=()) -> dict:
    """Data so far -> choice, of an algorithm of the game as derl writes it."""
    choice, below = tree
    found = {before: choice}
    for heads, subtree in enumerate(below):
        found |= tree_table(subtree, N, (*before, heads))
    return found


def success(rng, name: str) -> str:
    """`strategy`, `history`, `success`: a random algorithm with two deployments of one coin; two arms, or none."""
    N, K, arms = 1, 2, 3
    drawn = [int(c) for c in rng.integers(0, arms, 7)]
    tree = (drawn[0], tuple((drawn[1 + i], ((drawn[3 + 2 * i], ()), (drawn[4 + 2 * i], ()))) for i in range(2)))
    hidden, bias = int(rng.integers(1, arms)), Fraction(int(rng.integers(1, 4)), 4)
    laws = [[Fraction(x == 0) if arm == bandit_game.NO_ARM else
             bandit_game.binomial(N, x, bias if arm == hidden else Fraction(0)) for x in range(N + 1)]
            for arm in range(arms)]
    table = tree_table(tree, N)
    choose = "fun h : seq 'I_2 => match map val h with " + " ".join(
        f"| [:: {'; '.join(f'{x}%N' for x in key)}] => {choice}%N" if key else f"| [::] => {choice}%N"
        for key, choice in table.items()) + " | _ => 0%N end"
    value = bandit_game.success_probability(tree, hidden, bias, N)
    return f"""Definition psi_{name} : strategy [finType of 'I_2] nat nat := Strategy ({choose}) ({choose}).
Goal success (fun (x : nat) (o : 'I_2) => nth 0 (nth [::] {seq(laws)} x) o : rat) psi_{name} (pred1 {hidden}%N) {K} =
  {rat(value)}.
Proof.
by rewrite success_nil; do 4 (rewrite ?success_fromS ?big_ord_recl ?big_ord0 ?success_from0 /=); kernel.
Qed."""


def policy(rng, horizon: int) -> np.ndarray:
    """A random Markov policy of the gate instances with two actions; probabilities (H + 1, 3, 2)."""
    return np.array([[law(rng, 2) for _ in range(3)] for _ in range(horizon + 1)], dtype=object)


def gates(rng, name: str) -> str:
    """`kernel`, `reward`, `value` and J on the compact bandit and the lock, for a random policy: the same value."""
    horizon, bias = 2, Fraction(int(rng.integers(1, 5)), 9)
    rows = policy(rng, horizon)
    arm = int(rng.integers(0, horizon))
    digits = [int(x) for x in rng.integers(0, 2, horizon)]
    bandit = exact.evaluate(compact_bandit(2, horizon, (arm, 1), bias, exact=True), rows).value
    code = exact.evaluate(lock(2, horizon, digits, bias, exact=True), rows).value
    table = seq([[list(map(Fraction, row)) for row in layer] for layer in rows.tolist()])
    first = "ord0" if arm == 0 else "lift ord0 ord0"
    return f"""Definition pi_{name} : policy rat_realFieldType 2 := fun pre s a =>
  nth 0 (nth [::] (nth [::] {table} (size pre)) (if s is Some x then x.+1 else 0%N)) a.
Goal J 2 (bandit ({rat(bias)} : rat_realFieldType) (({first}, ord0) : arm 2 1)) pi_{name} =
  {rat(bandit)}.
Proof. rewrite /J /=; counted. Qed.
Definition c_{name} : code 2 2 := [ffun i : 'I_2 => nth ord0 [:: {'; '.join(
    'ord0' if x == 0 else 'lift ord0 ord0' for x in digits)}] i].
Lemma hit_{name} h a : hit c_{name} h a = (h < 2)%N && (nth 0%N [:: {digits[0]}%N; {digits[1]}%N] h == a).
Proof.
rewrite /hit; apply/existsP/idP => [[i /andP[/eqP <- /eqP <-]]|/andP[h2 e]].
  by rewrite ffunE; case: i => [[|[|?]] ?].
by exists (Ordinal h2); rewrite eqxx -val_eqE ffunE /=; move: h2 e; case: h => [|[|?]].
Qed.
Goal J 2 (lock ({rat(bias)} : rat_realFieldType) c_{name}) pi_{name} = {rat(code)}.
Proof.
rewrite /J /=; do 3 (rewrite ?sum_state ?big_ord_recl ?big_ord0 /= ?hit_{name} /=); kernel.
Qed."""


def linear(rng, name: str) -> str:
    """`feature`, `measure`, `theta`: entry by entry those of derl's exact instance."""
    horizon, bias, arm = 2, Fraction(int(rng.integers(1, 5)), 9), int(rng.integers(0, 2))
    mdp = compact_bandit(2, horizon, (arm, 1), bias, exact=True)
    state = ["None", "(Some false)", "(Some true)"]
    action = ["ord0", "(lift ord0 ord0)"]
    index = ["(lshift 2 ord0)", "(lshift 2 (lift ord0 ord0))", "(rshift 2 ord0)", "(rshift 2 (lift ord0 ord0))"]
    hidden = f"(bandit ({rat(bias)} : rat_realFieldType) (({action[arm]}, ord0) : arm 2 1))"
    goals = []
    for _ in range(6):
        h, s, a, i = (int(rng.integers(0, n)) for n in (horizon, 3, 2, 4))
        at = f"({index[i]} : 'I_(2 + 2))"
        goals += [f"feature rat_realFieldType {state[s]} {action[a]} {at} = {rat(mdp.phi[h, s, a, i])}",
                  f"measure {hidden} {h} {state[s]} {at} = {rat(mdp.mu[h, i, s])}",
                  f"theta rat_realFieldType 2 {h} {at} = {rat(mdp.theta[h, i])}"]
    prove = "Proof. rewrite /feature /measure /theta; rewrite ?(unsplitK (inl _)) ?(unsplitK (inr _)) /=; " \
            "kernel. Qed."
    return "\n".join(f"Goal {goal}.\n{prove}" for goal in goals)


def optimistic(rng, name: str) -> str:
    """`optimism.value` of a random policy on derl's exact bandit, and `Qcap` on both sides of the cap."""
    horizon, bias = 1, Fraction(1, 4)
    mdp, rows = compact_bandit(2, horizon, (0, 1), bias, exact=True), policy(rng, horizon)
    plan = exact.evaluate(mdp, rows)
    moves, rewards = mdp.transitions(), mdp.rewards()
    goals = [f"""Definition P_{name} (h : nat) (s : 'I_3) (a : 'I_2) (s' : 'I_3) : rat :=
  nth 0 (nth [::] (nth [::] (nth [::] {seq(moves.tolist())} h) s) a) s'.
Definition r_{name} (h : nat) (s : 'I_3) (a : 'I_2) : rat := nth 0 (nth [::] (nth [::] {seq(rewards.tolist())} h) s) a.
Definition mu_{name} (h : nat) (s : 'I_3) (a : 'I_2) : rat := nth 0 (nth [::] (nth [::] {seq(rows.tolist())} h) s) a.
Goal optimism.value P_{name} mu_{name} r_{name} 0 {horizon + 1} ord0 = {rat(plan.value)}.
Proof. rewrite /=; counted. Qed."""]
    estimate, bonus = Fraction(int(rng.integers(0, 9)), 4), Fraction(int(rng.integers(1, 9)), 4)
    total = estimate + rewards[1, 0, 0] + bonus
    for cap in (total - Fraction(1, 8), total + Fraction(1, 8)):
        capped = min(total, cap)  # line 8 of Algorithm 1, as derl.estimation.backup has it
        goals.append(f"Goal optimism.Qcap r_{name} {rat(cap)} (fun _ _ _ => {rat(estimate)})"
                     f" (fun _ _ _ => {rat(bonus)}) 1 ord0 ord0 = {rat(capped)}."
                     "\nProof. by kernel. Qed.")
    return "\n".join(goals)


def moments(rng, name: str) -> str:
    """`mean`: the second moment of a feature in a direction, as theta^T E[phi phi^T] theta."""
    features, weights, theta = some(rng, (3, 2)), law(rng, 3), some(rng, 2)
    covariance = sum(w * np.outer(v, v) for w, v in zip(weights, features, strict=True))
    return f"""Goal mean (fun t : 'I_3 => nth 0 {seq(weights)} t : rat)
  (fun t => ((vect 2 (nth [::] {seq(features)} t))^T *m vect 2 {seq(theta)}) ord0 ord0 ^+ 2) =
  {rat(theta @ covariance @ theta)}.
Proof. by rewrite /mean; number. Qed."""


def lengths(rng, name: str) -> str:
    """`leading`: the digits that a trajectory gets right before it leaves the gate, the last one left out."""
    path, code = (tuple(int(x) for x in rng.integers(0, 2, 3)) for _ in range(2))
    right = matched(path, code)
    steps = [f"({'ord0' if a == 0 else 'lift ord0 ord0'} : 'I_2, {'None' if h < min(right, 2) else 'Some true'})"
             for h, a in enumerate(path)]
    return (f"Goal leading [:: {'; '.join(steps)}] = {min(right, 2)}%N.\n"
            "Proof. by vm_compute. Qed.")
