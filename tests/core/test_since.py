"""What became of a host since it was read: the plan's values, others and who changed them, sizes; no more."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_plans import small_facts
from small_tables import database, table
from tunewiz.catalogue import kernel_targets
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.owners import Managed
from tunewiz.core.facts.server import PostgresServer, Setting
from tunewiz.core.facts.waits import WaitCount, Waits
from tunewiz.core.health.news import News
from tunewiz.core.health.since import LastPlan, PlannedValue, news_since, set_by
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.knowledge.loading import demo_facts
from tunewiz.knowledge.profiles import demo_names
from watched import window

FACTS = small_facts()
(SERVER,) = FACTS.postgres
assert isinstance(SERVER.data_directory, Known)
DIRECTORY = SERVER.data_directory.value
AUTO = f"{DIRECTORY}/postgresql.auto.conf:3"


def with_server(server: PostgresServer) -> Facts:
    return dataclasses.replace(FACTS, postgres=(server,))


def with_setting(name: str, value: str, **more: object) -> Facts:
    assert isinstance(SERVER.settings, Known)
    changed = dataclasses.replace(SERVER.settings.value[name], value=value, **more)  # type: ignore[arg-type]
    settings = {**SERVER.settings.value, name: changed}
    return with_server(dataclasses.replace(SERVER, settings=Known(settings, "pg_settings")))


def setting_of(facts: Facts, name: str) -> str:
    (server,) = facts.postgres
    assert isinstance(server.settings, Known)
    return server.settings.value[name].value


def planned(name: str, value: str) -> PlannedValue:
    return PlannedValue(kind="setting", name=name, fact=name, before=setting_of(FACTS, name), value=value)


@pytest.mark.parametrize("name", demo_names())
def test_of_the_same_facts_there_is_no_news(name: str) -> None:
    facts = demo_facts(name)
    assert news_since(facts, facts) == ()


FILE = {"source": "configuration file", "sourcefile": AUTO}
WORK_MEM = planned("work_mem", "65536")


@pytest.mark.parametrize(
    ("facts", "kind", "after"),
    [
        (with_setting("work_mem", "65536", **FILE), "applied", "64MB"),
        (FACTS, "planned, not applied", "64MB"),
        (with_setting("work_mem", "32768", **FILE), "planned, and changed otherwise", "32MB"),
        (
            with_setting("work_mem", WORK_MEM.before, pending_restart=True),
            "applied, waits for a restart",
            "64MB",
        ),
    ],
)
def test_a_planned_value_is_told_once_with_what_became_of_it(facts: Facts, kind: str, after: str) -> None:
    (news,) = news_since(FACTS, facts, LastPlan(values=(WORK_MEM,), directory=DIRECTORY))
    assert (news.kind, news.what, news.before, news.after) == (kind, "work_mem", "4MB", after)
    assert news.by == ("by ALTER SYSTEM" if "changed" in kind or kind == "applied" else "")


def test_the_plan_of_another_server_says_nothing_of_this_one() -> None:
    (news,) = news_since(
        FACTS, with_setting("work_mem", "65536", **FILE), LastPlan(values=(WORK_MEM,), directory="/srv/other")
    )
    assert news.kind == "changed"


DIRTY = PlannedValue(
    kind="sysctl", name="vm.dirty_bytes", fact="vm.dirty_bytes", before="0", value="536870912"
)


def with_kernel(facts: Facts, name: str, value: int) -> Facts:
    settings = {**facts.kernel.settings, name: Known(value, f"/proc/sys/{name}")}
    return dataclasses.replace(facts, kernel=dataclasses.replace(facts.kernel, settings=settings))


@pytest.mark.parametrize("directory", ["", DIRECTORY, "/srv/other"])
@pytest.mark.parametrize("facts", [FACTS, dataclasses.replace(FACTS, postgres=())], ids=["a server", "none"])
@pytest.mark.parametrize(
    ("value", "kind", "after"),
    [
        (536870912, "applied", "512MB"),
        (0, "planned, not applied", "512MB"),
        (1073741824, "planned, and changed otherwise", "1GB"),
    ],
)
def test_the_kernels_values_are_of_the_host_with_whatever_server(
    facts: Facts, directory: str, value: int, kind: str, after: str
) -> None:
    plan = LastPlan(values=(DIRTY,), directory=directory)
    then = with_kernel(facts, "vm.dirty_bytes", 0)
    (news,) = news_since(then, with_kernel(facts, "vm.dirty_bytes", value), plan, kernel_targets())
    assert (news.kind, news.what, news.before, news.after) == (kind, "vm.dirty_bytes", "0", after)


def test_a_kernel_value_that_changed_is_in_peoples_units() -> None:
    then, facts = with_kernel(FACTS, "vm.dirty_bytes", 0), with_kernel(FACTS, "vm.dirty_bytes", 536870912)
    (news,) = news_since(then, facts, targets=kernel_targets())
    assert (news.kind, news.before, news.after) == ("changed", "0", "512MB")


@pytest.mark.parametrize(
    ("setting", "by"),
    [
        (Setting(value="1", source="configuration file", sourcefile=AUTO), "by ALTER SYSTEM"),
        (Setting(value="1", source="configuration file", sourcefile="/etc/pg.conf:7"), "in /etc/pg.conf:7"),
        (
            Setting(value="1", source="configuration file", sourcefile="/etc/ansible.conf:7"),
            "in /etc/ansible.conf:7, a file of Ansible",
        ),
        (Setting(value="1", source="configuration file"), ""),
        (Setting(value="1", source="command line"), "on the command line"),
        (Setting(value="1", source="default"), "no line sets it any longer"),
    ],
)
def test_who_changed_a_setting_is_told_where_it_can_be(setting: Setting, by: str) -> None:
    assert set_by(setting, (Managed(path="/etc/ansible.conf", by="Ansible"),)) == by


@pytest.mark.parametrize(
    ("before", "after", "by"),
    [
        ("default", "default", "the server's own choice: nobody set it"),
        ("override", "default", "the server's own choice: nobody set it"),
        ("configuration file", "default", "no line sets it any longer"),
    ],
)
def test_what_nobody_set_at_either_time_is_computed_by_the_server(before: str, after: str, by: str) -> None:
    def wal_buffers(value: str, source: str) -> Facts:
        return with_setting("wal_buffers", value, unit="8kB", source=source)

    (news,) = news_since(wal_buffers("512", before), wal_buffers("1280", after))
    assert (news.what, news.before, news.after, news.by) == ("wal_buffers", "4MB", "10MB", by)


@given(st.sampled_from(["work_mem", "max_wal_size", "random_page_cost", "jit"]), st.integers(1, 10_000))
def test_a_change_read_backwards_is_the_same_change_turned_round(name: str, value: int) -> None:
    changed = with_setting(name, str(value))
    there, back = news_since(FACTS, changed), news_since(changed, FACTS)
    assert [(news.what, news.before, news.after) for news in there] == [
        (news.what, news.after, news.before) for news in back
    ]
    assert len(there) == (setting_of(FACTS, name) != str(value))


def test_what_was_known_only_once_is_not_compared() -> None:
    unread = with_server(
        dataclasses.replace(SERVER, settings=Unknown("refused"), activity=Unknown("refused"))
    )
    assert (news_since(unread, FACTS), news_since(FACTS, unread)) == ((), ())


def news_of(then: Facts, facts: Facts) -> list[News]:
    return list(news_since(then, facts))


def test_machine_releases_and_servers_that_come_and_go_are_told() -> None:
    newer = with_server(
        dataclasses.replace(SERVER, version=Known("99.9", "asked"), running=not SERVER.running)
    )
    assert [news.what for news in news_of(FACTS, newer)] == ["PostgreSQL", "the server"]
    moved = with_server(dataclasses.replace(SERVER, data_directory=Known("/srv/new", "command line")))
    assert [(news.before, news.after) for news in news_of(FACTS, moved)] == [
        ("there", "gone"),
        ("not there", "new"),
    ]
    memory = dataclasses.replace(FACTS.memory, total=Known(Bytes.parse("1GB"), "/proc/meminfo"))
    assert [news.what for news in news_of(FACTS, dataclasses.replace(FACTS, memory=memory))] == ["memory"]


def test_tables_that_grew_are_told_and_those_that_shrank_are_not() -> None:
    def with_table(size: int) -> Facts:
        changed = database(tables=(table(bytes=size),))
        return with_server(dataclasses.replace(SERVER, tables=Known((changed,), "a look")))

    (news,) = news_of(with_table(10 * GIB), with_table(30 * GIB))
    assert (news.kind, news.before, news.after) == ("size", "10.0 GiB", "30.0 GiB")
    assert news_of(with_table(30 * GIB), with_table(10 * GIB)) == []


def test_work_is_compared_where_both_were_watched_and_called_observed() -> None:
    def waits(kind: str) -> Known[Waits]:
        counts = (WaitCount(kind=kind, event="", count=99),)
        return Known(Waits(seconds=60, samples=240, hidden=0, counts=counts), "sampled")

    def busy(wal: int, kind: str) -> Facts:
        watched = window(3_600, wal_bytes=wal)
        return with_server(dataclasses.replace(SERVER, window=watched, waits=waits(kind)))

    news = news_of(busy(GIB, "Lock"), busy(9 * GIB, "IO"))
    assert {entry.kind for entry in news} == {"at work, observed only"}
    assert [(entry.what, entry.before[:20]) for entry in news] == [
        ("WAL", "1.0 GiB an hour"),
        ("waits", "100 % of active time"),
    ]
    assert news_of(FACTS, busy(GIB, "Lock")) == []
