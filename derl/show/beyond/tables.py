"""Tables of the exchange law: runs at the theorems' own N, and what the checks reject."""

from __future__ import annotations

from collections import Counter
from functools import cache

from derl.claims import PAPER
from derl.experiments import blocks_at_size as runs
from derl.judge.trial import run_control
from derl.ledger import InvalidLedger, Ledger, provenance
from derl.mdp import planning
from derl.mdp.policies import uniform
from derl.show.drawing.graph import latest_ledger
from derl.show.drawing.tables import readable

BAR = "\\|"  # a bar that does not end a cell


def own_size(families=None) -> str:
    """One row per family, one column per number of deployments: N of the theorem and what one run loses."""
    lines = ["| | $d$ | $g$ | $K$ | $L$ | $\\nu$ at blocks | $N$ | loss | uniform policy |", "|" + "---|" * 9]
    for family in families or runs.FAMILIES:
        mdp = runs.instance(family)
        idle = planning.optimal(mdp).value - planning.evaluate(mdp, uniform(mdp)).value
        for block in runs.pace(family):
            one = runs.run(family, block, seeds=1)
            mark = "*" if one.approximate else ""
            nu = "–" if one.deployments == 1 else f"{one.nu:.3f}"
            lines.append(f"| {family} | {mdp.dim} | {runs.leverage(family):.1f} | {one.deployments} | {block} | {nu} | "
                         f"{one.batch_size:.1e}{mark} | {one.gap:.1e} | {idle:.2g} |")
    return readable("\n".join(lines)) + (f"\n\nε = {runs.EPSILON}, δ = {runs.DELTA}, one run each. "
                               "* counts beyond 2⁶³ are Gaussian.")


def planted(weakened) -> str:
    """False variants that are written by hand, per theorem, and how many were rejected; weakenings and those accepted.

    Parameters
    ----------
    weakened : mapping
        id -> (check, weakenings as (what, arguments)).
    """
    lines = ["| theorem | false variants by hand | rejected | weakenings | accepted | steps only a reader checks |",
             "|" + "---|" * 6]
    for key, (check, weaker) in weakened.items():
        outcomes = [outcome for _, outcome in falsehoods(key)]
        accepted = sum(accepts(check, **arguments) for _, arguments in weaker)
        lines.append(f"| {PAPER.find(key).title} | {len(outcomes)} | {outcomes.count('rejected')} | {len(weaker)} | "
                     f"{accepted} | {unseen(key)} |")
    return "\n".join(lines)


def variants(weakened) -> str:
    """Every variant by name with what the checks say of it; parameters as of `planted`."""
    lines = ["| theorem | rejected | not rejected, and false | accepted, and only weaker |", "|" + "---|" * 4]
    for key, (check, weaker) in weakened.items():
        found = falsehoods(key)
        cells = ([says for says, outcome in found if outcome == "rejected"],
                 [says for says, outcome in found if outcome != "rejected"],
                 [says for says, arguments in weaker if accepts(check, **arguments)])
        lines.append(f"| {PAPER.find(key).title} | " + " | ".join(
            "; ".join(f"`{says.replace('|', BAR)}`" for says in cell) or "none" for cell in cells) + " |")
    return "\n".join(lines)


@cache
def accepts(check, **arguments) -> bool:
    """Whether a check holds for a weakening."""
    return check(**arguments).holds


@cache
def falsehoods(key: str) -> tuple[tuple[str, str], ...]:
    """The controls of a theorem in the quick tier, and their outcome: from this code's ledger, or run here."""
    recorded = _ledger()
    if recorded and key in recorded.claims:
        return tuple((control.planted, control.outcome) for check in recorded.claims[key].checks
                     if check.tier == "quick" for control in check.controls)
    found = []
    for one in PAPER.register().of(key, "quick"):
        true = one.function()
        found += [(planted.plants, run_control(one, planted, true).outcome) for planted in one.controls]
    return tuple(found)


@cache
def _ledger() -> Ledger | None:
    """The ledger that the book is built from, if it was written by this very code."""
    try:
        found = latest_ledger()
    except InvalidLedger:
        return None
    return found if found.digest == provenance.digest(*PAPER.code) else None


def verdicts() -> str:
    """What the last run says of the results of this chapter, in two sentences."""
    ledger, ones = _ledger(), [one for one in PAPER.statements.values()
                               if one.kind == "result" and one.page.startswith("beyond/")]
    if ledger is None:
        return "The checks of this chapter have not been run since the code last changed."
    rows = [ledger.claims[one.id] for one in ones]
    words = Counter(row.verdict for row in rows).most_common()
    steps = [step for one in ones for step in one.proof]
    controls = [control.outcome for row in rows for control in row.controls]
    return (f"The last run gives the {len(rows)} results of this chapter the verdicts "
            f"{', '.join(f'*{word}* ({count})' for word, count in words)}. Their written proofs have {len(steps)} "
            f"steps, of which {sum(not step.check for step in steps)} are read by eye only. "
            f"{sum(len(row.checks) for row in rows)} checks compute the rest, and {controls.count('rejected')} of "
            f"{len(controls)} false variants were rejected.")


def unseen(key: str) -> str:
    """Steps of the written proof without a computation: a run would not reject a false variant of these."""
    steps = PAPER.find(key).proof
    return f"{sum(not step.check for step in steps)} of {len(steps)}"
