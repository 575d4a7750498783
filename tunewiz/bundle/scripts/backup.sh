# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Work that a restart would interrupt: the restart is refused, or waits for it (--wait). It is known by what it holds and
# by what the server counts, not by its statement or its name, which may be anything.

SECONDS_BETWEEN_LOOKS=5
# What has run for less is soon there again: a server that loads small files all day is restarted between two of them.
SECONDS_OF_LONG_WORK=10

# A process that serves a client has a port; those of the server's own have none.
OF_CLIENTS="a.client_port IS NOT NULL AND a.pid <> pg_catalog.pg_backend_pid()"
LONG_WORK="a.state = 'active' AND a.query_start < pg_catalog.clock_timestamp() - interval '$SECONDS_OF_LONG_WORK s'"

# Usage: holding LOCKS. A condition on process a: it has such locks on tables.
holding() {
    HOLDING="EXISTS (SELECT 1 FROM pg_catalog.pg_locks l
        WHERE l.pid = a.pid AND l.locktype = 'relation' AND l.granted AND $1)"
}

# What runs, in WORK: rows of order, process, what it is, name. 'low-level' are guesses by the last statement, by the name
# of a tool and by the locks that tools take (pgBackRest's; WAL-G's).
find_work_query() {
    WORK="SELECT 1, pid, 'base backup', application_name FROM pg_catalog.pg_stat_replication WHERE state = 'backup'
        UNION ALL SELECT 3, a.pid, 'low-level', a.application_name FROM pg_catalog.pg_stat_activity a WHERE $OF_CLIENTS AND
        (a.application_name LIKE 'pgBackRest [backup]%' OR a.query ~* '\mpg_(start_backup|backup_start)[[:space:]]*[(]'
        OR EXISTS (SELECT 1 FROM pg_catalog.pg_locks l WHERE l.pid = a.pid AND l.locktype = 'advisory'
            AND (l.classid::bigint << 32) | l.objid::bigint IN (12340078987004321, pg_catalog.hashtext('pg_backup'))))"
    # Catalogs that nobody else reads together in one transaction: parsers and templates of text search, conversions,
    # operator families. Whatever is dumped, pg_dump reads them all, once its tables are locked.
    WORK="$WORK UNION ALL SELECT 2, a.pid, 'dump', a.application_name FROM pg_catalog.pg_stat_activity a
        WHERE $OF_CLIENTS AND 4 = (SELECT count(DISTINCT l.relation) FROM pg_catalog.pg_locks l WHERE l.pid = a.pid
            AND l.locktype = 'relation' AND l.granted AND l.relation IN (3601, 3764, 2607, 2753))"
    # What several processes read together, of whatever tool.
    WORK="$WORK UNION ALL SELECT 5, NULL, 'snapshot that others read is held (a dump, a copy)', ''
        WHERE EXISTS (SELECT 1 FROM pg_catalog.pg_ls_dir('pg_snapshots'))"
    case $MAJOR in
        9.* | 10 | 11) find_work_by_locks ;;
        *) find_work_by_progress ;;
    esac
    WORK="SELECT DISTINCT ON (coalesce(pid, 0)) pid, kind, name FROM ($WORK) w(rank, pid, kind, name)
        ORDER BY coalesce(pid, 0), rank"
}

find_work_by_progress() {
    work_of="p.pid = a.pid"
    WORK="$WORK UNION ALL SELECT 4, a.pid, p.command, a.application_name
            FROM pg_catalog.pg_stat_progress_create_index p JOIN pg_catalog.pg_stat_activity a ON $work_of
        UNION ALL SELECT 4, a.pid, p.command, a.application_name
            FROM pg_catalog.pg_stat_progress_cluster p JOIN pg_catalog.pg_stat_activity a ON $work_of"
    case $MAJOR in 12 | 13) return 0 ;; *) ;; esac
    WORK="$WORK UNION ALL SELECT 6, a.pid, p.command, a.application_name
        FROM pg_catalog.pg_stat_progress_copy p JOIN pg_catalog.pg_stat_activity a ON $work_of WHERE $LONG_WORK"
}

# Before 12 the server does not count them. Of those that take such a lock only VACUUM is counted, since 9.6.
find_work_by_locks() {
    holding "l.relation >= 16384 AND l.mode = 'ShareUpdateExclusiveLock'"
    WORK="$WORK UNION ALL SELECT 4, a.pid, 'CREATE INDEX CONCURRENTLY or ANALYZE', a.application_name
        FROM pg_catalog.pg_stat_activity a WHERE $OF_CLIENTS AND a.state = 'active' AND $HOLDING"
    [ "$MAJOR" = 9.5 ] || WORK="$WORK AND a.pid NOT IN (SELECT v.pid FROM pg_catalog.pg_stat_progress_vacuum v)"
    holding "l.relation >= 16384 AND l.mode IN ('ShareLock', 'AccessExclusiveLock')"
    WORK="$WORK UNION ALL SELECT 6, a.pid, 'CREATE INDEX, CLUSTER or the like', a.application_name
        FROM pg_catalog.pg_stat_activity a WHERE $OF_CLIENTS AND $LONG_WORK AND $HOLDING"
}

