# Needs Python 3.11 or newer and make; everything else goes into .venv.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

.PHONY: help demo test check format lint types contracts docs bench install clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1: /p' $(MAKEFILE_LIST)

install: $(STAMP) ## bring everything into .venv

$(STAMP): pyproject.toml uv.lock
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@VIRTUAL_ENV=$(CURDIR)/.venv UV_SYSTEM_CERTS=1 $(BIN)/uv sync --frozen --quiet --all-extras --python $(BIN)/python
	@touch $@

demo: $(STAMP) ## run the pass on the example sessions in a throw-away home and show what came of it
	@$(BIN)/python examples/demo.py

test: $(STAMP) ## run every test
	@$(BIN)/python -m pytest -q

check: $(STAMP) format lint types contracts docs test ## what CI runs

format: $(STAMP)
	@$(BIN)/ruff format --check .

lint: $(STAMP)
	@$(BIN)/ruff check .

types: $(STAMP)
	@$(BIN)/mypy

contracts: $(STAMP)
	@$(BIN)/lint-imports

docs: $(STAMP) ## are the published tables what the program says?
	@$(BIN)/cog --check -I . README.md docs/*.md

bench: $(STAMP) ## measure, as ratios against a floor of the same run
	@$(BIN)/python -m benchmarks

clean: ## remove the environment and caches
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
