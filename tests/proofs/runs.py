"""Instance lemmas for runs of Algorithm 1: two layers, two deployments of two trajectories, features on the axes.

Numbers are real in Coq; the data are such that every norm in the inverse of a covariance is rational.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
from instances import law, rat, truth
from texts import exactly, greater, looked_up, number, table

from derl.estimation import fit, optimistic_backup
from derl.estimation.bonus import mean_bonus

WHERE = "derl.layerwise"
AXES, HORIZON, BATCH = (0, 1), 2, 2


class Instance:
    """Features, rewards, transitions and data; what Algorithm 1 makes of them."""

    def __init__(self, rng):
        axis = rng.integers(0, 2, (HORIZON, 2))
        # in every layer of a deployment one trajectory has its feature on each axis
        self.states, first = rng.integers(0, 2, (2, HORIZON + 1, BATCH)), rng.integers(0, 2, (2, HORIZON))
        self.acts = np.array([[[(first[k, h] + i + axis[h, self.states[k, h, i]]) % 2 for i in range(BATCH)]
                               for h in range(HORIZON)] for k in range(2)])
        self.phi = np.zeros((HORIZON, 2, 2, 2), dtype=object) + Fraction(0)
        for h, s, a in product(AXES, AXES, AXES):
            self.phi[h, s, a, (axis[h, s] + a) % 2] = Fraction(int(rng.choice([-4, -2, -1, 1, 2, 4])), 4)
        for h in range(HORIZON):
            # 1 + (3/4)^2 is a square
            for i, size in enumerate(rng.permutation([Fraction(3, 4), rng.choice([0, 1]) * Fraction(3, 4)])):
                at = h, self.states[0, h, i], self.acts[0, h, i]
                self.phi[at] = (self.phi[at] != 0) * size * int(rng.choice([-1, 1]))
        self.moves = np.array([[[law(rng, 2) for _ in AXES] for _ in AXES] for _ in range(HORIZON)], dtype=object)
        self.rewards = np.vectorize(lambda n: Fraction(int(n), 4), otypes=[object])(rng.integers(0, 5, (HORIZON, 2, 2)))
        self.first = law(rng, 2)
        self.beta = Fraction(int(rng.integers(1, 4)), 4)

    def seen(self, k: int, h: int, i: int) -> np.ndarray:
        """The feature in the data of deployment k."""
        return self.phi[h, self.states[k, h, i], self.acts[k, h, i]]

    def designs(self) -> list:
        """derl's regressions before the second deployment."""
        made = []
        for h in range(HORIZON):
            counts = np.zeros((2, 2, 2))
            for i in range(BATCH):
                counts[self.states[0, h, i], self.acts[0, h, i], self.states[0, h + 1, i]] += 1
            made.append(fit(self.phi[h].astype(float), counts))
        return made

    def statistic(self, k: int, layers: int, designs) -> Fraction:
        """Delta_k of derl: twice the mean bonus on the way through the first layers."""
        visits, norms = np.zeros((layers, 2, 2)), np.zeros((layers, 2, 2))
        for h in range(layers):
            phi = self.phi[h].astype(float)
            norms[h] = designs[h].norms(phi) if k else np.linalg.norm(phi, axis=-1)
            for i in range(BATCH):
                visits[h, self.states[k, h, i], self.acts[k, h, i]] += 1 / BATCH
        return exactly(mean_bonus(visits, norms, float(self.beta)))

    def plan(self, designs, layers: int) -> tuple[dict, list, list]:
        """derl's optimistic backup at the second deployment: Q of layer, state and action; weights; policy."""
        q, weights, policy, values = {}, [[Fraction(0)] * 2] * HORIZON, [[0, 0]] * HORIZON, np.zeros(2)
        for h in reversed(range(layers)):
            weights[h] = [exactly(w) for w in designs[h].weights(values)]
            step = optimistic_backup(self.phi[h].astype(float), self.rewards[h].astype(float), values, designs[h],
                                     float(self.beta), HORIZON)
            q |= {(h, s, a): exactly(step.q[s, a]) for s in AXES for a in AXES}
            values, policy[h] = step.values, step.policy.tolist()
        return q, weights, policy


