#!/usr/bin/env bash
# Investigates clips with known content, offline, and prints how much of it was found; then the cost of a survey of a clip.
# It needs bin/omniscope: run `make bench-media`. The clips, with a MANIFEST.json of their content, are in
# ../shared/data/media, or in MEDIA.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}

echo "== clips with known content, investigated with local tools"
OMNISCOPE_PROGRAM=$PWD/bin/omniscope "$go" test -run '^$' -bench Found -benchtime 1x -timeout 20m ./internal/testing/speed </dev/null

echo
echo "== what one pass over 10 minutes of 720p costs, next to decoding it once"
"$go" test -run '^$' -bench BenchmarkSurvey -benchtime 1x -timeout 20m ./media </dev/null
