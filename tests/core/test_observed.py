"""What a server's own statistics say stands beside the documents' evidence, for or against a change."""

import json
from collections.abc import Iterable

import pytest

from tunewiz.bundle.review.change import change_in_full, expected
from tunewiz.bundle.review.markdown import markdown
from tunewiz.bundle.review.sources import Sources
from tunewiz.core.answers.suggested_workload import NoSuggestion, Suggestion, suggested
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import (
    Look,
    Observation,
    cache_hits,
    dead_rows,
    forced_checkpoints,
    oldest_transaction,
    peak_of_sessions,
    spills,
    wal_volume,
)
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.units import GIB, MIB
from tunewiz.formats.plan import plan_json
from tunewiz.knowledge.loading import load_knowledge
from watched import activity, window, with_statistics

USUAL = Given()


def words(observation: Iterable[Observation]) -> list[tuple[str, str, bool]]:
    return [(entry.figure, entry.means, entry.opposes) for entry in observation]


def test_forced_checkpoints_ask_for_more_wal() -> None:
    watched = window(checkpoints_requested=412, checkpoints_timed=18, wal_bytes=412 * GIB)
    situation = with_statistics(USUAL, watched=watched)
    assert words(forced_checkpoints(situation)) == [
        (
            "412 of 430 checkpoints in this window of 10 min were forced by WAL",
            "max_wal_size 1GB is too small",
            False,
        )
    ]


def test_timed_checkpoints_speak_against_more_wal() -> None:
    since = activity(checkpoints_requested=3, checkpoints_timed=400, wal_bytes=3 * GIB)
    situation = with_statistics(USUAL, since=since)
    ((figure, means, opposes),) = words(forced_checkpoints(situation))
    assert figure == "3 of 403 checkpoints since 2026-10-01 were forced by WAL"
    assert "hardly ever fills max_wal_size 1GB" in means
    assert opposes


def test_a_window_without_checkpoints_leaves_it_to_the_time_since_the_reset() -> None:
    watched = window(checkpoints_requested=0, checkpoints_timed=1)
    situation = with_statistics(
        USUAL, since=activity(checkpoints_requested=90, checkpoints_timed=10), watched=watched
    )
    assert words(forced_checkpoints(situation))[0][0].startswith("90 of 100 checkpoints since 2026-10-01")


@pytest.mark.parametrize("counts", [(1, 1), (20, 80)])
def test_few_checkpoints_or_a_mixture_say_nothing(counts: tuple[int, int]) -> None:
    requested, timed = counts
    situation = with_statistics(
        USUAL, since=activity(checkpoints_requested=requested, checkpoints_timed=timed)
    )
    assert words(forced_checkpoints(situation)) == []


@pytest.mark.parametrize(("megabytes", "opposes"), [(6000, False), (60, True)])
def test_the_rate_of_wal_is_held_against_what_may_gather(megabytes: int, opposes: bool) -> None:  # noqa: FBT001 - a case
    situation = with_statistics(USUAL, watched=window(wal_bytes=megabytes * MIB))
    ((figure, means, against),) = words(wal_volume(situation))
    assert "of WAL a second in this window of 10 min" in figure
    assert means.endswith("in a checkpoint_timeout of 5min; max_wal_size is 1GB")
    assert against is opposes


def test_temporary_files_tell_what_a_sort_wanted() -> None:
    situation = with_statistics(USUAL, since=activity(temp_files=64, temp_bytes=GIB, commits=5000))
    assert words(spills(situation)) == [
        ("64 temporary files, 1.0 GiB in total, since 2026-10-01", "16 MiB each; work_mem is 4MB", False)
    ]


def test_no_temporary_files_speak_against_more_memory_for_sorts() -> None:
    situation = with_statistics(USUAL, since=activity(temp_files=0, temp_bytes=0, commits=5000))
    assert [(figure, against) for figure, _, against in words(spills(situation))] == [
        ("no temporary file in 5,000 transactions since 2026-10-01", True)
    ]


@pytest.mark.parametrize(
    ("hit", "means", "opposes"),
    [(900_000, "more than 128MB would save reads", False), (999_000, "128MB hold what is in use", True)],
)
def test_pages_that_were_found_speak_of_the_buffers(hit: int, means: str, opposes: bool) -> None:  # noqa: FBT001 - a case
    situation = with_statistics(USUAL, since=activity(blocks_hit=hit, blocks_read=1_000_000 - hit))
    ((figure, said, against),) = words(cache_hits(situation))
    assert figure.startswith(f"{hit / 10_000:.1f} % of 1,000,000 pages")
    assert (said, against) == (means, opposes)


@pytest.mark.parametrize(
    ("peak", "means"),
    [(95, "it is nearly full"), (5, "most of the room was not used"), (50, "there is room")],
)
def test_the_peak_of_sessions_is_held_against_the_limit(peak: int, means: str) -> None:
    situation = with_statistics(USUAL, watched=window(connections_peak=peak))
    ((figure, said, _),) = words(peak_of_sessions(situation))
    assert figure == f"at most {peak} of 100 sessions at once in this window of 10 min"
    assert said == means


