"""A managed server's facts: its own pg_settings, and what a person says of the machine."""

import csv
import io
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.facts.facts import Facts
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, Unknown, known_or
from tunewiz.core.values.units import GIB, MIB, Bytes
from tunewiz.formats.records import facts_from_json, facts_to_json
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.managed.stated_facts import managed_facts
from tunewiz.planning import default_answers, make_plan

MEMORY = Bytes(64 * GIB)
COLUMNS = ("name", "setting", "unit", "source")
USUAL = {
    "server_version_num": ("160004", "", "default"),
    "server_version": ("16.4", "", "default"),
    "port": ("5432", "", "configuration file"),
    "shared_buffers": ("2097152", "8kB", "configuration file"),
    "work_mem": ("4096", "kB", "default"),
    "archive_command": ("copy with a password", "", "configuration file"),
}
PAGES = {
    "huge_pages": ("on", "", "configuration file"),
    "shared_memory_size": ("17000", "MB", "default"),
    "shared_memory_size_in_huge_pages": ("8500", "", "default"),
}


def dump(settings: Mapping[str, tuple[str, str, str]], columns: tuple[str, ...] = COLUMNS) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows((name, *values) for name, values in settings.items())
    return out.getvalue()


def facts(**more: tuple[str, str, str]) -> Facts:
    return managed_facts(dump({**USUAL, **more}), "settings.csv", MEMORY, 16)


def test_the_settings_are_the_servers_and_the_sizes_are_those_that_were_stated() -> None:
    (server,) = facts().postgres
    assert (known_or(server.major, ""), known_or(server.version, "")) == ("16", "16.4")
    settings = known_or(server.settings, {})
    assert (settings["shared_buffers"].value, settings["shared_buffers"].unit) == ("2097152", "8kB")
    assert settings["shared_buffers"].is_set
    assert not settings["work_mem"].is_set
    assert facts().memory.total == Known(MEMORY, "stated with --memory and --cores")
    assert known_or(facts().cpu.cores, 0) == 16


def test_what_nobody_can_see_is_unknown() -> None:
    assert isinstance(facts().host.name, Unknown)
    assert isinstance(facts().memory.huge_page_size, Unknown)
    assert facts().storage == ()
    assert facts().kernel.writable == Known(value=False, how="nobody has a shell there")


def test_a_command_that_may_hold_a_password_is_not_kept() -> None:
    assert "password" not in facts_to_json(facts())


def test_facts_are_read_back_the_same() -> None:
    assert facts_from_json(facts_to_json(facts()), "facts.json") == facts()
    assert facts_from_json(facts_to_json(facts(**PAGES)), "facts.json") == facts(**PAGES)


def test_a_plan_can_be_made_of_them() -> None:
    knowledge = load_knowledge()
    plan = make_plan(facts(), default_answers(facts(), knowledge), knowledge)
    assert plan.changes
    assert all(change.recommendation.id.startswith("pg.") for change in plan.changes)


@pytest.mark.parametrize(
    ("number", "major"), [("90624", "9.6"), ("100023", "10"), ("160004", "16"), ("190000", "19")]
)
def test_the_major_is_that_of_the_number(number: str, major: str) -> None:
    (server,) = facts(server_version_num=(number, "", "default")).postgres
    assert known_or(server.major, "") == major


@pytest.mark.parametrize(
    ("number", "release"), [("90624", "9.6.24"), ("100023", "10.23"), ("160004", "16.4")]
)
@pytest.mark.parametrize("text", ["", "16devel", "Aurora 16", "160004"])
def test_the_release_is_that_of_the_number_whatever_the_text_beside_it(
    number: str, release: str, text: str
) -> None:
    stated = facts(server_version_num=(number, "", "default"), server_version=(text, "", "default"))
    read_back = facts_from_json(facts_to_json(stated), "facts.json")
    assert [known_or(server.release, "") for server in read_back.postgres] == [release]


def test_huge_pages_are_known_where_the_server_says_that_it_has_them() -> None:
    memory = facts(**PAGES).memory
    assert (known_or(memory.huge_page_size, None), known_or(memory.huge_pages_total, 0)) == (
        Bytes(2 * MIB),
        8500,
    )


@pytest.mark.parametrize(
    "instead",
    [
        {"huge_pages": ("try", "", "default")},
        {"huge_pages": ("off", "", "default")},
        {"shared_memory_size_in_huge_pages": ("-1", "", "default")},
        {"shared_memory_size": ("0", "MB", "default")},
    ],
)
def test_huge_pages_are_unknown_otherwise(instead: Mapping[str, tuple[str, str, str]]) -> None:
    assert isinstance(facts(**{**PAGES, **instead}).memory.huge_pages_total, Unknown)


def test_a_newer_server_says_itself_whether_it_has_them() -> None:
    settings = {**PAGES, "huge_pages": ("try", "", "default"), "huge_pages_status": ("on", "", "default")}
    assert known_or(facts(**settings).memory.huge_pages_total, 0) == 8500


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: found no column name, setting, unit, source"),
        ("name,setting\na,b\n", "line 1: found no column unit, source"),
        (dump({}), "server_version_num: found nothing, expected a number"),
        (
            dump({"server_version_num": ("x", "", "default")}),
            "server_version_num: found x, expected a number",
        ),
        ("name,setting,unit,source\nport\n", "line 2: found too few columns"),
    ],
)
def test_another_file_is_refused_with_one_message(text: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        managed_facts(text, "settings.csv", MEMORY, 16)
    assert refused.value.message.startswith(f"settings.csv: {message}")


@given(st.text() | st.text('name,settiuo"\r\n0') | st.text().map("name,setting,unit,source\n{}".format))
def test_any_text_is_facts_or_a_message(text: str) -> None:
    message = message_for(text)
    assert not message or message.startswith("settings.csv: ")


def message_for(text: str) -> str:
    """The refusal; empty if there is none."""
    try:
        managed_facts(text, "settings.csv", MEMORY, 16)
    except InputError as error:
        return error.message
    return ""


@given(st.text("0123456789²-.", max_size=30))
def test_no_number_ends_it(number: str) -> None:
    names = ("server_version_num", "port", "shared_memory_size", "shared_memory_size_in_huge_pages")
    for name in names:
        assert "Traceback" not in message_for(dump({**USUAL, **PAGES, name: (number, "", "default")}))
