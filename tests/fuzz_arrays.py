"""Bad instances, policies, deployers, options and specifications.

A way takes a `random.Random` and either returns, or raises one of the project's own exceptions.
"""

import inspect
from fractions import Fraction

import numpy as np
import yaml
from fuzz_values import BASES, NUMBERS, STRANGE, Spoilt, bitten, damaged, number, spoil

from derl import Deployer, LinearMDP, Mixture, algorithms, instances, planning
from derl.deployment import deploy_counts, known_part, sample
from derl.experiments import Spec, families, spec
from derl.mdp import batch, policies

NAMED = [getattr(algorithms, name) for name in algorithms.__all__
         if name.endswith("_exploration") or name == "safe_mixture"]
EXPLORERS = [getattr(algorithms, entry.name) for entry in algorithms.CATALOGUE]
OPTIONS = {"block": 1, "nu_min": 0.4, "data": "pooled", "gamma": 0.5, "initial": 0, "kappa": 0.5, "eta": 0.1,
           "dummy": 0.01, "c_beta": 1.0, "tail": 0, "coefficients": "estimated", "version": "repaired", "alpha": 0.1}
PARAMETERS = {"d": 3, "horizon": 2, "arm": 1, "bias": 0.1, "dim": 3, "n_states": 2, "n_actions": 2, "seed": 0,
              "digits": (0, 1), "probability": 0.1, "optimal_layer": 1, "optimal_index": 1, "cores": (0,),
              "epsilon": 0.1, "layers": 2, "levels": 1, "rewards": 1, "needles": [[(0, 1)], [(1, 1)]]}
BUILDERS = [instances.lock, instances.compact_bandit, instances.hard_template, instances.random_simplex,
            instances.hexagon, instances.optimism_trap, instances.rare_state, instances.corridor,
            instances.needle_gates]
GOOD_SPEC = {"study": "run", "fixed": {"epsilon": 0.2, "delta": 0.1, "batch_size": 10**6,
                                       "algorithm": "layerwise_exploration", "instance": "optimism_trap"},
             "grid": {"c_beta": [1, 2]}, "seeds": {"first": 0, "count": 4, "block": 2}}


def try_instance(rng):
    """Build an instance with a few of its parts spoilt."""
    base = rng.choice(BASES)
    parts = {name: getattr(base, name) for name in ("phi", "mu", "theta", "initial", "available")}
    for name in rng.sample(list(parts), rng.choice((0, 1, 1, 1, 2))):
        parts[name] = spoil(rng, parts[name])
    for name in ("state_names", "action_names", "info"):
        if rng.random() < 0.15:
            parts[name] = rng.choice(STRANGE)
    mdp = LinearMDP(**parts)
    rows = mdp.transitions()[np.asarray(mdp.available)]
    assert np.isfinite(rows).all() and (rows >= 0).all() and np.allclose(rows.sum(axis=-1), 1), "not a distribution"
    assert np.isfinite(mdp.rewards()).all() and (mdp.rewards() >= -1e-8).all() and (mdp.rewards() <= 1 + 1e-8).all()


def try_policy(rng):
    """Evaluate, deploy, compose or mix a policy that may be none."""
    mdp = rng.choice(BASES)
    policy = rng.choice((np.zeros(mdp.phi.shape[:2], int), policies.uniform(mdp)))
    policy = spoil(rng, policy) if rng.random() < 0.8 else policy
    if rng.random() < 0.3:
        weights = rng.choice(([1.0], [0.5, 0.5], spoil(rng, [1.0]), rng.choice(STRANGE)))
        policy = Mixture(rng.choice(((policy,), [policy, policy], (), policy, rng.choice(STRANGE))), weights)
    number = rng.choice((0, 1, 2, 1.5, -1, True, None, "1", np.int64(1), np.nan, 10**400, 1 + 2j, Spoilt()))
    what = rng.choice((mdp, mdp, mdp, mdp, rng.choice(STRANGE)))
    way = rng.randrange(6)
    if way == 0:
        planning.evaluate(what, policy, number)
    elif way == 1:
        planning.occupancy(what, policy)
    elif way == 2:
        policies.compose(mdp, policy, number, rng.choice((0, "uniform", number)))
    elif way == 3:
        Deployer(what, rng.choice((10, number)), rng.choice((1, number)), rng.choice(("any", "deterministic", number)),
                 rng.choice((0, number)), rng.choice(("exact", "gaussian", "expected", number))).deploy(policy)
    elif way == 4:
        deploy_counts(what, policy, rng.choice((10, number)), np.random.default_rng(0))
    else:
        known_part(rng.choice(STRANGE))
        sample(what, policy, 5, np.random.default_rng(0))


