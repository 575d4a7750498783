# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Kernel settings under /proc/sys: written, read back, compared.
#
# A step is  sysctl|NAME|BEFORE|VALUE|TWIN|TWIN BEFORE|NEEDS|OWN PAGES.
# TWIN is the setting that the kernel sets to 0 when NAME is written, and the other way round.
# NEEDS is the memory that the change takes, in thousands of kB, worked out by the planner.
# A pool of huge pages has one field more: how many of them are for this server, which pool.sh looks at.

sysctl_path() {
    sysctl_rest=$1
    SYSCTL_PATH=/proc/sys
    while [ -n "$sysctl_rest" ]; do
        SYSCTL_PATH=$SYSCTL_PATH/${sysctl_rest%%.*}
        case $sysctl_rest in *.*) sysctl_rest=${sysctl_rest#*.} ;; *) sysctl_rest= ;; esac
    done
}

# Usage: meminfo NAME. The number of a line of /proc/meminfo in MEMINFO; fails without such a line.
meminfo() {
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
    VALUE=$(cat "$ROOT$SYSCTL_PATH" 2>/dev/null) && [ -n "$VALUE" ] || return 1
    [ "$1" != vm.nr_hugepages ] || without_surplus
}

# Pages that are in use after the pool was made smaller are counted, but are lent, not reserved.
# They may be given back between two looks: the pool is read until it stands still.
without_surplus() {
    pool_looks=0
    while [ "$pool_looks" -lt 20 ]; do
        pool_looks=$((pool_looks + 1))
        meminfo HugePages_Surp || return 0
        pool_again=$(cat "$ROOT$SYSCTL_PATH" 2>/dev/null) || return 1
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
    sysctl_path "$1"
    doing "write $2 to $SYSCTL_PATH" || return 0
    (printf '%s\n' "$2" >"$ROOT$SYSCTL_PATH") 2>/dev/null || complain "  the kernel did not accept it"
    if [ -n "$PRETEND" ] && [ -n "$3" ]; then
        # A pretend root has no kernel to do this.
        sysctl_path "$3"
        (printf '0\n' >"$ROOT$SYSCTL_PATH") || return 1
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
    FOUND='nothing readable' BEFORE=$F2
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
}

# A value that the kernel adjusted lies between before and planned: a pool with fewer pages, or a limit.
half_sysctl() {
    case $FOUND in '' | *[!0-9-]*) return 0 ;; *) ;; esac
    half_before=${state_before%% *}
    [ "$FOUND" != "$half_before" ] || return 1
    [ "$(printf '%s\n' "$half_before" "$F3" "$FOUND" | sort -n | sed -n 2p)" = "$FOUND" ]
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
    if ! pages_to_leave "$undo_name" "$undo_value"; then
        sysctl_write "$undo_name" "$PAGES" "$undo_other"
        return
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
    sysctl_path "$F1"
    check_writable "$SYSCTL_PATH"
    check_step=$1
    if [ -n "$F7" ]; then
        check_pool
        check_count
        load "$check_step"
    fi
    if later_sysctl; then
        check_put_off
        return 0
    fi
    [ -n "$F6" ] || return 0
    if ! meminfo MemTotal; then
        problem "$F1: /proc/meminfo does not say how much memory there is"
        return 0
    fi
    room=$((${MEMINFO%???} / 32))
    if ! meminfo MemAvailable; then
        problem "$F1: /proc/meminfo does not say how much memory is available"
        return 0
    fi
    room=$((${MEMINFO%???} - room))
    [ "$F6" -le "$room" ] ||
        problem "$F1: $F3 pages take $F6 MB more, only $room MB are available (free memory first, or plan again)"
}

verify_sysctl() {
    remark=
    state_sysctl "$1"
    ! still_waits "$1" || remark='waits for apply.sh to restart the server' WAITS=true
    sysctl_read "$F1" || VALUE=
    line_of /etc/sysctl.d/90-tunewiz.conf sysctl "$F1"
    verify_from=/etc/sysctl.d/90-tunewiz.conf
    if sysctl_rival "$F1" "$F4"; then
        verify_from=$RIVAL remark="$RIVAL overrides it $RIVAL_WINS"
        [ "$RIVAL_WINS" != 'at the next boot' ] || GIVEN=
    fi
    kernel_words "$F1" "$F3"
    tell sysctl "$F1" "$F3" "$VALUE" "$GIVEN" "$verify_from" "$remark" "$WORDS"
}

