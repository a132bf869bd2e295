"""The labs of notebooks/ travel in the wheel, as derl/notebooks; in a checkout they stay where they are."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class WithLabs(build_py):
    """The usual step, then a copy of notebooks/ beside the modules that were built."""

    def run(self):
        super().run()
        if not self.editable_mode:
            place = Path(self.build_lib, "derl", "notebooks")
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree("notebooks", place, ignore=shutil.ignore_patterns(".ipynb_checkpoints", "__pycache__"))


setup(cmdclass={"build_py": WithLabs})
