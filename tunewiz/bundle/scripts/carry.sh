# shellcheck shell=dash disable=SC2034,SC2016 # the scripts and the parts beside this one read its variables
# Starts a program the way the server was started: in the same control groups, with the same limits and environment.

# Run by a shell of its own, as root: what a process can only do to itself before it is someone else's.
# Usage: sh -c "$JOIN_FIRST" sh CONTROL_GROUPS OOM_SCORE COREDUMP_FILTER TIMERSLACK COMMAND ...
JOIN_FIRST='
printf "%s\n" "$1" | while IFS="|" read -r name path; do
    # Beside groups of the older kind, or alone.
    [ "$name" != unified ] || [ -d /sys/fs/cgroup/unified ] || name=.
    [ -z "$name" ] || printf "%s\n" "$$" >"/sys/fs/cgroup/${name#name=}$path/cgroup.procs"
done
[ -z "$2" ] || printf "%s\n" "$2" >/proc/self/oom_score_adj
[ -z "$3" ] || printf "0x%s\n" "$3" >/proc/self/coredump_filter
[ -z "$4" ] || printf "%s\n" "$4" >/proc/self/timerslack_ns
shift 4
exec "$@"
'

# Run as the owner: the command gets the environment whose entries stand behind it, and no other.
# Usage: sh -c "$WITH_ENVIRONMENT" sh NUMBER COMMAND ... ENTRY ...; NUMBER is how many words the command has.
WITH_ENVIRONMENT='
words=$1
shift
entries=$(($# - words)) left=$words
while [ "$left" -gt 0 ]; do
    left=$((left - 1))
    set -- "$@" "$1"
    shift
done
while [ "$entries" -gt 0 ]; do
    entries=$((entries - 1)) entry=$1
    shift
    case $entry in
        PG_GRANDPARENT_PID=*) ;;
        [A-Za-z_]*=*) set -- "$@" "$entry" ;;
        *) ;;
    esac
done
while [ "$words" -gt 0 ]; do
    words=$((words - 1))
    set -- "$@" "$1"
    shift
done
exec env -i "$@"
'

# Run as the owner: what is printed goes where the server wrote, to a pipe too while the server still holds it.
INTO_LOG='log=$1 && shift && exec "$@" >>"$log" 2>&1'

# A limit that may not be set (root may lack the right in a container) is left: who compares names it, and a server that
# is down is started all the same. Usage: sh -c "$LIMITED" sh OPTION_OF_PRLIMIT COMMAND ...
LIMITED='prlimit --pid "$$" "$1" 2>/dev/null; shift; exec "$@"'

# As prlimit calls what the kernel calls: cpu time=cpu.
LIMITS='cpu time=cpu,file size=fsize,data size=data,stack size=stack,core file size=core,resident set=rss,processes=nproc,open files=nofile,locked memory=memlock,address space=as,file locks=locks,pending signals=sigpending,msgqueue size=msgqueue,nice priority=nice,realtime priority=rtprio,realtime timeout=rttime,'

# The control groups that are not ours, a line PLACE|PATH each, in GROUPS_TO_JOIN.
groups_to_join() {
    GROUPS_TO_JOIN=
    groups_rest=$SERVER_HAS$NL
    while [ -n "$groups_rest" ]; do
        groups_line=${groups_rest%%"$NL"*}
        groups_rest=${groups_rest#*"$NL"}
        case $groups_line in
            'control group '*)
                ! is_otherwise "${groups_line%%|*}" || GROUPS_TO_JOIN="$GROUPS_TO_JOIN${groups_line#control group }$NL"
                ;;
            *) ;;
        esac
    done
}

# Usage: otherwise NAME. The server's value where it is not ours, else nothing; in VALUE.
otherwise() {
    VALUE=
    ! is_otherwise "$1" || VALUE=$THEIRS
}

# Usage: can PROGRAM NAME. Whether the program is there for what the server has otherwise than we do.
can() {
    is_otherwise "$2" && command -v "$1" >/dev/null
}

