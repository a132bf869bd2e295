"""These checks evaluate the numbers of Algorithm 7 at the theorem's own N in ball arithmetic, and run it with them."""

from __future__ import annotations

from itertools import product
from math import floor

from derl.algorithms import safe_mixture
from derl.claims import Evidence, check, control
from derl.claims.safety.drops import deployed_values, largest_drop
from derl.deployment import Deployer
from derl.mdp import instances, planning
from derl.theory.safety.threshold import mixture_constants

GRID = tuple(product((1, 3, 20), (1, 4, 15), (0.5, 1e-2), (0.5, 1e-6), (1.0, 1e-2), (1.5, 2.0, 6.0)))
SPECS = ("random_simplex:n_states=6,n_actions=3,dim=2,horizon=2,seed=3", "lock:d=2,horizon=2,digits=1-0,bias=0.3")
EPSILON, DELTA = 0.5, 0.1


def ratios(point: tuple, shrink: float = 1.0, smaller: float = 1.0):
    """What the program has over what each condition of `res-safe-mixture` needs, rounded down."""
    import flint
    flint.ctx.dps = 40
    arb = flint.arb
    d, horizon, epsilon, delta, share, c_K = point
    alpha = share * epsilon / (2 * horizon)
    found = mixture_constants(d, horizon, epsilon, delta, alpha, c_K)
    K, N, beta = floor(c_K * d * horizon) + 1, arb(int(found.batch_size * smaller)), arb(found.beta * shrink)
    log = (4 * arb(d) * K * N * horizon / arb(delta)).log()
    yield beta / (arb(3) / 2 * d * horizon * log.sqrt())
    x = (arb(alpha) * arb(epsilon) / (4 * horizon * beta)) ** 2
    yield N / ((arb(c_K).log() - arb(c_K) * x.log()) / (arb(c_K) - 1)).exp()
    yield N / (16 * beta * horizon / (arb(alpha) * arb(epsilon)) * (4 * arb(K) / arb(delta)).log())
    yield (N + 1) / (d * (16 * beta * horizon * K / (arb(delta) * arb(epsilon))) ** 2)


@check("res-mixture-program", method="interval", arithmetic="ball", covers="everything", gap="none", needs="rigor",
       title="Every condition at every point of the grid")
def mixture_numbers_meet_their_conditions(grid=GRID, **changed) -> Evidence:
    """Least ratio of what the program has to what a condition needs."""
    worst = min(float(value.lower()) for point in grid for value in ratios(point, **changed))
    return Evidence(worst, 1.0, "lower", f"{len(grid)} settings: d = 1, 3, 20, H = 1, 4, 15, epsilon = 1/2, 1/100, "
                    "delta = 1/2, 1e-6, alpha = epsilon/(2H) and a hundredth of it, c_K = 3/2, 2, 6")


control(mixture_numbers_meet_their_conditions, "beta smaller by one part in a million, at d = H = 1",
        {"grid": GRID[:1], "shrink": 1 - 1e-6})
control(mixture_numbers_meet_their_conditions, "N smaller by one part in a million, at d = H = 1",
        {"grid": GRID[:1], "smaller": 1 - 1e-6})


@check("res-safe-mixture", method="run", arithmetic="float64", covers="runs at the theorem's own N and beta",
       gap="two instances, d = H = 2 and d = 2, H = 3; epsilon = 1/2", title="Runs at the theorem's own constants")
def runs_at_the_theorems_size(divisor=1) -> Evidence:
    """Runs that stop within K deployments, epsilon-optimal, with no drop above epsilon; N from 1e15 to 1e18."""
    good, sizes = 0, []
    for spec in SPECS:
        mdp = instances.from_spec(spec)
        alpha = EPSILON / (2 * mdp.horizon)
        found = mixture_constants(mdp.dim, mdp.horizon, EPSILON, DELTA, alpha)
        sizes.append(found.batch_size // divisor)
        deployer = Deployer(mdp, sizes[-1], found.deployments, "any", seed=0)
        outcome = safe_mixture(deployer, EPSILON, DELTA, alpha, beta=found.beta)
        drop = largest_drop(deployed_values(mdp, outcome))
        good += outcome.converged and max(drop, planning.gap(mdp, outcome.policy)) <= EPSILON
    return Evidence(good, len(SPECS), "identity", f"{len(SPECS)} runs, N = {min(sizes):.1e} to {max(sizes):.1e}")


control(runs_at_the_theorems_size, "1e11 times fewer trajectories: the rule is not met within K deployments",
        {"divisor": 10**11})
