# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help setup tools demo test coverage docs check format bench soak lock clean

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
	@$(BIN)/python -m pytest -n auto --dist loadgroup

coverage: setup  ## branch coverage, with the kernels interpreted so that their lines count
	@HYPOTHESIS_PROFILE=cover NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n auto --dist loadgroup --cov --cov-report=term --cov-fail-under=95 -m "not slow and not spark and not browser"

docs: setup      ## the site of the documentation, in build/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

check: setup     ## format, lint, types, import contracts
	@$(BIN)/ruff format --check --quiet . || { echo "run 'make format'"; exit 1; }
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

format: setup    ## format and fix what can be fixed
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: setup     ## measure: the figures of the README, ratios within one run
	@$(BIN)/python -m pytest -q -p no:cacheprovider --benchmark-only --benchmark-columns=min,median,rounds benchmarks/test_core.py benchmarks/test_spark.py

soak: setup      ## kill the pipeline twenty times; ten million events for flat state and memory
	@LATWIN_KILLS=20 $(BIN)/python -m pytest -q -s tests/crash/test_pipeline.py
	@$(BIN)/python -m pytest -q -s -p no:cacheprovider --benchmark-only benchmarks/test_soak.py

lock:            ## renew constraints.txt (needs uv)
	@uv pip compile --quiet --universal --no-emit-index-url --no-header --no-annotate --extra dev pyproject.toml -o constraints.txt

clean:           ## remove what the targets made
	rm -rf .venv build dist .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
