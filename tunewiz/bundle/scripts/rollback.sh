#!/bin/sh
# shellcheck shell=dash disable=SC2034 # the parts that are sourced read the variables
# Undoes what apply.sh of this bundle did; works with the server down, after a reboot, twice in a row.
# A timer and a guard at boot run it with --unless-confirmed and --at-boot: then it waits for the lock, and does
# nothing if the change was confirmed.
# A unit beside the server's runs it with --if-starts-fail: then it watches first (lib/starts.sh).
# --to ID: instead, rolls back whatever was applied after bundle ID (lib/return.sh).
# Exit status: 0 restored, 2 wrong usage or broken bundle, 3 restored already, 4 done except for what others
# have changed since (listed, left alone), 5 something could not be restored (listed), 75 another run holds the lock.
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

usage() {
    printf 'usage: sh rollback.sh [--dry-run] [--no-restart] [--wait] [--to ID | --unless-confirmed [--keep-trying] | --at-boot | --if-starts-fail]\n'
}

misused() {
    usage >&2
    exit 2
}

arguments() {
    DRY='' NO_RESTART='' WAIT='' FIRED='' AT_BOOT='' KEEP_TRYING='' IF_STARTS_FAIL='' TO=''
    while [ $# -gt 0 ]; do
        case $1 in
            --dry-run) DRY=1 ;;
            --no-restart) NO_RESTART=1 ;;
            --wait) WAIT=1 ;;
            --unless-confirmed) FIRED=1 ;;
            --keep-trying) KEEP_TRYING=1 ;;
            --at-boot) FIRED=1 AT_BOOT=1 ;;
            --if-starts-fail) IF_STARTS_FAIL=1 WAIT=1 ;;
            --to)
                TO=${2:-}
                [ -n "$TO" ] || misused
                shift
                ;;
            --to=?*) TO=${1#*=} ;;
            --help)
                usage || exit 74
                exit 0
                ;;
            *) misused ;;
        esac
        shift
    done
    [ -z "$TO" ] || [ -z "$FIRED$KEEP_TRYING$IF_STARTS_FAIL" ] || misused
}

take_lock() {
    if [ -n "$FIRED$IF_STARTS_FAIL" ] && [ -z "$DRY" ]; then
        lock_when_free
    else
        lock
    fi
}

# Lost records do not mean that nothing was done here.
refuse_lost() {
    [ "$JOURNAL" != lost ] ||
        die 5 "NOT restored: the records of this bundle are lost or damaged: $LOST" \
            "What is left of them is in $OWN; REVIEW.md lists every change with the value before it."
    [ "$JOURNAL" = none ] || return 0
    ! stands_unrecorded || die 5 "NOT restored: $NAME is as this bundle plans it, and there is no record of that in $OWN:" \
        "the records are lost, or another bundle did it."
    die 3 "Nothing to roll back: this bundle was not applied here (no records in $OWN)."
}

# A bundle that was taken back before, as far as its records tell: true as long as it is not in force all the same.
end_restored() {
    know_cluster
    if [ -z "$SERVER_MISSING" ] && is_in_force && ! is_shared; then
        die 5 "NOT restored: $NAME is as this bundle plans it, and its records in $OWN say that it was rolled back:" \
            "they are older, or somebody else did it. REVIEW.md lists every change with the value before it."
    fi
    disarm
    disarm_starts
    die 3 "Restored already, nothing done."
}

# A deadline whose restart was refused: the server runs, and what keeps it from starting again may end. Longer and longer
# pauses, for as long as these records are there and nobody has rolled it back by hand.
try_again() {
    [ -n "$KEEP_TRYING" ] && [ -n "$START_REFUSED" ] || return 0
    number_of "$(cat "$OWN/again" 2>/dev/null)" 5
    again=$((NUMBER * 2))
    { [ "$again" -gt 0 ] && [ "$again" -le 600 ]; } || again=600
    printf '%s\n' "$again" >"$OWN/again" || return 0
    complain "NOT restored: $NOT_RESTORED. It is tried again in $again s."
    unlock
    LOCKED=
    trap - HUP INT QUIT TERM
    sleep "$again"
    [ -e "$OWN/again" ] || exit 3
    exec /bin/sh "$BUNDLE/rollback.sh" --unless-confirmed --keep-trying ${NO_RESTART:+--no-restart}
}

# What was reached, with the status that says so.
tell_end() {
    AS_BEFORE=
    [ -z "$NOT_RESTORED" ] || try_again
    [ -z "$NOT_RESTORED" ] || die 5 "NOT restored: $NOT_RESTORED"
    disarm_starts
    if [ -z "$FOREIGN_LEFT$WAITING" ] && ! is_shared; then
        FOREIGN_RUNNING=
        ! is_in_force || die 5 "NOT restored: $NAME is as this bundle plans it, and there is no record of that in $OWN"
        count_as_before
        # Of a server that no step was begun for, nothing was compared before.
        tell_foreign
    fi
    if [ -n "$FOREIGN_LEFT" ]; then
        disarm
        die 4 "Restored, except for what others have changed since: $FOREIGN_LEFT${WAITING:+; a restart of the server is left to you}"
    fi
    if [ -n "$WAITING" ]; then
        disarm
        say "Restored, except for what needs a restart of the server, which is left to you: $WAITING"
        return 0
    fi
    note restored || complain "The journal cannot be written: the next run will look again."
    disarm
    if [ -n "$LEFT_DOWN" ]; then
        say "$RESTARTED${AS_BEFORE}Restored. The server was running when this was applied, and someone else has stopped it since."
    else
        say "$RESTARTED${AS_BEFORE}Everything is as it was before."
    fi
}

main() {
    leave_environment
    arguments ${1+"$@"}
    enter_bundle
    # shellcheck source=base.sh
    . "$PWD/lib/base.sh"
    find_parts "$PWD/SHA256SUMS"
    for part in $PARTS; do
        # shellcheck disable=SC1090 # the parts beside this file, verified above
        . "$PWD/lib/$part.sh"
    done
    begin "$PWD"
    check_state
    need_rights "$BUNDLE/rollback.sh"
    [ -z "$TO" ] || return_to
    trap unlock EXIT
    # A rollback that has begun is finished: half a rollback helps nobody. A second Ctrl-C does no harm either.
    trap '' HUP INT QUIT TERM PIPE
    [ -z "$IF_STARTS_FAIL" ] || watch_starts
    MAY_LOCK_AWAY=1
    take_lock
    read_journal
    if [ -n "$FIRED" ] && [ -n "$CONFIRMED" ]; then
        disarm
        say "Confirmed: nothing is reverted."
        exit 0
    fi
    if [ -n "$AT_BOOT" ] && is_before_boot; then
        say "Nothing is reverted yet: this is the boot that armed it, and its timer is there."
        exit 0
    fi
    refuse_lost
    [ "$JOURNAL" = restored ] || [ -n "$FIRED" ] || refuse_out_of_order
    [ -z "$AT_BOOT" ] || [ "$JOURNAL" = restored ] || count_boot
    [ -z "$IF_STARTS_FAIL" ] || begin_after_failed_starts
    find_server || SERVER_MISSING="the server, which was not found (above)"
    [ "$JOURNAL" != restored ] || end_restored
    recall_server
    know_cluster
    [ -n "$FIRED" ] || look_before_rollback
    restore_all
    [ -z "$IF_STARTS_FAIL" ] || start_with_former_values
    [ -z "$DRY" ] || { say "Nothing was changed: this was a dry run." && end_heard 0; }
    tell_end
}

# Written this way because one shell treats "$@" as unset when there are no arguments.
main ${1+"$@"}
