#!/bin/sh
# Adds a step to the record of a host: sh record.sh FILE STATE
set -eu
mkdir -p "$(dirname "$1")"
printf '%s %s\n' "$(date +%s)" "$2" >>"$1"
