"""Choices that depend on how a server was built are reported by it, and never assumed."""

import dataclasses
from types import MappingProxyType

import pytest

from situations import finding
from tunewiz.core.answers.answers import Replaced
from tunewiz.core.facts.server import PostgresServer, Setting
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.example_facts import facts_of
from tunewiz.core.recommendation.examples import Given, answers_of
from tunewiz.core.server.build_options import as_built
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.versions import Major
from tunewiz.core.words.finding import then_of
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import make_plan

KNOWLEDGE = load_knowledge()
WITH_ZSTD = ("pglz", "lz4", "zstd", "on", "off")


def server(current: str = "off", **offered: tuple[str, ...]) -> PostgresServer:
    settings = MappingProxyType({"wal_compression": Setting(value=current, source="configuration file")})
    (made,) = facts_of(Given(cores=16, built_with=offered), settings).postgres
    return made


def choices(of: PostgresServer, name: str = "wal_compression", major: str = "15") -> tuple[str, ...]:
    return as_built(KNOWLEDGE.settings[Major.parse(major)], of)[name].choices


def plan(of: PostgresServer, wanted: str) -> Plan:
    given = Given(cores=16)
    facts = dataclasses.replace(facts_of(given, {}), postgres=(of,))
    answers = dataclasses.replace(answers_of(given), decisions={"pg.wal_compression": Replaced(value=wanted)})
    return make_plan(facts, answers, KNOWLEDGE)


def test_what_the_server_offers_counts() -> None:
    assert choices(server(wal_compression=WITH_ZSTD)) == WITH_ZSTD


def test_without_the_servers_word_only_what_every_build_has_is_offered() -> None:
    assert "lz4" not in choices(server())
    assert "io_uring" not in choices(server(), "io_method", "18")


def test_a_value_that_is_in_force_is_offered_whoever_was_asked() -> None:
    assert choices(server("zstd")) == (*choices(server()), "zstd")
    assert choices(server("zstd", wal_compression=WITH_ZSTD)) == WITH_ZSTD


def test_a_version_in_which_it_is_no_choice_is_left_alone() -> None:
    assert choices(server(wal_compression=WITH_ZSTD), major="14") == ()


def test_a_value_by_hand_may_be_what_this_build_offers() -> None:
    made = plan(server(wal_compression=WITH_ZSTD), "zstd")
    assert [
        then_of(change).short for change in made.changes if change.recommendation.id == "pg.wal_compression"
    ] == ["zstd"]


def test_a_value_by_hand_that_the_build_lacks_is_refused() -> None:
    with pytest.raises(InputError, match="expected one of pglz, on, off, found 'zstd'"):
        plan(server(wal_compression=("pglz", "on", "off")), "zstd")


def test_a_value_that_is_in_force_is_not_taken_for_the_default() -> None:
    given = Given(cores=16)
    facts = dataclasses.replace(facts_of(given, {}), postgres=(server("zstd"),))
    result = finding(make_plan(facts, answers_of(given), KNOWLEDGE), "pg.wal_compression")
    assert (result.state, result.because) == ("keep", "zstd was chosen")
