"""Verdicts come from the ledger: no page types one."""

import re

import rules

from derl.judge.verdicts import SIGNS

WORDS = "|".join(re.escape(word) for word in SIGNS)
MARKS = "".join(re.escape(sign) for sign in SIGNS.values() if sign not in "#!")
TYPED = re.compile(rf"verdict(?: is|:)\s*\W?(?:{WORDS})\b|[{MARKS}]\s*(?:{WORDS})\b|\*\*(?:{WORDS})\*\*"
                   rf"|\|\s*(?:{WORDS})\s*\|", re.IGNORECASE)
EXPLAIN = {"book/how-to-read.md", "book/your-own-paper.md", "book/back/formal.md"}  # these say what the words mean
FENCE = re.compile(r"^(`{3,})\{?(?:code-cell|python|yaml|text|console).*?^\1`*\s*$", re.MULTILINE | re.DOTALL)


def test_no_page_types_a_verdict():
    pages = {path.relative_to(rules.ROOT).as_posix(): path.read_text(encoding="utf-8") for path in rules.tracked()
             if path.suffix == ".md" and path.is_relative_to(rules.ROOT / "book")}
    assert len(pages) > 25 and TYPED.search("verdict: *refuted*") and TYPED.search("| Lemma C.2 | proved |")
    assert {name: found for name, text in pages.items() if name not in EXPLAIN
            and (found := [match[0] for match in TYPED.finditer(FENCE.sub("", text))])} == {}
