"""What is looked at again before a change is confirmed: all of it has to be as it was applied."""

import subprocess
from pathlib import Path

import pytest

from pretend_root import DATA, DROP_IN, SYSCTL_FILE, PretendRoot, make_bundle
from pretend_systemd import armed
from small_bundles import small_bundle
from small_host import host_bundle
from small_plans import THP
from tunewiz.kinds.queue import QueueValue


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return small_bundle(tmp_path / "bundle")


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("/proc/sys/vm/dirty_bytes", "268435456\n"),
        (THP, "[always] madvise never\n"),
        (SYSCTL_FILE, "vm.swappiness = 1\n"),
        (DROP_IN, "work_mem = '1MB'\n"),
    ],
)
def test_case_56_what_someone_changed_in_the_window_is_listed_and_not_confirmed(
    path: str, content: str, with_systemd: PretendRoot, bundle: Path
) -> None:
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    with_systemd.write(path, content)
    ran = with_systemd.run(bundle / "apply.sh", "--confirm")
    assert ran.status == 4
    assert path.removeprefix("/proc/sys/").replace("/", ".") in ran.err or path in ran.err
    assert all(armed(with_systemd).values())


def test_case_56_a_queue_that_someone_changed_in_the_window_is_not_confirmed(
    with_systemd: PretendRoot, tmp_path: Path
) -> None:
    stable, scheduler = "/dev/disk/by-id/one", "/sys/block/sda/queue/scheduler"
    with_systemd.write("/dev/sda", "")
    with_systemd.write(scheduler, "none [bfq]\n")
    with_systemd.path("/etc/udev/rules.d").mkdir(parents=True)
    with_systemd.path("/dev/disk/by-id").mkdir(parents=True)
    with_systemd.path(stable).symlink_to("../../sda")
    value = QueueValue(device="sda", stable=stable, name="scheduler", value="none", before="bfq")
    bundle = host_bundle(tmp_path / "queue", value)
    applied = with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    assert (applied.status, applied.err) == (0, "")
    with_systemd.write(scheduler, "none [bfq]\n")
    assert with_systemd.run(bundle / "apply.sh", "--confirm").status == 4
    assert all(armed(with_systemd).values())
    with_systemd.write(scheduler, "[none] bfq\n")
    assert with_systemd.run(bundle / "apply.sh", "--confirm").status == 0


def test_a_line_that_alter_system_had_written_before_does_not_keep_from_confirming(
    with_systemd: PretendRoot, tmp_path: Path
) -> None:
    with_systemd.write(f"{DATA}/postgresql.auto.conf", "work_mem = '24MB'\n")
    bundle = make_bundle(tmp_path / "auto", {"pg.work_mem": "24MB"}, drop_in=False)
    assert with_systemd.run(bundle / "apply.sh", "--confirm-within", "10").status == 0
    ran = with_systemd.run(bundle / "apply.sh", "--confirm")
    assert (ran.status, ran.err) == (0, "")
    assert not any(armed(with_systemd).values())


def test_a_server_that_takes_no_connection_is_not_confirmed_and_told_once(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    with subprocess.Popen(["sleep", "600"], cwd=with_systemd.path(DATA)) as server:
        about = (server.pid, DATA, 0, 5432, with_systemd.root.parent, "", "")
        with_systemd.write(f"{DATA}/postmaster.pid", "\n".join(map(str, about)))
        ran = with_systemd.run(bundle / "apply.sh", "--confirm")
        server.kill()
    assert (ran.status, "accepts no connection" in ran.err) == (4, True)
    assert "does not report it" not in ran.err
    assert all(armed(with_systemd).values())
