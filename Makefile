# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
# Tests mostly wait for Spark, brokers and browsers: more of them than cores run side by side.
WORKERS ?= 3
# A test that takes so many seconds is stuck: it fails, and says where. The longest ones take about one or two minutes.
STUCK ?= 900
KILLS ?= 20
MINUTES ?= 12
# Where Python may not keep what it compiled, every process compiles latwin and the tests anew: seconds for each.
export PYTHONDONTWRITEBYTECODE :=
NPM := $(shell command -v npm 2> /dev/null)

.PHONY: fuzz help setup tools demo test versions coverage docs check format bench soak lock clean

# The explorer's page is checked where there is an npm; its bundle is committed, so that nothing else needs one.
ifneq ($(NPM),)
PAGE_TOOLS := explorer/node_modules/.ready
CHECK_PAGE := cd explorer && $(NPM) run --silent check && $(NPM) test --silent -- --reporter=dot
FORMAT_PAGE := cd explorer && $(NPM) run --silent format
else
CHECK_PAGE := echo "there is no npm: the explorer's TypeScript is left out"
FORMAT_PAGE := $(CHECK_PAGE)
endif

help:            ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: .venv/.ready  ## create .venv with the locked versions

.venv/.ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "latwin needs Python 3.11 or newer; found " + sys.version.split()[0] + " (set PYTHON=...)")'
	@echo "Setting up .venv (once; about a minute)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: setup      ## stream two hundred simulated smart offices through Spark
	@$(BIN)/latwin offices

tools:           ## install what the tests need beside Python: Maven and Chromium
	@scripts/test-tools

test: setup tools  ## run all tests, on all cores
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --timeout $(STUCK) -m "not soak and not versions"

versions: setup  ## one comparison on each version of PySpark, and a batch into Delta, each in a process of its own
	@$(BIN)/python -m pytest -q -n 2 --timeout $(STUCK) -m "versions and not soak" tests/versions tests/spark/test_delta.py

coverage: setup  ## branch coverage, with the kernels interpreted so that their lines count
	@HYPOTHESIS_PROFILE=cover NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup --timeout $(STUCK) --cov --cov-report=term --cov-fail-under=95 -m "not slow and not spark and not browser and not soak and not versions"

# The kernels that the tests compiled are as good for the pages that the site shows.
docs: export NUMBA_CACHE_DIR ?= $(CURDIR)/build/numba-$(shell cat src/latwin/lattice/kernels/*.py | sha256sum | cut -c1-12)
docs: setup      ## the site of the documentation, in build/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

explorer/node_modules/.ready: explorer/package-lock.json
	@echo "Installing the tools of the explorer's page (once)"
	@cd explorer && $(NPM) ci --prefer-offline --loglevel=error
	@touch $@

check: setup $(PAGE_TOOLS)  ## format, lint, types, import contracts; of the explorer's page its unit tests, too
	@$(BIN)/ruff format --check --quiet . || { echo "run 'make format'"; exit 1; }
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(CHECK_PAGE)

format: setup $(PAGE_TOOLS)  ## format and fix what can be fixed
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@$(FORMAT_PAGE)

bench: setup     ## measure: the figures of the README, ratios within one run
	@$(BIN)/python -m pytest -q -p no:cacheprovider --benchmark-only --benchmark-columns=min,median,rounds benchmarks/test_core.py benchmarks/test_sums.py benchmarks/test_clocks.py benchmarks/test_page.py benchmarks/test_spark.py
	@$(BIN)/python -m pytest -q -p no:cacheprovider --benchmark-only --benchmark-columns=min,median,rounds benchmarks/test_latency.py

fuzz: setup      ## fuzz all that strangers can send, guided by coverage, for MINUTES
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[fuzz]' || echo "atheris cannot be had: random mutations"
	@$(BIN)/python scripts/fuzz.py --minutes $(MINUTES)

soak: setup      ## eight times the examples of every property; kill pipelines KILLS times; ten million events for flat state and memory
	@HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup -m "not spark and not browser and not versions"
	@$(BIN)/python -m pytest -q -m soak
	@LATWIN_KILLS=$(KILLS) $(BIN)/python -m pytest -q -s tests/crash/test_pipeline.py tests/crash/test_tables.py
	@LATWIN_KAFKA_KILLS=$(KILLS) $(BIN)/python -m pytest -q -s tests/kafka/test_pipeline.py tests/kafka/test_kills_with_tables.py -k kills
	@LATWIN_KILLS=$(KILLS) $(BIN)/python -m pytest -q -s tests/cluster/test_standalone.py
	@$(BIN)/python -m pytest -q -s -p no:cacheprovider --benchmark-only benchmarks/test_soak.py benchmarks/test_ending_groups.py

lock:            ## renew constraints.txt (needs uv)
	@uv pip compile --quiet --universal --no-emit-index-url --no-header --no-annotate --extra dev pyproject.toml -o constraints.txt

clean:           ## remove what the targets made
	rm -rf .venv build dist explorer/node_modules .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
