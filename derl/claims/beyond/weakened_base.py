"""These rows list changes that only weaken the exact base; the check that rejects the false variants accepts them."""

from __future__ import annotations

from fractions import Fraction

from derl.claims.beyond.junk_locks import first_deployment_in_steps, games_with_more_deployments
from derl.claims.beyond.modulo_steps import modulo_chain_in_steps, polytopes_modulo_a_law
from derl.claims.beyond.modulo_theorems import modulo_blocks_in_steps, two_deployments_in_steps

BASE = {
    "res-first-deployment-base": (first_deployment_in_steps, (("b > 3 epsilon", {"margin": 3}),)),
    "res-later-deployments-base": (games_with_more_deployments, (("half of the bound", {"scale": Fraction(1, 2)}),)),
    "res-design-modulo-law": (polytopes_modulo_a_law, (("twice the bound", {"scale": 2.0}),)),
    "res-modulo-chain": (modulo_chain_in_steps, (("twice the known law", {"known": 2}),)),
    "res-two-deployments": (two_deployments_in_steps, (
        ("tr(...) <= 3/n", {"moment": 3}), ("W_{h-1} <= 3(e-1) h at d = 2", {"weight": 3}))),
    "res-modulo-blocks": (modulo_blocks_in_steps, (
        ("a block loses 3 tau", {"lost": 3}),)),
}
