# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# A server's settings: as it is running, and as its files say.

WITH_SERVER="$WITH_SERVER file:postgres"

ROWS=
FILE_ROWS=
CONFIGURED_ROWS=
ENDLESS=

# All settings of the server in ROWS: name, whether it waits for a restart, source, value, file, the value with its unit.
# Limits on time that we set for our session would hide the server's own: only where it cannot be read without.
read_settings() {
    read_rows && each_setting uncover_setting
}

read_rows() {
    ROWS=$(PSQL_SESSION=$SAFE_SESSION && ask_settings 2>/dev/null) || ROWS=$(ask_settings) || return 1
    ROWS=$NL$ROWS$NL
}

# When the session that answers has read the files is in the row LOADED.
LOADED=' loaded'

ask_settings() {
    ask "SELECT name, pending_restart, source, replace(setting, chr(10), ' '),
        coalesce(sourcefile || ':' || sourceline, ''), replace(current_setting(name), chr(10), ' ') FROM pg_settings
        UNION ALL SELECT '$LOADED', NULL, NULL, pg_conf_load_time()::text, NULL, NULL"
}

# As connect and then read_settings, in one session where the first way in is open.
connect_and_read() {
    if find_way_in; then
        ROLE=$OWNER DATABASE=postgres
        if ROWS=$NL$(PSQL_SESSION=$SAFE_SESSION && ask_settings 2>/dev/null)$NL && setting_of "$LOADED"; then
            each_setting uncover_setting
            return
        fi
    fi
    connect && read_settings
}

