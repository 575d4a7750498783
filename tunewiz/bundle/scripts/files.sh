# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Files that a bundle puts in place: drop-ins of its own.
#
# A step is  file|READER|PATH. What is known of a reader is a function of its name:
#
#   file_key_     Usage: file_key_READER LINE. What a line sets, in KEY; without it a file is ours as a whole
#   file_plan_    what the file says of the whole plan
#   file_check_   what is in its way becomes a problem
#   file_verify_  tells of the file itself, where no other step does

CARRIERS="$CARRIERS file"

HEADER='# Put here by a tunewiz bundle, whose REVIEW.md says why; its rollback.sh takes it away.'

# What the writer of a directory does there, in a shell of its own: $1 is the temporary name, $2 the destination. Where
# MOVE_OVER is set, to a checksum as sha256sum prints it, over nothing else, and where it is "none", over nothing. What
# was replaced is looked at once more: what others wrote there at the last moment is put back, and the move has failed.
# shellcheck disable=SC2016 # the inner shell's own arguments
WRITER_MOVES='sync "$1" && case ${MOVE_OVER:-} in
    "") mv -T "$1" "$2" ;;
    none) mv -T -n "$1" "$2" && [ ! -e "$1" ] ;;
    *)
        move_old=${2%/*}/.${2##*/}.tunewiz-old
        rm -f "$move_old"
        if [ "$(sha256sum <"$2")" != "$MOVE_OVER" ]; then
            false
        elif move_new=$(sha256sum <"$1") && mv -T --exchange "$1" "$2" 2>/dev/null; then
            # In one step, so that whatever was there is at hand. Who wrote last has the last word.
            [ "$(sha256sum <"$1")" = "$MOVE_OVER" ] || {
                mv -T --exchange "$1" "$2"
                [ "$(sha256sum <"$1")" = "$move_new" ] || mv -T --exchange "$1" "$2"
                false
            }
        elif ln -T "$2" "$move_old" 2>/dev/null; then
            # An older mv: by its second name what is replaced can be looked at; it is the same file until the end.
            [ "$(sha256sum <"$move_old")" = "$MOVE_OVER" ] &&
                { [ "$move_old" -ef "$2" ] 2>/dev/null || [ -n "$(find "$2" -samefile "$move_old")" ]; } && mv -T "$1" "$2" &&
                { [ "$(sha256sum <"$move_old")" = "$MOVE_OVER" ] ||
                    { [ "$(sha256sum <"$2")" = "$move_new" ] && mv -T "$move_old" "$2" && false; }; }
        else
            # A file system without hard links.
            mv -T "$1" "$2"
        fi
        move_status=$?
        rm -f "$1" "$move_old"
        [ "$move_status" -eq 0 ]
        ;;
esac && sync "${2%/*}/"'

# The same for a file that is taken away: moved first, for whoever writes at that moment keeps what he wrote.
# shellcheck disable=SC2016 # the inner shell's own arguments
WRITER_REMOVES='[ ! -e "$2" ] || { mv -T "$2" "$1" && if [ "$(sha256sum <"$1")" = "$MOVE_OVER" ]; then
    rm -f "$1"
else
    mv -T -n "$1" "$2" && false
fi; } && { [ ! -d "${2%/*}" ] || sync "${2%/*}/"; }'

# Usage: move_in TEMPORARY DESTINATION. On disk under the one name or the other, never half.
move_in() {
    eval "$WRITER_MOVES"
}

# Usage: over FILE COMMAND ... It replaces or takes away what has the content of FILE, or, where that is not there, nothing.
over() {
    MOVE_OVER=none
    [ ! -f "$1" ] || MOVE_OVER=$(sha256sum <"$1")
    export MOVE_OVER
    shift
    "$@"
    over_status=$?
    unset MOVE_OVER
    return "$over_status"
}

# Usage: over_before_or_after NUMBER DESTINATION COMMAND ... Over what a step found, or over its own, where a run that was
# killed then had put it there.
over_before_or_after() {
    over_what=$KEPT/$1.before
    ! same_content "$2" "$KEPT/$1.after" || over_what=$KEPT/$1.after
    shift 2
    over "$over_what" "$@"
}

# Usage: over FILE take_away DESTINATION
take_away() {
    find_writer "${1%/*}" || return 1
    set -- "${1%/*}/.${1##*/}.tunewiz-new" "$1"
    if [ -n "$WRITER" ]; then
        by_writer sh -c "$WRITER_REMOVES" sh "$1" "$2"
    else
        eval "$WRITER_REMOVES"
    fi
}

# Usage: sweep_beside DESTINATION. What a run that was killed had not moved into place, or had replaced.
sweep_beside() {
    set -- "${1%/*}" "${1%/*}/.${1##*/}.tunewiz-new" "${1%/*}/.${1##*/}.tunewiz-old"
    sees -e "$2" || sees -L "$2" || sees -e "$3" || sees -L "$3" || return 0
    find_writer "$1" && by_writer rm -f "$2" "$3"
}

