"""Troubles and warnings since the last visit: new, worse and gone; and what only one reading knew is none."""

import dataclasses

import pytest

from last_visits import at_the_last_visit, last_visit, today
from small_health import HEALTHY, HOUR, INVALID, SESSION
from small_plans import small_facts, with_settings
from small_tables import database
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.health import Health
from tunewiz.core.facts.replication import Replication, Slot
from tunewiz.core.facts.server import PostgresServer, Setting
from tunewiz.core.facts.tables import DatabaseTables
from tunewiz.core.health.findings_since import FindingNews
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.text.since import since_text
from tunewiz.wizard.finding_news import finding_news
from tunewiz.wizard.last_visit import host_news, since

UNREAD = Unknown("refused")


def looked_at(
    health: Fact[Health], *databases: DatabaseTables, replication: Fact[Replication] = UNREAD
) -> Facts:
    return small_facts(
        Given(major="16"),
        health=health,
        replication=replication,
        tables=Known(databases, "a look"),
        data_directory=Known("/srv/pg", "/proc"),
    )


def sick(**values: object) -> Facts:
    return looked_at(Known(dataclasses.replace(HEALTHY, **values), "a look"))  # type: ignore[arg-type]


def with_session(seconds: int) -> Facts:
    return sick(transactions=(dataclasses.replace(SESSION, seconds=seconds),))


def damaged(pages: int) -> Facts:
    return sick(databases=(dataclasses.replace(HEALTHY.databases[0], checksum_failures=pages),))


def aged(transactions: int) -> Facts:
    return sick(databases=(dataclasses.replace(HEALTHY.databases[0], transaction_age=transactions),))


def with_slot(held: int, *, name: str = "gone") -> Facts:
    slot = Slot(name=name, kind="physical", active=False, held=Bytes(held), status="extended", age=0)
    kept = Replication(
        slots=(slot,), archive_failures=0, archive_failing=False, archive_behind=UNREAD, cancelled=0
    )
    return looked_at(Known(HEALTHY, "a look"), replication=Known(kept, "a look"))


WELL = sick()


def changes(then: Facts, facts: Facts) -> list[tuple[str, str, str]]:
    return [(news.change, news.kind, news.what) for news in finding_news(then, facts, load_knowledge())]


@pytest.mark.parametrize("name", demo_names())
def test_of_the_same_facts_no_finding_has_changed(name: str) -> None:
    facts = demo_facts(name)
    assert finding_news(facts, facts, load_knowledge()) == ()


FORGOTTEN = "session 4711 of app in shop (billing)"


@pytest.mark.parametrize(
    ("then", "facts", "expected"),
    [
        (WELL, with_session(2 * HOUR), [("new", "vacuum is held back", FORGOTTEN)]),
        (with_session(2 * HOUR), WELL, [("gone", "vacuum is held back", FORGOTTEN)]),
        (with_session(2 * HOUR), with_session(3 * HOUR), [("worse", "vacuum is held back", FORGOTTEN)]),
        (with_session(2 * HOUR), with_session(2 * HOUR + 60), []),
        (with_session(3 * HOUR), with_session(2 * HOUR), []),
        (damaged(100), damaged(101), [("worse", "damaged pages", "database shop")]),
        (damaged(100), damaged(100), []),
        (aged(1_500_000_000), aged(1_900_000_000), [("worse", "transaction ids run out", "database shop")]),
        (with_slot(GIB), with_slot(9 * GIB), [("worse", "WAL is kept for nobody", "")]),
        (with_slot(GIB), with_slot(GIB), []),
        (
            with_slot(GIB),
            with_slot(GIB, name="another"),
            [("new", "WAL is kept for nobody", ""), ("gone", "WAL is kept for nobody", "")],
        ),
    ],
)
def test_a_trouble_is_new_worse_or_gone_or_not_told(
    then: Facts, facts: Facts, expected: list[tuple[str, str, str]]
) -> None:
    assert changes(then, facts) == expected


@pytest.mark.parametrize("facts", [with_session(2 * HOUR), damaged(3), with_slot(GIB)])
def test_what_only_one_reading_could_have_seen_is_no_change(facts: Facts) -> None:
    unread = looked_at(UNREAD)
    assert changes(unread, facts) == []
    assert changes(facts, unread) == []


