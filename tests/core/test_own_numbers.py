"""Two servers that differ only in what they counted get different plans, each with the reason in a line."""

import dataclasses
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Declined, Proposal
from tunewiz.core.server.own_numbers import reads_rarely, spilled, spills_rarely
from tunewiz.core.server.seen_checkpoints import wal_seen
from tunewiz.core.server.seen_vacuum import vacuum_keeps_up
from tunewiz.core.values.units import MIB, TIB, Bytes
from tunewiz.knowledge.loading import load_knowledge
from two_servers import HEALTHY, MACHINE, STRAINED
from watched import activity, window, with_statistics

KNOWLEDGE = load_knowledge()
few = settings(max_examples=60, database=None, derandomize=True, deadline=None)


def plan(counted: Mapping[str, int], machine: Given = MACHINE) -> Plan:
    return plan_of(KNOWLEDGE.catalogue, with_statistics(machine, since=activity(**counted)))


def finding(entry: Plan, name: str) -> Finding:
    return next(item for item in entry.findings if item.recommendation.id == name)


def wanted(entry: Plan, name: str) -> Bytes:
    """The proposed value, or the current one where it is kept."""
    return entry.start.settings[name].size(finding(entry, f"pg.{name}").sets or entry.start.will_be(name))


DIFFER = {
    "pg.autovacuum_max_workers": (
        "3 workers keep up: at most 0.1 % of a large table's rows are dead (orders)",
        "one for each",
    ),
    "pg.autovacuum_vacuum_cost_limit": (
        "200 points are enough: at most 0.1 % of a large table's rows are dead (orders)",
        "a vacuum against wraparound in 9 days, using at most 1,111,111 transaction ids a day",
    ),
    "pg.autovacuum_vacuum_scale_factor": (
        "0.2 starts autovacuum soon enough: at most 0.1 % of a large table's rows are dead (orders)",
        "",
    ),
    "pg.hash_mem_multiplier": (
        "1 is enough: no temporary file in 40,000,000 transactions since 2026-10-01",
        "1,000,000 temporary files since 2026-10-01, 105 MiB each, about 3 times that in memory",
    ),
    "pg.max_wal_size": (
        "2 of 10,002 checkpoints since 2026-10-01 were forced by WAL: 1 GiB lasts 5min",
        "",
    ),
    "pg.shared_buffers": (
        "128MB are enough: 99.99 % of 10,000,000,000 page lookups were hits since 2026-10-01",
        "",
    ),
    "pg.work_mem": (
        "4MB holds the sorts and hashes: no temporary file in 40,000,000 transactions since 2026-10-01",
        "less than wanted: 1,000,000 temporary files since 2026-10-01, 105 MiB each",
    ),
}
"""What each of the two servers is told."""


@pytest.mark.parametrize("name", DIFFER)
def test_what_was_counted_decides_and_is_told(name: str) -> None:
    healthy, strained = finding(plan(HEALTHY), name), finding(plan(STRAINED), name)
    assert healthy.verdict != strained.verdict
    enough, short = DIFFER[name]
    assert enough in reason_of(healthy)
    if isinstance(healthy.verdict, Declined) and name != "pg.hash_mem_multiplier":
        assert healthy.because.endswith(" without that")
    assert isinstance(strained.verdict, Proposal)
    assert short in reason_of(strained)


def reason_of(entry: Finding) -> str:
    computed = entry.verdict.computed if isinstance(entry.verdict, Proposal) else ""
    return f"{entry.because}; {computed}"


@pytest.mark.parametrize("name", sorted(DIFFER))
def test_a_server_that_counted_nothing_gets_the_prior(name: str) -> None:
    nothing = finding(plan({}), name)
    assert isinstance(nothing.verdict, Proposal)
    for word in ("rows are dead", "temporary file", "were forced", "were hits"):
        assert word not in reason_of(nothing)


