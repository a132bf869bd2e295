"""The rules that lead from the lemmas to the theorem, as rows of a table."""

from __future__ import annotations

from collections.abc import Iterable

WRITTEN = (("|phi w - P V| <= beta b", r"$\lvert w^\top\phi-PV\rvert\le\beta b$"),
           ("beta^2 >= (9/2) d^2 H^2 l", r"$\beta^2\ge\frac92d^2H^2l$"),
           ("floor(c_K dH) + 1", r"$\lfloor c_KdH\rfloor+1$"), ("2dHN deployments", "$2dHN$ deployments"),
           ("x <= 1/d", r"$x\le1/d$"), ("d log N", r"$d\log N$"), ("c_K d", "$c_Kd$"),
           ("Delta_k < epsilon/2", r"$\Delta_k<\epsilon/2$"),
           ("delta/2 + delta/2 = delta", r"$\delta/2+\delta/2=\delta$"),
           ("probability delta/2", r"probability $\delta/2$"),
           ("probability delta", r"probability $\delta$"), ("bonus <= epsilon", r"bonus at most $\epsilon$"),
           ("suboptimality <= ", "suboptimality at most the "), ("epsilon-optimal", r"$\epsilon$-optimal"),
           ("inside Q", "inside $Q$"))


def rules(chain: Iterable[tuple]) -> list[tuple[int, str, str, str]]:
    """Number, statement, what it needs and what it gives, the plain text of the checks as formulas.

    Parameters
    ----------
    chain : iterable of (id or None, needs, gives)
        The rules, as the check of the theorem has them.
    """
    rows = []
    for number, (claim, needs, gives) in enumerate(chain, 1):
        by = f"{{claim}}`{claim}`" if claim else "together, at the last deployment"
        rows.append((number, by, written("; ".join(needs)), written(gives)))
    return rows


def written(text: str) -> str:
    """The phrases that occur in the rules, as MyST mathematics."""
    for plain, formula in WRITTEN:
        text = text.replace(plain, formula)
    return text
