"""Run the checks and keep what they found: `verify` makes a `Ledger`, which is saved as ledger.json."""

from __future__ import annotations

import importlib
import json
import os
import platform
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from threadpoolctl import threadpool_limits

import derl
from derl.claims import statements as said
from derl.claims.registry import REGISTRY, TIERS, as_expected, run_check, verdict

SCHEMA = 1
MODULES = (
    "setting", "measure_norm", "layerwise_program", "reward_free_last_batch", "reward_free_plan_reward",
    "lower_bounds", "lower_bounds_log", "lower_bounds_plain", "lower_bounds_two_arms", "potential", "layerwise",
    "concentration", "concentration_runs", "deployment_complexity", "deployment_count", "layerwise_constants",
    "layerwise_guarantee", "layerwise_theorem", "direct_exploration", "one_deployment", "fewer_samples",
    "fewer_samples_runs", "comparison", "comparison_text", "reward_free", "reward_free_algorithms",
    "reward_free_concentration", "reward_free_constraints", "reward_free_event", "reward_free_hoeffding",
    "reward_free_runs", "reward_free_samples", "reward_free_theorem", "reward_free_direct", "reachability",
    "reachability_bounds", "reachability_order", "reachability_certified", "reachability_span",
    "reachability_design", "arbitrary_algorithms", "arbitrary_constants", "arbitrary_errors", "arbitrary_theorems",
    "arbitrary_certificate", "arbitrary_printed", "arbitrary_start", "truncated_plans", "covers", "cover_sizes",
    "cover_constraints", "value_classes", "arbitrary_event", "arbitrary_analysis", "arbitrary_clip",
    "arbitrary_evaluation", "arbitrary_steps", "arbitrary_batch", "arbitrary_hyperparameters", "theorem_r",
    "theorem_r_explicit", "perturbation", "perturbation_results", "domination", "extended_settings",
    "sample_efficient", "safe_mixture", "mixture_strategy", "mixture_samples", "pessimism",
)


class InvalidLedger(ValueError):
    """A ledger file that cannot be read; the message says why."""


