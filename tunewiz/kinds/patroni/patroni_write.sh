# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Writes the dynamic configuration: over the version that was compared, or not at all.

# Usage: write_dynamic planned|former NUMBER. patronictl reads the configuration, shows what it would change, and replaces
# only the version that it has read. While it waits for confirmation, the configuration is compared once more with the one
# that was checked (DYNAMIC): either they are the same, or the write is refused.
write_dynamic() {
    write_judged=$DYNAMIC
    set -- "$1" "$2" edit-config
    write_one=1
    while [ "$write_one" -lt "$STEPS" ]; do
        write_one=$((write_one + 1))
        load "$write_one"
        [ "$KIND" = dynamic ] || continue
        "write_$1" "$2"
        set -- "$@" -p "$F1=$WRITTEN"
    done
    load "$2"
    shift 2
    offer "$@"
}

# As YAML: digits as a number, anything else in quotes, which values of these settings never contain.
write_planned() {
    case $F5 in
        *[!0-9]* | '') WRITTEN="'$F5'" ;;
        *) WRITTEN=$F5 ;;
    esac
}

write_former() {
    WRITTEN=null
    ! rest_of "$(cat "$KEPT/$1.before")" "$F1=" || WRITTEN=$REST
}

# Usage: offer ARGUMENT ... Runs patronictl up to its question, and answers that.
offer() {
    offer_told=$SCRATCH/told offer_answer=$SCRATCH/answer
    rm -f "$offer_told" "$offer_answer"
    mkfifo "$offer_answer" && : >"$offer_told" || return 1
    patroni_asked "$@" <"$offer_answer" >"$offer_told" 2>&1 &
    offer_process=$!
    exec 8>"$offer_answer"
    rm -f "$offer_answer"
    await_question
    if grep 'Apply these changes' "$offer_told" >/dev/null && patroni_now=$(patroni show-config 2>/dev/null) &&
        [ "$patroni_now" = "$write_judged" ]; then
        printf 'y\n' >&8
    else
        printf 'n\n' >&8
    fi 2>/dev/null
    exec 8>&-
    wait "$offer_process"
    grep -x -e '.*Configuration changed' -e 'Not changed' "$offer_told" >/dev/null && return 0
    complain "  the configuration was not written: $(tail -n 1 "$offer_told")"
    [ "${patroni_now:-}" = "$write_judged" ] || complain "  someone else is changing it"
    return 1
}

await_question() {
    awaited=0
    until grep -e 'Apply these changes' -e 'Not changed' "$offer_told" >/dev/null || ! kill -0 "$offer_process" 2>/dev/null ||
        [ "$awaited" -ge "$SECONDS_TO_ASK" ]; do
        sleep 1
        awaited=$((awaited + 1))
    done
}
