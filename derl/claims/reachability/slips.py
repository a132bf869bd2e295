"""This check refutes the remark of Section 4.2 that compares the best smallest eigenvalue without naming a layer.

In the counterexample layer 1 has the covariance diag(1/2, 1/2) and layer 2 has diag(1, 0), whatever the policy is.
"""

from __future__ import annotations

from fractions import Fraction

from derl.claims import Evidence, check, control, printed


@check("text-eigenvalue-layer", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="Two layers, of which one is easy")
def easy_layer_says_nothing(over=max, said=printed("text-eigenvalue-layer", says=["for every"])) -> Evidence:
    """Covariances diag(1/2, 1/2) and diag(1, 0), whatever the policy: sigma_min is nu^2 in each layer."""
    covariances = ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1), Fraction(0)))
    smallest = [min(diagonal) for diagonal in covariances]
    reachability = min(smallest)  # min over unit theta of theta^T Lambda theta, the policy has no influence
    smaller, larger = said.sides(r"\nu_{\min}^2\ge", {
        r"\nu_{\min}^2": reachability, r"\max_\pi\sigma_{\min}(\mathbb E_\pi[\phi_h\phi_h^\top])": over(smallest)})
    return Evidence(larger - smaller, Fraction(1, 2), "identity", "d = 2, H = 2, one policy")


control(easy_layer_says_nothing, "the smallest over the layers", {"over": min}, variant="corrected")
