#!/bin/sh
# Prints what differs from the plan, host by host: sh drifted.sh REPORTS HOST...
# Status 1 where anything differs, or where a host has no report.
set -eu
LC_ALL=C
export LC_ALL
reports=$1
shift
status=0
for host in ${1+"$@"}; do
    report=$reports/$host.json
    if ! grep -q '"schema": 1' "$report" 2>/dev/null; then
        echo "$host: could not be verified"
        status=1
    elif ! tail -n 2 "$report" | grep -q '^\], "as_planned": true}'; then
        status=1
        # An item is a line; escaped quotes stay as they are.
        sed -n -e '/"as_planned": false, \|"survives_reboot": false}/!d' \
            -e 's/^ *{"kind": "[^"]*", "name": "\(\([^"\\]\|\\.\)*\)", "planned": \(null\|"\([^"\\]\|\\.\)*"\), "running": \(null\|"\([^"\\]\|\\.\)*"\), "configured": \(null\|"\([^"\\]\|\\.\)*"\).*/'"$host"': \1: planned \3, running \5, configured \7/p' "$report"
        grep -q '"as_planned": false, \|"survives_reboot": false}' "$report" || echo "$host: not as planned: run verify.yml"
    fi
done
exit "$status"
