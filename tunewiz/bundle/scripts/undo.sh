# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Restores everything in reverse order: first the server, then the kernel. What others have changed since stays.

RESTORED=0
FOREIGN_LEFT=
NOT_RESTORED=
# Why the server cannot be queried; empty if it was found.
SERVER_MISSING=
ANOTHER_CLUSTER=
# Set while things are being restored: a journal that cannot be written is then no reason to stop.
UNDOING=

# Usage: restore_step NUMBER. Three ways: as before (nothing to do), as we left it (back), else someone else's.
restore_step() {
    was_intended "$1" || return 0
    if is_out_of_reach "$1"; then
        not_restored "$NAME ($MISSING)"
        return 0
    fi
    stand "$1"
    sweep_strays "$1"
    ! is_half_done "$1" || [ "$STANDS" = before ] || STANDS=after
    case $STANDS in
        before) return 0 ;;
        partly)
            leave_alone "$NAME ($FOUND)"
            ;;
        other)
            leave_alone "$NAME"
            return 0
            ;;
        *) ;;
    esac
    # A journal that cannot be written is no reason to leave a change: what is there tells the next run.
    note undo "$1" || complain "  the journal cannot be written; what was changed is undone anyway"
    if "undo_$KIND" "$1"; then
        note undone "$1" || true
        RESTORED=$((RESTORED + 1))
        return 0
    fi
    not_restored "$NAME"
}

# Usage: is_out_of_reach NUMBER. Whether the place of a file of the server's is gone, or what was kept of it; in MISSING.
is_out_of_reach() {
    "name_$KIND"
    MISSING='' reach_path=''
    ! has "reach_$KIND" || "reach_$KIND" "$1"
    # An empty place under a mount that is not there looks as it did before.
    if [ -n "$reach_path" ] && ! sees -d "$ROOT${reach_path%/*}"; then
        unseen "$ROOT${reach_path%/*}" 'is not there'
        MISSING="${reach_path%/*} $UNSEEN"
    fi
    # What is in another cluster is not ours, even if it looks the same.
    [ -z "$reach_path" ] || [ -z "$ANOTHER_CLUSTER" ] || MISSING="it belongs to another cluster"
    ! is_lost "$1" || MISSING="what was there before is lost: $LOST_FILE"
    [ -n "$MISSING" ]
}

# Another cluster that was made at the same path is not touched: ours is missing.
know_cluster() {
    [ -n "$DATA" ] && [ -z "$SERVER_MISSING" ] || return 0
    ! is_planned_cluster || return 0
    SERVER_MISSING="the server, which another cluster has replaced (above)"
    ANOTHER_CLUSTER=1 POSTMASTER=
}

# Usage: sweep_strays NUMBER. A file that a killed run had not moved into place yet.
sweep_strays() {
    [ -z "$DRY" ] || return 0
    ! has "sweep_$KIND" || "sweep_$KIND" "$1"
}

# When the loaded step is taken back, in TURN: with the server's files, while the server is stopped, or last.
turn_of() {
    TURN=last
    case "$WITH_SERVER " in *" $KIND "* | *" $KIND:$F1 "*) TURN=server ;; *) ;; esac
    case "$WHILE_STOPPED " in *" $KIND "*) TURN=stopped ;; *) ;; esac
}

# Usage: restore_turn TURN. The steps whose turn it is, last first.
restore_turn() {
    undoing=$STEPS
    while [ "$undoing" -gt 1 ]; do
        load "$undoing"
        turn_of
        if [ "$TURN" = "$1" ] && is_item "$KIND"; then restore_step "$undoing"; fi
        undoing=$((undoing - 1))
    done
}

# Usage: leave_alone WHAT. The loaded step, which was just looked at, has someone else's value: that stays.
leave_alone() {
    join "$FOREIGN_LEFT" "$1"
    FOREIGN_LEFT=$JOINED
    kernel_words "$NAME" "$FOUND"
    complain "left alone, changed by someone else since: $NAME ($WORDS)"
}

# Usage: not_restored WHAT. Named once at the end.
not_restored() {
    join "$NOT_RESTORED" "$1"
    NOT_RESTORED=$JOINED
    complain "NOT restored: $1"
}

# The server must no longer want huge pages when the pool shrinks: it goes first.
restore_all() {
    UNDOING=1
    restore_turn server
    # The last of the server's: for these it is stopped, and started again below.
    restore_turn stopped
    settle_server || not_restored "${SERVER_MISSING:-the server does not run as before}"
    restore_turn last
}
