# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Values of a disk's request queue. The disk is identified by a name that persists, here and by udev.
#
# A step is  queue|NAME|LINK|scheduler or read_ahead_kb or nr_requests|BEFORE|VALUE.
# LINK is its persistent name under /dev/disk.

UDEV_FILE=/etc/udev/rules.d/99-tunewiz.rules

# Another scheduler sets values of its own for these.
QUEUE_COMPANIONS='nr_requests wbt_lat_usec'

# Whether the planned disk is there, whatever its name is now; in DISK: where its persistent name leads.
queue_disk() {
    DISK=$(readlink "$ROOT$F2") && DISK=/sys/block/${DISK##*/} && [ -d "$ROOT$DISK/queue" ]
}

name_queue() {
    NAME="$F1 $F3"
}

keep_queue() {
    queue_disk && sysfs_read "$DISK/queue/$F3" && printf '%s\n' "$VALUE" >"$OWN/new/$1.value" || return 1
    [ "$F3" = scheduler ] || return 0
    for companion in $QUEUE_COMPANIONS; do
        ! sysfs_read "$DISK/queue/$companion" || printf '%s\n' "$VALUE" >"$OWN/new/$1.$companion" || return 1
    done
}

state_queue() {
    STANDS=other
    FOUND="no disk is called $F2"
    BEFORE=$F4
    queue_disk || return 0
    FOUND='nothing readable'
    sysfs_read "$DISK/queue/$F3" || return 0
    FOUND=$VALUE
    [ ! -f "$KEPT/$1.value" ] || BEFORE=$(cat "$KEPT/$1.value")
    if [ "$FOUND" = "$BEFORE" ] || [ "$BEFORE" = '?' ]; then
        STANDS=before
    elif [ "$FOUND" = "$F5" ]; then
        STANDS=after
    fi
}

check_queue() {
    queue_disk || return 0
    [ "$F3" = scheduler ] || return 0
    case " $(tr -d '[]' <"$ROOT$DISK/queue/scheduler") " in
        *" $F5 "*) ;;
        *) problem "$F1: its kernel does not offer the scheduler $F5" ;;
    esac
}

do_queue() {
    queue_disk && sysfs_write "$DISK/queue/$F3" "$F5"
}

undo_queue() {
    queue_disk && sysfs_write "$DISK/queue/$F3" "$(cat "$KEPT/$1.value")" || return 1
    for companion in $QUEUE_COMPANIONS; do
        [ -f "$KEPT/$1.$companion" ] || continue
        kept_value=$(cat "$KEPT/$1.$companion")
        sysfs_read "$DISK/queue/$companion" && [ "$VALUE" != "$kept_value" ] || continue
        sysfs_write "$DISK/queue/$companion" "$kept_value" || return 1
    done
}

# A rules file after ours that sets the same value of whatever disk, in RIVAL.
rival_queue() {
    set -- /etc/udev/rules.d /run/udev/rules.d /usr/local/lib/udev/rules.d /usr/lib/udev/rules.d /lib/udev/rules.d
    RIVAL=$(rival_names after "${UDEV_FILE##*/}" "$@" | while IFS= read -r rival; do
        first_of "$rival" "$@"
        [ -f "$ROOT$FIRST" ] || continue
        ! grep -e "ATTR{queue/$F3}=\"" "$ROOT$FIRST" >/dev/null 2>&1 || printf '%s\n' "$FIRST"
    done | tail -n 1)
    [ -n "$RIVAL" ]
}

# What our rule sets for the disk, in GIVEN.
queue_configured() {
    GIVEN=
    [ -f "$ROOT$UDEV_FILE" ] || return 0
    while IFS= read -r line; do
        case $line in
            *"SYMLINK==\"${F2#/dev/}\", ATTR{queue/$F3}=\""*)
                GIVEN=${line##*=\"}
                GIVEN=${GIVEN%\"}
                ;;
            *) ;;
        esac
    done <"$ROOT$UDEV_FILE"
}

verify_queue() {
    VALUE='' remark='' verify_from=$UDEV_FILE
    if queue_disk; then
        sysfs_read "$DISK/queue/$F3" || VALUE=
        [ "$DISK" = "/sys/block/$F1" ] || remark="called ${DISK##*/} now"
    else
        remark='the disk is not there'
    fi
    queue_configured
    if rival_queue; then
        GIVEN='' verify_from=$RIVAL remark="$RIVAL overrides it at the next boot"
    fi
    tell queue "/sys/block/$F1/queue/$F3" "$F5" "$VALUE" "$GIVEN" "$verify_from" "$remark"
}

keys_queue() {
    KEYS="${KEYS}queue:$2:$3 "
}

gives_queue() {
    case $1:$2 in udev:*"\"${F2#/dev/}\", ATTR{queue/$F3}") return 0 ;; *) return 1 ;; esac
}

file_key_udev() {
    KEY=${1%=*}
}
