"""The lock of the book, chapter by chapter: one sentence or two with the numbers of a run, for the passage "The lock".

The lock has three wheels of three digits and the code 1-2-0, `instances.lock(3, 3, (1, 2, 0), 0.2)`. Its layers are the
wheels and one more, in which the reward is paid. Features, rewards and the function of a deployment are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np
from IPython.display import Markdown, display

from derl import algorithms
from derl.deployment import Deployer
from derl.mdp import instances, planning
from derl.show.drawing import film, wheels
from derl.theory import potential, reachability
from derl.theory.lower_bounds.search_programme import success_curve

CODE, DIGITS, BIAS = (1, 2, 0), 3, 0.2
SIZE, SIZE_OF_MIXTURES, ACCURACY, CONFIDENCE = 10**12, 10**15, 0.1, 0.1
EXPLORING = Fraction(1, 2)  # share of the trajectories of a safe mixture that explore
BATCHES = (1, 5, 50, 500)  # codes of a batch in the passages of the second lower bound and of the exchange law
LEVEL = Fraction(9, 10)  # probability with which the lock has to be open
NEWS = Fraction(1, 10)  # level of the potential lemma in its passage


def model():
    """The lock as a linear MDP."""
    return instances.lock(DIGITS, len(CODE), CODE, BIAS)


def drawn(code: Sequence[int], hidden: Sequence[int] = CODE):
    """The lock after a deployment of one code, as HTML."""
    states = wheels.tried(code, hidden)
    labels = [str(digit) for digit in range(DIGITS)]
    return film.picture(wheels.lock("l", 0, 0, labels, code, states, opened="wrong" not in states),
                        wheels.size(len(code)), wheels.in_words(code, states))


def passage(words: str, code: Sequence[int]) -> Markdown:
    """Show the lock after a deployment of the code, and say what the chapter says about it."""
    display(drawn(code))
    return Markdown(words)


def tiny(number: float) -> str:
    """A number below 1 as a formula with a power of ten."""
    lead, exponent = f"{number:.1e}".split("e")
    return f"${lead}\\cdot10^{{{int(exponent)}}}$"


def deployer(most: int = 100, policy_class: str = "deterministic") -> Deployer:
    """Batches of 10^12 trajectories of the lock."""
    return Deployer(model(), SIZE, most, policy_class=policy_class, seed=0)


@cache
def first():
    """A run of Algorithm 1, repaired."""
    return algorithms.layerwise_exploration(deployer(), ACCURACY, CONFIDENCE)


@cache
def second():
    """A run of Algorithm 2 that certifies itself."""
    mdp = model()
    return algorithms.arbitrary_policy_exploration(
        Deployer(mdp, SIZE_OF_MIXTURES, mdp.horizon, policy_class="any", seed=0), ACCURACY, CONFIDENCE,
        version="self-certifying", initial=mdp.initial)


def layerwise() -> str:
    """What Algorithm 1 deploys on the lock."""
    codes = ["-".join(str(int(digit)) for digit in step.policy[:len(CODE), 0]) for step in first().trace]
    finished = sum(step.statistic < step.threshold for step in first().trace)
    return (f"A run on the lock with $N=10^{{12}}$ deploys {len(codes)} policies. The first ones play the codes "
            f"{', '.join(codes[:DIGITS])}, one for each digit of the first wheel. {finished} of the deployments "
            "finish a "
            f"layer, and the other {len(codes) - finished} bring news. The returned policy plays "
            f"{'-'.join(str(int(digit)) for digit in first().policy[:len(CODE), 0])}, which is the code.")


def news() -> str:
    """How many batches bring news in one layer of the lock, counted in the run, and what the lemma allows."""
    counts = [sum(step.layer == layer and step.statistic >= step.threshold for step in first().trace)
              for layer in range(1, len(CODE) + 2)]
    bound = potential.sharp_bound(model().dim, SIZE, NEWS)
    return (f"The features of the lock have dimension $d={model().dim}$: one direction for each digit, and one for "
            "each of "
            "the two states after a wrong digit. A batch that plays one code visits one direction in each layer before "
            f"the first wrong wheel. In the run of Algorithm 1 on the lock the batches that brought news to the "
            f"layer that it explores are {', '.join(map(str, counts))}, layer by layer. The lemma of this chapter "
            f"allows at most {bound} in a layer, for this $N$ and the level $\\epsilon={float(NEWS):g}$.")


def deterministic() -> str:
    """The best strategy with one code per deployment."""
    most = len(CODE) * (DIGITS - 1) + 1
    curve = success_curve(DIGITS, len(CODE), 1, most, "exclude", exact=True)
    average = sum(1 - chance for chance in curve)
    return (f"On the lock a deterministic policy plays one code, so all its trajectories stop at the same wheel, and "
            "a deployment that does not open the lock excludes one digit of one wheel. The best "
            f"strategy opens the lock after {float(average):g} deployments on average and after {most} at the latest. "
            f"After one, two and three deployments it is open with probability {curve[1]}, {curve[2]} and {curve[3]}. "
            "The batch size does not occur in these numbers.")


def arbitrary() -> str:
    """The best strategy with N codes per deployment."""
    rows = "\n".join(f"| {size} | " + " | ".join(f"{chance:.3f}" for chance in success_curve(
        DIGITS, len(CODE), size, 3, "exclude")[1:4]) + " |" for size in BATCHES)
    return ("A policy that draws a new code for each trajectory tries $N$ codes in one deployment. The table has the "
            "probability that the best strategy has opened the lock with three wheels after one, two and three "
            f"deployments.\n\n| codes in a batch $N$ | $K=1$ | $K=2$ | $K=3$ |\n|---|---|---|---|\n{rows}")


def mixtures() -> str:
    """How many deployments mixtures save on the lock."""
    return (f"On the lock Algorithm 1 deploys {first().deployments} deterministic policies. Algorithm 2 deploys "
            f"{second().deployments} mixtures, one for each layer.")


def analysis() -> str:
    """How far the predicted covariances of a run are off, and how far they may be."""
    mdp, errors, bounds = model(), [], []
    for step in second().trace:
        if step.cover is None or step.layer == 1:
            continue
        off = []
        for prefix, estimate in zip(step.cover.policies, step.cover.estimates, strict=True):
            policy = np.zeros((mdp.horizon, mdp.n_states), int)
            policy[:len(prefix)] = prefix
            met, features = planning.occupancy(mdp, policy)[step.layer - 1], mdp.phi[step.layer - 1]
            off.append(np.linalg.norm(np.einsum("sa,sai,saj->ij", met, features, features) - estimate, 2))
        errors.append(max(off))
        bounds.append(step.matrix_error)
    return (f"On the lock the run of Algorithm 2 predicts the covariances of layer 2 from the data of layer 1, and "
            "so on. "
            f"The largest error of a predicted covariance is {tiny(max(errors))} in the operator norm. The run itself "
            "knows "
            f"the bound {tiny(max(bounds))} for the sum over its list, by the argument of this chapter. The lock "
            "cannot show "
            "how such errors add up along many layers, because after a wrong digit nothing depends on the policy. The "
            "example by hand has another instance for this.")


def reach() -> str:
    """The coefficient of the lock, layer by layer."""
    intervals = [reachability.nu(model(), layer, subspace="reachable") for layer in range(1, len(CODE) + 1)]
    everywhere = reachability.nu(model(), 1, subspace="all")
    values = ", ".join(f"{found.lower:.3f}" for found in intervals)
    return (f"In the first layer of the lock every trajectory is in state 0, so no policy can visit the directions "
            "of the "
            f"two states after a wrong digit, and $\\nu_1={everywhere.upper:.0f}$. If only the directions that some "
            "policy "
            f"visits are counted, the coefficients of the three wheels are at least {values}.")


def reward_free() -> str:
    """What Algorithm 3 deploys on the lock."""
    run = algorithms.reward_free_exploration(deployer(), ACCURACY, CONFIDENCE)
    return (f"On the lock Algorithm 3 deploys {run.deployments} policies, and Algorithm 1, which knows the reward, "
            "deploys "
            f"{first().deployments}. Both have to visit each digit of each wheel. The data of Algorithm 3 then serve "
            "every "
            "linear reward.")


def safe() -> str:
    """What a mixture of a cautious policy and of exploration is worth on the lock."""
    mdp = model()
    code, wrong = planning.optimal(mdp), min(
        planning.evaluate(mdp, step.policy).value for step in first().trace)
    mixed = float(EXPLORING) * wrong + (1 - float(EXPLORING)) * code.value
    return (f"On the lock the policy that plays the code is worth {code.value:.2f}, and the worst policy that "
            "Algorithm 1 "
            f"deployed is worth {wrong:.2f}. A mixture that explores with probability $\\frac12$ and plays the code "
            f"otherwise is worth {mixed:.2f}. It loses {code.value - mixed:.2f}, and half of its trajectories explore.")


def compared() -> str:
    """Deployments of the algorithms of the paper on the lock, beside the best search."""
    curve = success_curve(DIGITS, len(CODE), 1, len(CODE) * (DIGITS - 1) + 1, "exclude", exact=True)
    return (f"On the lock with three wheels Algorithm 1 deploys {first().deployments} policies with $N=10^{{12}}$, "
            "which "
            f"makes {first().deployments}$\\cdot10^{{12}}$ trajectories. A search that knows that it is a lock needs "
            f"{float(sum(1 - chance for chance in curve)):g} deployments of one trajectory on average. The methods "
            "of the "
            "table know only the features, and they serve every linear MDP.")


def exchange() -> str:
    """How large a batch has to be for K deployments to open the lock."""
    sizes = [next(size for size in range(1, 10**4)
                  if success_curve(DIGITS, len(CODE), size, K, "exclude")[K] >= LEVEL) for K in (1, 2, 3)]
    parts = [f"{K} deployment{'s' if K > 1 else ''} {'need' if K > 1 else 'needs'} a batch of {size} codes"
             for K, size in zip((1, 2, 3), sizes, strict=True)]
    return f"To open the lock with probability {LEVEL}, {', '.join(parts[:-1])} and {parts[-1]}."
