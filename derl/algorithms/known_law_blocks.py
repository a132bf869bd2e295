r"""Blocks at a factor d - 1 per layer: one deployment shows where it leads, K - 1 deployments build on it.

    deploy D_1: a design in every state; v_t = mean feature of layer t; cut the layers 1, ..., L0 with its data
    for each later block of layers h_0, ..., h_0 + L - 1
        choose policies that span the mean features of all policies in layer h_0 - 1, in the estimated model
               where uncertain pairs are cut                          (derl.algorithms.spanner)
        deploy: for each trajectory draw a target layer h of the block, and a start:
               one of these policies up to h_0, or D_1 up to a later layer of the block;
               from there designs modulo v_t, and an ordinary design in layer h     (derl.algorithms.known_law)
        cut the uncertain pairs of the block with the data of this deployment
    plan for any reward in the estimated model; a pair that is cut is worth nothing

K = 1 + ceil((H-1-L0)/L) deployments. The theorem's N is `derl.theory.beyond.modulo.blocks_size` with cover "spanner".
With fewer trajectories `kappa`, `eta` and `dummy` can be set by hand; no theorem covers that.

Source: a result of this book, `res-modulo-blocks`.
"""

from __future__ import annotations

import math

import numpy as np

from derl.algorithms.known_law import designs_modulo, mean_features, mixture_of_starts, ordinary_designs
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.algorithms.truncated_exploration import CutDataset, CutRecord, cover
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.estimation.truncated import CutLayer, CutModel
from derl.inputs import real, whole
from derl.inputs.threads import one_thread
from derl.mdp.policies import as_probabilities, compose
from derl.theory.beyond import modulo, truncation


@one_thread
def known_law_block_exploration(deployer: Deployer, epsilon: float, delta: float, first_layers: int = 0, block: int = 1,
                                kappa: float | None = None, eta: float | None = None,
                                dummy: float | None = None) -> Outcome:
    """Explore blocks of layers after one deployment that shows where it leads, and cut what is too rare.

    Parameters
    ----------
    deployer : Deployer
        Of the class "any", with K >= 1 + ceil((H-1-L0)/L).
    epsilon, delta : float
        Accuracy in (0, H] and failure probability in (0, 1).
    first_layers : int
        L0, 0..H-2: layers that the first deployment explores.
    block : int
        L, 1..H-1-L0: layers that each later deployment explores.
    kappa, eta, dummy : float or None
        Level of the cut, mesh of the policies, and where the spanners start, in place of the theorem's.

    Returns
    -------
    Outcome
        Its `dataset` is a `CutDataset`, which plans for any theta (H, d); its `policy` is the plan for the rewards of
        the instance. `converged`: no leverage of a design is above 1 + 1/H times d, or d - 1 modulo the known law.

    Raises
    ------
    InvalidParameter
    """
    epsilon, delta = accuracy(epsilon, delta)
    known = known_part(deployer)
    first_layers = whole(first_layers, "first_layers", 0, max(known.horizon - 2, 0), InvalidParameter)
    block = whole(block, "block", 1, max(known.horizon - 1 - first_layers, 1), InvalidParameter)
    kappa, eta, dummy = (real(default if own is None else own, name, above=0, error=InvalidParameter)
                         for name, own, default in zip(
                             ("kappa", "eta", "dummy"), (kappa, eta, dummy),
                             numbers(known, deployer.batch_size, first_layers, block, epsilon, delta), strict=True))
    blocks = [range(start, min(start + block, known.horizon - 1))
              for start in range(first_layers, known.horizon - 1, block)]
    if deployer.max_deployments < 1 + len(blocks):
        raise InvalidParameter(f"max_deployments is {deployer.max_deployments}; {1 + len(blocks)} are needed")

    criterion = 1 + 1 / known.horizon
    ordinary, leverage = ordinary_designs(known, criterion)
    shown = deployer.deploy(ordinary)
    means = mean_features(known, shown.visits)
    designs, g = designs_modulo(known, means, criterion)
    model = CutModel(known.phi[:0], known.available[:0], (), shown.initial / (deployer.batch_size + 1))
    model = explored(known, model, range(first_layers), shown.counts, kappa)
    trace = [CutRecord(1, tuple(h + 1 for h in range(first_layers)), 0, 0, 0, cut_pairs(known, model, first_layers),
                       leverage / known.dim, ordinary)]
    for layers in blocks:
        spanner = cover(model, eta / (2 * known.dim), dummy) if model.layers else None
        found = spanner.policies if spanner else ()
        heads = [as_probabilities(known, compose(known, head, layers.start, 0)) for head in found] or [ordinary]
        targets = np.sqrt(g) ** np.arange(len(layers))
        policy, _ = mixture_of_starts(heads, layers.start, ordinary, designs, ordinary, targets / targets.sum(), g)
        batch = deployer.deploy(policy)
        model = explored(known, model, layers, batch.counts, kappa)
        searched = (len(found), spanner.calls, spanner.replacements) if spanner else (0, 0, 0)
        trace.append(CutRecord(len(trace) + 1, tuple(h + 1 for h in layers), *searched,
                               cut_pairs(known, model, len(layers)), g / max(known.dim - 1, 1), policy))
    dataset = CutDataset(known, model)
    return Outcome(policy=dataset.plan_rewards(known.rewards), deployments=len(trace),
                   trajectories=len(trace) * deployer.batch_size,
                   converged=all(record.excess <= criterion for record in trace), trace=tuple(trace), beta=0.0,
                   dataset=dataset)


def explored(known: KnownPart, model: CutModel, layers: range, counts: np.ndarray, kappa: float) -> CutModel:
    """The model with further layers, from 0, cut with the counts of their deployment."""
    found = model.layers + tuple(
        CutLayer.of(known.phi[h], known.available[h], counts[h].astype(np.float64), kappa) for h in layers)
    return CutModel(known.phi[:len(found)], known.available[:len(found)], found, model.start)


def cut_pairs(known: KnownPart, model: CutModel, layers: int) -> tuple[int, ...]:
    """Available pairs that are cut in each of the last layers of the model."""
    last = range(len(model.layers) - layers, len(model.layers))
    return tuple(int((known.available[h] & ~model.layers[h].kept).sum()) for h in last)


def numbers(known: KnownPart, size: int, first: int, block: int, epsilon: float, delta: float) -> tuple[float, ...]:
    """The theorem's kappa, eta and dummy for covers by spanners; for H = 1 there is nothing to explore."""
    if known.horizon == 1:
        return 1.0, 1.0, 1.0
    d, horizon, way = max(known.dim, 2), known.horizon, truncation.COVERS["spanner"]
    tau = min(epsilon, horizon) / (truncation.LOST * modulo.deployments(horizon, first, block) * horizon)
    beta = truncation.regression_scale(d, horizon, delta / 2, size)
    kappa = math.sqrt(tau) / (way.cut * d**way.cut_power * beta * horizon)
    eta = tau / (way.grid * d**way.grid_power * horizon)
    return kappa, eta, 4 * d * (2 * horizon * eta + 3 * math.sqrt(7 * tau) * beta * horizon * kappa)
