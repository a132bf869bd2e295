"""Which of two methods needs fewer trajectories on the template, by rates and in runs, and what the runs can tell.

An N of the oracle is known up to the factor of its grid. So two methods are ordered only where the intervals of their
medians are at least that factor apart. The intervals hold for all methods at once.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from derl.experiments.choose import FACTOR
from derl.experiments.families import draw
from derl.experiments.methods import METHODS
from derl.experiments.methods.baselines import LEVEL as MOFFLE_LEVEL
from derl.experiments.methods.method import nothing
from derl.experiments.methods.run import MethodRun
from derl.experiments.recorded import recorded
from derl.experiments.studies.calibration import GRID
from derl.experiments.summary import LEVEL, Estimate, cells, column, median, share
from derl.experiments.table1 import DELTA, SEEDS, tuned
from derl.inputs.threads import one_thread
from derl.show.comparison import executed
from derl.show.comparison.executed import AXES, TEMPLATE
from derl.theory.comparison import quoted, table1

PRINTED_FORM, IMPROVED = "Algorithm 2", "Algorithm 2, spectral"
AT = {"d": 5, "H": 4, "epsilon": 0.2, "nu": 5**-0.5, "eta": 0.2, "actions": 4}  # where the rates are evaluated


@dataclass(frozen=True)
class Pair:
    """Two methods that the runs order.

    Attributes
    ----------
    more, fewer : str
        The one that needs more trajectories in the runs, and the other one.
    rates : (float, float)
        Their totals by rates or theorems.
    runs : (Estimate, Estimate)
        Medians of their trajectories.
    """

    more: str
    fewer: str
    rates: tuple[float, float]
    runs: tuple[Estimate, Estimate]

    @property
    def reversed(self) -> bool:
        """Whether they are in the other order by their rates."""
        return self.rates[0] < self.rates[1]


@dataclass(frozen=True)
class Orders:
    """What the runs say about the order of some methods.

    Attributes
    ----------
    methods : tuple of str
    resolved : tuple of Pair
        The pairs that the runs order.
    """

    methods: tuple[str, ...]
    resolved: tuple[Pair, ...]

    @property
    def pairs(self) -> int:
        """All pairs of the methods."""
        return len(self.methods) * (len(self.methods) - 1) // 2

    @property
    def reversed(self) -> tuple[Pair, ...]:
        """Those that are in the other order by their rates."""
        return tuple(pair for pair in self.resolved if pair.reversed)


def totals() -> dict[str, Estimate]:
    """Median trajectories on the template, with intervals that hold for all methods at once.

    N is from the oracle, or 1 for a method that ends by its own rule. Methods that succeed in less than 1 - delta of
    their runs have no total, and methods with too few runs for such an interval have an unbounded one.
    """
    names = [point["method"] for kind in ("oracle", "own") for point in executed.points(kind, **TEMPLATE)]
    level = 1 - (1 - LEVEL) / max(len(names), 1)
    return {name: median(executed.counted(executed.chosen(method=name, mode=tuned(METHODS[name]), **TEMPLATE),
                                          "trajectories"), level) for name in names}


def ordered(before: Mapping[str, float], found: Mapping[str, Estimate], at_most: tuple[str, ...] = ()) -> Orders:
    """Compare two orders.

    Parameters
    ----------
    before : mapping
        Totals by rates or theorems.
    found : mapping
        Totals of runs; those without a bounded interval are left out.
    at_most : tuple of str
        Methods whose N was not searched: their total is an upper bound, so they may only be the smaller one of a pair.
    """
    names = tuple(name for name in before if name in found and found[name].bounded)
    return Orders(names, tuple(
        Pair(one, two, (before[one], before[two]), (found[one], found[two]))
        for one, two in itertools.permutations(names, 2)
        if one not in at_most and found[one].low >= FACTOR * found[two].high))


def of_the_printed_table(count: int = SEEDS) -> Orders:
    """The rows of the printed table: their rates with constants 1 against runs."""
    at = {getattr(table1, name): value for name, value in AT.items()}
    rates = {name: float(table1.row(claim).trajectories.subs(at)) for claim, name in executed.PRINTED.items()}
    runs = printed_form(count)
    found = totals()
    if share(column(runs, "succeeded")).value >= 1 - DELTA:
        found |= {PRINTED_FORM: median(executed.counted(runs, "trajectories"))}
    return ordered(rates, found, at_most=(PRINTED_FORM,))


def left_out(found: Orders) -> str:
    """The rows of the printed table that are not compared, each with the reason."""
    reasons = []
    for name in executed.PRINTED.values():
        if name not in found.methods:
            runs = executed.chosen(method=name, mode=tuned(METHODS[name]), **TEMPLATE)
            success = np.mean([bool(row["succeeded"]) for row in runs]) if runs else 1.0
            reasons.append(f"{name} (succeeds in {100 * success:.0f} % of the runs)" if success < 1 - DELTA
                           else f"{name} ({len(runs)} runs are too few for such an interval)")
    return ", ".join(reasons)


def that_certify() -> tuple[Orders, tuple[str, ...]]:
    """Methods whose runs certify a loss of at most epsilon, against their theorems' totals; and the others with a
    certificate."""
    found = totals()
    with_one = [name for name in found if METHODS[name].certificate is not nothing and METHODS[name].bonus]
    useful = [name for name in with_one if certifies(name)]
    literal = {name: METHODS[name].literal(AT["d"], AT["H"], AT["epsilon"], DELTA, AT["nu"], AT["actions"])[1]
               for name in useful}
    return ordered(literal, {name: found[name] for name in useful}), tuple(n for n in with_one if n not in useful)


def certifies(name: str) -> bool:
    """Whether at least 1 - delta of the runs of a method on the template certify a loss of at most epsilon."""
    rows = executed.chosen(method=name, mode=tuned(METHODS[name]), **TEMPLATE)
    kept = [row["certified"] is not None and row["certified"] <= row["epsilon"] for row in rows]
    return share(kept).value >= 1 - DELTA


@functools.cache
@one_thread
def printed_form(count: int = SEEDS) -> tuple[dict, ...]:
    """Runs of the repaired listing of Algorithm 2, without the book's improvements, at the N of the spectral form.

    Its own N is not searched: with few trajectories its loop takes too long. The seeds are those of the table.
    """
    method, found = METHODS[PRINTED_FORM], []
    for row in executed.chosen(method=IMPROVED, mode="calibrated", **TEMPLATE)[:count]:
        d, horizon, epsilon, delta = (row[name] for name in ("d", "horizon", "epsilon", "delta"))
        mdp = draw(row["family"], row["seed"], d, horizon)
        setting = method.setting(mdp, epsilon, delta, "calibrated", row["c_beta"], int(row["batch_size"]), row["nu"])
        found.append(MethodRun.of(mdp, method, "calibrated", epsilon, delta, row["seed"], setting).row())
    return tuple(found)


def rows(found: Orders, before: str) -> tuple[list[str], list[list[str]]]:
    """The pairs that the runs order, those in the other order by their rates first: header and rows.

    Parameters
    ----------
    before : str
        What their totals are compared with: "rate" or "theorem".
    """
    number, cell = executed.number, executed.cell
    header = ["more in the runs", "fewer in the runs", "trajectories of the first", "of the second", "seeds",
              f"{before} of the first", "of the second", f"order by {before}"]
    return header, [[one.more, one.fewer, *map(cell, one.runs), ", ".join(str(run.count) for run in one.runs),
                     *map(number, one.rates), "**the other one**" if one.reversed else "the same"]
                    for one in sorted(found.resolved, key=lambda pair: not pair.reversed)]


def slope_of_c(axis: str) -> float:
    """The slope of the logarithm of the calibrated c along d, H or 1/epsilon."""
    at = {row[AXES[axis]]: row["c_beta"] for row in executed.record()
          if row["family"] == "template" and row["mode"] == "calibrated" and row["axis"] in (axis, "base")}
    x = np.log([1 / place if axis == "epsilon" else place for place in at])
    return float(np.polyfit(x, np.log(list(at.values())), 1)[0])


def at_fixed_c() -> tuple[list[str], list[list[str]]]:
    """Fitted slopes less twice the slope of c, since N is proportional to c^2: header and rows."""
    slopes = {axis: slope_of_c(axis) for axis in AXES}
    header = ["method", *(f"{letter}, with c taken out (slope of c: {round(slope, 2) + 0:.2f})" for letter, slope in
                          zip(("$d$", "$H$", "$1/\\epsilon$"), slopes.values(), strict=True))]
    body = []
    for name, method in METHODS.items():
        fitted = {axis: executed.fit(name, axis) for axis in AXES} if tuned(method) == "calibrated" else {}
        if any(fitted.values()):
            body.append([name, *("" if one is None else executed.cell(Estimate(
                *(value - 2 * slopes[axis] for value in (one.value, one.low, one.high)), one.count))
                for axis, one in fitted.items())])
    return header, body


def never_failed() -> list[str]:
    """Families on which every constant of the grid sufficed in enough runs, so that the chosen c is the grid's end."""
    found = []
    for (family, d, horizon), rows in cells(recorded("calibration")[0], "family", "d", "horizon").items():
        if all(share([row["within"] for row in rows if row["c_beta"] == c]).value >= 1 - DELTA for c in GRID):
            found.append(f"{family} (d = {d}, H = {horizon})")
    return list(dict.fromkeys(found))


def moffle_by_its_rule() -> dict[str, float]:
    """The level of MOFFLE in the table, what its rule gives on the template, and about how many deployments that takes.

    Deployments are proportional to 1/b up to a logarithm, by the bound on its policies.
    """
    rows = executed.chosen(method="MOFFLE", mode="nominal", **TEMPLATE)
    made = median(executed.counted(rows, "deployments")).value
    rule = quoted.moffle_threshold(AT["d"], AT["actions"], AT["eta"])
    return {"level": MOFFLE_LEVEL, "rule": rule, "deployments": made, "by_rule": made * MOFFLE_LEVEL / rule}
