"""The values by which the ledger and the errata are narrowed."""

from ledger_pages import chapter_of

from derl.claims import PAPER


def test_pages_that_share_a_name_are_told_apart():
    assert chapter_of("analysis/appendix-e") == "appendix-e"
    assert chapter_of("analysis/appendix") == "analysis-appendix"
    pages = {statement.page for statement in PAPER.statements.values()}
    assert len({chapter_of(page) for page in pages}) == len(pages)
