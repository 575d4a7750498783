# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# One word of a file system's mount options: in force by mounting again, and in /etc/fstab.
#
# A step is  mount|MOUNT POINT|FORMER WORD|WORD, both about times of access.

name_mount() {
    NAME="$F1 $F3"
}

# Usage: mounted_words MOUNT POINT. The options in force, in WORDS, as ,one,two,; the last mount there counts.
mounted_words() {
    WORDS=
    while read -r _ _ _ _ mounted_point mounted_options _; do
        [ "$mounted_point" != "$1" ] || WORDS=",$mounted_options,"
    done 2>/dev/null <"$ROOT/proc/self/mountinfo"
    [ -n "$WORDS" ]
}

# Usage: access_word. Of WORDS: how times of access are kept, in VALUE; strict times have no word of their own.
access_word() {
    case $WORDS in
        *,noatime,*) VALUE=noatime ;;
        *,relatime,*) VALUE=relatime ;;
        *) VALUE=strictatime ;;
    esac
}

# Usage: fstab_entry MOUNT POINT. Its line of /etc/fstab in ENTRY, and the options in it in ENTRY_WORDS.
fstab_entry() {
    ENTRY=
    set -f
    while IFS= read -r entry_line || [ -n "$entry_line" ]; do
        case $entry_line in *#*) continue ;; *) ;; esac
        # shellcheck disable=SC2086 # split at the blanks, on purpose
        ! entry_fields "$1" $entry_line || ENTRY=$entry_line
    done 2>/dev/null <"$ROOT$FSTAB"
    set +f
    [ -n "$ENTRY" ]
}

# Usage: entry_fields MOUNT POINT FIELD ... Whether the fields are those of the mount point's line.
entry_fields() {
    [ $# -ge 5 ] && [ "$3" = "$1" ] || return 1
    ENTRY_HEAD="$2 $3 $4" ENTRY_WORDS=$5 ENTRY_TAIL=${6:+ $6}${7:+ $7}
}

# The line as it will be, in EDITED: the word for the former one, else after the others.
edited_entry() {
    case ,$ENTRY_WORDS, in
        *,"$F2",*)
            edited_words=",$ENTRY_WORDS,"
            edited_words=${edited_words%%",$F2,"*},$F3,${edited_words#*",$F2,"}
            edited_words=${edited_words#,}
            edited_words=${edited_words%,}
            ;;
        *) edited_words=$ENTRY_WORDS,$F3 ;;
    esac
    EDITED="$ENTRY_HEAD $edited_words$ENTRY_TAIL"
}

keep_mount() {
    fstab_entry "$F1" && edited_entry && cp -a "$ROOT$FSTAB" "$OWN/new/$1.before" &&
        printf '%s\n' "$ENTRY" >"$OWN/new/$1.line" && printf '%s\n' "$EDITED" >"$OWN/new/$1.edited"
}

state_mount() {
    STANDS=other
    BEFORE=$F2
    FOUND='not mounted'
    mounted_words "$F1" || return 0
    access_word
    FOUND=$VALUE
    if ! fstab_entry "$F1"; then
        FOUND="$VALUE, and no line of its own in $FSTAB"
        return 0
    fi
    if [ ! -f "$KEPT/$1.line" ]; then
        case ,$ENTRY_WORDS, in
            *,"$F3",*) FOUND="$VALUE, and $F3 in $FSTAB" ;;
            *) [ "$VALUE" != "$F2" ] || STANDS=before ;;
        esac
        [ "$VALUE" != "$F3" ] || [ "$FOUND" = "$VALUE" ] || STANDS=after
        return 0
    fi
    case $VALUE:$ENTRY in
        "$F3:$(cat "$KEPT/$1.edited")") STANDS=after ;;
        "$F2:$(cat "$KEPT/$1.line")") STANDS=before ;;
        "$F3:$(cat "$KEPT/$1.line")" | "$F2:$(cat "$KEPT/$1.edited")") ! was_intended "$1" || STANDS=between ;;
        *) FOUND="$VALUE, $FSTAB: $ENTRY" ;;
    esac
}

check_mount() {
    check_fstab
    own_program mount || problem "$F1: mount was not found"
}

# Usage: mount_again MOUNT POINT WORD. With all that is in force now, and nothing from /etc/fstab.
mount_again() {
    case $2 in
        noatime) again_words=$2 ;;
        # The kernel keeps noatime unless it is told otherwise.
        *) again_words=atime,$2 ;;
    esac
    again_said=$(mount --options-source=mtab --options-source-force -o "remount,$again_words" "$ROOT$1" 2>&1) ||
        complain "  $again_said"
    mounted_words "$1" && access_word && [ "$VALUE" = "$2" ] && return 0
    complain "  remounted with $2, found ${VALUE:-nothing}"
    return 1
}

do_mount() {
    doing "mount $F1 with $F3 instead of $F2, and record that in $FSTAB" || return 0
    mount_again "$F1" "$F3" || return 1
    do_edited=$(cat "$KEPT/$1.edited")
    has_line "$ROOT$FSTAB" "$do_edited" || edit_fstab "$(cat "$KEPT/$1.line")" "$do_edited" "$KEPT/$1.before"
}

undo_mount() {
    doing "mount $F1 as before, and restore its line in $FSTAB" || return 0
    undo_edited=$(cat "$KEPT/$1.edited")
    ! has_line "$ROOT$FSTAB" "$undo_edited" ||
        edit_fstab "$undo_edited" "$(cat "$KEPT/$1.line")" "$KEPT/$1.before" || return 1
    mount_again "$F1" "$F2"
}

verify_mount() {
    VALUE='' GIVEN=''
    ! mounted_words "$F1" || access_word
    if fstab_entry "$F1"; then
        case ,$ENTRY_WORDS, in *,"$F3",*) GIVEN=$F3 ;; *) ;; esac
    fi
    tell mount "$F1" "$F3" "$VALUE" "$GIVEN" "$FSTAB" ''
}

sweep_mount() {
    sweep_beside "$ROOT$FSTAB"
}
