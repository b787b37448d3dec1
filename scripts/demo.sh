#!/usr/bin/env bash
# Scores the captions of four imaginary systems on the demo benchmark with the
# offline reader, and describes a clip. It needs bin/omniscope and no key; what
# is missing for the clip is installed if that is possible without asking.
set -euo pipefail
cd "$(dirname "$0")/.."

report=demo-report
systems=(careful vague confident terse)
shown=confident # the system whose whole table is printed

# The judge is named: no setting of the environment makes the demo call a model.
score() {
  bin/omniscope eval omni-cloze \
    --data bench/demo/cloze/clips.jsonl \
    --predictions "bench/demo/captions/$1.jsonl" \
    --judge offline \
    --out "$report/$1" --force --work-dir "$report/work" </dev/null
}

# overall prints one line of the table below from a results.csv.
overall() {
  awk -F , '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["profile"] == "official" && $at["dimension"] == "overall" {
      value[$at["score"]] = $at["value"] == "" ? "no score" : sprintf("%.1f", 100 * $at["value"])
      system_ = $at["system"]; n = $at["n"]; unscored = $at["unscored"]
    }
    END { printf "%-12s %10s %10s %14s %10s %8d %9d\n", system_,
      value["accuracy"], value["not_given"], value["hallucination"], value["score"], n, unscored }
  ' "$1/results.csv"
}

mkdir -p "$report"
for system in "${systems[@]}"; do
  score "$system" >"$report/$system.txt"
done

echo "Captions of the system \"$shown\", as \`omniscope eval\` prints them:"
echo
cat "$report/$shown.txt"
echo
echo "All four systems, percent of the blanks of 12 clips. They are imaginary, and so are their captions:"
echo
printf '%-12s %10s %10s %14s %10s %8s %9s\n' system accuracy "not given" hallucination score n unscored
for system in "${systems[@]}"; do
  overall "$report/$system"
done
echo
echo "careful says much and is right; vague says little; confident makes things up; terse leaves clips out."
echo "The judge was the offline reader, a baseline: its scores compare with no published ones."
echo
echo "Reports: $report/$shown/report.md with results.json, results.csv and blanks.jsonl; likewise for the others."
echo "Tables:  $report/$shown.txt and so on; terse.txt shows how missing captions are counted."

# A clip of which everything is known, investigated with what is installed here.
echo
scripts/programs.sh demo || true # says what is missing, and the line that installs it
describe() {
  scripts/demo-clip.sh "$report/clip.mp4" || return
  echo "A clip that scripts/demo-clip.sh has made, as \`omniscope caption\` describes it with local tools only:"
  echo
  bin/omniscope caption "$report/clip.mp4" --detective offline --pages --out "$report/investigation" --force \
    --work-dir "$report/work" --quiet </dev/null | fold -s -w 110 || return
  echo "Look:    $report/investigation/clip/index.html, with the player, a timeline, and what each sentence rests on"
}
if ! command -v ffmpeg >/dev/null || ! command -v ffprobe >/dev/null; then
  echo "Left out: the investigation of a clip, which needs ffmpeg and ffprobe."
elif ! describe; then
  echo "Left out: the investigation of a clip, for the reason above."
fi
echo "Next:    bin/omniscope eval omni-cloze --help, bin/omniscope caption --help, and README.md"
