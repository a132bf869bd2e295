"""Instances from a log: the table of steps, the frequencies, and what is refused."""

import numpy as np
import pytest

from derl import Deployer, algorithms, planning
from derl.mdp import instances
from derl.mdp.instances import from_counts, from_csv, read_log
from derl.mdp.policies import uniform
from derl.mdp.validation import InvalidInstance

HEAD = "episode,layer,state,action,reward,next_state\n"


@pytest.fixture
def table(tmp_path):
    def write(text):
        path = tmp_path / "log.csv"
        path.write_text(text)
        return path
    return write


def test_a_table_of_steps_by_hand(table):
    log = read_log(table(HEAD + "0,1,0,1,0.5,2\n1,1,0,1,0.7,0\n2,1,1,0,1,1\n0,2,2,0,0,2\n"))
    assert log.counts.shape == (2, 3, 2, 3) and log.counts.sum() == 4 and log.counts[0, 0, 1].tolist() == [1, 0, 1]
    assert log.rewards[0, 0, 1] == pytest.approx(0.6) and log.initial == pytest.approx([2 / 3, 1 / 3, 0])
    mdp = from_csv(table(HEAD + "0,1,0,1,0.5,2\n1,1,0,1,0.7,0\n2,1,1,0,1,1\n0,2,2,0,0,2\n"))
    assert mdp.transitions()[0, 0, 1].tolist() == [0.5, 0, 0.5] and mdp.info["unseen"] == 9
    assert mdp.available[0].tolist() == [[False, True], [True, False], [True, True]]
    assert mdp.transitions()[0, 2, 0].tolist() == [0, 0, 1] and mdp.rewards()[0, 2].tolist() == [0, 0]


def test_a_column_counts_repeated_steps(table):
    log = read_log(table("layer,state,action,reward,next_state,count\n1,0,0,1,1,30\n1,0,0,0,0,10\n"))
    assert log.counts[0, 0, 0].tolist() == [10, 30] and log.rewards[0, 0, 0] == pytest.approx(0.75)


@pytest.mark.parametrize("text, complaint", [
    ("layer,state\n1,0\n", "has no column 'action'"), (HEAD, "has no rows"), (HEAD + "0,1,0,x,1,0\n", "line 2"),
    (HEAD + "0,0,0,0,1,0\n", "line 2: layer must be"), (HEAD + "0,1,0,0,1,0\n0,1,0,0.5,1,0\n", "line 3"),
    (HEAD + "0,2,0,0,1,0\n", "no step of layer 1"),
    (HEAD + "0,1,0,0,1,0\n0,3,0,0,1,0\n", "no step of layer 2; the last layer is 3"),
    (HEAD + "0,1,0,0,2,0\n", "rewards must be finite and lie in"),
    (HEAD + "0,1,0,0,nan,0\n", "line 2"), (HEAD + "0,1,0,0\n", "line 2")])
def test_what_is_refused(table, text, complaint):
    with pytest.raises(InvalidInstance, match=complaint):
        from_csv(table(text))
    with pytest.raises(InvalidInstance, match=r"counts have shape|counts has|negative"):
        from_counts(-np.ones((1, 2, 2, 2)), np.zeros((1, 2, 2)), [1, 0])


def test_a_large_log_gives_the_instance_back_and_a_plan_without_a_deployment():
    mdp = instances.random_simplex(5, 2, 3, 3, 0)
    counts = Deployer(mdp, 10**8, 1, policy_class="any", seed=0).deploy(uniform(mdp)).counts
    found = from_counts(counts, mdp.rewards(), mdp.initial)
    seen = counts.sum(axis=3) > 0
    np.testing.assert_allclose(found.transitions()[seen], mdp.transitions()[seen], atol=1e-2)
    plan = algorithms.pessimistic_value_iteration(found.phi, mdp.rewards(), counts, 0.3, found.available)
    assert planning.gap(mdp, plan.policy) < 1e-3
