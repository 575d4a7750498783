"""The state of a bundle's measurement, from its files, which are only read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tunewiz.bench.beginning import place_of
from tunewiz.bench.bundle import LATER, BundleRead, read_bundle
from tunewiz.bench.locks import is_under_way
from tunewiz.bench.progress import lines_from
from tunewiz.bench.run import RunDirectory, read_ended, read_partial, read_run, so_far
from tunewiz.bench.runner import DONE, ENDED_EARLY, NOT_RESTORED
from tunewiz.bundle.manifest import SUMS, digest_of
from tunewiz.bundle.reopen import written_from
from tunewiz.collect.system import regular_content
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import seconds_set
from tunewiz.core.proof.bench_seen import (
    BenchSeen,
    CannotMeasure,
    Finished,
    NotBegun,
    NotPutBack,
    OtherUnderWay,
    Outlook,
    PutBack,
    UnderWay,
)
from tunewiz.core.proof.lengths import lengths_of
from tunewiz.core.values.errors import TunewizError
from tunewiz.core.values.known import known_or
from tunewiz.formats.proof import proof_from_json

PROOF = "-proof.json"
"""Suffix of a bundle's name in the name of its result."""
USUAL_TIMEOUT = 300
"""checkpoint_timeout in seconds where it could not be read: PostgreSQL's default."""
GONE = "its processes are gone, and nothing was put back: the machine stopped, or they were killed"


def look_for(directory: str, environ: Mapping[str, str]) -> BenchSeen:
    """The current state of the bundle's measurement; never raises.

    Args:
        directory: The bundle, as typed.
        environ: This process's environment, which locates the records.
    """
    bundle = Path(directory).expanduser().absolute()
    try:
        digest = digest_of(regular_content(str(bundle / SUMS)))
    except OSError:
        return CannotMeasure(
            why=f"{bundle} is not a bundle, and only a bundle can be measured: write it first."
        )
    try:
        return _recorded(place_of(environ), bundle, digest) or _unrecorded(bundle, digest)
    except PermissionError as error:
        why = f"{error.filename}: {error.strerror}. Start the wizard with sudo to see a measurement here."
        return _unrecorded(bundle, digest, why)
    except (TunewizError, OSError):
        # A run is just starting or ending.
        return _unrecorded(bundle, digest)


def _recorded(place: RunDirectory, bundle: Path, digest: str) -> BenchSeen | None:
    """What the records of measurements say about this bundle; None if nothing."""
    try:
        place.directory.lstat()  # `exists` takes a directory that may not be searched for an empty one
    except FileNotFoundError:
        return None
    works = is_under_way(place)
    if not place.run.exists():
        return None
    run = read_run(place)
    if run.digest != digest:
        return OtherUnderWay() if works else None
    measured = so_far(run, read_partial(place))
    if not works:
        return _ended(place, str(bundle), PutBack(directory=str(bundle), so_far=measured, why=""))
    lines = list(lines_from(place.progress, 0))
    steps = [line.text for line in lines if line.kind == "step"]
    asks = bool(lines) and lines[-1].kind == "question" and not place.answer.exists()
    return UnderWay(
        directory=str(bundle),
        so_far=measured,
        doing=steps[-1] if steps else "beginning",
        question=lines[-1].text if asks else "",
    )


def _ended(place: RunDirectory, directory: str, early: PutBack) -> BenchSeen | None:
    if not (lines := read_ended(place)):
        return NotPutBack(directory=directory, why=(GONE,))
    ended, *why = lines
    if ended == DONE:
        proof = proof_from_json(place.proof.read_text(encoding="utf-8"), str(place.proof))
        return Finished(directory=directory, proof=proof, unshown=True)
    if ended == NOT_RESTORED:
        return NotPutBack(directory=directory, why=tuple(why))
    if ended == ENDED_EARLY:
        return PutBack(directory=directory, so_far=early.so_far, why="; ".join(why))
    return None


def _unrecorded(bundle: Path, digest: str, unseen: str = "") -> BenchSeen:
    """The result that the command wrote beside the bundle, or what measuring it takes."""
    beside = bundle.with_name(f"{bundle.name}{PROOF}")
    try:
        proof = proof_from_json(regular_content(str(beside)).decode(), str(beside))
    except (OSError, UnicodeDecodeError, TunewizError):
        proof = None
    if proof is not None and proof.bundle.digest == digest and proof.metrics:
        return Finished(directory=str(bundle), proof=proof, unshown=False)
    try:
        read = read_bundle(bundle)
        facts, _ = written_from(bundle)
    except TunewizError as error:
        return CannotMeasure(why=str(error))
    return NotBegun(outlook=_outlook(read, facts, beside), unseen=unseen)


def _outlook(bundle: BundleRead, facts: Facts, beside: Path) -> Outlook:
    now = [change for change in bundle.changes if change.takes_effect not in LATER]
    longer = max(_timeout(facts, bundle.server.data_directory), bundle.planned_seconds("checkpoint_timeout"))
    return Outlook(
        directory=str(bundle.directory),
        proof_file=str(beside),
        server=bundle.server.data_directory,
        changes=len(now),
        later=len(bundle.changes) - len(now),
        restarts=any(change.takes_effect == "restart" for change in now),
        lengths=lengths_of(longer, writes=True),
    )


def _timeout(facts: Facts, data_directory: str) -> int:
    """The server's checkpoint_timeout, in seconds."""
    result = (server for server in facts.postgres if known_or(server.data_directory, "") == data_directory)
    results = [seconds_set(server.settings, "checkpoint_timeout") for server in result]
    return next(filter(None, results), USUAL_TIMEOUT)
