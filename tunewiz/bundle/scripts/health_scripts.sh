# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Is this host healthy? Scripts of the administrator's say so: status 0 means healthy. Those in required must, those in
# wanted are only told. Each gets the directory of the bundle as its argument, and nothing of the caller's.
#
# $OWN/health.log   what they said, and how they ended

HEALTH_HOME=/etc/tunewiz/health.d
# How long each may take, and how much of what it says is kept.
HEALTH_SECONDS=30
HEALTH_BYTES=4096
# Set by scripts that may write records.
HEALTH_LOGGED=''
HEALTH_PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# Run by another shell: keeps the beginning of what it reads, and reads the rest, so that nobody is ended for its length.
# shellcheck disable=SC2016 # the inner shell's own argument
HEALTH_READER='head -c "$1"; exec cat >/dev/null'

# Usage: health_problem TEXT. What keeps the scripts from being run, told; they are not left out in silence.
health_problem() {
    complain "  $1"
    HEALTH_REFUSED=1
}

# Usage: health_is_safe PATH KIND NAME. Whether root alone can change it; else told. On a pretend root: whoever runs this.
health_is_safe() {
    health_about=$(stat -c '%u %h %A' "$1" 2>/dev/null) || health_about=
    case ${health_about##* } in "$2"?????????*) ;; *)
        health_problem "$1: expected a ${3}, found something else (a link is not followed)"
        return 1
        ;;
    esac
    case ${health_about%% *} in
        0) ;;
        "${PRETEND:+$ME}") ;;
        *)
            health_problem "$1: does not belong to root"
            return 1
            ;;
    esac
    case ${health_about##* } in
        ?????w* | ????????w*)
            health_problem "$1: others than root may write to it (chmod go-w)"
            return 1
            ;;
        *) ;;
    esac
    [ "$2" = - ] || return 0
    case $health_about in *' 1 '*) ;; *) health_problem "$1: has other names (hard links)" && return 1 ;; esac
    case ${health_about##* } in ???[xs]*) ;; *) health_problem "$1: is not executable" && return 1 ;; esac
}

# Every health script, in the order in which they run, a line each in HEALTH. Whether one could be changed by
# others, or is no script, in HEALTH_REFUSED.
find_health() {
    HEALTH='' HEALTH_REFUSED=''
    health_path=$ROOT$HEALTH_HOME
    [ -e "$health_path" ] || [ -L "$health_path" ] || return 0
    health_is_safe "${health_path%/*}" d directory || return 0
    health_is_safe "$health_path" d directory || return 0
    if ! { find_writer "$health_path" && [ -z "$WRITER" ]; }; then
        health_problem "$HEALTH_HOME: users other than root can write to a directory on its path"
        return 0
    fi
    for health_kind in required wanted; do
        [ -e "$health_path/$health_kind" ] || [ -L "$health_path/$health_kind" ] || continue
        health_is_safe "$health_path/$health_kind" d directory || continue
        for health_script in "$health_path/$health_kind"/*; do
            [ -e "$health_script" ] || [ -L "$health_script" ] || continue
            case $health_script in *"$NL"*) health_problem "$health_script: has a line break in its name" && continue ;; *) ;; esac
            ! health_is_safe "$health_script" - file || HEALTH="$HEALTH$health_kind/${health_script##*/}$NL"
        done
    done
}

# Before anything is changed. Refuses with status 4 by name.
check_health() {
    find_health
    [ -z "$HEALTH_REFUSED" ] || die 4 "Refused, nothing was changed: health scripts are run as root (above)."
    health_rest=$HEALTH
    while [ -n "$DRY" ] && [ -n "$health_rest" ]; do
        say "would run $HEALTH_HOME/${health_rest%%"$NL"*} after the change"
        health_rest=${health_rest#*"$NL"}
    done
}

# Usage: run_one NAME. Its end in HEALTH_STATUS, and what it said in HEALTH_SAID.
run_one() {
    health_status=$(mktemp) || {
        HEALTH_STATUS=125 HEALTH_SAID='no temporary file could be made'
        return 0
    }
    # What it leaves behind may hold the pipe longer than it runs itself: no longer than this is listened.
    HEALTH_SAID=$({
        apart timeout -k 5 "$HEALTH_SECONDS" env -i "PATH=$HEALTH_PATH" LC_ALL=C "$ROOT$HEALTH_HOME/$1" "$BUNDLE" </dev/null 2>&1
        printf '%s\n' "$?" >"$health_status"
    } | timeout "$((HEALTH_SECONDS + 10))" sh -c "$HEALTH_READER" sh "$HEALTH_BYTES" | tr -c '\11\12\40-\176' '?')
    HEALTH_STATUS=$(cat "$health_status")
    rm -f "$health_status"
    is_number "$HEALTH_STATUS" || HEALTH_STATUS=125
}

# Usage: run_health WHEN. All of them, told; the required ones that failed, with the reason, in UNHEALTHY.
run_health() {
    UNHEALTHY=
    find_health
    [ -z "$HEALTH_REFUSED" ] || UNHEALTHY='health scripts that cannot be trusted (above)'
    # Kept apart: a script that is run must not read the list.
    health_todo=$HEALTH
    while [ -n "$health_todo" ]; do
        health_one=${health_todo%%"$NL"*}
        health_todo=${health_todo#*"$NL"}
        run_one "$health_one"
        health_end="failed with status $HEALTH_STATUS"
        ! was_given_up "$HEALTH_STATUS" || health_end="did not end within $HEALTH_SECONDS s"
        [ "$HEALTH_STATUS" -ne 0 ] || health_end=healthy
        log_health "$1"
        tell_health
        case $HEALTH_STATUS:$health_one in
            0:* | *:wanted/*) ;;
            *)
                join "$UNHEALTHY" "$health_one $health_end"
                UNHEALTHY=$JOINED
                ;;
        esac
    done
}

# Only where there are records already: verify.sh makes none.
log_health() {
    [ -n "$HEALTH_LOGGED" ] && [ -d "$OWN" ] || return 0
    { printf '%s: %s: %s\n%s\n' "$1" "$health_one" "$health_end" "$HEALTH_SAID" >>"$OWN/health.log"; } 2>/dev/null ||
        complain "  $OWN/health.log cannot be written"
}

tell_health() {
    say "health script $health_one: $health_end"
    [ "$HEALTH_STATUS" -ne 0 ] || return 0
    health_lines=$HEALTH_SAID$NL health_told=0
    while [ -n "$health_lines" ] && [ "$health_told" -lt 10 ]; do
        health_told=$((health_told + 1))
        [ -z "${health_lines%%"$NL"*}" ] || say "    ${health_lines%%"$NL"*}"
        health_lines=${health_lines#*"$NL"}
    done
}

# For verify.sh: makes a difference of what the required ones say.
verify_health() {
    run_health "asked by verify.sh"
    [ -n "$UNHEALTHY" ] || return 0
    say "NOT healthy: $UNHEALTHY"
    VERIFIED=1
}
