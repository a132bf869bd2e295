"""How long each page of the built book takes to open from disk, in a browser that knows nothing of it.

    python speed/bench_pages.py [--rounds 3] [--width 1360] [page ...]

Medians over the rounds, the slowest first. "Answers" is the time until the text stands and a click is answered, "idle"
until every formula in sight is set; both by the clock. "CPU" is what the page's own thread has worked until idle, which
other work on the machine hardly changes, so the limits are held to it: the front page at most 2 s, every other 5 s.
The exit status is 1 where one is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
AT_ONCE = 8  # pages that one browser visits
FRONT, FRONT_LIMIT, LIMIT = "index", 2.0, 5.0


def measured(html: Path, names: list[str], rounds: int, width: int) -> list[dict]:
    """Medians, page by page, the slowest first."""
    sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "book" / "_setup")]
    from browser import in_chromium

    pages = {path.relative_to(html / "book").with_suffix("").as_posix(): path
             for path in sorted((html / "book").rglob("*.html"))}
    chosen = {name: path for name, path in pages.items() if not names or name in names}
    urls, found = [path.as_uri() for path in chosen.values()], {}
    for at in range(0, len(urls), AT_ONCE):
        found |= in_chromium(Path(__file__).with_suffix(".mjs"), str(rounds), str(width), *urls[at:at + AT_ONCE])
    rows = [{"page": name, "bytes": path.stat().st_size}
            | {key: median(visit[key] for visit in found[path.as_uri()])
               for key in ("answering", "idle", "cpu_load", "cpu", "nodes")} for name, path in chosen.items()]
    return sorted(rows, key=lambda row: -row["cpu"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--html", type=Path, default=ROOT / "_build" / "html")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--width", type=int, default=1360)
    parser.add_argument("pages", nargs="*")
    given = parser.parse_args()
    before = os.getloadavg()[0]
    rows = measured(given.html.resolve(), given.pages, given.rounds, given.width)
    if not rows:
        sys.exit(f"bench_pages: the book has no page {', '.join(given.pages)}")
    print(f"{given.rounds} rounds, {given.width} pixels, load average {before:.1f} to {os.getloadavg()[0]:.1f}")
    print(f"{'page':<36}{'MB':>6}{'nodes':>8}{'answers s':>11}{'idle s':>8}{'CPU s':>7}")
    for row in rows:
        print(f"{row['page']:<36}{row['bytes'] / 1e6:>6.2f}{row['nodes']:>8.0f}{row['answering']:>11.2f}"
              f"{row['idle']:>8.2f}{row['cpu']:>7.2f}")
    out = ROOT / "_build" / "speed" / "pages.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps({"rounds": given.rounds, "width": given.width, "load": [before, os.getloadavg()[0]],
                               "pages": rows}, indent=1) + "\n", encoding="utf-8")
    missed = [row["page"] for row in rows if row["cpu"] > (FRONT_LIMIT if row["page"] == FRONT else LIMIT)]
    print("over the limit: " + (", ".join(missed) or "none"))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
