# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# A backup that a restart would interrupt: the restart is refused, or waits for it (--wait).

SECONDS_BETWEEN_LOOKS=5

# A base backup over the replication protocol; one by the low-level functions, whose session may be known by its last
# statement or by the name of its tool; a dump. What was begun without a session (exclusive, up to 14) tells itself.
BACKUPS="SELECT pid, 'base backup', application_name FROM pg_stat_replication WHERE state = 'backup'
    UNION ALL SELECT pid, CASE WHEN application_name = 'pg_dump' THEN 'dump' ELSE 'base backup' END, application_name
    FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND (application_name = 'pg_dump'
        OR application_name LIKE 'pgBackRest [backup]%'
        OR query ~* '^[^;]*\mpg_(start_backup|backup_start)[[:space:]]*[(]')"

# The running backups, in BACKUP; fails if there are none.
find_backup() {
    BACKUP=
    find_rows=$(ask "$BACKUPS") || return 1
    while IFS=$US read -r find_pid find_kind find_name; do
        [ -n "$find_pid" ] || continue
        join "$BACKUP" "a $find_kind (process $find_pid${find_name:+, $find_name})"
        BACKUP=$JOINED
    done <<END
$find_rows
END
    case $MAJOR in
        9.* | 10 | 11 | 12 | 13 | 14)
            [ "$(ask 'SELECT pg_is_in_backup()')" != t ] || { join "$BACKUP" 'an exclusive base backup' && BACKUP=$JOINED; }
            ;;
        *) ;;
    esac
    [ -n "$BACKUP" ]
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
