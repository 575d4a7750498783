# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Files that a bundle puts in place: drop-ins of its own, and postgresql.auto.conf where no drop-in is read.
#
# A step is  file|sysctl or tmpfiles or postgres|PATH  or  auto|PATH.
# Settings of PostgreSQL are  setting|NAME|dropin or auto|reload or restart|BEFORE|BEFORE IN FILES|VALUE|TEXT.

HEADER='# Put here by a tunewiz bundle, whose REVIEW.md says why; its rollback.sh takes it away.'

# Usage: move_in TEMPORARY DESTINATION. On disk under the one name or the other, never half.
move_in() {
    sync "$1" && mv -T "$1" "$2" && sync "${2%/*}/"
}

# Usage: put_new SOURCE DESTINATION LIKE. Mode 0644, the owner as the file LIKE has it (empty: ours).
put_new() {
    put_temporary=${2%/*}/.${2##*/}.tunewiz-new
    rm -f "$put_temporary"
    # Never through a link that someone laid there: noclobber opens new files only.
    (set -C && cat "$1" >"$put_temporary") && chmod 0644 "$put_temporary" || return 1
    if [ -n "$3" ]; then
        chown "$(stat -c %u:%g "$3")" "$put_temporary" || return 1
    fi
    move_in "$put_temporary" "$2"
}

# Usage: put_back KEPT DESTINATION. Content, owner, mode, times and attributes as they were.
put_back() {
    put_temporary=${2%/*}/.${2##*/}.tunewiz-new
    cp -a --remove-destination "$1" "$put_temporary" && move_in "$put_temporary" "$2"
}

is_ours() {
    is_first=
    IFS= read -r is_first <"$1"
    [ "$is_first" = "$HEADER" ]
}

# Usage: key_of KIND LINE. What a line of a drop-in sets, in KEY; empty for comments.
key_of() {
    KEY=
    case $2 in
        '' | '#'*) return 0 ;;
        *) ;;
    esac
    if [ "$1" = tmpfiles ]; then
        KEY=${2#w }
        KEY=${KEY%% *}
    else
        KEY=${2%% =*}
    fi
}

# Usage: plan_sets KIND KEY. Whether this bundle sets the key (or its twin) too.
plan_sets() {
    other=1
    while [ "$other" -lt "$STEPS" ]; do
        other=$((other + 1))
        load "$other"
        case $1:$KIND in
            sysctl:sysctl) [ "$F1" != "$2" ] && [ "$F4" != "$2" ] || return 0 ;;
            tmpfiles:sysfs) [ "$F1" != "$2" ] || return 0 ;;
            postgres:setting) [ "$F1" != "$2" ] || return 0 ;;
            *) ;;
        esac
    done
    return 1
}

# Usage: compose KIND PATH. The drop-in as it will be: ours, and what an earlier bundle's set besides.
compose() {
    cat "$BUNDLE/files$2" || return 1
    [ -f "$ROOT$2" ] || return 0
    while IFS= read -r compose_line || [ -n "$compose_line" ]; do
        key_of "$1" "$compose_line"
        [ -n "$KEY" ] || continue
        plan_sets "$1" "$KEY" || printf '%s\n' "$compose_line"
    done <"$ROOT$2"
}

keep_file() {
    keep_path=$F2
    if [ -f "$ROOT$keep_path" ]; then
        cp -a "$ROOT$keep_path" "$OWN/new/$1.before" || return 1
    else
        true >"$OWN/new/$1.absent" || return 1
        [ -d "$ROOT${keep_path%/*}" ] || true >"$OWN/new/$1.nodir" || return 1
    fi
    compose "$F1" "$keep_path" >"$OWN/new/$1.after"
}