def test_an_index_is_gone_only_where_its_database_was_read_again() -> None:
    shop = dataclasses.replace(database(), invalid_indexes=Known((INVALID,), "pg_index"))
    healthy = dataclasses.replace(database(), invalid_indexes=Known((), "pg_index"))
    then = looked_at(Known(HEALTHY, "a look"), shop)
    repaired, unlisted = (looked_at(Known(HEALTHY, "a look"), *read) for read in ((healthy,), ()))
    assert changes(then, repaired) == [("gone", "invalid index", "orders_note on public.orders")]
    assert changes(then, unlisted) == []


def test_data_at_risk_comes_before_all_else_and_once_mended_is_gone() -> None:
    findings = finding_news(at_the_last_visit(), today(), load_knowledge())
    assert [(news.change, news.kind) for news in findings] == [
        ("new", "durability_lost"),
        ("gone", "disk_nearly_full"),
        ("gone", "wal_beyond_disk"),
    ]


def test_data_at_risk_by_one_more_setting_is_worse() -> None:
    off = Setting(value="off", source="configuration file", sourcefile="/etc/x.conf:1")
    once = dataclasses.replace(WELL, postgres=(with_settings(WELL.postgres[0], fsync=off),))
    twice = dataclasses.replace(WELL, postgres=(with_settings(once.postgres[0], full_page_writes=off),))
    assert changes(once, twice) == [("worse", "durability_lost", "")]
    assert changes(twice, once) == []


def test_of_several_servers_each_is_compared_with_itself_and_named() -> None:
    def both(first: Facts, second: Facts) -> Facts:
        (one,), (two,) = first.postgres, second.postgres
        other = dataclasses.replace(two, data_directory=Known("/srv/two", "/proc"), port=Known(5433, "/proc"))
        return dataclasses.replace(first, postgres=(one, other))

    result = finding_news(both(WELL, WELL), both(WELL, damaged(1)), load_knowledge())
    assert [(news.change, news.kind, news.server) for news in result] == [
        ("new", "damaged pages", "port 5433")
    ]


def test_a_server_that_was_not_there_then_is_not_compared() -> None:
    elsewhere = dataclasses.replace(WELL.postgres[0], data_directory=Known("/srv/old", "/proc"))
    assert changes(dataclasses.replace(WELL, postgres=(elsewhere,)), damaged(1)) == []
    assert changes(dataclasses.replace(WELL, postgres=()), damaged(1)) == []


def test_a_server_that_no_plan_can_be_made_for_has_no_findings() -> None:
    def unusable(server: PostgresServer) -> Facts:
        return dataclasses.replace(WELL, postgres=(dataclasses.replace(server, major=UNREAD),))

    assert changes(unusable(WELL.postgres[0]), unusable(damaged(1).postgres[0])) == []


def test_people_read_names_and_reasons_and_of_what_is_gone_only_what_it_was() -> None:
    text = since_text(host_news(last_visit(), today(), load_knowledge()))
    new, gone = text.split("New troubles and warnings (1)")[1].split(
        "No trouble any more, as it was told then (2)"
    )
    assert "Data is at risk today: full_page_writes = off" in new
    assert gone.split("\n\n")[0].splitlines()[1].endswith(" is nearly full")
    assert "durability_lost" not in text


def test_the_line_counts_them_before_all_else() -> None:
    findings = finding_news(at_the_last_visit(), today(), load_knowledge())
    line = since(last_visit(), today(), findings)
    assert line.startswith("Since your last visit, 12 days ago: troubles and warnings: 1 new, 2 gone; ")
    assert "troubles" not in since(last_visit(), today(), ())


def test_a_trouble_is_named_with_its_server() -> None:
    news = FindingNews(
        change="worse", kind="archiving fails", what="", because="Since noon.", server="port 1"
    )
    report = dataclasses.replace(host_news(last_visit(), today(), load_knowledge()), findings=(news,))
    assert "Worse than then (1)\n  port 1: archiving fails: Since noon.\n" in since_text(report)
