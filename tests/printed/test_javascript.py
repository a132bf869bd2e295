r"""What a panel of a page and `derl say` print at random points, beside a computation with many digits."""

import json
import random
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from derl.claims import PAPER
from derl.ledger.saying import Formula, Letter, Unsayable, formulas, number, said, shown_value
from derl.printed import Range, Text, Unreadable, read, value, words
from derl.printed.arithmetic import lifted
from derl.show.drawing.javascript import javascript

SCRIPT = Path(__file__).parents[2] / "book" / "_static" / "said.js"
flint = pytest.importorskip("flint")
NUMBER = r"-?[0-9.]+(?:e[+-]?[0-9]+)?"


MADE = [r"\sqrt[3]{a}+\binom{a}{b}", r"a!-b!", r"\lceil\log_2 a\rceil\lfloor a/b\rfloor",
        r"\sum_{i=1}^{a}\sum_{j=1}^{i}j^2",
        r"\min\{a,b\}\max\{a,b,3\}", r"|a-b|\exp(-a)", r"\sin a\cos b", "a(b+1)^2", "a^{-b}", r"e^{a}\log^2 b", "0.5a",
        r"\lceil\log_{a}(ab)\rceil", r"\frac12^{b}", r"\lfloor\log_ba\rfloor+\lceil\frac{a}{b}\rceil"]


def run(source: str) -> list:
    if (node := shutil.which("node")) is None:
        pytest.skip("node is not installed")
    done = subprocess.run([node, "-"], input=SCRIPT.read_text(encoding="utf-8") + source, capture_output=True,
                          text=True, check=False)
    assert not done.stderr, done.stderr[-2000:]
    return json.loads(done.stdout)


def drawn(letter, random_: random.Random) -> str:
    """A number in the range of a letter, as it is typed."""
    low, high = letter.allowed.bottom, letter.allowed.top
    for _ in range(100):
        if high is not None and low is not None and not letter.allowed.whole:
            typed = str(low + (high - low) * Fraction(random_.randrange(10**3), 10**3))
        elif letter.allowed.whole:
            typed = str(int(low or 0) + int(10 ** random_.uniform(0, random_.choice((1, 2, 6)))))
        else:
            typed = f"{10 ** random_.uniform(-4, 3):.3g}"
        if number(typed, "it") in letter.allowed:
            return typed
    return letter.example


def computed() -> list[Formula]:
    """Every formula that is computed, each tree once."""
    found = {formula.node: formula for key, statement in PAPER.statements.items()
             for formula in formulas(Text(statement.statement, key), PAPER.letters(key)) if formula.node}
    return list(found.values())


def rows(count: int, seed: int) -> list[tuple[Formula, dict[str, str]]]:
    """So many points."""
    random_, some = random.Random(seed), computed()
    return [(formula, {name: drawn(letter, random_) for name, letter in formula.numbers.items()})
            for formula in random_.choices(some, k=count)]


def panel(points) -> list[str]:
    """What the panel says of each."""
    made = {}
    for formula, _ in points:
        letters = {name: {"range": [None, True, None, True, False]} for name in formula.numbers}
        made.setdefault(formula.node, f"{{letters:{json.dumps(letters)},value:(v)=>{javascript(formula.node)}}}")
    order = {node: at for at, node in enumerate(made)}
    typed = [[order[formula.node], at] for formula, at in points]
    return run(f"let all;Said.define((F)=>{{all=[{','.join(made.values())}];return {{}}}});"
               f"console.log(JSON.stringify({json.dumps(typed)}.map(([at,typed])=>Said.say(all[at],typed))));")


def command(formula: Formula, at: dict[str, str]) -> str:
    """What `derl say` says."""
    try:
        return shown_value(said(formula, {name: number(typed, name) for name, typed in at.items()}))
    except Unsayable as problem:
        return f"refused: {problem}"


