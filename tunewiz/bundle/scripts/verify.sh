#!/bin/sh
# shellcheck shell=dash disable=SC2034,SC2329 # the parts that are sourced read the variables
# Is the running system as planned, and will it be after a reboot? Changes nothing.
# Exit status: 0 as planned, 1 it differs (each difference on a line), 2 wrong usage or broken bundle, 74 standard output
# takes no more.
# shellcheck source=preamble.sh
. ./preamble.sh

usage() {
    printf 'usage: sh verify.sh [--json | --health]\n'
}

misused() {
    usage >&2
    exit 2
}

arguments() {
    JSON='' DRY='' ASK_HEALTH=''
    for argument in ${1+"$@"}; do
        case $argument in
            --json) JSON=1 ;;
            --health) ASK_HEALTH=1 ;;
            --help)
                usage || exit 74
                exit 0
                ;;
            *) misused ;;
        esac
    done
    [ -z "$JSON" ] || [ -z "$ASK_HEALTH" ] || misused
}

# Usage: json_text TEXT. As a JSON string, printable ASCII only, in TEXT.
json_text() {
    json_rest=$(printf '%s' "$1" | tr -c '\40-\176' '?')
    TEXT=
    while [ -n "$json_rest" ]; do
        json_char=${json_rest%"${json_rest#?}"}
        json_rest=${json_rest#?}
        case $json_char in
            '"' | \\) TEXT=$TEXT\\ ;;
            *) ;;
        esac
        TEXT=$TEXT$json_char
    done
    TEXT="\"$TEXT\""
}

# Usage: json_pair NAME TEXT. A pair of an object; null where the text is empty.
json_pair() {
    TEXT=null
    [ -z "$2" ] || json_text "$2"
    printf ', "%s": %s' "$1" "$TEXT"
}

# A line of the report, which is made safe for a terminal as a whole.
line() {
    printf '%s\n' "$*"
}

# Usage: tell KIND NAME PLANNED RUNNING CONFIGURED FROM REMARK WORDS. One item, compared; RUNNING - does not count.
# WORDS is the planned value as a person writes it, where that is another way.
tell() {
    told_now=true told_later=true
    if [ "$4" = - ]; then
        set -- "$1" "$2" "$3" '' "$5" "$6" "$7" "${8:-}"
    elif [ "$4" != "$3" ]; then
        told_now=false
    fi
    [ "$5" = "$3" ] || told_later=false
    [ "$told_now$told_later" = truetrue ] || DIFFERENCES=$((DIFFERENCES + 1))
    is_carrier "$1" || count_told "$4"
    if [ -n "$JSON" ]; then
        printf '%s\n    {"kind": "%s"' "$SEPARATOR" "$1"
        SEPARATOR=,
        json_pair name "$2"
        json_pair planned "$3"
        json_pair running "$4"
        json_pair configured "$5"
        json_pair from "$6"
        json_pair remark "$7"
        printf ', "pending_restart": %s, "as_planned": %s, "survives_reboot": %s}' "$WAITS" "$told_now" "$told_later"
    elif [ "$told_now$told_later" = truetrue ]; then
        line "as planned  $2: ${8:-$3}${4:+, also after a reboot}${7:+ ($7)}"
    elif [ "$1$4" = setting ] && [ "$told_later" = true ]; then
        line "not known   $2: ${8:-$3} as planned in the files; what runs cannot be compared${7:+ ($7)}"
    else
        told_words=kernel_words
        [ "$1" != setting ] || told_words=words_of
        "$told_words" "$2" "$4"
        told_running=$WORDS
        "$told_words" "$2" "$5"
        line "DIFFERS     $2: planned ${8:-$3}, running ${told_running:-not known}, configured ${WORDS:-not}${6:+ in $6}${7:+ ($7)}"
    fi
    WAITS=false
}

# Usage: count_told RUNNING. The item that is told, among all changes.
count_told() {
    COUNTED=$((COUNTED + 1))
    [ "$told_now$told_later" = truetrue ] || return 0
    STANDING=$((STANDING + 1))
    [ -z "$1" ] || LASTING=$((LASTING + 1))
}

