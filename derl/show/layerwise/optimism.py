"""The film of the optimism that the inner cap destroys: prediction, bonus and guess for the action f of the trap."""

from __future__ import annotations

from functools import cache

import numpy as np

from derl.estimation import fit, optimistic_backup
from derl.mdp import instances, planning
from derl.show.drawing import film

SCALE, TRIED = 18.0, 10**12  # beta, and how often e has been tried
SIZE, ZERO, PIXELS = (330, 186), 150, 11  # of the film; where 0 is, and the pixels of a unit
LAYER = 1  # of the state C, from 0


@cache
def backups() -> dict[str, float]:
    """What data on e alone say about f: the prediction, the bonus, both guesses; and what e and f are worth.

    Returns
    -------
    dict
        "prediction" and "bonus" make "sum"; "capped" is the bonus after the inner cap; "printed" and "repaired" are
        the guesses of the two versions of the algorithm.
    """
    mdp = instances.optimism_trap()
    c, e = mdp.state_names.index("C"), mdp.state_names.index("E")
    data = np.zeros((mdp.n_states, mdp.n_actions, mdp.n_states))
    data[c, 0, e] = TRIED
    design, truth = fit(mdp.phi[LAYER], data), planning.optimal(mdp).q[LAYER, c]
    following = truth[0] * np.eye(mdp.n_states)[e]
    printed, repaired = (float(optimistic_backup(
        mdp.phi[LAYER], mdp.rewards()[LAYER], following, design, SCALE, mdp.horizon, mdp.available[LAYER], version
    ).q[c, 1]) for version in ("as-printed", "repaired"))
    prediction = float(mdp.phi[LAYER, c, 1] @ design.operator @ following)
    added = SCALE * float(design.norms(mdp.phi[LAYER])[c, 1])
    return {"known": float(truth[0]), "truth": float(truth[1]), "prediction": prediction, "bonus": added,
            "capped": min(added, mdp.horizon), "sum": prediction + added, "most": float(mdp.horizon),
            "printed": printed, "repaired": repaired}


@cache
def lost_optimism() -> dict:
    """A film in six pictures, and a table of its numbers."""
    at = backups()
    printed = f"{at['printed']:.2f} is below {at['known']:.2f}, so the algorithm of the paper takes e and never tries f"
    frames = [
        (picture(at), f"Action e has been tried and is worth {at['known']:.2f}. Action f was never tried. It is worth "
                      f"{at['truth']:.2f}, which the algorithm does not know."),
        (picture(at, "prediction"), f"The feature of f points away from that of e. So the data on e predict "
                                    f"{signed(at['prediction'])} for f."),
        (picture(at, "prediction", "bonus"), f"The whole bonus of f is {at['bonus']:.2f}. Added to the prediction it "
                                             f"gives {at['sum']:.2f}, more than f is worth."),
        (picture(at, "prediction", "capped"), f"The inner cap cuts the bonus to {at['capped']:.2f} before the sum."),
        (picture(at, "prediction", "capped", "printed"), f"Then the guess for f is {at['printed']:.2f}: {printed}."),
        (picture(at, "prediction", "bonus", "repaired"),
         f"Without the inner cap only the sum is cut, to {at['repaired']:.2f}. This is above {at['known']:.2f}, so the "
         "algorithm tries f."),
    ]
    rows = [("worth of e, known", at["known"]), ("worth of f, not known", at["truth"]),
            ("prediction for f", at["prediction"]), ("whole bonus of f", at["bonus"]),
            ("bonus after the inner cap", at["capped"]), ("guess with the inner cap", at["printed"]),
            ("guess without the inner cap", at["repaired"])]
    return film.film(SIZE, frames, ("what", "value"), [(name, signed(value)) for name, value in rows],
                     "How a cap on the bonus makes the guess for the better action too small")


def signed(value: float) -> str:
    """A number with two decimals and a true minus."""
    return f"{value:.2f}".replace("-", "−")


def picture(at: dict[str, float], *shown: str) -> list:
    """One picture; `shown` names the bars that it has."""
    def place(value: float) -> float:
        return ZERO + PIXELS * value

    def row(key: str, name: str, y: float, start: float, end: float, kind: str, value: float) -> list:
        low, high = sorted((place(start), place(end)))
        return [film.text(f"{key}-name", 4, y + 14, name),
                film.bar(f"{key}-bar", low, y, max(high - low, 1.0), 20, kind),
                film.text(f"{key}-value", min(high + 4, SIZE[0] - 34), y + 14, signed(value), "strong")]

    bonus = next((at[name] for name in shown if name in ("bonus", "capped")), None)
    guess = next((name for name in shown if name in ("printed", "repaired")), None)
    shapes = [film.shape("zero", "path", d=f"M{ZERO} 6V160", kind="frame"),
              film.shape("known", "path", d=f"M{film.near(place(at['known']))} 6V160", kind="line blue dashed"),
              film.text("known-words", place(at["known"]), 178, f"worth of e: {at['known']:.2f}", "", "middle"),
              *row("truth", "f, in truth", 8, 0, at["truth"], "grey", at["truth"])]
    if "prediction" in shown:
        shapes += row("prediction", "prediction", 46, 0, at["prediction"], "orange", at["prediction"])
    if bonus is not None:
        end = at["prediction"] + bonus
        shapes += row("bonus", "plus the bonus", 84, at["prediction"], end, "sky", bonus)
    if guess is not None:
        kind = "red" if at[guess] < at["known"] else "green"
        shapes += row("guess", "guess for f", 122, 0, at[guess], kind, at[guess])
    return shapes
