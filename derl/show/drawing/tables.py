"""Tables on a page, from what a run returned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from IPython.display import Markdown


def table(header: Sequence, rows: Iterable[Sequence]) -> Markdown:
    """A table in MyST: cells may hold maths and roles.

    Raises
    ------
    ValueError
        If a row does not have as many cells as the header.
    """
    lines = [header, ["---"] * len(header), *rows]
    for row in lines:
        if len(row) != len(header):
            raise ValueError(f"a row has {len(row)} cells and the header {len(header)}")
    return Markdown("\n".join("| " + " | ".join(map(str, row)) + " |" for row in lines))


def folded(summary: str, header: Sequence, rows: Iterable[Sequence]) -> Markdown:
    """A table below a line that opens it."""
    return Markdown(f"<details><summary>{summary}</summary>\n\n{table(header, rows).data}\n\n</details>")
