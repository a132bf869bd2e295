r"""Two deployments: the first one shows where it leads, and the second one dominates every policy.

    deploy D_1: any policy, by default a G-optimal design in every state; v_t = mean feature of layer t
    in every state take a design of the features modulo v_t, of rank at most d - 1:
        P(.|s,a) <= g P(.|s, design) + (1 + sqrt g) v_t' mu_t             v_t' mu_t is where D_1 leads
    deploy: for each trajectory draw a target layer h, and a start tau in 1..h
        D_1 before layer tau, designs modulo v_t in tau..h-1, an ordinary design in layer h
    plan for the reward by value iteration; layer h is regressed on the trajectories with target h alone

The start tau = 1 has the weight g^(h-1), and tau > 1 the weight (e - 1)(1 + sqrt g) g^(h-tau). Without a random start
the second deployment may never come to a place where D_1 goes (`res-random-time-needed`). One deployment needs a factor
d per layer, this needs d - 1: at d = 2 a polynomial number of trajectories is enough.

The theorem's N is that of `derl.theory.beyond.modulo`. With data="pooled" every layer is regressed on all trajectories
of both deployments, as one would do with few of them; no theorem here covers that.

Source: a result of this book, `res-two-deployments`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from derl.algorithms.blocks import DATA, POOLED_RIDGE, BlockModel
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.algorithms.state_designs import designed, layer_leverage, modulo, state_designs
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.inputs import choice, display
from derl.inputs.threads import one_thread
from derl.mdp.policies import Mixture, as_policy, as_probabilities
from derl.theory.arbitrary.constants import DESIGN
from derl.theory.beyond import exchange
from derl.theory.beyond import modulo as theory


@dataclass(frozen=True, eq=False, repr=False)
class KnownLawRecord(display.Fields):
    """What the first deployment showed, and what the second one played.

    Attributes
    ----------
    means : (H, d)
        Mean features of the first deployment.
    leverage, ordinary : float
        g of the designs modulo these means, and of the ordinary designs.
    targets : (H-1,)
        Probability of each target layer.
    policies : tuple
        The two that were deployed: a Markov policy or mixture, and a mixture.
    exact : bool
        Whether all counts were drawn from the exact law.
    """

    means: np.ndarray
    leverage: float
    ordinary: float
    targets: np.ndarray
    policies: tuple
    exact: bool


@one_thread
def two_deployment_exploration(deployer: Deployer, epsilon: float, delta: float, data: str = "split",
                               first: np.ndarray | None = None) -> Outcome:
    """Deploy twice, then plan for the instance's own reward.

    Parameters
    ----------
    deployer : Deployer
        Of the class "any", with K >= 2. The theorem's N is `derl.theory.beyond.modulo.two_deployments_size`.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1).
    data : {"split", "pooled"}
        "split": a layer is regressed on the trajectories with that target, as the proof needs; "pooled": on all.
    first : (H, S) int or (H, S, A) float, or None
        The Markov policy D_1 of the first deployment; None takes a design of all features in every state.

    Returns
    -------
    Outcome
        `converged`: whether N is that of the theorem. Its trace has one `KnownLawRecord`; with H = 1 there is nothing
        to explore, and none.

    Raises
    ------
    InvalidParameter
        K < 2, or another value of `data`.
    InvalidPolicy
        The MDP cannot follow `first`.
    """
    epsilon, delta = accuracy(epsilon, delta)
    known, data = known_part(deployer), choice(data, "data", DATA, InvalidParameter)
    if deployer.max_deployments < 2:
        raise InvalidParameter(f"max_deployments is {deployer.max_deployments}; it must be at least 2")
    ridge = exchange.ridge(known.dim, known.horizon, delta, 1) if data == "split" else POOLED_RIDGE
    if known.horizon == 1:
        model = BlockModel.of(known, [], ridge)
        return Outcome(policy=model.plan_rewards(known.rewards), deployments=0, trajectories=0, converged=True,
                       trace=(), beta=0.0, dataset=model)

    ordinary, g_ordinary = ordinary_designs(known)
    d_1 = ordinary if first is None else as_probabilities(known, as_policy(first))
    shown = deployer.deploy(d_1)
    means = mean_features(known, shown.visits)
    designs, g = designs_modulo(known, means)

    costs = theory.layer_costs(known.dim, known.horizon, delta, deployer.batch_size, g, g_ordinary)
    targets = np.cbrt(costs) / np.cbrt(costs).sum()
    mixture, target_of = mixture_of_starts((d_1,), 0, d_1, designs, ordinary, targets, g)
    batches = deployer.deploy_in_groups(mixture, target_of)

    if data == "split":
        counts = [batch.counts[layer] for layer, batch in enumerate(batches)]
    else:
        counts = [shown.counts[layer] + sum(batch.counts[layer] for batch in batches)
                  for layer in range(known.horizon - 1)]
    model = BlockModel.of(known, counts, ridge)
    enough = data == "split" and deployer.batch_size >= theory.two_deployments_demand(
        known.dim, known.horizon, epsilon, delta, deployer.batch_size, g, g_ordinary)
    record = KnownLawRecord(means, g, g_ordinary, targets, (d_1, mixture),
                            shown.exact and all(batch.exact for batch in batches))
    return Outcome(policy=model.plan_rewards(known.rewards), deployments=2, trajectories=2 * deployer.batch_size,
                   converged=enough, trace=(record,),
                   beta=exchange.error_scale(known.dim, ridge, float(np.log(4 * known.horizon / delta))),
                   dataset=model)


def ordinary_designs(known: KnownPart, criterion: float = DESIGN) -> tuple[np.ndarray, float]:
    """A design of all features in every state, (H, S, A), within a factor of its rank, and the largest leverage."""
    found = [designed(phi.shape, phi.tobytes(), mask.tobytes(), criterion)
             for phi, mask in zip(known.phi, known.available, strict=True)]
    return np.stack([weights for weights, _ in found]), max(1.0, *(largest for _, largest in found))


def mean_features(known: KnownPart, visits: np.ndarray) -> np.ndarray:
    """The mean feature of every layer, (H, d), from the visits (H, S, A) of a deployment."""
    return np.einsum("hsa,hsad->hd", visits / visits[0].sum(), known.phi)


def designs_modulo(known: KnownPart, means: np.ndarray, criterion: float = DESIGN) -> tuple[np.ndarray, float]:
    """A design modulo the mean feature of its layer in every state, (H, S, A), and the largest leverage g >= 1."""
    rests = [modulo(*layer) for layer in zip(known.phi, known.available, means, strict=True)]
    weights = [state_designs(rest, mask, criterion)[0] for rest, mask in zip(rests, known.available, strict=True)]
    largest = [layer_leverage(*layer) for layer in zip(rests, known.available, weights, strict=True)]
    return np.stack(weights), max(1.0, *largest)


def mixture_of_starts(heads: Sequence[np.ndarray], before: int, d_1: np.ndarray, designs: np.ndarray,
                      ordinary: np.ndarray, targets: np.ndarray, leverage: float) -> tuple[Mixture, tuple[int, ...]]:
    """The mixture of all targets and starts of a block, and the target of each member, from 0.

    Parameters
    ----------
    heads : sequence of (H, S, A)
        The policies that cover the states in front of the block, one of them drawn uniformly; at least one.
    before : int
        Layers in front of the block.
    d_1, designs, ordinary : (H, S, A)
        The first policy, the designs modulo its mean features, and ordinary designs.
    targets : (L,)
        Probability of each layer of the block as the target.
    leverage : float
        g, which decides how likely each start is.
    """
    members, weights, target_of = [], [], []
    for target, share in enumerate(targets):
        starts, layer = theory.start_weights(leverage, target), before + target
        for later, weight in enumerate(starts):
            fronts, start = (d_1,) if later else heads, before + later
            for front in fronts:
                members.append(np.concatenate([front[:start], designs[start:layer], ordinary[layer:layer + 1],
                                               designs[layer + 1:]]))
                weights.append(share * weight / sum(starts) / len(fronts))
                target_of.append(target)
    return Mixture(tuple(members), np.array(weights)), tuple(target_of)
