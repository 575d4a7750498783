# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# A service that runs all the time.
#
# A step is  service|NAME|PROGRAM|SAMPLES,  next to the unit file of that name; the samples are kept.

WITH_SERVER="$WITH_SERVER service"
SERVICE_SYSTEMD=235

name_service() {
    NAME=$F1
}

keep_service() {
    :
}

# Only root may be able to change the program: anybody else who could would gain the server user's rights.
check_service() {
    if [ -L "$ROOT$F2" ] || [ ! -f "$ROOT$F2" ] || [ ! -x "$ROOT$F2" ]; then
        problem "$F2: no such program (was tunewiz moved or removed? read the facts again)"
        return 0
    fi
    check_ours "$F2"
    if [ "$(stat -c %u "$ROOT$F2")" != "$ME" ] || is_open "$(stat -c %A "$ROOT$F2")"; then
        problem "$F2: users other than root can change it"
    fi
    can_systemctl || return 0
    service_version=$(systemctl --version 2>/dev/null | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
    [ "${service_version:-0}" -ge "$SERVICE_SYSTEMD" ] ||
        problem "$F1: found systemd ${service_version:-of unknown version}, expected $SERVICE_SYSTEMD or newer (StateDirectory)"
}

state_service() {
    STANDS=before
    BEFORE='not there'
    unit_property "$F1" UnitFileState
    service_enabled=$GIVEN
    unit_property "$F1" ActiveState
    FOUND="$service_enabled, $GIVEN"
    case $service_enabled:$GIVEN in
        enabled:active) STANDS=after ;;
        enabled:* | *:active | *:activating | *:failed) STANDS=between ;;
        *) ;;
    esac
}

do_service() {
    doing "start $F1" || return 0
    systemctl --quiet enable --now "$F1" && sync "$ROOT/etc/systemd/system/multi-user.target.wants" &&
        state_service "$1" && [ "$STANDS" = after ]
}

undo_service() {
    doing "stop $F1" || return 0
    systemctl --quiet disable --now "$F1" && sync "$ROOT/etc/systemd/system" || return 1
    # systemd remembers a failed unit as failed, even once its file is gone.
    systemctl reset-failed "$F1" 2>/dev/null || true
    [ ! -d "$ROOT$F3" ] || say "  left $F3: the samples"
    state_service "$1" && [ "$STANDS" = before ]
}

verify_service() {
    state_service "$1"
    GIVEN=$service_enabled
    unit_property "$F1" ActiveState
    running=$GIVEN
    tell service "$F1" "enabled, active" "${service_enabled:-?}, ${running:-?}" "${service_enabled:-?}, active" \
        "/etc/systemd/system/$F1" ''
}
