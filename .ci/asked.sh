#!/bin/sh
# Asks in one line, before anything is made, for all that `make test` needs and cannot bring itself: as root, with
# apt-get, it brings everything. Exit 3: something is missing, and the line says what.
set -eu
cd "$(dirname "$0")/.."

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then exit 0; fi

packages=
instead=
if [ ! -x .venv/bin/python ] && ! "${PYTHON:-python3}" -c 'import ensurepip, venv' 2>/dev/null; then
    packages=" python3-venv"
    instead=", or another Python: make PYTHON=/path/to/python3.11"
fi
if ! .ci/postgres.sh --find >/dev/null 2>&1; then
    packages="$packages postgresql"
    instead="$instead, or a server's programs: TUNEWIZ_PG_BIN=/path/to/bin"
fi
[ -n "$packages" ] || exit 0
echo "tunewiz set-up: the tests need what is missing here: apt-get install$packages (on Debian and Ubuntu, as root)$instead" >&2
exit 3
