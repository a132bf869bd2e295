"""Appendix F: sample-efficient and safe deployments, Algorithm 7, pessimism."""
