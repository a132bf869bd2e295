"""A paper of three statements from another field: Euler's polynomial, and the sum of the odd numbers."""

from derl.ledger import Paper

PAPER = Paper(__name__)
check, control = PAPER.registry.check, PAPER.registry.control
