"""Stored certificates that cover all directions by cones, as the file of Coq that holds them, and one model evaluated.

`python tests/proofs/stored_cones.py > proofs/reachability/stored.v` writes it again (the repository on PYTHONPATH).
"""

from __future__ import annotations

import textwrap
from fractions import Fraction
from math import isqrt, lcm

from instances import rat, seq, truth

from derl.certificates import stored
from derl.certificates.check_reachability import Model, problems
from derl.exact.matrices import inverse

CONES = ("tabular", "d3", "d4", "random-d3", "random-d4", "explorability-d3")


def nested(value, number: str = "{}") -> str:
    """Whole numbers in lists in lists."""
    if isinstance(value, int):
        return f"({value})" if value < 0 else number.format(value)
    return "[:: " + "; ".join(nested(x, number) for x in value) + "]" if value else "[::]"


def model(certificate: dict, number: str = "{}") -> str:
    """The record of type `model`."""
    data = certificate["model"]
    features = data["features"]
    sizes = f"{len(features)}%N {len(features[0])}%N {len(features[0][0])}%N"
    rest = (data["features"], data["feature_scale"], data["transitions"], data["scales"], data["initial"],
            data["initial_scale"])
    return f"Model {sizes} " + " ".join(nested(x, number) for x in rest)


def leaf(node: dict) -> str:
    mixture = "; ".join(f"({k}%N, {w})" for k, w in node["mixture"])
    return f"(Leaf [:: {mixture}] {nested(node['squares'])})"


def trees(certificate: dict) -> str:
    """The tree over the orthants; an instance with features on the axes needs one leaf for each of them."""
    lower, dim = certificate["lower"], len(certificate["model"]["features"][0][0])
    nodes = iter(lower.get("nodes", [{"mixture": lower.get("mixture"), "squares": []}] * 2 ** (dim - 1)))

    def branch() -> str:
        node = next(nodes)
        if "cut" not in node:
            return leaf(node)
        i, j = node["cut"]
        return f"(Cut {i}%N {j}%N\n{branch()}\n{branch()})"

    def orthants(coordinates: int) -> str:
        if not coordinates:
            return f"(One {branch()})"
        return f"(Two {orthants(coordinates - 1)} {orthants(coordinates - 1)})"

    return orthants(dim - 1)


def basis(certificate: dict) -> tuple[str, str, str]:
    """The columns, a multiple of the inverse, and the factor."""
    dim = len(certificate["model"]["features"][0][0])
    rows = certificate["lower"].get("basis", [[int(i == j) for j in range(dim)] for i in range(dim)])
    back = inverse([[Fraction(x) for x in row] for row in rows])
    factor = lcm(*(Fraction(x).denominator for row in back for x in row))
    columns = [[row[i] for row in rows] for i in range(dim)]
    return nested(columns), nested([[int(x * factor) for x in row] for row in back]), str(factor)


def direction(certificate: dict) -> str:
    """The direction of the upper end; squares of whole numbers are those of a direction."""
    upper = certificate["upper"]
    return nested(upper["direction"] if "direction" in upper else [isqrt(x) for x in upper["squares"]])


HEAD = """(* The stored certificates with cones, and the tabular one, as data: the files reachability-*.json. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From derl.reachability Require Import cones covered.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.
"""


def lines(text: str) -> str:
    return textwrap.fill(text, 118, initial_indent="  ", subsequent_indent="  ", break_long_words=False,
                         break_on_hyphens=False)


def section(name: str) -> str:
    """One certificate: its data, and that the checker accepts both ends."""
    certificate, known = stored.load(f"reachability-{name}"), name.replace("-", "_")
    columns, back, factor = basis(certificate)
    low, high = (Fraction(certificate[side]["value"]) for side in ("lower", "upper"))
    kind = 1 if certificate["quantity"] == "explorability" else 2
    return f"""
(* reachability-{name}.json: the model *)
Definition model_{known} : model :=
{lines(model(certificate))}.
(* deterministic policies *)
Definition plans_{known} : seq plan := (
{lines(nested(certificate["policies"]))})%N.
(* columns that span the space, and the inverse of their matrix times a whole number *)
Definition columns_{known} : seq (seq Z) :=
{lines(columns)}.
Definition back_{known} : seq (seq Z) :=
{lines(back)}.
(* the cones *)
Definition trees_{known} : forest :=
{lines(trees(certificate))}.
(* the direction of the upper end *)
Definition direction_{known} : seq Z :=
{lines(direction(certificate))}.
Lemma model_{known}_proper : check_model model_{known}.
Proof. vm_cast_no_check isT. Qed.
Lemma lower_{known} : check_lower{kind} model_{known} plans_{known}
  {low.numerator} {low.denominator} columns_{known} back_{known}
  {factor} trees_{known}.
Proof. vm_cast_no_check isT. Qed.
Lemma upper_{known} : check_upper{kind} model_{known} direction_{known}
  {high.numerator}
  {high.denominator}.
Proof. vm_cast_no_check isT. Qed.
"""


def source() -> str:
    return HEAD + "".join(section(name) for name in CONES)


def binary(x: int) -> str:
    """A whole number of any size where the notation of numbers is that of MathComp."""
    digits = "(".join(f"Decimal.D{digit} " for digit in str(x))
    return f"(BinIntDef.Z.of_uint ({digits}Decimal.Nil{')' * len(str(x))})"


