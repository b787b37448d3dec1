#!/usr/bin/env bash
# Compares the speed of omniscope with others' and prints a table of medians; docs/performance.md describes it. RUNS (5) is how
# often each benchmark runs, in turn with its peers; BENCH chooses benchmarks, such as Judge/shape=short. The results of all runs
# are kept in bin/bench.txt, in the form that benchstat reads: benchstat -col /by bin/bench.txt.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
runs=${RUNS:-5}
bench=${BENCH:-^Benchmark(Judge|Media|Texts|Rows|Capricorn|Growth|Resume)}

echo "$(date -u +%F), $(nproc) processors, $(awk '/^MemTotal/ { printf "%.0f GB", $2 / 1e6 }' /proc/meminfo), $("$go" env GOVERSION)," \
  "$(awk -F ': ' '/^model name/ { print $2; exit }' /proc/cpuinfo), load average $(cut -d ' ' -f 1-3 /proc/loadavg)"
"$go" test -c -o bin/speed.test ./internal/testing/speed
export OMNISCOPE_PROGRAM=$PWD/bin/omniscope
: > bin/bench.txt
for _ in $(seq "$runs"); do
  (cd internal/testing/speed && ../../../bin/speed.test -test.run '^$' -test.bench "$bench" -test.benchtime 1x -test.timeout 0 </dev/null) | tee -a bin/bench.txt >&2
done
OMNISCOPE_SPEED_PART=table bin/speed.test bin/bench.txt
