"""Table 1 executed: its cells as text, from the recorded run."""

from __future__ import annotations

import functools
import math
from dataclasses import replace
from decimal import Decimal

import numpy as np

from derl.experiments.choose import FACTOR
from derl.experiments.methods import METHODS
from derl.experiments.recorded import recorded
from derl.experiments.summary import Estimate, cells, column, exponent, median, share
from derl.experiments.table1 import DELTA, tuned
from derl.theory.comparison import table1

PRINTED = {method.row: name for name, method in METHODS.items() if method.row}
RECONSTRUCTIONS = tuple(name for name, method in METHODS.items() if "reconstruction" in method.listing)
SHORT = 2.0  # a range of d, H or 1/epsilon up to this factor is marked
CELL = ("family", "d", "horizon", "epsilon", "probability", "axis", "method", "mode")
AXES = {"d": "d", "H": "horizon", "epsilon": "epsilon"}
TEMPLATE = {"family": "template", "d": 5, "horizon": 4, "epsilon": 0.2, "axis": "base"}
MODES = {"theorem": "theorem", "nominal": "c = 1", "calibrated": "calibrated"}


def chosen(**wanted) -> list[dict]:
    """Rows of the recorded table with these values."""
    rows = of_method().get((wanted["method"],), []) if "method" in wanted else record()
    return [row for row in rows if all(row.get(name) == value for name, value in wanted.items())]


def record() -> tuple[dict, ...]:
    """All recorded runs, those on few seeds last."""
    return recorded()[0] + recorded("few")[0]


@functools.cache
def of_method() -> dict[tuple[str], list[dict]]:
    return cells(record(), "method")


@functools.cache
def sizes() -> tuple[int, ...]:
    """How many runs the cells of the recorded table have, each number once, in order."""
    return tuple(sorted({len({row["seed"] for row in rows}) for rows in cells(record(), *CELL).values()}))


def number(value: float | None) -> str:
    """A number as a cell shows it."""
    if value is None:
        return ""
    if math.isinf(value):
        return "not reached"
    if abs(value) < 1e-12:  # a slope of what did not move
        return "0"
    if 1e-2 <= abs(value) < 1e4:
        return f"{Decimal(f'{value:.3g}'):f}"  # 1020, not 1.02e+03
    mantissa, _, power = f"{value:.1e}".partition("e")
    return f"${mantissa}\\cdot10^{{{int(power)}}}$"


def cell(found: Estimate | None) -> str:
    """A number with its interval."""
    if found is None:
        return ""
    if math.isinf(found.value) and found.low == math.inf:
        return "not reached"
    if not found.bounded:
        return f"{number(found.value)} ({found.count} {'run' if found.count == 1 else 'runs'}, no interval)"
    if found.low == found.high:
        return f"{number(found.value)} [=]"
    return f"{number(found.value)} [{number(found.low)}, {number(found.high)}]"


def seeds() -> str:
    """Seeds of a cell; fewest and most where a table is not finished."""
    counts = sizes()
    return f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else str(counts[0])


def named(name: str, rows: list[dict]) -> str:
    """A method, with how many runs it has where others of the table have more, and how many of them a cap ended."""
    most, mine = sizes()[-1], len({row["seed"] for row in rows})
    capped = sum(row["stop"] == "none" for row in rows)
    notes = ([f"{mine} of {most} seeds"] if mine != most else []) + (
        [f"{capped} of {len(rows)} runs end at a cap"] if 0 < capped < len(rows) else [])
    return f"{name} ({'; '.join(notes)})" if notes else name


def source(name: str, mode: str) -> str:
    """Where N is from: the "theorem", the "oracle" that sees the exact loss, or with N = 1 the method's "own" stop."""
    return "theorem" if mode == "theorem" else "oracle" if METHODS[name].searched else "own"


def counted(rows, name: str) -> list[float | None]:
    """A count of every run, None for a run that ended at a cap."""
    return [row.get(name) if row["stop"] != "none" else None for row in rows]


def count(rows, name: str) -> str:
    """The median of such a count, or why there is none."""
    if all(row.get("batch_size") is None for row in rows):
        return "no $N$ up to the cap"
    values = counted(rows, name)
    return cell(median(values)) if any(value is not None for value in values) else "not run to its stop"


def success(rows) -> str:
    """The frequency of success; marked where it is below 1 - delta."""
    found = share(column(rows, "succeeded"))
    return cell(found) + (" **below**" if found.value < 1 - DELTA else "")


