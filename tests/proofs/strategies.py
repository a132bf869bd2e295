"""Instance lemmas for Algorithm 1 as a strategy: two layers, two deployments of two trajectories.

derl's loop gets the same batches and says which layers it aims at, what it finishes, and what it deploys and returns.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
from instances import rat, truth
from runs import AXES, BATCH, HORIZON, Instance, tolerances
from texts import exactly, greater, looked_up, number, table

from derl.algorithms.layerwise import ExplorationRule, explore
from derl.deployment.counts import Batch
from derl.deployment.known import KnownPart
from derl.estimation import fit, optimistic_backup

A, LAW = "derl.algorithm_one.algorithm", "derl.algorithm_one.trajectory_law"


class Replay:
    """A deployer that hands out recorded batches and writes down what is deployed."""

    batch_size, max_deployments = BATCH, 2

    def __init__(self, of: Instance):
        self.known = KnownPart(of.phi.astype(float), of.rewards.astype(float), np.ones((HORIZON, 2, 2), bool))
        self.counts, self.deployed = [counted(of, k) for k in range(2)], []

    def deploy(self, policy) -> Batch:
        self.deployed.append(np.asarray(policy))
        return Batch(self.counts[len(self.deployed) - 1], BATCH)


def counted(of: Instance, k: int) -> np.ndarray:
    """Transitions of one batch."""
    counts = np.zeros((HORIZON, 2, 2, 2))
    for h, i in product(range(HORIZON), range(BATCH)):
        counts[h, of.states[k, h, i], of.acts[k, h, i], of.states[k, h + 1, i]] += 1
    return counts


def replayed(of: Instance, epsilon: Fraction, version: str) -> SimpleNamespace:
    """derl's run on the recorded batches: policies, layers, what was finished."""
    deployer = Replay(of)
    found = explore(deployer, ExplorationRule(
        rewards=lambda layer, norms: deployer.known.rewards[layer], beta=float(of.beta), version=version,
        threshold=lambda layer: float(epsilon) * layer / (2 * HORIZON)))
    return SimpleNamespace(policies=deployer.deployed, layers=[row.layer - 1 for row in found.trace],
                           done=[row.finished for row in found.trace], returned=found.policy,
                           converged=found.converged)


class Played(Instance):
    """An instance without ties, whose second deployment finishes the last layer and in which the cap inside matters."""

    def __init__(self, rng):
        while True:
            super().__init__(rng)
            self.beta = Fraction(int(rng.integers(5, 9)), 2)
            self.rewards = self.rewards * rng.integers(0, 2, self.rewards.shape)
            levels = [x for x in tolerances(self, self.designs()) if x[1][1] == 1 and x[2][1]]
            self.epsilon, self.targets, self.done = levels[int(rng.integers(len(levels)))]
            self.values()
            runs = [replayed(self, self.epsilon, version) for version in ("repaired", "as-printed")]
            apart = any((runs[0].policies[1][h] != runs[1].policies[1][h]).any() for h in range(HORIZON))
            if apart and not self.tied:
                self.run = runs[0]
                return

    def values(self) -> None:
        """Weights, bonuses, optimistic values and policies of both deployments, from derl's regressions."""
        empty = [fit(self.phi[h].astype(float), np.zeros((2, 2, 2))) for h in range(HORIZON)]
        self.weights, self.norms, self.free, self.q, self.greedy, self.plans = {}, {}, {}, {}, {}, {}
        self.tied = False
        for k, designs in enumerate((empty, self.designs())):
            later = np.array([Fraction(0)] * 2)
            for h in reversed(range(HORIZON)):
                if h > self.targets[k]:
                    later = np.array([Fraction(0)] * 2)
                weights = np.array([exactly(w) for w in designs[h].weights(later.astype(float))])
                step = optimistic_backup(self.phi[h].astype(float), self.rewards[h].astype(float), later.astype(float),
                                         designs[h], float(self.beta), HORIZON)
                norms = designs[h].norms(self.phi[h].astype(float))
                self.weights[k, h] = weights
                for s, a in product(AXES, AXES):
                    self.norms[k, h, s, a] = exactly(norms[s, a])
                    self.q[k, h, s, a] = exactly(step.q[s, a])
                    self.free[k, h, s, a] = sum(weights * self.phi[h, s, a]) + self.rewards[h, s, a] + \
                        self.beta * self.norms[k, h, s, a]
                for s in AXES:
                    self.greedy[k, h, s] = int(step.policy[s])
                    self.tied |= self.q[k, h, s, 0] == self.q[k, h, s, 1]
                later = np.array([self.q[k, h, s, self.greedy[k, h, s]] for s in AXES])
                if h <= self.targets[k]:
                    self.plans[k, self.targets[k] - h + 1] = later


