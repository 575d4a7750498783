# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Files that systemd reads, of whatever kind they are: a unit, or a drop-in beside one. It counts them once it has read
# them.
#
# A step is  file|systemd|PATH.

WITH_SERVER="$WITH_SERVER file:systemd"

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
    complain "  systemd did not reload its units"
    return 1
}

# For a file that is in place or gone: has systemd loaded that too?
unit_loaded() {
    unit_named "$F2"
    unit_property "$UNIT_NAME" NeedDaemonReload
    [ "$GIVEN" = yes ] || return 0
    STANDS=between
}

file_check_systemd() {
    if ! can_systemctl; then
        problem "$F2: systemd does not run this machine"
        return 0
    fi
    unit_named "$F2"
    unit_property "$UNIT_NAME" LoadState
    case $F2:$GIVEN in
        *.d/*:loaded | *:not-found) ;;
        *.d/*) problem "$UNIT_NAME: systemd says it is ${GIVEN:-unknown} (a drop-in would have no effect)" ;;
        *:masked) problem "$UNIT_NAME: is masked, so it would never start" ;;
        *) ;;
    esac
    case $F2:$GIVEN in
        *.d/*:not-found) problem "$UNIT_NAME: systemd does not know this unit" ;;
        *) ;;
    esac
    unit_property "$UNIT_NAME" NeedDaemonReload
    [ "$GIVEN" != yes ] || [ "$JOURNAL" = begun ] ||
        problem "$UNIT_NAME: systemd has not loaded what others changed there (run systemctl daemon-reload first)"
}

file_key_systemd() {
    KEY=${1%%=*}
}
