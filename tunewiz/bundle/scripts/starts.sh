# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# The next boot too: where the server does not start with confirmed values, the former ones come back, once.
#
# Armed by a confirmation, where the guard was asked for and a systemd unit runs the server. systemd then starts it with
# that unit, every time; it ends for good with the first boot in which the server stays up.
#
# $OWN/guarded    apply.sh was asked to guard the change
# $OWN/starts     it is armed
# $OWN/guard.log  what it did

# Failed starts: those of systemd (Restart=), and those that are made here.
STARTS_THAT_FAIL=3
# A server that accepts connections for so long stays up.
SECONDS_TO_STAY_UP=15
SECONDS_BETWEEN_LOOKS=3
# Recovery after a crash may take long; a unit that nobody starts is not waited for as long.
SECONDS_TO_WATCH_STARTS=3600
SECONDS_TO_WAIT_FOR_A_START=60

name_starts() {
    STARTS=tunewiz-starts-$BUNDLE_ID.service
    STARTS_FILE=$ROOT/etc/systemd/system/$STARTS
    # Gone after a reboot, as /run is.
    STARTS_THIS_BOOT=$ROOT/run/tunewiz-starts-$BUNDLE_ID
}

# After it is confirmed. What keeps it from being watched is told: the change stays all the same.
arm_starts() {
    [ -e "$OWN/guarded" ] || return 0
    why_starts_are_not_watched
    if [ -n "$STARTS_NOT" ]; then
        say "The next boot is not watched: $STARTS_NOT."
        rm -f "$OWN/guarded"
        return 0
    fi
    doing "watch whether the server starts after the next boot" || return 0
    name_starts
    if true >"$STARTS_THIS_BOOT" && true >"$OWN/starts" && starts_text >"$OWN/starts.unit" &&
        put_new "$OWN/starts.unit" "$STARTS_FILE" '' 0644 && systemctl daemon-reload &&
        systemctl --quiet enable "$STARTS" && sync "$OWN" "$ROOT/etc/systemd/system"; then
        rm -f "$OWN/guarded"
        say "Until the server has come up after the next boot, its starts are watched: after $STARTS_THAT_FAIL that fail, this is rolled back."
        return 0
    fi
    disarm_starts
    complain "The next boot is not watched: systemd did not take $STARTS."
}

why_starts_are_not_watched() {
    STARTS_NOT='' GUARD_NEEDS='' GUARD_CANNOT=''
    UNIT=$(cat "$OWN/unit" 2>/dev/null)
    need_mounted "$STATE"
    case $UNIT in
        '') STARTS_NOT='no systemd unit runs the server' ;;
        *[!A-Za-z0-9:_.@\\-]*) STARTS_NOT="the server's unit has an unusual name" ;;
        *) ;;
    esac
    [ -z "$GUARD_CANNOT" ] || STARTS_NOT="$GUARD_CANNOT: a systemd unit can only name letters, digits and /._@:+,=-"
    can_systemctl || STARTS_NOT='systemd does not run this machine'
}

starts_text() {
    cat <<END
[Unit]
Description=Watch whether PostgreSQL starts with the tunewiz bundle $BUNDLE_ID
ConditionPathExists=$OWN/starts
RequiresMountsFor=$GUARD_NEEDS

[Service]
Environment=TUNEWIZ_STATE_DIR=$STATE
ExecStart=/bin/sh $OWN/revert/rollback.sh --if-starts-fail
SuccessExitStatus=3 4
KillMode=process
OOMScoreAdjust=-900

[Install]
WantedBy=$UNIT
END
}

# Nothing to do where it is not armed.
disarm_starts() {
    name_starts
    [ -e "$STARTS_FILE" ] || [ -e "$OWN/starts" ] || return 0
    doing "stop watching the server's starts" || return 0
    systemctl --quiet disable "$STARTS" 2>/dev/null || true
    rm -f "$STARTS_FILE" "$STARTS_THIS_BOOT" "$OWN/starts" "$OWN/starts.unit"
    sync "$OWN" "$ROOT/etc/systemd/system"
    systemctl daemon-reload || complain "  systemd still shows $STARTS, which does nothing any more"
}

