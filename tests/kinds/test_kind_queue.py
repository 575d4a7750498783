"""Values of a disk's request queue: written, kept by udev, and taken back, whatever the disk is called."""

import dataclasses
import json
from pathlib import Path

import pytest

from pretend_root import PretendRoot, entries, make_root
from small_host import host_bundle
from tunewiz.core.planning.placed import NOT_KNOWN
from tunewiz.kinds.queue import QueueValue

STABLE = "/dev/disk/by-id/nvme-eui.0025385b71b0a1c2"
RULES = "/etc/udev/rules.d/99-tunewiz.rules"
QUEUE = "/sys/block/nvme0n1/queue"
SCHEDULER = QueueValue(device="nvme0n1", stable=STABLE, name="scheduler", value="none", before="mq-deadline")
READ_AHEAD = QueueValue(device="nvme0n1", stable=STABLE, name="read_ahead_kb", value="128", before="0")


def put_disk(machine: PretendRoot, name: str = "nvme0n1") -> None:
    queue = f"/sys/block/{name}/queue"
    machine.write(f"{queue}/scheduler", "none [mq-deadline] kyber bfq\n")
    machine.write(f"{queue}/read_ahead_kb", "0\n")
    machine.write(f"{queue}/nr_requests", "512\n")
    link = machine.path(STABLE)
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(f"../../{name}")


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    made = make_root(tmp_path)
    put_disk(made)
    made.path("/etc/udev/rules.d").mkdir(parents=True)
    return made


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return host_bundle(tmp_path / "bundle", SCHEDULER, READ_AHEAD)


