"""Table 1 executed: its cells as text, from the recorded run."""

from __future__ import annotations

import functools
import math

from derl.experiments.methods import METHODS
from derl.experiments.recorded import recorded
from derl.experiments.summary import Estimate, cells, column, exponent, median, share
from derl.theory.comparison import table1

PRINTED = {  # row of the printed table -> the method that executes it
    "tab-row-lsvi-ucb": "LSVI-UCB", "tab-row-reward-free-lsvi": "reward-free LSVI-UCB", "tab-row-francis": "FRANCIS",
    "tab-row-gao": "low switching", "tab-row-olive": "OLIVE", "tab-row-moffle": "MOFFLE",
    "tab-row-layerwise": "Algorithm 1", "tab-row-reward-free": "Algorithms 3 and 4",
    "tab-row-arbitrary": "Algorithm 2, spectral"}
CELL = ("family", "d", "horizon", "epsilon", "probability", "axis", "method", "mode")
AXES = {"d": "d", "H": "horizon", "epsilon": "epsilon"}
TEMPLATE = {"family": "template", "d": 5, "horizon": 4, "epsilon": 0.2, "axis": "base"}
MODES = {"theorem": "theorem", "nominal": "c = 1", "calibrated": "calibrated"}


def chosen(**wanted) -> list[dict]:
    """Rows of the recorded table with these values."""
    rows = of_method().get((wanted["method"],), []) if "method" in wanted else recorded()[0]
    return [row for row in rows if all(row.get(name) == value for name, value in wanted.items())]


@functools.cache
def of_method() -> dict[tuple[str], list[dict]]:
    return cells(recorded()[0], "method")


@functools.cache
def sizes() -> tuple[int, ...]:
    """How many runs the cells of the recorded table have, each number once, in order."""
    return tuple(sorted({len(rows) for rows in cells(recorded()[0], *CELL).values()}))


def number(value: float | None) -> str:
    """A number as a cell shows it."""
    if value is None:
        return ""
    if math.isinf(value):
        return "not reached"
    if abs(value) < 1e-12:  # a slope of what did not move
        return "0"
    if 1e-2 <= abs(value) < 1e4:
        return f"{value:.3g}"
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
    """A method, and how many runs it has where others of the table have more."""
    most = sizes()[-1]
    return name if len(rows) == most else f"{name} ({len(rows)} of {most} seeds)"


def of_family(**where) -> tuple[list[str], list[list[str]]]:
    """The table of one instance family: header and rows."""
    header = ["method", "constants", "smallest $N$", "deployments", "policies in a row", "trajectories",
              "good from trajectory", "optimistic", "succeeds"]
    body = []
    for (name, mode), rows in cells(chosen(**where), "method", "mode").items():
        body.append([named(name, rows), constants(name, mode), _median(rows, "smallest"), _median(rows, "deployments"),
                     _median(rows, "changes"), _median(rows, "trajectories"), _median(rows, "anytime_trajectories"),
                     _share(rows, "optimistic"), _share(rows, "succeeded")])
    return header, body


def overview(**where) -> tuple[list[str], list[list[str]]]:
    """One line a method: at the size of its theorem, and calibrated or with its own constants."""
    header = ["method", "deployments, theorem", "trajectories, theorem", "deployments, calibrated or own",
              "trajectories, calibrated or own"]
    body = []
    for (name,), rows in cells(chosen(**where), "method").items():
        tuned = "calibrated" if METHODS[name].bonus else "nominal"
        groups = [[row for row in rows if row["mode"] == mode] for mode in ("theorem", tuned)]
        body.append([name, *(_median(group, what) for group in groups for what in ("deployments", "trajectories"))])
    return header, body


