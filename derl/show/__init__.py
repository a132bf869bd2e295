"""Floor 7: figures of the book and the pure functions behind its widgets, one folder per chapter."""
