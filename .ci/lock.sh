#!/bin/sh
# Compiles pyproject.toml into the two locks: exact versions for every Linux architecture, with the hashes of all files.
#
#   .ci/lock.sh              keeps the pins that still fit
#   .ci/lock.sh --upgrade    takes the newest versions that pyproject.toml allows
set -eu
umask 022
cd "$(dirname "$0")/.."
uv_version=0.13.8
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
"${PYTHON:-python3}" -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q --disable-pip-version-check "uv==$uv_version"

compile() {
    lock=$1
    shift
    touch "$lock"
    # Compiled from the old lock without its comment, so that its pins stand as preferences.
    cp "$lock" "$scratch/$lock"
    "$scratch/venv/bin/uv" pip compile -q --universal --python-version 3.11 --extra binary --generate-hashes \
        --no-header --no-annotate --output-file "$scratch/$lock" "$@" pyproject.toml
    {
        echo "# Made by \"make lock\" from pyproject.toml; do not edit. For Python 3.11 and newer on every Linux architecture:"
        echo "# the hashes name all files of a release, and the markers leave out what has no file for an architecture."
        cat "$scratch/$lock"
    } >"$scratch/new"
    cat "$scratch/new" >"$lock"
}

compile requirements.lock --group setup "$@"
compile requirements-dev.lock --group dev --constraint requirements.lock "$@"
