"""Names and facts of instances, and one trajectory of each family that is followed by hand."""

from fractions import Fraction

import numpy as np
import pytest

from derl import instances

HALF = Fraction(1, 2)


def rows(mdp, h, state):
    """Next states with their probabilities, action by action, by name."""
    s = mdp.state_names.index(state)
    found = []
    for a in np.flatnonzero(mdp.available[h][s]):
        row = mdp.phi[h][s, a] @ mdp.mu[h]
        found.append({mdp.state_names[t]: row[t] for t in np.flatnonzero(row)})
    return found


def pays(mdp, h, state):
    s = mdp.state_names.index(state)
    return [mdp.phi[h][s, a] @ mdp.theta[h] for a in np.flatnonzero(mdp.available[h][s])]


def test_a_lock_wheel_by_wheel():
    mdp = instances.lock(3, 2, (1, 2), Fraction(1, 8), exact=True)
    wrong = {"u1": HALF, "u2": HALF}
    assert rows(mdp, 0, "g") == [wrong, {"g": 1}, wrong]
    assert rows(mdp, 1, "g") == [wrong, wrong, {"u1": Fraction(3, 8), "u2": Fraction(5, 8)}]
    assert rows(mdp, 0, "u1") == [{"u1": 1}] * 3 and rows(mdp, 1, "u2") == [{"u2": 1}] * 3
    assert pays(mdp, 0, "g") == [0] * 3 and pays(mdp, 1, "g") == [HALF] * 3
    assert (pays(mdp, 1, "u1"), pays(mdp, 2, "u1"), pays(mdp, 2, "u2")) == ([HALF] * 3, [0] * 3, [1] * 3)
    assert mdp.action_names == ("digit 0", "digit 1", "digit 2")
    assert dict(mdp.info) == {"family": "lock", "d": 3, "horizon": 2, "digits": [1, 2], "bias": "1/8"}


@pytest.mark.parametrize("arm", [3, (1, 2)])
def test_a_compact_bandit_arm_by_arm(arm):
    """Arms in the order (0, 1), (0, 2), (1, 1), (1, 2): the third of four, counted from 0, sits in layer 1."""
    mdp = instances.compact_bandit(3, 2, arm, Fraction(1, 8), exact=True)
    fair = {"u1": HALF, "u2": HALF}
    assert rows(mdp, 0, "g") == [{"g": 1}, fair, fair]
    assert rows(mdp, 1, "g") == [{"g": 1}, fair, {"u1": Fraction(3, 8), "u2": Fraction(5, 8)}]
    assert mdp.action_names == ("stay", "arm 1", "arm 2") and mdp.info["arm"] == [1, 2]
    assert instances.compact_bandit_arms(3, 2) == ((0, 1), (0, 2), (1, 1), (1, 2))


def test_a_junk_lock_wheel_by_wheel():
    mdp = instances.junk_lock(3, 4, (1, 2, 0), Fraction(1, 4), exact=True)
    assert mdp.state_names == ("g", "b0", "b1", "b2", "z1", "z0", "zh")
    assert mdp.info["junk"] == [0, 1] and mdp.info["digits"] == [1, 2, 0]  # the digit after the next right one
    assert rows(mdp, 0, "g") == [{"b0": 1}, {"g": 1}, {"b0": 1}]
    assert rows(mdp, 1, "g") == [{"b1": 1}, {"b1": 1}, {"g": 1}]
    assert rows(mdp, 2, "g") == [{"z1": Fraction(3, 4), "z0": Fraction(1, 4)}, {"zh": 1}, {"zh": 1}]
    assert rows(mdp, 1, "b0") == [{"b1": 1}] and rows(mdp, 2, "b1") == [{"zh": 1}]
    assert [pays(mdp, 3, state) for state in ("z1", "z0", "zh")] == [[1], [0], [HALF]]
    assert not any(np.any(mdp.theta[h]) for h in range(3))


def test_an_odd_one_out_lock_by_hand():
    mdp = instances.odd_one_out(4, 3, (2,), (0, 1), (1, -1), Fraction(1, 4), exact=True)
    assert rows(mdp, 0, "g") == [{"b0": 1}, {"b0": 1}, {"g_012": HALF, "g_013": HALF}, {"b0": 1}]
    odd, other = ({"z1": HALF + sign * Fraction(1, 4), "z0": HALF - sign * Fraction(1, 4)} for sign in (1, -1))
    assert rows(mdp, 1, "g_012") == [{"zh": 1}, {"zh": 1}, odd] and rows(mdp, 1, "g_013") == [
        {"zh": 1}, {"zh": 1}, other]
    assert (mdp.info["hidden"], mdp.info["signs"], mdp.info["junk"]) == ([0, 1], [1, -1], [0])


def test_gates_of_needles_by_hand():
    """Two stages of one layer, two levels: rho = 1 - 1/4; the last gate lets through to the layers of reward."""
    mdp = instances.needle_gates(3, 1, [[(0, 1)], [(0, 2), (0, 1)]], 2, 1, exact=True)
    rho = Fraction(3, 4)
    assert rows(mdp, 0, "g") == [{"u1": 1}, {"g": rho, "u1": 1 - rho}, {"u1": 1}]
    assert rows(mdp, 1, "g") == [{"u1": 1}, {"u2": 1}, {"u2": rho, "u1": 1 - rho}]
    assert pays(mdp, 2, "u2") == [1] * 3 and pays(mdp, 2, "u1") == [0] * 3 and pays(mdp, 1, "u2") == [0] * 3
    assert mdp.horizon == 3 and mdp.action_names == ("wait", "arm 1", "arm 2")


def test_a_rare_state_by_hand():
    mdp = instances.rare_state(0.25, 3, 7)
    rewards, reached = mdp.rewards(), np.stack([mdp.phi[h] @ mdp.mu[h] for h in range(3)])
    assert np.allclose(reached[:, :4, :, 4], 0.25) and not reached[:, 4, 0, 4].any()
    assert np.allclose(reached[:, 4, 1, 4], 0.125) and np.allclose(rewards[:, 4, 0], 1)
    assert np.allclose(rewards[:, 4, 1], (1 + mdp.theta[:, 0]) / 2)
    assert mdp.initial.tolist() == [1, 0, 0, 0, 0] and mdp.info["probability"] == 0.25


def test_the_hexagon_by_hand():
    mdp = instances.hexagon(3)
    corners = mdp.phi[0, 0]
    assert np.allclose(np.linalg.norm(corners, axis=1), 1) and np.allclose(corners[:, 0], 0.5**0.5)
    assert np.allclose(np.einsum("ai,ai->a", corners, np.roll(corners, 1, axis=0)), 0.5 + 0.25)  # 60 degrees apart
    exact = instances.hexagon(5, exact=True)
    assert np.allclose(np.array(exact.phi[0, 0], float) @ np.array(exact.phi[0, 0], float).T, corners @ corners.T)
    assert mdp.rewards()[0, 0].tolist() == pytest.approx([1, 0.75, 0.25, 0, 0.25, 0.75])
