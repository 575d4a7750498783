"""A server's own counters as bars: shares of what it counted, and nothing where it did not."""

import dataclasses

import pytest

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.known import Unknown
from tunewiz.knowledge.loading import demo_facts
from tunewiz.text.counters import counters
from watched import activity, window

NOT_READ = Unknown("not part of the test")
PLAIN = dataclasses.replace(demo_facts("small-vm").postgres[0], activity=NOT_READ, window=NOT_READ)
COUNTED = activity(blocks_hit=990, blocks_read=10, rollbacks=0, commits=5_000_000)


def told(server: PostgresServer) -> str:
    return "\n".join(row.plain.rstrip() for row in counters(server))


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (999_999, "999,999"),
        (1_000_000, "1.0 million"),
        (94_500_000_000, "94.5 billion"),
        (999_000_000, "999.0 million"),
    ],
)
def test_a_large_count_is_in_millions_or_billions(count: int, words: str) -> None:
    counts = activity(rollbacks=0, commits=count)
    assert f" of {words}\n" in told(dataclasses.replace(PLAIN, activity=counts)) + "\n"


def test_shares_are_told_since_the_last_reset() -> None:
    shown = told(dataclasses.replace(PLAIN, activity=COUNTED))
    assert "What this server counted since 2026-10-01:" in shown
    assert "blocks found in memory    99.0 %  ███████████████████▊  of 1,000" in shown
    assert "rolled-back transactions   0.0 %                        of 5.0 million" in shown


def test_what_was_watched_is_newer_than_all_since_the_reset() -> None:
    seen = window(60, checkpoints_requested=3, checkpoints_timed=1)
    shown = told(dataclasses.replace(PLAIN, activity=COUNTED, window=seen))
    assert "while it was watched, 60 s" in shown
    assert "forced checkpoints        75.0 %  ███████████████       of 4" in shown
    assert "blocks" not in shown


def test_what_was_not_counted_has_no_bar() -> None:
    assert counters(PLAIN) == ()
    assert counters(dataclasses.replace(PLAIN, activity=activity(commits=5))) == ()


def test_nothing_at_all_happened_is_no_share() -> None:
    assert counters(dataclasses.replace(PLAIN, window=window(60, blocks_hit=0, blocks_read=0))) == ()


def test_a_bar_fits_eighty_cells() -> None:
    busy = activity(blocks_hit=10**11, blocks_read=10**11)
    assert max(row.cell_len for row in counters(dataclasses.replace(PLAIN, activity=busy))) <= 80
