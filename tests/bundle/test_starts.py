"""Whether the next boot is watched, and what ends that; what it does then is tried on booted machines."""

import dataclasses
import shlex
from pathlib import Path

import pytest

from pretend_root import PretendRoot
from pretend_systemd import the_copy, told
from shells import EVERY_SHELL
from small_bundles import AS_PLANNED, in_force, small_bundle
from small_host import put_program

NO_TIME = '#!/bin/sh\ncase $1 in [1-5]) exec /bin/sleep 0.01 ;; *) exec /bin/sleep "$@" ;; esac\n'
GUARDED = ("--confirm-within", "5", "--guard", "--guard-baseline", "12", "--guard-window", "24")
WATCHED = "Until the server has come up after the next boot, its starts are watched"


@pytest.fixture
def machine(with_systemd: PretendRoot) -> PretendRoot:
    put_program(with_systemd, "sleep", NO_TIME)
    return with_systemd


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return small_bundle(tmp_path / "bundle")


def applied(machine: PretendRoot, bundle: Path, *options: str) -> None:
    """For a server that is down."""
    ran = machine.run(bundle / "apply.sh", *options)
    assert (ran.status, in_force(machine)) == (0, AS_PLANNED), ran.said


def watched(machine: PretendRoot) -> list[str]:
    units = machine.path("/etc/systemd/system").glob("tunewiz-starts-*")
    return [path.name for path in (*units, *machine.path("/run").glob("tunewiz-starts-*"))]


def confirmed(machine: PretendRoot, bundle: Path) -> str:
    """What the confirmation says."""
    ran = machine.run(bundle / "apply.sh", "--confirm")
    assert ran.status == 0, ran.said
    return ran.out


def watch_for(machine: PretendRoot, bundle: Path, unit: str) -> str:
    """A confirmation that ends as if the unit ran the server, which here was down from the beginning."""
    applied(machine, bundle, *GUARDED)
    own = the_copy(machine).parent
    recorded = f'[ "$*" != {own}/journal ] || printf %s {shlex.quote(unit)} >{own}/unit'
    put_program(machine, "sync", f'#!/bin/sh\n{recorded}\nexec /bin/sync "$@"\n')
    said = confirmed(machine, bundle)
    machine.path("/usr/bin/sync").unlink()
    return said


def test_a_change_that_nobody_asked_to_guard_leaves_nothing_behind(
    machine: PretendRoot, bundle: Path
) -> None:
    applied(machine, bundle, "--confirm-within", "5")
    assert "next boot" not in confirmed(machine, bundle)
    assert watched(machine) == []


def test_without_a_unit_that_runs_the_server_the_confirmation_says_that_it_is_not_watched(
    machine: PretendRoot, bundle: Path
) -> None:
    applied(machine, bundle, *GUARDED)
    said = confirmed(machine, bundle)
    assert "The next boot is not watched: no systemd unit runs the server.\n" in said
    assert watched(machine) == []


@pytest.mark.parametrize("name", ["x y.service", "$(id).service", "a;b.service", "../x.service"])
def test_a_name_that_systemd_would_read_otherwise_is_not_written_into_a_unit(
    name: str, machine: PretendRoot, bundle: Path
) -> None:
    assert "next boot is not watched: the server's unit has an unusual name" in watch_for(
        machine, bundle, name
    )
    assert watched(machine) == []


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_a_rollback_ends_the_watch_in_every_shell(
    shell: tuple[str, ...], machine: PretendRoot, bundle: Path
) -> None:
    before = machine.tree()
    in_shell = dataclasses.replace(machine, shell=shell)
    assert WATCHED in watch_for(in_shell, bundle, "database.service")
    assert len(watched(machine)) == 2
    assert any("enable tunewiz-starts-" in line for line in told(machine))
    assert in_shell.run(bundle / "rollback.sh").status == 0
    assert watched(machine) == []
    assert machine.tree() == before


def test_what_is_not_confirmed_is_not_rolled_back_for_a_start_that_failed(
    machine: PretendRoot, bundle: Path
) -> None:
    applied(machine, bundle, *GUARDED)
    ran = machine.run(bundle / "rollback.sh", "--if-starts-fail")
    assert (ran.status, "Nothing to watch" in ran.err) == (3, True)
    assert in_force(machine) == AS_PLANNED


@pytest.mark.parametrize("more", [("--to", "0123"), ("--unknown",)], ids=" ".join)
def test_it_goes_with_no_other_way_back(more: tuple[str, ...], machine: PretendRoot, bundle: Path) -> None:
    assert machine.run(bundle / "rollback.sh", "--if-starts-fail", *more).status == 2
