# shellcheck shell=dash disable=SC2034,SC2016 # the scripts and the parts beside this one read its variables
# What the server's first process inherited from whoever started it; a server that we start must have the same.
#
# $OWN/inherited  NAME|VALUE, a line each
# $OWN/environ    its environment, as the kernel tells it

SERVER_HAS=
ENVIRON=
WE_HAVE=
# Set once it was found that the server can be given all of it: neither it nor we are changed while we run.
CAN_CARRY=

# Far more than any server has; it has to fit a command line.
ENVIRON_BYTES=100000

# Run by another shell: tells of process $1, or of that shell itself; $2 is empty where the environment counts too.
INHERITED_OF='
PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C
process=/proc/${1:-$$} environment=$2
tell() { printf "%s|%s\n" "$1" "$2"; }
while read -r name value; do
    case $name in
        Gid:) tell group "$value" ;;
        Groups:) tell "supplementary groups" "$value" ;;
        Cpus_allowed_list:) tell "CPU affinity" "$value" ;;
        Mems_allowed_list:) tell "allowed memory nodes" "$value" ;;
        CapBnd:) tell "capability bounding set" "$value" ;;
        NoNewPrivs:) tell "no_new_privs" "$value" ;;
        Seccomp:) tell "seccomp mode" "$value" ;;
        THP_enabled:) tell "transparent huge pages of the process" "$value" ;;
        *) ;;
    esac
done <"$process/status"
for name in oom_score_adj coredump_filter personality; do
    value=
    read -r value 2>/dev/null <"$process/$name"
    tell "$name" "$value"
done
tell "security context" "$(tr -d "\000" 2>/dev/null <"$process/attr/current")"
cd "$process/ns" && ls -ldn mnt net uts ipc pid user cgroup | sed -n "s/.* -> \(.*\):\(.*\)/\1 namespace|\2/p"
cd /
tell boot "$(cat /proc/sys/kernel/random/boot_id)"
tell "root directory" "$(readlink "$process/root")"
sort "$process/cgroup" | while IFS=: read -r _ name value; do tell "control group ${name:-unified}" "$value"; done
sed -n "s/^Max \([a-z]*\( [a-z]\{1,\}\)*\)  *\([0-9a-z]*\)  *\([0-9a-z]*\).*/limit of \1|\3:\4/p" "$process/limits"
tell "NUMA policy" "$(sed -n "/ stack/s/^[^ ]* \([^ ]*\).*/\1/p" "$process/numa_maps" 2>/dev/null)"
tell "I/O priority" "$(ionice -p "${process#/proc/}" 2>/dev/null)"
[ -n "$environment" ] || tell environment "$(tr "\000" "\012" <"$process/environ" |
    grep -v -e "^PG_GRANDPARENT_PID=" -e "^PGDATA=" -e "^PGLOCALEDIR=" -e "^PGSYSCONFDIR=" \
    -e "^PWD=" -e "^OLDPWD=" -e "^SHLVL=" -e "^_=" | sort | cksum)"
