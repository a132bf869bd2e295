"""p-values of chi-square tests of samples against exact laws, for the tests of everything that draws."""

import numpy as np
from scipy import stats


def of_integers(sample, probabilities) -> float:
    """Integers against probabilities of 0, 1, 2, ...; rare ones, and what is beyond the last, are one class."""
    expected = np.append(probabilities, max(0.0, 1 - probabilities.sum())) * len(sample)
    observed = np.bincount(np.minimum(sample, len(probabilities)), minlength=len(expected))
    usual = expected >= 10
    observed, expected = (np.append(x[usual], x[~usual].sum()) for x in (observed, expected))
    observed, expected = observed[expected > 0], expected[expected > 0]
    return stats.chisquare(observed, expected * observed.sum() / expected.sum()).pvalue


def of_names(seen, law) -> float:
    """A Counter against a law of finite support, name -> exact probability; 0 if something impossible was seen."""
    assert sum(law.values()) == 1
    possible = {name: p for name, p in law.items() if p}
    if not set(seen) <= set(possible):
        return 0.0
    runs = sum(seen.values())
    usual = [name for name, p in possible.items() if p * runs >= 5]
    observed, expected = [seen[name] for name in usual], [float(possible[name] * runs) for name in usual]
    if len(usual) < len(possible):
        observed.append(runs - sum(observed))
        expected.append(float(runs * (1 - sum(possible[name] for name in usual))))
    return stats.chisquare(observed, expected).pvalue