def call(of: Played, name: str, word: str) -> str:
    """A definition with features, rewards, beta, epsilon and the batches of the instance."""
    rewards = f" r_{name}" if word in ("plan", "weights", "greedy_policy", "run_of") else ""
    return f"{A}.{word} phi_{name}{rewards} {rat(of.beta)} {rat(of.epsilon)} true true w_{name}"


def data(of: Played, name: str) -> list[str]:
    """The batches; `row`, `cell`, `feature`, `matrix_of`."""
    batch = f"({LAW}.batch bool_finType bool_finType {BATCH} {HORIZON})"
    steps = "; ".join(f"(states_{name} k {h} i, acts_{name} k {h} i)" for h in range(HORIZON))
    parts = [
        f"Definition b_{name} (k : nat) : {batch} := [ffun i : 'I_{BATCH} => [tuple {steps}]].",
        f"Definition w_{name} : nat -> {batch} :=\n"
        f"  nth ({A}.nothing {BATCH} {HORIZON} true true) [:: b_{name} 0%N; b_{name} 1%N].",
        f"Goal {A}.row ({A}.nothing (S := bool_finType) (A := bool_finType) 1 2 true false) 0 = "
        "[:: (true, false); (true, false)].\n"
        f"Proof. by rewrite /{A}.row insubT ffunE. Qed.",
    ]
    for k, i in product(range(2), range(BATCH)):
        path = "; ".join(f"({truth(of.states[k, h, i])}, {truth(of.acts[k, h, i])})" for h in range(HORIZON))
        parts.append(f"""Lemma row_{name}_{k}_{i} : {A}.row (w_{name} {k}) {i} = [:: {path}].
Proof. by rewrite /{A}.row insubT /w_{name} /= ffunE. Qed.""")
        for h in range(HORIZON):
            seen = of.seen(k, h, i)
            parts.append(f"""Lemma cell_{name}_{k}_{h}_{i} : {A}.cell true true w_{name} {k} {h} {i} =
  ({truth(of.states[k, h, i])}, {truth(of.acts[k, h, i])}).
Proof. by rewrite /{A}.cell row_{name}_{k}_{i}. Qed.
Lemma feature_{name}_{k}_{h}_{i} : {A}.feature phi_{name} true true w_{name} {k} {h} {i} =
  v2 {' '.join(number(x) for x in seen)}.
Proof. by rewrite /{A}.feature cell_{name}_{k}_{h}_{i}. Qed.""")
    for h in range(HORIZON):
        diagonal = [1 + sum(of.seen(0, h, i)[axis] ** 2 for i in range(BATCH)) for axis in AXES]
        parts.append(f"""Lemma matrix_{name}_0_{h} : {A}.matrix_of phi_{name} true true w_{name} 0 {h} = dg 1 1.
Proof.
by rewrite /{A}.matrix_of /derl.layerwise.run.covariance /before big_ord0 addr0 dg_1.
Qed.
Lemma matrix_{name}_1_{h} : {A}.matrix_of phi_{name} true true w_{name} 1 {h} = dg {' '.join(map(rat, diagonal))}.
Proof.
rewrite /{A}.matrix_of /derl.layerwise.run.covariance /before /batches /gram big_ord1 !big_ord_recl big_ord0 /=.
rewrite feature_{name}_0_{h}_0 feature_{name}_0_{h}_1 ?dg_outer1 ?dg_outer2 dg_1 addr0 !dg_add; congr (dg _ _); whole.
Qed.""")
    return parts


