"""The labs of the foundations: your own MDP, a log, a check of the ledger that you break, a statement that you edit."""

from __future__ import annotations

import html
import inspect
from functools import cache

from derl.claims import PAPER
from derl.judge import trial, verdicts
from derl.ledger.arguments import changed, shown
from derl.mdp import planning
from derl.show.drawing.instances import instance_graph
from derl.show.foundations.draft import cells_of, fault, linear_mdp, read
from derl.show.foundations.draft_figure import one_step
from derl.show.foundations.light import checks, recorded
from derl.show.foundations.log_lab import LAB
from derl.show.foundations.rewriting import offered, statement_view
from derl.show.foundations.sheet import EDITORS, VALID, WORDS, sheet, text_of
from derl.show.foundations.trial_figures import found, gauge, passage
from derl.show.foundations.trials import STOPS, Trial, path, tried
from derl.show.labs.controls import Choice, Depends, Lab, Slider, Steps, View
from derl.show.labs.texts import Table, Text

LOG = LAB  # described beside its function

STARTS = {
    "a valid one": VALID,
    "a row beyond the simplex": VALID.replace("0.4 0.6 0 |", "0.4 0.7 0 |"),
    "a negative probability": VALID.replace("0 0.5 0.5 | 0.6", "-0.1 0.6 0.5 | 0.6"),
    "a feature that is too long": VALID.replace("0.5 0 0.5 |", "0.9 0 0.9 |"),
    "a reward above 1": VALID.replace("0 0 1 | 1", "0 0 1 | 1.2"),
    "features of too small a rank": VALID.replace("0.5 0.5 0 | 0.4 0.6 0", "0.5 0.5 0 | 0.4 0.2 0.4"),
    "a reward that is not linear": VALID.replace("0 1 0 | 0.2", "0 1 0 | 0.9"),
    "measures that are too long": "\n".join(
        " ".join(f"{float(word) / 5:g}" for word in line.split("|")[0].split()) + " |" + line.split("|", 1)[1]
        for line in VALID.splitlines()),
}


def mdp_view(text: str, horizon: int) -> View:
    """What is typed, as a picture of one step, and the first assumption that it breaks."""
    draft = read(text)
    wrong = fault(draft)
    if wrong:
        return View(f"✗ Not a linear MDP. {wrong.sentence[0].upper()}{wrong.sentence[1:]}.", (one_step(draft, wrong),),
                    idle=("horizon",), marks=cells_of(draft, wrong))
    mdp = linear_mdp(draft, horizon)
    best = planning.optimal(mdp)
    return View(f"✓ A linear MDP: all assumptions hold. From state 0 the best policy earns {best.value:.4g} in "
                f"{horizon} layers (red path).", (one_step(draft), instance_graph(mdp, highlight=best.policy)))


OWN = Lab("foundations", "Your own MDP: which assumption fails, and where?",
          "Edit features, transitions and rewards in a table. One sentence names the assumption that fails, "
          "or you see the best policy.",
          mdp_view, (Table("text", WORDS, STARTS, "a valid one", sheet, text_of, EDITORS),
           Slider("horizon", "horizon H", tuple(range(2, 9)), 3)), "foundations/setting")

NAME = str.maketrans("", "", "$\\{}")  # of the mathematics in a title
WIDEST = 90  # characters of an alternative


def chapters() -> tuple[str, ...]:
    """The chapters that have a light check."""
    return tuple(dict.fromkeys(PAPER.statements[claim].chapter for claim, _ in recorded()))


@cache
def claims_of(chapter: str) -> tuple[tuple[str, str], ...]:
    """(words, id) of the statements of a chapter."""
    found = dict.fromkeys(claim for claim, _ in recorded() if PAPER.statements[claim].chapter == chapter)
    return unlike((called(claim), claim) for claim in found)


@cache
def checks_of(claim: str) -> tuple[tuple[str, str], ...]:
    """(words, name) of the checks of a statement."""
    return unlike((checks()[of, name].title, name) for of, name in recorded() if of == claim)


@cache
def falsehoods_of(claim: str, check: str) -> tuple[tuple[str, str], ...]:
    """(words, what is planted) of the controls of a check."""
    return unlike((plants, plants) for plants in dict.fromkeys(c.plants for c in checks()[claim, check].controls))


