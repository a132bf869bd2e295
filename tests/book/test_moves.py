"""What moves on the pages: numbers and formulas are those of derl, and every control moves something."""

import json
import re
from pathlib import Path

import moves
import pytest
from browser import in_chromium
from rules import ROOT
from test_pages import pages_of

PLACED = [(chapter, name) for page in sorted(ROOT.glob("book/**/*.md")) if "node_modules" not in page.parts
          for chapter, name in re.findall(r"^`{3,}\{moves\} (\w+) (\w+)$", page.read_text(encoding="utf-8"), re.M)]
CHAPTER = {name: chapter for chapter, name in PLACED}
STYLE = (":root{--pst-color-text-base:#222;--pst-color-background:#fff;--pst-color-text-muted:#666;"
         "--pst-color-primary:#0a7d91}body{margin:8px;font-family:sans-serif}")


def bare(folder: Path, name: str, body: str, scripts) -> str:
    """Address of a page with nothing but one piece."""
    tags = "".join(f'<script defer src="{script.as_uri()}"></script>' for script in scripts)
    page = folder / f"{name}.html"
    page.write_text(f'<!doctype html><html data-theme="light"><meta charset="utf-8"><style>{STYLE}</style><link '
                    f'rel="stylesheet" href="{(moves.FOLDER / "moves.css").as_uri()}"><div class="moves">{body}</div>'
                    f"{tags}", encoding="utf-8")
    return page.as_uri()


def scripts(chapter: str, name: str) -> list[Path]:
    return [*(moves.FOLDER / f"{shared}.js" for shared in moves.SHARED), moves.script_of(chapter, name)]


def test_every_script_is_on_a_page_and_every_piece_on_one_page_beside_the_front_page():
    names = [name for _, name in PLACED]
    front = re.findall(r"\{moves\} \w+ (\w+)", (ROOT / "book" / "index.md").read_text(encoding="utf-8"))
    assert sorted(names) == sorted([*set(names), *front])
    assert 0 < len(set(front)) == len(front) < len(set(names))
    shared = {moves.FOLDER / f"{name}.js" for name in moves.SHARED}
    assert {moves.script_of(*piece) for piece in PLACED} == set(moves.FOLDER.glob("*.js")) - shared


@pytest.mark.parametrize("chapter, name", [("layerwise", "nothing"), ("nowhere", "trap")])
def test_a_piece_without_numbers_is_refused(chapter, name):
    with pytest.raises(moves.InvalidPiece, match="no numbers for"):
        moves.numbers(chapter, name)


def test_a_piece_without_a_script_is_refused():
    with pytest.raises(moves.InvalidPiece, match="no script shown-instances.js"):
        moves.script_of("layerwise", "shown_instances")


@pytest.mark.parametrize("chapter, name", dict.fromkeys(PLACED))
def test_the_page_carries_the_numbers(chapter, name):
    html = moves.container(chapter, name)
    inside = html.partition('data-numbers="')[2].partition(">")[2].removesuffix("</script>")
    found = json.loads(json.dumps(moves.numbers(chapter, name)))
    frames = found.pop("frames", [])
    assert "</" not in inside and json.loads(inside) == found
    assert html.count("<figure>") == len(frames) and all(frame["svg"] in html for frame in frames)
    assert len(html) < 100_000


# ------------------------------------------------------------------------------------------------- controls


def test_built_pages_load_the_scripts_of_their_pieces_and_no_others(html):
    found = []
    for page in pages_of(html):
        text = page.read_text(encoding="utf-8")
        pieces = re.findall(r'data-piece="(\w+)"', text)
        loaded = re.findall(r"_static/moves/([\w-]+)\.js", text)
        scripts = dict.fromkeys(moves.script_of(CHAPTER[name], name).stem for name in pieces)
        assert loaded == ([*moves.SHARED, *scripts] if pieces else []), page
        found += pieces
    assert sorted(found) == sorted(name for _, name in PLACED)


@pytest.fixture(scope="module")
def moved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("moves")
    pages = [bare(folder, name, moves.container(chapter, name), scripts(chapter, name))
             for chapter, name in dict.fromkeys(PLACED)]
    return in_chromium(Path(__file__).with_name("moves.mjs"), *pages)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("trouble", ["errors", "still", "small", "cut", "wide", "nameless", "pictures"])
def test_every_control_moves_something_on_a_phone_without(trouble, moved):
    assert {url.rpartition("/")[2]: found[trouble] for url, found in moved.items() if found[trouble]} == {}


@pytest.mark.slow
@pytest.mark.browser
def test_every_piece_says_what_is_seen_and_has_a_table(moved):
    assert len(moved) == len(set(PLACED))
    for url, found in moved.items():
        assert len(found["said"]) > 20 and found["rows"] > 3 and found["controls"] > 0, url


GAMES = [
    ("lower_bounds", "hidden_arm", 12, ["Deploy the chosen arm", "layer 2, arm 3"], "Looks left: 0,"),
    ("lower_bounds", "hidden_arm", 1, ["layer 2, arm 3", "Name the chosen arm"], "3/12 and gets 13.5 points"),
    ("lower_bounds", "hidden_code", 30, ["set Lock=0", "Deploy", "Hint: set what is known"],
     "does not count, because a hint"),
    ("lower_bounds", "hidden_code", 60, ["set “any” draws=left", "Deploy"], "Over 1 lock you take"),
    ("potential", "adversary", 12, ["What would greed do", "Play this batch"], "Over with 2"),
    ("potential", "adversary", 1, ["Show a best play", *["wait"] * 6], "Best play, batch 4."),
    ("layerwise", "replay", 16, ["Step"], "The run ends after 16"),
    ("layerwise", "replay", 1, ["Play", "wait", "wait", "Stop"], "Deployment"),
    ("foundations", "first_lock", 1, ["turn wheel 1", "turn wheel 3", "drag wheel 2"], "tries 1-1-1"),
    ("foundations", "first_lock", 4, ["turn wheel 2"], "tries 0-1-0"),
    ("lower_bounds", "one_trajectory", 5, ["Step"], "never turned wheel 4"),
    ("beyond", "prices", 3, ["Play", "wait", "Stop"], "First deployment"),
]


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("chapter, name, times, buttons, end", GAMES)
def test_a_game_can_be_played_to_its_end_with_the_keyboard(chapter, name, times, buttons, end, tmp_path):
    url = bare(tmp_path, name, moves.container(chapter, name), scripts(chapter, name))
    found = in_chromium(Path(__file__).with_name("play.mjs"), url, str(times), *buttons)
    assert found["errors"] == [] and end in found["said"], found


