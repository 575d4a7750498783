# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# The entry that the running kernel was booted with, and what a copy of it says: its arguments with those of a step.

# Usage: plain_words WORDS. As the kernel gets them, in PLAIN: GRUB's variables put in, without what loaders add.
plain_words() {
    PLAIN=
    set -f
    for plain_word in $1; do
        case $LOADER:$plain_word in
            *:BOOT_IMAGE=* | *:initrd=*) continue ;;
            grub:'$'*)
                grub_value "${plain_word#?}"
                plain_word=$GRUB_VALUE
                ;;
            *) ;;
        esac
        PLAIN="$PLAIN $plain_word"
    done
    # shellcheck disable=SC2086 # split at the blanks, on purpose
    set -- $PLAIN
    set +f
    PLAIN=$*
}

# How the running kernel was booted: RELEASE, IMAGE (its file's name, which GRUB tells) and RUNNING, its arguments.
running_kernel() {
    RELEASE=$(cat "$ROOT/proc/sys/kernel/osrelease" 2>/dev/null)
    RUNNING=$(cat "$ROOT/proc/cmdline" 2>/dev/null)
    IMAGE=
    case $LOADER:" $RUNNING" in
        grub:*' BOOT_IMAGE='*)
            IMAGE=${RUNNING#*BOOT_IMAGE=}
            IMAGE=${IMAGE%% *}
            IMAGE=${IMAGE##*/}
            ;;
        *) ;;
    esac
    plain_words "$RUNNING"
    RUNNING=$PLAIN
}

# Usage: is_running FILE. Whether the running kernel was booted with this entry: kernel, image and every argument.
is_running() {
    entry_key "$1" linux || return 1
    case $LOADER:$ENTRY_VALUE in
        grub:*) [ "${ENTRY_VALUE##*/}" = "$IMAGE" ] || return 1 ;;
        systemd-boot:*) [ "${1##*/}" = "$BOOTED_NAME" ] || return 1 ;;
        *) ;;
    esac
    case $ENTRY_VALUE in
        *"/vmlinuz-$RELEASE" | */"$RELEASE"/*) ;;
        *) entry_key "$1" version && [ "$ENTRY_VALUE" = "$RELEASE" ] || return 1 ;;
    esac
    entry_key "$1" options || return 1
    plain_words "$ENTRY_VALUE"
    [ "$PLAIN" = "$RUNNING" ]
}

# The one entry that the running kernel was booted with: its path in BOOTED, and where ours goes in ENTRY; else WHY_NOT.
find_entry() {
    BOOTED='' ENTRY=''
    find_loader || return 1
    running_kernel
    WHY_NOT="no entry in $ENTRIES matches the running kernel"
    for find_file in "$ROOT$ENTRIES"/*.conf; do
        { [ -f "$find_file" ] && [ ! -L "$find_file" ] && is_running "$find_file"; } || continue
        if [ -n "$BOOTED" ]; then
            WHY_NOT="several entries in $ENTRIES match the running kernel"
            return 1
        fi
        BOOTED=$find_file
    done
    [ -n "$BOOTED" ] && name_entry
}

# With a name that comes after the other's where names are sorted; for systemd-boot one that no pattern of a default
# for others fits.
name_entry() {
    find_id=${BOOTED##*/}
    find_id=${find_id%.conf}
    case $find_id in
        *-tunewiz | tunewiz-*)
            WHY_NOT="the running kernel was booted with an entry that a bundle wrote: boot the default one first"
            return 1
            ;;
        *) is_plain_id "$find_id" || return 1 ;;
    esac
    ENTRY=$find_id-tunewiz
    [ "$LOADER" != systemd-boot ] || ENTRY=tunewiz-$find_id
    if [ "$LOADER" = systemd-boot ] && fits_default "$ENTRY"; then
        WHY_NOT="the default of systemd-boot, $DEFAULT, would match a second entry too"
        return 1
    fi
    ENTRY=$ENTRIES/$ENTRY.conf
}

# Usage: words_with WORDS ARGUMENTS. With the arguments, in NEW: at the end, or, where all of them stand there together,
# with the last one's value changed. Fails where only some do, or apart, or for another size: their order has a meaning.
words_with() {
    NEW='' with_keys=' ' with_rest=$2 with_near=1
    set -f
    for with_word in $2; do
        with_keys="$with_keys${with_word%%=*} "
    done
    with_word=
    for with_word in $1; do
        case $with_keys in
            *" ${with_word%%=*} "*)
                with_next=${with_rest%% *}
                [ -n "$with_near" ] && [ "${with_word%%=*}" = "${with_next%%=*}" ] || break
                with_rest=${with_rest#"$with_next"}
                with_rest=${with_rest# }
                [ -z "$with_rest" ] || [ "$with_word" = "$with_next" ] || break
                with_word=$with_next
                ;;
            *) [ "$with_rest" = "$2" ] || [ -z "$with_rest" ] || with_near= ;;
        esac
        NEW="$NEW $with_word"
        with_word=
    done
    set +f
    [ -z "$with_word" ] || return 1
    NEW=${NEW# }
    case $with_rest in
        '') ;;
        "$2") NEW="${NEW:+$NEW }$2" ;;
        *) return 1 ;;
    esac
}

# Usage: words_with_all WORDS. With the arguments of each field, in NEW.
words_with_all() {
    NEW=$1
    for all_group in "$F1" "$F2" "$F3" "$F4" "$F5" "$F6" "$F7"; do
        [ -z "$all_group" ] || words_with "$NEW" "$all_group" || return 1
    done
}

# Usage: new_options FILE. The options of its copy in NEW; fails where a variable of GRUB's holds one of them.
new_options() {
    WHY_NOT="the entry ${1#"$ROOT"} has some of these arguments already, in a way that only a person can merge"
    entry_key "$1" options || return 1
    new_literal=$ENTRY_VALUE
    plain_words "$new_literal"
    words_with_all "$PLAIN" || return 1
    new_plain=$NEW
    words_with_all "$new_literal" || return 1
    plain_words "$NEW"
    [ "$PLAIN" = "$new_plain" ]
}

# Usage: copy_entry FILE OPTIONS. The entry with a title that says what it is, and these options; all else as it is.
copy_entry() {
    while IFS= read -r copy_line || [ -n "$copy_line" ]; do
        case $copy_line in
            'title '* | "title$TAB"*) printf '%s (tunewiz: %s)\n' "$copy_line" "$ARGUMENTS" ;;
            'options '* | "options$TAB"*) printf 'options %s\n' "$2" ;;
            *) printf '%s\n' "$copy_line" ;;
        esac
    done <"$1"
}

# Usage: has_all WORDS. Whether the arguments of each field are among them.
has_all() {
    for has_group in "$F1" "$F2" "$F3" "$F4" "$F5" "$F6" "$F7"; do
        case " $1 " in
            *" $has_group "*) ;;
            *) [ -z "$has_group" ] || return 1 ;;
        esac
    done
}
