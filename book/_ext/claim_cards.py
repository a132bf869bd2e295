"""What the book shows of one statement and of the checks behind it, as docutils nodes.

Nothing here decides anything: names and texts come from claims.yml, verdicts and numbers from the ledger.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from docutils import nodes

from derl.ledger.verdicts import SIGNS

LONGEST = 24  # digits of an exact number that are still pleasant to read
METHOD = {"kernel": "the kernel of Coq", "symbolic": "symbolic proof", "certificate": "certificate",
          "exhaustive": "exhaustive enumeration",
          "interval": "interval arithmetic", "stress": "adversarial search", "statistical": "statistics", "run": "runs"}

Inline = Callable[[str], list[nodes.Node]]  # text with maths and roles -> nodes


class details(nodes.General, nodes.Element):
    """A box that opens on a click, without any script."""


class summary(nodes.General, nodes.TextElement):
    """The line of a `details` box that is always seen."""


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


def called(statement) -> str:
    """How prose refers to a statement: by the paper's number, or by its title where the paper has none."""
    return statement.title if statement.kind == "result" else statement.name


def badge(word: str) -> nodes.inline:
    """The verdict word with its sign; colour only repeats what the word says."""
    slug = word.replace(" ", "-")
    return nodes.inline("", f"{SIGNS[word]} {word}", classes=["verdict", f"verdict-{slug}"])


def sign(word: str) -> nodes.inline:
    """The sign of a verdict behind a link."""
    glued = f"\N{WORD JOINER}{SIGNS[word]}"  # no line break between the link and its sign
    return nodes.inline("", glued, classes=["claim-sign", f"verdict-{word.replace(' ', '-')}"])


def number(value) -> str:
    """A number of the ledger for the eye; an exact one that is too long is rounded, and says so."""
    if isinstance(value, str):
        if len(value) <= LONGEST:
            return value
        try:
            exact = Fraction(value)
        except ValueError:
            return value
        return f"≈ {rounded(exact)} (exact, {len(value)} characters)"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def rounded(exact: Fraction) -> str:
    """Six significant digits, also where float overflows."""
    try:
        return f"{float(exact):.6g}"
    except OverflowError:
        digits = str(abs(exact.numerator) // exact.denominator)
        sign = "-" if exact < 0 else ""
        return f"{sign}{digits[0]}.{digits[1:6]}e+{len(digits) - 1}"


def seconds(value: float) -> str:
    if value < 0.01:
        return "under 0.01 s"
    return f"{value:.2f} s" if value < 100 else f"{value:.0f} s"


def facts(rows: list[tuple[str, list[nodes.Node]]], style: str) -> nodes.definition_list:
    """Name and value, row by row."""
    box = nodes.definition_list(classes=["facts", style])
    for name, value in rows:
        term = nodes.term("", name)
        box += nodes.definition_list_item("", term, nodes.definition("", nodes.paragraph("", "", *value)))
    return box


def text(value: str) -> list[nodes.Node]:
    return [nodes.Text(value)]


def listed(parts: list[list[nodes.Node]]) -> list[nodes.Node]:
    """Groups of nodes with commas between them."""
    return [node for i, part in enumerate(parts) for node in ([nodes.Text(", ")] if i else []) + part]


def card(statement, row: dict, inline: Inline) -> nodes.container:
    """Verdict, methods, scope gap, cost, what it rests on and where it stands in the paper; then the checks."""
    def links(ids):
        return listed([inline(f"{{claim}}`{key}`") for key in ids])

    rows = [("Verdict", [badge(row["verdict"]), *text(how(row))]),
            ("Not covered", inline(row["scope_gap"]))]
    if statement.repair:
        rows.append(("Corrected", links([statement.repair])))
    rows.append(("Rests on", links(statement.uses) if statement.uses else text("nothing else in this book")))
    if row["weakest"]:
        rows.append(("Weakest links", links(row["weakest"])))
    if statement.line:
        where = f"line {statement.line} of the paper's source"
        rows.append(("Paper", text(where + (f", label {statement.label}" if statement.label else ""))))
    else:
        rows.append(("Paper", text("not in the paper; a result of this book")))
    if row["checks"]:
        rows.append(("Cost", text(seconds(row["seconds"]))))
    return nodes.container("", facts(rows, "facts-card"), *evidence(row["checks"], inline), classes=["claim-card"])


def how(row: dict) -> str:
    """By which methods the verdict was reached."""
    methods = ", ".join(methods_of(row))
    if not methods:
        return ""
    return f"; as printed, refuted by {methods}" if row["verdict"] in ("refuted", "repaired") else f" by {methods}"


def methods_of(row: dict) -> list[str]:
    """The methods of the checks that passed, each once."""
    return list(dict.fromkeys(METHOD[check["method"]] for check in row["checks"] if check["outcome"] == "pass"))


def evidence(checks: list[dict], inline: Inline) -> list[nodes.Node]:
    """One box with all checks of a statement, closed at first."""
    if not checks:
        return []
    controls = sum(len(check["controls"]) for check in checks)
    rejected = sum(control["outcome"] == "rejected" for check in checks for control in check["controls"])
    line = (f"{counted(len(checks), 'check')}, {counted(controls, 'planted falsehood')}, "
            f"{'all' if rejected == controls else rejected} rejected")
    box = details("", summary("", line), classes=["claim-evidence"])
    box += [check_box(check, inline) for check in checks]
    return [box]


def counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def check_box(check: dict, inline: Inline) -> nodes.container:
    """One check: what was done, what was measured against what was claimed, and its negative controls."""
    heading = nodes.paragraph("", "", nodes.strong("", "", *inline(check["title"])), classes=["check-title"])
    rows = [("Method", text(f"{METHOD[check['method']]}, {check['arithmetic']} arithmetic")),
            ("Outcome", text(check["outcome"] + (", confirming a counterexample" if check["refutes"] else "")))]
    if "scope" in check:
        relation = {"upper": "at most", "lower": "at least"}.get(check["direction"], "equal to")
        rows += [("Scope", inline(check["scope"])),
                 ("Measured", text(f"{number(check['measured'])}; claimed: {relation} {number(check['claimed'])}; "
                                   f"margin {number(check['margin'])}"))]
    if check["covers"] != "everything":
        rows.append(("Covers", inline(check["covers"])))
    if check["gap"] != "none":
        rows.append(("Not covered", inline(check["gap"])))
    if check.get("detail"):
        rows.append(("Detail", text(check["detail"])))
    rows += [("Planted", [*inline(control["planted"]), *text(f" → {control['outcome']}")])
             for control in check["controls"]]
    source = nodes.literal("", f"{check['file']}:{check['line']}")
    rows.append(("Code", [source, *text(f" ({check['tier']} tier, {seconds(check['seconds'])})")]))
    box = nodes.container("", heading, classes=["check", f"check-{check['outcome']}"])
    if check["summary"]:
        box += nodes.paragraph("", "", *inline(check["summary"]))
    if check.get("steps"):
        items = [nodes.list_item("", nodes.paragraph("", "", *inline(step["name"]), *text("" if step["holds"]
                 else " (does not hold)"))) for step in check["steps"]]
        box += nodes.enumerated_list("", *items, enumtype="arabic", prefix="", suffix=".", classes=["check-steps"])
    box += facts(rows, "facts-check")
    return box
