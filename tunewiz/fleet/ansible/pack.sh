#!/bin/sh
# Packs a bundle into one script that unpacks it: sh pack.sh BUNDLE SCRIPT
set -eu
umask 077
here=$(dirname "$0")
mkdir -p "$(dirname "$2")"
{
    cat "$here/unpack.sh"
    # The archive has no owner names, and the same bundle gives the same archive.
    tar -C "$1" -cf - . | gzip -n | base64
} >"$2.new"
mv -f "$2.new" "$2"
