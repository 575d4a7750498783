# shellcheck shell=dash disable=SC2016,SC2034,SC2154 # the dollar signs are sed's; other parts read the variables
# Which PostgreSQL servers run or are installed.

servers() {
    for process in "$ROOT"/proc/[0-9]*; do
        comm=
        [ ! -r "$process/comm" ] || IFS= read -r comm <"$process/comm"
        case $comm in postgres | postmaster | edb-postgres) server_process "${process#"$ROOT/proc/"}" ;; *) ;; esac
    done 2>/dev/null
    for config in "$ROOT${PG_CLUSTER_CONF_ROOT:-/etc/postgresql}"/*/*/postgresql.conf; do
        [ ! -f "$config" ] || packaged "${config#"$ROOT"}"
    done
    for directory in "$ROOT"/var/lib/pgsql/*/data "$ROOT"/var/lib/pgsql/data "$ROOT"/var/lib/postgresql/*/data \
        "$ROOT"/var/lib/postgresql/data "$ROOT"/var/lib/postgresql/*/docker "$ROOT"/var/lib/postgres/data \
        "$ROOT"/usr/local/pgsql/data; do
        [ ! -f "$directory/PG_VERSION" ] || cluster "${directory#"$ROOT"}" "${directory#"$ROOT"}/postgresql.conf"
    done
    for each in /var/run/postgresql /run/postgresql /tmp; do
        links_on "$each"
        for socket in "$ROOT$each"/.s.PGSQL.*; do
            case $socket in *.lock | *'*') ;; *) there "${socket#"$ROOT"}" ;; esac
        done
    done
    [ -z "$USERS" ] || say "T /etc/passwd"
    for each in $USERS; do say " $each"; done
}

# Usage: server_process NUMBER. A server's first process: one whose parent is none of a server.
server_process() {
    stat=
    IFS= read -r stat <"$ROOT/proc/$1/stat" || return 0
    # shellcheck disable=SC2086
    set -- "$1" ${stat##*') '}
    parent=$3 parents=
    [ ! -r "$ROOT/proc/$parent/comm" ] || IFS= read -r parents <"$ROOT/proc/$parent/comm"
    case $parents in postgres | postmaster | edb-postgres) return 0 ;; *) ;; esac
    arguments "$1" || return 0
    say "T /proc/$1/comm" && say " $comm"
    say "T /proc/$1/stat" && say " $1 ($comm) ${stat##*') '}"
    whole "/proc/$1/limits" '/^Max open files/!d'
    control_groups "$1"
    link "/proc/$1/ns/mnt"
    own_memory "$1"
    # Of the process that started it only whether it is Patroni.
    if tr '\000' ' ' <"$ROOT/proc/$parent/cmdline" 2>/dev/null | grep patroni >/dev/null 2>&1; then
        say "A /proc/$parent/cmdline" && say " patroni"
    fi
    # TARGET is the data directory: a server works there.
    if link "/proc/$1/cwd"; then cluster "$TARGET" "${CONFIG:-$TARGET/postgresql.conf}"; fi
}

# Usage: own_memory PROCESS. What each of fifty processes that it started has for itself.
own_memory() {
    whole "/proc/$1/task/$1/children"
    children=
    [ ! -r "$ROOT/proc/$1/task/$1/children" ] || IFS= read -r children <"$ROOT/proc/$1/task/$1/children" || :
    looked=0
    for each in $children; do
        whole "/proc/$each/status" '/^RssAnon:/!d'
        looked=$((looked + 1))
        [ "$looked" -lt 50 ] || break
    done
}

is_public() {
    case ${1%%=*} in
        *.* | *[Cc]onninfo* | *[Cc]ommand* | *[Pp]ass* | *[Ss]ecr* | *[Tt]oken* | *[Kk]ey*) return 1 ;;
        *) return 0 ;;
    esac
}

# Usage: arguments PROCESS. Only the settings of a server's command line; fails where it is no server's.
arguments() {
    config_of='s/^\(--\)\{0,1\}config[_-]file=//p;/^--\(single\|boot\|check\|describe-config\)$/s/.*/none/p'
    CONFIG=$(tr '\000' '\n' <"$ROOT/proc/$1/cmdline" 2>/dev/null | sed -n -e "$config_of" | tail -n 1)
    [ "$CONFIG" != none ] || return 1
    say "A /proc/$1/cmdline"
    tr '\000' '\n' <"$ROOT/proc/$1/cmdline" 2>/dev/null | {
        IFS= read -r argument && say " $argument"
        option=
        while IFS= read -r argument; do
            case $option:$argument in
                -c:*)
                    option=
                    if is_public "$argument"; then say ' -c' && say " $argument"; fi
                    ;;
                -?:*) say " $option" && say " $argument" && option= ;;
                :-[cDBNSpkh]) option=$argument ;;
                :--*=*) ! is_public "${argument#--}" || say " $argument" ;;
                :-c?*) ! is_public "${argument#-c}" || say " $argument" ;;
                :-[DBNSpkhFil]*) say " $argument" ;;
                *) ;;
            esac
        done
    }
}

# Usage: value_in FILE NAME. What a configuration file says last, in VALUE.
value_in() {
    # Not inside the brackets: some shells lose their way among the quotes there.
    value_of="s/^[[:space:]]*$2[[:space:]]*=*[[:space:]]*'\{0,1\}\([^'#$TAB]*\)'\{0,1\}.*/\1/p"
    VALUE=$(sed -n -e "$value_of" "$ROOT$1" 2>/dev/null | tail -n 1 | sed -e 's/ *$//')
}

# Usage: packaged CONFIG. A cluster of Debian's layout.
packaged() {
    there "${1%/*}/start.conf"
    value_in "$1" data_directory
    packaged_of=${1#"${PG_CLUSTER_CONF_ROOT:-/etc/postgresql}"/}
    cluster "${VALUE:-/var/lib/postgresql/${packaged_of%/postgresql.conf}}" "$1"
}
