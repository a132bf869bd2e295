"""These checks show that bounding only the total mass |mu_h(S)| (line 213) is not enough for Algorithm 1.

Each runs the instance of `derl.theory.lower_bounds.parallel_features`, on which two actions have features at a small
angle t and lead to different states. One check replays Algorithm 1 in balls at two batch sizes. The other derives t for
every N of the theorem, that is N x >= 7 with x as in condition (B) of `derl.claims.layerwise.constants`.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.exact.balls import log_scale
from derl.exact.symbolic import at_least, equal, exceeds, same_operator
from derl.mdp.exact import squared_measure_norm
from derl.theory import constants
from derl.theory.layerwise import replay, samples
from derl.theory.lower_bounds.parallel_features import almost_parallel

DIM = HORIZON = 2
TRADE_OFF, EPSILON, DELTA = 6, Fraction(1, 5), Fraction(1, 10)
LARGER = (1, 10**20)  # factors above the proved batch size
C_BETAS = (Fraction(2122, 1000), Fraction(20))  # 3/sqrt 2 and a larger one


def run(slope: Fraction, size: int, c_beta: Fraction) -> replay.Replay:
    """Algorithm 1 with the bonus uncapped inside Q, beta = c_beta d H sqrt(log(2dHN/delta)), replayed in balls."""
    bound = constants.deployments_layerwise(DIM, HORIZON, TRADE_OFF)
    beta = log_scale(2 * DIM * HORIZON * Fraction(size) / DELTA, c_beta * DIM * HORIZON)
    return replay.replay(replay.Model(*almost_parallel(slope)), size, bound, EPSILON, beta, "repaired")


@claim("asm-measure-norm", method="interval", arithmetic="ball",
       gap="c_K = 6, N the proved size and 10^20 times that; of two equally good actions the first in the list is "
       "taken (where the last one is taken, list them in the other order)", refutes=True, needs="rigor",
       false={"t = 4/5, still so long that a+ is tried": {"slope": Fraction(1, 2)}},
       as_corrected={"t = 1, where sup over |v| <= 1 of |sum v mu| is sqrt d": {"slope": Fraction(1)}})
def total_mass_is_not_enough(text, slope=None):
    """Two actions with almost the same feature: Smallest suboptimality of the returned policy over N and c_beta, where
    all of |mu(S)| <= sqrt d holds."""
    proved = samples.proved_batch_size(DIM, HORIZON, float(EPSILON), float(DELTA), TRADE_OFF)
    K = constants.deployments_layerwise(DIM, HORIZON, TRADE_OFF)
    gaps, longest, mass = [], Fraction(0), r"\|\mu_h(\mathcal S)\|"
    for size in (proved * factor for factor in LARGER):
        s = Fraction(1, (K * size) ** 3) if slope is None else slope
        mu = almost_parallel(s)[1]
        longest = max(longest, squared_measure_norm(mu[0]))
        totals = (layer.sum(axis=1) for layer in mu)
        printed_holds = all(text.relation(mass, {mass: sympy.sqrt(sympy.Rational(total @ total))}, d=DIM).holds
                            for total in totals)
        for c_beta in C_BETAS:
            result = run(s, size, c_beta)
            certain = result.log_exception == -np.inf  # nothing in this instance is random
            gaps.append(result.gap if result.converged and certain and printed_holds else Fraction(0))
    rounded = Fraction(int(min(gaps) * 10**6), 10**6)  # downwards
    return Evidence(rounded, Fraction(99, 100), "lower", f"d = H = 2, epsilon = 1/5, delta = 1/10, K = {K}, c_K = 6, "
                    f"N = {proved:.1e} and {proved * LARGER[1]:.0e}, c_beta = 3/sqrt 2 and 20",
                    detail=f"sup over |v| <= 1 of |sum v mu| is at most {float(longest) ** 0.5:.1e}, sqrt d is 1.41")


@claim("asm-measure-norm", gap="how the steps make a chain: argued in the text; ties go to the lower index",
       refutes=True,
       false={"t = 2/(beta sqrt(1 + 2N)), too large for this argument": {"share": 2}})
def every_batch_size_fails(text, share=1, violation=printed("eq-violation")):
    """For every batch size of the theorem: The norms of the two actions, the rewards against them, and both stops, for
    t = share/(beta sqrt(1 + 2N))."""
    t, n, s, small, large = sympy.symbols("t n s small large", nonnegative=True)
    beta, level = sympy.symbols("beta level", positive=True)
    squares = ((1 - t**2) / (1 + n) + t**2) - 1 / (1 + n)  # of b+ and b-, as c^2 = 1 - t^2
    more = share / (2 * (1 + s))  # beta (b+ - b-)/t <= beta t sqrt(1 + n)/2, where sqrt(1 + 2N) = (1 + s) sqrt(1 + n)
    N = 7 / violation(r"\frac1N...\ge", H=text("d=H="), beta=beta, epsilon=level) + small  # N x >= 7
    most = text(r"\|\mu_h(\mathcal S)\|\le", d=sympy.Integer(text("d=H=")))
    return steps([
        "bonuses",
        ("|mu(S)|^2 = 1 + ((1 - c)/t)^2 <= 1 + t^2 <= d at t = 1/(1 + s)", at_least(most**2, 1 + 1 / (1 + s) ** 2, s)),
        ("b+^2 - b-^2 = t^2 n/(1 + n)", equal(squares, t**2 * n / (1 + n))),
        ("b+ - b- <= (b+^2 - b-^2)/(2 b-), the rest is a square",
         same_operator((small + large) ** 2, small**2 + 2 * small * large + large**2)),
        ("and b- = 1/sqrt(1 + n), so b+ - b- <= t^2 sqrt(1 + n)/2", at_least(1, n / (1 + n), n)),
        ("beta (b+ - b-) < t", exceeds(1, more, s)),
        "next deployments",
        ("w = g phi(a-), g >= 0: it predicts g for a- and c g for a+", at_least(s, s / (1 + t), s, t)),
        "end",
        ("Delta_2 < epsilon/4", at_least(level**2 / 16, 4 * beta**2 / (1 + N), beta, level, small)),
        ("Delta_3 < epsilon/2", at_least(level**2 / 4, 16 * beta**2 / (1 + 2 * N), beta, level, small)),
    ], "d = H = 2, every epsilon, beta and N with N x >= 7")
