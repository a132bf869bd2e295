"""Floor 7: figures of the book and the pure functions of its widgets, one folder per chapter."""
