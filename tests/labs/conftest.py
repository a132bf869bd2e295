"""A JupyterLab of its own for the tests: free port, own folders for everything, notebooks copied beside them."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},  # cells out of sight exist, too
}


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab and the folder that it shows."""

    url: str
    folder: Path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    home = tmp_path_factory.mktemp("lab")
    folder, settings = home / "notebooks", home / "config" / "labconfig"
    shutil.copytree(ROOT / "notebooks", folder, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    settings.mkdir(parents=True)
    (settings / "default_setting_overrides.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
    own = {"JUPYTER_CONFIG_DIR": home / "config", "JUPYTER_DATA_DIR": home / "data", "IPYTHONDIR": home / "ipython",
           "JUPYTER_RUNTIME_DIR": home / "runtime", "JUPYTERLAB_WORKSPACES_DIR": home / "workspaces",
           "JUPYTERLAB_SETTINGS_DIR": home / "settings", "JUPYTER_NO_CONFIG": "", "JUPYTER_PREFER_ENV_PATH": "1"}
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}",
               "--ServerApp.port_retries=0", "--LabApp.expose_app_in_browser=True", "--IdentityProvider.token=",
               f"--ServerApp.root_dir={folder}"]
    log = (home / "log").open("w+", encoding="utf-8")
    server = subprocess.Popen(command, env=os.environ | {key: str(value) for key, value in own.items()}, cwd=folder,
                              stdout=log, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"{url}/api/status", timeout=5).close()
                break
            except OSError:
                assert server.poll() is None and time.monotonic() < deadline, (home / "log").read_text()
                time.sleep(0.2)
        yield Lab(url, folder)
    finally:
        server.terminate()
        server.wait(timeout=30)
        log.close()
