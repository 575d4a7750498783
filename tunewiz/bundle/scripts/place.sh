# shellcheck shell=dash # the variables of the scripts and the parts beside this one are read here
# Could someone else change what we save? It is restored with our rights.

# Refuses with status 2 where others may write to the directory of the state, or to one on the way there.
check_state() {
    way_to "$STATE" || die 2 "$STATE: is a loop of links"
    set -f
    IFS=$NL
    # shellcheck disable=SC2086 # split at the ends of lines, on purpose
    state_told=$(stat -L -c '%u %A %n' $WAY) || die 2 "$STATE: cannot be looked at"
    unset IFS
    set +f
    while IFS=' ' read -r state_owner state_mode state_dir; do
        case $state_owner in
            0 | "$ME") ;;
            *) die 2 "Refused, nothing was changed: $state_dir, where records are kept, belongs to someone else." ;;
        esac
        case $state_dir:$state_mode in
            "$STATE":?????w* | "$STATE":????????w*) ;;
            *:?????????[tT]*) continue ;;
            *:?????w* | *:????????w*) ;;
            *) continue ;;
        esac
        die 2 "Refused, nothing was changed: others may write to $state_dir, where records are kept."
    done <<END
$state_told
END
    refuse_shared_state
}

# What is kept is closed to others, and so is its directory: it must not be one that serves something else too.
refuse_shared_state() {
    [ -d "$STATE" ] && [ "$(stat -L -c %a "$STATE")" != 700 ] || return 0
    state_hex='[0-9a-f][0-9a-f][0-9a-f][0-9a-f]'
    state_hex=$state_hex$state_hex$state_hex$state_hex
    state_other=$(find "$STATE/" -mindepth 1 -maxdepth 1 ! -name lock ! -name 'lock.*' ! -name pending ! -name prove \
        ! -name "$state_hex" ! -name "$state_hex.*" | head -n 1)
    [ -z "$state_other" ] ||
        die 2 "Refused, nothing was changed: $STATE serves something else too (${state_other##*/} is there), and would be closed to others. Name a directory of its own in TUNEWIZ_STATE_DIR."
}
