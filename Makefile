# The first two commands are `make demo` and `make test`; `make help` lists all.

GO ?= go
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# The program says which commit it is. Where git does not know this folder, as in
# a copy or under another owner, Go must not ask it either.
VERSION := $(shell git ls-files --error-unmatch go.mod >/dev/null 2>&1 && \
	git describe --tags --always --long --dirty --abbrev=12 2>/dev/null)
ifeq ($(VERSION),)
export GOFLAGS := -buildvcs=false $(GOFLAGS)
endif

# One static program, whatever C compiler there is or is not.
export CGO_ENABLED := 0
BUILD := $(GO) build -trimpath -ldflags '-s -w -X omniscope/internal/version.Stamped=$(VERSION)'

# Tests use a program without a version: the version changes with each commit, and
# every test that uses the program would run again.
PROGRAM := $(CURDIR)/bin/omniscope.test

# Tests that are slow by nature are called TestLong... `make lint` vets, so go test does
# not. Some tests wait rather than work: more of them than processors run at a time.
TEST := OMNISCOPE_PROGRAM=$(PROGRAM) $(GO) test -vet=off -timeout 60m -parallel 4

# Packages with goroutines, locks and files: where races would be.
RACE := ./run/... ./run/journal/... ./session/production ./perceive/program ./perceive/mcp ./people ./people/sqlite ./people/pg ./model/... ./bench/... ./media ./detective ./perceive/mllm ./web/... \
	./metric/neural ./metric/neural/encoder ./metric/neural/models ./metric/neural/tokenizer

# Packages with benchmarks of parts.
PARTS := ./model/judge/wording ./model/judge/baseline ./metric/stats ./metric ./metric/textnorm ./bench/mcif/mcifxml ./model/symptoms ./internal/langid ./run/journal/... \
	./run/river ./model/... ./internal/testing/fake

.PHONY: help release wheel demo programs quick test check slow long race cross lint build test-program bench bench-parts bench-media bench-predict bench-list bench-neural soak module docs speech-pack clean need-go

help: ## list what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

demo: build ## build, score the four imaginary systems of demo/, describe a clip; needs Go, no key; NO_INSTALL=1 installs nothing
	@scripts/demo.sh

programs: ## install what demo and tests use of other programs, such as ffmpeg, if that needs no password
	@scripts/programs.sh test

quick: need-go ## unit tests and suites: no other program, database, browser or process; for every save
	@GO='$(GO)' scripts/quick.sh

test: lint test-program ## lint, then all tests except the slow ones, with ffmpeg, PostgreSQL and a browser; for every commit
	$(TEST) -skip '^TestLong' ./...

check: test long race cross ## make test, then all slow tests, the race detector and make cross; before a release

LIMIT := 40m
slow: test-program ## slow tests that the last change may break, cheapest first, within LIMIT; see internal/tools/ci
	$(GO) run ./internal/tools/ci -limit $(LIMIT) -race '$(RACE)'

LONG := ./...
long: test-program ## the slow tests
	$(TEST) -run '^TestLong' $(LONG)

race: need-go ## tests of the concurrent packages under the race detector; needs a C compiler
	@if command -v "$$($(GO) env CC)" >/dev/null; then set -x; CGO_ENABLED=1 $(GO) test -vet=off -timeout 40m -race -skip '^TestLong' $(RACE); \
	else echo "no C compiler: the race detector is left out"; fi

cross: need-go ## vet and build for other systems; test the kernels for arm64 where qemu-user-static is
	@scripts/cross.sh

# Tools of the module internal/tools/lint. What errcheck leaves out is listed there with
# reasons; it leaves out tests, where an ignored error fails the next check.
LINT := $(GO) tool -modfile=internal/tools/lint/go.mod

