"""A stopped run is taken up again where nothing has changed, and only there."""

import os
import signal
import threading
from dataclasses import replace
from types import SimpleNamespace

import made_rows
import pytest
import troubled_paper
from troubled_paper import checks as troubled_checks

from derl.ledger import provenance, verify
from derl.ledger.journal import Journal
from derl.ledger.ledger import InvalidLedger

PAPER = troubled_paper.PAPER


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """Names of the checks that have run since."""
    path = tmp_path / "runs"
    monkeypatch.setenv(troubled_checks.RUNS, str(path))

    def read():
        names = set(path.read_text().split()) if path.exists() else set()
        path.unlink(missing_ok=True)
        return names

    return read


def stopped_run(out, digest="a", after=1):
    """A run that is stopped when so many checks have ended."""
    def stop(name, done, total):
        if done == after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Journal(out, digest) as journal:
        verify(PAPER, ["lem-sound"], progress=stop, journal=journal)


def finished_run(out, digest="a", ids=("lem-sound",), tier="quick"):
    with Journal(out, digest) as journal:
        ledger = verify(PAPER, ids, tier, journal=journal)
        ledger.save(out)
        journal.discard()
    return ledger


def test_rows_of_a_stopped_run_are_taken_over_and_a_finished_run_leaves_no_journal(tmp_path, runs):
    out = tmp_path / "ledger.json"
    stopped_run(out)
    assert runs() == {"sound"} and os.listdir(tmp_path) == [".ledger.json.journal"]
    resumed = finished_run(out, ids=("lem-plants", "lem-sound"), tier="full")
    assert runs() == {"sound_again", "plants"} and os.listdir(tmp_path) == ["ledger.json"]
    afresh = verify(PAPER, ["lem-plants", "lem-sound"], "full")

    def timeless(ledger):
        return [replace(row, seconds=0) for claim in ledger.claims.values() for row in claim.checks]

    assert timeless(resumed) == timeless(afresh)


def test_a_journal_that_is_gone_already_is_discarded_all_the_same(tmp_path):
    with Journal(tmp_path / "ledger.json", "a") as journal:
        journal.discard()
        journal.discard()
    assert os.listdir(tmp_path) == []


def test_a_run_of_other_code_begins_anew(tmp_path, runs):
    out = tmp_path / "ledger.json"
    stopped_run(out)
    runs()
    finished_run(out, "b")
    assert runs() == {"sound", "sound_again"}


@pytest.mark.parametrize("damage", [lambda text: text[:-20], lambda text: text + '{"claim": "lem-s',
                                    lambda text: text[:9],
                                    lambda text: text.replace('"outcome": "pass"', '"outcome": 5'), lambda text: "",
                                    lambda text: text + "\n\n", lambda text: text + "[" * 9999 + "\n",
                                    lambda text: "\x00\n" + text])
def test_half_a_line_and_a_damaged_row_are_dropped(tmp_path, runs, damage):
    out = tmp_path / "ledger.json"
    stopped_run(out)
    journal = tmp_path / ".ledger.json.journal"
    journal.write_text(damage(journal.read_text()))
    runs()
    stopped_run(out, after=2)  # what follows the damage is read again
    assert "sound_again" in runs()
    ledger = finished_run(out)
    assert runs() == set() and ledger.claims["lem-sound"]["verdict"] == "enumerated"


def test_nothing_after_a_damaged_row_is_taken_over_and_the_file_ends_at_a_line(tmp_path, runs):
    out, journal = tmp_path / "ledger.json", tmp_path / ".ledger.json.journal"
    stopped_run(out)
    head, row = journal.read_text().splitlines(keepends=True)
    other = row.replace('"outcome": "pass"', '"outcome": 5')
    journal.write_text(head + row + other + row)
    with Journal(out, "a") as opened:
        assert len(opened.rows) == 1
    assert journal.read_text() == head + row
    journal.write_text(head + other + row)
    with Journal(out, "a") as opened:
        assert opened.rows == {}
    assert journal.read_text() == head


def test_an_error_is_run_again(tmp_path):
    out = tmp_path / "ledger.json"
    with Journal(out, "a") as journal:
        verify(PAPER, ["lem-quits"], journal=journal)
    with Journal(out, "a") as journal:
        assert journal.rows == {}


def test_a_run_waits_until_the_workers_of_a_killed_one_have_let_go(tmp_path):
    held = Journal(tmp_path / "x", "a").__enter__()
    release = threading.Timer(0.2, held.__exit__)
    release.start()
    try:
        with Journal(tmp_path / "x", "a") as journal:
            assert journal.rows == {}
    finally:
        release.join()


def test_two_runs_do_not_share_a_journal(tmp_path, monkeypatch):
    monkeypatch.setattr("derl.ledger.journal.PATIENCE", 0.1)
    with Journal(tmp_path / "x", "a"), pytest.raises(InvalidLedger, match="in use"), Journal(tmp_path / "x", "a"):
        pass