@dataclass(frozen=True)
class Ledger:
    """What one run of the checks found.

    Attributes
    ----------
    claims : dict
        id -> {number, verdict, expected, as_expected, scope_gap, rests_on, seconds, checks}.
    """

    tier: str
    claims: dict
    environment: dict
    commit: str
    seed: int = 0
    schema: int = SCHEMA
    derl: str = derl.__version__
    seconds: float = field(default=0.0)

    @property
    def surprises(self) -> dict[str, tuple[str, str]]:
        """id -> (verdict, expected) for every statement whose verdict is not the expected one."""
        return {key: (row["verdict"], row["expected"]) for key, row in self.claims.items() if not row["as_expected"]}

    def save(self, path) -> None:
        """Write the ledger; a half-written file never takes the place of a whole one."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        body = {"schema": self.schema, "derl": self.derl, "commit": self.commit, "tier": self.tier, "seed": self.seed,
                "seconds": self.seconds, "environment": self.environment, "claims": self.claims}
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".ledger")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                json.dump(body, stream, indent=1, allow_nan=True)
                stream.write("\n")
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise

    @classmethod
    def load(cls, path) -> Ledger:
        """Read a ledger.

        Raises
        ------
        InvalidLedger
            If the file is missing, cut off, not JSON, or of another schema.
        """
        try:
            body = json.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise InvalidLedger(f"cannot read the ledger {path}: {error.strerror}") from None
        except ValueError as error:
            raise InvalidLedger(f"{path} is not a whole JSON file ({error}); run `derl verify` again") from None
        if not isinstance(body, dict) or body.get("schema") != SCHEMA or not isinstance(body.get("claims"), dict):
            raise InvalidLedger(f"{path} is not a ledger of schema {SCHEMA}; run `derl verify` again")
        return cls(tier=body["tier"], claims=body["claims"], environment=body["environment"], commit=body["commit"],
                   seed=body["seed"], derl=body["derl"], seconds=body.get("seconds", 0.0))

    def changes(self, old: Ledger) -> list[tuple[str, str, str]]:
        """(id, old verdict, new verdict) for every statement in both ledgers whose verdict changed, and newcomers."""
        return [(key, old.claims.get(key, {}).get("verdict", "absent"), row["verdict"]) for key, row in
                self.claims.items() if row["verdict"] != old.claims.get(key, {}).get("verdict", "absent")]


def register_all() -> None:
    """Import every module of checks, so that the registry is complete."""
    for module in MODULES:
        importlib.import_module(f"derl.claims.{module}")


def verify(ids: Iterable[str] | None = None, tier: str = "quick", jobs: int = 1,
           progress: Callable[[str, int, int], None] | None = None) -> Ledger:
    """Run the checks of the named statements (all of them by default) and of what their repairs need.

    Parameters
    ----------
    ids : iterable of str or None
        Ids or printed numbers.
    tier : {"quick", "full"}
        The full tier contains the quick one.
    jobs : int, >= 1
        Worker processes. The result does not depend on it, apart from the seconds.
    progress : callable or None
        Called with (check, number done, number in all).

    Raises
    ------
    UnknownClaim, ValueError
    """
    if tier not in TIERS:
        raise ValueError(f"tier is {tier!r}; allowed are {', '.join(TIERS)}")
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise ValueError(f"jobs is {jobs!r}; it must be a whole number >= 1")
    register_all()
    known = said.load()
    for subject in REGISTRY.checks:
        if subject.claim not in known:
            raise said.InvalidClaims(f"{subject.source} checks {subject.claim!r}, which claims.yml does not have")
    asked = list(known) if ids is None else [said.find(name).id for name in ids]
    wanted = list(dict.fromkeys(needed for key in asked for needed in (key, *filter(None, [known[key].repair]))))
    positions = [i for i, c in enumerate(REGISTRY.checks)
                 if c.claim in wanted and (tier == "full" or c.tier == "quick")]
    rows = dict(_run_all(positions, jobs, progress))
    of_claim = {key: [rows[i] for i in positions if REGISTRY.checks[i].claim == key] for key in wanted}
    words = _verdicts(of_claim)
    claims = {key: _entry(known[key], words, of_claim[key]) for key in wanted}
    return Ledger(tier=tier, claims=claims, environment=_environment(), commit=_commit(),
                  seconds=round(sum(row["seconds"] for row in rows.values()), 2))


def _run_all(positions: list[int], jobs: int, progress):
    """Yield (position, row) for every check; in this process, or in `jobs` workers."""
    total = len(positions)
    if jobs == 1 or total < 2:
        for done, position in enumerate(positions, 1):
            yield position, _run_at(position)
            if progress:
                progress(REGISTRY.checks[position].name, done, total)
        return
    with ProcessPoolExecutor(max_workers=min(jobs, total), initializer=register_all) as pool:
        futures = {pool.submit(_run_at, position): position for position in positions}
        for done, future in enumerate(as_completed(futures), 1):
            yield futures[future], future.result()
            if progress:
                progress(REGISTRY.checks[futures[future]].name, done, total)


@threadpool_limits.wrap(limits=1)  # rounding must not depend on the number of threads; two workers share two cores
def _run_at(position: int) -> dict:
    return run_check(REGISTRY.checks[position])


def _verdicts(of_claim: dict[str, list[dict]]) -> dict[str, tuple[str, str]]:
    """Verdict and scope gap of every statement; a repair is judged before the statement that it repairs."""
    known, words = said.load(), {}

    def judge(key):
        if key not in words:
            repair = known[key].repair
            words[key] = verdict(of_claim[key], known[key].expected == "cited", judge(repair)[0] if repair else None)
        return words[key]

    for key in of_claim:
        judge(key)
    return words


def _entry(statement: said.Statement, words: dict, rows: list[dict]) -> dict:
    word, gap = words[statement.id]
    return {"number": statement.number, "kind": statement.kind, "verdict": word, "expected": statement.expected,
            "as_expected": as_expected(word, statement.expected), "scope_gap": gap,
            "rests_on": footprint(statement.id), "seconds": round(sum(row["seconds"] for row in rows), 3),
            "checks": rows}


def footprint(key: str) -> list[str]:
    """Everything that the statement rests on, directly or not, in the order of claims.yml."""
    known, found, todo = said.load(), set(), [key]
    while todo:
        current = known[todo.pop()]
        for other in (*current.uses_statement, *current.uses_proof):
            if other not in found:
                found.add(other)
                todo.append(other)
    return [other for other in known if other in found]


def _environment() -> dict:
    packages = ("numpy", "scipy", "sympy", "cvxpy", "clarabel", "python-flint")
    versions = {"python": platform.python_version(), "platform": f"{platform.system()} {platform.machine()}"}
    for package in packages:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = "absent"
    return versions


def _commit() -> str:
    """The commit of the checkout that derl runs from, with a mark when it has uncommitted changes."""
    here = Path(__file__).resolve().parents[2]
    if not (here / ".git").exists():
        return "unknown"
    def git(*words):
        return subprocess.run(["git", "-C", str(here), *words], capture_output=True, text=True, check=False).stdout
    head = git("rev-parse", "--short=12", "HEAD").strip()
    return (head or "none") + ("+" if git("status", "--porcelain", "--", "derl").strip() else "")
