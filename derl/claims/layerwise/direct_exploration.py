"""These checks concern batched LSVI-UCB without layers (lines 327 and 1053) and how many deployments it needs.

The count takes one block-diagonal matrix of size dH for all layers. The missing guarantee is shown by runs on a
deterministic instance, `neglected_branch`, in which every run is the same.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import sympy
from sympy import log

from derl.algorithms.layerwise import direct_exploration, flat_exploration
from derl.claims import Evidence, claim, printed, steps
from derl.claims.layerwise.symbols import values_fit
from derl.deployment import Deployer
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, equal, nonnegative_from, same_operator
from derl.mdp import LinearMDP, instances, planning
from derl.printed import Text
from derl.theory.layerwise import samples

LEVEL, CONFIDENCE = 0.5, 0.1
SUITE = ("random_simplex:n_states=8,n_actions=3,dim=3,horizon=3,seed=3", "compact_bandit:d=6,horizon=4,arm=2,bias=0.3",
         "hard_template:d=3,horizon=4,optimal_layer=3,optimal_index=1,cores=0,epsilon=0.3")
ARMS, HORIZON = 3, 5

N, d, H, x, z, y, u, e, beta = sympy.symbols("N d H x z y u e beta", positive=True)
k, r, s, t = sympy.symbols("k r s t", nonnegative=True)


# --- without layers ----------------------------------------------------------------------------------------------

def block_count(blocks, counted: Text, level=x, size=None, trade_off=None) -> list:
    """One count of violations for all layers: Cauchy-Schwarz, determinants, the first deployment, the trace.

    Parameters
    ----------
    blocks : Expr
        How many blocks the trace has.
    counted : Text
        A statement that defines z* as the largest z with (1 + Nx)^z <= 1 + zHN.
    size, trade_off : Expr
        The smallest N and the number c_K such that z* <= c_K; by default (cH/x^c)^{1/(c-1)} and any c > 1.
    """
    mean, second, shift = sympy.symbols("mean second shift", positive=True)
    grows, room = counted.sides(r"(1+Nx)^z\le", N=N, x=x, z=z, H=H)
    excess, slope = grows - room, log(1 + N * x)
    power = (1 + y) ** (1 + r) - 1 - y ** (1 + r)
    trade_off = 1 + u if trade_off is None else trade_off
    size = (trade_off * H * level**-trade_off) ** (1 / (trade_off - 1)) if size is None else size
    return [
        "violation",
        ("N h_k (s epsilon/(2 beta h_k))^2 >= N (s epsilon/(2 beta))^2/H for h_k <= H",
         at_least(1 / d, 1 / (d + s), d, s)),
        "determinant",
        ("prod (1 + l_i) >= 1 + sum l_i, two at a time", at_least((1 + s) * (1 + t), 1 + s + t, s, t)),
        ("the first: (1 + N/d)^H >= (1 + N x)^H for x <= 1/d", at_least(1 + N / d, 1 + N / (d + s), N, d, s)),
        ("k + H - 1 = dH z violations: the root of degree dH", equal(log(grows), z * slope)),
        "trace",
        ("log z <= z - 1: det <= (trace/(dH))^{dH}",
         every(nonnegative_from(z - 1 - log(z), z, 1), nonnegative_from(log(1 + s) - s / (1 + s), s, 0))),
        ("trace/(dH) = 1 + kN/d: every block has trace at most d + kN",
         equal(blocks * (d + k * N) / (d * H), 1 + k * N / d)),
        "count",
        ("k <= k + H - 1 = dH z, so 1 + kN/d <= 1 + z H N", equal((1 + k * N / d).subs(k, d * H * z), room)),
        ("(1 + N x)^z - 1 - z H N is convex in z and 0 at 0",
         every(equal(sympy.diff(excess, z, 2), slope**2 * grows), exactly(excess.subs(z, 0), 0))),
        "deployments",
        ("at the smallest N of the count (N x)^c = c H N",
         equal(log(size) * (trade_off - 1), sympy.expand_log(log((room - 1).subs(z, trade_off) / N) - trade_off
                                                             * log(level)))),
        ("then (1 + N x)^c > 1 + (N x)^c = 1 + c H N: the difference is 0 at 0 and increases",
         every(exactly(power.subs(y, 0), 0), equal(sympy.diff(power, y), (1 + r) * ((1 + y) ** r - y**r)))),
    ]


@claim("text-direct-lsvi", plants=6, false={"the trace of twice as many blocks": {"blocks": 2 * H}})
def direct_count(text, blocks=H, layered=printed("res-fewer-samples-b"), algorithm=printed("alg-layerwise")):
    """One block-diagonal matrix for all layers: The count of violations in R^{dH}; the deployments without layers, dH
    z* - H + 2 at most."""
    total = k + 1  # one deployment ends it
    threshold = algorithm(r"\Delta_k=...<", epsilon=e, h_k=H, H=H)  # of the last layer
    level = text("x=", epsilon=e, H=H, beta=beta)
    largest = text.range(r"\epsilon", H=1 + t).high / (1 + r)
    return steps([*block_count(blocks, text),
                  ("x is the least mean of the sum of b^2 over all layers",
                   equal(level, layered("x=", s=threshold / e, epsilon=e, H=H, beta=beta))),
                  ("rewards and epsilon: x <= 1/d at beta >= dH",
                   every(values_fit(text.interval(after="rewards in"))[1],
                         at_least(1 / (1 + s), level.subs({beta: (1 + s) * H, e: largest}).subs(H, 1 + t), s, t, r))),
                  "last deployment",
                  ("k + H - 1 <= dH z* gives k + 1 <= dH z* - H + 2",
                   same_operator(text("", {"z^*": z}, after="it needs at most", d=d, H=H),
                                 total.subs(k, d * H * z - H + 1))),
                  ("as many as the dimension of all layers",
                   equal(text("", {r"\Theta": lambda size: size}, after="no layers needs", d=d, H=H), d * blocks))],
                 "all d, H, N >= 1, any threshold share; bonus uncapped inside Q; epsilon <= H")


@claim("text-direct-lsvi", method="run", arithmetic="float64", covers="runs, as an illustration",
       gap="3 instances, 2 seeds; they see the size of N, not each part of the algorithm", tier="full",
       false={"a batch 10^6 times smaller": {"shrink": 10**6}})
def runs_without_layers(shrink=1):
    """Runs without layers: Runs that stop within the bound with an epsilon-optimal policy, at the batch size of the
    block count."""
    good, runs = 0, 0
    for spec in SUITE:
        mdp = instances.from_spec(spec)
        plan = samples.budget(mdp.dim, mdp.horizon, LEVEL, CONFIDENCE, 6, "chernoff")
        for seed in (0, 1):
            deployer = Deployer(mdp, max(1, plan.batch_size // shrink), plan.deployments - mdp.horizon + 1, seed=seed)
            outcome = direct_exploration(deployer, LEVEL, CONFIDENCE, beta=plan.beta)
            runs += 1
            good += outcome.converged and planning.gap(mdp, outcome.policy) <= LEVEL
    return Evidence(good, runs, "identity", "epsilon = 1/2, delta = 1/10, c_K = 6, K = c_K dH - H + 2")


# --- no guarantee on the way -------------------------------------------------------------------------------------

def neglected_branch() -> LinearMDP:
    """A deterministic instance with states s, g, G, u and one feature per state and action.

    In layer 1 action 0 leads to g and action 1 to G. From layer 2 on, g has m actions; the last one stays in g, the
    others lead to u. Only G pays, 1 in layer 2. As long as some action beyond g is new, the value of g is at its cap H,
    a tie with the untried action 1, so the algorithm without layers tries action 1 last.
    """
    start, g, paying, u_state = range(4)
    dim = 2 + ARMS + 2
    phi = np.zeros((HORIZON, 4, ARMS, dim))
    mu, theta = np.zeros((HORIZON, dim, 4)), np.zeros((HORIZON, dim))
    available = np.zeros((HORIZON, 4, ARMS), bool)
    pairs = [(start, 0, g), (start, 1, paying), *((g, a, u_state) for a in range(ARMS - 1)), (g, ARMS - 1, g),
             (paying, 0, u_state), (u_state, 0, u_state)]
    for i, (state, action, following) in enumerate(pairs):
        phi[:, state, action, i] = 1
        mu[:, i, following] = 1
        available[:, state, action] = True
    theta[1, 2 + ARMS] = 1  # G pays in layer 2
    return LinearMDP(phi, mu, theta, np.eye(4)[start], available)


@cache
def blind_deployments(explore) -> tuple[int, int]:
    """Deployments whose policy is 1-suboptimal truncated at layer 2 and whose data never saw action 1; and the
    deployment that finishes layer 2 layer by layer."""
    mdp = neglected_branch()
    plan = samples.budget(mdp.dim, HORIZON, LEVEL, CONFIDENCE, 6, "chernoff")
    layered = flat_exploration(Deployer(mdp, plan.batch_size, plan.deployments), LEVEL, CONFIDENCE, beta=plan.beta)
    finishes = next(r.deployment for r in layered.trace if r.finished and r.layer == 2)
    outcome = explore(Deployer(mdp, plan.batch_size, plan.deployments), LEVEL, CONFIDENCE, beta=plan.beta)
    blind = 0
    for record in outcome.trace:
        if record.policy[0, 0] == 1 or abs(planning.gap(mdp, record.policy, horizon=2) - 1) > 1e-12:
            break
        blind += 1
    return blind, finishes


@claim("text-direct-no-guarantee", method="run", arithmetic="float64",
       gap="one deterministic instance, in which every run is the same",
       false={"the layerwise algorithm instead of the direct one": {"explore": flat_exploration}})
def neglected_until_the_end(text, explore=direct_exploration):
    """A branch that is not looked at: Deployments whose data never saw action 1, minus those that finish layer 2 layer
    by layer."""
    blind, finishes = blind_deployments(explore)
    untried = text("", after="of layer 1 untried for", m=ARMS, H=HORIZON)
    later = text("", after="layers are finished after", m=ARMS)
    return Evidence(int(blind == untried) + int(finishes <= later), 2, "identity",
                    f"m = {ARMS}, H = {HORIZON}: {blind} blind deployments without layers, layer 2 finished after "
                    f"{finishes} with layers")
