# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# What every script of a bundle builds on: paths, messages, and the plan's data.

NL='
'
# The unit separator parts fields of rows.
US=$(printf '\t\037')
TAB=${US%?} US=${US#?}
PROBLEMS=0
UNHEARD=

# Kinds of steps, each with a blank before it, as the parts beside this one tell of their own: those that are taken back
# before the server is settled (also file:READER), and those for which it is stopped.
WITH_SERVER='' WHILE_STOPPED=''
# Kinds that only carry what others change (a file of settings, say): they are not counted as changes.
CARRIERS=''

# What is closed would be given to the next file that is opened, and that file would receive our messages.
[ -e /proc/self/fd/2 ] || (: 3>&2) || exec 2>/dev/null
[ -e /proc/self/fd/1 ] || (: 3>&1) 2>/dev/null || { exec >/dev/null && UNHEARD=1; }
[ -e /proc/self/fd/0 ] || (: 3<&0) 2>/dev/null || exec </dev/null

# Prints text for a terminal: none of its bytes can control it.
say() {
    # A closed terminal is no reason to stop half-way; where nothing but words was asked for, the status tells it.
    case $* in
        *[!\ -~"$NL$TAB"]*) printf '%s\n' "$*" | tr -c '\11\12\40-\176' '?' || UNHEARD=1 ;;
        *) printf '%s\n' "$*" || UNHEARD=1 ;;
    esac
}

