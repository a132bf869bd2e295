"""A number of a sentence that a check of this run has found.

`` {measured}`lem-even/sum_is_twice_a_whole_number` `` is the number that the check has measured, and with `claimed`
after the name of the check it is the number that it was compared with. Short exact numbers are shown as they are, all
others with three significant digits.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, isfinite

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

logger = logging.getLogger(__name__)
SHORT = 10_000  # numerators and denominators below it are shown
SIDES = ("measured", "claimed")


def in_maths(value: int | float | str) -> str:
    """A number of the ledger in LaTeX; exact ones are texts like "6/25"."""
    if isinstance(value, float) and not isfinite(value):
        return r"\infty" if value == inf else r"-\infty"
    number = Fraction(value)
    above, below = number.as_integer_ratio()
    if not isinstance(value, float) and abs(above) < SHORT and below < SHORT:
        return f"{above}" if below == 1 else f"{'-' * (above < 0)}\\frac{{{abs(above)}}}{{{below}}}"
    power = _power(abs(number))
    leading = number / Fraction(10) ** power
    if -4 < power < 5:
        return f"{float(leading * Fraction(10) ** power):.{max(2 - power, 0)}f}"
    return f"{float(leading):.2f}\\cdot10^{{{power}}}"


def _power(size: Fraction) -> int:
    """The largest p with 10^p <= size, for whole numbers of any length; 0 for 0."""
    if not size:
        return 0
    digits = len(str(size.numerator)) - len(str(size.denominator))
    return next(p for p in (digits, digits - 1) if Fraction(10) ** p <= size)


class MeasuredRole(SphinxRole):
    """What a check of a statement has measured, as a formula; an unknown check is a warning, and fails the build."""

    def run(self):
        domain = self.env.get_domain("claims")
        domain.note_sources(self.env)
        place, _, side = self.text.partition(" ")
        key, _, name = place.partition("/")
        row = domain.ledger.claims.get(key)
        checks = {check.name: check for check in (row.checks if row else ()) if check.measured is not None}
        side = side.strip() or SIDES[0]
        if name not in checks or side not in SIDES:
            logger.warning("the ledger has no number %r; allowed: statement/check, statement/check claimed; of %s: %s",
                           self.text, key, ", ".join(checks) or "no check", location=self.get_location())
            return [nodes.literal("", self.text)], []
        return [nodes.math("", in_maths(getattr(checks[name], side)))], []
