#!/bin/sh
# shellcheck shell=dash disable=SC2034 # the parts that are sourced read the variables
# Takes back what apply.sh of this bundle did; works with the server down, after a reboot, twice in a row.
# A timer and a guard at boot run it with --unless-confirmed and --at-boot: then it waits for the lock, and does
# nothing where the change was confirmed.
# Exit status: 0 restored, 2 wrong usage or broken bundle, 3 restored already, 4 done but for what others changed
# since (listed, left alone), 5 something could not be restored (listed), 75 another run holds the lock.
# A line that runs with carriage returns too, which every other line would stumble over.
IFS= read -r first <"$0" && case $first in '#!/bin/sh'?) echo 'Refused: the bundle was converted, its lines end in CR LF. Copy it as it was written.' >&2 && exit 2 ;; esac #
set +aCefn
set -u
umask 077
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C
export PATH LC_ALL
unset IFS CDPATH ENV BASH_ENV GREP_OPTIONS POSIXLY_CORRECT TMPDIR

usage() {
    printf 'usage: sh rollback.sh [--dry-run] [--no-restart] [--wait] [--unless-confirmed | --at-boot]\n'
}

misused() {
    usage >&2
    exit 2
}

arguments() {
    DRY='' NO_RESTART='' WAIT='' FIRED='' AT_BOOT=''
    for argument in ${1+"$@"}; do
        case $argument in
            --dry-run) DRY=1 ;;
            --no-restart) NO_RESTART=1 ;;
            --wait) WAIT=1 ;;
            --unless-confirmed) FIRED=1 ;;
            --at-boot) FIRED=1 AT_BOOT=1 ;;
            --help)
                usage || exit 74
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

# Settings of ours that wait for a restart since a rollback without one.
find_waiting() {
    STILL_WAITING=
    [ -n "$POSTMASTER" ] && connect && read_settings || return 0
    each_setting note_waiting
    each_unit note_waiting_unit
    STILL_WAITING=$WAITING
}

take_lock() {
    if [ -n "$FIRED" ] && [ -z "$DRY" ]; then
        lock_when_free
    else
        lock
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
    trap '' HUP INT QUIT TERM PIPE
    take_lock
    read_journal
    if [ -n "$FIRED" ] && [ -n "$CONFIRMED" ]; then
        disarm
        say "Confirmed: nothing is taken back."
        exit 0
    fi
    [ "$JOURNAL" != none ] && [ -d "$OWN/kept" ] ||
        die 3 "Nothing to take back: this bundle was not applied here (no records in $OWN)."
    if [ "$JOURNAL" = restored ]; then
        disarm
        die 3 "Restored already, nothing done."
    fi
    [ -z "$AT_BOOT" ] || count_boot || die 5 "cannot write in $OWN"
    find_server
    recall_server
    find_waiting
    [ -z "$POSTMASTER" ] || connect || complain "The server takes no connection: $CONNECT_ERROR"
    restore_all
    [ -z "$DRY" ] || { say "Nothing was changed: this was a dry run." && end_heard 0; }
    [ -z "$NOT_RESTORED" ] || die 5 "NOT restored: $NOT_RESTORED"
    if [ -n "$FOREIGN_LEFT" ]; then
        disarm
        die 4 "Restored, but for what others changed since: $FOREIGN_LEFT"
    fi
    if [ -z "$WAITING" ] || [ -z "$NO_RESTART" ]; then
        note restored || die 5 "The journal cannot be written."
    fi
    disarm
    say "Everything is as it was before."
}

# So written because one shell takes "$@" for unset where nothing was given.
main ${1+"$@"}
