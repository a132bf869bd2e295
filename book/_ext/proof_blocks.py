"""The written proof of a statement on its page: numbered steps, each with what carries it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from check_boxes import Inline, details, listed, summary, text
from check_words import as_maths, counted
from docutils import nodes

from derl.judge.proofs import JOINTS, Step
from derl.judge.rows import CheckRow

TITLES = {"holds": "Proof", "proof-fails": "Why the printed proof fails"}


def proof_block(statement, rows: Sequence[CheckRow], inline: Inline, parse, quotations: Mapping[str, str]
                ) -> list[nodes.Node]:
    """A box with the proof, or with the refutation of a statement that is false; nothing where claims.yml has none.

    Parameters
    ----------
    rows : sequence of CheckRow
        The checks of the statement in the ledger.
    parse : callable
        Text of several lines of MyST -> nodes.
    quotations : mapping
        Theorems that the paper may quote: name -> what it says.
    """
    if not statement.proof:
        return []
    title = TITLES.get(statement.expected, "Why it fails")
    box = details("", summary("", f"{title}, {counted(len(statement.proof), 'step')}"), classes=["claim-proof"])
    items = []
    for number, step in enumerate(statement.proof, 1):
        item = nodes.list_item("", *parse(step.say), ids=[f"{statement.id}-step-{number}"])
        item += nodes.paragraph("", "", *carriers(step, rows, inline, quotations), classes=["carriers"])
        items.append(item)
    box += nodes.enumerated_list("", *items, enumtype="arabic", prefix="", suffix=".", classes=["proof-steps"])
    return [box]


def carriers(step: Step, rows: Sequence[CheckRow], inline: Inline, quotations: Mapping[str, str]) -> list[nodes.Node]:
    """What a step rests on: what was computed, what is used, what was read by eye, what is quoted."""
    titles = {row.name: row.title for row in rows}
    groups = []
    if step.check:
        groups.append([*text("computed: "), *listed([[nodes.inline("", "", *inline(as_maths(titles.get(name, name)))),
                                                      *text(f" ({part})" if part else "")]
                                                     for name, part in step.check])])
    if step.use:
        groups.append([*text("by "), *listed([inline(f"{{claim}}`{key}`") for key in step.use])])
    for words, meaning, opening in ((step.joint, JOINTS, "read by eye: "), (step.quote, quotations, "quoted: ")):
        if words:
            groups.append([*text(opening), *listed([[nodes.abbreviation("", word, explanation=meaning[word])]
                                                    for word in words])])
    return [node for i, group in enumerate(groups) for node in ([*text("; ")] if i else []) + group]
