"""What a reader does in the live book, in a real browser, and what the pages keep from happening."""

import http.server
import json
import re
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest
from browser import in_chromium

from derl.claims import PAPER, Ledger
from derl.ledger.provenance import digest

ROOT = Path(__file__).parents[2]
HTML = ROOT / "_build" / "html"
BUILT = ("book/layerwise/algorithm-one", "book/back/why")


class Silent(http.server.SimpleHTTPRequestHandler):
    """Files of a folder; what was asked is kept."""

    asked: list[str] = []

    def log_message(self, *words):
        self.asked.append(self.path)

    def copyfile(self, source, out):
        """Send the file; the one that the browser names in a header has one byte changed."""
        data = bytearray(source.read())
        if self.headers["X-Spoilt"] == Path(self.path).name:
            data[len(data) // 2] ^= 1
        out.write(data)


class Elsewhere(Silent):
    asked: list[str] = []


def served(handler, folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/"


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What the reader of drive.mjs saw."""
    if not (HTML / "_live").is_dir():
        subprocess.run([sys.executable, ROOT / "book" / "live" / "build.py", *BUILT], cwd=ROOT, check=True)
    return in_chromium(Path(__file__).with_name("drive.mjs"), served(Silent, HTML),
                       served(Elsewhere, tmp_path_factory.mktemp("elsewhere")),
                       STATEMENT=PAPER.text("thm-layerwise-repaired"))


@pytest.mark.slow
def test_nothing_loads_before_a_click_and_a_cell_prints_what_the_page_shows(seen):
    assert seen["before"] == 0
    note, text = seen["cell"]
    assert note.startswith("ran here in") and text.split() == seen["printed"].split()


@pytest.mark.slow
def test_an_edit_drops_the_old_answer_and_files_are_read_only(seen):
    assert seen["stale"] is False
    assert seen["error"][1].startswith("42\n") and "Read-only file system" in seen["error"][1]


@pytest.mark.slow
def test_an_endless_loop_stops_and_escape_and_reset_lead_back(seen):
    note, _, milliseconds = seen["stopped"]
    assert note.startswith("stopped") and milliseconds < 5000
    assert seen["left"] == "Run" and "def algorithm_1" in seen["reset"]


@pytest.mark.slow
def test_a_cell_that_patches_the_judge_changes_no_verdict(seen):
    assert seen["patched"][1] == "machine-checked\n"
    assert re.search(r"ok +proved", seen["check"][1]) and "0 not as expected" in seen["check"][1]
    assert seen["edited"][1].endswith("the edited statement is refuted\n")


@pytest.mark.slow
def test_a_worker_reaches_nothing_elsewhere_and_nothing_runs_by_itself(seen):
    assert seen["reached"] == [] and Elsewhere.asked == []
    assert seen["afterReload"] == 0


@pytest.mark.slow
def test_output_is_text_and_pictures_with_an_end(seen):
    assert seen["markup"] == ["<img src=x onerror=alert(1)>\n", 0]
    assert 10**6 < seen["much"] < 10**6 + 100 and seen["figures"] == 20


@pytest.mark.slow
def test_python_has_no_bridge_no_socket_and_nothing_of_the_machine(seen):
    *refused, left = seen["apart"].splitlines()
    assert refused[0] == "ModuleNotFoundError" and "done" not in refused
    assert not {"HOME", "USER", "PATH"} & {*re.findall(r"'(\w+)'", left)}
    for image in (ROOT / "_build" / "live").glob("*.mem"):
        assert str(ROOT).encode() not in image.read_bytes()


@pytest.mark.slow
def test_a_changed_file_is_not_run_and_a_spoilt_cache_is_fetched_again(seen):
    assert "book.tar.gz is not the file that this page expects" in seen["flipped"][1]
    assert seen["mended"][0].startswith("ran here in")
    assert seen["again"][0].startswith("ran here in") and seen["offline"] == "42\n"
    assert {*seen["left_caches"]} == {seen["caches"], "another project", "derl-live /another/book 00"}


@pytest.mark.slow
def test_all_admitted_checks_run_in_one_page_and_their_ledger_says_where(seen, tmp_path):
    note, text = seen["whole"]
    ran, asked = map(int, re.match(r"(\d+) of (\d+) checks ran here", note).groups())
    assert ran == asked > 0 and "0 not as expected" in text
    file = tmp_path / "ledger.json"
    file.write_text(json.dumps(seen["ledger"]), encoding="utf-8")
    found = Ledger.load(file)
    assert found.environment["platform"].startswith("a browser") and "thm-layerwise-repaired" in found.claims
    assert found.digest != digest(*PAPER.code)  # so that no build takes it for its own
