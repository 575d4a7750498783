# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# A revert without systemd, if asked for: a process that waits and then reverts everything.
# It is weaker: it ends with the machine, and with whoever ends all processes of the login that started it.
#
# $OWN/watcher  the process that waits, as the lock names its holder

check_watcher() {
    command -v setsid >/dev/null || problem "setsid was not found, which detaches the watcher from this terminal"
}

# In a session of its own, unaffected when the terminal closes.
start_watcher() {
    # shellcheck disable=SC2016 # the inner shell's own arguments
    TUNEWIZ_STATE_DIR=$STATE setsid sh -c 'trap "" HUP QUIT && printf "%s\n" "$$" >"$1/watching" && sleep "$2" && shift 2 && exec "$@"' \
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

# Whether the automatic revert of an unconfirmed change is still there; if not, why, in REVERT_GONE.
revert_stands() {
    REVERT_GONE=
    # Another run that is at work may be the revert itself.
    if [ -z "${LOCKED:-}" ] && [ -d "$STATE/lock" ] && ! lock_is_stale; then
        return 0
    fi
    if [ -e "$OWN/watching" ] || [ -e "$OWN/watcher" ]; then
        find_watcher || REVERT_GONE='the process that waited has ended'
    else
        name_units
        systemctl --quiet is-active "$TIMER.timer" 2>/dev/null ||
            [ "$(systemctl is-active "$TIMER.service" 2>/dev/null)" = activating ] || REVERT_GONE="$TIMER.timer is not active"
    fi
    [ -z "$REVERT_GONE" ]
}

# The watcher that has become the rollback does not kill itself.
end_watcher() {
    if find_watcher && [ "$WATCHER_PID" != "$$" ]; then
        kill -TERM "-$WATCHER_PID" 2>/dev/null || true
    fi
    rm -f "$OWN/watcher" "$OWN/watching"
}
