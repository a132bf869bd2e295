"""These checks evaluate the improved batch sizes in ball arithmetic, and run the improved algorithm at them.

`derl.theory.layerwise.samples.budget` works in float64. Its results, rounded up by one part in a million (N) or in ten
million (beta), have to satisfy the three conditions of `fewer_samples`, each decided by balls.
"""

from __future__ import annotations

from fractions import Fraction

from derl.algorithms.layerwise import flat_exploration
from derl.claims import Evidence, claim
from derl.deployment import Deployer
from derl.exact.balls import ball
from derl.mdp import instances, planning
from derl.theory.layerwise import samples

SETTINGS = ((10, 10, 0.1, 0.1, 6), (10, 10, 0.1, 0.1, 2), (3, 3, 0.5, 0.1, 6), (2, 5, 0.3, 0.01, 1.5),
            (50, 4, 0.05, 0.05, 20))  # d, H, epsilon, delta, c_K
SIZE_UP, BETA_UP = 1 + Fraction(1, 10**6), 1 + Fraction(1, 10**7)
SUITE = ("random_simplex:n_states=8,n_actions=3,dim=3,horizon=3,seed=3", "compact_bandit:d=6,horizon=4,arm=2,bias=0.3",
         "optimism_trap")
SEEDS = (0, 1)
LEVEL, CONFIDENCE, TRADE_OFF = 0.25, 0.1, 6


def budget_holds(setting, version: str, shrink: Fraction) -> bool:
    """The three conditions for a budget that is rounded up, decided in ball arithmetic."""
    dim, horizon, epsilon, delta, factor = setting
    result = samples.budget(*setting, version=version)
    epsilon, delta, factor = (Fraction(str(v)) for v in (epsilon, delta, factor))
    size = ball(int(result.batch_size * SIZE_UP * shrink) + 1)
    beta = ball(Fraction(result.beta) * BETA_UP)
    earlier = size * (result.deployments - 1)
    part, H_, d_ = ball(Fraction(result.share)), ball(horizon), ball(dim)
    x_ = (part * ball(epsilon) / (2 * beta)) ** 2 / H_
    covered = False
    for i in range(81):  # any u will do
        u = d_ * ball(Fraction(10) ** -3) * (ball(10000).log() * i / 80).exp()
        inside = (d_ * (1 + earlier / d_).log() / 2 + d_ * (1 + 4 * earlier / u).log()
                  + d_ * (d_ + 1) / 2 * (1 + 8 * beta * (d_ * earlier).sqrt() / (H_ * u)).log()
                  + (2 * H_ / ball(delta)).log())
        covered = covered or bool(H_ * (d_.sqrt() + u + (inside / 2).sqrt()) <= beta)
    counted = bool(ball(factor) * (size * x_).log() >= (ball(factor) * H_ * size).log())
    union = (2 * result.deployments / ball(delta)).log()
    return covered and counted and bool(size >= 4 * beta * H_ / ((1 - part) ** 2 * ball(epsilon)) * union)


@claim("res-fewer-samples-e", method="interval", arithmetic="ball",
       covers="the numbers of five settings, with (d) and with (e)", gap="five settings", needs="rigor",
       false={"batches one per cent smaller": {"shrink": Fraction(99, 100)}})
def budgets_hold(shrink=Fraction(1)):
    """Budgets re-checked in ball arithmetic: Budgets whose N, K, beta satisfy the bracket, the count and Chernoff's
    condition."""
    cases = [(setting, version) for setting in SETTINGS for version in ("covering", "share")]
    good = sum(budget_holds(setting, version, shrink) for setting, version in cases)
    return Evidence(good, len(cases), "identity", f"(d, H, epsilon, delta, c_K) in {SETTINGS}")


def runs(version: str, shrink: int) -> Evidence:
    """Runs that stop within K with a policy for every layer that is epsilon-optimal, truncated there."""
    good, tried, most = 0, 0, 0.0
    for spec in SUITE:
        mdp = instances.from_spec(spec)
        plan = samples.budget(mdp.dim, mdp.horizon, LEVEL, CONFIDENCE, TRADE_OFF, version)
        for seed in SEEDS:
            deployer = Deployer(mdp, max(1, plan.batch_size // shrink), plan.deployments, seed=seed)
            outcome = flat_exploration(deployer, LEVEL, CONFIDENCE, share=plan.share, beta=plan.beta)
            gaps = [planning.gap(mdp, r.policy, horizon=r.layer) for r in outcome.trace if r.finished]
            tried, good = tried + 1, good + (outcome.converged and max(gaps) <= LEVEL)
            most = max(most, outcome.deployments / plan.deployments)
    return Evidence(good, tried, "identity", f"{tried} runs, epsilon = 1/4, delta = 1/10, c_K = 6",
                    detail=f"at most {most:.0%} of K used")


@claim("res-fewer-samples-c", method="run", arithmetic="float64", covers="runs", gap="3 instances, 2 seeds",
       tier="full",
       false={"batches 10^9 times smaller": {"shrink": 10**9}})
def runs_with_three_steps(shrink=1):
    """The improved algorithm at the N of (a) to (c): Flat threshold, one count for all layers, Chernoff; policies of
    finished layers compared with the optimum."""
    return runs("chernoff", shrink)


@claim("res-fewer-samples-e", method="run", arithmetic="float64", covers="runs", gap="3 instances, 2 seeds",
       tier="full",
       false={"batches 10^9 times smaller": {"shrink": 10**9}})
def runs_with_all_steps(shrink=1):
    """The improved algorithm at the N of (a) to (e): The same with beta from the covering argument and the best
    share."""
    return runs("share", shrink)
