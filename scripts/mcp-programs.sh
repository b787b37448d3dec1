#!/usr/bin/env bash
# Installs, from npm, the programs of others that speak the Model Context Protocol and that one long test talks to: the
# protocol's inspector and its reference server, of the versions that internal/mcptest names. About 120 MB below bin.
# Usage: scripts/mcp-programs.sh
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v npm >/dev/null; then
  echo "npm is not installed: install Node.js 20 or later" >&2
  exit 1
fi
mkdir -p bin/.mcp # go looks into no folder with a dot
cp internal/mcptest/package.json internal/mcptest/package-lock.json bin/.mcp/
cd bin/.mcp
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
