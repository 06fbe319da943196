# All a checkout needs: make sets up .venv by itself the first time (python3 with venv and pip, or uv).

PYTHON ?= python3
PLIES ?= 1000000
ROUNDS ?= 5000
TABLES ?= 1000
MINUTES ?= 60
HOURS ?= 1
WORKERS ?= 2
BROWSERS ?= 2
EXTRAS ?= mcp arrays datasets verifiers openenv
EXTRA_PINS := -c constraints.txt
FRAMEWORKS ?= sb3 torchrl tianshou shimmy rllib
SITE ?= build/docs/site
ARGS ?=
# What runs on native code too; all else runs on the module alone.
ON_BOTH := tests/rules/test_plain_backend.py tests/ai tests/bots/test_decisions.py tests/test_conformance.py tests/test_golden.py tests/test_differential.py
# What compiles native code whatever it runs on.
COMPILING := tests/test_backends.py tests/kernel/test_native.py tests/kernel/test_specialize.py
# What calls kernel functions whatever the backend, or plays rounds as plain Python.
ON_PLAIN := tests/rules tests/kernel/test_bits.py tests/kernel/test_bytes16.py
# What a change of the rules breaks first.
RULES := tests/game tests/rules tests/match tests/test_conformance.py tests/test_clauses.py tests/test_golden.py tests/test_perft.py
# Plugins with fixtures for every test, which no test without a browser uses: a third of the time of a short test.
FEW_PLUGINS := -p no:playwright -p no:anyio

# Texts whose spelling is checked.
SPELLED := docs benchmarks examples src tools CHANGELOG.md CONTRIBUTING.md README.md SECURITY.md llms.txt

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEV := $(VENV)/.dev
DOCS := $(VENV)/.docs
TYPESCRIPT := 5.9.3
TSC := $(VENV)/typescript/node_modules/typescript/bin/tsc
BINARYEN := 132.0.0
CLUSTER := $(VENV)/cluster/.ready
RELEASE := $(VENV)/release/.ready
CHAT_HOST := $(VENV)/chat-host
EXT_APPS := @modelcontextprotocol/ext-apps@2.0.4 @modelcontextprotocol/client@2.0.0 @modelcontextprotocol/core@2.0.0 zod@4.2.0 esbuild@0.25.12
WASM_OPT := $(VENV)/binaryen/node_modules/binaryen/bin/wasm-opt
UV := $(shell command -v uv 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help play terminal quick test lint test-unit test-native test-cluster test-web bench bench-bots bench-decisions bench-envs baselines studies test-examples test-extras site-matches load attack check-rule translations module docs docs-serve differential differential-js chaos simulate soak deploy-check release-check screenshots icons card-pictures contract format clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "make %-15s %s\n", $$1, $$2 }'

play: $(READY) ## a table in the browser, for this machine and the phones around it; more with ARGS="--port 9000"
	@$(BIN)/lastcard serve $(ARGS)

terminal: $(READY) ## play in the terminal; more options with ARGS="--rules wild-jackpot --players 3"
	@$(BIN)/lastcard play $(ARGS)

quick: $(DEV) ## in a minute: style and types of Python, names, and the tests of the rules
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/python -m tests.support.parallel_commands "$(BIN)/pytest $(FEW_PLUGINS) $(RULES) tests/test_names.py" $(BIN)/mypy

test: $(READY) ## everything a change must pass: lint, all tests, tests of the kernel once more as native code and as plain Python
	$(BIN)/python -m tests.support.parallel_commands "$(SERIAL) $(DEV) $(TSC) $(WASM_OPT)" "$(BIN)/python -m tests.support.browser debian"
	$(BIN)/python -m tests.support.browser
	$(BIN)/python -m tests.support.parallel_commands "$(SERIAL) test-unit" "$(SERIAL) test-native" "$(SERIAL) lint test-web"

# Tests in a browser leave the processors idle half of the time, so the others are done meanwhile.
SERIAL := $(MAKE) --no-print-directory --keep-going

# Tests start hundreds of processes: what Python has compiled is kept, even where the environment says otherwise.
quick test-unit test-native test-web: export PYTHONDONTWRITEBYTECODE :=

lint: $(DEV) $(TSC) ## style and types, Python and browser
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/node $(TSC) -p jsconfig.json

