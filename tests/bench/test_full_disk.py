"""A disk that becomes full, and a power cut: everything comes back, at the latest with the next command."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from bench_runs import BRIEF, CHANGED, RELOADED, UnderWay, as_before, prove, under_way
from fixtures_attacks import ONLY_ROOT_HAS_RIGHTS_TO_LOSE
from history_scripts import processes_in
from killed_servers import start_after_kill
from real_subject import MakeSubject, Subject
from tools_here import needs
from tunewiz.bench.locks import is_under_way
from tunewiz.bench.run import read_partial

LONG = (*BRIEF, "--pairs", "6", "--same-pairs", "2")
AGAIN = (*BRIEF, "--pairs", "2", "--same-pairs", "2")
REFUSED = (*AGAIN, "--from-statements", "--dbname", "postgres")
"""It cleans up as any other command does, and ends at once."""
MIB = 1 << 20
SECONDS_WITHOUT_ROOM = 90
Mount = Callable[[Subject, Path, int], None]


@pytest.fixture
def mount() -> Iterator[Mount]:
    """Gives a directory of a stopped server a small file system of its own, with what is in it."""
    mounted = list[tuple[Subject, Path]]()

    def on(subject: Subject, directory: Path, megabytes: int) -> None:
        aside = directory.with_name(f"{directory.name}.aside")
        subprocess.run(["cp", "-a", directory, aside], check=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tunewiz", directory], check=True)
        mounted.append((subject, directory))
        subprocess.run(["cp", "-a", f"{aside}/.", directory], check=True)
        shutil.rmtree(aside)

    yield on
    for subject, directory in mounted:
        # Where its data lies on it, a server would go on in a directory that nobody finds any more.
        if subject.cluster.is_running():
            subject.cluster.stop(mode="immediate")
        subprocess.run(["umount", directory], check=True)


@contextmanager
def full(directory: Path) -> Generator[None]:
    """All room is taken, and taken again whenever some becomes free."""
    filler, is_over = directory / "filler", Event()

    def fill() -> None:
        while not is_over.wait(0.02):
            for size in (MIB, 512):
                with suppress(OSError), filler.open("ab", buffering=0) as stream:
                    while not is_over.is_set():
                        stream.write(bytes(size))

    working = Thread(target=fill)
    working.start()
    try:
        yield
    finally:
        is_over.set()
        working.join()
        filler.unlink()


def in_state(subject: Subject) -> Path:
    subject.state.mkdir(mode=0o700, exist_ok=True)
    return subject.state


PLACES: dict[str, tuple[Callable[[Subject], Path], tuple[str, ...]]] = {
    "the run's own records": (in_state, REFUSED),
    "the databases": (lambda subject: subject.cluster.data_directory / "base", REFUSED),
    "the server's data, WAL and configuration": (lambda subject: subject.cluster.data_directory, AGAIN),
}
"""Directories that become full, and the next command."""


@needs("mount", "umount")
@ONLY_ROOT_HAS_RIGHTS_TO_LOSE
@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("which", PLACES)
def test_a_full_disk_ends_the_run_and_everything_comes_back(
    which: str, make_subject: MakeSubject, mount: Mount
) -> None:
    subject = make_subject()
    subject.cluster.query("ALTER SYSTEM SET max_wal_size = '64MB'")
    subject.cluster.query("ALTER SYSTEM SET min_wal_size = '32MB'")
    subject.cluster.stop()
    place, next_command = PLACES[which]
    directory = place(subject)
    mount(subject, directory, 600)
    subject.cluster.start()
    bundle, before = subject.bundle(RELOADED), as_before(subject)
    with under_way(subject, bundle, *LONG) as run:
        run.until_in_force()
        with full(directory):
            # A server that crashes at the end of each recovery is waited for until there is room.
            made_room = time.monotonic() + SECONDS_WITHOUT_ROOM
            run.until(lambda: not is_under_way(run.place) or time.monotonic() > made_room)
        run.until_over()
        assert run.follower.wait(timeout=60) == 5
        said = run.follower.stderr
        assert said is not None
        text = said.read()
    was_put_back = "everything was put back" in text
    if was_put_back:
        assert as_before(subject) == before
    else:
        assert "--resume" in text, text
    again = prove(subject, bundle, *next_command)
    assert again.returncode in (0, 1, 3, 4), again.stderr
    if not was_put_back:
        assert "left by an interrupted run" in again.stderr
    assert as_before(subject) == before
    assert not (subject.state / "prove").exists()


def stays_in_force(run: UnderWay, before: object) -> bool:
    """Whether the change runs and is in the files, now and half a second later: no rollback has begun."""

    def in_force() -> bool:
        return run.subject.show()["work_mem"] == CHANGED and run.subject.configuration() != before

    if not in_force():
        return False
    time.sleep(0.5)
    return in_force()


def cut_power(run: UnderWay) -> None:
    """Everything is gone at once: the run, scripts and watchers, the server."""
    victims = [*_with_words(str(run.place.directory)), *processes_in(run.subject.cluster.data_directory)]
    for process in victims:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    run.until(lambda: not processes_in(run.subject.cluster.data_directory))
    run.until_over()


def _with_words(words: str) -> Iterator[int]:
    """The processes with these words in their command line."""
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if words.encode() in file.read_bytes():
                yield int(file.parent.name)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("options", "is_started"),
    [(AGAIN, False), ((*AGAIN, "--resume"), True)],
    ids=["a new run, the server down", "continued, the server started"],
)
def test_after_a_power_cut_the_next_command_says_what_it_found_and_cleans(
    make_subject: MakeSubject, options: tuple[str, ...], *, is_started: bool
) -> None:
    subject = make_subject()
    bundle, before = subject.bundle(RELOADED), as_before(subject)
    with under_way(subject, bundle, *AGAIN) as run:
        # In an A/A pair the change is in force for a moment only.
        run.until(lambda: read_partial(run.place).agreed > 0)
        run.until(lambda: stays_in_force(run, before["files"]))
        cut_power(run)
        assert run.follower.wait(timeout=60) == 5
    assert subject.configuration() != before["files"]
    if is_started:
        start_after_kill(subject.cluster)
    done = prove(subject, bundle, *options)
    assert done.returncode in (0, 1, 3, 4), done.stderr
    assert "left by an interrupted run: changes of the bundle were in force" in done.stderr
    assert "left by an interrupted run: the database tunewiz_prove_" in done.stderr
    assert ("the server was down: it was started" in done.stderr) != is_started
    assert as_before(subject) == before
    assert not (subject.state / "prove").exists()