def verdicts(rng) -> str:
    """Ends of two stored certificates, moved or not: Coq's checker and Python's agree."""
    goals, where = [], "derl.reachability"
    for name, kind in (("tabular", 2), ("explorability-d3", 1), ("d3", 2)):
        certificate = stored.load(f"reachability-{name}")
        known, factor = name.replace("-", "_"), basis(certificate)[2]
        for side in ("lower", "upper"):
            value, part = Fraction(certificate[side]["value"]), Fraction(int(rng.integers(-5, 6)), 100)
            moved = value * (1 + part)
            spare = {"lower": {"value": "0", "method": "nothing"}} if side == "upper" else \
                {"upper": certificate["upper"] | {"value": str(max(moved, Fraction(certificate["upper"]["value"])))}}
            right = not problems(certificate | {side: certificate[side] | {"value": str(moved)}} | spare)
            ends = f"{binary(moved.numerator)} {binary(moved.denominator)}"
            data = f"{where}.stored.plans_{known} {ends} {where}.stored.columns_{known} {where}.stored.back_{known}\n" \
                f"  {binary(int(factor))} {where}.stored.trees_{known}"
            data = f"{where}.stored.direction_{known} {ends}" if side == "upper" else data
            goals.append(f"Goal {where}.covered.check_{side}{kind} {where}.stored.model_{known} {data} = "
                         f"{truth(right)}.\nProof. vm_cast_no_check (erefl {truth(right)}). Qed.")
    return "\n".join(goals)


def mixtures(rng, name: str) -> str:
    """`mixed_moment` and `second_entry` of a mixture of two policies: three pairs with laws of their own."""
    features, theta = rng.integers(-2, 3, (3, 2)).tolist(), [int(x) for x in rng.integers(-4, 5, 2)]
    share, found, laws = Fraction(int(rng.integers(1, 5)), 5), [], []
    for _ in range(2):
        weights = rng.integers(1, 5, 3).tolist()
        data = {"features": [[x] for x in features], "feature_scale": 3, "transitions": [], "scales": [],
                "initial": weights, "initial_scale": sum(weights), "available": [[[1]] * 3]}
        found.append(Model(data, "all").moments([[[0] * 3]], 0)[1])
        laws.append([Fraction(x, sum(weights)) for x in weights])
    mixed = [[share * x + (1 - share) * y for x, y in zip(*rows, strict=True)] for rows in zip(*found, strict=True)]
    square = sum(mixed[i][j] * theta[i] * theta[j] for i in range(2) for j in range(2))
    vectors, where = [[Fraction(x, 3) for x in row] for row in features], "derl.reachability"
    walk = "do 4 (rewrite ?big_ord_recl ?big_ord0 ?mxE /=); kernel."
    return f"""Definition w_{name} (i : 'I_2) : rat := nth 0 {seq([share, 1 - share])} i.
Lemma wP_{name} : is_law w_{name}.
Proof. by split=> [[[|[]]]|] //; rewrite !big_ord_recl big_ord0; kernel. Qed.
Definition phi_{name} (t : 'I_3) : 'cV[rat]_2 := \\col_i nth 0 (nth [::] {seq(vectors)} t) i.
Definition p_{name} (i : 'I_2) (t : 'I_3) : rat := nth 0 (nth [::] {seq(laws)} i) t.
Goal @{where}.tabular.second_entry [archiFieldType of rat] _ _ _ phi_{name} p_{name} ord0
  (exist _ w_{name} wP_{name}) = {rat(mixed[0][0])}.
Proof.
rewrite /{where}.tabular.second_entry /mean /phi_{name}; under eq_bigr => i _ do under eq_bigr => t _ do rewrite !mxE.
counted.
Qed.
Goal {where}.sandwich.mixed_moment phi_{name} p_{name} (\\col_i nth 0 {seq(theta)} i)
  (exist _ w_{name} wP_{name}) = {rat(square)}.
Proof. rewrite /{where}.sandwich.mixed_moment /mean /=; {walk} Qed."""


def cones(rng, name: str) -> str:
    """`occupancy`, `expected`, `feature`, `moment2`, `moment1` on a random model; verdicts; mixtures."""
    whole = lambda *shape: rng.integers(0, 5, shape).tolist()  # noqa: E731
    rows = [[[int(x), 10 - int(x)] for x in rng.integers(0, 11, 2)] for _ in range(2)]
    data = {"features": whole(2, 2, 2), "feature_scale": 9, "transitions": [rows], "scales": [10],
            "initial": [3, 4], "initial_scale": 7, "available": [[[1, 1]] * 2] * 2}
    plan, theta = rng.integers(0, 2, (2, 2)).tolist(), [int(x) for x in rng.integers(-4, 5, 2)]
    first, second = Model(data, "all").moments([plan], 0)
    mean = sum(x * y for x, y in zip(first, theta, strict=True))
    square = sum(second[i][j] * theta[i] * theta[j] for i in range(2) for j in range(2))
    term = model({"model": data}, "(BinInt.Z.of_nat {}%N)")
    return f"""Definition m_{name} : derl.reachability.cones.model := derl.reachability.cones.{term}.
Definition det_{name} : derl.reachability.cones.policy rat_realFieldType m_{name} := fun k s a =>
  ((a : nat) == nth 0%N (nth [::] ({nested(plan)})%N k) s)%:R.
Definition theta_{name} : 'cV[rat]_2 := \\col_i nth 0 [:: {rat(theta[0])}; {rat(theta[1])}] i.
Ltac walk := rewrite /derl.reachability.cones.expected /=; do 4 (rewrite ?big_ord_recl ?big_ord0 ?mxE /=);
  kernel.
Goal derl.reachability.cones.moment2 det_{name} theta_{name} = {rat(square)}.
Proof. rewrite /derl.reachability.cones.moment2; by walk. Qed.
Goal derl.reachability.cones.moment1 det_{name} theta_{name} = {rat(mean * mean)}.
Proof. rewrite /derl.reachability.cones.moment1; by walk. Qed.
{verdicts(rng)}
{mixtures(rng, name)}"""


if __name__ == "__main__":
    print(source(), end="")
