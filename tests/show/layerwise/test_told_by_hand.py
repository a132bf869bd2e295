"""What the pages of Algorithm 1 say and count, for runs that are written out here."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from derl.show.layerwise import growth, guarantees, lab, moves, optimism, playground, samples_lab


def record(deployment, layer, statistic, threshold):
    return SimpleNamespace(deployment=deployment, layer=layer, statistic=statistic, threshold=threshold,
                           finished=statistic < threshold, policy=np.full((2, 1), deployment))


TRACE = (record(1, 1, 6.0, 2.0), record(2, 1, 1.0, 2.0), record(3, 2, 9.0, 3.0), record(4, 2, 1.5, 3.0))


def run(loss=0.125, converged=True):
    return lab.LayerwiseLab("random", 4, 2, 0.25, "repaired", 100, SimpleNamespace(trace=TRACE, converged=converged),
                            np.array([1, 1, 2, 2]), np.array([0.5, 1.0, 1.5, 1.875]), np.array([1.0, 1.0, 2.0, 2.0]),
                            np.zeros((4, 2)), loss)


def test_the_sentence_of_a_run():
    assert run().sentence == "d = 4, H = 2: 4 deployments, layer by layer 2 + 2; loss 0.125, within 0.25"
    assert run(0.5, False).sentence.endswith("2 + 2; stopped at K without an answer; loss 0.5, above 0.25")
    assert run(0.25).sentence.endswith("loss 0.25, within 0.25")


def test_the_sentence_of_a_step(monkeypatch):
    monkeypatch.setattr(playground, "run", lambda *setting: run())
    told = [playground.layers_view(k, "random", "repaired", 2, 0.25, 4, 2).sentence for k in (1, 2, 3, 4)]
    assert told == [
        "deployment 1 explored the layers 1 to 1: Delta = 6 against 2, layer 1 is explored on",
        "deployment 2 explored the layers 1 to 1: Delta = 1 against 2, layer 1 is finished, layer 2 opens",
        "deployment 3 explored the layers 1 to 2: Delta = 9 against 3, layer 2 is explored on", run().sentence]


def test_the_progress_of_a_run():
    lines = {line.get_label(): line for line in playground.progress(run(), 3).axes[0].lines}
    assert [list(part) for part in lines["explores on"].get_data()] == [[1, 3], [3.0, 3.0]]
    assert [list(part) for part in lines["opens the next layer"].get_data()] == [[2], [0.5]]
    assert lines["true loss over threshold"].get_ydata() == pytest.approx([0.25, 1e-6, 1 / 6])
    numbers = [(note.get_text(), *note.xy) for note in playground.unlocking(run(), 4).axes[0].texts]
    assert numbers == [("1", 1, 1), ("3", 3, 2)]  # layers by the deployment that opens them


def test_the_upper_bound_of_a_run_is_the_potential_at_a_quarter_of_the_accuracy(dim=5, layers=4):
    """Violations per layer: the largest k with (1 + N e)^k <= (1 + k N/d)^d at e = (epsilon/(4 H beta))^2."""
    count = growth.count_deployments("compact bandit", dim, layers, 0)
    size = growth.samples.proved_batch_size(dim, layers, 0.5, 0.1, 20)
    level = (0.5 / (4 * layers * growth.samples.proved_bonus_scale(dim, layers, 0.1, size))) ** 2
    most = 0
    while (most + 1) * math.log1p(size * level) <= dim * math.log1p((most + 1) * size / dim):
        most += 1
    assert count.upper == most * layers + 1
    assert (count.family, count.dim, count.layers, count.seed) == ("compact bandit", dim, layers, 0)


def test_slopes_are_of_the_means_of_the_seeds():
    """K = d^2 on one seed and 3 d^2 on the other, H on both; an upper bound of d H."""
    counts = {axis: [growth.Count(family, d, h, seed, (2 * seed + 1) * d * d if axis == "d" else h, True, 0.0, d * h)
                     for family in growth.LOOK for d, h in own for seed in growth._seeds(d if axis == "d" else h)]
              for axis, own in (("d", [(d, growth.FIXED_LAYERS) for d in growth.DIMENSIONS]),
                                ("H", [(growth.FIXED_DIMENSION, h) for h in growth.LAYERS]))}
    found = {row[:2]: row[2] for row in growth.slopes(counts)}
    mean = [(2 if d <= growth.TWICE else 1) * d * d for d in growth.DIMENSIONS]
    wanted = np.polyfit(np.log(growth.DIMENSIONS), np.log(mean), 1)[0]
    assert all(found[family, "d"] == pytest.approx(wanted) and found[family, "H"] == pytest.approx(1)
               for family in growth.LOOK)
    assert [found["upper bound", axis] for axis in "dH"] == pytest.approx([1, 1])
    arms = [0.9 * (d - 3) * 5 - 1 for d in growth.DIMENSIONS]
    assert found["lower bound", "d"] == pytest.approx(np.polyfit(np.log(growth.DIMENSIONS), np.log(arms), 1)[0])


def test_a_finished_layer_is_judged_in_its_own_truncation(monkeypatch):
    monkeypatch.setattr(guarantees, "layerwise_exploration", lambda *words, **options: SimpleNamespace(trace=TRACE))
    monkeypatch.setattr(guarantees.planning, "gap", lambda mdp, policy, horizon=99: horizon + policy[0, 0] / 100)
    shown = guarantees.printed_layers(growth.instances.optimism_trap()).data
    assert [line.strip("| ").split(" | ") for line in shown.splitlines()] == [
        ["layer", "1", "2"], ["---"] * 3, ["suboptimality", "1.0200", "2.0400"]]


def test_a_row_of_sizes_and_its_gain():
    row = samples_lab.Size("2", "way", 3, 2 * 10**6)
    assert row.cells == ("2", "way", "3", "2.0e+06", "6.0e+06", "yes") and row.trajectories == 6 * 10**6
    assert samples_lab.Size("1", "way", 3, 10, proved=False).cells[-1] == "no"
    rows = tuple(samples_lab.Size(algorithm, "way", 1, size, proved) for algorithm, size, proved in (
        ("1", 10**9, False), ("1", 10**8, True), ("1", 10**4, True), ("2", 10**7, True), ("2", 10**2, True),
        ("2", 1, False)))
    assert samples_lab.sentence(rows) == ("against its printed proof, Algorithm 1 needs 1.0e+04 times fewer "
                                          "trajectories, Algorithm 2 1.0e+05")
    bars = playground.bars(rows).axes[0].patches
    assert [bar.get_width() for bar in bars] == pytest.approx([9, 8, 4, 7, 2, 0])
    assert [bar.get_alpha() == 1 for bar in bars] == [True if row.proved else False for row in rows]


def test_the_film_of_the_cap_says_the_numbers_of_the_example_by_hand():
    said = [frame["said"] for frame in moves.lost_optimism()["frames"]]
    for words, numbers in zip(said, (("6.40", "8.00"), ("−3.84",), ("14.40", "10.56"), ("10.00",),
                                     ("6.16", "6.16", "6.40"), ("10.00", "6.40")), strict=True):
        assert [word.rstrip(".,:") for word in words.replace("−", " −").split()
                if word.rstrip(".,:")[-1].isdigit()] == list(numbers)
    assert [row[1] for row in moves.lost_optimism()["rows"]] == [
        "6.40", "8.00", "−3.84", "14.40", "10.00", "6.16", "10.00"]


def test_bars_of_the_film_have_their_places_and_colours():
    """0 is at pixel 150 and a unit has 11 pixels: -3.84 reaches to 107.8, 6.16 to 217.8."""
    at = optimism.backups()
    for version, bonus, kind, right in (("printed", "capped", "red", 217.8), ("repaired", "bonus", "green", 260.0)):
        shapes = {key: given for key, _, given, _ in optimism.picture(at, "prediction", bonus, version)}
        bars = {key: (given["x"], given["x"] + given["width"], given["class"]) for key, given in shapes.items()
                if key.endswith("-bar")}
        assert bars["prediction-bar"] == (pytest.approx(107.8, abs=0.1), pytest.approx(150, abs=0.1), "bar orange")
        assert bars["truth-bar"] == (150, 238, "bar grey")
        assert bars["guess-bar"] == (150, pytest.approx(right, abs=0.1), f"bar {kind}")
        assert bars["bonus-bar"][0] == pytest.approx(107.8, abs=0.1)


def test_the_limits_of_the_turned_trap_by_hand(monkeypatch):
    monkeypatch.setattr(moves, "run_on", lambda mdp, version: {"mdp": mdp})
    found = moves.cap.__wrapped__()
    for row in found["runs"]:  # f is turned against e by the angle of its row
        c = row["mdp"].state_names.index("C")
        e, f = row["mdp"].phi[1, c, :2]
        assert math.degrees(math.acos(e @ f)) == pytest.approx(row["angle"])
    assert found["limit"] == pytest.approx(90 + math.degrees(math.asin(0.6))) and found["best"] == 8
    assert found["runs"][-1]["angle"] == found["limit"] and moves.dial()["delta"] == 0.1
    trap = moves.trap.__wrapped__()
    assert (trap["best"], trap["chance"], trap["cosine"], trap["horizon"]) == (8, 0.15, 0.6, 10)
    assert trap["rewards"] == pytest.approx(np.linspace(0.6, 1, 21))
