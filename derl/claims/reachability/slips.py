"""This check refutes the remark of Section 4.2 that compares the best smallest eigenvalue without naming a layer.

In the counterexample layer 1 has the covariance diag(1/2, 1/2) and layer 2 has diag(1, 0), whatever the policy is.
"""

from __future__ import annotations

from fractions import Fraction

from derl.claims import Evidence, claim


@claim("text-eigenvalue-layer", method="exhaustive", refutes=True,
       as_corrected={"the smallest over the layers": {"over": min}})
def easy_layer_says_nothing(text, over=max):
    """Two layers, of which one is easy: Covariances diag(1/2, 1/2) and diag(1, 0), whatever the policy: sigma_min is
    nu^2 in each layer."""
    covariances = ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1), Fraction(0)))
    smallest = [min(diagonal) for diagonal in covariances]
    reachability = min(smallest)  # min over unit theta of theta^T Lambda theta, the policy has no influence
    larger, smaller = text.relation(r"\nu_{\min}^2", {
        r"\nu_{\min}^2": reachability,
        r"\max_\pi\sigma_{\min}(\mathbb E_\pi[\phi_h\phi_h^\top])": over(smallest)}).ordered
    return Evidence(larger - smaller, Fraction(1, 2), "identity", "d = 2, H = 2, one policy")
