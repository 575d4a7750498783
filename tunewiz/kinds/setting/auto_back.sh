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
    written_rest=${1#"$name_indent"}
    written_rest=${written_rest#"${written_rest%%[!A-Za-z0-9_.]*}"}
    written_blank=${written_rest%%[!"$TAB "]*}
    written_rest=${written_rest#"$written_blank"}
    written_rest=${written_rest#=}
    written_blank=${written_rest%%[!"$TAB "]*}
    written_rest=${written_rest#"$written_blank"}
    case $written_rest in
        "'"*) auto_string "${written_rest#?}" ;;
        *)
            written_bare=${written_rest%%["$TAB #"]*}
            pg_quote "$written_bare"
            ;;
    esac
    WRITTEN="$KEY = $QUOTED"
}

# Usage: auto_string TEXT. Up to the quote that ends it, with both quotes in QUOTED: a comment may hold more of them.
auto_string() {
    string_rest=$1
    QUOTED="'"
    while [ -n "$string_rest" ]; do
        string_more=${string_rest#?}
        case $string_rest in
            "''"* | \\?*) string_more=${string_more#?} ;;
            "'"*) break ;;
            *) ;;
        esac
        QUOTED=$QUOTED${string_rest%"$string_more"}
        string_rest=$string_more
    done
    QUOTED="$QUOTED'"
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
    undo_now=$ROOT$undo_path
    if [ -z "$DRY" ]; then
        undo_now=$SCRATCH/auto.now
        read_file "$ROOT$undo_path" >"$undo_now" || true
    fi
    if [ "$(auto_merged "$undo_now" "$undo_kept")" = "$(auto_text "$undo_kept")" ]; then
        doing "restore the former $undo_path" || return 0
        if [ -f "$undo_kept" ]; then
            over_what_was_read put_back "$undo_kept" "$ROOT$undo_path"
        else
            over_what_was_read remove_if_read "$ROOT$undo_path"
        fi
        return
    fi
    doing "restore our settings in $undo_path, and leave what others have set there" || return 0
    auto_merged "$undo_now" "$undo_kept" >"$SCRATCH/merged" || return 1
    undo_like=$ROOT$undo_path
    [ ! -f "$undo_kept" ] || undo_like=$undo_kept
    auto_mode "$undo_like"
    over_what_was_read put_new "$SCRATCH/merged" "$ROOT$undo_path" "$ROOT$undo_path" "$MODE"
}

# Usage: remove_if_read FILE
remove_if_read() {
    [ "$(read_file "$1" | sha256sum)" = "$MOVE_OVER" ] && remove_file "$1" && sync_above "$1"
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

# Usage: auto_text FILE. All of it, or nothing where it is not there.
auto_text() {
    [ ! -f "$1" ] || read_file "$1"
}

# Usage: auto_merged NOW KEPT. The lines of the former file, each in its place, with what others have set since; then
# what is new.
auto_merged() {
    merged_now=$(auto_text "$1")
    merged_former=$(auto_text "$2")
    merged_names=' '
    if [ -f "$2" ]; then
        while IFS= read -r merged_line || [ -n "$merged_line" ]; do
            auto_name "$merged_line"
            merged_key=$KEY
            if [ -z "$merged_key" ] || is_as_before "$merged_key"; then
                printf '%s\n' "$merged_line"
            else
                case $merged_names in *" $merged_key "*) ;; *) auto_theirs "$merged_key" ;; esac
            fi
            merged_names="$merged_names$merged_key "
        done <"$2"
    fi
    merged_rest=$merged_now
    while [ -n "$merged_rest" ]; do
        merged_line=${merged_rest%%"$NL"*}
        merged_rest=${merged_rest#"$merged_line"}
        merged_rest=${merged_rest#"$NL"}
        auto_new "$merged_line"
    done
}

# Usage: auto_new LINE. Prints it where others have added it: comments too, but for those of every ALTER SYSTEM.
auto_new() {
    auto_name "$1"
    merged_key=$KEY
    if [ -n "$merged_key" ]; then
        case $merged_names in *" $merged_key "*) return 0 ;; *) ;; esac
        merged_names="$merged_names$merged_key "
        is_as_before "$merged_key" || auto_theirs "$merged_key"
        return 0
    fi
    case $1 in
        '' | '# Do not edit this file manually!' | '# It will be overwritten by '*) return 0 ;;
        *) ;;
    esac
    case $NL$merged_former$NL in
        *"$NL$1$NL"*) ;;
        *) printf '%s\n' "$1" ;;
    esac
}

# Usage: is_as_before NAME. Whether others have left the setting alone: it is ours still, or what it was before us.
is_as_before() {
    auto_of "$1" "$merged_now"
    before_line=$AUTO_LINE
    auto_of "$1" "$AUTO_LINES"
    [ -z "$AUTO_LINE" ] || [ "$before_line" != "$AUTO_LINE" ] || return 0
    before_written=$(auto_each written "$1" "$merged_now")
    [ "$before_written" = "$(auto_each written "$1" "$merged_former")" ]
}

# Usage: auto_theirs NAME. The lines that set it now, to the byte, but for ours.
auto_theirs() {
    auto_of "$1" "$AUTO_LINES"
    auto_each theirs "$1" "$merged_now"
}

# Usage: auto_each written|theirs NAME LINES. The lines that set a name: as ALTER SYSTEM writes them, or as they are,
# but for AUTO_LINE.
auto_each() {
    each_rest=$3
    while [ -n "$each_rest" ]; do
        each_line=${each_rest%%"$NL"*}
        each_rest=${each_rest#"$each_line"}
        each_rest=${each_rest#"$NL"}
        auto_name "$each_line"
        [ "$KEY" = "$2" ] || continue
        case $1 in
            written) auto_written "$each_line" && printf '%s\n' "$WRITTEN" ;;
            *) [ "$each_line" = "$AUTO_LINE" ] || printf '%s\n' "$each_line" ;;
        esac
    done
}
