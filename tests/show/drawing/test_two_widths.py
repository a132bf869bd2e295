"""Figures for a phone: panels stacked, nothing cut, no type too small; both drawings in one file and apart again."""

import io

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from phone_figures import with_choice

from derl.show.drawing import style, two_widths

LONG = "the probability that a policy of the paper meets the one direction that matters, $\\nu_{\\min}^2 / 8$"


def busy() -> Figure:
    """Three panels with every trouble: long titles, labels, names and legends, and small type."""
    figure, (left, middle, right) = style.axes(3, figsize=(9, 3))
    left.plot([1, 2], label=LONG)
    right.plot([1, 2], label="of this panel")
    right.legend(fontsize=6)
    left.set(title=LONG, xlabel=LONG, ylabel=LONG)
    middle.annotate("tiny", (0, 0), fontsize=4)
    right.set_yticks([0, 1], ["a row with a name that is long", "short"])
    figure.colorbar(middle.pcolormesh(np.eye(2)), ax=middle, label="what the colours mean")
    figure.legend(ncols=2, loc="outside lower center")
    return figure


def drawn(figure) -> str:
    stream = io.BytesIO()
    figure.canvas.print_figure(stream, format="svg", backend="module://derl.show.drawing.two_widths",
                               metadata={"Date": None})
    return stream.getvalue().decode()


def test_a_phone_gets_one_column_that_fits():
    figure = busy()
    small = two_widths.narrow(figure)
    small.draw_without_rendering()
    panels = [ax.get_position() for ax in small.axes[:3]]
    assert [box.y0 for box in panels] == sorted((box.y0 for box in panels), reverse=True)
    assert all(above.y0 > below.y1 for above, below in zip(panels, panels[1:], strict=False))
    written = [text for text in small.findobj(Text) if text.get_visible() and text.get_text().strip()]
    assert len(written) > 30
    for text in written:
        assert text.get_fontsize() >= two_widths.LETTER
        box = text.get_window_extent()
        assert -2 <= box.x0 and box.x1 <= small.bbox.x1 + 2, f"{text.get_text()!r} is cut at a side"
    assert small.get_size_inches()[0] == two_widths.WIDTH
    assert 360 - 40 < 96 * two_widths.WIDTH < 360 - 36  # CSS pixels: a phone without the margins of a page
    assert figure.get_size_inches()[0] == 9 and figure.axes[0].get_title() == LONG


@pytest.mark.parametrize("names, numbered", [(9, True), (8, False)])
def test_many_names_beside_points_become_numbers_with_a_legend(names, numbered):
    figure, ax = style.axes(figsize=(7, 4))
    for k in range(names):
        ax.annotate(f"a method\nnumber {k}", (k, k))
    small = two_widths.narrow(figure).axes[0]
    assert [text.get_text() for text in ax.texts] == [f"a method\nnumber {k}" for k in range(names)]
    if numbered:
        assert [text.get_text() for text in small.texts] == [str(k + 1) for k in range(names)]
        legend = small.figure.legends[0]
        assert [text.get_text() for text in legend.get_texts()] == [f"a method, number {k}" for k in range(names)]
    else:
        assert small.figure.legends == [] and small.texts[0].get_text().startswith("a method")


def test_short_marks_beside_points_stay():
    figure, ax = style.axes(figsize=(7, 4))
    for k in range(20):
        ax.annotate(str(k), (k, k))
    assert [text.get_text() for text in two_widths.narrow(figure).axes[0].texts] == [str(k) for k in range(20)]


def test_a_picture_that_is_only_scaled_would_be_found_too_small():
    """The check above sees the fault that it is there for."""
    figure = busy()
    scale = two_widths.WIDTH / figure.get_size_inches()[0]
    assert min(text.get_fontsize() for text in figure.findobj(Text)) * scale < two_widths.LETTER / 2


@pytest.mark.parametrize("text", [LONG, "short", "", "$a$ $b$ and $c$"])
def test_lines_are_broken_between_words_and_formulas_stay_whole(text):
    lines = two_widths.wrapped(text, two_widths.LETTER, 20).split("\n")
    assert " ".join(lines) == text
    assert all(line.count("$") % 2 == 0 for line in lines)


def test_both_drawings_travel_in_one_file_and_come_apart():
    figure = busy()
    text = drawn(figure)
    wide, narrow = two_widths.apart(text)
    assert text.count("<svg") == 1 and wide.count("<svg") == narrow.count("<svg") == 1
    assert "</svg>" in narrow and two_widths.OPENING not in wide + narrow
    assert drawn(busy()) == text, "the same figure, the same bytes"
    assert two_widths.apart("<svg/>") == ("<svg/>", None)


def test_a_page_offers_the_narrow_drawing_where_there_is_one():
    body = '<p><img alt="x" src="../_images/ab.svg" /><img src="../_images/cd.svg"><img src="ab.svg"></p>'
    found = with_choice(body, lambda stem: stem == "ab")
    assert found == ('<p><picture><source media="(max-width: 600px)" srcset="../_images/ab-narrow.svg"><img alt="x" '
                     'src="../_images/ab.svg" /></picture><img src="../_images/cd.svg"><img src="ab.svg"></p>')
