#!/bin/sh
# Prints the folder with Patroni for the system's Python, which any user can run. If it is not there, it is installed
# from a package index into tunewiz/patroni under the user's cache directory, or into TUNEWIZ_PATRONI.
# TUNEWIZ_PATRONI_VERSION names another version than the one that the tests usually run with: give it a folder too.
#
# Exit 3: it could not be had, and one line says why.
set -eu
umask 022

: "${HOME:=/root}"
target=${TUNEWIZ_PATRONI:-${XDG_CACHE_HOME:-$HOME/.cache}/tunewiz/patroni}
version=${TUNEWIZ_PATRONI_VERSION:-4.1.5}
python=/usr/bin/python3
# Patroni before 3.3 takes any version of these, and was made for those of its time.
case $version in
    [12].* | 3.[012].*) ydiff='ydiff<1.3' click='click<8.2' ;;
    *) ydiff=ydiff click=click ;;
esac

runs() { PYTHONPATH=$1 "$python" -c 'import patroni.ctl, psycopg' 2>/dev/null; }

fail() {
    echo "patroni.sh: $*" >&2
    exit 3
}

if ! runs "$target"; then
    [ -x "$python" ] || fail "$python is not there"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    "${PYTHON:-python3}" -m venv "$work/venv" >/dev/null 2>&1 || fail "no virtual environment can be made"
    "$work/venv/bin/pip" --disable-pip-version-check -q --python "$python" install --target "$work/lib" \
        "patroni[etcd3]==$version" "$ydiff" "$click" 'psycopg[binary]>=3.1' >"$work/log" 2>&1 || fail "$(tail -n 1 "$work/log")"
    rm -rf "$target"
    mkdir -p "${target%/*}"
    mv "$work/lib" "$target"
    runs "$target" || fail "the installed Patroni does not run with $python"
fi
printf '%s\n' "$target"