def right(line: str, formula: Formula, at: dict[str, str], bits: int = 500) -> bool | None:
    """Whether every digit of a line is right, by balls of many bits; None where the line has none."""
    printed = re.search(rf"(?:about|=|^) ?({NUMBER})$", line)
    if printed is None or line.startswith("refused"):
        return None
    before, flint.ctx.prec = flint.ctx.prec, bits
    try:
        truth = value(formula.node, {name: number(typed, name) for name, typed in at.items()}, package="flint")
        behind = int(printed[1].partition("e")[2] or 0) - len(printed[1].partition("e")[0].partition(".")[2])
        exact = Fraction if abs(behind) < 1000 else flint.arb  # a longer fraction takes minutes
        half = exact(10) ** behind / 2 if "about" in line else 0
        away, half = abs(lifted(truth, "flint") - lifted(exact(printed[1]), "flint")), lifted(half, "flint")
        if away > half * (1 + flint.arb(10) ** -20):
            return False
        if away <= half * (1 + flint.arb(10) ** -20) or isinstance(truth, Fraction):
            return True
    except Unreadable:  # what is rounded is too near to a whole number for these bits
        pass
    finally:
        flint.ctx.prec = before
    return bits < 10000 and right(line, formula, at, 20 * bits)


@pytest.mark.parametrize("count, seed", [(1000, 0), *(pytest.param(5000, seed, marks=pytest.mark.slow)
                                                      for seed in range(1, 11))])
def test_every_digit_that_is_printed_is_right(count, seed, monkeypatch):
    points = rows(count, seed)
    told = [(*point, line, command(*point)) for point, line in zip(points, panel(points), strict=True)]
    monkeypatch.setattr("derl.printed.values.MOST", 10**8)  # for the truth
    wrong = [row for row in told if False in (right(row[2], *row[:2]), right(row[3], *row[:2]))]
    assert not wrong, wrong[:3]
    both = [(one.split()[-1], other.split()[-1]) for _, _, one, other in told if one.startswith(("=", "about"))]
    assert len(both) > 0.9 * count and sum(one != other for one, other in both) < 0.005 * count
    refused = [row[2:] for row in told if row[3].startswith("refused") and not row[2].startswith("No")]
    assert len(refused) < 0.001 * count and all(line.endswith("steps are needed") for _, line in refused), refused[:3]


@pytest.mark.parametrize("formula", MADE)
def test_a_page_computes_every_kind_of_formula(formula):
    node = read(words(formula))
    whole = [Formula(formula, "", node, "", dict.fromkeys(node.letters()))]
    whole[0].numbers.pop("e", None)
    for a, b in ((2, 3), (6, 2), (9, 5)):
        at = {name: str({"a": a, "b": b}[name]) for name in whole[0].numbers}
        (line,) = panel([(whole[0], at)])
        if right(line, whole[0], at) is None:
            with pytest.raises(Unreadable):
                value(node, {name: Fraction(typed) for name, typed in at.items()})
        else:
            assert right(line, whole[0], at), line


@pytest.mark.parametrize("typed, says", [
    ({"d": "4", "epsilon": "1/10"}, "= 160"), ({"d": "4", "epsilon": "0.1"}, "= 160"), ({"d": ""}, "Give d a number."),
    ({"d": "x", "epsilon": "1"}, "d is “x”; allowed are"), ({"d": "1", "epsilon": "1"}, "allowed is 2 ≤ d, whole"),
    ({"d": "5/2", "epsilon": "1"}, "allowed is 2 ≤ d, whole"), ({"d": "−2", "epsilon": "1"}, "allowed is"),
    ({"d": "1,000", "epsilon": "+.5"}, "= 2000000"), ({"d": "10^3", "epsilon": "5e-1"}, "= 2000000"),
    ({"d": "2", "epsilon": "0"}, "0 < epsilon ≤ 1"), ({"d": "2", "epsilon": "1/0"}, "allowed are numbers")])
