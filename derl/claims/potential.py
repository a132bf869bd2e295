"""Appendix C.1 and Lemma 4.2: elliptical potentials, the trace-determinant bridge, and how large a batch must be."""

from derl.claims import batch_size, batched_potential, elliptical, refined_potential, trace_determinant

__all__ = ["batch_size", "batched_potential", "elliptical", "refined_potential", "trace_determinant"]
