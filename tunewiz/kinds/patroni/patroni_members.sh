# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# The members of a Patroni cluster, and the settings in force on their servers.

SECONDS_TO_ASK=60
# Limits in bytes on a configuration and on an answer, which other users write: far above any real size.
PATRONI_BYTES=1048576
PATRONI_ERROR=

# Patroni's configuration file in PATRONI_FILE. It is read, and patronictl runs, with the rights of PATRONI_UID: whoever
# may change the file owns the server, but is not trusted with ours.
find_patroni() {
    [ -z "${PATRONI_FILE:-}" ] || return 0
    for patroni_one in patronictl psql; do
        PATRONI_ERROR="$patroni_one was not found"
        command -v "$patroni_one" >/dev/null || return 1
    done
    patroni_files=
    for patroni_one in "$ROOT"/etc/patroni.yml "$ROOT"/etc/patroni.yaml "$ROOT"/etc/patroni/*.yml "$ROOT"/etc/patroni/*.yaml; do
        [ -f "$patroni_one" ] || continue
        know_patroni_uid "$patroni_one" || return 1
        patroni_text=$(as_user 0 "$PATRONI_UID" timeout -k 5 "$SECONDS_TO_ASK" head -c "$((PATRONI_BYTES + 1))" "$patroni_one" \
            2>/dev/null </dev/null)
        PATRONI_ERROR="$patroni_one: found more than $PATRONI_BYTES bytes, expected a Patroni configuration"
        [ "${#patroni_text}" -le "$PATRONI_BYTES" ] || return 1
        case $NL$patroni_text in *"${NL}scope:"*) ;; *) continue ;; esac
        join "$patroni_files" "$patroni_one"
        patroni_files=$JOINED PATRONI_FILE=$patroni_one
        scope_in "$patroni_text"
        read_superuser
    done
    case $patroni_files in
        '') PATRONI_ERROR="found no Patroni configuration with a scope in $ROOT/etc/patroni or at $ROOT/etc/patroni.yml" ;;
        *', '*) PATRONI_ERROR="expected one Patroni configuration, found $patroni_files" PATRONI_FILE= ;;
        *) return 0 ;;
    esac
    return 1
}

# Usage: scope_in TEXT. The cluster's name in a configuration file, in FILE_SCOPE; empty if it is no plain word.
scope_in() {
    FILE_SCOPE=$(printf '%s\n' "$1" | sed -n 's/^scope: *\(["'"'"']\{0,1\}\)\([A-Za-z0-9._-]*\)\1 *\(#.*\)\{0,1\}$/\2/p' | head -n 1)
}

# Usage: know_patroni_uid FILE. Whoever may lay another file there, else its owner.
know_patroni_uid() {
    PATRONI_ERROR="$1: several users may change it, so each could mislead the other"
    find_writer "$1" || return 1
    PATRONI_UID=$WRITER
    [ -z "$PATRONI_UID" ] || return 0
    patroni_told=$(stat -L -c '%u %A' "$1") || return 1
    PATRONI_UID=${patroni_told%% *}
    [ "$PATRONI_UID" = 0 ] || return 0
    case ${patroni_told#* } in ?????w* | ????????w*) return 1 ;; *) ;; esac
}

# The database's superuser as the file names it, in SUPERUSER, and its password in SUPERUSER_PASSWORD; empty where it is
# elsewhere: libpq then looks into ~/.pgpass.
read_superuser() {
    SUPERUSER=postgres SUPERUSER_PASSWORD=''
    super_text=$(printf '%s\n' "$patroni_text" | sed -n '/^ *superuser:/,/^ *\(replication\|rewind\):/p' | tr ',{}' '[\n*]')
    super_found=$(printf '%s\n' "$super_text" | sed -n 's/^ *username: *//p' | head -n 1)
    [ -z "$super_found" ] || { plain "$super_found" && SUPERUSER=$PLAIN; }
    super_found=$(printf '%s\n' "$super_text" | sed -n 's/^ *password: *//p' | head -n 1)
    [ -z "$super_found" ] || { plain "$super_found" && SUPERUSER_PASSWORD=$PLAIN; }
}

# Usage: patroni ARGUMENT ... What patronictl prints.
patroni() {
    at_most "$PATRONI_BYTES" patroni_asked "$@" </dev/null
}

