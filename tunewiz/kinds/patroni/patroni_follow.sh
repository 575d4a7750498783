# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Until the members of Patroni's cluster have what was written: waited for, and restarted in an order in which none stops
# because a standby allows less than its primary.

# Time for all members to read it: they check every loop_wait, 10 s by default.
SECONDS_TO_FOLLOW=120
SECONDS_TO_RESTART=900
# Settings that must not be lower on a standby than on its primary (PostgreSQL's manual, Hot Standby, Administrator's Overview).
WATCHED=' max_connections max_locks_per_transaction max_prepared_transactions max_wal_senders max_worker_processes '

# Usage: goal_of planned|former NUMBER. The value that the loaded setting should have on MEMBER, in GOAL, and as a person
# writes it in GOAL_TEXT; fails for a member that was not there before.
goal_of() {
    GOAL=$F3 GOAL_TEXT=$F5
    [ "$1" = former ] || return 0
    rest_of "$(cat "$KEPT/$2.members" 2>/dev/null)" "$MEMBER|$F1|" || return 1
    GOAL=${REST%%'|'*} GOAL_TEXT=${REST#*'|'}
}

# Usage: is_followed planned|former NUMBER. Whether all values are in force on every member; others are in LACKING.
is_followed() {
    LACKING='' WAITING_FOR_RESTART=''
    read_members && each_member member_follows "$1" "$2" && [ -z "$LACKING$WAITING_FOR_RESTART" ]
}

member_follows() {
    ask_member "$MEMBER" || {
        LACKING=$PATRONI_ERROR
        return 0
    }
    each_dynamic setting_follows "$1" "$2"
}

setting_follows() {
    goal_of "$1" "$2" && shown_of "$F1" || return 0
    [ "$SHOWN_VALUE" != "$GOAL" ] || return 0
    if [ "$F4" = restart ] && is_listed_pending; then
        WAITING_FOR_RESTART=1
    else
        join "$LACKING" "$F1 on $MEMBER is $SHOWN_TEXT, not $GOAL_TEXT"
        LACKING=$JOINED
    fi
}

# Usage: follow planned|former NUMBER. Waits until the members have what was written; restarts those that need it.
follow() {
    follow_goal=$1 follow_step=$2
    await_members || return 1
    [ -n "$WAITING_FOR_RESTART" ] || return 0
    if [ -n "$NO_RESTART" ]; then
        # Of a change that is taken back; what is put in force says it at the end.
        [ "$1" = planned ] || WAITING="what Patroni's members wait for (patronictl restart --pending)"
        return 0
    fi
    restart_in_order || return 1
    await_members || return 1
    [ -z "$WAITING_FOR_RESTART" ] || complain "  a member still waits for a restart"
    [ -z "$WAITING_FOR_RESTART" ]
}

# Until no member lacks anything but a restart.
await_members() {
    followed=0
    until is_followed "$follow_goal" "$follow_step" || [ -z "$LACKING" ]; do
        if [ "$followed" -ge "$SECONDS_TO_FOLLOW" ]; then
            complain "  not in force after $SECONDS_TO_FOLLOW s: $LACKING (see Patroni's log there: it may have dropped the value)"
            return 1
        fi
        sleep 1
        # Asking takes about as long.
        followed=$((followed + 2))
    done
}

# Standbys first, unless such limits are only lowered; and once more where some were raised and some lowered.
restart_in_order() {
    RAISED='' LOWERED='' LOWERED_AT=''
    each_member compare_leader
    [ -n "$LOWERED" ] && [ -z "$RAISED" ] || each_member restart_standby || return 1
    each_member restart_leader && each_member learn_lowered && each_member restart_standby
}

compare_leader() {
    is_leader || return 0
    ask_member "$MEMBER" && each_dynamic compare_watched
}

compare_watched() {
    case $WATCHED in *" $F1 "*) ;; *) return 0 ;; esac
    goal_of "$follow_goal" "$follow_step" && shown_of "$F1" && is_number "$GOAL" && is_number "$SHOWN_VALUE" || return 0
    [ "$GOAL" -le "$SHOWN_VALUE" ] || RAISED=1
    [ "$GOAL" -ge "$SHOWN_VALUE" ] || LOWERED=1
}

restart_standby() {
    is_leader || { await_replay && restart_member; }
}

# The primary's WAL position once it runs with the lower value, in LOWERED_AT.
learn_lowered() {
    [ -n "$LOWERED" ] && is_leader || return 0
    name_positions
    LOWERED_AT=$(as_superuser "SELECT $LOG_WRITTEN" 2>/dev/null)
    # It becomes part of a statement on other servers.
    case $LOWERED_AT in
        *[!0-9A-F/]* | '') ;;
        *) return 0 ;;
    esac
    LOWERED_AT=
    complain "  $MEMBER does not report its WAL position"
    return 1
}

# The functions for WAL positions in this major version, in LOG_WRITTEN and LOG_REPLAYED.
name_positions() {
    load "$follow_step"
    LOG_WRITTEN='pg_current_wal_lsn()' LOG_REPLAYED='pg_last_wal_replay_lsn()'
    case $F1 in
        9.*) LOG_WRITTEN='pg_current_xlog_location()' LOG_REPLAYED='pg_last_xlog_replay_location()' ;;
        *) ;;
    esac
}

# Waits until the standby knows the primary's lower value: restarted earlier, it would keep the old one and need another restart.
await_replay() {
    [ -n "$LOWERED_AT" ] && is_listed_pending || return 0
    replayed=0
    until [ "$(as_superuser "SELECT $LOG_REPLAYED >= '$LOWERED_AT'" 2>/dev/null)" = t ]; do
        [ "$replayed" -lt "$SECONDS_TO_FOLLOW" ] || {
            complain "  $MEMBER has not replayed the primary's WAL up to $LOWERED_AT"
            return 1
        }
        sleep 1
        replayed=$((replayed + 1))
    done
}

restart_leader() {
    ! is_leader || restart_member
}

# Never through the service: that stops Patroni and causes a failover.
restart_member() {
    is_listed_pending || return 0
    say "restart $MEMBER (${ROLE:-no role})"
    restart_said=$(patroni_for "$SECONDS_TO_RESTART" restart --pending --force -- "$SCOPE" "$MEMBER" 2>&1 </dev/null)
    case $restart_said in
        *"Success: restart on member $MEMBER"*) ;;
        *)
            complain "  Patroni did not restart $MEMBER: ${restart_said##*"$NL"}"
            return 1
            ;;
    esac
    await_member
}

# Waits until Patroni reports it as running again.
await_member() {
    restarted=0
    until read_members_again && is_member_up; do
        [ "$restarted" -lt "$SECONDS_TO_FOLLOW" ] || {
            complain "  $MEMBER is not running again: ${MEMBER_STATE:-unknown}"
            return 1
        }
        sleep 1
        restarted=$((restarted + 1))
    done
}

# The walk over the members, which reads LISTED once, goes on with the lines that it has.
read_members_again() {
    again_lines=$member_lines again_member=$MEMBER
    read_members
    again_status=$?
    member_lines=$again_lines MEMBER=$again_member
    return "$again_status"
}
