# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Is what was applied really in force? Then, and only then, it may stay.

# Usage: confirm. Looks at every value again, writes down that it stays, and only then disarms the revert.
confirm() {
    case $JOURNAL:$CONFIRMED in
        # What was cut off here is finished; then nothing waits any more.
        applied:1)
            disarm
            arm_starts
            ;;
        applied:*) ;;
        begun:*) die 4 "Not confirmed: apply.sh has not finished, or was cut off; the revert undoes what it did." ;;
        restored:*) die 4 "Not confirmed: everything was already reverted." ;;
        *) die 4 "Not confirmed: this bundle was not applied here." ;;
    esac
    read_pending
    [ "$PENDING_ID" = "$BUNDLE_ID" ] || die 3 "Nothing is waiting for confirmation: what was applied stays."
    REVERT_STATE='The revert stays armed.'
    if ! revert_stands; then
        REVERT_STATE='Nothing reverts it automatically any more.'
        complain "Nothing would have reverted it automatically any more: $REVERT_GONE."
    fi
    check_live
    HEALTH_LOGGED=1
    run_health "before it is confirmed"
    [ -z "$UNHEALTHY" ] || problem "NOT healthy: $UNHEALTHY"
    [ "$PROBLEMS" -eq 0 ] ||
        die 4 "Not confirmed (above). ${REVERT_STATE} Fix that and confirm again, or run rollback.sh."
    doing "record that it is confirmed" || return 0
    note confirmed || die 5 "The journal cannot be written: not confirmed, the revert stays armed."
    disarm
    arm_starts
    if [ -n "$POSTMASTER" ]; then
        each_step drop_left
    else
        each_step tell_left
    fi
    say "Confirmed: it stays. Undo: sh $BUNDLE/rollback.sh"
}

check_live() {
    ! find_server || is_planned_cluster
    if [ -n "$POSTMASTER" ]; then
        connect_and_read || {
            problem "the server accepts no connection: $CONNECT_ERROR"
            POSTMASTER=
        }
    elif [ -f "$OWN/unit" ]; then
        problem "the server is down, and it was running when this was applied"
    fi
    checking=1
    while [ "$checking" -lt "$STEPS" ]; do
        checking=$((checking + 1))
        load "$checking"
        if has "live_$KIND"; then
            "live_$KIND" "$checking"
        elif is_item "$KIND"; then
            live_item "$checking"
        fi
    done
}

# Usage: live_item STEP. Whatever tells how it stands.
live_item() {
    stand "$1"
    kernel_words "$NAME" "$FOUND"
    [ "$STANDS" = after ] || problem "$NAME: is no longer as it was applied ($WORDS)"
}

live_file() {
    same_content "$ROOT$F2" "$KEPT/$1.after" || problem "$F2: is no longer what was put in place"
}
