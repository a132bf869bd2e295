"""What the paper says, how each statement is checked, and what the checks found.

One folder per chapter: `claims.yml` and the checks beside it. The same eleven words name the chapters everywhere:
here, in `derl/theory`, `derl/show`, `book`, `notebooks` and `tests`.

Examples
--------
>>> from derl import claims
>>> claims.find("C.3").id, claims.load()["lem-trace-det"].title
('lem-trace-det', 'Bridge between trace and determinant')
"""

from collections.abc import Callable, Iterable

from derl.ledger import (
    Evidence,
    Extra,
    InvalidClaims,
    InvalidLedger,
    Ledger,
    Paper,
    Statement,
    UnknownClaim,
    steps,
    verification,
)

CHAPTERS = ("foundations", "potential", "layerwise", "reward_free", "lower_bounds", "reachability", "arbitrary",
            "analysis", "safety", "comparison", "beyond")
# theorems from elsewhere that a proof may quote
QUOTATIONS = {
    "spectral": "a real symmetric matrix has an orthonormal basis of eigenvectors",
    "determinant": "det(XY) = det X det Y, Sylvester's identity, the matrix determinant lemma",
    "schur": "Schur complements and the Sherman-Morrison-Woodbury formula",
    "loewner": "the inverse reverses the Loewner order",
    "cauchy-schwarz": "the Cauchy-Schwarz inequality",
    "jensen": "Jensen's inequality, the inequality of the arithmetic and the geometric mean",
    "markov": "Markov's inequality",
    "hoeffding": "Hoeffding's inequality",
    "chernoff": "the multiplicative Chernoff bound",
    "bernstein": "Bernstein's or Freedman's inequality",
    "matrix-chernoff": "Tropp's matrix Chernoff and Bernstein inequalities",
    "golden-thompson": "the Golden-Thompson inequality, tr exp(A+B) <= tr exp(A) exp(B) for symmetric A and B",
    "ville": "Ville's inequality for non-negative supermartingales",
    "minimax": "von Neumann's and Sion's minimax theorems, duality of linear programmes",
    "kiefer-wolfowitz": "the Kiefer-Wolfowitz equivalence of D- and G-optimal designs",
    "caratheodory": "Caratheodory's theorem",
    "bellman": "Bellman's equations of a finite-horizon Markov decision process",
    "measure": "Fubini's theorem, monotone convergence, measurable selection",
}
EXTRAS = {name: Extra(package, f"derl[{name}]") for name, package in
          (("rigor", "flint"), ("sdp", "cvxpy"), ("gym", "gymnasium"))}
LIBRARIES = ("numpy", "scipy", "sympy", "cvxpy", "clarabel", "python-flint")
PAPER = Paper(__name__, CHAPTERS, quotations=QUOTATIONS, extras=EXTRAS, libraries=LIBRARIES, command="derl show")
claim, printed = PAPER.registry.claim, PAPER.printed
find = PAPER.find


def load() -> dict[str, Statement]:
    """The statements by id, chapter by chapter."""
    return PAPER.statements


def verify(ids: Iterable[str] | None = None, tier: str = "quick", jobs: int = 1,
           progress: Callable[[str, int, int], None] | None = None, apart: bool = False) -> Ledger:
    """Run checks of this paper; see `derl.ledger.verify` for the parameters.

    Raises
    ------
    UnknownClaim, Invalid
    """
    return verification.verify(PAPER, ids, tier, jobs, progress, apart)


__all__ = ["CHAPTERS", "PAPER", "Evidence", "InvalidClaims", "InvalidLedger", "Ledger", "Statement", "UnknownClaim",
           "claim", "find", "load", "printed", "steps", "verify"]
