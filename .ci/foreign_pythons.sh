#!/bin/sh
# Unpacks Debian's Python for other architectures, for programs that run under qemu's user-mode emulation.
#
#   .ci/foreign_pythons.sh [ARCHITECTURE ...]     Debian's names; s390x ppc64el arm64 without arguments
#
# A root lands in a folder of its architecture's name under TUNEWIZ_FOREIGN; without that variable, in
# tunewiz/foreign under the user's cache directory. What is there already is left alone. Nothing is installed:
# apt works in a scratch root of its own, with this machine's sources and keys.
#
# One line for each root that could not be had says why. Exit 0: all are there, 4: some are not.
set -eu
umask 022

: "${HOME:=/root}"
target=${TUNEWIZ_FOREIGN:-${XDG_CACHE_HOME:-$HOME/.cache}/tunewiz/foreign}

say() { printf 'foreign_pythons.sh: %s\n' "$*" >&2; }

# qemu's name of a Debian architecture.
emulator() {
    case $1 in
        ppc64el) echo qemu-ppc64le-static ;;
        arm64) echo qemu-aarch64-static ;;
        *) echo "qemu-$1-static" ;;
    esac
}

scratch_apt() { # ARCHITECTURE COMMAND ...
    architecture=$1
    shift
    apt-get -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
        -o Dir::State="$work/state" -o Dir::State::status="$work/state/status" -o Dir::Cache="$work/cache" \
        -o Dir::Cache::archives="$work/cache/archives" -o Debug::NoLocking=1 -o APT::Sandbox::User=root \
        -o DPkg::Pre-Invoke= -o APT::Update::Post-Invoke= -o DPkg::Post-Invoke= "$@" </dev/null >"$work/apt.log" 2>&1
}

# An absolute link would lead out of the root to this machine's own loader.
make_links_relative() { # ROOT
    find "$1" -type l -lname '/*' | while read -r link; do
        path=$(readlink "$link")
        if [ -e "$1$path" ]; then
            ln -sfn "$(realpath --relative-to="$(dirname "$link")" "$1$path")" "$link"
        fi
    done
}

fetch() { # ARCHITECTURE
    rm -rf "$work"
    mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/root"
    : >"$work/state/status"
    # Sources of others than Debian may have nothing for this architecture: what is missing shows at the next step.
    scratch_apt "$1" update || true
    scratch_apt "$1" install -y --download-only --no-install-recommends python3 || {
        say "$1: apt-get could not fetch python3: $(tail -n 1 "$work/apt.log")"
        return 1
    }
    for package in "$work"/cache/archives/*.deb; do dpkg-deb -x "$package" "$work/root"; done
    make_links_relative "$work/root"
    "$(emulator "$1")" -L "$work/root" "$work/root/usr/bin/python3" -c 'import ssl, zlib, lzma' 2>"$work/run.log" || {
        say "$1: its Python does not run under $(emulator "$1"): $(tail -n 1 "$work/run.log")"
        return 1
    }
    rm -rf "${target:?}/$1"
    mv "$work/root" "$target/$1"
}

[ $# -gt 0 ] || set -- s390x ppc64el arm64
for tool in apt-get dpkg-deb; do
    command -v "$tool" >/dev/null || { say "$tool is missing: Debian's packages cannot be fetched here" && exit 4; }
done
mkdir -p "$target"
work=$(mktemp -d "$target/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
missing=
for architecture in "$@"; do
    if [ -x "$target/$architecture/usr/bin/python3" ]; then continue; fi
    if ! command -v "$(emulator "$architecture")" >/dev/null; then
        say "$architecture: $(emulator "$architecture") is missing (Debian: apt-get install qemu-user-static)"
        missing=yes
    elif ! fetch "$architecture"; then
        missing=yes
    fi
done
[ -z "$missing" ] || exit 4
