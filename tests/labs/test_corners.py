"""No position of the controls asks for more work than a reader waits for: counted, since clocks differ."""

import sys

import pytest

from derl.inputs import Invalid
from derl.show.labs import thumbnails
from derl.show.labs.controls import Choice, Lab, Slider, View, page
from derl.show.labs.found import labs
from derl.show.labs.panel import Later, panel

MOST_CALLS = 3_000_000  # of Python and of C, in one view
LARGEST = 400_000  # characters of a picture
CORNERS = 6  # of each lab, beside the first and the last


def calls(function, most: int) -> int:
    """How many calls a function makes; stops counting, and the function, beyond the limit."""
    made = 0

    def count(frame, event, argument):
        nonlocal made
        made += event in ("call", "c_call")
        if made > most:
            sys.setprofile(None)
            raise OverflowError(f"more than {most} calls")

    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(None)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("name", labs())
def test_no_corner_of_a_lab_is_heavy(name):
    lab = labs()[name]
    lab.view(**lab.start)  # what is imported and certified once
    corners = list(lab.corners)
    for corner in [*corners[::max(1, len(corners) // CORNERS)], corners[-1]]:
        found = []
        assert 0 < calls(lambda corner=corner, found=found: found.append(lab.view(**corner)), MOST_CALLS)
        assert found[0].last is None or found[0].last <= max(c.ends[1] for c in lab.controls if hasattr(c, "most"))
        assert len(page(found[0])) < LARGEST


def test_a_control_has_few_positions_and_starts_on_one_of_them():
    def lab(values, start):
        return Lab("x", "x", "x", lambda a: View("x", ("x",)), (Slider("a", "a", values, start),), "x")

    assert lab((1, 2), 1).start == {"a": 1}
    with pytest.raises(Invalid, match="a has 1000 positions; 2 to 400 are allowed"):
        lab(tuple(range(1000)), 1)
    with pytest.raises(Invalid, match="a"):
        lab((1, 2), 3)
    for values in ((1, 3, 2), (1, 1, 2)):
        with pytest.raises(Invalid, match=f"a has the positions {', '.join(map(str, values))}; they must increase"):
            lab(values, 1)


def test_a_panel_shows_complaints_in_place_of_a_picture():
    def view(a):
        return View(f"seen {1 / a}", ("",)) if a < 9 else page(a)

    made = panel(Lab("x", "x", "x", view, (Choice("a", "a", (1, 0, 2), 1),), "x"))
    picture, settings = made.children[1:3]
    assert "seen 1.0" in picture.value
    settings.children[0].value = 0
    assert 'class="derl-error">ZeroDivisionError' in picture.value
    settings.children[0].value = 2
    assert "seen 0.5" in picture.value


def test_many_moves_are_drawn_once():
    import asyncio

    drawn = []

    async def drag():
        later = Later(lambda: drawn.append(1), pause=0.01)
        for _ in range(20):
            later()
        await asyncio.sleep(0.1)

    asyncio.run(drag())
    assert drawn == [1]


@pytest.mark.parametrize("name", labs())
def test_the_gallery_shows_the_lab_as_it_opens(name):
    from PIL import Image
    from rules import ROOT

    lab, folder = labs()[name], ROOT / "notebooks"
    with Image.open(folder / "pictures" / f"{name}.png") as picture:
        assert picture.info["Description"] == lab.view(**lab.start).sentence
        assert abs(picture.width - thumbnails.WIDTH) <= 1
    for file in (folder / "index.ipynb", ROOT / "README.md"):
        text = file.read_text(encoding="utf-8")
        assert lab.title in text and lab.about in text and f"{name}.ipynb" in text
    assert (ROOT / "book" / f"{lab.page}.md").is_file()
