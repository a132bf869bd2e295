"""Verdicts come from the ledger: no page types one."""

import re

import pytest
import rules

from derl.ledger.verdicts import SIGNS

WORDS = "|".join(re.escape(word) for word in SIGNS)
MARKS = "".join(re.escape(sign) for sign in SIGNS.values() if sign not in "#!")
TYPED = re.compile(rf"verdict(?: is|:)\s*\W?(?:{WORDS})\b|[{MARKS}]\s*(?:{WORDS})\b|\*\*(?:{WORDS})\*\*"
                   rf"|\|\s*(?:{WORDS})\s*\|", re.IGNORECASE)
EXPLAIN = {"book/how-to-read.md", "book/your-own-paper.md", "book/back/formal.md"}  # these say what the words mean
FENCE = re.compile(r"^(`{3,})\{?(?:code-cell|python|yaml|text|console).*?^\1`*\s*$", re.MULTILINE | re.DOTALL)


def typed(text: str) -> list[str]:
    """Verdicts in the prose of a page, not in its code."""
    return [found[0] for found in TYPED.finditer(FENCE.sub("", text))]


def test_no_page_types_a_verdict():
    pages = [path for path in rules.tracked() if path.match("book/**/*.md") or path.match("book/*.md")]
    assert len(pages) > 25
    found = {path.relative_to(rules.ROOT).as_posix(): typed(path.read_text(encoding="utf-8")) for path in pages}
    assert {name: words for name, words in found.items() if words and name not in EXPLAIN} == {}


@pytest.mark.parametrize("planted", ["the verdict is proved", "verdict: *refuted*", "■ proved", "**certified**",
                                     "| Lemma C.2 | proved |"])
def test_a_typed_verdict_is_seen(planted):
    assert typed(f"text\n{planted}\ntext") and not typed("it is proved by induction; a check is refuted by a control")
