"""Whether a ledger belongs to the code that is being tested."""

from pathlib import Path

from derl.claims import PAPER
from derl.ledger import InvalidLedger, Ledger

ROOT = Path(__file__).parents[1]
LEDGER = ROOT / "_build" / "ledger.json"


def stale(file: Path, library: Path = ROOT / "derl") -> str | None:
    """Why the tests cannot go by this ledger, in one line; None where they can.

    It has to be younger than every file of the library, as the Makefile has it, and has to know every statement.
    """
    try:
        claims = Ledger.load(file).claims
    except InvalidLedger as error:
        return str(error)
    younger = [path for path in library.rglob("*") if path.is_file() and "__pycache__" not in path.parts
               and path.stat().st_mtime > file.stat().st_mtime]
    if younger:
        return f"{file.name} is older than {', '.join(sorted(path.name for path in younger)[:3])}"
    strange = sorted(claims.keys() ^ PAPER.statements.keys())
    return f"{file.name} is of other statements: {', '.join(strange[:3])}" if strange else None
