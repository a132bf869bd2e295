"""Block exploration at the theorems' own N on seven families: what it loses, for H, H/2, H/3 deployments and one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from derl.algorithms.blocks import block_exploration
from derl.algorithms.state_designs import largest_leverage, state_designs
from derl.deployment.protocol import Deployer
from derl.deployment.sizes import LARGEST_EXACT
from derl.mdp import LinearMDP, instances, planning
from derl.theory import reachability
from derl.theory.beyond import exchange

EPSILON, DELTA, SEEDS = 0.2, 0.1, 3
FAMILIES: dict[str, Callable[[], LinearMDP]] = {
    "template": lambda: instances.hard_template(3, 5, 3, 1, 0, Fraction(2, 5)),
    "lock": lambda: instances.lock(3, 5, (1, 2, 0, 1, 2), Fraction(2, 5)),
    "random simplex": lambda: instances.random_simplex(9, 3, 3, 6, seed=1),
    "hexagon": lambda: instances.hexagon(3),
    "rare state, p = 1/20": lambda: instances.rare_state(Fraction(1, 20), 6, 0),
    "rare state, p = 1/1000": lambda: instances.rare_state(Fraction(1, 1000), 6, 0),
    "FrozenLake": lambda: instances.from_gymnasium("FrozenLake-v1", 6),
}


@dataclass(frozen=True)
class BlockRun:
    """What one run reported.

    Attributes
    ----------
    nu : float
        Certified lower bound of the reachability at the first layers of the later blocks; 1 for one block.
    gap : float
        The largest loss over the seeds.
    approximate : bool
        N beyond what can be drawn exactly: Gaussian counts.
    """

    family: str
    block: int
    deployments: int
    nu: float
    batch_size: int
    gap: float
    cover: int
    approximate: bool


@cache
def instance(family: str) -> LinearMDP:
    """An instance of a family, built once."""
    return FAMILIES[family]()


@cache
def leverage(family: str) -> float:
    """g of its designs."""
    known = Deployer(instance(family), 1, 1, "any").known
    return largest_leverage(known, [state_designs(*layer)[0] for layer in zip(known.phi, known.available, strict=True)])


@cache
def reached(family: str, layer: int) -> float:
    """A certified lower bound of nu over the reached span; layer from 0."""
    return float(reachability.nu(instance(family), layer + 1, subspace="reachable", relative=0.5).lower)


def size(family: str, block: int) -> tuple[float, int]:
    """nu at the first layers of the later blocks, and the N of the theorem."""
    mdp = instance(family)
    later = [layers.start for layers in exchange.blocks(mdp.horizon, block)[1:]]
    nu = min((reached(family, layer) for layer in later), default=1.0)
    return nu, exchange.batch_size(mdp.dim, mdp.horizon, EPSILON, DELTA, block, leverage(family), nu)


@cache
def run(family: str, block: int, share: float = 1.0, seeds: int = SEEDS) -> BlockRun:
    """Block exploration with N of the theorem, times `share`."""
    mdp = instance(family)
    nu, wanted = size(family, block)
    amount = max(int(wanted * share), 1)
    blocks = exchange.blocks(mdp.horizon, block)
    approximate = amount > LARGEST_EXACT
    best, worst, cover = planning.optimal(mdp).value, 0.0, 0
    for seed in range(seeds):
        deployer = Deployer(mdp, amount, len(blocks), "any", seed, "gaussian" if approximate else "exact")
        found = block_exploration(deployer, EPSILON, DELTA, block, nu if len(blocks) > 1 else None)
        worst = max(worst, best - planning.evaluate(mdp, found.policy).value)
        cover = max(cover, *(record.n_policies for record in found.trace))
    return BlockRun(family, block, len(blocks), nu, amount, worst, cover, approximate)


def pace(family: str) -> tuple[int, ...]:
    """L for H, H/2, H/3 deployments and one, without repetition."""
    horizon = instance(family).horizon
    return tuple(dict.fromkeys(min(block, horizon) for block in (1, 2, 3, horizon)))
