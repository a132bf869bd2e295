"""The pictures of the gallery: the first picture of every lab, small, with its sentence inside the file.

    python -m derl.show.labs.thumbnails notebooks/pictures
"""

from __future__ import annotations

import sys
from pathlib import Path

from derl.show.labs.controls import View
from derl.show.labs.found import labs

WIDTH = 300  # pixels


def save(view: View, file: Path) -> None:
    """Write the first figure of a view as a PNG whose description is the sentence."""
    figure = next(picture for picture in view.pictures if not isinstance(picture, str))
    figure.savefig(file, dpi=WIDTH / figure.get_size_inches()[0], facecolor="white", transparent=False,
                   metadata={"Description": view.sentence, "Software": None})


def main(folder: Path) -> None:
    """Write all of them."""
    folder.mkdir(exist_ok=True)
    for name, lab in labs().items():
        save(lab.view(**lab.start), folder / f"{name}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
