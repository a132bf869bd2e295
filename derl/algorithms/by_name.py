"""An algorithm of the catalogue by name or number: one call makes the deployer, runs, and plans."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from derl.algorithms.catalogue import NAMES, SEED, find
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

    def _facts(self):
        return {"algorithm": self.options["algorithm"], "converged": self.outcome.converged,
                "deployments": self.outcome.deployments, "trajectories": self.outcome.trajectories,
                "policy": described(self.policy), "seed": str(self.deployer.seed),
                "findings": ", ".join(self.findings) or "none"}

    def _more(self):
        return self.outcome._repr_html_()


def run_by_name(name: str | int, mdp: LinearMDP, epsilon: float, delta: float, batch_size: int | None = None,
                max_deployments: int | None = None, seed=0, mode: str | None = None,
                report: Callable[[int], None] | None = None, **options) -> Report:
    """Run an algorithm on an instance.

    Parameters
    ----------
    name : str or int
        A name of `derl.algorithms.catalogue`, or the number of an algorithm of the paper, 1 to 7.
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
    entry, why = find(name)
    seed = seeds.root(seed, InvalidParameter)
    epsilon, delta = accuracy(epsilon, delta)
    given = {key: value for key, value in options.items() if value is not None}
    for key in given.keys() - entry.options.keys():
        raise InvalidParameter(f"{entry.name} takes no {key}; its options are {', '.join(entry.options)}")
    for key in entry.needs:
        if key not in given:
            raise InvalidParameter(f"{entry.name} needs {key}")
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
