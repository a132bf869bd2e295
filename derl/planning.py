"""`from derl.planning import optimal`: the same module as `derl.mdp.planning`, under its public name."""

import sys

from derl.mdp import planning

sys.modules[__name__] = planning
