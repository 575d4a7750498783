# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# What outlives a run: the lock, the journal, and the state before the first change.
#
# $OWN/journal    one line for each deed: intent N, done N, undo N, undone N, applied, confirmed, restored;
#                 later N: left until the server is restarted, and not done;
#                 server WORD and wal WORD: how far a restart and a move of the log have come
# $OWN/kept/N.*   step N before (.before, .absent, .value) and after (.after); there only when complete

# Usage: process_start NUMBER. When a process was started, as the kernel counts it, in PROCESS_START; fails for one
# that has ended, though its parent may not have asked how.
process_start() {
    read_content "/proc/$1/stat" || return 1
    # The name in brackets may hold blanks; the start is the 20th word after it.
    # shellcheck disable=SC2086 # split at the blanks, on purpose
    set -- ${CONTENT##*') '}
    PROCESS_START=${20:-}
    case $1 in [ZX]*) return 1 ;; *) ;; esac
}

# Which boot this is, in BOOT_ID.
know_boot() {
    [ -z "${BOOT_ID:-}" ] || return 0
    read_line /proc/sys/kernel/random/boot_id || :
    BOOT_ID=$LINE
}

# Who holds the lock: a process is identified by number, boot and start time, because numbers are reused.
lock_token() {
    know_boot
    process_start "$1" || return 1
    LOCK_TOKEN="$1 $BOOT_ID $PROCESS_START"
}

# Whether the process that took the lock (lock_held) is gone. A lock is never taken without an owner in it: an empty one
# is left of a file system that lost its end, or somebody made it.
lock_is_stale() {
    lock_held=
    read_line "$LOCK_HOME/lock/owner" || {
        [ ! -e "$LOCK_HOME/lock/owner" ]
        return
    }
    lock_held=$LINE
    lock_token "${lock_held%% *}" || return 0
    [ "$LOCK_TOKEN" != "$lock_held" ]
}

# Where the lock is: with the records, or, where nothing can be written there, in a directory that a reboot empties.
LOCK_AWAY=/run/tunewiz-lock

# Usage: lock_take. Fails with LOCK_ERROR if nothing can be written.
# The directory is moved into place with its owner inside: it is never there without one.
lock_take() {
    lock_own=$LOCK_HOME/lock.$$
    LOCK_ERROR=
    lock_token "$$" || die 5 "/proc/$$/stat cannot be read"
    [ ! -e "$lock_own" ] || rm -rf "$lock_own"
    if ! mkdir "$lock_own" || ! printf '%s\n' "$LOCK_TOKEN" >"$lock_own/owner"; then
        rm -rf "$lock_own"
        LOCK_ERROR="cannot write in $LOCK_HOME"
        return 1
    fi 2>/dev/null
    ! mv -T "$lock_own" "$LOCK_HOME/lock" 2>/dev/null || return 0
    if lock_is_stale && mv -T "$LOCK_HOME/lock" "$lock_own.stale" 2>/dev/null; then
        if [ "$(cat "$lock_own.stale/owner" 2>/dev/null)" != "$lock_held" ]; then
            mv -T "$lock_own.stale" "$LOCK_HOME/lock"
        else
            rm -rf "$lock_own.stale"
        fi
        mv -T "$lock_own" "$LOCK_HOME/lock" 2>/dev/null && return 0
    fi
    rm -rf "$lock_own"
    return 1
}

