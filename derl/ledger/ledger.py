"""What one run of the checks found, kept as ledger.json."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field

from derl.boundary import Invalid, display, files, shown
from derl.ledger.power import KINDS

SCHEMA = 1
LARGEST = 2**24  # bytes of a ledger that are read; that of all checks has under one million
NUMBER = (int, float)
FIELDS = {"tier": str, "environment": dict, "commit": str, "seed": int, "version": str}
ROW = {"verdict": str, "expected": str, "as_expected": bool, "scope_gap": str, "rests_on": list, "checks": list,
       "seconds": NUMBER}
CHECK = {"name": str, "title": str, "method": str, "arithmetic": str, "outcome": str, "controls": list,
         "seconds": NUMBER, "file": str, "line": int}
MEASURED = {"scope": str, "direction": str, "claimed": object, "margin": object, "control": dict}
CONTROL = {"planted": str, "outcome": str}
POWER = dict.fromkeys(KINDS, int) | dict.fromkeys(("smallest", "room", "control"), (float, type(None)))


class InvalidLedger(Invalid):
    """A ledger file that cannot be read; the message says why."""


@dataclass(frozen=True, repr=False)
class Ledger(display.Shown):
    """What one run of the checks found.

    Attributes
    ----------
    claims : dict
        id -> {number, kind, chapter, verdict, expected, as_expected, scope_gap, rests_on, weakest, grounded, power,
        seconds, checks}. `power` is what `derl.ledger.power.power` measures. `weakest` lists what is below and neither
        proved, certified nor enumerated, `grounded` says that there is nothing of that kind; both are null where
        something below was not run.
    version : str
        Of the package that holds the paper; empty where it has none.
    digest : str
        Of everything that the run depended on; see `derl.ledger.provenance.digest`.
    """

    tier: str
    claims: dict
    environment: dict
    commit: str
    seed: int = 0
    schema: int = SCHEMA
    version: str = ""
    seconds: float = field(default=0.0)
    digest: str = ""

    def _facts(self):
        words = Counter(row["verdict"] for row in self.claims.values()).most_common()
        return {"tier": self.tier, "commit": self.commit[:12], "statements": len(self.claims),
                "not as expected": len(self.surprises), "seconds": round(self.seconds, 1),
                "verdicts": ", ".join(f"{count} {word}" for word, count in words)}

    def _more(self):
        return display.table([{"statement": key, "verdict": verdict, "expected": expected}
                              for key, (verdict, expected) in self.surprises.items()]) if self.surprises else ""

    @property
    def surprises(self) -> dict[str, tuple[str, str]]:
        """id -> (verdict, expected) for every statement whose verdict is not the expected one."""
        return {key: (row["verdict"], row["expected"]) for key, row in self.claims.items() if not row["as_expected"]}

    def save(self, path) -> None:
        """Write the ledger; a half-written file never takes the place of a whole one.

        Raises
        ------
        InvalidFile
            See `derl.boundary.files`.
        """
        body = {"schema": self.schema, "version": self.version, "commit": self.commit, "tier": self.tier,
                "seed": self.seed, "seconds": self.seconds, "environment": self.environment, "digest": self.digest,
                "seal": seal(self.claims), "claims": self.claims}
        files.write(path, f"{json.dumps(body, indent=1, allow_nan=True)}\n".encode())

    @classmethod
    def load(cls, path, own: bool = False) -> Ledger:
        """Read a ledger.

        Parameters
        ----------
        own : bool
            Refuse the file of another user.

        Raises
        ------
        InvalidLedger
            If the file is missing, cut off, not JSON, of another schema, lacks what every ledger has, or was changed
            after the run that wrote it.
        """
        try:
            content = files.read(path, LARGEST, InvalidLedger, own)
        except InvalidLedger as error:
            raise InvalidLedger(f"cannot read the ledger: {error}") from None
        try:
            body = json.loads(content.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise InvalidLedger(f"{path} is not a whole JSON file ({error}); run the checks again") from None
        if not isinstance(body, dict) or body.get("schema") != SCHEMA or not isinstance(body.get("claims"), dict):
            raise InvalidLedger(f"{path} is not a ledger of schema {SCHEMA}; run the checks again")
        wrong = problem(body)
        if wrong:
            raise InvalidLedger(f"{path} is no whole ledger: {wrong}; run the checks again")
        if body.get("digest") and body.get("seal") != seal(body["claims"]):
            raise InvalidLedger(f"{path} was changed after the run that wrote it; run the checks again")
        return cls(tier=body["tier"], claims=body["claims"], environment=body["environment"], commit=body["commit"],
                   seed=body["seed"], version=body["version"], seconds=body.get("seconds", 0.0),
                   digest=body.get("digest", ""))

    def changes(self, old: Ledger) -> list[tuple[str, str, str]]:
        """(id, old verdict, new verdict) for every statement in both ledgers whose verdict changed, and newcomers."""
        return [(key, old.claims.get(key, {}).get("verdict", "absent"), row["verdict"]) for key, row in
                self.claims.items() if row["verdict"] != old.claims.get(key, {}).get("verdict", "absent")]


def seal(claims: dict) -> str:
    """SHA-256 of what a run found. Whoever edits a ledger breaks it; whoever forges one does not."""
    return hashlib.sha256(json.dumps(claims, sort_keys=True).encode()).hexdigest()


def problem(body: dict) -> str:
    """What is wrong with the body of a ledger, the first thing only; "" where nothing is."""
    found = _lacks(body, FIELDS, "the ledger")
    for key, row in body["claims"].items():
        if not found:
            found = _lacks(row, ROW, shown(key))
        if not found and not all(isinstance(other, str) for other in row["rests_on"]):
            found = f"'rests_on' of {shown(key)} holds something that is no id"
        if not found and row.get("power"):
            found = _lacks(row["power"], POWER, f"the power of {shown(key)}")
        for check in () if found else row["checks"]:
            found = found or check_problem(check, f"a check of {shown(key)}")
    return found


def check_problem(check: object, name: str) -> str:
    """What is wrong with the row of one check; "" where nothing is."""
    found = _lacks(check, CHECK, name)
    if not found and "measured" in check:
        found = _lacks(check, MEASURED, name) or _lacks(check["control"], CONTROL, f"the control of {name}")
    for control in () if found else check["controls"]:
        found = found or _lacks(control, CONTROL, f"a control of {name}")
        found = found or _lacks({"witness": ""} | control, {"witness": (str, type(None))}, f"a control of {name}")
    return found


def _lacks(row: object, fields: dict, name: str) -> str:
    if not isinstance(row, dict):
        return f"{name} is {shown(row)}, not a row with {', '.join(fields)}"
    for key, kind in fields.items():
        if key not in row:
            return f"{name} has no {key!r}"
        if not isinstance(row[key], kind):
            return f"{key!r} of {name} is {shown(row[key])}"
    return ""

