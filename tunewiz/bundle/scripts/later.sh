# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Steps that only serve a server that is started later: memory is not taken from one that runs and cannot use it.
#
# apply.sh --no-restart writes them down (later N) and leaves them; apply.sh without it takes them up, and restarts the
# server. A boot may come first: what our files then do is taken back by rollback.sh like everything else.

TAKEN_UP=

# Whether the loaded step is left to a later restart.
is_for_later() {
    has "later_$KIND" && "later_$KIND"
}

# Usage: put_off NUMBER. The loaded step.
put_off() {
    doing "leave $NAME to the restart of the server" || return 0
    note later "$1" && PUT_OFF="$PUT_OFF$1 "
}

# Usage: still_waits NUMBER. Whether the step, as it stands, was put off and has not been done since.
still_waits() {
    case $PUT_OFF in *" $1 "*) [ "$STANDS" = before ] ;; *) return 1 ;; esac
}

# The run that restarts the server continues where --no-restart ended, as after a run that was cut off.
take_up_later() {
    [ "$JOURNAL" = applied ] && [ -z "$NO_RESTART" ] || return 0
    for later_step in $PUT_OFF; do
        load "$later_step"
        stand "$later_step"
        ! still_waits "$later_step" || TAKEN_UP=1
    done
    [ -z "$TAKEN_UP" ] || JOURNAL=begun
}

# The mark that all was applied goes first: a journal without its end is taken for lost where that stands.
begin_journal() {
    if [ -z "$DRY" ] && [ -e "$OWN/applied" ]; then
        rm -f "$OWN/applied" && sync "$OWN" || return 1
    fi
    note begin
}

tell_later() {
    [ "$PUT_OFF" = ' ' ] ||
        say "When the server may be restarted, or while it is down: sh $BUNDLE/apply.sh reserves its huge pages first."
}