# The work that runs, in BACKUP; fails if there is none.
find_backup() {
    BACKUP='' GUESSED='' STREAMED=0
    find_work_query
    find_rows=$(ask "$WORK") || return 1
    while IFS=$US read -r find_pid find_kind find_name; do
        case $find_kind in
            '') continue ;;
            'base backup') STREAMED=$((STREAMED + 1)) ;;
            *) ;;
        esac
        find_words="${find_pid:+process $find_pid}${find_pid:+${find_name:+, $find_name}}"
        if [ "$find_kind" = low-level ]; then
            join "$GUESSED" "a base backup ($find_words)" && GUESSED=$JOINED
        else
            join "$BACKUP" "a $find_kind${find_words:+ ($find_words)}" && BACKUP=$JOINED
        fi
    done <<END
$find_rows
END
    find_low_level
    [ -n "$BACKUP" ]
}

# Backups that were begun by functions: nothing that can be asked for tells of one in a session. Exclusive ones, up to 14,
# need no session and tell themselves.
find_low_level() {
    case $MAJOR in
        9.* | 10 | 11 | 12 | 13 | 14)
            [ "$(ask 'SELECT pg_catalog.pg_is_in_backup()')" != t ] ||
                { join "$BACKUP" 'an exclusive base backup' && BACKUP=$JOINED; }
            ;;
        *) ;;
    esac
    if count_backups; then
        [ "$BACKUPS" -gt "$STREAMED" ] || return 0
        GUESSED=${GUESSED:-'a base backup that a session has begun by pg_backup_start or pg_start_backup'}
    fi
    [ -z "$GUESSED" ] || { join "$BACKUP" "$GUESSED" && BACKUP=$JOINED; }
}

# Nothing that someone else is waiting for is ended.
check_backup() {
    find_backup || return 0
    [ -z "$WAIT" ] || ! await_backup || return 0
    problem "a restart would interrupt $BACKUP (--wait waits until it has finished)"
}

# Waits until none is running; fails when asked to stop, and on a dry run, which says so.
await_backup() {
    doing "wait until $BACKUP has finished" || return 0
    while find_backup; do
        [ -z "${STOP:-}" ] || return 1
        [ -z "${MINUTES:-}" ] || ! is_asked || return 1
        sleep "$SECONDS_BETWEEN_LOOKS"
    done
}

# Where the server counts them: in the part of its shared memory that it names 'XLOG Ctl'. The place where the last
# checkpoint began, flags, one counter or two (src/backend/access/transam/xlog.c, the same from 13 to 18).
BYTES_TO_CHECKPOINT=152
BYTES_OF_COUNTERS=20
# Sessions and max_wal_senders together are fewer.
MOST_BACKUPS=100000

# How many backups are running that are not exclusive, in BACKUPS; fails where that cannot be known. Nothing is taken for
# the counter unless the place of this server's last checkpoint stands before it.
count_backups() {
    case $MAJOR in 13 | 14 | 15 | 16 | 17 | 18) ;; *) return 1 ;; esac
    find_counters || return 1
    # What the server's owner has mapped there could keep who reads it waiting.
    counters=$(apart timeout -k 5 "$SECONDS_TO_LOOK" dd "if=/proc/$POSTMASTER/mem" bs=1 "skip=$COUNTERS" \
        "count=$BYTES_OF_COUNTERS" 2>/dev/null | od -An -v -tu4)
    # shellcheck disable=SC2086 # split at the blanks, on purpose
    set -- $counters
    [ "$#" -eq 5 ] && is_number "$1" && is_number "$2" && is_number "$4" && is_number "$5" || return 1
    BACKUPS=$4
    case $MAJOR in 13 | 14) BACKUPS=$5 ;; *) ;; esac
    [ "$BACKUPS" -lt "$MOST_BACKUPS" ] && is_checkpoint "$1" "$2"
}

# The address of the counters in the postmaster's memory, in COUNTERS.
find_counters() {
    find_shared=
    while read -r find_range find_mode _ _ _ find_name; do
        case $find_mode:$find_name in
            rw-s:/dev/zero* | rw-s:/anon_hugepage* | rw-s:/SYSV*) find_shared="$find_shared${find_shared:+,}$find_range" ;;
            *) ;;
        esac
    done 2>/dev/null <"/proc/$POSTMASTER/maps" || return 1
    COUNTERS=$(ask "SELECT first + off + $BYTES_TO_CHECKPOINT FROM pg_catalog.pg_shmem_allocations,
        (SELECT ('x' || lpad(split_part(r, '-', 1), 16, '0'))::bit(64)::bigint, ('x' || lpad(split_part(r, '-', 2), 16, '0'))::bit(64)::bigint
            FROM unnest(string_to_array('$find_shared', ',')) r) m(first, last)
        WHERE name = 'XLOG Ctl' ORDER BY last - first DESC LIMIT 1" 2>/dev/null) && is_number "$COUNTERS"
}

# Usage: is_checkpoint LOW HIGH. Whether a checkpoint of this server can have begun there.
is_checkpoint() {
    [ "$(ask "SELECT $2::bigint * 4294967296 + $1 BETWEEN redo_lsn - '0/0' AND
        CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END - '0/0'
        FROM pg_control_checkpoint()" 2>/dev/null)" = t ]
}
