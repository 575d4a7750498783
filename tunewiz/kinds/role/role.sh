# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# A setting of a role (ALTER ROLE ... SET), in all databases or in one.
#
# A step is  rolesetting|ROLE|DATABASE|NAME|BEFORE|VALUE.  DATABASE is empty for all, BEFORE where it was not set.
#
# $KEPT/N.value  the role's number and the database's (0 for all), and a line: what was set, after =, or - if nothing was

# A role, a database or none, and what is set: the numbers stay, while names change and are given to others.
ROLE_ROW="SELECT r.oid, d.oid, r.rolsuper, r.rolcanlogin, pg_is_in_recovery(),
    coalesce((SELECT replace('=' || substr(c, strpos(c, '=') + 1), chr(10), ' ') FROM pg_db_role_setting AS s, unnest(s.setconfig) AS c
        WHERE s.setrole = r.oid AND s.setdatabase = d.oid AND lower(split_part(c, '=', 1)) = :'name' LIMIT 1), '-')
    FROM pg_roles AS r, (SELECT oid, datname FROM pg_database UNION ALL SELECT 0::oid, ''::name) AS d"

name_rolesetting() {
    NAME="$F1${F2:+ in $F2}: $F3"
}

# Usage: ask_role TEXT. A query with the step's words as psql variables, quoted by psql: they are data.
ask_role() {
    printf '%s;\n' "$1" | ask_psql -v role="$role_name" -v database="$role_database" -v name="$F3" -v value="$role_value" \
        -v number="$role_number" -v place="$role_place" -f -
}

# Usage: read_role NUMBER. Of the loaded step, in ROLE_SET: what is set, after =; - if nothing is; empty if there is no
# such role or database (any more). Fails, with why in ROLE_WHY, if the server does not tell.
read_role() {
    ROLE_SET='' ROLE_WHY='' role_name=$F1 role_database=$F2 role_value=$F5 role_number=0 role_place=0
    reach_server_of_role || return 1
    role_which="r.rolname = :'role' AND d.datname = :'database'"
    if [ -f "$KEPT/$1.value" ]; then
        read -r role_number role_place <"$KEPT/$1.value"
        role_which="r.oid = :'number' AND d.oid = :'place'"
    fi
    if ! role_row=$(ask_role "$ROLE_ROW WHERE $role_which" 2>/dev/null); then
        ROLE_WHY='the server does not tell the settings of its roles'
        return 1
    fi
    [ -n "$role_row" ] || return 0
    role_number=${role_row%%"$US"*}
    role_row=${role_row#*"$US"}
    role_place=${role_row%%"$US"*}
    role_row=${role_row#*"$US"}
    role_flags=${role_row%"$US"*}
    ROLE_SET=${role_row##*"$US"}
}

reach_server_of_role() {
    # Without records rollback.sh looks at the steps before it looks for the server.
    [ -n "${BIN+set}" ] || find_server >/dev/null 2>&1 || true
    if [ -n "$ANOTHER_CLUSTER$SERVER_MISSING" ]; then
        ROLE_WHY='the server was not found'
        return 1
    fi
    [ -n "$POSTMASTER" ] || find_postmaster
    if [ -z "$POSTMASTER" ]; then
        ROLE_WHY='the server is down, and keeps the settings of roles in its catalogues'
    elif ! connect; then
        ROLE_WHY="the server accepts no connection: $CONNECT_ERROR"
    fi
    [ -z "$ROLE_WHY" ]
}

# Usage: role_words TEXT. What is set, for people, in WORDS.
role_words() {
    case $1 in
        =*) WORDS=${1#=} ;;
        -) WORDS='not set' ;;
        *) WORDS='no such role or database' ;;
    esac
}

# Usage: role_before NUMBER. What was set before us, in ROLE_BEFORE: as kept, else as planned.
role_before() {
    ROLE_BEFORE=${F4:+=$F4}
    ROLE_BEFORE=${ROLE_BEFORE:--}
    if [ -f "$KEPT/$1.value" ]; then
        ROLE_BEFORE=$(sed -n 2p "$KEPT/$1.value")
    fi
}

keep_rolesetting() {
    read_role "$1" || return 1
    [ -n "$ROLE_SET" ] || return 1
    printf '%s %s\n%s\n' "$role_number" "$role_place" "$ROLE_SET" >"$OWN/new/$1.value"
}

state_rolesetting() {
    STANDS=untold
    role_before "$1"
    role_words "$ROLE_BEFORE"
    BEFORE=$WORDS
    if ! read_role "$1"; then
        FOUND=$ROLE_WHY
        return 0
    fi
    role_words "$ROLE_SET"
    FOUND=$WORDS
    if [ "$ROLE_SET" = "$ROLE_BEFORE" ]; then
        STANDS=before
    elif [ "$ROLE_SET" = "=$F5" ]; then
        STANDS=after
    elif [ "$ROLE_BEFORE" = '=?' ] && [ -n "$ROLE_SET" ]; then
        STANDS=before
    else
        STANDS=other
    fi
}

stood_before_rolesetting() {
    role_before "$1"
    [ "$ROLE_BEFORE" = "=$F5" ]
}

check_rolesetting() {
    if ! read_role "$1"; then
        problem "$NAME: $ROLE_WHY"
        return 0
    fi
    [ -n "$ROLE_SET" ] || return 0
    is_role_value || problem "$NAME: $F5 is not a value that this bundle may set"
    case $role_flags in
        *"${US}t") problem "$NAME: the server is a standby, which has its roles from its primary: this belongs there" ;;
        *) ;;
    esac
    case $role_flags in
        t*) problem "$NAME: $F1 is a superuser, whose sessions maintain the server" ;;
        "f${US}f"*) problem "$NAME: $F1 cannot log in, and no other role takes over its settings" ;;
        *) ;;
    esac
}

