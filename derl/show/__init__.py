"""Floor 7: figures of the book and the pure functions of its widgets, one folder per chapter.

matplotlib is imported here, before any module below does it: it looks for settings in the current folder, which may
belong to somebody else. A program that wants its own settings imports matplotlib first.
"""

from contextlib import suppress

from derl.inputs.libraries import imported

with suppress(Exception):  # a module that needs matplotlib says what is wrong with it
    imported("matplotlib")
