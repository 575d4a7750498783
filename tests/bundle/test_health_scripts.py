"""The administrator's scripts that say whether a host is healthy: which run, when, and what follows."""

import dataclasses
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pretend_root import PretendRoot, Ran, make_root
from pretend_systemd import run_by_systemd
from shells import EVERY_SHELL
from small_bundles import small_bundle

HOME = "/etc/tunewiz/health.d"
OPTIONS = ("--confirm-within", "10", "--watcher")
SHORT = "HEALTH_SECONDS=30"


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    return make_root(tmp_path)


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return small_bundle(tmp_path / "bundle")


def put_script(machine: PretendRoot, name: str, text: str) -> Path:
    machine.write(f"{HOME}/{name}", f"#!/bin/sh\n{text}\n")
    path = machine.path(f"{HOME}/{name}")
    path.chmod(0o755)
    for directory in (path.parent, path.parent.parent, path.parent.parent.parent):
        directory.chmod(0o755)
    return path


def apply(machine: PretendRoot, bundle: Path, *more: str) -> Ran:
    return machine.run(bundle / "apply.sh", *OPTIONS, *more)


def rolled_back(machine: PretendRoot, bundle: Path) -> None:
    assert machine.run(bundle / "rollback.sh").status == 0


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_healthy_scripts_run_in_the_order_of_their_names_and_it_can_be_confirmed(
    shell: tuple[str, ...], machine: PretendRoot, bundle: Path
) -> None:
    order = machine.root.parent / "order"
    for name in ("required/20-b", "required/10-a", "wanted/05-c"):
        put_script(machine, name, f'echo "{name} $1" >>{order}; env >>{order}; cat >>{order}')
    with_shell = dataclasses.replace(run_by_systemd(machine), shell=shell)
    ran = with_shell.run(bundle / "apply.sh", "--confirm-within", "10")
    assert (ran.status, ran.err) == (0, "")
    said = order.read_text().splitlines()
    starts = [line for line in said if line.startswith(("required", "wanted"))]
    assert starts == [f"{name} {bundle}" for name in ("required/10-a", "required/20-b", "wanted/05-c")]
    names = {line.split("=")[0] for line in said if "=" in line}
    assert names <= {"PATH", "LC_ALL", "PWD", "_", "OLDPWD", "SHLVL"}
    assert "health script required/10-a: healthy" in ran.out
    assert with_shell.run(bundle / "apply.sh", "--confirm").status == 0


def test_a_required_script_that_fails_is_told_and_keeps_it_from_being_confirmed(
    machine: PretendRoot, bundle: Path
) -> None:
    script = put_script(machine, "required/app", "printf 'no answer \\033[2J from the shop\\n'; exit 3")
    ran = apply(machine, bundle)
    assert ran.status == 0
    assert "health script required/app: failed with status 3\n    no answer ?[2J from the shop" in ran.out
    assert "NOT healthy: required/app failed with status 3." in ran.err
    confirmed = machine.run(bundle / "apply.sh", "--confirm")
    assert confirmed.status == 4
    assert "  NOT healthy: required/app failed with status 3" in confirmed.err
    (log,) = machine.state.glob("*/health.log")
    assert "after the change: required/app: failed with status 3\nno answer ?[2J" in log.read_text()
    assert "before it is confirmed: required/app: failed" in log.read_text()
    script.write_text("#!/bin/sh\nexit 0\n")
    assert machine.run(bundle / "apply.sh", "--confirm").status == 0


def test_a_wanted_script_that_fails_is_told_only(machine: PretendRoot, bundle: Path) -> None:
    put_script(machine, "wanted/nice", "exit 1")
    ran = apply(machine, bundle)
    assert (ran.status, ran.err) == (0, "")
    assert "health script wanted/nice: failed with status 1" in ran.out
    assert machine.run(bundle / "apply.sh", "--confirm").status == 0


