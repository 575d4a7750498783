"""What the one file unpacks is kept: privately, whole, once for all starts, and anew when damaged."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from command_line import ANSWERS, Ended
from tools_here import need
from tunewiz import __version__
from tunewiz.bundle.parts import parts, scripts

pytestmark = pytest.mark.slow
VERSION = f"tunewiz {__version__}\n"
NOBODY = 65534
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="another user's files can be made by root alone")
STARTS = 8
CANNOT_CREATE = 73


@pytest.fixture
def cache() -> Path:
    """Of this test's home."""
    return Path(os.environ["XDG_CACHE_HOME"]) / "tunewiz" / "onefile"


def run(one_file: Path, *arguments: str, python: str = sys.executable, **environment: str) -> Ended:
    done = subprocess.run(
        [python, one_file, *(arguments or ["--version"])],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return Ended(status=done.returncode, out=done.stdout, err=done.stderr)


def kept_in(cache: Path) -> Path:
    (kept,) = [path for path in cache.iterdir() if path.is_dir()]
    return kept


def starts_well(one_file: Path) -> None:
    assert run(one_file) == Ended(status=0, out=VERSION, err="")


def is_refused(one_file: Path, why: str, **environment: str) -> None:
    """It runs all the same, out of a directory that is gone afterwards."""
    temporary = Path(os.environ["HOME"]) / "tmp"
    temporary.mkdir(exist_ok=True)
    done = run(one_file, TMPDIR=str(temporary), **environment)
    assert (done.status, done.out) == (0, VERSION)
    assert why in done.one_message
    assert f"this run uses {temporary}/" in done.err
    deadline = time.monotonic() + 30
    while any(temporary.iterdir()):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_first_start_unpacks_for_its_user_alone_and_a_second_uses_that(one_file: Path, cache: Path) -> None:
    starts_well(one_file)
    first = kept_in(cache)
    assert cache.stat().st_mode & 0o077 == 0
    modes = {path.lstat().st_mode & 0o022 for path in cache.rglob("*")}
    assert modes == {0}
    inode = first.stat().st_ino
    starts_well(one_file)
    assert kept_in(cache).stat().st_ino == inode


def test_what_was_compiled_is_kept_whatever_the_environment_says(one_file: Path, cache: Path) -> None:
    assert run(one_file, PYTHONDONTWRITEBYTECODE="1").out == VERSION
    assert list(cache.rglob("tunewiz/__pycache__/cli.*.pyc"))


def test_without_the_variable_it_is_the_cache_of_the_home(
    one_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/paths/do/not/count")
    starts_well(one_file)
    assert kept_in(Path(os.environ["HOME"]) / ".cache" / "tunewiz" / "onefile").is_dir()
    assert not Path("relative").exists()


def test_starts_at_the_same_time_share_one_directory(one_file: Path, cache: Path) -> None:
    command = [sys.executable, str(one_file), "--version"]
    running = [subprocess.Popen(command, stdout=-1, stderr=-1, text=True) for _ in range(STARTS)]
    assert {entry.communicate() for entry in running} == {(VERSION, "")}
    assert {entry.returncode for entry in running} == {0}
    assert kept_in(cache).is_dir()


DAMAGE: dict[str, Callable[[Path], object]] = {
    "a module is missing": lambda kept: (kept / "lib" / "tunewiz" / "cli.py").unlink(),
    "a module is empty": lambda kept: (kept / "lib" / "tunewiz" / "cli.py").write_bytes(b""),
    "a script is cut": lambda kept: os.truncate(next((kept / "lib" / "tunewiz").rglob("*.sh")), 7),
    "the library is missing": lambda kept: shutil.rmtree(kept / "lib"),
    "the inventory is missing": lambda kept: (kept / "inventory").unlink(),
    "the inventory is cut": lambda kept: os.truncate(kept / "inventory", 500),
    "the inventory is nonsense": lambda kept: (kept / "inventory").write_text("nonsense\n"),
    "the lock is missing": lambda kept: (kept / ".lock").unlink(),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_damaged_is_unpacked_anew(one_file: Path, cache: Path, damage: str) -> None:
    starts_well(one_file)
    before = sizes(kept_in(cache))
    DAMAGE[damage](kept_in(cache))
    starts_well(one_file)
    assert sizes(next(path for path in cache.iterdir() if path.name.startswith(__version__))) == before


def sizes(kept: Path) -> dict[str, int]:
    return {
        str(path.relative_to(kept)): path.stat().st_size
        for path in kept.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }


def test_a_new_version_removes_the_old_ones_but_not_one_that_runs(one_file: Path, cache: Path) -> None:
    starts_well(one_file)
    kept = kept_in(cache)
    for name in ("0.0.1-unused", "0.0.2-running", ".unpacking-killed"):
        shutil.copytree(kept, cache / name)
    shutil.copytree(kept, cache / ".unpacking-early")
    (cache / ".unpacking-early" / ".lock").unlink()
    shutil.rmtree(kept)
    with (cache / "0.0.2-running" / ".lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        starts_well(one_file)
    assert {path.name for path in cache.iterdir() if path.is_dir()} == {kept.name, "0.0.2-running"}
    assert (cache / "0.0.2-running" / "inventory").exists()


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_cache_in_which_others_can_write_is_not_used(one_file: Path, tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    if mode & 0o020:
        if os.geteuid() != 0:
            pytest.skip("another group can be given by root alone")
        os.chown(folder, -1, 12345)
    folder.chmod(mode)
    is_refused(one_file, f"{folder} can be written by others", XDG_CACHE_HOME=str(folder))
    assert list(folder.iterdir()) == []


def test_a_cache_that_others_can_read_is_not_used(one_file: Path, cache: Path) -> None:
    cache.mkdir(parents=True, mode=0o755)
    cache.chmod(0o755)
    is_refused(one_file, f"{cache} is open to others (mode 755")


@AS_ROOT
def test_what_another_user_has_prepared_is_not_used(one_file: Path, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    (shared / "tunewiz" / "onefile").mkdir(parents=True)
    os.chown(shared / "tunewiz", NOBODY, NOBODY)
    is_refused(one_file, f"{shared}/tunewiz belongs to user {NOBODY}", XDG_CACHE_HOME=str(shared))


@AS_ROOT
def test_the_home_of_another_user_is_left_alone(one_file: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)
    is_refused(one_file, f"{home} belongs to user {NOBODY}", HOME=str(home), XDG_CACHE_HOME="")
    assert list(home.iterdir()) == []


@AS_ROOT
def test_a_link_into_another_users_directory_is_followed_to_its_owner(one_file: Path, tmp_path: Path) -> None:
    theirs, mine = tmp_path / "theirs", tmp_path / "mine"
    (theirs / "onefile").mkdir(parents=True)
    os.chown(theirs, NOBODY, NOBODY)
    mine.mkdir()
    (mine / "tunewiz").symlink_to(theirs)
    is_refused(one_file, f"{theirs} belongs to user {NOBODY}", XDG_CACHE_HOME=str(mine))


def test_a_cache_that_is_a_file_is_told(one_file: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    is_refused(one_file, f"{tmp_path}/file is not a directory", XDG_CACHE_HOME=f"{tmp_path}/file")


def on_a_mount(options: str, command: list[str]) -> subprocess.CompletedProcess[str]:
    """With a file system of its own at the home's cache, seen by this command alone."""
    need("unshare", "mount")
    script = f'mkdir -p "$1" && mount -t tmpfs -o {options} tmpfs "$1" && shift && exec "$@"'
    cache = os.environ["XDG_CACHE_HOME"]
    return subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", cache, *command],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("options", "why"),
    [("ro,mode=700", "Read-only file system"), ("size=1M,mode=700", "No space left on device")],
    ids=["read-only", "full"],
)
def test_where_nothing_can_be_kept_it_runs_and_says_so(one_file: Path, options: str, why: str) -> None:
    if on_a_mount(options, ["true"]).returncode != 0:
        pytest.skip("file systems cannot be mounted here: that takes root, unshare and mount namespaces")
    done = on_a_mount(options, [sys.executable, str(one_file), "--version"])
    assert (done.returncode, done.stdout) == (0, VERSION)
    assert done.stderr.startswith("tunewiz: ")
    assert f"cannot keep what is unpacked ({why})" in done.stderr


def test_a_temporary_directory_is_removed_even_after_a_kill(one_file: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    environment = {**os.environ, "XDG_CACHE_HOME": f"{tmp_path}/file", "TMPDIR": str(temporary)}
    command = [sys.executable, str(one_file), "plan", "--facts", "/dev/stdin"]
    with subprocess.Popen(command, env=environment, stdin=-1, stderr=-1) as running:
        assert running.stderr is not None
        assert b"this run uses" in running.stderr.readline()
        assert len(list(temporary.iterdir())) == 1
        running.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 30
    while any(temporary.iterdir()):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_damaged_copy_is_refused_in_one_message(one_file: Path, tmp_path: Path) -> None:
    data = bytearray(one_file.read_bytes())
    data[len(data) // 2] ^= 1
    copy = tmp_path / "copy.pyz"
    copy.write_bytes(data)
    done = run(copy)
    assert done.status == CANNOT_CREATE
    assert f"{copy} is damaged" in done.one_message


def test_any_name_and_place_will_do(one_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "a place" / "tune wiz"
    copy.parent.mkdir()
    shutil.copy(one_file, copy)
    monkeypatch.chdir(copy.parent)
    done = subprocess.run(["./tune wiz", "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, VERSION, "")


def test_bundles_of_the_one_file_hold_the_same_scripts(one_file: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers.toml"
    answers.write_text(ANSWERS)
    done = run(
        one_file, "bundle", "--demo", "small-vm", "--answers", str(answers), "-o", str(tmp_path / "bundle")
    )
    assert done.status == 0, done.err
    shipped = {**scripts(), **{f"lib/{name}": path.read_bytes() for name, path in parts().items()}}
    assert {name: (tmp_path / "bundle" / name).read_bytes() for name in shipped} == shipped
