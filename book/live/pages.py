"""The pages of the built book get their buttons: what may run on each, a script, a style, and the policy for it."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from pathlib import Path

from bs4 import BeautifulSoup
from material import ROOT
from slices import needed

HTML = ROOT / "_build" / "html"
EXECUTED = ROOT / "_build" / "jupyter_execute"
CLAIM = re.compile(r'<div class="claim claim-[^"]*" id="([\w-]+)">')
POLICY = re.compile(r'(<meta http-equiv="Content-Security-Policy" content=")([^"]*)(">)')
OURS = re.compile(r'<script type="application/json" id="derl-live">.*?<!-- live -->', re.DOTALL)
TOLD = re.compile(r'(<div class="live-told[^"]*">).*?(</div>)', re.DOTALL)
HIDDEN = {"remove-input", "remove-cell"}


def pages() -> dict[str, Path]:
    """The pages of the book by name, without those of the theme."""
    return {file.relative_to(HTML).with_suffix("").as_posix(): file for file in sorted(HTML.rglob("*.html"))
            if not {"_static", "_live"} & set(file.relative_to(HTML).parts)}


def cells(name: str, page: str) -> list[dict]:
    """The cells of a page in order: text, position among those that are seen (None: hidden), and what it gave."""
    executed = EXECUTED / f"{name}.ipynb"
    if not executed.is_file() or 'class="cell ' not in page:
        return []
    boxes = [box for box in BeautifulSoup(page, "lxml").select("div.cell")]
    sources = [cell for cell in json.loads(executed.read_text(encoding="utf-8"))["cells"]
               if cell["cell_type"] == "code"]
    found, seen = [], 0
    shown = [box for box in boxes if box.select_one(".cell_input pre")]
    for cell in sources:
        source, at = "".join(cell["source"]).strip(), None
        if not HIDDEN & set(cell["metadata"].get("tags", ())):
            box = shown[seen]
            if box.select_one(".cell_input pre").get_text().strip() != source:
                raise ValueError(f"{name}: the page does not show the cells of its notebook in order: {source[:50]!r}")
            at, seen = seen, seen + 1
        found.append({"at": len(found), "source": source, "shown": at} | ({} if at is None else given(box)))
    for cell in found:
        if cell["shown"] is not None:
            cell["before"] = needed(cell["source"], [one["source"] for one in found[:cell["at"]]])
    return found


def given(box) -> dict:
    """What a cell has given when the page was made: text, figures, and whether there is more that only a page shows."""
    return {"printed": "".join(part.get_text() for part in box.select(".output.stream pre, .output.text_plain pre")),
            "drawn": len(box.select(".cell_output img")),
            "rich": bool(box.select(".output.text_html, .output.text_markdown, .cell_output table, .plotly-figure"))}


def statements(page: str) -> list[str]:
    """Ids of the statements whose home is on a page."""
    return CLAIM.findall(page)


def policy(old: str) -> str:
    """The policy of a page that runs WebAssembly in a worker made from its own text."""
    parts = [part.strip() for part in html.unescape(old).split(";")]
    parts = [part for part in parts if part.split()[0] not in ("worker-src", "connect-src")]
    parts = [part.replace("script-src 'self' file:", "script-src 'self' file: 'wasm-unsafe-eval'")
             if "wasm" not in part else part for part in parts]
    return html.escape("; ".join([*parts, "worker-src blob:", "connect-src 'self'"]))


def equip(file: Path, page: str, data: dict, folder: str, script: bytes) -> None:
    """Write what a page may run into its head; a page that had it gets it anew."""
    up = "../" * (len(file.relative_to(HTML).parts) - 1)
    base = f"{up}{folder}/"
    text = json.dumps(data | {"base": base}, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    integrity = f"sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}"
    head = (f'<script type="application/json" id="derl-live">{text}</script>\n'
            f'<link rel="stylesheet" href="{base}live.css">\n'
            f'<script type="module" src="{base}live.js" integrity="{integrity}"></script><!-- live -->')
    page = POLICY.sub(lambda found: found[1] + policy(found[2]) + found[3], OURS.sub("", page), count=1)
    file.write_text(page.replace("</head>", f"{head}\n</head>", 1), encoding="utf-8")


def tell(said: str, excluded: list[tuple[str, str]]) -> None:
    """Write on the page "What runs in the browser" what runs there, and what does not."""
    file = HTML / "book" / "back" / "browser.html"
    rows = "".join(f"<tr><td>{html.escape(what)}</td><td>{html.escape(why)}</td></tr>" for what, why in excluded)
    table = f"<table><thead><tr><th>no button for</th><th>because</th></tr></thead><tbody>{rows}</tbody></table>"
    page = TOLD.sub(lambda found: f"{found[1]}<p>{html.escape(said)}</p>{table}{found[2]}", file.read_text("utf-8"))
    file.write_text(page, encoding="utf-8")
