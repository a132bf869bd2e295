r"""dH deployments of deterministic policies at an epsilon^-2: d policies per layer that span the means of all others.

    zhat_1(pi) = E phi_1(s, pi(s))
    for h = 1, ..., H:
        choose pi_1, ..., pi_r whose zhat_h are a barycentric spanner of {zhat_h(pi)}          (r <= d, |c_i| <= 1)
        deploy each of them, N trajectories
        write zhat_h(pi) = sum_i c_i(pi) zhat_h(pi_i) for every pi                  ("resolved": with their batch means)
        value of pi += sum_i c_i(pi) (mean reward of pi_i in layer h)
        zhat_{h+1}(pi) = sum_i c_i(pi) (mean of phi_{h+1}(s', pi(s')) over the trajectories of pi_i)
    return the policy of the largest value

There is no regression and no bonus: E_pi of any function of the next state is linear in z_h(pi). All rules of a
layer are listed, so this is for instances with few of them; the theorem lists a net of greedy rules.

Source: `res-spanner-exponent`; sizes in `derl.theory.beyond.spanner`.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from derl.algorithms.arbitrary import first_states
from derl.algorithms.dataset import Regressions
from derl.algorithms.outcome import InvalidParameter, Outcome, Record, accuracy
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.inputs import choice
from derl.mdp.policies import compose
from derl.theory.beyond.spanner import barycentric

MOST_RULES, MOST_PLANS = 4096, 200_000
COEFFICIENTS = ("estimated", "resolved")


def spanner_exploration(deployer: Deployer, epsilon: float, delta: float, coefficients: str = "estimated",
                        initial: int | np.ndarray | None = None) -> Outcome:
    """Explore with at most d deterministic policies per layer; the best of all listed policies by its estimated value.

    Parameters
    ----------
    deployer : Deployer
        With K >= dH, or dH + 1 where the law of the first state is not known. The theorem's N is that of
        `theory.beyond.spanner.spanner_size`.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1), which enter through the theorem's N alone.
    coefficients : {"estimated", "resolved"}
        Combine the estimated means of the deployed policies, or their batch means, which needs a mean in every
        direction.
    initial : int, (S,) or None
        First state, or its distribution, where it is known beforehand.

    Returns
    -------
    Outcome
        `trace`: one record per deployment, `statistic` the largest |c_i| of its layer.

    Raises
    ------
    InvalidParameter
        More than 4096 rules in a layer, or more than 200 000 policies with different estimates.
    """
    epsilon, delta = accuracy(epsilon, delta)
    choice(coefficients, "coefficients", COEFFICIENTS, InvalidParameter)
    known, trace = known_part(deployer), []
    law, used = first_states(known, initial), 0
    data = np.zeros((*known.available.shape, known.n_states))
    if law is None:
        used = 1
        batch = deployer.deploy(compose(known, np.zeros((0, known.n_states), int), 0, 0))
        data += batch.counts
        law = batch.initial / batch.batch_size
    laws, share, values, plans = law[None], np.ones((1, 1)), np.zeros(1), np.zeros((1, 0, known.n_states), int)
    for layer in range(1, known.horizon + 1):
        rules = distinct_rules(known, layer - 1)
        means, values, plans = extended(known.phi[layer - 1], laws, share, values, plans, rules)
        deployed = barycentric(means)
        batches = [deployer.deploy(compose(known, plans[i], layer, 0)) for i in deployed]
        counts = np.stack([batch.counts[layer - 1] / batch.batch_size for batch in batches])  # (r, S, A, S)
        basis = means[deployed]
        if coefficients == "resolved":
            basis = np.einsum("rsan,sad->rd", counts, known.phi[layer - 1])
        share = means @ np.linalg.pinv(basis, rcond=1e-9)
        values = values + share @ np.einsum("rsan,sa->r", counts, known.rewards[layer - 1])
        laws = counts.sum(axis=(1, 2))
        for i, batch in zip(deployed, batches, strict=True):
            used += 1
            data += batch.counts
            trace.append(Record(used, layer, float(np.abs(share).max()), 2.0, (), (), plans[i], batch.exact))
    return Outcome(policy=plans[int(values.argmax())], deployments=used, trajectories=used * deployer.batch_size,
                   converged=True, trace=tuple(trace), beta=0.0, dataset=Regressions(known, data))


def extended(phi: np.ndarray, laws: np.ndarray, share: np.ndarray, values: np.ndarray, plans: np.ndarray,
             rules: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All policies one layer longer: estimated means (M, d), values (M,) and actions (M, h, S), without repetitions.

    Parameters
    ----------
    phi : (S, A, d)
    laws : (r, S)
        Next states of the deployed policies, as shares.
    share : (M', r)
        Coefficients of the shorter policies.
    rules : (G, S) int
    """
    ahead = np.einsum("rs,gsd->grd", laws, phi[np.arange(len(phi)), rules])
    means = np.einsum("mr,grd->mgd", share, ahead).reshape(-1, phi.shape[2])
    values = np.repeat(values, len(rules))
    if len(means) > MOST_PLANS:
        raise InvalidParameter(f"the instance has {len(means)} policies with different estimates; at most {MOST_PLANS} "
                               "can be listed")
    _, kept = np.unique(np.round(np.column_stack([means, values]), 12), axis=0, return_index=True)
    before, rule = kept // len(rules), kept % len(rules)
    return means[kept], values[kept], np.concatenate([plans[before], rules[rule][:, None]], axis=1)


def distinct_rules(known: KnownPart, h: int) -> np.ndarray:
    """All maps from states to available actions that differ in the features that they choose, (G, S) int."""
    choices = []
    for s in range(known.n_states):
        found = {}
        for a in np.flatnonzero(known.available[h, s]):
            found.setdefault((*known.phi[h, s, a], known.rewards[h, s, a]), int(a))
        choices.append(list(found.values()))
    total = np.prod([float(len(c)) for c in choices])
    if total > MOST_RULES:
        raise InvalidParameter(f"layer {h + 1} has {total:.3g} decision rules; at most {MOST_RULES} can be listed")
    return np.array(list(product(*choices)), int)
