# Needs a Python of 3.11 to 3.13 and make; everything else is set up in .venv, once, from the lock files.
#   make up ARGS="--port 8123 --data DIR --workers 2"
#   make test ARGS="-k harbour"
.DEFAULT_GOAL := help
.PHONY: help up test messages test-js audit-demo check bench fuzz fuzz-api lint-openapi clients lock clean

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?=
ARGS ?=
PACKAGES := domain events service workers
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input
UV_COMPILE = $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(ARGS)

# A Python will do if it is of the right age and can make a virtual environment.
SUITS := import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/:[^#]*## /\t/' | while IFS="$$(printf '\t')" read -r name text; \
		do printf '%-18s %s\n' "make $$name" "$$text"; done

up: $(BIN)/.runs ## run the whole service on this machine; stop it with Ctrl-C
	@exec $(BIN)/annales up $(ARGS)

test: $(BIN)/.tests ## run all tests
	@$(BIN)/python -m pytest -n auto $(ARGS)

test-js: ## test the verifier in JavaScript (needs Node 20 or newer)
	@node --test tests/verifying/

audit-demo: $(BIN)/.tests ## play a game, tamper with its log in many ways, and see what both verifiers say
	@$(BIN)/python -m tests.verifying.demo

check: $(BIN)/.tests ## lint, format, types, import rules, coverage of the rules, contract
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n auto -q --cov
	$(BIN)/python -m service.openapi --check
	$(BIN)/openapi-spec-validator openapi.yaml
	$(BIN)/python -m service.messages --check

bench: $(BIN)/.bench ## measure, and print tables; docs/benchmarks.md explains them (ARGS="commands --rounds 3")
	@$(BIN)/python -m bench $(ARGS)

fuzz: $(BIN)/.tests ## the property tests with twenty times as many examples; 100,000 bad requests (ARGS="-k bad_requests": these alone)
	@ANNALES_FUZZ=20 $(BIN)/python -m pytest -n auto -m hypothesis $(ARGS)

fuzz-api: $(BIN)/.fuzz ## schemathesis against a running service: every operation of openapi.yaml (ARGS="--max-examples 300")
	@$(BIN)/python -m tests.fuzzing $(ARGS)

lint-openapi: ## lint openapi.yaml with a public linter (needs Node)
	@cd tools/openapi-lint && { [ -d node_modules ] || npm ci --no-audit --no-fund; } && REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true npx --no-install redocly lint ../../openapi.yaml

messages: $(BIN)/.tests ## bring the message catalogues up to date with the code and compile them, after a change of any sentence
	@$(BIN)/python -m service.messages --write

clients: $(BIN)/.clients ## generate clients from openapi.yaml, compile them, let them play (needs Node 20 or newer)
	@$(BIN)/python -m tests.clients.generated

lock: $(BIN)/.tests ## write the lock files from pyproject.toml (ARGS=--upgrade for newer versions)
	$(PIP) install uv
	$(UV_COMPILE) --group build --output-file requirements.txt
	$(UV_COMPILE) --group build --group dev --constraints requirements.txt --output-file requirements-dev.txt
	$(UV_COMPILE) --group bench --constraints requirements-dev.txt --output-file requirements-bench.txt
	$(UV_COMPILE) --group clients --constraints requirements-dev.txt --output-file requirements-clients.txt
	$(UV_COMPILE) --group fuzz --constraints requirements-dev.txt --output-file requirements-fuzz.txt

clean: ## remove what can be made again; games are kept
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .coverage .coverage.* htmlcov build dist \
		tools/openapi-lint/node_modules clients/typescript/node_modules clients/typescript/build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@for python in $(PYTHON) python3 python3.13 python3.12 python3.11 python; do \
		if "$$python" -c '$(SUITS)' 2>/dev/null; then \
			echo "Making $(VENV) with $$("$$python" --version)"; \
			"$$python" -m venv $(VENV) && exit 0 || exit 1; \
		fi; \
	done; \
	echo "Annales needs Python 3.11, 3.12 or 3.13 with venv and ensurepip (on Debian and Ubuntu the package python3-venv)." >&2; \
	echo "If it is not on PATH, name it: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; \
	exit 1

$(BIN)/.locked: requirements.txt | $(BIN)/python
	@echo "Installing what Annales needs into $(VENV), once"
	@$(PIP) install --require-hashes --no-deps --only-binary :all: -r requirements.txt
	@touch $@

$(BIN)/.runs: pyproject.toml $(BIN)/.locked
	@$(PIP) install --no-build-isolation --no-deps --editable .
	@touch $@

$(BIN)/.tests: requirements-dev.txt $(BIN)/.runs
	@echo "Installing what its tests need, once"
	@$(PIP) install --require-hashes --no-deps --only-binary :all: -r requirements-dev.txt
	@touch $@

$(BIN)/.bench: requirements-bench.txt $(BIN)/.tests
	@echo "Installing what the benches compare with, once"
	@$(PIP) install --require-hashes --no-deps --only-binary :all: -r requirements-bench.txt
	@touch $@

$(BIN)/.clients: requirements-clients.txt $(BIN)/.tests
	@echo "Installing the generator of Python clients, once"
	@$(PIP) install --require-hashes --no-deps --only-binary :all: -r requirements-clients.txt
	@touch $@

$(BIN)/.fuzz: requirements-fuzz.txt $(BIN)/.tests
	@echo "Installing schemathesis, once"
	@$(PIP) install --require-hashes --no-deps --only-binary :all: -r requirements-fuzz.txt
	@touch $@
