#!/usr/bin/env bash
# Measures speed and memory; docs/performance.md says what the figures mean.
# It needs bin/omniscope, bin/mockllm and bin/drive: run `make bench`.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}

echo "== machine"
echo "$(nproc) processors, $(awk '/^MemTotal/ { printf "%.0f GB", $2 / 1e6 }' /proc/meminfo), $(uname -srm), $("$go" env GOVERSION)"
awk -F ': ' '/^model name/ { print $2; exit }' /proc/cpuinfo
echo "load average $(cut -d ' ' -f 1-3 /proc/loadavg); the figures mean little when it is not near 0"

echo
echo "== parts: go test -bench"
"$go" test -run '^$' -bench . -benchmem -benchtime 500ms -timeout 9m \
  ./model/judge/lexical ./metric/stats ./metric ./metric/textnorm ./bench/mcif/mcifxml ./model/symptoms ./internal/langid ./run/journal/... ./run/river ./model/... ./internal/testing/mockllm </dev/null

echo
echo "== many machines: 40,000 calls of 500 ms in one process, four parts, four workers"
"$go" test ./cmd/omniscope -run '^$' -bench Machines -benchtime 1x -timeout 9m </dev/null

echo
echo "== people's work: 100 save without a pause; 100 seniors on a log of a million events"
"$go" test ./people/pg -run '^$' -bench PeopleSaves -benchtime 20000x -timeout 9m </dev/null
"$go" test ./cmd/omniscope -run '^$' -bench PeopleServer -benchtime 1x -timeout 9m </dev/null

drive() {
  echo
  bin/drive "$@" </dev/null
}

echo
echo "== whole: omniscope eval against a mock server that answers after 50 ms"
drive -blanks 2 -words 30
drive -blanks 2 -words 30 -answer-bytes 3000
drive
drive -answer-bytes 3000
drive -capricorn

# 200,000 calls each. With real prompts they take several GB of disk.
drive -grow -blanks 2 -words 30
drive -resume -blanks 2 -words 30
drive -capricorn -grow # 40,000 and 160,000
