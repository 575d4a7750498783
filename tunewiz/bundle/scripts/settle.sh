# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# After the files are restored: the running server has what it had before, or what is outstanding is named.
#
# What is outstanding is found by asking the server, every time: a run that was cut off before a reload or a restart,
# or could not write down that it was, leaves nothing that the next one takes for restored.

WAITING=

# Whether a step for the server was begun, so that something may be outstanding.
server_was_begun() {
    [ "$SERVER_WORD" != stopping ] || return 0
    begun=1
    while [ "$begun" -lt "$STEPS" ]; do
        begun=$((begun + 1))
        was_intended "$begun" || continue
        load "$begun"
        turn_of
        [ "$TURN" = last ] || return 0
    done
    return 1
}

# Takes the server to what its files say. Fails, told, where that is not so; what was left to wait is in WAITING.
settle_server() {
    WAITING='' LEFT_DOWN='' FOREIGN_RUNNING='' FOREIGN_TOLD=''
    [ -n "$DATA" ] && server_was_begun || return 0
    [ -z "$SERVER_MISSING" ] || return 1
    find_postmaster
    [ "$SERVER_WORD" != stopping ] || await_end
    if [ -z "$POSTMASTER" ]; then
        settle_stopped || return 1
    else
        settle_running || return 1
    fi
    is_lost settings || return 0
    complain "  what the server had before is lost ($LOST_FILE): it is unknown whether it has that again"
    return 1
}

# At boot it is started after us anyway.
settle_stopped() {
    WHY_STARTED=
    if [ -n "${AT_BOOT:-}" ]; then
        :
    elif [ "$SERVER_WORD" = stopping ]; then
        WHY_STARTED='has been down since our restart'
    elif has_died; then
        WHY_STARTED='was not stopped, it died'
    fi
    if [ -n "$WHY_STARTED" ]; then
        say "The server $WHY_STARTED: starting it with its former files."
        await_burial
        restart_server || return 1
        [ -z "$DRY" ] || return 0
        is_settled && tell_foreign
        return
    fi
    say "The server is down: its files are as before, it was not started."
    [ ! -f "$OWN/unit" ] || LEFT_DOWN=1
    [ -n "$DRY" ] || compare_files
    tell_foreign
}

# Whether this run starts a server that died. Who rolls back by hand starts it himself.
starts_died() {
    [ -n "${FIRED:-}" ] && [ -z "$NO_RESTART" ] && [ -f "$OWN/keeper" ]
}

# Whether an automatic rollback finds the server down without anybody having stopped it: it left its number behind, as
# one that is killed does, or its unit has failed otherwise than by a stop that took too long.
has_died() {
    starts_died || return 1
    ! is_number "$NAMED_PID" || return 0
    [ -n "$UNIT" ] || return 1
    await_unit
    case $GIVEN in
        # systemd is about to start it again.
        activating) return 0 ;;
        failed) ;;
        *) return 1 ;;
    esac
    unit_property "$UNIT" Result
    [ "$GIVEN" != timeout ]
}

settle_running() {
    if ! read_or_wait; then
        if [ -z "$POSTMASTER" ]; then
            settle_stopped
            return
        fi
        complain "The server accepts no connection: ${CONNECT_ERROR:-it does not report its settings}"
        [ "${PASSING:-}" != shutdown ] ||
            complain "  it is shutting down: once it has ended, run rollback.sh again (pg_ctl stop -m immediate ends it at once)"
        [ "$SERVER_WORD" != stopping ] ||
            complain "  the server was asked to stop, but one of its processes does not end; once it has, rollback.sh starts it again"
        return 1
    fi
    [ "$SERVER_WORD" != stopping ] || [ -n "$DRY" ] || note_alive
    compare_settings
    if [ "$RESTORED" -gt 0 ] || [ -n "$OURS_RUNNING$FOREIGN_RUNNING" ]; then
        reload_server || return 1
    fi
    if [ -n "$DRY" ]; then
        [ -z "$RESTART_PLANNED" ] || [ -n "$NO_RESTART" ] || say "would restart the server if a setting is waiting for it"
        return 0
    fi
    find_waiting
    if [ -n "$OURS_STUCK" ]; then
        tell_foreign
        complain "  the server still has what was planned: $OURS_RUNNING"
        return 1
    fi
    if [ -n "$WAITING" ]; then
        settle_by_restart
    else
        tell_foreign
    fi
}

# What only a restart can restore, in WAITING.
find_waiting() {
    compare_settings
    WAITING=$OURS_RUNNING
    each_step waits
}

# Settings that others have changed since: left alone, and named once.
tell_foreign() {
    [ -n "$FOREIGN_RUNNING" ] || return 0
    join "$FOREIGN_LEFT" "$FOREIGN_RUNNING"
    FOREIGN_LEFT=$JOINED
    while [ -n "$FOREIGN_TOLD" ]; do
        complain "left alone, changed by someone else since: ${FOREIGN_TOLD%%"$NL"*}"
        FOREIGN_TOLD=${FOREIGN_TOLD#*"$NL"}
    done
}

settle_by_restart() {
    if [ -n "$NO_RESTART" ]; then
        tell_foreign
        say "Waiting for a restart of the server: $WAITING"
        return 0
    fi
    if ! may_stop; then
        tell_foreign
        complain "  the server was not restarted (above). Waiting for its restart: $WAITING"
        return 1
    fi
    restart_server || return 1
    # Someone else's line that ours had hidden is in force from now on.
    if is_settled; then WAITING=; fi
    tell_foreign
    [ -z "$WAITING" ]
}

# After a restart or a start: the running server has nothing of ours left.
is_settled() {
    compare_settings
    [ -n "$OURS_RUNNING" ] || return 0
    complain "  the server still has what was planned: $OURS_RUNNING"
    return 1
}

# Before anything is taken back by hand: a restart that cannot be made safely is refused, as apply.sh refuses it.
look_before_rollback() {
    [ -z "$NO_RESTART" ] && [ -n "$POSTMASTER" ] && server_was_begun || return 0
    connect_and_read || return 0
    needs_restart || return 0
    PROBLEMS=0 LOOKING_BACK=1
    check_fitness
    each_setting refuse_foreign_value
    check_start
    LOOKING_BACK=
    [ "$PROBLEMS" -eq 0 ] || die 4 "Refused, nothing was changed: the server would have to be restarted (above)." \
        "With --no-restart, everything that needs no restart is rolled back."
}

# Whether something in force can be removed only with a restart.
needs_restart() {
    WAITING=
    each_setting note_bound
    each_step bound
    [ -n "$WAITING" ]
}

# If the loaded setting is running as planned and needs a restart, adds it to WAITING.
note_bound() {
    [ "$F3" = restart ] && setting_of "$F1" && [ "$SETTING" = "$F6" ] || return 0
    before_of "$F1"
    was_before "$SETTING" || WAITING=$F1
}
