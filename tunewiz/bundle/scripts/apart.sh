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

# What another user's program says where nothing of ours takes it goes to a file of ours without a name. This much of it
# is shown.
SHOWN_BYTES=4096

# Run by another shell where this one cannot tell which descriptors a program would get, before it is started.
# shellcheck disable=SC2016 # the inner shell's own arguments
LOOK_AND_RUN='exec 3>&1 4>&2
for fd in 3 4; do
    case $(stat -L -c %d:%i "/proc/$$/fd/$fd") in
        "$(stat -L -c %d:%i "/proc/$$/fd/5")" | "$(stat -L -c %d:%i "/proc/$$/fd/6")") eval "exec $((fd - 2))>&7" ;;
    esac
done
exec "$@" 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-'

# What our caller gave us is kept as 5 and 6, to be compared with what other users' programs would get; 7 is what they get
# instead of it. Nothing here reads what he types.
keep_callers() {
    exec </dev/null 5>&1 6>&2
    AWAY='' LOOK=''
    [ "$ME" = 0 ] || return 0
    keep_file=/run/tunewiz-said.$$
    if [ -d /run ] && { true >"$keep_file"; } 2>/dev/null; then
        exec 7>>"$keep_file"
        rm -f "$keep_file"
    else
        exec 7>>/dev/null
    fi
    # ksh93 puts its own in place only when the program is started; posh compares no files.
    case ${KSH_VERSION:-} in *' 93'*) LOOK=1 ;; *) ;; esac
    { [ / -ef / ]; } 2>/dev/null || LOOK=1
}

# Usage: is_callers NUMBER. Whether a descriptor leads where one of our caller's does.
is_callers() {
    [ "/proc/self/fd/$1" -ef /proc/self/fd/5 ] || [ "/proc/self/fd/$1" -ef /proc/self/fd/6 ]
}

# Usage: away COMMAND ... A program that runs as someone else: nothing of our caller's is within its reach.
away() {
    AWAY=1
    apart "$@"
    away_status=$?
    AWAY=
    if [ -s /proc/self/fd/7 ]; then
        head -c "$SHOWN_BYTES" </proc/self/fd/7 | tr -c '\11\12\40-\176' '?' >&2
        true >/proc/self/fd/7
    fi
    return "$away_status"
}

# How descriptors beyond 9 are closed, in CLOSER, and signals set free, in SIGNALS: nothing where nothing has to be.
find_apart() {
    CLOSER='' SIGNALS='' LOGIN_GROUP=''
    # In the mask of signals that are ignored each one is a bit.
    while read -r apart_name apart_value; do
        case $apart_name:$apart_value in SigIgn:*[!0]*) ! env --default-signal true 2>/dev/null || SIGNALS=1 ;; *) ;; esac
    done <"/proc/$$/status"
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
        case $AWAY$LOOK in
            '') ;;
            11) exec sh -c "$LOOK_AND_RUN" sh "$@" 5>&5 6>&6 7>&7 ;;
            *)
                # Here, where they are those that it would get.
                [ -z "$AWAY" ] || ! is_callers 1 || exec >&7
                [ -z "$AWAY" ] || ! is_callers 2 || exec 2>&7
                ;;
        esac
        exec "$@" 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
    )
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
    away timeout -k 5 "$user_seconds" setsid -w "$@"
}
