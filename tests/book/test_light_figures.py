"""Figures in fewer bytes are the same pictures."""

import io
import re

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from light_figures import PART, light, path, short


@pytest.fixture(scope="module")
def drawn():
    figure, axes = plt.subplots()
    axes.plot(np.sin(np.linspace(0, 20, 300)), label="wave $x^2$")
    axes.fill_between([0, 100, 200], [0, 1, 0], alpha=0.3)
    axes.set_title("Name of an axis, long enough")
    axes.legend()
    made = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "path"}):
        figure.savefig(made, format="svg")
    plt.close(figure)
    return made.getvalue()


def corners(data):
    """All corners of a path from the origin, also of one that tells each from the one before."""
    found, at, start, numbers, command = [], np.zeros(2), np.zeros(2), [], ""
    many = {"M": 2, "L": 2, "Q": 4, "C": 6, "H": 1, "V": 1}
    for part in re.findall(rf"[hvHV]|[mlqc]|{PART.pattern}", data):
        if part in "zZ":
            at, command = start, ""
        elif part.isalpha():
            command = part
        else:
            numbers.append(float(part))
            if len(numbers) < many[command.upper()]:
                continue
            told = np.array({"h": [numbers[0], 0], "v": [0, numbers[0]]}.get(command, numbers)).reshape(-1, 2)
            points = told + at if command.islower() else told
            at = points[-1]
            start = at if command in "mM" else start
            found.extend(points)
            numbers, command = [], {"m": "l", "M": "L"}.get(command, command)
    return np.array(found)


def test_a_path_keeps_its_corners_and_rounding_does_not_add_up():
    rng = np.random.default_rng(0)
    steps = rng.normal(size=(2000, 2)).cumsum(axis=0)
    data = "M 0.123456 7.654321 \n" + " \n".join(f"L {x:.6f} {y:.6f}" for x, y in steps) + " \nz\n"
    assert np.abs(corners(path(data)) - corners(data)).max() <= 0.00501
    curved = "M 1 2 Q 3 4 5.5 6.25 C 1 1 2 2 3 3 L 3 9 z M 8 8 L 9 8"
    assert np.allclose(corners(path(curved)), corners(curved))
    assert path("M 1 2 L 1 5 L 4 5 z") == "m1 2v3h3z"


def test_numbers_are_short():
    assert [short(number) for number in (0.5, -0.25, 0.001, -0.001, 10, 12.345, 100.0)] == [
        ".5", "-.25", "0", "0", "10", "12.35" if f"{12.345:.2f}" == "12.35" else "12.34", "100"]


def test_a_figure_keeps_its_parts(drawn):
    thin = light(drawn)
    assert len(thin) < 0.55 * len(drawn)
    for tag in ("<use", "<path", "clip-path"):
        assert thin.count(tag) == drawn.count(tag)
    assert "metadata" not in thin and "xlink" not in thin and light(thin) is not None
    named = set(re.findall(r' id="([^"]*)"', thin))
    assert set(re.findall(r'href="#([^"]*)"|url\(#', thin)) - {""} <= named
    paths = [re.findall(r'<path(?: id="[^"]*")? d="([^"]*)"(?! transform)', text) for text in (drawn, thin)]
    assert len(paths[0]) == len(paths[1]) > 10
    for before, after in zip(*paths, strict=True):
        assert len(corners(before)) == len(corners(after))
        assert np.abs(corners(before) - corners(after)).max(initial=0) < 0.0051


def test_a_style_of_several_elements_is_written_once():
    twice, once = '<g style="fill: red; stroke: blue"/>', '<g style="a: b"/>'
    svg = f"<svg><style>*{{}}</style>{twice}{twice}{once}</svg>"
    assert light(svg) == ('<svg><style>*{}.s0{fill:red;stroke:blue}</style><g class="s0"/><g class="s0"/>'
                          '<g style="a: b"/></svg>\n')