# Usage: carried LOG COMMAND ... As the owner, with all that the server has and we can give; LOG may be empty. What the
# program lacks for want of a tool or of a right is found by who compares.
carried() {
    carried_log=$1
    shift
    if [ -z "$SERVER_HAS" ] || is_debian_way || [ ! -r "$ENVIRON" ]; then
        in_place "$carried_log" "$@" </dev/null
    else
        in_place "$carried_log" xargs -0 -x -s 131000 sh -c "$WITH_ENVIRONMENT" sh "$#" "$@" <"$ENVIRON"
    fi
}

# Usage: in_place LOG COMMAND ... The chain from the inside out: each program starts the next.
in_place() {
    in_log=$1
    shift
    [ -z "$in_log" ] || set -- sh -c "$INTO_LOG" sh "$in_log" "$@"
    if [ -z "$SERVER_HAS" ]; then
        as_user "$SECONDS_TO_CONTROL" "$OWNER_UID" "$@"
        return
    fi
    know_ourselves
    with_owner "$@"
}

# The owner, with the groups that the server has: a login's own rules (PAM) would set limits anew.
with_owner() {
    if [ "$ME" = "$OWNER_UID" ]; then
        with_limits "$@"
        return
    fi
    if ! command -v setpriv >/dev/null; then
        with_limits runuser -u "$OWNER" -- setsid -w "$@"
        return
    fi
    named "$SERVER_HAS" 'supplementary groups'
    with_groups=--clear-groups
    [ -z "${NAMED%% }" ] || with_groups=--groups=$(printf '%s' "$NAMED" | tr -s '\011 ' ',,' | sed 's/,$//')
    named "$SERVER_HAS" group
    with_limits setpriv "--reuid=$OWNER_UID" "--regid=${NAMED%%[!0-9]*}" "$with_groups" -- setsid -w "$@"
}

with_limits() {
    with_rest=$LIMITS
    while [ -n "$with_rest" ]; do
        with_one=${with_rest%%,*}
        with_rest=${with_rest#*,}
        ! can prlimit "limit of ${with_one%=*}" || set -- sh -c "$LIMITED" sh "--${with_one#*=}=$THEIRS" "$@"
    done
    with_scheduling "$@"
}

with_scheduling() {
    ! can taskset 'CPU affinity' || set -- taskset -c "$THEIRS" "$@"
    if can ionice 'I/O priority'; then
        case $THEIRS in
            none*) set -- ionice -c 0 "$@" ;;
            realtime*) set -- ionice -c 1 -n "${THEIRS##* }" "$@" ;;
            best-effort*) set -- ionice -c 2 -n "${THEIRS##* }" "$@" ;;
            idle*) set -- ionice -c 3 "$@" ;;
            *) ;;
        esac
    fi
    if can nice niceness && is_number "${THEIRS#-}" && is_number "${OURS#-}"; then
        set -- nice -n "$((THEIRS - OURS))" "$@"
    fi
    if can chrt 'scheduling policy'; then
        case $THEIRS in
            '0 '*) set -- chrt --other 0 "$@" ;;
            '1 '*) set -- chrt --fifo "${THEIRS#* }" "$@" ;;
            '2 '*) set -- chrt --rr "${THEIRS#* }" "$@" ;;
            '3 '*) set -- chrt --batch 0 "$@" ;;
            '5 '*) set -- chrt --idle 0 "$@" ;;
            *) ;;
        esac
    fi
    with_memory "$@"
}

with_memory() {
    if can numactl 'NUMA policy'; then
        case $THEIRS in
            interleave:*) set -- numactl "--interleave=${THEIRS#*:}" "$@" ;;
            bind:*) set -- numactl "--membind=${THEIRS#*:}" "$@" ;;
            prefer:*) set -- numactl "--preferred=${THEIRS#*:}" "$@" ;;
            local) set -- numactl --localalloc "$@" ;;
            *) ;;
        esac
    fi
    groups_to_join
    otherwise oom_score_adj
    with_oom=$VALUE
    otherwise coredump_filter
    with_filter=$VALUE
    # Visible to root alone, so it cannot be compared beforehand.
    with_slack=$(cat "/proc/$POSTMASTER/timerslack_ns" 2>/dev/null)
    away timeout -k 5 "$SECONDS_TO_CONTROL" setsid -w sh -c "$JOIN_FIRST" sh "$GROUPS_TO_JOIN" "$with_oom" "$with_filter" "$with_slack" "$@"
}
