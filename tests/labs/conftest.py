"""A JupyterLab of its own for the tests, started as `derl lab` starts it: free port, own folders, notebooks copied."""

import secrets
import shutil
import socket
import subprocess
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest

from derl.cli.labs import command

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab and the folder that it shows."""

    url: str
    folder: Path
    token: str  # without it, another user of the machine could start kernels here


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    home = tmp_path_factory.mktemp("lab")
    folder = home / "notebooks"
    shutil.copytree(ROOT / "notebooks", folder, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    own = {"JUPYTER_CONFIG_DIR": home / "config", "JUPYTER_DATA_DIR": home / "data", "IPYTHONDIR": home / "ipython",
           "JUPYTER_RUNTIME_DIR": home / "runtime", "JUPYTERLAB_WORKSPACES_DIR": home / "workspaces",
           "JUPYTERLAB_SETTINGS_DIR": home / "settings", "JUPYTER_PREFER_ENV_PATH": "1"}
    port, token = free_port(), secrets.token_hex(24)
    url = f"http://127.0.0.1:{port}"
    words, environment = command(ROOT / "notebooks" / ".lab", "--no-browser", "--allow-root", "--ip=127.0.0.1",
                                 f"--port={port}",
                                 "--ServerApp.port_retries=0", "--LabApp.expose_app_in_browser=True",
                                 f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={folder}")
    log = (home / "log").open("w+", encoding="utf-8")
    server = subprocess.Popen(words, env=environment | {key: str(value) for key, value in own.items()}, cwd=folder,
                              stdout=log, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"{url}/api/status?token={token}", timeout=5).close()
                break
            except OSError:
                assert server.poll() is None and time.monotonic() < deadline, (home / "log").read_text()
                time.sleep(0.2)
        yield Lab(url, folder, token)
    finally:
        server.terminate()
        server.wait(timeout=30)
        log.close()
