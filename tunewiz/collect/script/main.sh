# shellcheck shell=dash disable=SC2016,SC2034,SC2154 # the dollar signs are sed's; other parts read the variables
# The order of everything.

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