# Usage: put_new SOURCE DESTINATION LIKE MODE. The owner as the file LIKE has it (empty: ours); by a writer the group
# alone, for what it makes is its own.
put_new() {
    put_temporary=${2%/*}/.${2##*/}.tunewiz-new
    find_writer "${2%/*}" || return 1
    if [ -n "$WRITER" ]; then
        # shellcheck disable=SC2016 # the inner shell's own arguments
        by_writer sh -c 'umask 077 && { [ ! -e "$1" ] && [ ! -L "$1" ] || rm -f "$1"; } && set -C && cat >"$1" && set +C &&
            { [ -z "$3" ] || chgrp "$(stat -c %g "$3")" "$1" 2>/dev/null || true; } && chmod "$4" "$1" && '"$WRITER_MOVES" \
            sh "$put_temporary" "$2" "$3" "$4" <"$1"
        return
    fi
    rm -f "$put_temporary"
    # Never through a link that someone laid there: noclobber opens new files only.
    (set -C && cat "$1" >"$put_temporary") && chmod "$4" "$put_temporary" || return 1
    if [ -n "$3" ]; then
        chown "$(stat -c %u:%g "$3")" "$put_temporary" || return 1
    fi
    move_in "$put_temporary" "$2"
}

# Usage: put_back KEPT DESTINATION. Content, owner, mode, times and attributes as they were.
put_back() {
    put_temporary=${2%/*}/.${2##*/}.tunewiz-new
    find_writer "${2%/*}" || return 1
    if [ -n "$WRITER" ]; then
        make_stage "$WRITER" && cp -a "$1" "$STAGE/copy" || return 1
        (cd "$STAGE" && by_writer sh -c "cp -a --remove-destination ./copy \"\$1\" && $WRITER_MOVES" \
            sh "$put_temporary" "$2") && rm -rf "$STAGE"
        return
    fi
    cp -a --remove-destination "$1" "$put_temporary" && move_in "$put_temporary" "$2"
}

# Usage: put_edited SOURCE DESTINATION. A new content; owner, mode and attributes stay as they are.
put_edited() {
    put_temporary=${2%/*}/.${2##*/}.tunewiz-new
    find_writer "${2%/*}" || return 1
    if [ -n "$WRITER" ]; then
        by_writer sh -c "cp -a --remove-destination \"\$2\" \"\$1\" && cat >\"\$1\" && $WRITER_MOVES" \
            sh "$put_temporary" "$2" <"$1"
        return
    fi
    cp -a --remove-destination "$2" "$put_temporary" && cat "$1" >"$put_temporary" && move_in "$put_temporary" "$2"
}

is_ours() {
    read_file "$1" | head -n 1 | grep -Fx -e "$HEADER" >/dev/null
}

# Usage: key_of READER LINE. What a line of a drop-in sets, in KEY; empty for comments.
key_of() {
    KEY=
    case $2 in
        '' | '#'* | '['*) return 0 ;;
        *) ;;
    esac
    "file_key_$1" "$2"
}

# Usage: plan_sets READER KEY. Whether this bundle sets the key (or its twin) too.
plan_sets() {
    other=1
    while [ "$other" -lt "$STEPS" ]; do
        other=$((other + 1))
        load "$other"
        ! has "gives_$KIND" || ! "gives_$KIND" "$1" "$2" || return 0
    done
    return 1
}

# Usage: compose READER PATH. The drop-in as it will be: ours, and what an earlier bundle's set besides.
compose() {
    cat "$BUNDLE/files$2" || return 1
    # Units, and what has no keys, are ours as a whole: nothing of an earlier one is carried on.
    has "file_key_$1" || return 0
    case $1:$2 in
        systemd:*.service | systemd:*.timer) return 0 ;;
        *) ;;
    esac
    sees -f "$ROOT$2" || return 0
    read_file "$ROOT$2" | while IFS= read -r compose_line || [ -n "$compose_line" ]; do
        key_of "$1" "$compose_line"
        [ -n "$KEY" ] || continue
        plan_sets "$1" "$KEY" || printf '%s\n' "$compose_line"
    done
}

# Usage: keep_place NUMBER PATH. Where the directory of a file leads, links followed.
keep_place() {
    ! sees -d "$ROOT${2%/*}" || tells "$ROOT${2%/*}" readlink -f "$ROOT${2%/*}" >"$OWN/new/$1.place"
}

