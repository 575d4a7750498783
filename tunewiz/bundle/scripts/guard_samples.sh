# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# What the guard reads of server and host, a line of numbers for each moment. Whatever the server prints is a number, or
# it counts for nothing.

# How long a statement of ours may take, and the program that asks it.
GUARD_STATEMENT='10s'
GUARD_SECONDS_TO_ANSWER=20
# Sums are told modulo this: fewer digits than shells and awk calculate with.
GUARD_MODULO=1000000000000000
GUARD_FIELDS=14
GUARD_SAMPLES='' GUARD_TIMED=transaction GUARD_PAGE=4096

# Usage: guard_ask STATEMENT. Without the patience that other questions have.
guard_ask() {
    guard_session=$PSQL_SESSION guard_patience=$SECONDS_TO_ANSWER
    PSQL_SESSION="$SAFE_SESSION -c statement_timeout=$GUARD_STATEMENT -c lock_timeout=1s"
    SECONDS_TO_ANSWER=$GUARD_SECONDS_TO_ANSWER
    ask "$1"
    guard_asked=$?
    PSQL_SESSION=$guard_session SECONDS_TO_ANSWER=$guard_patience
    return "$guard_asked"
}

# What this release can tell, as one statement in GUARD_SQL; after connect.
find_guard_sql() {
    guard_sum="% $GUARD_MODULO"
    guard_lsn='pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() ELSE pg_current_wal_lsn() END'
    guard_points='SELECT sum(checkpoints_timed + checkpoints_req) FROM pg_stat_bgwriter'
    guard_client="backend_type = 'client backend'"
    guard_birth="SELECT (extract(epoch FROM backend_start) * 1000)::bigint FROM pg_stat_activity WHERE backend_type = 'checkpointer'"
    guard_lock="wait_event_type = 'Lock'" guard_io="wait_event_type = 'IO'"
    guard_receiver="(SELECT count(*) FROM pg_stat_wal_receiver WHERE status = 'streaming')"
    guard_time='sum(active_time) * 1000' guard_calls='sum(xact_commit + xact_rollback)' GUARD_TIMED=transaction
    case $MAJOR in 9.* | 10 | 11 | 12 | 13) guard_time='sum(NULL::bigint)' ;; *) ;; esac
    case $MAJOR in
        9.*)
            guard_lsn='pg_xlog_location_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_xlog_receive_location() ELSE pg_current_xlog_location() END'
            guard_client=true guard_birth='NULL::bigint'
            ;;
        1[0-6]) ;;
        *) guard_points='SELECT sum(num_timed + num_requested) FROM pg_stat_checkpointer' ;;
    esac
    [ "$MAJOR" != 9.5 ] || { guard_lock=waiting guard_io=false guard_receiver=0; }
    find_statements
    GUARD_SQL="SELECT d.*,
 (SELECT trunc(($guard_time)::numeric) $guard_sum FROM $guard_from), (SELECT ($guard_calls)::numeric $guard_sum FROM $guard_from),
 $guard_lsn, '0/0') $guard_sum, ($guard_points),
 (SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND application_name NOT LIKE 'pg_basebackup%') + $guard_receiver,
 a.*, ($guard_birth)
FROM (SELECT sum(xact_commit) $guard_sum, sum(xact_rollback) $guard_sum, sum(deadlocks) $guard_sum,
 sum(temp_bytes) $guard_sum, sum(blks_read) $guard_sum FROM pg_stat_database) AS d,
 (SELECT count(*), count(CASE WHEN $guard_lock THEN 1 END), count(CASE WHEN $guard_io THEN 1 END)
 FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() AND $guard_client) AS a"
}

# Whether the database that lets us in counts statements, by the extension's own function, in a schema that nobody but a
# superuser could have given that name: then time and calls are those of statements.
find_statements() {
    guard_from=pg_stat_database
    guard_place=$(guard_ask "SELECT n.nspname, 'total_exec_time' = ANY (p.proargnames) FROM pg_proc AS p
 JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass
 JOIN pg_extension AS e ON e.oid = d.refobjid JOIN pg_namespace AS n ON n.oid = p.pronamespace
 JOIN pg_roles AS o ON o.oid = n.nspowner JOIN pg_database AS b ON b.datname = current_database()
 JOIN pg_roles AS s ON s.oid = b.datdba
 WHERE e.extname = 'pg_stat_statements' AND p.proname = 'pg_stat_statements'
 AND (o.rolsuper OR o.rolname = 'pg_database_owner' AND s.rolsuper)" 2>/dev/null) || return 0
    case ${guard_place%"$US"*} in '' | *[!a-z0-9_]* | [0-9]*) return 0 ;; *) ;; esac
    guard_column=total_time
    [ "${guard_place##*"$US"}" != t ] || guard_column=total_exec_time
    guard_place="${guard_place%"$US"*}.pg_stat_statements(false)"
    guard_ask "SELECT sum($guard_column) FROM $guard_place" >/dev/null 2>&1 || return 0
    guard_from=$guard_place guard_time="sum($guard_column) * 1000" guard_calls='sum(calls)' GUARD_TIMED=statement
}

