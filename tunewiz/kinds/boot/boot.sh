# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Kernel arguments, in a boot entry of their own beside the default one, which stays as it is.
#
# A step is  boot|ARGUMENTS|ARGUMENTS ...; those of one field belong together, in this order, parted by blanks.

name_boot() {
    all_arguments
    NAME="boot entry with $ARGUMENTS"
}

all_arguments() {
    ARGUMENTS="$F1${F2:+ $F2}${F3:+ $F3}${F4:+ $F4}${F5:+ $F5}${F6:+ $F6}${F7:+ $F7}"
}

keep_boot() {
    find_entry && new_options "$BOOTED" && copy_entry "$BOOTED" "$NEW" >"$OWN/new/$1.after" &&
        printf '%s\n' "$LOADER" "$ENTRY" >"$OWN/new/$1.path"
}

# Usage: boot_path NUMBER. Where our entry is or will be, in ENTRY, and whose it is in LOADER.
boot_path() {
    if [ -f "$KEPT/$1.path" ]; then
        {
            IFS= read -r LOADER
            IFS= read -r ENTRY
        } <"$KEPT/$1.path"
        ENTRIES=${ENTRY%/*}
    else
        find_entry
    fi
}

state_boot() {
    STANDS=other BEFORE='no such entry'
    if ! boot_path "$1"; then
        FOUND=$WHY_NOT
    elif [ ! -d "$ROOT$ENTRIES" ]; then
        FOUND="no $ENTRIES"
    elif [ ! -f "$KEPT/$1.path" ] && has_all "$RUNNING"; then
        STANDS=after FOUND='the running kernel has them'
    elif [ ! -e "$ROOT$ENTRY" ] && [ ! -L "$ROOT$ENTRY" ]; then
        STANDS=before FOUND=$BEFORE
    else
        FOUND="different content in $ENTRY"
        [ -L "$ROOT$ENTRY" ] || ! same_content "$ROOT$ENTRY" "$KEPT/$1.after" || STANDS=after
    fi
    # Cut off before zipl: the entry alone does not tell what zipl knows.
    case $LOADER:$STANDS:$UNFINISHED in
        zipl:before:*" $1 "* | zipl:after:*" $1 "*) STANDS=between ;;
        *) ;;
    esac
}

check_boot() {
    [ -n "${BOOTED:-}" ] || return 0
    entry_key "$BOOTED" title || problem "${BOOTED#"$ROOT"}: has no title, or several"
    new_options "$BOOTED" || problem "$WHY_NOT"
    check_writable "$ENTRIES/"
}

# Usage: put_entry SOURCE DESTINATION. The partition may be one whose rights cannot be changed (vfat).
put_entry() {
    put_temporary=${2%/*}/.${2##*/}.tunewiz-new
    rm -f "$put_temporary"
    (umask 022 && set -C && cat "$1" >"$put_temporary") && move_in "$put_temporary" "$2"
}

do_boot() {
    doing "write the boot entry $ENTRY with $ARGUMENTS; the default one stays" || return 0
    over_before_or_after "$1" "$ROOT$ENTRY" put_entry "$KEPT/$1.after" "$ROOT$ENTRY" && same_content "$ROOT$ENTRY" "$KEPT/$1.after" && renew_loader
}

# An entry that someone has chosen to boot is not removed: the loader would boot whichever entry comes first.
undo_boot() {
    undo_id=${ENTRY##*/}
    if chosen_by "${undo_id%.conf}"; then
        complain "  ${undo_id%.conf} was chosen since: $CHOSEN"
        return 1
    fi
    doing "remove the boot entry $ENTRY" || return 0
    over "$KEPT/$1.after" take_away "$ROOT$ENTRY" && renew_loader || return 1
    running_kernel
    ! has_all "$RUNNING" || say "  the running kernel keeps $ARGUMENTS until the next boot"
}

# Usage: sweep_boot NUMBER. An entry that a killed run had not moved into place yet.
sweep_boot() {
    [ ! -f "$KEPT/$1.path" ] || sweep_beside "$ROOT$ENTRY"
}

# What the running kernel was booted with is in force; it persists if the default entry has it too.
verify_boot() {
    VALUE='' GIVEN='' remark='no entry of this bundle' verify_from=''
    all_arguments
    find_loader || remark=$WHY_NOT
    running_kernel
    ! has_all "$RUNNING" || VALUE=$ARGUMENTS
    if [ -n "$DEFAULT" ] && entry_key "$ROOT$ENTRIES/$DEFAULT.conf" options; then
        plain_words "$ENTRY_VALUE"
        ! has_all "$PLAIN" || GIVEN=$ARGUMENTS
    fi
    if [ -f "$KEPT/$1.path" ] && boot_path "$1" && same_content "$ROOT$ENTRY" "$KEPT/$1.after"; then
        verify_from=$ENTRY remark="the default entry is $DEFAULT"
        [ -n "$VALUE" ] || WAITS=true
    fi
    tell boot "kernel arguments" "$ARGUMENTS" "${VALUE:-without}" "$GIVEN" "$verify_from" "$remark"
}

# After everything is done: how to boot it.
tell_done_boot() {
    boot_path "$1" || return 0
    all_arguments
    tell_id=${ENTRY##*/}
    say "NOT in force yet: $ARGUMENTS takes effect once the machine is booted with ${tell_id%.conf}."
    tell_how "${tell_id%.conf}"
}

# A kernel that ran with the arguments already was given no entry.
stood_before_boot() {
    [ ! -f "$KEPT/$1.path" ]
}

keys_boot() {
    KEYS="${KEYS}boot "
}
