# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Are the records of an earlier run intact? Lost or damaged ones must not be taken for "was not applied here".
#
# $KEPT/SHA256SUMS  of everything that was kept, written with it
# $OWN/applied      there once the journal says that all was applied: a journal that does not any more has lost its end

LOST=''
LOST_KEPT=''

# Usage: lose WHAT. The records no longer show what was done here.
lose() {
    JOURNAL=lost LOST=$1
}

# The checksums of what is being saved.
sum_kept() {
    kept_sums=$(cd "$OWN/new" && sha256sum -- *) && printf '%s\n' "$kept_sums" >"$OWN/new/SHA256SUMS"
}

# After the journal was read: is the rest there too? What is damaged of it is listed in LOST_KEPT, by name.
look_for_losses() {
    LOST_KEPT=
    if [ -n "$LOST" ]; then
        lose "$LOST"
    elif [ "$JOURNAL" = restored ]; then
        return 0
    elif [ -e "$OWN/applied" ] && [ "$JOURNAL" != applied ]; then
        lose "$OWN/journal (its end is missing)"
    elif [ ! -f "$OWN/kept/SHA256SUMS" ]; then
        [ "$JOURNAL" = none ] || lose "$OWN/kept"
    else
        check_kept
    fi
}

check_kept() {
    kept_told=$(cd "$OWN/kept" && sha256sum -c --strict SHA256SUMS 2>/dev/null) && return 0
    LOST_KEPT=$(printf '%s\n' "$kept_told" | sed -n 's/: FAILED.*//p')
    [ -n "$LOST_KEPT" ] || lose "$OWN/kept/SHA256SUMS"
}

# Usage: is_lost NUMBER. Whether what was kept for a step is damaged or gone; the file in LOST_FILE.
is_lost() {
    lost_rest=$LOST_KEPT$NL
    while [ -n "$lost_rest" ]; do
        LOST_FILE=$KEPT/${lost_rest%%"$NL"*}
        case $lost_rest in "$1".* | "$1$NL"*) return 0 ;; *) ;; esac
        lost_rest=${lost_rest#*"$NL"}
    done
    return 1
}

# Without records of a step: does the machine stand as planned all the same? The first such step in NAME.
stands_unrecorded() {
    unrecorded=1
    while [ "$unrecorded" -lt "$STEPS" ]; do
        unrecorded=$((unrecorded + 1))
        load "$unrecorded"
        if ! is_item "$KIND" || was_intended "$unrecorded" || stood_before "$unrecorded"; then
            continue
        fi
        stand "$unrecorded"
        [ "$STANDS" != after ] || return 0
    done
    return 1
}

# Whatever the journal has: a step that stands as planned, and did not before, in NAME; or a planned value that the server
# runs with, in NAME. An older copy of the records, or one that lost lines, is known by that. What a run that was cut off
# had not come to is someone else's: left and told.
is_in_force() {
    in_force=1 in_force_last=$STEPS
    COUNTED=0 STANDING=0 MISSED='' ANSWERED=''
    if [ "$JOURNAL" = begun ]; then
        in_force_last=0
        for in_force_one in $INTENDED; do
            # Some kinds add words of their own.
            case $in_force_one in *[!0-9]*) continue ;; *) ;; esac
            ! is_number "$in_force_one" || [ "$in_force_one" -le "$in_force_last" ] || in_force_last=$in_force_one
        done
    fi
    while [ "$in_force" -lt "$STEPS" ]; do
        in_force=$((in_force + 1))
        load "$in_force"
        if ! is_item "$KIND" || stood_before "$in_force"; then
            continue
        fi
        # Patroni's looks at the steps after it.
        load "$in_force"
        stand "$in_force"
        count_restored
        [ "$STANDS" = after ] || continue
        [ "$in_force" -gt "$in_force_last" ] || return 0
        leave_alone "$NAME"
    done
    [ -n "$DATA" ] && [ -n "$POSTMASTER" ] && connect_and_read || return 1
    ANSWERED=1
    compare_settings
    NAME=$OURS_RUNNING
    [ -n "$NAME" ]
}

# Usage: stood_before NUMBER. Whether the loaded step had nothing to do: a drop-in that held all of it, a kernel that
# runs with it.
stood_before() {
    if has "stood_before_$KIND"; then
        "stood_before_$KIND" "$1"
    else
        same_content "$KEPT/$1.before" "$KEPT/$1.after"
    fi
}

# For apply.sh: a run based on damaged records would lose the previous state for good.
refuse_lost_records() {
    [ -z "$LOST_KEPT" ] || lose "$OWN/kept"
    [ "$JOURNAL" != lost ] || die 4 "Refused, nothing was changed: the records of an earlier run are lost or damaged: $LOST"
}
