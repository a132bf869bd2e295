"""Tables and a figure of the refinements."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from derl.show.drawing import style
from derl.show.drawing.tables import readable
from derl.theory.arbitrary.constants import arbitrary_constants
from derl.theory.beyond import gates, prefix, renewal
from derl.theory.constants import InvalidConstant
from derl.theory.lower_bounds import bandit_failure, compact_arms, deployments_for_failure
from derl.theory.lower_bounds.search_programme import deployments_for_success

SIZES = ((100, 100), (1000, 1000), (10**4, 10**4), (10**6, 10**6))
EPSILON = DELTA = 0.1
HALF = Fraction(1, 2)


def needed(deltas=(Fraction(1, 100), Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))) -> str:
    """Deployments that are excluded, over dH: one bandit, needles in series, for several sizes and delta."""
    lines = ["| $d=H$ | $\\delta$ | one bandit | needles in series | stages | layers of reward |", "|" + "---|" * 6]
    for d, horizon in SIZES:
        for delta in deltas:
            bandit = deployments_for_failure(compact_arms(d, horizon), delta) / (d * horizon)
            found = gates.excluded(d, horizon, EPSILON, delta)
            share = "–" if found.excluded < 0 else f"{found.excluded / (d * horizon):.3f}"
            lines.append(f"| {d} | {float(delta):g} | {bandit:.3f} | {share} | {found.stages} | {found.rewards} |")
    return "\n".join(lines)


def failures(d: int = 1000, horizon: int = 1000, epsilon: float = EPSILON, most: int = 24):
    """Lower bounds on the worst failure probability of every algorithm, against K/(dH)."""
    shares = np.linspace(0, 1, 101)
    arms = compact_arms(d, horizon)
    one = [float(bandit_failure(arms, int(share * d * horizon))) for share in shares]
    best = np.zeros(len(shares))
    for stages in range(1, most + 1):
        for levels in (4, 6, 8, 10, 12):
            rewards = int(np.ceil(float(gates.REWARD) * epsilon * stages * levels))
            layers = (horizon - rewards) // stages
            if layers < 1 or (d - 3) * layers < levels:
                continue
            arms = (d - 3) * layers
            spent = [min(int(share * d * horizon) + stages, stages * (arms - levels + 1)) for share in shares]
            bound = [1 - float(gates.success_bound(stages, arms, levels, HALF, duds)) for duds in spent]
            best = np.maximum(best, bound)
    figure, ax = style.axes(figsize=(6.4, 3.4))
    ax.plot(shares, one, "--", color=style.GREY, label="one bandit")
    ax.plot(shares, best, "-", color=style.RED, label="needles in series")
    ax.axvline(1 + 1 / (d * horizon), color=style.BLUE, linewidth=1.2, label="$dH+1$: enough, whatever $\\delta$")
    ax.set(xlabel="deployments over $dH$", ylabel="failure at least", xlim=(0, 1.05), ylim=(0, 1.02))
    ax.legend(fontsize=8, loc="lower left")
    return figure


def sizes_without_nu(d: int = 4, horizon: int = 10) -> str:
    """N of three versions for falling nu."""
    lines = ["| $\\nu_{\\min}$ | with $\\nu_{\\min}$ in the loop | without, eigenvalue rule | without, best prefix |",
             "|---|---|---|---|"]
    for nu in (0.5, 0.1, 0.01, 1e-3, 1e-4):
        cells = ["–" if size is None else f"{size:.1e}" for size in _sizes(d, horizon, nu)]
        lines.append(f"| {nu:g} | " + " | ".join(cells) + " |")
    return readable("\n".join(lines))


def _sizes(d, horizon, nu):
    found = []
    for version in ("spectral", "self-certifying"):
        try:
            found.append(arbitrary_constants(d, horizon, EPSILON, DELTA, nu, version, True).batch_size)
        except InvalidConstant:
            found.append(None)
    return *found, prefix.prefix_constants(d, horizon, EPSILON, DELTA, nu, True).batch_size


def sizes_curve(d: int = 4, horizon: int = 10):
    """N of three versions of Algorithm 2 against nu."""
    nus = np.logspace(-4, -0.3, 25)
    found = np.array([[np.nan if size is None else float(size) for size in _sizes(d, horizon, nu)] for nu in nus])
    figure, ax = style.axes(figsize=(6.4, 2.8))
    for line, color, label, sizes in zip((":", "--", "-"), (style.GREY, style.RED, style.BLUE),
                                         (r"with $\nu_{\min}$ in the loop", "without, eigenvalue rule",
                                          "without, best prefix"), found.T, strict=True):
        ax.loglog(nus, sizes, line, color=color, label=label)
    ax.invert_xaxis()
    ax.set(xlabel=r"$\nu_{\min}$", ylabel="$N$")
    ax.legend(fontsize=8)
    return figure


def paces() -> str:
    """Digits per deployment of three ways to search, and the least K against n over the pace."""
    lines = ["| $d$ | $N$ | forgets | optimal | is told | $n$ | $n$ over the pace | least $K$, success $\\frac12$ |",
             "|" + "---|" * 8]
    for d, N, n in ((2, 16, 200), (3, 1, 100), (3, 1000, 200), (10, 100, 200), (10, 10**4, 198), (10, 10**12, 400)):
        pace, told = renewal.pace(d, N), renewal.revealed_pace(d, N)
        lines.append(f"| {d} | {N} | {told - 1:.3f} | {pace:.3f} | {told:.3f} | {n} | {n / pace:.1f} | "
                     f"{deployments_for_success(d, n, N, 0.5, 'exclude')} |")
    return "\n".join(lines)


def pace_curve(d: int = 10, most: int = 12):
    """Digits per deployment against N: forgetting, optimal play, and a search that is told the digit."""
    sizes = [round(10 ** (step / 4)) for step in range(4 * most + 1)]
    told = np.array([renewal.revealed_pace(d, size) for size in sizes])
    figure, ax = style.axes(figsize=(6.4, 2.8))
    ax.semilogx(sizes, told, ":", color=style.GREY, label="is told the digit")
    ax.semilogx(sizes, [renewal.pace(d, size) for size in sizes], "-", color=style.BLUE, label="optimal play")
    ax.semilogx(sizes, told - 1, "--", color=style.RED, label="forgets")
    ax.set(xlabel="$N$", ylabel="digits per deployment")
    ax.legend(fontsize=8)
    return figure
