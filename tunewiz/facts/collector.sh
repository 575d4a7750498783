#!/bin/sh
# shellcheck shell=dash disable=SC2016 # the dollar signs are sed's
# Collects what tunewiz plans from, on a server that needs nothing but a POSIX shell.
#
#   sh collect.sh >server.tunewiz               better as root, which may read more
#   tunewiz facts --from server.tunewiz         elsewhere
#
# It only reads, and writes to standard output alone. It takes no serial numbers, keys, passwords, addresses of
# network cards, environments or command lines. Of the configuration of PostgreSQL it takes names and values, without
# comments, and without the values of settings that may hold a secret. The machine id goes out as a hash only.
# It does take the host's name, the names of mounts, disks and boot entries, and the directories of PostgreSQL.
#
# Every line is a record's head (a letter, a blank, a path) or, after a blank, one of its lines:
#   T text   A text whose lines are parted by NUL   B bytes in hexadecimal   L the target of a link
#   D a directory   E something that is there, its content not taken   N the same, but it may not be read
#   O owner: user, group, mode   S size of the file system and what is free, in thousands of bytes as df has it
# `end` is the last record, and after it stands the number of all lines before: a file without it was cut.

# A shell runs nothing of a group before it has read its end: a script that was cut on its way does nothing.
{
set -u
umask 077
LC_ALL=C
PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH
export LC_ALL PATH
unset IFS CDPATH ENV BASH_ENV GREP_OPTIONS

ROOT=${TUNEWIZ_ROOT:-}
MOST_INCLUDES=10
MOST_LINKS=20
NEWLINE='
'
TAB=$(printf '\t')

# mksh has no printf of its own: a process for every line would take minutes.
case ${KSH_VERSION:-} in
    *MIRBSD*)
        # shellcheck disable=SC3044
        say() { print -r -- "$1"; }
        ;;
    *) say() { printf '%s\n' "$1"; } ;;
esac

have() {
    command -v "$1" >/dev/null 2>&1
}

# A path that can stand on a line of its own.
plain() {
    case $1 in
        *"$NEWLINE"*) return 1 ;;
        *) return 0 ;;
    esac
}

denied() {
    say "N $1"
}

# Usage: small DIRECTORY NAME ... Those of the files of one line that are there, by one process for all:
# a large machine has tens of thousands. Not by the shell: it reads byte by byte, which some files do not bear.
small() {
    [ -d "$ROOT$1" ] || return 0
    case $1 in
        *[\&\|\\]* | *"$NEWLINE"*) return 0 ;;
        *) ;;
    esac
    small_dir=$1
    shift
    # /dev/null, so that names are told for a single file too. What may not be read is left out.
    (cd "$ROOT$small_dir" && grep -s '' "$@" /dev/null) | sed -n -e "s|^\([^:]*\):|T $small_dir/\1\\
 |p"
}

# Usage: whole PATH [SED-SCRIPT]. The content by cat, changed by the script.
whole() {
    [ -f "$ROOT$1" ] && plain "$1" || return 0
    if ! cat "$ROOT$1" >/dev/null 2>&1; then
        denied "$1"
        return 0
    fi
    say "T $1"
    # The last line may have no end: one more is added, and taken away where it is empty.
    { cat "$ROOT$1" 2>/dev/null | tr -d '\000' && echo; } | sed -e '${/^$/d' -e '}' -e "${2:-}" -e 's/^/ /'
}

there() {
    for there_path in "$@"; do
        plain "$there_path" || continue
        if [ -d "$ROOT$there_path" ]; then
            say "D $there_path"
        elif [ -e "$ROOT$there_path" ]; then
            say "E $there_path"
        fi
    done
}

