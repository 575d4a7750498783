# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# The PostgreSQL server: found, asked, told to read its files again, restarted, proved alive by connecting.

US=$(printf '\037')
SECONDS_TO_START=600
ROWS=
WAITING=

# Runs a command as the owner of the data directory, whose files and programs root must not trust.
as_owner() {
    if [ "$(id -u)" = "$OWNER_UID" ]; then
        "$@"
    elif command -v runuser >/dev/null; then
        runuser -u "$OWNER" -- "$@"
    else
        setpriv --reuid="$OWNER_UID" --regid="$OWNER_GID" --init-groups -- "$@"
    fi
}

# The running postmaster in POSTMASTER, empty where there is none: its number may be another process's by now.
find_postmaster() {
    POSTMASTER=
    [ -n "$DATA" ] || return 0
    read -r found_pid 2>/dev/null <"$ROOT$DATA/postmaster.pid" || return 0
    case $found_pid in '' | *[!0-9]*) return 0 ;; *) ;; esac
    [ "$(readlink "/proc/$found_pid/cwd" 2>/dev/null)" = "$(readlink -f "$ROOT$DATA")" ] || return 0
    POSTMASTER=$found_pid
}

# Where the server's programs are, in BIN: the running server's, the last start's, the usual places.
find_programs() {
    BIN=
    found_opts=$(head -n 1 "$ROOT$DATA/postmaster.opts" 2>/dev/null)
    found_opts=${found_opts%% *}
    found_exe=
    [ -z "$POSTMASTER" ] || found_exe=$(readlink "/proc/$POSTMASTER/exe" 2>/dev/null)
    for found_dir in "${found_exe%/*}" "${found_opts%/*}" "$ROOT/usr/lib/postgresql/$MAJOR/bin" \
        "$ROOT/usr/pgsql-$MAJOR/bin" "$ROOT/usr/local/pgsql/bin" "$ROOT/usr/bin"; do
        case $found_dir in /*) ;; *) continue ;; esac
        found_version=$(as_owner "$found_dir/postgres" --version 2>/dev/null) || continue
        found_version=${found_version#*') '}
        case $found_version in
            "$MAJOR" | "$MAJOR"[!0-9]*)
                BIN=$found_dir
                return 0
                ;;
            *) ;;
        esac
    done
    return 1
}

# Everything about the server that later steps ask for; what is wrong becomes a problem.
find_server() {
    POSTMASTER='' OWNER='' OWNER_UID='' OWNER_GID='' BIN=''
    [ -n "$DATA" ] || return 0
    found_major=$(cat "$ROOT$DATA/PG_VERSION" 2>/dev/null)
    if [ -z "$found_major" ]; then
        problem "$DATA: there is no PostgreSQL data directory (or it may not be read)"
        return 1
    fi
    if [ "$found_major" != "$MAJOR" ]; then
        problem "$DATA: planned for PostgreSQL $MAJOR, found $found_major"
        return 1
    fi
    if [ ! -f "$ROOT$CONFIG" ]; then
        problem "$CONFIG: the server's configuration file is not there"
        return 1
    fi
    OWNER=$(stat -c %U "$ROOT$DATA")
    OWNER_UID=$(stat -c %u "$ROOT$DATA")
    OWNER_GID=$(stat -c %g "$ROOT$DATA")
    find_postmaster
    find_programs || BIN=
}

# Is this the cluster, and does it still read its files?
check_server() {
    find_server || return 0
    [ -n "$DATA" ] || return 0
    if [ -z "$BIN" ]; then
        [ -z "$POSTMASTER" ] || problem "the programs of PostgreSQL $MAJOR were not found"
        return 0
    fi
    if [ -n "$SYSTEM_ID" ] && found_control=$(as_owner "$BIN/pg_controldata" -D "$ROOT$DATA" 2>/dev/null); then
        case $found_control in
            *"system identifier:"*" $SYSTEM_ID$NL"*) ;;
            *) problem "$DATA: this is another cluster (its system identifier is not $SYSTEM_ID)" ;;
        esac
    fi
    if ! found_error=$(as_owner "$BIN/postgres" -D "$ROOT$DATA" -c config_file="$ROOT$CONFIG" -C data_directory 2>&1); then
        problem "the server's files are not in order as they are: $found_error"
        return 0
    fi
    [ -n "$POSTMASTER" ] || return 0
    connect || problem "the server runs but takes no connection: $CONNECT_ERROR"
}

# Usage: psql_as ROLE DATABASE ARGUMENTS. By the socket that the server itself names.
psql_as() {
    psql_role=$1
    psql_database=$2
    shift 2
    psql_program=$BIN/psql
    [ -x "$psql_program" ] || psql_program=psql
    PGCONNECT_TIMEOUT=10 PGAPPNAME=tunewiz PGOPTIONS='' as_owner "$psql_program" -XAtqw -v ON_ERROR_STOP=1 -F "$US" \
        -h "$SOCKET" -p "$PORT" -U "$psql_role" -d "$psql_database" "$@"
}

# Finds a role and a database that let us in; proves that the server answers.
connect() {
    CONNECT_ERROR='it has written no postmaster.pid'
    PORT=$(head -n 4 "$ROOT$DATA/postmaster.pid" 2>/dev/null | tail -n 1)
    SOCKET=$(head -n 5 "$ROOT$DATA/postmaster.pid" 2>/dev/null | tail -n 1)
    [ -n "$SOCKET" ] || SOCKET=$(head -n 6 "$ROOT$DATA/postmaster.pid" 2>/dev/null | tail -n 1)
    case $SOCKET in '*' | 0.0.0.0) SOCKET=localhost ;; *) ;; esac
    [ -n "$PORT" ] && [ -n "$SOCKET" ] || return 1
    CONNECT_ERROR=
    for ROLE in "$OWNER" postgres; do
        for DATABASE in postgres template1; do
            connect_said=$(psql_as "$ROLE" "$DATABASE" -c 'SELECT 1' 2>&1)
            [ "$connect_said" != 1 ] || return 0
            CONNECT_ERROR=${CONNECT_ERROR:-$connect_said}
        done
    done
    return 1
}

ask() {
    psql_as "$ROLE" "$DATABASE" -c "$1"
}

# All settings of the server in ROWS: name, whether it waits for a restart, source, value, file.
read_settings() {
    ROWS=$(ask "SELECT name, pending_restart, source, replace(setting, chr(10), ' '),
        coalesce(sourcefile || ':' || sourceline, '') FROM pg_settings") || return 1
    ROWS=$NL$ROWS$NL
}

# Usage: setting_of NAME. SETTING, PENDING (t or f), SOURCE, SOURCEFILE of a running server.
setting_of() {
    case $ROWS in *"$NL$1$US"*) ;; *) return 1 ;; esac
    setting_row=${ROWS#*"$NL$1$US"}
    setting_row=${setting_row%%"$NL"*}
    PENDING=${setting_row%%"$US"*}
    setting_row=${setting_row#*"$US"}
    SOURCE=${setting_row%%"$US"*}
    setting_row=${setting_row#*"$US"}
    SETTING=${setting_row%%"$US"*}
    SOURCEFILE=${setting_row#*"$US"}
}

# Usage: configured NAME. What the files say, in CONFIGURED; on failure what PostgreSQL said of them.
configured() {
    CONFIGURED=$(as_owner "$BIN/postgres" -D "$ROOT$DATA" -c config_file="$ROOT$CONFIG" -C "$1" 2>&1)
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
            FOUND="$SETTING, from the command line, which no file can change"
            return 0
        fi
    elif [ -n "$BIN" ]; then
        configured "$F1" || {
            FOUND=$CONFIGURED
            return 0
        }
        FOUND=$CONFIGURED
        BEFORE=$F5
    else
        STANDS=untold
        return 0
    fi
    if [ "$FOUND" = "$F6" ]; then
        STANDS=after
    elif [ -n "$POSTMASTER" ] && [ "$PENDING" = t ] && [ "$JOURNAL" = applied ]; then
        # Applied without the restart that it waits for.
        STANDS=after
    elif [ "$BEFORE" = '?' ] || [ "$FOUND" = "$BEFORE" ]; then
        STANDS=before
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
        psql_as "$ROLE" "$DATABASE" -v name="$1" -v value="$2" -f -
}

# The files must now say what was planned: a later layer that wins is found before anything is restarted.
files_say() {
    [ -n "$BIN" ] || return 0
    if ! configured "$F1"; then
        complain "  PostgreSQL does not take its files: $CONFIGURED"
        return 1
    fi
    [ "$CONFIGURED" = "$F6" ] && return 0
    complain "  $F1: the files give $CONFIGURED, planned was $F6: another line wins over ours"
    return 1
}

validate_files() {
    [ -z "$DRY" ] || return 0
    each_setting files_say
}

# Reads the files again and waits until the server says it has: an exit status says nothing of it.
reload_server() {
    doing "let the server read its files again" || return 0
    loaded_before=$(ask 'SELECT pg_conf_load_time()') || return 1
    ask 'SELECT pg_reload_conf()' >/dev/null || return 1
    tries=0
    while [ "$tries" -lt 50 ]; do
        tries=$((tries + 1))
        loaded=$(ask 'SELECT pg_conf_load_time()')
        if [ -n "$loaded" ] && [ "$loaded" != "$loaded_before" ]; then
            read_settings
            return
        fi
        sleep 0.2
    done
    complain "  the server did not take its files; its log says why:"
    show_log
    return 1
}

# The systemd unit whose main process is the postmaster, in UNIT; empty where there is none.
find_unit() {
    UNIT=
    [ -d /run/systemd/system ] && command -v systemctl >/dev/null || return 0
    while IFS= read -r unit_line; do
        unit_name=${unit_line##*/}
        case $unit_name in *.service) ;; *) continue ;; esac
        if [ "$(systemctl show -p MainPID "$unit_name" 2>/dev/null)" = "MainPID=$POSTMASTER" ]; then
            UNIT=$unit_name
        fi
    done 2>/dev/null <"/proc/$POSTMASTER/cgroup"
}

