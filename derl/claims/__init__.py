"""What the paper says, how each statement is checked, and what the checks found."""

from derl.claims.ledger import InvalidLedger, Ledger, verify
from derl.claims.statements import InvalidClaims, Statement, UnknownClaim, find, load

__all__ = ["InvalidClaims", "InvalidLedger", "Ledger", "Statement", "UnknownClaim", "find", "load", "verify"]
