"""The files at the root keep their promises; each rule is shown to reject a file that breaks it."""

import json

import pytest
import rules
import yaml
from rules import ROOT

LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
ENVIRONMENT = (ROOT / "environment.yml").read_text(encoding="utf-8")
PACKAGE = (ROOT / "book" / "package.json").read_text(encoding="utf-8")
PACKAGE_LOCK = (ROOT / "book" / "package-lock.json").read_text(encoding="utf-8")
TOC = (ROOT / "book" / "_toc.yml").read_text(encoding="utf-8")
NAMED = rules.named_dependencies(rules.project())


def pages() -> set[str]:
    return {path.relative_to(ROOT).with_suffix("").as_posix() for path in rules.tracked()
            if path.suffix == ".md" and path.is_relative_to(ROOT / "book")}


def test_the_lock_pins_and_hashes_everything_that_pyproject_names():
    assert rules.lock_problems(LOCK, NAMED) == []
    assert len(rules.pins(LOCK)) > len(NAMED)


@pytest.mark.parametrize("name", ["uv-pin.txt", "node-pin.txt"])
def test_the_tools_of_the_setup_are_pinned_and_hashed(name):
    lock = (ROOT / "book" / "_setup" / name).read_text(encoding="utf-8")
    assert rules.pins(lock)
    assert rules.lock_problems(lock, []) == []


@pytest.mark.parametrize("old, new, complaint", [
    ("numpy==", "numpi==", "numpy is not in the lock"),
    ("numpy==2", "numpy==1", "is locked at 1"),
    ("--hash=sha256:", "--hash=md5:", "has no hash"),
    ("numpy==", "--index-url x://y\nnumpy==", "host or index"),
    ("numpy==", "numpy>=", "not a pin"),
])
def test_a_spoilt_lock_is_seen(old, new, complaint):
    assert any(complaint in problem for problem in rules.lock_problems(LOCK.replace(old, new), NAMED))


def test_conda_users_get_what_pyproject_says():
    assert rules.environment_problems(ENVIRONMENT, rules.project()) == []
    for old, new in (("=3.12", "=3.8"), ("=3.12", ">=3.11"), ("[all]", "[book]"), ("-e .", "."), ("name: derl", ""),
                     ("- pip\n", "- pip\n  - numpy\n")):
        assert old in ENVIRONMENT and rules.environment_problems(ENVIRONMENT.replace(old, new, 1), rules.project())


def test_the_browser_assets_are_pinned_with_integrity():
    assert rules.asset_problems(PACKAGE, PACKAGE_LOCK) == []


@pytest.mark.parametrize("package, lock, complaint", [
    (PACKAGE.replace('"3.2.2"', '"^3.2.2"'), PACKAGE_LOCK, "is not pinned"),
    (PACKAGE.replace('"3.2.2"', '"3.2.1"'), PACKAGE_LOCK, "mathjax is locked at 3.2.2, named at 3.2.1"),
    (PACKAGE, PACKAGE_LOCK.replace("sha512-", "sha1-"), "has no integrity"),
    (PACKAGE, PACKAGE_LOCK.replace('"version"', '"resolved": "x://y", "version"'), "a host name in the lock"),
    (PACKAGE, PACKAGE_LOCK.replace("node_modules/mathjax", "node_modules/mathjay"), "locked are"),
])
def test_a_spoilt_asset_lock_is_seen(package, lock, complaint):
    assert any(complaint in problem for problem in rules.asset_problems(package, lock))


def test_every_page_is_in_the_table_of_contents():
    assert rules.toc_problems(TOC, pages()) == []
    assert rules.toc_problems(TOC, pages() | {"book/lost"}) == ["book/lost is not in the table of contents"]
    assert rules.toc_problems(TOC, pages() - {"book/index"}) == ["book/index is listed but does not exist"]


def test_notebooks_are_kept_without_outputs():
    for path in rules.tracked():
        if path.suffix == ".ipynb":
            assert rules.notebook_problems(path.name, path.read_text(encoding="utf-8")) == []
    run = {"cells": [{"cell_type": "code", "outputs": [{"output_type": "stream"}], "execution_count": 1}]}
    assert rules.notebook_problems("run.ipynb", json.dumps(run)) == ["run.ipynb: cell 0 keeps what a run left"]


def test_no_file_knows_a_machine_or_a_registry():
    found = []
    for path in rules.tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # not a text
        found += rules.text_problems(path.relative_to(ROOT), text)
    assert found == []


@pytest.mark.parametrize("text", ["see /{}/notes".format("root"), "https://registry.{}js.org/mathjax".format("npm"),
                                  "/{}/ada/derl".format("home"), "/{}/main".format("work")])
def test_a_machine_path_or_a_registry_is_seen(text):
    assert rules.text_problems(ROOT, text)


def test_the_citation_names_the_book_and_the_paper():
    body = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert body["cff-version"] == "1.2.0"
    assert body["version"] == rules.project()["version"]
    assert body["license"] == rules.project()["license"]
    (paper,) = body["references"]
    assert [author["family-names"] for author in paper["authors"]] == ["Huang", "Chen", "Zhao", "Qin", "Jiang", "Liu"]
    assert paper["year"] == 2022
