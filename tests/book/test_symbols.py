"""The notation: every symbol has one line, the names of the library in it exist, and pages lead to it once."""

import re
from collections import Counter
from importlib import import_module

import lxml.html
import pytest
import symbols
from browser import ROOT

NOTATION = ROOT / f"{symbols.NOTATION}.md"
TERM = re.compile(r"^\[(.+)\]\{#(sym-[\w-]+)(?: \.in-([\w-]+))?\}\n: ", re.MULTILINE)
SAMPLE = ("# Notation\n\n[$n$, $n_h$]{#sym-n}\n: A number.\n\n[$n$]{#sym-other .in-few}\n"
          ": Another one, on few pages.\n\nThe letter $n$ itself.\n")
PAGE = ("# About $n$\n\nFirst $n$, then $n_h$ and $n$ again, and $x$. "
        "[A link with $n$](https://example.org)\n\n## More\n")


def test_every_line_has_one_anchor_and_every_formula_of_a_place_one_line():
    lines = TERM.findall(NOTATION.read_text(encoding="utf-8"))
    assert len(lines) > 40 and len({key for _, key, _ in lines}) == len(lines)
    looks = Counter((formula, scope) for text, _, scope in lines for formula in re.findall(r"\$([^$]+)\$", text))
    assert [look for look, count in looks.items() if count > 1] == []
    assert NOTATION.read_text(encoding="utf-8").count("{#") == len(lines)


def names() -> list[str]:
    return sorted(set(re.findall(r"`(derl\.[\w.]+)`", NOTATION.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("name", names())
def test_the_names_of_the_library_exist(name):
    words = name.split(".")
    found = import_module(words[0])
    for i, word in enumerate(words[1:], 2):
        fields = getattr(found, "__annotations__", {})
        if word in fields:
            return
        try:
            found = getattr(found, word)
        except AttributeError:
            found = import_module(".".join(words[:i]))
    assert found is not None


def links(html: str) -> list[tuple[str, str]]:
    return [(link.text_content(), link.get("href").rpartition("#")[2]) for link in
            lxml.html.document_fromstring(html).iter("a") if "symbol" in link.classes]


def test_the_first_use_is_a_link_and_no_other(build):
    built = build({symbols.NOTATION: SAMPLE, "book/one": PAGE, "book/few/one": PAGE, "book/back/one": PAGE,
                   "book/two": "# Two\n\nNo symbol but $y$.\n"})
    assert built.warnings == ""
    assert links(built.page("book/one")) == [("\\(n\\)", "sym-n")]
    assert links(built.page("book/few/one")) == [("\\(n\\)", "sym-other"), ("\\(n_h\\)", "sym-n")]
    for page in (symbols.NOTATION, "book/back/one", "book/two"):
        assert links(built.page(page)) == []
    assert re.search(r'<span class="glued"><a class="[^"]*symbol.*?</a>,', built.page("book/one"))


def test_pages_of_the_book_lead_to_the_notation(html):
    found = Counter(key for page in (html / "book").rglob("*.html")
                    for _, key in links(page.read_text(encoding="utf-8")))
    known = {key for _, key, _ in TERM.findall(NOTATION.read_text(encoding="utf-8"))}
    assert found.keys() <= known and sum(found.values()) > 100
    assert len(known - found.keys()) <= 8  # written in longer formulas only
