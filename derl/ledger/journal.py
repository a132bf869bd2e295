"""Rows of a run that is not finished yet, kept beside its ledger: what a killed run found is not computed again.

The first line says what the rows depend on (`derl.ledger.provenance.digest`); every other line is one row, written when
its check has ended. Another run with the same digest takes the rows over, whichever statements were named; with
any other digest it begins anew. A last line that a kill cut short is dropped. A finished run removes the journal.

Rows are believed from a file of one's own alone: a link, a file of another user and a file that others can write to are
refused and left as they are.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress

from derl.inputs import files, owners
from derl.ledger.ledger import InvalidLedger
from derl.ledger.registry import Check
from derl.ledger.rows import CheckRow, EntryRow, Malformed, plain, read
from derl.ledger.verdicts import unrun

VERSION = 1
PATIENCE = 1.0  # seconds until the workers of a killed run have let go
LARGEST = 2**25  # bytes that are read; more is no journal of ours


class Journal:
    """The journal of the ledger at `out`; use it as a context.

    Parameters
    ----------
    out : path
        Where the ledger will be written.
    digest : str
        What the rows depend on.

    Raises
    ------
    InvalidLedger
        Another run holds the journal, it cannot be written, or it is not one's own.
    """

    def __init__(self, out, digest: str):
        place = files.target(out, InvalidLedger)
        self.path = place.with_name(f".{place.name}.journal")
        if not self.path.is_symlink():  # a link is refused when the journal is opened
            files.target(self.path, InvalidLedger)
        self._header = json.dumps({"journal": VERSION, "digest": digest})

    def __enter__(self) -> Journal:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._stream = os.fdopen(owners.opened(self.path, InvalidLedger), "rb+", buffering=0)
        until = time.monotonic() + PATIENCE
        while not (free := files.locked(self._stream.fileno())) and time.monotonic() < until:
            time.sleep(0.05)
        if not free:
            self._stream.close()
            raise InvalidLedger(f"{self.path} is in use by another run; wait for it, or give another --out")
        lines = self._stream.read(LARGEST).split(b"\n")[:-1]  # what follows the last line break is half a line
        whole = 0
        self.rows: dict[tuple[str, str], CheckRow] = {}
        if lines and lines[0] == self._header.encode():
            whole = self._take(lines)
        self._stream.truncate(whole)
        if not whole:
            self._write(self._header)
        return self

    def __exit__(self, *error) -> None:
        self._stream.close()

    def _take(self, lines: list[bytes]) -> int:
        """Read rows as long as they are whole; return how many bytes are good."""
        good = len(lines[0]) + 1
        for line in lines[1:]:
            try:
                entry = read(EntryRow, json.loads(line))
            except (Malformed, ValueError, RecursionError):
                break
            self.rows[entry.claim, entry.row.source] = entry.row
            good += len(line) + 1
        return good

    def known(self, check: Check) -> CheckRow | None:
        """The row of a check that an earlier run has left."""
        return self.rows.get((check.claim, check.source))

    def keep(self, check: Check, row: CheckRow) -> None:
        """Write a row at once; that of a check that could not be run is not kept, since the next run may do better."""
        if not unrun([row]):
            self._write(json.dumps(plain(EntryRow(claim=check.claim, row=row))))

    def discard(self) -> None:
        """The run is finished and its ledger written."""
        owners.remove(self.path, self._stream.fileno())

    def _write(self, line: str) -> None:
        """A whole line or none: the half of one, left by a full disk, would hide what is written after it."""
        content, before = f"{line}\n".encode(), self._stream.seek(0, os.SEEK_END)
        try:
            while content:
                content = content[self._stream.write(content):]
        except OSError as error:
            with suppress(OSError):
                self._stream.truncate(before)
            raise InvalidLedger(f"{self.path} cannot be written: {error.strerror}") from None