@pytest.mark.parametrize(("dead", "speaks_for"), [(200_000, [True]), (1_000, [False]), (50_000, [])])
def test_many_dead_rows_tell_that_vacuum_falls_behind_and_few_of_all_nothing(
    dead: int, speaks_for: list[bool]
) -> None:
    situation = with_statistics(USUAL, since=activity(dead_rows=dead, live_rows=1_000_000 - dead))
    assert [row.speaks_for for row in dead_rows(situation)] == speaks_for
    assert not any(row.opposes for row in dead_rows(situation))


@pytest.mark.parametrize(("age", "words_of_it"), [(190_000_000, "is near or runs"), (1000, "is far off")])
def test_the_oldest_transaction_is_held_against_its_limit(age: int, words_of_it: str) -> None:
    situation = with_statistics(USUAL, since=activity(transaction_age=age))
    ((figure, means, _),) = words(oldest_transaction(situation))
    assert f"{age:,} back" in figure
    assert words_of_it in means


@pytest.mark.parametrize(
    "look",
    [forced_checkpoints, wal_volume, spills, cache_hits, peak_of_sessions, dead_rows, oldest_transaction],
)
def test_a_server_that_told_nothing_is_said_nothing_of(look: Look) -> None:
    assert list(look(with_statistics(USUAL))) == []
    assert list(look(with_statistics(USUAL, since=activity(), watched=window()))) == []


def planned() -> Plan:
    watched = window(checkpoints_requested=412, checkpoints_timed=18, wal_bytes=412 * GIB)
    return plan_of(load_knowledge().catalogue, with_statistics(USUAL, watched=watched))


def test_the_plan_for_scripts_cites_the_server_beside_the_documents() -> None:
    (actual,) = (
        recommendation
        for recommendation in json.loads(plan_json(planned()))["recommendations"]
        if recommendation["id"] == "pg.max_wal_size"
    )
    first, *others = actual["evidence"]
    assert first["figure"].startswith("412 of 430 checkpoints in this window")
    assert (first["source_id"], first["fit"], first["claim_id"]) == ("this-server", "like", None)
    assert first["place"] == "watched as postgres"
    assert {*first} == {*others[-1]}
    assert "power.max_wal_size" in [other["claim_id"] for other in others]


def test_the_review_cites_the_server_beside_the_documents() -> None:
    plan = planned()
    (finding,) = (change for change in plan.changes if change.recommendation.id == "pg.max_wal_size")
    text = markdown(change_in_full(1, finding, plan.start, Sources.behind((finding,))))
    assert "- Measured here: **412 of 430 checkpoints in this window of 10 min were forced by WAL**" in text
    measured_elsewhere, _, seen_here = expected(finding).partition(". Seen here: ")
    assert "checkpoints" not in measured_elsewhere
    assert seen_here == "412 of 430 checkpoints in this window of 10 min were forced by WAL"


def test_the_time_in_which_it_was_watched_tells_the_workload_first() -> None:
    busy = window(commits=20_000, rows_read=200_000_000, rows_written=10)
    long_ago = activity(commits=1_000_000, rows_read=3_000_000, rows_written=3_000_000)
    (server,) = with_statistics(USUAL, since=long_ago, watched=busy).facts.postgres
    said = suggested(server)
    assert isinstance(said, Suggestion)
    assert said.kind == "mixed"
    assert "20,000 commits in this window of 10 min" in said.because


def test_a_quiet_time_leaves_the_workload_to_the_time_since_the_reset() -> None:
    quiet = window(commits=3, rows_read=200_000_000, rows_written=10)
    long_ago = activity(commits=1_000_000, rows_read=1_000_000, rows_written=3_000_000)
    (server,) = with_statistics(USUAL, since=long_ago, watched=quiet).facts.postgres
    said = suggested(server)
    assert isinstance(said, Suggestion)
    assert said.because.startswith("1.0 million commits since 2026-10-01")
    assert "75 % of the rows are written" in said.because


def test_a_quiet_time_alone_says_nothing() -> None:
    (server,) = with_statistics(USUAL, watched=window(commits=3, rows_read=2, rows_written=1)).facts.postgres
    assert suggested(server) == NoSuggestion(why="not part of the test")


def wal_size(megabytes_a_second: int, given: Given = USUAL) -> tuple[str, str]:
    watched = window(wal_bytes=megabytes_a_second * 600 * MIB)
    plan = plan_of(load_knowledge().catalogue, with_statistics(given, watched=watched))
    (finding,) = (finding for finding in plan.findings if finding.recommendation.id == "pg.max_wal_size")
    assert isinstance(finding.verdict, Proposal)
    return finding.verdict.value, finding.verdict.computed


def test_a_measured_rate_of_wal_asks_for_more_than_the_workload_does() -> None:
    value, computed = wal_size(12)
    assert value == "20GB"
    assert "12 MiB/s measured here x 15min x 2 = 21.1 GiB" in computed


def test_a_low_rate_leaves_what_the_workload_asks_for() -> None:
    value, computed = wal_size(1)
    assert value == "16GB"
    assert "the larger of 16 GiB for this workload" in computed


def test_recovery_time_and_free_space_bound_a_measured_rate_too() -> None:
    assert wal_size(100, Given(recovery_time="1min"))[0] == "5GB"
    assert wal_size(100, Given(free_space="20GB"))[0] == "5GB"
