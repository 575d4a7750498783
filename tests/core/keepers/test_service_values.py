"""What managed services take: data with sources, every setting spoken of, values that keep their meaning."""

import dataclasses
import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.keepers.service_values import postgres_value, provider_value
from tunewiz.core.keepers.services import LeftAlone, Parameter, Service, ServiceName
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.pg_settings import SettingError, SettingInfo
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.knowledge.loading import load_knowledge, load_settings
from tunewiz.managed.loading import check_service, load_service

NAMES: tuple[ServiceName, ...] = get_args(ServiceName)
MEMORY = Bytes(64 * GIB)
CATALOGUE = {
    recommendation.target.name
    for recommendation in load_knowledge().catalogue
    if isinstance(recommendation.target, PgTarget)
}


def parameters() -> Iterator[tuple[Service, Parameter, SettingInfo]]:
    """Every parameter of every service, with what the newest major that has it says."""
    for name in NAMES:
        service = load_service(name)
        for setting, parameter in service.parameters.items():
            yield service, parameter, majors_of(setting)[-1]


def majors_of(setting: str) -> list[SettingInfo]:
    return [settings[setting] for _, settings in sorted(load_settings().items()) if settings.has(setting)]


ALL = {
    f"{service.title}: {info.name}": (service, parameter, info) for service, parameter, info in parameters()
}
NUMBERS = [name for name, (_, _, info) in ALL.items() if info.vartype in ("integer", "real")]


@pytest.mark.parametrize("name", NAMES)
def test_every_source_has_an_address_and_a_date(name: ServiceName) -> None:
    sources = load_service(name).sources
    assert sources
    for source in sources:
        assert source.address.startswith("https://")
        assert dt.date.fromisoformat(source.date) <= dt.date(2026, 11, 29)
        assert source.says


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_of_the_catalogue_is_spoken_of_and_no_other(name: ServiceName) -> None:
    service = load_service(name)
    alone = {setting for entry in service.left_alone for setting in entry.names}
    assert {*service.parameters, *alone} == CATALOGUE


@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_set_says_why(name: ServiceName) -> None:
    service = load_service(name)
    for setting in CATALOGUE:
        assert bool(service.why_not(setting)) == (setting not in service.parameters)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("no_such_setting",), "found no_such_setting, expected a setting that some major has"),
        (("jit",), "jit: found 2 times, expected once"),
    ],
)
def test_a_file_with_a_wrong_name_is_refused(names: tuple[str, ...], message: str) -> None:
    service = load_service("rds")
    wrong = dataclasses.replace(service, left_alone=(LeftAlone(names=names, why="a test"),))
    with pytest.raises(InputError, match=message):
        check_service(wrong, "profiles/services/rds.toml")


@pytest.mark.parametrize("name", NAMES)
def test_what_every_major_restarts_for_is_static(name: ServiceName) -> None:
    for setting, parameter in load_service(name).parameters.items():
        if all(info.needs_restart for info in majors_of(setting)):
            assert parameter.apply == "static", setting


def test_ranges_and_values_are_some_that_postgresql_has() -> None:
    for _, parameter, info in ALL.values():
        if parameter.least:
            assert Decimal(parameter.least) < Decimal(parameter.most), info.name
        if info.vartype == "enum" and parameter.values:
            # A compression may be missing in the build from which the choices were read.
            assert set(parameter.values) & set(info.choices), info.name


def test_booleans_are_written_as_each_service_does() -> None:
    values = {
        name: provider_value(
            load_service(name).parameters[setting],
            majors_of(setting)[-1],
            "off",
            load_service(name).booleans,
            None,
        )
        for name, setting in (
            ("rds", "jit"),
            ("azure", "jit"),
            ("cloudsql", "log_lock_waits"),
            ("aiven", "jit"),
        )
    }
    assert values == {"rds": "0", "azure": "off", "cloudsql": "off", "aiven": "false"}


@given(st.data())
def test_a_number_is_the_same_there_and_back(data: st.DataObject) -> None:
    service, parameter, info = ALL[data.draw(st.sampled_from(NUMBERS))]
    text = data.draw(numbers(info))
    try:
        value = provider_value(parameter, info, text, service.booleans, MEMORY)
    except SettingError:
        assert parameter.least, "only a range refuses a number that PostgreSQL takes"
        return
    back = Fraction(Decimal(postgres_value(parameter, info, value, MEMORY)))
    if parameter.most and Fraction(Decimal(value)) == Fraction(Decimal(parameter.most)):
        return  # it was above the range
    assert abs(back - Fraction(Decimal(text))) <= step_there(parameter, info) / 2


