"""Two labs of the foundations: your own MDP, and a check of the ledger that you break."""

from __future__ import annotations

import html
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial, update_wrapper

import numpy as np

from derl.claims import PAPER
from derl.ledger import verdicts
from derl.ledger.trial import run_check
from derl.mdp import planning
from derl.show.drawing import style
from derl.show.drawing.instances import instance_graph
from derl.show.foundations.draft import PARTS, Draft, fault, linear_mdp, read
from derl.show.labs.controls import Choice, Lab, Slider, Text, View

VALID = """1 0 0 | 0.8 0.2 0 | 0
0.5 0.5 0 | 0.4 0.6 0 | 0.1
0 1 0 | 0 1 0 | 0.2
0 0.5 0.5 | 0 0.5 0.5 | 0.6
0 0 1 | 0 0 1 | 1
0.5 0 0.5 | 0.4 0.1 0.5 | 0.5"""
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


def typed(draft: Draft, wrong) -> str:
    """All rows as a table; the cell of the fault is marked."""
    lines = []
    for s, a in np.ndindex(draft.rewards.shape):
        cells = [f"s{s}", f"a{a}"]
        for part, values in zip(PARTS, (draft.phi[s, a], draft.rows[s, a], [draft.rewards[s, a]]), strict=True):
            here = wrong and wrong.part == part and (wrong.state is None or (wrong.state, wrong.action) == (s, a))
            words = " ".join(f"{value:g}" for value in values)
            cells.append(f'<span class="derl-bad">&#10007; {words}</span>' if here else words)
        lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    head = "".join(f"<th>{word}</th>" for word in ("state", "action", *PARTS))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def mdp_view(text: str, horizon: int) -> View:
    """What is typed, and the first assumption that it breaks."""
    draft = read(text)
    wrong = fault(draft)
    if wrong:
        return View(f"Not a linear MDP. {wrong.sentence[0].upper()}{wrong.sentence[1:]}.", (typed(draft, wrong),),
                    idle=("horizon",))
    mdp = linear_mdp(draft, horizon)
    best = planning.optimal(mdp)
    return View(f"A linear MDP: all assumptions hold. From state 0 the best policy earns {best.value:.4g} in {horizon} "
                f"layers.", (typed(draft, None), instance_graph(mdp, highlight=best.policy)))


OWN = Lab("foundations", "Your own MDP: which assumption fails, and where?",
          "Type features, transitions and rewards; one sentence says what breaks, or the best policy is drawn.",
          mdp_view, (Text("text", "one line per state and action: features | next states | reward", STARTS,
                          "a valid one"),
           Slider("horizon", "horizon H", tuple(range(2, 9)), 3)), "foundations/setting")

# statement and check -> the argument that the slider turns, and how a share becomes a value of it
BREAKABLE = {
    "Lemma C.3, the bridge": ("printed_bridge_under_stress", "factor", float),
    "the sharp bridge": ("sharp_bridge_under_stress", "factor", float),
    "Lemma C.2, determinants": ("small_integer_pairs", "scale", lambda percent: Fraction(round(percent * 100), 100)),
}


@lru_cache(maxsize=64)
def tried(name: str, share: float) -> tuple[dict, str, str]:
    """The registry's row of a check whose bound is scaled, the id of its statement, and the verdict by that row."""
    function, argument, kind = BREAKABLE[name]
    check = next(check for check in PAPER.register().checks if check.name == function)
    turned = update_wrapper(partial(check.function, **{argument: kind(share)}), check.function)
    row = run_check(replace(check, function=turned))
    return row, check.claim, verdicts.verdict([row])[0]


def gauge(row: dict, word: str):
    """What was measured beside what is claimed."""
    figure, ax = style.axes(figsize=(5.6, 2.0))
    measured, claimed = float(Fraction(row["measured"])), float(Fraction(row["claimed"]))
    ax.barh([1, 0], [measured, claimed], color=[style.RED if word == "failed" else style.GREEN, style.GREY])
    ax.set(yticks=[1, 0], yticklabels=["measured", "claimed: at most"], xlim=(0, max(1.3, 1.1 * measured)))
    return figure


def check_view(name: str, percent: int) -> View:
    """Run one check of the ledger with its bound scaled; 100 per cent is the truth."""
    row, claim, word = tried(name, percent / 100)
    statement = PAPER.statements[claim]
    measured, claimed = (float(Fraction(row[side])) for side in ("measured", "claimed"))
    sentence = (f"{verdicts.SIGNS[word]} {word}: with {percent} % of the bound, measured {measured:.4g}, claimed at "
                f"most {claimed:.4g}")
    rows = [("statement", f"{statement.name}: {statement.title}"), ("check", row["title"]),
            ("covers", row["covers"]), ("outcome", row["outcome"]), ("scope", row["scope"]),
            *(("control", f"{planted['planted']}: {planted['outcome']}") for planted in row["controls"]),
            ("source", f"{row['file']}, line {row['line']}")]
    table = "".join(f"<tr><th>{html.escape(key)}</th><td>{html.escape(str(value))}</td></tr>" for key, value in rows)
    return View(sentence, (gauge(row, word), f"<table>{table}</table>"))


CHECK = Lab("foundations_check", "Break a check",
            "Scale the bound of a statement and let the ledger run its check again: watch the verdict turn.",
            check_view, (Slider("percent", "bound, per cent", (50, 80, 90, 95, 98, 99, 100, 101, 105, 120, 200), 100),
             Choice("name", "check", tuple(BREAKABLE), "Lemma C.3, the bridge")), "how-to-read")
