"""A paper of four statements from another field: Euler's polynomial, and the sum of the odd numbers."""

from derl.ledger import Paper

PAPER = Paper(__name__, quotations={"euclid": "a prime that divides a product divides one of its factors"})
claim, printed = PAPER.registry.claim, PAPER.printed