# Usage: at_most BYTES COMMAND ... Prints its output; fails if the command does, or if it prints more than BYTES.
at_most() {
    most_bytes=$1
    shift
    {
        most_status=$({ { "$@" 3>&- 4>&- && echo 0 >&4 || echo "$?" >&4; } | most_of "$most_bytes"; } 4>&1)
    } 3>&1
    case $most_status in
        *more*) return 1 ;;
        *) return "$most_status" ;;
    esac
}

# Usage: most_of BYTES. Prints at most that much of its input, and tells at_most if there is more.
most_of() {
    head -c "$1" >&3
    [ "$(head -c 1 | wc -c)" -eq 0 ] || echo more >&4
}

patroni_asked() {
    patroni_for "$SECONDS_TO_ASK" "$@"
}

# Usage: patroni_for SECONDS ARGUMENT ...
patroni_for() {
    for_seconds=$1
    shift
    as_user 0 "$PATRONI_UID" timeout -k 5 "$for_seconds" patronictl -c "$PATRONI_FILE" "$@"
}

# The cluster's name in SCOPE, and its members in LISTED, a line NAME|HOST|ROLE|STATE|PENDING each. Patroni 3.0 lists its
# members without the cluster's name.
read_members() {
    PATRONI_ERROR='patronictl does not list the members'
    members_rest=$(patroni list -f json 2>/dev/null) || return 1
    SCOPE=$FILE_SCOPE LISTED=
    case $members_rest in
        *'"Cluster": "'*)
            SCOPE=${members_rest#*'"Cluster": "'}
            SCOPE=${SCOPE%%'"'*}
            ;;
        *) ;;
    esac
    [ -n "$SCOPE" ] || {
        PATRONI_ERROR="patronictl does not list the cluster's name, and $PATRONI_FILE has no plain word as its scope"
        return 1
    }
    while :; do
        case $members_rest in *'"Member": "'*) ;; *) break ;; esac
        members_rest=${members_rest#*'"Member": "'}
        member_record=${members_rest%%'"Member": "'*}
        listed_field Host
        member_line=${members_rest%%'"'*}'|'$LISTED_FIELD
        listed_field Role
        member_line=$member_line'|'$LISTED_FIELD
        listed_field State
        member_line=$member_line'|'$LISTED_FIELD
        listed_field 'Pending restart'
        LISTED=$LISTED$member_line'|'$LISTED_FIELD$NL
    done
    [ -n "$LISTED" ]
}

# Usage: listed_field NAME. Of the member's record, in LISTED_FIELD; empty where it is not there.
listed_field() {
    LISTED_FIELD=
    case $member_record in *"\"$1\": \""*) ;; *) return 0 ;; esac
    LISTED_FIELD=${member_record#*"\"$1\": \""}
    LISTED_FIELD=${LISTED_FIELD%%'"'*}
}

# Usage: each_member FUNCTION ... Calls it for each member, named in MEMBER; stops where it fails.
each_member() {
    member_lines=$LISTED
    while [ -n "$member_lines" ]; do
        MEMBER=${member_lines%%'|'*}
        member_lines=${member_lines#*"$NL"}
        "$@" || return 1
    done
}

# The member's address, role and state, and whether it waits for a restart.
know_member() {
    rest_of "$LISTED" "$MEMBER|" || return 1
    MEMBER_HOST=${REST%%'|'*} MEMBER_PORT=5432
    REST=${REST#*'|'}
    ROLE=${REST%%'|'*}
    MEMBER_PENDING=${REST##*'|'}
    MEMBER_STATE=${REST#*'|'}
    MEMBER_STATE=${MEMBER_STATE%'|'*}
    # The port is given if it is not the usual one. IPv6 addresses have colons too, with groups of up to four digits:
    # there, only five digits are a port.
    know_last=${MEMBER_HOST##*:}
    case $MEMBER_HOST in
        *:*:*)
            case $know_last in [1-9][0-9][0-9][0-9][0-9]) ;; *) know_last= ;; esac
            ;;
        *:*) ;;
        *) know_last= ;;
    esac
    [ -n "$know_last" ] || return 0
    MEMBER_PORT=$know_last
    MEMBER_HOST=${MEMBER_HOST%:*}
}

is_leader() {
    know_member
    case $ROLE in *Leader) return 0 ;; *) return 1 ;; esac
}

is_member_up() {
    know_member
    case $MEMBER_STATE in running | streaming | 'in archive recovery') return 0 ;; *) return 1 ;; esac
}

is_listed_pending() {
    know_member && [ -n "$MEMBER_PENDING" ]
}