# Usage: clean_number TEXT. The number, or - for anything else, added to CLEAN.
clean_number() {
    if is_number "$1"; then CLEAN="$CLEAN $1"; else CLEAN="$CLEAN -"; fi
}

# Usage: clean_answer TEXT. A row of the server's as numbers in CLEAN, and when its checkpointer started in GUARD_BIRTH.
clean_answer() {
    CLEAN=
    clean_rest=${1%%"$NL"*}$US clean_count=0
    while [ "$clean_count" -lt "$GUARD_FIELDS" ]; do
        clean_count=$((clean_count + 1))
        clean_field=${clean_rest%%"$US"*}
        clean_rest=${clean_rest#*"$US"}
        if [ "$clean_count" -eq "$GUARD_FIELDS" ]; then GUARD_BIRTH=$clean_field; else clean_number "$clean_field"; fi
    done
    is_number "$GUARD_BIRTH" || GUARD_BIRTH=
}

# Usage: read_named FILE NAME ... What follows these names in a file of the kernel's, added to CLEAN.
read_named() {
    named_file=$1
    shift
    for named_one in "$@"; do
        named_value=$(sed -n "s/^$named_one:\{0,1\} \{1,\}\([0-9]\{1,\}\).*/\1/p" "$named_file" 2>/dev/null | head -n 1)
        clean_number "$named_value"
    done
}

# Usage: read_pressure FILE. How much of the last ten seconds some process was held up, in 1/100 %, added to CLEAN.
read_pressure() {
    pressure_value=$(sed -n 's/^some avg10=\([0-9]*\)\.\([0-9][0-9]\) .*/\1\2/p' "$1" 2>/dev/null | sed 's/^0*\(.\)/\1/')
    clean_number "$pressure_value"
}

# The file that counts kills in the control group of the running server, in GUARD_GROUP; empty where there is none.
find_group() {
    GUARD_GROUP=
    [ -n "$POSTMASTER" ] || return 0
    while IFS= read -r group_line; do
        case $group_line in
            *:memory:/*) GUARD_GROUP=$ROOT/sys/fs/cgroup/memory/${group_line#*:memory:/}/memory.oom_control ;;
            0::/*) [ -n "$GUARD_GROUP" ] || GUARD_GROUP=$ROOT/sys/fs/cgroup/${group_line#0::/}/memory.events ;;
            *) ;;
        esac
    done 2>/dev/null <"/proc/$POSTMASTER/cgroup"
    [ -r "$GUARD_GROUP" ] || GUARD_GROUP=
}

# The host's part, added to CLEAN.
read_host() {
    read_named "$ROOT/proc/vmstat" pswpin pswpout oom_kill
    read_named "${GUARD_GROUP:-/dev/null}" oom_kill
    read_named "$ROOT/proc/meminfo" MemAvailable
    swap_free=$(sed -n 's/^SwapFree: *\([0-9]*\) .*/\1/p' "$ROOT/proc/meminfo" 2>/dev/null)
    swap_total=$(sed -n 's/^SwapTotal: *\([0-9]*\) .*/\1/p' "$ROOT/proc/meminfo" 2>/dev/null)
    swap_used=
    ! is_number "$swap_free" || ! is_number "$swap_total" || swap_used=$((swap_total - swap_free))
    clean_number "$swap_used"
    for pressure_of in memory io cpu; do
        read_pressure "$ROOT/proc/pressure/$pressure_of"
    done
}

# Usage: guard_sample SIDE. Adds a line to GUARD_SAMPLES; fails where the server should have answered and did not.
guard_sample() {
    guard_answer='' GUARD_BIRTH='' guard_answered=0
    if [ -n "$GUARD_SQL" ]; then
        guard_answer=$(guard_ask "$GUARD_SQL" 2>/dev/null) || guard_answered=1 guard_answer=
    fi
    clean_answer "$guard_answer"
    read_host
    read_clock
    GUARD_SAMPLES="$GUARD_SAMPLES$1 ${CLOCK:--}$CLEAN$NL"
    return "$guard_answered"
}
