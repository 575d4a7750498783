#!/bin/sh
# Runs the tests that failed beside all others once more, alone and in order: on a busy machine a test may miss its
# time. Exits 0 only if each of them passes now, and names them: a test that is named again and again has a fault.
# Arguments are pytest's, such as a folder.
set -eu
cd "$(dirname "$0")/.."

# More than these are no accident.
AT_MOST=8

listed=.pytest_cache/v/cache/lastfailed
[ -r "$listed" ] || exit 1
failed=$(sed -n 's/^ *"\(.*\)": true,\{0,1\}$/\1/p' "$listed")
count=$(printf '%s\n' "$failed" | grep -c .) || exit 1
printf '== %s failed beside the others:\n%s\n' "$count" "$failed"
if [ "$count" -gt "$AT_MOST" ]; then
    echo "== more than $AT_MOST: not tried again"
    exit 1
fi
echo "== tried once more, alone"
TUNEWIZ_PG_BIN=$(.ci/postgres.sh)
export TUNEWIZ_PG_BIN
exec .venv/bin/pytest -p no:randomly --last-failed --last-failed-no-failures none "$@"
