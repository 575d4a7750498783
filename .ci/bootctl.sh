#!/bin/sh
# Prints the path of systemd's bootctl. If it is not installed, it is taken out of Debian's package, into
# tunewiz/bootctl under the user's cache directory: installed, the package would put a boot loader into place.
#
# Exit 3: it could not be had, and one line says why.
set -eu
umask 022

: "${HOME:=/root}"
target=${XDG_CACHE_HOME:-$HOME/.cache}/tunewiz/bootctl

runs() { "$1" --version >/dev/null 2>&1; }

fail() {
    echo "bootctl.sh: $*" >&2
    exit 3
}

if found=$(command -v bootctl); then
    printf '%s\n' "$found"
    exit 0
fi
if ! runs "$target/usr/bin/bootctl"; then
    if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
        fail "bootctl is not installed, and this is not Debian"
    fi
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    (cd "$work" && apt-get -qq download systemd-boot >/dev/null 2>&1) || fail "apt-get could not download systemd-boot"
    mkdir -p "$target"
    dpkg-deb -x "$work"/*.deb "$target"
    runs "$target/usr/bin/bootctl" || fail "the downloaded bootctl does not run here"
fi
printf '%s\n' "$target/usr/bin/bootctl"
