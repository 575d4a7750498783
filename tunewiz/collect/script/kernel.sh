# shellcheck shell=dash disable=SC2016,SC2034,SC2154 # the dollar signs are sed's; other parts read the variables
# The kernel, its processors, nodes, memory and clock.

SECRET_OPTIONS='s/\([A-Za-z_]*\([Pp]ass\|[Ss]ecret\|[Tt]oken\|[Uu]ser\|[Cc]red\)[A-Za-z_]*\)=[^, ]*/\1=/g'

# What a partition was given; the file has serial numbers too.
OF_PARTITION='/qemu\|^capped=\|^capacity_weight=\|^shared_processor_mode=\|^pool_num_procs=\|^partition_\(active_processors\|potential_processors\|entitled_capacity\)=/!s/.*//'

kernel() {
    mine=/.tunewiz
    if [ -z "$ROOT" ]; then
        say "T $mine/machine" && say " $(uname -m)"
        if have getconf; then say "T $mine/page-size" && say " $(getconf PAGESIZE 2>/dev/null)"; fi
    fi
    identity
    whole /proc/cpuinfo 's/^\([Ss]erial[^:]*:\).*/\1/'
    for each in meminfo version mounts vmstat uptime pressure/memory self/mounts self/mountinfo 1/mountinfo; do
        whole "/proc/$each" "$SECRET_OPTIONS"
    done
    whole /proc/spl/kstat/zfs/arcstats '/^size\|^c_m/!d'
    whole /proc/stat '/^cpu\|^btime/!d'
    whole /proc/sysinfo 's/^\(Sequence Code:\).*/\1/;s/^\(.*UUID.*:\).*/\1/'
    firmware_time
    whole /proc/ppc64/lparcfg "$OF_PARTITION"
    whole /proc/powerpc/lparcfg "$OF_PARTITION"
    for each in "$ROOT"/proc/sys/vm/*; do
        case $each in
            */compact_memory | */drop_caches) ;;
            *) whole "${each#"$ROOT"}" ;;
        esac
    done
    for each in "$ROOT"/proc/sys/kernel/sched_* "$ROOT"/proc/sys/kernel/numa_balancing* \
        "$ROOT"/proc/sys/kernel/io_uring_disabled; do
        whole "${each#"$ROOT"}"
    done
    whole /proc/sys/fs/file-max
    interrupts
    for each in core/somaxconn ipv4/tcp_keepalive_time; do whole "/proc/sys/net/$each"; done
    for each in hostname osrelease arch; do whole "/proc/sys/kernel/$each"; done
    whole /etc/hostname
    whole /etc/os-release
    whole /usr/lib/os-release
}

# What the firmware of IBM Z counted for this partition; not for others, which it may show too.
firmware_time() {
    own=
    [ ! -r "$ROOT/proc/sysinfo" ] || own=$(sed -n 's/^LPAR Name: *\([A-Z0-9$#@_-]\{1,8\}\) *$/\1/p' "$ROOT/proc/sysinfo")
    [ -n "$own" ] || return 0
    small /sys/hypervisor/s390/hyp type
    for core in "$ROOT/sys/hypervisor/s390/systems/$own/cpus"/*; do
        [ ! -d "$core" ] || small "${core#"$ROOT"}" cputime mgmtime onlinetime
    done
}

# The sum of all devices' interrupts for each processor, as a table of one row: a large machine has megabytes.
interrupts() {
    [ -r "$ROOT/proc/interrupts" ] && have awk || return 0
    say 'T /proc/interrupts'
    awk 'NR == 1 { columns = NF; print " " $0 }
        $1 ~ /^[0-9]+:$/ && tolower($0) !~ /timer|ipi/ { for (i = 1; i <= columns; i++) sum[i] += $(i + 1) }
        END { printf " 0:"; for (i = 1; i <= columns; i++) printf " %.0f", sum[i]; print " sum" }' "$ROOT/proc/interrupts"
}

# Which host this is, so that a bundle recognizes it: the hash does not reveal the id.
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
    small "$CPU" online offline present possible dispatching smt/control dscr_default
    small "$CPU/cpu0/cpufreq" scaling_governor scaling_driver
    small "$CPU/cpuidle" current_driver
    for state in "$ROOT$CPU"/cpu0/cpuidle/state*; do small "${state#"$ROOT"}" name latency disable; done
    globbed '/sys/devices/cpu_*/cpus' "$CPU/cpu[0-9]*/regs/identification/midr_el1"
    for cpu in "$ROOT$CPU"/cpu[0-9]*; do
        [ -d "$cpu" ] || continue
        cpu=${cpu#"$ROOT"}
        say "D $cpu"
        [ ! -d "$ROOT$cpu/topology" ] || say "D $cpu/topology"
        # shellcheck disable=SC2086 # to be split
        small "$cpu" online cpu_capacity polarization $OF_CPU
    done
    there /dev/crypto/nx-gzip
    NODE=/sys/devices/system/node
    [ ! -d "$ROOT$NODE" ] || say "D $NODE"
    small "$NODE" online
    there $NODE/node0/access0 $NODE/node0/access1
    for node in "$ROOT$NODE"/node[0-9]*; do
        [ -d "$node" ] || continue
        node=${node#"$ROOT"}
        whole "$node/meminfo"
        whole "$node/distance"
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
    small /sys/kernel/sched_ext state root/ops
    names_in /sys/kernel/security
    whole /sys/kernel/security/lockdown
    names_in /sys/kernel/debug
    names_in /sys/kernel/debug/sched
    globbed '/sys/kernel/debug/sched/*_ns'
}
