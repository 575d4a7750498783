"""Tables that were captured without their end lose their last line and say so; pipes are never waited for."""

import os
import socket
from pathlib import Path

import pytest

from recorded_machines import contents, load, our_captures, recorded, recorded_with, unpack
from tunewiz.collect import file_values
from tunewiz.collect.captured import RecordedSystem, RootedSystem
from tunewiz.collect.everything import read_facts
from tunewiz.collect.machine import read_machine
from tunewiz.collect.system import ReadError
from tunewiz.core.facts.facts import Facts
from tunewiz.core.values.known import Known, Unknown

X86 = next(path for path in our_captures() if "x86_64" in path.stem)


def cut(*names: str) -> Facts:
    """The machine whose tables were saved without the end of their last line."""
    files = contents(load(X86))
    return read_machine(recorded_with(X86, {name: files[name].rstrip(b"\n")[:-1] for name in names}))


def test_meminfo_loses_its_last_line_alone() -> None:
    whole, memory = read_machine(recorded(X86)).memory, cut("proc/meminfo").memory
    assert isinstance(memory.total, Known)
    assert isinstance(whole.total, Known)
    assert memory.total.value == whole.total.value
    assert memory.total.how == f"/proc/meminfo{file_values.CUT}: MemTotal"


def test_cpuinfo_loses_its_last_processor_and_is_not_counted() -> None:
    whole, actual = read_machine(recorded(X86)).cpu, cut("proc/cpuinfo").cpu
    assert (actual.model, actual.vendor, actual.online) == (whole.model, whole.vendor, whole.online)
    listed = b"".join(b"processor\t: %d\nmodel name\t: A\nflags\t: lm\n\n" % cpu for cpu in range(4))
    alone = read_machine(RecordedSystem({"proc/cpuinfo": listed.rstrip(b"\n")})).cpu
    assert alone.model == Known("A", "/proc/cpuinfo")
    assert isinstance(alone.online, Unknown)
    assert "cut" in alone.online.why


def test_a_mount_table_loses_its_last_line_alone_and_a_whole_one_is_preferred() -> None:
    lines = [f"{n} 1 8:{n} / {point} rw - ext4 /dev/sda{n} rw\n" for n, point in enumerate(("/", "/a", "/b"))]
    one = "".join(lines).rstrip("\n").encode()
    machine = read_machine(RecordedSystem({"proc/self/mountinfo": one}), {"data": ["/a/x"]})
    assert [(file_system.mount, file_system.device) for file_system in machine.storage] == [
        ("/a", Known("/dev/sda1", f"mount table{file_values.CUT}"))
    ]
    both = {"proc/self/mountinfo": one, "proc/1/mountinfo": "".join(lines).encode()}
    machine = read_machine(RecordedSystem(both), {"data": ["/b"]})
    assert [(file_system.mount, file_system.device) for file_system in machine.storage] == [
        ("/b", Known("/dev/sda2", "mount table"))
    ]


@pytest.mark.parametrize("content", [b"MemTotal:   12", b"x"])
def test_a_table_of_one_cut_line_tells_nothing(content: bytes) -> None:
    total = read_machine(RecordedSystem({"proc/meminfo": content})).memory.total
    assert isinstance(total, Unknown)
    assert "cut" in total.why


def test_a_number_that_was_cut_is_still_no_number() -> None:
    recorded_system = RecordedSystem({"proc/sys/vm/swappiness": b"6"})
    with pytest.raises(ReadError, match="cut"):
        recorded_system.read_text("/proc/sys/vm/swappiness")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def listener(path: Path) -> None:
    """A socket without a program behind it; its name is shorter than the path."""
    with socket.socket(socket.AF_UNIX) as one:
        here = Path.cwd()
        os.chdir(path.parent)
        one.bind(path.name)
        os.chdir(here)


def device(path: Path) -> None:
    path.symlink_to("/dev/tty")


@pytest.mark.parametrize("put", [pipe, listener], ids=["a pipe", "a socket"])
@pytest.mark.parametrize("name", ["proc/cpuinfo", "proc/meminfo", "etc/os-release", "proc/sys/vm/swappiness"])
def test_what_may_never_answer_in_a_captured_root_is_not_waited_for(
    name: str, put: object, tmp_path: Path
) -> None:
    unpack(X86, tmp_path)
    (tmp_path / name).unlink()
    assert callable(put)
    put(tmp_path / name)
    with pytest.raises(ReadError) as caught:
        RootedSystem(tmp_path).read_bytes(f"/{name}")
    assert caught.value.reason == "failed"
    assert read_facts(RootedSystem(tmp_path)).host.name is not None


def test_every_file_of_a_captured_root_may_be_a_pipe(tmp_path: Path) -> None:
    unpack(X86, tmp_path)
    for path in [path for path in tmp_path.rglob("*") if path.is_file() and not path.is_symlink()]:
        path.unlink()
        pipe(path)
    assert isinstance(read_facts(RootedSystem(tmp_path)).memory.total, Unknown)