in_force_sysctl() {
    kept_value "$1"
    sysctl_read "$F1" || VALUE=
    kernel_words "$F1" "${KEPT_VALUE%% *}"
    in_force_before=$WORDS
    kernel_words "$F1" "$VALUE"
    count_value "$F1" "$F3" "$VALUE" "$in_force_before" "$WORDS"
}

rival_sysctl() {
    sysctl_rival "$F1" "$F4"
}

# Usage: sysctl_rival NAME TWIN. A file that wins over ours, in RIVAL, and when it does, in RIVAL_WINS.
sysctl_rival() {
    RIVAL_WINS='at the next boot'
    rival_key=$1 rival_twin=$2
    set -- /etc/sysctl.d /run/sysctl.d /usr/local/lib/sysctl.d /usr/lib/sysctl.d /lib/sysctl.d
    RIVAL=$(rival_names after 90-tunewiz.conf "$@" |
        while IFS= read -r rival; do
            first_of "$rival" "$@"
            [ -f "$ROOT$FIRST" ] || continue
            ! sets_key "$ROOT$FIRST" "$rival_key" "$rival_twin" || printf '%s\n' "$FIRST"
        done | tail -n 1)
    [ -z "$RIVAL" ] || return 0
    sysctl_conf_sets "$rival_key" "$rival_twin" || return 1
    RIVAL=/etc/sysctl.conf
    # systemd reads it by Debian's link alone, which is one of the names above.
    [ ! -d "$ROOT/run/systemd/system" ] || RIVAL_WINS='whenever sysctl --system is run'
}

# Usage: sysctl_conf_sets KEY OTHER. procps reads it after all of sysctl.d: at boot where systemd does not run the
# machine, and wherever someone has it read everything again.
sysctl_conf_sets() {
    [ -f "$ROOT/etc/sysctl.conf" ] && sets_key "$ROOT/etc/sysctl.conf" "$1" "$2"
}

# Usage: sets_key FILE KEY OTHER. Whether a sysctl.d file sets one of the keys.
sets_key() {
    sets_other=${3:-$2}
    while IFS= read -r sets_line || [ -n "$sets_line" ]; do
        # The last word of a key has no dot and no slash: without it the line need not be looked at closely.
        case $sets_line in
            *"${2##*.}"*=* | *"${sets_other##*.}"*=*) ;;
            *) continue ;;
        esac
        # Blanks around the key and a leading dash do not count; slashes are dots.
        sets_name=$(printf '%s' "${sets_line%%=*}" | tr -d ' \t' | tr / .)
        sets_name=${sets_name#-}
        [ "$sets_name" != "$2" ] && [ "$sets_name" != "$sets_other" ] || return 0
    done <"$1"
    return 1
}

live_sysctl() {
    state_sysctl "$1"
    ! still_waits "$1" || return 0
    sysctl_read "$F1" || VALUE='nothing readable'
    [ "$VALUE" != "$F3" ] || return 0
    kernel_words "$F1" "$VALUE"
    live_value=$WORDS
    kernel_words "$F1" "$F3"
    problem "$F1: planned $WORDS, found $live_value"
}

keys_sysctl() {
    KEYS="${KEYS}sysctl:$1 ${4:+sysctl:$4 }"
}

gives_sysctl() {
    [ "$1:$2" = "sysctl:$F1" ] || [ "$1:$2" = "sysctl:$F4" ]
}

file_key_sysctl() {
    KEY=${1%% =*}
}

plan_sysctl() {
    KERNEL_STEPS=$((KERNEL_STEPS + 1))
    # Of a pool of huge pages only a server that is started later has any.
    [ -z "$F7" ] || RESTART_PLANNED=1
}
