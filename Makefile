# The two commands: `make run` and `make test`. `make help` lists the rest.
# On Windows, README.md has the plain commands.

VENV := .venv
PYTHON := $(VENV)/bin/python
# The first Python on the PATH that is new enough; `make run SYSTEM_PYTHON=/path/to/python3` chooses another.
SYSTEM_PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
RUN_STAMP := $(VENV)/requirements.stamp
DEV_STAMP := $(VENV)/requirements-dev.stamp
ENGINES_STAMP := $(VENV)/requirements-engines.stamp
COMPILED_STAMP := $(VENV)/compiled.stamp
BYTECODE_STAMP := $(VENV)/bytecode.stamp
# Folders of compiled functions, which say so by what they import: as anonlib/basics/machine_code.py has it, their code is
# of all modules beside them and in the folder above.
COMPILED := $(sort $(dir $(shell grep -rl --include="*.py" "machine_code import compiled" anonlib)))
COMPILED_OF := $(wildcard $(addsuffix *.py,$(sort $(COMPILED) $(dir $(COMPILED:/=)))))
INSTALL := $(PYTHON) tools/install.py
# On every core, after all is installed; packages' own tests are left out.
MAKE_BYTECODE := $(PYTHON) -m compileall -qq -j 0 -x '/tests?/' $(VENV)/lib anonlib ui || true
CHECKED := anonlib ui app.py pages tools
# One process more than cores, at most three: of three two begin with browser tests, and while they wait for their
# browsers and servers the third goes on. Each more collects all tests once more. The libraries below take no threads.
PROCESSES := $(shell $(SYSTEM_PYTHON) -c 'import os; print(1 + min(2, os.cpu_count() or 1))')
PYTEST := OMP_NUM_THREADS=1 $(PYTHON) -m pytest -n $(PROCESSES) --dist worksteal
# Which tests these are, or status 3 where nothing changed; pytest's status 5 is that all of them are slow.
AFFECTED := $(PYTHON) tools/affected.py
QUICK := -m "not slow and not browser"
# Spark is started once, in one process; a query takes a second, so tests of it try one example.
SPARK := TEST_SPARK=1 HYPOTHESIS_PROFILE=quick OMP_NUM_THREADS=1 $(PYTHON) -m pytest -p no:cacheprovider
# Where there is no Java for it, this is the reason, and `make test` leaves these out.
NO_SPARK = $(shell $(SYSTEM_PYTHON) tools/java.py)
SPARK_REPORT := $(VENV)/spark.txt

.PHONY: help run compiled test test-all test-engines quick chromium check format lock samples pictures api bench release-check clean

