# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# One line at the end of postgresql.conf that has our drop-in read, where nothing else would have it read.
#
# A step is  include|CONFIGURATION FILE|LINE.

WITH_SERVER="$WITH_SERVER include" CARRIERS="$CARRIERS include"

name_include() {
    NAME="$F1: $F2"
}

keep_include() {
    copy_out "$ROOT$F1" "$OWN/new/$1.before"
}

stood_before_include() {
    has_line "$KEPT/$1.before" "$F2"
}

# Only our line counts: everything else in the file belongs to its owner.
state_include() {
    BEFORE='no such line' FOUND='the line'
    STANDS=before
    if sees -L "$ROOT$F1"; then
        STANDS=other FOUND='a link'
    elif ! sees -f "$ROOT$F1"; then
        STANDS=other FOUND='no such file'
    elif has_line "$ROOT$F1" "$F2"; then
        STANDS=after
    fi
}

check_include() {
    [ "$(tells "$ROOT$F1" stat -c %h "$ROOT$F1" 2>/dev/null)" = 1 ] ||
        problem "$F1: has another name (a hard link), which would keep the old content"
    check_writer "$F1"
}

do_include() {
    doing "add the line $F2 to $F1" || return 0
    edit_line "$F1" '' "$F2" "$KEPT/$1.before" true
}

undo_include() {
    doing "remove the line $F2 from $F1" || return 0
    edit_line "$F1" "$F2" '' "$KEPT/$1.before" true
}

verify_include() {
    VALUE=
    ! has_line "$ROOT$F1" "$F2" || VALUE='there'
    tell include "$F1: $F2" there - "$VALUE" "$F1" ''
}

plan_include() {
    :
}

reach_include() {
    reach_path=$F1
}

sweep_include() {
    sweep_beside "$ROOT$F1"
}
