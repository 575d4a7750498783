# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Everything that was planned on, compared with what is there.

count_standing() {
    case $STANDS in
        before | other) UNCHANGED=$((UNCHANGED + 1)) ;;
        after) CHANGED=$((CHANGED + 1)) ;;
        *) ;;
    esac
}

check_item() {
    stand "$1"
    [ "$STANDS" != partly ] || STANDS=other
    ! still_waits "$1" || [ "$JOURNAL" != applied ] || return 0
    count_standing
    # A drop-in of an earlier bundle may hold all that ours does: files count by what is in force.
    if [ "$STANDS" = other ] || { [ "$STANDS" = after ] && [ "$JOURNAL" != begun ] && [ "$KIND" != file ]; }; then
        kernel_words "$NAME" "$BEFORE"
        drift_before=$WORDS
        kernel_words "$NAME" "$FOUND"
        UNEXPECTED="$UNEXPECTED$NAME: $drift_before when planned, found $WORDS$NL"
    fi
    [ "$STANDS" = after ] || "check_$KIND" "$1"
}

# A file that would override ours at the next boot: the change would not last, so it is not made.
check_rivals() {
    RIVAL_WINS='at the next boot'
    has "rival_$KIND" && "rival_$KIND" || return 0
    problem "$F1: $RIVAL sets it too and would override it $RIVAL_WINS; remove that line first"
}

# Everything that was planned on, compared with what is there. Refuses with status 4 and names each difference.
check_everything() {
    UNCHANGED=0 CHANGED=0 UNEXPECTED=
    check_host
    check_server
    [ "$PROBLEMS" -eq 0 ] || refuse
    checking=1
    while [ "$checking" -lt "$STEPS" ]; do
        checking=$((checking + 1))
        load "$checking"
        check_rivals
        ! is_item "$KIND" || check_item "$checking"
    done
    [ -z "$DATA" ] || each_setting check_setting
    settle_differences
    if [ -n "$POSTMASTER" ] && [ -n "$RESTART_PLANNED" ] && [ -z "$NO_RESTART" ]; then
        [ "$JOURNAL" = begun ] && [ -z "$TAKEN_UP" ] || check_others_pending
        check_places
        [ "$PROBLEMS" -eq 0 ] || refuse
        check_restart
        [ "$PROBLEMS" -ne 0 ] || check_start
        [ "$PROBLEMS" -eq 0 ] ||
            die 4 "Refused, nothing was changed: a restart would not give the same server (above). --no-restart avoids it."
    fi
    [ "$PROBLEMS" -eq 0 ] || refuse
}

settle_differences() {
    if [ "$UNCHANGED" -eq 0 ] && [ "$CHANGED" -gt 0 ]; then
        case $JOURNAL in
            applied) die 3 "Applied already, nothing done." ;;
            none | restored) die 3 "Everything is already as planned, nothing done." ;;
            *) ;;
        esac
    fi
    [ "$JOURNAL" != applied ] ||
        die 4 "Applied already, but changed by someone since: verify.sh shows what, rollback.sh reverts ours."
    while [ -n "$UNEXPECTED" ]; do
        problem "${UNEXPECTED%%"$NL"*}"
        UNEXPECTED=${UNEXPECTED#*"$NL"}
    done
}

refuse() {
    die 4 "Refused, nothing was changed: this is not what was planned on (above). Plan again with tunewiz."
}
