"""What `make live` does without a browser: the module made smaller, what a cell needs, what the gate lets through."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "book" / "live"))
import gate  # noqa: E402
import module  # noqa: E402
import pages  # noqa: E402
import slices  # noqa: E402

# counts reach 10^12 in the book; where Python is built for 32 bits, numpy's `int` overflows without a word
COUNTED = re.compile(r"\b(?:n|counts?|visits)(?:, \w+)* = np\.(?:zeros|empty|ones|full)\([^=\n]*\bint\)")
SECTION = b"\0asm\1\0\0\0" + b"\x0b\x08\x01\x00\x41\x02\x0b\x02ab"


def test_numbers_of_the_module_are_read_as_they_are_written():
    for value in (0, 127, 128, 624485, 2**32 - 1):
        assert module.number(module.written(value), 0) == (value, len(module.written(value)))
    assert module.signed(b"\x7f", 0)[0] == -1


def test_memory_is_what_the_data_segments_say():
    assert module.memory(SECTION) == b"\0\0ab"


def test_functions_of_an_unused_package_are_emptied_and_shared_ones_stay():
    called = ["main", *(f"__pyx_f_{package}_x" for package in module.CYTHON), "sqlite3_open", "xmlFree"]
    called[2:2] = ["_ZSt4sort", "__pyx_pw_6pandas_y"]
    assert module.unused(called) == {1, 3, 4, 5, 6, 7, 8}


def test_a_cell_needs_what_defines_and_what_changes_its_names():
    above = ["import numpy as np\nimport os\nx = np.zeros(3)", "y = 1\nx[0] = 2", "def f():\n    return y"]
    assert slices.needed("x + f()", above) == ["import numpy as np\nx = np.zeros(3)", "y = 1\nx[0] = 2",
                                               "def f():\n    return y"]
    assert slices.needed("z = 1", above) == ["", "", ""]


@pytest.mark.parametrize(("native", "here", "agree"), [
    ("at x = 0.5", "at x = 0.50000000001", True), ("at x = 0.5", "at x = 0.6", False), ("at x", "at y", False),
    ([1, {"a": 2.0}], [1, {"a": 2.0 + 1e-9}], True), (True, False, False), (7, 8, False)])
def test_the_gate_lets_rounding_pass_and_nothing_else(native, here, agree):
    assert gate.near(native, here) is agree


def test_a_check_that_ends_otherwise_gets_no_button():
    row = {"outcome": "pass", "detail": "", "seconds": 1.0, "measured": "1"}
    assert gate.differs(row, row | {"seconds": 9.0}) == ""
    assert gate.differs(row, row | {"outcome": "not run", "detail": "needs flint"}) == "not run here: needs flint"
    assert gate.differs(row, row | {"measured": "2"}) == "another measured"
    assert gate.differs(row, None, "Traceback\nMemoryError") == "MemoryError"


def test_a_gate_that_was_interrupted_goes_on_where_it_was(tmp_path):
    kept = tmp_path / "rows"
    assert gate.run(sorted, (), {"one": [2, 1]}, 1, kept) == [1, 2]
    assert gate.run(sorted, (), {"one": [9], "two": [4, 3]}, 1, kept) == [1, 2, 3, 4]


def test_the_policy_of_a_live_page_opens_webassembly_and_nothing_else():
    old = "script-src &#x27;self&#x27; file: &#x27;sha256-x&#x27;; default-src &#x27;self&#x27; file:"
    new = pages.html.unescape(pages.policy(old))
    assert new.split("; ") == ["script-src 'self' file: 'wasm-unsafe-eval' 'sha256-x'", "default-src 'self' file:",
                               "worker-src blob:", "connect-src 'self'"]
    assert pages.html.unescape(pages.policy(pages.policy(old))) == new


def test_counts_of_cells_and_of_the_library_have_64_bits():
    files = [*(ROOT / "derl").rglob("*.py"), *(ROOT / "book").glob("*.py"), *(ROOT / "book").glob("*/*.md")]
    assert not [f"{file.relative_to(ROOT)}: {found}" for file in files
                for found in COUNTED.findall(file.read_text(encoding="utf-8"))]
    assert COUNTED.search("n, here = np.zeros((H, S), int)")
    with np.errstate(all="ignore"):
        assert np.array([10**12], np.int64).astype(np.int32)[0] != 10**12
