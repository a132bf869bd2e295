"""A made-up paper for the tests of the book's extensions: statements, and a ledger that no run has written."""

from derl.ledger import Paper

PAPER = Paper(__name__)