def of_family(**where) -> tuple[list[str], list[list[str]]]:
    """The table of one instance family: header and rows."""
    header = ["method", "constants", "$N$ from", "$N$", "deployments", "policies in a row", "trajectories",
              "anytime (oracle)", "optimistic", "bonus suffices", "succeeds"]
    body = []
    for (name, mode), rows in cells(chosen(**where), "method", "mode").items():
        body.append([named(name, rows), constants(name, mode), source(name, mode), _median(rows, "batch_size"),
                     count(rows, "deployments"), count(rows, "changes"), count(rows, "trajectories"),
                     _median(rows, "anytime_trajectories"), _share(rows, "optimistic"), _share(rows, "within"),
                     success(rows)])
    return header, body


def overview(**where) -> tuple[list[str], list[list[str]]]:
    """One line a method: at the size of its theorem, and calibrated or with its own constants; first, no data.

    What ends by its own rule at N = 1 and what has N from the oracle are told apart in a column, since they are counts
    of different kinds; the anytime count, which only an oracle knows either, is a column of its own.
    """
    header = ["method", "theorem: deployments", "theorem: trajectories", "$N$ from", "deployments", "trajectories",
              "anytime (oracle)", "bonus suffices", "succeeds"]
    place = {name: value for name, value in where.items() if name != "axis"}
    nothing_known = [row for row in recorded("no_data")[0] if place.items() <= row.items()]
    body = [["no data", "", "", "", "0", "0", "", "", success(nothing_known)]] if nothing_known else []
    for (name,), rows in cells(chosen(**where), "method").items():
        mine = tuned(METHODS[name]) if METHODS[name].runs else "theorem"
        at = {mode: [row for row in rows if row["mode"] == mode] for mode in ("theorem", mine)}
        by_theorem = [count(at["theorem"], what) if at["theorem"] else "" for what in ("deployments", "trajectories")]
        if mine == "theorem" or not at[mine]:
            body.append([named(name, rows), *by_theorem, "theorem", "", "", "", _share(rows, "within"), success(rows)])
            continue
        body.append([named(name, at[mine]), *by_theorem, source(name, mine), count(at[mine], "deployments"),
                     count(at[mine], "trajectories"), _median(at[mine], "anytime_trajectories"),
                     _share(at[mine], "within"), success(at[mine])])
    return header, body


def losses(**where) -> tuple[list[str], list[list[str]]]:
    """What is certified, what is lost, and what would be lost with other rewards: header and rows."""
    header = ["method", "constants", "certified loss", "loss", "worst linear reward", "distinct policies",
              "invariant kept", "seconds", "$\\nu_{\\min}$ an input?", "Definition 2.1"]
    seconds = {(row["method"], row["mode"]): row["seconds"] for row in recorded("seconds")[0]}
    body = []
    for (name, mode), rows in cells(chosen(**where), "method", "mode").items():
        method = METHODS[name]
        body.append([named(name, rows), constants(name, mode), _median(rows, "certified"), _median(rows, "loss"),
                     _median(rows, "worst"), count(rows, "distinct"),
                     _share(rows, "invariant"), number(seconds.get((name, mode))), method.nu,
                     "no" if method.entry.caveat.startswith("as published not") else
                     "in name" if method.entry.caveat else "yes"])
    return header, body


def constants(name: str, mode: str) -> str:
    """The word for a setting; methods without a bonus have constants of their own."""
    return "own" if mode == "nominal" and not METHODS[name].bonus else MODES[mode]


def _median(rows, name: str) -> str:
    values = column(rows, name)
    return cell(median(values)) if any(value is not None for value in values) else ""


def _share(rows, name: str) -> str:
    values = column(rows, name)
    known = [value for value in values if value is not None]
    return cell(share(known)) if known else ""


def promised(d: int = 5, horizon: int = 4, epsilon: float = 0.2, delta: float = 0.1, nu: float = 5**-0.5,
             n_actions: int = 4) -> tuple[list[str], list[list[str]]]:
    """What the theorems require, literally: header and rows."""
    rows = []
    for name, method in METHODS.items():
        deployments, trajectories = method.literal(d, horizon, epsilon, delta, nu, n_actions)
        size = method.exact_batch(d, horizon, epsilon, delta, nu, n_actions)
        rows.append((trajectories, [name, number(deployments),
                                    number(trajectories) if math.isfinite(trajectories) else "nothing promised",
                                    "" if size is None else f"{size}"]))
    header = ["method", "deployments", "trajectories", "$N$ to the last digit"]
    return header, [row for _, row in sorted(rows, key=lambda pair: pair[0])]


