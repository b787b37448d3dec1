#!/usr/bin/env bash
# Installs omniscope below a folder: the program, manual pages, completions, licences and environment modules. The
# Dockerfile runs the same steps. It needs no root, unless the folder does.
#
#   deploy/install.sh --prefix DIR --source                          build from this checkout; needs Go
#   deploy/install.sh --prefix DIR --archive FILE --checksums FILE   from a release archive, checked by checksums.txt
#   deploy/install.sh --prefix DIR --archive FILE --sha256 HEX       the same, checked by its SHA-256
#   deploy/install.sh --prefix DIR --program FILE [--sha256 HEX]     a program that is built already
#   deploy/install.sh --programs                                     ffmpeg and tesseract, by apt-get as root
#
# --programs may be given with the others. --version NAME names what --source builds.
# Exit code 1: it failed, and nothing of the program was replaced; 2: wrong usage.
set -euo pipefail
exec </dev/null

here=$(cd "$(dirname "$0")/.." && pwd)
prefix='' from='' file='' checksums='' sha256='' version='' programs=''

fail() {
  printf 'install.sh: %s\n' "$1" >&2
  exit "${2:-1}"
}

take() { # the way that says where the program comes from; one only
  [ -z "$from" ] || fail "give one of --source, --archive and --program" 2
  from=$1
}

while [ $# -gt 0 ]; do
  case $1 in
  -h | --help) sed -n '2,/^set /{ /^#/s/^# \{0,1\}//p; }' "$0"; exit 0 ;;
  --source) take source; shift; continue ;;
  --programs) programs=1; shift; continue ;;
  --prefix | --archive | --checksums | --sha256 | --program | --version)
    [ $# -ge 2 ] && [ -n "$2" ] || fail "$1 takes a value" 2 ;;
  *) fail "no such option: $1; --help lists them" 2 ;;
  esac
  case $1 in
  --prefix) prefix=$2 ;;
  --archive) take archive; file=$2 ;;
  --program) take program; file=$2 ;;
  --checksums) checksums=$2 ;;
  --sha256) sha256=$2 ;;
  --version) version=$2 ;;
  esac
  shift 2
done
[ -n "$from$programs" ] || fail "say what to install: --source, --archive FILE, --program FILE or --programs" 2
if [ -n "$from" ] && [ -z "$prefix" ]; then fail "say where to install: --prefix DIR" 2; fi
if [ "$from" = archive ] && [ -z "$checksums$sha256" ]; then
  fail "an archive is not installed unchecked: give --checksums checksums.txt or --sha256 HEX" 2
fi
if [ -n "$version" ] && [ "$from" != source ]; then fail "--version names what --source builds" 2; fi
case $version in *[!A-Za-z0-9.+_-]*) fail "--version takes letters, digits and . + _ -, not $version" 2 ;; esac

# digest prints the SHA-256 of a file.
digest() {
  if command -v sha256sum >/dev/null; then sha256sum <"$1" | cut -d ' ' -f 1; else shasum -a 256 <"$1" | cut -d ' ' -f 1; fi
}

# check ends the script unless the file has the SHA-256 that was given for it.
check() {
  local want=$sha256 name found
  [ -f "$file" ] || fail "$file: no such file"
  if [ -z "$want" ] && [ -n "$checksums" ]; then
    [ -f "$checksums" ] || fail "$checksums: no such file"
    name=$(basename -- "$file")
    want=$(awk -v name="$name" 'substr($0, 67) == name { print $1 }' "$checksums")
    [ -n "$want" ] || fail "$checksums does not list $name"
  fi
  [ -n "$want" ] || return 0
  found=$(digest "$file")
  [ "$found" = "$(printf %s "$want" | tr A-F a-f)" ] || fail "$file has the SHA-256 $found, not $want: download it again, and do not run it"
}

