#!/usr/bin/env bash
# Installs the outside programs that the demo (demo) or demo and tests (test)
# use, as far as they are missing and that is possible without asking: as root
# or with a sudo that needs no password and apt-get, or with Homebrew. Otherwise
# it prints the line to run. NO_INSTALL=1 leaves everything as it is.
# Exit code 1: something is still missing.   Usage: scripts/programs.sh demo|test
set -uo pipefail
exec </dev/null

# program, its package for apt-get, its package for Homebrew ("-": none)
wanted="ffmpeg ffmpeg ffmpeg
ffprobe ffmpeg ffmpeg
tesseract tesseract-ocr tesseract
espeak-ng espeak-ng espeak-ng"
case "${1:-}" in
demo) ;;
test) wanted+="
make make make
pocketsphinx_continuous pocketsphinx -
qemu-aarch64-static qemu-user-static -
chromium chromium -
pre-commit pre-commit pre-commit
modulecmd environment-modules modules
initdb postgresql postgresql" ;;
*)
  echo "usage: scripts/programs.sh demo|test" >&2
  exit 2
  ;;
esac

# have tells whether a program is there. Debian keeps those of PostgreSQL off the PATH.
have() {
  command -v "$1" >/dev/null || { [ "$1" = initdb ] && compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; }
}

# missing prints the missing packages, one a line; $1 is 2 for apt-get's names
# and 3 for Homebrew's.
missing() {
  while read -r -a row; do
    if [ "${row[$1 - 1]}" != - ] && ! have "${row[0]}"; then echo "${row[$1 - 1]}"; fi
  done <<<"$wanted"
  [ "$1" = 2 ] || return 0
  # Without recommended packages tesseract comes without a language.
  # (grep -q would end tesseract by a broken pipe, which counts as a failure here.)
  if ! tesseract --list-langs 2>/dev/null | grep -x eng >/dev/null; then echo tesseract-ocr-eng; fi
  # Clips that are made have words in them.
  if [ ! -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ]; then echo fonts-dejavu-core; fi
  if [[ $wanted == *pocketsphinx* && ! -d /usr/share/pocketsphinx/model/en-us ]]; then echo pocketsphinx-en-us; fi
}

# install runs a command and shows what it says only if it fails.
install() {
  local said
  echo "installing: ${packages[*]}"
  said=$("$@" 2>&1) && return
  echo "that did not work:" >&2
  tail -n 3 <<<"$said" >&2
  return 1
}

apt() { # how to become root, if need be
  install "$@" env DEBIAN_FRONTEND=noninteractive sh -c '
    options="-q -o Acquire::http::Timeout=20 -o Acquire::Retries=1 -o DPkg::Lock::Timeout=120"
    apt-get $options update && apt-get $options install -y --no-install-recommends "$@"' apt "${packages[@]}"
}

names=2
if ! command -v apt-get >/dev/null && command -v brew >/dev/null; then names=3; fi
packages=()
while read -r name; do packages+=("$name"); done < <(missing $names | sort -u)
[ "${#packages[@]}" -gt 0 ] || exit 0

by_hand="install the packages that bring them: ${packages[*]}"
if [ "$names" = 3 ]; then
  by_hand="brew install ${packages[*]}"
elif command -v apt-get >/dev/null; then
  by_hand="sudo apt-get install -y ${packages[*]}"
  if [ "$(id -u)" = 0 ]; then by_hand=${by_hand#sudo }; fi
fi

if [ -z "${NO_INSTALL:-}" ]; then
  if [ "$names" = 3 ] && [ "$(id -u)" != 0 ]; then
    install brew install "${packages[@]}"
  elif command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    apt
  elif command -v apt-get >/dev/null && command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    apt sudo -n
  fi
  hash -r
fi

left=$(missing $names | sort -u | tr '\n' ' ')
[ -n "$left" ] || exit 0
echo "not installed: $left- to install by hand: $by_hand"
exit 1
