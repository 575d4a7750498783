"""What changed on a host since the last visit is said in a line or two, and nothing else is."""

import dataclasses
from collections.abc import Mapping

import pytest

from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import PostgresServer, Setting
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.units import Bytes
from tunewiz.knowledge.loading import demo_facts
from tunewiz.knowledge.profiles import demo_names
from tunewiz.wizard.last_visit import LastVisit, since

FACTS = demo_facts("nvme-server")
(SERVER,) = FACTS.postgres


def with_server(server: PostgresServer) -> Facts:
    return dataclasses.replace(FACTS, postgres=(server,))


def with_settings(settings: Mapping[str, Setting]) -> Facts:
    return with_server(dataclasses.replace(SERVER, settings=Known(settings, "pg_settings")))


def news(then: Facts, facts: Facts) -> str:
    return since(LastVisit(facts=then, age="12 days ago"), facts)


@pytest.mark.parametrize("name", demo_names())
def test_of_the_same_facts_nothing_is_said_to_have_changed(name: str) -> None:
    facts = demo_facts(name)
    assert news(facts, facts) == "Last visit 12 days ago: settings, versions, sizes and memory are the same."


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (Setting(value="65536", unit="kB"), Setting(value="101376", unit="kB"), "64MB -> 99MB"),
        (Setting(value="16384", unit="8kB"), Setting(value="32768", unit="8kB"), "128MB -> 256MB"),
        (Setting(value="300", unit="s"), Setting(value="900", unit="s"), "5min -> 15min"),
        (Setting(value="-1", unit="kB"), Setting(value="0", unit="kB"), "-1 -> 0kB"),
        (Setting(value="1024", unit="B"), Setting(value="2048", unit="B"), "1024B -> 2048B"),
        (Setting(value=""), Setting(value="on"), "'' -> on"),
    ],
)
def test_a_setting_is_named_in_peoples_units(before: Setting, after: Setting, text: str) -> None:
    said = news(with_settings({"some": before}), with_settings({"some": after}))
    assert said == f"Since your last visit, 12 days ago: some {text}."


def test_a_setting_that_only_changed_its_place_is_not_a_change() -> None:
    before, after = Setting(value="on", source="default"), Setting(value="on", source="configuration file")
    assert "are the same" in news(with_settings({"some": before}), with_settings({"some": after}))


def test_many_changes_are_counted_beyond_the_first() -> None:
    many = [f"setting_{number}" for number in range(9)]
    before, after = ({name: Setting(value=value) for name in many} for value in ("1", "2"))
    said = news(with_settings(before), with_settings(after))
    assert said.endswith("setting_3 1 -> 2 and 5 more.")


def test_what_was_not_known_at_both_times_is_not_compared() -> None:
    unread = with_server(
        dataclasses.replace(SERVER, settings=Unknown("refused"), activity=Unknown("refused"))
    )
    assert "are the same" in news(unread, FACTS)
    assert "are the same" in news(FACTS, unread)


def test_a_minor_release_memory_and_servers_that_come_and_go_are_named() -> None:
    newer = dataclasses.replace(SERVER, version=Known("99.9", "asked"))
    assert "PostgreSQL " in news(FACTS, with_server(newer))
    assert " -> 99.9" in news(FACTS, with_server(newer))
    memory = dataclasses.replace(FACTS.memory, total=Known(Bytes.parse("32GB"), "/proc/meminfo"))
    assert "memory 256.0 GiB -> 32.0 GiB" in news(FACTS, dataclasses.replace(FACTS, memory=memory))
    elsewhere = dataclasses.replace(SERVER, data_directory=Known("/srv/new", "command line"))
    said = news(FACTS, with_server(elsewhere))
    assert "a server in /srv/new is new" in said
    assert "the server in /" in said
    assert "is gone" in said
    stopped = dataclasses.replace(SERVER, running=not SERVER.running)
    assert "now" in news(FACTS, with_server(stopped))
