"""What the paper says, how each statement is checked, and what the checks found.

One folder per chapter: `claims.yml` and the checks beside it. The same eleven words name the chapters everywhere: here,
in `derl/theory`, `derl/show`, `book`, `notebooks` and `tests`.
"""

from derl.ledger import Evidence, InvalidClaims, InvalidLedger, Ledger, Paper, Statement, UnknownClaim, steps

CHAPTERS = ("foundations", "potential", "layerwise", "reward_free", "lower_bounds", "reachability", "arbitrary",
            "analysis", "safety", "comparison", "beyond")
PAPER = Paper(__name__, CHAPTERS)
check, control = PAPER.registry.check, PAPER.registry.control
load, find, verify = PAPER.load, PAPER.find, PAPER.verify

__all__ = ["CHAPTERS", "PAPER", "Evidence", "InvalidClaims", "InvalidLedger", "Ledger", "Statement", "UnknownClaim",
           "check", "control", "find", "load", "steps", "verify"]