help:  ## List the commands
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:[^#]*## /|/' | awk -F'|' '{ printf "  make %-13s %s\n", $$1, $$2 }'

# The server starts as soon as the packages are there. What is compiled behind it ends with it, and a page waits for it.
run: $(RUN_STAMP)  ## Install what is needed and start Anonscope (PORT=8501 DATA=folder REGISTER=folder)
	@$(MAKE) --no-print-directory compiled & behind=$$!; trap "kill $$behind 2>/dev/null" EXIT INT TERM; \
	$(PYTHON) -m ui.start $(if $(PORT),--port $(PORT)) $(if $(DATA),--data "$(DATA)") $(if $(TEMPORARY),--temporary "$(TEMPORARY)") $(if $(RELEASES),--releases "$(RELEASES)") $(if $(REGISTER),--register "$(REGISTER)")

compiled: $(COMPILED_STAMP) $(BYTECODE_STAMP)  ## Compile what searches need, as make run does behind the server
	@:

# Functions are compiled while Chromium and what only tests need is fetched and types are checked.
READY = $(MAKE) --no-print-directory -j 4 chromium check $(COMPILED_STAMP) $(if $(NO_SPARK),,$(ENGINES_STAMP))

# Some tests, and beside them the few in Spark, which report last; both must pass.
define TESTS
	@$(READY)
	@{ $(if $(NO_SPARK),echo "$(NO_SPARK)",$(SPARK) -q -m "spark and everyday" \
		$$(grep -rl --include="*.py" "mark\.everyday" tests/anonlib)); } >$(SPARK_REPORT) 2>&1 & in_spark=$$!; \
	trap "kill $$in_spark" INT TERM; $(PYTEST) $(1); tests=$$?; wait $$in_spark; in_spark=$$?; cat $(SPARK_REPORT); \
	if [ $$tests -eq 0 ] && [ $$in_spark -eq 0 ]; then echo "All tests pass."; exit 0; fi; \
	[ $$tests -eq 0 ] || echo "Tests outside Spark fail: see above."; \
	[ $$in_spark -eq 0 ] || echo "Tests in Spark fail: see above."; exit 1
endef

# A test that only goes where others go too waits for test-all: docs/decisions/repeats.md.
test: $(RUN_STAMP)  ## Install what tests need, Chromium included, and run the checks and the tests (ten minutes)
	$(call TESTS,-m "not repeats")

test-all: $(RUN_STAMP)  ## The same with the tests that repeat what others show (twenty minutes)
	$(call TESTS)

chromium: $(DEV_STAMP)  ## Find the Chromium of the tests, or install one
	@$(PYTHON) tools/chromium.py

test-engines: $(ENGINES_STAMP) $(COMPILED_STAMP)  ## The tests of records in databases, all of those in Spark (some minutes)
	@$(PYTEST) -m engines tests/anonlib
	@$(SPARK) -m spark tests/anonlib

quick: $(DEV_STAMP) $(COMPILED_STAMP)  ## The checks, and the quick tests of what changed against HEAD (or BASE=main)
	@$(MAKE) --no-print-directory check & checked=$$!; trap "kill $$checked" INT TERM; status=0; \
	if files=$$($(AFFECTED) $(or $(BASE),HEAD)); then HYPOTHESIS_PROFILE=quick $(PYTEST) $(QUICK) $$files; status=$$?; \
	else status=$$?; [ $$status -ne 3 ] || status=0; fi; \
	[ $$status -ne 5 ] || status=0; wait $$checked && exit $$status

check: $(DEV_STAMP)  ## Linter, formatter and type checker
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy $(CHECKED)

format: $(DEV_STAMP)  ## Let the linter and the formatter repair what they can
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

# One version of each package for every system; neither the registry's address nor this machine's paths are written.
LOCK := $(PYTHON) -m uv pip compile -q --upgrade --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-emit-index-url --no-emit-find-links --no-header
lock: $(DEV_STAMP)  ## Choose the newest versions within the ranges of requirements*.txt
	$(LOCK) requirements.txt -o requirements.lock
	$(LOCK) requirements-dev.txt -c requirements.lock -o requirements-dev.lock
	$(LOCK) deploy/requirements.txt -c requirements.lock -o deploy/requirements.lock
	$(LOCK) deploy/build.txt -c requirements-dev.lock -o deploy/build.lock

samples: $(RUN_STAMP)  ## Generate the sample data sets again
	$(PYTHON) -m tools.samples

pictures: $(DEV_STAMP) $(COMPILED_STAMP)  ## Take the pictures of pages in docs/screenshots again (five minutes)
	$(PYTHON) -m tools.pictures

api: $(DEV_STAMP)  ## Make the pages of the library's names from their docstrings (docs/api/index.html)
	@$(PYTHON) -m tools.api

bench: $(DEV_STAMP) $(COMPILED_STAMP)  ## Measure what docs/benchmarks.md claims
	$(PYTHON) -m benchmarks

release-check: $(DEV_STAMP) $(COMPILED_STAMP)  ## Walk the checklist of a version, every test included
	@$(PYTHON) -m tools.release_check

clean:  ## Remove the environment, caches and test results
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis test-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(PYTHON):
	@test -n "$(SYSTEM_PYTHON)" || { \
		echo "Anonscope needs Python 3.11 or newer; python3 here is $$(python3 --version 2>&1 || true)."; \
		echo "Install it from your package manager or python.org, or name it: make run SYSTEM_PYTHON=/path/to/python3"; \
		exit 1; }
	@echo "Creating $(VENV) with $$($(SYSTEM_PYTHON) --version)."
	@$(SYSTEM_PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); \
		echo "Could not create a virtual environment. On Debian or Ubuntu: apt-get install python3-venv"; exit 1; }

$(RUN_STAMP): requirements.lock | $(PYTHON)
	@echo "Installing what Anonscope needs (once; half a minute)."
	@$(INSTALL) requirements.lock
	@touch $@

$(COMPILED_STAMP): $(COMPILED_OF) anonlib/basics/machine_code.py $(wildcard anonlib/set_up/*.py) $(RUN_STAMP)
	@echo "Compiling what searches need (once; about a minute). Anonscope can be used meanwhile."
	@$(PYTHON) -m anonlib.set_up
	@touch $@

$(BYTECODE_STAMP): $(RUN_STAMP)
	@$(MAKE_BYTECODE)
	@touch $@

$(DEV_STAMP): requirements-dev.lock $(RUN_STAMP)
	@echo "Installing what the tests need (once)."
	@$(INSTALL) requirements-dev.lock
	@$(MAKE_BYTECODE)
	@touch $@

$(ENGINES_STAMP): requirements-engines.txt $(DEV_STAMP)
	@echo "Installing what connections to databases need (once)."
	@$(INSTALL) requirements-engines.txt
	@touch $@
