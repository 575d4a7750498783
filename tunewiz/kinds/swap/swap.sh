# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# A swap file: made, switched on, listed in /etc/fstab.
#
# A step is  swap|PATH|MEBIBYTES.

# File systems on which the kernel takes no swap file, or only a prepared one.
NO_SWAP='tmpfs ramfs overlayfs nfs nfs4 smb2 cifs fuseblk zfs squashfs 9p'

name_swap() {
    NAME=$F1
}

# Its line of /etc/fstab, in SWAP_LINE.
swap_line() {
    SWAP_LINE="$F1 none swap sw 0 0"
}

# Usage: swap_used PATH. What is swapped to it in kB, in USED; fails where the kernel does not swap to it.
swap_used() {
    while read -r swap_name _ _ USED _; do
        [ "$swap_name" != "$1" ] || return 0
    done 2>/dev/null <"$ROOT/proc/swaps"
    USED=
    return 1
}

keep_swap() {
    cp -a "$ROOT$FSTAB" "$OWN/new/$1.before"
}

state_swap() {
    swap_line
    swap_parts=
    [ ! -e "$ROOT$F1" ] && [ ! -L "$ROOT$F1" ] || swap_parts='file'
    ! swap_used "$F1" || swap_parts="$swap_parts on"
    ! has_line "$ROOT$FSTAB" "$SWAP_LINE" || swap_parts="$swap_parts listed"
    BEFORE='nothing there' FOUND=${swap_parts:-nothing}
    case $swap_parts in
        '') STANDS=before ;;
        'file on listed') STANDS=after ;;
        *) STANDS=other ;;
    esac
    [ "$STANDS" != other ] || ! was_intended "$1" || STANDS=between
}

check_swap() {
    check_fstab
    for need_program in mkswap swapon swapoff; do
        own_program "$need_program" || problem "$F1: $need_program was not found"
    done
    swap_dir=$ROOT${F1%/*}/
    if [ ! -d "$swap_dir" ]; then
        problem "$F1: its directory is not there"
        return 0
    fi
    swap_kind=$(stat -f -c %T "$swap_dir")
    case " $NO_SWAP " in
        *" $swap_kind "*) [ -n "$PRETEND" ] || problem "$F1: a swap file cannot be on $swap_kind" ;;
        *) ;;
    esac
    case $swap_kind:$(lsattr -d "$swap_dir" 2>/dev/null) in
        btrfs:*C*' '*) ;;
        btrfs:*) problem "$F1: on btrfs its directory must be marked first (chattr +C), or the kernel refuses it" ;;
        *) ;;
    esac
    swap_free=$(df -Pk "$swap_dir" | tail -n 1 | tr -s ' ' | cut -d ' ' -f 4)
    number_of "$swap_free" 0
    swap_free=$((NUMBER / 1024))
    # In MiB, with which 32-bit shells can calculate, and a sixteenth to spare.
    [ "$swap_free" -ge "$((F2 + F2 / 16))" ] ||
        problem "$F1: needs $F2 MiB, and $swap_free MiB are free there"
}

# Filled block by block: with holes, or on some file systems with blocks only promised, the kernel refuses it.
do_swap() {
    doing "make the swap file $F1 of $F2 MiB, switch it on, and list it in $FSTAB" || return 0
    if ! swap_used "$F1"; then
        rm -f "$ROOT$F1" && dd if=/dev/zero of="$ROOT$F1" bs=1048576 count="$F2" 2>/dev/null &&
            chmod 0600 "$ROOT$F1" && sync "$ROOT$F1" "$ROOT${F1%/*}/" || return 1
        swap_said=$(mkswap "$ROOT$F1" 2>&1 && swapon "$ROOT$F1" 2>&1) || complain "  $swap_said"
        swap_used "$F1" || return 1
    fi
    has_line "$ROOT$FSTAB" "$SWAP_LINE" || edit_fstab '' "$SWAP_LINE" "$KEPT/$1.before"
}

undo_swap() {
    doing "switch the swap file $F1 off, and remove it" || return 0
    if swap_used "$F1"; then
        meminfo MemAvailable || MEMINFO=0
        if [ "$((USED / 1024))" -gt "$((MEMINFO / 1024))" ]; then
            complain "  $((USED / 1024)) MiB are swapped to it, only $((MEMINFO / 1024)) MiB of memory are available"
            return 1
        fi
        swap_said=$(swapoff "$ROOT$F1" 2>&1) || complain "  $swap_said"
        ! swap_used "$F1" || return 1
    fi
    ! has_line "$ROOT$FSTAB" "$SWAP_LINE" || edit_fstab "$SWAP_LINE" '' "$KEPT/$1.before" || return 1
    rm -f "$ROOT$F1" && sync "$ROOT${F1%/*}/"
}

verify_swap() {
    swap_line
    VALUE='' GIVEN='' remark=''
    ! swap_used "$F1" || VALUE=on
    ! has_line "$ROOT$FSTAB" "$SWAP_LINE" || GIVEN=on
    [ -z "$USED" ] || remark="$((USED / 1024)) MiB used"
    tell swap "$F1" on "$VALUE" "$GIVEN" "$FSTAB" "$remark"
}

sweep_swap() {
    sweep_beside "$ROOT$FSTAB"
}
