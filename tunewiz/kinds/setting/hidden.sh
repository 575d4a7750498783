# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# What the server has where our own session has something else: ALTER ROLE and ALTER DATABASE hide it from whoever asks
# in pg_settings, as the value in force, as the one after RESET, and with its place in the files.

# Usage: is_hidden. Of the loaded setting: whether its SOURCE is the session's own (src/include/utils/guc.h).
is_hidden() {
    case $SOURCE in
        global | database | user | 'database user' | client | interactive | session) return 0 ;;
        *) return 1 ;;
    esac
}

# Of the loaded setting of ours: its row in ROWS is put right.
uncover_setting() {
    setting_of "$F1" && is_hidden || return 0
    hidden_row=$SETTING_ROW
    hidden_place=$(ask_hidden "sourcefile || ':' || sourceline")
    if show_of_server "$F1"; then
        hidden_value=$SHOWN hidden_source='configuration file'
    elif started_with "$F1"; then
        hidden_value=$SHOWN hidden_source='command line'
    else
        hidden_value=$(ask_hidden setting) hidden_source='configuration file'
    fi
    if [ -n "$hidden_value" ]; then
        plain_value "$F1" "$hidden_value"
    else
        SHOWN=$(ask "SELECT boot_val FROM pg_settings WHERE name = '$F1'")
    fi
    hidden_new="$F1$US$PENDING$US$hidden_source$US$SHOWN$US$hidden_place$US${hidden_value:-$SHOWN}"
    ROWS=${ROWS%%"$NL$hidden_row$NL"*}$NL$hidden_new$NL${ROWS#*"$NL$hidden_row$NL"}
}

# Usage: ask_hidden COLUMN. Of the line of the files that counts.
ask_hidden() {
    ask "SELECT $1 FROM pg_file_settings WHERE name = '$F1' AND applied ORDER BY seqno DESC LIMIT 1"
}

# Usage: show_of_server NAME. In SHOWN, from a session that no role's and no database's settings reach: a connection for
# replication is to no database (since 10, where one is let in). It has to be to the same directory.
show_of_server() {
    hidden_data=$(ask 'SHOW data_directory') || return 1
    SHOWN=$(PSQL_SESSION='' && run_psql -d "dbname=replication replication=true" -c 'SHOW data_directory' -c "SHOW $1" 2>/dev/null) || return 1
    [ "${SHOWN%%"$NL"*}" = "$hidden_data" ] || return 1
    SHOWN=${SHOWN#*"$NL"}
}

# Usage: started_with NAME. Whether the server's command line gives it, which wins over the files; the value in SHOWN.
started_with() {
    SHOWN=$(tr '\000' '\012' 2>/dev/null <"/proc/$POSTMASTER/cmdline" |
        sed -n -e "s/^$1=//p" -e "s/^--$1=//p" -e "s/^-c$1=//p" | tail -n 1)
    [ -n "$SHOWN" ]
}

# Usage: plain_value NAME VALUE. As pg_settings has it, without a unit, in SHOWN; by the server itself, in a transaction
# that comes to nothing. What may not be set in a session has no unit.
plain_value() {
    SHOWN=$(printf 'BEGIN;\nSELECT set_config(:%svalue%s, :%stext%s, true);\nSELECT setting FROM pg_settings WHERE name = :%svalue%s;\nROLLBACK;\n' \
        "'" "'" "'" "'" "'" "'" | ask_psql -v value="$1" -v text="$2" -f - 2>/dev/null) || SHOWN=$2
    SHOWN=${SHOWN##*"$NL"}
}