@pytest.mark.parametrize("divided", [100_000, 10_000_000])
def test_too_little_seen_decides_nothing(divided: int) -> None:
    little = {name: count // divided for name, count in HEALTHY.items()}
    situation = with_statistics(MACHINE, since=activity(**little))
    for look in (wal_seen, spills_rarely, spilled, reads_rarely, vacuum_keeps_up):
        assert list(look(situation)) == []


def test_a_watched_window_is_believed_first() -> None:
    watched = window(seconds=604_800, checkpoints_requested=90, checkpoints_timed=10, wal_bytes=TIB)
    situation = with_statistics(MACHINE, since=activity(**HEALTHY), watched=watched)
    assert [wal.what for wal in wal_seen(situation)] == ["fills"]
    busy = window(
        seconds=604_800, checkpoints_requested=90, checkpoints_timed=10, commits=10**6, temp_files=0
    )
    assert [
        "in this window" in observation
        for observation in spills_rarely(with_statistics(MACHINE, watched=busy))
    ] == [True]


def test_a_limit_that_fills_is_raised_in_proportion_and_bounded_as_before() -> None:
    large = dataclasses.replace(
        MACHINE, settings={"max_wal_size": "64GB"}, recovery_time="1d", free_space="90TB"
    )
    grown = wanted(plan(STRAINED, large), "max_wal_size")
    assert grown > wanted(plan({}, large), "max_wal_size")
    assert "64 GiB does not last 5min" in reason_of(finding(plan(STRAINED, large), "pg.max_wal_size"))
    short = dataclasses.replace(large, recovery_time="1min")
    assert wanted(plan(STRAINED, short), "max_wal_size") <= wanted(plan(STRAINED, large), "max_wal_size")


def test_a_value_set_by_hand_for_which_the_numbers_speak_is_kept() -> None:
    by_hand = dataclasses.replace(
        MACHINE, settings={"max_wal_size": "3GB", "work_mem": "6MB", "shared_buffers": "1GB"}
    )
    for name in ("pg.work_mem", "pg.shared_buffers"):
        verdict = finding(plan(HEALTHY, by_hand), name).verdict
        assert isinstance(verdict, Declined)
        assert verdict.kind == "keep"


@few
@given(st.integers(20_000, 10**6), st.tuples(st.integers(0, 100), st.integers(0, 100)))
def test_more_forced_checkpoints_never_mean_less_wal(total: int, shares: tuple[int, int]) -> None:
    fewer, more = sorted(shares)

    def wal(share: int) -> Bytes:
        forced = total * share // 100
        counted = {**HEALTHY, "checkpoints_requested": forced, "checkpoints_timed": total - forced}
        return wanted(plan(counted), "max_wal_size")

    assert wal(fewer) <= wal(more)


@few
@given(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)), st.integers(1, 500))
def test_more_spills_never_mean_less_work_mem(files: tuple[int, int], megabytes: int) -> None:
    def memory(count: int) -> Bytes:
        counted = {**HEALTHY, "temp_files": count, "temp_bytes": count * megabytes * MIB}
        return wanted(plan(counted), "work_mem")

    assert memory(min(files)) <= memory(max(files))


@few
@given(st.data())
def test_a_healthier_server_never_gets_more_changes(data: st.DataObject) -> None:
    """Each counter is the healthy one or the strained one; what is healthier changes no more."""
    pairs = (
        ("blocks_hit", "blocks_read"),
        ("temp_files", "temp_bytes"),
        ("checkpoints_requested", "checkpoints_timed"),
        ("live_rows", "dead_rows"),
    )
    worse = {pair for pair in pairs if data.draw(st.booleans())}
    better = {pair for pair in worse if data.draw(st.booleans())}

    def changes(strained: set[tuple[str, str]]) -> int:
        strains = {name: STRAINED[name] for pair in strained for name in pair}
        result = plan({**HEALTHY, **strains})
        return sum(finding(result, name).changes for name in DIFFER)

    assert changes(better) <= changes(worse)


@pytest.mark.parametrize(("bytes_each", "rare"), [(2**20, True), (2**40, False)])
def test_few_files_are_rare_spills_only_where_little_is_in_them(bytes_each: int, *, rare: bool) -> None:
    counted = activity(commits=40_000_000, temp_files=40, temp_bytes=40 * bytes_each)
    assert any(spills_rarely(with_statistics(MACHINE, since=counted))) is rare


@pytest.mark.parametrize(("requested", "lasts"), [(9, True), (10, False), (40, False)])
def test_a_busy_hour_of_forced_checkpoints_is_not_hidden_by_a_quiet_month(
    requested: int, *, lasts: bool
) -> None:
    month = activity(
        seconds=30 * 86_400, checkpoints_requested=requested, checkpoints_timed=8_640, wal_bytes=TIB
    )
    assert [wal.what for wal in wal_seen(with_statistics(MACHINE, since=month))] == ["lasts"] * lasts
