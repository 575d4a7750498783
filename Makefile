# Everything a person or CI does with a checkout. Each target makes what it needs first, and does nothing twice.
#
#   make PYTHON=/path/to/python3.12 ...    another interpreter for the environment
#   make wizard ARGS="--demo NAME"         arguments for the wizard
#   make test TESTS="tests/core -k bytes"  a part of the suite
#   make matrix TUNEWIZ_PG_MATRIX=FOLDER   where the matrix keeps its servers

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DEFAULT_GOAL := help
# Linters alone run at once (see lint): a build and the tests read the same checkout.
ifndef AT_ONCE
.NOTPARALLEL:
endif

ARGS ?=
TESTS ?=
PROCESSORS := $(shell nproc)
# Half of a test's time is waiting: for a server, a terminal, a lock.
WORKERS ?= $(shell echo $$((2 * $(PROCESSORS))))
RUNS ?= 5
VENV := .venv
BIN := $(VENV)/bin

export PYTHON
# Hundreds of tests start the program in a process of its own: it is compiled once.
unexport PYTHONDONTWRITEBYTECODE
# The suite in full, sweeps too, where TUNEWIZ_TEST_SLOW is set; else what a change must not wait for.
NOT_SLOW := $(if $(TUNEWIZ_TEST_SLOW),, and not slow)
# Tests that change the one kernel run first, and alone: servers of other tests would take the huge pages that they make.
ALONE = $(PYTEST) -p no:sweeps -m "kernel$(NOT_SLOW)" $(TESTS) || [ $$? -eq 5 ] || status=1;
SELECT := -m "not kernel$(NOT_SLOW)"
# In CI, a few tests that failed beside all the others are tried once more, alone, and named.
ONCE_MORE = $(if $(CI),[ $$status -ne 1 ] || { status=0; .ci/once_more.sh || status=1; };)
# A server of each major version; the tests of one that could not be fetched are left out, and say so.
SERVERS = .ci/fetch_pg.sh || echo "make: the matrix goes on without the servers that are missing" >&2
PYTEST = TUNEWIZ_PG_BIN="$$(.ci/postgres.sh)" && export TUNEWIZ_PG_BIN && $(BIN)/pytest
# The test files in which a fixture is asked for.
tests_using = grep -rlE --include='test_*.py' '\b$(1): ' tests
IN_PARALLEL := -n $(WORKERS) --dist loadgroup

LINTS := lint-format lint-rules lint-mypy lint-pyright lint-contracts lint-scripts lint-words

# No server, no terminal and few processes: what a change of a rule, a format or a reader breaks first.
QUICK := tests/core tests/formats tests/catalogue tests/collect tests/text

.PHONY: help wizard program tools asked quick test test-kernel timings test-all nightly test-bash matrix check lint $(LINTS) package format \
	snapshots golden benchmark fresh mutation docs onefile packages lock lock-upgrade clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{ printf "make %-14s %s\n", $$1, $$2 }'

wizard: program ## set up what is missing and open the wizard (ARGS="...")
	@$(BIN)/tunewiz $(ARGS)

program:
	@.ci/venv.sh $(VENV) requirements.lock

tools:
	@.ci/venv.sh $(VENV) requirements-dev.lock

asked:
	@.ci/asked.sh

quick: lint-format lint-rules ## half a minute: form, and the tests that need no server and no terminal
	@$(BIN)/pytest -q -n $(PROCESSORS) -m "not slow and not postgres" $(QUICK)

test: asked tools ## set up what is missing, a PostgreSQL server too, and run the tests (TESTS="...")
	@$(if $(TUNEWIZ_TEST_SLOW),$(SERVERS))
	@status=0; $(if $(TUNEWIZ_TEST_KERNEL),$(ALONE)) \
	$(PYTEST) $(IN_PARALLEL) $(SELECT) $(TESTS) || status=$$?; $(ONCE_MORE) exit $$status

test-kernel: asked tools ## as root, the tests that change real kernel settings and restore them
	@status=0; export TUNEWIZ_TEST_KERNEL=1; $(ALONE) $(ONCE_MORE) exit $$status

timings: tools ## what each folder and file of tests costs, and where tests wait (TESTS="...")
	@export PYTHONPATH=tests/support && $(PYTEST) -p timings -q $(IN_PARALLEL) $(SELECT) $(TESTS)

test-all: ## the tests with the slow ones
	@$(MAKE) --no-print-directory test TUNEWIZ_TEST_SLOW=1