# How many changes were found as planned, which is said of no more than was compared.
tell_count() {
    [ "$COUNTED" -gt 0 ] || return 0
    if [ "$LASTING" -eq "$COUNTED" ]; then
        line "$STANDING of $COUNTED as planned, also after a reboot"
    elif [ "$STANDING" -eq "$COUNTED" ]; then
        line "$STANDING of $COUNTED as planned; what runs could not be compared for $((COUNTED - LASTING))"
    else
        line "$STANDING of $COUNTED as planned"
    fi
}

# Does it stay? none where it was applied without --confirm-within, else pending, confirmed, or abandoned: nothing takes
# it back any more; in CONFIRMATION.
find_confirmation() {
    CONFIRMATION=none
    read_pending
    if [ "$PENDING_ID" = "$BUNDLE_ID" ]; then
        CONFIRMATION=pending
        revert_stands || CONFIRMATION=abandoned DIFFERENCES=$((DIFFERENCES + 1))
    elif [ -n "$CONFIRMED" ]; then
        CONFIRMATION=confirmed
    fi
}

tell_journal() {
    case $JOURNAL in
        none) line "This bundle was not applied here." ;;
        lost) line "The records of this bundle are lost or damaged: $LOST" ;;
        begun) line "apply.sh is running, or was cut off. If cut off, roll it back: sh $BUNDLE/rollback.sh" ;;
        restored)
            line "This bundle was applied here, and rolled back."
            [ "$DIFFERENCES" -ne 0 ] || line "All of it is in force all the same: its records are older, or somebody else did it."
            ;;
        *) ;;
    esac
    [ "$CONFIRMATION" != abandoned ] ||
        line "NOT confirmed, and NOT reverted automatically any more: $REVERT_GONE. Keep it: sh $BUNDLE/apply.sh --confirm   Undo: sh $BUNDLE/rollback.sh"
    [ "$CONFIRMATION" != pending ] ||
        line "NOT confirmed yet: it is reverted automatically, unless sh $BUNDLE/apply.sh --confirm confirms it."
}

verify_steps() {
    WAITS=false
    read_file_settings
    read_configured
    verifying=1
    while [ "$verifying" -lt "$STEPS" ]; do
        verifying=$((verifying + 1))
        load "$verifying"
        ! has "verify_$KIND" || "verify_$KIND" "$verifying"
    done
}

# The whole report, and the status.
report() {
    if [ -n "$JSON" ]; then
        printf '{"schema": 1, "bundle": "%s", "journal": "%s", "confirmation": "%s", "items": [' \
            "$BUNDLE_ID" "$JOURNAL" "$CONFIRMATION"
        verify_steps
        [ "$DIFFERENCES" -eq 0 ] && VERDICT=true || VERDICT=false
        printf '\n], "as_planned": %s}\n' "$VERDICT"
    else
        verify_steps
        tell_count
        tell_journal
    fi
    [ "$DIFFERENCES" -eq 0 ] && [ "$JOURNAL" != restored ] || exit 1
}

main() {
    leave_environment
    arguments ${1+"$@"}
    enter_bundle
    # shellcheck source=base.sh
    . "$PWD/lib/base.sh"
    find_parts "$PWD/SHA256SUMS"
    for part in $PARTS; do
        # shellcheck disable=SC1090 # the parts beside this file, verified above
        . "$PWD/lib/$part.sh"
    done
    begin "$PWD"
    check_state
    need_rights "$BUNDLE/verify.sh"
    DIFFERENCES=0 SEPARATOR='' LASTING=0
    check_host
    ! find_server || is_planned_cluster
    if [ -n "$POSTMASTER" ] && ! connect_and_read; then
        complain "The server accepts no connection: $CONNECT_ERROR"
    fi
    DIFFERENCES=$PROBLEMS
    read_journal
    [ "$JOURNAL" != lost ] || DIFFERENCES=$((DIFFERENCES + 1))
    find_confirmation
    # Whole or not at all: a truncated report is worse than none.
    REPORT=$(report) && VERIFIED=0 || VERIFIED=$?
    say "$REPORT"
    [ -z "$ASK_HEALTH" ] || verify_health
    end_heard "$VERIFIED"
}

# Written this way because one shell treats "$@" as unset when there are no arguments.
main ${1+"$@"}
