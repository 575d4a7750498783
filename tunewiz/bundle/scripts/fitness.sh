# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Would the server start again if it were stopped now? Checked before every stop.

# Free where the server writes to start: postmaster.pid, statistics, temporary files. A start of PostgreSQL 15 takes
# less than a tenth of it.
MEBIBYTES_TO_START=8
# The log takes the checkpoint of the stop and the one of the start, each in a segment of its own at worst.
SEGMENTS_TO_START=2
# PostgreSQL's default, where pg_controldata prints no size that PostgreSQL allows.
SEGMENT_BYTES=16777216
MAX_SEGMENT_BYTES=1073741824

# Whatever prevents a restart of the running server becomes a problem.
check_fitness() {
    check_others_pending
    check_places
    check_restart
}

# A restart puts in force what others changed, and it fails where that is wrong.
check_others_pending() {
    FOREIGN='' foreign_ours=' '
    each_setting note_ours
    find_others
    [ -z "$FOREIGN" ] ||
        problem "a restart would also put in force what others have changed: $FOREIGN (restart first, or use --no-restart)"
}

# In FOREIGN: what others wrote into the files as they are now, and the running server cannot take or has not read.
# That a setting waits is not asked: it is said on of one that was taken out again.
find_others() {
    # Warnings of psql are no answer; why there is none is worth asking again.
    unread=$(ask_unread 2>/dev/null) || {
        problem "the server does not report what its files contain: $(ask_unread 2>&1 >/dev/null)"
        return 0
    }
    while [ -n "$unread" ]; do
        unread_one=${unread%%"$NL"*}
        unread=${unread#"$unread_one"}
        unread=${unread#"$NL"}
        is_ours_by_name "$unread_one" && continue
        case ", $FOREIGN, " in *", $unread_one, "*) continue ;; *) ;; esac
        join "$FOREIGN" "$unread_one"
        FOREIGN=$JOINED
    done
}

ask_unread() {
    ask "SELECT DISTINCT coalesce(name, error) FROM pg_file_settings WHERE error IS NOT NULL"
}

# Usage: is_ours_by_name WORDS. Whether they are the name of a planned setting, or quote it.
is_ours_by_name() {
    for ours_name in $foreign_ours; do
        case $1 in
            "$ours_name" | *'"'"$ours_name"'"'*) return 0 ;;
            *) ;;
        esac
    done
    return 1
}

# The file systems that the server writes to when it stops and starts.
check_places() {
    find_log
    place_room=$MEBIBYTES_TO_START place_segments=$SEGMENTS_TO_START
    # A log on its way back is given the room of its former self, which goes first.
    for place_wal in pg_wal pg_xlog; do
        if sees -d "$ROOT$DATA/$place_wal.tunewiz-old"; then place_room=0 place_segments=0; fi
    done
    check_place_of "$DATA" "$place_room"
    segment=$(look_as_owner "$BIN/pg_controldata" -D "$ROOT$DATA" 2>/dev/null | sed -n 's/^Bytes per WAL segment: *//p')
    number_of "$segment" "$SEGMENT_BYTES"
    [ "$NUMBER" -le "$MAX_SEGMENT_BYTES" ] || NUMBER=$SEGMENT_BYTES
    for place_wal in pg_wal pg_xlog; do
        check_place_of "$DATA/$place_wal" "$((place_segments * (NUMBER / 1048576)))"
    done
    # Each is a link by the number of its tablespace.
    for place_table in $(tells "$ROOT$DATA/pg_tblspc/" ls "$ROOT$DATA/pg_tblspc/" 2>/dev/null); do
        case $place_table in *[!0-9]*) ;; *) check_place_of "$DATA/pg_tblspc/$place_table" 0 ;; esac
    done
    case $LOG in
        # A pipe, or a deleted file.
        '' | /proc/* | /dev/*) ;;
        *)
            place_log=${LOG%/*}
            check_place_of "${place_log#"$ROOT"}" 1
            ;;
    esac
    setting_of unix_socket_directories || SETTING=
    while [ -n "$SETTING" ]; do
        place_socket=${SETTING%%,*}
        SETTING=${SETTING#"$place_socket"}
        SETTING=${SETTING#,}
        trim "$place_socket"
        # An abstract socket needs no directory.
        case $TRIMMED in /*) check_place_of "${TRIMMED#"$ROOT"}" 0 ;; *) ;; esac
    done
}

# Usage: check_place_of DIRECTORY MEBIBYTES. Writable for the server's owner, with that much room; none to look at: fine.
check_place_of() {
    case $1 in /*) ;; *) return 0 ;; esac
    sees -d "$ROOT$1" || return 0
    if ! look_as_owner test -w "$ROOT$1/"; then
        problem "$1: the server cannot write there (its file system is read-only?), so it would not start again"
        return 0
    fi
    free_of -Pk "$ROOT$1/"
    number_of "${FREE#* }" 0
    place_free=$((NUMBER / 1024))
    [ "$place_free" -ge "$2" ] ||
        problem "$1: $place_free MiB are free, and the server needs $2 MiB to stop and start again"
    free_of -Pi "$ROOT$1/"
    case $FREE in
        # Some file systems do not count inodes.
        '0 '* | '- '* | *' -' | *[!0-9' ']* | '') ;;
        *' 0') problem "$1: no file can be created there (no free inode), so the server would not start again" ;;
        *) ;;
    esac
}

# Usage: free_of OPTION PATH. How much df says there is, and is free, in FREE; nothing where it does not tell.
free_of() {
    FREE=$(tells "$2" df "$1" "$2" 2>/dev/null)
    case $FREE in *"$NL"*) ;; *) FREE= ;; esac
    set -f
    # shellcheck disable=SC2086 # split at the blanks, on purpose
    set -- ${FREE##*"$NL"}
    set +f
    FREE=${2:-}${4:+ $4}
}

# Whether the server accepts its files as they are now; prints what PostgreSQL says about them.
files_are_sound() {
    [ -n "$BIN" ] || return 0
    configured data_directory && return 0
    complain "  PostgreSQL does not accept its files: $CONFIGURED"
    return 1
}

# Whether a running server may be stopped and started again; prints why not.
may_stop() {
    [ -n "$POSTMASTER" ] && [ -z "$DRY" ] || return 0
    PROBLEMS=0
    check_fitness
    each_setting refuse_foreign_value
    [ "$PROBLEMS" -ne 0 ] || check_start
    if [ "$PROBLEMS" -eq 0 ] && files_are_sound; then
        START_TRIED=1
        return 0
    fi
    START_REFUSED=1
    return 1
}
