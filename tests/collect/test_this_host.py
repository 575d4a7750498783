"""On this host the facts agree with what the operating system says by other ways."""

import os
import platform
from pathlib import Path

import psutil

from recorded_machines import leaves
from tunewiz.collect.machine import read_machine
from tunewiz.collect.system import LiveSystem
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.units import Bytes


def test_processors_and_memory_agree_with_the_operating_system() -> None:
    facts = read_machine(LiveSystem())
    assert facts.cpu.online == Known(os.sysconf("SC_NPROCESSORS_ONLN"), "/sys/devices/system/cpu/online")
    assert facts.memory.page_size == Known(Bytes(os.sysconf("SC_PAGE_SIZE")), "sysconf SC_PAGE_SIZE")
    assert isinstance(facts.memory.total, Known)
    assert facts.memory.total.value == Bytes(psutil.virtual_memory().total)
    assert isinstance(facts.memory.swap_total, Known)
    assert facts.memory.swap_total.value == Bytes(psutil.swap_memory().total)


def test_the_host_is_named_as_uname_names_it() -> None:
    host = read_machine(LiveSystem()).host
    assert host.name == Known(platform.node(), "uname -n")
    assert host.kernel == Known(platform.release(), "uname -r")
    assert host.architecture == Known(platform.machine(), "uname -m")


def test_cores_agree_with_psutil_where_both_know_them() -> None:
    cores = read_machine(LiveSystem()).cpu.cores
    cpu_count = psutil.cpu_count(logical=False)
    assert isinstance(cores, Unknown) or cpu_count is None or cores.value == cpu_count


def test_the_machine_id_does_not_stand_in_the_facts() -> None:
    facts = read_machine(LiveSystem())
    for path in (Path("/etc/machine-id"), Path("/var/lib/dbus/machine-id")):
        if path.exists() and (machine_id := path.read_text().strip()):
            assert machine_id not in repr(facts)


def test_the_file_system_under_a_directory_is_found_with_its_space(tmp_path: Path) -> None:
    facts = read_machine(LiveSystem(), {"data": [str(tmp_path)], "wal": [str(tmp_path / "pg_wal")]})
    (storage,) = facts.storage
    assert storage.roles == ("data", "wal")
    assert tmp_path.is_relative_to(storage.mount)
    assert isinstance(storage.total, Known)
    assert storage.total.value == Bytes(psutil.disk_usage(str(tmp_path)).total)


def test_every_fact_says_how_it_was_learned_or_why_not() -> None:
    for name, leaf in leaves(read_machine(LiveSystem(), {"data": ["/"]})).items():
        text = leaf.why if isinstance(leaf, Unknown) else leaf.how
        assert text, name


def test_progress_is_told_in_words() -> None:
    result = list[str]()
    read_machine(LiveSystem(), progress=result.append)
    assert result == ["processors", "memory", "hypervisor and limits", "kernel settings", "storage"]
