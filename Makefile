# The two commands of the README are `make demo` and `make test`.

export CGO_ENABLED = 0
GO ?= go
BIN = bin/omniscope

.PHONY: demo test build bench soak lint docs clean

build: $(BIN)

.PHONY: $(BIN)
$(BIN):
	$(GO) build -trimpath -ldflags '-s -w' -o $@ ./cmd/omniscope

