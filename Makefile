# csift: build, test, install. `make` alone builds; `make help` lists the targets.
SHELL  := /bin/sh
GO     ?= go
OUT    ?= bin
prefix ?= /usr/local
bindir ?= $(prefix)/bin
DESTDIR ?=

# The same sources give the same bytes on every machine, and the binaries need no libc.
BUILD := CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -ldflags "-s -w"

COMMANDS  := $(notdir $(wildcard cmd/*))
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
FUZZTIME  ?= 20s
BENCH     ?= .

.PHONY: build multicall install uninstall test e2e race fuzz bench ratios golden sample lint cross purego check clean help

build: ## all commands into ./bin
	@mkdir -p $(OUT)
	$(if $(COMMANDS),$(BUILD) -o $(OUT)/ ./cmd/...)

multicall: ## one binary that holds every family: ./bin/multicall/csift
	@mkdir -p $(OUT)/multicall
	$(if $(wildcard cmd/csift),$(BUILD) -tags multicall -o $(OUT)/multicall/csift ./cmd/csift)

install: build ## commands into $(DESTDIR)$(bindir)
	install -d "$(DESTDIR)$(bindir)"
	$(foreach c,$(COMMANDS),install -m 755 $(OUT)/$(c) "$(DESTDIR)$(bindir)/$(c)" &&) true

uninstall: ## what install put there, away again
	$(foreach c,$(COMMANDS),rm -f "$(DESTDIR)$(bindir)/$(c)" &&) true

test: ## every test
	$(GO) test ./...

e2e: ## the end-to-end scripts alone; SCRIPT=search/words runs the ones that match
	$(GO) test -run 'TestScript/$(SCRIPT)' ./e2e

race: ## every test under the race detector (needs a C compiler)
	CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 $(GO) test -race -short ./...

fuzz: ## each fuzz target for FUZZTIME
	@for p in $$($(GO) list ./...); do \
	  for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz'); do \
	    echo "fuzz $$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p || exit 1; \
	  done; \
	done

bench: ## Go benchmarks in MB/s with allocations, for benchstat
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem ./...

ratios: ## the speed contract: ratios to ripgrep on the same bytes
	$(GO) run ./scripts/bench

golden: ## rewrite golden files and the expected output of scripts; read the diff
	CSIFT_GOLDEN=update $(GO) test ./...

sample: ## rewrite testdata/home from testdata/home.txt
	$(GO) run ./scripts/specimen testdata/home.txt testdata/home

lint: ## formatting and vet, for each system and build tag
	@bad=$$(gofmt -l $$(git ls-files '*.go' 2>/dev/null || find . -name '*.go')); \
	  test -z "$$bad" || { echo "not gofmt: $$bad"; exit 1; }
	$(GO) vet ./...
	$(GO) vet -tags multicall,purego ./...
	GOOS=darwin GOARCH=arm64 $(GO) vet ./...
	GOOS=windows GOARCH=amd64 $(GO) vet ./...

cross: ## commands and tests build for every system
	$(foreach p,$(PLATFORMS),$(call cross1,$(subst /, ,$(p))))

define cross1
	$(if $(COMMANDS),GOOS=$(word 1,$(1)) GOARCH=$(word 2,$(1)) $(BUILD) -o $(OUT)/cross/$(word 1,$(1))-$(word 2,$(1))/ ./cmd/...)

endef

purego: ## the tests without any assembly
	$(GO) test -tags purego -short ./...

check: lint build multicall cross test race purego ## all that a change must pass

clean: ## what the targets above made
	rm -rf $(OUT)

help:
	@sed -n 's/^\([a-z0-9]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12
