"""A paper whose checks misbehave: they quit, raise Ctrl-C, kill their process, or compute for minutes."""

from derl.ledger import Paper

PAPER = Paper(__name__)
claim = PAPER.registry.claim