# What runs that were killed while they took the lock have left: their process is gone.
sweep_locks() {
    for lock_left in "$LOCK_HOME"/lock.*; do
        lock_number=${lock_left#"$LOCK_HOME"/lock.}
        lock_number=${lock_number%.stale}
        is_number "$lock_number" && [ ! -e "/proc/$lock_number" ] && rm -rf "$lock_left"
    done 2>/dev/null
}

# Whether a run that could not write in the state directory is at work.
is_locked_away() {
    read_line "$ROOT$LOCK_AWAY/lock/owner" || :
    lock_held=$LINE
    [ -n "$lock_held" ] && lock_token "${lock_held%% *}" &&
        [ "$LOCK_TOKEN" = "$lock_held" ] && [ "${lock_held%% *}" != "$$" ]
}

# For what undoes: a state directory that is full or read-only keeps nothing from it.
lock_away() {
    if [ -d "$STATE/lock" ] && ! lock_is_stale; then
        LOCK_ERROR=
        return 1
    fi
    complain "Nothing can be written in $STATE: the journal stays as it is, and the current state shows what to undo."
    LOCK_HOME=$ROOT$LOCK_AWAY
    if { mkdir -p "$LOCK_HOME" && [ "$(stat -c %u "$LOCK_HOME")" = "$ME" ]; } 2>/dev/null; then
        lock_take || [ -n "$LOCK_ERROR" ] || return 1
    fi
    LOCK_ERROR=
    SCRATCH=$LOCK_HOME
}

lock() {
    if [ -n "$DRY" ]; then
        if [ -d "$STATE/lock" ] && ! lock_is_stale; then
            die 75 "Another run holds $STATE/lock (process ${lock_held%% *})."
        fi
        return 0
    fi
    open_state
    ! is_locked_away || die 75 "Another run is at work (process ${lock_held%% *})."
    if ! lock_take; then
        if [ -z "$LOCK_ERROR" ] || [ -z "${MAY_LOCK_AWAY:-}" ] || ! lock_away; then
            refuse_lock
        fi
    fi
    LOCKED=1
    sweep_locks
}

refuse_lock() {
    [ -z "$LOCK_ERROR" ] || die 5 "$LOCK_ERROR"
    die 75 "Another run holds $STATE/lock (process ${lock_held%% *})."
}

# The state directory exists and belongs to us: what is saved there is restored with our rights.
open_state() {
    [ -d "$STATE" ] || mkdir -p "$STATE" || die 5 "cannot make $STATE"
    open_told=$(stat -c '%u %a' "$STATE")
    [ "${open_told% *}" = "$ME" ] || die 5 "$STATE belongs to someone else"
    [ "${open_told#* }" = 700 ] || chmod 0700 "$STATE" || die 5 "cannot close $STATE to others"
}

unlock() {
    [ -n "${LOCKED:-}" ] || return 0
    rm -rf "$LOCK_HOME/lock" 2>/dev/null || true
    [ "$LOCK_HOME" = "$STATE" ] || rm -rf "$ROOT$LOCK_AWAY"
}

# Set if the last line of the journal may be incomplete: a disk was full, or a run was killed.
TORN=1

# Usage: note WORDS. Adds a line to the journal, on disk before anything else happens.
note() {
    [ -z "$DRY" ] || return 0
    [ -z "$TORN" ] || end_torn_line || return 1
    TORN=1
    printf '%s\n' "$*" >>"$OWN/journal" && TORN='' && sync "$OWN/journal"
}

# An unfinished line is marked, so that the next one does not become part of it.
end_torn_line() {
    [ ! -s "$OWN/journal" ] || [ -z "$(tail -c 1 "$OWN/journal")" ] || printf ' ~\n' >>"$OWN/journal"
}

# How the bundle stands here: none, begun, applied, restored, or lost; confirmed or not; and whether we stopped the server.
read_journal() {
    JOURNAL=none
    CONFIRMED=
    SERVER_WORD=
    WAL_WORD=
    INTENDED=' '
    UNFINISHED=' '
    PUT_OFF=' '
    if [ ! -f "$OWN/journal" ]; then
        [ ! -d "$OWN/kept" ] || lose "$OWN/journal"
        return 0
    fi
    # A last line without a newline was never finished: read does not return it.
    while IFS=' ' read -r word number; do
        case "$word $number" in *'~') continue ;; *) ;; esac
        case $word in
            begin) JOURNAL=begun CONFIRMED='' ;;
            applied) JOURNAL=applied CONFIRMED='' ;;
            restored) JOURNAL=restored CONFIRMED='' PUT_OFF=' ' ;;
            confirmed) CONFIRMED=1 ;;
            intent) INTENDED="$INTENDED$number " UNFINISHED="$UNFINISHED$number " ;;
            undo) UNFINISHED="$UNFINISHED$number " ;;
            # A boot may do it: then it is taken back as what was done here.
            later) INTENDED="$INTENDED$number " PUT_OFF="$PUT_OFF$number " ;;
            "done" | undone) finished "$number" ;;
            server) SERVER_WORD=$number ;;
            wal) WAL_WORD=$number ;;
            *) LOST="$OWN/journal (a line of it is damaged)" ;;
        esac
    done <"$OWN/journal"
    look_for_losses
}

# Usage: finished NUMBER. Out of the steps that were begun or put off, however often.
finished() {
    numbers_without "$1" "$UNFINISHED"
    UNFINISHED=$NUMBERS
    numbers_without "$1" "$PUT_OFF"
    PUT_OFF=$NUMBERS
}

# Usage: numbers_without NUMBER NUMBERS. The others, in NUMBERS.
numbers_without() {
    NUMBERS=' '
    for numbers_one in $2; do
        [ "$numbers_one" = "$1" ] || NUMBERS="$NUMBERS$numbers_one "
    done
}

# Whether step $1, as it stands, is what we were cut off from: neither before nor after, and yet ours. Files are never
# half there.
is_half_done() {
    case $UNFINISHED in *" $1 "*) ;; *) return 1 ;; esac
    has "half_$KIND" && "half_$KIND"
}

# Whether step $1 was begun by this bundle.
was_intended() {
    case $INTENDED in
        *" $1 "*) return 0 ;;
        *) return 1 ;;
    esac
}

# A bundle that was rolled back may be applied again: its first journal is set aside, not lost.
lay_aside() {
    doing "set aside the records of the earlier run" || return 0
    aside=1
    while [ -e "$OWN.$aside" ]; do
        aside=$((aside + 1))
    done
    mv -T "$OWN" "$OWN.$aside" && sync "$STATE"
}

# Saves the state before the first change; what an interrupted run has saved counts.
keep_before() {
    [ ! -d "$OWN/kept" ] || return 0
    doing "save the current state in $OWN" || return 0
    { [ ! -e "$OWN/new" ] || rm -rf "$OWN/new"; } && mkdir -p "$OWN/new" || return 1
    step=1
    while [ "$step" -lt "$STEPS" ]; do
        step=$((step + 1))
        load "$step"
        is_item "$KIND" || continue
        "keep_$KIND" "$step" || return 1
    done
    keep_settings && keep_order && true >"$OWN/journal" && sum_kept || return 1
    sync "$OWN/new"/* "$OWN/new" "$OWN/journal" && mv -T "$OWN/new" "$OWN/kept" && sync "$OWN" "$STATE"
}
