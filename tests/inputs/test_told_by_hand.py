"""What a notebook shows of numbers, with places and texts worked out by hand."""

from xml.etree import ElementTree

from derl.inputs import display


def test_a_chart_has_its_points_where_the_logarithm_puts_them():
    """464 pixels for the places 1 to 4 and 134 for a factor of 100, within a margin of 8."""
    page = ElementTree.fromstring(f"<div>{display.chart([1, 2, 4], {'up': [1, 10, 100], 'level': [10, -1, 10]}, 'k')}"
                                  "</div>")
    first, second = (curve.get("points") for curve in page.findall(".//polyline"))
    assert first == "8.0,142.0 162.7,75.0 472.0,8.0" and second == "8.0,75.0 472.0,75.0"  # -1 has no logarithm
    assert page.find("svg").get("aria-label") == (
        "up and level against the k, from 1 to 100 on a logarithmic axis")
    assert "".join(page.find("p").itertext()) == ("● up and ● level against the k, from 1 to 100 on a logarithmic axis")
    colors = [curve.get("stroke") for curve in page.findall(".//polyline")]
    assert [span.get("style") for span in page.findall(".//span")] == [f"color:{color}" for color in colors]
    assert len(set(colors)) == 2 and len(page.findall(".//circle")) == 5


def test_many_points_are_a_line_without_dots():
    dots = {n: display.chart(range(1, n + 1), {"x": [2.0] * (n - 1) + [1.0]}, "k").count("<circle") for n in (30, 31)}
    assert dots == {30: 30, 31: 0}


def test_rows_in_the_middle_are_left_out_and_thinned_rows_keep_their_places():
    assert list(display.ends(range(10))) == list(range(10))
    assert list(display.ends(range(11))) == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10]
    assert display.thinned("abc") == [(1, "a"), (2, "b"), (3, "c")]
    assert [place for place, _ in display.thinned(range(500))] == list(range(1, 501, 3))
    rows = ElementTree.fromstring(display.table([{"k": k, "double": 2 * k} for k in range(12)])).findall(".//tbody/tr")
    texts = [[cell.text for cell in row] for row in rows]
    assert texts[0] == ["0", "0"] and texts[4] == ["4", "8"] and texts[5] == ["... 2 more ..."]
    assert texts[6] == ["7", "14"] and texts[-1] == ["11", "22"] and len(texts) == 11
    head = ElementTree.fromstring(display.table([{"b": 1}, {"a": 2}])).findall(".//thead/tr/th")
    assert [cell.text for cell in head] == ["b", "a"]
    cells = ElementTree.fromstring(display.table([{"b": 1}, {"a": 2}])).findall(".//tbody/tr/td")
    assert [cell.text for cell in cells] == ["1", "-", "-", "2"]


def test_facts_are_on_one_line_or_aligned():
    assert display.text("Batch", {"size": 10**13, "mode": "exact"}) == "Batch(size=1e+13, mode=exact)"
    many = {"a": "x" * 60, "longer": "y" * 60}
    assert display.text("T", many) == f"T\n       a: {'x' * 60}\n  longer: {'y' * 60}"
    assert display.text("T", {"a": "z" * 200}).count("z") == display.LONGEST - 3
    line = 110 - len("T(a=)")
    assert "\n" not in display.text("T", {"a": "z" * min(line, 90)})
