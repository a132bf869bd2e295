"""Outputs of a page are kept only as long as everything that they come from is unchanged.

The cache of myst-nb compares the code cells of a page and nothing else: after a change in `derl/` the old outputs
would stay. Here the folder of the cache carries a digest of the module, of the locked packages and of the ledger
(without its timings and its commit), and a new digest makes every page outdated.
"""

import json
import shutil
from pathlib import Path

from derl.inputs import digests

KEPT = 6  # digests whose outputs stay on disk, so that taking a change back costs nothing
READ = ("requirements.lock", "book/*/*.csv", "speed/*.json", "attacks/*.json")
VOLATILE = ("seconds", "commit")  # what differs between two runs that found the same


def digest(root: Path, ledger: Path) -> str:
    """A short name for the state of `derl/`, requirements.lock, the files that pages read, and the ledger."""
    read = [path for pattern in READ for path in root.glob(pattern)]
    found = ledger.read_text(encoding="utf-8") if ledger.exists() else None
    try:
        found = digests.untimed(json.loads(found or "null"), VOLATILE)
    except ValueError:
        pass  # what shows the ledger says what is wrong with it; here any other name will do
    files = digests.contents(root, [*digests.below(root / "derl"), *read])
    return digests.digest({"files": files, "ledger": found})[:16]


def choose_cache(app, config):
    """Point myst-nb at the cache of the present digest and drop the oldest ones."""
    root = Path(app.srcdir)
    config.library_digest = digest(root, root / config.claims_ledger)
    caches = Path(app.outdir).parent / ".jupyter_cache"
    own = caches / config.library_digest
    own.mkdir(parents=True, exist_ok=True)
    own.touch()
    for old in sorted(caches.iterdir(), key=lambda path: path.stat().st_mtime)[:-KEPT]:
        shutil.rmtree(old)
    config.nb_execution_cache_path = str(own)


def outdated(app, env, added, changed, removed):
    """All pages, once the digest is not the one they were built with."""
    stale = getattr(env, "library_digest", None) != app.config.library_digest
    env.library_digest = app.config.library_digest
    return sorted(env.found_docs) if stale else []


def setup(app):
    app.add_config_value("claims_ledger", "_build/ledger.json", "env")
    app.add_config_value("library_digest", "", "")
    app.connect("config-inited", choose_cache)
    app.connect("env-get-outdated", outdated)
    return {"version": "1", "parallel_read_safe": True}