# Usage: names_in DIRECTORY. What is in it, without contents; a directory that may not be listed is said.
names_in() {
    [ -d "$ROOT$1" ] || return 0
    if [ ! -r "$ROOT$1" ]; then
        denied "$1"
        return 0
    fi
    say "D $1"
    for names_entry in "$ROOT$1"/* "$ROOT$1"/.[!.]*; do
        if [ -e "$names_entry" ] || [ -L "$names_entry" ]; then there_or_link "${names_entry#"$ROOT"}"; fi
    done
}

there_or_link() {
    if [ -L "$ROOT$1" ]; then link "$1"; else there "$1"; fi
}

target_of() {
    TARGET=$(readlink "$ROOT$1" 2>/dev/null) || {
        TARGET=$(ls -ld "$ROOT$1" 2>/dev/null) || return 1
        TARGET=${TARGET#*' -> '}
    }
    [ -n "$TARGET" ] && plain "$TARGET"
}

link() {
    [ -L "$ROOT$1" ] && plain "$1" && target_of "$1" || return 1
    say "L $1"
    say " $TARGET"
}

# Usage: links_on PATH [DEPTH]. Every link on the way to the path.
links_on() {
    links_depth=${2:-0}
    [ "$links_depth" -lt "$MOST_LINKS" ] || return 0
    links_done=
    links_rest=${1#/}
    while [ -n "$links_rest" ]; do
        links_done=$links_done/${links_rest%%/*}
        case $links_rest in
            */*) links_rest=${links_rest#*/} ;;
            *) links_rest= ;;
        esac
        if link "$links_done"; then
            case $TARGET in
                /*) links_on "$TARGET${links_rest:+/$links_rest}" $((links_depth + 1)) ;;
                *) links_on "${links_done%/*}/$TARGET${links_rest:+/$links_rest}" $((links_depth + 1)) ;;
            esac
            return 0
        fi
    done
}

# Usage: globbed PATTERN ... Files under /sys; the patterns are expanded here.
globbed() {
    for globbed_pattern in "$@"; do
        for globbed_file in $ROOT$globbed_pattern; do
            whole "${globbed_file#"$ROOT"}"
        done
    done
}

# --- the kernel and its processors ------------------------------------------------------------------

SECRET_OPTIONS='s/\([A-Za-z_]*\([Pp]ass\|[Ss]ecret\|[Tt]oken\|[Uu]ser\|[Cc]red\)[A-Za-z_]*\)=[^, ]*/\1=/g'

kernel() {
    mine=/.tunewiz
    if [ -z "$ROOT" ]; then
        say "T $mine/machine" && say " $(uname -m)"
        if have getconf; then say "T $mine/page-size" && say " $(getconf PAGESIZE 2>/dev/null)"; fi
    fi
    identity
    whole /proc/cpuinfo 's/^\([Ss]erial[^:]*:\).*/\1/'
    for each in meminfo version mounts vmstat self/mounts self/mountinfo 1/mountinfo; do
        whole "/proc/$each" "$SECRET_OPTIONS"
    done
    whole /proc/stat '/^cpu\|^btime/!d'
    whole /proc/sysinfo 's/^\(Sequence Code:\).*/\1/;s/^\(.*UUID.*:\).*/\1/'
    whole /proc/ppc64/lparcfg '/qemu/!s/.*//'
    whole /proc/powerpc/lparcfg '/qemu/!s/.*//'
    for each in "$ROOT"/proc/sys/vm/*; do
        case $each in
            */compact_memory | */drop_caches) ;;
            *) whole "${each#"$ROOT"}" ;;
        esac
    done
    for each in "$ROOT"/proc/sys/kernel/sched_* "$ROOT"/proc/sys/kernel/numa_balancing*; do
        whole "${each#"$ROOT"}"
    done
    for each in hostname osrelease arch; do whole "/proc/sys/kernel/$each"; done
    whole /etc/hostname
    whole /etc/os-release
    whole /usr/lib/os-release
}

# Who this host is, so that a bundle knows it again: the hash says nothing of the id.
identity() {
    for id_file in /etc/machine-id /var/lib/dbus/machine-id; do
        id=
        [ ! -r "$ROOT$id_file" ] || IFS= read -r id <"$ROOT$id_file"
        case $id in
            *[!0-9a-f]* | '') continue ;;
            *) ;;
        esac
        hash=
        if have sha256sum; then
            hash=$(printf 'tunewiz:%s' "$id" | sha256sum)
        elif have openssl; then
            hash=$(printf 'tunewiz:%s' "$id" | openssl dgst -sha256 -r)
        fi
        [ -z "$hash" ] || { say "T /.tunewiz/identity" && say " ${hash%% *}"; }
        return 0
    done
}

