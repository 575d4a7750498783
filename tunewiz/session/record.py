"""Keeps a run of the wizard on disk, so that it survives a dropped connection.

Every run has a file of its own under $XDG_STATE_HOME/tunewiz/sessions, readable by its owner only. It is
written to a temporary name, synced and renamed: a power cut leaves the old one or the new one. It holds
facts, answers and the step, or the decisions for many servers, and never a password.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from tunewiz.collect.system import regular_content
from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.form import answers_document
from tunewiz.core.answers.steps import Step
from tunewiz.core.facts.facts import Facts
from tunewiz.core.proof.measured_parts import NO_PROOF, NoProof
from tunewiz.core.proof.named_proof import NamedProof, ProofNamed
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import known_or
from tunewiz.core.values.record import dataclass
from tunewiz.formats import json as strict_json
from tunewiz.formats.mismatch import shown
from tunewiz.formats.proof import proof_from_json, proof_json
from tunewiz.formats.records import answers_from_document, facts_document, facts_from_document
from tunewiz.formats.structure import is_table
from tunewiz.session.fleet_record import FLEET, FleetSession, fleet_document, fleet_session_from
from tunewiz.session.store import SUFFIX, SessionError

SCHEMA = 1
_KEYS = frozenset({"schema", "step", "out", "origin", "facts", "answers"})
_AS_READ = "as_read"
"""Only where facts were corrected by hand."""
_CHANGES = "changes"
"""Not in the files of earlier versions."""
_PROOF = "proof"
"""Only where a measurement was given: its file, and all that was in it."""
_NUMBERED = re.compile(r"-\d{8}-\d{6}-\d+(-\d+)?\Z")
"""What `new_file` adds to the host's name."""
_AT_ONCE = 100
"""Sessions that one run may begin in a second."""
_HINT = "Remove it, or start without --resume."


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """Where a run of the wizard stands."""

    facts: Facts
    answers: Answers
    step: Step
    out: str = ""
    """The directory that the bundle goes to, as typed."""
    origin: str = ""
    """The source of the facts unless this host: the name of an example machine, or a file."""
    as_read: Facts
    """The facts without corrections by hand."""
    proof: ProofNamed = NO_PROOF
    """What was measured on this machine."""
    changes: int = 0
    """How many changes the plan makes: who chooses a session is told."""
    is_worthless: bool = False
    """Whether nothing would be lost with it: an example in which nobody chose anything. Not saved."""


AnySession: TypeAlias = Session | FleetSession


def new_file(directory: Path, session: AnySession, moment: datetime) -> Path:
    """A name for a run that begins now; the process id keeps two at once apart."""
    kept = "".join(text for text in _called(session) if text.isalnum() or text in "-_")
    name = f"{kept[:40] or 'host'}-{moment.astimezone(UTC):%Y%m%d-%H%M%S}-{os.getpid()}"
    names = (name, *(f"{name}-{count}" for count in range(2, _AT_ONCE)))
    free = (directory / f"{name}{SUFFIX}" for name in names)
    return next((file for file in free if not file.exists()), directory / f"{name}{SUFFIX}")


def _called(session: AnySession) -> str:
    if isinstance(session, FleetSession):
        return f"{FLEET}-{Path(session.place).name}"
    return known_or(session.facts.host.name, "")


def machine_of(session: AnySession) -> str:
    """What keeps the sessions of one run apart: where the facts are from, and the machine's name."""
    if isinstance(session, FleetSession):
        return f"{FLEET} {session.place}"
    return f"{session.origin} {known_or(session.facts.host.name, '')}"


def save(session: AnySession, file: Path) -> None:
    """Saves the session on disk, readable by its owner only; raises SessionError."""
    text = json.dumps(_document(session), indent=1) + "\n"
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _replace(file, text.encode())
    except OSError as error:
        raise SessionError(f"{file}: the session cannot be saved: {error.strerror or error}") from error


