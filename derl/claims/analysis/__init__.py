"""Appendix E line by line: covers, events, perturbation, domination, Theorem R."""
