# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# postgresql.auto.conf, the file of ALTER SYSTEM, where no drop-in is read or would win.
#
# A step is  auto|PATH.
# Settings of PostgreSQL are  setting|NAME|dropin or auto|reload or restart|BEFORE|BEFORE IN FILES|VALUE|TEXT.

WITH_SERVER="$WITH_SERVER auto" CARRIERS="$CARRIERS auto"

# Far more than all settings together need; a shell reads it line by line.
AUTO_BYTES=262144

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
    # posh does not parse nested quotes here.
    name_indent=${1%%[!"$TAB "]*}
    KEY=${1#"$name_indent"}
    KEY=${KEY%%[!A-Za-z0-9_.]*}
    case $KEY in
        *[A-Z]*) KEY=$(printf '%s' "$KEY" | tr '[:upper:]' '[:lower:]') ;;
        *) ;;
    esac
}

# Usage: auto_lines ours|kept FILE. Lines of our settings; or all others as they are, with the comments.
auto_lines() {
    sees -f "$2" || return 0
    read_file "$2" | while IFS= read -r auto_line || [ -n "$auto_line" ]; do
        auto_name "$auto_line"
        case $1:${KEY:+named}:$AUTO_NAMES in
            ours:named:*" $KEY "*) printf '%s\n' "$auto_line" ;;
            ours:* | kept:named:*" $KEY "*) ;;
            *) printf '%s\n' "$auto_line" ;;
        esac
    done
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
    keep_place "$1" "$F1" || return 1
    if sees -f "$ROOT$keep_path"; then
        copy_out "$ROOT$keep_path" "$OWN/new/$1.before" || return 1
    else
        true >"$OWN/new/$1.absent" || return 1
    fi
    auto_plan
    { auto_lines kept "$ROOT$keep_path" && printf '%s' "$AUTO_LINES"; } >"$OWN/new/$1.after"
}

# Only our settings count: what others set with ALTER SYSTEM in the meantime is theirs.
state_auto() {
    STANDS=other
    FOUND='another value for one of the settings'
    BEFORE='as it was'
    state_path=$F1
    if sees -L "$ROOT$state_path"; then
        FOUND='a link, which ALTER SYSTEM would replace'
        return 0
    fi
    STANDS=before
    [ -d "$KEPT" ] || return 0
    auto_plan
    state_now=$(auto_lines ours "$ROOT$state_path")
    state_before=$(auto_lines ours "$KEPT/$1.before")
    state_ours='' state_others=''
    for state_name in $AUTO_NAMES; do
        auto_of "$state_name" "$state_now"
        state_line=$AUTO_LINE
        auto_of "$state_name" "$state_before"
        [ "$state_line" != "$AUTO_LINE" ] || continue
        auto_of "$state_name" "$AUTO_LINES"
        if [ "$state_line" = "$AUTO_LINE" ]; then
            state_ours=1
        else
            join "$state_others" "${state_line:-no line for $state_name}"
            state_others=$JOINED
        fi
    done
    case ${state_ours:-0}:$state_others in
        1:) STANDS=after ;;
        0:) ;;
        1:*) STANDS=partly FOUND=$state_others ;;
        *) STANDS=other FOUND=$state_others ;;
    esac
}

do_auto() {
    do_path=$F1
    is_same_place "$1" "$F1" || return 1
    if [ -n "$POSTMASTER" ]; then
        other=1
        while [ "$other" -lt "$STEPS" ]; do
            other=$((other + 1))
            load "$other"
            [ "$KIND:$F2" = setting:auto ] || continue
            alter_system "$F1" "$F7" || return 1
        done
        [ -n "$DRY" ] || { find_writer "$ROOT${do_path%/*}" && by_writer sync "$ROOT$do_path" "$ROOT${do_path%/*}/"; }
        return
    fi
    doing "write the settings to $do_path (the server is down)" || return 0
    do_like=$ROOT$CONFIG
    ! sees -f "$ROOT$do_path" || do_like=$ROOT$do_path
    auto_mode "$ROOT$do_path"
    over_before_or_after "$1" "$ROOT$do_path" put_new "$KEPT/$1.after" "$ROOT$do_path" "$do_like" "$MODE"
}

name_auto() {
    NAME=$F1
}

# PostgreSQL writes this file itself: it is short, and text.
check_auto() {
    check_path=$F1
    check_writable "${check_path%/*}/"
    check_writer "$check_path"
    sees -f "$ROOT$check_path" || return 0
    check_writable "$check_path"
    check_single "$check_path"
    check_size=$(read_file "$ROOT$check_path" | wc -c)
    if [ "$check_size" -gt "$AUTO_BYTES" ]; then
        problem "$check_path: holds $check_size bytes, which PostgreSQL would not have written there"
    elif [ "$(read_file "$ROOT$check_path" | tr -d '\000' | wc -c)" -ne "$check_size" ]; then
        problem "$check_path: contains zero bytes, which PostgreSQL would not have written there"
    elif [ -n "${YASH_VERSION:-}" ] && [ "$(read_file "$ROOT$check_path" | tr -d '\001-\177' | wc -c)" -ne 0 ]; then
        problem "$check_path: contains bytes at which this shell, yash, would stop reading; run it with dash or bash"
    fi
}

# What is in force is told by the settings themselves.
live_auto() {
    :
}

plan_auto() {
    :
}

keys_auto() {
    :
}

reach_auto() {
    reach_path=$F1
}

sweep_auto() {
    sweep_beside "$ROOT$F1"
}
