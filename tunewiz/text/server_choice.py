"""Which server and which storage can be chosen: the same for the page and for `--plain`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import get_args

from tunewiz.core.answers.step_order import major_is_settled
from tunewiz.core.facts.probe import Probe
from tunewiz.core.facts.server import PostgresServer, not_asked
from tunewiz.core.facts.storage_kind import StorageKind
from tunewiz.core.values.known import Known, MissingFact, Unknown, known_or
from tunewiz.core.values.record import dataclass
from tunewiz.text.choice import Choice
from tunewiz.text.machine import server_words
from tunewiz.wizard.journey import Journey

KINDS: tuple[StorageKind, ...] = get_args(StorageKind)
AS_FOUND = "as found"
STORAGE_QUESTION = "What kind of storage holds the data?"
STORAGE = {
    "hdd": ("Spinning disks", "seeks cost milliseconds", "spinning disks"),
    "ssd": ("SSD", "SATA, SAS, virtual on flash, or an all-flash SAN", "SSD"),
    "nvme": ("NVMe", "local, many requests at once", "NVMe"),
    "san": ("SAN", "an array with a cache of its own: FC, iSCSI, ECKD", "SAN"),
}


THE_SERVER = "the server"
"""Used when there is only one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerKey:
    """A server as a row of the page, and what it is called beside others."""

    key: str
    name: str

    @property
    def title(self) -> str:
        """Before what is said of it; empty if there is no other."""
        return "" if self.name == THE_SERVER else f"{self.name[0].upper()}{self.name[1:]}: "


def server_key(journey: Journey, server: PostgresServer) -> ServerKey:
    """Which row a server has; what was learned of it since changes nothing."""
    key = _row_of(journey, server)
    if len(journey.facts.postgres) == 1:
        return ServerKey(key=key, name=THE_SERVER)
    match server.port:
        case Known(value=port):
            return ServerKey(key=key, name=f"port {port}")
        case _:
            return ServerKey(key=key, name=f"the server in {key}")


def _row_of(journey: Journey, server: PostgresServer) -> str:
    """The key of its row: a plan that does not trust all of its counters still means the same server."""
    same = (server.data_directory, server.port)
    rows = [(listed.data_directory, listed.port) for listed in journey.facts.postgres]
    return known_or(server.data_directory, f"#{rows.index(same) if same in rows else 0}")


def servers(journey: Journey) -> Iterator[Choice]:
    """The servers that were found."""
    for number, server in enumerate(journey.facts.postgres):
        yield Choice(key=known_or(server.data_directory, f"#{number}"), title=server_words(server))


def server_at(journey: Journey) -> str:
    """Which of them is preselected."""
    decision, planned = journey.answers.server.data_directory, journey.plan.start.server
    if isinstance(planned, PostgresServer):
        return decision or _row_of(journey, planned)
    return decision or known_or(journey.facts.postgres[0].data_directory, "#0")


def needs_major(journey: Journey) -> bool:
    """Whether a person must give the major version of one of them."""
    postgres = journey.facts.postgres
    return not postgres or not all(map(major_is_settled, postgres))


def storages(journey: Journey) -> Iterator[Choice]:
    """The kinds of storage; what the kernel reports comes first."""
    title, about = _found(journey)
    yield Choice(key=AS_FOUND, title=title, about=about)
    for kind in KINDS:
        title, about, _ = STORAGE[kind]
        yield Choice(key=kind, title=title, about=about)


def _found(journey: Journey) -> tuple[str, str]:
    """Title and reason from one reading, so that they never disagree."""
    start = journey.plan.start
    without = dataclasses.replace(journey.answers.server, storage=None)
    try:
        kind = dataclasses.replace(
            start, answers=dataclasses.replace(start.answers, server=without)
        ).storage_kind
    except MissingFact as missing:
        return "Not known", missing.why
    match start.server:
        case PostgresServer(probe=Known(value=Probe(storage=Known(how=how)))):
            return "As measured", f"{STORAGE[kind][2]}: {how}"
        case _:
            return "As found", f"the kernel says {STORAGE[kind][2]}"


def directory_of(journey: Journey, key: str) -> str | None:
    """The data directory of the chosen server; None if the facts alone determine it."""
    match len(journey.facts.postgres):
        case 0 | 1:
            return journey.answers.server.data_directory
        case _:
            return None if key.startswith("#") else key


def is_major_open(journey: Journey, directory: str | None) -> bool:
    """Whether the facts do not say which major version the server in that directory has."""
    postgres = journey.facts.postgres
    chosen = [server for server in postgres if known_or(server.data_directory, None) == directory]
    return not (chosen and major_is_settled(chosen[0]))


def server_of(journey: Journey, key: str) -> PostgresServer | None:
    """The server that a choice represents."""
    result = zip(servers(journey), journey.facts.postgres, strict=True)
    return next((server for choice, server in result if choice.key == key), None)


def unread(server: PostgresServer) -> str:
    """Why the server was not asked for its settings; empty if it was."""
    match server:
        case PostgresServer(settings=Unknown(why=why)):
            return f"! Its settings were not read ({why}). Assuming default settings."
        case _ if why := not_asked(server):
            return f"! It could not be queried ({why}): its settings are taken from its files."
        case _:
            return ""
