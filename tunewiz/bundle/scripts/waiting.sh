# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Waits for a server that takes no connection: one that recovers, shuts down, or has not quite ended.

# A server that we told to stop may end a good while later: its last process is given some time.
await_end() {
    [ -z "$DRY" ] || return 0
    tries=$SECONDS_TO_END
    while [ -n "$POSTMASTER" ] && ! connect && [ "$tries" -gt 0 ]; do
        tries=$((tries - 1))
        sleep 1
        find_postmaster
    done
}

# The state of the unit, in GIVEN. Its server may end a moment before the unit has.
await_unit() {
    tries=$SECONDS_TO_END
    unit_property "$UNIT" ActiveState
    while [ "$GIVEN" = deactivating ] && [ "$tries" -gt 0 ]; do
        tries=$((tries - 1))
        sleep 1
        unit_property "$UNIT" ActiveState
    done
}

# As long as its parent has not asked how it ended, a server that was killed keeps its number, and no other one starts.
await_burial() {
    [ -z "$DRY" ] && is_number "$NAMED_PID" || return 0
    tries=$SECONDS_TO_END
    while [ -e "/proc/$NAMED_PID" ] && ! process_start "$NAMED_PID" && [ "$tries" -gt 0 ]; do
        tries=$((tries - 1))
        sleep 1
    done
}

# Recovery after a crash reads what was logged since the last checkpoint, and a shutdown writes what has changed since.
SECONDS_TO_RECOVER=300 SECONDS_TO_SHUT_DOWN=300
# Of a server that nobody wanted to stop. One that systemd stops while it recovers from a crash, because the kernel killed
# one of its processes (OOMPolicy=stop), may wait for its checkpointer for ever: seen with PostgreSQL 15.20.
SECONDS_FOR_FAILED=60

# Usage: read_or_wait. Asks the server for its settings. One that recovers from a crash, or shuts down, takes no connection.
# With the values that made it crash it may do so again: it is told at once to read its files, which are restored, and then
# waited for.
read_or_wait() {
    if [ -n "$DRY" ]; then
        connect_and_read
        return
    fi
    waited_for='' ended_at_once=''
    until connect_and_read; do
        if ! is_passing || ! is_waited_for; then
            find_postmaster
            return 1
        fi
        sleep 1
        find_postmaster
    done
}

# Whether it is there, not told by us to stop, and takes no connection for a while: which state it passes, in PASSING. For
# a shutdown only an automatic rollback waits: who rolls back by hand is told how to end it.
is_passing() {
    PASSING=
    [ -n "$POSTMASTER" ] && [ -n "$SOCKET" ] && [ -n "$PORT" ] && [ -n "$BIN" ] || return 1
    [ "$SERVER_WORD" != stopping ] || return 1
    case $(read_data postmaster.pid | sed -n 8p) in
        stopping*)
            PASSING=shutdown
            [ -n "${FIRED:-}" ]
            return
            ;;
        *) PASSING=recovery ;;
    esac
    look_as_owner "$BIN/pg_isready" -q -t 5 -h "$SOCKET" -p "$PORT" >/dev/null 2>&1
    [ $? -eq 1 ]
}

# Whether there is time left for the state that it passes.
is_waited_for() {
    read_uptime || return 1
    if [ "$waited_for" != "$PASSING" ]; then
        waited_for=$PASSING
        "begin_$PASSING"
    fi
    [ "$UPTIME" -lt "$wait_ends" ] || end_at_once
}

begin_recovery() {
    wait_ends=$((UPTIME + SECONDS_TO_RECOVER))
    say "The server is recovering: it is told to read its former files, and waited for."
    signal_server HUP
}

begin_shutdown() {
    wait_seconds=$SECONDS_TO_SHUT_DOWN
    ! is_stopped_failed || wait_seconds=$SECONDS_FOR_FAILED
    wait_ends=$((UPTIME + wait_seconds))
    say "The server is shutting down: its end is waited for, at most $wait_seconds s."
}

# Usage: end_at_once. By an immediate shutdown, if nobody wanted to stop it: the next start recovers it. Once.
end_at_once() {
    [ "$PASSING" = shutdown ] && [ -z "$ended_at_once" ] && is_stopped_failed || return 1
    ended_at_once=1
    wait_ends=$((UPTIME + SECONDS_TO_END))
    say "systemd stops the server because it failed ($GIVEN), and it does not end: it is shut down at once, to be started."
    signal_server QUIT
}

# Usage: signal_server SIGNAL. With the rights of its owner.
signal_server() {
    # shellcheck disable=SC2016 # the inner shell's own
    as_owner sh -c 'kill -s "$1" "$2"' sh "$1" "$POSTMASTER" 2>/dev/null || true
}

# Whether an automatic rollback finds that its unit stops it because one of its processes failed, not because somebody
# asked for that; how it failed is in GIVEN.
is_stopped_failed() {
    starts_died && [ -n "$UNIT" ] || return 1
    unit_property "$UNIT" Result
    case $GIVEN in '' | success | timeout) return 1 ;; *) ;; esac
}
