"""Which server, which major version, and what goes without saying."""

import dataclasses
from types import MappingProxyType

import pytest

from situations import situation
from tunewiz.core.answers.answers import Answers, ServerAnswers
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import Activity, PostgresServer, Setting
from tunewiz.core.planning.table_only import table_in_words
from tunewiz.core.recommendation.example_facts import facts_of
from tunewiz.core.recommendation.examples import Given, answers_of
from tunewiz.core.recommendation.situation import NoServer
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.units import Bytes
from tunewiz.core.values.versions import NEWEST, OLDEST, SUPPORTED, USUAL, Major
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import chosen_server, default_answers, make_plan, situation_of

KNOWLEDGE = load_knowledge()
NOT_READ = Unknown("not read")
NEVER_RUN = Major(2000)


def server(directory: str = "/srv/a", *, running: bool = True, **changed: object) -> PostgresServer:
    plain = facts_of(Given(), {}).postgres[0]
    made = dataclasses.replace(plain, data_directory=Known(directory, "test"), running=running)
    return dataclasses.replace(made, **changed)  # type: ignore[arg-type]


def machine(*servers: PostgresServer) -> Facts:
    return dataclasses.replace(facts_of(Given(), {}), postgres=servers)


def answers(**said: str) -> Answers:
    return dataclasses.replace(answers_of(Given()), server=ServerAnswers(**said))  # type: ignore[arg-type]


def settings(**values: str) -> Known[object]:
    return Known(MappingProxyType({name: Setting(value=value) for name, value in values.items()}), "test")


def activity(**counted: int) -> Known[Activity]:
    facts: dict[str, object] = {field.name: NOT_READ for field in dataclasses.fields(Activity)}
    facts |= {name: Known(count, "test") for name, count in counted.items()}
    if "databases_size" in counted:
        facts["databases_size"] = Known(Bytes(counted["databases_size"]), "test")
    return Known(Activity(**facts), "test")  # type: ignore[arg-type]


def test_the_first_server_that_runs_is_planned_for() -> None:
    stopped, running, other = server("/a", running=False), server("/b"), server("/c")
    assert chosen_server(machine(stopped, running, other), answers()) == running


def test_a_server_that_is_named_wins_even_when_it_is_stopped() -> None:
    stopped, running = server("/a", running=False), server("/b")
    assert chosen_server(machine(stopped, running), answers(data_directory="/a")) == stopped


def test_the_first_of_stopped_servers_is_planned_for() -> None:
    one, two = server("/a", running=False), server("/b", running=False)
    assert chosen_server(machine(one, two), answers()) == one


def test_a_directory_that_is_none_of_the_servers_is_refused() -> None:
    with pytest.raises(InputError, match=r"^server\.data_directory: found /c, expected one of /a, /b"):
        chosen_server(machine(server("/a"), server("/b")), answers(data_directory="/c"))


def test_choosing_among_several_is_told() -> None:
    plan = make_plan(machine(server("/a"), server("/b")), answers(), KNOWLEDGE)
    result = {warning.code: warning.text for warning in plan.warnings}
    assert "/a" in result["server_chosen"]
    named = make_plan(machine(server("/a"), server("/b")), answers(data_directory="/b"), KNOWLEDGE)
    assert "server_chosen" not in [warning.code for warning in named.warnings]


def test_without_a_server_the_answers_must_say_the_major() -> None:
    with pytest.raises(InputError, match=r"server\.postgres: found nothing, expected one of 9\.5, 9\.6, 10"):
        situation_of(machine(), answers(), KNOWLEDGE)
    situation = situation_of(machine(), answers(postgres="16"), KNOWLEDGE)
    assert situation.server == NoServer(why="No PostgreSQL server was found")
    assert situation.major == Major(1600)


@pytest.mark.parametrize(
    ("version", "why"),
    [
        ("9.4.26", "PostgreSQL 9.4.26 is older than 9.5, the oldest that is known here"),
        ("20devel", "PostgreSQL 20devel is newer than 19, the newest that is known here"),
    ],
)
def test_a_server_of_an_unknown_major_is_planned_for_offline(version: str, why: str) -> None:
    strange = server(version=Known(version, "test"), major=Known(str(Major.parse(version)), "test"))
    situation = situation_of(machine(strange), answers(postgres="18"), KNOWLEDGE)
    assert isinstance(situation.server, NoServer)
    assert situation.server.why == why
    with pytest.raises(InputError, match=r"server\.postgres: found nothing"):
        situation_of(machine(strange), answers(), KNOWLEDGE)


def test_a_major_that_the_server_does_not_have_is_refused() -> None:
    with pytest.raises(InputError, match=r"^server\.postgres: found 16, expected 15 as the server is$"):
        situation_of(machine(server()), answers(postgres="16"), KNOWLEDGE)


def test_a_server_whose_major_is_not_known_takes_it_from_the_answers() -> None:
    unread = server(major=Unknown("PG_VERSION: permission denied"))
    assert situation_of(machine(unread), answers(postgres="13"), KNOWLEDGE).major == Major(1300)
    with pytest.raises(InputError, match="PG_VERSION: permission denied"):
        situation_of(machine(unread), answers(), KNOWLEDGE)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("work_mem", "banana", "postgres.0.settings.work_mem: expected a size such as"),
        ("max_connections", "0", "postgres.0.settings.max_connections: expected at least 1"),
        ("fsync", "perhaps", "postgres.0.settings.fsync: expected on or off"),
    ],
)
def test_a_setting_that_no_server_can_have_is_refused_by_its_key(name: str, value: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        situation_of(machine(server(settings=settings(**{name: value}))), answers(), KNOWLEDGE)
    assert refused.value.message.startswith(message)


def test_a_setting_in_another_unit_than_the_servers_is_refused() -> None:
    odd = Known(MappingProxyType({"shared_buffers": Setting(value="4096", unit="32kB")}), "test")
    with pytest.raises(
        InputError, match=r"postgres\.0\.settings\.shared_buffers\.unit: found 32kB, expected 8kB"
    ):
        situation_of(machine(server(settings=odd)), answers(), KNOWLEDGE)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("server_version_num", "159999"),
        ("log_file_mode", "0600"),
        ("wal_compression", "a method of another build"),
        ("plpgsql.extra_errors", "an extension's own"),
        ("wal_keep_segments", "of another major"),
    ],
)
def test_what_the_program_cannot_judge_in_a_server_is_left_alone(name: str, value: str) -> None:
    situation = situation_of(machine(server(settings=settings(**{name: value}))), answers(), KNOWLEDGE)
    assert isinstance(situation.server, PostgresServer)


