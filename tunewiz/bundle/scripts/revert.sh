# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# The automatic revert: a systemd timer, and a guard that acts at the next boot.
#
# $STATE/pending  the bundle that waits for its confirmation, one at a time; without it the guard does nothing
# $OWN/revert     a copy of the bundle: its scripts work when the bundle's own directory is gone
# $OWN/asked      the time was up while apply.sh was at work: it stops and undoes
# $OWN/again    the seconds until the revert is tried again, as the server would not have started
# $OWN/boots      how often the guard has tried

BOOTS_TO_TRY=3

name_units() {
    TIMER=tunewiz-revert-$BUNDLE_ID
    GUARD=tunewiz-guard-$BUNDLE_ID.service
    GUARD_FILE=$ROOT/etc/systemd/system/$GUARD
    # Where the guard is started in the boot that armed it, it has nothing to do as long as the timer is there. Gone after
    # a reboot, as /run is, but for one of the user space alone.
    THIS_BOOT=$ROOT/run/tunewiz-armed-$BUNDLE_ID
}

# Which bundle is waiting for confirmation, in PENDING_ID; empty if none is.
read_pending() {
    read_line "$STATE/pending" || :
    PENDING_ID=$LINE
}

refuse_second() {
    read_pending
    [ -n "$PENDING_ID" ] || return 0
    complain "Refused, nothing was changed: a bundle that was applied here is waiting for confirmation."
    complain "  keep it:      sh $STATE/$PENDING_ID/revert/apply.sh --confirm"
    die 4 "  roll it back: sh $STATE/$PENDING_ID/revert/rollback.sh"
}

# What an automatic revert needs; refuses with status 4 and says what is missing.
check_revert() {
    if [ -n "$WATCHER" ]; then
        check_watcher
        [ "$PROBLEMS" -eq 0 ] || die 4 "Refused, nothing was changed: the revert cannot be armed (above)."
        return 0
    fi
    guard_needs
    each_step unguarded
    [ -z "$GUARD_CANNOT" ] ||
        problem "$GUARD_CANNOT: a systemd unit can only name letters, digits and /._@:+,=-"
    [ -n "$PRETEND" ] || [ "$ME" -eq 0 ] || problem "only root can set a timer and a guard"
    ! has_systemd || check_mounts
    [ "$PROBLEMS" -eq 0 ] ||
        die 4 "Refused, nothing was changed: the revert cannot be armed (above). Without --confirm-within apply.sh needs none of this."
}