def lengths(of: Played, name: str) -> list[str]:
    """The bonus of every pair in every layer at both deployments, without beta."""
    parts = []
    for k, h, s, a in product(range(2), range(HORIZON), AXES, AXES):
        norm = of.norms[k, h, s, a]
        entry = f"phi_{name} {h} {truth(s)} {truth(a)}"
        parts.append(f"""Lemma length_{name}_{k}_{h}_{s}{a} :
  Num.sqrt (qf (invmx ({A}.matrix_of phi_{name} true true w_{name} {k} {h})) ({entry})) = {rat(norm)}.
Proof.
rewrite matrix_{name}_{k}_{h} dg_inv ?oner_eq0 ?mulf_neq0 ?invr_eq0 ?pnatr_eq0 //.
apply: root_is; first by {greater(norm, Fraction(0), False)}.
by rewrite [{entry}](_ : _ = v2 {' '.join(number(x) for x in of.phi[h, s, a])}) // dg_qf; whole.
Qed.""")
    return parts


def tests(of: Played, name: str) -> list[str]:
    """`goal`, `finished_by`, `last_one`, and `returned_index` of two batches: those of derl's loop."""
    parts = []
    for k in range(2):
        level = of.epsilon * (of.targets[k] + 1) / (2 * HORIZON)
        statistic = of.statistic(k, of.targets[k] + 1, of.designs())
        decided = greater(level, statistic, True) if of.done[k] else \
            f"apply/negbTE; rewrite -leNgt; {greater(statistic, level, False)}"
        sizes = " ".join(f"!length_{name}_{k}_{h}_{of.states[k, h, i]}{of.acts[k, h, i]}"
                         for h in range(of.targets[k] + 1) for i in range(BATCH))
        seen = " ".join(f"/{A}.feature !cell_{name}_{k}_{h}_{i}"
                        for h in range(of.targets[k] + 1) for i in range(BATCH))
        before = f"rewrite {A}.goalS goal_{name}_0 done_{name}_0" if k else "rewrite"
        parts.append(f"""Lemma goal_{name}_{k} : {call(of, name, "goal")} {k} = {of.run.layers[k]}%N.
Proof. by {before if k else "[]"}. Qed.
Lemma done_{name}_{k} : {call(of, name, "finished_by")} {k} = {truth(of.run.done[k])}.
Proof.
rewrite /{A}.finished_by goal_{name}_{k} /derl.layerwise.run.finishes /derl.layerwise.run.finished.
rewrite /derl.layerwise.run.statistic; do 3 (rewrite ?big_ord_recl ?big_ord0 /= /bump /=).
rewrite -!/({A}.matrix_of _ _ _ _ _ _) {seen} /=.
rewrite {sizes}.
rewrite [X in X < _](_ : _ = {rat(statistic)}); last by whole.
by {decided}.
Qed.""")
    for k in (1, 0):
        last = of.run.layers[k] == HORIZON - 1 and of.run.done[k]
        parts.append(f"""Lemma last_{name}_{k} : {call(of, name, "last_one")} {k} = {truth(last)}.
Proof. by rewrite /{A}.last_one goal_{name}_{k} done_{name}_{k}. Qed.""")
    parts.append(f"""Lemma returned_{name} : {A}.returned_index phi_{name} {rat(of.beta)} {rat(of.epsilon)} true true
  [:: b_{name} 0%N; b_{name} 1%N] = {of.run.done.index(True, 1)}%N.
Proof. by rewrite /{A}.returned_index (find2 ({call(of, name, "last_one")})) last_{name}_0 last_{name}_1. Qed.""")
    return parts


