# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Stops the server for what cannot be done while it runs; whoever stops it starts it again with restart_server.
#
# $OWN/stopping  which start of the server was told to stop: each start writes postmaster.opts anew

# How long its last processes may take to end after it was stopped.
SECONDS_TO_END=30

# Whether a process of a server works in the data directory, a postmaster or what one left behind.
is_inhabited() {
    find_postmaster
    # Its program may have another name: edb-postgres.
    [ -z "$POSTMASTER" ] || return 0
    home=$(stat -L -c %d:%i "$ROOT$DATA")
    for inhabitant in $(stat -L -c '%d:%i %n' /proc/[0-9]*/cwd 2>/dev/null | grep -e "^$home " | cut -d / -f 3); do
        case $(readlink "/proc/$inhabitant/exe" 2>/dev/null) in
            */postgres | */postgres' (deleted)') return 0 ;;
            *) ;;
        esac
    done
    return 1
}

# By its systemd unit, else pg_ctl, which stops a cluster of Debian's too.
run_stop() {
    if [ -n "$UNIT" ]; then
        systemctl stop "$UNIT"
    else
        as_user "$SECONDS_TO_CONTROL" "$OWNER_UID" "$BIN/pg_ctl" stop -w -t "$SECONDS_TO_START" -m fast -D "$ROOT$DATA" </dev/null
    fi
}

# The same in words, in WORDS.
stop_words() {
    WORDS="pg_ctl as $OWNER"
    [ -z "$UNIT" ] || WORDS="systemctl stop $UNIT"
}

# The last start of the server, in LAST_START; empty where it cannot be told.
find_last_start() {
    LAST_START=$(look_as_owner stat -c '%i %y' "$ROOT$DATA/postmaster.opts" 2>/dev/null)
}

# It is written down that the server is about to be stopped, before the checkpoint, which may end a server whose disk is
# full. Without the start, which is no reason not to undo, the next run takes the server for stopped by this one.
note_stopping() {
    rm -f "$OWN/stopping" 2>/dev/null
    find_last_start
    { printf '%s\n' "$LAST_START" >"$OWN/stopping" && sync "$OWN/stopping"; } 2>/dev/null || rm -f "$OWN/stopping" 2>/dev/null
    note server stopping || [ -n "$UNDOING" ] || return 1
    SERVER_WORD=stopping
    # What is written now does not have to be written while everyone waits.
    [ -z "$POSTMASTER" ] || ask CHECKPOINT >/dev/null 2>&1 || true
}

# The state in the server's control file, in CONTROL_STATE: 1 shut down, 2 a standby shut down, 6 in production. It comes
# after the system identifier and two version numbers, 16 bytes, in every version (src/include/catalog/pg_control.h).
find_control_state() {
    CONTROL_STATE=$(read_data global/pg_control | od -An -tu4 -j16 -N4 | tr -d ' ')
}

# Whether the server that we told to stop has run since, and wrote so into its control file.
has_run_since() {
    read_line "$OWN/stopping" || return 1
    find_last_start
    [ -n "$LINE" ] && [ -n "$LAST_START" ] && [ "$LAST_START" != "$LINE" ] || return 1
    find_control_state
    case $CONTROL_STATE in 1 | 2 | 6) ;; *) return 1 ;; esac
    [ -n "$(look_as_owner find "$ROOT$DATA/global/pg_control" -newer "$ROOT$DATA/postmaster.opts" 2>/dev/null)" ]
}

# Of a server that is down: an earlier run may have been cut off after its word that it stops it. Where it has run since,
# whoever ended it then did not do it for us.
forget_stop() {
    [ "${SERVER_WORD:-}" = stopping ] && has_run_since || return 0
    SERVER_WORD=alive
}

# Stops the server if it is running, and leaves it down.
stop_server() {
    stop_said=
    may_restart || return 1
    if [ -n "$POSTMASTER" ]; then
        note_stopping || return 1
        tries=$SECONDS_TO_END
        stop_said=$(run_stop 2>&1) || tries=1
        while is_inhabited && [ "$tries" -gt 0 ]; do
            tries=$((tries - 1))
            sleep 1
        done
    fi
    is_inhabited || return 0
    complain "  the server does not stop: ${stop_said:-one of its processes is left}"
    return 1
}