# Usage: is_same_place NUMBER PATH. A directory of the server's owner may have become a link to one of root's.
is_same_place() {
    [ -f "$KEPT/$1.place" ] || return 0
    read_content "$KEPT/$1.place" || :
    [ "$(tells "$ROOT${2%/*}" readlink -f "$ROOT${2%/*}")$NL" != "$CONTENT" ] || return 0
    complain "  ${2%/*}: leads elsewhere now"
    return 1
}

keep_file() {
    keep_path=$F2
    keep_place "$1" "$F2" || return 1
    if sees -f "$ROOT$keep_path"; then
        copy_out "$ROOT$keep_path" "$OWN/new/$1.before" || return 1
    else
        true >"$OWN/new/$1.absent" || return 1
        sees -d "$ROOT${keep_path%/*}" || true >"$OWN/new/$1.nodir" || return 1
    fi
    compose "$F1" "$keep_path" >"$OWN/new/$1.after"
}

state_file() {
    STANDS=other
    FOUND='another content'
    BEFORE='not there'
    if [ ! -d "$KEPT" ]; then
        if sees -L "$ROOT$F2"; then
            FOUND='a link'
        elif ! sees -e "$ROOT$F2"; then
            STANDS=before
        elif sees -f "$ROOT$F2" && is_ours "$ROOT$F2"; then
            STANDS=before
            ! same_content "$ROOT$F2" "$BUNDLE/files$F2" || STANDS=after
        else
            FOUND='a file that no bundle wrote'
        fi
        return 0
    fi
    sees -e "$ROOT$F2" || FOUND='no such file'
    if [ -f "$KEPT/$1.absent" ]; then
        sees -e "$ROOT$F2" || sees -L "$ROOT$F2" || STANDS=before
    elif ! sees -L "$ROOT$F2" && same_content "$ROOT$F2" "$KEPT/$1.before"; then
        STANDS=before
    fi
    if ! sees -L "$ROOT$F2" && same_content "$ROOT$F2" "$KEPT/$1.after"; then
        STANDS=after
    fi
    case $F1:$STANDS in
        systemd:before | systemd:after) unit_loaded ;;
        *) ;;
    esac
}

do_file() {
    doing "put $F2 in place" || return 0
    if [ -f "$KEPT/$1.nodir" ] && [ ! -d "$ROOT${F2%/*}" ]; then
        mkdir -m 0755 "$ROOT${F2%/*}" || return 1
    fi
    is_same_place "$1" "$F2" || return 1
    do_like=
    [ "$F1" != postgres ] || do_like=$ROOT$CONFIG
    over_before_or_after "$1" "$ROOT$F2" put_new "$KEPT/$1.after" "$ROOT$F2" "$do_like" 0644 && same_content "$ROOT$F2" "$KEPT/$1.after" || return 1
    [ "$F1" != systemd ] || read_units
}

undo_file() {
    is_same_place "$1" "$F2" || return 1
    if [ -f "$KEPT/$1.before" ]; then
        doing "restore the former $F2" || return 0
        over "$KEPT/$1.after" put_back "$KEPT/$1.before" "$ROOT$F2" || return 1
    else
        doing "remove $F2" || return 0
        over "$KEPT/$1.after" take_away "$ROOT$F2" || return 1
        if [ -f "$KEPT/$1.nodir" ] && [ -d "$ROOT${F2%/*}" ]; then
            rmdir "$ROOT${F2%/*}" 2>/dev/null || say "  left ${F2%/*}: others have put something there"
        fi
    fi
    [ "$F1" != systemd ] || read_units
}

plan_file() {
    ! has "file_plan_$F1" || "file_plan_$F1"
}

verify_file() {
    ! has "file_verify_$F1" || "file_verify_$F1" "$1"
}

reach_file() {
    [ "$F1" != postgres ] || reach_path=$F2
}

sweep_file() {
    sweep_beside "$ROOT$F2"
}

keys_file() {
    KEYS="${KEYS}file:$2 "
}

name_file() {
    NAME=$F2
}

# Usage: check_writable PATH. Told before anything is changed, as far as a look can tell.
check_writable() {
    { find_writer "$ROOT${1%/*}" && by_writer test -w "$ROOT$1"; } ||
        problem "$1: cannot be written (read-only, here or in this container, or immutable)"
}

# Usage: check_single FILE. Replacing a file parts it from its other names.
check_single() {
    ! sees -f "$ROOT$1" || [ "$(tells "$ROOT$1" stat -c %h "$ROOT$1")" = 1 ] ||
        problem "$1: the file has another name (a hard link), which would keep the former content"
}

check_file() {
    # A directory that is made with the file: one level, no more.
    check_dir=${F2%/*}
    sees -d "$ROOT$check_dir" || [ "$F1" = postgres ] || check_dir=${check_dir%/*}
    if sees -d "$ROOT$check_dir"; then
        check_writable "$check_dir/"
    else
        unseen "$ROOT$check_dir" 'is not there'
        problem "$F2: ${F2%/*} $UNSEEN"
    fi
    check_single "$F2"
    if [ "$F1" = postgres ]; then
        check_writer "$F2"
    else
        check_ours "$F2"
    fi
    ! has "file_check_$F1" || "file_check_$F1"
}

# Usage: line_of FILE READER KEY. What a drop-in gives a key, in GIVEN.
line_of() {
    GIVEN=
    sees -f "$ROOT$1" || return 0
    line_file=$(read_file "$ROOT$1")
    while IFS= read -r line; do
        key_of "$2" "$line"
        [ "$KEY" != "$3" ] || GIVEN=${line##* }
    done <<END
$line_file
END
}