def plans(of: Played, name: str) -> list[str]:
    """`plan`, `fit`, `weights`, `optimistic`, `best`, `greedy_policy` of both deployments, backwards."""
    parts = []
    for k in range(2):
        target = of.targets[k]
        for h in reversed(range(HORIZON)):
            j = max(target - h, 0)
            if not j:
                parts += [f"Lemma plan_{name}_{k}_{h}_{s} : {call(of, name, 'plan')} {k} 0 {truth(s)} = 0.\n"
                          "Proof. by []. Qed." for s in AXES]
            seen = " ".join(f"!cell_{name}_0_{h + 1}_{i} !feature_{name}_0_{h}_{i}" for i in range(BATCH)) if j else ""
            weights = "v2 " + " ".join(number(x) for x in of.weights[k, h])
            if k and j:
                proof = f"""have := plan_{name}_{k}_{h}_0; have := plan_{name}_{k}_{h}_1.
move: ({call(of, name, "plan")} {k} {j}) => V v1 v0.
rewrite /{A}.fit matrix_{name}_{k}_{h} dg_inv ?oner_eq0 ?mulf_neq0 ?invr_eq0 ?pnatr_eq0 //.
rewrite big_ord1 !big_ord_recl big_ord0 /= {seen} /= ?v0 ?v1 addr0 !v2_scale v2_add dg_v2; congr (v2 _ _); whole."""
            else:
                empty = "big_ord0" if not k else "big1 // => t _; rewrite big1 // => i _; rewrite scale0r"
                proof = f"""have -> : v2 0 0 = 0 :> 'cV[real]_2 by apply/matrixP => i j; rewrite !mxE; case: ifP.
rewrite /{A}.fit [X in _ *m X](_ : _ = 0) ?mulmx0 //; by rewrite {empty}."""
            parts.append(f"""Lemma fit_{name}_{k}_{h} :
  {A}.fit phi_{name} true true ({call(of, name, "plan")} {k} {j}) w_{name} {k} {h} = {weights}.
Proof.
{proof}
Qed.
Lemma weights_{name}_{k}_{h} : {call(of, name, "weights")} {k} {h} = {weights}.
Proof. by rewrite /{A}.weights goal_{name}_{k}; exact: fit_{name}_{k}_{h}. Qed.""")
            for s, a in product(AXES, AXES):
                q, free, estimate = of.q[k, h, s, a], of.free[k, h, s, a], sum(of.weights[k, h] * of.phi[h, s, a])
                parts.append(f"""Lemma q_{name}_{k}_{h}_{s}{a} : {A}.optimistic {HORIZON} phi_{name} r_{name}
  {rat(of.beta)} ({weights}) ({A}.matrix_of phi_{name} true true w_{name} {k} {h}) {h} {truth(s)} {truth(a)} = {rat(q)}.
Proof.
rewrite /{A}.optimistic length_{name}_{k}_{h}_{s}{a}.
rewrite [X in X + _ + _](_ : _ = {rat(estimate)}); last by rewrite /= v2_dot /x_{name} /y_{name} /=; whole.
rewrite /r_{name} /= {"min_l" if free <= HORIZON else "min_r"}; first by whole.
by {greater(max(free, Fraction(HORIZON)), min(free, Fraction(HORIZON)), False)}.
Qed.""")
            for s in AXES:
                b = of.greedy[k, h, s]
                low, high = of.q[k, h, s, 1 - b], of.q[k, h, s, b]
                choice = f"""apply: best_is; rewrite /= q_{name}_{k}_{h}_{s}{b} q_{name}_{k}_{h}_{s}{1 - b}.
by {greater(high, low, True)}."""
                parts.append(f"""Lemma best_{name}_{k}_{h}_{s} : {A}.best true ({A}.optimistic {HORIZON} phi_{name}
  r_{name} {rat(of.beta)}
  ({weights}) ({A}.matrix_of phi_{name} true true w_{name} {k} {h}) {h} {truth(s)}) = {truth(b)}.
Proof.
{choice}
Qed.
Lemma greedy_{name}_{k}_{h}_{s} : {call(of, name, "greedy_policy")} {k} {h} {truth(s)} = {truth(b)}.
Proof. by rewrite /{A}.greedy_policy weights_{name}_{k}_{h} best_{name}_{k}_{h}_{s}. Qed.""")
                if h <= target:
                    parts.append(f"""Lemma plan_{name}_{k}_{h - 1}_{s} :
  {call(of, name, "plan")} {k} {target - h + 1} {truth(s)} = {rat(high)}.
Proof.
rewrite {A}.planS; cbv zeta; rewrite goal_{name}_{k} -[({target} - {target - h})%N]/{h}%N fit_{name}_{k}_{h}.
by rewrite best_{name}_{k}_{h}_{s} q_{name}_{k}_{h}_{s}{b}.
Qed.""".replace(f"plan_{name}_{k}_-1_", f"plan_{name}_{k}_first_"))
    return parts