def test_a_choice_that_hangs_on_the_build_is_known_from_the_server_that_has_it() -> None:
    odd = server(settings=settings(wal_compression="brotli"))
    situation = situation_of(machine(odd), answers(), KNOWLEDGE)
    assert isinstance(situation.setting("wal_compression"), Known)


def test_a_choice_that_no_build_has_is_not_known_rather_than_wrong() -> None:
    odd = server(settings=settings(synchronous_commit="perhaps"))
    situation = situation_of(machine(odd), answers(), KNOWLEDGE)
    assert isinstance(situation.setting("synchronous_commit"), Unknown)


def test_the_usual_answers_follow_the_server() -> None:
    busy = server(
        settings=settings(max_connections="450"),
        activity=activity(commits=10**6, rows_read=10**11, rows_written=10, databases_size=5 * 10**9),
    )
    usual = default_answers(machine(busy), KNOWLEDGE)
    assert usual.workload.connections == 450
    assert usual.workload.database_size == Bytes(5 * 10**9)
    assert usual.workload.kind == "analytics"
    assert usual.server.postgres is None


def test_without_a_server_the_usual_answers_name_the_newest_major_that_was_tried() -> None:
    usual = default_answers(machine(), KNOWLEDGE)
    assert usual.server.postgres == str(USUAL)
    assert usual.workload.kind == "oltp"
    assert make_plan(machine(), usual, KNOWLEDGE).changes


def test_for_a_server_that_is_too_old_the_usual_answers_name_the_oldest_major() -> None:
    old = server(version=Known("8.2.5", "test"), major=Known("9.1", "test"))
    assert default_answers(machine(old), KNOWLEDGE).server.postgres == str(OLDEST)


def test_for_a_server_that_is_too_new_the_usual_answers_name_the_newest_major() -> None:
    young = server(version=Known("20.1", "test"), major=Known("20", "test"))
    assert default_answers(machine(young), KNOWLEDGE).server.postgres == str(NEWEST)


def test_what_a_server_that_is_too_old_does_still_counts_in_the_usual_answers() -> None:
    old = server(
        major=Known("9.4", "test"),
        settings=settings(max_connections="350", wal_keep_segments="of another major"),
        activity=activity(databases_size=256 * 2**30, connections=36),
    )
    usual = default_answers(machine(old), KNOWLEDGE)
    assert usual.workload.connections == 350
    assert usual.workload.database_size == Bytes.parse("256GB")
    assert isinstance(situation_of(machine(old), usual, KNOWLEDGE).server, NoServer)


@pytest.mark.parametrize(("counted", "expected"), [(36, 36), (0, 1)])
def test_where_no_limit_is_known_the_sessions_that_are_there_count(counted: int, expected: int) -> None:
    unread = server(settings=NOT_READ, activity=activity(connections=counted))
    assert default_answers(machine(unread), KNOWLEDGE).workload.connections == expected


def test_a_limit_that_no_server_can_have_gives_answers_that_can_be() -> None:
    old = server(major=Known("9.4", "test"), settings=settings(max_connections="0"))
    assert default_answers(machine(old), KNOWLEDGE).workload.connections == 1


def test_the_warning_says_for_which_major_the_plan_is() -> None:
    old = machine(server(version=Known("9.4.26", "test"), major=Known("9.4", "test")))
    test_the_warning_says = {
        warning.code: warning.text
        for warning in make_plan(old, default_answers(old, KNOWLEDGE), KNOWLEDGE).warnings
    }
    assert "9.4.26 is older than 9.5" in test_the_warning_says["no_server"]
    assert "the plan is for PostgreSQL 9.5" in test_the_warning_says["no_server"]


@pytest.mark.parametrize("major", [str(major) for major in SUPPORTED])
def test_a_major_that_bundles_were_tried_on_is_not_doubted(major: str) -> None:
    new = machine(server(version=Known(major, "test"), major=Known(major, "test")))
    plan = make_plan(new, default_answers(new, KNOWLEDGE), KNOWLEDGE)
    assert [warning.text for warning in plan.warnings if warning.code == "table_only"] == []


def test_a_major_that_was_never_run_is_told_with_what_the_plan_rests_on() -> None:
    start = situation()
    future = dataclasses.replace(start, settings=dataclasses.replace(start.settings, major=NEVER_RUN))
    assert table_in_words(start) == ""
    assert "PostgreSQL 20 is planned for" in table_in_words(future)
    assert "what this server tells counts first" in table_in_words(future)
    unseen = dataclasses.replace(future, server=NoServer(why="none was found"))
    assert "what this server tells counts first" not in table_in_words(unseen)


def test_an_empty_cluster_still_has_a_size_that_answers_may_state() -> None:
    empty = server(activity=activity(databases_size=0))
    assert default_answers(machine(empty), KNOWLEDGE).workload.database_size == Bytes.parse("1MB")
