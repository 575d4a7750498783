# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Drop-ins for units of systemd's, and timers of our own. systemd counts them once it has read them.
#
# A drop-in or a unit of ours is a step  file|systemd|PATH; what it is to give is told beside it:
# unit|NAME|PROPERTY|VALUE.  A timer that is switched on is a step  timer|NAME.

# Usage: unit_named PATH. The unit that a file under /etc/systemd/system is for, in UNIT_NAME.
unit_named() {
    UNIT_NAME=${1#/etc/systemd/system/}
    case $UNIT_NAME in
        */*) UNIT_NAME=${UNIT_NAME%%.d/*} ;;
        *) ;;
    esac
}

# On a pretend root its own systemctl only: that of this machine would act on this machine.
can_systemctl() {
    [ -d "$ROOT/run/systemd/system" ] || return 1
    case $(command -v systemctl) in
        "$ROOT"/*) return 0 ;;
        *) return 1 ;;
    esac
}

# Usage: unit_property UNIT PROPERTY. As systemd has it loaded, in GIVEN; empty where it does not run this machine.
unit_property() {
    GIVEN=
    can_systemctl || return 0
    GIVEN=$(systemctl show -p "$2" -- "$1" 2>/dev/null) || GIVEN=
    GIVEN=${GIVEN#"$2="}
}

read_units() {
    systemctl daemon-reload && return 0
    complain "  systemd did not read its units again"
    return 1
}

# Of a file that is in place or gone: has systemd read that too?
unit_loaded() {
    unit_named "$F2"
    unit_property "$UNIT_NAME" NeedDaemonReload
    [ "$GIVEN" = yes ] || return 0
    STANDS=between
}

check_unit_file() {
    if ! can_systemctl; then
        problem "$F2: systemd does not run this machine"
        return 0
    fi
    unit_named "$F2"
    unit_property "$UNIT_NAME" LoadState
    case $F2:$GIVEN in
        *.d/*:loaded | *:not-found) ;;
        *.d/*) problem "$UNIT_NAME: systemd says it is ${GIVEN:-unknown} (a drop-in would do nothing)" ;;
        *:masked) problem "$UNIT_NAME: is masked, so it would never start" ;;
        *) ;;
    esac
    case $F2:$GIVEN in
        *.d/*:not-found) problem "$UNIT_NAME: systemd knows no such unit" ;;
        *) ;;
    esac
    unit_property "$UNIT_NAME" NeedDaemonReload
    [ "$GIVEN" != yes ] || [ "$JOURNAL" = begun ] ||
        problem "$UNIT_NAME: systemd has not read what others changed there (systemctl daemon-reload first)"
}

# Does the server run under this unit, and does no later drop-in set the same? The latter in RIVAL.
unit_rival() {
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

# Usage: each_unit FUNCTION. Calls it for each planned property of a unit, loaded; stops where it fails.
each_unit() {
    each=1
    while [ "$each" -lt "$STEPS" ]; do
        each=$((each + 1))
        load "$each"
        [ "$KIND" = unit ] || continue
        "$1" || return 1
    done
}

# After a start: the first process has what the unit gives.
unit_runs_as_planned() {
    unit_running
    [ "$VALUE" = - ] || [ "$VALUE" = "$F3" ] || [ -n "$NO_RESTART" ] && return 0
    complain "  $F1: planned $F2=$F3, the server runs with ${VALUE:-another}"
    return 1
}

# Whether the running server still has what its unit gave before, joined to WAITING.
note_waiting_unit() {
    [ "$F2" = OOMScoreAdjust ] && can_systemctl || return 0
    unit_running
    unit_property "$F1" "$F2"
    [ -n "$VALUE" ] && [ "$VALUE" != - ] && [ "$VALUE" != "$GIVEN" ] || return 0
    join "$WAITING" "$F1"
    WAITING=$JOINED
}

name_timer() {
    NAME=$F1
}

keep_timer() {
    :
}

check_timer() {
    :
}

state_timer() {
    STANDS=before
    BEFORE='not there'
    unit_property "$F1" UnitFileState
    timer_enabled=$GIVEN
    unit_property "$F1" ActiveState
    FOUND="$timer_enabled, $GIVEN"
    case $timer_enabled:$GIVEN in
        enabled:active) STANDS=after ;;
        enabled:* | *:active) STANDS=between ;;
        *) ;;
    esac
}

do_timer() {
    doing "switch on $F1" || return 0
    systemctl --quiet enable --now "$F1" && sync "$ROOT/etc/systemd/system/timers.target.wants" && state_timer "$1" &&
        [ "$STANDS" = after ]
}

undo_timer() {
    doing "switch off $F1" || return 0
    systemctl --quiet disable --now "$F1" && sync "$ROOT/etc/systemd/system" && state_timer "$1" && [ "$STANDS" = before ]
}

verify_timer() {
    state_timer "$1"
    GIVEN=$timer_enabled
    unit_property "$F1" ActiveState
    running=$GIVEN
    tell timer "$F1" "enabled, active" "${timer_enabled:-?}, ${running:-?}" "${timer_enabled:-?}, active" \
        "/etc/systemd/system/$F1" ''
}

# A file for cron is read by itself: what stands in it is what runs.
verify_cron() {
    GIVEN='another content'
    [ -f "$ROOT$F2" ] || GIVEN=
    { same_content "$ROOT$F2" "$KEPT/$1.after" || same_content "$ROOT$F2" "$BUNDLE/files$F2"; } && GIVEN=listed
    tell cron "$F2" listed - "$GIVEN" "$F2" ''
}
