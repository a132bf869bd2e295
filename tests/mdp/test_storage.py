"""Instances in files: what is written comes back, and nothing else is read."""

import io
import pickle
import warnings
import zipfile

import numpy as np
import pytest
import refusal

from derl.mdp import InvalidInstance, LinearMDP, instances, storage


def refused(path, *fragments):
    refusal.refused(InvalidInstance, lambda: LinearMDP.load(path), str(path), *fragments)


@pytest.mark.parametrize("spec", ["random-simplex:n_states=4,n_actions=3,dim=5,horizon=3,seed=1", "optimism-trap",
                                  "hard-template:d=3,horizon=4,optimal_layer=2,optimal_index=1,cores=0,epsilon=0.1",
                                  "lock:d=3,horizon=1,digits=2,bias=1/10",
                                  "stationary:lock:d=2,horizon=3,digits=1,bias=0"])
def test_round_trip(tmp_path, spec):
    mdp = instances.from_spec(spec)
    mdp.save(tmp_path / "instance.npz")
    back = LinearMDP.load(str(tmp_path / "instance.npz"))
    assert back == mdp and back.digest == mdp.digest and back.repeats_one_layer == mdp.repeats_one_layer
    assert (back.state_names, back.action_names, back.info) == (mdp.state_names, mdp.action_names, mdp.info)
    assert [entry.name for entry in tmp_path.iterdir()] == ["instance.npz"]


def test_a_repeated_layer_is_written_once(tmp_path):
    mdp = instances.tabular(np.full((3, 2, 3), 1 / 3), np.zeros((3, 2)), [1, 0, 0], horizon=50)
    mdp.save(tmp_path / "x.npz")
    with np.load(tmp_path / "x.npz") as archive:
        assert archive["phi"].shape[0] == 1
    assert LinearMDP.load(tmp_path / "x.npz").horizon == 50


@pytest.mark.parametrize("existing", [False, True])
def test_an_interrupted_write_leaves_nothing_behind(tmp_path, monkeypatch, mdp, masked, existing):
    path = tmp_path / "x.npz"
    if existing:
        masked.save(path)

    def breaks_off(stream, **arrays):
        stream.write(b"PK half of it")
        raise KeyboardInterrupt

    monkeypatch.setattr(storage.np, "savez_compressed", breaks_off)
    with pytest.raises(KeyboardInterrupt):
        mdp.save(path)
    assert [entry.name for entry in tmp_path.iterdir()] == (["x.npz"] if existing else [])
    if existing:
        assert LinearMDP.load(path) == masked


def test_every_truncation_is_refused(tmp_path, mdp):
    mdp.save(tmp_path / "whole.npz")
    whole, path = (tmp_path / "whole.npz").read_bytes(), tmp_path / "cut.npz"
    for size in [*range(0, len(whole) - 1, 97), len(whole) - 1]:
        path.write_bytes(whole[:size])
        refused(path, "truncated")


def test_no_damaged_byte_is_overlooked(tmp_path, mdp):
    mdp.save(tmp_path / "whole.npz")
    whole, path = bytearray((tmp_path / "whole.npz").read_bytes()), tmp_path / "damaged.npz"
    refusals = 0
    for position in range(0, len(whole), 61):
        damaged = whole.copy()
        damaged[position] ^= 0xFF
        path.write_bytes(damaged)
        try:
            assert LinearMDP.load(path) == mdp  # bytes that carry no data, such as time stamps
        except InvalidInstance:
            refusals += 1
    assert refusals > 10


class Bomb:
    fired = False

    def __reduce__(self):
        return setattr, (Bomb, "fired", True)


def test_pickles_are_never_read(tmp_path, mdp):
    path = tmp_path / "pickle.npz"
    path.write_bytes(pickle.dumps(Bomb()))
    refused(path, "not an .npz archive", "pickles never")
    mdp.save(path)
    with np.load(path) as archive:
        entries = dict(archive)
    np.savez(path, **entries | {"phi": np.array([Bomb()], dtype=object)})
    refused(path, "unreadable", "pickle")
    assert not Bomb.fired


def test_not_a_file(tmp_path):
    refused(tmp_path / "absent.npz", "no such file")
    refused(tmp_path, "no such file")
    (tmp_path / "text.npz").write_text("phi = 1")
    refused(tmp_path / "text.npz", "not an .npz archive")
    with zipfile.ZipFile(tmp_path / "zip.npz", "w") as archive:
        archive.writestr("readme.txt", "hello")
    refused(tmp_path / "zip.npz", "'readme.txt' is no entry that LinearMDP.save writes")


@pytest.mark.parametrize("missing", storage.KEYS)
def test_missing_entries(tmp_path, mdp, missing):
    mdp.save(tmp_path / "x.npz")
    with np.load(tmp_path / "x.npz") as archive:
        entries = {key: archive[key] for key in archive.files if key != missing}
    np.savez(tmp_path / "x.npz", **entries)
    refused(tmp_path / "x.npz", f"entry {missing!r} is missing")


