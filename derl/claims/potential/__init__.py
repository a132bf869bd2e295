"""Appendix C.1 and Lemma 4.2: elliptical potentials, the trace-determinant bridge, how large a batch must be."""
