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
