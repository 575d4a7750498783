# shellcheck shell=dash disable=SC2034,SC2153 # the scripts and the parts beside this one read its variables
# postgresql.auto.conf without our settings: what others have set stays, and so does what a person wrote by hand, which
# ALTER SYSTEM leaves out when it writes the file anew.

# How often others may change the file while it is put back.
TRIES_TO_PUT_BACK=5

# Usage: auto_mode FILE. Its mode, in MODE: a group may be let in.
auto_mode() {
    MODE=0600
    [ ! -f "$1" ] || MODE=$(stat -c %a "$1")
}

# Usage: auto_written LINE. As ALTER SYSTEM writes what the line sets, in WRITTEN; its name in KEY.
auto_written() {
    auto_name "$1"
    written_rest=${1#"${1%%[!"$TAB "]*}"}
    written_rest=${written_rest#"${written_rest%%[!A-Za-z0-9_.]*}"}
    written_rest=${written_rest#"${written_rest%%[!"$TAB "]*}"}
    written_rest=${written_rest#=}
    written_rest=${written_rest#"${written_rest%%[!"$TAB "]*}"}
    case $written_rest in
        "'"*) QUOTED=${written_rest%"'"*}"'" ;;
        *) pg_quote "${written_rest%%["$TAB #"]*}" ;;
    esac
    WRITTEN="$KEY = $QUOTED"
}

# Every byte as it was, unless others have set something there since: then our settings alone. What others set while it
# is written is seen before it is moved into place, and read again.
undo_auto() {
    undo_path=$F1
    is_same_place "$1" "$F1" || return 1
    auto_plan
    undo_kept=$KEPT/$1.before
    undo_tries=0
    until undo_auto_once; do
        undo_tries=$((undo_tries + 1))
        [ "$undo_tries" -lt "$TRIES_TO_PUT_BACK" ] || return 1
        sleep 0.2
    done
}

undo_auto_once() {
    read_file "$ROOT$undo_path" >"$SCRATCH/auto.now" || true
    # Others may have set one of our settings too: partly.
    if [ "$STANDS" != partly ] && [ "$(auto_lines others "$SCRATCH/auto.now")" = "$(auto_lines others "$undo_kept")" ]; then
        doing "put back the former $undo_path" || return 0
        if [ -f "$undo_kept" ]; then
            over_what_was_read put_back "$undo_kept" "$ROOT$undo_path"
        else
            remove_file "$ROOT$undo_path" && sync_above "$ROOT$undo_path"
        fi
        return
    fi
    doing "put back our settings in $undo_path, and leave what others have set there" || return 0
    auto_merged "$SCRATCH/auto.now" "$undo_kept" >"$SCRATCH/merged" || return 1
    undo_like=$ROOT$undo_path
    [ ! -f "$undo_kept" ] || undo_like=$undo_kept
    auto_mode "$undo_like"
    over_what_was_read put_new "$SCRATCH/merged" "$ROOT$undo_path" "$ROOT$undo_path" "$MODE"
}

# Usage: over_what_was_read COMMAND ... It moves nothing into place where the file is another one by then.
over_what_was_read() {
    MOVE_OVER=$(sha256sum <"$SCRATCH/auto.now")
    export MOVE_OVER
    "$@"
    over_status=$?
    unset MOVE_OVER
    return "$over_status"
}

# Usage: auto_merged NOW KEPT. The lines of the former file, each in its place, with what others have set since; then
# what is new.
auto_merged() {
    merged_now=$(auto_lines others "$1" && auto_back "$1" "$2")
    merged_names=' '
    if [ -f "$2" ]; then
        while IFS= read -r merged_line || [ -n "$merged_line" ]; do
            auto_name "$merged_line"
            if [ -n "$KEY" ]; then
                merged_names="$merged_names$KEY "
                auto_of "$KEY" "$merged_now"
                [ -n "$AUTO_LINE" ] || continue
                auto_written "$merged_line"
                [ "$WRITTEN" = "$AUTO_LINE" ] || merged_line=$AUTO_LINE
            fi
            printf '%s\n' "$merged_line"
        done <"$2"
    fi
    printf '%s\n' "$merged_now" | while IFS= read -r merged_line; do
        auto_name "$merged_line"
        case "$merged_names" in
            *" $KEY "*) ;;
            *) [ -z "$KEY" ] || printf '%s\n' "$merged_line" ;;
        esac
    done
}

# Usage: auto_back FILE KEPT. The lines of our settings: as they were where they are ours now, else as someone set them.
auto_back() {
    back_now=$(auto_lines ours "$1")
    back_before=$(auto_lines ours "$2")
    for back_name in $AUTO_NAMES; do
        auto_of "$back_name" "$back_now"
        back_line=$AUTO_LINE
        auto_of "$back_name" "$AUTO_LINES"
        if [ "$back_line" = "$AUTO_LINE" ]; then
            auto_of "$back_name" "$back_before"
            back_line=$AUTO_LINE
        fi
        [ -z "$back_line" ] || { auto_written "$back_line" && printf '%s\n' "$WRITTEN"; }
    done
}
