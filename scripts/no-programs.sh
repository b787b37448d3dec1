#!/usr/bin/env bash
# Runs a test program for `make quick`, which starts no other programs: go test -exec
# scripts/no-programs.sh. Substitutes for the programs that tests use are first on the
# PATH; the test fails if it started one, even if it took the failure in its stride.
set -euo pipefail

programs="bash sh go git make script
ffmpeg ffprobe tesseract espeak-ng pocketsphinx_continuous
postgres initdb pg_ctl psql
chromium chromium-browser google-chrome headless-shell
node npm npx python3 pre-commit modulecmd lua luajit docker"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for program in $programs; do
  printf '#!/bin/sh\necho "%s" >>"%s"\necho "make quick starts no %s" >&2\nexit 125\n' \
    "$program" "$folder/.started" "$program" >"$folder/$program"
done
chmod +x "$folder"/*

code=0
PATH=$folder:$PATH "$@" || code=$?
if [ -e "$folder/.started" ]; then
  echo "make quick starts no programs, and tests of ${PWD##*/} started:" $(sort -u "$folder/.started")
  echo "A test that starts programs calls need.Program, need.FFmpeg or need.Processes (internal/testing/need)."
  code=1
fi
exit "$code"
