#!/bin/sh
# Set up .venv/ from requirements.lock, every package by its hash, and the project itself, editable.
# uv installs; where the machine has none, pip brings it into .venv/.
set -eu
unset VIRTUAL_ENV PYTHONPATH PYTHONHOME CONDA_PREFIX
cd "$(dirname "$0")/../.."
python=
for name in ${PYTHON:-python3 python3.13 python3.12 python3.11 python}; do
  if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python=$name; break; fi
done
rm -rf .venv
if uv --version >/dev/null 2>&1; then
  uv=uv
  uv venv --quiet --python "${python:->=3.11}" .venv
elif [ -z "$python" ]; then
  echo "setup: derl needs Python 3.11 or newer; name one with make PYTHON=/path/to/python3" >&2; exit 2
else
  uv=.venv/bin/uv
  "$python" -m venv .venv || { echo "setup: $python cannot make environments (on Debian: apt-get install python3-venv)" >&2; exit 2; }
  PIP_USER=0 .venv/bin/pip install --quiet --require-hashes --only-binary :all: -r book/_setup/uv-pin.txt ||
    { echo "setup: pip cannot install uv (no network?)" >&2; exit 2; }
fi
for packages in "--require-hashes --only-binary :all: -r requirements.lock" "--no-deps --no-build-isolation -e ."; do
  # shellcheck disable=SC2086  # options
  $uv pip install --quiet --python .venv/bin/python $packages ||
    { echo "setup: the packages of requirements.lock cannot be installed (no network?)" >&2; exit 2; }
done
