#!/bin/sh
# shellcheck shell=dash disable=SC2034 # the parts that are sourced read the variables
# Puts this bundle's changes in force; REVIEW.md says which and why.
# Exit status: 0 done, 2 wrong usage or broken bundle, 3 applied already, 4 refused: not what was planned on,
# 5 failed and undone, 75 another run holds the lock.
# shellcheck source=preamble.sh
. ./preamble.sh

leave() {
    trap '' HUP INT QUIT TERM
    unlock
}

# On a signal to stop, the current step is finished and then everything is undone.
stop_asked() {
    STOP=1
}

# Usage: give_up WHY. Undoes what was done, and says so.
give_up() {
    complain "FAILED: $*"
    [ -z "$DRY" ] || exit 5
    complain "Undoing what was done."
    find_postmaster
    read_journal
    restore_all
    if [ -n "$NOT_RESTORED" ]; then
        complain "NOT restored: $NOT_RESTORED. Fix that and run rollback.sh."
    else
        tell_undone
    fi
    exit 5
}

# Only what was compared is reported to be as before.
tell_undone() {
    if [ -n "$WAITING" ]; then
        complain "Undone, except for what needs a restart of the server: $WAITING"
        return 0
    fi
    note restored && disarm
    if [ -n "$LEFT_DOWN" ]; then
        complain "Undone. The server was running before, and someone else has stopped it since."
    else
        complain "Everything is as it was before${FOREIGN_LEFT:+, except for what others have changed since: $FOREIGN_LEFT}."
    fi
}

do_step() {
    stand "$1"
    [ "$STANDS" != after ] || [ "$KIND" = auto ] || return 0
    ! is_for_later || {
        put_off "$1" || give_up "the journal cannot be written"
        return 0
    }
    note intent "$1" || give_up "the journal cannot be written"
    "do_$KIND" "$1" || give_up "$NAME"
    note "done" "$1" || give_up "the journal cannot be written"
    obey
}

obey() {
    [ -z "$STOP" ] || give_up "asked to stop"
    ! is_asked || give_up "the time to confirm ran out before this was done"
}

apply() {
    doing_step=1
    while [ "$doing_step" -lt "$STEPS" ]; do
        doing_step=$((doing_step + 1))
        load "$doing_step"
        ! is_item "$KIND" || do_step "$doing_step"
    done
    [ -n "$DATA" ] || return 0
    validate_files || give_up "the server's files"
    activate || give_up "the server"
    obey
}

prepare_revert() {
    [ -n "$MINUTES" ] && ! arm || return 0
    note restored
    die 4 "Refused, nothing was changed: the revert could not be armed (above)."
}

# What --no-restart leaves to a later restart.
tell_waiting() {
    [ -n "$NO_RESTART" ] && [ -n "$POSTMASTER" ] || return 0
    WAITING=
    each_setting note_waiting
    each_step waits
    [ -z "$WAITING" ] || say "NOT in force yet, waiting for a restart of the server: $WAITING"
    tell_later
}

# The loaded setting goes into WAITING if the server's value is not the planned one.
note_waiting() {
    setting_of "$F1" && [ "$SETTING" != "$F6" ] || return 0
    join "$WAITING" "$F1"
    WAITING=$JOINED
}

# Usage: tell KIND NAME PLANNED RUNNING ... As verify_KIND tells of an item: here it is counted. RUNNING - does not count.
tell() {
    WAITS=false
    ! is_carrier "$1" && [ "$4" != - ] || return 0
    count_value "$2" "$3" "$4" '' "$3"
}

tell_end() {
    each_step tell_done
    tell_waiting
    count_in_force
    say "$CHANGES$RESTARTED${IN_FORCE}Done. Check: sh $BUNDLE/verify.sh   Undo: sh $BUNDLE/rollback.sh"
    if [ -z "$MINUTES" ]; then
        each_step tell_left
        return 0
    fi
    if [ -n "$WATCHER" ]; then
        say "NOT confirmed yet: everything is reverted $MINUTES min after this run began, by process $WATCHER_PID."
        say "This is weaker than a timer: after a reboot, or if the process ends with this login, nothing is reverted automatically."
    else
        say "NOT confirmed yet: everything is reverted $MINUTES min after this run began, or by a reboot."
    fi
    say "Confirm it from a new login: sh $BUNDLE/apply.sh --confirm"
}

main() {
    leave_environment
    CALLED_FROM=$PWD
    enter_bundle
    STOP=
    # shellcheck source=base.sh
    . "$PWD/lib/base.sh"
    find_parts "$PWD/SHA256SUMS"
    for part in $PARTS; do
        # shellcheck disable=SC1090 # the parts beside this file, verified above
        . "$PWD/lib/$part.sh"
    done
    arguments ${1+"$@"}
    guard_lengths
    begin "$PWD"
    check_state
    [ -z "$SIGNERS" ] || check_signature
    [ $((KERNEL_STEPS + POSTGRES_STEPS)) -gt 0 ] || die 3 "This bundle changes nothing."
    need_rights "$BUNDLE/apply.sh"
    trap leave EXIT
    trap stop_asked HUP INT QUIT TERM
    lock
    read_journal
    refuse_lost_records
    if [ -n "$CONFIRM" ]; then
        confirm
        exit 0
    fi
    refuse_second
    take_up_later
    [ -z "$MINUTES" ] || check_revert
    # What a reverted run saved says nothing about the present.
    [ "$JOURNAL" != restored ] || KEPT=$OWN/none
    observe_before
    check_everything
    if [ "$JOURNAL" = restored ]; then
        lay_aside || die 5 "cannot write in $STATE"
        KEPT=$OWN/kept
    fi
    keep_before || die 5 "The current state could not be saved in $OWN; nothing was changed."
    begin_journal || die 5 "The journal cannot be written; nothing was changed."
    if [ -n "$POSTMASTER" ]; then
        remember_server || die 5 "cannot write in $OWN"
    else
        recall_server
    fi
    prepare_revert
    apply
    [ -z "$DRY" ] || { say "Nothing was changed: this was a dry run." && end_heard 0; }
    note applied || give_up "the journal cannot be written"
    # It adds nothing to the journal, as long as that is intact.
    true >"$OWN/applied" && sync "$OWN/applied" || true
    tell_end
    observe_after
}

# Written this way because one shell treats "$@" as unset when there are no arguments.
main ${1+"$@"}