nightly: asked tools ## every sweep whole, with other and more drawn cases; continues a run that was stopped
	@$(SERVERS)
	@mkdir -p .nightly && head=$$(git rev-parse HEAD) && \
	{ [ "$$(cat .nightly/commit 2>/dev/null)" = "$$head" ] || { rm -f .nightly/passed; echo "$$head" >.nightly/commit; }; }
	@export TUNEWIZ_TEST_SLOW=1 TUNEWIZ_TEST_NIGHTLY=1 PYTHONPATH=tests/support && unset CI TUNEWIZ_TEST_DRAW && \
	$(PYTEST) -p nightly $(IN_PARALLEL) -m "not kernel" $(TESTS)

test-bash: tools ## the quick tests of the scripts where /bin/sh is bash (as root)
	@.ci/bash_as_sh.sh $(filter-out tests,$(TESTS))

matrix: tools ## generated plans on real servers of every major version, fetched where they are missing
	@$(SERVERS)
	@$(PYTEST) $(IN_PARALLEL) tests/postgres/test_matrix.py

check: lint package test ## all of it: format, lint, types, import contracts, scripts, the wheel elsewhere, tests

# All at once, and all of them whatever one finds.
lint: tools ## all of it but the wheel and the tests
	@$(MAKE) --no-print-directory --keep-going --jobs $(PROCESSORS) --output-sync=target AT_ONCE=1 $(LINTS)

lint-format: tools
	$(BIN)/ruff format --check .

lint-rules: tools
	$(BIN)/ruff check .

lint-mypy: tools
	$(BIN)/mypy

lint-pyright: tools
	$(BIN)/pyright

lint-contracts: tools
	$(BIN)/lint-imports

lint-scripts: tools
	.ci/shellcheck.sh

# What is said of files, names, sentences and pages, in one process.
lint-words: tools
	$(BIN)/pytest -q -n 0 tests/lint

package: tools ## build the sdist and the wheel, install the wheel elsewhere and walk through it
	@WORKERS=$(WORKERS) .ci/wheel.sh

onefile: tools ## build dist/tunewiz.pyz: the program and its libraries in one file
	$(BIN)/python .ci/distribution/onefile.py

packages: tools ## build the .deb and the .rpm in dist, for every architecture (on x86_64)
	$(BIN)/python .ci/distribution/packages.py

format: tools ## put the code into its form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

snapshots: tools ## take the screens' pictures anew; look at every one before it is committed
	@$(call tests_using,snap_compare) | xargs -r $(BIN)/pytest -p no:randomly --snapshot-update
	@cp 'tests/screens/__snapshots__/test_snapshots/test_a_step_looks_as_reviewed[recommendations-80x24].svg' \
		docs/pictures/recommendations.svg
	@TERM=xterm-256color PYTHONPATH=tests/support $(BIN)/python .ci/animation.py docs/pictures/wizard.svg

golden: tools ## write the golden files anew; read their diff before it is committed
	@$(call tests_using,golden) | xargs -r $(BIN)/pytest -p no:randomly --update-golden

benchmark: tools ## what the wizard costs on a terminal, beside the smallest Textual program (RUNS=5)
	@PYTHONPATH=tests/support $(BIN)/python benchmarks/wizard.py $(RUNS)
	@PYTHONPATH=tests/support $(BIN)/python benchmarks/onefile.py $(RUNS)
	@$(BIN)/python benchmarks/what_if.py $(RUNS)

fresh: tools ## the two commands of the README on a new, minimal Debian in a directory of its own, as root (TESTS="...")
	@.ci/fresh_machine.sh

mutation: tools ## which line of the scripts does no test miss? continues where it was stopped (ARGS="--sample 50")
	$(BIN)/python benchmarks/mutation.py --results .mutation/results.tsv $(ARGS)

docs: tools ## regenerate the pages on the catalogue, its evidence, settings and own numbers, the schemas, the man page, shell completion and compiled knowledge from the program
	$(BIN)/python .ci/catalogue_page.py -o docs/catalogue.md
	$(BIN)/python .ci/settings_page.py -o docs/settings.md
	$(BIN)/python .ci/evidence_page.py -o docs/evidence.md
	PYTHONPATH=tests/support $(BIN)/python .ci/own_numbers_page.py -o docs/own-numbers.md
	PYTHONPATH=tests/support $(BIN)/python .ci/schemas.py docs/schemas
	$(BIN)/python .ci/man_page.py >docs/tunewiz.1
	$(BIN)/python .ci/completion.py docs/completion
	$(BIN)/python .ci/compiled.py profiles/compiled.json

lock: ## compile the locks from pyproject.toml, keeping pins that fit
	.ci/lock.sh

lock-upgrade: ## compile the locks with the newest versions allowed
	.ci/lock.sh --upgrade

clean: ## remove the environment, caches and builds
	rm -rf $(VENV) .mutation .nightly build dist ./*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache \
		.coverage snapshot_report.html
	find . -name .git -prune -o -name __pycache__ -type d -exec rm -rf {} +
