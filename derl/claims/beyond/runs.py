"""These checks run block exploration at the theorems' own N."""

from __future__ import annotations

import numpy as np

from derl.algorithms.blocks import block_exploration
from derl.claims import Evidence, claim, steps
from derl.deployment import Deployer
from derl.experiments.blocks_at_size import EPSILON, FAMILIES, SEEDS, pace, run
from derl.mdp import instances
from derl.mdp.policies import Mixture

QUICK = ("lock", "random simplex")


@claim("res-exchange-runs", method="run", arithmetic="float64", covers="the lock and a random simplex",
       gap="two families; the others are in the full tier",
       false={"a ten-millionth of N": {"share": 1e-7}})
def loses_little(families=QUICK, share=1.0):
    """At the theorems' own N; two families: The largest loss over families, blocks and seeds, against epsilon."""
    result = [run(family, block, share) for family in families for block in pace(family)]
    return Evidence(max(one.gap for one in result), EPSILON, "upper", f"{len(result)} runs of {SEEDS} seeds each")


@claim("res-exchange-runs", method="run", arithmetic="float64", tier="full", needs="gym",
       false={"a ten-millionth of N": {"share": 1e-7}})
def loses_little_everywhere(share=1.0):
    """At the theorems' own N; all families: The same for all families."""
    return loses_little(tuple(FAMILIES), share)


@claim("def-block-exploration", method="run", arithmetic="float64", covers="a lock with five layers",
       gap="one instance, one seed", plants=3,
       false={"designs from the last layer before the block on": {"early": 1}})
def deployed_block_by_block(text, early=0, data="split"):
    """What runs with one to five layers per deployment deploy: Blocks, covers and designs of runs, against the
    definition; `early` wants the designs so many layers before."""
    mdp, size, outcomes = instances.lock(3, 4, (1, 2, 0, 1), 0.2), 10**6, []
    horizon = mdp.horizon
    designs = block_exploration(Deployer(mdp, size, 1, policy_class="any", seed=0), 0.2, 0.1, horizon, data=data,
                                initial=0).trace[0].policy
    for block in range(1, horizon + 1):
        deployer = Deployer(mdp, size, horizon, policy_class="any", seed=0)
        trace = block_exploration(deployer, 0.2, 0.1, block, data=data, initial=0).trace
        firsts = list(range(1, horizon + 1, block))
        outcomes += [
            (f"L = {block}: blocks begin in the layers {firsts}", [record.layer for record in trace] == firsts),
            (f"L = {block}: as many blocks as the definition says", len(trace) == text("K=", H=horizon, L=block)),
            (f"L = {block}: the blocks fill all layers", sum(record.layers for record in trace) == horizon),
            (f"L = {block}: designs everywhere in the first deployment",
             trace[0].n_policies == 0 and bool((trace[0].policy == designs).all())),
            (f"L = {block}: a uniform choice from the cover, then designs",
             all(_then_designs(record, designs, early) for record in trace[1:])),
        ]
    return steps(outcomes, "lock with d = 3 and four digits, N = 10^6, L = 1, 2, ..., H")


def _then_designs(record, designs, early) -> bool:
    """Whether the policy is a uniform mixture whose parts play the designs from the block on, and not before."""
    first, mixture = record.layer - 1 - early, record.policy
    if not isinstance(mixture, Mixture):
        return False
    uniform = np.allclose(mixture.weights, 1 / record.n_policies)
    return uniform and all(bool((part[first:] == designs[first:]).all()) for part in mixture.policies)
