# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Kept only if healthy: the server is watched before the change and after it, and an unhealthy one is rolled back at once.
#
# It runs in apply.sh itself, without the lock: --confirm, rollback.sh and the deadline work meanwhile, and it ends when
# one of them has. Whatever ends it, the deadline stands.
#
# $OWN/guard.log  the samples, and what was made of them

# Default lengths in seconds. Of the time to confirm the window takes half at most.
GUARD_SECONDS_BEFORE=60
GUARD_LONGEST_WINDOW=300
# How often the server is asked again, a second apart, before it counts as refusing connections.
GUARD_TRIES=3
# What is left of the deadline when the window ends.
GUARD_SECONDS_LEFT=10
# A server that crashes again meanwhile is rolled back anew, so often and so many seconds apart.
GUARD_ROLLBACKS=5
GUARD_SECONDS_BETWEEN=10

GUARD_SQL='' GUARD_RESTARTED=0 GUARD_PM='' GUARD_BORN='' GUARD_WHY='' guard_before='' guard_answered=0

# Usage: guard_lengths. From the options: the interval, and how many of them the window has. Refuses with status 2.
guard_lengths() {
    [ -n "$GUARDED" ] || return 0
    number_of "$BASELINE_SECONDS" "$GUARD_SECONDS_BEFORE"
    guard_interval=$((NUMBER / GUARD_SPANS))
    guard_shortest=$((2 * GUARD_SPANS * guard_interval))
    guard_longest=$((MINUTES * 30))
    [ "$guard_longest" -le "$GUARD_LONGEST_WINDOW" ] || guard_longest=$GUARD_LONGEST_WINDOW
    number_of "$WINDOW_SECONDS" "$guard_longest"
    guard_window=$NUMBER
    [ "$guard_window" -ge "$guard_shortest" ] ||
        guard_refuse "the window of $guard_window s is shorter than twice the baseline ($guard_shortest s)"
    [ "$guard_window" -le "$((MINUTES * 30))" ] ||
        guard_refuse "the window of $guard_window s is longer than half of the time to confirm ($((MINUTES * 30)) s)"
    WINDOW_SPANS=$((guard_window / guard_interval))
}

guard_refuse() {
    die 2 "--guard: $1; give --confirm-within more minutes, or other --guard-baseline and --guard-window"
}

# Before anything is changed: what the guard needs is there, and all is as planned on; then the baseline. It takes a while,
# so that is compared again afterwards.
observe_before() {
    [ -z "$MINUTES" ] || check_health
    [ -n "$GUARDED" ] || return 0
    command -v awk >/dev/null || die 4 "Refused, nothing was changed: --guard needs awk, which was not found."
    (trap - EXIT && check_everything) || exit $?
    if ! doing "watch the server for $((GUARD_SPANS * guard_interval)) s before the change"; then
        say "would watch it for $guard_window s after the change, and roll back by itself if it is unhealthy"
        return 0
    fi
    guard_start_watching
    guard_left=$GUARD_SPANS
    guard_sample b || true
    while [ "$guard_left" -gt 0 ]; do
        sleep "$guard_interval"
        [ -z "$STOP" ] || die 5 "Asked to stop: nothing was changed."
        guard_left=$((guard_left - 1))
        guard_sample b || true
    done
    identify_postmaster
    guard_before=$RUNNING
}

# What can be read here, found out before the first sample.
guard_start_watching() {
    guard_page=$(getconf PAGESIZE 2>/dev/null)
    number_of "$guard_page" 4096
    GUARD_PAGE=$NUMBER GUARD_SQL=
    ! find_server || true
    find_group
    [ -n "$POSTMASTER" ] || {
        complain "No running server is planned for: only the host is watched."
        return 0
    }
    connect && find_guard_sql || return 0
    guard_error=$(guard_ask "$GUARD_SQL" 2>&1 >/dev/null) && return 0
    complain "The server does not report its counters: $guard_error"
    GUARD_SQL='SELECT 1 WHERE false'
}

