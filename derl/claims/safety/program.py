"""These checks evaluate the numbers of Algorithm 7 at the theorem's own N in ball arithmetic, and run it with them."""

from __future__ import annotations

from itertools import product

from derl.algorithms import safe_mixture
from derl.claims import Evidence, claim, printed
from derl.claims.safety.drops import deployed_values, largest_drop
from derl.deployment import Deployer
from derl.mdp import instances, planning
from derl.printed import Text
from derl.theory.safety.threshold import mixture_constants

SPECS = ("random_simplex:n_states=6,n_actions=3,dim=2,horizon=2,seed=3", "lock:d=2,horizon=2,digits=1-0,bias=0.3")
EPSILON, DELTA = 0.5, 0.1


def ratios(text: Text, point: tuple, shrink: float = 1.0, smaller: float = 1.0):
    """What the program has over what each condition of `res-safe-mixture` needs, rounded down."""
    import flint
    flint.ctx.dps = 40
    arb = flint.arb
    point = point | {"K": text("K=", **point)}
    result = mixture_constants(int(point["d"]), int(point["H"]), *(float(point[name]) for name in (
        "epsilon", "delta", "alpha", "c_K")))
    N = arb(int(result.batch_size * smaller))
    values = point | {"N": N, "beta": arb(result.beta * shrink)}
    yield values["beta"] / text(r"\beta\ge", **values)
    yield N / text(r"N\ge", after=r"\bigr)^2$,", x=text("x=", **values), **values)
    yield N / text(r"N\ge", after=r"\frac1{c_K-1}},\qquad", **values)
    yield (N + 1) / text(r"N+1\ge", **values)


def grid(text: Text) -> list[dict]:
    """The values of the parameters that the text names."""
    names = {"d": "d", "H": "H", "epsilon": r"\epsilon", "delta": r"\delta", "alpha": r"\frac{2H\alpha}\epsilon",
             "c_K": "c_K"}
    values = [text.entries(rf"{shown}\in") for shown in names.values()]
    points = [dict(zip(names, point, strict=True)) for point in product(*values)]
    return [point | {"alpha": point["alpha"] * point["epsilon"] / (2 * point["H"])} for point in points]


@claim("res-mixture-program", method="interval", arithmetic="ball", needs="rigor", plants=4,
       false={"beta smaller by one part in a million, at d = H = 1": {"most": 1, "shrink": 1 - 1e-6},
              "N smaller by one part in a million, at d = H = 1": {"most": 1, "smaller": 1 - 1e-6}})
def mixture_numbers_meet_their_conditions(text, theorem=printed("res-safe-mixture"), most=None, **changed):
    """Every condition at every point of the grid: Least ratio of what the program has to what a condition needs, at the
    first `most` points."""
    points = grid(text)[:most]
    worst = min(float(value.lower()) for point in points for value in ratios(theorem, point, **changed))
    return Evidence(worst, 1.0, "lower", f"{len(points)} settings: d = 1, 3, 20, H = 1, 4, 15, epsilon = 1/2, 1/100, "
                    "delta = 1/2, 1e-6, alpha = epsilon/(2H) and a hundredth of it, c_K = 3/2, 2, 6")


@claim("res-safe-mixture", method="run", arithmetic="float64", covers="runs at the theorem's own N and beta",
       gap="two instances, d = H = 2 and d = 2, H = 3; epsilon = 1/2",
       false={"1e11 times fewer trajectories: the rule is not met within K deployments": {"divisor": 10**11}})
def runs_at_the_theorems_size(divisor=1):
    """Runs at the theorem's own constants: Runs that stop within K deployments, epsilon-optimal, with no drop above
    epsilon; N from 1e15 to 1e18."""
    good, sizes = 0, []
    for spec in SPECS:
        mdp = instances.from_spec(spec)
        alpha = EPSILON / (2 * mdp.horizon)
        result = mixture_constants(mdp.dim, mdp.horizon, EPSILON, DELTA, alpha)
        sizes.append(result.batch_size // divisor)
        deployer = Deployer(mdp, sizes[-1], result.deployments, "any", seed=0)
        outcome = safe_mixture(deployer, EPSILON, DELTA, alpha, beta=result.beta)
        drop = largest_drop(deployed_values(mdp, outcome))
        good += outcome.converged and max(drop, planning.gap(mdp, outcome.policy)) <= EPSILON
    return Evidence(good, len(SPECS), "identity", f"{len(SPECS)} runs, N = {min(sizes):.1e} to {max(sizes):.1e}")
