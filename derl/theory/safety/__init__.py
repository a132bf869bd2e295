"""Mixtures of pessimism and optimism."""
