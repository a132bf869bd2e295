"""Algorithms 2, 5 and 6: covariance estimation, mixtures, Theorem 4.4."""
