# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Which bundles were applied here after this one and change the same? They hold its values as theirs from before.
#
# $KEPT/order      a number: later bundles have greater ones
# $KEPT/steps.txt  what the bundle does, for the bundles that come after it
# $KEPT/bundle     where it lay when it was applied

keep_order() {
    order_last=0
    for order_file in "$STATE"/*/kept/order; do
        { read_line "$order_file" && is_number "$LINE"; } || continue
        [ "$LINE" -le "$order_last" ] || order_last=$LINE
    done
    printf '%s\n' "$((order_last + 1))" >"$OWN/new/order" && printf '%s' "$PLAN" >"$OWN/new/steps.txt" &&
        printf '%s\n' "$BUNDLE" >"$OWN/new/bundle"
}

# Usage: keys_of STEPS. What a bundle changes, as KEYS: one word for each thing, between blanks.
keys_of() {
    KEYS=' '
    while IFS='|' read -r key_kind key_one key_two key_three key_four key_rest; do
        if has "keys_$key_kind"; then
            "keys_$key_kind" "$key_one" "$key_two" "$key_three" "$key_four"
        elif is_item "$key_kind"; then
            KEYS="$KEYS$key_kind:$key_one "
        fi
    done <"$1"
}

# Usage: shares_with STEPS. Whether that bundle changes something that this one changes too; after keys_of.
shares_with() {
    shares_ours=$KEYS
    keys_of "$1"
    shares_theirs=$KEYS
    KEYS=$shares_ours
    for shares_key in $KEYS; do
        case $shares_theirs in *" $shares_key "*) return 0 ;; *) ;; esac
    done
    return 1
}

# Usage: is_in_place DIRECTORY. Whether a bundle's records, in a directory of the state's, say that it is not taken back.
is_in_place() {
    place_word=$(grep -x -e begin -e applied -e restored "$1/journal" 2>/dev/null | tail -n 1)
    case $place_word in begin | applied) return 0 ;; *) return 1 ;; esac
}

# Whether another bundle that changes the same is in place here.
is_shared() {
    keys_of "$BUNDLE/steps.txt"
    for shared_own in "$STATE"/*; do
        case ${shared_own##*/} in "$BUNDLE_ID" | *.*) continue ;; *) ;; esac
        [ -f "$shared_own/kept/steps.txt" ] || continue
        ! is_in_place "$shared_own" || ! shares_with "$shared_own/kept/steps.txt" || return 0
    done
    return 1
}

# The bundles that must be taken back first, in LATER: last applied first, a line each.
find_later() {
    LATER=
    { read_line "$KEPT/order" && is_number "$LINE"; } || return 0
    order_own=$LINE
    keys_of "$BUNDLE/steps.txt"
    for later_own in "$STATE"/*; do
        # What was laid aside has a dot in its name.
        case ${later_own##*/} in "$BUNDLE_ID" | *.*) continue ;; *) ;; esac
        { read_line "$later_own/kept/order" && is_number "$LINE"; } || continue
        later_order=$LINE
        if [ "$later_order" -gt "$order_own" ] && is_in_place "$later_own" && shares_with "$later_own/kept/steps.txt"; then
            LATER="$LATER$later_order sh $(cat "$later_own/kept/bundle")/rollback.sh$NL"
        fi
    done
    LATER=$(printf '%s' "$LATER" | sort -rn | cut -d ' ' -f 2-)
}

# Refuses with status 4 where a later bundle rests on this one.
refuse_out_of_order() {
    find_later
    [ -n "$LATER" ] || return 0
    complain "Refused, nothing was changed: bundles that were applied later change the same things, and would restore this one's values."
    complain "Roll them back first, in this order:"
    die 4 "$LATER$NL""sh $BUNDLE/rollback.sh"
}
