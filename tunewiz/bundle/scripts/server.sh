# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# The PostgreSQL server: found, and asked.

# The lines of postmaster.pid by which the server was last known.
KNOWN_PID=
# When to give up on a server that accepts us but does not answer.
SECONDS_TO_ANSWER=600
# After which a program that only looks at the server's files is given up. It takes a tenth of a second, but for a pipe
# in the place of a file it would wait for ever.
SECONDS_TO_LOOK=30

# Runs a command as the owner of the data directory, whose files and programs root must not trust.
as_owner() {
    as_user 0 "${OWNER_UID:-$ME}" "$@"
}

# The same for commands that only read, with a time limit.
look_as_owner() {
    as_user "$SECONDS_TO_LOOK" "${OWNER_UID:-$ME}" "$@"
}

# Usage: was_given_up STATUS. Whether as_user ended the command, which had not come to its end.
was_given_up() {
    [ "$1" -eq 124 ] || [ "$1" -eq 137 ]
}

# Usage: read_data NAME [BLOCKS]. A file of the data directory.
read_data() {
    read_file "$ROOT$DATA/$1" ${2:+"$2"}
}

# The running postmaster in POSTMASTER, empty where there is none: its number may be another process's by now, and
# anyone's whom the owner of the file names there. It works in the data directory, under whatever path; where it has
# process numbers of its own (a container), the file has the number that it has there.
find_postmaster() {
    POSTMASTER=
    [ -n "$DATA" ] || return 0
    PID_FILE=$(read_data postmaster.pid 1)
    NAMED_PID=${PID_FILE%%"$NL"*}
    case $NAMED_PID in '' | *[!0-9]*) return 0 ;; *) ;; esac
    [ -d "$ROOT$DATA" ] || return 0
    if works_at_home "$NAMED_PID"; then
        POSTMASTER=$NAMED_PID
        return 0
    fi
    for found_process in $(stat -L -c '%d:%i %n' /proc/[0-9]*/cwd 2>/dev/null | grep -e "^${works_home#* } /" | cut -d / -f 3); do
        if grep -e "^NSpid:.*[[:space:]]$NAMED_PID\$" "/proc/$found_process/status" >/dev/null 2>&1 &&
            works_at_home "$found_process"; then
            POSTMASTER=$found_process
            return 0
        fi
    done
}

# Usage: works_at_home NUMBER. Whether the process is the data directory's owner's, and is in that.
works_at_home() {
    works_told=$(stat -L -c '%u %d:%i' "$ROOT$DATA" "/proc/$1" "/proc/$1/cwd" 2>/dev/null)
    works_home=${works_told%%"$NL"*}
    case $works_told in "$works_home$NL${works_home%% *} "*"$NL"*" ${works_home#* }") return 0 ;; *) return 1 ;; esac
}

# Where the server's programs are, in BIN if they are found: the running server's, the last start's, the usual places.
find_programs() {
    found_exe=
    [ -z "$POSTMASTER" ] || found_exe=$(readlink "/proc/$POSTMASTER/exe" 2>/dev/null)
    ! are_programs_in "${found_exe%/*}" || return 0
    found_opts=$(read_data postmaster.opts 1)
    found_opts=${found_opts%% *}
    for found_dir in "${found_opts%/*}" "$ROOT/usr/lib/postgresql/$MAJOR/bin" "$ROOT/usr/pgsql-$MAJOR/bin" \
        "$ROOT/usr/local/pgsql/bin" "$ROOT/usr/bin"; do
        ! are_programs_in "$found_dir" || return 0
    done
}

