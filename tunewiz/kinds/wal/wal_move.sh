# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Moves the write-ahead log, with the server stopped: copied, compared, synced, and only then put in its place.
#
# Inside directories of the server's owner everything is done as that owner: root must not follow what it lays there.
# The journal's word comes before the deed: filling TARGET, switching to it, switched, returning, none.

# Whether the server's control file says that it was shut down in order.
is_shut_down() {
    find_control_state
    [ "$CONTROL_STATE" = 1 ]
}

# Usage: wal_list DIRECTORY. Everything in it: names, links, kinds, owners, modes, access lists, contents.
wal_list() {
    # shellcheck disable=SC2016 # the inner shell's own arguments
    as_owner sh -c 'cd "$1" && find . -exec stat -c "%N %F %u:%g %a" {} + && find . -type f -exec sha256sum {} + &&
        { ! command -v getfacl >/dev/null || getfacl -R -n .; }' sh "$1"
}

# Usage: wal_copy FROM TO. Into an empty directory, on disk, and the same.
wal_copy() {
    as_owner cp -a "$1/." "$2/" && as_owner find "$2" -type d -exec sync {} + &&
        as_owner find "$2" -type f -exec sync {} + && sync "${2%/*}/" || return 1
    copy_from=$(wal_list "$1") && copy_to=$(wal_list "$2") || return 1
    [ "$(printf '%s\n' "$copy_from" | sort)" != "$(printf '%s\n' "$copy_to" | sort)" ] || return 0
    complain "  the copy is not the same as ${1#"$ROOT"}"
    return 1
}

# Usage: wal_remember FILE. What the server's control file is now, in WAL_CONTROL and in that file.
wal_remember() {
    WAL_CONTROL=$(wal_control) && [ -n "$WAL_CONTROL" ] || return 1
    printf '%s\n' "$WAL_CONTROL" >"$OWN/$1" && sync "$OWN/$1" "$OWN"
}

# Nobody may have started it while it was copied.
wal_still_quiet() {
    ! is_inhabited && [ "$(wal_control)" = "$WAL_CONTROL" ] && return 0
    complain "  someone started the server while its log was being copied"
    return 1
}

do_wal() {
    stop_words
    doing "${POSTMASTER:+stop the server ($WORDS), }copy $F1 to $F2, compare, and put a link in its place" || return 0
    # Settings with which the server would not start are better found while it is running.
    validate_files || return 1
    stop_server || return 1
    if ! is_shut_down; then
        complain "  the server was not shut down cleanly"
        return 1
    fi
    load "$1"
    state_wal "$1"
    if [ "$STANDS" = between ]; then
        wal_return "$1" || return 1
    fi
    if [ -d "$WAL_NEW" ] && ! is_empty "$WAL_NEW"; then
        complain "  $WAL_TARGET is not empty any more"
        return 1
    fi
    wal_remember wal.moved && note wal filling && wal_make_target && wal_copy "$WAL" "$WAL_NEW" && wal_switch
}

# By its owner where that one may, else by us where nobody else can lay a link in the way.
wal_make_target() {
    [ ! -d "$WAL_NEW" ] || return 0
    as_owner mkdir -m 0700 "$WAL_NEW" 2>/dev/null && return 0
    find_writer "${WAL_NEW%/*}" && [ -z "$WRITER" ] && mkdir -m 0700 "$WAL_NEW" &&
        chown -h "$OWNER_UID:$OWNER_GID" "$WAL_NEW"
}

# A rename cannot put a link in the place of a directory: for a moment nothing is there, and no server can start.
wal_switch() {
    note wal switching && as_owner ln -s "$WAL_NEW" "$WAL_LINK" && sync "${WAL%/*}/" &&
        as_owner mv -T "$WAL" "$WAL_FORMER" || return 1
    # One that was started until then is seen by now.
    if ! wal_still_quiet; then
        as_owner mv -T "$WAL_FORMER" "$WAL"
        return 1
    fi
    as_owner mv -T "$WAL_LINK" "$WAL" && sync "${WAL%/*}/" && note wal switched
}

