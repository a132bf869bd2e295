"""A digest changes when any part of what it is of does, and only then."""

import hashlib
from importlib import metadata

import pytest

from derl.exact.base import digest
from derl.inputs.digests import below, contents, versions


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "part" / "__pycache__").mkdir(parents=True)
    (tmp_path / "a.py").write_text("1", encoding="utf-8")
    (tmp_path / "part" / "b.yml").write_text("1", encoding="utf-8")
    (tmp_path / "part" / "__pycache__" / "b.pyc").write_text("1", encoding="utf-8")
    return tmp_path


def test_bytes_have_their_own_digest_and_values_that_of_their_json():
    assert digest(b"") == hashlib.sha256(b"").hexdigest() != digest("")
    assert digest({"b": 1, "a": (1, 2)}) == digest({"a": [1, 2], "b": 1}) == hashlib.sha256(
        b'{"a": [1, 2], "b": 1}').hexdigest()
    assert len({digest(value) for value in ({"a": 1}, {"a": "1"}, {"a": [1]}, ["a", 1], None, b"null ")}) == 6


def test_files_are_told_by_name_and_by_content(folder):
    def now():
        return digest(contents(folder, below(folder)))

    first = now()
    assert contents(folder, below(folder)) == {"a.py": digest(b"1"), "part/b.yml": digest(b"1")}
    (folder / "part" / "__pycache__" / "b.pyc").write_text("2", encoding="utf-8")
    assert now() == first
    (folder / "a.py").write_text("2", encoding="utf-8")
    second = now()
    (folder / "a.py").rename(folder / "c.py")
    third = now()
    (folder / "empty").mkdir()
    assert len({first, second, third}) == 3 and now() == third


def test_a_pattern_chooses_files(folder):
    assert [path.name for path in below(folder, "*.py")] == ["a.py"] and below(folder / "absent") == []


def test_packages_are_told_by_their_versions():
    assert versions(("numpy", "no-such-package")) == {"numpy": metadata.version("numpy"), "no-such-package": "absent"}
