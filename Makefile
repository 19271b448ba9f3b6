# Everything runs from .venv, which is made from the lock file and made again only when the lock changes.
PYTHON ?= $(firstword $(shell command -v python3.11 python3))
BIN := .venv/bin
READY := .venv/.ready
NODE := node_modules/.ready
BENCH := .venv/.ready-bench
PEERS := .venv/.ready-peers
GENERATORS := .venv/.ready-generators
PIP := $(BIN)/pip --quiet --disable-pip-version-check install --no-deps
# The tests of `make test`; tests/README.md explains the markers. A run writes its counts to COUNTS (with `=`: otherwise
# pytest takes an existing file for a file of tests, before it knows the option).
DAILY := not slow and not long
REST := slow or long
SIDE_BY_SIDE := --dist loadfile --no-loadscope-reorder
# Processes for two cores, more than cores since tests wait for servers and browsers: with two in a daily run and three in the
# rest, more than a fifth of the processor's time was left over.
DAILY_WORKERS := -n 3
REST_WORKERS := -n 4
CODE := engine server workers client conformance

.DEFAULT_GOAL := help
.PHONY: help run test test-rest test-all check check-types check-scripts check-words check-code fix bundle openapi node clients generators golden auditor library npm bench arena peers lock

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*## */\t/' | while IFS="	" read -r name says; do printf '  make %-9s %s\n' "$$name" "$$says"; done

$(READY): requirements/dev.txt
	@echo "setting up .venv"
	$(PYTHON) -m venv .venv
	$(PIP) --require-hashes --requirement requirements/dev.txt
	$(PIP) --no-build-isolation --config-settings editable_mode=compat --editable .
	@touch $@

$(BENCH): requirements/bench.txt $(READY)
	$(PIP) --no-build-isolation --require-hashes --requirement requirements/bench.txt
	@touch $@

$(PEERS): requirements/peers.txt $(READY)
	$(PIP) --require-hashes --requirement requirements/peers.txt
	@touch $@

$(GENERATORS): requirements/generators.txt $(READY)
	$(PIP) --require-hashes --requirement requirements/generators.txt
	@touch $@

run: $(READY)  ## run everything on this machine: site, API, mail page
	$(BIN)/sealedmove run

# The packages that npm installed are up to date if the lock is not newer.
$(NODE): package-lock.json $(READY)
	@echo "setting up node_modules"
	$(BIN)/python -m tests.generated.tools
	@touch $@

node: $(NODE)  ## install the linters and the generator of package-lock.json

test: $(READY) $(NODE)  ## run the daily tests, against real servers; ends with the number of tests left out
	$(BIN)/pytest $(DAILY_WORKERS) $(SIDE_BY_SIDE) -m "$(DAILY)" $(if $(COUNTS),--counts=$(COUNTS))

test-rest: $(READY) $(NODE)  ## run the tests that `make test` leaves out
	$(BIN)/pytest $(REST_WORKERS) $(SIDE_BY_SIDE) -m "$(REST)" --times $(if $(COUNTS),--counts=$(COUNTS))

test-all: $(READY) $(NODE) $(GENERATORS) $(PEERS)  ## run every test (760 MB to install); ends with the times of folders and of the slowest tests
	$(BIN)/pytest $(REST_WORKERS) $(SIDE_BY_SIDE) --times

check: $(READY) $(NODE)  ## lint, format, types (all three of the pages' scripts too), bundles, import contracts, OpenAPI drift, voice
	@$(MAKE) --no-print-directory --jobs=2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) check-types check-scripts check-words check-code

# The parts of `check`, two at a time, the longest first.
check-types:
	$(BIN)/mypy $(CODE) sealedmove.py

check-scripts:
	$(BIN)/python -m tests.browser.types
	$(BIN)/python -m tests.browser.lint
	$(BIN)/python -m tests.browser.bundle --check

check-words:
	$(BIN)/python -m tests.tooling.voice
	$(BIN)/sealedmove openapi --check

check-code:
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports

fix: $(READY) $(NODE)  ## let ruff, eslint and prettier repair what they can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/python -m tests.browser.lint --fix

bundle: $(READY) $(NODE)  ## write the bundles of the pages' scripts, after a change of a script
	$(BIN)/python -m tests.browser.bundle

openapi: $(READY)  ## write openapi/openapi.json from the code
	$(BIN)/sealedmove openapi

clients: $(READY) $(NODE)  ## generate clients from openapi/openapi.json, and check their types
	$(BIN)/python -m tests.generated.clients

generators: $(GENERATORS)  ## generate a client for Go, and compile it with examples/play.go (400 MB to install)
	$(BIN)/python -m tests.generated.generators

golden: $(READY)  ## write the golden games again; the diff is the rules review
	$(BIN)/sealedmove golden

auditor: $(READY)  ## build/sealedmove-audit.pyz: `sealedmove audit` and all rules in one file, its libraries beside it; prints its hash
	@mkdir -p build
	@$(BIN)/python -m tests.tooling.auditor build

library: $(READY)  ## build/sealedmove_client-VERSION.whl: the client's library with the engine, for programs that play (docs/client-library.md)
	@$(BIN)/python -m tests.tooling.library build

npm: $(READY) $(NODE)  ## build/sealedmove-client-VERSION.tgz: the same for JavaScript, to sign, check and follow (docs/client-library.md)
	@$(BIN)/python -m tests.tooling.npm_library build

bench: $(BENCH)  ## measure engine, record and server side by side
	$(BIN)/python -m tests.bench

arena: $(READY)  ## measure how strong the levels of the games' players are, at every number of seats (hours)
	$(BIN)/sealedmove arena tikal discoveries lewis_clark livingstone --seed players

peers: $(PEERS)  ## run the tests of PettingZoo and OpenSpiel on our games (360 MB to install)
	$(BIN)/pytest -m "" tests/peers

# Rarely needed: pins the requirements of pyproject.toml, with hashes and without the name of any index. Needs uv.
# Versions that are pinned stay; UPGRADE="--upgrade-package flask" or UPGRADE=--upgrade takes newer ones within the ranges.
COMPILE = uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header $(UPGRADE)
LOCK = $(COMPILE) pyproject.toml
lock:
	echo "setuptools>=84.2.1" | $(COMPILE) - -o requirements/build.txt
	$(LOCK) -o requirements/run.txt
	$(LOCK) --extra dev -o requirements/dev.txt
	$(LOCK) --extra bench -o requirements/bench.txt
	$(LOCK) --extra peers -o requirements/peers.txt
	$(LOCK) --extra generators -o requirements/generators.txt
