"""The pure function of the sliders of the sample sizes: N and K of every version, with every constant explicit."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from derl.show.drawing import InvalidChoice
from derl.theory.arbitrary.constants import arbitrary_constants
from derl.theory.constants import batch_size_layerwise, deployments_layerwise
from derl.theory.layerwise.samples import budget

DETERMINISTIC = {"explicit": "printed proof", "sharp": "(a) sharp lemma", "chernoff": "(a-c) one count, Chernoff",
                 "covering": "(a-d) bonus of the covering", "share": "(a-e) all steps"}
ARBITRARY = {"repaired": "printed proof, repaired", "relative": "Theorem R", "squared": "squared reward",
             "spectral": "spectral error", "self-certifying": "certifies itself"}
HEADER = ("algorithm", "version", "K", "N", "K N", "meets a proof")


@dataclass(frozen=True)
class Size:
    """One row of the table.

    Attributes
    ----------
    algorithm, version : str
    deployments, batch_size : int
        K and N.
    proved : bool
        Whether N meets all conditions of a proof. The printed formula with its constant set to 1 does not; for the
        version that certifies itself there are only runs.
    """

    algorithm: str
    version: str
    deployments: int
    batch_size: int
    proved: bool = True

    @property
    def trajectories(self) -> int:
        """K N."""
        return self.deployments * self.batch_size

    @property
    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        return (self.algorithm, self.version, str(self.deployments), f"{float(self.batch_size):.1e}",
                f"{float(self.trajectories):.1e}", "yes" if self.proved else "no")


def sample_sizes(dim: int = 10, horizon: int = 10, epsilon: float = 0.1, delta: float = 0.1, c_K: float = 6.0,
                 nu: float = 0.3) -> tuple[Size, ...]:
    """K and N of Algorithm 1 and of Algorithm 2, for the printed proofs and for each improvement.

    Parameters
    ----------
    dim, horizon : int, >= 1
    epsilon, delta : float, in (0, 1)
    c_K : float, > 1
        The trade-off of Algorithm 1. The printed formula is listed from c_K = 2 on.
    nu : float, in (0, 1]
        Lower bound of the reachability coefficient, for Algorithm 2; nu^2 d <= 1 in every linear MDP.

    Raises
    ------
    InvalidChoice, InvalidConstant
    """
    if nu * nu * dim > 1:
        raise InvalidChoice(f"nu is {nu:g}; in dimension {dim} the coefficient is at most 1/sqrt(d) = {dim**-0.5:.3f}")
    rows = []
    if c_K >= 2:
        printed = batch_size_layerwise(dim, horizon, epsilon, delta, c_K)
        rows.append(Size("1", "formula with c = 1", deployments_layerwise(dim, horizon, c_K), printed, proved=False))
    for version, words in DETERMINISTIC.items():
        plan = budget(dim, horizon, epsilon, delta, c_K, version)
        rows.append(Size("1", words, plan.deployments, plan.batch_size))
    for version, words in ARBITRARY.items():
        plan = arbitrary_constants(dim, horizon, epsilon, delta, nu, version, known_start=True)
        rows.append(Size("2", words, horizon, int(plan.batch_size), proved=version != "self-certifying"))
    return tuple(rows)


def sentence(rows: tuple[Size, ...]) -> str:
    """What the table says in one line: the gain of all improvements together, for both algorithms."""
    gains = []
    for algorithm in ("1", "2"):
        own = [row for row in rows if row.algorithm == algorithm and row.proved]
        gains.append(own[0].batch_size / min(row.batch_size for row in own))
    return (f"against its printed proof, Algorithm 1 needs {gains[0]:.1e} times fewer trajectories, "
            f"Algorithm 2 {gains[1]:.1e}")


def table(rows: tuple[Size, ...]) -> str:
    """The rows as an HTML table."""
    head = "".join(f"<th>{escape(name)}</th>" for name in HEADER)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row.cells) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
