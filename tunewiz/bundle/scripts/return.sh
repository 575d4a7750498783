# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Back to the state after an earlier bundle: those that were applied after it are rolled back, the newest first, each by
# its own rollback.sh and its own records.
#
# $STATE/ID/revert       a bundle's scripts, where it was applied with --confirm-within
# $STATE/ID/kept/bundle  where it lay when it was applied: else they are there

# Usage: is_id TEXT. Whether records can have that name.
is_id() {
    case $1 in *[!0-9a-f]*) return 1 ;; ????????????????) ;; *) return 1 ;; esac
}

# Usage: know_generation ID. How a bundle's records say that it stands, in STOOD as in JOURNAL, and what of them is lost,
# in STOOD_LOST; its number in ORDER, empty where that cannot be read.
know_generation() {
    stood_told=$(
        OWN=$STATE/$1
        KEPT=$OWN/kept
        read_journal
        printf '%s %s' "$JOURNAL" "$LOST"
    )
    STOOD=${stood_told%% *} STOOD_LOST=${stood_told#* }
    ORDER=$(cat "$STATE/$1/kept/order" 2>/dev/null)
    is_number "$ORDER" && return 0
    ORDER=
    is_out_of_force || [ "$STOOD" = lost ] || STOOD=lost STOOD_LOST=$STATE/$1/kept/order
}

# Whether the bundle that know_generation looked at has nothing in place here.
is_out_of_force() {
    [ "$STOOD" = none ] || [ "$STOOD" = restored ]
}

# The bundle to whose state this returns; its number in TO_ORDER. Refuses one that is not in force.
know_target() {
    is_id "$TO" || die 2 "--to: expected the id of a bundle, 16 digits and letters from a to f (tunewiz history lists them), found $TO"
    know_generation "$TO"
    TO_ORDER=$ORDER
    case $STOOD in
        none) die 4 "Refused, nothing was changed: bundle $TO was not applied here (no records in $STATE/$TO)." ;;
        restored) die 4 "Refused, nothing was changed: bundle $TO was rolled back; apply it again, or return to one that is in force." ;;
        lost) die 4 "Refused, nothing was changed: the records of bundle $TO are lost or damaged: $STOOD_LOST" ;;
        *) ;;
    esac
}

# The bundles in force that were applied after that one, in AFTER: ids, the newest first. Those before it that were rolled
# back are in GONE_BEFORE. Records that do not tell are problems.
find_after() {
    AFTER='' GONE_BEFORE=''
    for after_own in "$STATE"/*; do
        after_id=${after_own##*/}
        { is_id "$after_id" && [ "$after_id" != "$TO" ]; } || continue
        know_generation "$after_id"
        sort_in "$after_id"
    done
    AFTER=$(printf '%s' "$AFTER" | sort -rn | cut -d ' ' -f 2-)
}

# Usage: sort_in ID. The bundle that know_generation looked at.
sort_in() {
    if [ -n "$ORDER" ] && [ "$ORDER" -lt "$TO_ORDER" ]; then
        [ "$STOOD" != restored ] || GONE_BEFORE="$GONE_BEFORE $1"
    elif [ "$STOOD" = lost ]; then
        problem "bundle $1: its records are lost or damaged: $STOOD_LOST"
    elif ! is_out_of_force; then
        AFTER="$AFTER$ORDER $1$NL"
    fi
}

# Usage: is_bundle_of ID DIRECTORY. Whether that bundle is there, whole, and nobody else could change it; else why not.
is_bundle_of() {
    [ -d "$2" ] || { printf '%s: is not there\n' "$2" && return 1; }
    (cd -P -- "$2" && check_place "$PWD" && whole "$PWD") || return 1
    [ -f "$2/rollback.sh" ] && [ "$(sha256sum <"$2/SHA256SUMS" | cut -c 1-16)" = "$1" ] && return 0
    printf '%s: is another bundle\n' "$2"
    return 1
}

