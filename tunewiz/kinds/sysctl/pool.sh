# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# The kernel's pool of huge pages, which all programs share: those of others are neither counted on nor taken away.

# How many pages of the pool the server holds itself, in OWN_PAGES.
own_pages() {
    OWN_PAGES=0
    [ -n "$POSTMASTER" ] && meminfo Hugepagesize || return 0
    own_unit=$MEMINFO own_size=
    while read -r own_name own_value _; do
        case $own_name:$own_value in
            Size::*) own_size=$own_value ;;
            KernelPageSize::"$own_unit") OWN_PAGES=$((OWN_PAGES + own_size / own_unit)) ;;
            *) ;;
        esac
    done <<END
$(sed -n '/anon_hugepage/,/^KernelPageSize/p' "/proc/$POSTMASTER/smaps" 2>/dev/null)
END
}

# Usage: foreign_pages. How many pages other programs hold, or were promised, in HELD.
foreign_pages() {
    HELD=0
    meminfo HugePages_Total || return 0
    foreign_total=$MEMINFO
    meminfo HugePages_Free && HELD=$((foreign_total - MEMINFO))
    meminfo HugePages_Rsvd && HELD=$((HELD + MEMINFO))
    own_pages
    HELD=$((HELD - OWN_PAGES))
    [ "$HELD" -ge 0 ] || HELD=0
}

# Of the loaded step: is there room for this server beside all that hold pages now?
check_pool() {
    foreign_pages
    [ "$((F7 + HELD))" -le "$F3" ] ||
        problem "$F1: planned $F3, of which this server needs $F7, and other programs now hold $HELD"
}

# Usage: pages_to_leave NAME VALUE. Of a value that a rollback is to write: no fewer pages than other programs hold,
# which are left to them and told. In PAGES; fails where it is another value.
pages_to_leave() {
    PAGES=$2
    [ "$1" = vm.nr_hugepages ] || return 0
    foreign_pages
    [ "$2" -lt "$HELD" ] || return 0
    complain "left alone, others now use it: $1 ($HELD pages are held by other programs; it was $2)"
    join "$FOREIGN_LEFT" "$1"
    FOREIGN_LEFT=$JOINED PAGES=$HELD
    return 1
}

# Whether the loaded step takes memory that the running server cannot use, for this run does not restart it.
later_sysctl() {
    [ -n "$F7" ] && [ -n "$POSTMASTER" ] && [ -n "$NO_RESTART" ]
}

# A server that insists on pages which are not reserved yet would not start again, whoever restarts it.
check_put_off() {
    asked_name=$F1 ASKED=
    each_setting note_asked
    [ -n "$ASKED" ] || ! setting_of huge_pages || ASKED=$SETTING
    [ "$ASKED" != on ] ||
        problem "$asked_name: without a restart the pages are not reserved, and with huge_pages = on the server would not start without them; plan with huge_pages = try, or leave out --no-restart"
}

# Of the loaded setting: what the next start asks for, in ASKED.
note_asked() {
    [ "$F1" != huge_pages ] || ASKED=$F6
}

waits_sysctl() {
    [ -z "$UNDOING" ] || return 0
    state_sysctl "$1"
    still_waits "$1" || return 0
    join "$WAITING" "$F1"
    WAITING=$JOINED
}

# After a start: pages that the server does not take are lost to everyone, and with huge_pages = try nothing tells.
runs_sysctl() {
    [ -n "$F7" ] && [ -z "$NO_RESTART$PRETEND" ] && [ "$F7" -gt 0 ] || return 0
    setting_of huge_pages && [ "$SETTING" != off ] && [ -n "$(head -n 1 "/proc/$POSTMASTER/smaps" 2>/dev/null)" ] || return 0
    own_pages
    [ "$OWN_PAGES" -eq 0 ] || return 0
    complain "  $F1: the restarted server uses none of the $F7 huge pages that are reserved for it; its log may say why"
    return 1
}
