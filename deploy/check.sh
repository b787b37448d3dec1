#!/usr/bin/env bash
# Scores predictions and ends with exit code 5 if they are worse than a base run, beyond chance. The GitHub Action, the
# pre-commit hook and hooks of git run it; so can any other CI.
#
#   deploy/check.sh --benchmark omni-cloze --data clips.jsonl --predictions captions.jsonl --base ci/base --update   # once
#   deploy/check.sh --benchmark omni-cloze --data clips.jsonl --predictions captions.jsonl --base ci/base
#
# --data may be left out where the benchmark needs none. --scores, --level, --margin and --max-failures are those of
# `omniscope compare --fail-if-worse`. --judge NAME names a judge (default: the benchmark's own, offline where it has one). --out DIR keeps the run and
# the tables (default: they are removed). --update makes the run the new base. What follows -- goes to `omniscope eval`
# as it stands. OMNISCOPE_PROGRAM names the program (default: omniscope).
set -euo pipefail
exec </dev/null

program=${OMNISCOPE_PROGRAM:-omniscope}
benchmark='' data='' predictions='' base='' scores='' level='' margin='' failures='' judge='' out='' update=''

fail() {
  printf 'check.sh: %s\n' "$1" >&2
  exit "${2:-1}"
}

while [ $# -gt 0 ]; do
  case $1 in
  --) shift; break ;;
  --update) update=1; shift; continue ;;
  --benchmark | --data | --predictions | --base | --scores | --level | --margin | --max-failures | --judge | --out)
    [ $# -ge 2 ] || fail "$1 takes a value" 2 ;;
  *) fail "no such option: $1; see the head of deploy/check.sh" 2 ;;
  esac
  case $1 in
  --benchmark) benchmark=$2 ;;
  --data) data=$2 ;;
  --predictions) predictions=$2 ;;
  --base) base=$2 ;;
  --scores) scores=$2 ;;
  --level) level=$2 ;;
  --margin) margin=$2 ;;
  --max-failures) failures=$2 ;;
  --judge) judge=$2 ;;
  --out) out=$2 ;;
  esac
  shift 2
done
[ -n "$benchmark" ] || fail "say what to score: --benchmark NAME" 2
case $benchmark in *[!a-z0-9-]* | -*) fail "--benchmark is a name such as omni-cloze, not $benchmark" 2 ;; esac
[ -n "$predictions" ] || fail "say what to score: --predictions FILE" 2
[ -n "$base" ] || fail "say what to compare with: --base DIR" 2
command -v "$program" >/dev/null || fail "$program: no such program; install omniscope, or name it with OMNISCOPE_PROGRAM"
if [ -z "$update" ] && [ ! -f "$base/results.json" ]; then
  fail "$base holds no results.json: make it the base with --update, once"
fi

temporary=$(mktemp -d)
trap 'rm -rf -- "$temporary"' EXIT
out=${out:-$temporary/out}
mkdir -p -- "$out"

# Values stand behind =, so that none is taken for a flag.
score=(eval "$benchmark" "--predictions=$predictions" "--out=$out/run" "--work-dir=$temporary/work" --quiet)
[ -z "$data" ] || score+=("--data=$data")
[ -z "$judge" ] || score+=("--judge=$judge")
[ -z "$failures" ] || score+=("--max-failures=$failures")
code=0
"$program" "${score[@]}" "$@" >"$out/eval.txt" || code=$?
if [ "$code" != 0 ]; then
  cat "$out/eval.txt"
  fail "scoring ended with exit code $code" "$code"
fi

if [ -n "$update" ]; then
  mkdir -p -- "$base"
  cp -- "$out/run/results.json" "$out/run/counts.jsonl" "$base/"
  cat "$out/eval.txt"
  printf 'check.sh: %s is the base now\n' "$base"
  exit
fi

compare=(compare "--fail-if-worse${scores:+=$scores}" "--out=$out/tables")
[ -z "$level" ] || compare+=("--level=$level")
[ -z "$margin" ] || compare+=("--margin=$margin")
[ -z "$failures" ] || compare+=("--max-failures=$failures")
"$program" "${compare[@]}" -- "$base" "$out/run"