def keep_visit(session: Path, directory: Path) -> None:
    """Copy the session of a finished run to the directory of visits, in place of the host's earlier one.

    Raises:
        SessionError: It cannot be read or written.
    """
    name = _NUMBERED.sub("", session.stem)
    file = directory / f"{name}{SUFFIX}"
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        _replace(file, session.read_bytes())
    except OSError as error:
        raise SessionError(f"{file}: what was read cannot be kept: {error.strerror or error}") from error


def _document(session: AnySession) -> dict[str, object]:
    if isinstance(session, FleetSession):
        return {"schema": SCHEMA, **fleet_document(session)}
    was_corrected = session.as_read != session.facts
    return {
        **({_AS_READ: facts_document(session.as_read)} if was_corrected else {}),
        **_proof_document(session.proof),
        "schema": SCHEMA,
        "step": session.step.value,
        "out": session.out,
        "origin": session.origin,
        _CHANGES: session.changes,
        "answers": answers_document(session.answers),
        "facts": facts_document(session.facts),
    }


def _proof_document(proof: ProofNamed) -> dict[str, object]:
    if isinstance(proof, NoProof):
        return {}
    return {_PROOF: {"file": proof.file, "content": proof_json(proof.proof)}}


def _replace(file: Path, content: bytes) -> None:
    descriptor, name = tempfile.mkstemp(prefix=".", suffix=".new", dir=file.parent)  # mode 0600
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).replace(file)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    _sync_directory(file.parent)


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def load(file: Path) -> AnySession:
    """The session in a file; raises InputError if it is unreadable, broken or of another schema."""
    try:
        document = strict_json.loads(regular_content(str(file)).decode(), str(file))
        return _read(document, str(file))
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: not valid UTF-8 (byte {error.start})", _HINT) from error
    except InputError as error:
        raise InputError(error.message, _HINT) from error


def _read(document: object, where: str) -> AnySession:
    if not is_table(document):
        raise InputError(f"{where}: found {shown(document)}, expected keys and values")
    if document.get("schema") != SCHEMA:
        raise InputError(f"{where}: schema: found {shown(document.get('schema'))}, expected {SCHEMA}")
    if FLEET in document:
        return fleet_session_from(document, where)
    for key in sorted((document.keys() - {_AS_READ, _PROOF, _CHANGES}) ^ _KEYS):
        text = "the unknown key" if key in document else "nothing for"
        raise InputError(f"{where}: found {text} {shown(key)}, expected {', '.join(sorted(_KEYS))}")
    facts = facts_from_document(document["facts"], f"{where}: facts")
    as_read = document.get(_AS_READ)
    return Session(
        step=_step(document["step"], where),
        out=_text(document, "out", where),
        origin=_text(document, "origin", where),
        answers=_answers(document["answers"], f"{where}: answers"),
        facts=facts,
        as_read=facts if as_read is None else facts_from_document(as_read, f"{where}: {_AS_READ}"),
        proof=_proof(document.get(_PROOF), f"{where}: {_PROOF}"),
        changes=_count(document.get(_CHANGES, 0), where),
    )


def _count(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InputError(f"{where}: {_CHANGES}: found {shown(value)}, expected a number from 0 on")
    return value


def _proof(value: object, where: str) -> ProofNamed:
    """The file as it was, so that a session goes on with the same measurement whatever became of the file."""
    if value is None:
        return NO_PROOF
    if not is_table(value) or value.keys() != {"file", "content"}:
        raise InputError(f"{where}: found {shown(value)}, expected file and content")
    file, content = (_text(value, key, where) for key in ("file", "content"))
    return NamedProof(file=file, proof=proof_from_json(content, f"{where}: content"))


def _step(value: object, where: str) -> Step:
    if value not in list(Step):
        raise InputError(f"{where}: step: found {shown(value)}, expected one of {', '.join(Step)}")
    return Step(str(value))


def _text(document: Mapping[str, object], key: str, where: str) -> str:
    value = document[key]
    if not isinstance(value, str):
        raise InputError(f"{where}: {key}: found {shown(value)}, expected text")
    return value


def _answers(value: object, where: str) -> Answers:
    if not is_table(value):
        raise InputError(f"{where}: found {shown(value)}, expected keys and values")
    return answers_from_document(value, where)
