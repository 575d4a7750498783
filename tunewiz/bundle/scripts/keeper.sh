# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# What manages the server's first process and would start it again: a supervisor is asked, else the restart is refused.
#
# $OWN/keeper  we may start it: by the supervisor's program, with the place of its service, where there is one

KEEPER='' KEEPER_AT='' WHY_KEPT=''

# Usage: parent_of NUMBER. The number of its parent in PARENT, and what that is called in PARENT_NAME.
parent_of() {
    parent_stat=$(cat "/proc/$1/stat" 2>/dev/null)
    parent_stat=${parent_stat##*') '}
    PARENT=${parent_stat#* }
    PARENT=${PARENT%% *}
    PARENT_NAME=$(cat "/proc/$PARENT/comm" 2>/dev/null)
}

# Whether pg_ctl started it, and ended: whoever is its parent now has only adopted it.
is_adopted() {
    tr '\000' '\012' 2>/dev/null <"/proc/$POSTMASTER/environ" | grep -e '^PG_GRANDPARENT_PID=' >/dev/null
}

# The supervisor that can be asked, in KEEPER, and where its service is, in KEEPER_AT; or why the server must not be
# restarted by us, in WHY_KEPT.
find_keeper() {
    KEEPER='' KEEPER_AT='' WHY_KEPT=''
    [ -z "$UNIT" ] || return 0
    if [ "$POSTMASTER" = 1 ]; then
        WHY_KEPT='it is the first process here: the container would end with it'
        return 0
    fi
    service_of_server
    parent_of "$POSTMASTER"
    find_watcher_of_data
    [ -z "$WHY_KEPT" ] || return 0
    ! is_adopted || return 0
    case $PARENT:$PARENT_NAME in
        *:runsv) known_keeper sv ;;
        *:s6-supervise) known_keeper s6-svc ;;
        *:supervise) known_keeper svc ;;
        *:supervisord) known_keeper supervisorctl ;;
        1:systemd) ;;
        *) WHY_KEPT="process $PARENT ($PARENT_NAME) started it, and may start it again" ;;
    esac
}

# Usage: known_keeper PROGRAM. It is asked only if it runs as root and its program is installed.
known_keeper() {
    WHY_KEPT="$PARENT_NAME (process $PARENT) would start it again"
    if [ "$(stat -c %u "/proc/$PARENT")" != 0 ]; then
        WHY_KEPT="$WHY_KEPT, and does not belong to root"
    elif ! command -v "$1" >/dev/null; then
        WHY_KEPT="$WHY_KEPT, and its $1 was not found"
    else
        KEEPER=$1
        KEEPER_AT=$(readlink "/proc/$PARENT/cwd")
        [ "$1" != supervisorctl ] || supervised_name
        [ -z "$KEEPER" ] || WHY_KEPT=
    fi
}

# What supervisord calls the process, in KEEPER_AT.
supervised_name() {
    KEEPER_AT=$(supervisorctl status 2>/dev/null | tr -s ' ' | grep -e " pid $POSTMASTER," | cut -d ' ' -f 1)
    [ -z "$KEEPER_AT" ] || return 0
    KEEPER=
    WHY_KEPT="$WHY_KEPT, and supervisorctl does not name it"
}

# A systemd service whose main process is another one manages it: patroni.service, say.
service_of_server() {
    while IFS= read -r service_line; do
        service_name=${service_line##*/}
        case $service_name in *.service) ;; *) continue ;; esac
        service_main=$(systemctl show -p MainPID -- "$service_name" 2>/dev/null)
        service_main=${service_main#MainPID=}
        case $service_main in
            '' | 0 | *[!0-9]*) ;;
            *) WHY_KEPT="$service_name, whose first process is $service_main, manages it" ;;
        esac
    done 2>/dev/null <"/proc/$POSTMASTER/cgroup"
}

# Programs that look after a server without being its parent: by what they keep beside its data.
find_watcher_of_data() {
    while IFS=' ' read -r watching_name watching_file; do
        [ -e "$ROOT$watching_file" ] || continue
        ! grep -lx -e "$watching_name" /proc/[0-9]*/comm >/dev/null 2>&1 || WHY_KEPT="$watching_name manages it ($watching_file)"
    done <<END
patroni $DATA/patroni.dynamic.json
stolon-keeper ${DATA%/*}/keeperstate
END
    grep -lx -e monit /proc/[0-9]*/comm >/dev/null 2>&1 || return 0
    for watching_file in "$ROOT/etc/monitrc" "$ROOT/etc/monit/monitrc" "$ROOT/etc/monit.d"/* "$ROOT/etc/monit/conf.d"/* \
        "$ROOT/etc/monit/conf-enabled"/*; do
        ! grep -F -e "$DATA/" "$watching_file" >/dev/null 2>&1 || WHY_KEPT="monit manages it (${watching_file#"$ROOT"})"
    done
}

# Nothing is written down where we must not start it.
remember_keeper() {
    rm -f "$OWN/keeper"
    [ -z "$WHY_KEPT" ] || return 0
    printf '%s\n' "${KEEPER:+$KEEPER $KEEPER_AT}" >"$OWN/keeper" && sync "$OWN/keeper"
}

recall_keeper() {
    KEEPER='' KEEPER_AT='' WHY_KEPT=''
    keeper_line=$(cat "$OWN/keeper" 2>/dev/null)
    [ -n "$keeper_line" ] || return 0
    KEEPER=${keeper_line%% *} KEEPER_AT=${keeper_line#* }
}

# Usage: ask_keeper interrupt|start. The supervisor sends the signal of a fast shutdown, or starts the service.
ask_keeper() {
    case $KEEPER:$1 in
        sv:interrupt) sv interrupt "$KEEPER_AT" ;;
        sv:start) sv up "$KEEPER_AT" ;;
        supervisorctl:interrupt) supervisorctl signal INT "$KEEPER_AT" ;;
        supervisorctl:start) supervisorctl start "$KEEPER_AT" ;;
        *:interrupt) "$KEEPER" -i "$KEEPER_AT" ;;
        *) "$KEEPER" -u "$KEEPER_AT" ;;
    esac
}

# Ends the server and has its supervisor start it; starts it where it is down.
restart_by_keeper() {
    if [ -n "$POSTMASTER" ]; then
        ask_keeper interrupt || return 1
        kept_tries=$SECONDS_TO_START
        while process_start "$POSTMASTER" && [ "$kept_tries" -gt 0 ]; do
            kept_tries=$((kept_tries - 1))
            sleep 1
        done
    fi
    # Most have already started it by themselves.
    ask_keeper start || true
}
