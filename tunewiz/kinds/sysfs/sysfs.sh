# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Choices of words in files under /sys: written, read back, compared.
#
# A step is  sysfs|PATH|BEFORE|VALUE.

# Usage: sysfs_read PATH. The chosen word in VALUE: the one in brackets, or the whole line.
sysfs_read() {
    VALUE=$(cat "$ROOT$1" 2>/dev/null) && [ -n "$VALUE" ] || return 1
    case $VALUE in
        *'['*']'*)
            VALUE=${VALUE#*'['}
            VALUE=${VALUE%%']'*}
            ;;
        *) ;;
    esac
}

# A pretend root has no kernel that moves the brackets to the chosen word.
pretend_choice() {
    pretend_line=
    pretend_found=
    read -r pretend_words <"$ROOT$1" || return 1
    case $pretend_words in
        *'['*) ;;
        *)
            printf '%s\n' "$2" >"$ROOT$1"
            return
            ;;
    esac
    for pretend_word in $pretend_words; do
        pretend_word=${pretend_word#'['}
        pretend_word=${pretend_word%']'}
        if [ "$pretend_word" = "$2" ]; then
            pretend_word="[$2]"
            pretend_found=1
        fi
        pretend_line="$pretend_line${pretend_line:+ }$pretend_word"
    done
    [ -n "$pretend_found" ] && printf '%s\n' "$pretend_line" >"$ROOT$1"
}

sysfs_write() {
    doing "write $2 to $1" || return 0
    if [ -n "$PRETEND" ]; then
        pretend_choice "$1" "$2"
    else
        (printf '%s\n' "$2" >"$1") 2>/dev/null
    fi || complain "  the kernel did not accept it"
    sysfs_read "$1" && [ "$VALUE" = "$2" ] && return 0
    complain "  written $2, read back ${VALUE:-nothing}"
    return 1
}

# The kernel raises this with transparent huge pages, and does not give back what someone had set (mm/khugepaged.c).
RESERVE=/proc/sys/vm/min_free_kbytes

keep_sysfs() {
    sysfs_read "$F1" && printf '%s\n' "$VALUE" >"$OWN/new/$1.value" || return 1
    [ ! -f "$ROOT$RESERVE" ] || cat "$ROOT$RESERVE" >"$OWN/new/$1.reserve"
}

state_sysfs() {
    STANDS=other
    FOUND='nothing readable' BEFORE=$F2
    sysfs_read "$F1" || return 0
    FOUND=$VALUE
    [ ! -f "$KEPT/$1.value" ] || BEFORE=$(cat "$KEPT/$1.value")
    if [ "$FOUND" = "$BEFORE" ] || [ "$BEFORE" = '?' ]; then
        STANDS=before
    elif [ "$FOUND" = "$F3" ]; then
        STANDS=after
    fi
}

# A word is written whole; only a file of a pretend root can be empty.
half_sysfs() {
    [ -z "$VALUE" ]
}

do_sysfs() {
    sysfs_write "$F1" "$F3" || return 1
    [ -n "$DRY" ] || [ ! -f "$KEPT/$1.reserve" ] || cat "$ROOT$RESERVE" >"$KEPT/$1.reserve-after"
}

# What is reserved goes back first: a run that is cut off between the two finds the word, and does both again.
undo_sysfs() {
    undo_word=$(cat "$KEPT/$1.value")
    if is_our_reserve "$1"; then
        put_reserve "$1" && sysfs_write "$F1" "$undo_word" && put_reserve "$1"
    else
        sysfs_write "$F1" "$undo_word"
    fi
}

# Usage: is_our_reserve STEP. Whether nobody else has set it since.
is_our_reserve() {
    [ -f "$KEPT/$1.reserve" ] || return 1
    [ -f "$KEPT/$1.reserve-after" ] || return 0
    case $(cat "$ROOT$RESERVE") in
        "$(cat "$KEPT/$1.reserve")" | "$(cat "$KEPT/$1.reserve-after")") return 0 ;;
        *) return 1 ;;
    esac
}

# Usage: put_reserve STEP
put_reserve() {
    put_reserved=$(cat "$KEPT/$1.reserve")
    [ "$(cat "$ROOT$RESERVE")" != "$put_reserved" ] || return 0
    doing "write $put_reserved to $RESERVE" || return 0
    (printf '%s\n' "$put_reserved" >"$ROOT$RESERVE") 2>/dev/null || complain "  the kernel did not accept it"
    [ "$(cat "$ROOT$RESERVE")" = "$put_reserved" ]
}

name_sysfs() {
    NAME=$F1
}

check_sysfs() {
    check_writable "$F1"
}

verify_sysfs() {
    sysfs_read "$F1" || VALUE=
    line_of /etc/tmpfiles.d/tunewiz.conf tmpfiles "$F1"
    verify_from=/etc/tmpfiles.d/tunewiz.conf
    remark=
    if sysfs_rival "$F1"; then
        GIVEN='' verify_from=$RIVAL remark="$RIVAL overrides it at the next boot"
    fi
    tell sysfs "$F1" "$F3" "$VALUE" "$GIVEN" "$verify_from" "$remark"
}

in_force_sysfs() {
    kept_value "$1"
    sysfs_read "$F1" || VALUE=
    count_value "$F1" "$F3" "$VALUE" "$KEPT_VALUE" "$VALUE"
}

rival_sysfs() {
    sysfs_rival "$F1"
}

# Usage: sysfs_rival PATH. A tmpfiles.d file that comes before ours, and so wins, in RIVAL.
sysfs_rival() {
    rival_path=$1
    set -- /etc/tmpfiles.d /run/tmpfiles.d /usr/local/lib/tmpfiles.d /usr/lib/tmpfiles.d
    RIVAL=$(rival_names before tunewiz.conf "$@" |
        while IFS= read -r rival; do
            first_of "$rival" "$@"
            [ -f "$ROOT$FIRST" ] || continue
            ! sets_path "$ROOT$FIRST" "$rival_path" || printf '%s\n' "$FIRST"
        done | head -n 1)
    [ -n "$RIVAL" ]
}

# Usage: sets_path FILE PATH. Whether a tmpfiles.d file writes to the path.
sets_path() {
    while read -r sets_type sets_target _ || [ -n "$sets_type" ]; do
        case $sets_type in
            w*) [ "$sets_target" != "$2" ] || return 0 ;;
            *) ;;
        esac
    done <"$1"
    return 1
}

live_sysfs() {
    sysfs_read "$F1" || VALUE='nothing readable'
    [ "$VALUE" = "$F3" ] || problem "$F1: planned $F3, found $VALUE"
}

gives_sysfs() {
    [ "$1:$2" = "tmpfiles:$F1" ]
}

file_key_tmpfiles() {
    KEY=${1#w }
    KEY=${KEY%% *}
}