# Where the server's log is, while it still runs: the collector's file, else where its errors go.
find_log() {
    LOG=
    if [ -f "$ROOT$DATA/current_logfiles" ]; then
        read -r _ LOG <"$ROOT$DATA/current_logfiles"
        case $LOG in '' | /*) ;; *) LOG=$ROOT$DATA/$LOG ;; esac
    else
        LOG=$(readlink "/proc/$POSTMASTER/fd/2" 2>/dev/null)
        [ -f "$LOG" ] || LOG=
    fi
}

# How this server is restarted is settled while it runs, and written down: it may be down when it is needed.
remember_server() {
    find_unit
    find_log
    [ -z "$DRY" ] || return 0
    printf '%s\n' "$UNIT" >"$OWN/unit" && printf '%s\n' "$LOG" >"$OWN/log" && sync "$OWN/unit" "$OWN/log"
}

recall_server() {
    UNIT=$(cat "$OWN/unit" 2>/dev/null)
    LOG=$(cat "$OWN/log" 2>/dev/null)
}

show_log() {
    if [ -n "$LOG" ] && [ -f "$LOG" ]; then
        as_owner tail -n 20 "$LOG" | while IFS= read -r log_line; do complain "    $log_line"; done
    elif [ -n "$UNIT" ] && command -v journalctl >/dev/null; then
        journalctl -q --no-pager -n 20 -u "$UNIT" 2>/dev/null | while IFS= read -r log_line; do complain "    $log_line"; done
    else
        complain "    (its log was not found)"
    fi
}

# The way this server is run: its systemd unit, Debian's pg_ctlcluster, else pg_ctl. Also starts a server that is down.
run_restart() {
    if [ -n "$UNIT" ]; then
        systemctl restart "$UNIT"
    elif [ "$CLUSTER_KIND" = debian ] && command -v pg_ctlcluster >/dev/null; then
        restart_name=${CONFIG%/*}
        as_owner pg_ctlcluster --skip-systemctl-redirect "$MAJOR" "${restart_name##*/}" restart
    else
        # What the server prints while it starts goes where it went before; it must not hold our terminal.
        # shellcheck disable=SC2016 # the inner shell's own arguments
        as_owner sh -c 'log=$1 && shift && exec "$@" </dev/null >>"$log" 2>&1' sh "${LOG:-/dev/null}" \
            "$BIN/pg_ctl" restart -w -t "$SECONDS_TO_START" -m fast -D "$ROOT$DATA"
    fi
}

