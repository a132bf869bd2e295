"""One check as the reader sees it: what was done and found, the source of the check, and of the controls that bite."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence

from check_words import answer, as_maths, found
from docutils import nodes

from derl.judge.rows import CheckRow, StepRow
from derl.ledger.arguments import changed

METHOD = {"kernel": "the kernel of Coq", "symbolic": "symbolic proof", "certificate": "certificate",
          "exhaustive": "exhaustive enumeration",
          "interval": "interval arithmetic", "stress": "adversarial search", "statistical": "statistics", "run": "runs"}
ARITHMETIC = {"exact": "exact arithmetic", "ball": "enclosures in balls", "float64": "floating point"}

Inline = Callable[[str], list[nodes.Node]]  # text with maths and roles -> nodes
Address = Callable[[str, int], str]  # file and line of a check -> where they can be read


class details(nodes.General, nodes.Element):
    """A box that opens on a click, without any script."""


class summary(nodes.General, nodes.TextElement):
    """The line of a `details` box that is always seen."""


class waiting(nodes.General, nodes.Element):
    """Long code in a box: it stands in the page as a template, and page.js makes elements of it when the box opens."""


UNREAD = "Without scripts this does not open; it lies in the folder of the book."


def visit_waiting(translator, node):
    translator.body.append(f'<noscript>{UNREAD}</noscript><template class="waiting">')


def depart_waiting(translator, node):
    translator.body.append("</template>\n")


def visit_details(translator, node):
    translator.body.append(translator.starttag(node, "details"))


def depart_details(translator, node):
    translator.body.append("</details>\n")


def visit_summary(translator, node):
    translator.body.append(translator.starttag(node, "summary", ""))


def depart_summary(translator, node):
    translator.body.append("</summary>\n")


def plain(translator, node):
    """Other writers show the content without the box."""


def text(value: str) -> list[nodes.Node]:
    return [nodes.Text(value)]


def listed(parts: list[list[nodes.Node]]) -> list[nodes.Node]:
    """Groups of nodes with commas between them."""
    return [node for i, part in enumerate(parts) for node in ([nodes.Text(", ")] if i else []) + part]


def facts(rows: list[tuple[str, list[nodes.Node]]], style: str) -> nodes.definition_list:
    """Name and value, row by row."""
    box = nodes.definition_list(classes=["facts", style])
    for name, value in rows:
        term = nodes.term("", name)
        box += nodes.definition_list_item("", term, nodes.definition("", nodes.paragraph("", "", *value)))
    return box


def outside(address: str) -> bool:
    """Whether an address leads out of the book."""
    return address.startswith("https:")


def linked(content: nodes.Node, address: str) -> nodes.reference:
    """A link to a place in the book, or out of it."""
    return nodes.reference("", "", content, internal=not outside(address), refuri=address)


def seconds(value: float) -> str:
    if value < 0.01:
        return "under 0.01 s"
    return f"{value:.2f} s" if value < 100 else f"{value:.0f} s"


def sources(check) -> str:
    """The check as it stands in the file, and the arguments that each control changes; empty where there is no file."""
    try:
        parts = [inspect.getsource(check.function).rstrip()]
    except (OSError, TypeError):  # made at a prompt
        return ""
    parts += [f"# {control.plants}\n{changed(control)}" for control in check.controls]
    return "\n\n\n".join(parts)


def check_box(row: CheckRow, check, inline: Inline, address: Address, shown: bool = True) -> nodes.container:
    """One check.

    Parameters
    ----------
    row : CheckRow
    check : Check or None
        The same check in the registry, for its source.
    address : callable
        File and line -> where they can be read.
    shown : bool
        Whether the source is shown, and not only its place.
    """
    def maths(value: str) -> list[nodes.Node]:
        return inline(as_maths(value))

    box = nodes.container("", nodes.paragraph("", "", nodes.strong("", "", *maths(row.title)),
                                              classes=["check-title"]), classes=["check", f"check-{row.outcome}"])
    if row.summary:
        box += nodes.paragraph("", "", *maths(row.summary))
    rows = [("Method", text(f"{METHOD[row.method]}, {ARITHMETIC[row.arithmetic]}; {row.tier} tier, "
                            f"{seconds(row.seconds)}"))]
    if row.measured is not None:
        rows += [("Found", text(found(row))), ("For", maths(row.scope))]
    else:
        rows.append(("Outcome", text(row.outcome)))
    if row.covers != "everything":
        rows.append(("Covers", maths(row.covers)))
    if row.gap != "none":
        rows.append(("Not covered", maths(row.gap)))
    if row.detail:
        rows.append(("Detail", text(row.detail)))
    box += facts(rows, "facts-check")
    box += _changes(row, maths)
    if row.steps:
        box += _steps(row.steps, maths)
    box += _code(row, check, address, shown)
    return box


def _changes(row: CheckRow, maths: Inline) -> list[nodes.Node]:
    """Each control: what the truth is changed to, and what the check then says."""
    if not row.controls:
        return []
    items = [nodes.list_item("", nodes.paragraph("", "", *text("Changed to: "), nodes.strong("", "", *maths(
        control.planted)), *text(". Then "), nodes.inline("", "", *maths(answer(control, row)), classes=["answer"]),
        *text("."))) for control in row.controls]
    said = all(control.outcome == "rejected" for control in row.controls)
    opening = "Break it, and the check says no:" if said else "Break it, and see what the check says:"
    return [nodes.paragraph("", opening, classes=["check-break"]),
            nodes.bullet_list("", *items, classes=["check-changes"])]


def _steps(steps: Sequence[StepRow], maths: Inline) -> nodes.enumerated_list:
    """What was computed, step by step, each with the falsehood beside it; a part has its name at its first step."""
    items = []
    for before, step in zip([None, *steps], steps, strict=False):
        opens = step.part and (before is None or before.part != step.part)
        shown = [*([nodes.strong("", step.part), *text(": ")] if opens else []), *maths(step.name),
                 *text("" if step.holds else " (does not hold)")]
        miss = step.near_miss
        if miss:
            shown.append(nodes.inline("", "", *text("; rejected: "), *maths(miss.planted),
                                      *text(" at "), *maths(miss.at), classes=["near-miss"]))
        items.append(nodes.list_item("", nodes.paragraph("", "", *shown)))
    return nodes.enumerated_list("", *items, enumtype="arabic", prefix="", suffix=".", classes=["check-steps"])


def _code(row: CheckRow, check, address: Address, whole: bool) -> list[nodes.Node]:
    """A link to the file and the line, and the source itself."""
    place, link = nodes.literal("", f"{row.file}:{row.line}"), address(row.file, row.line)
    source = sources(check) if check else ""
    if not source:
        shown = linked(place, link) if outside(link) else place  # the book has no copy of it
        return [nodes.paragraph("", "", *text("Code: "), shown, classes=["check-place"])]
    return [nodes.paragraph("", "", *text("Code: "), linked(place, link), classes=["check-place"]),
            *([waiting("", nodes.literal_block(source, source, language="python", classes=["check-source"]))]
              if whole else [])]
