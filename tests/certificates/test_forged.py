"""Forged certificates: what is not proved is refused in one line that says why, and the true one beside it is accepted.

Every forgery is one change of a stored certificate, the smallest that makes it claim too much, claim it of something
else, or be no certificate at all. The change is planted in the file and read by the checker as a script, because a
forger hands over files.
"""

import copy
import json
from fractions import Fraction

import pytest

from derl.certificates import check_potential, check_reachability
from derl.certificates.stored import folder, load

HUGE = 10**4000


def put(*path, value):
    """The certificate with one place changed; a function as the value is applied to what stands there."""
    def change(certificate):
        place = certificate
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value(place[path[-1]]) if callable(value) else value
        return certificate
    return change


def both(*changes):
    def change(certificate):
        for one in changes:
            certificate = one(certificate)
        return certificate
    return change


def times(factor):
    return lambda text: str(Fraction(text) * Fraction(factor))


def swapped(certificate):
    low, high = (certificate[side]["value"] for side in ("lower", "upper"))
    return put("upper", "value", value=low)(put("lower", "value", value=high)(certificate))


def transposed(rows):
    return [list(row) for row in zip(*rows, strict=True)]


def one_leaf(certificate):
    return next(i for i, node in enumerate(certificate["lower"]["nodes"]) if "mixture" in node)


def in_leaf(key, value):
    return lambda certificate: put("lower", "nodes", one_leaf(certificate), key, value=value)(certificate)


def without(*path):
    def change(certificate):
        place = certificate
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]
        return certificate
    return change


D2, R4 = "potential-sharp-d2-n200", "potential-refined-d4-n10"
POTENTIAL = [
    ("one violation more", D2, put("violations", value=4), "3 batches violate, not 4"),
    ("one violation less", D2, put("violations", value=2), "3 batches violate, not 2"),
    ("astronomically many violations", D2, put("violations", value=HUGE), "3 batches violate, not 1000"),
    ("a higher level", D2, put("epsilon", value="1/5"), "2 batches violate, not 3"),
    ("a lower level: more would be allowed", D2, put("epsilon", value="1/20"), "the bound allows 4 violations"),
    ("a level above 1", D2, put("epsilon", value="11/10"), "it must lie in (0, 1]"),
    ("a level of zero", D2, put("epsilon", value="0"), "it must lie in (0, 1]"),
    ("a negative level", D2, put("epsilon", value="-1/10"), "it must lie in (0, 1]"),
    ("a float, which is not 1/10", D2, put("epsilon", value=0.1), "0.1 is not a fraction"),
    ("NaN", D2, put("epsilon", value=float("nan")), "nan is not a fraction"),
    ("infinity", D2, put("epsilon", value=float("inf")), "inf is not a fraction"),
    ("an exponent of which nobody lives to see the end", D2, put("epsilon", value="1e-999999999"), "is not a fraction"),
    ("division by zero", D2, put("epsilon", value="1/0"), "ZeroDivisionError"),
    ("the bound of another file", D2, put("bound", value="refined"), "is not that of the statement"),
    ("another statement", R4, put("statement", value="res-sharp-potential-attained"), "is not that of the statement"),
    ("a bound that does not exist", D2, put("bound", value="best"), "'best'"),
    ("another dimension", D2, put("dimension", value=3), "not in R^3"),
    ("a dimension of which no matrix fits anywhere", D2, both(put("dimension", value=10**9), put("batches", value=[])),
     "there is no batch"),
    ("true for 1", D2, put("violations", value=True), "True is not a whole number"),
    ("text for a number", D2, put("batch_size", value="200"), "'200' is not a whole number"),
    ("a smaller batch", D2, put("batch_size", value=199), "the copies do not add up to 199"),
    ("a larger batch", D2, put("batch_size", value=201), "the copies do not add up to 201"),
    ("negative weights", D2, put("batches", 0, value=lambda batch: [{**batch[0], "copies": 400},
                                                                   {**batch[0], "copies": -200}]),
     "-200 is not a whole number"),
    ("a vector longer than 1 by a millionth", D2, put("batches", 1, 0, "vector", value=["3/5", "800001/1000000"]),
     "a vector is longer than 1"),
    ("the last batch left out", D2, put("batches", value=lambda batches: batches[:-1]), "2 batches violate, not 3"),
    ("the order of the batches", D2, put("batches", value=lambda batches: batches[::-1]), "2 batches violate, not 3"),
    ("coordinates for vectors", R4, put("batches", 0, 0, "vector", value=lambda x: [x]), "is not a fraction"),
    ("a number in the wrong place", D2, put("batches", 0, value=200), "TypeError"),
    ("text for batches", D2, put("batches", value="abc"), "TypeError"),
    ("a field left out", D2, without("epsilon"), "KeyError 'epsilon'"),
    ("a field that nobody looks at", D2, put("proved_by", value="a referee"), "unknown field proved_by"),
    ("a list", D2, lambda certificate: [certificate], "TypeError"),
]