def try_algorithm(rng):
    """Run an algorithm with a number that may be none, or with something that is no deployer."""
    def number(good):
        return good if rng.random() < 0.6 else rng.choice((
            0, -1, 2, 1.5, True, None, "1", np.float32(0.5), np.nan, 10**400, 5e-324, 1e-300, 1e300, 1 + 2j, Spoilt(),
            np.complex128(2), np.array(0.5), [0.5], Fraction(1, 3), Fraction(1, 10**400)))

    explorer = rng.choice(NAMED)
    deployer = Deployer(BASES[1], 10**6, 4, "any") if rng.random() < 0.6 else rng.choice(STRANGE)
    third = [number(0.1)] if "mixture" in explorer.__name__ or "arbitrary" in explorer.__name__ else []
    options = {"c_beta": number(1.0)} if "c_beta" in inspect.signature(explorer).parameters else {}
    with np.errstate(all="ignore"):  # a huge bonus may overflow: the run then does not converge
        explorer(deployer, number(0.5), number(0.1), *third, **options)


def try_explorer(rng):
    """Any algorithm of the catalogue, with options that may be none."""
    explorer = rng.choice(EXPLORERS)
    deployer = (Deployer(rng.choice(BASES[:2]), rng.choice((1, 2, 7, 10**4)), rng.choice((1, 4, 40)), "any")
                if rng.random() < 0.8 else rng.choice(STRANGE))
    names = list(inspect.signature(explorer).parameters)[1:]
    good = {"epsilon": 0.5, "delta": 0.1, "nu_min": 0.4, **OPTIONS}
    needed = {name for name, entry in inspect.signature(explorer).parameters.items() if entry.default is entry.empty}
    chosen = {name: number(rng, good[name], 0.8) if name in good else rng.choice((*NUMBERS, *STRANGE))
              for name in names if name in needed or rng.random() < 0.3}
    with np.errstate(all="ignore"):  # a huge bonus may overflow: the run then does not converge
        explorer(deployer, **chosen)


def try_batch(rng):
    """Stacked MDPs with a few arrays spoilt."""
    parts = {name: np.stack([getattr(BASES[2], name)] * 3) for name in ("phi", "mu", "theta", "available")}
    for name in rng.sample(list(parts), rng.choice((0, 1, 1, 2))):
        parts[name] = spoil(rng, parts[name]) if rng.random() < 0.85 else rng.choice(STRANGE)
    with np.errstate(all="ignore"):  # finite numbers may overflow in the plan
        batch.optimal(**parts, compiled=rng.random() < 0.5)


def try_builder(rng):
    """An instance from its parameters."""
    builder = rng.choice(BUILDERS)
    names = [name for name in inspect.signature(builder).parameters if name in PARAMETERS]
    builder(**{name: number(rng, PARAMETERS[name], 0.75) for name in names})


def try_policy_parts(rng):
    """Policies put together from parts that may be none."""
    mdp = rng.choice(BASES)
    good = np.zeros(mdp.phi.shape[:2], int)
    policies.as_probabilities(mdp, spoil(rng, good) if rng.random() < 0.8 else rng.choice(STRANGE))


def try_draw(rng):
    """A family of the executed table."""
    d, horizon = rng.choice(((7, 5), (3, 2), (5, 3), (2, 2)))
    with np.errstate(all="ignore"):
        families.draw(number(rng, rng.choice(list(families.FAMILIES)), 0.9), number(rng, 0, 0.8), number(rng, d, 0.8),
                      number(rng, horizon, 0.8), number(rng, 0.1, 0.8), rng.random() < 0.3)


def try_spec(rng):
    """A specification of a sweep from its parts, or from YAML."""
    body = damaged(rng, GOOD_SPEC)
    made = Spec.of(**{name: value for name, value in body.items() if name in spec.KEYS}) if rng.random() < 0.5 else (
        Spec.parse(bitten(rng, yaml.safe_dump(body, allow_unicode=False).encode()).decode("utf-8", "replace")))
    if len(made.cells) * made.count < 10_000:
        [task.key for task in made.tasks]


WAYS = ((try_instance, 10), (try_policy, 6), (try_algorithm, 2), (try_explorer, 3), (try_batch, 5), (try_builder, 3),
        (try_policy_parts, 3), (try_draw, 1), (try_spec, 2))
