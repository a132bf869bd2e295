"""The stored certificates and the checker that needs nothing but the standard library."""

import copy
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from derl.certificates import check_potential
from derl.certificates.check_potential import problems
from derl.theory import potential

FOLDER = Path(check_potential.__file__).parent
FILES = sorted(FOLDER.glob("potential-*.json"))
SMALL = json.loads((FOLDER / "potential-sharp-d2-n200.json").read_text())


def tampered(**changes):
    return copy.deepcopy(SMALL) | changes


def run_checker(*paths, without_packages=True):
    """Run the file as a script in an interpreter that sees no installed package."""
    flags = ["-S", "-I"] if without_packages else []
    return subprocess.run([sys.executable, *flags, check_potential.__file__, *map(str, paths)],
                          capture_output=True, text=True, check=False)


def test_every_file_is_right_in_an_interpreter_without_numpy():
    probe = subprocess.run([sys.executable, "-S", "-I", "-c", "import numpy"], capture_output=True, check=False)
    assert probe.returncode != 0
    done = run_checker(*FILES)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(FILES) == 6 and done.stdout.count(": right") == 6


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_float_kernel_sees_the_same_violations(path):
    found = json.loads(path.read_text())
    rows = np.array([[float(Fraction(x)) for x in batch[0]["vector"]] for batch in found["batches"]])
    counted = potential.trajectory(rows, found["batch_size"], found["epsilon"])
    assert counted.count[-1] == found["violations"] == getattr(counted, f"{found['bound']}_bound")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_bound_of_the_checker_is_the_bound_of_the_library(path):
    found = json.loads(path.read_text())
    d, N, epsilon, k = (found[key] for key in ("dimension", "batch_size", "epsilon", "violations"))
    bound = {"sharp": potential.sharp_bound, "refined": potential.refined_bound}[found["bound"]]
    assert bound(d, N, epsilon) == k
    axes = potential.adversary_axis(d, N, epsilon)
    assert len(potential.violations(axes, N, float(Fraction(epsilon)))) < k


def test_a_certificate_can_be_followed_by_hand():
    """d = 2, N = 200, epsilon = 1/10: levels u^T A^{-1} u of the three batches, all at least 1/10."""
    A, levels = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]], []
    for batch in SMALL["batches"]:
        u = [Fraction(x) for x in batch[0]["vector"]]
        determinant = A[0][0] * A[1][1] - A[0][1] ** 2
        levels.append((u[0] ** 2 * A[1][1] - 2 * u[0] * u[1] * A[0][1] + u[1] ** 2 * A[0][0]) / determinant)
        A = [[A[i][j] + 200 * u[i] * u[j] for j in range(2)] for i in range(2)]
    assert levels[0] == Fraction(1, 5)
    assert all(x >= Fraction(1, 10) for x in levels)
    assert problems(SMALL) == []


@pytest.mark.parametrize(("wrong", "words"), [
    (tampered(violations=2), "3 batches violate, not 2"),
    (tampered(violations=4), "3 batches violate, not 4"),
    (tampered(epsilon="1/5"), "2 batches violate, not 3"),
    (tampered(epsilon="1/20"), "the bound allows 4 violations"),
    (tampered(epsilon="2"), "epsilon is 2"),
    (tampered(epsilon=0.1), "0.1 is not a fraction"),
    (tampered(batch_size=100), "the copies do not add up to 100 vectors"),
    (tampered(batch_size=300), "the copies do not add up to 300 vectors"),
    (tampered(batch_size=200.0), "200.0 is not a whole number"),
    (tampered(dimension=True), "True is not a whole number"),
    (tampered(dimension=3), "not in R^3"),
    (tampered(bound="best"), "'best'"),
    (tampered(batches=SMALL["batches"][:2]), "2 batches violate, not 3"),
    (tampered(batches=SMALL["batches"][::-1]), "2 batches violate, not 3"),
    (tampered(batches=[[{"vector": ["1", "1/100"], "copies": 200}]]), "a vector is longer than 1"),
    (tampered(batches=[[{"vector": ["1"], "copies": 200}]]), "a vector is not in R^2"),
    (tampered(batches=[[{"vector": ["1/0", "0"], "copies": 200}]]), "not a certificate: ZeroDivisionError"),
    ({}, "not a certificate: KeyError"),
    ([], "not a certificate: TypeError"),
    (None, "not a certificate: TypeError"),
])
def test_tampered_certificates_are_refused(wrong, words):
    assert words in "; ".join(problems(wrong))


def test_script_reports_each_file_and_fails_for_one_bad_one(tmp_path):
    bad, cut = tmp_path / "bad.json", tmp_path / "cut.json"
    bad.write_text(json.dumps(tampered(violations=2)))
    cut.write_text(json.dumps(SMALL)[:50])
    done = run_checker(FILES[0], bad, cut, tmp_path / "absent.json")
    assert done.returncode == 1 and done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0].endswith(": right") and "not 2" in lines[1]
    assert "cannot be read" in lines[2] and "cannot be read" in lines[3]
    assert run_checker().returncode == 1
    assert run_checker(bad, FILES[0]).returncode == 1  # whatever comes last


def test_batches_may_mix_vectors():
    """One batch of 100 copies of each axis is Phi = 100 I: its trace is 200, and it violates once at epsilon = 1."""
    mixed = {"dimension": 2, "batch_size": 200, "epsilon": "1", "bound": "sharp", "violations": 2, "batches": [
        [{"vector": [1, 0], "copies": 100}, {"vector": [0, 1], "copies": 100}]]}
    assert problems(mixed) == ["1 batches violate, not 2"]