# Usage: setting_of NAME. SETTING, PENDING (t or f), SOURCE, SOURCEFILE of a running server; in SHOWS, SETTING as people read it.
setting_of() {
    rest_of "$ROWS" "$1$US" || return 1
    setting_row=$REST
    SETTING_ROW=$1$US$setting_row
    PENDING=${setting_row%%"$US"*}
    setting_row=${setting_row#*"$US"}
    SOURCE=${setting_row%%"$US"*}
    setting_row=${setting_row#*"$US"}
    SETTING=${setting_row%%"$US"*}
    setting_row=${setting_row#*"$US"}
    SOURCEFILE=${setting_row%%"$US"*}
    SHOWS=${setting_row#*"$US"}
}

# Usage: configured NAME. What the files say, in CONFIGURED; on failure what PostgreSQL said of them. It may have
# something to say (a file that is not there) and a value all the same. Where it was given up once, it is not waited for
# again.
configured() {
    CONFIGURED=$ENDLESS
    [ -z "$ENDLESS" ] || return 1
    if [ -n "$CONFIGURED_ROWS" ] && rest_of "$CONFIGURED_ROWS" "$1$US"; then
        CONFIGURED=$REST
        return 0
    fi
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

# What the files say of several settings, by one command of the owner's: a line for each that PostgreSQL has a value of
# in one line. The others are asked for one by one.
# shellcheck disable=SC2016 # the inner shell's own arguments
READ_CONFIGURED='postgres=$1 data=$2 config=$3
shift 3
for name do
    value=$("$postgres" -D "$data" -c config_file="$config" -C "$name" 2>/dev/null) || continue
    case $value in *"
"*) ;; *) printf "%s\037%s\n" "$name" "$value" ;; esac
done'

# What the running server's view of its files shows without a doubt, in FILE_ROWS: the line that wins, as it is written,
# and which settings are in no file and have their defaults, or will have them once the files are read: only max_stack_depth
# is computed then. Nothing where a line cannot be read, or has one of the two
# names that a setting had before (map_old_guc_names in src/backend/utils/misc/guc_tables.c).
read_file_settings() {
    FILE_ROWS=
    [ -n "$POSTMASTER" ] && setting_of config_file && [ "$SETTING" = "$ROOT$CONFIG" ] || return 0
    FILE_ROWS=$NL$(ask "WITH line AS (SELECT *, lower(name) AS key FROM pg_file_settings)
        SELECT key, 'line', replace(setting, chr(10), ' ') FROM (SELECT DISTINCT ON (key) * FROM line ORDER BY key, seqno DESC) AS last
            WHERE applied AND error IS NULL AND NOT EXISTS (SELECT 1 FROM line WHERE key IS NULL OR key IN ('sort_mem', 'vacuum_mem'))
        UNION ALL
        SELECT name, 'default', replace(boot_val, chr(10), ' ') FROM pg_settings WHERE boot_val IS NOT NULL
            AND (source = 'default' AND setting = boot_val OR source = 'configuration file' AND name <> 'max_stack_depth')
            AND NOT EXISTS (SELECT 1 FROM line WHERE key IS NULL OR key IN (lower(pg_settings.name), 'sort_mem', 'vacuum_mem'))") ||
        FILE_ROWS=
}

# The loaded setting goes into CONFIGURED_ROWS if FILE_ROWS shows what it is configured to, else into configured_names.
look_up_configured() {
    if rest_of "$FILE_ROWS" "$F1${US}line$US" && [ "$REST" = "$F7" ]; then
        CONFIGURED_ROWS="$CONFIGURED_ROWS$F1$US$F6$NL"
    elif rest_of "$FILE_ROWS" "$F1${US}default$US"; then
        CONFIGURED_ROWS="$CONFIGURED_ROWS$F1$US$REST$NL"
    else
        configured_names="$configured_names $F1"
    fi
}

# What the files say of the planned settings, in CONFIGURED_ROWS: for as long as nobody writes them, see each_configured.
read_configured() {
    CONFIGURED_ROWS=$NL configured_names=
    [ -n "$BIN" ] && [ -z "$ENDLESS" ] || return 0
    each_setting look_up_configured
    [ -n "$configured_names" ] || return 0
    # shellcheck disable=SC2086 # names, on purpose
    CONFIGURED_ROWS=$CONFIGURED_ROWS$(look_as_owner sh -c "$READ_CONFIGURED" sh "$BIN/postgres" "$ROOT$DATA" \
        "$ROOT$CONFIG" $configured_names 2>/dev/null)
}

# Usage: each_configured FUNCTION. As each_setting, for one that asks what the files say and does not write them.
each_configured() {
    read_file_settings
    read_configured
    each_setting "$1"
    each_status=$?
    FILE_ROWS='' CONFIGURED_ROWS=''
    return "$each_status"
}

# Of the loaded setting: whether the next start would not have what is planned; what it would have in CONFIGURED.
files_give_other() {
    [ -n "$BIN" ] && configured "$F1" && [ "$CONFIGURED" != "$F6" ]
}

# A planned setting must be what the plan saw: the running value, or the files' where the server is down.
# Usage: setting_stands. Of the loaded step: before, after or other in STANDS; FOUND, and in FOUND_ALSO what belongs to it.
# Untold without the programs.
setting_stands() {
    STANDS=other
    FOUND='no such setting' FOUND_ALSO=
    BEFORE=$F4
    if [ -n "$POSTMASTER" ]; then
        setting_of "$F1" || return 0
        FOUND=$SETTING
        if [ "$SOURCE" = 'command line' ]; then
            FOUND_ALSO=', from the command line, which no file can override'
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
        words_of "$F1" "$CONFIGURED"
        FOUND_ALSO=", and its files give $WORDS"
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

# The planned settings, in foreign_ours.
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
        words_of "$F1" "$CONFIGURED"
        complain "  $F1: the files give $WORDS, planned was $F7: another line overrides ours"
    fi
    return 1
}

validate_files() {
    [ -z "$DRY" ] || return 0
    each_configured files_say
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

in_force_setting() {
    before_of "$F1"
    [ "$BEFORE_RUNNING" = '?' ] || BEFORE_SHOWS=${BEFORE_SHOWS:-"''"}
    if [ -n "$POSTMASTER" ] && setting_of "$F1"; then
        count_value "$F1" "$F6" "$SETTING" "$BEFORE_SHOWS" "$SHOWS"
    else
        count_missed "$F1"
    fi
}

check_setting() {
    setting_stands
    count_standing
    if [ "$STANDS" = other ] || { [ "$STANDS" = after ] && [ "$JOURNAL" != begun ]; }; then
        words_of "$F1" "$BEFORE"
        before_words=$WORDS
        words_of "$F1" "$FOUND"
        UNEXPECTED="$UNEXPECTED$F1: $before_words when planned, found $WORDS$FOUND_ALSO$NL"
    fi
}

# In force, or waiting for a restart that was not to be made; and the files say so too.
live_setting() {
    files_say || PROBLEMS=$((PROBLEMS + 1))
    [ -n "$POSTMASTER" ] || return 0
    if ! setting_of "$F1"; then
        problem "$F1: the server does not report it"
    elif [ "$SETTING" != "$F6" ] && [ "$F3:$PENDING" != restart:t ]; then
        words_of "$F1" "$SETTING"
        problem "$F1: planned $F7, the server has $WORDS"
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
