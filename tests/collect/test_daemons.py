"""irqbalance, systemd-logind and tuned's latency, and how many files a server's processes may open."""

from collections.abc import Mapping

import pytest

from recorded_machines import machine
from tunewiz.collect.captured import RecordedSystem
from tunewiz.collect.limits.open_files import read_open_files
from tunewiz.collect.owners.keepers import read_owners
from tunewiz.collect.postgres.sampled_by import read_sampled_by
from tunewiz.core.facts.owners import Owners
from tunewiz.core.server.sample_place import service_of
from tunewiz.core.values.known import Absent, Known, Unknown

SYSTEMD = {"run/systemd/system/x": ""}
MAIN = "etc/systemd/logind.conf"
DROP_IN = "etc/systemd/logind.conf.d/postgresql.conf"


def owners_of(files: Mapping[str, str], links: Mapping[str, str] | None = None) -> Owners:
    return read_owners(machine(files, links))


def test_irqbalance_runs_where_its_directory_is() -> None:
    irqbalance = owners_of({"run/irqbalance/irqbalance1.sock": ""}).irqbalance
    assert irqbalance == Known("running", "/run/irqbalance")
    assert owners_of({"run/irqbalance.pid": "7\n"}).irqbalance == Known("running", "/run/irqbalance.pid")


def test_irqbalance_that_is_enabled_starts_at_boot() -> None:
    link = "etc/systemd/system/multi-user.target.wants/irqbalance.service"
    irqbalance = owners_of(SYSTEMD, {link: "/lib/systemd/system/irqbalance.service"}).irqbalance
    assert irqbalance == Known("at boot", f"/{link}")


def test_without_either_there_is_no_irqbalance_and_a_capture_does_not_tell() -> None:
    assert isinstance(owners_of(SYSTEMD).irqbalance, Absent)
    captured = RecordedSystem({"proc/version": b"Linux version 6.1.0\n"})
    assert isinstance(read_owners(captured).irqbalance, Unknown)
    assert isinstance(read_owners(captured).removes_ipc, Unknown)


def test_a_service_that_records_one_server_is_found_for_that_server_alone() -> None:
    unit = service_of("/data/one")
    link = f"etc/systemd/system/multi-user.target.wants/{unit}"
    recorded = machine(SYSTEMD, {link: f"/etc/systemd/system/{unit}"})
    assert read_sampled_by(recorded, "/data/one") == Known(unit, f"/{link}")
    assert isinstance(read_sampled_by(recorded, "/data/two"), Absent)
    assert isinstance(read_sampled_by(machine(SYSTEMD), "/data/one"), Absent)
    captured = RecordedSystem({"proc/version": b"Linux version 6.1.0\n"})
    assert isinstance(read_sampled_by(captured, "/data/one"), Unknown)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, Known(True, "systemd's default")),  # noqa: FBT003 - a fact's value
        ({MAIN: "[Login]\n#RemoveIPC=no\n"}, Known(False, f"/{MAIN}: the default that it shows")),  # noqa: FBT003
        ({MAIN: "[Login]\n#RemoveIPC=no\nRemoveIPC = yes\n"}, Known(True, f"/{MAIN}")),  # noqa: FBT003
        ({MAIN: "RemoveIPC=yes\n", DROP_IN: "[Login]\nRemoveIPC=0\n"}, Known(False, f"/{DROP_IN}")),  # noqa: FBT003
        ({MAIN: "RemoveIPC=perhaps\n"}, Known(True, "systemd's default")),  # noqa: FBT003
    ],
)
def test_logind_removes_as_its_files_say(files: dict[str, str], expected: Known[bool]) -> None:
    assert owners_of({**SYSTEMD, **files}).removes_ipc == expected


def test_of_drop_ins_with_one_name_the_first_directory_s_counts_and_of_others_the_last() -> None:
    files = {
        "usr/lib/systemd/logind.conf.d/50.conf": "RemoveIPC=no\n",
        "run/systemd/logind.conf.d/50.conf": "RemoveIPC=yes\n",
        "usr/lib/systemd/logind.conf.d/10.conf": "RemoveIPC=no\n",
    }
    removes_ipc = owners_of({**SYSTEMD, **files}).removes_ipc
    assert removes_ipc == Known(True, "/run/systemd/logind.conf.d/50.conf")  # noqa: FBT003 - a fact's value


def test_a_machine_without_systemd_removes_nothing() -> None:
    assert isinstance(owners_of({"proc/version": "Linux version 6.1.0\n"}).removes_ipc, Absent)


def tuned(content: str) -> dict[str, str]:
    return {
        "etc/tuned/active_profile": "pg\n",
        "etc/tuned/pg/tuned.conf": f"[main]\ninclude=postgresql\n{content}",
        "usr/lib/tuned/postgresql/tuned.conf": "[cpu]\nforce_latency=1\n",
    }


def test_the_latency_that_a_profile_allows_is_its_own_or_that_of_what_it_includes() -> None:
    assert owners_of(tuned("")).tuned_latency == Known("1", "/usr/lib/tuned/postgresql/tuned.conf:2")
    assert owners_of(tuned("[cpu]\nforce_latency=cstate.id:1|3\n")).tuned_latency == Known(
        "cstate.id:1|3", "/etc/tuned/pg/tuned.conf:4"
    )


def test_without_tuned_or_such_an_option_there_is_no_latency() -> None:
    assert isinstance(owners_of(SYSTEMD).tuned_latency, Absent)
    files = {"etc/tuned/active_profile": "b\n", "etc/tuned/b/tuned.conf": "[cpu]\ngovernor=performance\n"}
    assert isinstance(owners_of(files).tuned_latency, Absent)
    assert isinstance(owners_of({"etc/tuned/active_profile": "gone\n"}).tuned_latency, Unknown)


LIMITS = (
    "Limit                     Soft Limit           Hard Limit           Units     \n"
    "Max processes             96069                96069                processes \n"
    "Max open files            {}                 524288               files     \n"
)


@pytest.mark.parametrize(
    ("soft", "expected"),
    [
        ("1024", Known(1024, "/proc/7/limits")),
        ("unlimited", Absent("unlimited: /proc/7/limits")),
        ("many", Unknown("expected a line `Max open files`: /proc/7/limits")),
    ],
)
def test_the_soft_limit_of_open_files_counts(soft: str, expected: object) -> None:
    assert read_open_files(machine({"proc/7/limits": LIMITS.format(soft)}), 7) == expected


def test_a_process_that_is_gone_tells_no_limit() -> None:
    assert isinstance(read_open_files(machine({}), 7), Unknown)
