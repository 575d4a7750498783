"""Values of settings are compared by what they mean to the server."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.values.pg_settings import SettingError, SettingInfo, SettingsOfMajor
from tunewiz.core.values.units import Bytes
from tunewiz.core.values.versions import SUPPORTED, V10, V15, Major
from tunewiz.knowledge.loading import load_knowledge

SETTINGS = load_knowledge().settings


def of(name: str, major: Major = V15) -> SettingInfo:
    return SETTINGS[major][name]


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("work_mem", "24MB", "24MB"),
        ("work_mem", "4096", "4MB"),
        ("work_mem", "1.5MB", "1536kB"),
        ("shared_buffers", "2048", "16MB"),
        ("wal_buffers", "-1", "-1"),
        ("max_wal_size", "1024", "1GB"),
        ("checkpoint_timeout", "300", "5min"),
        ("checkpoint_timeout", "0.5h", "30min"),
        ("autovacuum_vacuum_cost_delay", "2", "2ms"),
        ("effective_cache_size", "2147483640kB", "2147483640kB"),
        ("effective_cache_size", "17179869176kB", "2147483647"),
        ("random_page_cost", "1.10", "1.1"),
        ("random_page_cost", "1e10", "10000000000"),
        ("random_page_cost", "1.79769e+308", "1.79769e+308"),
        ("max_connections", "200", "200"),
        ("max_connections", "200.4", "200"),
        ("fsync", "yes", "on"),
        ("fsync", "0", "off"),
        ("huge_pages", "TRY", "try"),
        ("synchronous_commit", "false", "off"),
        ("unix_socket_permissions", "0777", "511"),
        ("log_file_mode", "0600", "384"),
    ],
)
def test_values_are_shown_as_a_person_writes_them(name: str, text: str, shown: str) -> None:
    assert of(name).show(text) == shown


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("work_mem", "1kB", "expected at least 64kB"),
        ("work_mem", "24mb", "expected a size such as"),
        ("work_mem", "banana", "expected a size such as"),
        ("max_connections", "0", "expected at least 1"),
        ("max_connections", "1000000000000000000", "expected at most 262143"),
        ("shared_buffers", "9999TB", "expected at most 8589934584kB (8.0 TiB)"),
        ("max_connections", "many", "expected a number"),
        ("checkpoint_timeout", "2d", "expected at most 86400 s"),
        ("checkpoint_timeout", "5m", "expected a time such as"),
        ("random_page_cost", "-1", "expected at least 0"),
        ("random_page_cost", "1e999", "expected at most 1.79769e+308"),
        ("random_page_cost", "NaN", "expected a number"),
        ("random_page_cost", "inf", "expected a number"),
        ("fsync", "maybe", "expected on or off"),
        ("huge_pages", "always", "expected one of off, on, try"),
    ],
)
def test_values_that_the_server_would_refuse_are_refused(name: str, text: str, expected: str) -> None:
    with pytest.raises(SettingError, match=f"^{name}: ") as refused:
        of(name).canonical(text)
    assert expected in str(refused.value)


@given(st.integers(64, 2147483647))
def test_what_is_shown_means_the_same(kilobytes: int) -> None:
    info = of("work_mem")
    assert info.same(info.show(str(kilobytes)), str(kilobytes))


@pytest.mark.parametrize("major", SUPPORTED)
def test_every_default_is_a_value_that_its_setting_takes(major: Major) -> None:
    for info in SETTINGS[major].known.values():
        assert info.same(info.show(info.default), info.default), info.name


@pytest.mark.parametrize(
    ("name", "size", "clamped"),
    [
        ("effective_cache_size", "48TB", "16383GB"),
        ("work_mem", "16GB", "16GB"),
        ("work_mem", "16TB", "2047GB"),
        ("work_mem", "1kB", "64kB"),
    ],
)
def test_a_size_beyond_the_range_becomes_one_that_every_major_reads(
    name: str, size: str, clamped: str
) -> None:
    assert of(name).clamped(Bytes.parse(size)).pg() == clamped


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("1234567", "1.23457e+06", True),
        ("1.23456789", "1.23457", True),
        ("1234567", "1234568", True),
        ("123456", "123457", False),
        ("1.1", "1.10001", False),
    ],
)
def test_reals_are_compared_by_the_six_digits_that_the_server_gives(
    one: str, other: str, *, is_same: bool
) -> None:
    assert of("jit_above_cost").same(one, other) is is_same


def test_the_same_size_in_other_units_is_the_same() -> None:
    assert of("shared_buffers").same("16GB", "16384MB")
    assert not of("shared_buffers").same("16GB", "16383MB")


def test_a_size_is_counted_in_bytes_whatever_its_unit() -> None:
    assert of("shared_buffers").size("2048") == Bytes.parse("16MB")
    with pytest.raises(SettingError, match="fsync is not a size"):
        of("fsync").size("on")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("jit", "jit first appeared in PostgreSQL 11, this server is 10"),
        ("wal_keep_size", "wal_keep_size first appeared in PostgreSQL 13, this server is 10"),
        ("checkpoint_segments", "checkpoint_segments is not a PostgreSQL setting"),
    ],
)
def test_a_setting_of_another_major_is_told_with_the_majors_that_have_it(name: str, why: str) -> None:
    settings: SettingsOfMajor = SETTINGS[V10]
    assert settings.why_missing(name) == why
    with pytest.raises(SettingError, match=why):
        settings[name]


def test_a_setting_that_has_gone_is_told_with_its_last_major() -> None:
    assert SETTINGS[V15].why_missing("wal_keep_segments") == (
        "wal_keep_segments was last in PostgreSQL 12, this server is 15"
    )


@pytest.mark.parametrize(("name", "restart"), [("shared_buffers", True), ("work_mem", False)])
def test_what_waits_for_a_restart_is_known(name: str, restart: bool) -> None:  # noqa: FBT001 - a parameter
    assert of(name).needs_restart is restart
