#!/bin/sh
# Prints the directory of the newest PostgreSQL server's programs; installs Debian's server where there is none.
#
#   .ci/postgres.sh           find, else install (as root, with apt-get)
#   .ci/postgres.sh --find    only find
#
# TUNEWIZ_PG_BIN names the directory to use. Exit 3: no server, and one line says what to do.
set -eu
umask 022

is_server() {
    [ -x "$1/postgres" ] && [ -x "$1/initdb" ] && [ -x "$1/pg_ctl" ]
}

# "VERSION DIRECTORY" a line: Debian's layout, then that of PostgreSQL's own RPM packages.
packaged() {
    for bin in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin; do
        if is_server "$bin"; then
            version=${bin#/usr/lib/postgresql/}
            version=${version#/usr/pgsql-}
            printf '%s %s\n' "${version%/bin}" "$bin"
        fi
    done
}

# A distribution's single server, or one built from source.
on_path() {
    server=$(command -v postgres) || return 0
    bin=$(dirname "$(readlink -f "$server")")
    if is_server "$bin"; then printf '%s\n' "$bin"; fi
}

find_server() {
    if [ -n "${TUNEWIZ_PG_BIN:-}" ]; then
        if ! is_server "$TUNEWIZ_PG_BIN"; then
            echo "TUNEWIZ_PG_BIN is $TUNEWIZ_PG_BIN, which holds no postgres, initdb and pg_ctl: correct or unset it." >&2
            exit 3
        fi
        printf '%s\n' "$TUNEWIZ_PG_BIN"
        return
    fi
    newest=$(packaged | sort -n | tail -n 1)
    if [ -n "$newest" ]; then printf '%s\n' "${newest#* }"; else on_path; fi
}

# Debian's package makes and starts a cluster unless told not to: tests make their own. The word to it is taken back
# afterwards, so that whoever installs a server later gets what Debian promises.
install_server() (
    export DEBIAN_FRONTEND=noninteractive
    apt_get() { apt-get -qq -y -o DPkg::Lock::Timeout=300 "$@" </dev/null >&2; }
    apt_get update || echo "apt-get update failed: trying with the package lists that are there." >&2
    apt_get install --no-install-recommends postgresql-common
    no_cluster=/etc/postgresql-common/createcluster.d/tunewiz-tests.conf
    made=
    [ -d "${no_cluster%/*}" ] || made=${no_cluster%/*}
    trap 'rm -f "$no_cluster"; [ -z "$made" ] || rmdir "$made" || :' EXIT
    trap 'exit 1' HUP INT TERM
    mkdir -p "${no_cluster%/*}"
    echo 'create_main_cluster = false' >"$no_cluster"
    apt_get install --no-install-recommends postgresql
)

# PostgreSQL refuses to run as root: the tests start it as this user.
ensure_user() {
    if [ "$(id -u)" -eq 0 ] && ! id postgres >/dev/null 2>&1; then
        useradd --system --no-create-home --shell /usr/sbin/nologin postgres >&2
    fi
}

found=$(find_server)
if [ -z "$found" ] && [ "${1:-}" != --find ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    echo "Installing Debian's PostgreSQL server for the tests (no cluster, no service)." >&2
    install_server
    found=$(find_server)
fi
if [ -z "$found" ]; then
    echo "No PostgreSQL server found: install one (Debian: apt-get install postgresql) or name its programs' directory" \
        "in TUNEWIZ_PG_BIN." >&2
    exit 3
fi
[ "${1:-}" = --find ] || ensure_user
printf '%s\n' "$found"
