# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Programs that get nothing of our caller's: not its open files, which a server would hold for ever, not the signals
# that it ignores; and, where they run as someone else, neither its terminal nor its rights.

# Run by a shell that can close a descriptor of two digits, which not every one can.
# shellcheck disable=SC2016 # the inner shell's own arguments
CLOSE_AND_RUN='for fd in /proc/$$/fd/*; do
    fd=${fd##*/}
    [ "$fd" -lt 3 ] || eval "exec $fd>&-"
done
exec "$@"'

# How descriptors beyond 9 are closed, in CLOSER, and signals set free, in SIGNALS: nothing where nothing has to be.
find_apart() {
    CLOSER='' SIGNALS='' LOGIN_GROUP=''
    # In the mask of signals that are ignored each one is a bit.
    grep -e '^SigIgn:[[:space:]]*0*$' "/proc/$$/status" >/dev/null || ! env --default-signal true 2>/dev/null || SIGNALS=1
    apart_open=
    # shellcheck disable=SC2016 # the inner shell's own
    # Those of the shell's own are closed by the kernel where another program starts: this one shows what is left.
    for apart_fd in $(sh -c 'for fd in /proc/$$/fd/*; do printf "%s " "${fd##*/}"; done'); do
        [ "${#apart_fd}" -lt 2 ] || apart_open="$apart_open $apart_fd"
    done
    [ -n "$apart_open" ] || return 0
    if command -v bash >/dev/null; then
        CLOSER=bash
    elif command -v busybox >/dev/null; then
        CLOSER='busybox sh'
    else
        die 2 "Open files of the caller would stay open in the server ($apart_open): close them, or install bash."
    fi
}

# Usage: apart COMMAND ... A program, no function.
apart() {
    # shellcheck disable=SC2086 # one word or two
    [ -z "$CLOSER" ] || set -- $CLOSER -c "$CLOSE_AND_RUN" sh "$@"
    [ -z "$SIGNALS" ] || set -- env --default-signal "$@"
    (
        # What we ignore ourselves; for what our caller ignored the shell has no way back.
        trap - HUP INT QUIT TERM PIPE
        exec "$@"
    ) 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
}

# Usage: group_of UID. Its login's, in GROUP; asked for once.
group_of() {
    case $LOGIN_GROUP in
        "$1 "*) ;;
        *) LOGIN_GROUP="$1 $(id -g "$1")" ;;
    esac
    GROUP=${LOGIN_GROUP#* }
}

# Usage: as_user SECONDS UID COMMAND ... With that user's rights alone: away from our terminal, which it could type
# into, and from our open files; ended after so many seconds, 0 for never. Who is not root has no rights to lose.
as_user() {
    user_seconds=$1 user_uid=$2
    shift 2
    if [ "$ME" != 0 ] || [ "$user_uid" = 0 ]; then
        apart setsid -w "$@"
        return
    elif command -v setpriv >/dev/null; then
        group_of "$user_uid"
        set -- setpriv --reuid="$user_uid" --regid="$GROUP" --init-groups -- "$@"
    else
        set -- runuser -u "$(id -nu "$user_uid")" -- "$@"
    fi
    apart timeout -k 5 "$user_seconds" setsid -w "$@"
}
