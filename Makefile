# Every target sets itself up: a fresh clone needs Python 3.11 or newer and make, nothing else.
# PYTHON=... names the Python of .venv/, JOBS=... the worker processes of checks and tests, REPOSITORY=... the address
# to which the pages of the book link (owner/name or https://...; `repository` in _config.yml sets it for good).

SHELL := /bin/sh
PYTHON ?=
JOBS ?= 2
REPOSITORY ?=
export PYTHON REPOSITORY
# what changes how Python, git and the libraries work, or where they look, is not handed on
unexport VIRTUAL_ENV CDPATH $(filter-out PYTHON,$(filter PYTHON% GIT_% IPYTHON% SPHINX% DOCUTILS% \
  SYMPY_% MPMATH_% SCIPY_ARRAY_API NPY_PROMOTION_STATE TQDM_% MPLBACKEND MATPLOTLIBRC PLOTLY_% NUMBA_DEBUG% NUMBA_DUMP_% \
  SOURCE_DATE_EPOCH,$(.VARIABLES)))

PY := .venv/bin/python
READY := .venv/.ready-$(shell pwd | cksum | cut -d' ' -f1)
ASSETS := book/_static/vendor/.ready
LEDGER := _build/ledger.json
PAGES := _build/.executed
HTML := _build/.html
# a file that a page may read and that is newer than the book
NEWER := $(shell [ -f $(HTML) ] || echo none; find Makefile README.md _config.yml book derl notebooks proofs speed attacks tests/second_paper \
  \( -name node_modules -o -name vendor -o -name '__pycache__' -o -name '.*' \) -prune -o \
  -type f ! -name '*.vo*' ! -name '*.glob' -newer $(HTML) -print -quit 2>/dev/null)
MAKEFLAGS += -j2

ifneq ($(shell printf %s '$(subst ','\'',$(value JOBS))' | grep -qEx '[1-9][0-9]{0,3}' && echo right),right)
$(error JOBS is the number of worker processes: a whole number from 1 to 9999)
endif

.DELETE_ON_ERROR:
ifneq ($(REPOSITORY),$(shell cat _build/.repository 2>/dev/null))
NEWER := REPOSITORY
endif

.PHONY: FORCE foreign help setup book pdf note test test-slow test-all verify proofs proofs-check reproduce pythons lab bench live serve lint clean distclean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1@\2/p' Makefile | awk -F@ '{printf "%-14s %s\n", $$1, $$2}'

book: $(HTML) ## run the quick checks, execute every page, build the HTML
	@echo "The book is in _build/html/index.html"

pdf: $(HTML) ## print the book to _build/derl.pdf
	@$(PY) book/_setup/chromium.py
	$(PY) book/_setup/pdf.py

note: $(HTML) ## print the chapter "Beyond the paper" as a paper with appendices to _build/beyond.pdf
	@$(PY) book/_setup/chromium.py
	$(PY) book/_setup/note.py

# whole files go to a worker: what a file makes once is made once
PYTEST = $(PY) -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder

test: $(HTML) ## build the book if it is stale, then run the core tests and one pass over all pages in a browser
	@$(PY) book/_setup/chromium.py
	$(PYTEST) -m "not slow"

test-slow: $(HTML) ## the tests that `make test` leaves out: Coq, every lab, open boxes in a browser, PDF
	@$(PY) book/_setup/chromium.py
	$(PYTEST) -m slow

test-all: ## every test: `make test`, then `make test-slow`
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory test-slow

verify: $(READY) ## run the full tier of checks; the next `make book` shows its verdicts
	.venv/bin/derl verify --tier full --jobs $(JOBS) --out $(LEDGER)

proofs: $(READY) ## compile the formal proofs with Coq and record what it says (proofs/README.md)
	@$(MAKE) --no-print-directory -C proofs record PYTHON=../$(PY) JOBS=$(JOBS)

proofs-check: ## re-check the compiled proofs with Coq's independent checker
	@$(MAKE) --no-print-directory -C proofs coqchk JOBS=$(JOBS)

reproduce: $(READY) ## from nothing: all checks, the book, the tests, the proofs if there is Coq; print a certificate
	@$(PY) book/_setup/reproduce.py

setup: $(READY) ## set up .venv/, which every other target does, too

lab: $(READY) ## open the gallery of the labs in JupyterLab
	.venv/bin/derl lab

bench: $(READY) ## measure speed and scale
	$(PY) speed/peers.py && $(PY) speed/scaling.py && $(PY) speed/book.py

pythons: $(READY) ## the core tests and `derl verify` from a wheel, with Python 3.11, 3.12 and 3.13
	@for version in 3.11 3.12 3.13; do \
	  place=$$PWD/_build/pythons/$$version; uv="$$(command -v uv || echo $$PWD/.venv/bin/uv)"; \
	  $$uv venv --quiet --clear --python $$version $$place && \
	  $$uv pip install --quiet --python $$place --require-hashes --only-binary :all: -r requirements.lock && \
	  rm -rf build && $$uv pip install --quiet --python $$place --no-deps --no-build-isolation . && rm -rf build && \
	  (cd $$place && bin/derl verify --out ledger.json) && \
	  $$place/bin/python -P -m pytest -n $(JOBS) --dist loadfile -m "not slow and not browser" || exit 1; done

live: $(HTML) ## let the built book run cells and checks in the reader's browser: _build/html/_live (after `make book`)
	@JOBS=$(JOBS) $(PY) book/live/build.py

serve: ## serve the built book on 127.0.0.1, port PORT or 8000
	@$(PY) book/live/serve.py

lint: $(READY) ## ruff and codespell
	.venv/bin/ruff check
	.venv/bin/codespell README.md CONTRIBUTING.md derl book/*.md book/*/*.md

clean: ## remove what was built
	rm -rf _build .pytest_cache .ruff_cache .hypothesis

distclean: clean ## remove what was installed, too
	rm -rf .venv book/node_modules book/_setup/browser/node_modules book/_static/vendor derl.egg-info

# what git tracks although it is ignored was built by somebody else, and would be taken for a result of this code
foreign:
	@! git ls-files -i -c --exclude-standard 2>/dev/null | grep . || \
	  { echo "git tracks files that are results (above), so nothing is built from them: git rm --cached them, then make clean" >&2; exit 1; }

# the name holds the folder, because an environment cannot be moved
$(READY): requirements.lock pyproject.toml book/_setup/environment.sh book/_setup/uv-pin.txt $(if $(wildcard $(PY)),,FORCE) | foreign
	@sh book/_setup/environment.sh
	@touch $@

$(ASSETS): book/package-lock.json book/_setup/assets.py book/_setup/node-pin.txt | $(READY)
	$(PY) book/_setup/assets.py
	@touch $@

# by content: the ledger knows the digest of the code that it speaks of, and stays as it is while that is the same
$(LEDGER): $(READY) FORCE
	@.venv/bin/derl verify --tier quick --jobs $(JOBS) --out $@ --unless-current

# beside the checks: pages that read no verdict
$(PAGES): $(READY) $(if $(NEWER),FORCE)
	@$(PY) book/_ext/execution.py
	@touch $@

FORCE:

$(HTML): $(READY) $(ASSETS) $(LEDGER) $(PAGES) $(if $(NEWER),FORCE)
	@$(PY) book/_ext/repository.py
	@rm -rf _build/html # pages of an earlier build that the book no longer has would stay
	@$(PY) book/_ext/execution.py --ledger
	.venv/bin/jupyter-book build . --toc book/_toc.yml -W --keep-going --all
	@printf %s "$$REPOSITORY" >_build/.repository
	@touch $@
