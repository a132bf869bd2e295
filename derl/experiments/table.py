"""One tidy table of a finished sweep: a row per row of a task, a column per name, in the order of the specification."""

from __future__ import annotations

import io
import json
from pathlib import Path

from derl.experiments.code import code_digest
from derl.experiments.spec import InvalidSpec, Spec, plain
from derl.experiments.work import finished, rows_of
from derl.inputs import files
from derl.inputs.parts import part
from derl.ledger.provenance import commit

LARGEST = 10**9


def rows(spec: Spec, out) -> list[dict]:
    """All rows of a finished sweep: parameters of the cell, the seed, what was measured.

    Raises
    ------
    InvalidSpec
        A task is not done.
    """
    folder, found = Path(out), []
    for task in spec.tasks:
        if not finished(folder, task):
            raise InvalidSpec(f"the task {task.key} is not done; run the sweep again")
        found += [{**task.parameters, **row} for row in rows_of(folder, task)]
    return found


def write_table(spec: Spec, out, path, more: dict | None = None) -> Path:
    """Put the table of a finished sweep into a Parquet file, with specification, commit and digest of the code.

    Equal results give equal bytes.

    Raises
    ------
    InvalidSpec
    """
    return save(rows(spec, out), path, {"spec": spec.content, "commit": commit("derl"), "code": code_digest(),
                                        **(more or {})})


def save(found: list[dict], path, about: dict) -> Path:
    """Rows with their provenance as Parquet; a column holds numbers, texts or truth values, and None.

    A whole number that no column of Parquet holds exactly becomes text, and so does a column of several kinds.

    Raises
    ------
    InvalidSpec
        A value that is no plain value of a specification.
    """
    arrow, parquet = _arrow()
    names = list(dict.fromkeys(name for row in found for name in row))
    columns = {name: arrow.array(_column([row.get(name) for row in found], name)) for name in names}
    table = arrow.table(columns).replace_schema_metadata({"derl": json.dumps(about, sort_keys=True)})
    stream = io.BytesIO()
    parquet.write_table(table, stream, compression="zstd", use_dictionary=True)
    files.write(path, stream.getvalue())
    return Path(path)


def load(path) -> tuple[list[dict], dict]:
    """The rows of such a file, and where they come from.

    Raises
    ------
    InvalidSpec
    """
    arrow, parquet = _arrow()
    content = files.read(path, LARGEST, InvalidSpec)
    try:
        table = parquet.read_table(arrow.BufferReader(content))
        return table.to_pylist(), dict(json.loads(table.schema.metadata[b"derl"]))
    except (arrow.ArrowException, OSError, ValueError, LookupError, TypeError, RecursionError):
        raise InvalidSpec(f"{path} is no whole table of derl; write it again") from None


def _column(values: list, name: str) -> list:
    """Values of one kind, equal to those given."""
    values = [plain(value, name, finite=False) for value in values]
    kinds = {type(value) for value in values if value is not None}
    if kinds == {int, float} and all(map(_is_float, (value for value in values if value is not None))):
        return [None if value is None else float(value) for value in values]
    wide = kinds == {int} and not all(-2**63 <= value < 2**63 for value in values if value is not None)
    if len(kinds) > 1 or kinds == {list} or wide:
        return [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]
    return values


def _is_float(value: float) -> bool:
    """Whether a float holds the number exactly."""
    try:
        return float(value) == value or value != value
    except OverflowError:
        return False


def _arrow():
    return part("pyarrow", "a table"), part("pyarrow.parquet", "a table")
