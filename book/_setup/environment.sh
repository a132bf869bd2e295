#!/bin/sh
# Set up .venv/ from requirements.lock: with uv where there is one or pip can bring it, with pip otherwise.
# Every package is checked against its hash; then the project itself, editable. Outside .venv/, only the caches of uv and
# pip are changed. .venv/.ready says in which folder, by which Python and from which lock it was made; where any of that
# is another now (the checkout was copied or moved, Python was removed or replaced), it is made again.
set -eu
unset CDPATH VIRTUAL_ENV PYTHONPATH PYTHONHOME PYTHONOPTIMIZE PYTHONWARNINGS PYTHONSAFEPATH CONDA_PREFIX
cd "$(dirname "$0")/../.."
own=.venv/bin/python

young() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

# what an environment depends on, one a line: folder, Python, files of the set-up
made_of() { "$1" -I -S -c '
import hashlib, os, sys
print(os.getcwdb()); print(os.fsencode(os.path.realpath(sys.base_prefix)), sys.version.split("\n")[0])
for name in sys.argv[1:]:
    print(name, hashlib.sha256(open(name, "rb").read()).hexdigest())' \
  requirements.lock pyproject.toml book/_setup/environment.sh book/_setup/uv-pin.txt 2>/dev/null; }
base() { "$1" -I -S -c 'import os, sys; print(os.path.realpath(sys.base_prefix), sys.version)' 2>/dev/null; }

# the Python that was asked for is that of the environment
asked() { [ -z "${PYTHON:-}" ] || [ "$(base "$PYTHON")" = "$(base $own)" ]; }

now=$(made_of $own) || now=
if [ -n "$now" ] && asked && [ -f .venv/.ready ] && [ "$(cat .venv/.ready)" = "$now" ]; then exit 0; fi

python=
for name in ${PYTHON:-python3 python3.13 python3.12 python3.11 python}; do
  if young "$name"; then python=$name; break; fi
done
uv=
if uv --version >/dev/null 2>&1; then uv=uv; fi

# what an interrupted set-up has left is used again: if it was made here, from the same lock, and can install packages
whole() {
  [ -n "$now" ] && asked && grep -qF "$(pwd -P)/.venv" .venv/bin/activate 2>/dev/null &&
    { [ ! -f .venv/.made ] || [ "$(cat .venv/.made)" = "$now" ]; } &&
    { [ ! -f .venv/.ready ] || [ -f .venv/.made ]; } &&
    young $own && { [ -n "$uv" ] || $own -m pip --version >/dev/null 2>&1; }
}

if ! whole; then
  [ ! -f .venv/.ready ] || echo "setup: .venv was made in another folder, by another Python or from another lock; it is made again"
  rm -rf .venv
  if [ -n "$uv" ]; then
    $uv venv --quiet --no-config --python "${python:->=3.11}" .venv
  elif [ -z "$python" ]; then
    echo "setup: derl needs Python 3.11 or newer; name one with make PYTHON=/path/to/python3" >&2; exit 2
  else
    "$python" -m venv .venv || { echo "setup: $python cannot make environments (on Debian: apt-get install python3-venv)" >&2; exit 2; }
  fi
fi
made_of $own >.venv/.made

# caches of pip and uv that cannot be written (a home of somebody else, a full disk) are replaced by one of our own
cache=${UV_CACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/uv}
mkdir -p "$cache" 2>/dev/null || true
if ! { [ -d "$cache" ] && [ -w "$cache" ]; }; then export UV_CACHE_DIR="$PWD/.venv/cache" PIP_CACHE_DIR="$PWD/.venv/cache/pip"; fi

log=.venv/setup.log # all that pip and uv have to say
: >$log
eval "$($own -I book/_setup/installers.py)" # where packages come from; the user's configuration says nothing else
if [ -z "$uv" ]; then # going on with pip, which is slower, where there is no uv for this machine
  [ -x .venv/bin/uv ] || $own -m pip install --require-hashes --only-binary :all: -r book/_setup/uv-pin.txt >>$log 2>&1 || true
  [ -x .venv/bin/uv ] && uv=.venv/bin/uv
fi

installed() {
  if [ -n "$uv" ]; then $uv pip install --python $own "$@"; else $own -m pip install "$@"; fi >>$log 2>&1 ||
    { echo "setup: the packages of requirements.lock cannot be installed (no network?); $log says why" >&2; exit 2; }
}
installed --require-hashes --only-binary :all: -r requirements.lock # building from source would fetch what has no hash
installed --no-deps --no-build-isolation -e . # built with the setuptools of the lock
[ ! -f .venv/.lock ] || chmod go-w .venv/.lock 2>/dev/null || true # uv makes it writable for everybody
cp .venv/.made .venv/.ready