# Usage: are_programs_in DIRECTORY. Whether those of the planned release are there: then it is in BIN.
are_programs_in() {
    case $1 in /*) ;; *) return 1 ;; esac
    found_version=$(look_as_owner "$1/postgres" --version 2>/dev/null) || return 1
    found_version=${found_version#*') '}
    case $found_version in "$MAJOR" | "$MAJOR"[!0-9]*) BIN=$1 ;; *) return 1 ;; esac
}

# Everything about the server that later steps ask for; what is wrong becomes a problem.
find_server() {
    POSTMASTER='' OWNER='' OWNER_UID='' OWNER_GID='' BIN=''
    [ -n "$DATA" ] || return 0
    # Before anything is read there: where a group may write on the way, it is read as the server's owner.
    if found_owner=$(stat -c '%u %g %U' "$ROOT$DATA" 2>/dev/null); then
        OWNER_UID=${found_owner%% *}
        OWNER=${found_owner#* }
        OWNER_GID=${OWNER%% *}
        OWNER=${OWNER#* }
        [ "$ME" != 0 ] || group_of "$OWNER_UID"
    else
        # Nothing there is looked at, or run, with our own rights.
        UNSEEN='there is no PostgreSQL data directory (or it may not be read)'
        ! is_closed "$ROOT$DATA" || UNSEEN=$NOT_FOR_ROOT
        problem "$DATA: $UNSEEN"
        return 1
    fi
    # Here, so that it is remembered: each reading is a process of its own.
    find_writer "$ROOT$DATA" || true
    found_major=$(read_data PG_VERSION 1)
    found_major=${found_major%%"$NL"*}
    if [ -z "$found_major" ]; then
        unseen "$ROOT$DATA/PG_VERSION" 'there is no PostgreSQL data directory (or it may not be read)'
        problem "$DATA: $UNSEEN"
        return 1
    fi
    if [ "$found_major" != "$MAJOR" ]; then
        problem "$DATA: planned for PostgreSQL $MAJOR, found $found_major"
        return 1
    fi
    if ! sees -f "$ROOT$CONFIG"; then
        unseen "$ROOT$CONFIG" "the server's configuration file is not there"
        problem "$CONFIG: $UNSEEN"
        return 1
    fi
    find_postmaster
    [ -n "$POSTMASTER" ] || forget_stop
    find_programs
}

# Whether this is the cluster that was planned for, and no other one made in its place since; becomes a problem.
# If nothing shows which, it is taken to be the same.
is_planned_cluster() {
    [ -n "$SYSTEM_ID" ] && [ -n "$BIN" ] || return 0
    found_control=$(look_as_owner "$BIN/pg_controldata" -D "$ROOT$DATA" 2>/dev/null)
    found_status=$?
    if was_given_up "$found_status"; then
        problem "$DATA/global/pg_control: cannot be read to its end (a pipe?), so it is unknown which cluster this is"
        return 1
    fi
    [ "$found_status" -eq 0 ] || return 0
    case $found_control in
        *"system identifier:"*" $SYSTEM_ID$NL"*) return 0 ;;
        *) ;;
    esac
    problem "$DATA: this is another cluster (its system identifier is not $SYSTEM_ID)"
    return 1
}

# Is this the cluster, and does it still read its files?
check_server() {
    find_server || return 0
    if [ -z "$BIN" ]; then
        [ -z "$POSTMASTER" ] || problem "the programs of PostgreSQL $MAJOR were not found"
        return 0
    fi
    is_planned_cluster
    configured data_directory || problem "the server's files are already broken: $CONFIGURED"
    [ -n "$POSTMASTER" ] || return 0
    connect_and_read ||
        problem "the server is running but accepts no connection: ${CONNECT_ERROR:-it does not report its settings}"
}

# Before the first statement of a session, whatever its role and its database are set to: a name never means what another
# user created, nothing is written, text is read as we wrote it.
SAFE_SESSION='-c search_path=pg_catalog,pg_temp -c default_transaction_read_only=on -c standard_conforming_strings=on'

# The same, and no limit on time that was set for others ends our statements: those that the release has.
find_endless_session() {
    ENDLESS_SESSION="$SAFE_SESSION -c statement_timeout=0 -c lock_timeout=0"
    case $MAJOR in 9.5) return 0 ;; *) ENDLESS_SESSION="$ENDLESS_SESSION -c idle_in_transaction_session_timeout=0" ;; esac
    case $MAJOR in 9.* | 1[0-3]) return 0 ;; *) ENDLESS_SESSION="$ENDLESS_SESSION -c idle_session_timeout=0" ;; esac
    case $MAJOR in 1[4-6]) ;; *) ENDLESS_SESSION="$ENDLESS_SESSION -c transaction_timeout=0" ;; esac
}

# Usage: run_psql ARGUMENTS. By the socket that the server itself names, as the role that it lets in.
run_psql() {
    psql_program=$BIN/psql
    [ -x "$psql_program" ] || psql_program=psql
    as_user "$SECONDS_TO_ANSWER" "$OWNER_UID" env PGCONNECT_TIMEOUT=10 PGAPPNAME=tunewiz PGOPTIONS="$PSQL_SESSION" \
        "$psql_program" -XAtqw -v ON_ERROR_STOP=1 -F "$US" -h "$SOCKET" -p "$PORT" -U "$ROLE" "$@"
}

# Usage: ask_psql ARGUMENTS. Whatever is asked, the same session looks first whether it is this server that answers:
# nothing is said to another one.
ask_psql() {
    run_psql -d "$DATABASE" -c "$ASK_WHO" "$@"
}

# No row where postmaster.pid, which each server reads in its own data directory, is to the byte what was read here: the
# process, the directory, the start. Else an error: a division by zero.
find_address() {
    # What find_postmaster read serves once: later it is read anew.
    [ -n "${PID_FILE:-}" ] || PID_FILE=$(read_data postmaster.pid 1)
    know_first=$PID_FILE$NL$NL$NL$NL$NL
    PID_FILE=
    # Where it listens is told later than the rest, and its last word of itself changes while it starts.
    know_rest=${know_first#*"$NL"*"$NL"*"$NL"}
    know_first=${know_first%"$know_rest"}
    PORT=${know_rest%%"$NL"*}
    know_rest=${know_rest#*"$NL"}
    SOCKET=${know_rest%%"$NL"*}
    know_rest=${know_rest#*"$NL"}
    [ -n "$SOCKET" ] || SOCKET=${know_rest%%"$NL"*}
    [ "$know_first$PORT" != "$KNOWN_PID" ] || return 0
    KNOWN_PID=$know_first$PORT know_hex=
    for know_byte in $(printf '%s\n' "$KNOWN_PID" | od -An -v -tx1); do
        know_hex=$know_hex$know_byte
    done
    ASK_WHO="SELECT 1 WHERE 1 / (left(encode(pg_read_binary_file('postmaster.pid'), 'hex'), ${#know_hex}) = '$know_hex')::int = 0"
}

# Where the server is asked, and with which session.
find_way_in() {
    CONNECT_ERROR='it has not recorded where it listens'
    find_endless_session
    PSQL_SESSION=$ENDLESS_SESSION
    find_address
    case $SOCKET in '*' | 0.0.0.0) SOCKET=localhost ;; *) ;; esac
    [ -n "$PORT" ] && [ -n "$SOCKET" ] || return 1
    CONNECT_ERROR=
}

# Finds a role and a database that let us in; proves that the server answers, and that it is this one.
connect() {
    find_way_in || return 1
    # The variable of a loop may be the function's own.
    for connect_role in "$OWNER" postgres; do
        for connect_database in postgres template1; do
            ROLE=$connect_role DATABASE=$connect_database
            # Its warnings are not an answer, and an answer is not an error.
            [ "$(ask 'SELECT 1' 2>/dev/null)" != 1 ] || return 0
            CONNECT_ERROR=${CONNECT_ERROR:-$(ask 'SELECT 1' 2>&1 >/dev/null)}
        done
    done
    case $CONNECT_ERROR in
        *'too many clients'* | *'connection slots are reserved'*)
            CONNECT_ERROR='all its connection slots are taken, those for superusers too (superuser_reserved_connections); end a session first'
            ;;
        *'division by zero'*) CONNECT_ERROR="another server answers at $SOCKET, port $PORT" ;;
        '') CONNECT_ERROR='it gave no answer' ;;
        *) ;;
    esac
    return 1
}

ask() {
    ask_psql -c "$1"
}
