"""Figures of the results beyond the paper."""
