"""Settings that are each in range and together keep a server from starting are refused, or told."""

from collections.abc import Mapping

import pytest

from situations import situation
from tunewiz.core.answers.answers import Replaced
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.planning.startup_checks import clashes
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.errors import InputError
from tunewiz.knowledge.loading import load_knowledge


def plan_by_hand(given: Given, values: Mapping[str, str]) -> Plan:
    """The catalogue's plan with values that a person typed."""
    decisions = {name: Replaced(value=value, note="") for name, value in values.items()}
    return plan_of(load_knowledge().catalogue, situation(given, decisions))


CLASHING = [
    (Given(settings={"max_connections": "3"}), "superuser_reserved_connections (3) must be less than"),
    (Given(major="16", settings={"max_connections": "10", "reserved_connections": "7"}), "less than"),
    (Given(major="11", settings={"max_connections": "10"}), "max_wal_senders (10) must be less than"),
    (Given(settings={"max_wal_size": "16MB"}), "max_wal_size (16MB) must be at least 32MB"),
    (Given(settings={"min_wal_size": "16MB"}), "min_wal_size (16MB) must be at least 32MB"),
    (Given(settings={"wal_level": "minimal"}), "max_wal_senders must be 0, not 10"),
    (
        Given(settings={"wal_level": "minimal", "max_wal_senders": "0", "archive_mode": "on"}),
        "archive_mode must be off, not on",
    ),
    (
        Given(major="17", settings={"wal_level": "minimal", "max_wal_senders": "0", "summarize_wal": "on"}),
        "summarize_wal must be off",
    ),
    (Given(settings={"huge_pages": "on", "shared_memory_type": "sysv"}), "needs shared_memory_type mmap"),
    (Given(settings={"max_connections": "200000", "max_worker_processes": "100000"}), "fewer than 262143"),
    (
        Given(major="18", settings={"max_connections": "100", "autovacuum_worker_slots": "262100"}),
        "autovacuum_worker_slots add up to 262208",
    ),
]


@pytest.mark.parametrize(("given", "text"), CLASHING, ids=[text for _, text in CLASHING])
def test_settings_that_keep_a_server_down_are_told(given: Given, text: str) -> None:
    (clash,) = clashes(situation(given))
    assert text in clash.text


@pytest.mark.parametrize(
    "given",
    [
        Given(),
        Given(major="9.6"),
        Given(settings={"max_connections": "4"}),
        Given(major="12", settings={"max_connections": "10"}),
        Given(settings={"max_wal_size": "32MB", "min_wal_size": "32MB"}),
        Given(settings={"wal_level": "minimal", "max_wal_senders": "0"}),
        Given(major="17", settings={"summarize_wal": "on"}),
        Given(settings={"huge_pages": "on"}),
    ],
)
def test_settings_with_which_a_server_starts_are_left_alone(given: Given) -> None:
    assert clashes(situation(given)) == ()


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"pg.max_connections": "3"}, "must be less than max_connections"),
        ({"pg.max_wal_size": "2MB"}, "must be at least 32MB"),
        ({"pg.min_wal_size": "2MB"}, "must be at least 32MB"),
        ({"pg.huge_pages": "on"}, "reserved: 0"),
        ({"pg.shared_buffers": "100GB"}, "claim"),
    ],
)
def test_a_value_by_hand_that_would_keep_the_server_down_is_refused(
    values: Mapping[str, str], text: str
) -> None:
    with pytest.raises(InputError, match=text):
        plan_by_hand(Given(may_change_kernel=False), values)


def test_huge_pages_by_hand_are_taken_where_the_plan_reserves_them() -> None:
    assert plan_by_hand(Given(), {"pg.huge_pages": "on"}).end.will_be("huge_pages") == "on"


def test_a_server_that_would_not_start_as_it_is_gets_its_plan_and_is_told() -> None:
    made = plan_by_hand(Given(settings={"wal_level": "minimal"}), {})
    assert "would_not_start" in [warning.code for warning in made.warnings]


@pytest.mark.parametrize(
    ("major", "values", "text"),
    [
        ("15", {"pg.max_connections": "100000"}, "lets in more sessions than have room"),
        ("15", {"pg.shared_buffers": "50GB"}, "is more than half of 64 GiB"),
        ("15", {"pg.effective_cache_size": "1000GB"}, "is more than the 64 GiB available"),
        ("15", {"pg.random_page_cost": "0.1"}, "is less than seq_page_cost 1"),
        ("15", {"pg.max_wal_size": "2000GB"}, "that are free for WAL"),
        ("18", {"pg.autovacuum_max_workers": "30"}, "exceeds autovacuum_worker_slots 16"),
    ],
)
def test_a_value_by_hand_that_hurts_later_is_told(major: str, values: Mapping[str, str], text: str) -> None:
    texts = [
        warning.text
        for warning in plan_by_hand(Given(major=major), values).warnings
        if "hand" in warning.code
    ]
    assert len(texts) == 1
    assert text in texts[0]


def test_a_sound_value_by_hand_is_left_alone() -> None:
    made = plan_by_hand(Given(), {"pg.max_connections": "300", "pg.random_page_cost": "1.2"})
    assert [warning for warning in made.warnings if warning.code == "set_by_hand"] == []
