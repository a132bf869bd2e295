"""All families of evaluations, and the file that holds an instance of each."""

from __future__ import annotations

import numpy as np
from blocks import chains
from deployments import batches, missing
from directions import after, directed, met
from exclusions import exclusions
from families import coins, designs, hidden_cores, paths, planned, pulling, template, trajectories
from instances import forms, gates, lengths, linear, moments, optimistic, success, violates
from junk import junk
from layers import last_call, listed, noises
from levels import choices, levels, sweeps
from mixtures import mixed
from nets import inside, nets, optimal
from outputs import digits, events, outputs
from pasts import pasts
from places import places, vectors
from points import hexagons, models, twelve
from potentials import ends, held, sums
from prelude import PRELUDE
from printed import capped, counted, floors, sizes
from ridges import ridges
from roots import noise, norms, second
from runs import runs
from samples import averages, counts
from searches import searches
from stored_vectors import certificates, cones
from strategies import strategies

FAMILIES = (violates, forms, success, gates, linear, optimistic, moments, lengths, template, pulling, trajectories,
            paths, planned, coins, designs, hidden_cores, cones, certificates, searches, outputs, digits, events,
            batches, missing, chains, exclusions, runs, listed, last_call, noises, directed, met, after, hexagons,
            twelve, models, capped, counted, sizes, counts, averages, sums, held, ends, places, vectors, levels,
            choices, sweeps, norms, second, noise, floors, strategies, optimal, inside,
            nets, junk, mixed, pasts, ridges)


def source(seed: int, each: int) -> str:
    """A file with `each` instances of every family."""
    parts = [PRELUDE]
    for family, sequence in zip(FAMILIES, np.random.SeedSequence(seed).spawn(len(FAMILIES)), strict=True):
        rng = np.random.default_rng(sequence)
        parts += [f"(* {family.__name__} *)"] + [family(rng, f"{family.__name__}{i}") for i in range(each)]
    return "\n".join(parts) + "\n"
