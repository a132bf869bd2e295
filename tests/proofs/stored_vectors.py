"""Instance lemmas for stored certificates: what Coq has as vectors is what the files of derl hold."""

from __future__ import annotations

from instances import rat, seq
from stored_cones import cones as cones

from derl.certificates import stored

SHARP = ("d2_n1000", "d2_n200", "d3_n400", "d4_n1000", "d4_n200")


def certificates(rng, name: str) -> str:
    """Every list of vectors, the twelve points, and one entry of one vector."""
    goals, where = [], "derl.potential.certificates"
    for size in SHARP:
        batches = stored.load(f"potential-sharp-{size.replace('_', '-')}")["batches"]
        vectors = [copies["vector"] for batch in batches for copies in batch]
        assert all(len(batch) == 1 for batch in batches)
        goals.append(f"Goal @{where}.vectors_{size} rat_realFieldType = {seq(vectors)}.\n"
                     "Proof. by kernel. Qed.")
    (points,) = stored.load("reachability-twelve-points")["model"]["features"]
    pairs = "; ".join(f"({y}, {z})" for x, y, z in points if x == 20)
    goals.append(f"Goal derl.reachability.certificates.twelve_points = [:: {pairs}].\nProof. by []. Qed.")
    k = int(rng.integers(len(vectors)))
    goals.append(f"Goal (@{where}.listed rat_realFieldType 4 (@{where}.vectors_{SHARP[-1]} rat_realFieldType) {k})\n"
                 f"  ord0 ord0 = {rat(vectors[k][0])}.\n"
                 f"Proof. by rewrite /{where}.listed /{where}.entries mxE /=; kernel. Qed.")
    return "\n".join(goals)
