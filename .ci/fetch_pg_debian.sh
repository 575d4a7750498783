#!/bin/sh
# Fetches a PostgreSQL server that has no Maven package yet from Debian's suites sid and experimental.
#
#   .ci/fetch_pg_debian.sh MAJOR FOLDER      the server takes the place of FOLDER
#
# The programs bring their own C library, since that of this machine may be older: they name their loader by a path
# that is padded with slashes to a fixed length, so that a copy of the folder can be given its own (.loader holds it).
#
#   PG_OFFLINE=1     nothing is downloaded
#   DEBIAN_MIRROR    where from; without it, where this machine's own packages of Debian come from
#
# Exit 0: it is there, 2: usage, 4: it could not be had, and one line says why.
set -eu
umask 022

SECONDS_TO_FETCH=150
LENGTH_OF_LOADER=240

[ $# -eq 2 ] || { sed -n '2,/^set -eu/{/^set -eu/d;s/^#\{1,\} \{0,1\}//p;}' "$0" >&2 && exit 2; }
major=$1 target=$2
# shellcheck disable=SC2016 # apt-get replaces it
: "${DEBIAN_MIRROR:=$(apt-get indextargets --format '$(SITE)' 2>/dev/null | grep -m 1 '/debian$' || :)}"

fail() {
    printf '  %s\n' "$*" >&2
    exit 4
}

[ "${PG_OFFLINE:-0}" != 1 ] || fail "PG_OFFLINE=1 forbids to download it"
[ -n "$DEBIAN_MIRROR" ] || fail "this machine has no packages of Debian, and DEBIAN_MIRROR names no mirror"
for tool in mmdebstrap timeout python3; do
    command -v "$tool" >/dev/null 2>&1 || fail "'$tool' is missing (Debian: apt-get install $tool)"
done
mkdir -p "$(dirname "$target")"
work=$(mktemp -d "$(dirname "$target")/.debian.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Packages are unpacked and not configured: nothing of them runs but patchelf and the server itself.
cat >"$work/pin" <<'PIN'
Package: *postgres* libpq*
Pin: release a=experimental
Pin-Priority: 900
PIN
timeout "$SECONDS_TO_FETCH" mmdebstrap --quiet --variant=extract --include="postgresql-$major,patchelf" \
    --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::http::Timeout "15"' \
    --aptopt='Acquire::Retries "1"' --aptopt='APT::Sandbox::User "root"' \
    --setup-hook="mkdir -p \"\$1/etc/apt/preferences.d\" && cp '$work/pin' \"\$1/etc/apt/preferences.d/postgres\"" \
    sid "$work/root" "deb $DEBIAN_MIRROR sid main" "deb $DEBIAN_MIRROR experimental main" \
    </dev/null >"$work/log" 2>&1 ||
    fail "mmdebstrap: $(grep -m 1 -e 'Failed to fetch' -e '^E:' "$work/log" || echo "no answer within $SECONDS_TO_FETCH seconds")"

usr=$work/root/usr server=$work/server
programs=$usr/lib/postgresql/$major/bin
libraries=$(dirname "$(find "$usr/lib" -name libc.so.6 | head -n 1)")
loader=$(find "$libraries" -maxdepth 1 -name 'ld-linux*.so.*' -o -maxdepth 1 -name 'ld64.so.*' | head -n 1)
[ -x "$programs/postgres" ] && [ -n "$loader" ] || fail "the packages hold no postgres, or no loader"
with_root() { # PROGRAM [ARGUMENT ...]
    "$loader" --library-path "$libraries" "$@"
}

# Programs and shared files keep their places beside each other: by these a server finds the latter.
mkdir -p "$server/usr/lib/postgresql" "$server/usr/share/postgresql" "$server/usr/lib/own"
cp -R "$usr/lib/postgresql/$major" "$server/usr/lib/postgresql/"
cp -R "$usr/share/postgresql/$major" "$server/usr/share/postgresql/"
rm -rf "$server/usr/lib/postgresql/$major/lib/pgxs"
ln -s "usr/lib/postgresql/$major/bin" "$server/bin"
cp "$loader" "$server/usr/lib/own/loader"
for program in "$programs"/*; do
    with_root --list "$program" 2>/dev/null || :
done | sed -n 's|.* => \(/[^ ]*\) (.*|\1|p' | sort -u | while read -r library; do
    case $library in "$libraries"/*) cp -L "$library" "$server/usr/lib/own/" ;; esac
done

folder=$(cd "$(dirname "$target")" && pwd)/$(basename "$target")
named=$(python3 -c 'import sys; print(sys.argv[1].rjust(int(sys.argv[2]), "/"))' "$folder/usr/lib/own/loader" \
    "$LENGTH_OF_LOADER")
[ ${#named} -eq "$LENGTH_OF_LOADER" ] || fail "$folder: longer than $LENGTH_OF_LOADER characters"
for program in "$server/bin"/*; do
    head -c 4 "$program" | grep -q ELF || continue
    # shellcheck disable=SC2016 # the loader's own variable
    with_root "$usr/bin/patchelf" --set-interpreter "$named" --force-rpath --set-rpath '$ORIGIN/../../../own' \
        "$program" >>"$work/log" 2>&1 || fail "patchelf: $(tail -n 1 "$work/log")"
done
printf '%s\n' "$named" >"$server/.loader"
chmod -R a+rX,go-w "$server"
rm -rf "${folder:?}"
mv "$server" "$folder"
found=$("$folder/bin/postgres" -V 2>&1) || :
case $found in
    "postgres (PostgreSQL) $major"*) ;;
    *) rm -rf "${folder:?}" && fail "expected PostgreSQL $major, found '$found'" ;;
esac
