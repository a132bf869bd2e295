"""Numbers for the game of the potential lemma, whose exact optimum is known, and the film of the ellipse."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from derl.show.drawing import film
from derl.theory import potential
from derl.theory.potential import search

LEVELS = ((10, 0.3), (5, 0.3), (20, 0.1))


@cache
def adversary() -> dict:
    """For each level the sharp bound, what two simple adversaries reach, and a best play.

    The best play is found by search and has as many violations as the refined bound allows, so it is optimal.
    """
    return {"levels": [level(size, epsilon) for size, epsilon in LEVELS]}


def level(size: int, epsilon: float) -> dict:
    """One level: N = `size` vectors in a batch of the plane."""
    best = potential.adversary_noncommuting(2, size, epsilon, starts=3)
    return {"size": size, "epsilon": epsilon, "sharp": potential.sharp_bound(2, size, epsilon),
            "refined": potential.refined_bound(2, size, epsilon),
            "axes": len(potential.adversary_axis(2, size, epsilon)),
            "greedy": len(potential.adversary_greedy(2, size, epsilon)) - 1,  # its last batch does not violate
            "best": [[float(x) for x in row] for row in best]}


# ------------------------------------------------------------------------------------------- the ellipse of uncertainty

BATCH, NEWS = 8, 0.3  # N of the film, and the level from which on a batch brings news
DIRECTIONS = ((1.0, 0.0), (1.0, 0.0), (0.6, 0.8), (-0.8, 0.6))
UNIT, MIDDLE, SQUARE = 100, (150, 128), (300, 292)  # pixels of length 1, the centre, and the size of the film


@cache
def ellipse() -> dict:
    """A film: the ellipse of all x with x^T A x <= 1 shrinks from deployment to deployment.

    Its half width in a direction u of length 1 is sqrt(u^T A^-1 u), the uncertainty of u.
    """
    levels = [float(value) for value in search.rank_one_levels(np.array(DIRECTIONS), BATCH)]
    matrix, frames, rows = np.eye(2), [], []
    for k, (u, level) in enumerate(zip(DIRECTIONS, levels, strict=True), 1):
        news = level >= NEWS
        word = "brings news" if news else "brings little"
        frames.append((drawn(matrix, u, level, news),
                       f"Deployment {k} is about to play the red direction. The shadow of the ellipse on it has the "
                       f"half width {level**0.5:.2f}, so the squared uncertainty is {level:.3f}: the batch {word}."))
        matrix = matrix + BATCH * np.outer(u, u)
        change = "much thinner" if news else "a little smaller"
        lengths = np.linalg.eigvalsh(matrix)[::-1] ** -0.5
        frames.append((drawn(matrix, u, float(np.array(u) @ np.linalg.solve(matrix, u)), None),
                       f"After deployment {k} the ellipse is {change}: its half axes are {lengths[0]:.2f} and "
                       f"{lengths[1]:.2f}."))
        rows.append((k, f"({u[0]:g}, {u[1]:g})", f"{level:.3f}", "yes" if news else "no", f"{lengths[0]:.3f}",
                     f"{lengths[1]:.3f}"))
    return film.film(SQUARE, frames, ("deployment", "direction", "squared uncertainty before it", "brings news",
                                      "shorter half axis after it", "longer half axis after it"), rows,
                     "The ellipse of uncertainty, deployment by deployment")


def drawn(matrix: np.ndarray, u: tuple[float, float], level: float, news: bool | None) -> list:
    """One picture: the ellipse, the direction of the batch and the shadow on it; `news` is None after the batch."""
    values, vectors = np.linalg.eigh(matrix)
    turn = math.degrees(math.atan2(-vectors[1, 1], vectors[0, 1]))  # of the short axis; y grows downwards in a picture
    turn = (turn + 90) % 180 - 90
    (x, y), shadow = MIDDLE, UNIT * level**0.5
    along = (u[0] * shadow, -u[1] * shadow)
    tall = 14.0  # of the marks at the ends of the shadow
    shapes = [film.shape("ball", "circle", cx=x, cy=y, r=UNIT, kind="line grey dashed"),
              film.shape("ellipse", "ellipse", cx=x, cy=y, rx=float(UNIT * values[1]**-0.5),
                         ry=float(UNIT * values[0]**-0.5), transform=f"rotate({turn:.1f} {x} {y})", kind="area blue"),
              film.shape("direction", "path", kind="line red thin",
                         d=path(x - u[0] * 118, y + u[1] * 118, x + u[0] * 118, y - u[1] * 118)),
              film.shape("shadow", "path", kind="line red thick",
                         d=path(x - along[0], y - along[1], x + along[0], y + along[1]))]
    for sign in (-1, 1):
        at = x + sign * along[0], y + sign * along[1]
        shapes.append(film.shape(f"end{sign}", "path", kind="line red",
                                 d=path(at[0] + u[1] * tall, at[1] + u[0] * tall,
                                        at[0] - u[1] * tall, at[1] - u[0] * tall)))
    word = "" if news is None else ", so it brings news" if news else ", so it brings little"
    return [*shapes, film.text("level", x, 266, f"squared uncertainty {level:.3f}", "strong", "middle"),
            film.text("word", x, 284, f"level {NEWS}{word}", "", "middle")]


def path(x0: float, y0: float, x1: float, y1: float) -> str:
    """A straight line."""
    return f"M{film.near(x0)} {film.near(y0)}L{film.near(x1)} {film.near(y1)}"