# Whether the loaded step has a value of the shape that its setting takes.
is_role_value() {
    case $F3:$F5 in
        jit:on | jit:off | statement_timeout:0) return 0 ;;
        work_mem:[1-9]*[kMG]B) role_digits=${F5%??} ;;
        statement_timeout:[1-9]*ms) role_digits=${F5%ms} ;;
        statement_timeout:[1-9]*min) role_digits=${F5%min} ;;
        statement_timeout:[1-9]*[shd]) role_digits=${F5%?} ;;
        *) return 1 ;;
    esac
    is_number "$role_digits"
}

# Usage: alter_role WHAT. In the session that asks first whether it is this server; a standby that confirms commits may
# be down, and is not waited for. After a rename by the names of now.
alter_role() {
    # The last byte keeps ends of lines that are part of a name.
    role_name=$(ask_role "SELECT rolname || '.' FROM pg_roles WHERE oid = :'number'") || return 1
    role_name=${role_name%.}
    role_where=
    if [ "$role_place" != 0 ]; then
        role_database=$(ask_role "SELECT datname || '.' FROM pg_database WHERE oid = :'place'") || return 1
        role_database=${role_database%.}
        role_where='IN DATABASE :"database" '
    fi
    ask_role "BEGIN READ WRITE; SET LOCAL synchronous_commit = local; ALTER ROLE :\"role\" $role_where$1; COMMIT"
}

do_rolesetting() {
    doing "ALTER ROLE $F1${F2:+ IN DATABASE $F2} SET $F3 = '$F5'" || return 0
    is_role_value && read_role "$1" && [ -n "$ROLE_SET" ] && alter_role "SET :\"name\" = :'value'" &&
        state_rolesetting "$1" && [ "$STANDS" = after ]
}

undo_rolesetting() {
    role_before "$1"
    if [ "$ROLE_BEFORE" = - ]; then
        doing "ALTER ROLE $F1${F2:+ IN DATABASE $F2} RESET $F3" || return 0
        role_undo='RESET :"name"'
    else
        doing "ALTER ROLE $F1${F2:+ IN DATABASE $F2} SET $F3 = '${ROLE_BEFORE#=}'" || return 0
        role_undo="SET :\"name\" = :'value'"
    fi
    read_role "$1" && [ -n "$ROLE_SET" ] || return 1
    role_value=${ROLE_BEFORE#=}
    alter_role "$role_undo" && state_rolesetting "$1" && [ "$STANDS" = before ]
}

# Without the server, or on a standby, it cannot be taken back.
reach_rolesetting() {
    read_role "$1" || MISSING=$ROLE_WHY
    [ -z "$ROLE_SET" ] || case $role_flags in
        *"${US}t") MISSING='the server is a standby now: it is taken back on its primary' ;;
        *) ;;
    esac
}

# The guard at boot acts before the server is started.
unguarded_rolesetting() {
    name_rolesetting
    problem "$NAME: the server is not running so early in a boot, so the guard cannot revert this; use --watcher"
}

plan_rolesetting() {
    POSTGRES_STEPS=$((POSTGRES_STEPS + 1))
}

verify_rolesetting() {
    name_rolesetting
    VALUE='' remark=
    if ! read_role "$1"; then
        remark=$ROLE_WHY
    elif [ -z "$ROLE_SET" ]; then
        remark='there is no such role or database'
    elif [ "$ROLE_SET" = - ]; then
        remark='not set'
    else
        VALUE=${ROLE_SET#=}
        remark='for new sessions'
    fi
    tell rolesetting "$NAME" "$F5" "$VALUE" "$VALUE" pg_db_role_setting "$remark"
}

tell_done_rolesetting() {
    name_rolesetting
    say "$NAME: sessions that are connected already keep their value."
}

# Names may hold blanks, which part the words of KEYS.
keys_rolesetting() {
    role_key=$1:$2:$3
    while :; do
        case $role_key in *' '*) role_key=${role_key%%' '*}\\0040${role_key#*' '} ;; *) break ;; esac
    done
    KEYS="${KEYS}rolesetting:$role_key "
}
