# shellcheck shell=dash # the variables of the scripts and the parts beside this one are read here
# Could someone else change what we save? It is restored with our rights.

# Refuses with status 2 where others may write to the directory of the state, or to one on the way there.
check_state() {
    state_way=$(way_to "$STATE") || die 2 "$STATE: is a loop of links"
    while IFS= read -r state_dir; do
        state_told=$(stat -L -c '%u %A' "$state_dir") || die 2 "$state_dir: cannot be looked at"
        case ${state_told%% *} in
            0 | "$ME") ;;
            *) die 2 "Refused, nothing was changed: $state_dir, where records are kept, belongs to someone else." ;;
        esac
        case $state_dir:${state_told#* } in
            "$STATE":?????w* | "$STATE":????????w*) ;;
            *:?????????[tT]*) continue ;;
            *:?????w* | *:????????w*) ;;
            *) continue ;;
        esac
        die 2 "Refused, nothing was changed: others may write to $state_dir, where records are kept."
    done <<END
$state_way
END
}
