"""What moves on the pages: numbers and formulas are those of derl, and every control moves something."""

import json
import os
import re
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import moves
import numpy as np
import pytest
from browser import in_chromium
from rules import ROOT

from derl.estimation import fit, optimistic_backup
from derl.mdp import instances
from derl.theory import lower_bounds
from derl.theory.lower_bounds import search_game, search_programme
from derl.theory.potential import search

PLACED = [(chapter, name) for page in sorted(ROOT.glob("book/**/*.md")) if "node_modules" not in page.parts
          for chapter, name in re.findall(r"^`{3,}\{moves\} (\w+) (\w+)$", page.read_text(encoding="utf-8"), re.M)]
STYLE = (":root{--pst-color-text-base:#222;--pst-color-background:#fff;--pst-color-text-muted:#666;"
         "--pst-color-primary:#0a7d91}body{margin:8px;font-family:sans-serif}")


def in_node(*calls):
    """Results of formulas (piece, formula, arguments) of the scripts, computed by node."""
    path = os.pathsep.join([os.environ["PATH"], str(Path(sys.executable).parent)])
    done = subprocess.run([shutil.which("node", path=path), Path(__file__).with_name("formulas.mjs")], check=False,
                          input=json.dumps([str(moves.FOLDER), calls]), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def bare(folder: Path, name: str, body: str, scripts) -> str:
    """Address of a page with nothing but one piece."""
    tags = "".join(f'<script defer src="{script.as_uri()}"></script>' for script in scripts)
    page = folder / f"{name}.html"
    page.write_text(f'<!doctype html><html data-theme="light"><meta charset="utf-8"><style>{STYLE}</style><link '
                    f'rel="stylesheet" href="{(moves.FOLDER / "moves.css").as_uri()}"><div class="moves">{body}</div>'
                    f"{tags}", encoding="utf-8")
    return page.as_uri()


def test_every_script_is_on_a_page_and_every_piece_on_one_page_only():
    names = [name for _, name in PLACED]
    assert len(set(names)) == len(names) > 0
    assert {moves.script_of(name) for name in names} == set(moves.FOLDER.glob("*.js")) - {moves.FOLDER / "common.js"}


@pytest.mark.parametrize("chapter, name", [("layerwise", "nothing"), ("nowhere", "trap")])
def test_a_piece_without_numbers_is_refused(chapter, name):
    with pytest.raises(moves.InvalidPiece, match="no numbers for"):
        moves.numbers(chapter, name)


def test_a_piece_without_a_script_is_refused():
    with pytest.raises(moves.InvalidPiece, match="no script no-such.js"):
        moves.script_of("no_such")


@pytest.mark.parametrize("chapter, name", PLACED)
def test_the_page_carries_the_numbers(chapter, name):
    html = moves.container(chapter, name)
    inside = html.partition('data-numbers="')[2].partition(">")[2].removesuffix("</script>")
    assert "</" not in inside and json.loads(inside) == json.loads(json.dumps(moves.numbers(chapter, name)))
    assert len(html) < 100_000


# ------------------------------------------------------------------------------------------------ formulas


@pytest.mark.browser
def test_the_staircase_is_the_exact_game():
    grid = [(m, K) for m in range(2, 60, 3) for K in range(m + 2)]
    found = in_node(*(("exact_game", "failure", point) for point in grid))
    assert found == pytest.approx([float(lower_bounds.bandit_failure(*point)) for point in grid], abs=1e-15)


@pytest.mark.browser
@pytest.mark.parametrize("memory", search_programme.MEMORIES[::2])
def test_the_search_in_the_page_is_the_search_of_the_library(memory):
    grid = list(product((2, 3, 10, 20), (2, 7, 28, 58), (0, 1, 6, 12)))
    found = in_node(*(("lock", "curve", (d, n, 10**size, 30, memory)) for d, n, size in grid))
    for (d, n, size), curve in zip(grid, found, strict=True):
        assert np.allclose(curve, search_programme.success_curve(d, n, 10**size, 30, memory), atol=1e-11), (d, n, size)
    assert in_node(("lock", "curve", (3, 4, 2, 3, "forget"))) != in_node(("lock", "curve", (3, 4, 3, 3, "forget")))


@pytest.mark.browser
def test_the_page_excludes_what_the_theorem_excludes():
    grid = list(product((2, 3, 10, 20), (4, 5, 30, 60), range(13)))
    for factor, bound in ((2, lower_bounds.paper_deployments_arbitrary),
                          (1, lower_bounds.improved_deployments_arbitrary)):
        found = in_node(*(("lock", "excluded", (*point, factor)) for point in grid))
        assert found == [bound(d, H, 10**size) for d, H, size in grid]


@pytest.mark.browser
@pytest.mark.parametrize("version, formula", [("as-printed", "capped"), ("repaired", "repaired")])
def test_what_the_page_believes_of_q_is_what_the_backup_computes(version, formula):
    mdp = instances.optimism_trap()
    c, e = mdp.state_names.index("C"), mdp.state_names.index("E")
    data = np.zeros((mdp.n_states, mdp.n_actions, mdp.n_states))
    data[c, 0, e] = 1e12
    grid = list(product((1.0, 4.8, 6.25, 6.4, 8.0), (2.0, 12.5, 200.0)))
    found = in_node(*(("trap", formula, (0.6, v, 0.8 * beta, 10)) for v, beta in grid))
    for (v, beta), guess in zip(grid, found, strict=True):
        q = optimistic_backup(mdp.phi[1], mdp.rewards()[1], v * np.eye(mdp.n_states)[e], fit(mdp.phi[1], data), beta,
                              10, mdp.available[1], version).q
        assert q[c, 1] == pytest.approx(guess, abs=1e-6) and q[c, 0] == pytest.approx(v, abs=1e-3)


@pytest.mark.browser
def test_the_runs_of_the_trap_flip_where_the_formula_says():
    rows = moves.numbers("layerwise", "trap")["runs"]
    for version, formula in (("as-printed", "capped"), ("repaired", "repaired")):
        own = [row for row in rows if row["version"] == version]
        guesses = in_node(*(("trap", formula, (0.6, 8 * row["reward"], 1000, 10)) for row in own))
        for row, guess in zip(own, guesses, strict=True):
            assert row["action"] == ("q" if guess >= 8 * row["reward"] else "e"), row


@pytest.mark.browser
def test_the_adversary_in_the_page_counts_as_the_library_does():
    rng = np.random.default_rng(20260801)
    plays = [(0.7 * rng.uniform(-1, 1, (6, 2)), int(size)) for size in (1, 5, 20, 200)]
    plays += [(np.array(level["best"]), level["size"]) for level in moves.numbers("potential", "adversary")["levels"]]
    found = in_node(*(("adversary", "levels", (play.tolist(), size)) for play, size in plays))
    for (play, size), levels in zip(plays, found, strict=True):
        assert levels == pytest.approx(search.rank_one_levels(play, size), rel=1e-9)


@pytest.mark.browser
def test_the_lock_in_the_page_is_the_search_game():
    codes = search_game.sequences(3, 3)
    pairs = [(path, code) for path in codes for code in codes[::4]]
    assert in_node(*(("hidden_code", "matched", pair) for pair in pairs)) == [search_game.matched(*p) for p in pairs]
    (table,) = in_node(("hidden_code", "counts", ([[0, 1], [0, 2], [1, 1], [0, 1]], [0, 2], 3)))
    assert [(wheel["reached"], wheel["passed"], wheel["tried"]) for wheel in table] == [(4, 3, [3, 1, 0]),
                                                                                        (3, 1, [0, 2, 1])]


@pytest.mark.browser
def test_the_arm_in_the_page_is_the_exact_game():
    grid = [(m, K) for m in (1, 2, 12) for K in range(14)]
    found = in_node(*(("hidden_arm", "best", point) for point in grid))
    assert found == pytest.approx([1 - float(lower_bounds.bandit_failure(*point)) for point in grid])
    coins = np.array(in_node(*(("hidden_arm", "heads", (seed, 400, 0.6)) for seed in range(200))))
    assert abs(coins.mean() - 240) < 4 * 9.8 / 200**0.5 and 7 < coins.std() < 13


# ------------------------------------------------------------------------------------------------- controls


@pytest.fixture(scope="module")
def moved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("moves")
    pages = [bare(folder, name, moves.container(chapter, name), [moves.FOLDER / "common.js", moves.script_of(name)])
             for chapter, name in PLACED]
    return in_chromium(Path(__file__).with_name("moves.mjs"), *pages)


@pytest.mark.browser
@pytest.mark.parametrize("trouble", ["errors", "still", "small", "cut", "wide", "nameless", "pictures"])
def test_every_control_moves_something_on_a_phone_without(trouble, moved):
    assert {url.rpartition("/")[2]: found[trouble] for url, found in moved.items() if found[trouble]} == {}


@pytest.mark.browser
def test_every_piece_says_what_is_seen_and_has_a_table(moved):
    assert len(moved) == len(PLACED)
    for url, found in moved.items():
        assert len(found["said"]) > 20 and found["rows"] > 3 and found["controls"] > 0, url


@pytest.mark.browser
@pytest.mark.parametrize("chapter, name, times, buttons, end", [
    ("lower_bounds", "hidden_arm", 12, ["Deploy the chosen arm", "layer 2, arm 3"], "Looks left: 0,"),
    ("lower_bounds", "hidden_arm", 1, ["layer 2, arm 3", "Name the chosen arm"],
     "the best algorithm is right with probability 6/12"),
    ("lower_bounds", "hidden_code", 30, ["Deploy", "Set what is known"], "Open after K ="),
    ("potential", "adversary", 12, ["What would greed do", "Play this batch"], "Over with 2"),
    ("potential", "adversary", 1, ["Show a best play", *["wait"] * 6], "Best play, batch 4."),
    ("layerwise", "replay", 16, ["Step"], "The run ends after 16"),
    ("layerwise", "replay", 1, ["Play", "wait", "wait", "Stop"], "Deployment"),
])
def test_a_game_can_be_played_to_its_end_with_the_keyboard(chapter, name, times, buttons, end, tmp_path):
    url = bare(tmp_path, name, moves.container(chapter, name), [moves.FOLDER / "common.js", moves.script_of(name)])
    found = in_chromium(Path(__file__).with_name("play.mjs"), url, str(times), *buttons)
    assert found["errors"] == [] and end in found["said"], found


@pytest.mark.browser
def test_a_control_that_moves_nothing_is_seen(tmp_path):
    script = tmp_path / "dead.js"
    script.write_text('Moves.define("dead", { formulas: {}, start(ui) {'
                      ' ui.slider({ label: "Dead", min: 0, max: 9, value: 3 });'
                      ' ui.picture("p", 90, (p) => p.text(300, 50, "cut at the edge of it", {style: "font-size:8px"}));'
                      ' return () => {}; } });', encoding="utf-8")
    body = ('<div class="moves-box" data-piece="dead"></div>'
            '<script type="application/json" data-numbers="dead">1</script>')
    (found,) = in_chromium(Path(__file__).with_name("moves.mjs"),
                           bare(tmp_path, "dead", body, [moves.FOLDER / "common.js", script])).values()
    assert found["still"] == ["Dead"] and found["small"] and found["cut"] and found["said"] == ""
