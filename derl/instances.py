"""`import derl.instances`: the same module as `derl.mdp.instances`, under its public name."""

import sys

from derl.mdp import instances

sys.modules[__name__] = instances