def deployed(of: Played, name: str) -> list[str]:
    """`algorithm_one`: what it deploys without data and after one batch, and what it returns, in the layers that derl's
    loop plans."""
    strategy = f"({A}.algorithm_one {BATCH} {HORIZON} phi_{name} r_{name} {rat(of.beta)} {rat(of.epsilon)} true true)"
    parts = []
    for k, h, s in product((1, 0), range(HORIZON), AXES):
        if h > of.run.layers[k]:
            continue
        before = f"(take {k} [:: b_{name} 0%N; b_{name} 1%N])"
        parts.append(f"""Goal deploy {strategy} {before} {h}%N {truth(s)} = {truth(of.run.policies[k][h, s])}.
Proof. by rewrite {A}.deploy_take // -/w_{name} greedy_{name}_{k}_{h}_{s}. Qed.""")
    # the same with a tail, which begins after the first layer: the target of the first deployment is layer 0
    tail = "(fun=> derl.foundations.policies.pure real (fun _ s => ~~ s))"
    tailed = f"({A}.algorithm_one_tail (N := {BATCH}) (H := {HORIZON}) phi_{name} r_{name} {rat(of.beta)} " \
             f"{rat(of.epsilon)} true true {tail})"
    for s, a in product(AXES, AXES):
        parts.append(f"""Goal derl.foundations.policies.chance (deploy {tailed} [::])
  [:: (true, true)] {truth(s)} {truth(a)} = {int(a != s)}%:R.
Proof. by []. Qed.
Goal derl.foundations.policies.chance (deploy {tailed} [::])
  [::] {truth(s)} {truth(a)} = {int(a == of.run.policies[0][0, s])}%:R.
Proof.
rewrite -[LHS]/(({truth(a)} == deploy {strategy} (take 0 [:: b_{name} 0%N; b_{name} 1%N]) 0%N {truth(s)})%:R).
by rewrite {A}.deploy_take // -/w_{name} greedy_{name}_0_0_{s}.
Qed.""")
    for h, s in product(range(HORIZON), AXES):
        parts.append(f"""Goal output {strategy} [:: b_{name} 0%N; b_{name} 1%N] {h}%N {truth(s)} =
  {truth(of.run.returned[h, s])}.
Proof. by rewrite /= returned_{name} -/w_{name} greedy_{name}_1_{h}_{s}. Qed.""")
    parts.append(f"""Goal derl.layerwise.theorem.state ({call(of, name, "run_of")}) 1 1 0 = {truth(of.states[1, 1, 0])}.
Proof. by rewrite /= cell_{name}_1_1_0. Qed.""")
    return parts


def strategies(rng, name: str) -> str:
    """`algorithm_one` and what it is made of, on batches that derl's loop gets as well."""
    of = Played(rng)
    phi = of.phi.tolist()
    lists = [table([[[[x[i]] for x in row] for row in layer] for layer in phi], 3, lambda x: number(x[0]))
             for i in AXES]
    states, acts = of.states.tolist(), of.acts.tolist()
    parts = [
        looked_up(f"x_{name}", "real", lists[0], "nbb", "0"), looked_up(f"y_{name}", "real", lists[1], "nbb", "0"),
        f"Definition phi_{name} h s a : 'cV[real]_2 := v2 (x_{name} h s a) (y_{name} h s a).",
        looked_up(f"r_{name}", "real", table(of.rewards.tolist(), 3, number), "nbb", "0"),
        looked_up(f"states_{name}", "bool", table(states, 3, truth), "nnn", "false"),
        looked_up(f"acts_{name}", "bool", table(acts, 3, truth), "nnn", "false"),
    ]
    goals = (*data(of, name), *lengths(of, name), *tests(of, name), *plans(of, name), *deployed(of, name))
    return "\n".join([*parts, *goals])