# The parts beside this one, in PARTS: those that the checksums hold, and nothing that was laid beside them. How many
# checksums there are, in SUMS.
find_parts() {
    PARTS='' SUMS=0
    while read -r _ part; do
        SUMS=$((SUMS + 1))
        case $part in
            lib/base.sh) ;;
            lib/*.sh)
                part=${part#lib/}
                PARTS="$PARTS ${part%.sh}"
                ;;
            *) ;;
        esac
    done <"$1"
}

# The end of a run that only prints something.
end_heard() {
    [ -z "$UNHEARD" ] || exit 74
    exit "$1"
}

complain() {
    say "$*" >&2
}

# Usage: die STATUS TEXT ...
die() {
    die_status=$1
    shift
    complain "$*"
    exit "$die_status"
}

# One thing that stands in the way; all of them are reported before a refusal.
problem() {
    complain "  $*"
    PROBLEMS=$((PROBLEMS + 1))
}

# Every change passes here: true if it may be made, false on a dry run, which only announces it.
doing() {
    if [ -n "$DRY" ]; then
        say "would $*"
        return 1
    fi
    say "$*"
}

# Usage: begin BUNDLE. Settles where this run reads and writes.
begin() {
    BUNDLE=$1
    WRITERS=$NL
    keep_callers
    find_apart
    PRETEND=
    ROOT=
    case ${TUNEWIZ_ROOT:-} in
        '') ;;
        /*)
            PRETEND=1
            ROOT=${TUNEWIZ_ROOT%/}
            [ -d "$ROOT/" ] || die 2 "TUNEWIZ_ROOT: $ROOT is not a directory"
            PATH=$ROOT/usr/sbin:$ROOT/usr/bin:$PATH
            ;;
        *) die 2 "TUNEWIZ_ROOT: expected an absolute path, found $TUNEWIZ_ROOT" ;;
    esac
    STATE=${TUNEWIZ_STATE_DIR:-$ROOT/var/lib/tunewiz}
    case $STATE in
        /*) ;;
        *) die 2 "TUNEWIZ_STATE_DIR: expected an absolute path, found $STATE" ;;
    esac
    BUNDLE_ID=$(sha256sum <"$BUNDLE/SHA256SUMS")
    BUNDLE_ID=${BUNDLE_ID%"${BUNDLE_ID#????????????????}"}
    OWN=$STATE/$BUNDLE_ID
    KEPT=$OWN/kept
    # Where a run locks out others, and where it puts together what it is about to write.
    LOCK_HOME=$STATE SCRATCH=$OWN
    read_plan
    # Programs that run as the server's user would complain about a directory they cannot enter.
    cd / || die 2 "cannot change to /"
    # Who no longer listens ends none of this.
    trap '' PIPE
}

# Undoes the escapes of one field: \0ooo is a byte.
decode() {
    case $1 in
        *\\*)
            FIELD=$(printf '%b.' "$1")
            FIELD=${FIELD%.}
            ;;
        *) FIELD=$1 ;;
    esac
}

# Usage: rest_of TEXT START. The rest of the line of the text that starts so, in REST; 1 where none does. Line by line:
# cut at a place far within a long text, dash compares all that stands before with itself, for half a second.
rest_of() {
    set -f
    IFS=$NL
    REST=
    for rest_line in $1; do
        case $rest_line in
            "$2"*)
                REST=$rest_line
                break
                ;;
            *) ;;
        esac
    done
    unset IFS
    set +f
    [ -n "$REST" ] || return 1
    REST=${REST#"$2"}
}

# Usage: load NUMBER. One line of the plan's data into KIND and F1 to F7.
load() {
    load_rest=$PLAN
    load_before=$1
    while [ "$load_before" -gt 1 ]; do
        load_before=$((load_before - 1))
        load_rest=${load_rest#*"$NL"}
    done
    set -f
    IFS='|'
    # shellcheck disable=SC2086 # split at the bars, on purpose
    set -- ${load_rest%%"$NL"*}
    unset IFS
    set +f
    KIND=${1:-}
    decode "${2:-}"
    F1=$FIELD
    decode "${3:-}"
    F2=$FIELD
    decode "${4:-}"
    F3=$FIELD
    decode "${5:-}"
    F4=$FIELD
    decode "${6:-}"
    F5=$FIELD
    decode "${7:-}"
    F6=$FIELD
    decode "${8:-}"
    F7=$FIELD
}

# What the plan says of host and server, and how many steps it has.
read_plan() {
    PLAN='' STEPS=0
    while IFS= read -r plan_line; do
        STEPS=$((STEPS + 1))
        PLAN=$PLAN$plan_line$NL
    done <"$BUNDLE/steps.txt"
    load 1
    [ "$KIND" = tunewiz ] && [ "$F1" = 1 ] || die 2 "steps.txt: expected format 1, found $KIND $F1"
    [ "$SUMS" -eq "$F2" ] || die 2 "SHA256SUMS: expected $F2 lines; the bundle is incomplete"
    MAJOR='' DATA='' CONFIG='' CLUSTER_KIND='' SYSTEM_ID='' SEEN='' DROP_IN='' ELSEWHERE=''
    KERNEL_STEPS=0 POSTGRES_STEPS=0 RESTART_PLANNED='' STOP_PLANNED=''
    step=1
    while [ "$step" -lt "$STEPS" ]; do
        step=$((step + 1))
        load "$step"
        if has "plan_$KIND"; then
            "plan_$KIND"
        elif is_item "$KIND"; then
            KERNEL_STEPS=$((KERNEL_STEPS + 1))
        else
            die 2 "steps.txt, line $step: found the unknown kind $KIND"
        fi
    done
}

plan_host() {
    HOST_ID=$F1 HOST_NAME=$F2
}

plan_cluster() {
    MAJOR=$F1 DATA=$F2 CONFIG=$F3 CLUSTER_KIND=$F4 SYSTEM_ID=$F5 SEEN=$F6
}

# Usage: has NAME. Whether a part defines such a function: what a kind of step can do is known by the names of its own.
# Those that every item has: name_ keep_ state_ check_ do_ undo_ verify_KIND. Those that a kind may have besides:
#
#   plan_         what its line says of the whole plan: KERNEL_STEPS that root alone can take, POSTGRES_STEPS,
#                 RESTART_PLANNED, STOP_PLANNED, and ELSEWHERE, a path that it takes to undo it; else one of the first
#   rival_        whether a file of others would win over it at the next boot, in RIVAL
#   in_force_     counts it as a change, as the machine has it now; else verify_ tells that
#   live_         what keeps it from being confirmed becomes a problem; else it has to stand as it was applied
#   later_        whether it only serves a server that this run does not restart: it is put off (later.sh)
#   unguarded_    why the guard at boot could not take it back becomes a problem
#   waits_        joins to WAITING what waits for a restart of the server
#   bound_        whether only a restart takes it back, in WAITING
#   runs_         whether the server that was just started has it; told where not
#   tell_done_    what is left to people once all is applied
#   tell_left_    what it leaves behind until it is confirmed, and drop_left_ takes that away
#   reach_        Usage: reach_KIND NUMBER. The path without which it cannot be taken back, in reach_path
#   sweep_        takes away what a run that was killed had not moved into place
#   stood_before_ whether there was nothing to do when it was applied; else what was kept says so
#   half_         whether FOUND, neither before nor after, can come from our own write that was cut off or that the kernel
#                 adjusted; else it is someone else's
#   keys_         Usage: keys_KIND FIELD ... What it changes, as words added to KEYS; else its first field
#   gives_        Usage: gives_KIND READER KEY. Whether it sets a key of the file that READER reads
has() {
    command -v "$1" >/dev/null 2>&1
}

# Whether a line of the plan's data is something that is put in force and taken back by itself.
is_item() {
    has "do_$1"
}

# Usage: each_step WORD. Calls WORD_KIND with the number of each step whose kind has that, loaded; stops where it fails.
each_step() {
    each=1
    while [ "$each" -lt "$STEPS" ]; do
        each=$((each + 1))
        load "$each"
        ! has "$1_$KIND" || "$1_$KIND" "$each" || return 1
    done
}

# Usage: stand NUMBER. Names the loaded step in NAME and tells in STANDS how it stands: before, after or other.
stand() {
    "name_$KIND"
    "state_$KIND" "$1"
    load "$1"
}

# Root; on a pretend root anyone; the server's owner where nothing but the server is touched.
need_rights() {
    [ -z "$PRETEND" ] || return 0
    [ "$ME" -ne 0 ] || return 0
    if [ "$KERNEL_STEPS" -eq 0 ] && [ -n "$DATA" ] && [ "$(stat -c %u "$DATA" 2>/dev/null)" = "$ME" ]; then
        return 0
    fi
    die 2 "This must be run as root (sudo sh $1)."
}

# Is this the machine that the plan was made for?
check_host() {
    if [ -n "$HOST_ID" ]; then
        read_line "$ROOT/etc/machine-id" || read_line "$ROOT/var/lib/dbus/machine-id" || :
        host_now=$(printf 'tunewiz:%s' "$LINE" | sha256sum)
        [ "${host_now%% *}" = "$HOST_ID" ] ||
            problem "the machine: planned for $HOST_NAME, this is another one (its machine id differs)"
        return 0
    fi
    read_line "$ROOT/proc/sys/kernel/hostname" || :
    if [ -z "$HOST_NAME" ]; then
        problem "the machine: the plan does not say which one it was made for"
    elif [ "$LINE" != "$HOST_NAME" ]; then
        problem "the machine: planned for $HOST_NAME, this one is called $LINE"
    fi
}

# Usage: same_content FILE FILE
same_content() {
    sees -f "$1" && sees -f "$2" && sum_of "$1" || return 1
    same_sum=$SUM
    sum_of "$2" && [ "$SUM" = "$same_sum" ]
}

# Usage: sum_of FILE. Its checksum, in SUM.
sum_of() {
    find_writer "${1%/*}" || return 1
    if [ -n "$WRITER" ]; then
        SUM=$(read_file "$1" | sha256sum)
    else
        SUM=$(sha256sum 2>/dev/null <"$1")
    fi
}

# Usage: read_line FILE. The first line of a file of ours or the kernel's, in LINE; fails where it cannot be read.
read_line() {
    LINE=
    [ -r "$1" ] || return 1
    IFS= read -r LINE 2>/dev/null <"$1" || :
}

# Usage: read_content FILE. All lines of such a file, in CONTENT; fails where there are none.
read_content() {
    CONTENT=
    while IFS= read -r content_line || [ -n "$content_line" ]; do
        CONTENT=$CONTENT$content_line$NL
    done 2>/dev/null <"$1"
    [ -n "$CONTENT" ]
}

# Usage: is_number TEXT. Digits alone, few enough to calculate with, and not octal: some shells run the commands that
# stand in any other text when they calculate or compare.
is_number() {
    case $1 in '' | *[!0-9]* | 0?* | ????????????????*) return 1 ;; *) ;; esac
}

# Usage: number_of TEXT DEFAULT. What a program printed, in NUMBER; the default where it is not a number.
number_of() {
    NUMBER=$2
    ! is_number "$1" || NUMBER=$1
}

# Usage: join TEXT MORE. Both with a comma between, in JOINED.
join() {
    JOINED=${1:+$1, }$2
}
