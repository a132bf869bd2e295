"""What the book shows of one statement beside its text: a verdict, one line on how it was reached, and all that
carries it, on the evidence page of its chapter, or behind one disclosure where a book has no such page.

Nothing here decides anything: names and texts come from claims.yml, verdicts and numbers from the ledger, sources from
the files of the checks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from check_boxes import METHOD, Address, Inline, check_box, details, facts, listed, seconds, summary, text
from check_words import as_maths, counted
from docutils import nodes

from derl.judge.places import Reading, reading
from derl.judge.verdicts import SIGNS
from derl.ledger.rows import StatementRow
from derl.ledger.statements import UNREAD

# shown as one line: what a headline statement is proved with, and the rows of a table
MINOR = ("equation", "inequality", "in-text", "table", "property", "remark")


@dataclass(frozen=True)
class Surroundings:
    """What a card needs to know beside its statement.

    Attributes
    ----------
    inline : callable
        Text with maths and roles -> nodes.
    used_by : sequence of str
        Statements that use this one directly.
    check_of : callable
        Name of a check of this statement -> the check in the registry, or None.
    address : callable
        File and line of a check -> where they can be read.
    command : str
        What runs the checks of a statement, its id behind it; nothing is said where it is empty.
    sources : bool
        Whether the source of each check is shown, and not only its place.
    """

    inline: Inline
    used_by: tuple[str, ...] = ()
    check_of: Callable[[str], object] = field(default=lambda name: None)
    address: Address = lambda file, line: f"#{file}:{line}"
    command: str = ""
    sources: bool = True


AS_PRINTED = {"refuted": "as printed, refuted", "repaired": "as printed, refuted",
              "proof mended": "its printed proof, or its printed form, refuted",
              "open": "its printed proof refuted, the statement neither proved nor refuted",
              "minor slip": "read to the letter, refuted"}


def called(statement) -> str:
    """How prose refers to a statement: by the paper's number, or by its title where the paper has none."""
    return statement.name if statement.number else statement.title


def is_minor(statement, statements) -> bool:
    """Whether one line is enough: equations, inequalities, remarks within the text, and what corrects only those."""
    if not statement.own:
        return statement.kind in MINOR
    mended = [other.kind for other in statements.values() if other.repair == statement.id]
    return bool(mended) and all(kind in MINOR for kind in mended)


def badge(word: str) -> nodes.inline:
    """The verdict word with its sign; colour only repeats what the word says."""
    slug = word.replace(" ", "-")
    return nodes.inline("", f"{SIGNS[word]} {word}", classes=["verdict", f"verdict-{slug}"])


def sign(word: str) -> nodes.inline:
    """The sign of a verdict behind a link."""
    glued = f"\N{WORD JOINER}{SIGNS[word]}"  # no line break between the link and its sign
    return nodes.inline("", glued, classes=["claim-sign", f"verdict-{word.replace(' ', '-')}"])


def permalink(key: str, name: str) -> nodes.raw:
    """A link to the statement itself, to copy."""
    return nodes.raw("", f'<a class="claim-permalink" href="#{key}" aria-label="Link to {name}">¶</a>', format="html")


def card(statement, row: StatementRow, around: Surroundings) -> details:
    """One disclosure: how the verdict was reached, what is open, what rests on what, and the checks."""
    return details("", summary("", _line(row)), *evidence(statement, row, around), classes=["claim-card"])


def checked_line(statement, row: StatementRow, inline: Inline, address: str) -> nodes.paragraph:
    """How the verdict was reached, in one line that leads to the evidence; what corrects the statement comes first."""
    shown = []
    if statement.repair:
        shown += [*text("Corrected: "), *inline(f"{{claim}}`{statement.repair}`"), *text(". ")]
    if statement.added:
        shown += [*text("Added here: "), *inline(statement.added), *text(". ")]
    methods = ", ".join(methods_of(row))
    shown += [*text(f"Checked by {methods}: " if methods else ""),
              nodes.reference("", _line(row), internal=True, refuri=address),
              *text(f"; in Coq: {row.kernel}." if row.kernel else ".")]
    return nodes.paragraph("", "", *shown, classes=["claim-checked"])


def evidence(statement, row: StatementRow, around: Surroundings) -> list[nodes.Node]:
    """Facts about the verdict, formulas that no check reads, and the checks."""
    inline = around.inline

    def links(ids):
        return listed([inline(f"{{claim}}`{key}`") for key in ids])

    rows = [("Verdict", text(f"{row.verdict}{_how(row)}"))] if methods_of(row) else []
    if row.scope_gap != "none":
        rows.append(("Not covered", inline(as_maths(row.scope_gap))))
    if statement.repair:
        rows.append(("Corrected", links([statement.repair])))
    if statement.added:
        rows.append(("Added here", inline(statement.added)))
    rows.append(("Rests on", links(statement.uses) if statement.uses else text("nothing else in this book")))
    if row.weakest:
        rows.append(("Not proved below", links(row.weakest)))
    read = reading(statement.statement, row.checks) if any(check.variants for check in row.checks) else None
    if read:
        rows.append(("Its text", text(str(read))))
    if around.used_by:
        rows.append(("Used by", links(around.used_by)))
    if statement.line:
        where = f"line {statement.line} of the paper's source"
        rows.append(("Paper", text(where + (f", label {statement.label}" if statement.label else ""))))
    else:
        rows.append(("Paper", text("not in the paper; a result of this book")))
    if around.command:
        rows.append(("In a terminal", [nodes.literal("", f"{around.command} {statement.id}"),
                                       *text(f" ({seconds(row.seconds)})" if row.checks else "")]))
    return [facts(rows, "facts-card"), *(_places(read, statement.unread) if read else []),
            *(check_box(check, around.check_of(check.name), inline, around.address, around.sources)
              for check in row.checks)]


def _places(read: Reading, unread: Mapping[str, Sequence[str]]) -> list[nodes.Node]:
    """Folded: the planted changes that no check decides, and the formulas that no check evaluates, with the reason."""
    reasons = {one: f": {reason}, {UNREAD[reason]}" for reason, some in unread.items() for one in some}
    told = [(one, reasons.get(one, "")) for one in read.says]
    return [details("", summary("", name), nodes.bullet_list(
        "", *(nodes.list_item("", nodes.paragraph("", "", nodes.literal("", one), *text(why))) for one, why in some)),
        classes=["claim-places"])
        for name, some in ((f"{counted(len(read.free), 'change')} of the text decided by no check",
                            [(one, "") for one in read.free]),
                           (f"{len(told)} of {read.formulas} formulas evaluated by no check", told)) if some]


def _line(row: StatementRow) -> str:
    """The line of the disclosure."""
    if not row.checks:
        return "What it rests on"
    planted, rejected = len(row.controls), sum(control.outcome == "rejected" for control in row.controls)
    changes = sum(len(check.variants.outcomes) for check in row.checks if check.variants)
    if changes and not planted:
        return f"{counted(len(row.checks), 'check')}, {counted(changes, 'change')} of the text planted"
    return (f"{counted(len(row.checks), 'check')}, {counted(planted, 'false variant')}, "
            f"{'all' if rejected == planted else rejected} rejected")


def _how(row: StatementRow) -> str:
    """By which methods the verdict was reached."""
    methods = ", ".join(methods_of(row))
    if row.verdict in AS_PRINTED:
        return f"; {AS_PRINTED[row.verdict]} by {methods}"
    return f" by {methods}"


def methods_of(row: StatementRow) -> list[str]:
    """The methods of the checks that passed, each once."""
    return list(dict.fromkeys(METHOD[check.method] for check in row.checks if check.passes))