def definitions(of: Instance, name: str, greedy, weights) -> str:
    """The instance and the run in Coq."""
    phi = of.phi.tolist()
    lists = [table([[[[x[i]] for x in row] for row in layer] for layer in phi], 3, lambda x: number(x[0]))
             for i in AXES]
    weighted = "[:: " + "; ".join(f"v2 {number(w[0])} {number(w[1])}" for w in weights) + "]"
    states, acts = of.states.tolist(), of.acts.tolist()
    return "\n".join([
        looked_up(f"x_{name}", "real", lists[0], "nbb", "0"), looked_up(f"y_{name}", "real", lists[1], "nbb", "0"),
        f"Definition phi_{name} h s a : 'cV[real]_2 := v2 (x_{name} h s a) (y_{name} h s a).",
        looked_up(f"r_{name}", "real", table(of.rewards.tolist(), 3, number), "nbb", "0"),
        looked_up(f"P_{name}", "real", table(of.moves.tolist(), 4, number), "nbbb", "0"),
        looked_up(f"rho_{name}", "real", table(of.first, 1, number), "b", "0"),
        looked_up(f"states_{name}", "bool", table(states, 3, truth), "nnn", "false"),
        looked_up(f"acts_{name}", "bool", table(acts, 3, truth), "nnn", "false"),
        looked_up(f"greedy_{name}", "bool", table(greedy, 3, truth), "nnb", "false"),
        f"Definition weight_{name} (k h : nat) : 'cV[real]_2 := if k == 1%N then nth 0 ({weighted}) h else 0.",
        f"Definition X_{name} : {WHERE}.theorem.run bool_finType bool_finType 2 :=",
        f"  {WHERE}.theorem.Run states_{name} acts_{name} greedy_{name} weight_{name}.",
    ])


def covariances(of: Instance, name: str) -> list[str]:
    """`data` and `Lambda` before the second deployment."""
    goals = []
    for h in range(HORIZON):
        diagonal = [1 + sum(of.seen(0, h, i)[axis] ** 2 for i in range(BATCH)) for axis in AXES]
        seen = [f"{WHERE}.theorem.data phi_{name} X_{name} 0 {h} {i} = "
                f"v2 {' '.join(rat(x) if x else '0' for x in of.seen(0, h, i))}" for i in range(BATCH)]
        goals += [f"Lemma data_{name}_{h}_{i} : {goal}. Proof. by []. Qed." for i, goal in enumerate(seen)]
        goals.append(f"""Lemma Lambda_{name}_{h} : {WHERE}.theorem.Lambda {BATCH} phi_{name} X_{name} 1 {h} =
  dg {rat(diagonal[0])} {rat(diagonal[1])}.
Proof.
rewrite /{WHERE}.theorem.Lambda /{WHERE}.run.covariance /before /batches /gram big_ord1 !big_ord_recl big_ord0 /=.
rewrite data_{name}_{h}_0 data_{name}_{h}_1 ?dg_outer1 ?dg_outer2 dg_1 addr0 !dg_add; congr (dg _ _); whole.
Qed.
Lemma Lambda0_{name}_{h} : {WHERE}.theorem.Lambda {BATCH} phi_{name} X_{name} 0 {h} = dg 1 1.
Proof. by rewrite /{WHERE}.theorem.Lambda /{WHERE}.run.covariance /before big_ord0 addr0 dg_1. Qed.""")
    return goals


