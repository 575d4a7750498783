# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# A revert without systemd, if asked for: a process that waits and then reverts everything.
# It is weaker: it ends with the machine, and with whoever ends all processes of the login that started it.
#
# $OWN/watcher   the process that waits, as the lock names its holder
# $OWN/deadline  the boot, and the second of it in which the revert begins, of the timer too

check_watcher() {
    command -v setsid >/dev/null || problem "setsid was not found, which detaches the watcher from this terminal"
}

# In a session of its own, unaffected when the terminal closes. By exec: one shell, yash, would stay beside it, and keep
# open what this script prints into.
start_watcher() {
    # shellcheck disable=SC2016 # the inner shell's own arguments
    exec env "TUNEWIZ_STATE_DIR=$STATE" setsid sh -c 'trap "" HUP QUIT && printf "%s\n" "$$" >"$1/watching" && sleep "$2" && shift 2 && exec "$@"' \
        sh "$OWN" "$((MINUTES * 60))" /bin/sh "$OWN/revert/rollback.sh" --unless-confirmed --keep-trying ${NO_RESTART:+--no-restart} \
        </dev/null >"$OWN/watcher.log" 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
    tries=0
    until [ -s "$OWN/watching" ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 50 ] || return 1
        sleep 0.1
    done
    lock_token "$(cat "$OWN/watching")" && printf '%s\n' "$LOCK_TOKEN" >"$OWN/watcher" && sync "$OWN/watcher" "$OWN" &&
        find_watcher
}

# Whether the process that waits is there, in WATCHER_PID.
find_watcher() {
    watcher_token=$(cat "$OWN/watcher" 2>/dev/null) || return 1
    lock_token "${watcher_token%% *}" && [ "$LOCK_TOKEN" = "$watcher_token" ] || return 1
    WATCHER_PID=${watcher_token%% *}
}

# Usage: is_stopped NUMBER. Whether the process does nothing until someone lets it go on.
is_stopped() {
    stopped_stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
    case ${stopped_stat##*') '} in [Tt]*) return 0 ;; *) return 1 ;; esac
}

# Whether a process of the watcher's group is: itself, or what it waits for.
is_watcher_stopped() {
    cat /proc/[0-9]*/stat 2>/dev/null | grep -e ") [Tt] [0-9]* $WATCHER_PID " >/dev/null
}

# Seconds since this machine was booted, in UPTIME: no time of day, which may be set.
read_uptime() {
    read -r UPTIME _ </proc/uptime && UPTIME=${UPTIME%%.*} && is_number "$UPTIME"
}

note_deadline() {
    know_boot
    read_uptime && printf '%s\n' "$BOOT_ID $((UPTIME + MINUTES * 60))" >"$OWN/deadline" && sync "$OWN/deadline"
}

# A revert that has not begun so long after its time does not begin by itself.
SECONDS_LATE=30

# Whether the time of the revert is up and it should have begun, OVERDUE seconds ago.
is_overdue() {
    know_boot
    OVERDUE=$(cat "$OWN/deadline" 2>/dev/null) && [ "${OVERDUE%% *}" = "$BOOT_ID" ] && is_number "${OVERDUE#* }" && read_uptime || return 1
    OVERDUE=$((UPTIME - ${OVERDUE#* }))
    [ "$OVERDUE" -gt "$SECONDS_LATE" ]
}

# Whether the automatic revert of an unconfirmed change is still there, and able to act; if not, why, in REVERT_GONE.
revert_stands() {
    REVERT_GONE=
    if [ -z "${LOCKED:-}" ] && [ -d "$STATE/lock" ] && ! lock_is_stale; then
        # It may be the revert itself; before its time, the revert wakes whoever holds the lock.
        revert_holder=$(cat "$STATE/lock/owner" 2>/dev/null)
        ! is_overdue || ! is_stopped "${revert_holder%% *}" ||
            REVERT_GONE="its time was up $OVERDUE s ago, and the run that holds the lock (process ${revert_holder%% *}) is stopped"
        [ -z "$REVERT_GONE" ]
        return
    fi
    if [ -e "$OWN/watching" ] || [ -e "$OWN/watcher" ]; then
        if ! find_watcher; then
            REVERT_GONE='the process that waited has ended'
        elif is_watcher_stopped; then
            REVERT_GONE="the process that waits ($WATCHER_PID) is stopped (kill -CONT -$WATCHER_PID lets it go on)"
        fi
    else
        name_units
        systemctl --quiet is-active "$TIMER.timer" 2>/dev/null ||
            [ "$(systemctl is-active "$TIMER.service" 2>/dev/null)" = activating ] || REVERT_GONE="$TIMER.timer is not active"
    fi
    # One that was refused a restart waits longer, and tries again.
    [ -e "$OWN/again" ] || ! is_overdue ||
        REVERT_GONE="${REVERT_GONE:+$REVERT_GONE; }its time was up $OVERDUE s ago, and it has not begun"
    [ -z "$REVERT_GONE" ]
}

# The watcher that has become the rollback does not kill itself.
end_watcher() {
    if find_watcher && [ "$WATCHER_PID" != "$$" ]; then
        # One that is stopped ends when it goes on.
        kill -TERM "-$WATCHER_PID" 2>/dev/null && kill -CONT "-$WATCHER_PID" 2>/dev/null || true
    fi
    rm -f "$OWN/watcher" "$OWN/watching"
}
