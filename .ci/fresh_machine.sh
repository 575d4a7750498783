#!/bin/sh
# Runs the README's two commands on a machine that has nothing of ours: a minimal Debian root made of packages, with
# Python, make and a clean checkout. `make wizard` to its first page in a terminal, `make test` to its summary; then
# looks for what the two have left outside the checkout and did not name.
#
#   .ci/fresh_machine.sh
#   TESTS="tests/core" .ci/fresh_machine.sh      with a part of the tests only
#
# The packages come from where this machine takes them, with this machine's settings for apt, pip and TLS.
# Exit 0: both ended well and left nothing unnamed. 1: not so. 3: no such root can be made here, and one line says why.
set -eu
umask 022
cd "$(dirname "$0")/.."

PLACE=/srv/tunewiz
# Where apt, dpkg and every mount keep their own, and what is made here for the trial.
APART='^/(run/(mount|blkid)|var/lib/(apt|dpkg)|var/cache/(apt|debconf)|var/log|trial|srv/tunewiz)(/|$)'

say() { printf 'fresh machine: %s\n' "$*"; }
cannot() {
    say "left out: $*"
    exit 3
}

[ "$(id -u)" -eq 0 ] || cannot "only root can make a root directory of packages"
command -v mmdebstrap >/dev/null || cannot "mmdebstrap is missing (Debian: apt-get install mmdebstrap)"
unshare --mount --pid --fork true 2>/dev/null || cannot "no mount and process namespaces are to be had here"
# shellcheck disable=SC1091 # the system's own
suite=$(. /etc/os-release && [ "${ID:-}" = debian ] && echo "${VERSION_CODENAME:-}") || suite=
[ -n "$suite" ] || cannot "this is not a release of Debian, so it names no sources of packages for one"

scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/tunewiz-fresh.XXXXXX")
root=$scratch/root
# The mounts are in namespaces that are gone by then.
trap 'rm -rf --one-file-system "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# Sources of this release alone: others have keys that a new machine has not.
sources() {
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
        if grep -qsE "(^|[[:space:]])$suite([[:space:]]|\$)" "$file"; then printf '%s\n' "$file"; fi
    done
}

make_root() {
    set --
    # shellcheck disable=SC2013 # one file name a line, without blanks
    for file in $(grep -lsiE '^[[:space:]]*Acquire' /etc/apt/apt.conf /etc/apt/apt.conf.d/*); do
        set -- "$@" "--aptopt=$file"
    done
    # shellcheck disable=SC2046 # one file name a word
    mmdebstrap --quiet --mode=root --variant=minbase --include=python3,make "$@" "$suite" "$root" $(sources) \
        >"$scratch/mmdebstrap.log" 2>&1
}

# What is exported to pip and TLS here, as lines of a shell script; a file that it names is copied beside it.
settings() {
    for variable in $(env | sed -nE 's/^((PIP|SSL|REQUESTS|CURL)_[A-Z_]+|[A-Za-z]+_(proxy|PROXY))=.*/\1/p'); do
        eval "value=\$$variable"
        if [ "${value#/}" != "$value" ] && [ -e "$value" ]; then
            mkdir -p "$root/trial$(dirname "$value")"
            [ -e "$root/trial$value" ] || cp -RL "$value" "$root/trial$value"
            value=/trial$value
        fi
        printf "export %s='%s'\n" "$variable" "$(printf %s "$value" | sed "s/'/'\\\\''/g")"
    done
}

# Every file with its size and time, every directory by its name.
# A line for each, whatever its name holds.
listing() { find "$1" -xdev -type d -printf '/%P/\0' -o -printf '/%P %s %T@\0' | tr '\n\0' '?\n' | LC_ALL=C sort; }

prepare() {
    # mount and umount keep their notes there.
    mkdir -p "$root/run/mount" "$root$PLACE" "$root/trial/old"
    # Every machine that was booted once has an identity.
    od -An -N16 -tx1 /dev/urandom | tr -d ' \n' >"$root/etc/machine-id"
    settings >"$root/trial/settings"
    if [ -e /etc/pip.conf ]; then cp -L /etc/pip.conf "$root/etc/pip.conf"; fi
    git archive HEAD | tar -x -C "$root$PLACE"
    # What dpkg brings, whoever asked for it, is what was not there before it began.
    cat >"$root/trial/look" <<'LOOK'
#!/bin/sh
listing() { find / -xdev -type d -printf '/%P/\0' -o -printf '/%P %s %T@\0' | tr '\n\0' '?\n' | LC_ALL=C sort; }
case $1 in
    before) listing >/trial/before ;;
    after) listing | LC_ALL=C comm -13 /trial/before - >>/trial/by-dpkg ;;