CPU=/sys/devices/system/cpu
OF_CPU='topology/core_cpus_list topology/thread_siblings_list topology/core_cpus topology/thread_siblings
    topology/package_cpus_list topology/core_siblings_list topology/package_cpus topology/core_siblings
    topology/drawer_id topology/book_id topology/physical_package_id topology/die_id topology/cluster_id
    topology/core_id acpi_cppc/nominal_perf'
for index in 0 1 2 3 4 5 6 7 8 9; do
    for each in level type size shared_cpu_list shared_cpu_map; do OF_CPU="$OF_CPU cache/index$index/$each"; done
done

processors() {
    [ ! -d "$ROOT$CPU" ] || say "D $CPU"
    small "$CPU" online offline present possible dispatching smt/control
    globbed '/sys/devices/cpu_*/cpus' "$CPU/cpu0/regs/identification/midr_el1"
    for cpu in "$ROOT$CPU"/cpu[0-9]*; do
        [ -d "$cpu" ] || continue
        cpu=${cpu#"$ROOT"}
        say "D $cpu"
        [ ! -d "$ROOT$cpu/topology" ] || say "D $cpu/topology"
        # shellcheck disable=SC2086 # to be split
        small "$cpu" online cpu_capacity $OF_CPU
    done
    NODE=/sys/devices/system/node
    [ ! -d "$ROOT$NODE" ] || say "D $NODE"
    for node in "$ROOT$NODE"/node[0-9]*; do
        [ -d "$node" ] || continue
        node=${node#"$ROOT"}
        whole "$node/meminfo"
        # One by one: the list of a node without processors may be empty, and that is said too.
        for each in cpulist cpumap; do whole "$node/$each"; done
        globbed "$node/hugepages/hugepages-*/nr_hugepages"
        for each in "$ROOT$node"/cpu[0-9]*; do
            [ ! -e "$each" ] && [ ! -L "$each" ] || say "E ${each#"$ROOT"}"
        done
    done
}

memory_and_clock() {
    names_in /sys/kernel/mm
    for each in transparent_hugepage redhat_transparent_hugepage; do
        small "/sys/kernel/mm/$each" enabled defrag shmem_enabled
    done
    for each in "$ROOT"/sys/kernel/mm/hugepages/hugepages-*; do there "${each#"$ROOT"}"; done
    small /sys/kernel cpu_byteorder
    small /sys/devices/system/clocksource/clocksource0 current_clocksource available_clocksource
    names_in /sys/kernel/security
    whole /sys/kernel/security/lockdown
    names_in /sys/kernel/debug
    names_in /sys/kernel/debug/sched
    globbed '/sys/kernel/debug/sched/*_ns'
}

# --- what is around the kernel ----------------------------------------------------------------------

surroundings() {
    small /sys/class/dmi/id product_name sys_vendor board_vendor bios_vendor product_version bios_version
    whole /sys/hypervisor/type
    names_in /sys/hypervisor
    names_in /sys/bus/vmbus/devices
    there /proc/xen /proc/vz /proc/bc /.dockerenv /.dockerinit /run/.containerenv \
        /var/run/secrets/kubernetes.io /run/systemd/system /controller/manager /scripts/configure_spilo.py
    whole /run/systemd/container
    tree=/proc/device-tree
    names_in "$tree"
    for each in model compatible hypervisor/compatible; do strings "$tree/$each"; done
    if [ -r "$ROOT/proc/1/environ" ]; then
        told=$(tr '\000' '\n' <"$ROOT/proc/1/environ" 2>/dev/null | sed -n 's/^container=//p')
        [ -z "$told" ] || { say "T /proc/1/environ" && say " container=$told"; }
    fi
    whole /proc/1/sched '2,$d;s/.* (/init (/'
    whole /proc/self/status '/^s_context\|^VxID/!d'
    whole /proc/self/uid_map
    for each in pid uts ipc mnt; do link "/proc/self/ns/$each"; done
    for each in 1 self; do control_groups "$each"; done
}

# The device tree parts words by NUL.
strings() {
    [ -r "$ROOT$1" ] && [ -f "$ROOT$1" ] || return 0
    say "A $1"
    { tr '\000' '\n' <"$ROOT$1" && printf '\n'; } | sed -e '/^$/d' -e 's/^/ /'
}

# Usage: control_groups PROCESS. Its groups with all their ancestors, wherever they are mounted.
control_groups() {
    [ -r "$ROOT/proc/$1/cgroup" ] || return 0
    whole "/proc/$1/cgroup"
    while IFS=: read -r hierarchy controllers group; do
        case ,$controllers, in
            *,memory,* | *,cpu,* | *,cpuset,*) usual="/sys/fs/cgroup/$controllers $(printf %s "$controllers" | tr , ' ')" ;;
            ,,) usual='' ;;
            *) continue ;;
        esac
        [ -n "$hierarchy" ] && group_levels /sys/fs/cgroup "$group"
        for each in $usual; do group_levels "/sys/fs/cgroup/${each#/sys/fs/cgroup/}" "$group"; done
        mounted_groups "$group"
    done <"$ROOT/proc/$1/cgroup"
}

