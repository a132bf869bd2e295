"""Bad input for what is younger than `fuzz.py`: explorations with all their options, stacked MDPs, experiments, files.

`fuzz.py` runs both. A way takes a `random.Random` and either returns, or raises one of the project's own exceptions.
"""

import inspect
import json
from fractions import Fraction

import numpy as np
import yaml
from click.testing import CliRunner
from fuzz import BASES, STRANGE, Spoilt, spoil, try_file, try_ledger

from derl import Deployer, algorithms, instances
from derl.boundary import Invalid
from derl.certificates import check_potential, check_reachability, stored
from derl.cli import main
from derl.experiments import Spec, families, run_sweep, spec, table, work
from derl.ledger.journal import Journal
from derl.mdp import batch, policies

EXPLORERS = [getattr(algorithms, entry.name) for entry in algorithms.CATALOGUE]
NUMBERS = (0, -1, 2, 1.5, 3.0, True, None, "1", np.float32(0.5), np.nan, np.inf, 10**400, 5e-324, 1e-300, 1e300, 1 + 2j,
           np.complex128(2), np.array(0.5), [0.5], Fraction(1, 3), Fraction(1, 10**400), 2**63, -2**70, Spoilt())
OPTIONS = {"block": 1, "nu_min": 0.4, "data": "pooled", "gamma": 0.5, "initial": 0, "kappa": 0.5, "eta": 0.1,
           "dummy": 0.01, "c_beta": 1.0, "tail": 0, "coefficients": "estimated", "version": "repaired", "alpha": 0.1}
PARAMETERS = {"d": 3, "horizon": 2, "arm": 1, "bias": 0.1, "dim": 3, "n_states": 2, "n_actions": 2, "seed": 0,
              "digits": (0, 1), "probability": 0.1, "optimal_layer": 1, "optimal_index": 1, "cores": (0,),
              "epsilon": 0.1, "layers": 2, "levels": 1, "rewards": 1, "needles": [[(0, 1)], [(1, 1)]]}
BUILDERS = [instances.lock, instances.compact_bandit, instances.hard_template, instances.random_simplex,
            instances.hexagon, instances.optimism_trap, instances.rare_state, instances.corridor,
            instances.needle_gates]


def number(rng, good, share=0.6):
    return good if rng.random() < share else rng.choice((*NUMBERS, *STRANGE))


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


GOOD_SPEC = {"study": "run", "fixed": {"epsilon": 0.2, "delta": 0.1, "batch_size": 10**6,
                                       "algorithm": "layerwise_exploration", "instance": "optimism_trap"},
             "grid": {"c_beta": [1, 2]}, "seeds": {"first": 0, "count": 4, "block": 2}}
PLAIN = (None, 5, -1, 1e300, "x", "", [], {}, [None], True, [[[]]], {"a": {"b": 1}}, "9" * 5000, "1e99999", 2**70,
         float("nan"), float("inf"), "../../x", "\udcff")


def damaged(rng, body):
    """The body with one entry removed or replaced, somewhere."""
    body = json.loads(json.dumps(body))
    place = body
    for _ in range(rng.randrange(1, 5)):
        keys = list(place) if isinstance(place, dict) else range(len(place)) if isinstance(place, list) else ()
        if not len(keys):
            break
        key, inside = rng.choice(list(keys)), place
        place = inside[key]
    if rng.random() < 0.3 and isinstance(inside, dict):
        del inside[key]
    else:
        inside[key] = rng.choice(PLAIN)
    return body


def bitten(rng, content):
    """Bytes with some of them changed, cut off, doubled or zeroed."""
    content, way = bytearray(content), rng.randrange(4)
    if way == 0:
        for _ in range(rng.randrange(1, 8)):
            content[rng.randrange(len(content))] = rng.randrange(256)
    elif way == 1:
        content = content[:rng.randrange(len(content))]
    elif way == 2:
        at = rng.randrange(len(content))
        content[at:at + rng.randrange(1, 200)] = bytes(rng.randrange(200))
    else:
        at = rng.randrange(len(content))
        content[at:at] = content[:rng.randrange(len(content))]
    return bytes(content)


