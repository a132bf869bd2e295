"""The formulas of the scripts that move, run by node, against those of derl on grids."""

import json
import math
import os
import shutil
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path

import moves
import numpy as np
import pytest

from derl.estimation import fit, optimistic_backup
from derl.mdp import instances, validation
from derl.show.arbitrary import moves as arbitrary
from derl.show.beyond import moves as beyond
from derl.show.comparison import moves as comparison
from derl.show.drawing import wheels
from derl.show.layerwise import moves as layerwise
from derl.theory import constants, lower_bounds
from derl.theory.analysis import perturbation
from derl.theory.beyond import exact_base
from derl.theory.comparison import table1
from derl.theory.layerwise import samples
from derl.theory.lower_bounds import search_game, search_programme
from derl.theory.potential import search
from derl.theory.safety import mixture

pytestmark = pytest.mark.browser  # they need node


def in_node(*calls):
    """Results of formulas (piece, formula, arguments) of the scripts, computed by node."""
    path = os.pathsep.join([os.environ["PATH"], str(Path(sys.executable).parent)])
    done = subprocess.run([shutil.which("node", path=path), Path(__file__).with_name("formulas.mjs")], check=False,
                          input=json.dumps([str(moves.FOLDER), calls]), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_staircase_is_the_exact_game():
    grid = [(m, K) for m in range(2, 60, 3) for K in range(m + 2)]
    found = in_node(*(("exact_game", "failure", point) for point in grid))
    assert found == pytest.approx([float(lower_bounds.bandit_failure(*point)) for point in grid], abs=1e-15)


@pytest.mark.parametrize("memory", search_programme.MEMORIES[::2])
def test_the_search_in_the_page_is_the_search_of_the_library(memory):
    grid = list(product((2, 3, 10, 20), (2, 7, 28, 58), (0, 1, 6, 12)))
    found = in_node(*(("lock", "curve", (d, n, 10**size, 30, memory)) for d, n, size in grid))
    for (d, n, size), curve in zip(grid, found, strict=True):
        assert np.allclose(curve, search_programme.success_curve(d, n, 10**size, 30, memory), atol=1e-11), (d, n, size)
    assert in_node(("lock", "curve", (3, 4, 2, 3, "forget"))) != in_node(("lock", "curve", (3, 4, 3, 3, "forget")))


def test_the_page_excludes_what_the_theorem_excludes():
    grid = list(product((2, 3, 10, 20), (4, 5, 30, 60), range(13)))
    for factor, bound in ((2, lower_bounds.paper_deployments_arbitrary),
                          (1, lower_bounds.improved_deployments_arbitrary)):
        found = in_node(*(("lock", "excluded", (*point, factor)) for point in grid))
        assert found == [bound(d, H, 10**size) for d, H, size in grid]


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


def test_the_runs_of_the_trap_flip_where_the_formula_says():
    rows = moves.numbers("layerwise", "trap")["runs"]
    for version, formula in (("as-printed", "capped"), ("repaired", "repaired")):
        own = [row for row in rows if row["version"] == version and row["reward"] < 1]  # at 1 both are worth as much
        guesses = in_node(*(("trap", formula, (0.6, 8 * row["reward"], 1000, 10)) for row in own))
        for row, guess in zip(own, guesses, strict=True):
            assert row["action"] == ("f" if guess >= 8 * row["reward"] else "e"), row


def test_the_adversary_in_the_page_counts_as_the_library_does():
    rng = np.random.default_rng(20260801)
    plays = [(0.7 * rng.uniform(-1, 1, (6, 2)), int(size)) for size in (1, 5, 20, 200)]
    plays += [(np.array(level["best"]), level["size"]) for level in moves.numbers("potential", "adversary")["levels"]]
    found = in_node(*(("adversary", "levels", (play.tolist(), size)) for play, size in plays))
    for (play, size), levels in zip(plays, found, strict=True):
        assert levels == pytest.approx(search.rank_one_levels(play, size), rel=1e-9)


def test_the_lock_in_the_page_is_the_search_game():
    codes = search_game.sequences(3, 3)
    pairs = [(path, code) for path in codes for code in codes[::4]]
    assert in_node(*(("hidden_code", "matched", pair) for pair in pairs)) == [search_game.matched(*p) for p in pairs]
    (table,) = in_node(("hidden_code", "counts", ([[0, 1], [0, 2], [1, 1], [0, 1]], [0, 2], 3)))
    assert [(wheel["reached"], wheel["passed"], wheel["tried"]) for wheel in table] == [(4, 3, [3, 1, 0]),
                                                                                        (3, 1, [0, 2, 1])]
    asked = ((2, [0], 4, True), (-1, [0, 3], 4, True), (-1, [0, 3], 4, False))
    assert in_node(*(("hidden_code", "allowed", one) for one in asked)) == [[2], [1, 2], [0, 1, 2, 3]]


def test_the_arm_in_the_page_is_the_exact_game():
    grid = [(m, K) for m in (1, 2, 12) for K in range(14)]
    found = in_node(*(("hidden_arm", "best", point) for point in grid))
    assert found == pytest.approx([1 - float(lower_bounds.bandit_failure(*point)) for point in grid])
    worth = in_node(*(("hidden_arm", "worth", (m, K, 66)) for m, K in grid))
    assert worth == pytest.approx([66 * chance - sum(range(K + 1)) for (m, K), chance in zip(grid, found, strict=True)])
    assert in_node(*(("hidden_arm", "price", (K,)) for K in range(5))) == [0, 1, 3, 6, 10]
    coins = np.array(in_node(*(("hidden_arm", "heads", (seed, 400, 0.6)) for seed in range(200))))
    assert abs(coins.mean() - 240) < 4 * 9.8 / 200**0.5 and 7 < coins.std() < 13


def test_the_sample_sizes_in_the_page_are_those_of_the_library():
    grid = list(product((2, 10, 50), (2, 20), (1, 0.05, 0.001), (0.1,), (1.5, 3, 12), samples.STEPS[:-1]))
    grid += [(2, 2, 1, 0.1, 1.5, "share"), (10, 10, 0.1, 0.1, 3, "share"), (50, 20, 0.001, 0.1, 12, "share")]
    found = in_node(*(("dial", "size", point) for point in grid))
    for point, size in zip(grid, found, strict=True):
        assert size == pytest.approx(math.log10(samples.budget(*point).batch_size), abs=1e-5), point
    counts = in_node(*(("dial", "deployments", (d, H, c)) for d, H, _, _, c, _ in grid))
    assert counts == [constants.deployments_layerwise(d, H, c) for d, H, _, _, c, _ in grid]


@pytest.mark.parametrize("degrees", [55, 90, 120, 126])
def test_the_turned_trap_is_what_the_page_says(degrees):
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    mdp = layerwise.rotated_trap(cosine, sine)
    c, e = mdp.state_names.index("C"), mdp.state_names.index("E")
    data = np.zeros((mdp.n_states, mdp.n_actions, mdp.n_states))
    data[c, 0, e] = 1e14
    for version, formula in (("as-printed", "capped"), ("repaired", "repaired")):
        for beta in (2.0, 12.0, 200.0):
            q = optimistic_backup(mdp.phi[1], mdp.rewards()[1], 6.4 * np.eye(mdp.n_states)[e], fit(mdp.phi[1], data),
                                  beta, 10, mdp.available[1], version).q
            assert in_node(("cap", formula, (degrees, 6.4, beta, 10))) == pytest.approx([q[c, 1]], abs=1e-5)
    assert in_node(("cap", "measure", (degrees,))) == pytest.approx([validation.measure_norm(mdp.mu[0])[0] ** 2])


def test_beyond_the_angle_of_the_trap_the_measures_are_too_long():
    limit = moves.numbers("layerwise", "cap")["limit"]
    assert in_node(("cap", "measure", (limit,))) == pytest.approx([7])
    with pytest.raises(validation.InvalidInstance):
        layerwise.rotated_trap(math.cos(math.radians(130)), math.sin(math.radians(130)))


def test_a_run_returns_what_the_turned_guess_says():
    for row in moves.numbers("layerwise", "cap")["runs"]:
        (guess,) = in_node(("cap", "capped", (row["angle"], 6.4, 200, 10)))
        assert row["action"] == ("f" if guess >= 6.4 else "e"), row


def test_between_the_points_of_a_grid_the_page_is_near_the_library():
    for curve in moves.numbers("arbitrary", "reach")["curves"][::5]:
        for version, values in curve["sizes"].items():
            assert in_node(*(("reach", "between", (curve["logs"], values, log)) for log in curve["logs"])) == values
            at = (curve["logs"][3] + curve["logs"][4]) / 2
            true = math.log10(arbitrary.size(curve["d"], curve["epsilon"], 10**at, version))
            assert in_node(("reach", "between", (curve["logs"], values, at))) == pytest.approx([true], abs=0.05)


def test_the_blow_up_in_the_page_is_that_of_the_library():
    grid = list(product((0.05, 0.25, 1.0, 3.0, 30.0), (1.0, 1.7), (0.01, 0.2, 1.0, 50.0)))
    squares = [1 / (4 * q * q * c) for c, q, _ in grid]  # the uncertainty of one batch, squared
    for formula, bound in (("lemma", perturbation.blow_up_printed), ("proof", perturbation.blow_up_of_proof)):
        assert in_node(*(("blow_up", formula, point) for point in grid)) == pytest.approx(
            [bound(c, n, square) ** 0.25 for (c, _, n), square in zip(grid, squares, strict=True)])
    assert in_node(*(("blow_up", "exact", point) for point in grid)) == pytest.approx(
        [perturbation.blow_up_sharp(1.0, c, n, square) ** 0.5
         for (c, _, n), square in zip(grid, squares, strict=True)])
    levels = (0.05, 1.0, 2.999, 3.001, 30.0)
    assert in_node(*(("blow_up", "threshold", [c]) for c in levels)) == pytest.approx(
        [perturbation.blow_up_threshold((1 + c) ** 0.5) for c in levels])


def test_the_coin_in_the_page_is_the_exact_binomial_law():
    grid = list(product((10, 55, 400), (Fraction(1, 20), Fraction(1, 2)), (5, 10)))
    found = in_node(*(("coin", "tooFew", (m, float(alpha), needed)) for m, alpha, needed in grid))
    assert found == pytest.approx([float(mixture.too_few(*point)) for point in grid], abs=1e-12)
    grid = list(product((0.05, 0.5), (2, 10, 20)))
    assert in_node(*(("coin", "steps", point) for point in grid)) == pytest.approx(
        [float(H - mixture.stepwise_value(Fraction(alpha), H)) for alpha, H in grid])


def test_the_orders_in_the_page_are_those_of_the_table():
    points = [{"d": 10, "H": 7, "epsilon": 0.01, "nu": 0.2, "A": 4},
              {"d": 2, "H": 2, "epsilon": 0.3, "nu": 0.01, "A": 2}]
    for drawn, row in zip(comparison.orders()["rows"], table1.ROWS, strict=True):
        for at in points:
            values = {symbol: at[name] for name, symbol in comparison.SYMBOLS.items()} | {table1.eta: at["nu"]}
            for part, printed in (("trajectories", comparison.total(row)), ("deployments", row.deployments)):
                room = math.log10(2) if "MOFFLE" in row.method and part == "trajectories" else 1e-9
                (found,) = in_node(("orders", "size", (drawn[part], at)))
                assert 0 <= found - math.log10(float(printed.subs(values))) + 1e-9 <= room + 1e-9, (row.method, part)


def test_the_page_draws_both_sides_of_the_exact_law():
    data = beyond.exchange_law()
    grid = [(d, H, x) for d in (2, 3, 4, 12) for H in data["horizons"]
            for x in (1, 2, 8, 37, 38, 60, 99, 200, H // 3, H - 2, H - 1, H + 10, H + 40)]
    assert in_node(*(("exchange_law", "needed", (*point, data["delta"])) for point in grid)) == [
        exact_base.needed(*point, data["delta"]) for point in grid]
    sizes = {(d, H): data["sizes"][d - data["dimensions"][0]][data["horizons"].index(H)] for d, H, _ in grid}
    found = in_node(*(("exchange_law", "enough", (*point, *sizes[point[:2]])) for point in grid))
    assert found == [None if number == math.inf else number for number in (
        exact_base.enough(*point, *sizes[point[:2]]) for point in grid)]
    assert len(set(found)) > 20


def test_the_first_lock_counts_the_leading_digits_that_are_right():
    codes = list(product(range(3), repeat=3))
    pairs = [(list(code), list(hidden)) for code in codes for hidden in codes]
    assert in_node(*(("first_lock", "passed", pair) for pair in pairs)) == [
        search_game.matched(*map(tuple, pair)) for pair in pairs]


def test_the_lock_in_the_page_is_the_lock_on_paper():
    drums = [("w", 14, 40, *one) for one in product((("0", "1", "2"), ("any", "0", "1")), (0, 2), wheels.MARKS,
                                                    (0, 0.4, -0.7))]
    assert in_node(*(("wheels", "drum", list(one)) for one in drums)) == [wheels.drum(*one) for one in drums]
    bodies = [("b", 0, 3, n, opened) for n in (1, 3, 8) for opened in (False, True)]
    assert in_node(*(("wheels", "body", list(one)) for one in bodies)) == [wheels.body(*one) for one in bodies]
    cells = [("c", 5, 6, "1", state) for state in wheels.MARKS]
    assert in_node(*(("wheels", "cell", list(one)) for one in cells)) == [wheels.cell(*one) for one in cells]
    assert in_node(*(("wheels", "size", [n]) for n in (1, 3, 8))) == [list(wheels.size(n)) for n in (1, 3, 8)]
    codes = list(product(range(2), repeat=3))
    assert in_node(*(("wheels", "tried", pair) for pair in product(codes, repeat=2))) == [
        wheels.tried(*pair) for pair in product(codes, repeat=2)]


def test_a_shape_on_its_way_is_between_its_two_places():
    way = ("film", "between")
    assert in_node((*way, ("10", "20", 0.25)), (*way, ("M0 0L4 8", "M2 0L8 0", 0.5)), (*way, ("red", "blue", 0.5)),
                   (*way, ("1 2", "3", 0.5)), (*way, ("10", "20", 1))) == ["12.5", "M1 0L6 4", "blue", "3", "20"]
