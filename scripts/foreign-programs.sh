#!/usr/bin/env bash
# Installs, from npm, the programs of others that long tests compare with, of the versions that internal/testing/foreign names. About
# 160 MB below bin.
# Usage: scripts/foreign-programs.sh
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v npm >/dev/null; then
  echo "npm is not installed: install Node.js 20 or later" >&2
  exit 1
fi
mkdir -p bin/.foreign # go looks into no folder with a dot
cp internal/testing/foreign/package.json internal/testing/foreign/package-lock.json bin/.foreign/
cd bin/.foreign
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