state_file() {
    STANDS=other
    FOUND='another content'
    BEFORE='not there'
    if [ ! -d "$KEPT" ]; then
        if [ -L "$ROOT$F2" ]; then
            FOUND='a link'
        elif [ ! -e "$ROOT$F2" ]; then
            STANDS=before
        elif [ -f "$ROOT$F2" ] && is_ours "$ROOT$F2"; then
            STANDS=before
            ! same_content "$ROOT$F2" "$BUNDLE/files$F2" || STANDS=after
        else
            FOUND='a file that no bundle wrote'
        fi
        return 0
    fi
    [ -e "$ROOT$F2" ] || FOUND='no such file'
    if [ -f "$KEPT/$1.absent" ]; then
        [ -e "$ROOT$F2" ] || [ -L "$ROOT$F2" ] || STANDS=before
    elif [ ! -L "$ROOT$F2" ] && same_content "$ROOT$F2" "$KEPT/$1.before"; then
        STANDS=before
    fi
    if [ ! -L "$ROOT$F2" ] && same_content "$ROOT$F2" "$KEPT/$1.after"; then
        STANDS=after
    fi
}

do_file() {
    doing "put $F2 in place" || return 0
    if [ -f "$KEPT/$1.nodir" ] && [ ! -d "$ROOT${F2%/*}" ]; then
        mkdir -m 0755 "$ROOT${F2%/*}" || return 1
    fi
    do_like=
    [ "$F1" != postgres ] || do_like=$ROOT$CONFIG
    put_new "$KEPT/$1.after" "$ROOT$F2" "$do_like" && same_content "$ROOT$F2" "$KEPT/$1.after"
}

undo_file() {
    if [ -f "$KEPT/$1.before" ]; then
        doing "put back the former $F2" || return 0
        put_back "$KEPT/$1.before" "$ROOT$F2"
        return
    fi
    doing "remove $F2" || return 0
    rm -f "$ROOT$F2" && sync "$ROOT${F2%/*}/" || return 1
    if [ -f "$KEPT/$1.nodir" ]; then
        rmdir "$ROOT${F2%/*}" 2>/dev/null || say "  left ${F2%/*}: others have put something there"
    fi
}

name_file() {
    NAME=$F2
}

