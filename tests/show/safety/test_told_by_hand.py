"""What the lab of the safe mixture says of a run that is written out here."""

import numpy as np
import pytest

from derl.show.safety import lab, playground


def run(values=(1.0, 1.5, 1.25), converged=True):
    mixture = np.array(values)
    return lab.MixtureLab("corridor", 0.25, 100, 5, mixture, mixture + 0.125, mixture - 0.375, 2.0, converged, 21)


def test_the_sentence_of_a_run():
    assert run().sentence == ("largest drop 0.250, above 0.2; exploration finished after 3 of 21 deployments; "
                              "total loss 2.2")
    calm = run((1.0, 1.125, 1.0), False)
    assert calm.sentence == ("largest drop 0.125, within 0.2; exploration not finished after 3 of 21 deployments; "
                             "total loss 2.9")
    assert run().regret == pytest.approx(1 + 0.5 + 0.75) and not run().safe and calm.safe


def test_the_sentence_of_a_step(monkeypatch):
    monkeypatch.setattr(playground, "run", lambda *setting: run())
    told = [playground.view(k, 0.25, 2, "corridor").sentence for k in (1, 2, 3)]
    assert told == ["deployment 1: the mixture earns 1.000 of 2.000; its optimist 0.625, its pessimist 1.125",
                    "deployment 2: the mixture earns 1.500 of 2.000; its optimist 1.125, its pessimist 1.625",
                    run().sentence]


def test_the_lab_runs_at_its_accuracy_and_with_two_d_h_plus_one_deployments(monkeypatch):
    asked = []
    real = lab.safe_mixture

    def watched(deployer, epsilon, delta, alpha):
        asked.append((deployer.max_deployments, deployer.batch_size, epsilon, delta, alpha))
        return real(deployer, epsilon, delta, alpha)

    monkeypatch.setattr(lab, "safe_mixture", watched)
    found = lab.safe_mixture_lab(0.5, 10**9)
    mdp = lab.INSTANCES["corridor"]()
    assert asked == [(2 * mdp.dim * mdp.horizon + 1, 10**9, 0.2, 0.1, 0.5)]
    assert found.allowed == 2 * mdp.dim * mdp.horizon + 1 and found.optimum == pytest.approx(5)
    assert len(found.mixture) == len(found.pessimistic) == len(found.optimistic) <= found.allowed