mounted_groups() {
    for table in /proc/self/mountinfo /proc/1/mountinfo; do
        [ -r "$ROOT$table" ] || continue
        # shellcheck disable=SC2094 # it is only read
        while read -r _ _ _ top point rest; do
            case $rest in
                *' - cgroup '* | *' - cgroup2 '*) ;;
                *) continue ;;
            esac
            below=
            case ${1%/}/ in "${top%/}"/*) below=${1#"${top%/}"} ;; *) ;; esac
            group_levels "${point%/}" "$below"
        done <"$ROOT$table"
        return 0
    done
    [ -r "$ROOT/proc/mounts" ] || return 0
    while read -r _ point kind _; do
        case $kind in cgroup | cgroup2) group_levels "${point%/}" "$1" ;; *) ;; esac
    done <"$ROOT/proc/mounts"
}

LEVELS=$NEWLINE

# Usage: group_levels MOUNTPOINT GROUP. The limits from the mount point down to the group.
group_levels() {
    level=$1
    level_rest=${2#/}
    while [ -d "$ROOT$level" ]; do
        case $LEVELS in *"$NEWLINE$level$NEWLINE"*) ;; *) group_level "$level" ;; esac
        [ -n "$level_rest" ] || return 0
        level=$level/${level_rest%%/*}
        case $level_rest in
            */*) level_rest=${level_rest#*/} ;;
            *) level_rest= ;;
        esac
    done
}

# Usage: group_level DIRECTORY. Its limits, told once.
group_level() {
    LEVELS=$LEVELS$1$NEWLINE
    say "D $1"
    small "$1" cgroup.controllers memory.max cpu.max cpuset.cpus.effective \
        memory.limit_in_bytes cpu.cfs_quota_us cpu.cfs_period_us cpuset.effective_cpus cpuset.cpus
    [ ! -f "$ROOT$1/memory.limit_in_bytes" ] || whole "$1/memory.stat" '/^hierarchical_memory_limit/!d'
}

# --- disks ------------------------------------------------------------------------------------------

