"""These checks measure Lemma C.4 along runs, and refute the step from its event to the printed bonus (line 956).

The counterexample has d = H = 2: two deployments whose data lie inside the event and on which the bonus of the third is
too small. It is computed exactly for three ratios c_beta/c, and by limits for every ratio.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import isqrt

import numpy as np
import sympy
from sympy import Rational, log

from derl.algorithms.layerwise import plan_truncated
from derl.claims import Evidence, claim, printed, steps
from derl.claims.layerwise.symbols import C_BETA
from derl.deployment import Deployer
from derl.estimation import fit
from derl.exact.compared import exactly
from derl.exact.logarithms import enclosure
from derl.exact.symbolic import positive
from derl.inputs.threads import one_thread
from derl.mdp import instances
from derl.printed import Text, Unreadable
from derl.theory import constants

EPSILON, DELTA = 0.2, 0.1
DEPLOYMENTS = 8
BATCH_SIZES = (10**2, 10**6, 10**12)
SEEDS = (0, 1)
SUITE = ("random_simplex:n_states=8,n_actions=3,dim=4,horizon=4,seed=3",
         "hard_template:d=3,horizon=4,optimal_layer=3,optimal_index=1,cores=0,epsilon=0.3", "optimism_trap")
RATIOS = (1, 3, 10)  # c_beta / c
GRID = Fraction(1, 10)  # epsilon and delta of the counterexample
SMALL = 10**4  # (n/4) / beta^2 at least, so that V(A) - V(B) is 1 up to 1/50


def noises(mdp, batch_size: int, version: str, seed: int, transitions: np.ndarray):
    """Largest |sum phi (V - P V)|_{Lambda^{-1}} of each deployment of Algorithm 1, every layer explored at once."""
    known = Deployer(mdp, batch_size, DEPLOYMENTS, seed=seed)
    beta = constants.bonus_scale(mdp.dim, mdp.horizon, EPSILON, DELTA)
    data = np.zeros((mdp.horizon, mdp.n_states, mdp.n_actions, mdp.n_states))
    rewards = mdp.rewards()
    for _ in range(DEPLOYMENTS):
        designs = [fit(mdp.phi[h], data[h]) for h in range(mdp.horizon)]
        plan = plan_truncated(known.known, designs, lambda h, norms: rewards[h], beta, version)
        yield max(noise(mdp.phi[h], data[h], transitions[h], plan[h + 1].values, designs[h])
                  for h in range(mdp.horizon - 1))
        data += known.deploy(np.stack([step.policy for step in plan])).counts


@cache
def noises_of(spec: str, size: int, version: str, seed: int, mix: float) -> tuple[float, ...]:
    """The noises on an instance, against its transitions mixed with the uniform ones."""
    mdp = instances.from_spec(spec)
    return tuple(noises(mdp, size, version, seed, (1 - mix) * mdp.transitions() + mix / mdp.n_states))


def noise(phi, counts, transitions, values, design) -> float:
    """|sum_{s,a,s'} n(s,a,s') phi(s,a) (V(s') - (P V)(s,a))|_{Lambda^{-1}}."""
    deviation = counts @ values - counts.sum(axis=2) * (transitions @ values)
    return float(design.norms(np.einsum("sad,sa->d", phi, deviation)[None])[0])


DEVIATION = (r"\Bigl\|\sum_{\tau<k}\sum_n\phi_h^{\tau n}\bigl(V_{h+1}^k(s_{h+1}^{\tau n})"
             r"-P_hV_{h+1}^k(s_h^{\tau n},a_h^{\tau n})\bigr)\Bigr\|_{(\Lambda_h^k)^{-1}}")


@claim("lem-concentration", method="run", arithmetic="float64",
       gap="runs: 3 instances, 3 batch sizes, 2 seeds, both versions, c = 3/2. Under the printed cap V may fall below "
       "-H, where the cited lemma does not apply; for values in [0, H] the repaired lemma is proved", plants=8,
       false={"deviations from transitions that are mixed with the uniform ones by 1/100": {"mix": 0.01}})
@one_thread
def deviations_along_runs(text, mix=0.0):
    """Deviations along runs: Largest deviation over (3/2) d H sqrt(log(dKNH/delta)), with the true transitions known to
    the check."""
    worst, where = 0.0, ""
    for spec, size, version, seed in product(SUITE, BATCH_SIZES, ("repaired", "as-printed"), SEEDS):
        mdp = instances.from_spec(spec)
        deployments = int(text(r"k\le", K=DEPLOYMENTS))
        norm, bound = text.sides(rf"{DEVIATION}\le", {
            DEVIATION: max(noises_of(spec, size, version, seed, mix)[:deployments])}, c=float(C_BETA), d=mdp.dim,
            H=mdp.horizon, K=deployments, N=size, delta=DELTA)
        ratio = norm / bound
        if ratio > worst:
            worst, where = ratio, f"{spec.split(':')[0]}, N={size}, {version}, seed {seed}"
    return Evidence(worst, 1, "upper", f"{len(SUITE)} instances, N in {BATCH_SIZES}, seeds {SEEDS}, K = {DEPLOYMENTS}",
                    detail=f"worst: {where}")


ERROR, NORM = r"|\phi^\top w_h^k-P_hV_{h+1}^k|", r"\|\phi\|_{(\Lambda_h^k)^{-1}}"


def beta_squared(text: Text, ratio: int, dim: int, horizon: int) -> tuple[Fraction, Fraction]:
    """The square of the printed beta at epsilon = delta = `GRID`, enclosed."""
    one, level = sympy.Integer(1), Rational(GRID)
    square = sympy.expand_log(text(r"\beta=", c_beta=ratio * one, d=dim * one, H=horizon * one, epsilon=level,
                                   delta=level) ** 2)
    logarithms = sorted(square.atoms(log), key=str)
    if len(logarithms) != 1 or not (factor := square / logarithms[0]).is_Rational:
        raise Unreadable(f"the square of beta, {square}, is no multiple of a logarithm")
    inside = logarithms[0].args[0]
    return tuple(Fraction(int(factor.p), int(factor.q)) * end
                 for end in enclosure(Fraction(int(inside.p), int(inside.q))))


def too_small_on_these_data(text: Text, ratio: int, with_batch: bool) -> bool:
    """Whether data inside the event (c = 1) break the bonus with c_beta = ratio: exact, logarithms enclosed."""
    dim, horizon, n_deployments = 2, 2, 9  # K = 2 d H + 1
    scale = dim * horizon
    alone = beta_squared(text, ratio, dim, horizon)
    batch = 10 ** (4 + int(2 * alone[1] / scale**2))  # log 10 > 2: log(dKNH/delta) is four times what beta has
    batch = max(batch, int(2 * SMALL * alone[1]) + 1)
    logarithm = enclosure(Fraction(dim * n_deployments * batch * horizon) / GRID)
    beta_log = enclosure(2 * Fraction(dim * n_deployments * batch * horizon) / GRID)
    beta_square = (ratio * scale) ** 2 * beta_log[1] if with_batch else alone[1]  # from above
    event_square = scale**2 * logarithm[0]  # from below
    size = 2 * batch  # the data of deployments 1 and 2
    layer_two = 4 * beta_square >= (GRID / 4) ** 2 and 4 * beta_square / (1 + batch) < (GRID / 4) ** 2  # h_3 = 2
    m = isqrt(int(2 * beta_square * (size + 1)))  # so that m^2/(n + 1) is about 2 beta^2
    if 2 * m >= size // 2 or not layer_two or 4 * SMALL * beta_square > size:
        return False
    low, high = Fraction(49, 50), Fraction(51, 50)  # V(A) - V(B); P V <= 1
    in_event = (high * m) ** 2 / (size + 1) <= event_square
    error, bonus = text.sides(rf"{ERROR}\le", {ERROR: ((low * m - 1) / (size + 1)) ** 2, NORM: Fraction(1, size + 1)},
                              beta=beta_square)  # all squared: phi is e_1, of length 1/sqrt(size + 1)
    explored = 2 in text.range("h", h_k=2)  # the layer in which the bonus fails
    return in_event and error > bonus and explored


@claim("text-bonus-from-event", method="exhaustive", covers="one instance, c_beta/c = 1, 3, 10", refutes=True,
       as_corrected={"beta with log(2dKNH/delta)": {"with_batch": True}})
def bonus_misses_data_of_the_event(text, with_batch=False):
    """Data inside the event, a bonus too small: Counts the ratios c_beta/c for which two deployments satisfy the event
    and break the bonus of the third."""
    broken = [ratio for ratio in RATIOS if too_small_on_these_data(text, ratio, with_batch)]
    scope = f"d = H = 2, k = 3, h_3 = 2, K = 9, epsilon = delta = 1/10, c_beta/c in {RATIOS}"
    return Evidence(len(broken), len(RATIOS), "identity", scope)


@claim("text-bonus-from-event", covers="every ratio c_beta/c, one instance",
       gap="how the steps make a chain: argued in the text", refutes=True,
       as_corrected={"E = beta, as when beta contains N": {"lead": 1}})
def bonus_misses_for_every_constant(text, lead=2, event=printed("lem-concentration")):
    """Data inside the event for every c_beta: An integer m between the two bounds, for E >= lead beta; and that E/beta
    grows while E/sqrt(N) vanishes."""
    (N, c, c_beta), s = sympy.symbols("N c c_beta", positive=True), sympy.Symbol("s", nonnegative=True)
    at = {"d": sympy.Integer(2), "H": sympy.Integer(2), "delta": Rational(1, 10)}
    bound = event(rf"{DEVIATION}\le", c=c, K=9, N=N, **at) ** 2  # E^2
    ratio = sympy.expand_log(bound) / text(r"\beta=", c_beta=c_beta, epsilon=Rational(1, 10), **at) ** 2
    B = 3 + s  # beta sqrt(n + 1)
    length = lead * B * Rational(50, 51) - (B + 1) * Rational(50, 49) - 1
    return steps([
        ("m (51/50) <= E sqrt(n + 1) and m (49/50) - 1 > B leave room for a whole number", positive(length, s)),
        ("E^2/beta^2 -> oo", exactly(sympy.limit(ratio, N, sympy.oo), sympy.oo)),
        ("E^2/N -> 0", exactly(sympy.limit(sympy.expand_log(bound) / N, N, sympy.oo), 0)),
    ], "d = H = 2, every c, c_beta > 0, epsilon and delta, all N from some size on")