test-unit: $(WASM_OPT) ## tests without a browser, on the module
	$(BIN)/pytest $(FEW_PLUGINS) -n $(WORKERS) --dist worksteal --ignore tests/web --ignore tests/e2e $(COMPILING:%=--ignore %) $(ARGS)

# In one process, where a function that several exports call is lowered once: that is most of compiling.
test-native: $(DEV) ## tests of native code, and those of the kernel once more as native code and as plain Python
	LASTCARD_KERNEL=native $(BIN)/pytest $(FEW_PLUGINS) $(COMPILING) $(ON_BOTH)
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest $(FEW_PLUGINS) $(ON_PLAIN)

test-cluster: $(CLUSTER) ## arenas, studies and data sets on a cluster of two nodes, one of which is killed; in an environment of its own, 700 MB with Ray
	$(CLUSTER:%/.ready=%)/bin/python -m pytest -v tests/arena/test_ray_cluster.py $(ARGS)

test-web: $(DEV) ## tests in a browser: Debian's headless chromium is installed where none is (as root), else Playwright's
	$(BIN)/python -m tests.support.browser
	$(BIN)/pytest -n $(BROWSERS) --dist worksteal tests/web tests/e2e $(ARGS)

bench: $(DEV) ## measure the engine, beside a C program where gcc is there
	$(BIN)/python benchmarks/engine.py $(ARGS)

bench-bots: $(DEV) ## measure how strong the bots are; hours with ARGS="--deals 4000 --save"
	$(BIN)/python benchmarks/bots.py $(ARGS)

bench-decisions: $(DEV) ## measure single decisions of the bots, in the same positions; ARGS="--games classic --seats 2"
	$(BIN)/python benchmarks/decisions.py $(ARGS)

bench-envs: $(DEV) ## measure the environments for learners, on both backends and beside others: ARGS="--peers PYTHON"
	$(BIN)/python benchmarks/envs.py $(ARGS)

studies: $(DEV) ## all studies of docs/studies anew: minutes on two idle cores; an interrupted one goes on
	$(BIN)/lastcard study all --overwrite --out docs/studies $(ARGS)

baselines: $(DEV) ## train PPO for classic, three seeds with 2 and 4 seats, beside our levels: an hour and more on two cores, goes on after an interruption; needs PyTorch
	$(BIN)/python benchmarks/baselines.py $(ARGS)

test-examples: $(DEV) ## run every example for learners; those that train networks too where PyTorch is installed
	LASTCARD_WHOLE_EXAMPLES=1 $(BIN)/pytest -v tests/test_examples.py $(ARGS)

# Each extra whose requirements may clash with those of others is tested alone, in an environment of its own.
test-extras: $(EXTRAS:%=test-extra-%) $(FRAMEWORKS:%=test-framework-%) ## tests of extras, each in a fresh environment: EXTRAS="mcp datasets" FRAMEWORKS=sb3

test-extra-mcp: EXTRA_TESTS := tests/agents tests/e2e/test_agents.py tests/e2e/test_chat_page.py
test-extra-mcp: export LASTCARD_CHAT_HOST := $(abspath $(CHAT_HOST)/host.js)
test-extra-mcp: EXTRA_NEEDS := .[mcp,postgres,redis] axe-playwright-python pytest-playwright
test-extra-mcp: $(CHAT_HOST)/host.js
# The readers of data sets. PyTorch with CUDA takes 5 GB; PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu has it without.
test-extra-datasets: EXTRA_TESTS := tests/training/test_dataset_files.py tests/training/test_dataset_examples.py
test-extra-datasets: EXTRA_NEEDS := .[lab] duckdb gymnasium minari[create,hdf5] pillow polars torch
# Gymnasium's wrappers that convert arrays.
test-extra-arrays: EXTRA_TESTS := tests/envs/test_autoreset.py
test-extra-arrays: EXTRA_NEEDS := .[envs] array-api-compat jax torch
# Both need another mcp than constraints.txt has.
test-extra-verifiers: EXTRA_TESTS := tests/agents/test_verifiers_env.py
test-extra-verifiers: EXTRA_NEEDS := .[verifiers]
test-extra-verifiers test-extra-openenv: EXTRA_PINS :=
test-extra-openenv: EXTRA_TESTS := tests/agents/test_openenv_server.py
test-extra-openenv: EXTRA_NEEDS := .[openenv]
test-extra-%: constraints.txt
	rm -rf $(VENV)/extra-$*
	$(PYTHON) -m venv $(VENV)/extra-$*
	$(VENV)/extra-$*/bin/python -m pip install --quiet --progress-bar off $(EXTRA_PINS) httpx hypothesis pytest -e $(EXTRA_NEEDS:%='%')
	$(VENV)/extra-$*/bin/python -m pip check
	$(if $(findstring playwright,$(EXTRA_NEEDS)),$(VENV)/extra-$*/bin/python -m tests.support.browser)
	$(VENV)/extra-$*/bin/pytest $(EXTRA_TESTS) $(ARGS)

