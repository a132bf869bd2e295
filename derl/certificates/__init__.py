"""Floor 0: certificates, and checkers that need the standard library alone."""
