"""These checks read the stored certificates of nu and compare them with the instances that they are about.

`python -m derl.claims.reachability.certified` writes a file, and `derl.certificates.check_reachability`, which needs no
package, checks it. Here each file is also compared with the instance of its name, built afresh.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from derl.certificates.check_reachability import problems
from derl.certificates.stored import ends_of, folder, load, relative_gap
from derl.claims import claim, steps
from derl.theory.reachability.certified import FILES
from derl.theory.reachability.model import layer_problem


def write(target: Path, names=tuple(FILES)) -> None:
    """Compute certificates and store them."""
    for name in names:
        stored = FILES[name]
        result = stored.find(stored.build(), stored.layer)
        text = json.dumps(result.certificate, separators=(",", ":"))
        target.joinpath(f"{name}.json").write_text(text + "\n", encoding="utf-8")
        print(f"{name}: {result.method}, {len(text)} characters, gap {float(relative_gap(result.certificate)):.1e}, "
              f"value {float(ends_of(result.certificate)[0]):.9f}")


@lru_cache(32)  # a control alters one file and leaves the others as they are
def _problems(text: str) -> list[str]:
    return problems(json.loads(text))


def _moved_up(name, certificate):
    if name == "reachability-random-d3":
        factor = 1 + Fraction(1, 10**5)
        for side in ("lower", "upper"):
            certificate[side]["value"] = str(Fraction(certificate[side]["value"]) * factor)
    return certificate


def _one_leaf_less(name, certificate):
    if name == "reachability-random-d4":
        del certificate["lower"]["nodes"][-1]
    return certificate


@claim("res-nu-certified", method="certificate",
       false={"both ends raised by one part in 100 000": {"alter": _moved_up},
              "one leaf left out of a tree": {"alter": _one_leaf_less},
              "another instance under the same name": {
                  "alter": lambda name, certificate: load("reachability-d4") if name == "reachability-d3"
                  else certificate},
              "the nu file of d = 3 under the name of its explorability": {
                  "alter": lambda name, certificate: load("reachability-d3") if name == "reachability-explorability-d3"
                  else certificate},
              "the hexagon's 3/8 under the name of its smallest eigenvalue, 1/4": {
                  "alter": lambda name, certificate: load("reachability-hexagon")
                  if name == "reachability-hexagon-eigenvalue" else certificate}})
def stored_certificates_are_right(text, alter=lambda name, certificate: certificate):
    """Nine files, re-checked with the standard library alone: The checker accepts every file; it is about what its name
    says, and its ends are close."""
    outcomes = []
    close = {("nu", text("d=", after="of the value with", skip=at)): text("", after=words)
             for at, words in enumerate(("$ are within", "and within"))}  # of random instances
    close["explorability", 3] = text("", after="coefficient is within")
    for name, stored in FILES.items():
        allowed = close[stored.quantity, stored.build().dim] if stored.gap else 0
        certificate = alter(name, load(name))
        result = _problems(json.dumps(certificate))
        outcomes += [(f"{name}: {result[0] if result else 'right'}", not result),
                     (f"{name}: the model is the instance",
                      layer_problem(stored.build(), stored.layer).stands_for(certificate["model"])
                      and certificate["layer"] == stored.layer),
                     (f"{name}: it is about {stored.quantity}, {stored.subspace} directions",
                      (certificate["quantity"], certificate["subspace"]) == (stored.quantity, stored.subspace)),
                     (f"{name}: relative gap at most {float(allowed):g}", relative_gap(certificate) <= allowed)]
    methods = {load(name)["lower"]["method"] for name in FILES}
    outcomes.append(("every method of the checker occurs", methods >= {"vertices", "mixture", "game", "cones"}))
    return steps(outcomes, scope="; ".join(FILES))


if __name__ == "__main__":
    write(Path(str(folder())))
