# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# What apply.sh is asked to do.

usage() {
    printf 'usage: sh apply.sh [--dry-run] [--no-restart] [--wait] [--confirm-within MINUTES [--watcher] | --confirm]\n'
    printf '                   [--require-signature ALLOWED_SIGNERS]\n'
}

arguments() {
    DRY='' NO_RESTART='' WAIT='' MINUTES='' CONFIRM='' SIGNERS='' WATCHER=''
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
    [ -z "$WATCHER" ] || [ -n "$MINUTES" ] || misused
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
