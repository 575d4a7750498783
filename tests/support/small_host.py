"""Plans that change the machine by actions of any kind, whatever a catalogue would say of them."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from pretend_root import DATA, PretendRoot
from small_bundles import bundle_of
from small_plans import advice, small_facts, small_plan
from tunewiz.core.facts.facts import Facts
from tunewiz.core.recommendation.actions import Action, HostAction
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.targets import Effect, HostTarget
from tunewiz.core.recommendation.verdicts import Proposal, Verdict
from tunewiz.core.values.known import Known


def host_change(*actions: HostAction, effect: Effect = Effect.NOW) -> Recommendation:
    """A recommendation that is carried out by these actions."""

    def decide(_: object) -> Verdict:
        return Proposal(value="done", because="a test wants it", computed="by hand", before="as it was")

    def carried_out(_: object, __: object) -> tuple[Action, ...]:
        return actions

    return dataclasses.replace(
        advice(),
        id="host.change",
        decide=decide,
        target=HostTarget(name="the machine", effect=effect),
        actions=carried_out,
    )


def host_bundle(
    directory: Path, *actions: HostAction, effect: Effect = Effect.NOW, facts: Facts | None = None
) -> Path:
    """The bundle of such a change alone."""
    result = facts or small_facts(include_directory=Known(f"{DATA}/conf.d", "test"))
    return bundle_of(small_plan(result, {}, more=(host_change(*actions, effect=effect),)), directory)


SYSTEMCTL = """#!/bin/sh
# As much of systemctl as bundles ask of it; what it has read is a copy beside the machine's state.
units=$TUNEWIZ_ROOT/etc/systemd/system
read=${TUNEWIZ_STATE_DIR%/*}/read-units
[ "${1:-}" != --quiet ] || shift
case ${3:-} in *.timer) wants=$units/timers.target.wants ;; *) wants=$units/multi-user.target.wants ;; esac
case $1 in
    --version) echo 'systemd 252 (252.1)' ;;
    daemon-reload)
        mkdir -p "$read" && find "$read" -mindepth 1 -maxdepth 1 ! -name 'active-*' -exec rm -rf {} + &&
            cp -R "$units/." "$read/"
        ;;
    show)
        property=$3 unit=$5
        case $property in
            NeedDaemonReload)
                mine=$(cd "$units" && find "$unit" "$unit.d" -type f -exec cat {} + 2>&1 | cksum)
                theirs=$(cd "$read" 2>/dev/null && find "$unit" "$unit.d" -type f -exec cat {} + 2>&1 | cksum)
                if [ "$mine" = "$theirs" ] || [ ! -d "$read" ]; then value=no; else value=yes; fi
                ;;
            LoadState)
                value=not-found
                [ ! -e "$TUNEWIZ_ROOT/usr/lib/systemd/system/$unit" ] || value=loaded
                [ ! -e "$units/$unit" ] || value=loaded
                [ "$(readlink "$units/$unit")" != /dev/null ] || value=masked
                ;;
            UnitFileState)
                for each in "$units"/*.target.wants/"$unit"; do [ ! -L "$each" ] || value=enabled; done
                ;;
            ActiveState) value=inactive; [ ! -e "$read/active-$unit" ] || value=active ;;
            Environment)
                value=$(cat "$read/$unit.d"/*.conf 2>/dev/null | sed -n 's/^Environment=//p' | tr '\\n' ' ')
                ;;
            *) value=$(cat "$read/$unit.d"/*.conf 2>/dev/null | sed -n "s/^$property=//p" | tail -n 1) ;;
        esac
        echo "$property=$value"
        ;;
    enable)
        mkdir -p "$wants" && ln -sf "$units/$3" "$wants/$3"
        mkdir -p "$read" && touch "$read/active-$3"
        ;;
    disable)
        rm -f "$wants/$3" "$read/active-$3"
        rmdir "$wants" 2>/dev/null || true
        ;;
    reset-failed) ;;
    *) exit 1 ;;
esac
"""


def put_program(machine: PretendRoot, name: str, text: str) -> None:
    """A program of the machine's own, which its scripts find first."""
    machine.write(f"/usr/bin/{name}", text)
    machine.path(f"/usr/bin/{name}").chmod(0o755)


def put_systemd(machine: PretendRoot, *units: str) -> None:
    """Has systemd run the machine, with some units of packages."""
    for folder in ("/run/systemd/system", "/etc/systemd/system", "/usr/lib/systemd/system"):
        machine.path(folder).mkdir(parents=True, exist_ok=True)
    for unit in units:
        machine.write(f"/usr/lib/systemd/system/{unit}", "[Service]\nExecStart=/bin/true\n")
    put_program(machine, "systemctl", SYSTEMCTL)
