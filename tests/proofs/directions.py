"""Instance lemmas for second moments in a direction, and for the features that are met."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from instances import law, rat, some, truth
from texts import greater, looked_up, number, over, table, vectors

CHAIN, COEFFICIENT, SPAN, DESIGN, FACTOR = (f"derl.reachability.{name}" for name in (
    "chain", "coefficient", "span", "design", "factor"))
PAIR = ("ord0", "(lift ord0 ord0)", "(lift ord0 (lift ord0 ord0))")
SUM = "do 3 (rewrite ?big_ord_recl ?big_ord0 /= /bump /=)"


def directed(rng, name: str) -> str:
    """`moment`, `second`, `zero_mean`, `covariance`, `unit_vector`: three pairs, two policies, one direction."""
    phi, theta, turn = some(rng, (3, 2), 4, 5), some(rng, 2, 4, 5), int(rng.integers(0, 2))
    laws = [law(rng, 3) for _ in range(2)]
    moment = sum(p * np.outer(v, v) for p, v in zip(laws[turn], phi, strict=True))
    mean = sum(p * (v @ theta) for p, v in zip(laws[turn], phi, strict=True))
    layered = f"(fun (h : 'I_1) => p_{name})"
    opened = f"{SUM}; rewrite /phi_{name} /p_{name} /q_{name} /= ?v2_dot; whole"
    goals = [f"""Goal {CHAIN}.moment phi_{name} p_{name} {truth(turn)} (v2 {number(theta[0])} {number(theta[1])}) =
  {rat(theta @ moment @ theta)}.
Proof. by rewrite /{CHAIN}.moment /mean; {opened}. Qed.
Goal {COEFFICIENT}.second phi_{name} {layered} ord0 (v2 {number(theta[0])} {number(theta[1])}) {truth(turn)} =
  {rat(theta @ moment @ theta)}.
Proof. by rewrite /{COEFFICIENT}.second /mean; {opened}. Qed.
Lemma mean_{name} :
  mean (p_{name} {truth(turn)})
    (fun t => ((phi_{name} t)^T *m v2 {number(theta[0])} {number(theta[1])}) ord0 ord0) = {rat(mean)}.
Proof. by rewrite /mean; {opened}. Qed.
Goal {COEFFICIENT}.zero_mean phi_{name} {layered} ord0 (v2 {number(theta[0])} {number(theta[1])}) {truth(turn)} =
  {rat(abs(mean))}.
Proof.
rewrite /{COEFFICIENT}.zero_mean mean_{name} {"ger0_norm" if mean >= 0 else "ler0_norm"}; first by whole.
by {greater(max(mean, Fraction(0)), min(mean, Fraction(0)), False)}.
Qed."""]
    goals += [f"""Goal {COEFFICIENT}.covariance phi_{name} {layered} ord0 {truth(turn)} {PAIR[i]} {PAIR[j]} =
  {rat(moment[i, j])}.
