"""What the page of the theorem without reachability shows of one run."""

from types import SimpleNamespace

import numpy as np
import pytest

from derl import instances
from derl.algorithms.outcome import Unfinished
from derl.show.beyond import no_reachability


def test_the_rare_state_is_cut_and_no_policy_meets_it_more_often_than_it_is_reached():
    shown = no_reachability.by_deployment(instances.rare_state(1e-9, 4, seed=3), epsilon=1, delta=0.1, seed=0).data
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in shown.splitlines()[2:5]]
    assert [row[:2] + row[4:] for row in rows] == [
        ["1", "1", "8", "0"], ["2", "2", "2", "1.0·10⁻⁹"], ["3", "3", "2", "1.0·10⁻⁹"]]
    assert "2τ" in shown and "Loss of the plan: 0" in shown


@pytest.mark.parametrize("probability", [0.25, 1e-3, 0.0])
def test_a_cut_pair_is_met_as_often_as_its_state_is_reached(probability):
    mdp = instances.rare_state(probability, 3, seed=3)
    kept = np.ones(mdp.phi.shape[1:3], bool)
    rare = kept.copy()
    rare[4] = False
    assert no_reachability.met(mdp, [kept, rare]) == pytest.approx(probability)
    assert no_reachability.met(mdp, [kept, kept]) == 0
    assert no_reachability.met(mdp, [rare, rare]) == pytest.approx(probability)
    nothing = np.zeros_like(kept)
    assert no_reachability.met(mdp, [nothing, rare]) == 0


def rows(shown: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in shown.splitlines()
            if line.startswith("|")][2:]


def test_trajectories_are_deployments_times_batches(monkeypatch):
    monkeypatch.setattr(no_reachability.truncation, "batch_size",
                        lambda d, horizon, block, epsilon, delta, cover: {"spanner": 700, "design": 30}[cover] * block)
    monkeypatch.setattr(no_reachability.zhang, "trajectories", lambda d, horizon, epsilon, delta: 4e9 * d)
    assert rows(no_reachability.sizes([(2, 5, 0.25)]).data) == [["2", "5", "0.25", "8.0·10⁹", "2800", "120"]]


def test_the_size_of_algorithm_two_is_drawn_against_the_square_of_nu(monkeypatch):
    monkeypatch.setattr(no_reachability, "arbitrary_constants",
                        lambda d, horizon, epsilon, delta, nu, version: SimpleNamespace(batch_size=nu**-4))
    monkeypatch.setattr(no_reachability.truncation, "batch_size",
                        lambda d, horizon, block, epsilon, delta, cover: {"spanner": 700, "design": 30}[cover])
    first, spanner, design = no_reachability.flat_in_nu().axes[0].lines
    assert first.get_ydata() == pytest.approx(np.asarray(first.get_xdata()) ** -2.0)
    assert (first.get_xdata()[0], first.get_xdata()[-1]) == (pytest.approx(1), pytest.approx(1e-12))
    assert set(spanner.get_ydata()) == {700} and set(design.get_ydata()) == {30}


def test_the_proof_allows_twice_tau(monkeypatch):
    real = no_reachability.truncation.truncation
    taus = []

    def watched(*arguments):
        taus.append(real(*arguments).tau)
        return real(*arguments)

    monkeypatch.setattr(no_reachability.truncation, "truncation", watched)
    shown = no_reachability.by_deployment(instances.rare_state(1e-9, 3, seed=3), epsilon=1, delta=0.1, seed=0).data
    assert f"2τ = {2 * taus[-1]:.3f}" in shown and taus[-1] > 0


def test_every_run_at_the_theorem_is_a_row(monkeypatch):
    """Three layers, so L = 1 and 2; cuts of 1 + 2 pairs, then 3, and covers of 4 and 5 policies, then of 6."""
    mdp = instances.random_simplex(4, 2, 2, 3, seed=0)
    monkeypatch.setattr(no_reachability, "FAMILIES", ("one",))
    monkeypatch.setattr(no_reachability, "instance", lambda name: mdp)
    monkeypatch.setattr(no_reachability.instances, "rare_state", lambda *where: mdp)
    traces = {1: [SimpleNamespace(cut=(1,), n_policies=4), SimpleNamespace(cut=(2,), n_policies=5)],
              2: [SimpleNamespace(cut=(1, 2), n_policies=6)]}
    monkeypatch.setattr(no_reachability, "truncated_block_exploration", lambda deployer, epsilon, delta, block: (
        SimpleNamespace(policy=np.full((3, 4), block - 1), trace=traces[block])))
    shown = no_reachability.at_the_theorem().data
    found = rows(shown)
    assert [(row[0], *row[1:5], *row[8:]) for row in found] == [
        (name, "2", "3", *rest) for name in ("one", "rare state, p = 0")
        for rest in (("2", "1", "3", "5"), ("1", "2", "3", "6"))]
    worst = max(no_reachability.planning.gap(mdp, np.full((3, 4), a)) for a in (0, 1))
    idle = no_reachability.planning.gap(mdp, no_reachability.uniform(mdp))
    assert f"4 runs on 2 instances at ε = 0.2, δ = 0.1: the largest loss is {worst:.1g}." in shown
    assert float(found[0][7]) == pytest.approx(idle, rel=0.05)


def test_a_share_counts_the_seeds_with_a_small_loss(monkeypatch):
    """Losses 0, 0.1, 0.2 and one run that does not end: two of four are within 0.1."""
    losses = [0.0, 0.1, 0.2, None]

    def run(deployer, epsilon, delta, block, **by_hand):
        if losses[deployer.seed] is None:
            raise Unfinished("stands still")
        return SimpleNamespace(policy=deployer.seed)

    monkeypatch.setattr(no_reachability, "truncated_block_exploration", run)
    monkeypatch.setattr(no_reachability.planning, "gap", lambda mdp, policy: losses[policy])
    mdp = instances.rare_state(0.5, 3, 0)
    assert no_reachability._share(mdp, 4, 0.1, 100, 1) == "2/4"
