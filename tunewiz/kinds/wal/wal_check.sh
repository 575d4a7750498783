# shellcheck shell=dash # the variables of the scripts and the parts beside this one are read here
# May the write-ahead log move there? Asked before anything is changed: server, target, its file system, its room.

# File systems that are volatile, on a network, or without owners.
NO_WAL='tmpfs ramfs overlayfs nfs nfs4 smb2 cifs fuseblk fuse v9fs 9p ceph gpfs squashfs isofs msdos exfat ntfs'
# Options in /etc/fstab with which a server may be started before its log is mounted.
LATE_MOUNTS='noauto nofail _netdev'

check_wal() {
    if [ -z "$OWNER" ] || [ -z "$BIN" ]; then
        problem "$F1: the server's programs are needed to move it"
        return 0
    fi
    [ -z "$NO_RESTART" ] || problem "$F1: can be moved only while the server is stopped, which --no-restart forbids"
    check_wal_server
    check_wal_source
    wal_place=$WAL_NEW
    [ -d "$WAL_NEW" ] || wal_place=${WAL_NEW%/*}/
    if [ ! -d "$wal_place" ]; then
        problem "$F2: ${F2%/*} is not there (is its file system mounted?)"
        return 0
    fi
    check_wal_target
    check_wal_place
    [ "$STANDS" = between ] || check_wal_room
}

# Others than us may stop and start it, or rest on where it keeps its log.
check_wal_server() {
    [ ! -e "$ROOT$DATA/patroni.dynamic.json" ] || problem "$F1: Patroni owns this server; move the log with its tools"
    wal_standby=
    if [ -e "$ROOT$DATA/standby.signal" ] || [ -e "$ROOT$DATA/recovery.signal" ] || [ -e "$ROOT$DATA/recovery.conf" ]; then
        wal_standby=t
    elif [ -n "$POSTMASTER" ]; then
        wal_standby=$(ask 'SELECT pg_is_in_recovery()')
    fi
    [ "$wal_standby" != t ] || problem "$F1: the server is a standby; move the log of a standby by hand"
    [ -n "$POSTMASTER" ] || [ -n "$SERVER_WORD" ] || is_shut_down ||
        problem "$F1: the server is down but was not shut down cleanly; start it first"
}

# All of it must be what the server's owner can copy, owners included, and rename.
check_wal_source() {
    if [ ! -d "$WAL" ] || [ -L "$WAL" ]; then
        return 0
    fi
    wal_source=$(readlink -f "$WAL")
    if [ "$(stat -c %d "$WAL/")" != "$(stat -c %d "$ROOT$DATA/")" ] || mounted_words "${wal_source#"$ROOT"}"; then
        problem "$F1: is a mount of its own already"
    fi
    wal_foreign=$(find "$WAL/" ! -user "$OWNER_UID" -print | head -n 1)
    [ -z "$wal_foreign" ] || problem "${wal_foreign#"$ROOT"}: does not belong to $OWNER"
}

# The target itself: absent or empty, and only the server's owner can change or move it.
check_wal_target() {
    [ "$(readlink -f "$WAL_NEW")" = "$WAL_NEW" ] || problem "$F2: is a link, or is reached through one; name its target"
    case $F2/ in
        "$DATA"/*) problem "$F2: is inside the data directory" ;;
        *) ;;
    esac
    as_owner test -x "${WAL_NEW%/*}/" || problem "$F2: $OWNER may not enter ${F2%/*}"
    check_wal_way
    if [ ! -d "$WAL_NEW" ] || [ "$STANDS" = between ]; then
        return 0
    fi
    is_empty "$WAL_NEW" || problem "$F2: is not empty"
    [ "$(stat -c %u:%a "$WAL_NEW")" = "$OWNER_UID:700" ] ||
        problem "$F2: must belong to $OWNER with mode 0700, or not exist"
}

# Whoever may write to a directory above could put another log in the place of ours.
check_wal_way() {
    wal_way=${WAL_NEW%/*}
    while [ -n "$wal_way" ] && [ "$wal_way" != "$ROOT" ]; do
        wal_told=$(stat -c '%u %A' "$wal_way")
        case ${wal_told%% *} in
            0 | "$OWNER_UID") ;;
            *) problem "$F2: ${wal_way#"$ROOT"} belongs neither to root nor to $OWNER" ;;
        esac
        case ${wal_told#* } in
            ?????????[tT]*) ;;
            ?????w* | ????????w*) problem "$F2: others may write to ${wal_way#"$ROOT"}" ;;
            *) ;;
        esac
        wal_way=${wal_way%/*}
    done
}

# The file system that it lies on: fit for a log, another one, and there before the server starts.
check_wal_place() {
    wal_kind=$(stat -f -c %T "$wal_place")
    case " $NO_WAL " in
        *" $wal_kind "*) problem "$F2: the log cannot be on $wal_kind" ;;
        *) ;;
    esac
    check_writable "${wal_place#"$ROOT"}"
    if [ "$(stat -c %d "$wal_place")" = "$(stat -c %d "$ROOT$DATA/")" ]; then
        problem "$F2: is on the same file system as $F1: nothing would be gained"
        return 0
    fi
    wal_mount=$(stat -c %m "$wal_place")
    wal_mount=${wal_mount#"$ROOT"}
    if [ "$wal_mount" = "$F2" ]; then
        problem "$F2: name a directory below it: when unmounted, the empty mount point would pass for the log"
    elif [ "$wal_kind" != zfs ]; then
        check_wal_mount "${wal_mount:-/}"
    fi
}

# Usage: check_wal_mount MOUNT POINT
check_wal_mount() {
    if ! fstab_entry "$1"; then
        grep -Fxq -e "Where=$1" "$ROOT/etc/systemd/system"/*.mount 2>/dev/null ||
            problem "$F2: nothing mounts $1 at boot ($FSTAB does not name it)"
        return 0
    fi
    for wal_late in $LATE_MOUNTS; do
        case ,$ENTRY_WORDS, in
            *,"$wal_late",*) problem "$F2: $1 has $wal_late in $FSTAB: the server may start before it is mounted" ;;
            *) ;;
        esac
    done
}

# Usage: mebibytes PATH. What it takes, rounded up.
mebibytes() {
    mebi_kb=$(du -sk "$1" | cut -f 1)
    number_of "$mebi_kb" 0
    printf '%s\n' "$((NUMBER / 1024 + 1))"
}

# Usage: free_mebibytes PATH
free_mebibytes() {
    free_kb=$(df -Pk "$1" | tail -n 1 | tr -s ' ' | cut -d ' ' -f 4)
    number_of "$free_kb" 0
    printf '%s\n' "$((NUMBER / 1024))"
}

# Of the loaded setting: does it let the log grow further?
wal_may_grow() {
    [ "$F1" != max_wal_size ] || [ "$F6" -le "$WAL_LIMIT" ] || WAL_LIMIT=$F6
}

# To how many MiB the log may grow, as it is and as it is planned, in WAL_LIMIT.
find_wal_limit() {
    if [ -n "$POSTMASTER" ]; then
        setting_of max_wal_size || SETTING=0
        WAL_LIMIT=$SETTING
    else
        configured max_wal_size || CONFIGURED=0
        WAL_LIMIT=$CONFIGURED
    fi
    is_number "$WAL_LIMIT" || {
        problem "max_wal_size: expected a number from PostgreSQL, found $WAL_LIMIT"
        WAL_LIMIT=0
    }
    each_setting wal_may_grow
    # Up to PostgreSQL 9.6 it counts in segments of 16 MiB.
    case $MAJOR in 9.*) WAL_LIMIT=$((WAL_LIMIT * 16)) ;; esac
}

# What it may grow to, on top of what it holds now, and a sixteenth to spare.
check_wal_room() {
    find_wal_limit
    wal_need=$(mebibytes "$WAL/")
    wal_need=$((wal_need + WAL_LIMIT))
    wal_need=$((wal_need + wal_need / 16))
    wal_free=$(free_mebibytes "$wal_place")
    [ "$wal_free" -ge "$wal_need" ] || problem "$WAL_TARGET: may need $wal_need MiB, and $wal_free MiB are free there"
}
