"""The chapter "Beyond the paper" as a note that can be cited: _build/beyond.pdf, printed by Chromium like the book.

    python book/_setup/note.py [--out _build/beyond.pdf]

Title, abstract, setting, a table of the results with their verdicts, every result with its proof, what it rests on and
the tables of its page, what was known, what is open, and a bibliography of what is cited here. All of it is taken from
the built pages and from the ledger: nothing is said here that the book does not say, and no number is typed.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

import pdf
from bs4 import BeautifulSoup, Tag
from printing import Printer
from pypdf import PdfReader, PdfWriter

from derl.ledger import Ledger

TITLE = "Deployments against samples in linear MDPs"
INDEX = "book/beyond/index"
CHAPTERS = tuple(f"book/beyond/{page}" for page in (
    "exchange-law", "blocks", "no-reachability", "no-reachability-proof",
    "deterministic-count", "refinements", "search"))
SETTING = {"book/foundations/setting": ("asm-linear-mdp", "def-deployment"),
           "book/reachability/reachability": ("def-reachability",)}
ELSEWHERE = {"book/reward-free/direct": ("res-concentration-direct", "res-reward-free-direct-samples")}
TEACHING = ("in-plain-words", "the-smallest-example-by-hand", "exercises", "recap", "run-it-yourself", "contents")
MOVED = {"fig-exchange-law": "the-law", "fig-cut-model": "the-model-and-its-cuts"}  # figures of sections left out
LEFT_OUT = "aside, .admonition:not(details), .cell_input, details:has(> .cell_input), .toctree-wrapper, .moves"
FACTS = ("Verdict", "Rests on", "Not proved below", "Assumptions")


def body(page: str) -> Tag:
    """A page as the printed book has it, without what teaches: exercises, inputs of cells, aims."""
    text = pdf.article(page, {INDEX, *CHAPTERS})
    for figure, section in MOVED.items():
        found = text.find(id=f"{pdf.slug(page)}--{figure}")
        if found:
            text.find(id=f"{pdf.slug(page)}--{section}").append(found.extract())
    for name in TEACHING:
        section = text.find(id=f"{pdf.slug(page)}--{name}")
        if section:
            section.decompose()
    for node in text.select(LEFT_OUT):
        node.decompose()
    for node in text.select("details"):  # nothing opens on paper
        heading = node.find("summary", recursive=False)
        if heading and "claim-proof" in node.get("class", []):
            heading.name, heading["class"] = "p", ["proof-title"]
        elif heading:
            heading.decompose()
        node.name = "div"
    for facts in text.select("dl.facts-card"):
        for term in facts.find_all("dt", recursive=False):
            if term.get_text(strip=True) not in FACTS:
                term.find_next_sibling("dd").decompose()
                term.decompose()
    return text


def cards(pages: dict[str, tuple[str, ...]]) -> list[Tag]:
    """Single statements of other pages."""
    found = []
    for page, keys in pages.items():
        text = body(page)
        for key in keys:
            card = text.find(id=f"{pdf.slug(page)}--{key}")
            if card is None:
                sys.exit(f"note: {page} has no statement {key}")
            found.append(card)
    return found


def bibliography(parts: list[Tag], sheet: BeautifulSoup) -> Tag:
    """What is cited in the parts, in the order of the book's references; the links lead here."""
    source = BeautifulSoup((pdf.HTML / "book/back/references.html").read_text(encoding="utf-8"), "html.parser")
    cited = {link["href"].rpartition("#")[2] for part in parts for link in part.select('a[href*="references.html#"]')}
    section = sheet.new_tag("section", attrs={"class": "chapter bibliography"})
    title = sheet.new_tag("h1")
    title.string = "References"
    section.append(title)
    entries = [entry for entry in source.select(".citation") if entry["id"] in cited]
    for entry in sorted(entries, key=lambda entry: entry.p.get_text().split(",")[0].split()[-1]):
        entry.select_one(".label").decompose()
        entry.p["id"] = f"cited-{entry['id']}"
        section.append(entry.p)
    for part in parts:
        for link in part.select('a[href*="references.html#"]'):
            link["href"] = f"#cited-{link['href'].rpartition('#')[2]}"
    return section


def inside(parts: list[Tag]) -> None:
    """Links stay inside the note, or lead to the web; all others become plain words."""
    ids = {node["id"] for part in parts for node in [part, *part.find_all(id=True)] if node.get("id")}
    by_key = {name.rpartition("--")[2]: name for name in ids}
    for part in parts:
        for link in part.find_all("a", href=True):
            target = link["href"]
            key = target.rpartition("#")[2].rpartition("--")[2]
            if target.startswith("#") and target[1:] in ids or urlsplit(target).scheme in ("http", "https"):
                continue
            if "#" in target and key in by_key:
                link["href"] = f"#{by_key[key]}"
            else:
                link.unwrap()