disks() {
    [ ! -d "$ROOT/sys/block" ] || say "D /sys/block"
    for block in "$ROOT"/sys/block/*; do
        [ -d "$block" ] || continue
        name=${block##*/}
        link "/sys/block/$name"
        folder=$(cd "$block" 2>/dev/null && pwd -P) || continue
        folder=${folder#"$REAL_ROOT"}
        say "D $folder"
        small "$folder" dev dm/name
        small "$folder/device" transport
        case $name in nvme*) for path in "$ROOT$folder"/device/nvme*; do small "${path#"$ROOT"}" transport; done ;; *) ;; esac
        [ ! -d "$ROOT$folder/queue" ] || say "D $folder/queue"
        small "$folder/queue" rotational scheduler read_ahead_kb
        for part in "$ROOT$folder/$name"*; do
            [ ! -f "$part/partition" ] || small "${part#"$ROOT"}" partition dev
        done
        for slave in "$ROOT$folder"/slaves/*; do
            [ ! -e "$slave" ] && [ ! -L "$slave" ] || say "E ${slave#"$ROOT"}"
        done
    done
    for each in "$ROOT"/sys/fs/btrfs/*/devices; do
        [ ! -d "$each" ] || names_in "${each#"$ROOT"}"
    done
    for each in "$ROOT"/dev/mapper/* "$ROOT"/dev/root "$ROOT"/dev/disk/by-path/*; do
        [ ! -L "$each" ] || link "${each#"$ROOT"}"
    done
}

# --- who else keeps settings ------------------------------------------------------------------------

# A comment is taken only as the mark of a tool that manages the file.
MARKS='/^[[:space:]]*[#;]/{
s/.*[Oo]verwritten by Patroni.*/# overwritten by Patroni/
s/.*[Mm]anaged by [Aa]nsible.*/# ansible managed/
s/.*[Aa][Nn][Ss][Ii][Bb][Ll][Ee] [Mm][Aa][Nn][Aa][Gg][Ee][Dd].*/# ansible managed/
s/.*[Cc]loud-[Ii]nit.*/# cloud-init/
s/.*[Mm]anaged by [Pp]uppet.*/# managed by puppet/
s/.*\([Mm]anaged\|[Gg]enerated\) by [Cc]hef.*/# managed by chef/
s/.*[Mm]anaged by [Ss]alt.*/# managed by salt/
/^# \(overwritten by Patroni\|ansible managed\|cloud-init\|managed by [a-z]*\)$/!s/.*/#/
}'
OF_SYSCTL='/^#/!{/^[[:space:]]*-\{0,1\}\(vm[.\/]\|kernel[.\/]\(sched\|numa\)\)/!s/.*//
}'
OF_TMPFILES='/^#/!{/^w[^[:space:]]*[[:space:]]*"\{0,1\}\/\(sys\|proc\/sys\)\//!s/.*//
}'

owners() {
    for above in /etc /run /usr/local/lib /usr/lib /lib; do
        for each in "$ROOT$above"/sysctl.d/*.conf; do kept "${each#"$ROOT"}" "$OF_SYSCTL"; done
        for each in "$ROOT$above"/tmpfiles.d/*.conf; do kept "${each#"$ROOT"}" "$OF_TMPFILES"; done
    done
    kept /etc/sysctl.conf "$OF_SYSCTL"
    whole /etc/tuned/active_profile
    kept /etc/tuned/tuned-main.conf '/^#/!{/reapply_sysctl/!s/.*//
}'
    there /run/tuned/tuned.pid
    link /etc/systemd/system/multi-user.target.wants/tuned.service
    if [ -r "$ROOT/etc/tuned/active_profile" ]; then
        IFS= read -r active <"$ROOT/etc/tuned/active_profile"
        for each in $active; do tuned_profile "$each" 0; done
    fi
    for each in "$ROOT"/etc/patroni.yml "$ROOT"/etc/patroni.yaml "$ROOT"/etc/patroni/*.yml "$ROOT"/etc/patroni/*.yaml; do
        whole "${each#"$ROOT"}" '/^[[:space:]]*data_dir:/!s/.*//'
    done
    there /etc/patroni/~postgres-operator_cluster.yaml /usr/local/bin/docker-entrypoint.sh
}