# After the change is applied and told, for a change that waits for its confirmation.
observe_after() {
    [ -n "$MINUTES" ] || return 0
    # It tells the confirmation that the next boot is to be watched too (starts.sh).
    [ -z "$GUARDED" ] || true >"$OWN/guarded" || complain "  $OWN/guarded cannot be written: the next boot will not be watched"
    unlock
    LOCKED=''
    # A terminal that is closed does not end it.
    trap '' HUP
    HEALTH_LOGGED=1
    run_health "after the change"
    if [ -z "$GUARDED" ]; then
        [ -z "$UNHEALTHY" ] || complain "NOT healthy: $UNHEALTHY. It cannot be confirmed while that is so."
        return 0
    fi
    [ -z "$UNHEALTHY" ] || guard_revert "$UNHEALTHY"
    ! guard_has_time || guard_watch
    return 0
}

guard_watch() {
    say "Watching the server for $guard_window s. Ctrl-C ends that; the deadline stands."
    find_postmaster
    find_group
    identify_postmaster
    GUARD_PM=$RUNNING
    [ "$RUNNING" = "$guard_before" ] || GUARD_RESTARTED=1
    [ -n "$RUNNING" ] || [ -z "$guard_before" ] || guard_revert 'the server is down'
    guard_left=$WINDOW_SPANS
    guard_timed_look
    while [ "$guard_left" -gt 0 ] && guard_fits; do
        sleep "$guard_interval"
        guard_left=$((guard_left - 1))
        guard_goes_on
        guard_timed_look
        [ "$((WINDOW_SPANS - guard_left))" -ne "$((2 * GUARD_SPANS))" ] || [ "$guard_left" -eq 0 ] || guard_first_look
    done
    guard_end
}

# Whether the window ends before the deadline; a start of the server may have taken long.
guard_has_time() {
    guard_deadline=$(cat "$OWN/deadline" 2>/dev/null)
    guard_deadline=${guard_deadline#* }
    if is_number "$guard_deadline" && read_uptime && [ "$((UPTIME + guard_window + GUARD_SECONDS_LEFT))" -lt "$guard_deadline" ]; then
        return 0
    fi
    guard_undecided "it took so long that too little is left of the time to confirm"
    return 1
}

# Usage: guard_timed_look. How long it took is in guard_took.
guard_timed_look() {
    read_uptime || UPTIME=0
    guard_began=$UPTIME
    guard_look
    read_uptime || UPTIME=$guard_began
    guard_took=$((UPTIME - guard_began))
}

# Whether one more look ends before the deadline: on a machine that is short of memory one takes longer than its interval.
guard_fits() {
    [ "$((UPTIME + guard_interval + guard_took + GUARD_SECONDS_LEFT))" -ge "$guard_deadline" ] || return 0
    say "The time to confirm is nearly over, for the looks took long: the watch ends before its window does."
    return 1
}

# Ends this run where somebody has asked for it, or another run has decided.
guard_goes_on() {
    if [ -n "$STOP" ]; then
        say "The watch was ended. The deadline stands: confirm it with sh $BUNDLE/apply.sh --confirm, or it is reverted."
        exit 0
    fi
    guard_last=$(tail -n 1 "$OWN/journal" 2>/dev/null)
    case $guard_last in
        applied) return 0 ;;
        confirmed)
            say "It was confirmed meanwhile: the watch ends."
            exit 0
            ;;
        *)
            complain "It is being rolled back by another run, or was: the watch ends."
            exit 5
            ;;
    esac
}

# One moment of the window, and what must not wait for its end.
guard_look() {
    guard_tries=1 guard_earlier=$GUARD_SAMPLES
    until guard_sample w; do
        if [ "$guard_tries" -ge "$GUARD_TRIES" ] || ! guard_is_there; then break; fi
        guard_tries=$((guard_tries + 1)) GUARD_SAMPLES=$guard_earlier
        sleep 1
    done
    # First: a kill tells why a server crashed, or is down.
    guard_judge trouble
    [ -z "$JUDGED" ] || guard_revert "$JUDGED"
    guard_is_there || guard_revert "$GUARD_WHY"
    [ "$guard_answered" -eq 0 ] ||
        guard_revert "the server took no connection, or did not answer, $guard_tries times one after the other"
    [ -z "$GUARD_BIRTH" ] || [ "$GUARD_BIRTH" = "${GUARD_BORN:-$GUARD_BIRTH}" ] ||
        guard_revert "the server ended all sessions and recovered: one of its processes had crashed"
    GUARD_BORN=${GUARD_BIRTH:-$GUARD_BORN}
}