has_systemd() {
    if [ ! -d "$ROOT/run/systemd/system" ]; then
        problem "systemd does not run this machine (no /run/systemd/system); --watcher is weaker, but does not need it"
        return 1
    fi
    for need_program in systemctl systemd-run systemd-escape; do
        # On a pretend root its own only: those of this machine would act on this machine.
        case $(command -v "$need_program") in "$ROOT"/*) continue ;; *) ;; esac
        problem "systemd's $need_program was not found"
        return 1
    done
}

# The guard acts before the network is there: what it puts back must not lie beyond it.
check_mounts() {
    for mounted in "$STATE" "$ROOT$DATA" "$ROOT${CONFIG%/*}" ${ELSEWHERE:+"$ROOT${ELSEWHERE%/*}/"}; do
        [ -d "$mounted" ] || continue
        mount_unit=$(systemd-escape --path --suffix=mount "$(stat -c %m "$mounted")")
        case $(systemctl show -p Before -- "$mount_unit" || printf 'remote-fs.target') in
            *remote-fs.target*) problem "$mounted: is mounted over the network (or systemd does not say), too late for the guard at boot" ;;
            *) ;;
        esac
    done
}

# Arms the revert, or leaves nothing behind: the guard first, for a timer does not outlive a power cut.
arm() {
    if [ -n "$WATCHER" ]; then
        doing "arm the revert: in $MINUTES min, by a process that waits" || return 0
        copy_bundle && take_slot && note_deadline && start_watcher && return 0
        disarm
        return 1
    fi
    doing "arm the revert: in $MINUTES min, and at the next boot" || return 0
    name_units
    copy_bundle && put_guard && true >"$THIS_BOOT" && take_slot && note_deadline && start_timer && is_armed && return 0
    disarm
    return 1
}

copy_bundle() {
    rm -rf "$OWN/revert" "$OWN/revert.new" "$OWN/asked" "$OWN/boots"
    cp -R "$BUNDLE/." "$OWN/revert.new" && (whole "$OWN/revert.new") &&
        find "$OWN/revert.new" -exec sync {} + && mv -T "$OWN/revert.new" "$OWN/revert" && sync "$OWN"
}

guard_text() {
    cat <<END
[Unit]
Description=Roll back the tunewiz bundle $BUNDLE_ID, not confirmed before the reboot
DefaultDependencies=no
ConditionPathExists=$STATE/pending
RequiresMountsFor=$GUARD_NEEDS
After=local-fs.target systemd-sysctl.service systemd-tmpfiles-setup.service
Before=sysinit.target shutdown.target
Conflicts=shutdown.target

[Service]
Type=oneshot
Environment=TUNEWIZ_STATE_DIR=$STATE
ExecStart=/bin/sh $OWN/revert/rollback.sh --at-boot
SuccessExitStatus=3 4
KillMode=process
OOMScoreAdjust=-900

[Install]
WantedBy=sysinit.target
END
}

# Where the guard puts things back, in GUARD_NEEDS: an empty place under a mount that is not there yet looks as it did
# before the change.
guard_needs() {
    GUARD_NEEDS='' GUARD_CANNOT=''
    need_mounted "$STATE"
    [ -n "$DATA" ] || return 0
    need_mounted "$(readlink -f "$ROOT$DATA")"
    [ "${CONFIG%/*}" = "$DATA" ] || need_mounted "$(readlink -f "$ROOT${CONFIG%/*}")"
    for needs_place in "$ROOT$DATA/pg_wal" "$ROOT$DATA/pg_xlog" ${ELSEWHERE:+"$ROOT${ELSEWHERE%/*}"}; do
        [ ! -e "$needs_place" ] || need_mounted "$(readlink -f "$needs_place")"
    done
}

# Usage: need_mounted PATH. The paths go into a unit, which has a syntax of its own.
need_mounted() {
    case $1 in
        # In the data directory it is mounted with that.
        '' | "$ROOT$DATA"/*) ;;
        *[!A-Za-z0-9/._@:+,=-]*) GUARD_CANNOT=$1 ;;
        *) GUARD_NEEDS="$GUARD_NEEDS${GUARD_NEEDS:+ }$1" ;;
    esac
}

put_guard() {
    guard_needs
    guard_text >"$OWN/guard" && put_new "$OWN/guard" "$GUARD_FILE" '' 0644 &&
        systemctl daemon-reload && systemctl --quiet enable "$GUARD" &&
        sync "$ROOT/etc/systemd/system" "$ROOT/etc/systemd/system/sysinit.target.wants"
}

take_slot() {
    printf '%s\n' "$BUNDLE_ID" >"$STATE/pending" && sync "$STATE/pending" "$STATE"
}

# Whether the guard was started beside a timer that is still there.
is_before_boot() {
    name_units
    [ -e "$THIS_BOOT" ] && systemctl --quiet is-active "$TIMER.timer" 2>/dev/null
}

# Other targets may be isolated meanwhile: neither the timer nor a revert that has begun is stopped for them, where this
# systemd can be told so. A server that pg_ctl starts from there must outlive the unit, hence KillMode.
start_timer() {
    set -- /bin/sh "$OWN/revert/rollback.sh" --unless-confirmed --keep-trying ${NO_RESTART:+--no-restart}
    [ -z "$PRETEND" ] || set -- env "TUNEWIZ_ROOT=$ROOT" "$@"
    run_timer --timer-property=IgnoreOnIsolate=yes --timer-property=DefaultDependencies=no \
        --timer-property=Conflicts=shutdown.target --property=IgnoreOnIsolate=yes -- "$@" 2>/dev/null ||
        run_timer -- "$@"
}

run_timer() {
    systemd-run --quiet --collect --unit="$TIMER" --on-active="${MINUTES}min" \
        --timer-property=AccuracySec=1s --description="Roll back the tunewiz bundle $BUNDLE_ID" \
        --service-type=oneshot --property='SuccessExitStatus=3 4' --property=KillMode=process --property=OOMScoreAdjust=-900 \
        --setenv="TUNEWIZ_STATE_DIR=$STATE" "$@"
}

is_armed() {
    systemctl --quiet is-active "$TIMER.timer" && systemctl --quiet is-enabled "$GUARD" && return 0
    complain "  systemd does not show the timer active and the guard enabled"
    return 1
}

# After the journal says confirmed or restored: whatever is cut off here finds that written and does nothing.
disarm() {
    name_units
    read_pending
    [ -n "$DRY" ] || { [ ! -e "$OWN/again" ] && [ ! -e "$OWN/deadline" ]; } || rm -f "$OWN/again" "$OWN/deadline"
    [ "$PENDING_ID" = "$BUNDLE_ID" ] || [ -e "$GUARD_FILE" ] || [ -e "$THIS_BOOT" ] || return 0
    doing "disarm the revert" || return 0
    if [ -n "${WATCHER:-}" ] || [ -e "$OWN/watching" ]; then
        [ "$PENDING_ID" != "$BUNDLE_ID" ] || rm -f "$STATE/pending"
        sync "$STATE"
        end_watcher
        return 0
    fi
    systemctl --quiet stop "$TIMER.timer" 2>/dev/null || true
    [ "$PENDING_ID" != "$BUNDLE_ID" ] || rm -f "$STATE/pending"
    systemctl --quiet disable "$GUARD" 2>/dev/null || true
    rm -f "$GUARD_FILE" "$THIS_BOOT" "$OWN/asked" "$OWN/boots" "$OWN/guard"
    sync "$STATE" "$ROOT/etc/systemd/system"
    systemctl daemon-reload || complain "  systemd still shows $GUARD, which does nothing any more"
}

# Whether the revert's time came while this run was at work.
is_asked() {
    [ -n "$MINUTES" ] && [ -e "$OWN/asked" ]
}

# The lock, however long its holder takes: it is asked to stop, and woken where Ctrl-Z had stopped it.
lock_when_free() {
    [ -d "$OWN" ] || die 3 "Nothing to roll back: there are no records in $OWN."
    until ! is_locked_away && lock_take; do
        [ -z "$LOCK_ERROR" ] || ! lock_away || break
        (true >"$OWN/asked") 2>/dev/null || true
        [ -z "$lock_held" ] || kill -CONT "${lock_held%% *}" 2>/dev/null || true
        sleep 1
    done
    LOCKED=1
    rm -f "$OWN/asked" || true
}

# A failing guard must not be tried for ever: the machine boots, and someone has to look into it.
count_boot() {
    boots=$(cat "$OWN/boots" 2>/dev/null)
    number_of "$boots" 0
    boots=$((NUMBER + 1))
    [ "$boots" -le "$BOOTS_TO_TRY" ] ||
        die 5 "NOT restored: gave up after $BOOTS_TO_TRY boots. Run by hand: sh $OWN/revert/rollback.sh"
    # If that cannot be recorded it is tried at every boot: nothing waits for it.
    { printf '%s\n' "$boots" >"$OWN/boots" && sync "$OWN/boots" "$OWN"; } 2>/dev/null ||
        complain "cannot write in $OWN: boots are not counted"
}
