#!/usr/bin/env bash
# Runs tests that start no programs: `make quick`. A test that starts one fails. GO names the go
# command. The results stay in go's cache, which `go test -exec` would not allow.
set -euo pipefail
cd "$(dirname "$0")/.."

programs="bash sh go git make script
ffmpeg ffprobe tesseract espeak-ng pocketsphinx_continuous
postgres initdb pg_ctl psql
chromium chromium-browser google-chrome headless-shell
node npm npx python3 pre-commit modulecmd lua luajit docker"

go=$(command -v "${GO:-go}")
folder=$PWD/bin/no-programs
mkdir -p "$folder"
rm -f "$folder/.started"
for program in $programs; do
  # Links that are there stay: a test that looks for a program notes when its link was made.
  [ -e "$folder/$program" ] || ln -s ../../scripts/no-program.sh "$folder/$program"
done

code=0
PATH=$folder:$PATH "$go" test -short -vet=off -timeout 20m -skip '^TestLong' ./... || code=$?
if [ -e "$folder/.started" ]; then
  echo "make quick starts no programs, and these tests did:"
  sort -u "$folder/.started"
  code=1
fi
exit "$code"
