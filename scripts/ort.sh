#!/usr/bin/env bash
# Fetches ONNX Runtime 1.30.0 for programs built with -tags ort (metric/neural/ort):
# a shared library of about 46 MB, out of a package of 113 MB of the npm registry.
# Its contents are pinned below.
#
#   OMNISCOPE_ORT_DIR  where to put it; default: omniscope/onnxruntime in the
#                      user's folder for caches
#   NPM_REGISTRY       address of the registry; default: npm's own setting
#
# Licence: MIT, Microsoft Corporation (github.com/microsoft/onnxruntime). omniscope
# ships none of it. The library computes on processors; for CUDA the package has
# no providers, see onnxruntime.ai/docs/execution-providers.
set -euo pipefail

package=onnxruntime-node version=1.30.0
tarball=6e3390d6b783e7be946fad629292799da28d0b42f84856e50d2c1b0383291e75

die() {
  printf 'ort: %s\n' "$@" >&2
  exit 1
}

cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}
case "$(uname) $(uname -m)" in
"Linux x86_64") inside=linux/x64/libonnxruntime.so.1 ;;
"Linux aarch64") inside=linux/arm64/libonnxruntime.so.1 ;;
"Darwin arm64")
  inside=darwin/arm64/libonnxruntime.1.dylib
  cache=$HOME/Library/Caches
  ;;
*) die "the package has no library for $(uname) $(uname -m)" ;;
esac
folder=${OMNISCOPE_ORT_DIR:-$cache/omniscope/onnxruntime}
case "$folder" in /*) ;; *) folder=$PWD/$folder ;; esac
library=$folder/${inside##*/}

# sum prints the sha256 of a file.
sum() {
  if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d' ' -f1
}

# fetch gets the package into the current folder, as $1.
fetch() {
  if [ -n "${NPM_REGISTRY:-}" ]; then
    command -v curl >/dev/null || die "curl is needed with NPM_REGISTRY, and is not installed"
    curl -fsSL --retry 3 --max-time 900 -o "$1" "${NPM_REGISTRY%/}/$package/-/$package-$version.tgz" ||
      die "the registry of NPM_REGISTRY does not give out $package $version"
  elif command -v npm >/dev/null; then
    # npm knows its registry, its proxy and its keys.
    local made
    made=$(npm pack --silent "$package@$version" | tail -n 1) && [ -f "$made" ] ||
      die "npm cannot fetch $package $version from $(npm config get registry 2>/dev/null || echo its registry)"
    mv "$made" "$1"
  else
    die "it is not known from where to fetch." \
      "Install npm, whose configuration names a registry, or set NPM_REGISTRY to the address of one, and run this again."
  fi
}

# complete says whether the library is there as it was installed.
complete() {
  [ -f "$library" ] && [ -f "$library.sha256" ] && [ "$(sum "$library")" = "$(cat "$library.sha256")" ]
}

if ! complete; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cd "$work"
  echo "fetching $package $version"
  fetch package.tgz
  [ "$(sum package.tgz)" = "$tarball" ] || die "$package $version is not what it was when this script was written; nothing was installed"
  tar -xzf package.tgz "package/bin/napi-v6/$inside"
  mkdir -p "$folder"
  mv "package/bin/napi-v6/$inside" "$library"
  sum "$library" >"$library.sha256"
  cat >"$folder/README.txt" <<TXT
ONNX Runtime $version, fetched by omniscope's scripts/ort.sh from $package $version.
Licence: MIT, Copyright (c) Microsoft Corporation.
TXT
  complete || die "the files in $folder are not what was written there: is the disk full?"
fi
echo "ONNX Runtime is in $folder; a program built with -tags ort uses it after"
echo "  export OMNISCOPE_ORT=$library"
