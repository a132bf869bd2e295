"""Instance lemmas for sums of traces, axes and stored vectors, expected squared norms, clipped values, orders."""

from __future__ import annotations

from fractions import Fraction

from instances import law, rat, some
from texts import greater, looked_up, number, table, vectors

from derl.certificates import stored

SUMS, SHARP, ATTAINED, BLOW, VALUES, MATRICES, FORMS = (f"derl.{name}" for name in (
    "potential.elliptical", "potential.elliptical_sharp", "potential.attained", "analysis.blow_up",
    "analysis.evaluation", "analysis.matrices", "common.forms"))
PLACE = ("ord0", "(lift ord0 ord0)")


def sums(rng, name: str) -> str:
    """`total`, `potential_sum`, `axis`: two increments along the axes, any lambda."""
    sizes, lam = [[abs(x) for x in row] for row in some(rng, (2, 2), 3, 4)], Fraction(int(rng.integers(1, 5)), 2)
    before = [[lam + sum(sizes[j][i] for j in range(t)) for i in (0, 1)] for t in range(3)]
    terms = sum(x / y for t in (0, 1) for x, y in zip(sizes[t], before[t], strict=True))
    d, t = int(rng.integers(1, 4)), int(rng.integers(0, 4))
    parts = [f"""Lemma total_{name}_{t} : {SUMS}.total X_{name} {rat(lam)} {t} = dg {rat(row[0])} {rat(row[1])}.
Proof.
rewrite /{SUMS}.total !big_ord_recl big_ord0 /= /bump /= addr0 -scalemx1 dg_1 /X_{name} /= dg_scale ?dg_add.
by congr (dg _ _); whole.
Qed.""".replace("!big_ord_recl big_ord0", "?big_ord_recl big_ord0") for t, row in enumerate(before)]
    return "\n".join([
        f"Definition X_{name} (t : nat) : 'M[real]_2 := nth 0 [:: " + "; ".join(
            f"dg {number(x)} {number(y)}" for x, y in sizes) + "] t.", *parts,
        f"""Goal {SHARP}.potential_sum X_{name} {rat(lam)} 2 = {rat(terms)}.
Proof.
rewrite /{SHARP}.potential_sum !big_ord_recl big_ord0 /= /bump /= total_{name}_0 total_{name}_1 /X_{name} /=.
rewrite dg_inv; [|by nonzero|by nonzero]; rewrite dg_inv; [|by nonzero|by nonzero]; rewrite /mxtrace.
by do 4 rewrite ?mxE ?big_ord_recl ?big_ord0 /=; whole.
Qed."""] + [f"""Goal {SHARP}.axis {d} {t} (inord {i}) ord0 = {int(i == t)}%:R.
Proof. by rewrite mxE inordK. Qed.""" for i in range(d)])


def held(rng, name: str) -> str:
    """`vec`, `stored`, `copies`: the stored certificate with three batches."""
    batches = stored.load("potential-sharp-d2-n200")["batches"]
    rows = [[Fraction(x) for x in copies["vector"]] for (copies,) in batches]
    k, i = int(rng.integers(0, 3)), int(rng.integers(0, 200))
    return "\n".join(f"""Goal {ATTAINED}.copies ({ATTAINED}.stored rat_realFieldType) {k} {i} {PLACE[j]} ord0 =
  {rat(rows[k][j])}.
Proof. by rewrite /{ATTAINED}.copies /{ATTAINED}.stored /= mxE; kernel. Qed.""" for j in (0, 1))


