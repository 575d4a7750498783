# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# The dynamic configuration of a Patroni cluster: written in one step, and only over the configuration that was compared.
#
# Its data is  dynamic|NAME|BEFORE|VALUE|EFFECT|TEXT|PLACE|BEFORE TEXT,  a line for each setting; the one step for all of them is
# patroni|MAJOR|SYSTEM IDENTIFIER.
#
# $KEPT/N.before   a line for each setting: NAME=TEXT as it stood in the configuration, or NAME alone
# $KEPT/N.members  what each member showed: MEMBER|NAME|VALUE|TEXT

# It carries the settings of every member, which verify.sh tells one by one.
CARRIERS="$CARRIERS patroni"

plan_dynamic() {
    :
}

plan_patroni() {
    POSTGRES_STEPS=$((POSTGRES_STEPS + 1))
}

keys_dynamic() {
    KEYS="${KEYS}dynamic:$1 "
}

keys_patroni() {
    :
}

name_patroni() {
    NAME="the dynamic configuration of Patroni"
}

# Usage: each_dynamic FUNCTION ... Calls it for each setting, loaded; stops where it fails.
each_dynamic() {
    dynamic=1
    while [ "$dynamic" -lt "$STEPS" ]; do
        dynamic=$((dynamic + 1))
        load "$dynamic"
        [ "$KIND" = dynamic ] || continue
        "$@" || return 1
    done
}

# The dynamic configuration in DYNAMIC, as Patroni prints it: block style, two blanks for each level.
read_dynamic() {
    find_patroni || return 1
    DYNAMIC=$(patroni show-config 2>/dev/null)
    dynamic_status=$?
    DYNAMIC_GIVEN_UP=
    [ "$dynamic_status" -ne 0 ] || [ -z "$DYNAMIC" ] || return 0
    if was_given_up "$dynamic_status"; then
        DYNAMIC_GIVEN_UP=1
        PATRONI_ERROR="patronictl did not answer within $SECONDS_TO_ASK s: is what keeps Patroni's configuration (etcd, say) there?"
    else
        PATRONI_ERROR="patronictl does not answer: $(patroni show-config 2>&1 | tail -n 1)"
    fi
    return 1
}

# Usage: dynamic_of NAME. As it stands under postgresql.parameters in RAW; fails where it is not there.
dynamic_of() {
    RAW='' dynamic_top='' dynamic_section='' dynamic_found=1
    set -f
    IFS=$NL
    for dynamic_line in $DYNAMIC; do
        case $dynamic_line in
            "    $1: "*)
                if [ "$dynamic_top:$dynamic_section" = "postgresql:parameters" ]; then
                    RAW=${dynamic_line#"    $1: "} dynamic_found=0
                fi
                ;;
            '   '*) ;;
            '  '*)
                dynamic_section=${dynamic_line#  }
                dynamic_section=${dynamic_section%%:*}
                ;;
            *) dynamic_top=${dynamic_line%%:*} dynamic_section= ;;
        esac
    done
    unset IFS
    set +f
    return "$dynamic_found"
}

# Usage: plain RAW. Without its quotes, in PLAIN, as Patroni hands it to the server.
plain() {
    case $1 in
        "'"*"'" | '"'*'"')
            PLAIN=${1#?}
            PLAIN=${PLAIN%?}
            ;;
        true) PLAIN=on ;;
        false) PLAIN=off ;;
        *) PLAIN=$1 ;;
    esac
}

# Whether the configuration has the planned value of the loaded setting; RAW is the value it has.
is_dynamic_planned() {
    dynamic_of "$F1" || return 1
    plain "$RAW"
    [ "$PLAIN" = "$F5" ]
}

# Usage: is_dynamic_former NUMBER. Whether the configuration has the recorded former value.
is_dynamic_former() {
    if dynamic_of "$F1"; then former=$F1=$RAW; else former=$F1; fi
    grep -F -x -e "$former" "$KEPT/$1.before" >/dev/null 2>&1
}

# Usage: count_dynamic NUMBER. Counts settings as planned and as recorded; other values are in FOUND.
count_dynamic() {
    DYNAMIC_ALL=$((DYNAMIC_ALL + 1))
    ! is_dynamic_planned || DYNAMIC_PLANNED=$((DYNAMIC_PLANNED + 1))
    if [ ! -f "$KEPT/$1.before" ] || is_dynamic_former "$1"; then
        DYNAMIC_FORMER=$((DYNAMIC_FORMER + 1))
    elif ! is_dynamic_planned; then
        join "$FOUND" "$F1: ${RAW:-not set}"
        FOUND=$JOINED
    fi
}