# Usage: find_scripts ID. Where a bundle's scripts can be run from, in SCRIPTS_AT; else why not, in SCRIPTS_WHY.
find_scripts() {
    SCRIPTS_WHY=
    scripts_lay=$(cat "$STATE/$1/kept/bundle" 2>/dev/null)
    [ "$1" != "$BUNDLE_ID" ] || scripts_lay=$BUNDLE
    # One shell forgets what a loop counted with.
    for scripts_one in "$STATE/$1/revert" "${scripts_lay:-/nowhere}"; do
        SCRIPTS_AT=$scripts_one
        scripts_told=$(is_bundle_of "$1" "$SCRIPTS_AT" 2>&1) && return 0
        SCRIPTS_WHY=$scripts_told
    done
    return 1
}

# Before anything is changed: every one of them can be rolled back from here.
check_scripts() {
    for return_id in $AFTER; do
        find_scripts "$return_id" || problem "bundle $return_id: its scripts cannot be run: $SCRIPTS_WHY"
    done
    [ "$PROBLEMS" -eq 0 ] ||
        die 4 "Refused, nothing was changed: mend that first (above), put a bundle back where it was, or roll it back by hand."
}

# The order, for a dry run.
tell_order() {
    for return_id in $AFTER; do
        find_scripts "$return_id" || continue
        doing "roll back bundle $return_id: sh $SCRIPTS_AT/rollback.sh" || true
    done
    say "Nothing was changed: this was a dry run."
    end_heard 0
}

# Usage: stop_return STATUS ID WHY. Some are rolled back, some are not: which, and how to go on.
stop_return() {
    complain "Stopped at bundle $2: $3"
    complain "Rolled back:${RETURNED:- none}"
    complain "Still in force, to be rolled back in this order:$RETURN_LEFT"
    complain "When that is mended: sh $BUNDLE/rollback.sh --to $TO"
    exit "$1"
}

# Usage: return_one ID. Checked again right before it is run.
return_one() {
    [ -z "$STOP" ] || stop_return 5 "$1" "asked to stop"
    find_scripts "$1" || stop_return 4 "$1" "$SCRIPTS_WHY"
    say "Bundle $1: sh $SCRIPTS_AT/rollback.sh"
    return_status=0
    /bin/sh "$SCRIPTS_AT/rollback.sh" ${NO_RESTART:+--no-restart} ${WAIT:+--wait} </dev/null || return_status=$?
    case $return_status in
        0 | 3) ;;
        *) stop_return "$return_status" "$1" "its rollback ended with status $return_status (above)" ;;
    esac
    know_generation "$1"
    is_out_of_force || stop_return 4 "$1" "it is not rolled back as a whole yet (above)"
    RETURNED="$RETURNED $1" RETURN_LEFT=${RETURN_LEFT#" $1"}
}

# Somebody may have applied another one meanwhile.
end_return() {
    find_after
    { [ -z "$AFTER" ] && [ "$PROBLEMS" -eq 0 ]; } ||
        die 4 "Rolled back:$RETURNED. Not as after bundle $TO: another one was applied meanwhile:" "$AFTER"
    [ -z "$GONE_BEFORE" ] ||
        say "Applied before bundle $TO and rolled back, so not in force whatever was then:$GONE_BEFORE"
    say "As after bundle $TO. Rolled back:$RETURNED"
}

# All of --to. What is at work is finished; a signal stops before the next one.
return_to() {
    know_target
    find_after
    if [ -z "$AFTER" ] && [ "$PROBLEMS" -eq 0 ]; then
        die 3 "Nothing to roll back: nothing that was applied after bundle $TO is in force."
    fi
    check_scripts
    [ -z "$DRY" ] || tell_order
    STOP='' RETURNED='' RETURN_LEFT=''
    for return_id in $AFTER; do
        RETURN_LEFT="$RETURN_LEFT $return_id"
    done
    trap 'STOP=1' HUP INT QUIT TERM
    trap '' PIPE
    for return_id in $AFTER; do
        return_one "$return_id"
    done
    end_return
    exit 0
}