check_file() {
    # A directory that is made with the file: one level, no more.
    check_dir=$ROOT${F2%/*}
    [ -d "$check_dir" ] || { [ "$F1" != postgres ] && [ -d "${check_dir%/*}" ]; } ||
        problem "$F2: ${F2%/*} is not there"
}

# Usage: pg_quote TEXT. As PostgreSQL quotes it in a configuration file, in QUOTED.
pg_quote() {
    quote_rest=$1
    QUOTED=
    while [ -n "$quote_rest" ]; do
        quote_char=${quote_rest%"${quote_rest#?}"}
        quote_rest=${quote_rest#?}
        case $quote_char in
            "'" | \\) QUOTED=$QUOTED$quote_char ;;
            *) ;;
        esac
        QUOTED=$QUOTED$quote_char
    done
    QUOTED="'$QUOTED'"
}

# The settings that go to postgresql.auto.conf: names in AUTO_NAMES, lines in AUTO_LINES.
auto_plan() {
    AUTO_NAMES=' '
    AUTO_LINES=
    other=1
    while [ "$other" -lt "$STEPS" ]; do
        other=$((other + 1))
        load "$other"
        [ "$KIND:$F2" = setting:auto ] || continue
        pg_quote "$F7"
        AUTO_NAMES="$AUTO_NAMES$F1 "
        AUTO_LINES="$AUTO_LINES$F1 = $QUOTED$NL"
    done
}

# Usage: auto_name LINE. The setting that a line of postgresql.auto.conf sets, in KEY.
auto_name() {
    KEY=${1%%[!A-Za-z0-9_.]*}
    case $KEY in
        *[A-Z]*) KEY=$(printf '%s' "$KEY" | tr '[:upper:]' '[:lower:]') ;;
        *) ;;
    esac
}

# Usage: auto_lines ours|others|kept FILE. Lines of our settings, of all others, or these with the comments.
auto_lines() {
    [ -f "$2" ] || return 0
    while IFS= read -r auto_line || [ -n "$auto_line" ]; do
        auto_name "$auto_line"
        case $1:${KEY:+named}:$AUTO_NAMES in
            kept::*) printf '%s\n' "$auto_line" ;;
            *::*) ;;
            ours:named:*" $KEY "*) printf '%s\n' "$auto_line" ;;
            others:named:*" $KEY "* | kept:named:*" $KEY "*) ;;
            others:named:* | kept:named:*) printf '%s\n' "$auto_line" ;;
            *) ;;
        esac
    done <"$2"
}

# Usage: auto_of NAME LINES. The last line that sets a name, in AUTO_LINE.
auto_of() {
    AUTO_LINE=
    auto_rest=$2
    while [ -n "$auto_rest" ]; do
        auto_one=${auto_rest%%"$NL"*}
        auto_rest=${auto_rest#"$auto_one"}
        auto_rest=${auto_rest#"$NL"}
        auto_name "$auto_one"
        [ "$KEY" != "$1" ] || AUTO_LINE=$auto_one
    done
}

keep_auto() {
    keep_path=$F1
    if [ -f "$ROOT$keep_path" ]; then
        cp -a "$ROOT$keep_path" "$OWN/new/$1.before" || return 1
    else
        true >"$OWN/new/$1.absent" || return 1
    fi
    auto_plan
    { auto_lines kept "$ROOT$keep_path" && printf '%s' "$AUTO_LINES"; } >"$OWN/new/$1.after"
}

# Our settings alone count: what others set with ALTER SYSTEM meanwhile is theirs.
state_auto() {
    STANDS=other
    FOUND='another value for one of the settings'
    BEFORE='as it was'
    state_path=$F1
    if [ -L "$ROOT$state_path" ]; then
        FOUND='a link, which ALTER SYSTEM would replace'
        return 0
    fi
    STANDS=before
    [ -d "$KEPT" ] || return 0
    auto_plan
    state_now=$(auto_lines ours "$ROOT$state_path")
    state_before=$(auto_lines ours "$KEPT/$1.before")
    for state_name in $AUTO_NAMES; do
        auto_of "$state_name" "$state_now"
        state_line=$AUTO_LINE
        auto_of "$state_name" "$state_before"
        [ "$state_line" != "$AUTO_LINE" ] || continue
        auto_of "$state_name" "$AUTO_LINES"
        if [ "$state_line" = "$AUTO_LINE" ]; then
            STANDS=after
        else
            STANDS=other
            FOUND=${state_line:-"no line for $state_name"}
            return 0
        fi
    done
}

do_auto() {
    do_path=$F1
    if [ -n "$POSTMASTER" ]; then
        other=1
        while [ "$other" -lt "$STEPS" ]; do
            other=$((other + 1))
            load "$other"
            [ "$KIND:$F2" = setting:auto ] || continue
            alter_system "$F1" "$F7" || return 1
        done
        [ -n "$DRY" ] || sync "$ROOT$do_path" "$ROOT${do_path%/*}/"
        return
    fi
    doing "put the settings in $do_path (the server is down)" || return 0
    do_like=$ROOT$CONFIG
    [ ! -f "$ROOT$do_path" ] || do_like=$ROOT$do_path
    put_new "$KEPT/$1.after" "$ROOT$do_path" "$do_like" && chmod 0600 "$ROOT$do_path"
}

# Every byte as it was, unless others have set something there since: then our settings alone.
undo_auto() {
    undo_path=$F1
    auto_plan
    undo_kept=$KEPT/$1.before
    if [ "$(auto_lines others "$ROOT$undo_path")" = "$(auto_lines others "$undo_kept")" ]; then
        doing "put back the former $undo_path" || return 0
        if [ -f "$undo_kept" ]; then
            put_back "$undo_kept" "$ROOT$undo_path"
        else
            rm -f "$ROOT$undo_path" && sync "$ROOT${undo_path%/*}/"
        fi
        return
    fi
    doing "put back our settings in $undo_path, and leave what others have set there" || return 0
    { auto_lines kept "$ROOT$undo_path" && auto_lines ours "$undo_kept"; } >"$OWN/merged" &&
        put_new "$OWN/merged" "$ROOT$undo_path" "$ROOT$undo_path" && chmod 0600 "$ROOT$undo_path"
}

name_auto() {
    NAME=$F1
}

check_auto() {
    :
}
