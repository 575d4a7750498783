# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Kernel settings under /proc/sys and choices under /sys: written, read back, compared.
#
# A step is  sysctl|NAME|BEFORE|VALUE|TWIN|TWIN BEFORE|NEEDS  or  sysfs|PATH|BEFORE|VALUE.
# TWIN is the setting that the kernel sets to 0 when NAME is written, and the other way round.
# NEEDS is the memory that the change takes, in thousands of kB, worked out by the planner.

sysctl_path() {
    SYSCTL_PATH=$ROOT/proc/sys/$(printf '%s' "$1" | tr . /)
}

# Usage: meminfo NAME. The number of a line of /proc/meminfo in MEMINFO; fails without such a line.
meminfo() {
    MEMINFO=
    while read -r meminfo_name meminfo_value _; do
        if [ "$meminfo_name" = "$1:" ]; then
            MEMINFO=$meminfo_value
            return 0
        fi
    done 2>/dev/null <"$ROOT/proc/meminfo"
    return 1
}

# Usage: sysctl_read NAME. The value in force in VALUE.
sysctl_read() {
    sysctl_path "$1"
    # Not with read: some shells read byte by byte, and the kernel ends such a file after the first.
    VALUE=$(cat "$SYSCTL_PATH" 2>/dev/null) && [ -n "$VALUE" ] || return 1
    [ "$1" != vm.nr_hugepages ] || without_surplus
}

# Pages that are in use after the pool was made smaller are counted, but are lent, not reserved.
# They may be given back between two looks: the pool is read until it stands still.
without_surplus() {
    pool_looks=0
    while [ "$pool_looks" -lt 20 ]; do
        pool_looks=$((pool_looks + 1))
        meminfo HugePages_Surp || return 0
        pool_again=$(cat "$SYSCTL_PATH" 2>/dev/null) || return 1
        if [ "$pool_again" = "$VALUE" ] && [ "$MEMINFO" -le "$VALUE" ]; then
            VALUE=$((VALUE - MEMINFO))
            return 0
        fi
        VALUE=$pool_again
        sleep 0.1
    done
}

# Usage: sysctl_write NAME VALUE TWIN. Succeeds only where the kernel then shows that value.
sysctl_write() {
    doing "write $2 to /proc/sys/$(printf '%s' "$1" | tr . /)" || return 0
    sysctl_path "$1"
    if ! (printf '%s\n' "$2" >"$SYSCTL_PATH") 2>/dev/null; then
        complain "  the kernel did not take it"
        return 1
    fi
    if [ -n "$PRETEND" ] && [ -n "$3" ]; then
        # A pretend root has no kernel that does this.
        sysctl_path "$3"
        (printf '0\n' >"$SYSCTL_PATH") || return 1
    fi
    sysctl_read "$1" && [ "$VALUE" = "$2" ] && return 0
    complain "  written $2, read back ${VALUE:-nothing}"
    return 1
}

# Both values of a pair, or the one value, in PAIR.
sysctl_pair() {
    sysctl_read "$1" || return 1
    PAIR=$VALUE
    [ -n "$2" ] || return 0
    sysctl_read "$2" || return 1
    PAIR="$PAIR $VALUE"
}

keep_sysctl() {
    sysctl_pair "$F1" "$F4" && printf '%s\n' "$PAIR" >"$OWN/new/$1.value"
}

# Usage: state_sysctl STEP. How it stands: before, after or other, in STANDS; what was found in FOUND.
state_sysctl() {
    STANDS=other
    FOUND='nothing readable'
    sysctl_pair "$F1" "$F4" || return 0
    FOUND=${PAIR%% *}
    if [ -f "$KEPT/$1.value" ]; then
        state_before=$(cat "$KEPT/$1.value")
    else
        [ "$F2" != '?' ] || F2=$FOUND
        state_before="$F2${F4:+ $F5}"
        case $state_before in
            *'?') state_before=$PAIR ;;
            *) ;;
        esac
    fi
    if [ "$PAIR" = "$state_before" ]; then
        STANDS=before
    elif [ "$PAIR" = "$F3${F4:+ 0}" ]; then
        STANDS=after
    fi
    BEFORE=${state_before%% *}
}

