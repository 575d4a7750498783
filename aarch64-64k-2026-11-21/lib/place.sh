# shellcheck shell=dash # the variables of the scripts and the parts beside this one are read here
# Could someone else change what is run here with our rights? Then the checksums say nothing.

# Whom we trust with our own files: root, ourselves, and who called us by sudo. Usage: is_trusted UID
is_trusted() {
    case " 0 $PLACE_ME ${SUDO_UID:-} " in
        *" $1 "*) return 0 ;;
        *) return 1 ;;
    esac
}

# Usage: check_place. Refuses with status 2 where the bundle, a file of it or a directory above it is open to others.
check_place() {
    PLACE_ME=$(id -u)
    place_open=$(find "$BUNDLE" \( -type l -o -perm -020 -o -perm -002 -o \
        ! \( -user 0 -o -user "$PLACE_ME" -o -user "${SUDO_UID:-0}" \) \) -print | head -n 1)
    [ -z "$place_open" ] || unsafe "$place_open" "is a link, or others own it or may write to it"
    place=$BUNDLE
    while [ -n "$place" ]; do
        place=${place%/*}
        check_above "${place:-/}"
    done
}

# A directory above may be open to others only if it is sticky, as /tmp is: what is ours in it stays ours.
check_above() {
    place_told=$(stat -c '%u %A' "$1") || unsafe "$1" "cannot be looked at"
    is_trusted "${place_told%% *}" || unsafe "$1" "belongs to someone else"
    case ${place_told#* } in
        ?????????[tT]*) ;;
        ?????w* | ????????w*) unsafe "$1" "others may write to it" ;;
        *) ;;
    esac
}

unsafe() {
    complain "Refused, nothing was changed: someone else could change this bundle while it runs."
    complain "  $1: $2"
    die 2 "Copy the bundle to a directory that only root can write (/root, say), chmod -R go-w it, and compare SHA256SUMS."
}
