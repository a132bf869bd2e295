"""Every chapter is told in the same order, and says after its first example what is claimed, checked, and refutable."""

import re

import pytest
from rules import ROOT

from derl.claims import CHAPTERS

PAGES = [page for chapter in CHAPTERS for page in sorted((ROOT / "book" / chapter.replace("_", "-")).glob("*.md"))
         if page.stem not in ("appendix", "notation", "index", "executed", "paper", "exercises",
                             "machine-checked", "one-theorem")]  # lists, results, proofs that are programs
ORDER = ("} What you will be able to do", "\n## In plain words\n", "\n## The smallest example, by hand\n",
         "} In three lines", "} Exercise", "\n## Recap\n")
LINES = ("- *Claimed:* ", "- *Checked:* ", "- *It would be refuted by* ")


def missing(text: str) -> list[str]:
    """What a page lacks, or has at another place in the order."""
    places = [text.find(part) for part in ORDER]
    lacking = [part.strip() for part, place in zip(ORDER, places, strict=True) if place < 0]
    box = re.search(r"\} In three lines\n(.*?)\n:::", text, re.DOTALL)
    lacking += [line.strip() for line in LINES if not box or line not in box[1]]
    return lacking or (["the order"] if places != sorted(places) else [])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_chapter_is_told_from_what_you_will_learn_to_a_recap(page):
    text = page.read_text(encoding="utf-8")
    assert missing(text) == []
    assert re.search(r"\} Solution|code_prompt_show: \"Solution\"", text)


def test_a_page_without_one_of_them_is_seen():
    whole = "".join(f"{part}\n{chr(10).join(LINES)}\n:::\n" for part in ORDER)
    assert missing(whole) == []
    assert missing(whole.replace(ORDER[1], "")) == ["## In plain words"]
    assert missing(whole.replace(LINES[2], "")) == ["- *It would be refuted by*"]
    assert missing(ORDER[5] + whole.replace(ORDER[5], "")) == ["the order"]
