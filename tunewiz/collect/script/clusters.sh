# shellcheck shell=dash disable=SC2016,SC2034,SC2154 # the dollar signs are sed's; other parts read the variables
# One cluster: its directory, its configuration, its disks.

# Settings whose value may be secret, or an extension's, of which nothing is known: the name stays.
OF_POSTGRES="/^#/!{
s/^\([[:space:]]*[A-Za-z0-9_]*\.[A-Za-z0-9_.]*\).*/\1 = ''/
s/^\([[:space:]]*[A-Za-z0-9_]*[Cc][Oo][Nn][Nn][Ii][Nn][Ff][Oo][A-Za-z0-9_]*\).*/\1 = ''/
s/^\([[:space:]]*[A-Za-z0-9_]*[Cc][Oo][Mm][Mm][Aa][Nn][Dd][A-Za-z0-9_]*\).*/\1 = ''/
s/^\([[:space:]]*[A-Za-z0-9_]*[Pp][Aa][Ss][Ss][A-Za-z0-9_]*\).*/\1 = ''/
s/^\([[:space:]]*[A-Za-z0-9_]*[Ss][Ee][Cc][Rr][A-Za-z0-9_]*\).*/\1 = ''/
s/^\([[:space:]]*[A-Za-z0-9_]*[Tt][Oo][Kk][Ee][Nn][A-Za-z0-9_]*\).*/\1 = ''/
s/^\([[:space:]]*[A-Za-z0-9_]*[Kk][Ee][Yy][A-Za-z0-9_]*\).*/\1 = ''/
s/^\([^'#]*\)#.*/\1/
s/^\([^']*'[^']*'\)[[:space:]]*#.*/\1/
}"
USERS=

# Usage: owner PATH. Whose it is; the names of such users are told at the end.
owner() {
    owner_numbers=$(ls -ldn "$ROOT$1" 2>/dev/null) || return 0
    owner_names=$(ls -ld "$ROOT$1" 2>/dev/null) || return 0
    # shellcheck disable=SC2086 # to be split
    set -- "$1" $owner_numbers
    owner_uid=$4 owner_gid=$5
    # shellcheck disable=SC2086
    set -- "$1" $owner_names
    say "O $1"
    say " $owner_uid $owner_gid"
    case $4 in
        "$owner_uid") ;;
        *) USERS="$USERS $4:x:$owner_uid:" ;;
    esac
}

# Usage: space PATH. The file system that it is on.
space() {
    [ -z "$ROOT" ] || return 0
    space_line=$(df -Pk "$1" 2>/dev/null | tail -n 1) || return 0
    # shellcheck disable=SC2086
    set -- "$1" $space_line
    case ${3:-x}${5:-x} in *[!0-9]*) return 0 ;; *) ;; esac
    space_real=$(cd "$1" 2>/dev/null && pwd -P) || space_real=$1
    say "S $space_real"
    say " $3 $5"
    space_line=$(df -Pi "$space_real" 2>/dev/null | tail -n 1) || return 0
    # shellcheck disable=SC2086
    set -- $space_line
    case ${2:-x}${4:-x} in *[!0-9]*) return 0 ;; *) ;; esac
    say "I $space_real"
    say " $2 $4"
}

# Usage: cluster DIRECTORY CONFIG.
cluster() {
    plain "$1" || return 0
    links_on "$1"
    configuration "$2" 0
    [ -d "$ROOT$1" ] || return 0
    if [ ! -x "$ROOT$1" ] || [ ! -r "$ROOT$1" ]; then
        denied "$1"
        owner "$1"
        return 0
    fi
    say "D $1"
    owner "$1"
    space "$1"
    whole "$1/PG_VERSION"
    whole "$1/postmaster.pid"
    there "$1/standby.signal" "$1/recovery.signal" "$1/patroni.dynamic.json"
    whole "$1/recovery.conf" '/^[[:space:]]*standby_mode/!s/.*//'
    whole "$1/custom.conf" "$MARKS
$OF_POSTGRES"
    configuration "$1/postgresql.auto.conf" 0
    if have od && [ -r "$ROOT$1/global/pg_control" ]; then
        say "B $1/global/pg_control"
        od -An -v -tx1 -N12 "$ROOT$1/global/pg_control" 2>/dev/null
    fi
    for each in "$1/pg_wal" "$1/pg_xlog" "$ROOT$1"/pg_tblspc/*; do
        each=${each#"$ROOT"}
        [ -d "$ROOT$each" ] || continue
        links_on "$each"
        [ -L "$ROOT$each" ] || say "D $each"
        space "$each"
    done
}

# Usage: configuration FILE DEPTH. The file and what it includes.
configuration() {
    [ -f "$ROOT$1" ] && [ "$2" -lt "$MOST_INCLUDES" ] || return 0
    kept "$1" "$OF_POSTGRES"
    sed -n "s/^[[:space:]]*\(include_dir\|include_if_exists\|include\)[[:space:]]*=*[[:space:]]*'\{0,1\}\([^'#]*\)'\{0,1\}.*/\1 \2/p" \
        "$ROOT$1" 2>/dev/null | while read -r how which || [ -n "$how" ]; do
        case $which in /*) ;; *) which=${1%/*}/$which ;; esac
        case $how in
            include_dir)
                names_in "$which"
                for each in "$ROOT$which"/*.conf; do (configuration "${each#"$ROOT"}" $(($2 + 1))); done
                ;;
            *) (configuration "$which" $(($2 + 1))) ;;
        esac
    done
}
