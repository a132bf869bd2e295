"""Sheets of HTML into PDF files by Chromium, and these into one document with bookmarks and links."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import chromium
from bs4 import BeautifulSoup
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, FloatObject, NameObject

BOOK = Path(__file__).resolve().parents[1]


class Printer:
    """Chromium, kept open: sheets in, PDF files out."""

    def __init__(self, folder: Path):
        path = os.pathsep.join([os.environ["PATH"], str(Path(sys.executable).parent)])
        environment = os.environ | {"PATH": path, "CHROMIUM": chromium.find() or "",
                                    "NODE_MODULES": f"{BOOK}/"}
        script = Path(__file__).with_name("pdf.mjs")
        self.folder = folder
        self.process = subprocess.Popen([shutil.which("node", path=path) or "node", script], text=True,
                                        env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, file: Path) -> Path:
        out = self.folder / f"{file.stem}.pdf"
        self.process.stdin.write(json.dumps([file.as_uri(), str(out)]) + "\n")
        self.process.stdin.flush()
        if self.process.stdout.readline().strip() != "printed":
            sys.exit(f"pdf: Chromium could not print {file.stem}")
        return out

    def __enter__(self):
        return self

    def __exit__(self, *trouble):
        self.process.stdin.close()
        self.process.wait(60)


def join(files: list[Path], out: Path) -> None:
    """One document; links from one sheet to another become links within it."""
    writer, places = PdfWriter(), {}
    for file in files:
        reader, first = PdfReader(file), len(writer.pages)
        for name, place in reader.named_destinations.items():
            number = reader.get_destination_page_number(place)
            if number is not None and number >= 0:
                places[name.removeprefix("/")] = (first + number, place.get("/Left", 0), place.get("/Top", 0))
        writer.append(reader, import_outline=False)
    for page in writer.pages:
        for note in list(page.get("/Annots") or []):
            address, _, place = str(note.get_object().get("/A", {}).get("/URI", "")).partition("#")
            if not address.startswith("file:"):
                continue
            if unquote(place) in places:
                number, *at = places[unquote(place)]
                note.get_object()[NameObject("/Dest")] = ArrayObject(
                    [writer.pages[number].indirect_reference, NameObject("/XYZ"), *map(FloatObject, (*at, 0))])
                del note.get_object()["/A"]
            else:  # to a file of this machine, or to a page that is not printed
                page["/Annots"].remove(note)
    writer.write(out)


def mark(file: Path, parts: list[tuple[str, list[str]]], begin: dict[str, int],
         titles: dict[str, str], name: str) -> None:
    """Bookmarks for parts and chapters, and a name for the whole."""
    writer = PdfWriter(clone_from=file)
    for caption, names in parts:
        above = writer.add_outline_item(title=caption, page_number=begin[names[0]] - 1) if caption else None
        for page in names:
            plain = " ".join(BeautifulSoup(titles[page], "html.parser").get_text().split())
            writer.add_outline_item(title=plain, page_number=begin[page] - 1, parent=above)
    writer.add_metadata({"/Title": name, "/Author": "The derl authors"})
    writer.write(file)
