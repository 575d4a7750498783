# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# How many of the changes stand when a script has ended well. Each is looked at on the machine: what was planned or
# written down counts for nothing.

COUNTED=0 STANDING=0 MISSED='' CHANGES='' RESTARTED='' FILES_BEFORE='' restart_began=''

# Usage: count_value NAME PLANNED FOUND BEFORE SHOWN. One change, as the machine has it now; BEFORE and SHOWN are for people.
count_value() {
    if [ "$3" != "$2" ]; then
        count_missed "$1"
        return 0
    fi
    COUNTED=$((COUNTED + 1)) STANDING=$((STANDING + 1))
    quote_ends "$4"
    count_before=${4:+$QUOTED }
    quote_ends "$5"
    CHANGES="$CHANGES  $1 $count_before-> $QUOTED$NL"
}

# Usage: quote_ends VALUE. In QUOTED: in quotes where it is empty, or begins or ends with a blank, which nobody would see.
quote_ends() {
    case $1 in '' | ' '* | *' ') QUOTED="'$1'" ;; *) QUOTED=$1 ;; esac
}

# Usage: kernel_words NAME VALUE. A value of the kernel's as people write it, in WORDS: bytes in the largest unit that
# leaves them whole, in shells that calculate with numbers of that size.
kernel_words() {
    WORDS=$2
    case $1 in vm.*_bytes) ;; *) return 0 ;; esac
    is_number "$2" && [ "$2" != 0 ] && [ "$((2147483647 + 1))" -gt 0 ] || return 0
    words_number=$2
    for words_unit in kB MB GB TB; do
        [ "$((words_number % 1024))" -eq 0 ] || return 0
        words_number=$((words_number / 1024))
        WORDS=$words_number$words_unit
    done
}

# Usage: count_missed NAME. One change that does not stand.
count_missed() {
    COUNTED=$((COUNTED + 1))
    join "$MISSED" "$1"
    MISSED=$JOINED
}

# Usage: is_carrier KIND
is_carrier() {
    case "$CARRIERS " in *" $1 "*) return 0 ;; *) return 1 ;; esac
}

# Usage: kept_value NUMBER. What the kernel had before the step, in KEPT_VALUE.
kept_value() {
    KEPT_VALUE=
    read -r KEPT_VALUE 2>/dev/null <"$KEPT/$1.value" || true
}

# Every change of the plan as the machine has it now, in CHANGES and IN_FORCE: lines for people.
count_in_force() {
    outcome=1
    while [ "$outcome" -lt "$STEPS" ]; do
        outcome=$((outcome + 1))
        load "$outcome"
        if is_carrier "$KIND"; then
            continue
        elif has "in_force_$KIND"; then
            "in_force_$KIND" "$outcome"
        elif has "verify_$KIND"; then
            # What it says beside what it tells was said before anything was changed.
            "verify_$KIND" "$outcome" 2>/dev/null
        fi
    done
    IN_FORCE=
    [ "$COUNTED" -eq 0 ] || IN_FORCE="$STANDING of $COUNTED in force${MISSED:+; not yet: $MISSED}$NL"
}

# The loaded step, which was just looked at, is as it was before, or is not; see stand.
count_restored() {
    ! is_carrier "$KIND" || return 0
    if [ "$STANDS" = before ]; then
        COUNTED=$((COUNTED + 1)) STANDING=$((STANDING + 1))
    else
        count_missed "$NAME"
    fi
}

# The loaded setting: by what the server answered last, or by the files of one that is down.
count_restored_setting() {
    before_of "$F1"
    if { [ -n "$ANSWERED" ] && setting_of "$F1" && was_before "$SETTING"; } ||
        { [ -z "$POSTMASTER" ] && is_among "$F1" "$FILES_BEFORE"; }; then
        COUNTED=$((COUNTED + 1)) STANDING=$((STANDING + 1))
    else
        count_missed "$F1"
    fi
}

# Usage: is_among NAME NAMES
is_among() {
    case $2 in *" $1 "*) return 0 ;; *) return 1 ;; esac
}

# After is_in_force, which has looked at every step: how many changes are as before, in AS_BEFORE, a line for people;
# nothing where a step stands for several of them.
count_as_before() {
    AS_BEFORE=
    outcome=1
    while [ "$outcome" -lt "$STEPS" ]; do
        outcome=$((outcome + 1))
        load "$outcome"
        if is_item "$KIND" || is_carrier "$KIND" || ! has "verify_$KIND"; then
            continue
        fi
        [ "$KIND" = setting ] || return 0
        count_restored_setting
    done
    [ "$COUNTED" -eq 0 ] || AS_BEFORE="$STANDING of $COUNTED as before${MISSED:+; it is unknown of $MISSED}$NL"
}

# Hundredths of a second since the machine was started, in CLOCK; empty where they cannot be read.
read_clock() {
    CLOCK=
    read -r CLOCK _ 2>/dev/null </proc/uptime || true
    CLOCK=${CLOCK%%.*}${CLOCK#*.}
    # A number with a zero in front would be octal.
    CLOCK=${CLOCK#0}
    CLOCK=${CLOCK#0}
    is_number "$CLOCK" || CLOCK=''
}

# Usage: time_restart WORDS. The restart that began at restart_began, and how long it took, in RESTARTED: a line for people.
time_restart() {
    read_clock
    RESTARTED="restarted ($1): up"
    if [ -n "$restart_began" ] && [ -n "$CLOCK" ]; then
        restart_tenths=$(((CLOCK - restart_began) / 10))
        RESTARTED="$RESTARTED after $((restart_tenths / 10)).$((restart_tenths % 10)) s"
    fi
    RESTARTED=$RESTARTED$NL
}
