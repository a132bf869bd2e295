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


def shown(*words):
    result = CliRunner().invoke(main, ["run", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_help_for_an_algorithm_has_its_options_and_no_others(entry):
    for word in filter(None, (entry.name, entry.number)):
        page = shown(word, "--help")
        assert f"Options of {entry.name}" in page and "--instance" in page
        written = {name: f"--{name.replace('_', '-')} " for other in CATALOGUE for name in other.options}
        assert {name for name, option in written.items() if f"  {option}" in page} == {*entry.options}
        assert page.count("[required]") == 4 + len(entry.needs)


def test_help_for_no_algorithm_is_short_and_points_on():
    page = shown("--help")
    assert len(page.splitlines()) < 45 and "Options of every algorithm" in page and "--nu-min" not in page
    assert "derl run --list" in page and "derl run ALGORITHM --help" in page


def test_the_list_is_a_table_of_all_algorithms():
    head, *rows = shown("--list").splitlines()
    assert head.split() == ["number", "name", "what", "it", "does"]
    assert [(row.split()[0], row.split()[1]) for row in rows] == [(e.number or "-", e.name) for e in CATALOGUE]
    assert all(row[head.index("what"):] == entry.does for row, entry in zip(rows, CATALOGUE, strict=True))
