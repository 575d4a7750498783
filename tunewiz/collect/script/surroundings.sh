# shellcheck shell=dash disable=SC2016,SC2034,SC2154 # the dollar signs are sed's; other parts read the variables
# What is around the kernel: firmware, hypervisor, container, and the limits of control groups.

surroundings() {
    small /sys/class/dmi/id product_name sys_vendor board_vendor bios_vendor product_version bios_version
    virtual_bit
    whole /sys/hypervisor/type
    names_in /sys/hypervisor
    names_in /sys/bus/vmbus/devices
    there /proc/xen /proc/vz /proc/bc /.dockerenv /.dockerinit /run/.containerenv \
        /var/run/secrets/kubernetes.io /run/systemd/system /sys/firmware/acpi /controller/manager /scripts/configure_spilo.py
    whole /run/systemd/container
    whole /run/host/container-manager
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

# The beginning of the one structure about the firmware: the tables hold serial numbers too.
virtual_bit() {
    have od || return 0
    entry=/sys/firmware/dmi/entries/0-0/raw
    tables=/sys/firmware/dmi/tables/DMI
    if [ -f "$ROOT$entry" ] && [ -r "$ROOT$entry" ]; then
        say "B $entry"
        od -An -v -tx1 -N20 "$ROOT$entry" 2>/dev/null
    elif [ -f "$ROOT$tables" ] && [ -r "$ROOT$tables" ]; then
        told=$(od -An -v -tu1 "$ROOT$tables" 2>/dev/null | tr -s ' ' '\n' | sed '/^$/d' | first_about_firmware)
        [ -z "$told" ] || { say "B /.tunewiz/bios" && say " $told"; }
    elif [ -e "$ROOT$entry" ]; then
        denied "$entry"
    elif [ -e "$ROOT$tables" ]; then
        denied "$tables"
    fi
}

# Bytes as decimal numbers, one a line, in; the first 20 of the structure of type 0, in hexadecimal, out.
# Each structure has its type, its length, and texts after it that two zero bytes end.
first_about_firmware() {
    place=0 zeros=0 kind='' length=0
    while IFS= read -r byte; do
        case $place in
            0) kind=$byte ;;
            1) length=$byte ;;
            *) ;;
        esac
        if [ "$place" -lt 2 ] || [ "$place" -lt "$length" ]; then
            if [ "$kind" = 0 ] && [ "$place" -lt 20 ]; then printf ' %02x' "$byte"; fi
        else
            [ "$kind" != 0 ] || break
            if [ "$byte" = 0 ]; then zeros=$((zeros + 1)); else zeros=0; fi
        fi
        place=$((place + 1))
        [ "$zeros" -lt 2 ] || { place=0 zeros=0 length=0; }
    done
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
    small "$1" cgroup.controllers cgroup.type memory.max memory.high cpu.max cpuset.cpus.effective \
        memory.limit_in_bytes cpu.cfs_quota_us cpu.cfs_period_us cpuset.effective_cpus cpuset.cpus
    for each in "$ROOT$1"/hugetlb.*.max "$ROOT$1"/hugetlb.*.limit_in_bytes; do
        [ ! -f "$each" ] || small "$1" "${each##*/}"
    done
    [ ! -f "$ROOT$1/memory.limit_in_bytes" ] || whole "$1/memory.stat" '/^hierarchical_memory_limit/!d'
}
