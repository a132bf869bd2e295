"""An algorithm of the catalogue by name or number: one call makes the deployer, runs, and plans."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from derl.algorithms.catalogue import NAMES, SEED, Entry, find
from derl.algorithms.dataset import Regressions
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.algorithms.run_defaults import Request
from derl.deployment import LARGEST_EXACT, Deployer
from derl.inputs import display, seeds
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.policies import described

ALGORITHMS = NAMES  # what `derl run` takes


@dataclass(frozen=True, eq=False, repr=False)
class Report(display.Shown):
    """A run of an algorithm by name.

    Attributes
    ----------
    outcome : Outcome
    policy : policy
        For the instance's own reward.
    deployer : Deployer
    options : dict
        The algorithm's name, what was set, defaults included, and notes on what is run.
    findings : dict
        What is measured beyond the suboptimality, by name.
    """

    outcome: Outcome
    policy: object
    deployer: Deployer
    options: dict
    findings: dict

    @property
    def remarks(self) -> tuple[str, ...]:
        """One line for each reason why the run says little about its policy, with what to try."""
        known, outcome, found = self.deployer.known, self.outcome, []
        if outcome.trajectories and outcome.beta * least_norm(self) >= known.horizon:
            found.append(f"the bonus is at least H = {known.horizon} for every state and action, so the data did not "
                         "decide the policy: take a smaller bonus (c_beta, beta) or a larger N; `derl choose` searches "
                         "for both")
        if not outcome.converged:
            found.append(f"after {self.outcome.deployments} of K = {self.deployer.max_deployments} deployments the run "
                         "has not reached what its stopping rule or its theorem asks for, so nothing is guaranteed: "
                         "take a larger N or a larger K")
        bound = self.findings.get("loss_bound", 0)  # None where it is not finite
        if bound is None or bound >= known.horizon:
            found.append(f"the bound on the loss is not below H = {known.horizon}, and no loss is larger than H, so "
                         "the bound says nothing: take a larger N or a smaller bonus")
        return tuple(found)

    def _facts(self):
        return {"algorithm": self.options["algorithm"], "converged": self.outcome.converged,
                "deployments": self.outcome.deployments, "trajectories": self.outcome.trajectories,
                "policy": described(self.policy), "seed": str(self.deployer.seed),
                "findings": ", ".join(self.findings) or "none"}

    def _more(self):
        return self.outcome._repr_html_()


def least_norm(report: Report) -> float:
    """A lower bound on |phi|_{Lambda^{-1}} over all layers, states and actions; exact where the data are at hand."""
    known, data = report.deployer.known, report.outcome.dataset
    if isinstance(data, Regressions):
        return float(min(design.norms(phi)[there].min()
                         for design, phi, there in zip(data.designs, known.phi, known.available, strict=True)))
    squares = np.einsum("hsad,hsad->hsa", known.phi, known.phi)
    return float(np.sqrt(squares[known.available].min() / (1 + report.outcome.trajectories * squares.max())))


def entry_of(name: str | int, options: dict) -> tuple[Entry, str, dict]:
    """The algorithm of a name, a line that says what is run, and the options that are given.

    Raises
    ------
    InvalidParameter
        An unknown algorithm, an option that it does not take, or one that is missing.
    """
    entry, why = find(name)
    given = {key: value for key, value in options.items() if value is not None}
    for key in given.keys() - entry.options.keys():
        raise InvalidParameter(f"{entry.name} takes no {key}; its options are {', '.join(entry.options) or 'none'}")
    for key in entry.needs:
        if key not in given:
            raise InvalidParameter(f"{entry.name} needs {key}")
    return entry, why, given


def run_by_name(name: str | int, mdp: LinearMDP, epsilon: float, delta: float, batch_size: int | None = None,
                max_deployments: int | None = None, seed=0, mode: str | None = None,
                report: Callable[[int], None] | None = None, **options) -> Report:
    """Run an algorithm on an instance.

    Parameters
    ----------
    name : str or int
        A name of `derl.algorithms.catalogue`, the number of an algorithm of the paper, 1 to 7, or a function of your
        own, `file.py:name`.
    batch_size : int or None
        N; None stands for the theorem's, which Algorithm 2 alone has for a given nu_min.
    max_deployments : int or None
        K; by default H for Algorithm 2, and what a count of violations allows for the others
        (`derl.algorithms.run_defaults`).
    seed : int >= 0, None, numpy.random.Generator or numpy.random.SeedSequence
        Root of the random streams, of the deployer and of what the algorithm draws itself; the report names it.
    mode : {"exact", "gaussian", "expected"} or None
        How counts are drawn; by default exactly, and Gaussian where the theorem's N is beyond 2^63 - 1.
    report : callable or None
        Called with the number of deployments, after each of them.
    options
        Those of the algorithm; None is read as not given.

    Raises
    ------
    InvalidParameter
        An unknown algorithm, an option that it does not take or that is missing, or a value outside its range.
    """
    entry, why, given = entry_of(name, options)
    seed = seeds.root(seed, InvalidParameter)
    epsilon, delta = accuracy(epsilon, delta)
    if batch_size is not None:
        Deployer(mdp, batch_size, 1, mode=mode or "exact")  # refuses N before anything is certified
    request, notes = entry.prepare(Request(mdp, epsilon, delta, batch_size, entry.options | given, seed))
    if request.batch_size is None:
        raise InvalidParameter(f"{entry.name} needs a batch size; the theorem's own is known for "
                               "arbitrary_policy_exploration, block_exploration, two_deployment_exploration and "
                               "truncated_block_exploration only")
    chosen = mode or ("gaussian" if batch_size is None and request.batch_size > LARGEST_EXACT else "exact")
    deployer = Deployer(mdp, request.batch_size, max_deployments or 1, entry.policy_class, seed, chosen)
    if max_deployments is None:
        request = replace(request, batch_size=deployer.batch_size)
        deployer = Deployer(mdp, request.batch_size, entry.deployments(request), entry.policy_class, seed, chosen)
    deployer.report = report
    drawn = {SEED: seed} if entry.draws else {}
    outcome = entry.function(deployer, epsilon, delta, **request.options, **drawn)
    set_options = {key: value for key, value in request.options.items()
                   if value is not None and key in entry.options}
    return Report(outcome, entry.plan(request, outcome), deployer,
                  {"algorithm": entry.name} | ({"note": why} if why else {}) | set_options | notes
                  | ({"definition_2_1": entry.caveat} if entry.caveat else {}),
                  entry.measure(request, outcome))