def losses(**where) -> tuple[list[str], list[list[str]]]:
    """What is certified, what is lost, and what would be lost with other rewards: header and rows."""
    header = ["method", "constants", "certified loss", "loss", "worst linear reward", "distinct policies",
              "bonus suffices", "invariant kept", "$\\nu_{\\min}$ an input?", "Definition 2.1"]
    body = []
    for (name, mode), rows in cells(chosen(**where), "method", "mode").items():
        method = METHODS[name]
        body.append([named(name, rows), constants(name, mode), _median(rows, "certified"), _median(rows, "loss"),
                     _median(rows, "worst"), _median(rows, "distinct"), _share(rows, "within"),
                     _share(rows, "invariant"), method.nu,
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
    return cell(share(values)) if any(value is not None for value in values) else ""


def promised(d: int = 5, horizon: int = 4, epsilon: float = 0.2, delta: float = 0.1, nu: float = 5**-0.5,
             n_actions: int = 4) -> tuple[list[str], list[list[str]]]:
    """What the theorems ask for, literally: header and rows."""
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
    of_row = {method: claim for claim, method in PRINTED.items()}
    header = ["method", *(f"{letter}, {kind}" for letter in ("$d$", "$H$", "$1/\\epsilon$")
                          for kind in ("printed", "fitted"))]
    body = []
    for name in METHODS:
        fitted = {axis: fit(name, axis) for axis in AXES}
        if not any(fitted.values()):
            continue
        printed = powers(of_row[name]) if name in of_row else {}
        body.append([name, *(text for axis in AXES for text in (str(printed.get(axis, "")), cell(fitted[axis])))])
    return header, body


def fit(name: str, axis: str) -> Estimate | None:
    """The exponent of one method along one axis, in its calibrated or only form; None where it cannot be fitted.

    The fitted numbers are the trajectories at the smallest N that succeeds, or those until the policies stay good.
    """
    mode = "calibrated" if METHODS[name].bonus else "nominal"
    rows = [row for row in chosen(method=name, mode=mode, family="template")
            if row["axis"] == axis or row["axis"] == "base"]
    groups = cells(rows, AXES[axis])
    if len(groups) < 2:
        return None
    counted = "trajectories" if METHODS[name].searched else "anytime_trajectories"
    return exponent([(1 / x if axis == "epsilon" else x, column(group, counted)) for (x,), group in groups.items()])


def powers(claim: str) -> dict[str, object]:
    """Exponents of the printed trajectories, of the term with epsilon."""
    term = table1.row(claim).trajectories
    if claim == "tab-row-moffle":
        return {"d": 8, "H": 7, "epsilon": 2}
    if term.is_Add:
        term = next(part for part in term.args if part.has(table1.epsilon))
    found = term.as_powers_dict()
    return {"d": found[table1.d], "H": found[table1.H], "epsilon": -found[table1.epsilon]}


def points(**where) -> list[dict]:
    """One point for each method and mode: medians of deployments and trajectories over the runs that succeeded."""
    found = []
    for (name, mode), rows in cells(chosen(**where), "method", "mode").items():
        if rows[0].get("draws") == "expected":  # the exact limit has no N
            continue
        counted = "trajectories" if METHODS[name].searched or mode == "theorem" else "anytime_trajectories"
        tried = [row.get(counted) for row in rows]
        trajectories = median(tried).value
        deployed = median(column(rows, "changes" if METHODS[name].searched == "" else "deployments")).value
        if math.isfinite(trajectories):
            found.append({"method": name, "mode": mode, "deployments": deployed, "trajectories": trajectories})
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


def inversions() -> list[tuple[str, str, float, float, float, float]]:
    """Pairs of printed rows whose order in trajectories changes in runs: names, printed and measured totals."""
    found = {point["method"]: point["trajectories"] for point in points(**TEMPLATE)
             if point["mode"] == ("calibrated" if METHODS[point["method"]].bonus else "nominal")}
    at = {table1.d: 5, table1.H: 4, table1.epsilon: 0.2, table1.nu: 5**-0.5, table1.eta: 0.2, table1.actions: 4}
    totals = {name: float(table1.row(claim).trajectories.subs(at)) for claim, name in PRINTED.items() if name in found}
    return [(one, two, totals[one], totals[two], found[one], found[two]) for one in totals for two in totals
            if totals[one] < totals[two] and found[one] > found[two]]


def bases() -> tuple[list[str], list[list[str]]]:
    """Which methods depend on the basis of the features: header and rows."""
    body = []
    for (family, name), rows in cells(recorded("rotated")[0], "family", "method").items():
        body.append([name, family, _share(rows, "same_log"), _share(rows, "same_policy")])
    return ["method", "family", "same deployments", "same policy returned"], body
