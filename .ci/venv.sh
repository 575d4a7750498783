#!/bin/sh
# Brings a virtual environment in line with a lock; returns at once when it already is.
#
#   .ci/venv.sh DIRECTORY LOCK
#
# LOCK is requirements.lock (the program) or requirements-dev.lock (the program and its tools).
# PYTHON names the interpreter; without it the first of python3, python3.14 ... python3.11 that is new enough.
set -eu
umask 022
cd "$(dirname "$0")/.."
checkout=$(pwd -P)
venv=$1
lock=$2
stamp=$venv/.locked

# One line for each lock that the environment satisfies; the checkout belongs to it, for an environment cannot be moved.
line() {
    printf '%s %s %s\n' "$1" "$(cat "$1" pyproject.toml tunewiz/__init__.py | cksum | tr ' ' '-')" "$checkout"
}

fail() {
    printf 'tunewiz set-up: %s\n' "$*" >&2
    exit 3
}

new_enough() {
    "$1" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' 2>/dev/null
}

interpreter() {
    for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
        if new_enough "$candidate"; then
            command -v "$candidate"
            return
        fi
    done
    fail "Python 3.11 or newer is needed, found ${PYTHON:-$(python3 --version 2>&1 || echo none)}." \
        "Install it, or name it: make PYTHON=/path/to/python3.11"
}

# Debian keeps what makes environments in a package of its own.
ensure_venv_module() {
    "$1" -c 'import ensurepip, venv' 2>/dev/null && return
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
        echo "tunewiz set-up: installing python3-venv" >&2
        { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300 \
            install --no-install-recommends python3-venv; } </dev/null >&2 || true
    fi
    "$1" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "$1 cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv"
}

belongs_here() {
    new_enough "$venv/bin/python" || return 1
    "$venv/bin/python" -c 'import pip' 2>/dev/null || return 1
    [ ! -e "$stamp" ] || grep -q " $checkout\$" "$stamp"
}

if [ -x "$venv/bin/python" ] && [ -e "$stamp" ] && grep -qxF "$(line "$lock")" "$stamp" && new_enough "$venv/bin/python"
then
    exit 0
fi

if ! belongs_here; then
    python=$(interpreter)
    ensure_venv_module "$python"
    echo "tunewiz set-up: making $venv with $("$python" --version)" >&2
    "$python" -m venv --clear "$venv" >&2
fi

kept=$("$venv/bin/python" -m pip cache dir 2>/dev/null) || kept="no cache"
echo "tunewiz set-up: installing the packages of $lock (pip keeps what it downloads in $kept)" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 1' HUP INT TERM
# pip's words are worth reading only when it fails.
install() {
    "$venv/bin/python" -m pip install -q --disable-pip-version-check --no-input --no-deps "$@" </dev/null >"$log" 2>&1 || {
        cat "$log" >&2
        return 1
    }
}
rm -f "$stamp"
install --require-hashes -r "$lock" ||
    fail "the packages of $lock could not be installed (pip's message stands above)." \
        "A package index must be reachable, or PIP_FIND_LINKS must name a folder that holds them."
install --no-build-isolation --no-index --editable . || fail "the checkout could not be installed (see above)."
{
    line "$lock"
    # The tools' lock holds every pin of the program's.
    [ "$lock" != requirements-dev.lock ] || line requirements.lock
} >"$stamp.new"
mv "$stamp.new" "$stamp"
