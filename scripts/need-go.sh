#!/usr/bin/env bash
# Says clearly what to do where no Go can build omniscope.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
wanted=$(awk '$1 == "go" { print $2 }' go.mod)

if ! command -v "$go" >/dev/null; then
  echo "omniscope is built with Go $wanted or newer, and there is no \`$go\` command here." >&2
  echo "Install it as https://go.dev/doc/install says, see that \`go version\` works, and run the same command again." >&2
  exit 1
fi
if ! why=$("$go" list -m 2>&1); then
  echo "omniscope is built with Go $wanted or newer. $("$go" version 2>/dev/null || true) says:" >&2
  echo "  $why" >&2
  echo "A newer Go: https://go.dev/doc/install. Go 1.21 and later fetch it by themselves unless GOTOOLCHAIN forbids it." >&2
  exit 1
fi