def norms(of: Instance, name: str, k: int, designs) -> list[str]:
    """Norms of the data and the bonuses of all pairs at deployment k; `statistic` after each layer."""
    goals = []
    for h in range(HORIZON):
        start = f"rewrite {'Lambda' if k else 'Lambda0'}_{name}_{h} dg_inv ?oner_eq0 ?mulf_neq0 ?invr_eq0 ?pnatr_eq0 //"
        length = designs[h].norms(of.phi[h].astype(float)) if k else np.linalg.norm(of.phi[h].astype(float), axis=-1)
        for i in range(BATCH):
            norm = exactly(length[of.states[k, h, i], of.acts[k, h, i]])
            goals.append(f"""Lemma norm_{name}_{k}_{h}_{i} :
  Num.sqrt (qf (invmx ({WHERE}.theorem.Lambda {BATCH} phi_{name} X_{name} {k} {h}))
    ({WHERE}.theorem.data phi_{name} X_{name} {k} {h} {i})) = {rat(norm)}.
Proof.
{start}; apply: root_is; first by {greater(norm, Fraction(0), False)}.
rewrite [{WHERE}.theorem.data _ _ _ _ _](_ : _ = v2 {' '.join(number(x) for x in of.seen(k, h, i))}) // dg_qf; whole.
Qed.""")
        for s, a in product(AXES, AXES):
            norm = exactly(length[s, a])
            goals.append(f"""Lemma bonus_{name}_{k}_{h}_{s}{a} :
  {WHERE}.theorem.bonus {BATCH} phi_{name} {rat(of.beta)} X_{name} {k} {h} {truth(s)} {truth(a)} =
  {rat(of.beta * norm)}.
Proof.
rewrite /{WHERE}.theorem.bonus; {start}; rewrite (root_is (y := {rat(norm)})); first by whole.
  by {greater(norm, Fraction(0), False)}.
by rewrite [phi_{name} _ _ _](_ : _ = v2 {' '.join(number(x) for x in of.phi[h, s, a])}) // dg_qf; whole.
Qed.""")
        goals.append(f"""Lemma statistic_{name}_{k}_{h} :
  {WHERE}.run.statistic {BATCH} {rat(of.beta)} ({WHERE}.theorem.Lambda {BATCH} phi_{name} X_{name} {k})
    ({WHERE}.theorem.data phi_{name} X_{name} {k}) {h} = {rat(of.statistic(k, h + 1, designs))}.
Proof.
rewrite /{WHERE}.run.statistic; do 3 (rewrite ?big_ord_recl ?big_ord0 /= /bump /=).
by rewrite {' '.join(f'!norm_{name}_{k}_{j}_{i}' for j in range(h + 1) for i in range(BATCH))}; whole.
Qed.""")
    return goals


def tolerances(of: Instance, designs) -> list[tuple[Fraction, list[int], list[bool]]]:
    """Accuracies just above and just below those at which layers are finished: epsilon, targets, done or not."""
    edges = {2 * HORIZON * of.statistic(0, 1, designs)}
    edges |= {2 * HORIZON * of.statistic(1, layers, designs) / layers for layers in (1, 2)}
    found = []
    for epsilon in (edge + sign * Fraction(1, 40) for edge in sorted(edges) for sign in (-1, 1)):
        targets, done = [0], []
        for k in range(2):
            layers = targets[-1] + 1
            done.append(of.statistic(k, layers, designs) < epsilon * layers / (2 * HORIZON))
            targets.append(targets[-1] + done[-1])
        found.append((epsilon, targets, done))
    return found


def stopping(of: Instance, name: str, designs) -> list[str]:
    """`finished`, `finishes`, `layer`, `target`, `done` for all tolerances."""
    goals = []
    for case, (epsilon, targets, done) in enumerate(tolerances(of, designs)):
        for k in range(2):
            call = f"{BATCH} {HORIZON} phi_{name} {rat(of.beta)} {rat(epsilon)} X_{name}"
            statistic, level = of.statistic(k, targets[k] + 1, designs), epsilon * (targets[k] + 1) / (2 * HORIZON)
            decided = greater(level, statistic, True) if done[k] else \
                f"apply/negbTE; rewrite -leNgt; {greater(statistic, level, False)}"
            counted = f"rewrite /{WHERE}.theorem.target /= [finishes _ _ _ _ _ _ _]done_{name}_{case}_0"
            goals.append(f"""Lemma target_{name}_{case}_{k} : {WHERE}.theorem.target {call} {k} = {targets[k]}%N.
Proof. by {counted if k else "[]"}. Qed.
Lemma done_{name}_{case}_{k} : {WHERE}.theorem.done {call} {k} = {truth(done[k])}.
Proof.
rewrite /{WHERE}.theorem.done target_{name}_{case}_{k} /{WHERE}.run.finishes /{WHERE}.run.finished.
by rewrite statistic_{name}_{k}_{targets[k]}; {decided}.
Qed.""".replace("[finishes", f"[{WHERE}.run.finishes"))
    return goals


