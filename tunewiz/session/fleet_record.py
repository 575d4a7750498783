"""A run of the wizard for many servers on disk: its decisions, and what each host was planned from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from tunewiz.core.values.errors import InputError
from tunewiz.core.values.record import dataclass
from tunewiz.formats.mismatch import shown
from tunewiz.formats.records import answers_from_document
from tunewiz.formats.structure import is_list, is_table

FLEET = "fleet"
"""Only in sessions for many servers."""
_KEYS = frozenset({"schema", FLEET, "answers", "hosts", "decided"})
_COMPLETE: Mapping[str, object] = {"kind": "oltp", "connections": 1, "database_size": "1GB"}
"""A workload, as decisions alone are no answers."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Basis:
    """Digests of what a host was planned from, apart from decisions made in the wizard."""

    facts: str
    answers: str


@dataclass(frozen=True, kw_only=True, slots=True)
class FleetSession:
    """Where a run of the wizard for many servers stands."""

    place: str
    """The directory of the facts, as an absolute path."""
    answers: str
    """The file or directory of answers, as an absolute path; empty if none were named."""
    hosts: Mapping[str, Basis]
    """Every host that has a plan."""
    own: Mapping[str, Mapping[str, object]]
    """The decisions by host, in the form of the answers' files."""
    is_worthless: ClassVar[bool] = False
    """Facts of real hosts: there is something to come back to."""


def fleet_document(session: FleetSession) -> dict[str, object]:
    """The session as plain data without the schema number."""
    return {
        FLEET: session.place,
        "answers": session.answers,
        "hosts": {
            host: {"facts": basis.facts, "answers": basis.answers} for host, basis in session.hosts.items()
        },
        "decided": [
            {"hosts": hosts, "decisions": session.own[hosts[0]]} for hosts in decided_alike(session.own)
        ],
    }


def decided_alike(own: Mapping[str, Mapping[str, object]]) -> tuple[list[str], ...]:
    """The hosts with equal decisions, together."""
    alike = dict[str, list[str]]()
    for host, decisions in sorted(own.items()):
        alike.setdefault(repr(sorted(decisions.items())), []).append(host)
    return tuple(alike.values())


def fleet_session_from(document: Mapping[str, object], where: str) -> FleetSession:
    """The session in plain data; raises InputError."""
    for key in sorted(document.keys() ^ _KEYS):
        text = "the unknown key" if key in document else "nothing for"
        raise InputError(f"{where}: found {text} {shown(key)}, expected {', '.join(sorted(_KEYS))}")
    hosts, decided = document["hosts"], document["decided"]
    if not is_table(hosts):
        raise InputError(f"{where}: hosts: found {shown(hosts)}, expected keys and values")
    if not is_list(decided):
        raise InputError(f"{where}: decided: found {shown(decided)}, expected a list")
    return FleetSession(
        place=_text(document[FLEET], f"{where}: {FLEET}"),
        answers=_text(document["answers"], f"{where}: answers"),
        hosts={host: _basis(value, f"{where}: hosts.{host}") for host, value in hosts.items()},
        own=dict(_own(decided, where)),
    )


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{where}: found {shown(value)}, expected text")
    return value


def _basis(value: object, where: str) -> Basis:
    if not (is_table(value) and value.keys() == {"facts", "answers"}):
        raise InputError(f"{where}: found {shown(value)}, expected digests of facts and answers")
    return Basis(facts=_text(value["facts"], where), answers=_text(value["answers"], where))


def _own(decided: Iterable[object], where: str) -> Iterable[tuple[str, Mapping[str, object]]]:
    for number, value in enumerate(decided):
        at = f"{where}: decided.{number}"
        if not (is_table(value) and value.keys() == {"hosts", "decisions"}):
            raise InputError(f"{at}: found {shown(value)}, expected hosts and decisions")
        hosts, decisions = value["hosts"], value["decisions"]
        if not (is_list(hosts) and is_table(decisions)):
            raise InputError(f"{at}: found {shown(hosts)}, expected a list of hosts and their decisions")
        answers_from_document({"workload": _COMPLETE, "decisions": decisions}, at)
        for host in hosts:
            yield _text(host, f"{at}: hosts"), decisions