@pytest.mark.parametrize("changes, fragment", [
    ({"schema": np.array("derl-linear-mdp-0")}, "schema is 'derl-linear-mdp-0'"),
    ({"horizon": np.array(0)}, "horizon is 0"),
    ({"horizon": np.array(2.5)}, "horizon is 2.5"),
    ({"horizon": np.array(7)}, "its first size must be 7"),
    ({"notes": np.array("{")}, "'notes' must be JSON"),
])
def test_inconsistent_entries(tmp_path, mdp, changes, fragment):
    mdp.save(tmp_path / "x.npz")
    with np.load(tmp_path / "x.npz") as archive:
        entries = dict(archive)
    np.savez(tmp_path / "x.npz", **entries | changes)
    refused(tmp_path / "x.npz", fragment)


def test_loaded_arrays_are_validated(tmp_path, mdp):
    mdp.save(tmp_path / "x.npz")
    with np.load(tmp_path / "x.npz") as archive:
        entries = dict(archive)
    np.savez(tmp_path / "x.npz", **entries | {"mu": entries["mu"] * 0.999})
    with pytest.raises(InvalidInstance, match="sum to 0.999"):
        LinearMDP.load(tmp_path / "x.npz")


def rewritten(path, change):
    """The archive at `path` with `change(entries)` applied, entries as arrays."""
    with np.load(path) as archive:
        entries = dict(archive)
    change(entries)
    np.savez(path, **entries)


@pytest.mark.parametrize("changes, fragment", [
    ({"phi": np.array([[[["1"]]]])}, "entry 'phi' has dtype <U1"), ({"mu": np.zeros((3, 5, 4), complex)}, "complex128"),
    ({"available": np.ones((3, 4, 3))}, "'available' has dtype float64"), ({"schema": np.array(1)}, "'schema' has"),
    ({"theta": np.zeros(0, "M8[s]")}, "datetime64"), ({"phi": np.zeros(0, [("x", float)])}, "entry 'phi' has dtype"),
    ({"phi": np.zeros((1, 2))}, "phi has shape (1, 2)"), ({"horizon": np.array(10**8)}, "100000000 layers"),
    ({"horizon": np.array([3, 3])}, "horizon is [3 3]"), ({"notes": np.array("[" * 5000)}, "'notes' must be JSON"),
    ({"more": np.zeros(1)}, "'more.npy' is no entry that LinearMDP.save writes"),
])
def test_headers_are_read_before_what_they_promise(tmp_path, mdp, changes, fragment):
    mdp.save(tmp_path / "x.npz")
    rewritten(tmp_path / "x.npz", lambda entries: entries.update(changes))
    refused(tmp_path / "x.npz", fragment)


@pytest.mark.parametrize("name", ["phi", "phi.npy", "note.txt", "../up.npy"])
def test_members_that_save_does_not_write(tmp_path, mdp, name):
    mdp.save(tmp_path / "x.npz")
    with zipfile.ZipFile(tmp_path / "x.npz", "a") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the name that stands twice
        archive.writestr(name, b"")
    refused(tmp_path / "x.npz", f"{name!r} is no entry")


def test_a_member_that_promises_more_than_it_holds(tmp_path, mdp):
    mdp.save(tmp_path / "good.npz")
    with zipfile.ZipFile(tmp_path / "good.npz") as good, zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        for info in good.infolist():
            content = good.read(info)
            if info.filename == "phi.npy":
                stream = io.BytesIO()
                np.lib.format.write_array_header_1_0(stream, {"descr": "<f8", "fortran_order": False,
                                                              "shape": (10**6, 10**6, 10**6, 10**6)})
                content = stream.getvalue() + content[-8:]
            archive.writestr(info.filename, content)
    refused(tmp_path / "x.npz", "'phi' has not the size that its header says")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compressions_are_refused(tmp_path, mdp, method):
    mdp.save(tmp_path / "good.npz")
    with zipfile.ZipFile(tmp_path / "good.npz") as good, zipfile.ZipFile(tmp_path / "x.npz", "w", method) as archive:
        for info in good.infolist():
            archive.writestr(info.filename, good.read(info))
    refused(tmp_path / "x.npz", "is no entry")


def test_a_trusted_file_may_be_larger_than_the_limits(tmp_path, monkeypatch, mdp):
    mdp.save(tmp_path / "x.npz")
    monkeypatch.setattr("derl.mdp.limits.ENTRIES", 10)
    refused(tmp_path / "x.npz", "more than")
    assert LinearMDP.load(tmp_path / "x.npz", limited=False) == mdp


@pytest.mark.parametrize("path", [None, 5, object(), "a\0b", "\udcff"])
def test_what_is_no_path(path):
    with pytest.raises(InvalidInstance, match="no such file"):
        LinearMDP.load(path)


def test_the_cost_of_a_file_counts_its_longest_array(tmp_path, monkeypatch):
    """Features of five layers and one reward for all of them take five layers, not one."""
    mdp = instances.random_simplex(n_states=3, n_actions=2, dim=2, horizon=5, seed=0)
    mdp = mdp.with_reward(np.broadcast_to(mdp.theta[:1], mdp.theta.shape))
    mdp.save(tmp_path / "x.npz")
    with np.load(tmp_path / "x.npz") as archive:
        assert len(archive["theta"]) == 1 and len(archive["phi"]) == 5
    seen = []
    monkeypatch.setattr(storage, "affordable", lambda path, *sizes: seen.append(sizes))
    assert LinearMDP.load(tmp_path / "x.npz") == mdp
    assert seen == [(5, 3, 2, 2, 5)]