# Learning frameworks have requirements that contradict constraints.txt: each gets the newest versions that it accepts.
test-framework-%:
	rm -rf $(VENV)/framework-$*
	$(PYTHON) -m venv $(VENV)/framework-$*
	$(VENV)/framework-$*/bin/python -m pip install --quiet --progress-bar off -e '.[$*]' hypothesis pytest
	$(VENV)/framework-$*/bin/python -m pip check
	LASTCARD_FRAMEWORK=$* $(VENV)/framework-$*/bin/pytest tests/test_frameworks.py $(ARGS)

site-matches: $(DEV) ## the page without a server: matches of usual length on phone and desktop, with the network cut; half an hour
	LASTCARD_WHOLE_MATCHES=1 $(BIN)/pytest -v -o faulthandler_timeout=0 tests/e2e/test_site.py -k offline $(ARGS)

load: $(DEV) ## measure the table server on loopback
	$(BIN)/python benchmarks/table_load.py $(ARGS)

attack: $(DEV) ## what one attacker can cost the table server; beside another checkout with ARGS="--before DIR"
	$(BIN)/python benchmarks/attack.py $(ARGS)

translations: $(DEV) ## which texts are still to be translated, and into which languages
	$(BIN)/python -m tools.translations

check-rule: $(DEV) ## what a house rule still lacks: make check-rule RULE=deflect
	$(BIN)/python -m tools.check_rule $(RULE)

module: $(WASM_OPT) ## compile the kernel ahead, into src/lastcard/kernel/lastcard.wasm: one to five minutes
	$(BIN)/python -m tools.wasm

docs: $(DOCS) ## build the documentation site in SITE=build/docs/site and check links, code, spelling and pages in a browser; 240 MB more in .venv
	$(BIN)/codespell $(SPELLED)
	$(BIN)/python -m tests.support.browser
	$(BIN)/python -m tools.docs_site --out $(SITE)
	LASTCARD_DOCS_SITE=$(SITE) $(BIN)/pytest -n $(BROWSERS) tests/e2e/test_docs_site.py

docs-serve: $(READY) ## show the site that make docs built, on port 8765
	@$(BIN)/python -m tools.docs_site --serve --out $(SITE)

differential: $(DEV) ## kernel against referee over random rules for PLIES=1000000 plies
	$(BIN)/python -m tools.differential --plies $(PLIES) $(ARGS)

differential-js: $(DEV) ## in Node: lastcard.js against the library over ROUNDS=5000, the page's own table against the server's at TABLES=1000
	$(BIN)/python -m tools.differential.javascript $(ROUNDS)
	$(BIN)/python -m tools.differential.local_table $(TABLES)

chaos: $(DEV) ## people play while servers, databases, connections and clocks fail, MINUTES=60; no acknowledged move may be lost
	$(BIN)/python -m tools.chaos --minutes $(MINUTES) $(ARGS)

simulate: $(DEV) ## whole tables in virtual time with faults, on all cores for MINUTES=60; a seed repeats every failure
	$(BIN)/python -m tools.simulate --minutes $(MINUTES) $(ARGS)

soak: $(DEV) ## tables come and go for HOURS=1; memory and open files of the server must not grow
	$(BIN)/python -m tools.soak --hours $(HOURS) $(ARGS)

deploy-check: $(DEV) ## what deploy/ has, run whole; as root on Debian what it needs is installed, about 700 MB
	$(BIN)/python -m tests.support.browser
	LASTCARD_DEPLOY_CHECK=1 $(BIN)/pytest -v -o faulthandler_timeout=0 tests/deploy $(ARGS)

release-check: $(RELEASE) ## wheel and sdist built twice, checked, and installed on every Python of this machine; some ten minutes
	$(RELEASE:%/.ready=%)/bin/python -m tools.release_check $(ARGS)

screenshots: $(DEV) ## pictures of the main screens, phone and desktop, into docs/screenshots
	$(BIN)/python -m tests.support.browser
	$(BIN)/python -m tools.screenshots $(ARGS)

