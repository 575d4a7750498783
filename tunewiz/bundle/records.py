"""What bundles that were applied on this host have left in the state directory, read without changing it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from tunewiz.bundle.check import ServerPart, damage_of, read_manifest
from tunewiz.bundle.manifest import MANIFEST, SUMS, digest_of, read_checksums
from tunewiz.bundle.recorded_journal import RecordedJournal, read_journal
from tunewiz.bundle.recorded_steps import RecordedSteps, in_review_words, read_steps
from tunewiz.bundle.reopen import ANSWERS
from tunewiz.collect.system import regular_content
from tunewiz.core.generations.generation import (
    STATE_DIRECTORY,
    BundleHistory,
    Confirmation,
    Generation,
    Outcome,
    RecordedChange,
    history_of,
)
from tunewiz.core.values.errors import BundleError, InputError
from tunewiz.formats.records import answers_from_toml

ID_LENGTH = 16
"""Of a bundle's name among the records, as the scripts form it."""
RETURNS = "lib/return.sh"
"""The part of the scripts that knows --to."""
_RECORDS = re.compile(r"([0-9a-f]{16})(\.[0-9]+)?")
_ORDER = re.compile(r"[1-9][0-9]{0,14}\n?")
_NO_STEPS = RecordedSteps(host="", server=None, changes=(), carriers=())


def read_history(state: Path) -> BundleHistory:
    """All bundles that were applied here; none where there is no such directory.

    Raises:
        InputError: It cannot be read: it is root's.
    """
    try:
        names = sorted(path.name for path in state.iterdir()) if state.exists() else []
    except PermissionError as error:
        raise InputError(
            f"history: {state}: cannot be read: it belongs to root",
            f"Run: sudo tunewiz history{_option(state)}",
        ) from error
    except NotADirectoryError as error:
        raise InputError(f"history: {state}: found a file, expected a directory") from error
    pending = _text(state / "pending").strip()
    matches = (_RECORDS.fullmatch(name) for name in names)
    return history_of(
        tuple(_generation(state / match[0], match[1], pending) for match in matches if match is not None)
    )


def _option(state: Path) -> str:
    return "" if str(state) == STATE_DIRECTORY else f" --state {state}"


def _generation(own: Path, name: str, pending: str) -> Generation:
    journal, damage = _journal(own), list[str]()
    outcome = _outcome(own, journal)
    if outcome != "none":
        damage.extend(_damage(own, journal))
    try:
        text = _text(own / "kept" / "steps.txt")
        steps = read_steps(text, str(own / "kept" / "steps.txt"), journal.put_off) if text else _NO_STEPS
    except InputError as error:
        steps = _NO_STEPS
        damage.append(error.message)
    order = _order(own)
    if order is None and outcome in ("begun", "applied"):
        outcome = "lost"
        damage.append(f"{own}/kept/order: found no number in it")
    scripts = _scripts(own, name)
    return Generation(
        id=name,
        records=own.name,
        order=order,
        outcome=outcome,
        changes=_changes(scripts, steps),
        carriers=steps.carriers,
        begun_at=_time(own / "kept" / "order"),
        applied_at=_time(own / "applied"),
        ended_at=_time(own / "journal") if outcome == "restored" else "",
        undone=journal.undone,
        confirmation=_confirmation(journal, outcome, is_pending=pending == own.name),
        confirm_until=_deadline(own) if pending == own.name else "",
        host=steps.host,
        cluster=steps.server.data_directory if isinstance(steps.server, ServerPart) else "",
        workload=_workload(scripts),
        scripts=scripts,
        returns=bool(scripts) and (Path(scripts) / RETURNS).is_file(),
        damage=tuple(damage),
    )


def _confirmation(journal: RecordedJournal, outcome: Outcome, *, is_pending: bool) -> Confirmation:
    if journal.confirmed:
        return "confirmed"
    return "pending" if is_pending and outcome in ("begun", "applied") else "none"


def _journal(own: Path) -> RecordedJournal:
    return read_journal(_text(own / "journal"))


def _outcome(own: Path, journal: RecordedJournal) -> Outcome:
    """As look_for_losses of the scripts has it."""
    kept = own / "kept"
    if not (own / "journal").is_file():
        return "lost" if kept.is_dir() else "none"
    if journal.is_damaged:
        return "lost"
    if journal.outcome == "restored":
        return "restored"
    if (own / "applied").exists() and journal.outcome != "applied":
        return "lost"
    if journal.outcome != "none" and not read_checksums(_text(kept / SUMS)):
        return "lost"
    return journal.outcome


def _damage(own: Path, journal: RecordedJournal) -> Iterator[str]:
    """What a rollback would miss, a sentence each."""
    kept = own / "kept"
    if not (own / "journal").is_file():
        yield f"{own}/journal: is missing"
    elif journal.is_damaged:
        yield f"{own}/journal: a line of it is damaged"
    elif (own / "applied").exists() and journal.outcome not in ("applied", "restored"):
        yield f"{own}/journal: its end is missing"
    if journal.outcome == "restored":
        return
    sums = read_checksums(_text(kept / SUMS))
    if not sums:
        yield f"{kept}/{SUMS}: is missing or damaged"
    for name, digest in sums.items():
        if digest_of(_bytes(kept / name)) != digest:
            yield f"{kept}/{name}: is missing or was changed"


def _order(own: Path) -> int | None:
    text = _text(own / "kept" / "order")
    return int(text) if _ORDER.fullmatch(text) else None


def _scripts(own: Path, name: str) -> str:
    """Where the bundle is: the copy for its revert, or where it lay when it was applied; empty if nowhere."""
    places = (own / "revert", Path(_text(own / "kept" / "bundle").removesuffix("\n")))
    return next((str(place) for place in places if place.is_absolute() and _is_bundle(place, name)), "")


def _is_bundle(directory: Path, name: str) -> bool:
    try:
        return not damage_of(directory) and digest_of(_bytes(directory / SUMS))[:ID_LENGTH] == name
    except (BundleError, OSError):
        return False


def _changes(scripts: str, steps: RecordedSteps) -> tuple[RecordedChange, ...]:
    if not scripts:
        return steps.changes
    try:
        return in_review_words(read_manifest(Path(scripts) / MANIFEST), steps)
    except InputError:
        return steps.changes


def _workload(scripts: str) -> str:
    if not scripts:
        return ""
    file = Path(scripts) / ANSWERS
    try:
        return answers_from_toml(_text(file), str(file)).workload.kind
    except InputError:
        return ""


def _deadline(own: Path) -> str:
    """When an unconfirmed change is reverted; empty after a reboot, which reverts it too."""
    boot, _, second = _text(own / "deadline").strip().partition(" ")
    uptime = _text(Path("/proc/uptime")).partition(".")[0]
    if boot != _text(Path("/proc/sys/kernel/random/boot_id")).strip():
        return ""
    if not (second.isdecimal() and uptime.isdecimal()):
        return ""
    return _utc(datetime.now(UTC).timestamp() + int(second) - int(uptime))


def _time(file: Path) -> str:
    """When a file of the records was written."""
    try:
        return _utc(file.stat().st_mtime)
    except OSError:
        return ""


def _utc(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


def _text(file: Path) -> str:
    return _bytes(file).decode("utf-8", "surrogateescape")


def _bytes(file: Path) -> bytes:
    """Nothing of a file that is missing, or is not a file."""
    try:
        return regular_content(os.fspath(file))
    except OSError:
        return b""
