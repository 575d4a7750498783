# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# The PostgreSQL server: found, and asked.

US=$(printf '\037')

# Runs a command as the owner of the data directory, whose files and programs root must not trust.
as_owner() {
    if [ "$(id -u)" = "$OWNER_UID" ]; then
        "$@"
    elif command -v runuser >/dev/null; then
        runuser -u "$OWNER" -- "$@"
    else
        setpriv --reuid="$OWNER_UID" --regid="$OWNER_GID" --init-groups -- "$@"
    fi
}

# The running postmaster in POSTMASTER, empty where there is none: its number may be another process's by now.
find_postmaster() {
    POSTMASTER=
    [ -n "$DATA" ] || return 0
    # In braces: one shell tells of a missing file before it looks where errors go.
    { read -r found_pid <"$ROOT$DATA/postmaster.pid"; } 2>/dev/null || return 0
    case $found_pid in '' | *[!0-9]*) return 0 ;; *) ;; esac
    [ "$(readlink "/proc/$found_pid/cwd" 2>/dev/null)" = "$(readlink -f "$ROOT$DATA")" ] || return 0
    POSTMASTER=$found_pid
}

# Where the server's programs are, in BIN if they are found: the running server's, the last start's, the usual places.
find_programs() {
    found_opts=$(head -n 1 "$ROOT$DATA/postmaster.opts" 2>/dev/null)
    found_opts=${found_opts%% *}
    found_exe=
    [ -z "$POSTMASTER" ] || found_exe=$(readlink "/proc/$POSTMASTER/exe" 2>/dev/null)
    for found_dir in "${found_exe%/*}" "${found_opts%/*}" "$ROOT/usr/lib/postgresql/$MAJOR/bin" \
        "$ROOT/usr/pgsql-$MAJOR/bin" "$ROOT/usr/local/pgsql/bin" "$ROOT/usr/bin"; do
        case $found_dir in /*) ;; *) continue ;; esac
        found_version=$(as_owner "$found_dir/postgres" --version 2>/dev/null) || continue
        found_version=${found_version#*') '}
        case $found_version in
            "$MAJOR" | "$MAJOR"[!0-9]*)
                BIN=$found_dir
                return 0
                ;;
            *) ;;
        esac
    done
}

# Everything about the server that later steps ask for; what is wrong becomes a problem.
find_server() {
    POSTMASTER='' OWNER='' OWNER_UID='' OWNER_GID='' BIN=''
    [ -n "$DATA" ] || return 0
    found_major=$(cat "$ROOT$DATA/PG_VERSION" 2>/dev/null)
    if [ -z "$found_major" ]; then
        problem "$DATA: there is no PostgreSQL data directory (or it may not be read)"
        return 1
    fi
    if [ "$found_major" != "$MAJOR" ]; then
        problem "$DATA: planned for PostgreSQL $MAJOR, found $found_major"
        return 1
    fi
    if [ ! -f "$ROOT$CONFIG" ]; then
        problem "$CONFIG: the server's configuration file is not there"
        return 1
    fi
    OWNER=$(stat -c %U "$ROOT$DATA")
    OWNER_UID=$(stat -c %u "$ROOT$DATA")
    OWNER_GID=$(stat -c %g "$ROOT$DATA")
    find_postmaster
    find_programs
}

# Is this the cluster, and does it still read its files?
check_server() {
    find_server || return 0
    if [ -z "$BIN" ]; then
        [ -z "$POSTMASTER" ] || problem "the programs of PostgreSQL $MAJOR were not found"
        return 0
    fi
    if [ -n "$SYSTEM_ID" ] && found_control=$(as_owner "$BIN/pg_controldata" -D "$ROOT$DATA" 2>/dev/null); then
        case $found_control in
            *"system identifier:"*" $SYSTEM_ID$NL"*) ;;
            *) problem "$DATA: this is another cluster (its system identifier is not $SYSTEM_ID)" ;;
        esac
    fi
    if ! found_error=$(as_owner "$BIN/postgres" -D "$ROOT$DATA" -c config_file="$ROOT$CONFIG" -C data_directory 2>&1); then
        problem "the server's files are not in order as they are: $found_error"
    fi
    [ -n "$POSTMASTER" ] || return 0
    connect || problem "the server runs but takes no connection: $CONNECT_ERROR"
}

# Usage: ask_psql ARGUMENTS. By the socket that the server itself names, as the role that it lets in.
ask_psql() {
    psql_program=$BIN/psql
    [ -x "$psql_program" ] || psql_program=psql
    PGCONNECT_TIMEOUT=10 PGAPPNAME=tunewiz PGOPTIONS='' as_owner "$psql_program" -XAtqw -v ON_ERROR_STOP=1 -F "$US" \
        -h "$SOCKET" -p "$PORT" -U "$ROLE" -d "$DATABASE" "$@"
}

# Finds a role and a database that let us in; proves that the server answers.
connect() {
    CONNECT_ERROR='it has not written where it listens'
    PORT=$(sed -n 4p "$ROOT$DATA/postmaster.pid" 2>/dev/null)
    SOCKET=$(sed -n 5p "$ROOT$DATA/postmaster.pid" 2>/dev/null)
    [ -n "$SOCKET" ] || SOCKET=$(sed -n 6p "$ROOT$DATA/postmaster.pid" 2>/dev/null)
    case $SOCKET in '*' | 0.0.0.0) SOCKET=localhost ;; *) ;; esac
    [ -n "$PORT" ] && [ -n "$SOCKET" ] || return 1
    CONNECT_ERROR=
    # The variable of a loop may be the function's own.
    for connect_role in "$OWNER" postgres; do
        for connect_database in postgres template1; do
            ROLE=$connect_role DATABASE=$connect_database
            connect_said=$(ask_psql -c 'SELECT 1' 2>&1)
            [ "$connect_said" != 1 ] || return 0
            CONNECT_ERROR=${CONNECT_ERROR:-$connect_said}
        done
    done
    return 1
}

ask() {
    ask_psql -c "$1"
}
