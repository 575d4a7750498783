"""A caller's streams of every kind, and programs of a server's owner that list what they are given."""

import dataclasses
import os
import pty
import socket
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pretend_root import Ran
from real_subject import Subject

Kind = Literal["tty", "file", "pipe", "socket"]
PROGRAMS = ("psql", "pg_controldata", "postgres", "pg_ctl")

WITNESS = """#!/bin/dash
(stat -L -c '%d:%i {name}' /proc/$$/fd/* >>{witness} 2>/dev/null)
echo '{name} \033]0;owned\007 says so' >&2
exec {real} "$@"
"""
"""Its shell keeps what it was given open; nothing is opened once more."""


def with_witnesses(subject: Subject) -> tuple[Subject, Path]:
    """The server runs from the owner's copy of its programs, each of which lists its descriptors first."""
    cluster = subject.cluster
    cluster.stop()
    mine, path = cluster.directory / "bin", cluster.directory / "witness"
    cluster.run("cp", "-rL", cluster.programs.bin_directory, mine)
    cluster.run("mkdir", cluster.directory / "lib")
    cluster.run("touch", path)
    for name in PROGRAMS:
        real = mine / f"{name}.real"
        (mine / name).rename(real)
        (mine / name).write_text(WITNESS.format(name=name, witness=path, real=real))
        (mine / name).chmod(0o755)
    programs = dataclasses.replace(cluster.programs, bin_directory=mine)
    moved = dataclasses.replace(cluster, programs=programs)
    moved.start()
    return dataclasses.replace(subject, cluster=moved), path


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Stream:
    """One of a caller's streams: what the script gets, and where what it says is read."""

    given: int
    read: int | None


def stream(kind: Kind, directory: Path) -> Stream:
    """A new one."""
    read: int | None
    match kind:
        case "tty":
            read, given = pty.openpty()
        case "pipe":
            read, given = os.pipe()
        case "socket":
            ours, theirs = socket.socketpair()
            read, given = ours.detach(), theirs.detach()
        case _:
            file = directory / f"stream-{len(list(directory.glob('stream-*')))}"
            read, given = None, os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    return Stream(given=given, read=read)


def inode(descriptor: int) -> str:
    """As stat tells it."""
    about = os.fstat(descriptor)
    return f"{about.st_dev}:{about.st_ino}"


def _drain(descriptor: int, into: list[bytes]) -> None:
    try:
        while heard := os.read(descriptor, 65536):
            into.append(heard)
    except OSError:
        # A terminal whose other side was closed.
        return


@contextmanager
def _heard(streams: tuple[Stream, ...], into: list[bytes]) -> Generator[None]:
    readers = [
        threading.Thread(target=_drain, args=(item.read, into)) for item in streams if item.read is not None
    ]
    for reader in readers:
        reader.start()
    try:
        yield
    finally:
        for given in {item.given for item in streams}:
            os.close(given)
        for reader in readers:
            reader.join(60)
        assert not any(reader.is_alive() for reader in readers), (
            "something holds a stream of the caller's open"
        )
        for entry in streams:
            if entry.read is not None:
                os.close(entry.read)


def run_with(
    subject: Subject, kinds: tuple[Kind, ...], directory: Path, *command: str
) -> tuple[Ran, set[str]]:
    """Runs a script with such streams, and higher descriptors besides; which inodes were its caller's."""
    into: list[bytes] = []
    streams = tuple(stream(kind, directory) for kind in kinds)
    given = {inode(entry.given) for entry in streams}
    environment = {"PATH": os.environ["PATH"], "TUNEWIZ_STATE_DIR": str(subject.state)}
    with _heard(streams[1:], into):
        done = subprocess.run(
            ["sh", "-c", 'exec "$@" 3>&1 9>&2', "sh", *command],
            stdin=streams[0].given,
            stdout=streams[1].given,
            stderr=streams[2].given,
            env={**environment, **subject.cluster.environment},
            check=False,
            timeout=100,
        )
    os.close(streams[0].given)
    return Ran(status=done.returncode, out=b"".join(into).decode(errors="replace"), err=""), given
