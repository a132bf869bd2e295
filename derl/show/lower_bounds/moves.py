"""Numbers for the widgets on the pages of the lower bounds, and for the two games with a hidden object."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from derl import algorithms
from derl.deployment import Deployer
from derl.mdp import instances
from derl.show.drawing import film, wheels
from derl.theory import lower_bounds
from derl.theory.lower_bounds import search_game, search_programme

LEVEL = Fraction(1, 10)
ARMS = (2, 80)
ACTIONS, LAYERS, BIAS, SIZE = 4, 4, 0.1, 10**12  # of the compact bandit; three of the four actions are arms
PRIZE = 66  # points for the right name; the i-th look costs i points, so that five looks are worth most
WATCHED, PLAYED, SHOWN_DIGITS = (1, 2, 0, 1), (1, 2, 2, 1), 3  # of the film: the hidden code and the code played
STILL = "A lock with six wheels. Two digits are known and set, and the other wheels are left to chance."
LOCKS = ((2, 4, 1, 80), (10, 6, 100, 60))  # digits, wheels, N, deployments up to which the curves go
DIGITS, HORIZONS, EXPONENTS = (2, 20), (4, 60), (0, 12)


def exact_game() -> dict:
    """Ranges of the sliders, and how many deployments failure 1/10 needs for each number of arms."""
    arms = range(ARMS[0], ARMS[1] + 1)
    return {"arms": list(ARMS), "level": float(LEVEL),
            "needed": [lower_bounds.deployments_for_failure(m, LEVEL) for m in arms]}


def lock() -> dict:
    """Ranges of the sliders; the search itself is computed in the page."""
    return {"digits": list(DIGITS), "horizons": list(HORIZONS), "exponents": list(EXPONENTS)}


# ------------------------------------------------------------------------------------- games with a hidden object


@cache
def hidden_arm() -> dict:
    """The compact bandit as a game: its size, and what the two algorithms spend on it, for three places of the arm."""
    arms = instances.compact_bandit_arms(ACTIONS, LAYERS)
    counts = [spent(instances.compact_bandit(ACTIONS, LAYERS, arm, BIAS)) for arm in arms[::5]]
    return {"arms": [list(arm) for arm in arms], "layers": LAYERS, "actions": ACTIONS - 1, "bias": BIAS,
            "prize": PRIZE, "sizes": [100, 10_000, 1_000_000],
            "success": [float(1 - lower_bounds.bandit_failure(len(arms), K)) for K in range(len(arms))],
            **{name: sorted({count[name] for count in counts}) for name in counts[0]}}


@cache
def hidden_code() -> dict:
    """Two locks as games, with the exact optimum of each.

    Uniform search among the codes that are still possible is optimal (Result res-search-optimal), so the programme
    "exclude" gives the optimum.
    """
    levels = []
    for d, n, size, most in LOCKS:
        best, uniform = (search_programme.success_curve(d, n, size, most, memory).tolist()
                         for memory in ("exclude", "forget"))
        counts = spent(instances.lock(d, n, [(3 * h + 1) % d for h in range(n)], BIAS))
        levels.append({"d": d, "n": n, "size": size, "best": best, "uniform": uniform,
                       "least": sum(1 - p for p in best), "average": sum(1 - p for p in uniform), **counts})
    digits = LOCKS[1][0]
    shown = wheels.lock("l", 0, 0, ["any", *map(str, range(digits))], [3, 8, *[0] * 4], ["right", "right", *[""] * 4])
    return {"levels": levels, "frames": [{"said": STILL, "svg": film.svg(shown, wheels.size(6), STILL)}]}


def spent(mdp) -> dict[str, int]:
    """Deployments of Algorithm 1 and of Algorithm 2 on an instance, with batches so large that chance is left out."""
    first = algorithms.layerwise_exploration(Deployer(mdp, SIZE, 10 * mdp.dim * mdp.horizon, seed=0), BIAS / 2, 0.1)
    second = algorithms.arbitrary_policy_exploration(
        Deployer(mdp, 10**15, mdp.horizon, policy_class="any", seed=0), BIAS / 2, 0.1, version="self-certifying",
        initial=mdp.initial)
    return {"first": first.deployments, "second": second.deployments}


# --------------------------------------------------------------------------------------- what one trajectory reveals


def possible(played: tuple[int, ...], hidden: tuple[int, ...], seen: int, digits: int) -> int:
    """Number of codes that agree with the first wheels of one trajectory.

    Parameters
    ----------
    seen : int
        How many wheels have been watched so far.
    """
    shown = min(search_game.matched(played, hidden), seen)
    return sum(min(search_game.matched(played, code), seen) == shown
               for code in search_game.sequences(digits, len(hidden)))


@cache
def one_trajectory() -> dict:
    """A film: a trajectory plays its code wheel by wheel, and the number of possible codes falls."""
    n, most = len(WATCHED), SHOWN_DIGITS**len(WATCHED)
    final, labels = wheels.tried(PLAYED, WATCHED), [str(digit) for digit in range(SHOWN_DIGITS)]
    frames, rows = [], []
    for seen in range(n + 1):
        right = min(search_game.matched(PLAYED, WATCHED), seen)
        stopped = seen > right
        states = ["right"] * right + (["wrong"] if stopped else [])
        states += ["dark" if stopped else ""] * (n - len(states))
        left = possible(PLAYED, WATCHED, seen, SHOWN_DIGITS)
        at = 14.0 + wheels.ROOM + wheels.STEP * min(seen, right) + wheels.WIDE / 2
        width = wheels.size(n)[0]
        shapes = [*wheels.lock("l", 14, 22, labels, PLAYED, states),
                  film.shape("trajectory", "circle", cx=at if seen else 6.0, cy=14.0, r=6,
                             kind="dot red" if stopped else "dot blue"),
                  film.text("many", 14, 206, f"codes still possible: {left} of {most}", "strong"),
                  film.bar("all", 14, 214, width, 14, "grey"),
                  film.bar("left", 14, 214, width * left / most, 14, "blue")]
        said = spoken(seen, final, left)
        frames.append((shapes, said))
        rows.append((seen, states[seen - 1].replace("dark", "not tested") if seen else "nothing played yet", left))
    return film.film((width + 28, 232), frames, ("wheels played", "the last of them", "codes still possible"), rows,
                     "One trajectory of a lock, wheel by wheel, and how many codes are still possible")


def spoken(seen: int, states: list[str], left: int) -> str:
    """One sentence about a picture of the film."""
    many = f"{left} codes are still possible."
    if not seen:
        return f"A trajectory is about to play {'-'.join(map(str, PLAYED))}: {many}"
    return {"right": f"The digit of wheel {seen} is right, and the trajectory goes on to the next wheel: {many}",
            "wrong": f"The digit of wheel {seen} is wrong. The trajectory ends there, and one digit of this wheel is "
                     f"excluded: {many}",
            "dark": f"The trajectory never turned wheel {seen}, so its digit is as unknown as before: {many}"
            }[states[seen - 1]]