# Usage: ask_member NAME. Our settings on its server in SHOWN, a line NAME|VALUE|SOURCE|FILE|TEXT for each; only a superuser
# sees where they come from.
ask_member() {
    know_member
    ask_names=
    each_dynamic name_asked
    SHOWN=$(as_superuser "SELECT concat_ws('|', name, setting, source, regexp_replace(coalesce(sourcefile, ''), '.*/', ''), current_setting(name))
        FROM pg_settings WHERE name IN ($ask_names)
        UNION ALL SELECT concat_ws('|', 'system identifier', system_identifier::text) FROM pg_control_system()" 2>/dev/null)
    case $SHOWN in *'system identifier|'*) return 0 ;; *) ;; esac
    PATRONI_ERROR="$1 does not answer psql as $SUPERUSER: $(as_superuser 'SELECT 1' 2>&1 | head -n 1)"
    return 1
}

# Usage: as_superuser SQL. On the member; patronictl has a query of its own, but starts far more slowly than psql.
as_superuser() {
    (
        # Limits on time stay as the role has them: ours would show in place of the server's.
        PGPASSWORD=$SUPERUSER_PASSWORD PGCONNECT_TIMEOUT=5 PGOPTIONS=$SAFE_SESSION
        export PGCONNECT_TIMEOUT PGOPTIONS
        [ -z "$PGPASSWORD" ] || export PGPASSWORD
        at_most "$PATRONI_BYTES" as_user 0 "$PATRONI_UID" timeout -k 5 "$SECONDS_TO_ASK" psql -XAtqw -v ON_ERROR_STOP=1 \
            -h "$MEMBER_HOST" -p "$MEMBER_PORT" -U "$SUPERUSER" -d postgres -c "$1" </dev/null
    )
}

# The names are those of a plan: letters, digits, _ and a dot.
name_asked() {
    join "$ask_names" "'$F1'"
    ask_names=$JOINED
}

# Usage: shown_of NAME. SHOWN_VALUE, SHOWN_SOURCE, SHOWN_FILE and SHOWN_TEXT of the member that was asked.
shown_of() {
    rest_of "$SHOWN" "$1|" || return 1
    SHOWN_VALUE=${REST%%'|'*}
    SHOWN_SOURCE=${REST#*'|'}
    SHOWN_FILE=${SHOWN_SOURCE#*'|'}
    SHOWN_SOURCE=${SHOWN_SOURCE%%'|'*}
    SHOWN_TEXT=${SHOWN_FILE#*'|'}
    SHOWN_FILE=${SHOWN_FILE%%'|'*}
}

# Can the member be changed, and does it have the values that were planned on?
check_member() {
    ! is_leader || LEADERS=$((LEADERS + 1))
    is_member_up || {
        problem "$MEMBER: expected it to be running, Patroni says $MEMBER_STATE"
        return 0
    }
    [ "$JOURNAL" = begun ] || ! is_listed_pending ||
        problem "$MEMBER: already waits for a restart, which would apply somebody else's changes"
    ask_member "$MEMBER" || {
        problem "$PATRONI_ERROR"
        return 0
    }
    load "$STEPS"
    ! shown_of 'system identifier' || [ -z "$F2" ] || [ "$SHOWN_VALUE" = "$F2" ] ||
        problem "$MEMBER: planned for the database system $F2, found $SHOWN_VALUE"
    each_dynamic check_shown
}

check_shown() {
    if ! shown_of "$F1"; then
        # An extension's setting exists only once its library is loaded.
        case $F1 in *.*) ;; *) problem "$F1 on $MEMBER: there is no such setting" ;; esac
        return 0
    fi
    SHOWN_BEFORE="$SHOWN_BEFORE$MEMBER|$F1|$SHOWN_VALUE|$SHOWN_TEXT$NL"
    # An interrupted run may have changed some of them.
    [ "$JOURNAL" != begun ] || return 0
    [ "$F2" = '?' ] || [ "$SHOWN_VALUE" = "$F2" ] || [ "$SHOWN_VALUE" = "$F3" ] ||
        problem "$F1 on $MEMBER: $F7 when planned, found $SHOWN_TEXT"
    [ "$F6" != everywhere ] || return 0
    case $SHOWN_FILE in
        postgresql.auto.conf) problem "$F1 on $MEMBER: is set by ALTER SYSTEM, which overrides it (ALTER SYSTEM RESET $F1)" ;;
        postgresql.conf)
            dynamic_of "$F1" ||
                problem "$F1 on $MEMBER: is set in the member's own file ($SHOWN_TEXT), which overrides it: remove it there"
            ;;
        *) ;;
    esac
}
