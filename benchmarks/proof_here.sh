#!/bin/sh
# Runs `tunewiz prove bench` on this machine, on a server of its own that is removed afterwards.
#
#   sudo sh benchmarks/proof_here.sh same      A/A: how often is a difference claimed where nothing changed?
#   sudo sh benchmarks/proof_here.sh whole     the plan for this machine, in pairs
#   sudo sh benchmarks/proof_here.sh parts     ablation: what each part of the plan contributes
#
# Variables: RUN (length of a run, 6min: longer than PostgreSQL's checkpoint_timeout, which the plan leaves alone here),
# PAIRS (10), CYCLES (10), EXPERIMENTS (20, of six pairs of 5 s), SCALE (200), CLIENTS (16), OUT (where the results go).
# An arm takes about 1.6 RUN. With RUN=6min: whole 3.5 h, parts 15 h for four parts; with RUN=90s 1 h and 4 h, and the
# results say what they do not show. same takes an hour. Nothing else may run on the machine.
# The server is below DATA (default /var/lib/postgresql), with normal settings: fsync is on.
set -eu

BIN=${BIN:-/usr/lib/postgresql/15/bin}
RUN=${RUN:-6min} PAIRS=${PAIRS:-10} CYCLES=${CYCLES:-10} EXPERIMENTS=${EXPERIMENTS:-20}
SCALE=${SCALE:-200} CLIENTS=${CLIENTS:-16} PORT=${PORT:-54998}
HERE=$(cd "$(dirname "$0")/.." && pwd)
OUT=${OUT:-$PWD}
PLACE=$(mktemp -d)
CLUSTER=$(mktemp -d "${DATA:-/var/lib/postgresql}/proof-here-XXXXXX")
TUNEWIZ_STATE_DIR=$PLACE/state
export TUNEWIZ_STATE_DIR

as_postgres() {
    (cd / && setpriv --reuid=postgres --regid=postgres --init-groups "$@")
}

tunewiz() {
    "$HERE/.venv/bin/python" -m tunewiz "$@"
}

remove() {
    as_postgres "$BIN/pg_ctl" -s -D "$CLUSTER/data" -m fast stop || true
    rm -rf "$CLUSTER" "$PLACE"
}

server() {
    chown postgres:postgres "$CLUSTER"
    as_postgres "$BIN/initdb" -D "$CLUSTER/data" --auth=trust --encoding=UTF8 --locale=C.UTF-8 >"$PLACE/initdb.log"
    as_postgres mkdir "$CLUSTER/data/conf.d"
    as_postgres tee -a "$CLUSTER/data/postgresql.conf" >"$PLACE/added" <<END
include_dir = 'conf.d'
port = $PORT
listen_addresses = ''
unix_socket_directories = '$CLUSTER'
END
    as_postgres "$BIN/pg_ctl" -s -w -D "$CLUSTER/data" -l "$CLUSTER/server.log" start
    tunewiz facts --host "$CLUSTER" --port "$PORT" -o "$PLACE/facts.json"
}

# Usage: bundle NAME DECISIONS
bundle() {
    cat >"$PLACE/$1.toml" <<END
schema = 1
[workload]
kind = "oltp"
connections = 50
database_size = "$((SCALE * 15))MB"
[server]
data_directory = "$CLUSTER/data"
[decisions]
"pg.checkpoint_timeout" = { decline = true, note = "left alone, so that runs of six minutes pay for a checkpoint" }
$2
END
    tunewiz bundle --facts "$PLACE/facts.json" --answers "$PLACE/$1.toml" -o "$PLACE/$1" >"$PLACE/$1.log"
}

# Usage: prove BUNDLE OPTIONS ... The exit status is a verdict.
prove() {
    proved=$1
    shift
    tunewiz prove bench "$PLACE/$proved" --yes "$@" || status=$?
}

# Declines every change except one that affects no measurement.
nothing() {
    tunewiz plan --facts "$PLACE/facts.json" --answers "$PLACE/whole.toml" --json |
        sed -n 's/^ *"id": "\(.*\)",$/\1/p' | grep -v -e pg.checkpoint_timeout -e pg.log_lock_waits |
        sed 's/.*/"&" = { decline = true }/'
}

same() {
    bundle whole ''
    bundle same "$(nothing)"
    count=0 claims=0
    while [ "$count" -lt "$EXPERIMENTS" ]; do
        count=$((count + 1)) status=0
        prove same --pairs 6 --same-pairs 2 --run 5s --scale 10 --clients "$CLIENTS" -o "$OUT/same-$count.json"
        case $status in 0 | 1) claims=$((claims + 1)) ;; 3 | 4) ;; *) exit "$status" ;; esac
    done
    printf '%s of %s A/A experiments claimed something\n' "$claims" "$count"
}

trap remove EXIT
trap 'exit 130' INT TERM
status=0
server
case ${1:-} in
    same) same ;;
    whole)
        bundle whole ''
        prove whole --pairs "$PAIRS" --run "$RUN" --scale "$SCALE" --clients "$CLIENTS" -o "$OUT/whole.json"
        ;;
    parts)
        bundle whole ''
        prove whole --ablate --pairs "$CYCLES" --run "$RUN" --scale "$SCALE" --clients "$CLIENTS" -o "$OUT/parts.json"
        ;;
    *)
        sed -n 's/^# \{0,1\}//p' "$0" | sed -n '2,14p' >&2
        exit 2
        ;;
esac
