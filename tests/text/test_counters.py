"""A server's own counters as bars: shares of what it counted, and nothing where it did not."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.facts.server import Curve, PostgresServer
from tunewiz.core.values.known import Known, Unknown
from tunewiz.knowledge.loading import demo_facts
from tunewiz.text.counters import LABEL, NAMES, counters
from watched import activity, window

NOT_READ = Unknown("not part of the test")
PLAIN = dataclasses.replace(demo_facts("small-vm").postgres[0], activity=NOT_READ, window=NOT_READ)
COUNTED = activity(blocks_hit=990, blocks_read=10, rollbacks=0, commits=5_000_000)


def counters_text(server: PostgresServer) -> str:
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
    assert f" of {words}\n" in counters_text(dataclasses.replace(PLAIN, activity=counts)) + "\n"


def test_shares_are_told_since_the_last_reset() -> None:
    shown = counters_text(dataclasses.replace(PLAIN, activity=COUNTED))
    assert "What this server counted since 2026-10-01:" in shown
    assert "blocks found in memory    99.0 %  ███████████████████▊  of 1,000" in shown
    assert "rolled-back transactions   0.0 %                        of 5.0 million" in shown


def test_what_was_watched_is_newer_than_all_since_the_reset() -> None:
    observation = window(60, checkpoints_requested=3, checkpoints_timed=1)
    shown = counters_text(dataclasses.replace(PLAIN, activity=COUNTED, window=observation))
    assert "while it was watched, 60 s" in shown
    assert "forced checkpoints        75.0 %  ███████████████       of 4" in shown
    assert "blocks" not in shown


def test_what_was_not_counted_has_no_bar() -> None:
    assert counters(PLAIN) == ()
    assert counters(dataclasses.replace(PLAIN, activity=activity(commits=5))) == ()


def test_nothing_at_all_happened_is_no_share() -> None:
    assert counters(dataclasses.replace(PLAIN, window=window(60, blocks_hit=0, blocks_read=0))) == ()


def watched(**curves: tuple[int, ...]) -> PostgresServer:
    """A server that was watched, with these curves."""
    value = window(60, checkpoints_requested=2, checkpoints_timed=1).value
    drawn = tuple(Curve(counted=counted, values=curves[counted]) for counted in NAMES if counted in curves)
    return dataclasses.replace(PLAIN, window=Known(dataclasses.replace(value, curves=drawn), "watched"))


def test_what_was_watched_is_drawn_with_its_peak() -> None:
    shown = counters_text(watched(commits=(0, 500, 1_000), wal_bytes=(0, 0, 3 << 20), connections=(3, 9, 4)))
    assert "transactions              ▁▅█                     up to 1,000 a second" in shown
    assert "WAL                       ▁▁█                     up to 3 MiB a second" in shown
    assert "sessions                  ▄█▅                     3 to 9 at once" in shown


def test_what_did_not_happen_has_no_curve() -> None:
    shown = counters_text(watched(temp_bytes=(0, 0, 0), checkpoints=(0, 1, 0)))
    assert "temporary" not in shown
    assert "checkpoints               ▁█▁                     3 in all" in shown


@given(st.lists(st.integers(0, 10**15), min_size=1, max_size=60))
def test_every_curve_fits_eighty_cells_and_shows_its_peak(values: list[int]) -> None:
    for counted in NAMES:
        most = 100_000 if counted == "connections" else 10**11
        observation = tuple(value % most for value in values)
        rows = counters(watched(**{counted: observation}))
        assert max(row.cell_len for row in rows) <= 80
        curves = [row.plain for row in rows if row.plain.startswith(f" {NAMES[counted].ljust(LABEL)}  ")]
        assert ["█" in curve for curve in curves] == [True] * any(observation)


def test_a_bar_fits_eighty_cells() -> None:
    busy = activity(blocks_hit=10**11, blocks_read=10**11)
    assert max(row.cell_len for row in counters(dataclasses.replace(PLAIN, activity=busy))) <= 80