# Whether the server is the one that was left running; if not, GUARD_WHY says what became of it.
guard_is_there() {
    [ -n "$GUARD_PM" ] || return 0
    find_postmaster
    identify_postmaster
    [ "$RUNNING" != "$GUARD_PM" ] || return 0
    if [ -z "$RUNNING" ]; then
        GUARD_WHY='the server is down'
    else
        GUARD_WHY='the server was started again, which was not done here'
    fi
    return 1
}

# Early enough that nobody suffers to the end.
guard_first_look() {
    guard_judge first
    case $JUDGED in
        *"${NL}unhealthy "* | 'unhealthy '*)
            guard_tell
            guard_revert "$GUARD_WHY"
            ;;
        *) ;;
    esac
}

# What was compared, in lines for people; the verdict in GUARD_VERDICT, and why in GUARD_WHY.
guard_tell() {
    GUARD_VERDICT=undecided GUARD_WHY='nothing could be compared'
    guard_rest=$JUDGED$NL
    while [ -n "$guard_rest" ]; do
        guard_line=${guard_rest%%"$NL"*}
        guard_rest=${guard_rest#*"$NL"}
        case $guard_line in
            'line '*) say "  ${guard_line#line }" ;;
            'unhealthy '* | 'undecided '* | healthy) GUARD_VERDICT=${guard_line%% *} GUARD_WHY=${guard_line#* } ;;
            *) ;;
        esac
    done
}

# The end of the window.
guard_end() {
    run_health "at the end of the window"
    guard_goes_on
    guard_judge last
    guard_tell
    guard_log "$JUDGED"
    [ -z "$UNHEALTHY" ] || guard_revert "$UNHEALTHY"
    case $GUARD_VERDICT in
        unhealthy) guard_revert "$GUARD_WHY" ;;
        healthy) guard_keep ;;
        *) guard_undecided "$GUARD_WHY" ;;
    esac
}

guard_undecided() {
    guard_log "undecided $1"
    say "UNDECIDED: $1."
    say "Look yourself; the deadline stands. Keep it: sh $BUNDLE/apply.sh --confirm   Undo: sh $BUNDLE/rollback.sh"
}

guard_keep() {
    say "HEALTHY: nothing that is judged became worse."
    if [ -z "$IF_HEALTHY" ]; then
        say "The deadline stands. Keep it: sh $BUNDLE/apply.sh --confirm"
        return 0
    fi
    guard_script apply.sh --confirm
    [ "$guard_status" -ne 3 ] || guard_status=0
    [ "$guard_status" -eq 0 ] || complain "Healthy, but it could not be confirmed: the deadline stands."
    exit "$guard_status"
}

# Usage: guard_script NAME OPTIONS. Of this bundle, or of its copy where that is gone; its end in guard_status.
guard_script() {
    guard_program=$BUNDLE/$1
    [ -f "$guard_program" ] || guard_program=$OWN/revert/$1
    shift
    TUNEWIZ_STATE_DIR=$STATE /bin/sh "$guard_program" "$@"
    guard_status=$?
}

# Usage: guard_revert WHY. Unless somebody has decided otherwise meanwhile. It does not return.
guard_revert() {
    guard_goes_on
    guard_log "unhealthy $1"
    complain "UNHEALTHY: $1."
    complain "Rolling back."
    guard_roll_back
    case $guard_status:$(tail -n 1 "$OWN/journal" 2>/dev/null) in
        0:confirmed)
            say "It was confirmed meanwhile: it stays."
            exit 0
            ;;
        [034]:*) complain "Rolled back by the guard, for it was unhealthy: $1." ;;
        *) complain "NOT rolled back: rollback.sh ended with status $guard_status. It is tried again at the deadline." ;;
    esac
    exit 5
}

guard_roll_back() {
    guard_tries=1
    guard_script rollback.sh --unless-confirmed ${NO_RESTART:+--no-restart}
    while [ "$guard_status" -eq 5 ] && [ "$guard_tries" -lt "$GUARD_ROLLBACKS" ]; do
        guard_tries=$((guard_tries + 1))
        complain "It is tried again in $GUARD_SECONDS_BETWEEN s."
        sleep "$GUARD_SECONDS_BETWEEN"
        guard_script rollback.sh --unless-confirmed ${NO_RESTART:+--no-restart}
    done
}

# Usage: guard_log TEXT. A log that cannot be written is no reason to stop.
guard_log() {
    { printf '%s%s\n' "$GUARD_SAMPLES" "$1" >"$OWN/guard.log"; } 2>/dev/null || true
}
