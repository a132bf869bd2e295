"""These checks unroll Algorithms 3 and 4 as programs, and refute and repair what their listings read and store.

Both listings are unrolled for small K, H, N into steps (line, what it writes, what it reads). A name carries its
indices: ("phi", h, tau, n) is the feature at layer h of trajectory n in deployment tau. Functions carry the number of
their arguments, and a summation index that no sum binds is a name that nothing wrote. One check plans from data stored
as a set of pairs. Runs use the theorem's N, K and beta.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import product

import numpy as np

from derl.algorithms import reward_free_exploration, reward_free_planning
from derl.claims import Evidence, claim
from derl.claims.reward_free.guarantee import loss_of_the_tables
from derl.deployment import Deployer
from derl.estimation.bonus import bonus
from derl.exact.logarithms import enclosure
from derl.mdp import instances, planning
from derl.theory.reward_free.certificate import root_above
from derl.theory.reward_free.samples import batch_size_reward_free, bonus_scale_reward_free, deployments_reward_free

SIZES = tuple(product((1, 2, 3), (1, 2, 3), (1, 2)))  # K, H, N
SUITE = ("random_simplex:n_states=8,n_actions=3,dim=4,horizon=4,seed=3",
         "compact_bandit:d=6,horizon=4,arm=2,bias=0.3", "optimism_trap")
SEED = 20221210

TARGET = r"\sum_\tau\phi(s_h^{\tau n},a_h^{\tau n})V_{h+1}(s_{h+1}^{\tau n},a)"
NORM = r"\|\phi\|_{(\Lambda_h^k)^{-1}}"

Step = tuple[str, tuple, tuple]  # line, written names, read names


def exploration_steps(K: int, H: int, N: int, repaired: bool, last=lambda k: k) -> Iterator[Step]:
    """Algorithm 3, unrolled for a run in which every deployment finishes its layer.

    As printed Lambda_h^k sums the batches up to `last(k)`.
    """
    yield "Initialize h_1 = 1", (("h", 1),), ()
    layer = 1
    for k in range(1, K + 1):
        batches = range(1, k if repaired else int(last(k)) + 1)
        yield "Q_{h_k + 1} = V_{h_k + 1} = 0", (("V", k, layer + 1),), (("h", k),)
        for h in range(layer, 0, -1):
            seen = tuple(("phi", h, tau, n) for tau, n in product(batches, range(1, N + 1)))
            past = tuple((name, layer_, tau, n) for tau, n in product(range(1, k), range(1, N + 1))
                         for name, layer_ in (("phi", h), ("state", h + 1)))
            yield "Lambda_h^k", (("Lambda", k, h),), seen
            yield "u_h^k and r_h^k", (("u", k, h), ("r", k, h)), (("Lambda", k, h),)
            yield "w_h^k", (("w", k, h),), (("Lambda", k, h), ("V", k, h + 1), *past)
            yield "Q_h^k, V_h^k, pi_h^k", (("V", k, h), ("pi", k, h)), (("w", k, h), ("r", k, h), ("u", k, h))
        collected = tuple((name, h, k, n) for name, h, n in product(("phi", "state"), range(1, H + 2), range(1, N + 1)))
        yield "collect batch k", collected, tuple(("pi", k, h) for h in range(1, layer + 1))
        batch = tuple(("phi", h, k, n) for h, n in product(range(1, layer + 1), range(1, N + 1)))
        yield "Delta_k", (("Delta", k),), (*batch, *(("Lambda", k, h) for h in range(1, layer + 1)))
        if layer == H:
            yield "return D", (), (("Delta", k), ("h", k))
            return
        yield "h_{k+1} = h_k + 1", (("h", k + 1 if repaired else k),), (("Delta", k), ("h", k))
        layer += 1


def planning_steps(K: int, H: int, N: int, repaired: bool) -> Iterator[Step]:
    """Algorithm 4 with horizon H, unrolled; the data set holds states and actions of the layers 1..H."""
    held = range(1, H + (2 if repaired else 1))  # layers of D
    stored = tuple(("pair", h, tau, n) for h, tau, n in product(held, range(1, K + 1), range(1, N + 1)))
    yield "Input D, r", (*stored, *(("reward", h) for h in range(1, H + 1))), ()
    yield "Q_{H+1} = V_{H+1} = 0", (("V", H + 1, "one argument"),), ()
    for h in range(H, 0, -1):
        pairs = tuple(("pair", h, tau, n) for tau, n in product(range(1, K + 1), range(1, N + 1)))
        following = tuple(("pair", h + 1, tau, n) for tau, n in product(range(1, K + 1), range(1, N + 1)))
        yield "Lambda_h", (("Lambda", h),), pairs
        yield "u_h", (("u", h),), (("Lambda", h),)
        value = ("V", h + 1, "one argument" if repaired else "two arguments")
        unbound = () if repaired else (("index", "n"),)
        yield "w_h", (("w", h),), (("Lambda", h), value, *pairs, *following, *unbound)
        yield "Q_h, V_h, pi_h", (("V", h, "one argument"), ("pi", h)), (("w", h), ("u", h), ("reward", h))
    yield "return pi, V_1", (), (("pi", 1), ("V", 1, "one argument"))


def undefined_reads(listing: Iterator[Step]) -> set[tuple[str, str]]:
    """(line, name) for everything that is read before it is written, each kind once."""
    written, result = set(), set()
    for line, writes, reads in listing:
        result |= {(line, read[0]) for read in reads if read not in written}
        written |= set(writes)
    return result


def _defects(listing, repaired: bool) -> set[tuple[str, str]]:
    return set().union(*(undefined_reads(listing(K, H, N, repaired)) for K, H, N in SIZES))


def _named(result) -> str:
    return "; ".join(f"{line} reads {name}" for line, name in sorted(result)) or "every read follows a write"


@claim("alg-reward-free-exploration", method="exhaustive", refutes=True,
       false={"the repaired listing": {"repaired": True}})
def printed_exploration_reads_the_future(text, repaired=False):
    """Names that are read before they are written: Kinds of undefined reads in the unrolled listing: Lambda_h^k reads
    batch k, iteration k + 1 reads h_{k+1}.

    The batches of Lambda_h^k are those of the text.
    """
    result = _defects(partial(exploration_steps, last=lambda k: text(r"\tau\le", k=k)), repaired)
    return Evidence(len(result), 2, "lower", f"{len(SIZES)} triples K, H <= 3, N <= 2", detail=_named(result))


@claim("alg-reward-free-exploration", method="run", arithmetic="float64", covers="reward and threshold, three runs",
       gap="three instances, one run each", plants=3,
       false={"twice the threshold": {"slack": 2}})
def program_follows_the_listing(text, slack=1):
    """The program explores with this reward and this threshold: Deployments with the printed threshold, whose layer is
    finished where it says so; and the first rewards.

    In the first deployment Lambda = I, so that r = min(beta |phi|, H)/H in layer 1.
    """
    right = tried = 0
    for mdp, outcome, _ in finished_runs(None):
        layers = [record.layer for record in outcome.trace] + [mdp.horizon + 1]
        for record, following in zip(outcome.trace, layers[1:], strict=True):
            bound = text(r"\Delta_k<", epsilon=0.2 * slack, h_k=record.layer, H=mdp.horizon)
            right += np.isclose(record.threshold, bound, rtol=1e-12) and record.finished == (following > record.layer)
            tried += 1
        norms = np.linalg.norm(mdp.phi[0], axis=-1)
        capped = text("u_h^k=", {NORM: norms}, beta=outcome.beta, H=mdp.horizon)
        stated = text("r_h^k=", {"u_h^k": capped}, H=mdp.horizon)
        right += np.allclose(stated, bonus(norms, outcome.beta, mdp.horizon) / mdp.horizon, rtol=1e-12)
        tried += 1
    return Evidence(right, tried, "identity", f"{tried} cases on {len(SUITE)} instances, epsilon = 1/5, seed {SEED}")


@claim("alg-reward-free-planning", method="exhaustive", refutes=True,
       words="a name that is read before it is written has no value; `sets_forget` evaluates the listing",
       false={"the repaired listing": {"repaired": True}})
def printed_planning_reads_unbound_names(repaired=False):
    """Names that are read before they are written: Kinds of undefined reads: the index n, V with two arguments, the
    states after the last layer."""
    result = _defects(planning_steps, repaired)
    return Evidence(len(result), 3, "lower", f"{len(SIZES)} triples K, H <= 3, N <= 2", detail=_named(result))


@claim("alg-reward-free-planning", method="exhaustive", covers="D read as a set of states and actions", refutes=True,
       as_corrected={"a sequence instead of a set": {"as_set": False}})
def sets_forget(text, as_set=True, sizes=(10**3, 10**12, 10**100)):
    """A planner that sees each pair once: Smallest loss over N on the worse of two rewards, each action deployed N
    times; exact, for every rule on ties.

    d = 2, H = 1, epsilon = 1/5, delta = 1/10, c_beta = 1: beta^2 = 4 log 100. D is built and its elements are counted.
    The formulas of the listing are evaluated; w = 0, because V_2 = 0.
    """
    rewards, horizon = [[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]], {r"\tilde h": 1}
    low, high = (4 * end for end in enclosure(100))  # beta^2
    layers = range(int(text("h=", horizon)), int(text("", after=r"h=\tilde h,\dots,")) - 1, -1)
    losses, values = [], []
    for size in sizes:
        batches = [("s", action) for action in (0, 1)]  # a deployment repeats one pair `size` times
        stored = text("D_h=", {r"\bigcup_{k,n}\{(s_h^{kn},a_h^{kn})\}": frozenset(batches)})
        seen = {action: sum(pair[1] == action for pair in stored) if as_set else size for action in (0, 1)}
        design = 1 + seen[0]  # Lambda = design I
        low_bonus, high_bonus = (text("u_h^{plan}=", horizon | {
            r"\beta": 1, r"\|\phi\|_{\Lambda_h^{-1}}": root_above(end / design)}) for end in (low, high))
        bonus = high_bonus if low_bonus == high_bonus or low < design else Fraction(0)
        weight = text("w_h=", {r"\Lambda_h^{-1}": Fraction(1, design), TARGET: 0})
        table = text.function("Q_h=", "r_h", "u_h^{plan}", given=horizon | {r"w_h^\top\phi": weight})
        values += [text("V_h=", {r"\max_aQ_h": max(table(r, bonus) for r in reward)}) for reward in rewards]
        losses.append(loss_of_the_tables(rewards, bonus, table) if seen[0] == seen[1] else Fraction(0))
    as_said = set(values) == {1} and list(layers) == [1]
    return Evidence(min(losses) if as_said else Fraction(0), 1, "lower",
                    "d = 2, H = 1, rewards (0, 1) and (1, 0), N = 1e3, 1e12, 1e100",
                    detail="as a set D has two elements, Lambda = 2I, u = 1 and Q = (1, 1) for both rewards")


@claim("alg-reward-free-planning-repaired", method="exhaustive", gap="unrolled for K, H <= 3, N <= 2",
       title="Every name is written before it is read",
       false={"the printed listings": {"repaired": False}})
@claim("alg-reward-free-exploration-repaired", method="exhaustive", gap="unrolled for K, H <= 3, N <= 2",
       title="Every name is written before it is read")
def repaired_listings_are_complete(repaired=True):
    """Undefined reads in the unrolled listings of both repaired algorithms."""
    result = _defects(exploration_steps, repaired) | _defects(planning_steps, repaired)
    return Evidence(len(result), 0, "upper", f"{len(SIZES)} triples K, H <= 3, N <= 2", detail=_named(result))


@cache  # two statements ask for the same
def finished_runs(batch_size: int | None = None) -> list[tuple]:
    """Instance, outcome and K of one exploration each, at the theorem's N, K and beta (c_K = 6)."""
    result = []
    for index, spec in enumerate(SUITE):
        mdp = instances.from_spec(spec)
        n_deployments = deployments_reward_free(mdp.dim, mdp.horizon, 6)
        size = batch_size or batch_size_reward_free(mdp.dim, mdp.horizon, 0.2, 0.1, 6, version="sharp")
        beta = bonus_scale_reward_free(mdp.dim, mdp.horizon, 0.1, n_deployments, size)
        deployer = Deployer(mdp, size, n_deployments, seed=SEED + index)
        result.append((mdp, reward_free_exploration(deployer, 0.2, 0.1, beta=beta), n_deployments))
    return result


