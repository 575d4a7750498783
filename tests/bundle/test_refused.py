"""What apply.sh refuses before it changes anything: a machine that is not the one that was planned on."""

import dataclasses
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from fixtures_bundles import MakeBundle
from pretend_root import DATA, SYSCTL_FILE, PretendRoot
from shells import EVERY_SHELL
from small_plans import THP, small_facts
from tunewiz.core.values.known import Unknown

DRIFT = {
    "another machine": ("/etc/machine-id", "f" * 32 + "\n", "the machine"),
    "no machine id": ("/etc/machine-id", "", "the machine"),
    "another major": (f"{DATA}/PG_VERSION", "16\n", "planned for PostgreSQL 15, found 16"),
    "a value that was changed": ("/proc/sys/vm/dirty_bytes", "4096\n", "vm.dirty_bytes"),
    "a twin that was changed": ("/proc/sys/vm/dirty_ratio", "40\n", "vm.dirty_bytes"),
    "a word that was changed": (THP, "always [madvise] never\n", THP),
    "a file of someone else's": (
        SYSCTL_FILE,
        "vm.swappiness = 1\n",
        f"{SYSCTL_FILE}: not there when planned, found a file that no bundle wrote",
    ),
    "a later file with the twin": ("/usr/lib/sysctl.d/zz.conf", "-vm/dirty_ratio = 5\n", "zz.conf"),
    "too little memory": (
        "/proc/meminfo",
        "MemTotal: 67108864 kB\nMemAvailable: 200000 kB\n",
        "vm.nr_hugepages",
    ),
}


RIVALS = (
    ("/etc/sysctl.d/99-a.conf", "vm.dirty_bytes=1\n"),
    ("/etc/tmpfiles.d/a.conf", f"w {THP} - - - - always\n"),
)


