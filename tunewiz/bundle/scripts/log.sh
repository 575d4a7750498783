# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Where the server's messages go, now and after a restart.

# Where the server's log is, while it still runs: the collector's file, else where its errors go.
find_log() {
    if sees -f "$ROOT$DATA/current_logfiles"; then
        LOG=$(read_data current_logfiles | sed -e 's/^[a-z]* //' -e q)
        case $LOG in '' | /*) ;; *) LOG=$ROOT$DATA/$LOG ;; esac
    else
        LOG=$(readlink "/proc/$POSTMASTER/fd/2" 2>/dev/null)
        case $LOG in
            pipe:* | *' (deleted)') LOG=/proc/$POSTMASTER/fd/2 ;;
            *) sees -f "$LOG" || LOG= ;;
        esac
    fi
}

# The restarted server's errors must go to the same place.
check_log() {
    log_out=$(readlink "/proc/$POSTMASTER/fd/1") log_err=$(readlink "/proc/$POSTMASTER/fd/2")
    case $log_err in
        socket:*) problem "a restart would lose the server's standard error, which goes to a socket" ;;
        /dev/null) ;;
        /dev/*) check_log_opens "$log_err" ;;
        *) [ -z "$LOG" ] || check_log_opens "$LOG" ;;
    esac
    case $log_out in
        "$log_err" | /dev/null) ;;
        *) problem "a restart would send the server's standard output ($log_out) where its standard error goes ($log_err)" ;;
    esac
}

# Usage: check_log_opens PATH. A pipe that nobody reads any more, and a terminal that is gone, need nothing.
check_log_opens() {
    sees -e "$1" || return 0
    LOG=$1
    # shellcheck disable=SC2016 # the inner shell's own argument
    as_owner timeout 5 sh -c 'true >>"$1"' sh "$1" 2>/dev/null
    case $? in
        0) [ -z "$STOP_PLANNED" ] || sees -f "$1" || problem "the log is moved while the server is down, which would end the pipe that reads its messages" ;;
        124) LOG= ;;
        *) problem "a restart would lose the server's standard error: $OWNER cannot open $log_err" ;;
    esac
}

show_log() {
    if [ -n "$LOG" ] && sees -f "$LOG"; then
        as_user 60 "$OWNER_UID" tail -n 20 "$LOG" | while IFS= read -r log_line; do complain "    $log_line"; done
    elif [ -n "$UNIT" ] && command -v journalctl >/dev/null; then
        journalctl -q --no-pager -n 20 -u "$UNIT" 2>/dev/null | while IFS= read -r log_line; do complain "    $log_line"; done
    else
        complain "    (its log was not found)"
    fi
}
