# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# A vacuum at a set time: a timer that is switched on, or a file for cron.
#
# A step is  timer|NAME,  beside the unit that it starts; or  file|cron|PATH.

WITH_SERVER="$WITH_SERVER timer" CARRIERS="$CARRIERS cron"

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

file_plan_cron() {
    KERNEL_STEPS=$((KERNEL_STEPS + 1))
}

file_check_cron() {
    [ -d "$ROOT${F2%/*}" ] || problem "$F2: ${F2%/*} is not there"
}

# cron reads its files by itself: what is in them is what runs.
file_verify_cron() {
    GIVEN='another content'
    [ -f "$ROOT$F2" ] || GIVEN=
    { same_content "$ROOT$F2" "$KEPT/$1.after" || same_content "$ROOT$F2" "$BUNDLE/files$F2"; } && GIVEN=listed
    tell cron "$F2" listed - "$GIVEN" "$F2" ''
}
