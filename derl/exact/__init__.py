"""Exact matrices, enclosures of logarithms, symbolic inequalities."""
