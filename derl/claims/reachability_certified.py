"""Stored certificates of nu: the files, the instances they are about, and how narrow they are.

A file is written by `python -m derl.claims.reachability_certified` and re-checked by `reachability_checker.py`, which
needs no package. Here it is also compared with the instance of its name, built afresh.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from pathlib import Path

from derl.claims.evidence import Evidence, steps
from derl.claims.reachability_bounds import hexagon_eigenvalue
from derl.claims.reachability_checker import problems
from derl.claims.reachability_instances import round_bandit, twelfths, two_states
from derl.claims.registry import check, control
from derl.mdp import instances
from derl.theory import reachability
from derl.theory.reachability_interval import Interval
from derl.theory.reachability_model import layer_problem


@dataclass(frozen=True)
class Stored:
    """What one file is about.

    Attributes
    ----------
    build : function
        The instance.
    layer : int
    find : function of the instance and the layer
        The interval with its certificate.
    gap : number
        Largest relative gap of the certified number.
    """

    build: Callable
    layer: int
    find: Callable[..., Interval]
    gap: Fraction


def _nu(relative, subspace="all"):
    return lambda mdp, layer: reachability.nu(mdp, layer, relative=relative, subspace=subspace)


EXACT = Fraction(0)
FILES = {
    "reachability-hexagon": Stored(lambda: instances.hexagon(5, exact=True), 1, _nu(None, "reachable"), EXACT),
    "reachability-hexagon-eigenvalue": Stored(lambda: instances.hexagon(5, exact=True), 1,
                                              lambda mdp, layer: hexagon_eigenvalue(), EXACT),
    "reachability-twelve-points": Stored(round_bandit, 1, _nu(None), EXACT),
    "reachability-tabular": Stored(lambda: two_states(0), 3, _nu(None), EXACT),
    "reachability-d3": Stored(lambda: twelfths(5, 3, 3, 3, 15), 3, _nu(9e-7), Fraction(1, 10**6)),
    "reachability-d4": Stored(lambda: twelfths(6, 3, 4, 3, 5), 3, _nu(9e-4), Fraction(1, 10**3)),
    "reachability-random-d3": Stored(lambda: instances.random_simplex(6, 3, 3, 3, seed=0), 1, _nu(9e-7),
                                     Fraction(1, 10**6)),
    "reachability-random-d4": Stored(lambda: instances.random_simplex(6, 3, 4, 3, seed=0), 3, _nu(9e-4),
                                     Fraction(1, 10**3)),
    "reachability-explorability-d3": Stored(lambda: twelfths(5, 3, 3, 3, 15), 3, lambda mdp, layer:
                                            reachability.explorability(mdp, layer, relative=9e-4), Fraction(1, 10**3)),
}


def folder():
    """Where the certificates lie."""
    return resources.files("derl.claims").joinpath("certificates")


def load(name: str) -> dict:
    """One stored certificate."""
    return json.loads(folder().joinpath(f"{name}.json").read_text(encoding="utf-8"))


def ends_of(certificate: dict) -> tuple[Fraction, Fraction]:
    """Lower and upper end of the certified number: nu^2, lambda*, or the squared explorability coefficient."""
    return Fraction(certificate["lower"]["value"]), Fraction(certificate["upper"]["value"])


def relative_gap(certificate: dict) -> Fraction:
    """1 - lower/upper of the certified number."""
    low, high = ends_of(certificate)
    return 1 - low / high


def write(target: Path, names=tuple(FILES)) -> None:
    """Compute certificates and store them."""
    for name in names:
        stored = FILES[name]
        found = stored.find(stored.build(), stored.layer)
        text = json.dumps(found.certificate, separators=(",", ":"))
        target.joinpath(f"{name}.json").write_text(text + "\n", encoding="utf-8")
        print(f"{name}: {found.method}, {len(text)} characters, gap {float(relative_gap(found.certificate)):.1e}, "
              f"value {float(ends_of(found.certificate)[0]):.9f}")


@check("res-nu-certified", method="certificate", arithmetic="exact", covers="everything", gap="none",
       title="Nine files, re-checked with the standard library alone")
def stored_certificates_are_right(alter=lambda name, certificate: certificate) -> Evidence:
    """The checker accepts every file, its model is the instance of its name, and its ends are close enough."""
    outcomes = []
    for name, stored in FILES.items():
        certificate = alter(name, load(name))
        found = problems(certificate)
        outcomes += [(f"{name}: {found[0] if found else 'right'}", not found),
                     (f"{name}: the model is the instance",
                      certificate["model"] == layer_problem(stored.build(), stored.layer).text()
                      and certificate["layer"] == stored.layer),
                     (f"{name}: relative gap at most {float(stored.gap):g}", relative_gap(certificate) <= stored.gap)]
    methods = {load(name)["lower"]["method"] for name in FILES}
    outcomes.append(("every method of the checker occurs", methods >= {"vertices", "mixture", "game", "cones"}))
    return steps(outcomes, scope="; ".join(FILES))


@control(of=stored_certificates_are_right, plants="both ends raised by one part in 100 000")
def moved_up():
    def alter(name, certificate):
        if name == "reachability-random-d3":
            factor = 1 + Fraction(1, 10**5)
            for side in ("lower", "upper"):
                certificate[side]["value"] = str(Fraction(certificate[side]["value"]) * factor)
        return certificate

    return {"alter": alter}


@control(of=stored_certificates_are_right, plants="one leaf left out of a tree")
def one_leaf_less():
    def alter(name, certificate):
        if name == "reachability-random-d4":
            del certificate["lower"]["nodes"][-1]
        return certificate

    return {"alter": alter}


@control(of=stored_certificates_are_right, plants="another instance under the same name")
def another_instance():
    return {"alter": lambda name, certificate: load("reachability-d4") if name == "reachability-d3" else certificate}


if __name__ == "__main__":
    write(Path(str(folder())))
