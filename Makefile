# Everything that is done with a checkout, one word each. `make help` lists the words.

PYTHON ?= python3
# Further flags for whatever the target runs: make run ARGS="--port 9000", make test ARGS="-k roll"
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
UV ?= $(BIN)/uv

# A stamp is touched when its step has ended, so a step that was interrupted is done again.
MADE := $(VENV)/.made
RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev

LOCK = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-annotate --custom-compile-command "make lock" $(ARGS)

# The rules are small and everything rests on them: the gate asks for each of their branches.
ifdef COVERAGE
TEST_FLAGS := --cov=app/rules --cov-fail-under=100 --cov-report=term-missing:skip-covered
endif

.DEFAULT_GOAL := help
.PHONY: help run test lint check soak bench format openapi lock install clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(RUNTIME) ## the server on port 8000, its database migrated first
	$(BIN)/yacht serve $(ARGS)

test: $(DEV) ## all tests but the soak tests
	$(BIN)/python -m pytest -n auto --dist loadgroup $(TEST_FLAGS) $(ARGS)

lint: $(DEV) ## format, lint, types and imports, without the tests
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

check: lint ## the gate: lint, then all tests, every branch of the rules covered
	$(MAKE) test COVERAGE=1

soak: $(DEV) ## the tests that take minutes
	YACHT_TEST_REQUIRE_ALL=1 $(BIN)/python -m pytest -m soak --timeout 1800 $(ARGS)

bench: $(DEV) ## whole games over HTTP, measured
	$(BIN)/python benchmarks/http_games.py $(ARGS)

format: $(DEV) ## writes the format and the fixes that ruff is sure of
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

openapi: $(DEV) ## writes openapi/openapi.json anew
	$(BIN)/yacht openapi $(ARGS)

lock: $(UV) ## writes the lock files anew; ARGS=--upgrade to take newer versions
	$(LOCK) pyproject.toml -o requirements.lock
	echo hatchling | $(LOCK) - -c requirements.lock -o requirements-build.lock
	$(LOCK) pyproject.toml --extra dev -c requirements.lock -c requirements-build.lock -o requirements-dev.lock

install: $(DEV) ## .venv with everything that development needs

clean: ## removes .venv and all that tools left behind
	rm -rf $(VENV) build dist tests/clients/node_modules* .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find app benchmarks migrations tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(MADE):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.12 ...")'
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(RUNTIME): $(MADE) requirements.lock requirements-build.lock pyproject.toml
	@echo "Installing what the server needs into $(VENV); the first time takes about a minute."
	$(PIP) install --quiet --require-hashes -r requirements.lock -r requirements-build.lock
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV): $(RUNTIME) requirements-dev.lock
	@echo "Installing what development needs into $(VENV)."
	$(PIP) install --quiet --require-hashes -r requirements-dev.lock
	@touch $@

$(BIN)/uv: $(DEV)
