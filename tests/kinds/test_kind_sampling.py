"""A service that samples the server: put in place, started, verified, and taken away but for its samples."""

import dataclasses
import subprocess
from pathlib import Path

import pytest

from pretend_root import DATA, PretendRoot, make_root
from small_host import host_bundle, put_program, put_systemd
from tools_here import needs
from tunewiz.core.server.sample_place import service_of
from tunewiz.kinds.sampling import SamplingService

PROGRAM = "/usr/bin/tunewiz"
NAME = service_of(DATA)
UNIT = f"/etc/systemd/system/{NAME}"
WANTED = f"/etc/systemd/system/multi-user.target.wants/{NAME}"
SAMPLES = f"/var/lib/tunewiz-watch/{DATA.strip('/').replace('/', '-')}"
SAMPLING = SamplingService(
    program=PROGRAM,
    keep="7d",
    os_user="postgres",
    directory=DATA,
    unit="postgresql@15-main.service",
    socket_directory="/run/postgresql",
)


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    made = make_root(tmp_path)
    put_systemd(made)
    put_program(made, "tunewiz", "#!/bin/sh\n")
    return made


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return host_bundle(tmp_path / "bundle", SAMPLING)


def unit_lines(action: SamplingService, tmp_path: Path) -> list[str]:
    made = host_bundle(tmp_path / "bundle", action)
    return (made / f"files{UNIT}").read_text().splitlines()


