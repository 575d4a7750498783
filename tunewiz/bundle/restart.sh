# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# A server is told to read its files again, is restarted, and proved alive by connecting.

SECONDS_TO_START=600
WAITING=

# Reads the files again and waits until the server says it has: an exit status says nothing of it.
reload_server() {
    doing "let the server read its files again" || return 0
    loaded_before=$(ask 'SELECT pg_conf_load_time()') || return 1
    ask 'SELECT pg_reload_conf()' >/dev/null || return 1
    tries=0
    while [ "$tries" -lt 50 ]; do
        tries=$((tries + 1))
        loaded=$(ask 'SELECT pg_conf_load_time()')
        if [ -n "$loaded" ] && [ "$loaded" != "$loaded_before" ]; then
            read_settings
            return
        fi
        sleep 0.2
    done
    complain "  the server did not take its files; its log says why:"
    show_log
    return 1
}

# The systemd unit whose main process is the postmaster, in UNIT; empty where there is none.
find_unit() {
    UNIT=
    while IFS= read -r unit_line; do
        unit_name=${unit_line##*/}
        if [ "$(systemctl show -p MainPID -- "$unit_name" 2>/dev/null)" = "MainPID=$POSTMASTER" ]; then
            UNIT=$unit_name
        fi
    done 2>/dev/null <"/proc/$POSTMASTER/cgroup"
}

# Where the server's log is, while it still runs: the collector's file, else where its errors go.
find_log() {
    if [ -f "$ROOT$DATA/current_logfiles" ]; then
        LOG=$(read_data current_logfiles | sed -e 's/^[a-z]* //' -e q)
        case $LOG in '' | /*) ;; *) LOG=$ROOT$DATA/$LOG ;; esac
    else
        LOG=$(readlink "/proc/$POSTMASTER/fd/2" 2>/dev/null)
        [ -f "$LOG" ] || LOG=
    fi
}

# How this server is restarted is settled while it runs, and written down: it may be down when it is needed.
remember_server() {
    find_unit
    find_log
    [ -z "$DRY" ] || return 0
    printf '%s\n' "$UNIT" >"$OWN/unit" && printf '%s\n' "$LOG" >"$OWN/log" && sync "$OWN/unit" "$OWN/log"
}

recall_server() {
    UNIT=$(cat "$OWN/unit" 2>/dev/null)
    LOG=$(cat "$OWN/log" 2>/dev/null)
}

show_log() {
    if [ -n "$LOG" ] && [ -f "$LOG" ]; then
        as_user 60 "$OWNER_UID" tail -n 20 "$LOG" | while IFS= read -r log_line; do complain "    $log_line"; done
    elif [ -n "$UNIT" ] && command -v journalctl >/dev/null; then
        journalctl -q --no-pager -n 20 -u "$UNIT" 2>/dev/null | while IFS= read -r log_line; do complain "    $log_line"; done
    else
        complain "    (its log was not found)"
    fi
}

# The way this server is run: its systemd unit, Debian's pg_ctlcluster, else pg_ctl. Also starts a server that is down.
run_restart() {
    if [ -n "$UNIT" ]; then
        systemctl restart "$UNIT"
    elif [ "$CLUSTER_KIND" = debian ] && command -v pg_ctlcluster >/dev/null; then
        restart_name=${CONFIG%/*}
        # The root of all clusters' configuration: MAJOR/NAME below it is this one's.
        as_owner env "PG_CLUSTER_CONF_ROOT=$ROOT${CONFIG%/*/*/*}" \
            pg_ctlcluster --skip-systemctl-redirect "$MAJOR" "${restart_name##*/}" restart
    else
        # What the server prints while it starts goes where it went before; it must not hold our terminal.
        # shellcheck disable=SC2016 # the inner shell's own arguments
        as_owner sh -c 'log=$1 && shift && exec "$@" </dev/null >>"$log" 2>&1' sh "${LOG:-/dev/null}" \
            "$BIN/pg_ctl" restart -w -t "$SECONDS_TO_START" -m fast -D "$ROOT$DATA"
    fi
}

restart_words() {
    if [ -n "$UNIT" ]; then
        WORDS="systemctl restart $UNIT"
    elif [ "$CLUSTER_KIND" = debian ] && command -v pg_ctlcluster >/dev/null; then
        WORDS="pg_ctlcluster"
    else
        WORDS="pg_ctl as $OWNER"
    fi
}