def numbers(info: SettingInfo) -> st.SearchStrategy[str]:
    least, most = Decimal(info.minimum or "-1"), Decimal(info.maximum or "1000000")
    if info.vartype == "integer":
        return st.integers(int(least), int(most)).map(str)
    return st.decimals(max(least, Decimal(-100)), min(most, Decimal(1000)), places=3).map(str)


def step_there(parameter: Parameter, info: SettingInfo) -> Fraction:
    """The smallest difference there, in PostgreSQL's unit; 0 if units are the same."""
    if parameter.unit in (None, info.unit):
        return Fraction(0)
    step = MEMORY.count // 1000 if parameter.unit == "percent of memory" else 2**20
    return Fraction(step, info.size("1GB").count) * Fraction(Decimal(info.canonical("1GB"))) + 1


@pytest.mark.parametrize("name", [name for name in NUMBERS if ALL[name][1].most])
def test_a_number_above_the_range_is_the_largest_there(name: str) -> None:
    service, parameter, info = ALL[name]
    largest = info.maximum or "1e300"
    value = provider_value(parameter, info, largest, service.booleans, MEMORY)
    assert Fraction(Decimal(value)) == min(
        Fraction(Decimal(parameter.most)), Fraction(Decimal(largest)) * in_its_unit(parameter, info)
    )


def in_its_unit(parameter: Parameter, info: SettingInfo) -> Fraction:
    """One of PostgreSQL's units in the service's; any large number where the range ends below all sizes."""
    return Fraction(1) if parameter.unit in (None, info.unit) else Fraction(10**6)


def test_a_number_below_the_range_is_refused() -> None:
    work_mem = load_service("azure").parameters["work_mem"]
    with pytest.raises(SettingError, match="expected at least 4096, found 1024"):
        provider_value(work_mem, majors_of("work_mem")[-1], "1MB", "on or off", None)


def test_sizes_are_in_the_units_of_the_service() -> None:
    text = {"work_mem": "64MB", "shared_buffers": "16GB", "max_wal_size": "32GB"}
    expected = {
        "rds": {"work_mem": "65536", "shared_buffers": "2097152", "max_wal_size": "32768"},
        "azure": {"work_mem": "65536", "shared_buffers": "2097152", "max_wal_size": "32768"},
        "aiven": {"work_mem": "64", "shared_buffers": "25"},
    }
    for name, values in expected.items():
        service = load_service(name)
        for setting, value in values.items():
            info = majors_of(setting)[-1]
            assert (
                provider_value(service.parameters[setting], info, text[setting], "on or off", MEMORY) == value
            )


def test_a_share_of_memory_needs_the_memory() -> None:
    parameter = load_service("aiven").parameters["shared_buffers"]
    with pytest.raises(SettingError, match="the memory is not known"):
        provider_value(parameter, majors_of("shared_buffers")[-1], "16GB", "on or off", None)


def test_special_numbers_are_left_as_they_are() -> None:
    parameter = load_service("aiven").parameters["work_mem"]
    info = dataclasses.replace(majors_of("work_mem")[-1], minimum="-1")
    unbounded = dataclasses.replace(parameter, least="")
    assert provider_value(unbounded, info, "-1", "on or off", MEMORY) == "-1"


@pytest.mark.parametrize("value", ["%m é", "a\nb", "a\x1bb"])
def test_a_text_that_is_not_plain_is_refused(value: str) -> None:
    parameter = load_service("azure").parameters["log_line_prefix"]
    with pytest.raises(SettingError, match="expected ASCII characters only"):
        provider_value(parameter, majors_of("log_line_prefix")[-1], value, "on or off", None)


def test_a_library_that_cannot_be_loaded_there_is_named() -> None:
    parameter = load_service("rds").parameters["shared_preload_libraries"]
    info = majors_of("shared_preload_libraries")[-1]
    taken = provider_value(parameter, info, "pg_stat_statements, auto_explain", "1 or 0", None)
    assert taken == "pg_stat_statements,auto_explain"
    with pytest.raises(SettingError, match="citus cannot be in it there"):
        provider_value(parameter, info, "pg_stat_statements, citus", "1 or 0", None)