CONES, CONES4, HEX, EIG, EXP, TAB = ("reachability-random-d3", "reachability-d4", "reachability-hexagon",
                                     "reachability-hexagon-eigenvalue", "reachability-explorability-d3",
                                     "reachability-tabular")
REACHABILITY = [
    ("the lower end raised within its gap", CONES, put("lower", "value", value=times("1.0000005")), "proves less"),
    ("the upper end lowered within its gap", CONES, put("upper", "value", value=times("0.9999995")),
     "the best policy reaches"),
    ("ends swapped", CONES, swapped, "are not in order"),
    ("nu for explorability", CONES, put("quantity", value="explorability"), ""),
    ("explorability for nu", EXP, put("quantity", value="nu"), ""),
    ("nu for the smallest eigenvalue", HEX, put("quantity", value="lambda"), "proves nothing about lambda"),
    ("the smallest eigenvalue raised to nu", EIG, both(put("lower", "value", value="3/8"),
                                                       put("upper", "value", value="3/8")), "does not reach"),
    ("a factor, which bounds lambda only, for nu", EIG, put("quantity", value="nu"), "a factor proves nothing"),
    ("all directions for the reachable ones", HEX, put("subspace", value="all"), "do not span the space"),
    ("another layer", CONES4, put("layer", value=2), "does not end at its layer"),
    ("the model of another file", "reachability-d3", lambda certificate: {**certificate, "model": load(EXP)["model"],
     "policies": load(EXP)["policies"]}, ""),
    ("transposed transitions", TAB, put("model", "transitions", 0, value=transposed), ""),
    ("swapped features", TAB, put("model", "features", value=lambda rows: rows[::-1]), ""),
    ("another first state", TAB, both(put("model", "initial", value=[1, 0]), put("model", "initial_scale", value=1)),
     ""),
    ("a probability above 1", TAB, put("model", "transitions", 0, 0, 0, value=[12, -2]), "not a distribution"),
    ("probabilities that do not add up", TAB, put("model", "transitions", 0, 0, 0, value=[8, 1]), "not a distribution"),
    ("features longer than 1", TAB, put("model", "features", 0, 0, value=[1, 1, 0, 0]), "longer than 1"),
    ("a smaller scale of the features", CONES, put("model", "feature_scale", value=lambda s: s // 2), "longer than 1"),
    ("an action that does not exist", TAB, put("policies", 0, 0, value=[0, 2]), "unavailable action"),
    ("an action counted from the end", TAB, put("policies", 0, 0, value=[0, -1]), "unavailable action"),
    ("negative weights", TAB, put("lower", "mixture", value=lambda pairs: [[k, -w] for k, w in pairs]), "not positive"),
    ("other weights", TAB, put("lower", "mixture", 0, value=[0, 55]), "does not reach the lower value"),
    ("weights of other policies", TAB, put("lower", "mixture", value=lambda pairs: [[k, w] for (k, _), (_, w) in zip(
        pairs, pairs[1:] + pairs[:1], strict=True)]), "does not reach the lower value"),
    ("a policy counted from the end", TAB, put("lower", "mixture", 0, value=[-1, 54]), "unknown policy"),
    ("squares below zero", TAB, put("upper", "squares", value=[2, 1, -1, 0]), "not a whole number"),
    ("no direction at all", CONES, put("upper", "direction", value=[0, 0, 0]), "the direction is zero"),
    ("a direction outside of the subspace", HEX, put("upper", "direction", value=[1, 0, 0, 0, 0]),
     "leaves the subspace"),
    ("a second, unread upper end", TAB, put("upper", "direction", value=[1, 0, 0, 0]), "one of them"),
    ("a leaf left out", CONES, put("lower", "nodes", value=lambda nodes: nodes[:-1]), "a cone is not covered"),
    ("a leaf twice", CONES, put("lower", "nodes", value=lambda nodes: nodes + nodes[-1:]), "more leaves than cones"),
    ("a leaf with a higher level", CONES, in_leaf("level", times("10")), "does not prove its level"),
    ("a leaf with a lower level", CONES, in_leaf("level", times("1/10")), "proves less than the lower value"),
    ("a leaf with a huge square", CONES, in_leaf("squares", [[1 << 80] * 3]), "does not prove its level"),
    ("a cut that is no edge", CONES, lambda certificate: put(
        "lower", "nodes", next(i for i, node in enumerate(certificate["lower"]["nodes"]) if "cut" in node), "cut",
        value=[1, 1])(certificate), "not an edge"),
    ("a basis that does not span", CONES, put("lower", "basis", value=lambda rows: [rows[0], rows[0], rows[2]]),
     "does not span"),
    ("a method that proves something else", CONES, put("lower", "method", value="vertices"), "chance plays a part"),
    ("nothing, for a positive value", TAB, put("lower", value={"value": "23/200", "method": "nothing"}),
     "without a proof"),
    ("a float", CONES, put("lower", "value", value=0.1), "is no fraction"),
    ("NaN", CONES, put("lower", "value", value=float("nan")), "is no fraction"),
    ("infinity", CONES, put("upper", "value", value=float("inf")), "is no fraction"),
    ("an exponent of which nobody lives to see the end", CONES, put("upper", "value", value="1e999999999"),
     "is no fraction"),
    ("huge text", CONES, put("upper", "value", value="1" * 5000), "ValueError"),
    ("a huge whole number for a value", TAB, put("lower", "value", value=HUGE), "the lower value 1000"),
    ("text for a whole number", TAB, put("model", "initial_scale", value="2"), "'2' is not a whole number"),
    ("true for 1", TAB, put("model", "feature_scale", value=True), "True is not a whole number"),
    ("a scale of zero", TAB, put("model", "initial_scale", value=0), "not a whole number"),
    ("a part left out", TAB, without("model", "scales"), "other fields"),
    ("a field that nobody looks at", TAB, put("nu", value="1/2"), "other fields"),
    ("a list", TAB, lambda certificate: [certificate], "TypeError"),
]


def ids(cases):
    return [f"{name}: {what}" for what, name, _, _ in cases]


def verdict(checker, path, text, capsys):
    """Exit status and the one line that the script prints about a file."""
    path.write_text(text, encoding="utf-8")
    status = checker.main([str(path)])
    line, = capsys.readouterr().out.splitlines()
    return status, line.removeprefix(f"{path}: ")


@pytest.mark.parametrize(("checker", "what", "name", "forge", "words"),
                         [(checker, *case) for checker, cases in ((check_potential, POTENTIAL),
                                                                  (check_reachability, REACHABILITY))
                          for case in cases], ids=ids(POTENTIAL) + ids(REACHABILITY))
def test_a_forgery_is_refused_in_one_line_and_the_truth_beside_it_is_not(checker, what, name, forge, words, tmp_path,
                                                                         capsys):
    truth = load(name)
    forged = forge(copy.deepcopy(truth))
    assert json.dumps(forged) != json.dumps(truth)
    status, line = verdict(checker, tmp_path / "forged.json", json.dumps(forged), capsys)
    assert status == 1 and words in line and len(line) <= 400, f"{what}: {line}"
    assert checker.problems(truth) == []


@pytest.mark.parametrize(("checker", "name"), [(check_potential, D2), (check_reachability, TAB)])
def test_what_is_no_whole_json_is_refused_in_one_line(checker, name, tmp_path, capsys):
    text = (folder() / f"{name}.json").read_text(encoding="utf-8")
    twice = {check_potential: text.replace('"violations": 3', '"violations": 9, "violations": 3'),
             check_reachability: text.replace('"layer":3', '"layer":9,"layer":3')}[checker]
    for forged, words in ((text[:len(text) // 2], "cannot be read"), (twice, "a key stands twice"),
                          ("", "cannot be read"), ("[" * 100_000, "cannot be read"), ("1" * 10_000, "cannot be read"),
                          ("null", "not a certificate"), ("NaN", "not a certificate")):
        assert forged != text
        status, line = verdict(checker, tmp_path / "forged.json", forged, capsys)
        assert status == 1 and words in line and len(line) <= 400
    assert verdict(checker, tmp_path / "true.json", text, capsys) == (0, "right")
