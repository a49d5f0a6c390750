# The two commands that do everything are `make demo` and `make test`.
.DEFAULT_GOAL := help
.PHONY: help ready demo test programs build package lint format asan tsan fuzz clean setup-demo setup-test

JOBS ?= $(shell nproc)
# Tests wait more than they compute.
TESTS ?= $(shell expr $(JOBS) + $(JOBS) / 2)

help: ## This list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' \
	  $(MAKEFILE_LIST)

ready: setup-demo programs ## Set up this machine and build

demo: setup-demo programs ## Set up this machine, build, judge sample kernels
	build/dist/bin/kernelbench demo

test: setup-test build ## Set up this machine, build, run all tests
	ctest --preset release --parallel $(TESTS)

programs: ## Build what runs, without tests, into build/dist/
	cmake --preset release
	cmake --build --preset release --target dist

build: programs ## Build release; what runs is then in build/dist/
	cmake --build --preset release

package: build ## Make a release: build/package/ has a tarball and a wheel
	@scripts/python tools/package

lint: setup-test ## Format, clang-tidy and our own rules; quick when repeated
	@test -f build/release/build.ninja || cmake --preset release
	scripts/lint

format: setup-test ## Rewrite all C++ files in the one format
	scripts/lint --format

asan: setup-test build ## Run all tests under AddressSanitizer and UBSan
	cmake --preset asan
	cmake --build --preset asan
	ctest --preset asan --parallel $(JOBS)

tsan: setup-test build ## Run all tests under ThreadSanitizer
	cmake --preset tsan
	cmake --build --preset tsan
	ctest --preset tsan --parallel $(JOBS)

fuzz: setup-test ## Fuzz all that reads foreign bytes, a minute each
	scripts/fuzz 60

clean: ## Remove build/ (but not .venv and .toolkit, which take long to get)
	rm -rf build

setup-demo:
	@scripts/setup demo

setup-test:
	@scripts/setup test

# Not in parallel when make runs with -j: each uses what the one before made.
.NOTPARALLEL:
