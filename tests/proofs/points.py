"""Instance lemmas for the hexagon, the twelve points, and the models of stored certificates."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from instances import law, rat, seq, some
from stored_cones import binary
from texts import exactly

from derl.certificates import stored

EXAMPLES, TWELVE, COVERED, STORED = (f"derl.reachability.{name}" for name in (
    "examples", "certificates", "covered", "stored"))
SUM = "rewrite !big_ord_recl big_ord0 /= /bump /="


def hexagons(rng, name: str) -> str:
    """`corner_x`, `corner_y`, `hexagon`, `hexagon_moment`: angles and covariance as numpy has them, in floats."""
    k, theta = int(rng.integers(0, 6)), some(rng, 3, 4, 3)
    angle = 2 * np.pi * np.arange(6) / 6
    vectors = np.array([np.ones(6), np.cos(angle), np.sin(angle)]).T / np.sqrt(2)
    moment = theta.astype(float) @ (vectors.T @ vectors / 6) @ theta.astype(float)
    at = f"(inord {k} : 'I_6)"
    return f"""Goal {EXAMPLES}.corner_x real {at} = {rat(exactly(np.cos(angle[k])))}.
Proof. by rewrite /{EXAMPLES}.corner_x inordK //=; whole. Qed.
Goal {EXAMPLES}.corner_y real {at} = {rat(exactly(np.sin(angle[k]) / (np.sqrt(3) / 2)))} * {EXAMPLES}.half_root3 real.
Proof. by rewrite /{EXAMPLES}.corner_y inordK //=; ring. Qed.
Goal {EXAMPLES}.hexagon_moment (\\col_i nth 0 [:: {'; '.join(map(rat, theta))}] i) ({EXAMPLES}.uniform real) =
  {rat(exactly(moment))}.
Proof.
rewrite /{EXAMPLES}.hexagon_moment /mean /=; {SUM}.
rewrite /{EXAMPLES}.hexagon /{EXAMPLES}.corner_x /{EXAMPLES}.corner_y.
do 4 rewrite ?mxE ?big_ord_recl ?big_ord0 /= /bump /=.
have s2 : (Num.sqrt 2%:R)^-1 ^+ 2 = 2%:R^-1 :> real by rewrite exprVn sqr_sqrtr ?ler0n.
have r2 := {EXAMPLES}.root3 real; move: s2 r2; set s := _^-1; set r := {EXAMPLES}.half_root3 _ => s2 r2.
transitivity (s ^+ 2 * ({rat(theta[0] ** 2)} + {rat(theta[1] ** 2 / 2)} +
  {rat(theta[2] ** 2 * Fraction(2, 3))} * r ^+ 2)).
  by field; rewrite ?pnatr_eq0.
by rewrite s2 r2; whole.
Qed."""


def twelve(rng, name: str) -> str:
    """`twelve`, `twelve_moment`: the features of the stored file, four of them in a mixture."""
    data = stored.load("reachability-twelve-points")["model"]
    points = [[Fraction(x, data["feature_scale"]) for x in row] for row in data["features"][0]]
    weights, theta = law(rng, 4), some(rng, 3, 4, 1)  # whole: Coq counts in unary
    at = sorted(int(k) for k in rng.choice(12, 4, replace=False))
    shares = [dict(zip(at, weights, strict=True)).get(k, Fraction(0)) for k in range(12)]
    moment = sum(w * (np.array(points[k]) @ theta) ** 2 for k, w in zip(at, weights, strict=True))
    k, i = int(rng.integers(0, 12)), int(rng.integers(0, 3))
    ends = ["ord0", "(lift ord0 ord0)", "(lift ord0 (lift ord0 ord0))"]
    return f"""Goal {TWELVE}.twelve rat_realFieldType (inord {k}) {ends[i]} ord0 = {rat(points[k][i])}.
Proof. by rewrite mxE inordK //; kernel. Qed.
Definition w_{name} (k : 'I_12) : rat := nth 0 {seq(shares)} k.
Lemma law_{name} : is_law w_{name}.
Proof. by split=> [[k]|]; [do 12 case: k => [|k] //|{SUM}; kernel]. Qed.
Goal {TWELVE}.twelve_moment (\\col_i nth 0 {seq(theta)} i) (exist _ w_{name} law_{name}) = {rat(moment)}.
Proof.
rewrite /{TWELVE}.twelve_moment /mean /=; under eq_bigr do rewrite {TWELVE}.twelve_dot !mxE.
by {SUM}; kernel.
Qed."""


def models(rng, name: str) -> str:
    """The models of the stored certificates, whole and with one weight one off; the cones of one of them, at its end
    and above the other end."""
    goals = []
    for known in ("d3", "d4", "random_d3", "random_d4"):
        model = f"{STORED}.model_{known}"
        rows = binary(1 + sum(stored.load(f"reachability-{known.replace('_', '-')}")["model"]["initial"]))
        goals.append(f"""Goal {COVERED}.check_model {model} = true.
Proof. by vm_compute. Qed.
Goal {COVERED}.law_row (derl.reachability.cones.states {model}) (derl.reachability.cones.initial {model})
  {rows} = false.
Proof. by vm_compute. Qed.""")
    nodes = stored.load("reachability-d3")["lower"]["nodes"]
    first, then = nodes[0], nodes[1]
    i, j = first["cut"]
    weights = "; ".join(f"({k}%N, {binary(w)})" for k, w in then["mixture"])
    cones = "derl.reachability.cones"
    goals.append(f"""Goal if {STORED}.trees_d3 is {cones}.Two ({cones}.Two ({cones}.One ({cones}.Cut i j l _)) _) _ then
    [/\\ i = {i}, j = {j} & if l is {cones}.Leaf mix _ then mix = [:: {weights}] else False]%N
  else False.
Proof. by split; vm_compute. Qed.
Goal (if {STORED}.trees_d3 is {cones}.One _ then 1%N else 3%N) = 3%N.
Proof. by vm_compute. Qed.""")
    return "\n".join(goals)