# What a second boot entry hangs on: names and titles of entries, and which one is the default.
boot_loader() {
    there /boot /sys/firmware/opal /run/zipl/zipl.conf
    link /boot/loader
    for each in /efi /boot/efi /boot; do
        names_in "$each/loader/entries"
        whole "$each/loader/loader.conf" '/^default[[:space:]]/!d'
    done
    for each in "$ROOT"/boot/loader/entries/*.conf; do whole "${each#"$ROOT"}" '/^title[[:space:]]/!d'; done
    names_in /boot/efi/EFI
    for each in "$ROOT"/boot/grub2/grub.cfg "$ROOT"/boot/efi/EFI/*/grub.cfg; do
        whole "${each#"$ROOT"}" '/^[[:space:]]*blscfg[[:space:]]*$\|set default="${saved_entry}"/!d'
    done
    whole /boot/grub2/grubenv '/^saved_entry=/!d'
    whole /etc/zipl.conf '/^[[:space:]]*\[\|^[[:space:]]*default/!d'
    have od || return 0
    for each in LoaderInfo LoaderEntrySelected LoaderEntryDefault; do
        each=/sys/firmware/efi/efivars/$each-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f
        [ -r "$ROOT$each" ] || continue
        say "B $each"
        od -An -v -tx1 "$ROOT$each" 2>/dev/null
    done
}

# A file of settings without its comments; a link is kept, for one to /dev/null masks other files.
kept() {
    [ ! -L "$ROOT$1" ] || links_on "$1"
    whole "$1" "$MARKS
$2"
}

# Usage: tuned_profile NAME DEPTH. Its file, and those of the profiles that it includes.
tuned_profile() {
    case $1 in *[!A-Za-z0-9_.@-]* | .* | '') return 0 ;; *) ;; esac
    [ "$2" -lt "$MOST_INCLUDES" ] || return 0
    for above in /etc/tuned/profiles /etc/tuned /usr/lib/tuned/profiles /usr/lib/tuned; do
        [ -f "$ROOT$above/$1/tuned.conf" ] || continue
        kept "$above/$1/tuned.conf" ''
        for included in $(sed -n 's/^[[:space:]]*include[[:space:]]*=[[:space:]]*-*//p' "$ROOT$above/$1/tuned.conf" | tr ',' ' '); do
            (tuned_profile "${included##*/}" $(($2 + 1)))
        done
        return 0
    done
}

# --- PostgreSQL -------------------------------------------------------------------------------------

# Settings whose value may be secret, or an extension's, of which nothing is known: the name stays.
OF_POSTGRES="/^#/!{
s/^\([[:space:]]*[A-Za-z0-9_]*\.[A-Za-z0-9_.]*\).*/\1 = ''/
s/^\([[:space:]]*[A-Za-z0-9_]*[Cc][Oo][Nn][Nn][Ii][Nn][Ff][Oo][A-Za-z0-9_]*\).*/\1 = ''/
s/^\([[:space:]]*[A-Za-z0-9_]*[Cc][Oo][Mm][Mm][Aa][Nn][Dd][A-Za-z0-9_]*\).*/\1 = ''/
s/^\([[:space:]]*[A-Za-z0-9_]*[Pp][Aa][Ss][Ss][A-Za-z0-9_]*\).*/\1 = ''/
s/^\([[:space:]]*[A-Za-z0-9_]*[Ss][Ee][Cc][Rr][A-Za-z0-9_]*\).*/\1 = ''/
s/^\([[:space:]]*[A-Za-z0-9_]*[Tt][Oo][Kk][Ee][Nn][A-Za-z0-9_]*\).*/\1 = ''/
s/^\([[:space:]]*[A-Za-z0-9_]*[Kk][Ee][Yy][A-Za-z0-9_]*\).*/\1 = ''/
s/^\([^'#]*\)#.*/\1/
s/^\([^']*'[^']*'\)[[:space:]]*#.*/\1/
}"
USERS=

# Usage: owner PATH. Whose it is; the names of such users are told at the end.
owner() {
    owner_numbers=$(ls -ldn "$ROOT$1" 2>/dev/null) || return 0
    owner_names=$(ls -ld "$ROOT$1" 2>/dev/null) || return 0
    # shellcheck disable=SC2086 # to be split
    set -- "$1" $owner_numbers
    owner_uid=$4 owner_gid=$5
    # shellcheck disable=SC2086
    set -- "$1" $owner_names
    say "O $1"
    say " $owner_uid $owner_gid"
    case $4 in
        "$owner_uid") ;;
        *) USERS="$USERS $4:x:$owner_uid:" ;;
    esac
}

# Usage: space PATH. The file system that it is on.
space() {
    [ -z "$ROOT" ] || return 0
    space_line=$(df -Pk "$1" 2>/dev/null | tail -n 1) || return 0
    # shellcheck disable=SC2086
    set -- "$1" $space_line
    case ${3:-x}${5:-x} in *[!0-9]*) return 0 ;; *) ;; esac
    space_real=$(cd "$1" 2>/dev/null && pwd -P) || space_real=$1
    say "S $space_real"
    say " $3 $5"
}

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
    control_groups "$1"
    link "/proc/$1/ns/mnt"
    # Of the process that started it only whether it is Patroni.
    if tr '\000' ' ' <"$ROOT/proc/$parent/cmdline" 2>/dev/null | grep patroni >/dev/null 2>&1; then
        say "A /proc/$parent/cmdline" && say " patroni"
    fi
    # TARGET is the data directory: a server works there.
    if link "/proc/$1/cwd"; then cluster "$TARGET" "${CONFIG:-$TARGET/postgresql.conf}"; fi
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

