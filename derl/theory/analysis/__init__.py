"""Covers and perturbation bounds of Appendix E."""
