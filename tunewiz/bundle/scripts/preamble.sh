# shellcheck shell=dash disable=SC2034 # the scripts that it stands in read its variables
# What the scripts that people run begin with. A bundle has its text in each of them, in the place of the line that reads
# this file: they trust no other file before they have checked all.

# bash imports functions from the environment, and they would replace commands: start again without them.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin POSIXLY_CORRECT=1
case $(exec env) in *BASH_FUNC_*) exec env -i PATH="$PATH" ${SUDO_UID:+"SUDO_UID=$SUDO_UID"} ${TUNEWIZ_ROOT:+"TUNEWIZ_ROOT=$TUNEWIZ_ROOT"} ${TUNEWIZ_STATE_DIR:+"TUNEWIZ_STATE_DIR=$TUNEWIZ_STATE_DIR"} /bin/sh "$0" ${1+"$@"} ;; esac #
# This line works even with carriage returns, on which every other line would fail.
IFS= read -r first <"$0" && case $first in '#!/bin/sh'?) echo 'Refused: the bundle was converted, its lines end in CR LF. Copy it as it was written.' >&2 && exit 2 ;; esac #
set -u +aefvxC
umask 077
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C
export PATH LC_ALL
unset IFS

# Nothing else of the caller's environment reaches a program that is run here: no other server address, no other
# place for files, no other language or time.
leave_environment() {
    inherited=$(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p')
    case $inherited in *PATH*) ;; *) printf 'env and sed were not found.\n' >&2 && exit 2 ;; esac
    unwanted=
    for variable in $inherited; do
        case $variable in
            PATH | PWD | LC_ALL | SUDO_UID | TUNEWIZ_ROOT | TUNEWIZ_STATE_DIR | _) ;;
            *) unwanted="$unwanted $variable" ;;
        esac
    done
    forget "$unwanted" || for variable in $unwanted; do forget "$variable" || true; done
}

# Usage: forget NAMES. Some shells keep a name for themselves, and end where they are asked to give it up: tried apart.
forget() {
    [ -n "$1" ] || return 0
    # shellcheck disable=SC2086 # split at the blanks, on purpose
    (unset $1) 2>/dev/null && unset $1
}

# Whom we trust with our own files: root, ourselves, and who called us by sudo. Usage: is_trusted UID
is_trusted() {
    case " 0 $ME ${SUDO_UID:-0} " in
        *" $1 "*) return 0 ;;
        *) return 1 ;;
    esac
}

# Usage: unsafe PATH WHY
unsafe() {
    printf 'Refused, nothing was changed: someone else could change this bundle while it runs.\n  %s: %s\n%s\n' "$1" "$2" \
        'Copy the bundle to a directory that only root can write (/root, say), chmod -R go-w it, and compare SHA256SUMS.' |
        tr -c '\11\12\40-\176' '?' >&2
    exit 2
}

# Usage: check_above DIRECTORY ... They may be open to others only if they are sticky, as /tmp is: what is ours there
# stays ours.
check_above() {
    above_told=$(stat -c '%u %A %n' "$@") || unsafe "$PWD" "a directory above it cannot be looked at"
    while IFS=' ' read -r above_owner above_mode above_dir; do
        is_trusted "$above_owner" || unsafe "$above_dir" "belongs to someone else"
        case $above_mode in
            ?????????[tT]*) ;;
            ?????w* | ????????w*) unsafe "$above_dir" "others may write to it" ;;
            *) ;;
        esac
    done <<END
$above_told
END
}

# Could someone else change what is run here with our rights? Then the checksums prove nothing, and nothing is read.
check_place() {
    case ${SUDO_UID:-0} in *[!0-9]*) SUDO_UID=0 ;; *) ;; esac
    ME=$(id -u)
    place_open=$(find "$1" \( ! \( -type f -o -type d \) -o -perm -020 -o -perm -002 -o \
        ! \( -user 0 -o -user "$ME" -o -user "${SUDO_UID:-0}" \) \) -print -quit) || unsafe "$1" "cannot be looked at"
    [ -z "$place_open" ] || unsafe "$place_open" "is a link, or others own it or may write to it"
    place=$1
    set --
    while [ -n "$place" ]; do
        place=${place%/*}
        set -- "${place:-/}" ${1+"$@"}
    done
    check_above "$@"
}

whole() {
    (cd -P -- "$1" && sha256sum -c SHA256SUMS) >/dev/null 2>&1 && return 0
    printf 'This bundle is broken or was changed: its files do not match SHA256SUMS (sha256sum -c SHA256SUMS).\n' >&2
    exit 2
}

# Changes to the directory of this script, which is safe to run from.
enter_bundle() {
    case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
    cd -P -- "$here" || exit 2
    check_place "$PWD"
    whole "$PWD"
}
