"""A strict Content-Security-Policy in every page: only the book's own scripts run.

Scripts come from files of the site, or stand in the page with their SHA-256 in the policy; nothing evaluates text,
nothing is fetched from elsewhere, and no attribute handles an event. The policy is a `meta` element, since a folder of
files has no server that could send headers; `file:` is in it for the book that is opened from the disk, where a page
has no origin that 'self' could name. Styles may stand within the page: plotly and MathJax write some.

It runs last, on the files as they are written, and leaves what it has already done as it is. A script that an author
writes into the text of a page would get its digest like the others, so such a page is reported when it is read.
"""

from __future__ import annotations

import base64
import hashlib
import re
from html import escape
from pathlib import Path

from sphinx.util import logging

from derl.inputs import files

logger = logging.getLogger(__name__)
SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.DOTALL | re.IGNORECASE)
TYPE = re.compile(r"""\btype\s*=\s*["']?([^"'\s>]*)""", re.IGNORECASE)
SOURCE = re.compile(r"\bsrc\s*=", re.IGNORECASE)
DOCTYPE = re.compile(r"\s*(<!doctype\b[^>]*>)?", re.IGNORECASE)
HEAD = re.compile(r"<head\b[^>]*>", re.IGNORECASE)
CODE = re.compile(r"^([ \t]*)(`{3,}|~{3,}).*?^[ \t]*\2|`[^`\n]*`", re.DOTALL | re.MULTILINE)
OURS = re.compile(r'\n<meta http-equiv="Content-Security-Policy"[^>]*>')
RUN = {"", "module", "text/javascript", "application/javascript", "text/plotly"}  # page.js makes scripts of the last
OTHERS = ("default-src 'self' file:", "style-src 'self' file: 'unsafe-inline'", "img-src 'self' file: data: blob:",
          "font-src 'self' file: data:", "object-src 'none'", "base-uri 'none'", "form-action 'self' file:")


def hashes(html: str) -> list[str]:
    """Sources 'sha256-...' of the scripts that stand in a page, in order, each once."""
    found = [text for attributes, text in SCRIPT.findall(html)
             if not SOURCE.search(attributes) and _type(attributes) in RUN]
    digests = (hashlib.sha256(_read(text).encode()).digest() for text in found)
    return list(dict.fromkeys(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests))


def policy(html: str) -> str:
    """The policy of a page."""
    return "; ".join([" ".join(["script-src 'self' file:", *hashes(html)]), *OTHERS])


def secured(html: str) -> str:
    """The page with its policy first in the head, or before all else where no head is written (that is its head)."""
    html = OURS.sub("", html)
    head = HEAD.search(html) or DOCTYPE.match(html)
    meta = f'\n<meta http-equiv="Content-Security-Policy" content="{escape(policy(html))}">'
    return f"{html[:head.end()]}{meta}{html[head.end():]}"


def _type(attributes: str) -> str:
    found = TYPE.search(attributes)
    return found[1].lower() if found else ""


def _read(text: str) -> str:
    """A script as the browser reads it."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def secure(app, error) -> None:
    """Write the policy into every page of the site."""
    if error is None and app.builder.name == "html":
        for template in Path(app.outdir, "_static").glob("*macros.html"):
            template.unlink()  # the theme's own sources, which are no pages and which no page reads
        for page in sorted(Path(app.outdir).rglob("*.html")):
            before = page.read_text(encoding="utf-8")
            after = secured(before)
            if after != before:
                files.write(page, after.encode())


def written(text: str) -> bool:
    """Whether the text of a page, outside of its code, has a script that comes from no file."""
    return any(not SOURCE.search(attributes) and _type(attributes) in RUN
               for attributes, _ in SCRIPT.findall(CODE.sub("", text)))


def report(app, docname, source) -> None:
    """Warn of a script in the text of a page: the policy would let it run."""
    if written(source[0]):
        logger.warning("a script is written into this page; put it into a file under book/_static and name that in src",
                       location=docname)


def setup(app):
    app.connect("source-read", report)
    app.connect("build-finished", secure, priority=999)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
