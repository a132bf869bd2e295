"""What one run of the checks found, kept as ledger.json."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from derl.exact.base import digest
from derl.inputs import Invalid, display, files
from derl.ledger.rows import LedgerRow, Malformed, StatementRow, plain, read

SCHEMA = 1
LARGEST = 2**24  # bytes of a ledger that are read; that of all checks has under one million


OUTCOMES = {"rejected": "rejected by computing", "refused": "text not found", "weaker": "weaker", "free": "free",
            "not run": "not run"}  # of a planted change -> how it is told


class InvalidLedger(Invalid):
    """A ledger file that cannot be read; the message says why."""


@dataclass(frozen=True, repr=False)
class Ledger(display.Shown):
    """What one run of the checks found.

    Attributes
    ----------
    claims : mapping
        id -> `derl.ledger.rows.StatementRow`.
    version : str
        Of the package that holds the paper; empty where it has none.
    digest : str
        Of everything that the run depended on; see `derl.ledger.provenance.digest`.
    """

    tier: str
    claims: Mapping[str, StatementRow]
    environment: dict
    commit: str
    seed: int = 0
    schema: int = SCHEMA
    version: str = ""
    seconds: float = field(default=0.0)
    digest: str = ""

    def _facts(self):
        words = Counter(row.verdict for row in self.claims.values()).most_common()
        return {"tier": self.tier, "commit": self.commit[:12], "statements": len(self.claims),
                "not as expected": len(self.surprises), "seconds": round(self.seconds, 1),
                "verdicts": ", ".join(f"{count} {word}" for word, count in words),
                "changes of texts": ", ".join(f"{count} {said}" for said, count in self.changes_of_texts.items())}

    def _more(self):
        return display.table([{"statement": key, "verdict": verdict, "expected": expected}
                              for key, (verdict, expected) in self.surprises.items()]) if self.surprises else ""

    @property
    def surprises(self) -> dict[str, tuple[str, str]]:
        """id -> (verdict, expected) for every statement whose verdict is not the expected one."""
        return {key: (row.verdict, row.expected) for key, row in self.claims.items() if not row.as_expected}

    @property
    def changes_of_texts(self) -> dict[str, int]:
        """What became of the planted changes of printed formulas, by the words of `OUTCOMES`."""
        found = Counter(word for row in self.claims.values() for check in row.checks if check.variants
                        for word in check.variants.outcomes.values())
        return {said: found[word] for word, said in OUTCOMES.items()}

    @property
    def text(self) -> str:
        """What `save` writes."""
        body = plain(LedgerRow(
            schema=self.schema, version=self.version, commit=self.commit, tier=self.tier, seed=self.seed,
            seconds=self.seconds, environment=self.environment, digest=self.digest, seal=seal(self.claims),
            claims=self.claims))
        return f"{json.dumps(body, indent=1, allow_nan=True)}\n"

    def save(self, path) -> None:
        """Write the ledger; a half-written file never takes the place of a whole one.

        Raises
        ------
        InvalidFile
            See `derl.inputs.files`.
        """
        files.write(path, self.text.encode())

    @classmethod
    def load(cls, path) -> Ledger:
        """Read a ledger.

        Raises
        ------
        InvalidLedger
            If the file is missing, cut off, not JSON, of another schema, lacks what every ledger has, or was changed
            after the run that wrote it.
        """
        try:
            content = files.read(path, LARGEST, InvalidLedger)
        except InvalidLedger as error:
            raise InvalidLedger(f"cannot read the ledger: {error}") from None
        try:
            body = json.loads(content.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise InvalidLedger(f"{path} is not a whole JSON file ({error}); run the checks again") from None
        if not isinstance(body, dict) or body.get("schema") != SCHEMA or not isinstance(body.get("claims"), dict):
            raise InvalidLedger(f"{path} is not a ledger of schema {SCHEMA}; run the checks again")
        try:
            found = read(LedgerRow, body)
        except Malformed as error:
            raise InvalidLedger(f"{path} is no whole ledger: {error}; run the checks again") from None
        if found.digest and found.seal != seal(body["claims"]):
            raise InvalidLedger(f"{path} was changed after the run that wrote it; run the checks again")
        return cls(tier=found.tier, claims=found.claims, environment=found.environment, commit=found.commit,
                   seed=found.seed, version=found.version, seconds=found.seconds, digest=found.digest)

    def changes(self, old: Ledger) -> list[tuple[str, str, str]]:
        """(id, old verdict, new verdict) for every statement in both ledgers whose verdict changed, and newcomers."""
        before = {key: row.verdict for key, row in old.claims.items()}
        return [(key, before.get(key, "absent"), row.verdict) for key, row in self.claims.items()
                if row.verdict != before.get(key)]


def seal(claims: Mapping) -> str:
    """SHA-256 of what a run found. An edited ledger has another one; a forger can compute it."""
    return digest(plain(claims))
