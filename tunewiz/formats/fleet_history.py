"""A collection of a fleet as lines of JSON: its head, then a line for each host."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict

from tunewiz.core.fleet.history import Collection, CollectionCounts, CollectionHead, HostRecord
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.record import dataclass
from tunewiz.formats.mismatch import shown
from tunewiz.formats.structure import DocumentForm, structure

SCHEMA = 1
_FORM = DocumentForm("texts", {})


@dataclass(frozen=True, kw_only=True, slots=True)
class _FirstLine:
    """The first line."""

    schema: int
    number: int
    at: int
    counts: CollectionCounts
    failed: tuple[str, ...]


def collection_lines(collection: Collection) -> Iterator[str]:
    """The same collection gives the same lines, in ASCII."""
    head = collection.head
    yield _line(
        {
            "schema": SCHEMA,
            "number": head.number,
            "at": head.at,
            "counts": asdict(head.counts),
            "failed": list(collection.failed),
        }
    )
    for _, state in sorted(collection.hosts.items()):
        yield _line(
            {
                "host": state.host,
                "digest": state.digest,
                "values": state.values,
                "off_plan": state.off_plan,
                "against": state.against,
            }
        )


def _line(document: Mapping[str, object]) -> str:
    return json.dumps(document, sort_keys=True, separators=(",", ":")) + "\n"


def head_from_line(line: str, where: str) -> CollectionHead:
    """When it was recorded, and its numbers; raises InputError."""
    head = _head(line, where)
    return CollectionHead(number=head.number, at=head.at, counts=head.counts)


def collection_from_lines(lines: Iterator[str], where: str) -> Collection:
    """The whole collection; raises InputError for one that is cut or is not of this program."""
    first = next(lines, "")
    head, failed = head_from_line(first, where), _head(first, where).failed
    hosts = dict[str, HostRecord]()
    for number, line in enumerate(lines, start=2):
        at = f"{where}: line {number}"
        state = structure(_parsed(line, at), HostRecord, at, _FORM)
        hosts[state.host] = state
    if len(hosts) != head.counts.hosts:
        raise InputError(f"{where}: found {len(hosts)} hosts, expected {head.counts.hosts}: it was cut off")
    return Collection(head=head, hosts=hosts, failed=failed)


def _head(line: str, where: str) -> _FirstLine:
    at = f"{where}: line 1"
    head = structure(_parsed(line, at), _FirstLine, at, _FORM)
    if head.schema != SCHEMA:
        raise InputError(f"{at}: schema: found {shown(head.schema)}, expected {SCHEMA}")
    return head


def _parsed(line: str, where: str) -> object:
    try:
        result: object = json.loads(line)
    except (RecursionError, ValueError) as error:
        raise InputError(f"{where}: not valid JSON: {error}") from error
    return result
