# shellcheck shell=dash disable=SC2034,SC2016 # the scripts and the parts beside this one read its variables
# How many huge pages PostgreSQL itself says it needs with the planned settings: asked before anything is changed.

FIRST_MAJOR_TO_COUNT=15

# Run as the owner. What is worked out at a start is told of a data directory that no server uses: one beside it, with
# nothing but what `postgres -C` reads and, under SELinux, the same label. Usage: sh -c "$COUNT_PAGES" sh DATA_DIRECTORY PROGRAM ARGUMENTS ...
COUNT_PAGES='
data=$1 program=$2
shift 2
beside=$(mktemp -d) || exit 1
trap "rm -rf \"$beside\"" EXIT
[ ! -e /sys/fs/selinux/enforce ] || chcon --reference="$data" "$beside" 2>/dev/null
mkdir -m 0700 "$beside/global" && cp "$data/PG_VERSION" "$beside" && cp "$data/global/pg_control" "$beside/global" || exit 1
[ ! -f "$data/postgresql.auto.conf" ] || cp "$data/postgresql.auto.conf" "$beside" || exit 1
"$program" -D "$beside" -c "data_directory=$beside" "$@" -C shared_memory_size_in_huge_pages
'

# The answer for the files as they are, and the planned settings beside them.
ask_count() {
    set -- -c "config_file=$ROOT$CONFIG"
    counting=1
    while [ "$counting" -lt "$STEPS" ]; do
        counting=$((counting + 1))
        load "$counting"
        [ "$KIND" != setting ] || set -- "$@" -c "$F1=$F7"
    done
    look_as_owner sh -c "$COUNT_PAGES" sh "$ROOT$DATA" "$BIN/postgres" "$@"
}

# Of a pool, loaded: fewer pages than PostgreSQL counts are a problem, and no other number than the reviewed one is set.
check_count() {
    [ -n "$DATA" ] || return 0
    count_name=$F1 count_planned=$F3 count_own=$F7
    if [ "${MAJOR%%.*}" -lt "$FIRST_MAJOR_TO_COUNT" ]; then
        say "$F1: not compared with PostgreSQL's own count, which version $MAJOR cannot tell ($FIRST_MAJOR_TO_COUNT and newer can)"
        return 0
    elif [ -z "$BIN" ]; then
        say "$F1: not compared with PostgreSQL's own count: its programs were not found"
        return 0
    fi
    SERVER_PAGES=$(ask_count 2>/dev/null)
    # The owner's answer: no shell counts in octal, or beyond 32 bits, because of it.
    case $SERVER_PAGES in
        '' | *[!0-9]* | 0?* | ??????????*)
            say "$count_name: not compared with PostgreSQL's own count: ${SERVER_PAGES:-$(ask_count 2>&1 >/dev/null)}"
            return 0
            ;;
        *) ;;
    esac
    if [ "$SERVER_PAGES" -le "$count_own" ]; then
        say "$count_name: PostgreSQL counts $SERVER_PAGES pages with the planned settings, $count_own are planned for it"
        return 0
    fi
    problem "$count_name: planned $count_planned, of which this server gets $count_own; PostgreSQL counts $SERVER_PAGES with the planned settings: plan again with $((count_planned - count_own + SERVER_PAGES))"
}