icons: $(DEV) ## the icons of a home screen, of web/favicon.svg
	$(BIN)/python -m tests.support.browser
	$(BIN)/python -m tools.icons

card-pictures: $(DEV) ## the cards of the page as pictures for Python, into game/card_pictures.tsv
	$(BIN)/python -m tests.support.browser
	$(BIN)/python -m tools.card_pictures

contract: $(DEV) ## write protocol.d.ts, asyncapi.json, constants.js and the diagram of a table's phases
	$(BIN)/python -m tools.contract

format: $(DEV) ## put the sources into shape
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

$(CHAT_HOST)/host.js: tests/e2e/chat_host.js Makefile $(READY) | $(DEV)
	@$(BIN)/npm install --silent --no-audit --no-fund --prefix $(CHAT_HOST) $(EXT_APPS)
	@cp $< $(CHAT_HOST)/source.js
	@PATH="$(abspath $(BIN)):$$PATH" $(CHAT_HOST)/node_modules/.bin/esbuild $(CHAT_HOST)/source.js --bundle --format=esm --log-level=warning --outfile=$@

$(TSC): Makefile $(READY) | $(DEV)
	@$(BIN)/npm install --silent --no-audit --no-fund --prefix $(VENV)/typescript typescript@$(TYPESCRIPT)
	@touch $@

# A hundred megabytes that only those need who make the module, or check that it is what its sources make.
$(WASM_OPT): Makefile $(READY) | $(DEV)
	@$(BIN)/npm install --silent --no-audit --no-fund --prefix $(VENV)/binaryen binaryen@$(BINARYEN)
	@touch $@

clean: ## remove the environment and everything built
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis test-results
	find src tests tools benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps are written last, so a set-up that was interrupted starts anew. All that runs is checked by its hash.
CHECKED = $(INSTALL) --require-hashes -r requirements.txt && $(INSTALL) --no-index --no-build-isolation --no-deps -e .
ifneq ($(UV),)
INSTALL := $(UV) pip install --quiet --no-progress --python $(BIN)/python
GROUPS := $(INSTALL)

$(READY): pyproject.toml requirements.txt
	@echo "Setting up $(VENV) with uv"
	@$(UV) venv --quiet --clear $(VENV)
	@$(CHECKED)
	@touch $@
else
# The pip beside that Python does it where there is one: to set up another takes a third of the time of all.
OWN_PIP := $$($(PYTHON) -c 'import pip' 2>/dev/null && echo --without-pip)
PIP := $$($(PYTHON) -c 'import pip' 2>/dev/null && echo $(PYTHON) || echo $(BIN)/python) -m pip --python $(BIN)/python
INSTALL := $(PIP) install --quiet --progress-bar off --no-compile
GROUPS := $(BIN)/python -m pip install --quiet --progress-bar off --no-compile

$(READY): pyproject.toml requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "lastcard needs Python 3.11 or newer: make PYTHON=python3.x")'
	@echo "Setting up $(VENV) with $(PYTHON), venv and pip"
	@$(PYTHON) -m venv --clear $(OWN_PIP) $(VENV)
	@$(CHECKED)
	@touch $@
endif

$(DEV): $(READY) constraints.txt
	@echo "Adding what development needs"
ifeq ($(UV),)
	@$(INSTALL) --upgrade "pip>=25.1"  # the first that reads groups
endif
	@$(GROUPS) -c constraints.txt --group dev
	@touch $@

$(DOCS): $(DEV)
	@echo "Adding what the documentation site needs"
	@$(GROUPS) -c constraints.txt --group docs
	@touch $@

# Hatchling is not in constraints.txt: pip checks its hash where it makes lastcard.
$(RELEASE): $(DEV)
	@$(PYTHON) -m venv --clear $(@D)
	@$(@D)/bin/python -m pip install --quiet --progress-bar off --upgrade "pip>=25.1"
	@$(@D)/bin/python -m pip install --quiet --progress-bar off -c constraints.txt --group release $$(sed -n 's/^\(hatchling==[^ ]*\) .*/\1/p' requirements.txt)
	@touch $@

$(CLUSTER): $(DEV)
	@$(PYTHON) -m venv --clear $(@D)
	@$(@D)/bin/python -m pip install --quiet --progress-bar off -c constraints.txt -e '.[cluster,lab]' httpx hypothesis pytest
	@touch $@
