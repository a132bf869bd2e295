"""Rules that the files at the root keep; each function returns what breaks its rule, one line per finding."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
# one letter in brackets keeps a rule from finding itself
HOSTS = re.compile(r"https?://[^\s\"']*(?:[n]pmjs|[p]ypi|[p]ythonhosted|[c]onda\.)[^\s\"']*")
MACHINE_PATHS = re.compile(r"/[r]oot/|/[h]ome/[a-z]|/[w]ork/|/[U]sers/|[A-Z]:\\[U]sers")
PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(\[[^]]*\])?==(?P<version>[^ ;\\]+)(?P<rest>.*)$")


def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def tracked() -> list[Path]:
    """Files of the project: what git tracks or would track."""
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                           capture_output=True, check=True).stdout.decode().split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def named_dependencies(metadata: dict) -> list[Requirement]:
    """Every package that pyproject.toml names, the project's references to its own extras left out."""
    lists = [metadata["dependencies"], *metadata["optional-dependencies"].values()]
    named = [Requirement(line) for lines in lists for line in lines]
    return [requirement for requirement in named if canonicalize_name(requirement.name) != metadata["name"]]


def pins(lock: str) -> dict[str, tuple[str, int]]:
    """Name -> (version, number of hashes) of a requirements file with hashes."""
    found, current = {}, None
    for line in lock.splitlines():
        match = PIN.match(line)
        if match:
            current = canonicalize_name(match["name"])
            found[current] = (match["version"], 0)
        elif current and line.strip().startswith("--hash=sha256:"):
            found[current] = (found[current][0], found[current][1] + 1)
    return found


def lock_problems(lock: str, named: list[Requirement]) -> list[str]:
    pinned = pins(lock)
    problems = [f"{name} has no hash" for name, (_, hashes) in pinned.items() if not hashes]
    problems += [f"not a pin: {line}" for line in lock.splitlines()
                 if line and not line.startswith(("#", " ")) and not PIN.match(line)]
    problems += [f"host or index: {line}" for line in lock.splitlines() if "://" in line or "--index" in line]
    for requirement in named:
        version = pinned.get(canonicalize_name(requirement.name), (None, 0))[0]
        if version is None:
            problems.append(f"{requirement.name} is not in the lock")
        elif Version(version) not in requirement.specifier:
            problems.append(f"{requirement} is locked at {version}")
    return problems


def environment_problems(text: str, metadata: dict) -> list[str]:
    """environment.yml: a Python that pyproject.toml wants, pip, and the project with all its extras.

    Binder (repo2docker) finds the Python only in the form python=X.Y, and the project only in `-e .`.
    """
    body = yaml.safe_load(text)
    python, *rest = body["dependencies"]
    wanted = ["pip", {"pip": ["-e .[all]"]}]
    problems = [] if rest == wanted else [f"dependencies beside Python are {rest}, not {wanted}"]
    pin = re.fullmatch(r"python=(\d+\.\d+)", python)
    if pin is None:
        problems.append(f"{python} is not of the form python=X.Y")
    elif Version(pin[1]) not in SpecifierSet(metadata["requires-python"]):
        problems.append(f"{python} is not among {metadata['requires-python']}")
    problems += [f"{name} is missing" for name in ("name", "channels") if not body.get(name)]
    extras = metadata["optional-dependencies"]
    covered = {extra for line in extras["all"] for extra in Requirement(line).extras}
    problems += [f"the extra {name} is not in all" for name in extras if name not in covered | {"all"}]
    return problems


def asset_problems(package: str, lock: str) -> list[str]:
    """The npm packages: exact versions, nothing but the named packages, integrity, no host names."""
    wanted, locked = json.loads(package)["dependencies"], json.loads(lock)["packages"]
    problems = [f"{name} is not pinned: {version}" for name, version in wanted.items()
                if not re.fullmatch(r"\d+\.\d+\.\d+", version)]
    if "://" in lock:
        problems.append("a host name in the lock")
    rows = {key.removeprefix("node_modules/"): row for key, row in locked.items() if key}
    if rows.keys() != wanted.keys():
        problems.append(f"locked are {sorted(rows)}, named are {sorted(wanted)}")
    for name, row in rows.items():
        if row["version"] != wanted.get(name):
            problems.append(f"{name} is locked at {row['version']}, named at {wanted.get(name)}")
        if not row.get("integrity", "").startswith("sha512-"):
            problems.append(f"{name} has no integrity")
    return problems


def text_problems(path: Path, text: str) -> list[str]:
    """Paths of a machine and addresses of package registries have no place in any file."""
    return [f"{path}: {match[0]}" for rule in (HOSTS, MACHINE_PATHS) for match in rule.finditer(text)]


def notebook_problems(name: str, text: str) -> list[str]:
    """A notebook is kept without outputs and without counts of runs."""
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    return [f"{name}: cell {i} keeps what a run left" for i, cell in enumerate(cells)
            if cell["outputs"] or cell["execution_count"] is not None]


def toc_problems(toc: str, pages: set[str]) -> list[str]:
    """Every page stands in the table of contents once, and everything in it is a page."""
    body = yaml.safe_load(toc)
    listed = [body["root"]]

    def collect(entries):
        for entry in entries:
            listed.append(entry["file"])
            collect(entry.get("sections", []))

    for part in body["parts"]:
        collect(part["chapters"])
    problems = [f"{name} is not in the table of contents" for name in sorted(pages - set(listed))]
    problems += [f"{name} is listed but does not exist" for name in sorted(set(listed) - pages)]
    return problems + [f"{name} is listed twice" for name in sorted({n for n in listed if listed.count(n) > 1})]
