# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Other files that would override ours at the next boot.

# Usage: rival_names after|before NAME DIRECTORY ... The names that are read after (or before) our own file, first come
# first told.
rival_names() {
    rival_side=$1 rival_own=$2
    shift 2
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

# Usage: first_of NAME DIRECTORY ... What counts where several directories have the name, in FIRST: it may be no file,
# or nothing.
first_of() {
    first_name=$1
    shift
    for first_dir in "$@"; do
        FIRST=$first_dir/$first_name
        [ ! -e "$ROOT$FIRST" ] || return 0
    done
}