def called(claim: str) -> str:
    """Number and title of a statement without mathematics."""
    statement = PAPER.statements[claim]
    title = statement.title.translate(NAME)
    return title if statement.own else f"{statement.name}: {title}"


def unlike(pairs) -> tuple[tuple[str, str], ...]:
    """Alternatives that fit a line and can be told apart."""
    found: dict[str, str] = {}
    for words, value in pairs:
        short = words if len(words) <= WIDEST else words[:WIDEST - 1] + "\u2026"
        found[short if short not in found else f"{short} ({len(found)})"] = value
    return tuple(found.items())


def told(run: Trial) -> str:
    """What happened, in a sentence."""
    head = f"{verdicts.SIGNS[run.word]} {run.word}:"
    if run.evidence is None:
        return f"{head} the check has no answer here ({run.error})."
    what, check = found(run.evidence), run.check
    if run.stop == 0:
        stands = ("the counterexample to the printed statement remains valid" if check.refutes else
                  "the gap in the printed proof is there" if check.breaks_proof else
                  "the check passes on the statement as written")
        return f"{head} {stands}; {what}. Now try the false variant: step or play."
    where = "" if run.stop == run.stops else f", {100 * run.stop / run.stops:.0f} per cent of the way to it"
    end = f"the check still passes; {what}." if run.passes else f"the check fails; {what}."
    return f"{head} planted “{run.control.plants}”{where}: {end}"


def record(run: Trial) -> str:
    """All facts about a run as a table, and the code that ran."""
    check = run.check
    rows = [("statement", called(check.claim)), ("check", check.title), ("covers", check.covers),
            ("false variant", run.control.plants)]
    for name, (true, false, now) in run.arguments.items():
        here = f"; now: {short(now)}" if 0 < run.stop < run.stops else ""
        rows.append((f"argument {name}", f"true: {short(true)}; false: {short(false)}{here}"))
    if run.broken:
        rows.append(("fails", "; ".join(run.broken[:5]) + (f"; {len(run.broken) - 5} more" if run.broken[5:] else "")))
    if run.stop == run.stops and run.witness:
        rows.append(("witness", run.witness))
    if run.evidence:
        rows.append(("scope", run.evidence.scope))
    rows += [(f"{what} is in", f"{at.file}, line {at.line}") for what, at in
             (("check", trial.place(check.function)), ("control", run.control.place))]
    body = "".join(f"<tr><th>{html.escape(key)}</th><td>{html.escape(str(value))}</td></tr>" for key, value in rows)
    code = html.escape(f"{inspect.getsource(inspect.unwrap(check.function))}\n\n"
                       f"# {run.control.plants}\n{changed(run.control)}")
    return f"<table>{body}</table><details><summary>the code that ran</summary><pre>{code}</pre></details>"


def short(value) -> str:
    """A value as a cell shows it."""
    words = shown(value)
    return words if len(words) <= WIDEST else words[:WIDEST - 1] + "\u2026"


def check_view(stop: int, chapter: str, claim: str, check: str, falsehood: str) -> View:
    """Run one check of the ledger on the true statement, on a false variant, or between them."""
    run, truth = tried(claim, check, falsehood, stop), tried(claim, check, falsehood, 0)
    pictures = [gauge(run, truth)]
    if run.stops > 1:
        pictures.append(passage(path(claim, check, falsehood, stop, recorded()[claim, check]), stop))
    return View(told(run), (*pictures, record(run)), run.stops)


CHECK = Lab("foundations_check", "Break a check",
            "Plant a false variant of a statement. Its check runs again, and you see how the verdict changes.",
            check_view, (
                Choice("chapter", "chapter", chapters(), "potential"),
                Depends("claim", "statement", claims_of, ("chapter",), "lem-trace-det"),
                Depends("check", "check", checks_of, ("claim",), "trace_at_most_rho_log_rho"),
                Depends("falsehood", "false variant", falsehoods_of, ("claim", "check"), "99/100 of rho log rho"),
                Steps("stop", "towards it", 1, 0, STOPS)), "how-to-read")


EDIT = Lab("foundations_edit", "Edit a theorem",
           "Change a number, a sign or a letter in a statement. Its checks read the new text, and say whether it is "
           "still true.",
           statement_view, (Text("text", "The statement, in LaTeX. Type into it, or begin with another statement.",
                                 dict(unlike((called(claim), PAPER.text(claim)) for claim in offered())),
                                 called("res-sharp-potential")),), "how-to-read")
