"""A strict Content-Security-Policy in every page: only the book's own scripts run.

Scripts come from files of the site; of those that are written into a page only the ones named here run, by their
SHA-256. A script in a statement, in a cell or in the text of a page is therefore dead. The policy is a `meta` element,
since a folder of files has no server that could send headers; `file:` is in it for the book that is opened from disk.
"""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape

THEME = (  # what the theme, sphinx-togglebutton and the switch for dark mode write into every page
    "var togglebuttonSelector = '.toggle, .admonition.dropdown';",
    "let toggleHintShow = 'Click to show';", "let toggleHintHide = 'Click to hide';", "let toggleOpenOnPrint = 'true';",
    '\n    document.documentElement.dataset.mode = localStorage.getItem("mode") || "auto";\n    '
    'document.documentElement.dataset.theme = localStorage.getItem("theme") || "auto";\n  ')
OTHERS = ("default-src 'self' file:", "style-src 'self' file: 'unsafe-inline'", "img-src 'self' file: data: blob:",
          "font-src 'self' file: data:", "object-src 'none'", "base-uri 'none'", "form-action 'self' file:")


def policy(scripts: tuple[str, ...] = ()) -> str:
    """The `meta` element of a page in which these scripts may stand."""
    digests = [f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in scripts]
    content = "; ".join([" ".join(["script-src 'self' file:", *digests]), *OTHERS])
    return f'<meta http-equiv="Content-Security-Policy" content="{escape(content)}">'


def secure(app, pagename, templatename, context, doctree) -> None:
    """Put the policy at the beginning of the head."""
    named = f"DOCUMENTATION_OPTIONS.pagename = '{pagename}';"
    maths = f"window.MathJax = {json.dumps(app.config.mathjax3_config)}"
    context["metatags"] = f"\n{policy((*THEME, named, maths))}{context.get('metatags', '')}"


def setup(app):
    app.connect("html-page-context", secure)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