def test_both_values_are_written_kept_verified_and_taken_back(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    applied = machine.run(bundle / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    assert machine.read(f"{QUEUE}/scheduler") == "[none] mq-deadline kyber bfq\n"
    assert machine.read(f"{QUEUE}/read_ahead_kb") == "128\n"
    assert machine.read(RULES).splitlines()[1:] == [
        'ACTION=="add|change", SUBSYSTEM=="block", ENV{DEVTYPE}=="disk", '
        f'SYMLINK=="{STABLE.removeprefix("/dev/")}", ATTR{{queue/{name}}}="{value}"'
        for name, value in (("scheduler", "none"), ("read_ahead_kb", "128"))
    ]
    assert machine.run(bundle / "verify.sh").status == 0
    restored = machine.run(bundle / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    assert machine.tree() == before


def test_a_dry_run_tells_it_and_changes_nothing(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh", "--dry-run")
    assert f"would write none to {QUEUE}/scheduler" in ran.out
    assert f"would put {RULES} in place" in ran.out
    assert machine.tree() == before


def test_a_disk_that_has_another_name_now_is_found(machine: PretendRoot, bundle: Path) -> None:
    put_disk(machine, "nvme1n1")
    machine.write(f"{QUEUE}/scheduler", "none [kyber]\n")
    assert machine.run(bundle / "apply.sh").status == 0
    assert machine.read("/sys/block/nvme1n1/queue/read_ahead_kb") == "128\n"
    assert machine.read(f"{QUEUE}/scheduler") == "none [kyber]\n"
    run = machine.run(bundle / "verify.sh")
    assert run.status == 0
    assert "called nvme1n1 now" in run.out


def test_a_disk_that_is_not_there_is_refused(machine: PretendRoot, bundle: Path) -> None:
    machine.path(STABLE).unlink()
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert ran.err.count(f"no disk is called {STABLE}") == 2
    assert "does not offer the scheduler" not in ran.err
    assert machine.tree() == before


def test_a_value_that_someone_changed_before_is_refused(machine: PretendRoot, bundle: Path) -> None:
    machine.write(f"{QUEUE}/read_ahead_kb", "4096\n")
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "nvme0n1 read_ahead_kb: 0 when planned, found 4096" in ran.err


def test_a_value_that_the_disk_does_not_have_is_refused(machine: PretendRoot, bundle: Path) -> None:
    machine.path(f"{QUEUE}/read_ahead_kb").unlink()
    ran = machine.run(bundle / "apply.sh")
    assert (ran.status, "read_ahead_kb: 0 when planned, found nothing readable" in ran.err) == (4, True)


def test_a_value_that_the_plan_did_not_know_is_put_back_as_it_was_found(
    machine: PretendRoot, tmp_path: Path
) -> None:
    before = machine.tree()
    unknown = dataclasses.replace(READ_AHEAD, before=NOT_KNOWN)
    made = host_bundle(tmp_path / "bundle", unknown)
    assert machine.run(made / "apply.sh").status == 0
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.tree() == before


def test_a_scheduler_that_the_kernel_does_not_offer_is_refused(machine: PretendRoot, tmp_path: Path) -> None:
    machine.write(f"{QUEUE}/scheduler", "noop [mq-deadline]\n")
    ran = machine.run(host_bundle(tmp_path / "bundle", SCHEDULER) / "apply.sh")
    assert ran.status == 4
    assert "does not offer the scheduler none" in ran.err


@pytest.mark.parametrize("folder", ["/etc/udev/rules.d", "/usr/lib/udev/rules.d"])
def test_a_later_rule_that_would_win_is_refused(folder: str, machine: PretendRoot, bundle: Path) -> None:
    machine.write(f"{folder}/99-zz.rules", 'KERNEL=="nvme*", ATTR{queue/scheduler}="bfq"\n')
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "99-zz.rules sets it too" in ran.err


@pytest.mark.parametrize(
    "rule",
    [
        ("60-block.rules", 'ATTR{queue/scheduler}="bfq"\n'),
        ("99-zz.rules", 'ATTR{queue/scheduler}=="bfq", ENV{SLOW}="1"\n'),
    ],
    ids=["an earlier one", "one that only asks"],
)
def test_a_rule_that_does_not_win_does_not_count(
    rule: tuple[str, str], machine: PretendRoot, bundle: Path
) -> None:
    machine.write(f"/etc/udev/rules.d/{rule[0]}", rule[1])
    assert machine.run(bundle / "apply.sh").status == 0


def test_what_someone_changed_since_is_left_alone_and_listed(machine: PretendRoot, bundle: Path) -> None:
    machine.run(bundle / "apply.sh")
    machine.write(f"{QUEUE}/read_ahead_kb", "2048\n")
    ran = machine.run(bundle / "rollback.sh")
    assert ran.status == 4
    assert "nvme0n1 read_ahead_kb" in ran.err
    assert machine.read(f"{QUEUE}/read_ahead_kb") == "2048\n"
    assert machine.read(f"{QUEUE}/scheduler") == "none [mq-deadline] kyber bfq\n"
    assert not machine.path(RULES).exists()


def test_what_another_scheduler_reset_is_put_back_too(machine: PretendRoot, tmp_path: Path) -> None:
    made = host_bundle(tmp_path / "bundle", SCHEDULER)
    machine.run(made / "apply.sh")
    machine.write(f"{QUEUE}/nr_requests", "1023\n")
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.read(f"{QUEUE}/nr_requests") == "512\n"


def test_what_it_left_alone_is_not_written_again(machine: PretendRoot, tmp_path: Path) -> None:
    made = host_bundle(tmp_path / "bundle", SCHEDULER)
    machine.run(made / "apply.sh")
    left = entries(machine.path(QUEUE))[str(machine.path(f"{QUEUE}/nr_requests"))]
    assert machine.run(made / "rollback.sh").status == 0
    assert entries(machine.path(QUEUE))[str(machine.path(f"{QUEUE}/nr_requests"))] == left


def test_what_someone_set_since_beside_a_value_that_resets_nothing_stays(
    machine: PretendRoot, tmp_path: Path
) -> None:
    made = host_bundle(tmp_path / "bundle", READ_AHEAD)
    machine.run(made / "apply.sh")
    machine.write(f"{QUEUE}/nr_requests", "1023\n")
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.read(f"{QUEUE}/nr_requests") == "1023\n"


def test_rules_of_an_earlier_bundle_stay_beside_ours(machine: PretendRoot, tmp_path: Path) -> None:
    machine.run(host_bundle(tmp_path / "one", SCHEDULER) / "apply.sh")
    two = host_bundle(tmp_path / "two", READ_AHEAD)
    assert machine.run(two / "apply.sh").status == 0
    assert machine.read(RULES).count("queue/scheduler") == 1
    assert machine.read(RULES).count("queue/read_ahead_kb") == 1


def test_a_value_that_got_lost_differs_and_is_told_with_what_the_next_boot_gives(
    machine: PretendRoot, bundle: Path
) -> None:
    machine.run(bundle / "apply.sh")
    machine.write(f"{QUEUE}/read_ahead_kb", "64\n")
    ran = machine.run(bundle / "verify.sh", "--json")
    assert ran.status == 1
    (item,) = (load for load in json.loads(ran.out)["items"] if load["name"].endswith("read_ahead_kb"))
    assert (item["planned"], item["running"], item["configured"]) == ("128", "64", "128")
    assert item["survives_reboot"] is True


def test_what_no_rule_gives_yet_is_told_as_nothing(machine: PretendRoot, bundle: Path) -> None:
    ran = machine.run(bundle / "verify.sh", "--json")
    assert (ran.status, ran.err) == (1, "")
    assert [item["configured"] for item in json.loads(ran.out)["items"]] == [None, None]
