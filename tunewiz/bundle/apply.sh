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

usage() {
    printf 'usage: sh apply.sh [--dry-run] [--no-restart] [--confirm-within MINUTES | --confirm]\n'
    printf '                   [--require-signature ALLOWED_SIGNERS]\n'
}

arguments() {
    DRY='' NO_RESTART='' MINUTES='' CONFIRM='' SIGNERS=''
    while [ $# -gt 0 ]; do
        case $1 in
            --dry-run) DRY=1 ;;
            --no-restart) NO_RESTART=1 ;;
            --help)
                usage
                exit 0
                ;;
            --confirm) CONFIRM=1 ;;
            --confirm-within)
                minutes "${2:-}"
                shift
                ;;
            --confirm-within=*) minutes "${1#*=}" ;;
            --require-signature)
                signers "${2:-}"
                shift
                ;;
            --require-signature=*) signers "${1#*=}" ;;
            *) misused ;;
        esac
        shift
    done
    [ -z "$CONFIRM" ] || [ -z "$MINUTES" ] || misused
}

misused() {
    usage >&2
    exit 2
}

# Where the file is, before the working directory changes.
signers() {
    case $1 in
        '') misused ;;
        /*) SIGNERS=$1 ;;
        *) SIGNERS=$PWD/$1 ;;
    esac
}

# A day at most: whoever has not looked until then does not look.
minutes() {
    case $1 in
        [1-9] | [1-9][0-9] | [1-9][0-9][0-9] | 1[0-3][0-9][0-9] | 14[0-3][0-9] | 1440) MINUTES=$1 ;;
        *)
            printf -- '--confirm-within: expected minutes from 1 to 1440, found "%s"\n' "$1" | tr -c '\12\40-\176' '?' >&2
            exit 2
            ;;
    esac
}

whole() {
    (cd -P -- "$1" && sha256sum -c SHA256SUMS) >/dev/null 2>&1 && return 0
    printf 'This bundle is broken or was changed: its files do not match SHA256SUMS (sha256sum -c SHA256SUMS).\n' >&2
    exit 2
}

leave() {
    leave_status=$?
    trap '' HUP INT TERM
    unlock
    exit "$leave_status"
}

# Told from outside to stop: what was begun is finished, then everything is undone.
stop_asked() {
    STOP=1
}

count_standing() {
    case $STANDS in
        before | other) UNCHANGED=$((UNCHANGED + 1)) ;;
        after) CHANGED=$((CHANGED + 1)) ;;
        *) ;;
    esac
}

check_item() {
    stand "$1"
    count_standing
    # A drop-in of an earlier bundle may hold all that ours does: files count by what is in force.
    if [ "$STANDS" = other ] || { [ "$STANDS" = after ] && [ "$JOURNAL" != begun ] && [ "$KIND" != file ]; }; then
        UNEXPECTED="$UNEXPECTED$NAME: planned on $BEFORE, found $FOUND$NL"
    fi
    [ "$STANDS" = after ] || "check_$KIND"
}

check_setting() {
    setting_stands
    count_standing
    if [ "$STANDS" = other ] || { [ "$STANDS" = after ] && [ "$JOURNAL" != begun ]; }; then
        UNEXPECTED="$UNEXPECTED$F1: planned on $BEFORE, found $FOUND$NL"
    fi
    return 0
}

# A file that would win over ours at the next boot: the change would not last, so it is not begun.
check_rivals() {
    case $KIND in
        sysctl) sysctl_rival "$F1" "$F4" ;;
        sysfs) sysfs_rival "$F1" ;;
        *) return 0 ;;
    esac || return 0
    problem "$F1: $RIVAL sets it too and would win at the next boot; take the line out there first"
}

# Everything that was planned on, compared with what is there. Refuses with status 4 and names each difference.
check_everything() {
    UNCHANGED=0 CHANGED=0 UNEXPECTED=
    check_host
    check_server
    if [ -n "$POSTMASTER" ] && [ "$PROBLEMS" -eq 0 ]; then
        read_settings || problem "the server does not tell its settings"
    fi
    [ "$PROBLEMS" -eq 0 ] || refuse
    BEFORE=
    checking=1
    while [ "$checking" -lt "$STEPS" ]; do
        checking=$((checking + 1))
        load "$checking"
        ! is_item "$KIND" || check_item "$checking"
        load "$checking"
        check_rivals
    done
    [ -z "$DATA" ] || each_setting check_setting
    settle_differences
    if [ -n "$POSTMASTER" ] && [ -n "$RESTART_PLANNED" ] && [ -z "$NO_RESTART" ]; then
        foreign_pending
        [ -z "$FOREIGN" ] || [ "$JOURNAL" = begun ] ||
            problem "a restart would also put in force what others changed: $FOREIGN (restart first, or use --no-restart)"
    fi
    [ "$PROBLEMS" -eq 0 ] || refuse
}

settle_differences() {
    if [ "$UNCHANGED" -eq 0 ] && [ "$CHANGED" -gt 0 ]; then
        case $JOURNAL in
            applied) die 3 "Applied already, nothing done." ;;
            none | restored) die 3 "Everything is as planned already, nothing done." ;;
            *) ;;
        esac
    fi
    [ "$JOURNAL" != applied ] ||
        die 4 "Applied already, but changed by someone since: verify.sh tells what, rollback.sh takes ours back."
    while [ -n "$UNEXPECTED" ]; do
        problem "${UNEXPECTED%%"$NL"*}"
        UNEXPECTED=${UNEXPECTED#*"$NL"}
    done
}

refuse() {
    die 4 "Refused, nothing was changed: this is not what was planned on (above). Plan anew with tunewiz."
}

# Usage: give_up WHY. Takes back what was done, and says so.
give_up() {
    complain "FAILED: $*"
    [ -z "$DRY" ] || exit 5
    complain "Undoing what was done."
    STILL_WAITING=
    find_postmaster
    restore_all
    [ -z "$FOREIGN_LEFT" ] || complain "Left alone: $FOREIGN_LEFT"
    if [ -n "$NOT_RESTORED" ]; then
        complain "NOT restored: $NOT_RESTORED. Put it right and run rollback.sh."
    else
        note restored && disarm
        complain "Everything is as it was before."
    fi
    exit 5
}

do_step() {
    stand "$1"
    [ "$STANDS" != after ] || [ "$KIND" = auto ] || return 0
    step_name=$NAME
    note intent "$1" || give_up "the journal cannot be written"
    "do_$KIND" "$1" || give_up "$step_name"
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

tell_end() {
    say "Done. Check: sh $BUNDLE/verify.sh   Undo: sh $BUNDLE/rollback.sh"
    [ -n "$MINUTES" ] || return 0
    say "NOT confirmed yet: everything is taken back $MINUTES min after this was begun, or by a reboot."
    say "Confirm it from a new login: sh $BUNDLE/apply.sh --confirm"
}

main() {
    arguments "$@"
    case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
    whole "$here"
    cd -P -- "$here" || exit 2
    STOP=
    for part in base state kernel files server undo revert confirm signature; do
        # shellcheck disable=SC1090 # the parts beside this file, verified above
        . "$PWD/lib/$part.sh"
    done
    begin "$PWD"
    [ -z "$SIGNERS" ] || check_signature
    [ $((KERNEL_STEPS + POSTGRES_STEPS)) -gt 0 ] || die 3 "This bundle changes nothing."
    need_rights "$BUNDLE/apply.sh"
    trap leave EXIT
    trap stop_asked HUP INT TERM
    trap '' PIPE
    lock
    read_journal
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
    tell_end
}

main "$@"