# Waits until a connection proves that the server lives; gives up when its process is gone.
prove_alive() {
    tries=0
    while [ "$tries" -lt "$SECONDS_TO_START" ]; do
        tries=$((tries + 1))
        find_postmaster
        if [ -n "$POSTMASTER" ] && connect; then
            return 0
        fi
        [ -n "$POSTMASTER" ] || [ "$tries" -lt 2 ] || return 1
        sleep 1
    done
    return 1
}

# Which postmaster runs, by number and start, in RUNNING; nothing where there is none.
identify_postmaster() {
    RUNNING=
    [ -z "$POSTMASTER" ] || ! process_start "$POSTMASTER" || RUNNING="$POSTMASTER $PROCESS_START"
}

# The old server may live on where its control program refused: it answers, but with its old settings.
is_new_postmaster() {
    identify_postmaster
    [ "$RUNNING" != "$restart_from" ]
}

# Restarts the server (starts it where it is down) and proves that it lives.
restart_server() {
    restart_words
    doing "restart the server ($WORDS)" || return 0
    # What is written now need not be written while everyone waits.
    [ -z "$POSTMASTER" ] || ask CHECKPOINT >/dev/null 2>&1
    identify_postmaster
    restart_from=$RUNNING
    note server stopping || return 1
    restart_said=$(run_restart 2>&1) || true
    if prove_alive && is_new_postmaster; then
        note server alive
        read_settings
        return
    fi
    if [ -n "$POSTMASTER" ] && ! is_new_postmaster; then
        # It lives with its former settings: nothing has to be started to take them back.
        note server alive
        complain "  the server was not restarted: ${restart_said:-no word from its control program}"
        return 1
    fi
    complain "  the server did not come up: ${restart_said:-no word from its control program}"
    show_log
    return 1
}

# Usage: runs_as_planned. Of the loaded setting: what the server has is what was planned, or waits for a restart.
runs_as_planned() {
    setting_of "$F1" || SETTING='no such setting' PENDING=f
    [ "$SETTING" != "$F6" ] || return 0
    if [ "$F3" = restart ] && [ "$PENDING" = t ] && [ -n "$NO_RESTART" ]; then
        return 0
    fi
    complain "  $F1: planned $F6, the server has $SETTING"
    return 1
}

# Puts the files in force: a restart where the plan needs one and it is allowed, else a reload.
activate() {
    if [ -z "$POSTMASTER" ] && [ "$SERVER_WORD" != stopping ]; then
        say "The server is down: the settings count when it is started."
        return 0
    fi
    if [ -z "$POSTMASTER" ] || { [ -n "$RESTART_PLANNED" ] && [ -z "$NO_RESTART" ]; }; then
        restart_server || return 1
    else
        reload_server || return 1
    fi
    [ -n "$DRY" ] || { each_setting runs_as_planned && each_unit unit_runs_as_planned; }
}

# Whether one of our settings waits for a restart, in WAITING.
note_waiting() {
    setting_of "$F1" || return 0
    [ "$PENDING" = t ] || return 0
    join "$WAITING" "$F1"
    WAITING=$JOINED
}

# After the files are back: in force again, by a restart where a setting needs it. Starts a server that we stopped.
deactivate() {
    WAITING=
    if [ -z "$POSTMASTER" ]; then
        # At boot it is started after us, in its turn.
        if [ "$SERVER_WORD" = stopping ] && [ -z "${AT_BOOT:-}" ]; then
            say "The server is down since our restart: starting it with its former files."
            restart_server
            return
        fi
        say "The server is down: its files are as before, it was not started."
        return 0
    fi
    reload_server || return 1
    if [ -n "$DRY" ]; then
        [ -z "$RESTART_PLANNED" ] || [ -n "$NO_RESTART" ] || say "would restart the server where a setting waits for it"
        return 0
    fi
    each_setting note_waiting
    each_unit note_waiting_unit
    [ -n "$WAITING" ] || return 0
    if [ -n "$NO_RESTART" ]; then
        say "Waiting for a restart of the server: $WAITING"
        return 0
    fi
    restart_server
}