undo_wal() {
    wal_paths
    if [ -d "$WAL" ] && [ ! -L "$WAL" ]; then
        doing "remove the copy of $F1 in $F2" || return 0
        wal_return "$1"
        return
    fi
    if [ -n "$POSTMASTER" ] && [ -n "$NO_RESTART" ]; then
        complain "  $F1 can be moved back only while the server is stopped: run this without --no-restart"
        return 1
    fi
    stop_words
    doing "${POSTMASTER:+stop the server ($WORDS), }move the log as it is now back to $F1" || return 0
    if [ -L "$WAL" ] && ! wal_is_old; then
        wal_is_there && wal_room_to_return || return 1
    fi
    { [ -z "$POSTMASTER" ] || read_settings; } && may_stop && load "$1" && stop_server && load "$1" && wal_return "$1"
}

# Whether the server has not run since the move: then the old directory is the log to the byte.
wal_is_old() {
    [ -d "$WAL_FORMER" ] && has_not_run_since wal.moved
}

wal_is_there() {
    [ -d "$WAL_NEW" ] && ! is_empty "$WAL_NEW" && return 0
    complain "  the log is not in $WAL_TARGET (is its file system mounted?)"
    return 1
}

# The old log is obsolete: if space is short, it goes first.
wal_room_to_return() {
    wal_need=$(mebibytes "$WAL_NEW/")
    [ "$(free_mebibytes "$ROOT$DATA/")" -lt "$wal_need" ] || return 0
    [ ! -d "$WAL_FORMER" ] || as_owner rm -rf "$WAL_FORMER" || return 1
    wal_free=$(free_mebibytes "$ROOT$DATA/")
    [ "$wal_free" -lt "$wal_need" ] || return 0
    complain "  $WAL_NAME: needs $wal_need MiB, and $wal_free MiB are free there"
    return 1
}

# Usage: wal_return STEP. From wherever a run was cut off to a directory in its place and nothing beside it.
wal_return() {
    wal_paths
    if [ ! -L "$WAL" ] && [ ! -d "$WAL" ]; then
        wal_put_in_place || return 1
    fi
    if [ -L "$WAL" ]; then
        wal_bring_back || return 1
    fi
    wal_sweep "$1" && { note wal none || true; }
}

# Nothing is there: what stands beside it is the log, unless someone made the server run in between.
wal_put_in_place() {
    if wal_never_left; then
        as_owner mv -T "$WAL_FORMER" "$WAL"
    elif has_not_run_since wal.returned; then
        as_owner mv -T "$WAL_BACK" "$WAL"
    else
        as_owner ln -s "$WAL_NEW" "$WAL"
    fi && sync "${WAL%/*}/"
}

# What the server has written since the move is in the target alone: that comes back, and never the old log.
wal_bring_back() {
    if wal_is_old; then
        { note wal switching || true; } && as_owner rm "$WAL" && as_owner mv -T "$WAL_FORMER" "$WAL" && sync "${WAL%/*}/"
        return
    fi
    wal_is_there || return 1
    wal_remember wal.returned || [ -n "$WAL_CONTROL" ] || return 1
    note wal returning || true
    as_owner rm -rf "$WAL_PART" "$WAL_BACK" && as_owner mkdir -m 0700 "$WAL_PART" &&
        wal_copy "$WAL_NEW" "$WAL_PART" && as_owner mv -T "$WAL_PART" "$WAL_BACK" &&
        as_owner rm -rf "$WAL_FORMER" && sync "${WAL%/*}/" && as_owner rm "$WAL" || return 1
    if ! wal_still_quiet; then
        as_owner ln -s "$WAL_NEW" "$WAL"
        return 1
    fi
    as_owner mv -T "$WAL_BACK" "$WAL" && sync "${WAL%/*}/"
}

# The log is a directory in its place: what lies in the target and beside it is a copy.
wal_sweep() {
    as_owner rm -rf "$WAL_PART" "$WAL_BACK" "$WAL_LINK" || return 1
    [ -d "$WAL_NEW" ] || return 0
    # Made by us and not handed over yet, it is empty, and its owner to be may not enter.
    is_empty "$WAL_NEW" || as_owner find "$WAL_NEW" -mindepth 1 -delete || return 1
    if [ -f "$KEPT/$1.absent" ]; then
        find_writer "${WAL_NEW%/*}" && by_writer rmdir "$WAL_NEW"
    else
        as_owner chmod 0700 "$WAL_NEW"
    fi && sync "${WAL_NEW%/*}/"
}
