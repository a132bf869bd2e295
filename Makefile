# Every target sets itself up: a fresh clone needs Python 3.11 or newer and make, nothing else.
# PYTHON=... names the Python of .venv/, JOBS=... the worker processes of checks and tests, REPOSITORY=... the address
# to which the pages of the book link (owner/name or https://...; `repository` in _config.yml sets it for good),
# MINUTES=... after how many minutes `make test-slow` begins no further test.

SHELL := /bin/sh
PYTHON ?=
JOBS ?= 2
REPOSITORY ?=
MINUTES ?=
export PYTHON REPOSITORY
# what changes how Python, git and the libraries work, or where they look, is not handed on
unexport VIRTUAL_ENV CDPATH $(filter-out PYTHON,$(filter PYTHON% GIT_% IPYTHON% SPHINX% DOCUTILS% \
  SYMPY_% MPMATH_% SCIPY_ARRAY_API NPY_PROMOTION_STATE TQDM_% MPLBACKEND MATPLOTLIBRC PLOTLY_% NUMBA_DEBUG% NUMBA_DUMP_% \
  SOURCE_DATE_EPOCH,$(.VARIABLES)))

PY := .venv/bin/python
READY := .venv/.ready
ASSETS := book/_static/vendor/.ready
LEDGER := _build/ledger.json
HTML := _build/.html
INPUTS := _build/.pages

ifneq ($(shell printf %s '$(subst ','\'',$(value JOBS))' | grep -qEx '[1-9][0-9]{0,3}' && echo right),right)
$(error JOBS is the number of worker processes: a whole number from 1 to 9999)
endif

.DELETE_ON_ERROR:
.PHONY: FORCE help book pdf note test test-slow test-release test-all verify proofs proofs-check reproduce pythons lab bench lint clean distclean

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

# whole files go to a worker: what a file makes once (a tour of the book, a JupyterLab, cached runs) is made once
PYTEST = $(PY) -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder

test: $(HTML) ## build the book if it is stale, then run the quick tests, one pass over all pages in a browser too
	@$(PY) book/_setup/chromium.py
	$(PYTEST) -m "not slow"

test-slow: $(HTML) ## the tests that `make test` leaves out: Coq, every lab, all of the book in a browser, kills, PDF
	@$(PY) book/_setup/chromium.py
	$(PYTEST) -m "slow and not release" $(if $(MINUTES),--minutes $(MINUTES))

test-release: $(HTML) ## the longest tests, for a release: fresh environments, other Pythons, an old machine, faults planted in Coq
	$(PYTEST) -m release

test-all: ## every test: `make test`, `make test-slow` and `make test-release`
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory test-slow
	@$(MAKE) --no-print-directory test-release

verify: $(READY) ## run the full tier of checks; the next `make book` shows its verdicts
	.venv/bin/derl verify --tier full --jobs $(JOBS) --out $(LEDGER)

proofs: $(READY) ## compile the formal proofs with Coq and record what it says (proofs/README.md)
	@$(MAKE) --no-print-directory -C proofs record PYTHON=../$(PY) JOBS=$(JOBS)

proofs-check: ## re-check the compiled proofs with Coq's independent checker
	@$(MAKE) --no-print-directory -C proofs coqchk JOBS=$(JOBS)

reproduce: $(READY) ## from nothing: all checks, the book, the tests, the proofs if there is Coq; print a certificate
	@$(PY) book/_setup/reproduce.py

lab: $(READY) ## open the gallery of the labs in JupyterLab
	.venv/bin/derl lab

bench: $(READY) ## measure speed and scale
	@for file in speed/bench_*.py; do echo "== $$file"; $(PY) $$file || exit 1; done

pythons: $(READY) ## the quick tests and `derl verify` from a wheel, with Python 3.11, 3.12 and 3.13
	$(PY) book/_setup/pythons.py

lint: $(READY) ## ruff
	.venv/bin/ruff check

clean: ## remove what was built
	rm -rf _build .pytest_cache .ruff_cache .hypothesis

distclean: clean ## remove what was installed, too
	rm -rf .venv book/node_modules book/_setup/browser/node_modules book/_static/vendor derl.egg-info

# by content: it knows in which folder, by which Python and from which lock .venv/ was made, and stays while that holds
$(READY): FORCE
	@sh book/_setup/environment.sh

$(ASSETS): $(READY) book/package-lock.json book/_setup/assets.py book/_setup/node-pin.txt
	$(PY) book/_setup/assets.py
	@touch $@

# by content: the ledger knows the digest of the code that it speaks of, and stays as it is while that is the same
$(LEDGER): $(READY) FORCE
	@.venv/bin/derl verify --tier quick --jobs $(JOBS) --out $@ --unless-current

$(INPUTS): $(READY) FORCE
	@$(PY) book/_ext/repository.py
	@$(PY) book/_setup/inputs.py $@

FORCE:

$(HTML): $(READY) $(INPUTS) $(ASSETS) $(LEDGER)
	@rm -rf _build/html # pages of an earlier build that the book no longer has would stay
	.venv/bin/jupyter-book build . --toc book/_toc.yml -W --keep-going --all
	@touch $@
