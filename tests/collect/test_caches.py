"""Caches of odd machines: each counted once, and none guessed."""

import pytest

from odd_processors import CPU, S390, cache, cpu_of, online
from tunewiz.core.facts.machine import Cache
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.units import KIB, MIB, Bytes


def test_a_shared_cache_is_counted_once_and_its_kinds_are_kept_apart() -> None:
    parts = [
        {
            **cache(number, 0, level=1, type="Data", size="32K", shared_cpu_list=number),
            **cache(number, 1, level=3, type="Unified", size="16M", shared_cpu_list="0-3"),
        }
        for number in range(4)
    ]
    caches = cpu_of(online("0-3"), *parts).caches
    assert isinstance(caches, Known)
    assert caches.value == (
        Cache(level=1, type="data", size=Bytes(32 * KIB), instances=4, shared_by=1),
        Cache(level=3, type="unified", size=Bytes(16 * MIB), instances=1, shared_by=4),
    )


def test_an_offline_processor_does_not_add_to_a_caches_sharing() -> None:
    caches = cpu_of(online("0-1"), cache(0, 0, level=2, type="Unified", shared_cpu_map="0f")).caches
    assert isinstance(caches, Known)
    assert caches.value[0].shared_by == 2


def test_s390x_tells_caches_in_cpuinfo_and_not_how_many_share_the_outer_ones() -> None:
    listed = (
        S390
        + "cache0          : level=1 type=Data scope=Private size=128K line_size=256 associativity=8\n"
        + "cache5          : level=4 type=Unified scope=Shared size=688128K line_size=256 associativity=42\n"
        + "processor 0: version = 00,  identification = FFFFFF,  machine = 3906\n"
    )
    caches = cpu_of({"proc/cpuinfo": listed}).caches
    assert isinstance(caches, Known)
    assert caches.value == (
        Cache(level=1, type="data", size=Bytes(128 * KIB), instances=1, shared_by=None),
        Cache(level=4, type="unified", size=Bytes(672 * MIB), instances=None, shared_by=None),
    )


@pytest.mark.parametrize("lost", ["level", "type"])
def test_a_cache_of_which_level_or_type_is_lost_makes_the_list_unknown(lost: str) -> None:
    files = cache(0, 0, level=1, type="Data", shared_cpu_list=0) | cache(
        0, 1, level=2, type="Unified", size="1M"
    )
    files.pop(f"{CPU}/cpu0/cache/index1/{lost}")
    assert isinstance(cpu_of(online("0"), files).caches, Unknown)


def test_a_cache_of_which_only_the_level_was_ever_taken_is_left_out() -> None:
    files = cache(0, 0, level=1) | cache(0, 1, level=2, type="Unified", shared_cpu_list=0)
    caches = cpu_of(online("0"), files).caches
    assert isinstance(caches, Known)
    assert [entry.level for entry in caches.value] == [2]


def test_a_cache_whose_sharing_alone_is_lost_makes_the_list_unknown() -> None:
    files = cache(0, 0, level=1, type="Data", shared_cpu_list=0) | cache(0, 1, level=2, type="Unified")
    assert isinstance(cpu_of(online("0"), files).caches, Unknown)


def test_the_caches_of_s390x_are_unknown_without_the_file_that_has_all_of_them() -> None:
    files = cache(0, 0, level=1, type="Data", size="128K", shared_cpu_list=0)
    assert isinstance(cpu_of(online("0"), files, {"proc/sysinfo": "Type: 8561\n"}).caches, Unknown)


def test_a_cache_that_one_processor_does_not_tell_about_makes_the_count_unknown() -> None:
    whole = [cache(number, 0, level=1, type="Data", shared_cpu_list=number) for number in range(2)]
    whole[1].pop(f"{CPU}/cpu1/cache/index0/type")
    assert isinstance(cpu_of(online("0-1"), *whole).caches, Unknown)