@claim("alg-reward-free-exploration-repaired", method="run", covers="runs on three instances",
       gap="three instances, one run each",
       false={"N = 1000": {"batch_size": 1000}})
def exploration_stops_in_time(batch_size=None):
    """It stops by its own rule within K deployments: Largest deployments/K over runs at the theorem's N; infinite if a
    run did not finish all layers."""
    shares = [Fraction(outcome.deployments, n_deployments) if outcome.converged else Fraction(10)
              for _, outcome, n_deployments in finished_runs(batch_size)]
    return Evidence(max(shares), 1, "upper", f"{len(shares)} runs, c_K = 6, seed {SEED}")


@claim("alg-reward-free-planning-repaired", method="run", arithmetic="float64", covers="runs on three instances",
       gap="three instances, one run each",
       false={"N = 1000": {"batch_size": 1000}})
def planning_finds_the_optimum(batch_size=None):
    """With the rewards of the instance it finds the optimum: Largest exact loss when planning for the instance's own
    reward, which the exploration did not see."""
    losses = [planning.gap(mdp, reward_free_planning(outcome.dataset, mdp.theta).policy)
              for mdp, outcome, _ in finished_runs(batch_size)]
    return Evidence(max(losses), 0.2, "upper", f"{len(losses)} runs, epsilon = 1/5, c_K = 6, seed {SEED}")
