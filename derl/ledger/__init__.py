"""Floor 0: what a statement, a check, a control, evidence and a verdict are; which paper they are about is not known.

A paper is a package: `PAPER = Paper(__name__, chapters)` in its `__init__`, `claims.yml` beside modules of checks.
`verify(PAPER)` runs the checks and returns what they found.
"""

from derl.judge.evidence import Evidence, steps
from derl.judge.registry import Extra
from derl.ledger.ledger import InvalidLedger, Ledger
from derl.ledger.paper import Paper
from derl.ledger.statements import InvalidClaims, Statement, UnknownClaim
from derl.ledger.verification import verify

__all__ = ["Evidence", "Extra", "InvalidClaims", "InvalidLedger", "Ledger", "Paper", "Statement", "UnknownClaim",
           "steps", "verify"]
