"""Where a command may write: asked before the work, and nothing that is there is lost."""

import os
import stat

import pytest
from click.testing import CliRunner

from derl import claims, instances
from derl.cli import main

CHEAP = "text-discretisation-error"


def untouched(monkeypatch):
    """No work is done before the target is looked at."""
    def never(*words, **options):
        raise AssertionError("the work has begun")
    monkeypatch.setattr(claims, "verify", never)
    monkeypatch.setattr(instances, "from_spec", never)


@pytest.mark.parametrize("words", [("verify", CHEAP), ("instance", "optimism_trap")])
@pytest.mark.parametrize("name, reason", [("pipe", "is a pipe"), ("link", "is a pipe"), ("folder", "is a folder"),
                                          ("file/x", "ot a directory"), ("\udcff", "no name"), ("x" * 300, "too long"),
                                          ("a\0b", "no name")])
def test_a_target_that_is_no_file_is_refused_before_the_work(tmp_path, monkeypatch, words, name, reason,
                                                                one_line_error):
    untouched(monkeypatch)
    os.mkfifo(tmp_path / "pipe")
    os.symlink("pipe", tmp_path / "link")
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("kept")
    assert reason in one_line_error(*words, "--out", f"{tmp_path}/{name}")
    assert sorted(os.listdir(tmp_path)) == ["file", "folder", "link", "pipe"]
    assert stat.S_ISFIFO((tmp_path / "link").stat().st_mode) and (tmp_path / "file").read_text() == "kept"


@pytest.mark.parametrize("words", [("verify", CHEAP), ("instance", "optimism_trap")])
def test_a_folder_that_cannot_be_written_is_refused_before_the_work(tmp_path, monkeypatch, words, one_line_error):
    untouched(monkeypatch)
    monkeypatch.setattr("derl.inputs.files.os.access", lambda place, mode: False)
    assert "no permission" in one_line_error(*words, "--out", str(tmp_path / "x"))


def test_what_is_written_can_be_read_by_a_web_server(tmp_path):
    before = os.umask(0o022)
    try:
        for words in (("verify", CHEAP), ("instance", "optimism_trap")):
            assert CliRunner().invoke(main, [*words, "--out", str(tmp_path / words[0])]).exit_code == 0
            assert stat.S_IMODE((tmp_path / words[0]).stat().st_mode) == 0o644
    finally:
        os.umask(before)
    assert sorted(os.listdir(tmp_path)) == ["instance", "verify"]
