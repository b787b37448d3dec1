#!/usr/bin/env bash
# Vets and builds for other systems and processors. Where qemu's user emulation
# is installed, the kernels for arm64 are tested, too: apt-get install
# qemu-user-static.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
export CGO_ENABLED=0

for target in linux/arm64 darwin/arm64 darwin/amd64 windows/amd64; do
  echo "vet and build $target"
  GOOS=${target%/*} GOARCH=${target#*/} "$go" vet ./metric/... ./cmd/omniscope
  GOOS=${target%/*} GOARCH=${target#*/} "$go" build -trimpath -o /dev/null ./cmd/omniscope
done

if [ "$("$go" env GOARCH)" = arm64 ]; then exit; fi
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)
if [ -z "$qemu" ]; then
  echo "no qemu-aarch64: the kernels for arm64 are built and not run"
  exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for package in gemm vec; do
  echo "test metric/neural/$package for arm64 by emulation"
  GOARCH=arm64 "$go" test -c -o "$work/$package" "./metric/neural/$package"
  (cd "metric/neural/$package" && "$qemu" "$work/$package" </dev/null)
done