def test_the_journal_is_no_way_around_the_refusals(tmp_path):
    os.mkfifo(tmp_path / ".x.journal")
    for out in (tmp_path, tmp_path / "x"):
        with pytest.raises(InvalidLedger, match="is a (folder|pipe)"):
            Journal(out, "a")


def test_a_run_without_a_journal_leaves_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    verify(PAPER, ["lem-sound"])
    assert os.listdir(tmp_path) == []


def test_the_digest_follows_every_file_and_every_library(tmp_path, monkeypatch):
    package = tmp_path / "made_up_package"
    (package / "part").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "part" / "claims.yml").write_text("a")
    monkeypatch.syspath_prepend(tmp_path)
    first = provenance.digest("made_up_package")
    assert provenance.digest("made_up_package.part", "made_up_package") == first
    (package / "part" / "claims.yml").write_text("b")
    second = provenance.digest("made_up_package")
    (package / "part" / "claims.yml").rename(package / "part" / "claims.csv")
    third = provenance.digest("made_up_package")
    found = {first, second, third}
    for name, version in ((None, ""), ("a", "1"), ("b", "1"), ("a", "2")):  # one other library, or another version
        library = SimpleNamespace(metadata={"Name": name}, version=version)
        monkeypatch.setattr(provenance.metadata, "distributions", lambda library=library: [library])
        found.add(provenance.digest("made_up_package"))
    monkeypatch.setattr(provenance.metadata, "distributions", lambda: [])
    assert len(found | {provenance.digest("made_up_package")}) == 8


def test_a_killed_process_leaves_rows_that_the_next_run_uses(tmp_path, runs):
    out = tmp_path / "ledger.json"
    child = os.fork()
    if child == 0:
        try:
            with Journal(out, "a") as journal:
                verify(PAPER, ["lem-sound"], progress=lambda *_: os.kill(os.getpid(), signal.SIGKILL), journal=journal)
        finally:
            os._exit(1)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    assert runs() == {"sound"}
    finished_run(out)
    assert runs() == {"sound_again"}


def test_code_that_is_edited_while_checks_run_is_not_said_to_be_checked(monkeypatch):
    code = ["before"]
    monkeypatch.setattr(provenance, "digest", lambda *packages: code[0])
    monkeypatch.setattr(provenance, "commit", lambda package: code[0])
    ledger = verify(PAPER, ["lem-sound"], progress=lambda *_: code.__setitem__(0, "after"))
    assert (ledger.digest, ledger.commit) == ("before", "before") and code == ["after"]


def foreign(path, monkeypatch):
    try:
        os.chown(path, 54321, -1, follow_symlinks=False)
    except PermissionError:
        monkeypatch.setattr("derl.inputs.owners.os.geteuid", lambda: os.getuid() + 1)
        monkeypatch.setattr("derl.inputs.owners.abilities", lambda folder: (True, True))


def test_a_forged_journal_of_another_user_is_not_believed(tmp_path, runs, monkeypatch):
    out = tmp_path / "ledger.json"
    stopped_run(out)
    journal = tmp_path / ".ledger.json.journal"
    content = journal.read_bytes()
    with Journal(out, "a") as mine:
        assert len(mine.rows) == 1  # these very bytes are believed while they are one's own
    runs()
    foreign(journal, monkeypatch)
    with pytest.raises(InvalidLedger, match="of another user"), Journal(out, "a"):
        pass
    assert journal.read_bytes() == content and runs() == set()


def test_a_journal_that_others_can_write_to_is_not_believed(tmp_path, runs):
    out = tmp_path / "ledger.json"
    stopped_run(out)
    (tmp_path / ".ledger.json.journal").chmod(0o666)
    with pytest.raises(InvalidLedger, match="others can write to"), Journal(out, "a"):
        pass


@pytest.mark.parametrize("theirs", [True, False])
def test_a_link_at_the_name_of_the_journal_is_neither_followed_nor_removed(tmp_path, monkeypatch, theirs):
    precious, link = tmp_path / "precious", tmp_path / ".ledger.json.journal"
    precious.write_text("kept")
    link.symlink_to(precious)
    if theirs:
        foreign(link, monkeypatch)
    with pytest.raises(InvalidLedger, match="is a link"), Journal(tmp_path / "ledger.json", "a"):
        pass
    assert precious.read_text() == "kept" and link.is_symlink()


def test_a_finished_run_removes_the_name_of_its_own_journal_alone(tmp_path):
    with Journal(tmp_path / "ledger.json", "a") as journal:
        journal.path.unlink()
        journal.path.write_text("somebody else's by now")
        journal.discard()
    assert journal.path.read_text() == "somebody else's by now"


@pytest.mark.parametrize("outcome, kept", [("pass", True), ("fail", True), ("error", False), ("missing", False)])
def test_what_could_not_be_run_is_tried_again(tmp_path, outcome, kept):
    check = PAPER.register().checks[0]
    row = made_rows.check(outcome=outcome, source=check.source, detail="MemoryError: none left")
    with Journal(tmp_path / "ledger.json", "a") as journal:
        before = journal.path.read_bytes()
        journal.keep(check, row)
        assert (journal.path.read_bytes() != before) is kept
