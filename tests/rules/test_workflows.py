"""The files for GitHub fit its own schemas, which check-jsonschema brings along; planted errors are refused."""

import json
import re

import check_jsonschema
import pytest
import yaml
from click.testing import CliRunner
from rules import ROOT

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
FORMS = {GITHUB / "ISSUE_TEMPLATE" / "statement.yml": "vendor.github-issue-forms",
         GITHUB / "ISSUE_TEMPLATE" / "config.yml": "vendor.github-issue-config"}
FILES = dict.fromkeys(WORKFLOWS, "vendor.github-workflows") | FORMS
PAGES, RELEASE, TEST = (GITHUB / "workflows" / f"{name}.yml" for name in ("pages", "release", "test"))
FORM = next(iter(FORMS))


def complaints(schema: str, *files) -> str:
    """What check-jsonschema says of the files; nothing where they fit. It reads its own copy of the schema."""
    done = CliRunner().invoke(check_jsonschema.main, ["--builtin-schema", schema, "--color", "never", *map(str, files)])
    return "" if done.exit_code == 0 else done.output


def problems(body: dict) -> list[str]:
    """What a workflow lacks beyond the schema."""
    found = [] if body.get("permissions") == {"contents": "read"} else ["the workflow may do more than read"]
    found += [] if "group" in body.get("concurrency", {}) else ["two runs of it may meet"]
    for name, job in body["jobs"].items():
        found += [] if "timeout-minutes" in job else [f"{name} has no time limit"]
        for step in job["steps"]:
            action = step.get("uses", f"@{'0' * 40}")
            found += [] if re.search(r"@[0-9a-f]{40}$", action) else [f"{action} is not pinned to a commit"]
            if "setup-python" in action and step["with"].get("cache-dependency-path") != "requirements.lock":
                found.append(f"{name}: the cache does not go by requirements.lock")
            if "checkout" in action and step.get("with", {}).get("persist-credentials") is not False:
                found.append(f"{name}: the checkout keeps its key")
            if "${{ github.event" in step.get("run", ""):
                found.append(f"{name}: text of a stranger is run")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_fits_the_schema_of_github(path):
    assert complaints(FILES[path], path) == ""


PLANTED = [
    (PAGES, "\njobs:", "\njobz:", "jobs"), (PAGES, "\non:", "\nwhen:", "on"),
    (PAGES, "runs-on: ubuntu-24.04", "run-on: ubuntu-24.04", "run-on"),
    (TEST, "timeout-minutes: 90", "timeout-minutes: [90]", "90"), (RELEASE, "contents: write", "contents: all", "all"),
    (FORM, "type: textarea", "type: essay", "essay"), (FORM, "description: A statement", "about: A statement", "about"),
]


@pytest.mark.parametrize("path, old, new, said", [
    entry if entry in (PLANTED[0], PLANTED[-1]) else pytest.param(*entry, marks=pytest.mark.slow) for entry in PLANTED])
def test_a_planted_error_is_refused(path, old, new, said, tmp_path):
    text = path.read_text(encoding="utf-8")
    assert old in text
    (tmp_path / path.name).write_text(text.replace(old, new, 1), encoding="utf-8")
    assert said in complaints(FILES[path], tmp_path / path.name)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_do_little_and_names_exactly_what_it_uses(path):
    assert problems(yaml.safe_load(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("old, new, said", [
    ("permissions:\n  contents: read", "permissions: write-all", "the workflow may do more than read"),
    ("  group:", "  grouped:", "two runs of it may meet"), ("    timeout-minutes: 60\n", "", "build has no time limit"),
    ("checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2", "checkout@v4.2.2",
     "actions/checkout@v4.2.2 is not pinned to a commit"),
    ("path: requirements.lock", "path: x", "build: the cache does not go by requirements.lock"),
    ("persist-credentials: false", "persist-credentials: true", "build: the checkout keeps its key"),
    ("run: make book", "run: make ${{ github.event.head_commit.message }}", "build: text of a stranger is run"),
])
def test_a_careless_workflow_is_seen(old, new, said):
    text = PAGES.read_text(encoding="utf-8")
    assert old in text
    assert said in problems(yaml.safe_load(text.replace(old, new)))


def test_workflows_build_test_and_release():
    pages, release, test = (yaml.safe_load(path.read_text(encoding="utf-8")) for path in (PAGES, RELEASE, TEST))
    assert test["jobs"]["quick"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13"]
    assert pages["jobs"]["deploy"]["permissions"] == {"pages": "write", "id-token": "write"}
    assert release["jobs"]["publish"]["permissions"] == {"contents": "write"}
    said = "\n".join(step.get("run", "") for step in release["jobs"]["build"]["steps"])
    for part in ("make pdf", "pip wheel", "zip -qr", "_build/derl.pdf"):
        assert part in said


def test_the_form_has_fields_for_the_statement_the_claim_and_the_counterexample():
    body = yaml.safe_load(FORM.read_text(encoding="utf-8"))["body"]
    needed = {field["id"] for field in body if field.get("validations", {}).get("required")}
    assert {"statement", "claim", "counterexample"} <= needed


def test_the_devcontainer_is_the_container():
    body = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    assert (ROOT / ".devcontainer" / body["build"]["dockerfile"]).resolve() == ROOT / "Containerfile"
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    assert f"USER {body['remoteUser']}\n" in text and f"WORKDIR {body['workspaceFolder']}\n" in text
