r"""A slip in Section 4.2: the best smallest eigenvalue is compared without a layer.

nu_h^2 >= max_pi sigma_min(E_pi[phi_h phi_h^T]) holds in each layer; for nu_min the smallest of the layers has to be
taken. One state and one action in layer 2 (feature e_1), an even start over two states with features e_1, e_2 in layer
1: the eigenvalues are 1/2 and 0, and nu_min = nu_2 = 0.
"""

from __future__ import annotations

from fractions import Fraction

from derl.claims import Evidence, check, control


@check("text-eigenvalue-layer", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="Two layers, of which one is easy")
def easy_layer_says_nothing(over=max) -> Evidence:
    """Covariances diag(1/2, 1/2) and diag(1, 0), whatever the policy: sigma_min is nu^2 in each layer."""
    covariances = ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1), Fraction(0)))
    smallest = [min(diagonal) for diagonal in covariances]
    reachability = min(smallest)  # min over unit theta of theta^T Lambda theta, the policy has no influence
    return Evidence(over(smallest) - reachability, Fraction(1, 2), "identity", "d = 2, H = 2, one policy")


control(easy_layer_says_nothing, "the smallest over the layers", {"over": min}, variant="corrected")
