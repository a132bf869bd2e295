"""Section 3 and Appendix B: the hard instances, the two lower bounds, their repairs, the exact games."""
