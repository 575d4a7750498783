"""What an earlier bundle has put in a drop-in gives way to what the next one sets, and only that."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import pytest

from faulty_programs import kill_before_moving, without_shims
from fixtures_bundles import MakeBundle
from pretend_root import DATA, DROP_IN, SYSCTL_FILE, TMPFILES_FILE, PretendRoot
from small_host import host_bundle, put_systemd
from small_plans import THP, small_facts
from tunewiz.core.facts.facts import Facts
from tunewiz.core.recommendation.actions import HostAction
from tunewiz.core.recommendation.targets import Effect
from tunewiz.core.values.known import Known
from tunewiz.kinds.queue import QueueValue
from tunewiz.kinds.unit import UnitDropIn
from tunewiz.kinds.vacuum import VacuumSchedule

STABLE = "/dev/disk/by-id/one"
QUEUE = QueueValue(device="sda", stable=STABLE, name="read_ahead_kb", value="128", before="4096")
RULE = 'ACTION=="add|change", SUBSYSTEM=="block", ENV{DEVTYPE}=="disk"'
UNIT = UnitDropIn(unit="postgresql.service", lines=(("OOMScoreAdjust", "-900"),))
CRON = VacuumSchedule(by="cron", hour=3, minute=7, os_user="postgres", port=5432, socket_directory="")


def facts(**kernel: int | str) -> Facts:
    """The small machine, whose kernel has these values by now."""
    result = small_facts(include_directory=Known(f"{DATA}/conf.d", "test"))
    settings = {name.replace("__", "."): Known(value, "test") for name, value in kernel.items()}
    kernel_facts = dataclasses.replace(result.kernel, settings={**result.kernel.settings, **settings})
    return dataclasses.replace(result, kernel=kernel_facts)


Wanted = tuple[Mapping[str, str], Mapping[str, str], Facts]
CHANGED: Mapping[str, Wanted] = {
    SYSCTL_FILE: (
        {"kernel.swappiness": "10", "kernel.nr_hugepages": "64"},
        {"kernel.swappiness": "20"},
        facts(vm__swappiness=10),
    ),
    TMPFILES_FILE: (
        {"kernel.transparent_hugepage": "never"},
        {"kernel.transparent_hugepage": "madvise"},
        facts(thp__enabled="never"),
    ),
    DROP_IN: ({"pg.work_mem": "24MB", "pg.shared_buffers": "256MB"}, {"pg.work_mem": "32MB"}, facts()),
}
LEFT: Mapping[str, list[str]] = {
    SYSCTL_FILE: ["vm.swappiness = 20", "vm.nr_hugepages = 64"],
    TMPFILES_FILE: [f"w {THP} - - - - madvise"],
    DROP_IN: ["work_mem = '32MB'", "shared_buffers = '256MB'"],
}


@pytest.mark.parametrize("file", CHANGED)
def test_a_value_of_an_earlier_bundle_is_not_listed_beside_the_next(
    file: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    first, then, actual = CHANGED[file]
    assert machine.run(bundled(first, name="first") / "apply.sh").status == 0
    between = machine.tree()
    second = bundled(then, facts=actual, name="second")
    ran = machine.run(second / "apply.sh")
    assert (ran.status, ran.err) == (0, "")
    assert machine.read(file).splitlines()[1:] == LEFT[file]
    applied = machine.tree()
    assert f"would restore the former {file}" in machine.run(second / "rollback.sh", "--dry-run").out
    assert machine.tree() == applied
    assert machine.run(second / "rollback.sh").status == 0
    assert machine.tree() == between


def test_a_drop_in_that_someone_has_removed_since_is_not_made_anew(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    first, then, actual = CHANGED[SYSCTL_FILE]
    machine.run(bundled(first, name="first") / "apply.sh")
    second = bundled(then, facts=actual, name="second")
    machine.run(second / "apply.sh")
    machine.path(SYSCTL_FILE).unlink()
    ran = machine.run(second / "rollback.sh")
    assert (ran.status, f"{SYSCTL_FILE} (no such file)" in ran.err) == (4, True)
    assert not machine.path(SYSCTL_FILE).exists()


def test_case_6_one_that_a_killed_run_had_not_replaced_yet_stays(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    first, then, actual = CHANGED[SYSCTL_FILE]
    machine.run(bundled(first, name="first") / "apply.sh")
    second, between = bundled(then, facts=actual, name="second"), machine.tree()
    kill_before_moving(machine, second / "apply.sh", SYSCTL_FILE)
    assert machine.run(second / "rollback.sh").status == 0
    assert without_shims(machine.tree()) == between


Host = tuple[HostAction, HostAction, str, list[str]]
HOST: Mapping[str, Host] = {
    "a rule of udev's": (
        QUEUE,
        dataclasses.replace(QUEUE, value="256", before="128"),
        "/etc/udev/rules.d/99-tunewiz.rules",
        [f'{RULE}, SYMLINK=="disk/by-id/one", ATTR{{queue/read_ahead_kb}}="256"'],
    ),
    "a unit": (
        UNIT,
        dataclasses.replace(UNIT, lines=(("OOMScoreAdjust", "-800"),)),
        "/etc/systemd/system/postgresql.service.d/90-tunewiz.conf",
        ["[Service]", "OOMScoreAdjust=-800"],
    ),
    "a file for cron": (
        CRON,
        dataclasses.replace(CRON, hour=4),
        "/etc/cron.d/tunewiz-vacuum-b9979e13",
        [
            "# /var/lib/postgresql/data",
            "PATH=/usr/lib/postgresql/15/bin:/usr/pgsql-15/bin:/usr/local/pgsql/bin:/usr/bin:/bin",
            "7 4 * * * postgres vacuumdb --all --freeze --analyze --quiet --no-password --port=5432",
        ],
    ),
}


@pytest.mark.parametrize("case", HOST)
def test_nor_is_a_rule_or_a_line_of_it(case: str, machine: PretendRoot, tmp_path: Path) -> None:
    put_systemd(machine, UNIT.unit)
    for directory in ("/etc/udev/rules.d", "/etc/cron.d", "/dev/disk/by-id"):
        machine.path(directory).mkdir(parents=True)
    machine.write("/sys/block/sda/queue/read_ahead_kb", "4096\n")
    machine.path(STABLE).symlink_to("../../sda")
    first, then, file, left = HOST[case]
    assert machine.run(host_bundle(tmp_path / "first", first, effect=Effect.RESTART) / "apply.sh").status == 0
    between = machine.tree()
    second = host_bundle(tmp_path / "second", then, effect=Effect.RESTART)
    ran = machine.run(second / "apply.sh")
    assert (ran.status, ran.err) == (0, "")
    assert machine.read(file).splitlines()[1:] == left
    assert machine.run(second / "rollback.sh").status == 0
    assert machine.tree() == between
