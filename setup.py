"""What the wheel takes from outside of derl/; in a checkout it stays where it is.

The labs of notebooks/ travel as derl/notebooks, the extensions of the book and its style as derl/book.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

LEFT_OUT = shutil.ignore_patterns(".ipynb_checkpoints", "__pycache__")


class WithLabsAndBook(build_py):
    """The usual step, then copies beside the modules that were built."""

    def run(self):
        if not self.editable_mode:  # modules of an earlier build that are gone since would stay
            shutil.rmtree(Path(self.build_lib, "derl"), ignore_errors=True)
        super().run()
        if not self.editable_mode:
            place = Path(self.build_lib, "derl")
            for folder in ("notebooks", "book"):
                shutil.rmtree(place / folder, ignore_errors=True)
            shutil.copytree("notebooks", place / "notebooks", ignore=LEFT_OUT)
            shutil.copytree("book/_ext", place / "book" / "_ext", ignore=LEFT_OUT)
            (place / "book" / "_static").mkdir()
            shutil.copy("book/_static/book.css", place / "book" / "_static")


setup(cmdclass={"build_py": WithLabsAndBook})
