"""A sweep on a real scheduler with two worker processes, one of which is killed."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from looked_for import Watched

from derl.experiments import InvalidSpec, Spec, run_sweep
from derl.experiments.cluster import certificates
from derl.inputs import Invalid

pytest.importorskip("distributed")
ROOT = Path(__file__).parents[2]
RUN = {"study": "run", "fixed": {"epsilon": 0.2, "delta": 0.1, "batch_size": 10**9,
                                 "algorithm": "layerwise_exploration",
                                 "instance": "random_simplex:n_states=4,n_actions=2,dim=2,horizon=2,seed={seed}"},
       "seeds": {"count": 120, "block": 2}}


@pytest.fixture
def cluster(tmp_path):
    """A scheduler and two workers: its address and the processes of the workers."""
    processes, watched = [], Watched(tmp_path, ROOT)

    def start(module, *words):
        processes.append(subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *words], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd=watched.here, env=os.environ | watched.settings))
        return processes[-1]

    where = tmp_path / "scheduler.json"
    start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(where))
    limit = time.monotonic() + 60
    while not (where.exists() and where.read_text()) and time.monotonic() < limit:
        time.sleep(0.05)
    address = json.loads(where.read_text())["address"]
    workers = [start("dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard") for _ in range(2)]
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    yield address, workers, processes[0], watched
    for process in processes:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_a_killed_worker_costs_nothing_and_the_bytes_are_the_same(tmp_path, cluster):
    address, workers, *_ = cluster
    spec, killed = Spec.of(**RUN), []

    def report(done, total):
        if done == 10:
            os.kill(workers[0].pid, signal.SIGKILL)
            killed.append(workers[0].wait())

    run_sweep(spec, tmp_path / "there", scheduler=address, report=report)
    assert killed == [-signal.SIGKILL]
    run_sweep(spec, tmp_path / "here", 1)
    there, here = ({path.name: path.read_bytes() for path in (tmp_path / name).rglob("*.json")}
                   for name in ("there", "here"))
    assert there == here and len(here) == 60


@pytest.mark.slow
def test_workers_and_the_command_look_for_nothing_where_they_begin(cluster):
    address, workers, _, watched = cluster
    (watched.here / "spec.yml").write_text(json.dumps(RUN | {"seeds": {"count": 4, "block": 1}}), encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "derl", "sweep", "spec.yml", "--out", "out", "--scheduler", address],
                          cwd=watched.here, env=os.environ | watched.settings, capture_output=True, text=True,
                          check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    for worker in workers:
        worker.send_signal(signal.SIGINT)
        worker.wait(timeout=60)
    assert watched.names() <= {"spec.yml", "out"}


@pytest.mark.slow
def test_a_dying_scheduler_is_one_line_and_another_sweep_ends_with_the_same_bytes(tmp_path, cluster):
    address, _, scheduler, _ = cluster
    spec, killed = Spec.of(**RUN), []

    def report(done, total):
        if done == 10:
            scheduler.kill()
            killed.append(scheduler.wait())

    with pytest.raises(Invalid) as lost:
        run_sweep(spec, tmp_path / "there", scheduler=address, report=report)
    assert killed == [-signal.SIGKILL] and "\n" not in str(lost.value)
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "there").rglob("*.json")}
    assert len(kept) >= 10
    run_sweep(spec, tmp_path / "there", 1)
    run_sweep(spec, tmp_path / "here", 1)
    there, here = ({path.name: path.read_bytes() for path in (tmp_path / name).rglob("*.json")}
                   for name in ("there", "here"))
    assert there == here and all(path.stat().st_mtime_ns == made for path, made in kept.items())


def test_a_scheduler_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(InvalidSpec, match="no scheduler answers at tcp://127.0.0.1:1") as refused:
        run_sweep(Spec.of(**RUN), tmp_path / "out", scheduler="tcp://127.0.0.1:1")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("address", ["", " ", "nonsense", "tcp://", "tcp://a:0", "tcp://a:99999", "inproc://a:1",
                                     "a:b"])
def test_an_address_that_is_none_is_refused_at_once(tmp_path, address):
    began = time.monotonic()
    with pytest.raises(InvalidSpec, match="it must be an address such as") as refused:
        run_sweep(Spec.of(**RUN), tmp_path / "out", scheduler=address)
    assert "\n" not in str(refused.value) and time.monotonic() - began < 2


def test_a_server_that_is_no_scheduler_is_one_line_soon(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        with pytest.raises(InvalidSpec, match="no scheduler answers") as refused:
            run_sweep(Spec.of(**RUN), tmp_path / "out", scheduler=f"tcp://127.0.0.1:{silent.getsockname()[1]}")
    assert "\n" not in str(refused.value) and time.monotonic() - began < 10


def certified(folder):
    """An authority of its own, which has signed one certificate."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make certificates with")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=derl", "-days", "2",
                    "-keyout", folder / "key.pem", "-out", folder / "cert.pem"], check=True, capture_output=True)
    return folder / "cert.pem", folder / "cert.pem", folder / "key.pem"


@pytest.fixture
def certificate(tmp_path):
    folder = tmp_path / "certificates"
    folder.mkdir()
    return certified(folder)


def test_a_sweep_goes_through_tls_and_not_to_a_scheduler_with_another_certificate(tmp_path, certificate):
    from distributed import LocalCluster, Security

    authority, own, key = map(str, certificate)
    secure = Security(require_encryption=True, tls_ca_file=authority, tls_client_cert=own, tls_client_key=key,
                      tls_scheduler_cert=own, tls_scheduler_key=key, tls_worker_cert=own, tls_worker_key=key)
    spec = Spec.of(**RUN | {"seeds": {"count": 4, "block": 2}})
    with LocalCluster(n_workers=1, processes=False, protocol="tls", security=secure, dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        assert address.startswith("tls://")
        for wrong in (None, certificates(*certified(tmp_path))):
            with pytest.raises(InvalidSpec, match="no scheduler answers"):
                run_sweep(spec, tmp_path / "out", scheduler=address, security=wrong)
        run_sweep(spec, tmp_path / "out", scheduler=address, security=certificates(*certificate))
    run_sweep(spec, tmp_path / "here", 1)
    there, here = ([path.read_bytes() for path in sorted((tmp_path / name).rglob("*.json"))]
                   for name in ("out", "here"))
    assert there == here and len(here) == 2


def test_certificates_that_are_not_there_are_one_line(tmp_path):
    for wrong in ((None,) * 3, (tmp_path / "no",) * 3):
        with pytest.raises(InvalidSpec, match="three files in the format PEM"):
            certificates(*wrong)
