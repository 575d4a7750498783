"""Layers that win over the files are told, and several servers share one memory."""

import dataclasses
from fractions import Fraction
from types import MappingProxyType

import pytest

from situations import plan, proposes, situation
from tunewiz.collect.postgres.overrides import file_errors_of, overrides_of
from tunewiz.collect.postgres.protocol import Answer
from tunewiz.core.facts.server import FileError, Override, PostgresServer, Setting
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.units import Bytes

ANSWER = Answer(
    how="as postgres over there",
    release=150000,
    version="15",
    socket_directory="",
    rows=(),
    texts={},
    numbers={},
    refused={"file_errors": "permission denied for view pg_file_settings"},
)


def server(entry: Situation, **changed: object) -> Situation:
    assert isinstance(entry.server, PostgresServer)
    made = dataclasses.replace(entry.server, **changed)  # type: ignore[arg-type]
    return dataclasses.replace(
        entry, server=made, facts=dataclasses.replace(entry.facts, postgres=(made, *entry.facts.postgres[1:]))
    )


def texts_of(made: Plan, code: str) -> list[str]:
    return [warning.text for warning in made.warnings if warning.code == code]


def override(database: str, role: str, name: str = "work_mem") -> Known[tuple[Override, ...]]:
    return Known((Override(database=database, role=role, name=name, value="64MB"),), "pg_db_role_setting")


@pytest.mark.parametrize(
    ("database", "role", "whom", "statement"),
    [
        ("", "bi", "for the role bi", 'ALTER ROLE "bi" RESET work_mem'),
        ("shop", "", "in the database shop", 'ALTER DATABASE "shop" RESET work_mem'),
        (
            "shop",
            "bi",
            "for the role bi in the database shop",
            'ALTER ROLE "bi" IN DATABASE "shop" RESET work_mem',
        ),
        ("", "", "for all roles", "ALTER ROLE ALL RESET work_mem"),
        ("", 'b"i', 'for the role b"i', 'ALTER ROLE "b""i" RESET work_mem'),
    ],
)
def test_a_value_of_a_role_or_a_database_is_told(database: str, role: str, whom: str, statement: str) -> None:
    result = server(situation(), overrides=override(database, role))
    (text,) = texts_of(plan(proposes("pg.work_mem", "8MB"), now=result), "overridden")
    assert text == f"work_mem is 64MB {whom}, which overrides what the plan sets: {statement} removes it."


def test_on_a_standby_it_is_removed_on_the_primary() -> None:
    result = server(situation(Given(role="standby")), overrides=override("", "bi"))
    (text,) = texts_of(plan(proposes("pg.work_mem", "8MB"), now=result), "overridden")
    assert text.endswith('ALTER ROLE "bi" RESET work_mem on the primary removes it.')


def test_a_value_that_the_plan_does_not_touch_is_left_alone() -> None:
    result = server(situation(), overrides=override("", "bi", "jit"))
    assert texts_of(plan(proposes("pg.work_mem", "8MB"), now=result), "overridden") == []


def waits(*names: str) -> Situation:
    """A server with new values of these in its files."""
    entry = situation()
    assert isinstance(entry.server, PostgresServer)
    settings = dict(known_or(entry.server.settings, {}))
    settings |= {
        name: Setting(value="1", source="configuration file", pending_restart=True) for name in names
    }
    return server(entry, settings=Known(MappingProxyType(settings), "test"))


def test_values_that_wait_for_a_restart_are_told_where_no_line_tells_them() -> None:
    texts = texts_of(plan(now=waits("max_wal_senders", "wal_level")), "waits_for_restart")
    assert [text.partition(":")[0] for text in texts] == ["max_wal_senders", "wal_level"]
    for text in texts:
        assert "a new value waits in the server's files for a restart" in text
        assert "apply.sh refuses it otherwise" in text


def test_values_that_wait_are_not_told_twice() -> None:
    errors = (FileError(place="/etc/pg.conf:9", name="wal_level", error="setting could not be applied"),)
    made = plan(now=server(waits("wal_level"), file_errors=Known(errors, "test")))
    assert texts_of(made, "waits_for_restart") == []
    assert len(texts_of(made, "unusable_line")) == 1


def test_a_server_on_which_nothing_waits_is_left_alone() -> None:
    assert texts_of(plan(now=situation()), "waits_for_restart") == []


def test_lines_that_the_server_cannot_use_are_told() -> None:
    errors = (
        FileError(place="/etc/pg.conf:7", name="work_mm", error="unrecognized configuration parameter"),
        FileError(place="/etc/pg.conf:9", name="shared_buffers", error="setting could not be applied"),
        FileError(place="/etc/pg.conf:11", name="", error="syntax error"),
    )
    one, two, three = texts_of(
        plan(now=server(situation(), file_errors=Known(errors, "test"))), "unusable_line"
    )
    assert one.startswith("/etc/pg.conf:7: work_mm: unrecognized configuration parameter: the server would")
    assert two.startswith("/etc/pg.conf:9: shared_buffers: waits for a restart, or its value is not one")
    assert three.startswith("/etc/pg.conf:11: syntax error: the server would not start")


@pytest.mark.parametrize(
    ("source", "words"),
    [("command line", "no file overrides that"), ("environment variable", "comes from the environment")],
)
def test_settings_out_of_the_files_reach_are_told(source: str, words: str) -> None:
    settings = MappingProxyType({"work_mem": Setting(value="4096", unit="kB", source=source)})
    result = server(situation(), settings=Known(settings, "test"))
    (text,) = texts_of(plan(proposes("pg.work_mem", "8MB"), now=result), "out_of_reach")
    assert words in text


def test_overrides_are_read_without_what_may_be_a_secret() -> None:
    told_as = (
        '[["shop", "", "work_mem=64MB"], ["", "bi", "app.token=hunter2"], ["", "x", "search_path=a, b=c"]]'
    )
    overrides = overrides_of(dataclasses.replace(ANSWER, texts={"overrides": told_as}))
    assert overrides == Known(
        (
            Override(database="shop", role="", name="work_mem", value="64MB"),
            Override(database="", role="x", name="search_path", value="a, b=c"),
        ),
        "pg_db_role_setting as postgres over there",
    )


def test_a_view_that_is_refused_says_so() -> None:
    assert "permission denied" in getattr(file_errors_of(ANSWER), "why", "")
    read = file_errors_of(dataclasses.replace(ANSWER, texts={"file_errors": '[["/a", 3, "x", "bad"]]'}))
    assert known_or(read, ()) == (FileError(place="/a:3", name="x", error="bad"),)


def two_servers(share: int | None) -> Situation:
    result = situation(Given(memory="64GB"))
    assert isinstance(result.server, PostgresServer)
    answers = dataclasses.replace(
        result.answers, server=dataclasses.replace(result.answers.server, memory_share=share)
    )
    other = dataclasses.replace(result.server, data_directory=Known("/srv/other", "test"))
    facts = dataclasses.replace(result.facts, postgres=(result.server, other))
    return dataclasses.replace(result, facts=facts, answers=answers)


@pytest.mark.parametrize(("share", "memory"), [(None, "32GB"), (25, "16GB"), (100, "64GB")])
def test_servers_on_one_machine_share_its_memory(share: int | None, memory: str) -> None:
    result = two_servers(share)
    assert result.memory == Bytes.parse(memory)
    (text,) = texts_of(plan(now=result), "several_servers")
    assert f"this one gets {share or 50}% of its memory" in text


def test_one_server_is_given_all_of_it_unless_told_otherwise() -> None:
    assert situation().memory_share == Fraction(1)
    assert texts_of(plan(), "several_servers") == []