def try_spec(rng):
    """A specification of a sweep from its parts, or from YAML."""
    body = damaged(rng, GOOD_SPEC)
    made = Spec.of(**{name: value for name, value in body.items() if name in spec.KEYS}) if rng.random() < 0.5 else (
        Spec.parse(bitten(rng, yaml.safe_dump(body, allow_unicode=False).encode()).decode("utf-8", "replace")))
    if len(made.cells) * made.count < 10_000:
        [task.key for task in made.tasks]


def whole_files(folder):
    """One whole file of every kind, by name."""
    folder.mkdir(parents=True, exist_ok=True)
    BASES[0].save(folder / "whole.npz")
    CliRunner().invoke(main, ["verify", "rem-feature-norm", "--out", str(folder / "whole.json")])
    made = Spec.of(**GOOD_SPEC | {"grid": {}, "seeds": {"count": 2, "block": 2}})
    run_sweep(made, folder / "sweep")
    table.write_table(made, folder / "sweep", folder / "whole.parquet")
    (folder / "whole.yml").write_text(yaml.safe_dump(GOOD_SPEC), encoding="utf-8")
    (task,) = made.tasks
    return {"task": (made, task, work.place(folder / "sweep", task)),
            "npz": (folder / "whole.npz").read_bytes(), "ledger": (folder / "whole.json").read_text(encoding="utf-8"),
            "parquet": (folder / "whole.parquet").read_bytes(), "yml": (folder / "whole.yml").read_bytes()}


def damaged_archive(rng, folder, whole):
    try_file(rng, folder, whole["npz"])


def damaged_ledger(rng, folder, whole):
    """The body changed, or the bytes of the file, read by every command that reads one."""
    if rng.random() < 0.5:
        return try_ledger(rng, folder, whole["ledger"])
    path = folder / "spoilt.json"
    path.write_bytes(bitten(rng, whole["ledger"].encode()))
    result = CliRunner().invoke(main, rng.choice((["show", "C.3", "--ledger", str(path)],
                                                  ["verify", "rem-feature-norm", "--compare", str(path)])))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    if result.exit_code == 2:
        raise Invalid(result.stderr.strip().splitlines()[-1])


def damaged_spec(rng, folder, whole):
    path = folder / "spoilt.yml"
    path.write_bytes(bitten(rng, whole["yml"]))
    Spec.read(path)


def damaged_table(rng, folder, whole):
    path = folder / "spoilt.parquet"
    path.write_bytes(bitten(rng, whole["parquet"]))
    table.load(path)


def damaged_result(rng, folder, whole):
    made, _, path = whole["task"]
    content = path.read_bytes()
    try:
        path.write_bytes(bitten(rng, content) if rng.random() < 0.5 else
                         json.dumps(damaged(rng, json.loads(content))).encode("utf-8", "surrogatepass"))
        table.write_table(made, folder / "sweep", folder / "spoilt.parquet")
    finally:
        path.write_bytes(content)


def damaged_journal(rng, folder, whole):
    """A journal that is damaged costs rows, never a run."""
    path = folder / ".spoilt.json.journal"
    with Journal(folder / "spoilt.json", "digest") as journal:
        journal._write(json.dumps({"claim": "x", "row": json.loads(whole["ledger"])}))
    path.write_bytes(bitten(rng, path.read_bytes()))
    with Journal(folder / "spoilt.json", "digest") as journal:
        journal.discard()


CERTIFICATES = {name: stored.load(name) for name in ("potential-sharp-d2-n200", "reachability-d3",
                                                     "reachability-hexagon-eigenvalue")}


def damaged_certificate(rng, folder, whole):
    """What a checker says of a certificate that was changed is a list of lines."""
    name = rng.choice(list(CERTIFICATES))
    checker = check_potential if name.startswith("potential") else check_reachability
    found = checker.problems(damaged(rng, CERTIFICATES[name]))
    assert isinstance(found, list) and all(isinstance(line, str) and "\n" not in line for line in found)
    if found:
        raise Invalid(found[0])


ARRAYS = ((try_explorer, 3), (try_batch, 5), (try_builder, 3), (try_policy_parts, 3), (try_draw, 1), (try_spec, 2))
FILES = ((damaged_archive, 5), (damaged_ledger, 4), (damaged_spec, 3), (damaged_table, 4), (damaged_result, 4),
         (damaged_journal, 2), (damaged_certificate, 4))
