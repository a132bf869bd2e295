"""What pip and uv take from the user's configuration: where packages come from, and nothing about where they go.

    eval "$(.venv/bin/python -I book/_setup/installers.py)"

prints lines for a shell. The configuration of pip or uv may say `user = true`, `target`, `prefix`, `no-deps` or
`dry-run`; then the set-up would install elsewhere, or nothing, and say that there is no network. So files and
variables of both are left out, but for what names an index, a proxy, a certificate, a cache or a time limit.
"""

from __future__ import annotations

import configparser
import os
import re
import shlex
import tomllib
from collections.abc import Mapping
from pathlib import Path

PIP = ("index-url", "extra-index-url", "find-links", "no-index", "trusted-host", "proxy", "cert", "client-cert",
       "timeout", "default-timeout", "retries", "cache-dir", "no-cache-dir", "keyring-provider",
       "disable-pip-version-check", "cert-native")
UV = ("index-url", "extra-index-url", "default-index", "index", "find-links", "no-index", "index-strategy",
      "native-tls", "system-certs", "allow-insecure-host", "insecure-host", "keyring-provider", "cache-dir", "offline",
      "http-timeout", "http-retries", "python-install-dir", "python-install-mirror", "python-downloads",
      "concurrent-downloads", "link-mode")
SECRET = re.compile(r"UV_INDEX_\w+_(USERNAME|PASSWORD)")
LISTS = {"index-url": "UV_INDEX_URL", "extra-index-url": "UV_EXTRA_INDEX_URL", "find-links": "UV_FIND_LINKS",
         "allow-insecure-host": "UV_INSECURE_HOST"}  # keys of uv.toml whose variables have these names


def variable(tool: str, key: str) -> str:
    """The environment variable of an option."""
    return f"{tool}_{key.upper().replace('-', '_')}"


def pip_files(environment: Mapping[str, str]) -> list[Path]:
    """Where pip looks for its configuration, the weakest first."""
    home = Path(environment.get("HOME") or "/nonexistent")
    config = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    system = [Path("/etc/xdg/pip/pip.conf"), Path("/etc/pip.conf")]
    own = [Path(environment["PIP_CONFIG_FILE"])] if environment.get("PIP_CONFIG_FILE") else []
    if own == [Path(os.devnull)]:
        return []
    return [*system, home / ".pip" / "pip.conf", config / "pip" / "pip.conf", *own]


def uv_files(environment: Mapping[str, str]) -> list[Path]:
    """Where uv looks for its configuration, the weakest first."""
    if environment.get("UV_NO_CONFIG"):
        return []
    if environment.get("UV_CONFIG_FILE"):
        return [Path(environment["UV_CONFIG_FILE"])]
    home = Path(environment.get("HOME") or "/nonexistent")
    return [Path("/etc/uv/uv.toml"), Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / "uv" / "uv.toml"]


def of_pip(files: list[Path]) -> dict[str, str]:
    """Variables for what files of pip say about sources."""
    found = {}
    for file in files:
        reader = configparser.RawConfigParser()
        try:
            reader.read(file, encoding="utf-8")
        except (OSError, UnicodeDecodeError, configparser.Error):
            continue  # pip would not take it either
        for section in ("global", "install"):
            if reader.has_section(section):
                found |= {variable("PIP", key.replace("_", "-")): " ".join(value.split())
                          for key, value in reader.items(section) if key.replace("_", "-") in PIP and value}
    return found


def of_uv(files: list[Path]) -> dict[str, str]:
    """Variables for what files of uv say about sources."""
    found: dict[str, str] = {}
    for file in files:
        try:
            body = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
            continue
        indexes = [entry for entry in body.pop("index", []) if isinstance(entry, dict) and "url" in entry]
        for key, value in {**body, **body.get("pip", {})}.items():
            if key in UV and isinstance(value, str | int | list):
                words = value if isinstance(value, list) else [str(value).lower() if value in (True, False) else value]
                found[LISTS.get(key, variable("UV", key))] = " ".join(map(str, words))
        default = [entry["url"] for entry in indexes if entry.get("default")]
        others = [entry["url"] for entry in indexes if not entry.get("default")]
        found |= {"UV_DEFAULT_INDEX": default[0]} if default else {}
        found |= {"UV_INDEX": " ".join(others)} if others else {}
    return found


def settings(environment: Mapping[str, str]) -> dict[str, str | None]:
    """Variables to set, and as None those to remove."""
    kept = {variable("PIP", key) for key in PIP} | {variable("UV", key) for key in UV}
    found: dict[str, str | None] = {
        name: None for name in environment
        if name.startswith(("PIP_", "UV_")) and name not in kept and not SECRET.fullmatch(name)}
    for name, value in {**of_pip(pip_files(environment)), **of_uv(uv_files(environment))}.items():
        if not environment.get(name):  # the variable is stronger than the file
            found[name] = value
    return found | {"PIP_CONFIG_FILE": os.devnull, "UV_NO_CONFIG": "1"}


def environment() -> dict[str, str]:
    """The environment in which pip and uv are called."""
    found = {**os.environ, **settings(os.environ)}
    return {name: value for name, value in found.items() if value is not None}


if __name__ == "__main__":
    for word, new in settings(os.environ).items():
        print(f"unset {word}" if new is None else f"export {word}={shlex.quote(new)}")