restart_words() {
    if [ -n "$UNIT" ]; then
        WORDS="systemctl restart $UNIT"
    elif [ "$CLUSTER_KIND" = debian ] && command -v pg_ctlcluster >/dev/null; then
        WORDS="pg_ctlcluster"
    else
        WORDS="pg_ctl as $OWNER"
    fi
}

# Waits until a connection proves that the server lives; gives up when its process is gone.
prove_alive() {
    tries=0
    while [ "$tries" -lt "$SECONDS_TO_START" ]; do
        tries=$((tries + 1))
        find_postmaster
        if [ -n "$POSTMASTER" ] && connect; then
            return 0
        fi
        [ -n "$POSTMASTER" ] || [ "$tries" -lt 2 ] || return 1
        sleep 1
    done
    return 1
}

# Which postmaster runs, by number and start, in RUNNING; nothing where there is none.
identify_postmaster() {
    RUNNING=
    [ -z "$POSTMASTER" ] || ! process_start "$POSTMASTER" || RUNNING="$POSTMASTER $PROCESS_START"
}

# The old server may live on where its control program refused: it answers, but with its old settings.
is_new_postmaster() {
    identify_postmaster
    [ "$RUNNING" != "$restart_from" ]
}

# Restarts the server (starts it where it is down) and proves that it lives.
restart_server() {
    restart_words
    doing "restart the server ($WORDS)" || return 0
    # What is written now need not be written while everyone waits.
    [ -z "$POSTMASTER" ] || ask CHECKPOINT >/dev/null 2>&1
    identify_postmaster
    restart_from=$RUNNING
    note server stopping || return 1
    restart_said=$(run_restart 2>&1) || true
    if prove_alive && is_new_postmaster; then
        note server alive
        read_settings
        return
    fi
    if [ -n "$POSTMASTER" ] && ! is_new_postmaster; then
        # It lives with its former settings: nothing has to be started to take them back.
        note server alive
        complain "  the server was not restarted: ${restart_said:-no word from its control program}"
        return 1
    fi
    complain "  the server did not come up: ${restart_said:-no word from its control program}"
    show_log
    return 1
}

