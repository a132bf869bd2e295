"""The stored certificates of reachability: right in an interpreter without packages, refused once they are altered."""

import copy
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from derl.certificates import check_reachability
from derl.certificates.check_reachability import problems
from derl.certificates.stored import load, relative_gap
from derl.claims.reachability.certified import write
from derl.mdp import instances
from derl.theory import reachability
from derl.theory.reachability.certified import FILES

FOLDER = Path(check_reachability.__file__).parent
PATHS = sorted(FOLDER.glob("reachability-*.json"))


def run_checker(*paths):
    """The file as a script, in an interpreter that sees no installed package."""
    return subprocess.run([sys.executable, "-S", "-I", check_reachability.__file__, *map(str, paths)],
                          capture_output=True, text=True, check=False)


def altered(name, *path, value):
    """A stored certificate with one place changed; a function as the value is applied to what stands there."""
    certificate = copy.deepcopy(load(name))
    place = certificate
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value(place[path[-1]]) if callable(value) else value
    return certificate


def leaf(name):
    nodes = load(name)["lower"]["nodes"]
    return next(i for i, node in enumerate(nodes) if "mixture" in node)


def scaled(factor):
    return lambda text: str(Fraction(text) * Fraction(factor))


def test_all_files_are_right_without_numpy_and_small():
    probe = subprocess.run([sys.executable, "-S", "-I", "-c", "import numpy"], capture_output=True, check=False)
    assert probe.returncode != 0
    done = run_checker(*PATHS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {path.stem for path in PATHS} == set(FILES) and done.stdout.count(": right\n") == len(FILES)
    assert all(path.stat().st_size < 300_000 for path in PATHS)


def test_the_checker_imports_the_standard_library_only():
    source = Path(check_reachability.__file__).read_text(encoding="utf-8")
    lines = [line for line in source.splitlines() if line.startswith(("import ", "from "))]
    assert {line.split()[1].split(".")[0] for line in lines} <= sys.stdlib_module_names


D3, D4, HEX, TAB, EIG, EXP = ("reachability-random-d3", "reachability-random-d4", "reachability-hexagon",
                              "reachability-tabular", "reachability-hexagon-eigenvalue",
                              "reachability-explorability-d3")


@pytest.mark.parametrize(("wrong", "words"), [
    (altered(D3, "lower", "value", value=scaled("1.0000005")), "a leaf proves less"),
    (altered(D3, "upper", "value", value=scaled("0.9999999")), "the best policy reaches"),
    (altered(D3, "lower", "value", value="2"), "not in order"),
    (altered(D3, "lower", "value", value=-1), "not in order"),
    (altered(D3, "lower", "value", value=0.12), "is no fraction"),
    (altered(D3, "lower", "value", value="1e999999999"), "is no fraction"),
    (altered(D3, "lower", "value", value="1/0"), "not a certificate: ZeroDivisionError"),
    (altered(D3, "upper", "direction", value=[0, 0, 0.5]), "not a whole number"),
    (altered(D3, "lower", "nodes", value=lambda nodes: nodes[:-1]), "a cone is not covered"),
    (altered(D3, "lower", "nodes", value=lambda nodes: nodes + nodes[-1:]), "more leaves than cones"),
    (altered(D3, "lower", "nodes", value=lambda nodes: nodes[1:]), ""),
    (altered(D3, "lower", "nodes", leaf(D3), "level", value=scaled("10")), "does not prove its level"),
    (altered(D3, "lower", "nodes", leaf(D3), "mixture", value=lambda m: [[k, -w] for k, w in m]), "not positive"),
    (altered(D3, "lower", "nodes", value=lambda nodes: [{**node, "mixture": [[0, 1]]} if "mixture" in node else node
                                                        for node in nodes]), "does not prove its level"),
    (altered(D3, "lower", "nodes", leaf(D3), "mixture", value=[[10**6, 1]]), "unknown policy"),
    (altered(D3, "lower", "nodes", leaf(D3), "mixture", value=[]), "unknown policy"),
    (altered(D3, "lower", "basis", value=lambda rows: [rows[0], rows[0], rows[2]]), "does not span"),
    (altered(D3, "lower", "method", value="hope"), "the method 'hope' proves nothing"),
    (altered(D3, "lower", "method", value="vertices"), "chance plays a part"),
    (altered(D3, "quantity", value="mu"), "unknown quantity"),
    (altered(D3, "quantity", value="lambda"), "proves nothing about lambda"),
    (altered(D3, "quantity", value="explorability"), ""),
    (altered(D3, "subspace", value="some"), "unknown subspace"),
    (altered(D3, "layer", value=2), "does not end at its layer"),
    (altered(D3, "upper", "direction", value=[0, 0, 0]), "the direction is zero"),
    (altered(D3, "upper", "direction", value=lambda theta: theta[:2]), "leaves the subspace"),
    (altered(D3, "model", "initial", value=lambda row: [row[0] + 1, *row[1:]]), "not a distribution"),
    (altered(D3, "model", "feature_scale", value=True), "not a whole number"),
    (altered(D3, "model", "feature_scale", value=0), "not a whole number"),
    (altered(D4, "policies", 0, 0, value=lambda row: [7, *row[1:]]), "unavailable action"),
    (altered(D4, "policies", 0, value=lambda rows: rows[:1]), "one row per layer"),
    (altered(D4, "model", "transitions", value=lambda steps: steps[:1]), "do not fit"),
    (altered(D4, "model", "available", 0, 0, value=[0, 0, 0]), "a state has no action"),
    (altered(HEX, "lower", "value", value="2/5"), "not in order"),
    (altered(HEX, "subspace", value="all"), "do not span the space"),
    (altered(HEX, "upper", "direction", value=[1, -1, 0, 0, 0]), "leaves the subspace"),
    (altered(TAB, "lower", "mixture", value=lambda m: m[:1]), "does not reach the lower value"),
    (altered(TAB, "upper", "squares", value=lambda p: [p[0] + p[1] + 1, *p[1:]]), "the best policy reaches"),
    (altered(EIG, "lower", "value", value="13/50"), "not in order"),
    (altered(EIG, "upper", "factor", value=lambda rows: [[1, 0, 0], *rows[1:]]), "leaves the subspace"),
    (altered(EXP, "lower", "value", value=scaled("1.0005")), "proves less"),
    ({}, "not a certificate: KeyError"), ([], "not a certificate: TypeError"), (None, "not a certificate: TypeError"),
    ("nu", "not a certificate: TypeError"), ({"layers": []}, "not the four parts"),
    ({"layers": [altered(HEX, "lower", "value", value=1)]}, "not the four parts"),
])
def test_altered_certificates_are_refused_in_one_line(wrong, words):
    found = problems(wrong)
    assert len(found) == 1 and words in found[0] and "\n" not in found[0]


def test_a_raised_hexagon_needs_both_ends_and_then_a_vertex_is_beyond():
    raised = altered(HEX, "lower", "value", value="2/5")
    raised["upper"]["value"] = "2/5"
    assert problems(raised) == ["a vertex lies beyond the lower value"]


@pytest.mark.parametrize("name", [D3, D4, EXP])
def test_weights_shuffled_between_leaves_are_seen(name):
    """Every leaf gets the mixture of the next one; some no longer prove their cone."""
    wrong = copy.deepcopy(load(name))
    leaves = [node for node in wrong["lower"]["nodes"] if "mixture" in node]
    mixtures = [node["mixture"] for node in leaves]
    for node, mixture in zip(leaves, mixtures[1:] + mixtures[:1], strict=True):
        node["mixture"] = mixture
    assert problems(wrong) == ["a leaf does not prove its level"]


def test_a_leaf_whose_mixture_points_away_from_its_corners_is_refused():
    """A mean feature that is long at the corners of a leaf and has two signs there may vanish inside it."""
    wrong = copy.deepcopy(load(EXP))
    for node in wrong["lower"]["nodes"]:
        if "mixture" in node:
            node["mixture"] = [[index, -weight] for index, weight in node["mixture"]]
    assert problems(wrong) == ["a leaf does not prove its level"]


def test_random_small_changes_never_prove_something_false():
    """300 random changes of one number: refused, or what is claimed is still true (the value itself is unchanged)."""
    rng = np.random.default_rng(np.random.SeedSequence(7))
    truth, refused = load(D3), 0
    low, high = (Fraction(truth[side]["value"]) for side in ("lower", "upper"))
    for _ in range(300):
        wrong = copy.deepcopy(truth)
        side = ("lower", "upper")[rng.integers(2)]
        factor = Fraction(int(rng.integers(999_990, 1_000_011)), 1_000_000)
        wrong[side]["value"] = str(Fraction(wrong[side]["value"]) * factor)
        right = Fraction(wrong["lower"]["value"]) <= low and Fraction(wrong["upper"]["value"]) >= high
        found = problems(wrong) if not right else []
        refused += bool(found)
        assert right or found
    assert refused > 100


def test_the_script_reports_each_file_and_fails_for_one_bad_one(tmp_path):
    bad, cut, deep, binary = (tmp_path / f"{name}.json" for name in ("bad", "cut", "deep", "binary"))
    bad.write_text(json.dumps(altered(D3, "layer", value=2)))
    cut.write_text(json.dumps(load(D3))[:5000])
    deep.write_text("[" * 100_000)
    binary.write_bytes(b"\xff\xfe\x00")
    done = run_checker(PATHS[0], bad, cut, deep, binary, tmp_path / "absent.json")
    lines = done.stdout.splitlines()
    assert done.returncode == 1 and done.stderr == "" and len(lines) == 6
    assert lines[0].endswith(": right") and "does not end at its layer" in lines[1]
    assert all("cannot be read" in line for line in lines[2:])
    assert run_checker().returncode == 1
    assert run_checker(bad, PATHS[0]).returncode == 1  # whatever comes last


def test_writing_again_gives_certificates_as_narrow(tmp_path, capsys):
    write(tmp_path, ["reachability-hexagon", "reachability-d3"])
    for name in ("reachability-hexagon", "reachability-d3"):
        again = json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8"))
        assert problems(again) == [] and relative_gap(again) <= FILES[name].gap
        assert again["model"] == load(name)["model"]
    assert "reachability-hexagon: vertices" in capsys.readouterr().out


@pytest.fixture(scope="module")
def all_layers():
    """The certificate of the smallest coefficient of an instance with three layers."""
    return reachability.nu_min(instances.random_simplex(6, 3, 3, 3, seed=0), relative=1e-2).certificate


def test_the_smallest_coefficient_of_all_layers_is_right(all_layers):
    assert problems(all_layers) == []
    assert problems({**all_layers, "layers": [altered(D3, "lower", "value", value=1), *all_layers["layers"][1:]]})


@pytest.mark.parametrize(("change", "words"), [
    (lambda c: {**c, "layers": c["layers"][:2]}, "not one certificate per layer"),
    (lambda c: {**c, "layers": c["layers"][:2], "horizon": 2}, "is not the smallest"),
    (lambda c: {**c, "layers": [c["layers"][0]] * 3}, "are not 1, 2, ..., H"),
    (lambda c: {**c, "layers": [c["layers"][0], c["layers"][1], load("reachability-d3")]}, "of another instance"),
    (lambda c: {**c, "layers": [*c["layers"][:2], {**c["layers"][2], "quantity": "lambda"}]}, "differ in their claim"),
    (lambda c: {**c, "upper": {"value": "1/2"}}, "the upper value is not the smallest"),
    (lambda c: {**c, "nu_min": "1/2"}, "not the four parts"),
])
def test_what_is_not_about_all_layers_of_one_instance_is_refused(all_layers, change, words):
    found = problems(change(all_layers))
    assert len(found) == 1 and words in found[0]


def test_features_longer_than_one_are_refused():
    longer = altered(D3, "model", "feature_scale", value=lambda scale: scale // 2)
    assert problems(longer) == ["a feature is longer than 1"]
