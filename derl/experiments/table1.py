"""Table 1, executed: which methods meet which instances, in three stages.

1. calibration: the common constant of the bonus on each instance family;
2. pilot: where the search for N begins, so that a search is short (it does not matter for what it finds);
3. the table, and the same instances in another basis.

Each is a sweep of its own in the same folder, so all of it is taken up again after any stop.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from derl.experiments.methods import METHODS, MODES, Method
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
TURNED = (("template", 5, 4, 0.2), ("simplex", 3, 3, 0.05))


def cells() -> Iterator[dict]:
    """Every instance family with its axis and its methods, without what the first stages find."""
    for axis, group in (("base", BASE), *VARIED.items()):
        for family, d, horizon, epsilon in group:
            where = {"family": family, "d": d, "horizon": horizon, "epsilon": epsilon, "delta": DELTA, "axis": axis}
            for name, method in METHODS.items():
                for mode in modes_at(method, family, horizon, axis):
                    yield where | {"method": name, "mode": mode}
    for family, d, horizon, epsilon, p in RARE:
        where = {"family": family, "d": d, "horizon": horizon, "epsilon": epsilon, "delta": DELTA, "axis": "p",
                 "probability": p}
        for name, method in METHODS.items():
            if method.places.rare is not None and p >= method.places.rare:
                yield where | {"method": name, "mode": "calibrated" if method.bonus else "nominal"}
            if method.places.rare_theorem:
                yield where | {"method": name, "mode": "theorem"}


def modes_at(method: Method, family: str, horizon: int, axis: str) -> tuple[str, ...]:
    """In which settings a method is run on a family: where it says so, and "nominal" with a bonus on the template."""
    places, base = method.places, axis == "base"
    if family in places.without or horizon < places.horizon or not (base or places.varied):
        return ()
    there = {"theorem": method.theorem is not None and base and (places.theorem is None or family in places.theorem),
             "nominal": "nominal" in method.runs and (not method.bonus or base and family == "template"),
             "calibrated": ("calibrated" in method.runs
                            and (places.calibrated is None or family in places.calibrated))}
    return tuple(mode for mode in MODES if there[mode])


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
            if method.places.rotated is not None and family not in method.places.without:
                made.append({"family": family, "d": d, "horizon": horizon, "epsilon": epsilon, "delta": DELTA,
                             "method": name, "c_beta": c, "size": method.places.rotated}
                            | ({"nu": 0.2} if method.nu == "yes" else {}))
    return Spec.of("rotated", cells=made, seeds={"count": seeds, "block": min(seeds, BLOCK)})


def stages(seeds: int, out) -> Iterator[tuple[str, Spec]]:
    """The sweeps of the table, in their order, by name: "calibration", "pilot", "table1", "rotated".

    Each is to be finished in the folder `out` before the next is asked for, which is made from what was found there.

    Raises
    ------
    InvalidSpec
        The one before is not finished.
    """
    yield "calibration", calibration(seeds)
    c_beta = constants(seeds, Path(out))
    pilot = main(seeds, c_beta)
    yield "pilot", pilot
    yield "table1", main(seeds, c_beta, beginnings(pilot, Path(out)))
    yield "rotated", turned(seeds, c_beta)
