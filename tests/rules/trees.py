"""The six trees: each has the folders of the one list of chapters, and what else may stand beside them is named here.

Trees are read from the names of files alone, so that a planted stray is one more name.
"""

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

MOST_ROOMS = 14  # the eleven chapters and three more
CROWDED = ("derl/claims", "derl/theory", "derl/show")

# tree -> folders in it that are no chapters
TREES = {"derl/claims": (), "derl/theory": ("exact",), "derl/show": ("drawing", "labs"),
         "book": ("back", "background", "evidence"),
         "tests/claims": (), "tests/theory": ("exact",), "tests/show": ("drawing",)}
GALLERY = "index"  # the one notebook that is no lab
COMPLETE = ("derl/claims", "book")  # these have all chapters


def strays(files: Iterable[str], chapters: tuple[str, ...]) -> list[str]:
    """Folders that no chapter is called, and chapters that a tree lacks, one line each.

    Parameters
    ----------
    files : iterable of str
        All files of the project, from its root.
    """
    paths = [PurePosixPath(name) for name in files]
    found = []
    for tree, others in TREES.items():
        words = [_word(chapter, tree) for chapter in chapters]
        here = {path.relative_to(tree).parts[0] for path in paths
                if path.is_relative_to(tree) and len(path.relative_to(tree).parts) > 1}
        found += [f"{tree}/{name} is no chapter" for name in sorted(here)
                  if name not in words and name not in others and not (tree == "book" and name.startswith("_"))]
        if tree in COMPLETE:
            found += [f"{tree} lacks {word}" for word in words if word not in here]
    labs = sorted(path.stem for path in paths if path.match("notebooks/*.ipynb") and path.stem != GALLERY)
    found += [f"notebooks/{lab} is the lab of no chapter" for lab in labs
              if not any(lab == chapter or lab.startswith(f"{chapter}_") for chapter in chapters)]
    return found


def crowds(files: Iterable[str]) -> list[str]:
    """Folders with more rooms than one takes in at a glance; tables and the front door are no rooms."""
    rooms = {tree: set() for tree in CROWDED}
    for path in map(PurePosixPath, files):
        for tree in CROWDED:
            if path.is_relative_to(tree):
                first = path.relative_to(tree).parts[0]
                if first != "__init__.py" and (first.endswith(".py") or len(path.relative_to(tree).parts) > 1):
                    rooms[tree].add(first)
    return [f"{tree} has {len(inside)} rooms, more than {MOST_ROOMS}" for tree, inside in rooms.items()
            if len(inside) > MOST_ROOMS]


def misplaced(pages: Mapping[str, tuple[str, str]], files: Iterable[str]) -> list[str]:
    """Statements whose page is in the folder of another chapter, or is no page: id -> (chapter, page)."""
    names = set(files)
    found = [f"{key} of {chapter} stands on {page}" for key, (chapter, page) in pages.items()
             if page.split("/")[0] != _word(chapter, "book")]
    return found + [f"{key} stands on {page}, which is no page" for key, (_, page) in pages.items()
                    if f"book/{page}.md" not in names]


def _word(chapter: str, tree: str) -> str:
    return chapter.replace("_", "-") if tree == "book" else chapter
