"""The chapter "Beyond the paper" as a paper that can be cited: _build/beyond.pdf, printed by Chromium like the book.

    python book/_setup/note.py [--out _build/beyond.pdf]

The paper itself is the page book/beyond/paper.md, with a bibliography of what is cited. Its appendices are the
definitions that it uses, a table of all results with their verdicts and pages, and the other pages of the chapter with
every proof. All of it is taken from the built pages and from the ledger.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from functools import cache
from pathlib import Path
from string import ascii_uppercase
from urllib.parse import urlsplit

import pdf
import yaml
from bs4 import BeautifulSoup, Tag
from printing import Printer
from pypdf import PdfReader, PdfWriter

from derl.ledger import Ledger

TITLE = "How many deployments does exploration in a linear MDP need?"
FOLDER, INDEX, BODY = "book/beyond/", "book/beyond/index", "book/beyond/paper"
SETTING = {"book/foundations/setting": ("asm-linear-mdp", "def-deployment"),
           "book/reachability/reachability": ("def-reachability",)}
ELSEWHERE = {"book/reward-free/direct": ("res-concentration-direct", "res-reward-free-direct-samples")}
EVIDENCE = ("book/evidence/beyond", "book/evidence/foundations", "book/evidence/reachability",
            "book/evidence/reward-free")
TEACHING = ("in-plain-words", "the-smallest-example-by-hand", "exercises", "recap", "run-it-yourself", "contents")
LEFT_OUT = "aside, .admonition:not(details), .cell_input, details:has(> .cell_input), .toctree-wrapper, .moves"
FACTS = ("Verdict", "Rests on", "Not proved below", "Assumptions")


def chapters() -> list[str]:
    """The pages of the chapter that have its statements, in the order of the book."""
    def files(entry) -> list[str]:
        below = [page for key in ("parts", "chapters", "sections") for one in entry.get(key, ()) for page in files(one)]
        return [entry["file"], *below] if "file" in entry else below

    toc = yaml.safe_load((pdf.ROOT / "book" / "_toc.yml").read_text(encoding="utf-8"))
    left_out = (INDEX, BODY, f"{FOLDER}exercises")
    return [page for page in files(toc) if page.startswith(FOLDER) and page not in left_out]


@cache
def facts(key: str) -> str:
    """The facts about the verdict of a statement, from the page with its evidence."""
    for page in EVIDENCE:
        box = evidence(page).find(id=f"{pdf.slug(page)}--evidence-{key}")
        if box is not None:
            return str(box.select_one("dl.facts-card"))
    return ""


@cache
def evidence(page: str) -> Tag:
    return pdf.article(page, {BODY, *chapters()})


def body(page: str) -> Tag:
    """A page as the printed book has it, without what teaches: exercises, inputs of cells, aims."""
    text = pdf.article(page, {BODY, *chapters()})
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
        elif heading and "claim-title" in heading.get("class", []):
            heading.name = "p"
        elif heading:
            heading.decompose()
        node.name = "div"
    for line in text.select(".claim-checked"):
        line.replace_with(BeautifulSoup(facts(line.find_parent(class_="claim")["id"].partition("--")[2]),
                                        "html.parser"))
    for box in text.select("dl.facts-card"):
        for term in box.find_all("dt", recursive=False):
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
    rows, anchors = ["Result", "Verdict", "Steps", "Checks", "False variants", "Rejected", "Page"], []
    table.append(BeautifulSoup("<tr>" + "".join(f"<th>{name}</th>" for name in rows) + "</tr>", "html.parser"))
    for part in parts:
        for card in part.select(".claim-result:is(.claim-full, .claim-line)"):
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
    paper = body(BODY)
    paper.h1.find_next_sibling("p").decompose()  # how to print this note
    paper.h1.decompose()
    for number, title in enumerate(paper.find_all("h2")[1:], 1):  # the abstract has no number
        title.insert(0, f"{number}  ")
    setting = appendix("Definitions", "Definitions of the book that the appendices use.", sheet)
    setting.extend(cards(SETTING))
    proofs = [body(page) for page in chapters()]
    elsewhere = appendix("Reward-free exploration", "Two results whose proofs are in another chapter.", sheet)
    elsewhere.extend(cards(ELSEWHERE))
    parts = [paper, setting, *proofs, elsewhere]
    known = bibliography(parts, sheet)
    inside([*parts, known])
    table, anchors = results(proofs, ledger, sheet)
    counts = appendix("All results", f"Verdicts of one run of all checks: derl {ledger.version}, {ledger.tier} tier, "
                      f"seed {ledger.seed}, ledger {ledger.digest[:12]}.", sheet)
    counts.append(table)
    for letter, part in zip(ascii_uppercase, (setting, counts, *proofs, elsewhere), strict=False):
        part.h1.insert(0, f"{letter}  ")
    html = f"""<section class="note-front"><p class="book-title">{TITLE}</p><p>The derl authors</p>
<p>Printed from the book <i>Deployment-efficient reinforcement learning, the executable paper</i>. The
<a href="#{setting['id']}">appendices</a> with all proofs begin on page <b data-page="{setting['id']}"></b>.</p>
</section>{paper}{known}{setting}{counts}{"".join(map(str, proofs))}{elsewhere}"""
    return html, [*anchors, setting["id"]]


def appendix(title: str, begins: str, sheet: BeautifulSoup) -> Tag:
    """A section of the appendix that no page of the book has."""
    section = sheet.new_tag("section", attrs={"class": "chapter", "id": f"appendix-{title.lower().replace(' ', '-')}"})
    section.extend([sheet.new_tag("h1", string=title), sheet.new_tag("p", string=begins)])
    return section


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
    reader = PdfReader(given.out)
    before = reader.get_destination_page_number(reader.named_destinations["/appendix-definitions"])
    print(f"{given.out}: {len(reader.pages)} pages, {before} before the appendices")


if __name__ == "__main__":
    main()
