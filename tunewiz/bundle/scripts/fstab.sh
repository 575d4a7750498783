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

# Usage: lines_with FILE OLD NEW. The file with one line in the place of another: OLD empty adds, NEW empty takes away.
lines_with() {
    while IFS= read -r with_line || [ -n "$with_line" ]; do
        if [ -n "$2" ] && [ "$with_line" = "$2" ]; then
            [ -z "$3" ] || printf '%s\n' "$3"
        else
            printf '%s\n' "$with_line"
        fi
    done <"$1"
    [ -n "$2" ] || printf '%s\n' "$3"
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
# that takes the new content before it is put in place.
edit_line() {
    read_file "$ROOT$1" >"$SCRATCH/edited.from" && lines_with "$SCRATCH/edited.from" "$2" "$3" >"$SCRATCH/edited" &&
        "$5" "$SCRATCH/edited" || return 1
    # A last line without a newline counts as the same.
    lines_with "$4" '' '' | sed '$d' >"$SCRATCH/edited.kept" || return 1
    if same_content "$SCRATCH/edited" "$SCRATCH/edited.kept"; then
        put_back "$4" "$ROOT$1"
    else
        put_edited "$SCRATCH/edited" "$ROOT$1"
    fi
}

# Usage: edit_fstab OLD NEW KEPT
edit_fstab() {
    edit_line "$FSTAB" "$1" "$2" "$3" fstab_sound
}