# get_program puts the program, and the folder of its licences, into the work folder.
get_program() {
  case $from in
  source)
    command -v "${GO:-go}" >/dev/null || fail "no Go: install it, or install from an archive"
    # Where git does not know this folder, the program does not say which commit it is.
    if [ -z "$version" ] && git -C "$here" ls-files --error-unmatch go.mod >/dev/null 2>&1; then
      version=$(git -C "$here" describe --tags --always --long --dirty --abbrev=12)
    fi
    (cd "$here" && CGO_ENABLED=0 "${GO:-go}" build -buildvcs=false -trimpath \
      -ldflags "-s -w${version:+ -X omniscope/internal/version.Stamped=$version}" -o "$work/omniscope" ./cmd/omniscope)
    cp "$here/LICENSE" "$here/NOTICE" "$work/" ;;
  archive)
    check
    mkdir "$work/archive"
    tar -xzf - --no-same-owner -C "$work/archive" <"$file" || fail "$file is no tar archive packed by gzip"
    set -- "$work"/archive/*/omniscope
    [ $# = 1 ] && [ -f "$1" ] || fail "$file holds no omniscope for this system: take the archive of your machine"
    mv "$1" "$work/omniscope"
    for kept in LICENSE NOTICE licences; do
      if [ -e "$(dirname "$1")/$kept" ]; then mv "$(dirname "$1")/$kept" "$work/"; fi
    done ;;
  program)
    check
    cp -- "$file" "$work/omniscope"
    cp "$here/LICENSE" "$here/NOTICE" "$work/" ;;
  esac
  chmod 755 "$work/omniscope"
  said=$("$work/omniscope" --version 2>&1) || fail "the program does not run on this machine: $said"
  version=$(printf '%s\n' "$said" | awk 'NR == 1 { print $NF }')
}

# fill makes below the work folder what goes below the prefix. The program writes its pages and completions itself.
fill() {
  local new=$work/new share=$work/new/share
  mkdir -p "$new/bin" "$share/man/man1" "$share/doc/omniscope" "$share/bash-completion/completions" \
    "$share/zsh/site-functions" "$share/fish/vendor_completions.d" "$share/modulefiles/omniscope"
  mv "$work/omniscope" "$new/bin/omniscope"
  (
    cd "$work" # away from a .env of the caller's
    ./new/bin/omniscope docs --man "$share/man/man1" >/dev/null
    ./new/bin/omniscope completion bash >"$share/bash-completion/completions/omniscope"
    ./new/bin/omniscope completion zsh >"$share/zsh/site-functions/_omniscope"
    ./new/bin/omniscope completion fish >"$share/fish/vendor_completions.d/omniscope.fish"
  )
  for kept in LICENSE NOTICE licences; do
    if [ -e "$work/$kept" ]; then mv "$work/$kept" "$share/doc/omniscope/"; fi
  done
  # Modules find the prefix by where they lie, so that the folder can be moved. Tcl's and Lua's both.
  cp "$here/deploy/modulefiles/omniscope" "$share/modulefiles/omniscope/$version"
  cp "$here/deploy/modulefiles/omniscope.lua" "$share/modulefiles/omniscope/$version.lua"
}

# put copies it all to the prefix. The program comes last, and in one step: who runs it meets the old or the new one.
put() {
  mkdir -p -- "$prefix/bin" || fail "$prefix cannot be written: name another folder with --prefix"
  [ -w "$prefix/bin" ] || fail "$prefix/bin cannot be written: name another folder with --prefix"
  cp -R -- "$work/new/share" "$prefix/"
  cp -- "$work/new/bin/omniscope" "$prefix/bin/.omniscope.$$"
  mv -f -- "$prefix/bin/.omniscope.$$" "$prefix/bin/omniscope"
  printf 'installed omniscope %s in %s\n' "$version" "$prefix"
}

if [ -n "$programs" ]; then
  list='ca-certificates ffmpeg tesseract-ocr tesseract-ocr-eng'
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    fail "--programs needs root and apt-get; by hand: sudo apt-get install -y --no-install-recommends $list"
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get -q update
  # shellcheck disable=SC2086 # a list of names
  apt-get -q install -y --no-install-recommends $list
fi
[ -n "$from" ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
get_program
fill
put
