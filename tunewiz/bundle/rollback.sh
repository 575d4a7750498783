#!/bin/sh
# shellcheck shell=dash disable=SC2034 # the parts that are sourced read the variables
# Takes back what apply.sh of this bundle did; works with the server down, after a reboot, twice in a row.
# A timer and a guard at boot run it with --unless-confirmed and --at-boot: then it waits for the lock, and does
# nothing where the change was confirmed.
# Exit status: 0 restored, 2 wrong usage or broken bundle, 3 restored already, 4 done but for what others changed
# since (listed, left alone), 5 something could not be restored (listed), 75 another run holds the lock.
set -u
umask 077
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C
export PATH LC_ALL
unset IFS CDPATH ENV BASH_ENV GREP_OPTIONS POSIXLY_CORRECT TMPDIR

usage() {
    printf 'usage: sh rollback.sh [--dry-run] [--no-restart] [--unless-confirmed | --at-boot]\n'
}

misused() {
    usage >&2
    exit 2
}

arguments() {
    DRY='' NO_RESTART='' FIRED='' AT_BOOT=''
    for argument in ${1+"$@"}; do
        case $argument in
            --dry-run) DRY=1 ;;
            --no-restart) NO_RESTART=1 ;;
            --unless-confirmed) FIRED=1 ;;
            --at-boot) FIRED=1 AT_BOOT=1 ;;
            --help)
                usage
                exit 0
                ;;
            *) misused ;;
        esac
    done
}

whole() {
    (cd -P -- "$1" && sha256sum -c SHA256SUMS) >/dev/null 2>&1 && return 0
    printf 'This bundle is broken or was changed: its files do not match SHA256SUMS (sha256sum -c SHA256SUMS).\n' >&2
    exit 2
}

take_lock() {
    if [ -n "$FIRED" ] && [ -z "$DRY" ]; then
        lock_when_free
    else
        lock
    fi
}

# Records that are lost do not say that nothing was done here.
refuse_lost() {
    [ "$JOURNAL" != lost ] ||
        die 5 "NOT restored: the records of this bundle are lost or damaged: $LOST" \
            "What is left of them is in $OWN; REVIEW.md lists every change with its value before."
    [ "$JOURNAL" = none ] || return 0
    ! stands_unrecorded || die 5 "NOT restored: $NAME is as this bundle plans it, and there is no record of that in $OWN:" \
        "the records are lost, or another bundle has done it."
    die 3 "Nothing to take back: this bundle was not applied here (no records in $OWN)."
}

# What was reached, with the status that says so.
tell_end() {
    [ -z "$NOT_RESTORED" ] || die 5 "NOT restored: $NOT_RESTORED"
    if [ -n "$FOREIGN_LEFT" ]; then
        disarm
        die 4 "Restored, but for what others changed since: $FOREIGN_LEFT${WAITING:+; a restart of the server is left to you}"
    fi
    if [ -n "$WAITING" ]; then
        disarm
        say "Restored, but for what goes only with a restart of the server, which is left to you: $WAITING"
        return 0
    fi
    note restored || complain "The journal cannot be written: the next run will look again."
    disarm
    if [ -n "$LEFT_DOWN" ]; then
        say "Restored. The server ran when this was applied, and someone else has stopped it since."
    else
        say "Everything is as it was before."
    fi
}

main() {
    arguments ${1+"$@"}
    case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
    whole "$here"
    cd -P -- "$here" || exit 2
    # shellcheck source=base.sh
    . "$PWD/lib/base.sh"
    for part in $PARTS; do
        # shellcheck disable=SC1090 # the parts beside this file, verified above
        . "$PWD/lib/$part.sh"
    done
    begin "$PWD"
    check_place
    need_rights "$BUNDLE/rollback.sh"
    trap unlock EXIT
    # Begun is finished: half a rollback helps nobody. A second Ctrl-C does not hurt either.
    trap '' HUP INT TERM PIPE
    MAY_LOCK_AWAY=1
    take_lock
    read_journal
    if [ -n "$FIRED" ] && [ -n "$CONFIRMED" ]; then
        disarm
        say "Confirmed: nothing is taken back."
        exit 0
    fi
    refuse_lost
    if [ "$JOURNAL" = restored ]; then
        disarm
        die 3 "Restored already, nothing done."
    fi
    [ -n "$FIRED" ] || refuse_out_of_order
    [ -z "$AT_BOOT" ] || count_boot
    find_server || SERVER_MISSING="the server, which was not found (above)"
    recall_server
    [ -n "$FIRED" ] || look_before_rollback
    restore_all
    [ -z "$DRY" ] || { say "Nothing was changed: this was a dry run." && exit 0; }
    tell_end
}

# So written because one shell takes "$@" for unset where nothing was given.
main ${1+"$@"}
