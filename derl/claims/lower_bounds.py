"""Section 3 and Appendix B: the hard instances, the two lower bounds, their repairs, the exact games behind them."""

from derl.claims import (
    lower_bounds_arbitrary,
    lower_bounds_chain,
    lower_bounds_conclusion,
    lower_bounds_corollaries,
    lower_bounds_deterministic,
    lower_bounds_features,
    lower_bounds_lock,
    lower_bounds_policies,
    lower_bounds_search,
    lower_bounds_simulation,
    lower_bounds_template,
)

__all__ = ["lower_bounds_arbitrary", "lower_bounds_chain", "lower_bounds_conclusion", "lower_bounds_corollaries",
           "lower_bounds_deterministic", "lower_bounds_features", "lower_bounds_lock", "lower_bounds_policies",
           "lower_bounds_search", "lower_bounds_simulation", "lower_bounds_template"]