# Usage: cluster DIRECTORY CONFIG.
cluster() {
    plain "$1" || return 0
    links_on "$1"
    configuration "$2" 0
    [ -d "$ROOT$1" ] || return 0
    if [ ! -x "$ROOT$1" ] || [ ! -r "$ROOT$1" ]; then
        denied "$1"
        owner "$1"
        return 0
    fi
    say "D $1"
    owner "$1"
    space "$1"
    whole "$1/PG_VERSION"
    whole "$1/postmaster.pid"
    there "$1/standby.signal" "$1/recovery.signal" "$1/patroni.dynamic.json"
    whole "$1/recovery.conf" '/^[[:space:]]*standby_mode/!s/.*//'
    whole "$1/custom.conf" "$MARKS
$OF_POSTGRES"
    configuration "$1/postgresql.auto.conf" 0
    if have od && [ -r "$ROOT$1/global/pg_control" ]; then
        say "B $1/global/pg_control"
        od -An -v -tx1 -N12 "$ROOT$1/global/pg_control" 2>/dev/null
    fi
    for each in "$1/pg_wal" "$1/pg_xlog" "$ROOT$1"/pg_tblspc/*; do
        each=${each#"$ROOT"}
        [ -d "$ROOT$each" ] || continue
        links_on "$each"
        [ -L "$ROOT$each" ] || say "D $each"
        space "$each"
    done
}

# Usage: configuration FILE DEPTH. The file and what it includes.
configuration() {
    [ -f "$ROOT$1" ] && [ "$2" -lt "$MOST_INCLUDES" ] || return 0
    kept "$1" "$OF_POSTGRES"
    sed -n "s/^[[:space:]]*\(include_dir\|include_if_exists\|include\)[[:space:]]*=*[[:space:]]*'\{0,1\}\([^'#]*\)'\{0,1\}.*/\1 \2/p" \
        "$ROOT$1" 2>/dev/null | while read -r how which || [ -n "$how" ]; do
        case $which in /*) ;; *) which=${1%/*}/$which ;; esac
        case $how in
            include_dir)
                names_in "$which"
                for each in "$ROOT$which"/*.conf; do (configuration "${each#"$ROOT"}" $(($2 + 1))); done
                ;;
            *) (configuration "$which" $(($2 + 1))) ;;
        esac
    done
}

collect() {
    say 'tunewiz-collection 1'
    kernel
    processors
    memory_and_clock
    surroundings
    disks
    boot_loader
    owners
    servers
    say end
}

main() {
    if [ -t 1 ]; then
        echo "collect.sh: writes to standard output: sh collect.sh >server.tunewiz" >&2
        exit 2
    fi
    if [ -n "$ROOT" ] && ! ROOT=$(cd "$ROOT" && pwd -P); then exit 2; fi
    REAL_ROOT=$ROOT
    collect 2>/dev/null | sed -n -e p -e '$='
}
}

main "$@"
