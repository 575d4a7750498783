# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# What apply.sh is asked to do.

usage() {
    printf 'usage: sh apply.sh [--dry-run] [--no-restart] [--wait] [--confirm-within MINUTES [--watcher] | --confirm]\n'
    printf '                   [--guard [--guard-baseline SECONDS] [--guard-window SECONDS] [--confirm-if-healthy]]\n'
    printf '                   [--require-signature ALLOWED_SIGNERS]\n'
}

arguments() {
    DRY='' NO_RESTART='' WAIT='' MINUTES='' CONFIRM='' SIGNERS='' WATCHER=''
    GUARDED='' BASELINE_SECONDS='' WINDOW_SECONDS='' IF_HEALTHY=''
    while [ $# -gt 0 ]; do
        case $1 in
            --dry-run) DRY=1 ;;
            --no-restart) NO_RESTART=1 ;;
            --wait) WAIT=1 ;;
            --help)
                usage || UNHEARD=1
                end_heard 0
                ;;
            --confirm) CONFIRM=1 ;;
            --watcher) WATCHER=1 ;;
            --guard) GUARDED=1 ;;
            --confirm-if-healthy) IF_HEALTHY=1 ;;
            --guard-baseline=* | --guard-window=*) guard_seconds "${1%%=*}" "${1#*=}" ;;
            --guard-baseline | --guard-window)
                guard_seconds "$1" "${2:-}"
                shift
                ;;
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
    [ -z "$WATCHER$GUARDED" ] || [ -n "$MINUTES" ] || misused
    [ -z "$IF_HEALTHY$BASELINE_SECONDS$WINDOW_SECONDS" ] || [ -n "$GUARDED" ] || misused
}

misused() {
    usage >&2
    exit 2
}

# Relative to where apply.sh was called.
signers() {
    case $1 in
        '') misused ;;
        /*) SIGNERS=$1 ;;
        *) SIGNERS=$CALLED_FROM/$1 ;;
    esac
}

# A day at most: nobody who has not checked by then will.
minutes() {
    case $1 in
        [1-9] | [1-9][0-9] | [1-9][0-9][0-9] | 1[0-3][0-9][0-9] | 14[0-3][0-9] | 1440) MINUTES=$1 && return ;;
        *) ;;
    esac
    printf -- '--confirm-within: expected minutes from 1 to 1440, found "%s"\n' "$1" | tr -c '\12\40-\176' '?' >&2
    exit 2
}

# Usage: guard_seconds OPTION SECONDS. How long the guard watches, before the change or after it: half a day at most.
guard_seconds() {
    case $2 in
        1[2-9] | [2-9][0-9] | [1-9][0-9][0-9] | [1-9][0-9][0-9][0-9] | [1-3][0-9][0-9][0-9][0-9]) ;;
        *)
            printf '%s: expected seconds from 12 to 39999, found "%s"\n' "$1" "$2" | tr -c '\12\40-\176' '?' >&2
            exit 2
            ;;
    esac
    if [ "$1" = --guard-window ]; then WINDOW_SECONDS=$2; else BASELINE_SECONDS=$2; fi
}