do_sysctl() {
    sysctl_write "$F1" "$F3" "$F4"
}

# Only the one of a pair that was in force is written: a 0 written to the other would undo it.
undo_sysctl() {
    undo_pair=$(cat "$KEPT/$1.value") || return 1
    undo_own=${undo_pair%% *}
    undo_name=$F1 undo_value=$undo_own undo_other=$F4
    if [ -n "$F4" ] && [ "$undo_own" = 0 ]; then
        undo_name=$F4 undo_value=${undo_pair#* } undo_other=$F1
        if [ "$undo_value" = 0 ]; then
            # Neither was in force: only the ratio of a pair takes a 0.
            case $F1 in *_ratio) undo_name=$F1 undo_other=$F4 ;; *) ;; esac
        fi
    fi
    sysctl_write "$undo_name" "$undo_value" "$undo_other" || return 1
    [ -z "$DRY" ] || return 0
    sysctl_pair "$F1" "$F4" && [ "$PAIR" = "$undo_pair" ] && return 0
    complain "  expected $undo_pair, found $PAIR"
    return 1
}

name_sysctl() {
    NAME=$F1
}

# Room for what the change takes, with a thirty-second of the memory to spare.
check_sysctl() {
    [ -n "$F6" ] || return 0
    if ! meminfo MemTotal; then
        problem "$F1: /proc/meminfo does not tell how much memory there is"
        return 0
    fi
    room=$((${MEMINFO%???} / 32))
    if ! meminfo MemAvailable; then
        problem "$F1: /proc/meminfo does not tell how much memory is available"
        return 0
    fi
    room=$((${MEMINFO%???} - room))
    [ "$F6" -le "$room" ] ||
        problem "$F1: $F3 pages take $F6 MB more, only $room MB are available (free memory first, or plan anew)"
}

# Usage: sysfs_read PATH. The chosen word in VALUE: the one in brackets, or the whole line.
sysfs_read() {
    VALUE=$(cat "$ROOT$1" 2>/dev/null) && [ -n "$VALUE" ] || return 1
    case $VALUE in
        *'['*']'*)
            VALUE=${VALUE#*'['}
            VALUE=${VALUE%%']'*}
            ;;
        *) ;;
    esac
}

# A pretend root has no kernel that moves the brackets to the chosen word.
pretend_choice() {
    pretend_line=
    pretend_found=
    read -r pretend_words <"$ROOT$1" || return 1
    case $pretend_words in
        *'['*) ;;
        *)
            printf '%s\n' "$2" >"$ROOT$1"
            return
            ;;
    esac
    for pretend_word in $pretend_words; do
        pretend_word=${pretend_word#'['}
        pretend_word=${pretend_word%']'}
        if [ "$pretend_word" = "$2" ]; then
            pretend_word="[$2]"
            pretend_found=1
        fi
        pretend_line="$pretend_line${pretend_line:+ }$pretend_word"
    done
    [ -n "$pretend_found" ] && printf '%s\n' "$pretend_line" >"$ROOT$1"
}

sysfs_write() {
    doing "write $2 to $1" || return 0
    if [ -n "$PRETEND" ]; then
        pretend_choice "$1" "$2"
    else
        (printf '%s\n' "$2" >"$1") 2>/dev/null
    fi || complain "  the kernel did not take it"
    sysfs_read "$1" && [ "$VALUE" = "$2" ] && return 0
    complain "  written $2, read back ${VALUE:-nothing}"
    return 1
}

keep_sysfs() {
    sysfs_read "$F1" && printf '%s\n' "$VALUE" >"$OWN/new/$1.value"
}

state_sysfs() {
    STANDS=other
    FOUND='nothing readable'
    sysfs_read "$F1" || return 0
    FOUND=$VALUE
    BEFORE=$F2
    [ ! -f "$KEPT/$1.value" ] || BEFORE=$(cat "$KEPT/$1.value")
    if [ "$FOUND" = "$BEFORE" ] || [ "$BEFORE" = '?' ]; then
        STANDS=before
    elif [ "$FOUND" = "$F3" ]; then
        STANDS=after
    fi
}

