"""The address of the repository: buttons on every page, and links from every check to its line.

It is set in one place, `repository` in _config.yml; `make book REPOSITORY=...` sets another for one build. Where it is
empty there are no buttons, and a check links to the copy of its file within the book (code_pages.py).

    python book/_ext/repository.py        check the value of the variable REPOSITORY, and say nothing where it is good
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import quote, urlencode

from sphinx.errors import ConfigError

HOME = "https://github.com"  # of an address that is only owner/name
LAUNCHER = "https://mybinder.org/v2"
FORM = "statement.yml"  # .github/ISSUE_TEMPLATE/
NAME = r"[A-Za-z0-9][A-Za-z0-9._-]*"
SHORT = re.compile(rf"{NAME}/{NAME}")
LONG = re.compile(rf"https://(?P<host>[A-Za-z0-9][A-Za-z0-9.-]*(?::\d+)?)/(?P<path>(?:{NAME}/)+{NAME})")


class InvalidAddress(ValueError):
    """The value is no address of a repository; the message says what is allowed."""


@dataclass(frozen=True)
class Repository:
    """Where the repository can be read.

    Attributes
    ----------
    url : str
        Its address, without a slash at the end.
    branch : str
        The branch to which links lead.
    """

    url: str
    branch: str = "main"

    @property
    def host(self) -> str:
        return self.url.split("/")[2]

    def file(self, name: str, line: int | None = None, what: str = "blob") -> str:
        """Address of a file, at a line; what="edit" opens an editor."""
        gitlab = "/-" if "gitlab" in self.host else ""
        place = f"{self.url}{gitlab}/{what}/{quote(self.branch)}/{quote(name)}"
        return place if line is None else f"{place}#L{line}"

    def issue(self, page: str) -> str:
        """Address of a new issue about a page."""
        title = f"On the page {page}: "
        if "gitlab" in self.host:
            return f"{self.url}/-/issues/new?{urlencode({'issue[title]': title})}"
        return f"{self.url}/issues/new?{urlencode({'template': FORM, 'title': title})}"

    def launch(self, name: str) -> str:
        """Address at which a file of the repository opens in JupyterLab, on Binder."""
        path = self.url.split("/", 3)[3]
        known = {"github.com": f"gh/{path}", "gitlab.com": f"gl/{quote(path, safe='')}"}
        source = known.get(self.host, f"git/{quote(self.url, safe='')}")
        return f"{LAUNCHER}/{source}/{quote(self.branch, safe='')}?{urlencode({'urlpath': f'lab/tree/{name}'})}"


def repository(value: str, branch: str = "main") -> Repository | None:
    """The repository of an address; None where the address is empty.

    Parameters
    ----------
    value : str
        `owner/name`, or an address that begins with https:// and has no user, query or fragment in it. A slash or
        `.git` at its end is left out.

    Raises
    ------
    InvalidAddress
    """
    plain = value.strip().removesuffix("/").removesuffix(".git")
    if not plain:
        return None
    if SHORT.fullmatch(plain):
        plain = f"{HOME}/{plain}"
    if not LONG.fullmatch(plain) or ".." in plain:
        raise InvalidAddress(f"REPOSITORY is {value!r}; allowed are owner/name and an address such as "
                             f"{HOME}/owner/name")
    return Repository(plain, branch)


def of_build(config) -> Repository | None:
    """The repository of this build; None without one."""
    return repository(config.repository, config.repository_branch)


def line_of(file: str, line: int, config, docname: str) -> str:
    """Where a line of a check can be read: in the repository, or without one in the book itself."""
    found = of_build(config)
    if found is not None:
        return found.file(file, line)
    page = PurePosixPath(file).with_suffix(".html")
    return f"{'../' * docname.count('/')}_static/code/{page}#L{line}"


def lab_of(page: str, root: Path) -> str:
    """The lab of the chapter of a page, or the gallery of all labs where the page has no such chapter."""
    own = f"notebooks/{PurePosixPath(page).parent.name.replace('-', '_')}.ipynb"
    return own if (root / own).is_file() else "notebooks/index.ipynb"


def buttons(found: Repository, file: str, page: str, lab: str) -> list[dict]:
    """What the theme draws at the head of a page: a menu about the source, and a menu that opens a lab."""
    def link(label: str, text: str, url: str) -> dict:
        return {"type": "link", "label": label, "text": text, "tooltip": text, "url": url, "icon": None}

    source = [link("repository-button", "Repository", found.url),
              link("source-file-button", "Source of this page", found.file(file)),
              link("source-edit-button", "Suggest a change", found.file(file, what="edit")),
              link("source-issues-button", "Report an error", found.issue(page))]
    which = "the labs" if lab.endswith("/index.ipynb") else "the lab of this chapter"
    launch = [link("launch-button", f"Open {which} on Binder", found.launch(lab))]
    return [{"type": "group", "label": "source-buttons", "tooltip": "Source of the book", "icon": "fa-solid fa-code",
             "buttons": source},
            {"type": "group", "label": "launch-buttons", "tooltip": "Run it", "icon": "fa-solid fa-play",
             "buttons": launch}]


def add_buttons(app, pagename, templatename, context, doctree):
    """Buttons for a page that has a source; search and other made pages have none."""
    found = of_build(app.config)
    if found is not None and doctree is not None and app.builder.name == "html":
        file = PurePosixPath(os.path.relpath(app.env.doc2path(pagename), app.srcdir)).as_posix()
        page = pagename.removeprefix("book/")
        context.setdefault("header_buttons", []).extend(buttons(found, file, page, lab_of(page, Path(app.srcdir))))


def choose(app, config):
    """Let the variable come before the file; stop at once, with one line, where the value is no address.

    The value becomes part of the configuration, so that Sphinx reads all pages again when it changes.
    """
    config.repository = os.environ.get("REPOSITORY", "").strip() or config.repository or ""
    try:
        of_build(config)
    except InvalidAddress as wrong:
        raise ConfigError(str(wrong)) from None


def setup(app):
    app.add_config_value("repository", "", "env")
    app.add_config_value("repository_branch", "main", "env")
    app.connect("config-inited", choose)
    app.connect("html-page-context", add_buttons, priority=502)  # the theme begins its list of buttons before
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    try:
        repository(os.environ.get("REPOSITORY", ""))
    except InvalidAddress as wrong:
        sys.exit(f"book: {wrong}")
