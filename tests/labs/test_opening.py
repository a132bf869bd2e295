"""A lab runs by itself only if it is one that derl ships, whatever a notebook says of itself and lies beside it."""

import json
from pathlib import Path

import pytest
from browser import ROOT, in_chromium

from derl.show.labs import shipped

NOTEBOOKS = ROOT / "notebooks"
LAB = "potential.ipynb"
# modules that a kernel or a lab imports: none of them is taken from the folder of the notebook
SHADOWS = ("numpy", "derl", "ipykernel_launcher", "ipykernel", "sitecustomize", "numba", "ipywidgets", "random")


def changed(change) -> dict:
    body = json.loads((NOTEBOOKS / LAB).read_text(encoding="utf-8"))
    change(body)
    return body


def code(body):
    return next(cell for cell in body["cells"] if cell["cell_type"] == "code")


def foreign(body, mark):
    code(body)["source"] = f"open({str(mark)!r}, 'w')"


def widgets(body):
    body["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}, "version_major": 2,
                                                                                 "version_minor": 0}}


def other_kernel(body):
    body["metadata"]["kernelspec"] |= {"name": "other", "display_name": "other"}


def attachment(body):
    body["cells"][0]["attachments"] = {"x.svg": {"image/svg+xml": "<svg/>"}}


def swapped(body):
    body["cells"].reverse()


def raw(body):
    code(body).update(cell_type="raw")


CHANGES = {"edited": lambda body: code(body).update(source="".join(code(body)["source"]) + " "), "widgets": widgets,
           "other-kernel": other_kernel, "attachment": attachment, "swapped": swapped,
           "added": lambda body: body["cells"].append(code(body) | {"id": "another"}),
           "fewer": lambda body: body["cells"].pop(), "raw": raw}


def test_the_digests_are_those_of_the_notebooks():
    assert json.loads((NOTEBOOKS / shipped.BESIDE).read_text()) == shipped.digests(NOTEBOOKS)
    assert len(shipped.digests(NOTEBOOKS)) > 8


@pytest.mark.parametrize("name", sorted(set(CHANGES) - {"widgets", "other-kernel"}))
def test_any_change_of_what_runs_is_another_digest(name):
    assert shipped.digest(changed(CHANGES[name])) != shipped.digest(changed(lambda body: None))


@pytest.fixture(scope="module")
def opened(lab, tmp_path_factory):
    marks = tmp_path_factory.mktemp("marks")
    folder = lab.folder / "downloaded"
    folder.mkdir()
    for name in SHADOWS:
        (folder / f"{name}.py").write_text(f"open({str(marks / name)!r}, 'w')\n")
    for name in ("foreign", "clicked"):
        (folder / f"{name}.ipynb").write_text(json.dumps(changed(lambda body, name=name: foreign(body, marks / name))))
    for name, change in CHANGES.items():
        (folder / f"{name}.ipynb").write_text(json.dumps(changed(change)))
    (folder / "renamed.ipynb").write_bytes((NOTEBOOKS / LAB).read_bytes())
    names = [LAB, *(f"downloaded/{name}.ipynb" for name in ("renamed", "foreign", "clicked", *CHANGES))]
    found = in_chromium(Path(__file__).with_name("opening.mjs"), lab.url, *names, LAB_TOKEN=lab.token)
    return found, {path.name for path in marks.iterdir()}


@pytest.mark.browser
@pytest.mark.slow
def test_a_shipped_lab_runs_by_itself_under_any_name_and_beside_any_file(opened):
    for name in (LAB, "downloaded/renamed.ipynb"):
        assert opened[0][name] == {"asked": False, "ran": True}
    assert opened[1] == {"clicked"}  # and no module beside it was imported


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("name", ["foreign", *CHANGES])
def test_any_other_notebook_shows_its_cells_and_a_button(opened, name):
    met = opened[0][f"downloaded/{name}.ipynb"]
    assert met.pop("said").endswith("Run this notebook")
    assert met == {"asked": True, "ran": False, "seen": True}


@pytest.mark.browser
@pytest.mark.slow
def test_the_button_runs_it(opened):
    assert opened[0]["downloaded/clicked.ipynb"]["then"] and "clicked" in opened[1]
