"""Table 1, executed: which methods meet which instances, in three stages.

1. calibration: the common constant of the bonus on each instance family;
2. pilot: where the search for N begins, so that a search is short (it does not matter for what it finds);
3. the table, and the same instances in another basis.

Each is a sweep of its own in the same folder, so all of it is taken up again after any stop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from derl.experiments.methods import METHODS
from derl.experiments.spec import Spec
from derl.experiments.studies.calibration import smallest
from derl.experiments.table import rows

SEEDS, BLOCK = 100, 10
OTHER_SEEDS = 10**6  # calibration and pilot use seeds of their own
DELTA = 0.1
BASE = (  # family, d, H, epsilon
    ("template", 5, 4, 0.2), ("lock", 6, 4, 0.2), ("bandit", 6, 4, 0.2), ("simplex", 3, 3, 0.05),
    ("tabular", 6, 3, 0.1), ("lake", 16, 3, 0.1))
VARIED = {  # one of d, H and epsilon at a time, on the template
    "d": (("template", 7, 4, 0.2), ("template", 9, 4, 0.2)),
    "H": (("template", 5, 5, 0.2), ("template", 5, 6, 0.2)),
    "epsilon": (("template", 5, 4, 0.4), ("template", 5, 4, 0.1))}
RARE = tuple(("rare", 4, 3, 0.05, p) for p in (0.1, 0.01, 0.001, 0.0001, 0.0))
ITS_OWN = ("Algorithm 2, best prefix", "spanning policies", "designs, L = 1", "designs, L = 2", "designs, L = H",
           "cuts, L = 1", "cuts, L = 2", "cuts, L = H - 1")  # of this book, at their own N wherever they apply
NO_NU = ("designs, L = H", "cuts, L = 1", "cuts, L = H - 1")  # theorems that hold whatever p is
WITH_RARE = ("Algorithm 3, direct", "Algorithm 2, self-certifying", "Algorithm 2, best prefix", "reward-free LSVI-UCB",
             "FRANCIS", "MOFFLE", "Qiao and Wang 2023", "Zhang et al. 2025", *NO_NU)
NOT_VARIED = ("Algorithm 1, flat", "Algorithm 2", "Algorithm 2, spectral", "Algorithm 2, self-certifying",
              "low switching", "direct reduction", "FRANCIS", "MOFFLE")  # slow where d or H grows
WITH_THEOREM = ("template", "tabular")
TEMPLATE_ONLY = {("Algorithm 2", "theorem"), ("low switching", "theorem"), ("direct reduction", "theorem"),
                 ("low switching", "calibrated"), ("Algorithm 1, flat", "calibrated")}
NOT_ON_LAKE = ("reward-free LSVI-UCB", "LSVI-UCB", "Algorithm 2, spectral", "FRANCIS",
               "spanning policies")  # d = 16: seconds a run
NOT_ON_SIMPLEX = ("spanning policies",)  # more decision rules than can be listed
CERTIFIES_FROM = {"Algorithm 2, self-certifying": 0.001, "Algorithm 2, best prefix": 0.01}  # below, lists are too long
TURNED = (("template", 5, 4, 0.2), ("simplex", 3, 3, 0.05))
TURNED_SIZES = {"FRANCIS": 64, "reward-free LSVI-UCB": 256, "Algorithm 2": None, "Algorithm 2, spectral": None,
                "direct reduction": None, "low switching": None, "designs, L = 2": None,
                "cuts, L = 2": None}  # relatives of others that are there
Finish = Callable[[Spec, str], None]


def cells() -> Iterator[dict]:
    """Every instance family with its axis and its methods, without what the first stages find."""
    for axis, group in (("base", BASE), *VARIED.items()):
        for family, d, horizon, epsilon in group:
            where = {"family": family, "d": d, "horizon": horizon, "epsilon": epsilon, "delta": DELTA, "axis": axis}
            for name, mode in _runs(family, horizon, axis):
                yield where | {"method": name, "mode": mode}
    for family, d, horizon, epsilon, p in RARE:
        where = {"family": family, "d": d, "horizon": horizon, "epsilon": epsilon, "delta": DELTA, "axis": "p",
                 "probability": p}
        for name in WITH_RARE:
            if p >= CERTIFIES_FROM.get(name, 0):
                yield where | {"method": name, "mode": "calibrated" if METHODS[name].bonus else "nominal"}
            if name in NO_NU:
                yield where | {"method": name, "mode": "theorem"}


def _runs(family: str, horizon: int, axis: str) -> Iterator[tuple[str, str]]:
    """Methods and modes on a family."""
    for name, method in METHODS.items():
        searched = bool(method.searched) or name == "LSVI-UCB"
        modes = [mode for mode, there in (
            ("theorem", method.theorem is not None and axis == "base"
             and (family in WITH_THEOREM or name in ITS_OWN)),
            ("nominal", searched and (axis == "base" and family == "template" or not method.bonus)),
            ("calibrated", method.bonus and (searched or name == "low switching"))) if there]
        for mode in modes:
            if ((family == "template" or (name, mode) not in TEMPLATE_ONLY)
                    and not (axis != "base" and name in NOT_VARIED) and not (family == "lake" and name in NOT_ON_LAKE)
                    and not (family == "simplex" and name in NOT_ON_SIMPLEX)
                    and not (horizon == 3 and name == "cuts, L = 2")):  # as with L = H - 1
                yield name, mode


def place_of(cell: dict) -> tuple:
    """The instance of a cell."""
    return tuple(cell.get(name) for name in ("family", "d", "horizon", "epsilon", "probability"))


def calibration(seeds: int = SEEDS) -> Spec:
    """The first stage."""
    names = ("family", "d", "horizon", "epsilon", "delta", "probability")
    known = {place_of(cell): {name: cell[name] for name in names if name in cell} for cell in cells()}
    return Spec.of("calibration", cells=list(known.values()),
                   seeds={"first": OTHER_SEEDS, "count": seeds, "block": min(seeds, BLOCK)})


def constants(seeds: int, out) -> dict[tuple, float]:
    """c of every instance family, from the finished first stage."""
    found: dict[tuple, list] = {}
    for row in rows(calibration(seeds), out):
        found.setdefault(place_of(row), []).append(row)
    return {where: smallest(group, DELTA) for where, group in found.items()}


def main(seeds: int, c_beta: dict[tuple, float], starts: dict[tuple, int] | None = None) -> Spec:
    """The table; without `starts` the pilot, of one seed."""
    made = []
    for cell in cells():
        more = {"c_beta": c_beta[place_of(cell)]} if cell["mode"] == "calibrated" else {}
        if starts is not None and starts.get(key_of(cell)):
            more["start"] = starts[key_of(cell)]
        if starts is not None or METHODS[cell["method"]].searched and cell["mode"] != "theorem":
            made.append(cell | more)
    begin = {"first": 0, "count": seeds, "block": min(seeds, BLOCK)}
    return Spec.of("table1", cells=made, seeds=begin if starts is not None else {"first": OTHER_SEEDS, "count": 1})


def key_of(cell: dict) -> tuple:
    """The cell without what the first stages found."""
    return (*place_of(cell), cell["axis"], cell["method"], cell["mode"])


def beginnings(pilot: Spec, out) -> dict[tuple, int]:
    """What the pilot found, for every cell."""
    return {key_of(row): row["smallest"] for row in rows(pilot, out) if row["smallest"]}


def turned(seeds: int, c_beta: dict[tuple, float]) -> Spec:
    """The same instances in two bases."""
    made = []
    for family, d, horizon, epsilon in TURNED:
        c = c_beta[family, d, horizon, epsilon, None]
        for name, method in METHODS.items():
            size = TURNED_SIZES.get(name, 4**10)
            if (size is not None and name != "MOFFLE"  # in another basis its features are off the simplex
                    and not (family == "simplex" and name in NOT_ON_SIMPLEX)):
                made.append({"family": family, "d": d, "horizon": horizon, "epsilon": epsilon, "delta": DELTA,
                             "method": name, "c_beta": c, "size": size}
                            | ({"nu": 0.2} if method.nu == "yes" else {}))
    return Spec.of("rotated", cells=made, seeds={"count": seeds, "block": min(seeds, BLOCK)})


def run(seeds: int, out, finish: Finish) -> tuple[Spec, Spec, Spec]:
    """All stages; `finish` runs one sweep to its end. Returns calibration, table, rotated."""
    first = calibration(seeds)
    finish(first, "calibration")
    c_beta = constants(seeds, Path(out))
    pilot = main(seeds, c_beta)
    finish(pilot, "pilot")
    table = main(seeds, c_beta, beginnings(pilot, Path(out)))
    finish(table, "table")
    basis = turned(seeds, c_beta)
    finish(basis, "other bases")
    return first, table, basis
