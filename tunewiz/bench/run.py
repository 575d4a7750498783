"""What one run does, settled before it begins, and what it has measured so far: both are files.

The process that measures is given only the directory of these files, so another can continue its work.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from tunewiz.bench.mix import NOTHING
from tunewiz.collect.system import regular_content
from tunewiz.core.proof.bench_seen import SoFar
from tunewiz.core.proof.lengths import Lengths
from tunewiz.core.proof.metrics import MetricName
from tunewiz.core.proof.proof import (
    Arm,
    Cycle,
    MeasuredChange,
    Omission,
    Pair,
    ProofHost,
    ProofKind,
    ProofScript,
    WorkloadSource,
)
from tunewiz.core.proof.schedule import BenchSchedule
from tunewiz.core.values.errors import InputError
from tunewiz.formats import json as strict_json
from tunewiz.formats.provenance import RecordWriter
from tunewiz.formats.structure import structure

T = TypeVar("T")
NEW = ".new"
"""Suffix of a file that is being written."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasuredServer:
    """The server that is measured, and how it is reached: over its socket, as its owner."""

    major: str
    data_directory: str
    owner: str
    """Name of the operating system's user."""
    role: str
    """The role to connect as."""
    programs: str
    """Directory of pgbench and psql; empty where they are found by PATH."""
    is_copy: bool = False
    """Whether it is a copy of the server that the bundle is for."""
    system_identifier: str = ""
    """The cluster's system identifier; empty if it could not be read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupOfChanges:
    """A part of the plan that is switched on and off as one."""

    name: str
    ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class BenchRun:
    """One run."""

    host: ProofHost
    server: MeasuredServer
    digest: str
    """Of the bundle."""
    changes: tuple[MeasuredChange, ...]
    source: WorkloadSource
    scripts: tuple[ProofScript, ...]
    clients: int
    scale: int
    template: str
    """A database to copy the data from; empty to make pgbench's tables."""
    lengths: Lengths
    pairs: int
    """The most pairs, or cycles where the plan is ablated."""
    is_fixed: bool
    """Whether the number of pairs was given; otherwise the budget decides."""
    same_pairs: int
    primary: MetricName
    seed: int
    groups: tuple[GroupOfChanges, ...]
    """The parts to ablate; none where the whole plan is compared."""
    until: int
    """When all of it must have ended, in seconds since 1970; 0 without a budget."""
    began: int
    ask: bool
    """Whether a person decides after the A/A pairs."""
    work: str
    """A directory for scripts and pgbench's logs."""
    database: str
    """Prefix of the names of the run's databases."""
    share: float | None = None
    """Share of the server's execution time that the scripts represent, 0 to 1; None if unknown."""
    left_out: tuple[Omission, ...] = ()
    """What is not measured of the bundle, and not run of the server's own statements."""
    cannot_tell: tuple[str, ...] = ()
    """What the results cannot show because of where they are measured."""
    session: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """libpq's environment variables for the clients."""
    schedule: BenchSchedule | None = None
    """What fits into the budget; None without one."""
    kind: ProofKind = "bench"
    """bench, or switchback: then `lengths` are those of a block, its pause as the warm-up."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Partial:
    """What was measured so far."""

    rate: float = 0.0
    same_pairs: tuple[Pair, ...] = ()
    pairs: tuple[Pair, ...] = ()
    cycles: tuple[Cycle, ...] = ()
    steps: tuple[Arm, ...] = ()
    """Of the cycle that is under way."""
    agreed: int = 0
    """Pairs that were agreed on after the A/A pairs; 0 before."""
    arm_seconds: float = 0.0
    """How long one arm takes, with its restart."""
    left_out: tuple[Omission, ...] = ()
    """Pairs of blocks that show nothing."""


def so_far(run: BenchRun, partial: Partial) -> SoFar:
    """The results so far, as every front end shows them."""
    return SoFar(
        primary=run.primary,
        most=run.pairs,
        agreed=partial.agreed,
        same_planned=run.same_pairs,
        same_pairs=partial.same_pairs,
        pairs=partial.pairs,
        groups=len(run.groups),
        cycles=len(partial.cycles),
        steps=len(partial.steps),
        arm_seconds=partial.arm_seconds,
    )


@dataclass(frozen=True, slots=True)
class RunDirectory:
    """The directory of the run, and what is in it."""

    directory: Path

    @property
    def run(self) -> Path:
        """What it does."""
        return self.directory / "run.json"

    @property
    def partial(self) -> Path:
        """What it has measured."""
        return self.directory / "partial.json"

    @property
    def proof(self) -> Path:
        """What it found."""
        return self.directory / "proof.json"

    @property
    def progress(self) -> Path:
        """What it says meanwhile, a line of JSON each."""
        return self.directory / "progress"

    @property
    def answer(self) -> Path:
        """Whether to continue after the A/A pairs."""
        return self.directory / "answer"

    @property
    def status(self) -> Path:
        """How it ended; missing while it is under way."""
        return self.directory / "status"

    @property
    def locks(self) -> tuple[Path, Path]:
        """Locked by the process that measures, and by the one that guards it."""
        return self.directory / "runner.lock", self.directory / "guard.lock"

    @property
    def runner(self) -> Path:
        """The number of the process that measures."""
        return self.directory / "runner"

    @property
    def started(self) -> Path:
        """How the server was started."""
        return self.directory / "started"

    @property
    def scripts(self) -> Path:
        """The scripts generated for this run."""
        return self.directory / "scripts"

    @property
    def log(self) -> Path:
        """Output of its programs."""
        return self.directory / "log"

    @property
    def bundles(self) -> Path:
        """The bundles that are applied."""
        return self.directory / "bundles"

    @property
    def state(self) -> Path:
        """The records of their scripts."""
        return self.directory / "state"

    @property
    def whole(self) -> Path:
        """The bundle with all changes."""
        return self.bundles / "all"


def write_record(file: Path, record: object) -> None:
    """Replace the file with the record atomically; it is on disk when this returns."""
    text = json.dumps(RecordWriter().fields(record), indent=1) + "\n"
    put(file, text)


def put(file: Path, text: str) -> None:
    """Replace the file with the text atomically; it is on disk when this returns."""
    new = file.with_name(f"{file.name}{NEW}")
    try:
        with new.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        new.rename(file)
    except OSError:
        new.unlink(missing_ok=True)
        raise
    _sync(file.parent)


def _sync(directory: Path) -> None:
    """Without this, a power cut may leave the old file, or none."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_run(place: RunDirectory) -> BenchRun:
    """The run; raises InputError."""
    return _read(place.run, lambda data, where: structure(data, BenchRun, where))


def read_partial(place: RunDirectory) -> Partial:
    """What was measured so far, possibly nothing; raises InputError."""
    if not place.partial.exists():
        return Partial()
    return _read(place.partial, lambda data, where: structure(data, Partial, where))


def read_ended(place: RunDirectory) -> list[str]:
    """How it ended, and why; nothing while it is under way, and where a power cut left the file empty."""
    return place.status.read_text(encoding="utf-8").splitlines() if place.status.exists() else []


def _read(file: Path, into: Callable[[object, str], T]) -> T:
    try:
        text = regular_content(str(file)).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: cannot be read: {error}") from error
    return into(strict_json.loads(text, str(file)), str(file))
