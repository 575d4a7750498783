"""The size of shared memory, compared with what real servers took."""

import dataclasses
from fractions import Fraction

import pytest

from situations import situation
from tunewiz.core.facts.server import PostgresServer, Setting
from tunewiz.core.planning.startup_checks import clashes
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.shared_memory import (
    buffers_beside,
    huge_pages_needed,
    pages_reserved,
    shared_overhead,
)
from tunewiz.core.values.known import Fact, Known, MissingFact, Unknown
from tunewiz.core.values.units import Bytes

MEASURED_PAGES = {
    ("9.5", "128MB", 100): 71,
    ("9.5", "16GB", 500): 8416,
    ("9.6", "128MB", 100): 71,
    ("9.6", "16GB", 500): 8406,
    ("13", "16GB", 500): 8411,
    ("15", "128MB", 500): 82,
    ("15", "16GB", 100): 8386,
    ("15", "2GB", 1100): 1085,
    ("15", "16GB", 5100): 8505,
    ("18", "128MB", 100): 75,
    ("18", "128MB", 500): 86,
    ("18", "16GB", 500): 8428,
}
"""Pages of 2 MB that servers without extensions asked for (measured 2026-11)."""


def server_with(given: Given, pages: int) -> Situation:
    """A server that tells its own need."""
    result = situation(given)
    assert isinstance(result.server, PostgresServer)
    return dataclasses.replace(
        result, server=dataclasses.replace(result.server, shared_memory_pages=Known(pages, "SHOW"))
    )


@pytest.mark.parametrize(("major", "buffers", "connections"), MEASURED_PAGES)
def test_the_estimate_covers_what_real_servers_took_and_little_more(
    major: str, buffers: str, connections: int
) -> None:
    measured = MEASURED_PAGES[major, buffers, connections]
    given = {"shared_buffers": buffers, "max_connections": str(connections)}
    need = huge_pages_needed(situation(Given(major=major, settings=given))).count
    assert measured <= need <= measured + max(32, measured // 40)


@pytest.mark.parametrize(
    ("page", "count"), [("1MB", 16_916), ("2MB", 8_458), ("16MB", 1_058), ("512MB", 34), ("1GB", 17)]
)
def test_pages_are_counted_in_the_machines_own_size(page: str, count: int) -> None:
    result = situation(Given(huge_page_size=page, settings={"shared_buffers": "16GB"}))
    assert huge_pages_needed(result).count == count


def test_the_servers_own_count_is_taken_as_long_as_nothing_changes_it() -> None:
    server = server_with(Given(settings={"shared_buffers": "16GB"}), 8386)
    assert huge_pages_needed(server).count == 8386
    assert huge_pages_needed(server.with_chosen("shared_buffers", "8GB")).count != 8386


@pytest.mark.parametrize(("major", "stays"), [("17", False), ("18", True)])
def test_what_a_reload_changes_leaves_shared_memory_as_it_is(major: str, *, stays: bool) -> None:
    result = server_with(Given(major=major), 75).with_chosen("autovacuum_max_workers", "5")
    assert (huge_pages_needed(result).computed == "75 pages, as the server reports") is stays
    on = situation(Given(major=major, settings={"huge_pages": "on"}))
    assert (clashes(on.with_chosen("autovacuum_max_workers", "5")) == ()) is stays


def test_a_page_size_that_the_server_asks_for_counts() -> None:
    result = situation(Given(major="15", settings={"shared_buffers": "16GB", "huge_page_size": "1GB"}))
    assert huge_pages_needed(result).count == 17
    assert pages_reserved(result.with_chosen("vm.nr_hugepages", "9000")) == 0


def test_without_huge_pages_in_the_kernel_none_can_be_counted() -> None:
    with pytest.raises(MissingFact):
        huge_pages_needed(situation(Given(huge_page_size="")))


def test_a_larger_lock_table_takes_more_for_each_session() -> None:
    buffers = Bytes.parse("1GB")
    usual = shared_overhead(situation(Given()), buffers)
    larger = shared_overhead(situation(Given(settings={"max_locks_per_transaction": "1024"})), buffers)
    assert larger - usual == Bytes(300 * 960 * 100)


def test_wal_buffers_that_were_chosen_large_are_counted() -> None:
    buffers = Bytes.parse("16GB")
    usual = shared_overhead(situation(Given()), buffers)
    larger = shared_overhead(situation(Given(settings={"wal_buffers": "256MB"})), buffers)
    assert larger - usual == Bytes.parse("240MB")


@pytest.mark.parametrize("room", ["50MB", "1GB", "17GB"])
def test_the_largest_buffers_fill_the_room_with_their_overhead(room: str) -> None:
    present, size = situation(Given()), Bytes.parse(room)
    buffers = buffers_beside(present, size, Fraction(0))
    assert buffers + shared_overhead(present, buffers) <= size
    larger = buffers + Bytes.parse("1MB")
    assert larger + shared_overhead(present, larger) > size


NOT_ASKED = Unknown("not asked")


def beside(entry: Situation, *others: PostgresServer) -> Situation:
    """The same server, and others on the machine."""
    return dataclasses.replace(
        entry, facts=dataclasses.replace(entry.facts, postgres=(*entry.facts.postgres, *others))
    )


def another(*, running: bool = True, pages: Fact[int] = NOT_ASKED, **settings: str) -> PostgresServer:
    """A second server, with these settings in the unit of the server."""
    server = situation().server
    assert isinstance(server, PostgresServer)
    return dataclasses.replace(
        server,
        running=running,
        data_directory=Known("/srv/other", "test"),
        shared_memory_pages=pages,
        settings=Known({name: Setting(value=value) for name, value in settings.items()}, "test"),
    )


def more_pages(*others: PostgresServer) -> int:
    """How many pages more are needed because of the others."""
    result = situation(Given(settings={"shared_buffers": "16GB"}))
    return huge_pages_needed(beside(result, *others)).count - huge_pages_needed(result).count


def test_another_server_that_runs_here_takes_pages_of_the_same_pool() -> None:
    assert more_pages(another(pages=Known(75, "SHOW"))) == 75
    assert more_pages(another(pages=Known(75, "SHOW")), another(pages=Known(80, "SHOW"))) == 75 + 80


def test_another_servers_pages_are_reckoned_where_it_does_not_tell_them() -> None:
    assert more_pages(another(shared_buffers="131072", huge_pages="try")) == (1024 + 32) // 2


@pytest.mark.parametrize(
    "other",
    [
        another(running=False, pages=Known(75, "SHOW")),
        another(pages=Known(75, "SHOW"), huge_pages="off"),
        another(pages=Known(1, "SHOW"), huge_page_size="1048576"),
        another(shared_buffers="a lot"),
    ],
    ids=["stopped", "huge_pages is off", "pages of another size", "a setting that cannot be read"],
)
def test_a_server_that_asks_for_none_of_these_pages_changes_nothing(other: PostgresServer) -> None:
    assert more_pages(other) == 0


def test_the_sum_says_that_others_are_counted() -> None:
    result = beside(situation(Given(settings={"shared_buffers": "16GB"})), another(pages=Known(75, "SHOW")))
    assert huge_pages_needed(result).computed.endswith(", and 75 for the other servers that run here")
