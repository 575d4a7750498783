# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Files of others that would win over ours at the next boot.

# The names that sysctl.d reads after (or tmpfiles.d before) our own file, first come first told.
# Usage: rival_names DIRECTORY ... Reads rival_side (after or before) and rival_own, the name of our own.
rival_names() {
    for rival_dir in "$@"; do
        for rival_file in "$ROOT$rival_dir"/*."${rival_own##*.}"; do
            printf '%s\n' "${rival_file##*/}"
        done
        printf '%s\n' "$rival_own"
    done | sort -u | {
        rival_at=before
        while IFS= read -r rival_name; do
            if [ "$rival_name" = "$rival_own" ]; then
                rival_at=after
            elif [ "$rival_at" = "$rival_side" ]; then
                printf '%s\n' "$rival_name"
            fi
        done
    }
}

# Usage: sets_key FILE KEY OTHER. Whether a sysctl.d file sets one of the keys.
sets_key() {
    sets_other=${3:-$2}
    while IFS= read -r sets_line || [ -n "$sets_line" ]; do
        # The last word of a key has no dot and no slash: without it the line need not be looked at closely.
        case $sets_line in
            *"${2##*.}"*=* | *"${sets_other##*.}"*=*) ;;
            *) continue ;;
        esac
        # Blanks around the key and a leading dash do not count; slashes are dots.
        sets_name=$(printf '%s' "${sets_line%%=*}" | tr -d ' \t' | tr / .)
        sets_name=${sets_name#-}
        [ "$sets_name" != "$2" ] && [ "$sets_name" != "$sets_other" ] || return 0
    done <"$1"
    return 1
}

# Usage: first_of DIRECTORY ... What counts where several directories have the name $rival, in FIRST: it may be no
# file, or nothing.
first_of() {
    for first_dir in "$@"; do
        FIRST=$first_dir/$rival
        [ ! -e "$ROOT$FIRST" ] || return 0
    done
}

# Usage: sysctl_rival NAME TWIN. A file that wins over ours, in RIVAL, and when it does, in RIVAL_WINS.
sysctl_rival() {
    RIVAL_WINS='at the next boot'
    rival_key=$1 rival_twin=$2 rival_side=after rival_own=90-tunewiz.conf
    set -- /etc/sysctl.d /run/sysctl.d /usr/local/lib/sysctl.d /usr/lib/sysctl.d /lib/sysctl.d
    RIVAL=$(rival_names "$@" |
        while IFS= read -r rival; do
            first_of "$@"
            [ -f "$ROOT$FIRST" ] || continue
            ! sets_key "$ROOT$FIRST" "$rival_key" "$rival_twin" || printf '%s\n' "$FIRST"
        done | tail -n 1)
    [ -z "$RIVAL" ] || return 0
    sysctl_conf_sets "$rival_key" "$rival_twin" || return 1
    RIVAL=/etc/sysctl.conf
    # systemd reads it by Debian's link alone, which is one of the names above.
    [ ! -d "$ROOT/run/systemd/system" ] || RIVAL_WINS='whenever sysctl --system is run'
}

# Usage: sysctl_conf_sets KEY OTHER. procps reads it after all of sysctl.d: at boot where systemd does not run the
# machine, and wherever someone has it read everything again.
sysctl_conf_sets() {
    [ -f "$ROOT/etc/sysctl.conf" ] && sets_key "$ROOT/etc/sysctl.conf" "$1" "$2"
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

# Usage: sysfs_rival PATH. A tmpfiles.d file that comes before ours, and so wins, in RIVAL.
sysfs_rival() {
    rival_path=$1 rival_side=before rival_own=tunewiz.conf
    set -- /etc/tmpfiles.d /run/tmpfiles.d /usr/local/lib/tmpfiles.d /usr/lib/tmpfiles.d
    RIVAL=$(rival_names "$@" |
        while IFS= read -r rival; do
            first_of "$@"
            [ -f "$ROOT$FIRST" ] || continue
            ! sets_path "$ROOT$FIRST" "$rival_path" || printf '%s\n' "$FIRST"
        done | head -n 1)
    [ -n "$RIVAL" ]
}
