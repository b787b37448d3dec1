#!/usr/bin/env bash
# Measures the encoders of BERTScore and COMET in their real sizes, with random
# weights: products of matrices beside the machine's peak, tokens per second,
# and entire runs of omniscope score. It needs bin/omniscope: run `make bench-neural`.
# NETWORKS names a folder that keeps the made networks.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}

echo "== machine"
echo "$(nproc) processors, $("$go" env GOVERSION)"
awk -F ': ' '/^model name/ { print $2; exit }' /proc/cpuinfo
echo "load average $(cut -d ' ' -f 1-3 /proc/loadavg); the figures mean little when it is not near 0"

echo
echo "== products, rows, tokenizers, networks: go test -bench"
"$go" test -run '^$' -bench . -timeout 20m -p 1 ./metric/neural/gemm ./metric/neural/vec ./metric/neural/tokenizer ./metric/neural/encoder </dev/null

echo
echo "== omniscope score, two systems on the same references"
networks=${NETWORKS:-$(mktemp -d)}
[ -n "${NETWORKS:-}" ] || trap 'rm -rf "$networks"' EXIT
NETWORKS=$networks OMNISCOPE_PROGRAM=$PWD/bin/omniscope "$go" test -run '^$' -bench Neural -benchtime 1x -timeout 60m ./internal/testing/speed </dev/null
