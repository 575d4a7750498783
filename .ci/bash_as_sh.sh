#!/bin/sh
# Runs the quick tests of the bundles' scripts where /bin/sh is bash, as on Red Hat's and SUSE's systems: in a mount
# namespace of its own, so that nothing outside it notices. Arguments are test files or folders.
#
# With TUNEWIZ_TEST_DRAW a few files that run every script and every kind of step, and a tenth of the others, drawn by
# name and that date; without, all of them.
#
# Exit 77: it cannot be done here, and one line says why. Other statuses are pytest's.
set -eu
cd "$(dirname "$0")/.."

fail() {
    echo "bash_as_sh.sh: $*" >&2
    exit 77
}

if [ -z "${BASH_IS_SH:-}" ]; then
    bash=$(command -v bash) || fail "bash is not installed"
    command -v unshare >/dev/null || fail "unshare is not installed (Debian: util-linux)"
    export BASH_IS_SH="$bash"
    # A namespace needs rights that some containers do not give.
    unshare -m true 2>/dev/null || fail "no mount namespace can be made here"
    # shellcheck disable=SC2016 # the inner shell's
    exec unshare -m sh -c 'mount --bind "$BASH_IS_SH" "$(readlink -f /bin/sh)" && exec /bin/sh "$0" "$@"' "$0" "$@"
fi
# shellcheck disable=SC3028 # known by bash alone, on purpose
[ -n "${BASH_VERSION:-}" ] || fail "/bin/sh is still another shell"

ALWAYS='tests/bundle/test_confirm.py tests/bundle/test_verify.py tests/kinds/test_kind_all.py'
[ $# -gt 0 ] || set -- tests/bundle tests/kinds tests/attacks
drawn=
for file in $(find "$@" -name 'test_*.py' | sort); do
    number=$(printf '%s %s' "${TUNEWIZ_TEST_DRAW:-}" "$file" | cksum | cut -d ' ' -f 1)
    case ${TUNEWIZ_TEST_DRAW:+$((number % 10))}:" $ALWAYS " in
        '':* | 0:* | *" $file "*) drawn="$drawn $file" ;;
        *) ;;
    esac
done
[ -n "$drawn" ] || fail "no file was drawn"
echo "/bin/sh is bash $BASH_VERSION for:$drawn"
TUNEWIZ_PG_BIN=$(.ci/postgres.sh)
export TUNEWIZ_PG_BIN
# shellcheck disable=SC2086 # names of ours, split on purpose
exec .venv/bin/pytest -q -p no:sweeps -n "$((2 * $(nproc)))" --dist loadgroup -m "not slow and not kernel" $drawn
