"""Families of instances, each built from its parameters; rational ones also exactly (`exact=True`)."""

from derl.mdp.instances.bandit import compact_bandit, compact_bandit_arms, needle_gates
from derl.mdp.instances.combination_lock import lock
from derl.mdp.instances.environments import from_gymnasium, to_gymnasium
from derl.mdp.instances.hexagons import hexagon
from derl.mdp.instances.junk import junk_lock
from derl.mdp.instances.logged import Log, from_counts, from_csv, read_log
from derl.mdp.instances.odd import odd_one_out
from derl.mdp.instances.rare import rare_state
from derl.mdp.instances.simplex import random_simplex
from derl.mdp.instances.specs import FAMILIES, from_spec
from derl.mdp.instances.stationary import stationary_embedding
from derl.mdp.instances.tables import tabular
from derl.mdp.instances.template import hard_template
from derl.mdp.instances.trap import optimism_trap
from derl.mdp.instances.walkway import corridor

__all__ = ["FAMILIES", "Log", "compact_bandit", "compact_bandit_arms", "corridor", "from_counts", "from_csv",
           "from_gymnasium", "from_spec", "hard_template", "hexagon", "junk_lock", "lock", "needle_gates",
           "odd_one_out", "optimism_trap", "random_simplex", "rare_state", "read_log", "stationary_embedding",
           "tabular", "to_gymnasium"]
