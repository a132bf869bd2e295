"""Instance lemmas for the mean error of a ridge regression: one pair, drawn from two features and two targets."""

from __future__ import annotations

from fractions import Fraction

from instances import law, rat, seq

from derl.claims.beyond.mean_loss import mean_error

RIDGE = "derl.beyond.ridge"
PLACES = "!big_ord_recl !big_ord0 /="


def ridges(rng, name: str) -> str:
    """`draws_mean`, `ridge_matrix`, `ridge`, `second_moment` with R = 2: derl's mean over the two features, where the
    mean over the targets is written out."""
    chance = law(rng, 2)
    features, w = [Fraction(int(x)) for x in rng.integers(-1, 2, 2)], [Fraction(int(rng.integers(-1, 2)), 2)]
    hits = [(1 + x * w[0]) / 2 for x in features]
    error = mean_error(tuple((x,) for x in features), tuple(chance), tuple(w), 1, 1)
    weights = [p * part for p, hit in zip(chance, hits, strict=True) for part in (hit, 1 - hit)]
    told = Fraction(int(error.p), int(error.q))
    return f"""Definition p_{name} (z : 'I_4) : rat := nth 0 {seq(weights)} z.
Definition x_{name} (z : 'I_4) : rat := nth 0 {seq([x for x in features for _ in (0, 1)])} z.
Definition y_{name} (z : 'I_4) : rat := nth 0 {seq([Fraction(2), Fraction(0)] * 2)} z.
Definition f_{name} z : 'cV[rat]_1 := (x_{name} z)%:M.
Lemma moment_{name} : {RIDGE}.second_moment p_{name} f_{name} = (\\sum_z p_{name} z * x_{name} z ^+ 2)%:M.
Proof.
rewrite /{RIDGE}.second_moment raddf_sum; apply: eq_bigr => z _.
by rewrite /outer tr_scalar_mx -scalar_mxM -expr2 scale_scalar_mx.
Qed.
Lemma ridge_{name} z : {RIDGE}.ridge f_{name} y_{name} 2%:R [:: z] =
  ((1 + x_{name} z ^+ 2)^-1 * ((y_{name} z - 1) * x_{name} z))%:M.
Proof.
rewrite /{RIDGE}.ridge /{RIDGE}.ridge_matrix !big_cons !big_nil !addr0 /outer tr_scalar_mx -scalar_mxM -expr2 -raddfD.
by rewrite /= invmx_scalar scale_scalar_mx -scalar_mxM divff.
Qed.
Goal {RIDGE}.draws_mean p_{name} 1 (fun t => qf ({RIDGE}.second_moment p_{name} f_{name})
  ({RIDGE}.ridge f_{name} y_{name} 2%:R t - {rat(w[0])}%:M)) = {rat(told)}.
Proof.
rewrite {RIDGE}.draws_cons; under eq_bigr => z _.
  rewrite {RIDGE}.draws_nil ridge_{name} moment_{name} -raddfB /= /qf /bil tr_scalar_mx -!scalar_mxM mxE eqxx mulr1n.
  over.
rewrite {PLACES}; kernel.
Qed.
"""
