"""Table 1, executed: which methods meet which instances, stage by stage.

1. calibration: the common constant of the bonus on each instance family;
2. choice: the N of every cell whose theorem does not fix it;
3. table1 and few: the runs at these N, from seeds that chose nothing; `few` holds the methods whose runs take seconds;
4. no_data, seconds, rotated: a plan without data, the time of a run, the same instances in another basis.

Each is a sweep of its own in the same folder, so all of it is taken up again after any stop.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from derl.experiments.methods import METHODS, MODES, Method
from derl.experiments.studies.calibration import smallest
from derl.experiments.sweep import Spec, rows

SEEDS, BLOCK = 20, 10
CALIBRATION_SEEDS, CHOICE_SEEDS = 10**6, 2 * 10**6  # where the seeds of these stages begin
RUNS = 10  # of a size that is tried, and of a constant of the bonus
DELTA = 0.1
BASE = (  # family, d, H, epsilon
    ("template", 5, 4, 0.2), ("lock", 6, 4, 0.2), ("bandit", 6, 4, 0.2), ("simplex", 3, 3, 0.05),
    ("tabular", 6, 3, 0.1), ("lake", 16, 3, 0.1))
VARIED = {  # one of d, H and epsilon at a time, on the template
    "d": (("template", 7, 4, 0.2), ("template", 9, 4, 0.2)),
    "H": tuple(("template", 5, horizon, 0.2) for horizon in (5, 6, 8)),
    "epsilon": (("template", 5, 4, 0.4), ("template", 5, 4, 0.1)),
    "hard": (("template", 11, 8, 0.2),)}
FIXED = (-3, -2, -1, 1)  # powers of 4 by which N differs from the chosen one, on the first family
CONSTANTS = (1.0, 0.25, 0.0625)  # of the bonus, on the first family
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


def key_of(cell: dict) -> tuple:
    """The cell without the N that was chosen."""
    c_beta = cell.get("c_beta") if cell["axis"] == "c" else None
    return (*place_of(cell), cell["axis"], cell["method"], cell["mode"], c_beta)


def calibration() -> Spec:
    """The first stage."""
    names = ("family", "d", "horizon", "epsilon", "delta", "probability")
    known = {place_of(cell): {name: cell[name] for name in names if name in cell} for cell in cells()}
    return Spec.of("calibration", cells=list(known.values()),
                   seeds={"first": CALIBRATION_SEEDS, "count": RUNS, "block": BLOCK})


def constants(out) -> dict[tuple, float]:
    """c of every instance family, from the finished first stage."""
    found: dict[tuple, list] = {}
    for row in rows(calibration(), out):
        found.setdefault(place_of(row), []).append(row)
    return {where: smallest(group, DELTA) for where, group in found.items()}


def with_constants(c_beta: dict[tuple, float]) -> list[dict]:
    """All cells with the scale of their bonus; those of the first family also with every other scale."""
    made = [cell | ({"c_beta": c_beta[place_of(cell)]} if cell["mode"] == "calibrated" else {}) for cell in cells()]
    base = [cell for cell in made if place_of(cell)[:4] == BASE[0] and cell["axis"] == "base"]
    return made + [cell | {"axis": "c", "c_beta": c} for cell in base for c in CONSTANTS
                   if cell["mode"] == "calibrated" and METHODS[cell["method"]].searched]


def is_searched(cell: dict) -> bool:
    """Whether the N of a cell has to be chosen."""
    return bool(METHODS[cell["method"]].searched) and cell["mode"] != "theorem"


def choices(made: list[dict]) -> Spec:
    """The second stage."""
    return Spec.of("choice", fixed={"runs": RUNS}, cells=[cell for cell in made if is_searched(cell)],
                   seeds={"first": CHOICE_SEEDS, "count": 1})


def chosen(spec: Spec, out) -> dict[tuple, int]:
    """N of every cell that has one, from the finished second stage."""
    return {key_of(row): row["size"] for row in rows(spec, out) if row["chosen"]}


def at_sizes(made: list[dict], sizes: dict[tuple, int]) -> list[dict]:
    """All cells at the N that was chosen; those of the first family also at others."""
    found = [cell | ({"size": sizes[key_of(cell)]} if is_searched(cell) and key_of(cell) in sizes else {})
             for cell in made]
    found += [cell | {"axis": "N", "size": size} for cell in found
              if "size" in cell and cell["axis"] == "base" and place_of(cell)[:4] == BASE[0]
              and cell["mode"] == tuned(METHODS[cell["method"]]) for power in FIXED
              if (size := int(cell["size"] * 4.0**power)) >= 1]
    return found


def tuned(method: Method) -> str:
    """The setting of a method beside its theorem's that the table compares."""
    return "calibrated" if "calibrated" in method.runs else "nominal"


def main(made: list[dict], seeds: int, few: bool) -> Spec:
    """The third stage, without or with the methods that are run on few seeds alone."""
    most = min([seeds] + [limit for method in METHODS.values() if few and (limit := method.places.seeds)])
    mine = [cell for cell in made if (METHODS[cell["method"]].places.seeds is not None) == few]
    return Spec.of("table1", cells=mine, seeds={"first": 0, "count": most, "block": min(most, BLOCK)})


def without_data(seeds: int) -> Spec:
    """A plan without data on every family."""
    return Spec.of("no_data", cells=[dict(zip(("family", "d", "horizon", "epsilon"), where, strict=True))
                                     | {"delta": DELTA} for where in (*BASE, *VARIED.get("hard", ()))],
                   seeds={"count": seeds, "block": min(seeds, BLOCK)})


def timed(made: list[dict]) -> Spec:
    """One run of every method on the first family."""
    return Spec.of("seconds", cells=[cell for cell in made if cell["axis"] == "base" and cell["family"] == BASE[0][0]
                                     and (not is_searched(cell) or "size" in cell)], seeds={"count": 1})


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
    """The sweeps of the table, in their order, by name.

    Each is to be finished in the folder `out` before the next is made, which depends on what was found there.

    Raises
    ------
    InvalidSpec
        The one before is not finished.
    """
    yield "calibration", calibration()
    c_beta = constants(Path(out))
    made = with_constants(c_beta)
    spec = choices(made)
    yield "choice", spec
    made = at_sizes(made, chosen(spec, Path(out)))
    for name, few in (("table1", False), ("few", True)):
        if any((METHODS[cell["method"]].places.seeds is not None) == few for cell in made):
            yield name, main(made, seeds, few)
    yield "no_data", without_data(seeds)
    yield "seconds", timed(made)
    yield "rotated", turned(min(seeds, BLOCK), c_beta)