lint: need-go ## go vet, gofmt, staticcheck and errcheck
	$(GO) vet ./...
	@gofmt=$$($(GO) env GOROOT)/bin/gofmt; [ -x "$$gofmt" ] || gofmt=gofmt; \
	bad=$$("$$gofmt" -l .); if [ -n "$$bad" ]; then echo "not formatted, run gofmt -w:" $$bad; exit 1; fi
	$(LINT) staticcheck ./...
	$(LINT) errcheck -ignoretests -ignoregenerated -exclude internal/tools/lint/errcheck.txt ./...

build: need-go ## bin/omniscope, one static program
	$(BUILD) -o bin/omniscope ./cmd/omniscope

# go build touches its output even if nothing changed, and go test would then run tests
# again that use it: it is compared first.
test-program: need-go
	@$(GO) build -buildvcs=false -trimpath -ldflags '-s -w' -o bin/.omniscope.test ./cmd/omniscope
	@cmp -s bin/.omniscope.test $(PROGRAM) || cp bin/.omniscope.test $(PROGRAM)

bench: build ## speed and memory next to other programs (scripts/peers.sh installs them): one table; about 20 minutes, on a quiet machine
	@scripts/bench.sh

bench-parts: need-go ## speed of parts: Go benchmarks; about 9 minutes, on a quiet machine
	$(GO) test -run '^$$' -bench . -benchmem -benchtime 500ms -timeout 9m $(PARTS)
	$(GO) test -run '^$$' -bench Machines -benchtime 1x -timeout 9m ./cmd/omniscope
	$(GO) test -run '^$$' -bench PeopleSaves -benchtime 20000x -timeout 9m ./people/pg
	$(GO) test -run '^$$' -bench PeopleServer -benchtime 1x -timeout 9m ./cmd/omniscope

bench-media: build ## what tools find in clips of known content, and what a pass over media costs; about 3 minutes
	@scripts/bench-media.sh

bench-predict: build ## running a model on 1,000 clips and on a film of an hour; about 8 minutes, 5 GB of disk
	$(BUILD) -o bin/fake ./internal/testing/fake/fake
	@scripts/bench-predict.sh

bench-list: build ## captions of a list of 100 clips, undisturbed and killed again and again; about 8 minutes
	$(BUILD) -o bin/fake ./internal/testing/fake/fake
	@scripts/bench-list.sh

bench-neural: build ## speed of the encoders, BERTScore and COMET in their real sizes; about 25 minutes, 5 GB of disk
	@scripts/bench-neural.sh

soak: need-go ## kill, resume and full-disk tests, a hundred times each; up to an hour
	OMNISCOPE_SOAK=100 $(GO) test -count=1 -timeout 60m ./internal/testing/crash ./run/journal ./cmd/omniscope

release: need-go ## archives and Python wheels for five platforms, a list of modules and checksums, in dist; RELEASE=v1.2.0 names the version
	$(GO) run ./internal/tools/dist -version $(or $(RELEASE),$(VERSION)) -out dist

wheel: need-go ## archive and Python wheel for this machine alone, in dist
	$(GO) run ./internal/tools/dist -version $(or $(RELEASE),$(VERSION)) -only $$($(GO) env GOOS)/$$($(GO) env GOARCH) -out dist

module: need-go ## rename the Go module, to publish it: MODULE=host/path, for example MODULE=example.org/someone/omniscope
	@$(GO) run ./internal/tools/module '$(MODULE)'

docs: build ## write docs/commands.md anew
	bin/omniscope docs > docs/commands.md.new
	@mv docs/commands.md.new docs/commands.md

speech-pack: build ## fetch the speech recogniser, 31 MB
	bin/omniscope data get speech

clean: ## remove what make made, and the clips that tests keep
	rm -rf bin demo-report "$${OMNISCOPE_TEST_CLIPS:-$${XDG_CACHE_HOME:-$$HOME/.cache}/omniscope-test-clips}"
	rm -rf "$$HOME/Library/Caches/omniscope-test-clips"

need-go:
	@GO='$(GO)' scripts/need-go.sh
