r"""Q-type OLIVE on a finite class of functions that contains Q*.

    f = the function still alive with the largest f_1(s_1);  deploy its greedy policy, N trajectories
    E(g, h) = mean of  g_h(s_h, a_h) - r_h - max_a g_{h+1}(s_{h+1}, a)     over the batch, for every g alive
    stop if sum_h E(f, h) <= H act: f is optimistic, and its promise is kept
    else eliminate, at a layer t with E(f, t) > act, every g with |E(g, t)| > eliminate

E(Q*, h) is 0 in expectation under every policy, so Q* survives; f does not. There are at most d H + 1 phases, d the
Bellman eluder dimension. The loss of the greedy policy of f is V_f(s_1) - V^{pi_f}(s_1) = sum_h E(f, h), so a stop at
H act = epsilon/2 leaves epsilon/2 for the noise: thresholds are those of `derl.theory.comparison.quoted` at epsilon/4.

It is an algorithm for a class of functions, not for a linear MDP: a net of all linear functions cannot be executed, so
the class is finite here (ours), given or made of Q* and perturbations of it. The published algorithm has two batches of
the same policy, of different sizes; here one batch of N serves both, a union bound over the class covers that.
The law of s_1 is taken from the batches; the first phase cannot be the last, unless its f is still the most optimistic.

Definition 2.1: as published not satisfied (batches of two sizes); with one batch of N = n_act + n_eliminate it is.

Source: Jiang, Krishnamurthy, Agarwal, Langford and Schapire (2017); Jin, Liu and Miryoosefi (2021), appendix.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.algorithms.dataset import Regressions
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.estimation.backup import greedy
from derl.inputs import display
from derl.inputs.arrays import as_floats
from derl.theory.comparison import quoted


@dataclass(frozen=True, eq=False, repr=False)
class Phase(display.Fields):
    """One deployment.

    Attributes
    ----------
    deployment : int
    function : int
        Index of the function whose policy was deployed.
    promised : float
        V_f(s_1), over the first states seen so far.
    error : float
        sum_h E(f, h).
    layer : int
        Where functions were eliminated, from 1; 0 where none were.
    alive : int
        Functions left after it.
    policy : (H, S) int
    """

    deployment: int
    function: int
    promised: float
    error: float
    layer: int
    alive: int
    policy: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class Survivors(Regressions):
    """All transitions, and which functions are still alive.

    Attributes
    ----------
    alive : (M,) bool
    """

    alive: np.ndarray


def olive(deployer: Deployer, epsilon: float, delta: float, functions: np.ndarray, n_functions: int = 1000
          ) -> Outcome:
    """Eliminate functions whose Bellman error shows, until the most optimistic one keeps its promise.

    Parameters
    ----------
    deployer : Deployer
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1), which enters the batch size of the theorem alone.
    functions : (M, H, S, A)
        The class. Values where an action is not available are not looked at.
    n_functions : int
        Size of the class that a run by name makes.

    Returns
    -------
    Outcome
        `dataset.alive` says which functions are alive, (M,) bool. `converged` is False where K phases did not suffice,
        and where every function was eliminated: then Q* was not in the class, or N was too small to keep it.

    Raises
    ------
    InvalidParameter
    """
    epsilon, delta = accuracy(epsilon, delta)
    known = known_part(deployer)
    functions = np.where(known.available, _checked(functions, known), -np.inf)
    values = functions.max(axis=3)  # (M, H, S)
    sizes = quoted.olive(known.dim, known.horizon, epsilon / 4, delta, len(functions))
    alive, seen, trace = np.ones(len(functions), bool), np.zeros(known.n_states), []
    data = np.zeros((*known.available.shape, known.n_states))
    while deployer.deployments < deployer.max_deployments:
        best = _most_optimistic(values, seen, alive)
        policy = np.stack([greedy(q) for q in functions[best]])
        batch = deployer.deploy(policy)
        seen += batch.initial
        data += batch.counts
        errors = bellman_errors(functions, values, known.rewards, batch.counts)  # (M, H)
        promised = float(values[best, 0] @ (seen / seen.sum()))
        total, layer = float(errors[best].sum()), 0
        stop = total <= known.horizon * sizes.act and best == _most_optimistic(values, seen, alive)
        if not stop and (errors[best] > sizes.act).any():
            layer = int((errors[best] > sizes.act).argmax()) + 1
            alive &= np.abs(errors[:, layer - 1]) <= sizes.eliminate
        trace.append(Phase(len(trace) + 1, best, promised, total, layer, int(alive.sum()), policy))
        if stop or not alive.any():
            break
    return Outcome(policy=policy, deployments=len(trace), trajectories=len(trace) * deployer.batch_size,
                   converged=bool(stop), trace=tuple(trace), beta=0.0, dataset=Survivors(known, data, alive))


def bellman_errors(functions: np.ndarray, values: np.ndarray, rewards: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """E(g, h) of all functions at once, (M, H), from counts (H, S, A, S)."""
    horizon, size = len(counts), counts[0].sum()
    visits = counts.sum(axis=3) / size
    found = np.empty((len(functions), horizon))
    for h in range(horizon):
        pairs = visits[h] > 0
        found[:, h] = functions[:, h][:, pairs] @ visits[h][pairs] - (rewards[h] * visits[h]).sum()
        if h + 1 < horizon:
            found[:, h] -= values[:, h + 1] @ (counts[h].sum(axis=(0, 1)) / size)
    return found


def class_around(optimal: np.ndarray, phi: np.ndarray, n_functions: int, seed: int) -> np.ndarray:
    """Q* (H, S, A) and linear perturbations of it, (M, H, S, A): Q*_h + phi_h^T v_h, v_h normal of scales 0.1 to 1.

    Every perturbation keeps values within [0, H - h]; in a third of the functions only one layer is perturbed.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(25,)))
    horizon, dim = phi.shape[0], phi.shape[3]
    v = rng.standard_normal((n_functions - 1, horizon, dim)) * rng.uniform(0.1, 1, size=(n_functions - 1, 1, 1))
    lone = np.arange(n_functions - 1) % 3 == 0
    v[lone] *= np.eye(horizon)[rng.integers(horizon, size=lone.sum())][:, :, None]
    moved = optimal + np.einsum("hsai,mhi->mhsa", phi, v)
    top = np.arange(horizon, 0, -1)[:, None, None]
    return np.concatenate([optimal[None], np.clip(moved, 0, top)])


def _most_optimistic(values: np.ndarray, seen: np.ndarray, alive: np.ndarray) -> int:
    start = seen / seen.sum() if seen.any() else np.full(len(seen), 1 / len(seen))
    return int(np.where(alive, values[:, 0] @ start, -np.inf).argmax())


def _checked(functions, known: KnownPart) -> np.ndarray:
    functions = as_floats(functions, "functions", InvalidParameter)
    shape = known.available.shape
    if functions.ndim != 4 or functions.shape[1:] != shape or not len(functions):
        raise InvalidParameter(f"functions has shape {functions.shape}; it must have shape (M, *{shape})")
    if not np.isfinite(functions).all():
        raise InvalidParameter("functions has entries that are NaN or infinite; every entry must be finite")
    return functions