do_sysfs() {
    sysfs_write "$F1" "$F3"
}

undo_sysfs() {
    sysfs_write "$F1" "$(cat "$KEPT/$1.value")"
}

name_sysfs() {
    NAME=$F1
}

check_sysfs() {
    :
}

# The names that sysctl.d reads after (or tmpfiles.d before) our own file, first come first told.
# Usage: rival_names after|before OWN-NAME DIRECTORY ...
rival_names() {
    rival_side=$1
    rival_own=$2
    shift 2
    for rival_dir in "$@"; do
        for rival_file in "$ROOT$rival_dir"/*.conf; do
            [ -e "$rival_file" ] || continue
            printf '%s\n' "${rival_file##*/}"
        done
    done | sort -u | while IFS= read -r rival_name; do
        [ "$rival_name" != "$rival_own" ] || continue
        rival_first=$(printf '%s\n%s\n' "$rival_name" "$rival_own" | sort | head -n 1)
        case $rival_side:$rival_first in
            after:"$rival_own" | before:"$rival_name") printf '%s\n' "$rival_name" ;;
            *) ;;
        esac
    done
}

# Usage: sets_key FILE KEY OTHER. Whether a sysctl.d file sets one of the keys.
sets_key() {
    while IFS= read -r sets_line || [ -n "$sets_line" ]; do
        case $sets_line in
            *=*) ;;
            *) continue ;;
        esac
        # Blanks around the key and a leading dash do not count; slashes are dots.
        sets_name=$(printf '%s' "${sets_line%%=*}" | tr -d ' \t' | tr / .)
        sets_name=${sets_name#-}
        [ "$sets_name" != "$2" ] && [ "$sets_name" != "${3:-$2}" ] || return 0
    done <"$1"
    return 1
}

# Usage: first_of FILE-NAME DIRECTORY ... The file that counts where several directories have the name, in FIRST.
first_of() {
    first_name=$1
    shift
    for FIRST in "$@"; do
        FIRST=$FIRST/$first_name
        [ ! -e "$ROOT$FIRST" ] || return 0
    done
    return 1
}

# Usage: sysctl_rival NAME TWIN. A file that wins over ours at the next boot, in RIVAL.
sysctl_rival() {
    set -- "$1" "$2" /etc/sysctl.d /run/sysctl.d /usr/local/lib/sysctl.d /usr/lib/sysctl.d /lib/sysctl.d
    RIVAL=$(rival_key=$1 rival_twin=$2 && shift 2 && rival_names after 90-tunewiz.conf "$@" |
        while IFS= read -r rival; do
            first_of "$rival" "$@" && [ -f "$ROOT$FIRST" ] || continue
            ! sets_key "$ROOT$FIRST" "$rival_key" "$rival_twin" || printf '%s\n' "$FIRST"
        done | tail -n 1)
    [ -n "$RIVAL" ]
}

# Usage: sets_path FILE PATH. Whether a tmpfiles.d file writes to the path.
sets_path() {
    while read -r sets_type sets_target _ || [ -n "$sets_type" ]; do
        case $sets_type in
            w*) [ "$sets_target" != "$2" ] || return 0 ;;
            *) ;;
        esac
    done <"$1"
    return 1
}

# Usage: sysfs_rival PATH. A tmpfiles.d file that comes before ours, and so wins, in RIVAL.
sysfs_rival() {
    set -- "$1" /etc/tmpfiles.d /run/tmpfiles.d /usr/local/lib/tmpfiles.d /usr/lib/tmpfiles.d
    RIVAL=$(rival_path=$1 && shift && rival_names before tunewiz.conf "$@" |
        while IFS= read -r rival; do
            first_of "$rival" "$@" && [ -f "$ROOT$FIRST" ] || continue
            ! sets_path "$ROOT$FIRST" "$rival_path" || printf '%s\n' "$FIRST"
        done | head -n 1)
    [ -n "$RIVAL" ]
}
