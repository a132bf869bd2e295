"""The algorithms on the pages: every line points at a piece of the source that runs."""

import re

import algorithm_boxes
import pytest
import yaml
from rules import ROOT

from derl import claims

BOXES = yaml.safe_load((ROOT / "book" / "algorithms.yml").read_text(encoding="utf-8"))


def test_all_algorithms_with_pseudocode_stand_on_a_page():
    text = "\n".join(page.read_text(encoding="utf-8") for page in ROOT.glob("book/*/*.md"))
    shown = sorted(re.findall(r"^```\{pseudocode\} (\w+)$", text, re.M))
    assert shown == sorted(BOXES) == [*"1234567", "blocks", "cuts", "known_law", "known_law_blocks", "prefix",
                                      "spanner"]


@pytest.mark.parametrize("number", BOXES)
def test_every_piece_is_in_the_source(number):
    box = BOXES[number]
    marks = algorithm_boxes.places(number, box["source"], box["lines"])
    assert sorted(n for numbers in marks.values() for n in numbers) == [
        n for n, line in enumerate(box["lines"], 1) if "code" in line]
    for (function, place), numbers in marks.items():
        text = algorithm_boxes.source(function)[2][place]
        assert all(box["lines"][n - 1]["code"] in text for n in numbers)


def test_what_differs_from_the_paper_names_a_statement():
    named = [line["why"] for box in BOXES.values() for line in box["lines"] if "printed" in line]
    assert len(named) > 15 and set(named) <= claims.load().keys()


@pytest.mark.parametrize(("line", "said"), [
    ({"say": "x", "code": "no such piece"}, "is not in"),
    ({"say": "x", "cod": "values"}, "fields are"),
    ({"code": "values"}, "fields are"),
    ({"say": "x", "printed": "y", "code": "values"}, "names a statement"),
])
def test_a_line_that_points_nowhere_is_refused(line, said):
    with pytest.raises(algorithm_boxes.InvalidBox, match=said):
        algorithm_boxes.places("1", BOXES["1"]["source"], [line])


def test_a_function_that_does_not_exist_is_refused():
    with pytest.raises((algorithm_boxes.InvalidBox, AttributeError)):
        algorithm_boxes.source("algorithms.layerwise.nothing")


def test_the_files_to_which_pseudocode_leads_are_in_the_library_and_another_book_has_none(tmp_path):
    found = algorithm_boxes.files(ROOT)
    assert "derl/algorithms/layerwise.py" in found and all((ROOT / name).is_file() for name in found)
    assert algorithm_boxes.files(tmp_path) == set()


def test_the_docstring_is_left_out_and_the_rest_is_kept():
    file, first, lines = algorithm_boxes.source("algorithms.layerwise.plan_truncated")
    kept = algorithm_boxes.body(lines)
    assert file == "derl/algorithms/layerwise.py" and first > 1
    assert not any('"""' in text for text, _ in kept) and len(kept) == len(lines) - 1
