# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Lines for a systemd unit, in a drop-in of ours.
#
# What the drop-in is to give is told beside it:  unit|NAME|PROPERTY|VALUE.

# Does the server run under this unit, and does no later drop-in set the same? The latter in RIVAL.
rival_unit() {
    if [ -n "$POSTMASTER" ]; then
        find_unit
        [ "$UNIT" = "$F1" ] || problem "$F1: the server is run by ${UNIT:-no unit}"
    fi
    [ "$F2" != Environment ] || return 1
    RIVAL=
    for rival in "$ROOT/etc/systemd/system/$F1.d"/*.conf; do
        rival_first=$(printf '%s\n%s\n' "${rival##*/}" 90-tunewiz.conf | sort | head -n 1)
        [ "$rival_first" = 90-tunewiz.conf ] && [ "${rival##*/}" != 90-tunewiz.conf ] || continue
        ! grep -e "^[[:space:]]*${F2}[[:space:]]*=" "$rival" >/dev/null 2>&1 || RIVAL=${rival#"$ROOT"}
    done
    [ -n "$RIVAL" ]
}

# What systemd would give the next start, in GIVEN: the planned value where it is among several.
unit_configured() {
    unit_property "$F1" "$F2"
    [ "$F2" != Environment ] || case " $GIVEN " in
        *" $F3 "*) GIVEN=$F3 ;;
        *) ;;
    esac
}

# What the running server has, in VALUE; - where that cannot be told of a process.
unit_running() {
    VALUE=-
    [ -n "$POSTMASTER" ] || return 0
    case $F2 in
        OOMScoreAdjust) VALUE=$(cat "/proc/$POSTMASTER/oom_score_adj" 2>/dev/null) ;;
        Environment)
            VALUE=
            ! tr '\0' '\n' <"/proc/$POSTMASTER/environ" 2>/dev/null | grep -Fx -e "$F3" >/dev/null || VALUE=$F3
            ;;
        *) ;;
    esac
}

verify_unit() {
    unit_configured
    unit_running
    remark=
    [ "$VALUE" = - ] || [ "$VALUE" = "$F3" ] || remark='waits for a restart of the server' WAITS=true
    tell unit "$F1 $F2" "$F3" "$VALUE" "$GIVEN" "/etc/systemd/system/$F1.d/90-tunewiz.conf" "$remark"
}

live_unit() {
    unit_configured
    [ "$GIVEN" = "$F3" ] || problem "$F1: planned $F2=$F3, systemd has ${GIVEN:-nothing}"
}

# After a start: the first process has what the unit sets.
runs_unit() {
    unit_running
    [ "$VALUE" = - ] || [ "$VALUE" = "$F3" ] || [ -n "$NO_RESTART" ] && return 0
    complain "  $F1: planned $F2=$F3, the server runs with ${VALUE:-another}"
    return 1
}

# Whether the running server still has what its unit gave before, joined to WAITING.
waits_unit() {
    [ "$F2" = OOMScoreAdjust ] && can_systemctl || return 0
    unit_running
    unit_property "$F1" "$F2"
    [ -n "$VALUE" ] && [ "$VALUE" != - ] && [ "$VALUE" != "$GIVEN" ] || return 0
    join "$WAITING" "$F1"
    WAITING=$JOINED
}

bound_unit() {
    unit_running
    [ "$VALUE" != "$F3" ] || WAITING=$F1
}

plan_unit() {
    KERNEL_STEPS=$((KERNEL_STEPS + 1))
    RESTART_PLANNED=1
}

keys_unit() {
    KEYS="${KEYS}unit:$1:$2 "
}

gives_unit() {
    [ "$1:$2" = "systemd:$F2" ]
}
