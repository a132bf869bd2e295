"""These checks refute the lines of Algorithm 7 as printed, and run it with the index of the data corrected.

As printed, pass k plans on the data D_k that it collects later. All orders of the five lines are enumerated. Read as an
equation for a random batch, the loop is tried on a bandit with two equal arms (features e_1 and e_2, rewards 1/2, beta
= 1/4), where the required probabilities do not sum to 1.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import permutations, product
from math import comb

import numpy as np

from derl.algorithms.baselines import pessimistic_value_iteration
from derl.algorithms.layerwise import plan_truncated
from derl.claims import Evidence, claim, printed, steps
from derl.claims.safety.drops import BATCH_SIZE, EPSILON, run
from derl.deployment import Deployer
from derl.estimation.design import fit
from derl.exact.compared import exactly
from derl.mdp import instances
from derl.printed import Text

LAST = 6  # pass
ALPHAS = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 3), Fraction(1))
SIZES = range(1, 9)

Line = tuple[str, tuple[str, ...]]  # what is written, from what


def batches(text: Text, k: int) -> tuple[int, int]:
    """The first and the last batch of which D consists in pass k."""
    first, *_, last = text.entries("D=", {r"\dots": None, "D_1": 1, "D_k": k, "D_{k-1}": k - 1})
    return int(first), int(last)


def loop_body(text: Text, k: int, newest: int) -> list[Line]:
    """Lines 2, 3, 4, 6, 7 of the text in pass k, when D holds the batches up to D_newest."""
    names = {"D_k": f"D_{k}", r"\pi_k": f"pi_{k}", r"\pi_{k,\mathrm{pessim}}": "pessimistic",
             r"\pi_{k,\mathrm{optim}}": "optimistic"}
    cautious, exploring = (text("", names, after=words) for words in ("D_k\\}$;", "offline algorithm on $D$,"))
    drawn, drawn_with = (text("", names, after=words) for words in ("mixed by whole trajectories;", "trajectories of"))
    return [("D", tuple(f"D_{j}" for j in range(1, newest + 1))), (cautious, ("D",)), (exploring, ("D",)),
            (f"pi_{k}", ("pessimistic", "optimistic")), (drawn, (drawn_with,))]


def executable_orders(text: Text, k: int, newest: int) -> int:
    """How many of the 5! orders of the lines read only what is written, given D_1, ..., D_{k-1}."""
    def runs(lines):
        there = {f"D_{j}" for j in range(1, k)}
        for written, read in lines:
            if not there.issuperset(read):
                return False
            there.add(written)
        return True

    return sum(map(runs, permutations(loop_body(text, k, newest))))


@claim("alg-safe-mixture", method="exhaustive", covers="the order of the lines, and the result", refutes=True,
       false={"D = {D_1, ..., D_{k-1}}": {"ahead": -1},
              "a last line that writes the output": {"returns": ("output",)}})
def no_order_of_the_lines_can_be_executed(text, ahead=0, returns=()):
    """A circle, and no result: All 5! orders of the loop body in passes k = 1, ..., 6; and what the lines write."""
    passes = range(int(text("k=")), LAST + 1)
    newest = {k: batches(text, k)[1] for k in passes}
    written = {name for k in passes for name, _ in loop_body(text, k, newest[k])} | set(returns)
    return steps([("D begins with the batch of the first pass", exactly(batches(text, 1)[0], passes[0])),
                  ("its last batch is read before it is collected",
                   exactly([text("", {"D_k": k}, after="Read to the letter,") for k in passes], [*newest.values()])),
                  *((f"pass {k}: none of 120 orders", executable_orders(text, k, newest[k] + ahead) == 0)
                    for k in passes),
                  ("no line names the policy that Definition 2.1 (a) speaks of", "output" not in written)],
                 "k = 1, ..., 6, all orders; given D_1, ..., D_{k-1} a later pass is the same")


def chance_of_first(text: Text, seen: int, size: int, alpha: Fraction) -> Fraction:
    """P(a trajectory of the mixture takes action 0), planned on `seen` first actions out of `size`."""
    optimistic_first, pessimistic_first = int(2 * seen <= size), int(2 * seen >= size)
    return text(r"\pi_k=", {r"\pi_{k,\mathrm{pessim}}": pessimistic_first,
                            r"\pi_{k,\mathrm{optim}}": optimistic_first}, alpha=alpha)


def total_probability(text: Text, size: int, alpha: Fraction, own_batch: bool) -> Fraction:
    """sum over batches D of P(the batch is D | plans from D, or from no data)."""
    total = Fraction(0)
    for n in range(size + 1):
        p = chance_of_first(text, n, size, alpha) if own_batch else chance_of_first(text, 0, 0, alpha)
        total += comb(size, n) * p**n * (1 - p) ** (size - n)
    return total


@claim("alg-safe-mixture", method="exhaustive", covers="the first deployment on one instance", refutes=True,
       false={"planned on the batches before, of which there are none": {"own_batch": False}})
def probabilities_do_not_sum_to_one(text, own_batch=True):
    """No law of the first batch: Cases (N, alpha) in which the probabilities of all batches D_1, planned on D_1 itself,
    do not sum to 1."""
    totals = [total_probability(text, n, a, own_batch) for n, a in product(SIZES, ALPHAS)]
    proper = all(0 <= chance_of_first(text, n, 2, a) <= 1 for n, a in product(range(3), ALPHAS))
    return Evidence(sum(total != 1 for total in totals) if proper else 0, len(totals), "identity",
                    "H = 1, d = 2, two actions that pay 1/2, beta = 1/4; N = 1, ..., 8; alpha = 1/10, 1/4, 1/3, 1",
                    detail=f"N = 1, alpha = 1/10: {total_probability(text, 1, ALPHAS[0], own_batch)}")


# --- the index put right -----------------------------------------------------------------------------------------

@claim("alg-safe-mixture-repaired", method="exhaustive",
       gap="K = 1, ..., 6; the order of the steps is the same for every K",
       false={"D = {D_1, ..., D_k} as printed": {"ahead": 1}})
def repaired_lines_can_be_executed(text, listing=printed("alg-safe-mixture"), ahead=0):
    """Order of the steps: Fewest executable orders of the loop body over the passes: the two planners may change
    places."""
    result = [executable_orders(listing, k, batches(text, k)[1] + ahead) for k in range(1, LAST + 1)]
    return Evidence(min(result) if batches(text, 1)[0] == 1 else 0, 2, "tight", "k = 1, ..., 6, all 5! orders")


@claim("alg-safe-mixture-repaired", method="exhaustive", covers="the law of two batches",
       gap="one instance, N = 1, ..., 8",
       false={"the second planned on itself": {"own_batch": True}})
def probabilities_sum_to_one(text=printed("alg-safe-mixture"), own_batch=False):
    """The batches have a law: Largest deviation from 1 of sum over D_1, D_2 of P(D_1) P(D_2 | plans from D_1)."""
    worst = Fraction(0)
    for size, alpha in product(SIZES, ALPHAS):
        first = chance_of_first(text, 0, 0, alpha)
        total = Fraction(0)
        for n, m in product(range(size + 1), repeat=2):
            second = chance_of_first(text, m if own_batch else n, size, alpha)
            total += comb(size, n) * first**n * (1 - first) ** (size - n) * (
                comb(size, m) * second**m * (1 - second) ** (size - m))
        worst = max(worst, abs(total - 1))
    return Evidence(worst, 0, "upper", "two deployments, N = 1, ..., 8, alpha = 1/10, 1/4, 1/3, 1")


def known_reward(known, layer: int, _norms) -> np.ndarray:
    """Rewards (S, A) of a layer, which Algorithm 1 knows."""
    return known.rewards[layer]


@claim("alg-safe-mixture-repaired", method="run", arithmetic="float64", covers="the program of this book",
       gap="two runs",
       false={"the batch itself among the data": {"ahead": 1}})
def deployments_follow_from_the_data_before(ahead=0):
    """Both plans made again from earlier batches: Deployments whose two parts are the plans made from the batches
    before it, drawn a second time."""
    same = total = 0
    for mdp in (instances.corridor(), instances.random_simplex(8, 3, 4, 4, seed=3)):
        outcome = run(mdp, EPSILON / (2 * mdp.horizon), 0)
        again = Deployer(mdp, BATCH_SIZE, len(outcome.trace), "any", seed=0)
        batches = [again.deploy(record.policy).counts for record in outcome.trace]  # streams: the seed and k
        for k, record in enumerate(outcome.trace):
            data = np.sum([np.zeros(batches[0].shape), *batches[:k + ahead]], axis=0)
            cautious = pessimistic_value_iteration(mdp.phi, mdp.rewards(), data, outcome.beta, mdp.available).policy
            designs = [fit(mdp.phi[h], data[h]) for h in range(record.exploration.layer)]
            plan = plan_truncated(again.known, designs, partial(known_reward, again.known), outcome.beta, "repaired")
            exploring = np.stack([step.policy for step in plan])
            same += (np.array_equal(cautious, record.pessimistic)
                     and np.array_equal(exploring, record.optimistic[:len(plan)]))
            total += 1
    return Evidence(same, total, "identity", f"{total} deployments of two runs, Algorithm 1 as the optimist")
