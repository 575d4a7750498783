# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Compares what the running server has with what it had before the change.
#
# $KEPT/settings  a line for each planned setting: NAME, what the server had, what its files gave; parted by the unit
#                 separator, a value after =, and ? where it was not known; at the end what the server had with its unit

keep_settings() {
    true >"$OWN/new/settings" || return 1
    [ -z "$DATA" ] || each_configured keep_setting
}

keep_setting() {
    kept_running='?' kept_files='?' kept_shows=
    if [ -n "$POSTMASTER" ] && setting_of "$F1"; then
        kept_running="=$SETTING" kept_shows=$SHOWS
    fi
    if [ -n "$BIN" ] && configured "$F1"; then
        kept_files="=$CONFIGURED"
    fi
    printf '%s\n' "$F1$US$kept_running$US$kept_files$US$kept_shows" >>"$OWN/new/settings"
}

# Usage: before_of NAME. What the server had in BEFORE_RUNNING, and as people read it in BEFORE_SHOWS; what its files gave
# in BEFORE_FILES.
before_of() {
    BEFORE_RUNNING='?' BEFORE_FILES='?' BEFORE_SHOWS=
    ! is_lost settings || return 0
    while IFS= read -r before_line; do
        case $before_line in "$1$US"*) ;; *) continue ;; esac
        before_line=${before_line#*"$US"}
        BEFORE_RUNNING=${before_line%%"$US"*}
        before_line=${before_line#*"$US"}
        BEFORE_FILES=${before_line%%"$US"*}
        BEFORE_SHOWS=${before_line#*"$US"}
    done 2>/dev/null <"$KEPT/settings"
}

# Usage: was_before VALUE. Whether the server had it, or its files gave it.
was_before() {
    [ "=$1" = "$BEFORE_RUNNING" ] || [ "=$1" = "$BEFORE_FILES" ]
}

# Of the loaded setting of a running server whose files are back, in RUNS: before, ours (still), or foreign.
compare_setting() {
    RUNS=before
    # A server of another release may no longer have it.
    setting_of "$F1" || return 0
    before_of "$F1"
    # Without its programs nothing shows what the files give: what is ours is not taken for someone else's.
    [ -n "$BIN" ] && configured "$F1" || CONFIGURED=
    if was_before "$SETTING"; then
        # It waits for a value that came neither from us nor from before us.
        [ "$PENDING" != t ] || [ -z "$CONFIGURED" ] || was_before "$CONFIGURED" || [ "$CONFIGURED" = "$F6" ] || RUNS=foreign
    elif [ "$SETTING" = "$F6" ]; then
        RUNS=ours
        [ "$CONFIGURED" != "$F6" ] || RUNS=foreign
    elif [ "$BEFORE_RUNNING" != '?' ]; then
        RUNS=foreign
        [ "$PENDING" != t ] || RUNS=ours
    fi
}

# Puts the loaded setting among those that are OURS_RUNNING still (OURS_STUCK: though no restart would help), or that
# others changed: FOREIGN_RUNNING.
sort_setting() {
    compare_setting
    case $RUNS in
        ours)
            join "$OURS_RUNNING" "$F1"
            OURS_RUNNING=$JOINED
            [ "$F3" = restart ] || [ "$PENDING" = t ] || OURS_STUCK=1
            ;;
        foreign)
            join "$FOREIGN_RUNNING" "$F1"
            FOREIGN_RUNNING=$JOINED
            words_of "$F1" "$SETTING"
            FOREIGN_TOLD="$FOREIGN_TOLD$F1: the server has $WORDS${SOURCEFILE:+ from $SOURCEFILE}$NL"
            ;;
        *) ;;
    esac
}

# All planned settings as the server has them now.
compare_settings() {
    OURS_RUNNING='' OURS_STUCK='' FOREIGN_RUNNING='' FOREIGN_TOLD=''
    each_configured sort_setting
}

# All planned settings as the next start will have them: of a server that is down. Those that are as before, by name in
# FILES_BEFORE.
compare_files() {
    FOREIGN_RUNNING='' FOREIGN_TOLD='' FILES_BEFORE=' '
    [ -z "$BIN" ] || each_configured sort_configured
}

# Puts the loaded setting among those that others changed, where its files give what came neither from us nor from
# before us.
sort_configured() {
    before_of "$F1"
    { [ "$BEFORE_FILES" != '?' ] && configured "$F1"; } || return 0
    if was_before "$CONFIGURED"; then
        FILES_BEFORE="$FILES_BEFORE$F1 "
        return 0
    fi
    join "$FOREIGN_RUNNING" "$F1"
    FOREIGN_RUNNING=$JOINED
    FOREIGN_TOLD="$FOREIGN_TOLD$F1: its files give $CONFIGURED$NL"
}
