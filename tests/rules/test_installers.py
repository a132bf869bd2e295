"""The user's configuration of pip and uv says where packages come from, and nothing else."""

import os
import shutil
import subprocess
import sys
import zipfile

import installers
import pytest
from rules import ROOT


def test_what_says_where_packages_go_is_left_out(tmp_path):
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip" / "pip.conf").write_text("[global]\nuser = true\nindex-url = https://mirror.example/simple\n"
                                               "[install]\ntarget = /elsewhere\nno-deps = yes\n", encoding="utf-8")
    (tmp_path / "uv").mkdir()
    (tmp_path / "uv" / "uv.toml").write_text('[pip]\nsystem = true\ntarget = "x"\n[[index]]\nurl = "https://m.example"\n'
                                             'default = true\n', encoding="utf-8")
    found = installers.settings({"XDG_CONFIG_HOME": str(tmp_path), "PIP_USER": "1", "PIP_DRY_RUN": "1",
                                 "UV_SYSTEM_PYTHON": "1", "UV_CACHE_DIR": "/cache", "PIP_PROXY": "p"})
    assert found["PIP_INDEX_URL"] == "https://mirror.example/simple" and found["UV_DEFAULT_INDEX"] == "https://m.example"
    assert [name for name, value in found.items() if value is None] == ["PIP_USER", "PIP_DRY_RUN", "UV_SYSTEM_PYTHON"]
    assert found["PIP_CONFIG_FILE"] == os.devnull and found["UV_NO_CONFIG"] == "1"
    assert not {"PIP_TARGET", "PIP_NO_DEPS", "UV_TARGET", "UV_SYSTEM", "UV_CACHE_DIR", "PIP_PROXY"} & found.keys()


def test_files_that_are_none_are_passed_over(tmp_path):
    (tmp_path / "pip.conf").write_bytes(b"\xff[global")
    (tmp_path / "uv.toml").write_text("index = [", encoding="utf-8")
    assert installers.of_pip([tmp_path / "pip.conf"]) == installers.of_uv([tmp_path / "uv.toml"]) == {}


def fresh(folder):
    """What a wheel is made of, in a folder of its own."""
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "derl").mkdir()
    for name in ("__init__.py", "__main__.py"):
        shutil.copy(ROOT / "derl" / name, folder / "derl" / name)
    for name in ("notebooks", "book/_ext", "book/_static"):
        (folder / name).mkdir(parents=True)
    (folder / "book/_static/book.css").write_text("", encoding="utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.release
def test_a_wheel_has_no_module_of_an_earlier_build(tmp_path):
    source = fresh(tmp_path)
    (source / "derl" / "before.py").write_text("", encoding="utf-8")
    for old, new in ((None, None), ("before.py", "after.py")):
        if old:
            (source / "derl" / old).rename(source / "derl" / new)
        subprocess.run([sys.executable, "-c", "from setuptools.build_meta import build_wheel; build_wheel('dist')"],
                       cwd=source, check=True, capture_output=True)
    (wheel,) = (source / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "derl/after.py" in names and "derl/before.py" not in names


@pytest.mark.slow
@pytest.mark.release
def test_an_environment_knows_where_it_was_made(tmp_path):
    """Nothing happens where all is as it was; a copy is not taken for ready, nor one whose Python is gone."""
    done = subprocess.run(["sh", ROOT / "book/_setup/environment.sh"], cwd=tmp_path, capture_output=True, text=True,
                          env=os.environ | {"CDPATH": f"{tmp_path}:/"}, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    ready = (ROOT / ".venv" / ".ready").read_text(encoding="utf-8")
    assert str(ROOT) in ready and sys.version.split()[0] in ready


def test_no_text_tells_anybody_to_install_derl_from_an_index():
    texts = [*ROOT.glob("*.md"), *(ROOT / "book").rglob("*.md"), *(ROOT / "derl").rglob("*.py")]
    texts = [path for path in texts if "node_modules" not in path.parts]
    asks = ("pip install derl", "pip install 'derl", 'install "derl')
    wrong = [path for path in texts if any(words in path.read_text(encoding="utf-8") for words in asks)]
    assert wrong == []