# Returns once so many starts have failed that it is to be rolled back; else it ends the script. Without the lock.
watch_starts() {
    read_journal
    [ -e "$OWN/starts" ] && [ "$JOURNAL:$CONFIRMED" = applied:1 ] || die 3 "Nothing to watch: this bundle is not confirmed, or was watched already."
    name_starts
    find_server || die 5 "The server's starts cannot be watched (above)."
    UNIT=$(cat "$OWN/unit")
    starts_failed=0 starts_restarts=0 starts_up=0 starts_idle=0 starts_watched=0
    while [ "$starts_watched" -lt "$SECONDS_TO_WATCH_STARTS" ]; do
        look_at_start
        [ "$starts_failed" -lt "$STARTS_THAT_FAIL" ] || return 0
        sleep "$SECONDS_BETWEEN_LOOKS"
        starts_watched=$((starts_watched + SECONDS_BETWEEN_LOOKS))
    done
    log_starts "the server was not up after $((SECONDS_TO_WATCH_STARTS / 60)) min, and its start had not failed: it is watched again at the next one"
    exit 0
}

look_at_start() {
    count_restarts
    unit_property "$UNIT" ActiveState
    case $GIVEN in
        active) look_whether_up ;;
        failed) count_failed_start ;;
        inactive) look_whether_idle ;;
        *) starts_up=0 starts_idle=0 ;;
    esac
}

# systemd's own attempts: each follows one that failed.
count_restarts() {
    unit_property "$UNIT" NRestarts
    number_of "$GIVEN" 0
    if [ "$NUMBER" -gt "$starts_restarts" ]; then
        starts_failed=$((starts_failed + NUMBER - starts_restarts)) starts_up=0
        log_starts "start $starts_failed of the server failed"
    fi
    starts_restarts=$NUMBER
}

# systemd has given it up: it is tried again here.
count_failed_start() {
    starts_failed=$((starts_failed + 1)) starts_up=0 starts_idle=0
    log_starts "start $starts_failed of the server failed, and systemd does not try again"
    [ "$starts_failed" -lt "$STARTS_THAT_FAIL" ] || return 0
    # Its counter begins anew.
    systemctl reset-failed -- "$UNIT" 2>/dev/null
    starts_restarts=0
    systemctl --no-block start -- "$UNIT"
}

# A unit with nothing but a control program is active without a server.
look_whether_up() {
    starts_idle=0
    find_postmaster
    if [ -z "$POSTMASTER" ] || ! connect; then
        starts_up=0
        return 0
    fi
    starts_up=$((starts_up + SECONDS_BETWEEN_LOOKS))
    [ "$starts_up" -lt "$SECONDS_TO_STAY_UP" ] || end_well
}

end_well() {
    HEALTH_LOGGED=1
    run_health "after a start of the server"
    log_starts "the server is up${UNHEALTHY:+, and NOT healthy: $UNHEALTHY (not rolled back for that: it was confirmed)}"
    [ -e "$STARTS_THIS_BOOT" ] || disarm_starts
    exit 0
}

# Somebody has stopped it, or systemd has yet to begin.
look_whether_idle() {
    starts_up=0 starts_idle=$((starts_idle + SECONDS_BETWEEN_LOOKS))
    [ "$starts_idle" -lt "$SECONDS_TO_WAIT_FOR_A_START" ] || exit 0
}

# With the lock, before anything is put back. Whatever becomes of it, it is done once.
begin_after_failed_starts() {
    [ -e "$OWN/starts" ] && [ "$JOURNAL:$CONFIRMED" = applied:1 ] || die 3 "Somebody else has rolled it back meanwhile."
    log_starts "rolling back: the server did not start $starts_failed times with the values of this bundle"
    disarm_starts
    systemctl stop -- "$UNIT" 2>/dev/null
}

# The former values are in its files again. In a process of its own: what it finds out is no part of the rollback.
start_with_former_values() {
    systemctl reset-failed -- "$UNIT" 2>/dev/null
    systemctl start -- "$UNIT"
    (prove_alive "$SECONDS_TO_START") || {
        log_starts "the server does not start with its former values either: look at its log"
        return 0
    }
    LEFT_DOWN=
    log_starts "the server has started with its former values"
}

# Usage: log_starts TEXT. In systemd's journal, and among the records.
log_starts() {
    complain "$1"
    { printf 'starts %s\n' "$1" >>"$OWN/guard.log"; } 2>/dev/null || true
}