state_patroni() {
    STANDS=other BEFORE='what Patroni had' FOUND=
    DYNAMIC_ALL=0 DYNAMIC_PLANNED=0 DYNAMIC_FORMER=0
    if ! read_dynamic; then
        FOUND=$PATRONI_ERROR
        return 0
    fi
    each_dynamic count_dynamic "$1"
    if [ "$DYNAMIC_PLANNED" -eq "$DYNAMIC_ALL" ]; then
        STANDS=after
        ! is_unfinished "$1" || is_followed planned "$1" || STANDS=between
    elif [ "$DYNAMIC_FORMER" -eq "$DYNAMIC_ALL" ]; then
        STANDS=before
        ! is_unfinished "$1" || is_followed former "$1" || STANDS=between
    elif [ -z "$FOUND" ]; then
        FOUND='some as planned, some as before'
    fi
}

# Usage: is_unfinished NUMBER. Whether a run was interrupted after the write, before all members followed.
is_unfinished() {
    case $UNFINISHED in
        *" $1 "*) [ -f "$KEPT/$1.members" ] ;;
        *) return 1 ;;
    esac
}

# The write itself is atomic.
half_patroni() {
    [ "$STANDS" = between ]
}

stood_before_patroni() {
    each_dynamic stood_dynamic "$1"
}

stood_dynamic() {
    rest_of "$(cat "$KEPT/$1.before" 2>/dev/null)" "$F1=" || return 1
    plain "$REST"
    [ "$PLAIN" = "$F5" ]
}

# The very answers that check_patroni has compared.
keep_patroni() {
    each_dynamic keep_dynamic >"$OWN/new/$1.before" && printf '%s' "$SHOWN_BEFORE" >"$OWN/new/$1.members"
}

keep_dynamic() {
    if dynamic_of "$F1"; then printf '%s=%s\n' "$F1" "$RAW"; else printf '%s\n' "$F1"; fi
}

reach_patroni() {
    read_dynamic || MISSING=$PATRONI_ERROR
}

# The guard at boot acts before the network is there.
unguarded_patroni() {
    problem "Patroni cannot be reached so early in a boot, so the guard cannot revert this; use --watcher"
}

check_patroni() {
    # Asked a moment ago, in vain: once is enough.
    { [ -z "${DYNAMIC_GIVEN_UP:-}" ] && read_members; } || {
        problem "$PATRONI_ERROR"
        return 0
    }
    case $NL$DYNAMIC in
        *"${NL}pause: true"*) problem "Patroni is in maintenance mode (patronictl resume ends it)" ;;
        *) ;;
    esac
    LEADERS=0 SHOWN_BEFORE=
    each_member check_member
    [ "$LEADERS" -eq 1 ] || problem "Patroni: expected one leader, found $LEADERS"
    load "$1"
}

do_patroni() {
    each_dynamic tell_dynamic
    doing "change Patroni's dynamic configuration and restart the members that need it" || return 0
    write_dynamic planned "$1" && follow planned "$1"
}

tell_dynamic() {
    say "  $F1: $F5"
}

undo_patroni() {
    doing "restore Patroni's dynamic configuration" || return 0
    write_dynamic former "$1" && follow former "$1"
}

tell_done_patroni() {
    [ -z "$NO_RESTART" ] || [ -n "$DRY" ] ||
        say "Some settings wait for a restart: patronictl restart --pending, in the order given in REVIEW.md."
}

verify_patroni() {
    verify_step=$1
    if read_dynamic && read_members; then
        each_member verify_member
    else
        tell patroni "the dynamic configuration" "as planned" "" "" "" "$PATRONI_ERROR"
    fi
    load "$verify_step"
}

verify_member() {
    if ask_member "$MEMBER"; then
        each_dynamic tell_shown
    else
        tell patroni "$MEMBER" "as planned" "" "" "" "$PATRONI_ERROR"
    fi
}

tell_shown() {
    shown_of "$F1" || SHOWN_VALUE='' SHOWN_TEXT=''
    [ -n "$JSON" ] || [ "$SHOWN_VALUE" = "$F3" ] || SHOWN_VALUE=$SHOWN_TEXT
    dynamic_of "$F1" || RAW=
    plain "$RAW"
    verify_words=$F5
    [ "$PLAIN" != "$F5" ] || PLAIN=$F3
    is_listed_pending && WAITS=true || WAITS=false
    tell setting "$F1 on $MEMBER" "$F3" "$SHOWN_VALUE" "$PLAIN" "Patroni's dynamic configuration" '' "$verify_words"
}