# Usage: runs_as_planned. Of the loaded setting: what the server has is what was planned, or waits for a restart.
runs_as_planned() {
    setting_of "$F1" || {
        complain "  $F1: the server has no such setting"
        return 1
    }
    [ "$SETTING" != "$F6" ] || return 0
    if [ "$F3" = restart ] && [ "$PENDING" = t ] && [ -n "$NO_RESTART" ]; then
        return 0
    fi
    complain "  $F1: planned $F6, the server has $SETTING"
    return 1
}

# Puts the files in force: a restart where the plan needs one and it is allowed, else a reload.
activate() {
    if [ -z "$POSTMASTER" ] && [ "$SERVER_WORD" != stopping ]; then
        say "The server is down: the settings count when it is started."
        return 0
    fi
    if [ -z "$POSTMASTER" ] || { [ -n "$RESTART_PLANNED" ] && [ -z "$NO_RESTART" ]; }; then
        restart_server || return 1
    else
        reload_server || return 1
    fi
    [ -n "$DRY" ] || each_setting runs_as_planned
}

# Whether one of our settings waits for a restart, in WAITING.
note_waiting() {
    setting_of "$F1" || return 0
    [ "$PENDING" = t ] || return 0
    join "$WAITING" "$F1"
    WAITING=$JOINED
}

# After the files are back: in force again, by a restart where a setting needs it. Starts a server that we stopped.
deactivate() {
    WAITING=
    if [ -z "$POSTMASTER" ]; then
        # At boot it is started after us, in its turn.
        if [ "$SERVER_WORD" = stopping ] && [ -z "${AT_BOOT:-}" ]; then
            say "The server is down since our restart: starting it with its former files."
            restart_server
            return
        fi
        say "The server is down: its files are as before, it was not started."
        return 0
    fi
    reload_server || return 1
    if [ -n "$DRY" ]; then
        [ -z "$RESTART_PLANNED" ] || [ -n "$NO_RESTART" ] || say "would restart the server where a setting waits for it"
        return 0
    fi
    each_setting note_waiting
    [ -n "$WAITING" ] || return 0
    if [ -n "$NO_RESTART" ]; then
        say "Waiting for a restart of the server: $WAITING"
        return 0
    fi
    restart_server
}
