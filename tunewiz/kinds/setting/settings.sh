# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# A server's settings: as it is running, and as its files say.

WITH_SERVER="$WITH_SERVER file:postgres"

ROWS=
ENDLESS=

# All settings of the server in ROWS: name, whether it waits for a restart, source, value, file. Limits on time that we set
# for our session would hide the server's own: only where it cannot be read without.
read_settings() {
    ROWS=$(PSQL_SESSION=$SAFE_SESSION && ask_settings 2>/dev/null) || ROWS=$(ask_settings) || return 1
    ROWS=$NL$ROWS$NL
    each_setting uncover_setting
}

ask_settings() {
    ask "SELECT name, pending_restart, source, replace(setting, chr(10), ' '),
        coalesce(sourcefile || ':' || sourceline, '') FROM pg_settings"
}

# Usage: setting_of NAME. SETTING, PENDING (t or f), SOURCE, SOURCEFILE of a running server.
setting_of() {
    rest_of "$ROWS" "$1$US" || return 1
    setting_row=$REST
    SETTING_ROW=$1$US$setting_row
    PENDING=${setting_row%%"$US"*}
    setting_row=${setting_row#*"$US"}
    SOURCE=${setting_row%%"$US"*}
    setting_row=${setting_row#*"$US"}
    SETTING=${setting_row%%"$US"*}
    SOURCEFILE=${setting_row#*"$US"}
}

# Usage: configured NAME. What the files say, in CONFIGURED; on failure what PostgreSQL said of them. It may have
# something to say (a file that is not there) and a value all the same. Where it was given up once, it is not waited for
# again.
configured() {
    CONFIGURED=$ENDLESS
    [ -z "$ENDLESS" ] || return 1
    CONFIGURED=$(ask_files "$1" 2>/dev/null)
    configured_status=$?
    [ "$configured_status" -ne 0 ] || return 0
    if was_given_up "$configured_status"; then
        ENDLESS="PostgreSQL cannot read them to their end (is one of them a pipe?)"
        CONFIGURED=$ENDLESS
    else
        CONFIGURED=$(ask_files "$1" 2>&1 >/dev/null)
    fi
    return 1
}

ask_files() {
    look_as_owner "$BIN/postgres" -D "$ROOT$DATA" -c config_file="$ROOT$CONFIG" -C "$1"
}

# Of the loaded setting: whether the next start would not have what is planned; what it would have in CONFIGURED.
files_give_other() {
    [ -n "$BIN" ] && configured "$F1" && [ "$CONFIGURED" != "$F6" ]
}

# A planned setting must be what the plan saw: the running value, or the files' where the server is down.
# Usage: setting_stands. Of the loaded step: before, after or other in STANDS; FOUND. Untold without the programs.
setting_stands() {
    STANDS=other
    FOUND='no such setting'
    BEFORE=$F4
    if [ -n "$POSTMASTER" ]; then
        setting_of "$F1" || return 0
        FOUND=$SETTING
        if [ "$SOURCE" = 'command line' ]; then
            FOUND="$SETTING, from the command line, which no file can override"
            return 0
        fi
    elif [ -n "$BIN" ]; then
        configured "$F1" || return 0
        FOUND=$CONFIGURED
        BEFORE=$F5
    else
        STANDS=untold
        return 0
    fi
    if [ "$FOUND" = "$F6" ]; then
        STANDS=after
    elif [ -n "$POSTMASTER" ] && [ "$PENDING" = t ] && [ "$JOURNAL" = applied ]; then
        # Applied without the restart that it is waiting for.
        STANDS=after
    elif [ "$BEFORE" = '?' ] || [ "$FOUND" = "$BEFORE" ]; then
        STANDS=before
    fi
    # What runs as planned and is gone with the next reload or start is not as planned; a run that was cut off while it
    # took its files back goes on.
    if [ "$STANDS" = after ] && [ "$JOURNAL" != begun ] && files_give_other; then
        STANDS=other
        FOUND="$FOUND, and its files give $CONFIGURED"
    fi
}

# Usage: each_setting FUNCTION. Calls it for each planned setting, loaded; stops where it fails.
each_setting() {
    each=1
    while [ "$each" -lt "$STEPS" ]; do
        each=$((each + 1))
        load "$each"
        [ "$KIND" = setting ] || continue
        "$1" || return 1
    done
}

# What waits for a restart though this bundle does not set it: a restart of ours would put it in force too.
foreign_pending() {
    FOREIGN=
    foreign_rest=${ROWS#"$NL"}
    foreign_ours=' '
    each_setting note_ours
    while [ -n "$foreign_rest" ]; do
        foreign_row=${foreign_rest%%"$NL"*}
        foreign_rest=${foreign_rest#*"$NL"}
        foreign_name=${foreign_row%%"$US"*}
        case ${foreign_row#"$foreign_name$US"} in t"$US"*) ;; *) continue ;; esac
        case $foreign_ours in *" $foreign_name "*) continue ;; *) ;; esac
        join "$FOREIGN" "$foreign_name"
        FOREIGN=$JOINED
    done
}

note_ours() {
    foreign_ours="$foreign_ours$F1 "
}

# Usage: alter_system NAME VALUE. As psql variables, quoted by psql: they are data.
alter_system() {
    doing "ALTER SYSTEM SET $1 = '$2'" || return 0
    printf 'ALTER SYSTEM SET :"name" = :%svalue%s;\n' "'" "'" |
        ask_psql -v name="$1" -v value="$2" -f -
}

# The files must now say what was planned: a later layer that wins is found before anything is restarted.
files_say() {
    [ -n "$BIN" ] || return 0
    if ! configured "$F1"; then
        complain "  PostgreSQL does not accept its files: $CONFIGURED"
    elif [ "$CONFIGURED" = "$F6" ]; then
        return 0
    else
        complain "  $F1: the files give $CONFIGURED, planned was $F6: another line overrides ours"
    fi
    return 1
}

validate_files() {
    [ -z "$DRY" ] || return 0
    each_setting files_say
}

# Usage: configured_line. Without the server's programs: the planned value where our line stands, in CONFIGURED.
configured_line() {
    CONFIGURED=
    pg_quote "$F7"
    configured_file=$DROP_IN
    [ "$F2" = dropin ] || configured_file=$DATA/postgresql.auto.conf
    ! has_line "$ROOT$configured_file" "$F1 = $QUOTED" || CONFIGURED=$F6
}

verify_setting() {
    SETTING='' SOURCEFILE='' PENDING=f remark=
    if [ -z "$POSTMASTER" ]; then
        remark='the server is down'
        # A server that was down when it was planned for is judged by its files, as a pretend root's is.
        if [ "$SEEN" = stopped ] || [ -n "$PRETEND" ]; then
            SETTING=-
        fi
    elif ! setting_of "$F1"; then
        remark='the server does not report it'
    elif [ "$PENDING" = t ]; then
        remark='waits for a restart of the server' WAITS=true
    fi
    if [ -z "$BIN" ]; then
        configured_line
    elif ! configured "$F1"; then
        CONFIGURED=
    fi
    tell setting "$F1" "$F6" "$SETTING" "$CONFIGURED" "$SOURCEFILE" "$remark" "$F7"
}

check_setting() {
    setting_stands
    count_standing
    if [ "$STANDS" = other ] || { [ "$STANDS" = after ] && [ "$JOURNAL" != begun ]; }; then
        UNEXPECTED="$UNEXPECTED$F1: planned on $BEFORE, found $FOUND$NL"
    fi
}

# In force, or waiting for a restart that was not to be made; and the files say so too.
live_setting() {
    files_say || PROBLEMS=$((PROBLEMS + 1))
    [ -n "$POSTMASTER" ] || return 0
    if ! setting_of "$F1"; then
        problem "$F1: the server does not report it"
    elif [ "$SETTING" != "$F6" ] && [ "$F3:$PENDING" != restart:t ]; then
        problem "$F1: planned $F6, the server has $SETTING"
    fi
}

plan_setting() {
    POSTGRES_STEPS=$((POSTGRES_STEPS + 1))
    [ "$F3" != restart ] || RESTART_PLANNED=1
}

keys_setting() {
    KEYS="${KEYS}setting:$1 "
}

gives_setting() {
    [ "$1:$2" = "postgres:$F1" ]
}

file_key_postgres() {
    KEY=${1%% =*}
}

file_plan_postgres() {
    DROP_IN=$F2
}
