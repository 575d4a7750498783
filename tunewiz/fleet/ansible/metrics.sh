#!/bin/sh
# Writes what differs from the plan for node_exporter's textfile collector: sh metrics.sh BUNDLE DIRECTORY
set -eu
umask 022
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C
export PATH LC_ALL
report=$(sh "$1/verify.sh" --json) && planned=1 || planned=0
case $report in
    '{"schema": 1, '*) ;;
    *)
        echo "metrics.sh: $1/verify.sh printed no report" >&2
        exit 2
        ;;
esac

# Labels have the same escapes as JSON strings; an item is a line.
metrics() {
    echo '# HELP tunewiz_as_planned Whether the host is as its bundle planned it, also after a reboot.'
    echo '# TYPE tunewiz_as_planned gauge'
    echo "tunewiz_as_planned $planned"
    echo '# HELP tunewiz_difference A value that is not as planned.'
    echo '# TYPE tunewiz_difference gauge'
    printf '%s\n' "$report" |
        sed -n -e '/"as_planned": false, \|"survives_reboot": false}/!d' \
            -e 's/^ *{"kind": \("[^"]*"\), "name": \("\([^"\\]\|\\.\)*"\), "planned": \(null\|"\([^"\\]\|\\.\)*"\), "running": \(null\|"\([^"\\]\|\\.\)*"\), "configured": \(null\|"\([^"\\]\|\\.\)*"\).*/tunewiz_difference{kind=\1,name=\2,planned=\4,running=\6,configured=\8} 1/' \
            -e 's/=null/=""/g' -e '/^tunewiz_difference/p'
    echo '# HELP tunewiz_verified_seconds When this was looked at.'
    echo '# TYPE tunewiz_verified_seconds gauge'
    echo "tunewiz_verified_seconds $(date +%s)"
}

# The directory is often node_exporter's own: no link is followed that was laid there.
cd -P -- "$2"
rm -f tunewiz.prom.??????
new=$(mktemp -u tunewiz.prom.XXXXXX)
metrics | dd of="$new" conv=excl status=none
mv -fT "$new" tunewiz.prom
