"""Films: frames become pictures, words are escaped, and coordinates are short."""

from derl.show.drawing import film


def test_a_film_keeps_its_frames_apart_from_its_table():
    shapes = [film.shape("a", "circle", cx=1.23456, cy=2.0, r=3, kind="dot red"),
              film.text("b", 1, 2, "1 < 2", "strong")]
    made = film.film((10, 20), [(shapes, "one & two")], ("k", "value"), [(1, 0.5)], "a film")
    (frame,) = made.pop("frames")
    assert made == {"label": "a film", "head": ["k", "value"], "rows": [["1", "0.5"]]}
    assert frame["svg"] == ('<svg viewBox="0 0 10 20" width="10" height="20" role="img" aria-label="one &amp; two">'
                            '<circle data-key="a" cx="1.2" cy="2" r="3" class="dot red"></circle>'
                            '<text data-key="b" x="1" y="2" text-anchor="start" class="strong">1 &lt; 2</text></svg>')
    assert film.still([frame]).count("<figcaption>one &amp; two</figcaption>") == 1
    assert "<figcaption>" not in film.picture(shapes, (10, 20), "alone").data


def test_a_bar_is_never_shorter_than_nothing():
    assert film.bar("x", 0, 0, -3, 4, "blue")[2]["width"] == 0