@pytest.mark.parametrize("case", DRIFT)
def test_cases_45_46_49_57_apply_refuses_what_the_plan_did_not_see_and_says_which(
    case: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    path, content, named = DRIFT[case]
    machine.write(path, content)
    made, before = bundled(), machine.tree()
    ran = machine.run(made / "apply.sh")
    assert ran.status == 4
    assert named in ran.err
    assert machine.tree() == before


def test_a_missing_data_directory_is_refused(machine: PretendRoot, bundled: MakeBundle) -> None:
    shutil.rmtree(machine.path(DATA))
    assert machine.run(bundled() / "apply.sh").status == 4


def test_a_kernel_without_the_setting_is_refused(machine: PretendRoot, bundled: MakeBundle) -> None:
    machine.path(THP).unlink()
    ran = machine.run(bundled() / "apply.sh")
    assert ran.status == 4
    assert THP in ran.err


@pytest.mark.parametrize("target", ["10-network.conf", "nowhere"])
def test_case_25_a_link_in_the_place_of_a_drop_in_is_refused(
    target: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    machine.path(SYSCTL_FILE).symlink_to(target)
    before = machine.tree()
    ran = machine.run(bundled() / "apply.sh")
    assert (ran.status, f"{SYSCTL_FILE}: not there when planned, found a link" in ran.err) == (4, True)
    assert machine.tree() == before


def test_every_difference_is_told_not_only_the_first(machine: PretendRoot, bundled: MakeBundle) -> None:
    machine.write("/proc/sys/vm/dirty_bytes", "4096\n")
    machine.write(THP, "always [madvise] never\n")
    ran = machine.run(bundled() / "apply.sh")
    assert "vm.dirty_bytes: 0 when planned, found 4kB" in ran.err
    assert f"{THP}: always when planned, found madvise" in ran.err


def test_a_rival_file_that_is_masked_or_earlier_does_not_count(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    machine.write("/usr/lib/sysctl.d/zz.conf", "vm.dirty_bytes = 1\n")
    machine.path("/etc/sysctl.d/zz.conf").symlink_to("/dev/null")
    machine.write("/usr/lib/sysctl.d/50-default.conf", "vm.dirty_bytes = 2\n")
    machine.path("/etc/sysctl.d/zzz.conf").mkdir()
    ran = machine.run(bundled() / "apply.sh")
    assert (ran.status, ran.err) == (0, "")


@pytest.mark.parametrize("shell", EVERY_SHELL)
@pytest.mark.parametrize(("name", "line"), RIVALS)
def test_a_file_that_would_win_is_found_in_every_shell(
    name: str, line: str, shell: tuple[str, ...], machine: PretendRoot, bundled: MakeBundle
) -> None:
    machine.write(name, line)
    ran = dataclasses.replace(machine, shell=shell).run(bundled() / "apply.sh")
    assert ran.status == 4
    assert f"{name} sets it too and would override it at the next boot" in ran.err


NO_RIVALS = {
    "/etc/sysctl.d/99-a.conf": "# vm.dirty_bytes: ours\nvm.dirty_bytes\nvm.swappiness = 1\n",
    "/etc/tmpfiles.d/a.conf": f"w /sys/other - - - - 1\nz {THP} 0644 root root -\n",
}


@pytest.mark.parametrize("file", NO_RIVALS)
def test_a_file_that_comes_before_or_after_but_sets_something_else_does_not_count(
    file: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    machine.write(file, NO_RIVALS[file])
    made = bundled()
    assert machine.run(made / "apply.sh").status == 0
    assert machine.run(made / "verify.sh").status == 0


def test_of_another_machine_nothing_else_is_told(machine: PretendRoot, bundled: MakeBundle) -> None:
    machine.write("/etc/machine-id", "f" * 32 + "\n")
    machine.write("/proc/sys/kernel/hostname", "db9\n")
    machine.write("/proc/sys/vm/dirty_bytes", "4096\n")
    ran = machine.run(bundled() / "apply.sh")
    result = [line for line in ran.err.splitlines() if line.startswith("  ")]
    assert (ran.status, result) == (
        4,
        ["  the machine: planned for db1, this is another one (its machine id differs)"],
    )


def test_a_machine_that_was_renamed_is_the_same(machine: PretendRoot, bundled: MakeBundle) -> None:
    machine.write("/proc/sys/kernel/hostname", "db9\n")
    assert machine.run(bundled({"kernel.swappiness": "10"}) / "apply.sh").status == 0


def test_one_value_that_is_as_planned_already_is_not_all_of_it(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    machine.write("/proc/sys/vm/nr_hugepages", "64\n")
    before = machine.tree()
    ran = machine.run(bundled() / "apply.sh")
    assert ran.status == 4
    assert "vm.nr_hugepages: 0 when planned, found 64" in ran.err
    assert machine.tree() == before


def test_what_is_as_planned_already_is_left_at_that(machine: PretendRoot, bundled: MakeBundle) -> None:
    made = bundled({"kernel.swappiness": "10"})
    machine.run(made / "apply.sh")
    shutil.rmtree(machine.state)
    before = machine.tree()
    ran = machine.run(made / "apply.sh")
    assert (ran.status, ran.err) == (3, "Everything is already as planned, nothing done.\n")
    assert machine.tree() == before


def test_a_host_without_an_id_is_known_by_its_name(machine: PretendRoot, bundled: MakeBundle) -> None:
    facts = small_facts()
    facts = dataclasses.replace(facts, host=dataclasses.replace(facts.host, identity=Unknown("test")))
    made = bundled({"kernel.swappiness": "10"}, facts=facts)
    machine.write("/proc/sys/kernel/hostname", "db2\n")
    assert machine.run(made / "apply.sh").status == 4
    machine.write("/proc/sys/kernel/hostname", "db1\n")
    assert machine.run(made / "apply.sh").status == 0


def test_a_plan_for_a_host_without_id_and_name_fits_none(machine: PretendRoot, bundled: MakeBundle) -> None:
    facts = small_facts()
    host = dataclasses.replace(facts.host, identity=Unknown("test"), name=Unknown("test"))
    made = bundled({"kernel.swappiness": "10"}, facts=dataclasses.replace(facts, host=host))
    machine.write("/proc/sys/kernel/hostname", "")
    before = machine.tree()
    assert machine.run(made / "apply.sh").status == 4
    assert machine.tree() == before


def test_the_id_of_a_host_counts_wherever_it_stands(machine: PretendRoot, bundled: MakeBundle) -> None:
    machine.path("/var/lib/dbus").mkdir(parents=True)
    machine.path("/etc/machine-id").rename(machine.path("/var/lib/dbus/machine-id"))
    assert machine.run(bundled({"kernel.swappiness": "10"}) / "apply.sh").status == 0


@pytest.mark.parametrize("script", ["apply.sh", "rollback.sh", "verify.sh"])
def test_case_70_without_root_nothing_is_begun(script: str, bundled: MakeBundle) -> None:
    made = bundled({"kernel.swappiness": "10"})
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as readable:
        Path(readable).chmod(0o755)
        shutil.copytree(made, Path(readable) / "bundle")
        done = subprocess.run(
            [*user, "sh", Path(readable) / "bundle" / script],
            env={"PATH": os.environ["PATH"], "TUNEWIZ_STATE_DIR": f"{readable}/state"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "root" in done.stderr
