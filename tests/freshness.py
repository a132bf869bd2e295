"""Whether a ledger belongs to the code that is being tested."""

from pathlib import Path

from derl.claims import PAPER
from derl.ledger import InvalidLedger, Ledger
from derl.ledger.provenance import digest

ROOT = Path(__file__).parents[1]
LEDGER = ROOT / "_build" / "ledger.json"


def stale(file: Path, code: str | None = None) -> str | None:
    """Why the tests cannot go by this ledger, in one line; None where they can.

    It has to come from code of this digest, by default the present one, and has to know every statement.
    """
    try:
        ledger = Ledger.load(file)
    except InvalidLedger as error:
        return str(error)
    if ledger.digest != (code or digest(*PAPER.code)):
        return f"{file.name} is of other code"
    strange = sorted(ledger.claims.keys() ^ PAPER.statements.keys())
    return f"{file.name} is of other statements: {', '.join(strange[:3])}" if strange else None
