# Everything a fresh clone needs: `make demo` and `make test`. Only Python 3.11 or newer
# and a package registry are asked for; all else goes into virtual environments here.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
OLDEST ?= .venv-oldest
RELEASE ?= .venv-release
PYTEST_OPTIONS ?= -n 2 --dist worksteal

# Debian's tools ask for root; a CI machine that is not root has sudo.
AS_ROOT := $(shell [ "$$(id -u)" = 0 ] || echo sudo -n)

.PHONY: demo test compile test-quick test-deploy fuzz lint format test-oldest postgresql \
	docs pictures bench release-check release-notes clean help

help:
	@echo "make demo         install, search for a model for a bundled table, write a report"
	@echo "make test         install with test tools, check style and types, run all tests"
	@echo "make compile      compile all kernels, so that nothing waits for it later"
	@echo "make test-quick   the tests that take less than three minutes in all"
	@echo "make test-deploy  models in MLflow and shap, work on Ray, after installing them"
	@echo "make fuzz N=10000 damaged files, random options, odd tables: N inputs of each kind"
	@echo "make lint         style, formatting, imports between rooms, types"
	@echo "make format       let ruff put the formatting right"
	@echo "make test-oldest  run the tests with the oldest versions that we support"
	@echo "make docs         build the documentation with its gallery, warnings are errors"
	@echo "make pictures     write the pictures and outputs of the tutorials again"
	@echo "make bench        measure fitting and predicting compared with other libraries"
	@echo "make release-check  build a release, install it apart, run the demo, check licenses"
	@echo "make release-notes  move the notes of changes/ into CHANGES.md, at a release"
	@echo "make clean        remove environments, builds and caches"

demo: $(VENV)/.installed-serve
	$(VENV)/bin/python -m manyminds.demo

# All kernels are compiled first, while style and types are checked: the two processes of
# pytest would compile many of them twice.
test: $(VENV)/.installed-test
	$(MAKE) --jobs 2 lint compile
	$(MAKE) postgresql
	$(VENV)/bin/python -m pytest $(PYTEST_OPTIONS)

compile: $(VENV)/.installed-test
	$(VENV)/bin/manyminds warm-up --jobs 2

# Without tests marked slow, without examples of docs, and with a few estimators only in
# the checks that all estimators pass.
test-quick: $(VENV)/.installed-test
	$(VENV)/bin/python -m pytest $(PYTEST_OPTIONS) -m "not slow" tests

# What make test skips where these are not installed: no part of us needs them, and they
# pin versions of other packages.
test-deploy: $(VENV)/.installed-test
	$(VENV)/bin/python -m pip install --quiet mlflow-skinny shap "ray[client]"
	$(VENV)/bin/python -m pytest $(PYTEST_OPTIONS) tests/test_deploy.py \
		tests/trees/test_scikit_learn.py tests/experiments/test_ray.py \
		tests/search/evaluation/test_ray_pool.py

# Each input is determined by SEED and its number. The process may use 2 GB more than it
# has at its start. ONLY=readers runs tests/fuzz/test_readers.py alone.
N ?= 10000
SEED ?= 0
ONLY ?= *
fuzz: $(VENV)/.installed-test
	MANYMINDS_FUZZ_N=$(N) MANYMINDS_FUZZ_SEED=$(SEED) MANYMINDS_FUZZ_MEMORY=2000000000 \
		$(VENV)/bin/python -m pytest -p no:xdist --durations=0 tests/fuzz/test_$(ONLY).py

lint: $(VENV)/.installed-test
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/lint-imports
	$(VENV)/bin/mypy

format: $(VENV)/.installed-test
	$(VENV)/bin/ruff check --fix
	$(VENV)/bin/ruff format

test-oldest: $(OLDEST)/.installed-test postgresql
	$(OLDEST)/bin/python -m pytest $(PYTEST_OPTIONS)

# The store is tested on a real PostgreSQL, which the tests start by themselves where it
# is installed. Only a machine that says it is for CI gets it installed.
postgresql:
ifdef CI
	@ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 || command -v initdb \
		|| { $(AS_ROOT) apt-get update -qq && \
			$(AS_ROOT) env DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends postgresql; } \
		|| echo "PostgreSQL cannot be installed here: its tests will be skipped."
endif

docs: $(VENV)/.installed-docs
	$(VENV)/bin/sphinx-build -W --keep-going -b html docs docs/_build/html
	@echo "Open docs/_build/html/index.html in a browser."

pictures: $(VENV)/.installed
	$(VENV)/bin/python docs/images/make_pictures.py

bench: $(VENV)/.installed-bench
	$(VENV)/bin/python benchmarks/forest_speed.py
	$(VENV)/bin/python benchmarks/boosting_speed.py
	$(VENV)/bin/python benchmarks/experiment_overhead.py

# What a user gets from a package registry: the wheel, in an environment and a folder
# that have nothing of this repository.
release-check: $(RELEASE)/.installed-tools
	rm -rf dist
	$(RELEASE)/bin/python -m build --quiet --outdir dist .
	$(RELEASE)/bin/python -m twine check --strict dist/*
	$(RELEASE)/bin/python tools/release_check.py dist/*.whl

release-notes: $(VENV)/.installed-docs
	$(VENV)/bin/python -m towncrier build --yes \
		--version "$$($(VENV)/bin/python -c 'import manyminds; print(manyminds.__version__)')"

clean:
	rm -rf $(VENV) $(OLDEST) $(RELEASE) build dist .pytest_cache .ruff_cache .mypy_cache \
		.import_linter_cache docs/_build docs/gallery docs/reference/generated \
		docs/explanation/measurements.md docs/release_notes.md \
		docs/sg_execution_times.rst demo-search
	find src tests benchmarks examples docs -name __pycache__ -type d -prune \
		-exec rm -rf {} +

# An empty file in an environment says what is installed in it, and since when. The
# package is installed in place, so only a change of pyproject.toml asks for it again.
$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(VENV)/bin/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.installed-%: pyproject.toml | $(VENV)/bin/python
	$(VENV)/bin/python -m pip install --quiet --editable '.[$*]'
	touch $@

$(OLDEST)/.installed-test: pyproject.toml constraints/oldest.txt | $(OLDEST)/bin/python
	$(OLDEST)/bin/python -m pip install --quiet --constraint constraints/oldest.txt \
		--editable '.[test]'
	touch $@

$(RELEASE)/.installed-tools: Makefile | $(RELEASE)/bin/python
	$(RELEASE)/bin/python -m pip install --quiet --upgrade 'pip>=25' build twine pip-audit
	touch $@

$(VENV)/bin/python $(OLDEST)/bin/python $(RELEASE)/bin/python:
	@test -n "$(PYTHON)" || { echo "No python3.11 or python3 found: set PYTHON."; exit 1; }
	$(PYTHON) -m venv $(@D)/..
