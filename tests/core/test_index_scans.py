"""Autovacuum runs that scanned the indexes repeatedly speak for more memory, as far as it can be used."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shown_servers import Shown, seen
from tunewiz.core.facts.log import LogSeen
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Declined, Proposal
from tunewiz.core.server.seen_index_scans import repeated_index_scans
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import GIB, MIB, Bytes
from tunewiz.knowledge.loading import load_knowledge

CATALOGUE = load_knowledge().catalogue
SHARED, OWN = "pg.maintenance_work_mem", "pg.autovacuum_work_mem"
LARGE = Given(memory="64GB")
CHOSEN = Given(memory="64GB", settings={"autovacuum_work_mem": "64MB"})
FILLED = Given(memory="64GB", major="16", settings={"maintenance_work_mem": "1GB"})


def logged(given: Given, repeated: int, most: int, runs: int = 200) -> Situation:
    log = LogSeen(
        files=1,
        size=Bytes(GIB),
        damaged=0,
        autovacuums=runs,
        repeated_index_scans=repeated,
        most_index_scans=most,
    )
    return seen(given, Shown(log=Known(log, "the log")))


def finding(situation: Situation, name: str) -> Finding:
    return next(entry for entry in plan_of(CATALOGUE, situation).findings if entry.recommendation.id == name)


def size(situation: Situation, name: str) -> Bytes:
    """As planned, also where it stays."""
    result = finding(situation, name)
    own = name.removeprefix("pg.")
    return situation.settings[own].size(result.sets) if result.sets else situation.will_be_size(own)


def test_dead_rows_that_did_not_fit_raise_the_shared_limit_beyond_its_share() -> None:
    given = Given(memory="16GB", major="18", settings={"maintenance_work_mem": "512MB"})
    result = finding(logged(given, 40, 3), SHARED)
    assert isinstance(result.verdict, Proposal)
    assert result.verdict.value == "1GB"
    assert "40 of 200 autovacuum runs in the log scanned the indexes more than once" in result.because
    assert finding(logged(given, 0, 1), SHARED).state == "keep"


def test_a_share_that_holds_the_dead_rows_stays() -> None:
    result = finding(logged(LARGE, 40, 3), SHARED)
    assert isinstance(result.verdict, Proposal)
    assert result.verdict.value == finding(seen(LARGE, Shown()), SHARED).sets
    assert "more than once" in result.because


def test_a_limit_that_was_chosen_for_the_workers_is_raised_where_dead_rows_did_not_fit() -> None:
    result = finding(logged(CHOSEN, 40, 7), OWN)
    assert isinstance(result.verdict, Proposal)
    assert result.verdict.value == "448MB"


@pytest.mark.parametrize(("repeated", "runs"), [(0, 200), (9, 200), (19, 19)])
def test_a_chosen_limit_stays_where_few_runs_scanned_repeatedly_or_too_few_were_seen(
    repeated: int, runs: int
) -> None:
    assert isinstance(finding(logged(CHOSEN, repeated, 7, runs), OWN).verdict, Declined)


def test_before_17_no_more_than_a_gigabyte_is_asked_for_vacuum() -> None:
    assert not any(repeated_index_scans(logged(FILLED, 200, 9)))
    newer = Given(memory="64GB", major="17", settings={"maintenance_work_mem": "1GB"})
    (wanted,) = repeated_index_scans(logged(newer, 200, 9))
    assert wanted.worth == Bytes(9 * GIB)


def test_what_memory_does_not_bear_is_not_proposed_and_said() -> None:
    small = Given(memory="1GB", available="900MB", connections=60, settings={"autovacuum_work_mem": "128MB"})
    result = finding(logged(small, 200, 9), OWN)
    assert isinstance(result.verdict, Declined)
    assert "no memory for more" in result.because


@settings(max_examples=80, database=None, derandomize=True, deadline=None)
@given(
    st.sampled_from(["2GB", "16GB", "256GB"]),
    st.sampled_from(["12", "16", "18"]),
    st.sampled_from([{}, {"autovacuum_work_mem": "32MB"}, {"maintenance_work_mem": "256MB"}]),
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 40)), min_size=2, max_size=2),
)
def test_more_index_scans_never_mean_less_memory_for_the_workers(
    memory: str, major: str, chosen: dict[str, str], scans: list[tuple[int, int]]
) -> None:
    here = Given(memory=memory, available=memory, connections=50, major=major, settings=chosen)
    fewer, more = (tuple(map(pick, *scans)) for pick in (min, max))
    name = OWN if "autovacuum_work_mem" in chosen else SHARED
    sizes = [size(logged(here, *row), name) for row in (fewer, more)]
    assert sizes[0] <= sizes[1]


def test_a_log_without_runs_says_that_too_little_was_seen() -> None:
    result = finding(logged(LARGE, 0, 0, runs=3), SHARED)
    assert isinstance(result.verdict, Proposal)
    assert result.verdict.value == finding(seen(LARGE, Shown()), SHARED).sets
    assert Bytes(64 * MIB) < size(logged(LARGE, 0, 0, runs=3), SHARED)