def results(parts: list[Tag], ledger: Ledger, sheet: BeautifulSoup) -> tuple[Tag, list[str]]:
    """The table of results: verdict, checks, falsehoods that were planted and rejected, page."""
    table = sheet.new_tag("table", attrs={"class": "results"})
    rows, anchors = ["Result", "Verdict", "Steps", "Checks", "Planted", "Rejected", "Page"], []
    table.append(BeautifulSoup("<tr>" + "".join(f"<th>{name}</th>" for name in rows) + "</tr>", "html.parser"))
    for part in parts:
        for card in part.select(".claim-result.claim-full"):
            key = card["id"].rpartition("--")[2]
            row = ledger.claims[key]
            rejected = sum(control.outcome == "rejected" for control in row.controls)
            title = card.select_one(".claim-title strong").decode_contents()
            steps = len(card.select(".proof-steps > li")) or "–"
            cells = (f'<a href="#{card["id"]}">{title}</a>', row.verdict, steps, len(row.checks), len(row.controls),
                     rejected, f'<b data-page="{card["id"]}"></b>')
            table.append(BeautifulSoup("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>",
                                       "html.parser"))
            anchors.append(card["id"])
    return table, anchors


def compose() -> tuple[str, list[str]]:
    """The text to be printed, and the anchors whose page numbers it asks for."""
    ledger = Ledger.load(pdf.ROOT / "_build" / "ledger.json")
    sheet = BeautifulSoup("", "html.parser")
    front = body(INDEX)
    front.h1.find_next_sibling("p").decompose()  # how to print this note
    front.h1.decompose()
    setting = sheet.new_tag("section", attrs={"class": "chapter", "id": "setting"})
    setting.append(BeautifulSoup("<h1>Setting</h1>", "html.parser"))
    setting.extend(cards(SETTING))
    chapters = [body(page) for page in CHAPTERS]
    chapters[-1].find(string=re.compile("proved where it belongs")).find_parent("section").extend(cards(ELSEWHERE))
    parts = [front, setting, *chapters]
    known = bibliography(parts, sheet)
    inside([*parts, known])
    table, anchors = results(chapters, ledger, sheet)
    said = (f"derl {ledger.version}, {ledger.tier} tier of checks, seed {ledger.seed}, ledger "
            f"{ledger.digest[:12]}")
    counts = BeautifulSoup(f'<section class="chapter"><h1>Results</h1><p>From the run of all checks that this note '
                           f'speaks of ({said}).</p></section>', "html.parser")
    counts.section.append(table)
    for number, part in enumerate([setting, counts.section, *chapters], 1):
        part.h1.insert(0, f"{number}  ")
    html = f"""<section class="note-front"><p class="book-title">{TITLE}</p><p>The derl authors</p>
<p>A note printed from the book <i>Deployment-efficient reinforcement learning, the executable paper</i>: its chapter
“Beyond the paper”.</p></section>{front}{setting}{counts}{"".join(map(str, chapters))}{known}"""
    return html, anchors


def numbered(html: str, pages: dict[str, int]) -> str:
    """The text with the numbers of pages where it asks for them."""
    return re.sub(r'(<b data-page="([^"]*)">)', lambda found: f"{found[1]}{pages.get(found[2], '')}", html)


def printed(out: Path, folder: Path) -> None:
    """Print the note, read where the anchors stand, and print it again with the numbers of these pages."""
    (html, anchors), numbers, config = compose(), {}, pdf.macros(INDEX)
    with Printer(folder) as printer:
        for _ in range(2):
            file = printer(pdf.sheet(folder, "note", numbered(html, numbers), 1, config, TITLE, "printed note"))
            reader = PdfReader(file)
            places = reader.named_destinations
            numbers = {name: reader.get_destination_page_number(places[f"/{name}"]) + 1 for name in anchors}
    writer = PdfWriter(clone_from=file)
    writer.add_metadata({"/Title": TITLE, "/Author": "The derl authors"})
    writer.write(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--out", type=Path, default=pdf.ROOT / "_build" / "beyond.pdf")
    given = parser.parse_args()
    if not (pdf.HTML / f"{INDEX}.html").is_file():
        sys.exit("note: there is no book yet; run `make book` first")
    with tempfile.TemporaryDirectory() as folder:
        printed(given.out, Path(folder))
    print(f"{given.out}: {len(PdfReader(given.out).pages)} pages")


if __name__ == "__main__":
    main()
