#!/bin/sh
# Fetches the servers of the test matrix: one of each major version of PostgreSQL, by its Maven package name, or from
# Debian while Maven has no package of a new major (fetch_pg_debian.sh).
#
#   .ci/fetch_pg.sh [MAJOR ...]      every major without arguments; what is there already is left alone
#
# A server lands in a folder of its major's name under TUNEWIZ_PG_MATRIX; without that variable, in
# tunewiz/postgres under the user's cache directory. It holds postgres, initdb and pg_ctl, no clients.
#
#   PG_OFFLINE=1     nothing is downloaded: only Maven's local repository is asked
#   MAVEN_REPO       Maven's local repository, ~/.m2/repository without it
#   MVN              the Maven command
#
# One line for each server that could not be had says why. Exit 0: all are there, 2: usage, 4: some are not.
set -eu
umask 022

MAJORS='9.5 9.6 10 11 12 13 14 15 16 17 18 19'
# What Debian has before Maven does: release candidates too.
NEWEST=19
SECONDS_TO_FETCH=120

: "${MVN:=mvn}" "${HOME:=/root}"
repository=${MAVEN_REPO:-$HOME/.m2/repository}
target=${TUNEWIZ_PG_MATRIX:-${XDG_CACHE_HOME:-$HOME/.cache}/tunewiz/postgres}

say() { printf '%s\n' "$*" >&2; }

# The package version of each major: a release that is known to be there, not whatever is newest today.
pinned() {
    case $1 in
        9.5) echo 0.7.1 ;; 9.6) echo 9.6.24 ;; 10) echo 10.23.0 ;; 11) echo 11.22.1 ;; 12) echo 12.22.0 ;; 13) echo 13.23.0 ;;
        14) echo 14.24.0 ;; 15) echo 15.19.0 ;; 16) echo 16.15.0 ;; 17) echo 17.11.0 ;; 18) echo 18.6.0 ;;
        19) echo 19.0.0 ;;
        *) return 1 ;;
    esac
}

# What 'postgres -V' must print: packages of 10 and newer carry a third number of their own, that of 9.5 another.
release() { # MAJOR VERSION
    case $1 in
        9.5) echo 9.5.3 ;;
        9.*) echo "$2" ;;
        *) echo "${2%.*}" ;;
    esac
}

architecture() {
    case $(uname -m) in
        x86_64 | amd64) echo amd64 ;;
        aarch64 | arm64) echo arm64v8 ;;
        ppc64le) echo ppc64le ;;
        *) return 1 ;;
    esac
}

# Maven's own words go to a file: they matter only when it fails.
download() { # COORDINATES
    if [ "${PG_OFFLINE:-0}" = 1 ]; then
        say "  it is not in $repository, and PG_OFFLINE=1 forbids to download it"
        return 1
    fi
    if ! command -v "$MVN" >/dev/null 2>&1; then
        say "  '$MVN' is missing (Debian: apt-get install maven)"
        return 1
    fi
    limit=
    if command -v timeout >/dev/null 2>&1; then limit="timeout $SECONDS_TO_FETCH"; fi
    # shellcheck disable=SC2086 # two words or none
    if $limit "$MVN" -q -B -Dstyle.color=never -Dmaven.repo.local="$repository" dependency:get -Dtransitive=false \
        -Dartifact="$1" </dev/null >"$work/maven.log" 2>&1; then return; fi
    say "  Maven: $(grep -m 1 ERROR "$work/maven.log" || echo "no answer within $SECONDS_TO_FETCH seconds")"
    return 1
}

# One archive is for Linux. Python checks its sums and lets nothing land outside its folder.
unpack() { # JAR FOLDER
    python3 - "$1" "$2" <<'PY'
import io
import sys
import tarfile
import zipfile

jar, folder = sys.argv[1:]
with zipfile.ZipFile(jar) as outer:
    (name,) = (
        each
        for each in outer.namelist()
        if each.endswith(".txz") and "Darwin" not in each and "Windows" not in each
    )
    content = io.BytesIO(outer.read(name))
with tarfile.open(fileobj=content, mode="r:xz") as inner:
    inner.extractall(folder, filter="data")
PY
}

fetch_from_debian() { # MAJOR
    [ "$1" = "$NEWEST" ] || return 1
    if has "$1" debian; then
        touch "$target/$1/.fetched"
        return
    fi
    say "fetching PostgreSQL $1 from Debian"
    "$(dirname "$0")/fetch_pg_debian.sh" "$1" "$target/$1" || return 1
    echo debian >"$target/$1/.fetched"
}

fetch() { # MAJOR VERSION
    case $1:$arch in
        9.5:amd64) GROUP=com.opentable.components PACKAGE=otj-pg-embedded ;;
        9.5:*) say "  its programs can be had for x86_64 alone" && return 1 ;;
        *) GROUP=io.zonky.test.postgres PACKAGE=embedded-postgres-binaries-linux-$arch ;;
    esac
    jar=$repository/$(echo "$GROUP" | tr . /)/$PACKAGE/$2/$PACKAGE-$2.jar
    if [ ! -s "$jar" ]; then
        say "fetching PostgreSQL $1: $GROUP:$PACKAGE:$2"
        download "$GROUP:$PACKAGE:$2" || return 1
    fi
    rm -rf "$work/server"
    mkdir "$work/server"
    unpack "$jar" "$work/server" >"$work/unpack.log" 2>&1 || {
        say "  $jar is damaged ($(tail -n 1 "$work/unpack.log")): remove it and try again"
        return 1
    }
    found=$("$work/server/bin/postgres" -V 2>&1) || {
        say "  its postgres does not run here: $found"
        return 1
    }
    case $found in
        "postgres (PostgreSQL) $(release "$1" "$2")") ;;
        *) say "  expected PostgreSQL $(release "$1" "$2"), found '$found'" && return 1 ;;
    esac
    # The server's user, who is not ours, must be able to run it.
    chmod -R a+rX,go-w "$work/server"
    echo "$2" >"$work/server/.fetched"
    rm -rf "${target:?}/$1"
    mv "$work/server" "$target/$1"
}

has() { # MAJOR VERSION
    [ -x "$target/$1/bin/postgres" ] && [ "$(cat "$target/$1/.fetched" 2>/dev/null)" = "$2" ]
}

# Where Debian's is there, Maven is asked again a day later.
is_there() { # MAJOR VERSION
    has "$1" "$2" || {
        [ "$1" = "$NEWEST" ] && has "$1" debian &&
            { [ "${PG_OFFLINE:-0}" = 1 ] || [ -z "$(find "$target/$1/.fetched" -mtime +0)" ]; }
    }
}

case ${1:-} in
    -*)
        sed -n '2,/^set -eu/{/^set -eu/d;s/^#\{1,\} \{0,1\}//p;}' "$0" >&2
        exit 2
        ;;
esac
# shellcheck disable=SC2086 # one word each
[ $# -gt 0 ] || set -- $MAJORS
for major in "$@"; do
    pinned "$major" >/dev/null || { say "no package is known for PostgreSQL '$major', only for: $MAJORS" && exit 2; }
done

arch=$(architecture) || { say "no server packages are made for $(uname -m): none could be fetched" && exit 4; }
mkdir -p "$target"
work=$(mktemp -d "$target/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

missing=
for major in "$@"; do
    version=$(pinned "$major")
    if ! is_there "$major" "$version" && ! fetch "$major" "$version" && ! fetch_from_debian "$major"; then
        say "PostgreSQL $major could not be fetched"
        missing=yes
    fi
done
[ -z "$missing" ] || exit 4
