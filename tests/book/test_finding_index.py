"""What the search and the previews read, on a small book of made-up statements."""

import json

import pytest

ONE = ("# One\n\nPlain words with $x<1$.\n\n```{claim} lem-even\n```\n\n## More\n\nOther words.\n\n"
       "$$ a = b $$ (eq-ab)\n\n[$\\nu$]{#sym-nu}\n: reachability\n")
TWO = "# Two\n\n```{claim} thm-odd\n```\n\n```{claim} odd-repaired\n```\n\n```{claim} eq-cited\n```\n\n" \
      "```{claim} def-even\n```\n"


@pytest.fixture
def scripts(build):
    built = build({"part/one": ONE, "part/two": TWO})
    assert built.warnings == ""

    def read(name):
        text = (built.folder / "html" / "_static" / name).read_text(encoding="utf-8")
        return json.loads(text.partition("]=")[2].removesuffix(";\n"))

    return read


def test_statements_are_listed_with_text_verdict_and_home(scripts):
    known = scripts("statements.js")["statements"]
    assert known["lem-even"] | {"html": ""} == {
        "name": "Lemma 9.1", "title": "Sum of two even numbers", "kind": "lemma", "number": "9.1", "line": 12,
        "verdict": "proved", "page": "part/one", "html": "", "repairs": ""}
    assert "is even" in known["lem-even"]["html"] and "\\(a + b\\)" in known["lem-even"]["html"]
    assert "claim-more" not in known["lem-even"]["html"]
    assert known["odd-repaired"]["repairs"] == "thm-odd" and known["eq-cited"]["number"] == "7"


def test_equations_and_symbols_can_be_previewed(scripts):
    anchors = scripts("statements.js")["anchors"]
    assert anchors["part/one#equation-eq-ab"].strip("\\[] ") == "a = b"
    assert anchors["part/one#sym-nu"] == "\\(\\nu\\): reachability"


def test_sections_have_their_own_text_and_no_statements(scripts):
    found = {(page, title): text for page, _, _, title, text in scripts("sections.js")["sections"]}
    assert found["part/one", "One"] == "Plain words with \\(x<1\\)."
    assert found["part/one", "More"].startswith("Other words.")
    assert "is even" not in json.dumps(list(found.values()))


def test_a_card_points_at_a_line_that_is_there(build):
    built = build({"part/one": ONE, "part/two": TWO})
    code = (built.folder / "html" / "_static" / "code" / "sample_paper" / "checks.html").read_text(encoding="utf-8")
    assert '<li id="L10">@claim("lem-even"' in code