def values(of: Instance, name: str, designs, case: int, layers: int, plan) -> list[str]:
    """`est`, `Q`, `V` at the second deployment and J of its policy: those of derl's optimistic backup."""
    (q, weights, greedy), goals = plan, []
    call = f"{BATCH} {HORIZON} r_{name} phi_{name} {rat(of.beta)}"
    for h, s, a in product(range(layers), AXES, AXES):
        at, key = f"1 {h} {truth(s)} {truth(a)}", f"{name}_{h}_{s}{a}"
        estimate = sum(weights[h] * of.phi[h, s, a])
        norm = exactly(designs[h].norms(of.phi[h].astype(float))[s, a])
        free = estimate + of.rewards[h, s, a] + of.beta * norm
        goals.append(f"""Lemma est_{key} : {WHERE}.theorem.est phi_{name} X_{name} {at} = {rat(estimate)}.
Proof. by rewrite /{WHERE}.theorem.est /= v2_dot /x_{name} /y_{name} /=; whole. Qed.
Lemma Q_{key} : {WHERE}.theorem.Q {call} X_{name} {at} = {rat(q[h, s, a])}.
Proof.
rewrite /{WHERE}.theorem.Q /optimism.Qcap est_{key} bonus_{name}_1_{h}_{s}{a} /r_{name} /=.
rewrite {"min_l" if free <= HORIZON else "min_r"}; first by whole.
by {greater(max(free, HORIZON), min(free, HORIZON), False)}.
Qed.""")
    epsilon = tolerances(of, designs)[case][0]
    for h, s in product(range(HORIZON), AXES):
        inside = h < layers
        finish = f"exact: Q_{name}_{h}_{s}{greedy[h][s]}" if inside else "by []"
        goals.append(f"""Goal {WHERE}.theorem.V {call} {rat(epsilon)} X_{name} 1 {h} {truth(s)} =
  {rat(q[h, s, greedy[h][s]]) if inside else "0"}.
Proof. rewrite /{WHERE}.theorem.V /optimism.Vopt target_{name}_{case}_1; {finish}. Qed.""")
    later = np.zeros(2, dtype=object)
    for h in reversed(range(layers)):
        later = np.array([of.rewards[h, s, greedy[h][s]] + of.moves[h, s, greedy[h][s]] @ later for s in AXES])
    goals.append(f"""Goal {WHERE}.theorem.J P_{name} r_{name} rho_{name}
  (optimism.det R_realFieldType ({WHERE}.theorem.greedy X_{name} 1)) {layers} = {rat(of.first @ later)}.
Proof.
rewrite /{WHERE}.theorem.J /=; do 3 (rewrite ?big_bool /=).
by rewrite /optimism.det /rho_{name} /r_{name} /P_{name} /=; whole.
Qed.
Goal derl.reward_free.event.J P_{name} rho_{name} (optimism.det R_rcfType (greedy_{name} 1)) r_{name} {layers} =
  {rat(of.first @ later)}.
Proof.
rewrite /derl.reward_free.event.J /=; do 3 (rewrite ?big_bool /=).
by rewrite /optimism.det /rho_{name} /r_{name} /P_{name} /=; whole.
Qed.""")
    return goals


def runs(rng, name: str) -> str:
    """`data`, `Lambda`, `bonus`, `est`, `Q`, `V`, `target`, `done`, `statistic`, `finished`, `layer`, `J` of
    `layerwise.theorem` and `layerwise.run`, with tolerances just above and just below derl's statistic."""
    of = Instance(rng)
    designs = of.designs()
    case = int(rng.integers(len(tolerances(of, designs))))
    layers = tolerances(of, designs)[case][1][1] + 1
    plan = of.plan(designs, layers)
    goals = [definitions(of, name, [[[0, 0]] * HORIZON, plan[2]], plan[1])] + covariances(of, name)
    goals += norms(of, name, 0, designs) + norms(of, name, 1, designs) + stopping(of, name, designs)
    return "\n".join(goals + values(of, name, designs, case, layers, plan))
