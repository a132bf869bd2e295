"""Floor 7: figures of the book and the pure functions of its widgets, one folder per chapter.

matplotlib looks for settings in the current folder, which may belong to somebody else. So it is imported here, in
another folder and with its default settings. A program that wants its own settings imports matplotlib first.
"""

import sys
from contextlib import chdir, suppress

if "matplotlib" not in sys.modules:
    with suppress(Exception), chdir("/"):  # a module that needs matplotlib says what is wrong with it
        import matplotlib
        matplotlib.rcdefaults()
