"""What each method of the executed Table 1 is told: its listing, its inputs, its constants, and its N."""

from __future__ import annotations

from derl.experiments.families import draw
from derl.experiments.methods import METHODS, Asked, Method
from derl.experiments.table1 import DELTA, tuned
from derl.show.comparison import executed
from derl.show.comparison.executed import TEMPLATE, number
from derl.show.comparison.executed_pictures import hollow
from derl.show.comparison.orders import AT

INPUTS = {"leverage": "$g$ of its designs", "log_rules": "the number of decision rules"}  # computed from the features


def told() -> tuple[list[str], list[list[str]]]:
    """One row a method: header and rows. N is that of its theorem on the template."""
    header = ["method", "listing", "told or assumed beside features, $d,H,\\epsilon,\\delta$", "constants by hand",
              "$N$ of its theorem, from $d,H,A,\\nu_{\\min}$", "$N$ of its theorem in the runs"]
    return header, [[name, method.listing, inputs(method), by_hand(method), *map(number, sizes(name))]
                    for name, method in METHODS.items()]


def inputs(method: Method) -> str:
    """What a method is told of the instance."""
    mdp = draw(TEMPLATE["family"], 0, TEMPLATE["d"], TEMPLATE["horizon"])
    words = ["" if method.reward_free else "rewards", *(INPUTS[name] for name in method.theorem_inputs(mdp)),
             {"no": "", "yes": "reachability"}.get(method.nu, f"reachability ({method.nu})"),
             "functions around $Q^*$" if method.prepared else ""]
    return ", ".join(word for word in words if word) or "nothing"


def by_hand(method: Method) -> str:
    """The numbers among the options of its runs where N is searched, and the common scale of a bonus."""
    options = {name: value for name, value in method.options(TEMPLATE["horizon"]).items()
               if not isinstance(value, str) and name != "block"}
    words = [f"{name.replace('_', ' ')} {value:g}" for name, value in options.items()]
    return ", ".join((["$c$ of the bonus, calibrated"] if tuned(method) == "calibrated" else []) + words)


def sizes(name: str) -> tuple[float | None, float | None]:
    """N of a theorem from d, H, A and nu_min alone, and with what the method is told; None where it is 1 or none."""
    method, d, horizon = METHODS[name], TEMPLATE["d"], TEMPLATE["horizon"]
    recorded = [row["batch_size"] for row in executed.chosen(method=name, mode="theorem", **TEMPLATE)]
    if not recorded or recorded[0] == 1:
        return None, None
    asked = Asked(d, horizon, TEMPLATE["epsilon"], DELTA, AT["nu"], float(min(d, AT["actions"])))
    return float(method.theorem(asked).batch_size), float(max(recorded))


def ends_of_the_front() -> tuple[list[str], list[str]]:
    """Methods on the front of the picture at the N of the theorems, as recorded and with N from d, H, A and nu_min."""
    points = [point for point in executed.points("theorem", **TEMPLATE) if not hollow(point)]
    names = []
    for generic in (False, True):
        scaled = [point | {"trajectories": point["trajectories"] * (ratio(point["method"]) if generic else 1)}
                  for point in points]
        names.append([point["method"] for point in executed.front(scaled)])
    return names[0], names[1]


def ratio(name: str) -> float:
    """By which factor N is larger from d, H, A and nu_min alone."""
    generic, recorded = sizes(name)
    return generic / recorded if recorded else 1.0
