"""What a method draws itself differs from seed to seed, so an interval over seeds contains it."""

import functools
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from derl import algorithms
from derl.algorithms import catalogue
from derl.algorithms.outcome import Unfinished
from derl.experiments.families import draw
from derl.experiments.methods import METHODS
from derl.experiments.methods.run import MethodRun
from derl.experiments.watched import adversarial

OWN_DRAWS = {"francis": "FRANCIS", "direct_reduction": "direct reduction", "olive": "OLIVE"}


def run(label: str, seed: int, size: int = 16) -> MethodRun:
    """On one and the same instance, with the mean instead of every draw of data: only the method itself is random."""
    method, mdp = METHODS[label], draw("template", 1, 5, 3)
    setting = method.setting(mdp, 0.2, 0.1, "nominal", 1.0, size, 0.4 if method.nu == "yes" else None)
    setting = replace(setting, draws="expected")
    return MethodRun.of(mdp, method, "nominal", 0.2, 0.1, seed, setting)


def what_was_drawn(found: MethodRun):
    """Directions of FRANCIS by the policies they gave, or the class of OLIVE."""
    if found.method.label == "OLIVE":
        return found.options["functions"].tobytes()
    return tuple(record.policy.tobytes() for record in found.outcome.trace)


@pytest.mark.parametrize("label", ["FRANCIS", "OLIVE"])
def test_seeds_draw_differently_and_one_seed_always_the_same(label):
    drawn = [what_was_drawn(run(label, seed)) for seed in range(8)]
    assert len(set(drawn)) == 8 and drawn[3] == what_was_drawn(run(label, 3))


@pytest.mark.parametrize("label", ["FRANCIS", "direct reduction"])
def test_a_method_is_handed_the_seed_of_its_run(label):
    """Read from the call itself: an algorithm that draws would otherwise use its default seed in every run."""
    method, handed = METHODS[label], []

    @functools.wraps(method.entry.function)
    def spy(*words, seed=0, **options):
        handed.append(seed)
        raise Unfinished("the call is all that is looked at")

    watched = replace(method, entry=replace(method.entry, function=spy))
    for seed in (3, 8):
        setting = method.setting(draw("simplex", 1, 3, 3), 0.2, 0.1, "nominal", 1.0, 1)
        MethodRun.of(draw("simplex", 1, 3, 3), watched, "nominal", 0.2, 0.1, seed, setting)
    assert handed == [3, 8]


@pytest.mark.parametrize("label", [name for name in METHODS if METHODS[name].entry.name not in OWN_DRAWS
                                   and METHODS[name].searched == "batch_size"])
def test_the_other_methods_draw_nothing_themselves(label):
    logs = [[row.policy for row in run(label, seed, 4**6).deployer.log] for seed in (0, 1)]
    assert logs[0] == logs[1]


def test_no_generator_is_overlooked():
    """Every module of the algorithms that makes a generator belongs to a method that is listed above."""
    folder = Path(algorithms.__file__).parent
    making = {path.stem for path in folder.rglob("*.py") if re.search(r"default_rng|RandomState", path.read_text())}
    assert making == {"francis", "low_switching", "olive"}
    assert {entry.name for entry in catalogue.CATALOGUE if entry.draws} == set(OWN_DRAWS) - {"olive"}
    assert all(METHODS[label].entry.name == name for name, label in OWN_DRAWS.items())


def test_the_random_rewards_of_the_yardstick_are_drawn_afresh():
    mdp = draw("simplex", 1, 3, 3)
    one, two = (adversarial(mdp, seed) for seed in (0, 1))
    assert np.array_equal(one[:-3], two[:-3]) and not np.array_equal(one[-3:], two[-3:])
