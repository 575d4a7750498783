# shellcheck shell=dash disable=SC2016,SC2034,SC2154 # the dollar signs are sed's; other parts read the variables
# Disks with their queues, and which devices are on which disk.

# The second part of a mainframe disk's uid is the serial number of its storage server.
NO_SERIAL='s/^\([^.]*\)\.[^.]*\./\1.-./'

disks() {
    [ ! -d "$ROOT/sys/block" ] || say "D /sys/block"
    for block in "$ROOT"/sys/block/*; do
        [ -d "$block" ] || continue
        name=${block##*/}
        link "/sys/block/$name"
        folder=$(cd "$block" 2>/dev/null && pwd -P) || continue
        folder=${folder#"$REAL_ROOT"}
        say "D $folder"
        small "$folder" dev dm/name dm/uuid
        [ ! -d "$ROOT$folder/device" ] || say "D $folder/device"
        small "$folder/device" transport model state iopolicy queue_depth discipline
        ways "$folder"
        case $name in
            nvme*) for path in "$ROOT$folder"/device/nvme*; do small "${path#"$ROOT"}" transport state; done ;;
            *) ;;
        esac
        [ ! -d "$ROOT$folder/queue" ] || say "D $folder/queue"
        small "$folder/queue" rotational scheduler read_ahead_kb nr_requests wbt_lat_usec \
            minimum_io_size optimal_io_size logical_block_size
        for part in "$ROOT$folder/$name"*; do
            [ ! -f "$part/partition" ] || small "${part#"$ROOT"}" partition dev
        done
        for slave in "$ROOT$folder"/slaves/*; do
            [ ! -e "$slave" ] && [ ! -L "$slave" ] || say "E ${slave#"$ROOT"}"
        done
    done
    aliases
    for each in "$ROOT"/sys/fs/btrfs/*/devices; do
        [ ! -d "$each" ] || names_in "${each#"$ROOT"}"
    done
    for each in "$ROOT"/dev/mapper/* "$ROOT"/dev/root "$ROOT"/dev/disk/by-path/*; do
        [ ! -L "$each" ] || link "${each#"$ROOT"}"
    done
}

# Usage: ways FOLDER. How a mainframe disk is reached over channels, or a SCSI disk by Fibre Channel.
ways() {
    case $1 in
        */block/dasd*)
            whole "$1/device/uid" "$NO_SERIAL"
            small "$1/device" hpf path_masks
            small "${1%/*/block/*}" chpids pimpampom
            ;;
        */host*/rport-*)
            port=${1%%/rport-*}
            small "$port/fc_host/${port##*/}" port_type
            ;;
        *) ;;
    esac
}

# Mainframe disks and the devices that serve them too.
aliases() {
    driver=/sys/bus/ccw/drivers/dasd-eckd
    [ -d "$ROOT$driver" ] || return 0
    say "D $driver"
    for each in "$ROOT$driver"/*.*.*; do
        small "${each#"$ROOT"}" alias
        whole "${each#"$ROOT"}/uid" "$NO_SERIAL"
    done
}
