#!/bin/sh
# Stands in for a program in `make quick`, which starts none: links to this script, named
# like the programs that tests use, are first on the PATH. It ends the test that starts it,
# also where the test would take a failure in its stride. scripts/quick.sh prints what is noted.
echo "$PWD: ${0##*/}" >>"${0%/*}/.started"
echo "make quick starts no ${0##*/}: call need.Program, need.FFmpeg or need.Processes (internal/testing/need)" >&2
kill -KILL "$PPID"
