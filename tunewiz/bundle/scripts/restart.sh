# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Reloads a server, restarts it, and proves by connecting that it is up.

SECONDS_TO_START=600
# When to give up on a control program: it waits for the old server to end, then for the new one.
SECONDS_TO_CONTROL=$((2 * SECONDS_TO_START + 60))

# Reads the files again and waits until the server says it has: an exit status says nothing of it.
reload_server() {
    doing "have the server reload its configuration" || return 0
    loaded_before=$(ask 'SELECT pg_conf_load_time()::text, pg_reload_conf()') || return 1
    tries=0
    while [ "$tries" -lt 200 ]; do
        tries=$((tries + 1))
        if read_rows && setting_of "$LOADED" && [ "$SETTING" != "${loaded_before%"$US"*}" ]; then
            each_setting uncover_setting
            return
        fi
        sleep 0.05
    done
    complain "  the server did not accept its files; its log says why:"
    show_log
    return 1
}

# The systemd unit whose main process is the postmaster, in UNIT; empty where there is none.
find_unit() {
    UNIT=
    while IFS= read -r unit_line; do
        unit_name=${unit_line##*/}
        # Of all that systemd makes groups for, a service alone has a main process.
        case $unit_name in *.service) ;; *) continue ;; esac
        if [ "$(systemctl show -p MainPID -- "$unit_name" 2>/dev/null)" = "MainPID=$POSTMASTER" ]; then
            UNIT=$unit_name
        fi
    done 2>/dev/null <"/proc/$POSTMASTER/cgroup"
}

# How the running server is restarted, and what it must have again afterwards.
know_server() {
    find_unit
    find_keeper
    [ -n "$UNIT" ] || [ "$POSTMASTER" = "$NAMED_PID" ] || WHY_KEPT='it has process numbers of its own (a container)'
    find_log
    know_inherited
}

# Determined and recorded while it runs: it may be down when this is needed. What it must have again after a restart is
# of no use where none is planned, and no automatic rollback may have to start it.
remember_server() {
    remember_all=$RESTART_PLANNED${MINUTES:-}
    if [ -n "$remember_all" ]; then
        know_server
    else
        find_unit
        find_log
    fi
    [ -z "$DRY" ] || return 0
    printf '%s\n' "$UNIT" >"$OWN/unit" && printf '%s\n' "$LOG" >"$OWN/log" && sync "$OWN/unit" "$OWN/log" || return 1
    [ -z "$remember_all" ] || { remember_keeper && remember_inherited; }
}

