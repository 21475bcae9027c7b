# Two commands for a newcomer: `make play` and `make test`. Everything else is listed by `make help`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := sh tools/install.sh $(VENV)
RUN_READY := $(VENV)/.run-ready
DEV_READY := $(VENV)/.dev-ready
WEB_READY := $(VENV)/.web-ready
CHROMIUM_READY := $(VENV)/.chromium-ready
POSTGRESQL_READY := $(VENV)/.postgresql-ready
ENGINES_READY := $(VENV)/.engines-ready
KERNELS_READY := $(VENV)/.kernels-ready
EXAMPLE := examples/three-card-poker
# Compiled modules are kept: the tests start hundreds of interpreters.
unexport PYTHONDONTWRITEBYTECODE
# A worker that dies is not replaced: pytest-xdist 3.8 may then wait for ever. The run ends red.
PYTEST := $(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder --max-worker-restart 0 --durations 20

.PHONY: help play setup debian test test-all test-rest test-seconds check check-pythons check-types check-style browser-all engines perft proofs rounds sums soak branches mutants bench bench-web bench-load bench-growth told screenshots par-pictures icons golden vendor protocol clauses lock dist clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 12

play: $(RUN_READY)  ## set up, serve on this machine and open the browser
	$(BIN)/tapis play

test: setup check  ## set up, check the house and run the first tier of tests (6 minutes)
	$(PYTEST)
	cd $(EXAMPLE) && $(abspath $(BIN))/pytest -q -n 2

setup: $(VENV)/pyvenv.cfg  ## install everything the first tier of tests needs, Debian's packages beside Python's
	@$(MAKE) --no-print-directory -j 3 $(KERNELS_READY) $(WEB_READY) debian

debian:  # one after the other, because apt has a lock
	@$(MAKE) --no-print-directory $(CHROMIUM_READY)
	@$(MAKE) --no-print-directory $(POSTGRESQL_READY)

test-all: test test-rest  ## both tiers (half an hour)

test-rest: $(WEB_READY) $(KERNELS_READY) $(CHROMIUM_READY) $(POSTGRESQL_READY) $(ENGINES_READY)  ## the second tier alone: more cases, deeper samples, PostgreSQL, Firefox, WebKit
	$(PYTEST) --tier second

test-seconds: $(WEB_READY) $(KERNELS_READY) $(CHROMIUM_READY) $(POSTGRESQL_READY) $(ENGINES_READY)  ## note again which test files take long (tests/seconds.toml)
	$(PYTEST) --note-seconds
	$(PYTEST) --note-seconds --tier second

check: $(WEB_READY)  ## style, types, imports, sizes
	@$(MAKE) --no-print-directory -j 2 check-types check-style
	@echo "Checked on one Python. The same on 3.12 and 3.13, where they are installed: make check-pythons"

check-pythons:  ## the same checks, and a quick part of the tests, on Python 3.12 and 3.13 where they are installed (8 minutes)
	@sh tools/check_pythons.sh

check-types:
	$(BIN)/mypy
	cd $(EXAMPLE) && $(abspath $(BIN))/mypy

check-style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/node node_modules/typescript/bin/tsc --project .
	$(BIN)/pytest -q tests/test_house.py tests/mutants/test_page.py

soak: $(DEV_READY) $(POSTGRESQL_READY)  ## the long runs: nights, histories, kills, keys, input, a log cut anywhere (an hour)
	$(BIN)/python tests/simulation/run.py --seeds 1000 --operations 300 --jobs 2
	$(BIN)/python tests/simulation/run.py --seeds 100 --operations 150 --jobs 2 --database postgresql
	$(BIN)/python tests/simulation/planted.py
	$(BIN)/python tests/history/run.py --operations 100000
	$(BIN)/python tests/history/planted.py
	$(BIN)/python tests/soak/schema.py --examples 500
	$(BIN)/python tests/soak/kills.py --kills 500
	$(BIN)/python tests/soak/kills.py --database postgresql --kills 500 --database-kills 50
	$(BIN)/python tests/soak/keys.py --keys 10000 --copies 20
	$(BIN)/python tests/soak/wal.py
	$(BIN)/python tests/soak/pot.py
	$(BIN)/python tests/soak/winners.py --trials 1000
	$(BIN)/python tools/proofs.py --check
	$(BIN)/pytest -q tests/soak/strategies.py
	$(BIN)/python tests/soak/deployment.py

branches: $(DEV_READY)  ## that tests walk every branch of bank, dealing and rounds
	$(BIN)/python tests/soak/branches.py

mutants: $(DEV_READY)  ## plant small mistakes in bank, dealing, rounds, history and operations, and see which no test finds (an hour or two)
	@mkdir -p build
	$(BIN)/python tests/mutants/run.py --results build/mutants.jsonl --reach build/mutants-reach.json --write docs/mutants.md

proofs: $(RUN_READY)  ## prove the shipped sheets again and write what goes with the package
	$(BIN)/python tools/proofs.py

perft: $(DEV_READY)  ## count every hand of five, six and seven cards
	PYTHONPATH=tests $(BIN)/python -m perft.perft

rounds: $(DEV_READY)  ## random rounds of every game: 100,000 by properties, a million by script and kernel (an hour)
	TAPIS_ROUNDS=100000 $(BIN)/pytest -n 2 tests/games/test_properties.py
	TAPIS_ROUNDS=1000000 $(BIN)/pytest -n 2 --tier both tests/odds/test_simulated_players.py
	TAPIS_POSITIONS=1000 $(BIN)/pytest -n 2 --tier second tests/web/test_positions.py
	$(BIN)/python tests/odds/script_rounds.py --rounds 1000000
	PYTHONPATH=tests $(BIN)/python tests/games/declared_way.py --hands 1000000

sums: $(DEV_READY)  ## that what the coach advises, summed over all deals, is what was proved (two hours)
	$(BIN)/python tests/soak/sums.py

bench: $(DEV_READY) bench-load  ## measure ranking, commands, load, start, proofs and advice, into docs/performance.md (12 minutes)
	$(BIN)/python benches/run.py --write docs/performance.md

bench-growth: $(DEV_READY)  ## the cost of a command with 10^3 to 10^6 stored rounds (half an hour, 12 GB)
	$(BIN)/python benches/growth.py --write docs/performance.md

bench-load: $(DEV_READY)  ## commands under load on SQLite and PostgreSQL, and the age of the jackpot's display (7 minutes)
	$(BIN)/python benches/load.py --write docs/performance.md

bench-web: $(WEB_READY) $(CHROMIUM_READY)  ## measure the browser's budgets, into docs/performance.md
	PYTHONPATH=tests $(BIN)/python benches/web.py --write docs/performance.md

browser-all: $(WEB_READY) $(CHROMIUM_READY)  ## every browser test in every language and width, every recorded round, 200 cuts, 900 rounds of a robot (an hour)
	TAPIS_BROWSER=all $(BIN)/pytest -n 3 --dist load -q --tier both tests/browser

engines: $(DEV_READY) $(ENGINES_READY)  ## one whole round per game in Firefox and WebKitGTK
	$(BIN)/pytest -q --tier both tests/engines

told: $(WEB_READY) $(CHROMIUM_READY)  ## write again what a screen reader is told at the tables (read the difference)
	TAPIS_BROWSER=all TAPIS_TOLD=write $(BIN)/pytest -n 2 -q --tier both tests/browser/test_games.py -k axe

screenshots: $(WEB_READY) $(CHROMIUM_READY)  ## take the pictures in docs/screenshots again
	PYTHONPATH=tests $(BIN)/python tests/browser/screenshots.py docs/screenshots

par-pictures: $(WEB_READY) $(CHROMIUM_READY)  ## take the pictures of a par sheet again (LibreOffice, pdftoppm)
	PYTHONPATH=tests $(BIN)/python tools/par_pictures.py

icons: $(WEB_READY) $(CHROMIUM_READY)  ## draw the icons of an installed app again
	PYTHONPATH=tests $(BIN)/python tools/icons.py

golden: $(DEV_READY)  ## write the golden rounds again (a changed transcript needs a new edition)
	$(BIN)/python tests/golden/golden.py --write

vendor: $(WEB_READY)  ## bundle the libraries of the browser again
	$(BIN)/python tools/vendoring.py

protocol: $(DEV_READY)  ## write the messages again as types for the browser
	$(BIN)/python tools/protocol.py

clauses: $(DEV_READY)  ## write docs/clauses.md again: clause, script, tests
	$(BIN)/python tools/clauses.py

lock: $(DEV_READY)  ## lock the dependencies again
	$(BIN)/uv pip compile pyproject.toml --extra all --quiet --universal --python-version 3.11 \
		--generate-hashes --no-header -o requirements/run.txt
	$(BIN)/uv pip compile pyproject.toml --extra all --extra dev --quiet --universal --python-version 3.11 \
		--generate-hashes --no-header -c requirements/run.txt -o requirements/dev.txt

dist: $(DEV_READY)  ## build wheel and sdist into dist/; the same commit gives the same bytes
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/hatchling build --clean --directory dist

clean:  ## remove the environment and every cache
	rm -rf $(VENV) .venv-* dist node_modules .mypy_cache .ruff_cache .import_linter_cache .hypothesis

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Tapis Vert needs Python 3.11 or newer (set PYTHON=...)."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(RUN_READY): $(VENV)/pyvenv.cfg requirements/run.txt pyproject.toml
	@echo "Setting up $(VENV) (once, about a minute) ..."
	$(INSTALL) --require-hashes -r requirements/run.txt
	$(INSTALL) --no-deps -e .
	@touch $@

$(DEV_READY): $(RUN_READY) requirements/dev.txt $(EXAMPLE)/pyproject.toml
	@echo "Adding the test tools ..."
	$(INSTALL) --require-hashes -r requirements/dev.txt
	$(INSTALL) --no-deps -e $(EXAMPLE)
	@touch $@

$(WEB_READY): $(DEV_READY) package.json package-lock.json .npmrc
	@echo "Adding the type checker of the browser's code ..."
	$(BIN)/npm ci --loglevel error
	@touch $@

$(KERNELS_READY): $(DEV_READY)
	@echo "Compiling the kernels of the mathematics, and the tests (once, about a minute) ..."
	$(BIN)/python tools/kernels.py
	$(BIN)/pytest --collect-only --tier both -qq >/dev/null
	@touch $@

# Not there is no error: the stamp is left unwritten, and what needs it is told as NOT RUN.
$(CHROMIUM_READY): $(VENV)/pyvenv.cfg
	@sh tools/get_chromium.sh $@

$(POSTGRESQL_READY): $(VENV)/pyvenv.cfg
	@sh tools/get_postgresql.sh $@

$(ENGINES_READY): $(VENV)/pyvenv.cfg
	@sh tools/get_engines.sh $@
