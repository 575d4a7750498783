"""The one door: this host, a captured root and a recorded machine answer alike, and no link leads out."""

import ctypes
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from recorded_machines import contents, load, machine, our_captures, recorded, unpack
from tunewiz.collect.captured import RecordedSystem, RootedSystem
from tunewiz.collect.system import MAX_CONTENT, LiveSystem, ReadError, System
from tunewiz.core.values.known import Known, Unknown

IN_OPEN = 0x20


def test_a_missing_file_says_that_it_is_missing(tmp_path: Path) -> None:
    systems: tuple[System, ...] = (
        LiveSystem(),
        RootedSystem(Path("/")),
        RootedSystem(tmp_path, complete=True),
        RecordedSystem({}, complete=True),
    )
    for system in systems:
        assert system.complete
        with pytest.raises(ReadError, match=r"^no such file: /no/such/file$") as caught:
            system.read_bytes("/no/such/file")
        assert caught.value.reason == "missing"


def test_what_a_capture_lacks_says_nothing_of_the_machine(tmp_path: Path) -> None:
    systems: tuple[System, ...] = (RootedSystem(tmp_path), RecordedSystem({}))
    for system in systems:
        assert not system.complete
        for read in (system.read_bytes, system.read_text, system.listdir, system.readlink):
            with pytest.raises(ReadError, match=r"^not in the capture: /no/such/file$") as caught:
                read("/no/such/file")
            assert caught.value.reason == "uncaptured"


