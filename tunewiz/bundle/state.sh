# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# What outlives a run: the lock, the journal, and how everything was before the first change.
#
# $OWN/journal    one line for each deed: intent N, done N, undo N, undone N, applied, confirmed, restored;
#                 server WORD and wal WORD: how far a restart and a move of the log have come
# $OWN/kept/N.*   step N before (.before, .absent, .value) and after (.after); there only when complete

# Usage: process_start NUMBER. When a process was started, as the kernel counts it, in PROCESS_START; fails for one
# that has ended, though its parent may not have asked how.
process_start() {
    process_stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
    # The name in brackets may hold blanks; the start is the 20th word after it.
    process_stat=${process_stat##*') '}
    case $process_stat in [ZX]*) return 1 ;; *) ;; esac
    PROCESS_START=$(printf '%s' "$process_stat" | cut -d ' ' -f 20)
}

# Who holds the lock: a process is known by number, boot and start, for numbers are used again.
lock_token() {
    lock_boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)
    process_start "$1" || return 1
    LOCK_TOKEN="$1 $lock_boot $PROCESS_START"
}

# Whether who took the lock, told in lock_held, is gone.
lock_is_stale() {
    lock_held=$(cat "$STATE/lock/owner" 2>/dev/null) || return 1
    lock_token "${lock_held%% *}" || return 0
    [ "$LOCK_TOKEN" != "$lock_held" ]
}

# The directory is moved into place with its owner inside: it is never there without one.
lock_take() {
    lock_own=$STATE/lock.$$
    lock_token "$$" || die 5 "/proc/$$/stat cannot be read"
    rm -rf "$lock_own"
    if ! mkdir "$lock_own" || ! printf '%s\n' "$LOCK_TOKEN" >"$lock_own/owner"; then
        die 5 "cannot write in $STATE"
    fi
    ! mv -T "$lock_own" "$STATE/lock" 2>/dev/null || return 0
    if lock_is_stale && mv -T "$STATE/lock" "$lock_own.stale" 2>/dev/null; then
        if [ "$(cat "$lock_own.stale/owner")" != "$lock_held" ]; then
            mv -T "$lock_own.stale" "$STATE/lock"
        else
            rm -rf "$lock_own.stale"
        fi
        mv -T "$lock_own" "$STATE/lock" 2>/dev/null && return 0
    fi
    rm -rf "$lock_own"
    return 1
}

lock() {
    if [ -n "$DRY" ]; then
        if [ -d "$STATE/lock" ] && ! lock_is_stale; then
            die 75 "Another run holds $STATE/lock (process ${lock_held%% *})."
        fi
        return 0
    fi
    [ -d "$STATE" ] || mkdir -p "$STATE" || die 5 "cannot make $STATE"
    # What is kept there is put back with our rights: nobody else may lay anything into it.
    [ "$(stat -c %u "$STATE")" = "$(id -u)" ] || die 5 "$STATE belongs to someone else"
    chmod 0700 "$STATE" || die 5 "cannot close $STATE to others"
    lock_take || die 75 "Another run holds $STATE/lock (process ${lock_held%% *})."
    LOCKED=1
}

unlock() {
    [ -z "${LOCKED:-}" ] || rm -rf "$STATE/lock"
}

# Usage: note WORDS. One line of the journal, on disk before anything else happens.
note() {
    [ -z "$DRY" ] || return 0
    printf '%s\n' "$*" >>"$OWN/journal" && sync "$OWN/journal"
}

# How the bundle stands here: none, begun, applied, restored; confirmed or not; and whether we stopped the server.
read_journal() {
    JOURNAL=none
    CONFIRMED=
    SERVER_WORD=
    WAL_WORD=
    INTENDED=' '
    UNFINISHED=' '
    [ -f "$OWN/journal" ] || return 0
    # A last line without its end was never finished: read does not return it.
    while IFS=' ' read -r word number; do
        case $word in
            begin) JOURNAL=begun ;;
            applied | restored) JOURNAL=$word CONFIRMED='' ;;
            confirmed) CONFIRMED=1 ;;
            intent) INTENDED="$INTENDED$number " UNFINISHED="$UNFINISHED$number " ;;
            undo) UNFINISHED="$UNFINISHED$number " ;;
            "done" | undone) finished "$number" ;;
            server) SERVER_WORD=$number ;;
            wal) WAL_WORD=$number ;;
            *) ;;
        esac
    done <"$OWN/journal"
}

# Usage: finished NUMBER. Out of the steps that were begun, however often.
finished() {
    finished_rest=$UNFINISHED
    UNFINISHED=' '
    for finished_one in $finished_rest; do
        [ "$finished_one" = "$1" ] || UNFINISHED="$UNFINISHED$finished_one "
    done
}

# Whether step $1 is one of the kernel's values, which we were cut off from writing or which came out otherwise than
# written: neither before nor after, and yet ours. Files are never half there.
is_half_done() {
    case $KIND:$UNFINISHED in
        sysctl:*" $1 "* | sysfs:*" $1 "*) return 0 ;;
        *) return 1 ;;
    esac
}

# Whether step $1 was begun by this bundle.
was_intended() {
    case $INTENDED in
        *" $1 "*) return 0 ;;
        *) return 1 ;;
    esac
}

# A bundle that was taken back may be applied again: its first journal is laid aside, not lost.
lay_aside() {
    doing "lay aside the records of the earlier run" || return 0
    aside=1
    while [ -e "$OWN.$aside" ]; do
        aside=$((aside + 1))
    done
    mv -T "$OWN" "$OWN.$aside" && sync "$STATE"
}

# Keeps everything as it is before the first change; what an interrupted run has kept counts.
keep_before() {
    [ ! -d "$OWN/kept" ] || return 0
    doing "keep what is there now in $OWN" || return 0
    mkdir -p "$OWN" && rm -rf "$OWN/new" && mkdir "$OWN/new" || return 1
    step=1
    while [ "$step" -lt "$STEPS" ]; do
        step=$((step + 1))
        load "$step"
        is_item "$KIND" || continue
        "keep_$KIND" "$step" || return 1
    done
    keep_settings && true >"$OWN/journal" || return 1
    sync "$OWN/new"/* "$OWN/new" "$OWN/journal" && mv -T "$OWN/new" "$OWN/kept" && sync "$OWN" "$STATE"
}
