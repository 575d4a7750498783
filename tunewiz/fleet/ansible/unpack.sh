#!/bin/sh
# Unpacks the bundle below into a directory that only its owner can write: sh SCRIPT DIRECTORY
set -eu
umask 022
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
place=$1

main() {
    # Already there, and whole: it may be in use.
    if [ -f "$place/SHA256SUMS" ] && (cd "$place" && sha256sum -c SHA256SUMS) >/dev/null 2>&1; then exit 0; fi
    mkdir -p "${place%/*}"
    chmod go-w "${place%/*}"
    new=$(mktemp -d "$place.XXXXXX")
    trap 'rm -rf "$new"' EXIT
    sed '1,/^#ARCHIVE$/d' "$0" | base64 -d | gzip -d | tar -C "$new" -xof -
    (cd "$new" && sha256sum -c SHA256SUMS) >/dev/null
    chmod -R go-w "$new"
    chmod 755 "$new"
    rm -rf "$place"
    mv "$new" "$place"
    trap - EXIT
    exit 0
}

main
#ARCHIVE