def exponents() -> tuple[list[str], list[list[str]]]:
    """Fitted exponents of trajectories beside the printed ones: header and rows."""
    letters = zip(("$d$", "$H$", "$1/\\epsilon$"), AXES, strict=True)
    header = ["method", *(f"{letter}, {kind}" for letter, axis in letters
                          for kind in ("printed", f"fitted{mark(axis)}"))]
    body = []
    for name in METHODS:
        fitted = {axis: fit(name, axis) for axis in AXES}
        if not any(fitted.values()):
            continue
        printed = powers(METHODS[name].row) if METHODS[name].row else {}
        body.append([name, *(text for axis in AXES for text in (str(printed.get(axis, "")), cell(fitted[axis])))])
    return header, body


def spread(axis: str) -> float:
    """By what factor d, H or 1/epsilon varies along an axis."""
    values = [row[AXES[axis]] for row in record() if row["family"] == "template" and row["axis"] in (axis, "base")]
    return max(values) / min(values)


def mark(axis: str) -> str:
    """The range of an axis, and a mark where it is short."""
    factor = spread(axis)
    return f" (range {factor:.3g}{', short' if factor <= SHORT else ''})"


def fit(name: str, axis: str) -> Estimate | None:
    """The exponent of one method along one axis, in its calibrated or only form; None where it cannot be fitted.

    The fitted numbers are trajectories at the chosen N. N is known up to the factor of its grid alone, so the interval
    of the bootstrap is widened by what one step at one end of the range changes.
    """
    rows = [row for row in chosen(method=name, mode=tuned(METHODS[name]), family="template")
            if row["axis"] == axis or row["axis"] == "base"]
    groups = cells(rows, AXES[axis])
    if len(groups) < 2:
        return None
    found = exponent([(1 / x if axis == "epsilon" else x, counted(group, "trajectories"))
                      for (x,), group in groups.items()])
    if found is None or not METHODS[name].searched:
        return found
    places = [x for x, in groups]
    step = math.log(FACTOR) / math.log(max(places) / min(places))
    return replace(found, low=found.low - step, high=found.high + step)


def powers(claim: str) -> dict[str, object]:
    """Exponents of the printed trajectories, of the term with epsilon."""
    term = table1.row(claim).trajectories
    if claim == "tab-row-moffle":
        return {"d": 8, "H": 7, "epsilon": 2}
    if term.is_Add:
        term = next(part for part in term.args if part.has(table1.epsilon))
    found = term.as_powers_dict()
    return {"d": found[table1.d], "H": found[table1.H], "epsilon": -found[table1.epsilon]}


def points(kind: str, **where) -> list[dict]:
    """One point for each method: medians of deployments and trajectories over its runs, all counted at their end.

    Parameters
    ----------
    kind : {"theorem", "oracle", "own"}
        Where N comes from; points of different kinds are not to be compared.
    """
    found = []
    for (name, mode), rows in cells(chosen(**where), "method", "mode").items():
        if rows[0].get("draws") == "expected" or source(name, mode) != kind:  # the exact limit has no N
            continue
        if mode not in ("theorem", tuned(METHODS[name])):
            continue
        # with N = 1 a deployment is a stretch of one policy, as in the printed table
        single = not METHODS[name].searched and rows[0]["batch_size"] == 1
        x, y = (median(counted(rows, what)).value for what in ("changes" if single else "deployments", "trajectories"))
        if math.isfinite(x) and math.isfinite(y) and share(column(rows, "succeeded")).value >= 1 - DELTA:
            found.append({"method": name, "mode": mode, "deployments": x, "trajectories": y, "stretches": single})
    return found


def front(found: list[dict]) -> list[dict]:
    """The points that no other point beats in both coordinates."""
    return sorted((one for one in found if not any(
        other["deployments"] <= one["deployments"] and other["trajectories"] <= one["trajectories"] and other is not one
        and (other["deployments"], other["trajectories"]) != (one["deployments"], one["trajectories"])
        for other in found)), key=lambda point: point["deployments"])


def whatever_is_reached() -> tuple[list[str], list[list[str]]]:
    """Theorems without reachability on the rare-state family, at their own N: header and rows."""
    header = ["method", "$p$", "$N$", "deployments", "loss", "worst linear reward", "succeeds"]
    body = []
    for (name, p), rows in cells(chosen(family="rare", mode="theorem"), "method", "probability").items():
        body.append([named(name, rows), f"{p:g}", number(rows[0]["batch_size"]), _median(rows, "deployments"),
                     _median(rows, "loss"), _median(rows, "worst"), _share(rows, "succeeded")])
    return header, body


