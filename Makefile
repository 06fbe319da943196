# All a checkout needs: make sets up .venv by itself the first time (python3 with venv and pip, or uv).

PYTHON ?= python3
PLIES ?= 1000000
WORKERS ?= 2
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
UV := $(shell command -v uv 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help play test lint unit bench hunt format clean

help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "make %-8s %s\n", $$1, $$2 }'

play: $(READY) ## play in the terminal; more options with ARGS="--rules wild-jackpot --players 3"
	@$(BIN)/lastcard play $(ARGS)

test: lint unit ## everything a change must pass: lint, all tests, kernel tests once more with the JIT off

lint: $(READY) ## style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

unit: $(READY)
	$(BIN)/pytest -n $(WORKERS) $(ARGS)
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n $(WORKERS) tests/kernel

bench: $(READY) ## measure the engine, beside a C program where gcc is there
	$(BIN)/python benchmarks/engine.py $(ARGS)

hunt: $(READY) ## engine against referee over random rules for PLIES=1000000 plies
	$(BIN)/python -m tests.hunt --plies $(PLIES) $(ARGS)

format: $(READY) ## put the sources into shape
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean: ## remove the environment and everything built
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamp is written last, so a set-up that was interrupted starts anew.
ifneq ($(UV),)
$(READY): pyproject.toml constraints.txt
	@echo "Setting up $(VENV) with uv"
	@$(UV) venv --quiet --clear $(VENV)
	@$(UV) pip install --quiet --no-progress --python $(BIN)/python -c constraints.txt -e . --group dev
	@touch $@
else
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "lastcard needs Python 3.11 or newer: make PYTHON=python3.x")'
	@echo "Setting up $(VENV) with $(PYTHON), venv and pip"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --progress-bar off --upgrade "pip>=25.1"  # the first that reads groups
	@$(BIN)/python -m pip install --quiet --progress-bar off -c constraints.txt -e . --group dev
	@touch $@
endif