def orders(rng) -> str:
    """`sym`, `above`: symmetric or with one entry moved; a diagonal above another, or below it in one place."""
    a, b, c = (number(x) for x in some(rng, 3, 4, 3))
    low = [Fraction(int(x), 3) for x in rng.integers(1, 7, 2)]
    gaps = [Fraction(int(x), 4) for x in rng.integers(1, 3, 2)]
    high, moved = [x + y for x, y in zip(low, gaps, strict=True)], int(rng.integers(0, 2))
    bent = [x - Fraction(1, 9) if i == moved else y for i, (x, y) in enumerate(zip(low, high, strict=True))]
    dg = lambda x: f"(dg {rat(x[0])} {rat(x[1])} : 'M[real]_2)"  # noqa: E731
    e = "(v2 1 0)" if moved == 0 else "(v2 0 1)"
    return f"""Goal {FORMS}.sym (matr 2 [:: [:: {a}; {b}]; [:: {b}; {c}]]).
Proof. by rewrite /{FORMS}.sym; entries. Qed.
Goal ~ {FORMS}.sym (matr 2 [:: [:: {a}; {b}]; [:: {b} + 1; {c}]]).
Proof. by move/matrixP/(_ ord0 (lift ord0 ord0)); rewrite !mxE => /eqP; vm_compute. Qed.
Goal {MATRICES}.above {dg(high)} {dg(low)}.
Proof.
rewrite /{MATRICES}.above -dg_opp dg_add; split=> [|x].
  by apply/matrixP => -[[|[|?]] ?] // -[[|[|?]] ?] //; rewrite !mxE.
rewrite -[x]v2_of dg_qf addr_ge0 // mulr_ge0 ?sqr_ge0 // subr_ge0.
- by {greater(high[0], low[0], False)}.
by {greater(high[1], low[1], False)}.
Qed.
Goal ~ {MATRICES}.above {dg(bent)} {dg(low)}.
Proof.
rewrite /{MATRICES}.above -dg_opp dg_add => -[_ /(_ {e})]; rewrite dg_qf expr1n expr0n /= mulr0 mulr1 ?add0r ?addr0.
apply/negP; rewrite -ltNge subr_lt0.
by {greater(low[moved], bent[moved], True)}.
Qed."""


def ends(rng, name: str) -> str:
    """`clip` on both sides of both ends; `entry_reward`; `uncertainty2` of derl's squared norms; `orders`."""
    phi, first = some(rng, (2, 2), 3, 4), law(rng, 2)
    squares = [Fraction(int(x), 2) for x in rng.integers(1, 5, 2)]
    norm = sum(p * sum(x * x / y for x, y in zip(row, squares, strict=True)) for p, row in zip(first, phi, strict=True))
    goals = [orders(rng)]
    for x in (Fraction(-1, 7), Fraction(int(rng.integers(1, 7)), 7), Fraction(8, 7)):
        top = max(x, Fraction(0))
        goals.append(f"""Goal {VALUES}.clip ({rat(x)} : real) = {rat(min(top, Fraction(1)))}.
Proof.
rewrite /{VALUES}.clip {"max_l" if x >= 0 else "max_r"}; last by {greater(top, min(x, Fraction(0)), False)}.
rewrite {"min_l" if top <= 1 else "min_r"}; first by whole.
by {greater(max(top, Fraction(1)), min(top, Fraction(1)), False)}.
Qed.""")
    for i, j in ((0, 1), (1, 1)):
        goals.append(f"""Goal {VALUES}.entry_reward (fun _ (s : bool) (_ : unit) => phi_{name} s) 0
  {PLACE[i]} {PLACE[j]} true tt = {rat((1 + phi[1][i] * phi[1][j]) / 2)}.
Proof. by rewrite /{VALUES}.entry_reward /phi_{name} !mxE /=; whole. Qed.""")
    goals.append(f"""Goal {BLOW}.uncertainty2 phi_{name} (fun (_ : unit) s => p_{name} s)
  (dg {rat(squares[0])} {rat(squares[1])}) tt = {rat(norm)}.
Proof.
rewrite /{BLOW}.uncertainty2 /mean big_bool dg_inv; [|by nonzero|by nonzero].
rewrite [phi_{name} true](_ : _ = {vectors(phi[1], 0)}) // [phi_{name} false](_ : _ = {vectors(phi[0], 0)}) //.
by rewrite !dg_qf /p_{name} /=; whole.
Qed.""")
    return "\n".join([looked_up(f"phi_{name}", "'cV[real]_2", vectors(phi.tolist(), 1), "b", "0"),
                      looked_up(f"p_{name}", "real", table(first, 1, number), "b", "0")] + goals)