def test_the_panel_says_one_clear_line(typed, says):
    letters = {"d": {"range": [["2", "1"], True, None, True, True]},
               "epsilon": {"range": [["0", "1"], False, ["1", "1"], True, False]}}
    script = javascript(read(words(r"\frac{d^2}{\epsilon}")))
    formula = f"{{letters:{json.dumps(letters)},value:(v)=>{script}}}"
    (line,) = run(f"let all;Said.define((F)=>{{all={formula};return {{}}}});"
                  f"console.log(JSON.stringify([Said.say(all,{json.dumps(typed)})]));")
    assert says in line


def test_a_formula_that_cannot_be_read_says_why():
    assert run('console.log(JSON.stringify([Said.say({letters:{},why:"x"},{})]));') == [
        "This formula cannot be computed here: x."]


@pytest.mark.parametrize("formula, at, says", [
    (r"d^{-N}", {"d": "8", "N": "1200"}, "No digit is certain"), (r"d-d", {"d": "8", "N": "1"}, "= 0"),
    (r"d^{-N}", {"d": "8", "N": "8000"}, "No digit is certain"), (r"d^N", {"d": "8", "N": "8000"}, "derl say computes"),
    (r"\lceil\log_dN\rceil", {"d": "3", "N": "7^565"}, "= 1001"),
    (r"d\log N", {"d": "1", "N": "10^500"}, "about 1151.2925"),
    (r"\log(1/(dN))", {"d": "10^300", "N": "10^401"}, "about -1614.11"),
    (r"\min\{1,Nd^{-N}\}", {"d": "1/2", "N": "1/3"}, "about"),
    (r"\min\{1,Nd^{-N}\}", {"d": "1/2", "N": "3/2"}, "= 1"), (r"0\sqrt d+d-N", {"d": "3", "N": "2"}, "= 1")])
def test_a_number_at_the_end_of_a_range(formula, at, says):
    node = read(words(formula))
    made = Formula(formula, "", node, "", dict.fromkeys(("d", "N"), Letter("", Range())))
    (line,) = panel([(made, at)])
    assert says in line
    if line.startswith("="):
        assert command(made, at) == line[2:]


def test_the_page_and_the_command_read_the_same_numbers():
    typed = ("3", "1/10", "0.1", ".5", "1e-3", "10^6", "10,000", "\u22122", "+5", "10 000", "-1/2", "1.5e2", "007",
             "1_0", "x", "", "-", ".", "1.", "1/0", "1e400", "1,00", "2.5^3", "5e", "999999999999^999", "\u0663")
    found = run(f"console.log(JSON.stringify({json.dumps(typed)}.map((one)=>"
                "{const n=Said.number(one);return n&&`${n.n}/${n.d}`;})));")
    for one, page in zip(typed, found, strict=True):
        if page is None:
            with pytest.raises(Unsayable, match="allowed are numbers"):
                number(one, "d")
        else:
            assert number(one, "d") == Fraction(page)
    assert None not in found[:13] and not any(found[13:])


@pytest.mark.parametrize("formula", [r"\sqrt{d+N}-\sqrt d", r"\frac1{\sqrt{d+N}-\sqrt d}", r"\log(d+N)-\log d"])
def test_digits_that_cancel_are_not_printed(formula):
    node = read(words(formula))
    made = Formula(formula, "", node, "", dict.fromkeys(("d", "N"), Letter("", Range())))
    points = [(made, {"d": f"10^{power}", "N": str(more)}) for power in range(1, 25) for more in (2, 3, 7)]
    for (_, at), line in zip(points, panel(points), strict=True):
        assert right(line, made, at) is not False and right(command(made, at), made, at)


def test_what_may_be_a_whole_number_is_not_rounded():
    made = Formula("", "", read(words(r"\lceil\sqrt d\sqrt d\rceil")), "", {"d": Letter("", Range())})
    assert "around a whole number" in command(made, {"d": "2"}) and "too near" in panel([(made, {"d": "2"})])[0]
