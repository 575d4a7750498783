"""What a machine does not let its guest change is said, with whom to ask for what."""

import dataclasses

import pytest

from recorded_machines import OURS, contents, load, recorded_with, with_file_system
from tunewiz.collect.captured import RecordedSystem
from tunewiz.collect.everything import read_facts
from tunewiz.core.answers.answers import Risk
from tunewiz.core.facts.storage_kind import StorageKind
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.known import Unknown
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import default_answers, make_plan

DATA = "/var/lib/pgsql/15/data"
CAPTURE = OURS / "qemu-aarch64-virt-offline-memless.json"
TABLE = with_file_system(CAPTURE, "vda", DATA)["proc/self/mountinfo"]
CLUSTER = {f"{DATA}/PG_VERSION": b"15\n", f"{DATA}/postgresql.conf": b"", f"{DATA}/pg_wal/x": b""}


def plan(files: dict[str, bytes], storage: StorageKind | None = None) -> Plan:
    """The boldest plan for the captured machine with a server on its disk."""
    facts = read_facts(recorded_with(CAPTURE, CLUSTER | {"proc/self/mountinfo": TABLE} | files))
    knowledge = load_knowledge()
    usual = default_answers(facts, knowledge)
    server = dataclasses.replace(usual.server, storage=storage)
    risk = Risk(posture="bold", recovery_time=usual.risk.recovery_time)
    return make_plan(facts, dataclasses.replace(usual, server=server, risk=risk), knowledge)


def because(made: Plan, name: str) -> str:
    (actual,) = (finding for finding in made.findings if finding.recommendation.id == name)
    return f"{actual.state}: {actual.because}"


def test_an_open_machine_has_its_kernel_changed() -> None:
    made = plan({})
    assert because(made, "kernel.transparent_hugepage").startswith("change: ")
    assert because(made, "kernel.swappiness").startswith("advise: ")


def mounted(line: str) -> dict[str, bytes]:
    return {"proc/self/mountinfo": TABLE + f"{line}\n".encode()}


def test_a_read_only_sysfs_is_said_with_what_to_ask_for() -> None:
    made = plan(mounted("90 24 0:22 / /sys ro - sysfs sys ro"))
    text = because(made, "kernel.transparent_hugepage")
    assert text == "not_applicable: /sys is read-only here: ask the owner of the host to set madvise"
    assert because(made, "kernel.swappiness").startswith("advise: ")


def test_a_read_only_proc_is_said_with_what_to_ask_for() -> None:
    text = because(plan(mounted("90 23 0:21 / /proc/sys ro - proc proc ro")), "kernel.swappiness")
    assert text.startswith("not_applicable: kernel settings are read-only here: ask the owner of the host to")


def test_a_container_asks_the_hosts_owner() -> None:
    made = plan({".dockerenv": b"", "proc/1/cgroup": b"0::/docker/x\n"})
    assert because(made, "kernel.swappiness").startswith("not_applicable: it belongs to the host, not to a")
    assert [warning.code for warning in made.warnings if warning.code == "container"] == ["container"]
    assert because(made, "host.containers").startswith("advise: ")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "not in the capture: /sys/kernel/debug"),
        (
            {"sys/kernel/security/lockdown": b"none [integrity] confidentiality\n"},
            "(kernel lockdown: integrity)",
        ),
    ],
)
def test_scheduler_knobs_that_cannot_be_looked_at_say_why(files: dict[str, bytes], words: str) -> None:
    assert words in because(plan(files), "kernel.sched_migration_cost_ns")


def test_debugfs_that_is_not_mounted_is_said() -> None:
    capture = load(CAPTURE)
    system = RecordedSystem(contents(capture), capture["links"], (*capture["dirs"], "sys/kernel/debug"))
    setting = read_facts(system).kernel.settings["sched.migration_cost_ns"]
    assert setting == Unknown("debugfs is not mounted: /sys/kernel/debug is empty")


def test_a_disk_that_says_it_rotates_in_a_virtual_machine_is_asked_about() -> None:
    warnings = {warning.code: warning.text for warning in plan({}).warnings}
    assert "vda says it rotates; a virtual disk may not know" in warnings["storage_unknown"]
    assert "hdd, ssd, nvme or san" in warnings["storage_unknown"]


def test_data_and_wal_on_one_disk_are_noticed() -> None:
    assert "data and WAL share vda" in because(plan({}, "hdd"), "storage.wal_disk")


def test_data_and_wal_on_one_disk_are_noticed_where_its_kind_is_not_known() -> None:
    text = because(plan({}), "storage.wal_disk")
    assert text.startswith("declined: data and WAL share vda; whether that hurts is unknown: ")
