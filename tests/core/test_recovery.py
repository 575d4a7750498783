"""How long recovery may take is an estimate, and says so."""

import pytest

from situations import situation
from tunewiz.core.facts.storage_kind import StorageKind
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.server.recovery import recovery_time, replayed_within
from tunewiz.core.values.units import Bytes, Duration, in_words


@pytest.mark.parametrize(
    ("disk", "expected"), [("hdd", "16 min"), ("san", "4 min"), ("ssd", "2 min"), ("nvme", "2 min")]
)
def test_sixteen_gigabytes_take_as_long_as_the_storage_is_slow(disk: StorageKind, expected: str) -> None:
    time = recovery_time(situation(Given(disk=disk)), Bytes.parse("15.9GB"))
    assert in_words(time) == expected


def test_time_and_amount_are_two_sides_of_one_rate() -> None:
    result = situation(Given(disk="ssd"))
    accepted = Duration.parse("5min")
    assert recovery_time(result, replayed_within(result, accepted)) == accepted


def test_less_than_two_minutes_are_told_in_seconds() -> None:
    assert in_words(Duration(119_000)) == "119 s"
    assert in_words(Duration(120_000)) == "2 min"
