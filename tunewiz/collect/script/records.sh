# shellcheck shell=dash disable=SC2016,SC2034,SC2154 # the dollar signs are sed's; other parts read the variables
# How everything is recorded: one record for each path, and only for what exists.

set -u
umask 077
LC_ALL=C
PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH
export LC_ALL PATH
unset IFS CDPATH ENV BASH_ENV GREP_OPTIONS

ROOT=${TUNEWIZ_ROOT:-}
MOST_INCLUDES=10
MOST_LINKS=20
NEWLINE='
'
TAB=$(printf '\t')

# mksh has no printf of its own: a process for every line would take minutes.
case ${KSH_VERSION:-} in
    *MIRBSD*)
        # shellcheck disable=SC3044
        say() { print -r -- "$1"; }
        ;;
    *) say() { printf '%s\n' "$1"; } ;;
esac

have() {
    command -v "$1" >/dev/null 2>&1
}

# A path that can stand on a line of its own.
plain() {
    case $1 in
        *"$NEWLINE"*) return 1 ;;
        *) return 0 ;;
    esac
}

denied() {
    say "N $1"
}

# Usage: small DIRECTORY NAME ... Those of the files of one line that are there, by one process for all:
# a large machine has tens of thousands. Not by the shell: it reads byte by byte, which some files do not bear.
small() {
    [ -d "$ROOT$1" ] || return 0
    case $1 in
        *[\&\|\\]* | *"$NEWLINE"*) return 0 ;;
        *) ;;
    esac
    small_dir=$1
    shift
    # /dev/null, so that names are told for a single file too. What may not be read is left out.
    (cd "$ROOT$small_dir" && grep -s '' "$@" /dev/null) | sed -n -e "s|^\([^:]*\):|T $small_dir/\1\\
 |p"
}

# Usage: whole PATH [SED-SCRIPT]. The content by cat, changed by the script.
whole() {
    [ -f "$ROOT$1" ] && plain "$1" || return 0
    if ! cat "$ROOT$1" >/dev/null 2>&1; then
        # What may be read but cannot be, as a value that this kernel does not offer, is there without a content.
        if [ -r "$ROOT$1" ]; then say "E $1"; else denied "$1"; fi
        return 0
    fi
    say "T $1"
    # The last line may have no end: one more is added, and taken away where it is empty.
    { cat "$ROOT$1" 2>/dev/null | tr -d '\000' && echo; } | sed -e '${/^$/d' -e '}' -e "${2:-}" -e 's/^/ /'
}

there() {
    for there_path in "$@"; do
        plain "$there_path" || continue
        if [ -d "$ROOT$there_path" ]; then
            say "D $there_path"
        elif [ -e "$ROOT$there_path" ]; then
            say "E $there_path"
        fi
    done
}

# Usage: names_in DIRECTORY. What is in it, without contents; a directory that may not be listed is said.
names_in() {
    [ -d "$ROOT$1" ] || return 0
    if [ ! -r "$ROOT$1" ]; then
        denied "$1"
        return 0
    fi
    say "D $1"
    for names_entry in "$ROOT$1"/* "$ROOT$1"/.[!.]*; do
        if [ -e "$names_entry" ] || [ -L "$names_entry" ]; then there_or_link "${names_entry#"$ROOT"}"; fi
    done
}

there_or_link() {
    if [ -L "$ROOT$1" ]; then link "$1"; else there "$1"; fi
}

target_of() {
    TARGET=$(readlink "$ROOT$1" 2>/dev/null) || {
        TARGET=$(ls -ld "$ROOT$1" 2>/dev/null) || return 1
        TARGET=${TARGET#*' -> '}
    }
    [ -n "$TARGET" ] && plain "$TARGET"
}

link() {
    [ -L "$ROOT$1" ] && plain "$1" && target_of "$1" || return 1
    say "L $1"
    say " $TARGET"
}

# Usage: links_on PATH [DEPTH]. Every link on the way to the path.
links_on() {
    links_depth=${2:-0}
    [ "$links_depth" -lt "$MOST_LINKS" ] || return 0
    links_done=
    links_rest=${1#/}
    while [ -n "$links_rest" ]; do
        links_done=$links_done/${links_rest%%/*}
        case $links_rest in
            */*) links_rest=${links_rest#*/} ;;
            *) links_rest= ;;
        esac
        if link "$links_done"; then
            case $TARGET in
                /*) links_on "$TARGET${links_rest:+/$links_rest}" $((links_depth + 1)) ;;
                *) links_on "${links_done%/*}/$TARGET${links_rest:+/$links_rest}" $((links_depth + 1)) ;;
            esac
            return 0
        fi
    done
}

# Usage: globbed PATTERN ... Files under /sys; the patterns are expanded here.
globbed() {
    for globbed_pattern in "$@"; do
        for globbed_file in $ROOT$globbed_pattern; do
            whole "${globbed_file#"$ROOT"}"
        done
    done
}
