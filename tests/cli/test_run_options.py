"""`derl run` takes every option of every algorithm, by its signature alone."""

import json

import pytest
from click.testing import CliRunner

from derl.algorithms import CATALOGUE
from derl.cli import main
from derl.cli.runs import run

LOCK = ("--instance", "lock:d=3,horizon=2,digits=1-2,bias=1/4", "--epsilon", "4", "--delta", "0.1")
SHORT = {"lsvi_ucb": ("--beta", "0.05"), "reward_free_lsvi_ucb": ("--max-deployments", "200", "--beta", "0.1"),
         "francis": ("--episodes", "50"), "safe_mixture": ("--alpha", "0.1"), "moffle": ("--level", "1"),
         "arbitrary_policy_exploration": ("--nu-min", "0.4"), "olive": ("--n-functions", "20")}


def test_every_option_of_every_signature_is_there_with_a_word_of_help():
    known = {parameter.name: parameter for parameter in run.params}
    wanted = {name for entry in CATALOGUE for name in entry.options}
    assert wanted <= known.keys()
    assert all(known[name].help for name in wanted)
    for name in wanted:  # one name, one way to read it: the command has one option for it
        found = " | ".join(entry.annotations[name] for entry in CATALOGUE if name in entry.options)
        kinds = {kind.strip() for kind in found.split("|")} - {"None"}
        kinds -= {"Optimist"}  # a function, which only a program can give
        assert len(kinds) == 1 or kinds == {"int", "str"}, (name, kinds)


@pytest.mark.parametrize("name", [entry.name for entry in CATALOGUE if "20" in entry.does or entry.name in SHORT])
def test_single_trajectories_with_a_trace_and_the_word_on_definition_2_1(name):
    words = ("run", name, *LOCK, "--batch-size", "1", "--trace", "--json", *SHORT.get(name, ()))
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    caveat = next(entry.caveat for entry in CATALOGUE if entry.name == name)
    assert report.get("definition_2_1", "") == caveat and report["trajectories"] == report["deployments"]
    assert report["trace"] and all("value" in row for row in report["trace"])
