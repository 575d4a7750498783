# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# /etc/fstab, which belongs to everyone: one line is changed, every other byte and the file's rights stay.

FSTAB=/etc/fstab

# Usage: own_program NAME. On a pretend root its own only: that of this machine would act on this machine.
own_program() {
    case $(command -v "$1") in
        "$ROOT"/*) return 0 ;;
        *) return 1 ;;
    esac
}

check_fstab() {
    if [ -L "$ROOT$FSTAB" ] || [ ! -f "$ROOT$FSTAB" ]; then
        problem "$FSTAB: is a link, or is not there"
    elif [ "$(stat -c %h "$ROOT$FSTAB")" != 1 ]; then
        problem "$FSTAB: has another name (a hard link), which would keep the old content"
    fi
}

# How often others may change a file while one line of it is edited.
TRIES_TO_EDIT=5

# Usage: lines_with FILE OLD NEW. The file with one line in the place of another: OLD empty adds, NEW empty takes away.
# Cut at the numbers of its lines: a shell that reads them would drop zero bytes.
lines_with() {
    with_from=1
    [ -z "$2" ] || for with_at in $(tr '\000' '\001' <"$1" | grep -Fxn -e "$2" | cut -d : -f 1); do
        is_number "$with_at" || return 1
        head -n "$((with_at - 1))" "$1" | tail -n "+$with_from"
        [ -z "$3" ] || printf '%s\n' "$3"
        with_from=$((with_at + 1))
    done
    tail -n "+$with_from" "$1"
    [ -z "$(tail -n "+$with_from" "$1" | tail -c 1 | tr '\000' '\001')" ] || printf '\n'
    [ -n "$2" ] || [ -z "$3" ] || printf '%s\n' "$3"
}

# Usage: has_line FILE LINE
has_line() {
    read_file "$1" | grep -Fx -e "$2" >/dev/null 2>&1
}

# Is it no worse than it was? What was wrong with it before is not ours to judge.
fstab_sound() {
    findmnt --verify --tab-file "$ROOT$FSTAB" >/dev/null 2>&1 || return 0
    findmnt --verify --tab-file "$1" >/dev/null 2>&1 && return 0
    complain "  findmnt --verify does not accept the new $FSTAB"
    return 1
}

# Usage: edit_line FILE OLD NEW KEPT CHECK. Every byte as kept where nobody else has changed it. CHECK is a command
# that takes the new content before it is put in place. What others write meanwhile is read again.
edit_line() {
    edit_tries=0
    while :; do
        edit_line_once "$@"
        case $? in
            0) return 0 ;;
            2) return 1 ;;
            *) ;;
        esac
        edit_tries=$((edit_tries + 1))
        [ "$edit_tries" -lt "$TRIES_TO_EDIT" ] || return 1
        sleep 0.2
    done
}

# Fails with 2 where trying again is no use.
edit_line_once() {
    read_file "$ROOT$1" >"$SCRATCH/edited.from" || return 2
    if [ -n "$2" ] && ! has_line "$SCRATCH/edited.from" "$2"; then
        complain "  $1: someone else has changed the line $2"
        return 2
    fi
    lines_with "$SCRATCH/edited.from" "$2" "$3" >"$SCRATCH/edited" && "$5" "$SCRATCH/edited" || return 2
    # A last line without a newline counts as the same.
    lines_with "$4" '' '' >"$SCRATCH/edited.kept" || return 2
    if same_content "$SCRATCH/edited" "$SCRATCH/edited.kept"; then
        over "$SCRATCH/edited.from" put_back "$4" "$ROOT$1" || return 1
    else
        over "$SCRATCH/edited.from" put_edited "$SCRATCH/edited" "$ROOT$1" || return 1
    fi
    # Someone who had read it before us may have written it after us.
    [ -z "$3" ] || has_line "$ROOT$1" "$3"
}

# Usage: edit_fstab OLD NEW KEPT
edit_fstab() {
    edit_line "$FSTAB" "$1" "$2" "$3" fstab_sound
}