esac
LOOK
    chmod +x "$root/trial/look"
    : >"$root/trial/by-dpkg"
    cat >"$root/etc/apt/apt.conf.d/zz-trial" <<'CONF'
DPkg::Pre-Invoke { "/trial/look before"; };
DPkg::Post-Invoke { "/trial/look after"; };
CONF
    # As who has just logged in: no variable but these and the settings of this machine.
    cat >"$scratch/enter" <<ENTER
set -eu
mount --make-rprivate /
mount --bind '$root' '$root'
cd '$root'
mount -t proc proc proc
mount --rbind /sys sys
mount --rbind /dev dev
pivot_root . trial/old
umount -l /trial/old
exec env -i CI="${CI:-}" TERM=xterm-256color LC_ALL=C.UTF-8 HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    /bin/sh -c '. /trial/settings && cd $PLACE && exec "\$@"' sh "\$@"
ENTER
}
inside() { unshare --mount --pid --fork --kill-child /bin/sh "$scratch/enter" "$@"; }

failed=
try() { # FUNCTION COMMAND ...
    began=$(date +%s)
    status=0
    "$@" >"$scratch/shown" 2>&1 || status=$?
    shift
    say "$*: exit status $status after $(($(date +%s) - began)) s; its last lines:"
    tail -n 24 "$scratch/shown" | sed 's/^/    /'
    cat "$scratch/shown" >>"$scratch/said"
    [ "$status" -eq 0 ] || failed="$failed $*;"
}

# An ordinary user cannot bring anything: one line asks for all of it, and nothing is made.
ask_as_nobody() {
    inside setpriv --reuid=65534 --regid=65534 --clear-groups make test >"$scratch/shown" 2>&1 || true
    say "make test, as an ordinary user:"
    sed 's/^/    /' "$scratch/shown"
    listing "$root" >"$scratch/asked"
    if [ "$(grep -vc '^make: ' "$scratch/shown")" -ne 1 ] || ! cmp -s "$scratch/before" "$scratch/asked"; then
        failed="$failed an ordinary user is not asked for what is missing in one line, before anything is made;"
    fi
}

in_a_terminal() {
    PYTHONPATH=tests/support .venv/bin/python .ci/first_page.py "$(command -v unshare)" --mount --pid --fork --kill-child \
        /bin/sh "$scratch/enter" "$@"
}

# A file or directory is named by its own path, or by that of a directory that holds it.
unnamed() {
    covered=
    while read -r path; do
        # What is in a directory that is named comes right after it.
        case $path in "$covered"/*) [ -z "$covered" ] || continue ;; esac
        named=
        part=${path%/}
        while [ -n "$part" ]; do
            if grep -qF -- "$part" "$scratch/said"; then
                named=yes
                covered=$part
                break
            fi
            part=${part%/*}
            case $part in */*/*) ;; *) break ;; esac
        done
        [ -n "$named" ] || printf '%s\n' "$path"
    done
}

say "making a minimal Debian $suite with python3 and make"
make_root || {
    tail -n 5 "$scratch/mmdebstrap.log"
    cannot "mmdebstrap could not make it (its last lines stand above)"
}
prepare
listing "$root" >"$scratch/before"
: >"$scratch/said"
ask_as_nobody
try in_a_terminal make wizard
try inside make test ${TESTS:+"TESTS=$TESTS"}
# The README's third way, whose environment is its own.
inside sh -c "python3 -m venv /trial/tunewiz && /trial/tunewiz/bin/pip install -q ." >"$scratch/shown" 2>&1 || cat "$scratch/shown"
try in_a_terminal /trial/tunewiz/bin/tunewiz
listing "$root" >"$scratch/after"

LC_ALL=C sort "$root/trial/by-dpkg" >"$scratch/by-dpkg"
LC_ALL=C comm -13 "$scratch/before" "$scratch/after" | LC_ALL=C comm -23 - "$scratch/by-dpkg" |
    sed -E 's/ [0-9]+ [0-9.]+$//' | grep -vE "$APART" >"$scratch/left" || true
unnamed <"$scratch/left" >"$scratch/unnamed"
if [ -s "$scratch/unnamed" ]; then
    say "left outside the checkout and not named:"
    head -n 40 "$scratch/unnamed" | sed 's/^/    /'
    failed="$failed $(wc -l <"$scratch/unnamed") files or directories that were left;"
fi
[ -z "$failed" ] || {
    say "FAILED:${failed%;}"
    exit 1
}
say "both commands ended well and left nothing outside the checkout that they did not name"
