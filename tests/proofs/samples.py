"""Instance lemmas for draws and counts: multinomial laws, trajectories against counts, averages of bonuses."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from math import prod

import numpy as np
from instances import law, rat, seq, some, truth
from texts import exactly, greater, looked_up, number, table, vectors

COUNTS, AVERAGE, CHEBYSHEV = (f"derl.probability.{name}" for name in ("multinomial", "adaptive", "chebyshev"))
OUTCOMES = (False, True)


def counts(rng, name: str) -> str:
    """`has_counts`, `draws`, `arrangements`, `multinomial`, and the law of the counts of three trajectories in two
    layers: sums over all sequences and trajectories in Python."""
    chance, size = law(rng, 2), int(rng.integers(2, 5))
    ones = int(rng.integers(0, size + 1))
    drawn = [[int(x) for x in rng.permutation([1] * ones + [0] * (size - ones))]]
    every = [t for t in product((0, 1), repeat=size) if sum(t) == ones]
    total = sum(prod(chance[x] for x in t) for t in every)
    word = "[:: " + "; ".join(truth(x) for x in drawn[0]) + "]"
    moves = np.array([[law(rng, 2) for _ in (0, 1)] for _ in (0, 1)], dtype=object)  # layer, from, to
    start = [int(x) for x in rng.integers(0, 2, 3)]
    some_paths = [[s, *(int(x) for x in rng.integers(0, 2, 2))] for s in start]
    seen = [Counter((p[h], p[h + 1]) for p in some_paths) for h in (0, 1)]
    found = Fraction(0)
    for steps in product(product((0, 1), repeat=2), repeat=3):
        paths = [(s, *after) for s, after in zip(start, steps, strict=True)]
        if [Counter((p[h], p[h + 1]) for p in paths) for h in (0, 1)] == seen:
            found += prod(moves[h][x][z] for p in paths for h, (x, z) in enumerate(pairwise(p)))
    wrong = ones - 1 if ones else 1
    goals = []
    rows = {(size, (size - ones, ones))} | {(sum(c[x, z] for z in (0, 1)), tuple(c[x, z] for z in (0, 1)))
                                           for c in seen for x in (0, 1)}
    for number_of, row in sorted(rows):
        key, here = f"{name}_{number_of}_{row[1]}", f"(fun x : bool => nth 0%N [:: {row[0]}; {row[1]}]%N x)"
        ways = len([t for t in product((0, 1), repeat=number_of) if sum(t) == row[1]])
        goals.append(f"""Lemma ways_{key} : {COUNTS}.arrangements {number_of} {here} = {ways}%N.
Proof.
have h := {COUNTS}.arrangements_factorial (N := {number_of}) (c := {here}); rewrite !big_bool /= in h.
by apply/eqP; rewrite -(@eqn_pmul2r ({row[1]}`! * {row[0]}`!)) // h.
Qed.""")
    tables = "; ".join(table([[c[x, z] for z in (0, 1)] for x in (0, 1)], 2, lambda n: f"{n}%N") for c in seen)
    ways = " ".join(f"?ways_{name}_{n}_{row[1]}" for n, row in sorted(rows))
    begun = "; ".join(truth(s) for s in start)
    row = f"(fun x : bool => nth 0%N [:: {size - ones}; {ones}]%N x)"
    other = f"(fun x : bool => nth 0%N [:: {size - wrong}; {wrong}]%N x)"
    return "\n".join([
        f"Definition p_{name} (x : bool) : rat := nth 0 {seq(chance)} x.",
        looked_up(f"P_{name}", "rat", table(moves.tolist(), 3, number), "nbb", "0"),
        *goals, f"""Goal {COUNTS}.has_counts {row} {word} = true.
Proof. by apply/forallP => -[]. Qed.
Goal {COUNTS}.has_counts {other} {word} = false.
Proof. by apply/negbTE/forallPn; exists true. Qed.
Goal {COUNTS}.draws p_{name} {word} = {rat(prod(chance[x] for x in drawn[0]))}.
Proof. by rewrite /{COUNTS}.draws !big_cons big_nil; kernel. Qed.
Definition c_{name} := [seq (fun x z : bool => nth 0%N (nth [::] c x) z) | c <- [:: {tables}]].
Lemma counted_{name} :
  {COUNTS}.counts_have P_{name} 0 (fun x : bool => count_mem x [:: {begun}]) c_{name} = {rat(found)}.