def bonus_everywhere() -> tuple[list[str], list[list[str]]]:
    """In what share of runs the calibrated bonus covered every regression, by method and family: header and rows."""
    rows = [row for row in record() if row["axis"] == "base" and row["mode"] == "calibrated"
            and row.get("within") is not None]
    families = list(dict.fromkeys(row["family"] for row in rows))
    body = [[name, *(_share([row for row in group if row["family"] == family], "within") for family in families)]
            for (name,), group in cells(rows, "method").items()]
    return ["method", *families], body


def sensitivity() -> tuple[list[str], list[list[str]]]:
    """Trajectories on the template for several constants of the bonus: header and rows."""
    rows = [row for row in record() if row["axis"] == "c"]
    constants_tried = sorted({row["c_beta"] for row in rows}, reverse=True)
    body = []
    for (name,), group in cells(rows, "method").items():
        line = [name]
        for c in constants_tried:
            part = [row for row in group if row["c_beta"] == c]
            line.append(f"{count(part, 'trajectories')}, succeeds {share(column(part, 'succeeded')).value:.2g}")
        body.append(line)
    return ["method", *(f"$c={c:g}$" for c in constants_tried)], body


def paired(reference: str = "Algorithm 1") -> tuple[list[str], list[list[str]]]:
    """Each method beside one, seed by seed on the template: header and rows."""
    def by_seed(name: str) -> dict[int, dict]:
        return {row["seed"]: row for row in chosen(method=name, mode=tuned(METHODS[name]), **TEMPLATE)}

    ours, body = by_seed(reference), []
    for name, method in METHODS.items():
        theirs = by_seed(name)
        shared = sorted(ours.keys() & theirs.keys())
        if name == reference or not shared or not method.searched:
            continue
        ratios = [b / a if a and b else None for a, b in zip(*(counted([rows[seed] for seed in shared], "trajectories")
                                                              for rows in (ours, theirs)), strict=True)]
        won = sum(bool(theirs[seed]["succeeded"]) > bool(ours[seed]["succeeded"]) for seed in shared)
        lost = sum(bool(theirs[seed]["succeeded"]) < bool(ours[seed]["succeeded"]) for seed in shared)
        body.append([name, cell(median(ratios)), f"{won} of {len(shared)}", f"{lost} of {len(shared)}"])
    return ["method", f"its trajectories / those of {reference}", "it alone succeeds",
            f"{reference} alone succeeds"], body


def curves() -> dict[str, list[tuple[float, Estimate]]]:
    """(N, frequency of success) on the template for every method whose N was chosen, in its tuned setting."""
    rows = [row for row in record() if row["axis"] == "N" or row["axis"] == "base" and row["family"] == "template"
            and row.get("size") is not None and row["mode"] == tuned(METHODS[row["method"]])]
    return {name: sorted(((float(size), share(column(part, "succeeded"))) for (size,), part in
                          cells(group, "size").items()), key=lambda point: point[0])
            for (name,), group in cells(rows, "method").items()}


def too_small() -> tuple[int, int]:
    """Of how many N that the oracle chose fresh seeds succeed in less than 1 - delta of the runs, and of how many."""
    groups = [group for (*_, name, mode), group in cells(record(), *CELL).items()
              if source(name, mode) == "oracle" and group[0]["axis"] not in ("c", "N")
              and group[0].get("size") is not None]
    return sum(share(column(group, "succeeded")).value < 1 - DELTA for group in groups), len(groups)


def died() -> dict[str, float]:
    """Share of the runs of OLIVE at its chosen N in which Q* was eliminated, by family."""
    rows = [row for row in chosen(method="OLIVE", axis="base", mode="nominal") if row.get("invariant") is not None]
    return {family: float(np.mean([not row["invariant"] for row in group]))
            for (family,), group in cells(rows, "family").items()}


def stricter() -> tuple[int, int, int, int]:
    """What it changes that a run of OLIVE must keep Q* to succeed, over all recorded runs.

    Returns
    -------
    total, passed, without, others : int
        Runs of OLIVE that have a result; those that succeed; those that would succeed without the condition;
        successful runs of the other methods that violate the invariant of their analysis.
    """
    own = [row for row in chosen(method="OLIVE") if row.get("invariant") is not None]
    without = sum(row["stop"] != "none" and row["loss"] <= row["epsilon"] for row in own)
    others = sum(row["succeeded"] and row.get("invariant") is False for row in record() if row["method"] != "OLIVE")
    return len(own), sum(row["succeeded"] for row in own), without, others


def bases() -> tuple[list[str], list[list[str]]]:
    """Which methods depend on the basis of the features: header and rows."""
    body = []
    for (family, name), rows in cells(recorded("rotated")[0], "family", "method").items():
        body.append([name, family, _share(rows, "same_log"), _share(rows, "same_policy")])
    return ["method", "family", "same deployments", "same policy returned"], body
