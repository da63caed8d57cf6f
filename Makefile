# Two commands on a fresh machine: `make play` and `make test`. Everything they need goes into .venv.

# The first of these that is 3.11 or newer; `make play PYTHON=/path/to/python` overrides the choice.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
# Passed to the command, as in `make test ARGS="-k split"` or `make lock ARGS=--upgrade`.
ARGS ?=

BIN := .venv/bin
# --python: install here even when another environment is active in the shell.
# --compile-bytecode: otherwise each process compiles numba's sources again where PYTHONDONTWRITEBYTECODE is set.
INSTALL := $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python
# No build isolation: the build backend also comes from the hashed lock file, and an isolated build would download its own.
INSTALL_HOLECARD := $(INSTALL) --no-deps --no-build-isolation --editable .
# Extra environments: $(call FRESH,name) creates .venv/name.
FRESH = $(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv/$(1)
INSTALL_IN = $(BIN)/uv pip install --quiet --python .venv/$(1)/bin/python
# Tests start many processes, so they write bytecode even where the shell says not to. Sets of words have the same order
# in every run, so that a failure repeats; `make repeat` tries other orders.
PYTHON_FOR_TESTS := PYTHONDONTWRITEBYTECODE= PYTHONHASHSEED=$${PYTHONHASHSEED:-0} $(BIN)/python
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock"

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help play test test-all repeat check bench docs pictures site wheel lowest lock clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

# Rounds that are open when it ends continue at the next start, so it does not wait for them.
play: .venv/.play ## play in the browser (ARGS="--no-open" only prints the address)
	@echo "In the browser, at the address below. In this terminal instead: $(BIN)/holecard play"
	@$(BIN)/holecard serve --next-port --shutdown-seconds 0 $(ARGS)

test: .venv/.dev .venv/.pages ## run the quick tests (ARGS="-k split" for some of them)
	@$(PYTHON_FOR_TESTS) -m tests.compile_kernels
	@$(PYTHON_FOR_TESTS) -m pytest $(ARGS)

test-all: .venv/.dev .venv/.pages ## run all tests that need no GPU
	@$(PYTHON_FOR_TESTS) -m tests.compile_kernels
	@$(PYTHON_FOR_TESTS) -m pytest -m "not gpu and not clock" --hypothesis-profile=thorough $(ARGS)

# BUSY=1 keeps all cores busy in every run, BUSY=0 in none; by default in every second one.
TIMES ?= 10
BUSY ?=
SHOES ?=
repeat: .venv/.dev .venv/.pages ## repeat tests until one fails (ARGS="tests/server" TIMES=10 BUSY=1)
	@$(PYTHON_FOR_TESTS) -m tests.compile_kernels
	@$(PYTHON_FOR_TESTS) -m tests.repeat --times=$(TIMES) --busy=$(BUSY) --shoes=$(SHOES) $(ARGS)

check: .venv/.dev ## check lint, formatting, types, and import contracts
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy $(wildcard src bench)
	@$(BIN)/lint-imports --no-logo

bench: .venv/.dev ## run the benchmarks (ARGS=exact for one of them)
	@$(BIN)/python -m bench $(ARGS)

docs: .venv/.dev ## regenerate the generated pages and the outputs shown in the docs
	@$(PYTHON_FOR_TESTS) -m tests.compile_kernels  # else its announcement would be printed into an example
	@$(BIN)/python docs/make_sheets.py
	@$(BIN)/python docs/make_rulings.py
	@$(BIN)/python docs/make_python.py
	@$(BIN)/python docs/make_verified.py
	@$(BIN)/python -m docs.make_protocol
	@$(BIN)/python -m docs.make_server
	@$(BIN)/python docs/make_figures.py
	@$(BIN)/python docs/fill_readme.py

pictures: .venv/.dev ## take the pictures of the tables again; needs Chromium
	@$(BIN)/python -m docs.make_pictures $(ARGS)

site: .venv/.site ## build the documentation site into site/
	@NO_MKDOCS_2_WARNING=1 .venv/site/bin/mkdocs build --strict

# Smoke tests of an installed copy, in a fresh environment and away from the sources.
wheel: .venv/.dev ## build the wheel, install it, and test the installed copy
	@rm -rf dist
	@$(BIN)/python -m hatchling build --target wheel
	@$(call FRESH,wheel)
	@$(call INSTALL_IN,wheel) --require-hashes -r requirements/play.txt
	@$(call INSTALL_IN,wheel) --no-deps dist/*.whl
	@.venv/wheel/bin/python tests/packaging/smoke.py .

lowest: .venv/.dev ## test with the lowest versions of the dependencies that pyproject.toml allows
	@$(call FRESH,lowest)
	@$(call INSTALL_IN,lowest) --resolution lowest-direct ".[gym,cluster,server]"
	@.venv/lowest/bin/python tests/packaging/smoke.py .

# The lock file for development is constrained by the one for playing, so that tests run with the versions that people use.
lock: .venv/.uv ## pin the dependencies again (ARGS=--upgrade for newer ones)
	@$(COMPILE) $(ARGS) --group installer --output-file requirements/installer.txt >/dev/null
	@$(COMPILE) $(ARGS) pyproject.toml --group build --extra server --output-file requirements/play.txt >/dev/null
	@$(COMPILE) $(ARGS) --group site --output-file requirements/site.txt >/dev/null
	@$(COMPILE) $(ARGS) pyproject.toml --group build --group dev --extra cluster --extra gym --extra cuda --extra parquet --extra server \
		--constraint requirements/play.txt --output-file requirements/dev.txt >/dev/null

clean: ## remove .venv, caches, and builds; keep recorded rounds
	@rm -rf .venv dist site .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage*
	@find . -name .git -prune -o -name __pycache__ -prune -exec rm -rf {} +

.venv/bin/python:
	@test -n "$(PYTHON)" || { \
		echo "Holecard needs Python 3.11 or newer and found none. Install one, or name it: make play PYTHON=..."; \
		exit 1; }
	@echo "creating .venv (once) …"
	@$(PYTHON) -m venv --clear .venv

.venv/.uv: requirements/installer.txt | .venv/bin/python
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r $<
	@touch $@

.venv/.play: requirements/play.txt pyproject.toml .venv/.uv
	@echo "installing dependencies …"
	@$(INSTALL) --require-hashes -r $<
	@$(INSTALL_HOLECARD)
	@touch $@

# The lock file for development includes the one for playing, so `make play` has nothing left to install.
.venv/.dev: requirements/dev.txt pyproject.toml .venv/.uv
	@echo "installing development tools …"
	@$(INSTALL) --require-hashes -r $<
	@$(INSTALL_HOLECARD)
	@touch $@ .venv/.play

# What checks the pages: types and accessibility. Where npm is missing, the tests that need it are skipped.
.venv/.pages: tests/pages/package-lock.json tests/pages/package.json | .venv/bin/python
	@command -v npm >/dev/null || { echo "npm is not installed: the types of the pages are not checked"; exit 0; }; \
	echo "installing the checkers of the pages …"; mkdir -p .venv/pages; \
	cp tests/pages/package.json tests/pages/package-lock.json .venv/pages/; \
	npm ci --prefix .venv/pages --ignore-scripts --no-fund --no-audit --silent && touch $@ || \
	echo "npm failed: the types of the pages are not checked"

.venv/.site: requirements/site.txt .venv/.uv
	@echo "installing the site generator …"
	@$(call FRESH,site)
	@$(call INSTALL_IN,site) --require-hashes -r $<
	@touch $@
