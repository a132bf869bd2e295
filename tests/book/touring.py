"""Two tours of the book, on which all tests of pages in a browser look; no fault is looked for twice.

The first is brief and belongs to `make test`: it opens every page from a server, as wide as a desk and as a phone,
and shows one page of each kind to axe. The second belongs to `make test-all`: it opens every page from disk with all of
its boxes, and looks at both modes, three widths and all formulas. One program makes the pages with the evidence, of
thousands of boxes; of these it opens one.
"""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from browser import in_chromium
from test_pages import pages_of

PLANTED = "book/layerwise/planted.html"
EVIDENCE, INDEX, OPENED = "book/evidence/", "book/evidence/index.html", "book/evidence/potential.html"
# one of each kind
CHOSEN = ("book/index.html", "search.html", "layerwise/algorithm-one.html", PLANTED, "reachability/reachability.html",
          "back/graph.html", "back/ledger.html")


def tour(depth: str, urls: list[str], chosen: list[str] | None = None) -> dict:
    """Open the addresses one after the other; what was met, per address.

    A brief tour looks at the chosen addresses whole; on a full one axe leaves them out, because it has seen them.
    """
    return in_chromium(Path(__file__).with_name("tour.mjs"), depth, *urls, *(["--", *chosen] if chosen else []))


def chosen(name: str) -> bool:
    """Whether a page is one of those that stand for their kind."""
    return name.endswith(CHOSEN)


def opened_from_disk(name: str) -> bool:
    """Whether the full tour opens a page: all of them, and of the pages with the evidence two."""
    return not name.startswith(EVIDENCE) or name in (INDEX, OPENED)


def with_a_planted_page(html: Path, site: Path) -> Path:
    """The book in another folder, by links, and a page with a script and a handler that its policy does not know."""
    for folder in (Path(), *reversed(Path(PLANTED).parents[:-1])):
        (site / folder).mkdir(exist_ok=True)
        for path in (html / folder).iterdir():
            if not Path(PLANTED).is_relative_to(folder / path.name):
                (site / folder / path.name).symlink_to(path)
    source = (html / PLANTED).with_name("algorithm-one.html").read_text(encoding="utf-8")
    (site / PLANTED).write_text(source.replace("</body>", '<script>window.planted = 1</script><img src="no" '
                                               'onerror="window.planted = 1"></body>'), encoding="utf-8")
    return site


def from_disk(html: Path, site: Path) -> dict:
    """Page, as a path within the book -> what was met."""
    names = {page.as_uri(): page.relative_to(html).as_posix() for page in pages_of(html)}
    urls = {url: name for url, name in names.items() if opened_from_disk(name)}
    urls |= {(site / PLANTED).as_uri(): PLANTED}
    parts = [[url for url, name in urls.items() if chosen(name) is seen] for seen in (False, True)]
    return {urls.get(url, url): met for url, met in tour("full", *parts).items()}


def over_http(html: Path, site: Path) -> dict:
    """The same from a server, briefly; whole for the pages that are chosen."""
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *words):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site))
    Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}/"
    names = [*(page.relative_to(html).as_posix() for page in pages_of(html)), PLANTED]
    parts = [[base + name for name in names if chosen(name) is whole] for whole in (False, True)]
    try:
        return {url.removeprefix(base): met for url, met in tour("brief", *parts).items()}
    finally:
        server.shutdown()