numbers=$(cat "$process/stat")
set -f
set -- ${numbers##*") "}
tell niceness "${17}"
tell "scheduling policy" "${39} ${38}"
'

# Whether the server is restarted by pg_ctl itself: Debian's pg_ctlcluster makes an environment of its own.
is_debian_way() {
    [ "$CLUSTER_KIND" = debian ] && command -v pg_ctlcluster >/dev/null
}

# Usage: inherited_of NUMBER. What that process has, in INHERITED.
inherited_of() {
    inherited_skip=
    ! is_debian_way || inherited_skip=1
    INHERITED=$(sh -c "$INHERITED_OF" sh "$1" "$inherited_skip" 2>/dev/null)
}

# The same of ourselves, in WE_HAVE: it stays so while we run.
know_ourselves() {
    [ -z "$WE_HAVE" ] || return 0
    inherited_of ''
    WE_HAVE=$INHERITED
}

# Usage: named TEXT NAME. The value that a line NAME|VALUE of the text gives, in NAMED.
named() {
    rest_of "$1" "$2|" || :
    NAMED=$REST
}

# Usage: is_otherwise NAME. Whether the server has it otherwise than we do; both in THEIRS and OURS.
is_otherwise() {
    named "$WE_HAVE" "$1"
    OURS=$NAMED
    named "$SERVER_HAS" "$1"
    THEIRS=$NAMED
    [ "$THEIRS" != "$OURS" ]
}

# Usage: differs_from TEXT. What the server has and the text has otherwise, a line each, in DIFFERENT.
differs_from() {
    DIFFERENT=
    lost_rest=$SERVER_HAS$NL
    while [ -n "$lost_rest" ]; do
        lost_line=${lost_rest%%"$NL"*}
        lost_rest=${lost_rest#*"$NL"}
        [ -n "$lost_line" ] || continue
        lost_name=${lost_line%%|*}
        named "$1" "$lost_name"
        [ "$NAMED" = "${lost_line#*|}" ] || DIFFERENT="$DIFFERENT$lost_name: the server has ${lost_line#*|}, it would be ${NAMED:-not known}$NL"
    done
}

# What the running server has, in SERVER_HAS; nothing where systemd or a supervisor starts it, which decide by themselves.
# As it was when this run began: what a restart of ours may have lost is not taken for it.
know_inherited() {
    [ -z "$SERVER_HAS" ] && [ -z "$UNIT" ] && [ -z "$KEEPER" ] || return 0
    inherited_of "$POSTMASTER"
    SERVER_HAS=$INHERITED ENVIRON=/proc/$POSTMASTER/environ
}

# Kept on disk: when it is needed, the server may be down.
remember_inherited() {
    printf '%s\n' "$SERVER_HAS" >"$OWN/inherited" && sync "$OWN/inherited" || return 1
    [ -n "$SERVER_HAS" ] || return 0
    head -c "$ENVIRON_BYTES" "/proc/$POSTMASTER/environ" >"$OWN/environ" && sync "$OWN/environ" || return 1
    ENVIRON=$OWN/environ
}

# For a server that is down. After a reboot nothing is left that a process could inherit.
recall_inherited() {
    SERVER_HAS=$(cat "$OWN/inherited" 2>/dev/null)
    ENVIRON=$OWN/environ
    named "$SERVER_HAS" boot
    know_boot
    [ "$NAMED" = "$BOOT_ID" ] || SERVER_HAS=
}

# Usage: options_of NUMBER. As the server writes them down in postmaster.opts: a blank and quotes for each.
options_of() {
    tr '\012\000' '?\012' 2>/dev/null <"/proc/$1/cmdline" | sed -e 1d -e 's/.*/ "&"/' | tr -d '\012'
}

# pg_ctl starts the server with what postmaster.opts says, read by a shell; pg_ctlcluster with what its own files say.
check_options() {
    SERVER_OPTIONS=$(options_of "$POSTMASTER")
    case $SERVER_OPTIONS in
        *[\\\`\$?]*) problem "the server was started with an option that pg_ctl cannot repeat:$SERVER_OPTIONS" ;;
        *) ;;
    esac
    if is_debian_way; then
        check_debian_options
        return 0
    fi
    options_kept=$(read_data postmaster.opts | head -n 1)
    [ " ${options_kept#* }" = "$SERVER_OPTIONS" ] ||
        problem "the server was started with$SERVER_OPTIONS, and postmaster.opts has ${options_kept#* }: pg_ctl would start it with the latter"
}

# Every option is one that pg_ctlcluster gives by itself, or stands in the cluster's pg_ctl.conf.
check_debian_options() {
    options_rest=$SERVER_OPTIONS
    options_own=$(read_file "$ROOT${CONFIG%/*}/pg_ctl.conf")
    while [ -n "$options_rest" ]; do
        options_rest=${options_rest#' "'}
        options_one=${options_rest%%'"'*}
        options_rest=${options_rest#"$options_one"'"'}
        case $options_one in
            -D | -c | "$DATA" | "$ROOT$DATA" | config_file=* | external_pid_file=* | -k | /*) continue ;;
            *) ;;
        esac
        case $options_own in
            *"$options_one"*) ;;
            *) problem "the server was started with $options_one, which pg_ctlcluster would not give it (pg_ctl.conf of the cluster)" ;;
        esac
    done
}

# A process is started as the server would be, and compared with it: what it lacks, a restart would lose.
check_inherited() {
    [ -n "$SERVER_HAS" ] || return 0
    check_options
    [ -z "$CAN_CARRY" ] || return 0
    know_ourselves
    if [ "$(head -c "$((ENVIRON_BYTES + 1))" "/proc/$POSTMASTER/environ" | wc -c)" -gt "$ENVIRON_BYTES" ]; then
        problem "the server's environment is longer than $ENVIRON_BYTES bytes"
        return 0
    fi
    inherited_skip=
    ! is_debian_way || inherited_skip=1
    probe_said=$(carried '' sh -c "$INHERITED_OF" sh '' "$inherited_skip" 2>/dev/null)
    differs_from "$probe_said"
    if [ -n "$DIFFERENT" ]; then tell_lost; else CAN_CARRY=1; fi
}

tell_lost() {
    while [ -n "$DIFFERENT" ]; do
        problem "a restart would lose the ${DIFFERENT%%"$NL"*}"
        DIFFERENT=${DIFFERENT#*"$NL"}
    done
}

# Of the server that runs after a restart. How many files it may open it may have raised itself.
has_inherited() {
    [ -n "$SERVER_HAS" ] || return 0
    inherited_of "$POSTMASTER"
    differs_from "$INHERITED"
    has_all=0
    while [ -n "$DIFFERENT" ]; do
        lost_line=${DIFFERENT%%"$NL"*}
        DIFFERENT=${DIFFERENT#*"$NL"}
        case $lost_line in 'limit of open files:'*) continue ;; *) ;; esac
        complain "  the restart changed the ${lost_line%, it would be*}, it is ${lost_line##*, it would be }"
        has_all=1
    done
    return "$has_all"
}