def test_it_is_started_verified_and_taken_away(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    applied = machine.run(bundle / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    lines = machine.read(UNIT).splitlines()
    assert f"ExecStart={PROGRAM} watch --keep 7d --pgdata {DATA}" in lines
    assert {"User=postgres", "Restart=on-failure", "ProtectSystem=strict", "NoNewPrivileges=yes"} <= set(
        lines
    )
    assert f"StateDirectory={SAMPLES.removeprefix('/var/lib/')}" in lines
    assert machine.path(WANTED).is_symlink()
    verified = machine.run(bundle / "verify.sh")
    assert (verified.status, verified.out.count("as planned  ")) == (0, 1)
    assert machine.run(bundle / "apply.sh").status == 3
    restored = machine.run(bundle / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    assert "the samples" not in restored.out
    assert machine.tree() == before


def test_what_was_recorded_stays_and_that_is_said(machine: PretendRoot, bundle: Path) -> None:
    machine.run(bundle / "apply.sh")
    machine.write(f"{SAMPLES}/ring", "samples")
    restored = machine.run(bundle / "rollback.sh")
    assert restored.status == 0
    assert f"left {SAMPLES}: the samples" in restored.out
    assert machine.read(f"{SAMPLES}/ring") == "samples"
    assert not machine.path(UNIT).exists()
    assert f"The samples in `{SAMPLES}` stay after a rollback" in (bundle / "REVIEW.md").read_text()


def test_a_service_that_someone_switched_off_differs(machine: PretendRoot, bundle: Path) -> None:
    machine.run(bundle / "apply.sh")
    machine.path(WANTED).unlink()
    ran = machine.run(bundle / "verify.sh")
    assert ran.status == 1
    assert f"DIFFERS     {NAME}" in ran.out


def test_a_service_that_cannot_be_started_leaves_nothing_behind(machine: PretendRoot, bundle: Path) -> None:
    broken = machine.read("/usr/bin/systemctl").replace("enable)\n", "enable)\n        exit 1\n")
    put_program(machine, "systemctl", broken)
    before = machine.tree()
    assert machine.run(bundle / "apply.sh").status == 5
    assert machine.tree() == before


def test_a_service_that_ends_at_once_is_undone(machine: PretendRoot, bundle: Path) -> None:
    ends = machine.read("/usr/bin/systemctl").replace('touch "$read/active-$3"', "true")
    put_program(machine, "systemctl", ends)
    before = machine.tree()
    assert machine.run(bundle / "apply.sh").status == 5
    assert machine.tree() == before


@pytest.mark.parametrize("script", ["apply.sh", "rollback.sh"])
def test_after_a_power_cut_everything_can_be_taken_back(
    script: str, machine: PretendRoot, bundle: Path
) -> None:
    before = machine.tree()
    whole = machine.read("/usr/bin/systemctl")
    if script == "rollback.sh":
        machine.run(bundle / "apply.sh")
    verb = "enable" if script == "apply.sh" else "disable"
    deadly = whole.replace(f"    {verb})\n", f"    {verb})\n        kill -KILL $PPID; exit 1\n")
    put_program(machine, "systemctl", deadly)
    assert machine.run(bundle / script).status < 0
    put_program(machine, "systemctl", whole)
    assert machine.run(bundle / "rollback.sh").status == 0
    assert machine.tree() == before


@pytest.mark.parametrize("wrong", ["missing", "not executable", "a link", "open to others"])
def test_a_program_that_is_not_roots_own_is_refused(wrong: str, machine: PretendRoot, bundle: Path) -> None:
    program = machine.path(PROGRAM)
    match wrong:
        case "missing":
            program.unlink()
        case "not executable":
            program.chmod(0o644)
        case "a link":
            program.rename(program.with_name("other"))
            program.symlink_to("other")
        case _:
            program.chmod(0o777)
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert f"  {PROGRAM}: " in ran.err
    assert machine.tree() == before


def test_a_systemd_without_state_directories_is_refused(machine: PretendRoot, bundle: Path) -> None:
    put_program(
        machine, "systemctl", machine.read("/usr/bin/systemctl").replace("systemd 252", "systemd 219")
    )
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert f"{NAME}: found systemd 219, expected 235 or newer" in ran.err
    assert machine.tree() == before


def test_without_systemd_it_is_refused(machine: PretendRoot, bundle: Path) -> None:
    machine.path("/run/systemd/system").rmdir()
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert f"{UNIT}: systemd does not run this machine" in ran.err


@pytest.mark.parametrize(
    "hostile",
    [
        {"os_user": "postgres\nUser=root"},
        {"program": "/opt/a b/tunewiz"},
        {"directory": "/srv/%n"},
        {"directory": "/srv/a\nUser=root"},
        {"unit": "a.service\n[Service]"},
        {"socket_directory": "/run/$(reboot)"},
    ],
    ids=str,
)
def test_what_a_unit_cannot_name_is_left_to_a_person(hostile: dict[str, str], tmp_path: Path) -> None:
    made = host_bundle(tmp_path / "bundle", dataclasses.replace(SAMPLING, **hostile))
    assert "service|" not in (made / "steps.txt").read_text()
    assert "Wanted, but out of this bundle's reach" in (made / "REVIEW.md").read_text()


@pytest.mark.parametrize("hidden", ["/tmp", "/var/tmp/pg", ""])  # noqa: S108 - where sockets may be
def test_a_socket_that_a_private_tmp_could_hide_stays_in_sight(hidden: str, tmp_path: Path) -> None:
    lines = unit_lines(dataclasses.replace(SAMPLING, socket_directory=hidden), tmp_path)
    assert "PrivateTmp=yes" not in lines


def test_elsewhere_tmp_is_private(tmp_path: Path) -> None:
    assert "PrivateTmp=yes" in unit_lines(SAMPLING, tmp_path)


@needs("systemd-analyze")
def test_systemd_takes_every_line_of_the_unit(tmp_path: Path) -> None:
    lines = unit_lines(dataclasses.replace(SAMPLING, os_user="root", program="/bin/true"), tmp_path)
    (tmp_path / NAME).write_text("\n".join(lines) + "\n")
    said = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / NAME],
        capture_output=True,
        text=True,
        check=False,
    )
    about_it = [line for line in said.stderr.splitlines() if NAME in line]
    assert about_it == []
