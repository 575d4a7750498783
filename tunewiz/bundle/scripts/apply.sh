#!/bin/sh
# shellcheck shell=dash disable=SC2034 # the parts that are sourced read the variables
# Puts this bundle's changes in force; REVIEW.md says which and why.
# Exit status: 0 done, 2 wrong usage or broken bundle, 3 applied already, 4 refused: not what was planned on,
# 5 failed and undone, 75 another run holds the lock.
# bash imports functions from the environment, and they would replace commands: start again without them.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin POSIXLY_CORRECT=1
case $(exec env) in *BASH_FUNC_*) exec env -i PATH="$PATH" ${SUDO_UID:+"SUDO_UID=$SUDO_UID"} ${TUNEWIZ_ROOT:+"TUNEWIZ_ROOT=$TUNEWIZ_ROOT"} ${TUNEWIZ_STATE_DIR:+"TUNEWIZ_STATE_DIR=$TUNEWIZ_STATE_DIR"} /bin/sh "$0" ${1+"$@"} ;; esac #
# This line works even with carriage returns, on which every other line would fail.
IFS= read -r first <"$0" && case $first in '#!/bin/sh'?) echo 'Refused: the bundle was converted, its lines end in CR LF. Copy it as it was written.' >&2 && exit 2 ;; esac #
set -u +aefvxC
umask 077
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C
export PATH LC_ALL
unset IFS

# Nothing else of the caller's environment reaches a program that is run here: no other server address, no other
# place for files, no other language or time.
leave_environment() {
    inherited=$(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p')
    case $inherited in *PATH*) ;; *) printf 'env and sed were not found.\n' >&2 && exit 2 ;; esac
    unwanted=
    for variable in $inherited; do
        case $variable in
            PATH | PWD | LC_ALL | SUDO_UID | TUNEWIZ_ROOT | TUNEWIZ_STATE_DIR | _) ;;
            *) unwanted="$unwanted $variable" ;;
        esac
    done
    forget "$unwanted" || for variable in $unwanted; do forget "$variable" || true; done
}

# Usage: forget NAMES. Some shells keep a name for themselves, and end where they are asked to give it up: tried apart.
forget() {
    [ -n "$1" ] || return 0
    # shellcheck disable=SC2086 # split at the blanks, on purpose
    (unset $1) 2>/dev/null && unset $1
}

# Whom we trust with our own files: root, ourselves, and who called us by sudo. Usage: is_trusted UID
is_trusted() {
    case " 0 $ME ${SUDO_UID:-0} " in
        *" $1 "*) return 0 ;;
        *) return 1 ;;
    esac
}

# Usage: unsafe PATH WHY
unsafe() {
    printf 'Refused, nothing was changed: someone else could change this bundle while it runs.\n  %s: %s\n%s\n' "$1" "$2" \
        'Copy the bundle to a directory that only root can write (/root, say), chmod -R go-w it, and compare SHA256SUMS.' |
        tr -c '\11\12\40-\176' '?' >&2
    exit 2
}

# Usage: check_above DIRECTORY ... They may be open to others only if they are sticky, as /tmp is: what is ours there
# stays ours.
check_above() {
    above_told=$(stat -c '%u %A %n' "$@") || unsafe "$PWD" "a directory above it cannot be looked at"
    while IFS=' ' read -r above_owner above_mode above_dir; do
        is_trusted "$above_owner" || unsafe "$above_dir" "belongs to someone else"
        case $above_mode in
            ?????????[tT]*) ;;
            ?????w* | ????????w*) unsafe "$above_dir" "others may write to it" ;;
            *) ;;
        esac
    done <<END
$above_told
END
}

# Could someone else change what is run here with our rights? Then the checksums prove nothing, and nothing is read.
check_place() {
    case ${SUDO_UID:-0} in *[!0-9]*) SUDO_UID=0 ;; *) ;; esac
    ME=$(id -u)
    place_open=$(find "$1" \( ! \( -type f -o -type d \) -o -perm -020 -o -perm -002 -o \
        ! \( -user 0 -o -user "$ME" -o -user "${SUDO_UID:-0}" \) \) -print -quit) || unsafe "$1" "cannot be looked at"
    [ -z "$place_open" ] || unsafe "$place_open" "is a link, or others own it or may write to it"
    place=$1
    set --
    while [ -n "$place" ]; do
        place=${place%/*}
        set -- "${place:-/}" ${1+"$@"}
    done
    check_above "$@"
}

whole() {
    (cd -P -- "$1" && sha256sum -c SHA256SUMS) >/dev/null 2>&1 && return 0
    printf 'This bundle is broken or was changed: its files do not match SHA256SUMS (sha256sum -c SHA256SUMS).\n' >&2
    exit 2
}

# Changes to the directory of this script, which is safe to run from.
enter_bundle() {
    case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
    cd -P -- "$here" || exit 2
    check_place "$PWD"
    whole "$PWD"
}

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
