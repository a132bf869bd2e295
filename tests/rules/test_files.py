"""The files at the root keep their promises."""

import json
import re
import tomllib

import check_jsonschema
import pytest
import yaml
from click.testing import CliRunner
from rules import ROOT, tracked

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCK = re.compile(r"[\w.-]+==[^\s\\]+(?: ; [^\n\\]+)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+\n")
# one letter in brackets keeps a rule from finding itself
FOREIGN = re.compile(r"https?://[^\s\"']*(?:[n]pmjs|[p]ypi|[p]ythonhosted|[c]onda\.)"
                     r"|/[r]oot/|/[h]ome/[a-z]|/[w]ork/|/[U]sers/")
FORMS = {"ISSUE_TEMPLATE/statement.yml": "issue-forms", "ISSUE_TEMPLATE/config.yml": "issue-config",
         "workflows/pages.yml": "workflows", "workflows/release.yml": "workflows", "workflows/test.yml": "workflows"}


@pytest.mark.parametrize("name", ["requirements.lock", "book/_setup/uv-pin.txt", "book/_setup/node-pin.txt"])
def test_every_package_is_pinned_with_its_hash(name):
    assert LOCK.sub("", (ROOT / name).read_text(encoding="utf-8")).strip() == ""


def test_the_lock_has_all_that_pyproject_names():
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8").lower()
    named = [line for lines in [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()] for line in lines]
    names = {re.match(r"[\w-]+", line)[0].lower() for line in named} - {"derl"}
    assert [name for name in names if not re.search(rf"^{name}==", lock, re.M)] == []


@pytest.mark.parametrize("folder", ["book", "book/_setup/browser"])
def test_npm_packages_are_pinned_with_their_integrity(folder):
    wanted = json.loads((ROOT / folder / "package.json").read_text(encoding="utf-8"))["dependencies"]
    locked = json.loads((ROOT / folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    rows = {key.removeprefix("node_modules/"): row for key, row in locked.items() if key}
    assert {name: row["version"] for name, row in rows.items()} == wanted
    assert all(row["integrity"].startswith("sha512-") and "resolved" not in row for row in rows.values())


def test_every_page_is_in_the_table_of_contents():
    toc = (ROOT / "book" / "_toc.yml").read_text(encoding="utf-8")
    listed = re.findall(r"(?:file|root): (book/\S+)", toc)
    pages = [path.relative_to(ROOT).with_suffix("").as_posix() for path in tracked()
             if path.suffix == ".md" and path.is_relative_to(ROOT / "book")]
    assert sorted(listed) == sorted(pages)


def test_notebooks_are_kept_without_outputs():
    cells = [cell for path in tracked() if path.suffix == ".ipynb"
             for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert cells and not [cell for cell in cells if cell["outputs"] or cell["execution_count"]]


def test_no_file_knows_a_machine_or_a_registry():
    found = []
    for path in tracked():
        try:
            found += [f"{path.name}: {match[0]}" for match in FOREIGN.finditer(path.read_text(encoding="utf-8"))]
        except UnicodeDecodeError:
            continue  # not a text
    assert found == []


def test_git_tracks_nothing_that_was_built():
    from subprocess import run

    assert run(["git", "ls-files", "-i", "-c", "--exclude-standard"], cwd=ROOT, capture_output=True).stdout == b""


@pytest.mark.parametrize("name", FORMS)
def test_files_for_github_fit_its_schemas_and_name_actions_by_commit(name):
    file = ROOT / ".github" / name
    done = CliRunner().invoke(check_jsonschema.main, ["--builtin-schema", f"vendor.github-{FORMS[name]}", str(file)])
    assert done.exit_code == 0, done.output
    body = yaml.safe_load(file.read_text(encoding="utf-8"))
    if "jobs" in body:
        assert body["permissions"] == {"contents": "read"}
        used = re.findall(r"uses: (\S+)", file.read_text(encoding="utf-8"))
        assert all(re.search(r"@[0-9a-f]{40}$", action) for action in used)


def test_the_citation_names_the_version():
    body = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert body["version"] == PROJECT["version"] and body["license"] == PROJECT["license"]
