"""One table of a finished sweep as a file of Parquet: a row per row of a task, a column per name."""

from __future__ import annotations

import json
from pathlib import Path

from derl.experiments.sweep import InvalidSpec, Spec, code_digest, rows
from derl.inputs import files
from derl.inputs.parts import part
from derl.ledger.provenance import commit


def write_table(spec: Spec, out, path) -> Path:
    """Put the table of a finished sweep into a file, with specification, commit and digest of the code."""
    return save(rows(spec, out), path, {"spec": spec.content, "commit": commit("derl"), "code": code_digest()})


def save(found: list[dict], path, about: dict) -> Path:
    """Rows with their provenance; a column of lists, or of values that no one type holds exactly, becomes text."""
    arrow, parquet = part("pyarrow", "a table"), part("pyarrow.parquet", "a table")
    names = dict.fromkeys(name for row in found for name in row)
    table = arrow.table({name: _column([row.get(name) for row in found], arrow) for name in names})
    files.write(path, lambda stream: parquet.write_table(
        table.replace_schema_metadata({"derl": json.dumps(about, sort_keys=True)}), stream, compression="zstd"))
    return Path(path)


def load(path) -> tuple[list[dict], dict]:
    """The rows of such a file, and where they come from; raises InvalidSpec where it is none."""
    arrow, parquet = part("pyarrow", "a table"), part("pyarrow.parquet", "a table")
    try:
        table = parquet.read_table(path)
        return table.to_pylist(), json.loads(table.schema.metadata[b"derl"])
    except (arrow.ArrowException, OSError, ValueError, LookupError, TypeError):
        raise InvalidSpec(f"{path} is no whole table of derl; write it again") from None


def _column(values: list, arrow):
    try:
        column = arrow.array(values)
        if not arrow.types.is_list(column.type):
            return column
    except (arrow.ArrowException, OverflowError):  # several types, or whole numbers that are too large
        pass
    return arrow.array([value if value is None or isinstance(value, str) else json.dumps(value) for value in values])
