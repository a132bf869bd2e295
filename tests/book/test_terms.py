"""The glossary: every term is used in the book, and its first use on a page is a link to its entry."""

import re

import lxml.etree
import lxml.html
import pytest
import terms
from browser import ROOT

GLOSSARY = ROOT / f"{terms.GLOSSARY}.md"
ENTRY = re.compile(r"^(\w[^\n]*)\n  (?=\S)", re.MULTILINE)
SAMPLE = ("# Glossary\n\n```{glossary}\nmixture\n  A distribution on policies.\n\ncut model\n  A model.\n\n"
          "cover\n  A few policies.\n\nlock\n  An instance.\n\njunk lock\n  A lock.\n```\n")
PAGE = ("# Mixtures\n\n| mixture |\n|---|\n| $x$ |\n\nOne [mixture](https://example.org), *two mixtures*, a mixture. "
        "It covers `a cover`, not a cover.\n\nIn the cut model there is no junk lock. A remixture is none.\n")
USED = 30  # a page of the book that is missing here is a page without any term


def entries() -> list[str]:
    return [term for block in re.findall(r"^```\{glossary\}\n(.*?)^```", GLOSSARY.read_text(encoding="utf-8"),
                                         re.MULTILINE | re.DOTALL) for term in ENTRY.findall(block)]


def links(html: str) -> list[tuple[str, str]]:
    return [(link.text_content(), link.get("href").rpartition("#")[2]) for link in
            lxml.html.document_fromstring(html).iter("a") if "glossary-term" in link.classes]


def test_every_way_and_every_scope_belongs_to_an_entry():
    known = entries()
    assert len(known) > 35 and len(set(known)) == len(known)
    assert {*terms.WAYS, *terms.ONLY} <= set(known)
    pages = [path.relative_to(ROOT / "book").as_posix() for path in (ROOT / "book").rglob("*.md")]
    for beginnings in terms.ONLY.values():
        assert all(any(page.startswith(beginning) for page in pages) for beginning in beginnings)


@pytest.mark.parametrize("term", entries())
def test_a_term_is_found_under_its_own_name(term):
    sentence = f"Consider the {term} of this page."
    assert terms.first(sentence, {term: terms.pattern(term)}) == (13, 13 + len(term), term)
    assert terms.first(f"Consider x{term}x.", {term: terms.pattern(term)}) is None


@pytest.mark.parametrize(("sentence", "said"), [
    ("It checks every policy.", None), ("The check passes.", "check"), ("A batch violates.", "violates"),
    ("The design matrix is full.", None), ("A junk lock opens.", "junk lock"), ("Two errata remain.", "errata"),
    ("It covers each state.", None), ("Such a cover is given.", "cover"), ("This blocks the way.", "blocks"),
    ("Designs modulo a law are new.", "Designs modulo a law"), ("Uncertainties add up.", "Uncertainties")])
def test_other_forms_and_other_senses(sentence, said):
    found = terms.first(sentence, {term: terms.pattern(term) for term in entries() if term not in ("batch",)})
    assert (sentence[found[0]:found[1]] if found else None) == said


def test_the_first_use_is_a_link_and_no_other(build):
    extensions = ["myst_parser", "claims_domain", "page_assets", "code_pages", "finding", "symbols", "terms"]
    built = build({terms.GLOSSARY: SAMPLE, "book/one": PAGE, "book/beyond/one": PAGE, "book/two": "# Two\n\nText.\n"},
                  extensions=extensions)
    assert built.warnings == ""
    common = [("mixtures", "term-mixture")]
    assert links(built.page("book/one")) == [*common, ("cut model", "term-cut-model"), ("junk lock", "term-junk-lock")]
    assert links(built.page("book/beyond/one")) == [*common, ("cover", "term-cover"), ("cut model", "term-cut-model"),
                                                    ("junk lock", "term-junk-lock")]
    assert links(built.page("book/two")) == links(built.page(terms.GLOSSARY)) == []
    assert 'href="../glossary.html#term-cut-model"' in built.page("book/beyond/one")


def test_pages_of_the_book_lead_to_the_glossary(html):
    pages = {page.relative_to(html / "book").as_posix(): links(page.read_text(encoding="utf-8"))
             for page in (html / "book").rglob("*.html")}
    for page, found in pages.items():
        assert len({anchor for _, anchor in found}) == len(found), f"{page} links a term twice"
    anchors = {link.get("id") for link in lxml.html.parse(html / "book" / "glossary.html").iter("dt")}
    used = {anchor for found in pages.values() for _, anchor in found}
    assert used <= anchors and sum(map(bool, pages.values())) > USED
    assert anchors - used - {None} == set(), "a term that no page uses"
