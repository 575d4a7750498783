#!/bin/sh
# Are these hosts finished, by the last line of their records? sh finished.sh RECORDS STATE HOST...
set -eu
records=$1 state=$2
shift 2
status=0
for host in ${1+"$@"}; do
    last=
    [ ! -f "$records/$host" ] || last=$(tail -n 1 "$records/$host")
    if [ "${last#* }" != "$state" ]; then
        printf '%s: expected %s, found %s\n' "$host" "$state" "${last#* }" >&2
        status=1
    fi
done
exit "$status"