Proof.
rewrite /c_{name} /= !big_bool /= /{COUNTS}.multinomial /= ?big_bool /=.
by rewrite {ways} /P_{name} /=; kernel.
Qed.
Goal {COUNTS}.trajectories_have P_{name} 0 [:: {begun}] c_{name} = {rat(found)}.
Proof. by rewrite {COUNTS}.counts_chain counted_{name}. Qed.
Goal {COUNTS}.multinomial p_{name} {size} {row} = {rat(total)}.
Proof. by rewrite /{COUNTS}.multinomial ways_{name}_{size}_{ones} big_bool; kernel. Qed."""])


def averages(rng, name: str) -> str:
    """`trajectory`, `batch`, `bonuses`, `average`, `delta_k`, `expected`, and the law of independent draws: two
    trajectories of two layers, the bonuses of one layer or of both; the mean over both trajectories of one layer."""
    phi = [[[x, Fraction(0)] if rng.integers(0, 2) else [Fraction(0), x] for x in row]
           for row in some(rng, (2, 2), 4, 4)]
    squares = [[Fraction(int(x)) ** 2 / 4 for x in rng.integers(1, 5, 2)] for _ in (0, 1)]
    scale, layers = Fraction(int(rng.integers(1, 4)), 4), int(rng.integers(1, 3))
    states, chance = rng.integers(0, 2, (2, 2)).tolist(), law(rng, 2)
    norms = [[exactly(sum(float(x * x / y) for x, y in zip(phi[h][s], squares[h], strict=True)) ** 0.5)
              for s in (0, 1)] for h in (0, 1)]
    totals = [2 * scale * sum(norms[h][path[h]] for h in range(layers)) for path in states]
    draws = [int(x) for x in rng.integers(0, 2, 2)]
    goals = []
    for h, s in product((0, 1), (0, 1)):
        entry = f"[phi_{name} {h} {truth(s)} tt](_ : _ = {vectors(phi[h][s], 0)}) //"
        goals.append(f"""Lemma norm_{name}_{h}_{s} :
  R_sqrt.sqrt (qf (invmx (Lam_{name} {h})) (phi_{name} {h} {truth(s)} tt)) = {rat(norms[h][s])}.
Proof.
rewrite /Lam_{name} /= dg_inv ?mulf_neq0 ?invr_eq0 ?pnatr_eq0 ?oner_eq0 //; apply: real_root.
  by {greater(norms[h][s], Fraction(0), False)}.
by rewrite {entry} dg_qf; whole.
Qed.""")
    for i in (0, 1):
        used = " ".join(f"norm_{name}_{h}_{states[i][h]}" for h in range(layers))
        goals.append(f"""Lemma bonuses_{name}_{i} : {AVERAGE}.bonuses phi_{name} {rat(scale)} x_{name} t_{name}_{i} =
  {rat(totals[i])}.
Proof.
rewrite /{AVERAGE}.bonuses big_mkcond !big_ord_recl big_ord0 /= /t_{name}_{i} !ffunE /= /bump /=.
by rewrite {used}; whole.
Qed.""")
    single = 2 * scale * sum(w * norms[0][s] for s, w in zip((0, 1), chance, strict=True))
    listed = ["[:: " + "; ".join(f"({truth(s)}, tt)" for s in path) + "]" for path in states]
    return "\n".join([
        looked_up(f"f_{name}", "'cV[real]_2", vectors(phi, 2), "nb", "0"),
        f"Definition phi_{name} h s (a : unit) : 'cV[real]_2 := f_{name} h s.",
        f"Definition Lam_{name} (h : nat) : 'M[real]_2 := nth 0 [:: " + "; ".join(
            f"dg {rat(x)} {rat(y)}" for x, y in squares) + "] h.",
        f"Definition x_{name} : {AVERAGE}.batch bool_finType unit_finType 2 2 :=",
        f"  {AVERAGE}.Batch (fun _ => 0) Lam_{name} {layers}.",
        *[f"Definition t_{name}_{i} : {AVERAGE}.trajectory bool_finType unit_finType 2 :=\n"
          f"  [ffun h : 'I_2 => nth (true, tt) {listed[i]} h]." for i in (0, 1)],
        looked_up(f"q_{name}", "real", table(chance, 1, number), "b", "0"),
        f"Definition y_{name} : {AVERAGE}.batch bool_finType unit_finType 2 1 :=",
        f"  {AVERAGE}.Batch (fun t => q_{name} (t ord0).1) Lam_{name} 1."] + goals + [
        f"""Goal {AVERAGE}.delta_k phi_{name} {rat(scale)} x_{name}
  [ffun i : 'I_2 => if i == ord0 then t_{name}_0 else t_{name}_1] = {rat(sum(totals) / 2)}.
Proof.
rewrite /{AVERAGE}.delta_k /{AVERAGE}.average !big_ord_recl big_ord0 !ffunE /=.
by rewrite bonuses_{name}_0 bonuses_{name}_1; whole.
Qed.
Goal {AVERAGE}.expected phi_{name} {rat(scale)} y_{name} = {rat(single)}.
Proof.
rewrite /{AVERAGE}.expected /mean (reindex (fun s : bool => [ffun=> (s, tt)])) /=; last first.
  exists (fun t : {AVERAGE}.trajectory bool_finType unit_finType 1 => (t ord0).1) => [s _|t _]; first by rewrite ffunE.
  by apply/ffunP => i; rewrite ffunE (ord1 i); case: (t ord0) => s [].
rewrite big_bool /{AVERAGE}.bonuses !(big_mkcond (fun _ => (_ < _)%N)) !big_ord1 /= !ffunE /=.
by rewrite norm_{name}_0_0 norm_{name}_0_1 /q_{name} /=; whole.
Qed.
Goal {CHEBYSHEV}.draws (fun s : bool => q_{name} s)
  [ffun i : 'I_2 => nth true [:: {truth(draws[0])}; {truth(draws[1])}] i] = {rat(chance[draws[0]] * chance[draws[1]])}.
Proof. by rewrite /{CHEBYSHEV}.draws !big_ord_recl big_ord0 !ffunE /= /q_{name} /=; whole. Qed."""])
