#!/usr/bin/env bash
# Investigates clips of which everything is known, offline, and prints how much
# of it was found; then what a survey of a clip costs. It needs bin/omniscope
# and bin/mediatable: run `make bench-media`. The clips, with a MANIFEST.json
# of what is in them, are looked for in ../shared/data/media, or in MEDIA.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
clips=${MEDIA:-../shared/data/media}

if [ -e "$clips/MANIFEST.json" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  files=()
  for file in "$clips"/*; do
    case $file in *.json) ;; *) files+=("$file") ;; esac
  done
  echo "== ${#files[@]} clips, investigated with local tools"
  time bin/omniscope investigate --detective offline --out "$work/reports" --work-dir "$work" --no-progress -- "${files[@]}" \
    </dev/null >"$work/captions.txt"
  bin/mediatable "$clips/MANIFEST.json" "$work/reports"
else
  echo "the clips with known content are not in $clips: their table is left out"
fi

echo
echo "== what one pass over 10 minutes of 720p costs, beside decoding it once"
"$go" test -run '^$' -bench BenchmarkSurvey -benchtime 1x -timeout 20m ./media </dev/null