# Before a rollback. What cannot be written down is known as long as the server runs.
recall_server() {
    if [ -n "$POSTMASTER" ]; then
        remember_server 2>/dev/null || true
        return 0
    fi
    UNIT=$(cat "$OWN/unit" 2>/dev/null)
    LOG=$(cat "$OWN/log" 2>/dev/null)
    case $LOG in /proc/*) LOG= ;; *) ;; esac
    recall_keeper
    recall_inherited
}

# What stands in the way of a restart by us becomes a problem.
check_restart() {
    know_server
    if [ -n "$WHY_KEPT" ]; then
        problem "this script must not restart the server: $WHY_KEPT (use --no-restart, then restart it there yourself)"
        return 0
    fi
    if [ -n "$KEEPER" ] && [ -n "$STOP_PLANNED" ]; then
        problem "the log is moved while the server is down: stop it first, for $PARENT_NAME would start it again ($KEEPER_AT)"
    fi
    [ -n "$UNIT" ] || [ -n "$KEEPER" ] || is_debian_way || check_log
    check_inherited
    check_backup
}

# The way this server is run: its systemd unit, its supervisor, Debian's pg_ctlcluster, else pg_ctl. Also starts a
# server that is down.
run_restart() {
    if [ -n "$UNIT" ]; then
        systemctl restart "$UNIT"
    elif [ -n "$KEEPER" ]; then
        restart_by_keeper
    elif is_debian_way; then
        restart_name=${CONFIG%/*}
        # The root of all clusters' configuration: MAJOR/NAME below it is this one's.
        carried '' env "PG_CLUSTER_CONF_ROOT=$ROOT${CONFIG%/*/*/*}" \
            pg_ctlcluster --skip-systemctl-redirect "$MAJOR" "${restart_name##*/}" restart
    else
        # What the server prints while it starts goes where it went before, and not our terminal; pg_ctl itself prints
        # nothing there, for where nobody reads that pipe any more it would end. The pipe itself is gone with the server.
        case $LOG in /proc/*) [ -e "$LOG" ] || LOG= ;; *) ;; esac
        carried "${LOG:-/dev/null}" "$BIN/pg_ctl" -s restart -w -t "$SECONDS_TO_START" -m fast -D "$ROOT$DATA"
    fi
}

restart_words() {
    if [ -n "$UNIT" ]; then
        WORDS="systemctl restart $UNIT"
    elif [ -n "$KEEPER" ]; then
        WORDS="$KEEPER, $KEEPER_AT"
    elif is_debian_way; then
        WORDS="pg_ctlcluster"
    else
        WORDS="pg_ctl as $OWNER"
    fi
}

# A connection was made: nothing needs to be started again.
note_alive() {
    note server alive || true
    SERVER_WORD=alive
}

# Usage: prove_alive SECONDS. Waits until a connection proves that the server lives; gives up when its process is gone.
prove_alive() {
    tries=0 patience=2
    # A supervisor starts it in its own time.
    [ -z "$KEEPER" ] || patience=60
    while [ "$tries" -lt "$1" ]; do
        tries=$((tries + 1))
        find_postmaster
        if [ -n "$POSTMASTER" ] && connect; then
            return 0
        fi
        [ -n "$POSTMASTER" ] || [ "$tries" -lt "$patience" ] || return 1
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

# Checked once more: a rollback may come after others have changed how the server is run.
may_restart() {
    [ -n "$POSTMASTER" ] || return 0
    restart_problems=$PROBLEMS
    check_restart
    [ "$PROBLEMS" -ne "$restart_problems" ] || [ -n "$START_TRIED" ] || check_start
    START_TRIED=
    [ "$PROBLEMS" -eq "$restart_problems" ] && return 0
    START_REFUSED=1
    complain "  the server was not restarted"
    return 1
}

# Restarts the server (starts it where it is down) and proves that it lives.
restart_server() {
    restart_words
    doing "restart the server ($WORDS)" || return 0
    may_restart || return 1
    if [ -n "$POSTMASTER" ] && [ -z "$RESTART_PLANNED" ]; then
        { RESTART_PLANNED=1 && remember_server; } || [ -n "$UNDOING" ] || return 1
    fi
    identify_postmaster
    restart_from=$RUNNING
    note_stopping || return 1
    read_clock
    restart_began=$CLOCK
    restart_tries=$SECONDS_TO_START
    restart_said=$(run_restart 2>&1) || restart_tries=$SECONDS_TO_END
    if prove_alive "$restart_tries" && is_new_postmaster; then
        time_restart "$WORDS"
        note_alive
        read_settings && has_inherited
        return
    fi
    if [ -n "$POSTMASTER" ] && ! is_new_postmaster && connect; then
        # It runs with its former settings: nothing needs to be restarted to revert them.
        note_alive
        complain "  the server was not restarted: ${restart_said:-no message from its control program}"
        return 1
    fi
    if [ -n "$POSTMASTER" ] && ! is_new_postmaster; then
        complain "  the server was asked to stop, but one of its processes does not end: ${restart_said:-no message from its control program}"
    else
        complain "  the server did not come up: ${restart_said:-no message from its control program}"
    fi
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
    words_of "$F1" "$SETTING"
    complain "  $F1: planned $F7, the server has $WORDS"
    return 1
}

# Puts the files in force: a restart where the plan needs one and it is allowed, else a reload.
activate() {
    if [ -z "$POSTMASTER" ] && [ "$SERVER_WORD" != stopping ]; then
        say "The server is down: the settings take effect when it is started."
        return 0
    fi
    if [ -z "$POSTMASTER" ] || { [ -n "$RESTART_PLANNED" ] && [ -z "$NO_RESTART" ]; }; then
        restart_server || return 1
    else
        reload_server || return 1
    fi
    [ -n "$DRY" ] || { each_setting runs_as_planned && each_step runs; }
}
