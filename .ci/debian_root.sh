#!/bin/sh
# Makes the Debian root in which the packages are installed and removed: an archive with Python, man and no more.
#
#   .ci/debian_root.sh         prints the archive's path
#
# It lands in TUNEWIZ_DEBIAN_ROOT; without that variable, in tunewiz/debian.tar under the user's cache directory.
# What is there already is left alone. Exit 3: it could not be made, and one line says why.
set -eu
umask 022

: "${HOME:=/root}"
target=${TUNEWIZ_DEBIAN_ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/tunewiz/debian.tar}

fail() {
    printf 'debian_root.sh: %s\n' "$*" >&2
    exit 3
}

if [ ! -s "$target" ]; then
    command -v mmdebstrap >/dev/null || fail "mmdebstrap is missing (Debian: apt-get install mmdebstrap)"
    mkdir -p "$(dirname "$target")"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM
    # Debian 12 is the oldest release with Python 3.11.
    mmdebstrap --quiet --variant=minbase --include=python3,man-db bookworm "$work/root.tar" </dev/null \
        >"$work/log" 2>&1 || fail "mmdebstrap failed: $(tail -n 1 "$work/log")"
    mv "$work/root.tar" "$target"
fi
printf '%s\n' "$target"
