# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# The write-ahead log moves to another file system, with a link in its old place; wal_move.sh carries it.
#
# A step is  wal|DIRECTORY|TARGET.  Which of the two is the log is told by what stands at DIRECTORY alone:
#
#   a directory   it is the log; what lies in TARGET is a copy that may go
#   the link      TARGET is the log; DIRECTORY.tunewiz-old is of the past once the server has run
#   nothing       a run was cut off between two renames: a whole copy stands beside it, and no server can start

WHILE_STOPPED="$WHILE_STOPPED wal"

name_wal() {
    NAME=$F1
}

wal_paths() {
    WAL_NAME=$F1
    WAL=$ROOT$F1
    WAL_NEW=$ROOT$F2
    WAL_FORMER=$WAL.tunewiz-old
    # A copy on its way back: unfinished, and whole.
    WAL_PART=$WAL.tunewiz-part
    WAL_BACK=$WAL.tunewiz-back
    WAL_LINK=$WAL.tunewiz-link
}

keep_wal() {
    if [ -d "$WAL_NEW" ]; then
        true >"$OWN/new/$1.empty"
    else
        true >"$OWN/new/$1.absent"
    fi
}

# What the server writes at every start: the same as before means that it has not run since.
wal_control() {
    [ -f "$ROOT$DATA/global/pg_control" ] && read_data global/pg_control | sha256sum
}

# Usage: has_not_run_since FILE. Of those in which a run wrote down what the server's control file was.
has_not_run_since() {
    [ -f "$OWN/$1" ] && [ "$(wal_control)" = "$(cat "$OWN/$1")" ]
}

is_empty() {
    [ -z "$(ls -A "$1")" ]
}

# Usage: wal_left STEP. Whether anything of a move or of a way back lies about.
wal_left() {
    [ ! -e "$WAL_PART" ] && [ ! -e "$WAL_BACK" ] && [ ! -L "$WAL_LINK" ] || return 0
    [ -d "$WAL_NEW" ] || return 1
    [ -f "$KEPT/$1.absent" ] || ! is_empty "$WAL_NEW"
}

state_wal() {
    wal_paths
    STANDS=other
    BEFORE='a directory'
    if [ -L "$WAL" ]; then
        FOUND="a link to $(readlink "$WAL")"
        [ "$(readlink "$WAL")" = "$WAL_NEW" ] || return 0
        STANDS=after
        case $WAL_WORD in switching | returning) STANDS=between ;; *) ;; esac
    elif [ -d "$WAL" ]; then
        state_wal_directory "$1"
    else
        FOUND='nothing'
        ! is_closed "$WAL" || FOUND="what $NOT_FOR_ROOT"
        ! was_intended "$1" || ! wal_beside || STANDS=between
    fi
}

# Whether the whole log stands beside its place, where a run was cut off between two renames.
wal_beside() {
    [ -d "$WAL_BACK" ] || wal_never_left
}

# Whether the old directory is the log still, though nothing stands in its place.
wal_never_left() {
    [ -d "$WAL_FORMER" ] && { [ "$WAL_WORD" = switching ] || has_not_run_since wal.moved; }
}

# A copy of ours is taken away only while the server stands still: later the place may serve someone else.
state_wal_directory() {
    case $WAL_WORD in
        filling | switching) wal_since=wal.moved ;;
        returning) wal_since=wal.returned ;;
        switched)
            FOUND="a directory again, and something in $F2 or beside it"
            wal_left "$1" || [ -e "$WAL_FORMER" ] || STANDS=before
            return 0
            ;;
        *)
            FOUND="a directory, and ${WAL_FORMER##*/} beside it"
            [ -e "$WAL_FORMER" ] || STANDS=before
            return 0
            ;;
    esac
    STANDS=before
    wal_left "$1" || return 0
    STANDS=between
    has_not_run_since "$wal_since" && return 0
    STANDS=other
    FOUND="a directory that the server uses; a copy in $F2 or beside it can be deleted"
}

verify_wal() {
    wal_paths
    VALUE='' GIVEN='' remark=''
    if [ -L "$WAL" ]; then
        VALUE=$(readlink "$WAL")
        VALUE=${VALUE#"$ROOT"}
    fi
    [ ! -d "$WAL_NEW" ] || GIVEN=$VALUE
    [ "$VALUE" != "$F2" ] || [ ! -d "$WAL_FORMER" ] || remark="the old log is kept: rm -r $F1.tunewiz-old"
    tell wal "$F1" "$F2" "$VALUE" "$GIVEN" "$F1" "$remark"
}

plan_wal() {
    KERNEL_STEPS=$((KERNEL_STEPS + 1))
    RESTART_PLANNED=1 STOP_PLANNED=1 ELSEWHERE=$F2 WAL_TARGET=$F2
}

bound_wal() {
    WAITING=$F1
}

reach_wal() {
    reach_path=$F1
}

# Whether the log has moved, and its old directory is still there.
wal_is_kept() {
    wal_paths
    [ -L "$WAL" ] && [ -d "$WAL_FORMER" ]
}

tell_left_wal() {
    ! wal_is_kept || say "The old log is kept in $WAL_NAME.tunewiz-old; once all is well: rm -r $WAL_NAME.tunewiz-old"
}

# Confirmed: the server runs on the new one, and never again on the old.
drop_left_wal() {
    wal_is_kept || return 0
    say "remove the old log $WAL_NAME.tunewiz-old"
    as_owner rm -rf "$WAL_FORMER" || complain "  $WAL_NAME.tunewiz-old could not be removed; it does no harm"
}
