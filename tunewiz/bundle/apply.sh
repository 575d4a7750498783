#!/bin/sh
# shellcheck shell=dash disable=SC2034 # the parts that are sourced read the variables
# Puts this bundle's changes in force; REVIEW.md says which and why.
# Exit status: 0 done, 2 wrong usage or broken bundle, 3 applied already, 4 refused: not what was planned on,
# 5 failed and undone, 75 another run holds the lock.
set -u
umask 077
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C
export PATH LC_ALL
unset IFS CDPATH ENV BASH_ENV GREP_OPTIONS POSIXLY_CORRECT TMPDIR

whole() {
    (cd -P -- "$1" && sha256sum -c SHA256SUMS) >/dev/null 2>&1 && return 0
    printf 'This bundle is broken or was changed: its files do not match SHA256SUMS (sha256sum -c SHA256SUMS).\n' >&2
    exit 2
}

leave() {
    trap '' HUP INT TERM
    unlock
}

# Told from outside to stop: what was begun is finished, then everything is undone.
stop_asked() {
    STOP=1
}

# Usage: give_up WHY. Takes back what was done, and says so.
give_up() {
    complain "FAILED: $*"
    [ -z "$DRY" ] || exit 5
    complain "Undoing what was done."
    find_postmaster
    restore_all
    if [ -n "$NOT_RESTORED" ]; then
        complain "NOT restored: $NOT_RESTORED. Put it right and run rollback.sh."
    else
        tell_undone
    fi
    exit 5
}

# Only what was compared is called as it was before.
tell_undone() {
    if [ -n "$WAITING" ]; then
        complain "Undone, but for what goes only with a restart of the server: $WAITING"
        return 0
    fi
    note restored && disarm
    if [ -n "$LEFT_DOWN" ]; then
        complain "Undone. The server ran before, and someone else has stopped it meanwhile."
    else
        complain "Everything is as it was before${FOREIGN_LEFT:+, but for what others changed since: $FOREIGN_LEFT}."
    fi
}

do_step() {
    stand "$1"
    [ "$STANDS" != after ] || [ "$KIND" = auto ] || return 0
    note intent "$1" || give_up "the journal cannot be written"
    "do_$KIND" "$1" || give_up "$NAME"
    note "done" "$1" || give_up "the journal cannot be written"
    obey
}

obey() {
    [ -z "$STOP" ] || give_up "told to stop"
    ! is_asked || give_up "the time for a confirmation is up, and this was not through"
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

# What --no-restart left to a restart.
tell_waiting() {
    [ -n "$NO_RESTART" ] && [ -n "$POSTMASTER" ] || return 0
    WAITING=
    each_setting note_waiting
    each_unit note_waiting_unit
    [ -z "$WAITING" ] || say "NOT in force yet, waiting for a restart of the server: $WAITING"
}

# Of the loaded setting: what the server has is not what was planned, in WAITING.
note_waiting() {
    setting_of "$F1" && [ "$SETTING" != "$F6" ] || return 0
    join "$WAITING" "$F1"
    WAITING=$JOINED
}

tell_end() {
    tell_boot
    tell_waiting
    say "Done. Check: sh $BUNDLE/verify.sh   Undo: sh $BUNDLE/rollback.sh"
    if [ -z "$MINUTES" ]; then
        each_old_wal tell_old_wal
        return 0
    fi
    if [ -n "$WATCHER" ]; then
        say "NOT confirmed yet: everything is taken back $MINUTES min after this was begun, by process $WATCHER_PID."
        say "It is weaker than a timer: after a reboot, or where it is ended with this login, nothing is taken back by itself."
    else
        say "NOT confirmed yet: everything is taken back $MINUTES min after this was begun, or by a reboot."
    fi
    say "Confirm it from a new login: sh $BUNDLE/apply.sh --confirm"
}

main() {
    CALLED_FROM=$PWD
    case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
    whole "$here"
    cd -P -- "$here" || exit 2
    STOP=
    # shellcheck source=base.sh
    . "$PWD/lib/base.sh"
    for part in $PARTS drift confirm signature arguments; do
        # shellcheck disable=SC1090 # the parts beside this file, verified above
        . "$PWD/lib/$part.sh"
    done
    arguments ${1+"$@"}
    begin "$PWD"
    check_place
    [ -z "$SIGNERS" ] || check_signature
    [ $((KERNEL_STEPS + POSTGRES_STEPS)) -gt 0 ] || die 3 "This bundle changes nothing."
    need_rights "$BUNDLE/apply.sh"
    trap leave EXIT
    trap stop_asked HUP INT TERM
    trap '' PIPE
    lock
    read_journal
    refuse_lost_records
    if [ -n "$CONFIRM" ]; then
        confirm
        exit 0
    fi
    refuse_second
    [ -z "$MINUTES" ] || check_revert
    # What a run kept that was taken back says nothing of now.
    [ "$JOURNAL" != restored ] || KEPT=$OWN/none
    check_everything
    if [ "$JOURNAL" = restored ]; then
        lay_aside || die 5 "cannot write in $STATE"
        KEPT=$OWN/kept
    fi
    keep_before || die 5 "What is there now could not be kept in $OWN; nothing was changed."
    note begin || die 5 "The journal cannot be written; nothing was changed."
    if [ -n "$POSTMASTER" ]; then
        remember_server || die 5 "cannot write in $OWN"
    else
        recall_server
    fi
    prepare_revert
    apply
    [ -z "$DRY" ] || { say "Nothing was changed: this was a dry run." && exit 0; }
    note applied || give_up "the journal cannot be written"
    # It tells no more than the journal does, as long as that is whole.
    true >"$OWN/applied" && sync "$OWN/applied" || true
    tell_end
}

# So written because one shell takes "$@" for unset where nothing was given.
main ${1+"$@"}
