"""The picture of a chain of formal statements: its boxes lead to the Coq text, and its lines are uses of a proof."""

import re
from types import SimpleNamespace

import proof_chain
import pytest
import repository
from rules import ROOT

PAGE = "layerwise/machine-checked"
TABLE = re.search(r"^```\{proof-chain\}\n(.*?)^```$", (ROOT / "book" / f"{PAGE}.md").read_text(encoding="utf-8"),
                  re.M | re.S)[1]
CHAIN = proof_chain.read(TABLE)
HEAD = "| line | what it says | theorem, file | uses |\n|---|---|---|---|\n"


def source(link):
    return (ROOT / "proofs" / link.file).read_text(encoding="utf-8")


def test_it_leads_from_the_assumption_to_the_theorem():
    assert (CHAIN[0].name, CHAIN[-1].name) == ("assumption_one", "deployment_complexity_tail")
    far = proof_chain.columns(CHAIN)
    assert {link.letter for link in CHAIN if not far[link.letter]} == {CHAIN[-1].letter}
    assert far[CHAIN[0].letter] == max(far.values()) == 4


def test_the_file_of_a_row_names_every_statement_that_its_proof_uses():
    names = {link.letter: link.name for link in CHAIN}
    asked = [(link, other) for link in CHAIN for other in link.uses]
    assert len(asked) > 15
    below = {link.letter: source(link) for link in CHAIN}
    below["P"] += below["K"]  # the theorem is put together in the file of the event
    below["I"] += below["K"]  # there the parts of the assumption become the hypotheses of the regression
    for link, other in asked:
        assert re.search(rf"\b{names[other]}\b", below[link.letter]), (link.letter, other)
    assert not re.search(rf"\b{names['B']}\b", below["G"]), "a statement that is not used is not named"


def test_a_box_leads_to_the_line_of_its_statement():
    config = SimpleNamespace(repository="", repository_branch="main")
    page = proof_chain.drawn(
        CHAIN, lambda file, line: repository.line_of(f"proofs/{file}", line, config, f"book/{PAGE}"))
    found = re.findall(r'<a href="([^"]+)"><title>(\w+), .*?class="letter"[^>]*>(\w) ', page)
    assert [(letter, name) for _, name, letter in found] == [(link.letter, link.name) for link in CHAIN]
    for (address, name, _), link in zip(found, CHAIN, strict=True):
        assert address.startswith("../../_static/code/proofs/")
        line = source(link).splitlines()[int(address.partition("#L")[2]) - 1]
        assert re.match(rf"(?:Theorem|Lemma|Definition) {name}\b", line)
    assert page.count('class="uses"') == sum(len(link.uses) for link in CHAIN)
    assert page.count('class="end"') == 1 and "\\" not in page and "$" not in page


def test_boxes_do_not_overlap_and_hold_their_words():
    page = proof_chain.drawn(CHAIN, lambda file, line: file)
    boxes = [tuple(map(float, box)) for box in re.findall(
        r'<rect class="\w+" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', page)]
    assert len(boxes) == len(CHAIN)
    for i, (x, y, w, h) in enumerate(boxes):
        assert all(x + w < u or u + s < x or y + h < v or v + t < y for u, v, s, t in boxes[:i])
    width, height = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', page).groups())
    assert width <= 750 and all(x + w <= width and y + h <= height for x, y, w, h in boxes)
    assert max(len(line) for link in CHAIN for line in proof_chain.words(link.says)) <= proof_chain.SHORTEST


def test_letters():
    assert proof_chain.letters("B, C") == ("B", "C") and proof_chain.letters("") == ()
    assert proof_chain.letters("K to N") == ("K", "L", "M", "N")


@pytest.mark.parametrize("row, why", [
    ("| A | says | `grid_norms`, `algorithm_one/grid.v` | |", "grid_norms begins on 0 lines"),
    ("| A | says | `grid_norm`, `algorithm_one/no.v` | |", "there is no file proofs/algorithm_one/no.v"),
    ("| A | says | `grid_norm`, `algorithm_one/grid.v` | B |", "row A uses B"),
    ("| A | says | `grid_norm`, `algorithm_one/grid.v` | A |", "row A uses A"),
    ("| A | says | grid_norm | |", "a row is not"),
    ("| AB | says | `grid_norm`, `algorithm_one/grid.v` | |", "a row is not"),
    ("| A | says | `grid_norm`, `algorithm_one/grid.v` | |\n" * 2, "two rows have the letter A")])
def test_a_table_that_is_no_chain_is_refused(row, why):
    with pytest.raises(proof_chain.InvalidChain, match=re.escape(why)):
        proof_chain.read(HEAD + row)


def test_every_coq_file_is_in_the_book(html):
    pages = {path.relative_to(html / "_static" / "code").with_suffix(".v").as_posix()
             for path in (html / "_static" / "code" / "proofs").glob("*/*.html")}
    assert pages == {path.relative_to(ROOT).as_posix() for path in ROOT.glob("proofs/*/*.v")}
    built = (html / "book" / f"{PAGE}.html").read_text(encoding="utf-8")
    linked = re.findall(r'class="derl-chain".*?</svg>', built, re.S)
    assert len(linked) == 1 and linked[0].count("<a href=") == len(CHAIN)
    for address in re.findall(r'href="\.\./\.\./([^"#]+)#(L\d+)"', linked[0]):
        code = (html / address[0]).read_text(encoding="utf-8")
        assert re.search(rf'<li id="{address[1]}">(?:Theorem|Lemma|Definition)', code)