Proof.
rewrite /{COEFFICIENT}.covariance summxE; {SUM}; rewrite /outer !mxE; {SUM}.
by rewrite /phi_{name} /p_{name} /q_{name} !mxE /=; whole.
Qed.""" for i in range(2) for j in range(2)]
    short, long = Fraction(3, 5) * int(rng.choice([-1, 1])), Fraction(4, 5)
    other = long + int(rng.choice([-1, 1])) * Fraction(1, 100)
    length = short**2 + other**2
    goals.append(f"""Goal {COEFFICIENT}.unit_vector (v2 {rat(short)} {rat(long)} : 'cV[real]_2).
Proof. by rewrite /{COEFFICIENT}.unit_vector dg_1 dg_qf; whole. Qed.
Goal ~ {COEFFICIENT}.unit_vector (v2 {rat(short)} {rat(other)} : 'cV[real]_2).
Proof.
rewrite /{COEFFICIENT}.unit_vector dg_1 dg_qf; apply/eqP; rewrite {"lt_eqF" if length < 1 else "gt_eqF"} //.
by {greater(max(length, Fraction(1)), min(length, Fraction(1)), True)}.
Qed.""")
    return "\n".join([
        over(3, looked_up(f"phi_{name}", "'cV[real]_2", vectors(phi.tolist(), 1), "n", "0")),
        looked_up(f"q_{name}", "real", table(laws, 2, number), "bn", "0"),
        f"Definition p_{name} (w : bool) (t : 'I_3) : real := q_{name} w t."] + goals)


def met(rng, name: str) -> str:
    """`met`, `met_rows`, `met_span`, `take`, `mixed`: of three pairs one has a feature, and it is met or not."""
    where, seen = int(rng.integers(0, 3)), int(rng.integers(0, 3))
    feature, chance = Fraction(int(rng.integers(1, 5)), 5), Fraction(int(rng.integers(1, 4)), 4)
    shares, matrices = law(rng, 2), some(rng, (2, 2, 2), 4)
    mixed = sum(w * m for w, m in zip(shares, matrices, strict=True))
    rows = [Fraction(t == where == seen) * feature for t in range(3)]
    goals = [f"""Lemma met_{name}_{t} : {SPAN}.met p_{name} {PAIR[t]} = {truth(t == seen)}.
Proof. by rewrite /{SPAN}.met exists1 /p_{name} /= ?ltxx ?divr_gt0 ?ltr0n. Qed.
Lemma row_{name}_{t} : {SPAN}.met_rows phi_{name} p_{name} (enum_rank {PAIR[t]}) ord0 = {rat(rows[t])}.
Proof. by rewrite !mxE enum_rankK met_{name}_{t} ?mxE; kernel. Qed.""" for t in range(3)]
    full = where == seen
    ends = f"""by move/eqP/matrixP/(_ (enum_rank {PAIR[where]}) ord0); rewrite row_{name}_{where} mxE => /eqP;
  vm_compute.""" \
        if full else "\n".join(f"  by rewrite row_{name}_{t} mxE; kernel." for t in range(3))
    if full:
        proof = f"""rewrite /{SPAN}.met_span eqn_leq rank_leq_col lt0n mxrank_eq0 /=; apply/negP.
{ends}"""
    else:
        proof = f"""rewrite /{SPAN}.met_span (_ : {SPAN}.met_rows _ _ = 0) ?mxrank0 //; apply/matrixP => k j.
rewrite (ord1 j) -(enum_valK k); case: (enum_val k) => -[|[|[|?]]] lt //.
""" + "\n".join(f"- by rewrite (_ : Ordinal lt = {PAIR[t]}) ?row_{name}_{t} ?mxE; "
                "[kernel|exact/val_inj]." for t in range(3))
    goals.append(f"Goal {SPAN}.met_span phi_{name} p_{name} = {truth(full)}.\nProof.\n{proof}\nQed.")
    goals += [f"Goal {FACTOR}.take rat_realFieldType ({PAIR[seen]} : 'I_3) {PAIR[t]} = {rat(t == seen)}.\n"
              "Proof. by kernel. Qed." for t in range(3)]
    goals += [f"""Goal {DESIGN}.mixed C_{name} w_{name} (fun k : 'I_2 => k : nat) {PAIR[i]} {PAIR[j]} =
  {rat(mixed[i, j])}.
Proof. by rewrite /{DESIGN}.mixed summxE; {SUM}; rewrite !mxE /w_{name} /c_{name} /=; whole. Qed."""
              for i in range(2) for j in range(2)]
    return "\n".join([
        f"Definition phi_{name} (t : 'I_3) : 'cV[rat]_1 := \\col_i (if t == {PAIR[where]} then {rat(feature)} else 0).",
        f"Definition p_{name} (w : 'I_1) (t : 'I_3) : rat := if t == {PAIR[seen]} then {rat(chance)} else 0.",
        looked_up(f"c_{name}", "real", table(matrices.tolist(), 3, number), "nnn", "0"),
        f"Definition C_{name} k : 'M[real]_2 := \\matrix_(i, j) c_{name} k i j.",
        over(2, looked_up(f"w_{name}", "real", table(shares, 1, number), "n", "0"))] + goals)


def after(rng, name: str) -> str:
    """`moment_after`: two members of a mixture enter a block; the second moments in its second layer."""
    share, phi = Fraction(int(rng.integers(1, 4)), 4), some(rng, (2, 2, 2), 2, 3)
    entered = np.array([[w * x for x in law(rng, 2)] for w in (share, 1 - share)])
    rules = np.array([[[law(rng, 2) for _ in range(2)] for _ in range(2)] for _ in range(2)], dtype=object)
    moves = np.array([[law(rng, 2) for _ in range(2)] for _ in range(2)], dtype=object)
    state = [np.einsum("s,sa,sat->t", p, rule[0], moves) for p, rule in zip(entered, rules, strict=True)]
    moment = sum(np.einsum("s,sa,sai,saj->ij", p, rule[1], phi, phi) for p, rule in zip(state, rules, strict=True))
    goals = [f"""Goal derl.beyond.chain.moment_after phi_{name} P_{name} p_{name}
  (fun w => derl.beyond.chain.plays (mu_{name} w)) 1 {PAIR[i]} {PAIR[j]} = {rat(moment[i, j])}.
Proof.
rewrite /derl.beyond.chain.moment_after summxE big_bool !summxE !big_bool /outer !mxE !big_ord1 !mxE /=.
rewrite /derl.beyond.chain.pair_after; do 4 rewrite ?big_bool /=; rewrite /derl.beyond.chain.plays /=.
by rewrite /p_{name} /mu_{name} /m_{name} /P_{name} /q_{name} /=; whole.
Qed.""" for i, j in ((0, int(rng.integers(0, 2))),)]
    return "\n".join([
        looked_up(f"f_{name}", "'cV[real]_2", vectors(phi.tolist(), 2), "bb", "0"),
        f"Definition phi_{name} (h : nat) s a : 'cV[real]_2 := f_{name} s a.",
        looked_up(f"q_{name}", "real", table(moves.tolist(), 3, number), "bbb", "0"),
        f"Definition P_{name} (h : nat) s a t : real := q_{name} s a t.",
        looked_up(f"m_{name}", "real", table(rules.tolist(), 4, number), "bnbb", "0"),
        f"Definition mu_{name} (w : bool) h (s a : bool) : real := m_{name} w h s a.",
        looked_up(f"p_{name}", "real", table(entered.tolist(), 2, number), "bb", "0")] + goals)
