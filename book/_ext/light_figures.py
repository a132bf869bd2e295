"""Figures without what no reader sees: metadata, names of groups, decimals beyond a hundredth of a point.

Matplotlib writes millionths of a point, the place of each corner from the origin, and a line for each piece of a path.
The pages load figures as images, so that nothing can refer to a part of one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from derl.inputs import files

GONE = re.compile(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>", re.DOTALL)
ID = re.compile(r' id="([^"]*)"')
USED = re.compile(r'href="#([^"]*)"|url\(#([^)]*)\)')
PATH = re.compile(r'(?<= )d="([MLQCz\d\s.eE+-]*)"')
GLYPH = re.compile(r'd="([MLQCz\d\s.-]*)" transform="scale\(0\.015625\)"')  # of a letter, in units of 1/64 of a point
PLACE = re.compile(r'(?<= )(x|y|x1|y1|x2|y2|width|height|cx|cy|r)="(-?[\d.]+)"')
MOVED = re.compile(r"translate\((-?[\d.]+) (-?[\d.]+)\)")
LETTER = re.compile(r'<use xlink:href="#([^"]*)"(?: transform="translate\(([-\d.]+) ([-\d.]+)\)")?/>')
STYLE = re.compile(r'style="([^"]*)"')
BETWEEN = re.compile(r"(?<=[:;]) +")
PART = re.compile(r"[MLQCz]|-?\d*\.?\d+(?:[eE][-+]?\d+)?")
BARE = re.compile(r"<g>\s*</g>|<defs>\s*</defs>")
PLACES = 2
COARSER = 8  # units of a letter that become one: at ten points an eightieth of a point


def short(number: float, places: int = PLACES) -> str:
    """A number with few decimals and no zero before the point."""
    text = f"{number:.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("", "-0") else re.sub(r"^(-?)0\.", r"\1.", text)


def path(data: str, places: int = PLACES, divided: float = 1) -> str:
    """The data of a path with rounded corners, each told from the one before.

    Rounding does not add up: a corner is told from where the rounded corner before it is.
    """
    made, at, start, numbers, command = [], (0.0, 0.0), (0.0, 0.0), [], ""
    for part in PART.findall(data):
        if part == "z":
            made.append("z")
            at, command = start, ""
        elif part.isalpha():
            command = part
        else:
            numbers.append(round(float(part) / divided, places))
            if len(numbers) < {"M": 2, "L": 2, "Q": 4, "C": 6}[command]:
                continue
            told = [short(number - at[n % 2], places) for n, number in enumerate(numbers)]
            at = numbers[-2], numbers[-1]
            start = at if command == "M" else start
            if command == "L" and "0" in told:
                made.append(f"h{told[0]}" if told[1] == "0" else f"v{told[1]}")
            else:
                made.append(command.lower() + re.sub(r" (?=-)", "", " ".join(told)))
            numbers, command = [], "L" if command == "M" else command
    return "".join(made)


def light(svg: str) -> str:
    """The same picture in fewer bytes; what is not as Matplotlib writes it stays as it is."""
    svg = GONE.sub("", svg)
    named = dict.fromkeys(name for pair in USED.findall(svg) for name in pair if name)
    fresh = {name: f"i{n:x}" for n, name in enumerate(named)}
    svg = ID.sub(lambda found: f' id="{fresh[found[1]]}"' if found[1] in fresh else "", svg)
    svg = GLYPH.sub(lambda found: f'd="{path(found[1], 0, COARSER)}" transform="scale({COARSER / 64:g})"', svg)
    svg = PATH.sub(lambda found: f'd="{path(found[1])}"', svg)
    svg = LETTER.sub(_letter, svg)
    svg = PLACE.sub(lambda found: f'{found[1]}="{short(float(found[2]))}"', svg)
    svg = MOVED.sub(lambda found: f"translate({short(float(found[1]))} {short(float(found[2]))})", svg)
    svg = USED.sub(lambda found: f'href="#{fresh[found[1]]}"' if found[1] else f"url(#{fresh[found[2]]})", svg)
    svg = svg.replace("xlink:href", "href").replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "")
    if "<text" not in svg:  # between words of a text a space would count
        svg = re.sub(r">\s+<", "><", svg)
    while BARE.search(svg):
        svg = BARE.sub("", svg)
    return _shared(svg).strip() + "\n"


def _letter(found: re.Match) -> str:
    """A `use` at a place, which needs no transformation."""
    name, x, y = found.groups()
    places = [f' {axis}="{value}"' for axis, value in (("x", x), ("y", y)) if value and float(value)]
    return f'<use xlink:href="#{name}"{"".join(places)}/>'


def _shared(svg: str) -> str:
    """Styles that several elements have, as classes."""
    counted = Counter(STYLE.findall(svg))
    often = {style: f"s{n:x}" for n, style in enumerate(style for style, count in counted.items() if count > 1)}
    rules = "".join(f".{name}{{{BETWEEN.sub('', style)}}}" for style, name in often.items())
    svg = STYLE.sub(lambda found: f'class="{often[found[1]]}"' if found[1] in often else found[0], svg)
    return svg.replace("</style>", f"{rules}</style>", 1)


def rewrite(paths: Iterable[Path], change: Callable[[str], str]) -> None:
    """Write those files anew that `change` makes another text of."""
    for path in paths:
        before = path.read_text(encoding="utf-8")
        if (after := change(before)) != before:
            files.write(path, after.encode())


def lighten(app, error) -> None:
    """Write all figures of the site anew, after `phone_figures` has taken apart those for two widths."""
    if error is None and app.builder.format == "html":
        rewrite(Path(app.outdir, "_images").glob("*.svg"), light)


def setup(app):
    app.connect("build-finished", lighten, priority=700)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
