"""Files of every kind that derl reads, each damaged. A way takes a `random.Random`, a folder and the whole files."""

import io
import json
import warnings
import zipfile

import numpy as np
import yaml
from click.testing import CliRunner
from fuzz_arrays import GOOD_SPEC
from fuzz_values import BASES, bitten, damaged, spoil

from derl import LinearMDP
from derl.certificates import check_potential, check_reachability, stored
from derl.cli import main
from derl.experiments import Spec, run_sweep, table, work
from derl.inputs import Invalid
from derl.ledger import Ledger
from derl.ledger.journal import Journal

CERTIFICATES = {name: stored.load(name) for name in ("potential-sharp-d2-n200", "reachability-d3",
                                                     "reachability-hexagon-eigenvalue")}


def whole_files(folder):
    """One whole file of every kind, by name."""
    folder.mkdir(parents=True, exist_ok=True)
    BASES[0].save(folder / "whole.npz")
    CliRunner().invoke(main, ["verify", "rem-feature-norm", "--out", str(folder / "whole.json")])
    made = Spec.of(**GOOD_SPEC | {"grid": {}, "seeds": {"count": 2, "block": 2}})
    run_sweep(made, folder / "sweep")
    table.write_table(made, folder / "sweep", folder / "whole.parquet")
    (folder / "whole.yml").write_text(yaml.safe_dump(GOOD_SPEC), encoding="utf-8")
    (task,) = made.tasks
    return {"task": (made, task, work.place(folder / "sweep", task)),
            "npz": (folder / "whole.npz").read_bytes(), "ledger": (folder / "whole.json").read_text(encoding="utf-8"),
            "parquet": (folder / "whole.parquet").read_bytes(), "yml": (folder / "whole.yml").read_bytes()}


def try_file(rng, folder, whole):
    """Load an archive whose bytes or entries were changed."""
    path = folder / "spoilt.npz"
    content = bytearray(whole)
    way = rng.randrange(5)
    if way == 0:
        for _ in range(rng.randrange(1, 6)):
            content[rng.randrange(len(content))] = rng.randrange(256)
    elif way == 1:
        content = content[: rng.randrange(len(content))]
    else:
        with np.load(io.BytesIO(whole)) as archive:
            entries = dict(archive)
        key = rng.choice(list(entries))
        stream = io.BytesIO()
        if way == 2:
            changed = (spoil(rng, entries[key]) if entries[key].dtype.kind in "ifb" else rng.choice(
                ("{", "[]", "[" * 5000, '{"state_names": 5}', 5.0)))
            if isinstance(changed, np.ndarray | str | float | int):  # numpy can write no other
                entries[key] = np.asarray(changed)
            entries.update({"horizon": np.array(rng.choice((1, 10**8, -1, 2**62)))} if rng.random() < 0.2 else {})
            if any(array.dtype.hasobject for array in entries.values()):
                entries[key] = np.array([None])
            np.savez(stream, **entries)
        else:
            np.savez(stream, **entries)
            with zipfile.ZipFile(stream, "a") as archive, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                archive.writestr(rng.choice(("phi.npy", "phi", "more.npy", "../up.npy", "note.txt")), b"\x93NUMPY\x01")
        content = stream.getvalue()
    path.write_bytes(content)
    LinearMDP.load(path)


def try_ledger(rng, folder, whole):
    """Load a ledger of which a part was removed or replaced."""
    body = damaged(rng, json.loads(whole) | {"digest": ""}, 7)  # no seal is asked for, so what lies deeper is reached
    path = folder / "spoilt.json"
    path.write_text(json.dumps(body), encoding="utf-8")
    ledger = Ledger.load(path)
    ledger.surprises, ledger.changes(ledger)
    CliRunner().invoke(main, ["show", next(iter(ledger.claims), "C.3"), "--ledger", str(path)], catch_exceptions=False)


def damaged_archive(rng, folder, whole):
    try_file(rng, folder, whole["npz"])


def damaged_ledger(rng, folder, whole):
    """The body changed, or the bytes of the file, read by every command that reads one."""
    if rng.random() < 0.5:
        return try_ledger(rng, folder, whole["ledger"])
    path = folder / "spoilt.json"
    path.write_bytes(bitten(rng, whole["ledger"].encode()))
    result = CliRunner().invoke(main, rng.choice((["show", "C.3", "--ledger", str(path)],
                                                  ["verify", "rem-feature-norm", "--compare", str(path)])))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    if result.exit_code == 2:
        raise Invalid(result.stderr.strip().splitlines()[-1])


def damaged_spec(rng, folder, whole):
    path = folder / "spoilt.yml"
    path.write_bytes(bitten(rng, whole["yml"]))
    Spec.read(path)


def damaged_table(rng, folder, whole):
    path = folder / "spoilt.parquet"
    path.write_bytes(bitten(rng, whole["parquet"]))
    table.load(path)


def damaged_result(rng, folder, whole):
    made, _, path = whole["task"]
    content = path.read_bytes()
    try:
        path.write_bytes(bitten(rng, content) if rng.random() < 0.5 else
                         json.dumps(damaged(rng, json.loads(content))).encode("utf-8", "surrogatepass"))
        table.write_table(made, folder / "sweep", folder / "spoilt.parquet")
    finally:
        path.write_bytes(content)


def damaged_journal(rng, folder, whole):
    """A journal that is damaged costs rows, never a run."""
    path = folder / ".spoilt.json.journal"
    with Journal(folder / "spoilt.json", "digest") as journal:
        journal._write(json.dumps({"claim": "x", "row": json.loads(whole["ledger"])}))
    path.write_bytes(bitten(rng, path.read_bytes()))
    with Journal(folder / "spoilt.json", "digest") as journal:
        journal.discard()


def damaged_certificate(rng, folder, whole):
    """What a checker says of a certificate that was changed is a list of lines."""
    name = rng.choice(list(CERTIFICATES))
    checker = check_potential if name.startswith("potential") else check_reachability
    found = checker.problems(damaged(rng, CERTIFICATES[name]))
    assert isinstance(found, list) and all(isinstance(line, str) and "\n" not in line for line in found)
    if found:
        raise Invalid(found[0])


WAYS = ((damaged_archive, 5), (damaged_ledger, 4), (damaged_spec, 3), (damaged_table, 4), (damaged_result, 4),
        (damaged_journal, 2), (damaged_certificate, 4))