def test_with_the_guard_a_required_script_that_fails_rolls_back(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    put_script(machine, "required/app", f"[ ! -e {machine.root}/etc/sysctl.d/90-tunewiz.conf ]")
    ran = apply(machine, bundle, "--guard", "--guard-baseline", "12", "--guard-window", "24")
    assert ran.status == 5, ran.said
    assert "UNHEALTHY: required/app failed with status 1." in ran.err
    assert "Rolled back by the guard" in ran.err
    assert {path: entry for path, entry in machine.tree().items() if "etc/tunewiz" not in path} == before
    assert not (machine.state / "pending").exists()


def make_link(path: Path) -> None:
    other = path.parents[4] / "other"
    path.rename(other)
    path.symlink_to(other)


def make_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


REFUSED: dict[str, Callable[[Path], None]] = {
    "others than root may write to it": lambda path: path.chmod(0o775),
    "is not executable": lambda path: path.chmod(0o644),
    "a link is not followed": make_link,
    "has other names (hard links)": lambda path: os.link(path, path.parents[4] / "other"),
    "expected a file, found something else": make_directory,
    "does not belong to root": lambda path: os.chown(path, 65534, 65534),
    "required: others than root": lambda path: path.parent.chmod(0o777),
    "health.d: others than root": lambda path: path.parent.parent.chmod(0o777),
    "tunewiz: others than root": lambda path: path.parent.parent.parent.chmod(0o777),
}
"""What makes a script unfit to be run as root, by what is said."""


@pytest.mark.parametrize("why", REFUSED)
def test_case_141_what_others_could_change_is_refused_by_name_before_anything_is_changed(
    why: str, machine: PretendRoot, bundle: Path
) -> None:
    if "belong" in why and os.geteuid() != 0:
        pytest.skip("only root gives files away")
    canary = machine.root.parent / "canary"
    script = put_script(machine, "required/app", f"touch {canary}")
    REFUSED[why](script)
    before = machine.tree()
    ran = apply(machine, bundle)
    assert (ran.status, why in ran.err) == (4, True), ran.said
    assert "Refused, nothing was changed: health scripts are run as root (above)." in ran.err
    assert (machine.tree(), canary.exists()) == (before, False)
    assert machine.run(bundle / "apply.sh").status == 0
    verified = machine.run(bundle / "verify.sh", "--health")
    assert (verified.status, "NOT healthy" in verified.out, canary.exists()) == (1, True, False)
    rolled_back(machine, bundle)


def give_up_early(bundle: Path) -> None:
    """Health scripts get two seconds, in a bundle that is whole all the same."""
    part, sums = bundle / "lib" / "health_scripts.sh", bundle / "SHA256SUMS"
    was = part.read_bytes()
    part.write_bytes(was.replace(SHORT.encode(), b"HEALTH_SECONDS=2"))
    old, new = (hashlib.sha256(data).hexdigest() for data in (was, part.read_bytes()))
    assert old != new
    sums.write_text(sums.read_text().replace(old, new))


def test_case_141_a_script_that_does_not_end_is_ended_and_counts_as_failed(
    machine: PretendRoot, bundle: Path
) -> None:
    give_up_early(bundle)
    put_script(machine, "required/slow", "exec sleep 60")
    ran = apply(machine, bundle)
    assert "health script required/slow: did not end within 2 s" in ran.out
    rolled_back(machine, bundle)


def test_a_script_that_says_too_much_is_not_ended_for_it_and_leaves_little(
    machine: PretendRoot, bundle: Path
) -> None:
    put_script(machine, "required/loud", "head -c 3000000 /dev/zero | tr '\\000' x")
    assert "health script required/loud: healthy" in apply(machine, bundle).out
    (log,) = machine.state.glob("*/health.log")
    assert log.stat().st_size < 5000
    rolled_back(machine, bundle)


def test_without_a_time_to_confirm_and_on_a_dry_run_none_is_run(machine: PretendRoot, bundle: Path) -> None:
    canary = machine.root.parent / "canary"
    put_script(machine, "required/app", f"touch {canary}")
    ran = apply(machine, bundle, "--dry-run")
    assert f"would run {HOME}/required/app after the change" in ran.out
    assert machine.run(bundle / "apply.sh").status == 0
    assert machine.run(bundle / "verify.sh").status == 0
    assert not canary.exists()


def test_verify_runs_them_where_that_is_asked_for_and_writes_nothing(
    machine: PretendRoot, bundle: Path
) -> None:
    script = put_script(machine, "required/app", "exit 0")
    assert machine.run(bundle / "apply.sh").status == 0
    before = machine.tree()
    ran = machine.run(bundle / "verify.sh", "--health")
    assert (ran.status, "health script required/app: healthy" in ran.out) == (0, True)
    assert (machine.tree(), list(machine.state.glob("*/health.log"))) == (before, [])
    script.write_text("#!/bin/sh\nexit 1\n")
    ran = machine.run(bundle / "verify.sh", "--health")
    assert (ran.status, "NOT healthy: required/app failed with status 1" in ran.out) == (1, True)
    assert machine.run(bundle / "verify.sh", "--health", "--json").status == 2


def test_a_directory_without_scripts_and_none_at_all_are_the_same(machine: PretendRoot, bundle: Path) -> None:
    put_script(machine, "required/app", "exit 1").unlink()
    ran = apply(machine, bundle)
    assert (ran.status, ran.err, "health script" in ran.out) == (0, "", False)
