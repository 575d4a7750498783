# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Stops the server for what cannot be done while it runs; whoever stops it starts it again with restart_server.

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

# Stops the server if it is running, and leaves it down.
stop_server() {
    stop_said=
    may_restart || return 1
    if [ -n "$POSTMASTER" ]; then
        # Before the checkpoint, which may end a server whose disk is full.
        note server stopping || [ -n "$UNDOING" ] || return 1
        SERVER_WORD=stopping
        ask CHECKPOINT >/dev/null 2>&1
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
