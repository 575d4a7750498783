"""What documents alone say of a server is decided by its settings and place, not by what it did at work."""

import dataclasses
from contextlib import suppress
from typing import Any, ClassVar

import pytest

from situations import situation
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import unseen
from tunewiz.core.values.known import Known, MissingFact
from tunewiz.core.values.pg_settings import SettingError
from tunewiz.knowledge.loading import load_knowledge

CATALOGUE = load_knowledge().catalogue
LASTING = frozenset(
    {
        *("version", "major", "release", "data_directory", "config_file", "port", "running", "owner"),
        *("os_user", "os_uid", "role", "system_identifier", "socket_directory", "include_directory", "unit"),
        *("settings", "shared_memory_pages", "overrides", "file_errors", "choices", "extensions"),
        *("open_files", "sampled_by"),
    }
)
"""What holds whether or not anybody looked at the server while it worked."""


class Recorded(PostgresServer):
    """A server that notes what it is asked about."""

    __slots__ = ()
    fields_read: ClassVar[set[str]] = set()

    def __getattribute__(self, name: str) -> object:
        """Note the name of a field."""
        if not name.startswith("__"):
            Recorded.fields_read.add(name)
        return object.__getattribute__(self, name)


def recorded(entry: Situation) -> Situation:
    server = entry.server
    assert isinstance(server, PostgresServer)
    named = {field.name: getattr(server, field.name) for field in dataclasses.fields(server)}
    noting = Recorded(**named)
    facts = dataclasses.replace(entry.facts, postgres=(noting,))
    return dataclasses.replace(entry, server=noting, facts=facts)


def asked_of(recommendation: Recommendation, entry: Situation) -> frozenset[str]:
    """The fields of the server that the decision reads."""
    noting = recorded(entry)
    Recorded.fields_read.clear()
    with suppress(MissingFact, SettingError):
        recommendation.decide(noting)
    return frozenset(Recorded.fields_read)


def stripped() -> frozenset[str]:
    """The fields of which nothing is left."""
    result = situation()
    assert isinstance(result.server, PostgresServer)
    everything: dict[str, Any] = {
        field.name: Known("told", "") for field in dataclasses.fields(result.server)
    }
    server = dataclasses.replace(result.server, **everything)
    alone = unseen(dataclasses.replace(result, server=server)).server
    return frozenset(text for text in everything if not isinstance(getattr(alone, text), Known))


@pytest.mark.parametrize("recommendation", CATALOGUE, ids=[recommendation.id for recommendation in CATALOGUE])
def test_each_field_that_a_decision_reads_lasts_or_is_taken_away(recommendation: Recommendation) -> None:
    for example in recommendation.examples:
        assert asked_of(recommendation, situation(example.given)) <= LASTING | stripped(), example.name


def test_settings_and_place_stay_and_what_was_seen_goes() -> None:
    assert not LASTING & stripped()
    assert stripped() >= {"activity", "window", "log", "tables", "slru", "replication", "probe"}


def test_the_reading_of_a_field_is_noticed() -> None:
    (caches,) = (
        recommendation for recommendation in CATALOGUE if recommendation.id == "pg.multixact_member_buffers"
    )
    examples = [situation(example.given) for example in caches.examples]
    assert any("slru" in asked_of(caches, example) for example in examples)