def test_a_directory_cannot_be_read_as_a_file(tmp_path: Path) -> None:
    (tmp_path / "proc").mkdir()
    systems: tuple[System, ...] = (RootedSystem(tmp_path), RecordedSystem({}, dirs=("proc",)))
    for system in systems:
        with pytest.raises(ReadError, match=r"^cannot be read \(Is a directory\): /proc$") as caught:
            system.read_text("/proc")
        assert caught.value.reason == "failed"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_forbidden_file_says_that_permission_is_denied(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("x")
    secret.chmod(0)
    with pytest.raises(ReadError, match=r"^permission denied: ") as caught:
        LiveSystem().read_bytes(str(secret))
    assert caught.value.reason == "denied"


def test_a_path_with_a_zero_byte_is_missing_everywhere(tmp_path: Path) -> None:
    systems: tuple[System, ...] = (LiveSystem(), RootedSystem(tmp_path), RecordedSystem({}))
    for system in systems:
        assert not system.exists("/a\0b")
        with pytest.raises(ReadError):
            system.read_bytes("/a\0b")
        with pytest.raises(ReadError):
            system.listdir("/a\0b")


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert RecordedSystem({"f": b"a\xffb\n"}).read_text("/f") == "a\ufffdb\n"


@pytest.mark.parametrize("target", ["/etc/passwd", "../../../../../../../../etc/passwd", "/../../etc/passwd"])
def test_a_link_never_leads_out_of_a_captured_root(tmp_path: Path, target: str) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/passwd").write_text("the capture's own\n")
    (tmp_path / "proc/deep").mkdir(parents=True)
    (tmp_path / "proc/deep/link").symlink_to(target)
    assert RootedSystem(tmp_path).read_text("/proc/deep/link") == "the capture's own\n"


def test_a_link_to_what_the_capture_lacks_is_missing_though_this_host_has_it(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/passwd")
    assert not RootedSystem(tmp_path).exists("/link")
    with pytest.raises(ReadError, match="not in the capture: /link"):
        RootedSystem(tmp_path).read_bytes("/link")


def test_links_in_the_middle_of_a_path_are_followed() -> None:
    links = {"sys/block/sda": "../devices/ata1/sda", "sys/dev": "/sys/block"}
    system = machine({"sys/devices/ata1/sda/size": "8\n", "sys/devices/ata1/up": "1\n"}, links)
    assert system.read_text("/sys/dev/sda/size") == "8\n"
    assert system.realpath("/sys/dev/sda/size") == "/sys/devices/ata1/sda/size"
    assert system.read_text("/sys/block/sda/../up") == "1\n"
    assert system.readlink("/sys/block/sda") == "../devices/ata1/sda"


@pytest.mark.parametrize("path", ["proc/sys/vm/swappiness", "sys/block/sda/size", "proc/meminfo"])
def test_a_captured_file_of_the_kernel_that_ends_within_a_line_was_cut(path: str) -> None:
    with pytest.raises(ReadError, match="it was cut off: its last line has no end"):
        machine({path: "6"}).read_text(f"/{path}")


@pytest.mark.parametrize(
    "path", ["etc/hostname", "proc/1/cmdline", "proc/device-tree/model", "proc/1/environ"]
)
def test_other_files_need_no_last_end_of_line(path: str) -> None:
    assert machine({path: "x"}).read_text(f"/{path}") == "x"


def test_an_empty_file_of_the_kernel_is_read_as_it_is() -> None:
    assert machine({"proc/sys/kernel/modprobe": ""}).read_text("/proc/sys/kernel/modprobe") == ""


def test_a_circle_of_links_is_an_error_not_a_loop() -> None:
    system = machine({}, {"a": "b", "b": "a"})
    assert not system.exists("/a")
    with pytest.raises(ReadError, match="too many links"):
        system.read_bytes("/a/c")


def test_a_plain_file_is_no_link(tmp_path: Path) -> None:
    with pytest.raises(ReadError):
        machine({"f": "x"}).readlink("/f")
    (tmp_path / "f").write_text("x")
    with pytest.raises(ReadError):
        RootedSystem(tmp_path).readlink("/f")


@pytest.mark.parametrize("path", our_captures(), ids=lambda path: path.stem)
def test_a_captured_root_and_a_recorded_machine_answer_alike(path: Path, tmp_path: Path) -> None:
    unpack(path, tmp_path)
    rooted, held = RootedSystem(tmp_path), recorded(path)
    for name, content in contents(load(path)).items():
        assert rooted.read_bytes(f"/{name}") == content
        assert held.read_bytes(f"/{name}") == content
    folders = {Path(f"/{name}").parent.as_posix() for name in contents(load(path))}
    for folder in folders:
        assert rooted.listdir(folder) == held.listdir(folder)
    for link in load(path)["links"]:
        assert rooted.realpath(f"/{link}") == held.realpath(f"/{link}")
        assert rooted.readlink(f"/{link}") == held.readlink(f"/{link}")
    assert rooted.uname() == held.uname()


def test_the_kernel_is_named_by_its_sysctl_files() -> None:
    system = machine(
        {
            "proc/sys/kernel/osrelease": "6.1.0-50-arm64\n",
            "proc/sys/kernel/arch": "aarch64\n",
            "proc/version": "Linux version 5.0 (x)\n",
            "etc/hostname": "db1\n",
        }
    )
    assert system.uname().release == Known("6.1.0-50-arm64", "/proc/sys/kernel/osrelease")
    assert system.uname().machine == Known("aarch64", "/proc/sys/kernel/arch")
    assert system.uname().node == Known("db1", "/etc/hostname")


def test_an_older_capture_names_the_kernel_in_proc_version() -> None:
    system = machine({"proc/version": "Linux version 4.18.0-553.el8.s390x (mock@x) #1 SMP\n"})
    assert system.uname().release == Known("4.18.0-553.el8.s390x", "/proc/version")


def test_noise_is_no_name_of_a_kernel() -> None:
    system = machine({"proc/version": "\x00\x01 garbage", "proc/sys/kernel/arch": "!!"})
    assert isinstance(system.uname().release, Unknown)
    assert isinstance(system.uname().machine, Unknown)


def test_a_capture_knows_nothing_of_owners_space_or_writing() -> None:
    system = machine({"f": "x"})
    assert not system.can_write("/f")
    assert not system.environ
    assert not system.live
    with pytest.raises(ReadError):
        system.stat("/f")
    with pytest.raises(ReadError):
        system.space("/")
    with pytest.raises(ReadError):
        system.page_size()


def test_this_host_tells_owner_device_and_space(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_text("x")
    file.chmod(0o640)
    result = LiveSystem().stat(str(file))
    assert (result.uid, result.gid, result.mode) == (os.geteuid(), file.stat().st_gid, 0o640)
    assert not result.directory
    assert LiveSystem().stat(str(tmp_path)).directory
    assert result.device == f"{os.major(file.stat().st_dev)}:{os.minor(file.stat().st_dev)}"
    space = LiveSystem().space(str(tmp_path))
    assert 0 <= space.free <= space.total


def test_whether_a_file_could_be_written_is_learned_without_writing(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_text("before")
    assert LiveSystem().can_write(str(file))
    assert not LiveSystem().can_write(str(tmp_path / "missing"))
    assert file.read_text() == "before"


def test_this_host_resolves_links_as_the_kernel_does(tmp_path: Path) -> None:
    (tmp_path / "to").write_text("x")
    (tmp_path / "link").symlink_to("to")
    assert LiveSystem().readlink(str(tmp_path / "link")) == "to"
    assert LiveSystem().realpath(str(tmp_path / "link")) == str((tmp_path / "to").resolve())
    assert LiveSystem().listdir(str(tmp_path)) == ("link", "to")


def opened_from_outside(path: Path, reader: Callable[[], object]) -> bool:
    """Whether anything opens a file while it is read: a watch of the kernel's tells it (inotify)."""
    libc = ctypes.CDLL(None, use_errno=True)
    watch = libc.inotify_init1(os.O_NONBLOCK)
    try:
        assert libc.inotify_add_watch(watch, os.fsencode(path), IN_OPEN) >= 0
        reader()
        try:
            return bool(os.read(watch, 4096))
        except BlockingIOError:
            return False
    finally:
        os.close(watch)


@pytest.mark.parametrize("kind", ["a pipe", "a device", "a link to a device"])
def test_what_is_no_regular_file_is_not_even_opened(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "odd"
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a device":
        if os.geteuid() != 0:
            pytest.skip("only root makes devices")
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    else:
        path.symlink_to("/dev/null")

    def read() -> None:
        with pytest.raises(ReadError, match=r"^cannot be read \(not a regular file\): "):
            LiveSystem().read_bytes(str(path))

    assert not opened_from_outside(path, read)


def test_a_regular_file_is_opened_where_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "usual"
    path.write_text("x")
    assert opened_from_outside(path, lambda: LiveSystem().read_bytes(str(path)))


@pytest.mark.parametrize("more", [0, 1, 1 << 40])
def test_a_file_is_read_up_to_a_bound(tmp_path: Path, more: int) -> None:
    path = tmp_path / "large"
    with path.open("wb") as stream:
        stream.truncate(MAX_CONTENT.count + more)
    if more == 0:
        assert len(LiveSystem().read_bytes(str(path))) == MAX_CONTENT.count
        return
    for system in (LiveSystem(), RootedSystem(Path("/"))):
        with pytest.raises(ReadError, match=r"^cannot be read \(found more than 64 MiB, expected less\): "):
            system.read_bytes(str(path))
