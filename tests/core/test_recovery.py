"""How long recovery may take is an estimate, and says so."""

import dataclasses

import pytest

from measured import PROBE
from situations import situation
from tunewiz.core.answers.answers import ServerAnswers
from tunewiz.core.facts.machine import Disk
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.storage_kind import StorageKind
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.recovery import (
    VOLUME_RATE,
    rate_in_words,
    recovery_time,
    replay_rate,
    replayed_within,
)
from tunewiz.core.values.known import Known, known_or
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


def on_disks(given: Given, names: tuple[str, ...], transport: str = "") -> Situation:
    """The same machine with its data on disks of these names."""
    (one,) = known_or(situation(given).facts.storage[0].disks, ())
    attached = dataclasses.replace(one, transport=Known(transport, "test")) if transport else one
    disks: tuple[Disk, ...] = tuple(dataclasses.replace(attached, name=name) for name in names)
    return situation(dataclasses.replace(given, disks=disks))


def on_volume(transport: str) -> Situation:
    """The same machine on a volume of which nobody said what it is."""
    result = on_disks(Given(disk="ssd"), ("nvme1n1",), transport)
    return dataclasses.replace(result, answers=dataclasses.replace(result.answers, server=ServerAnswers()))


def test_an_array_of_rotating_disks_replays_faster_than_one_of_them_up_to_a_storage_server() -> None:
    one, two, eight = (
        on_disks(Given(disk="hdd"), tuple(f"sd{letter}" for letter in "abcdefgh"[:count]))
        for count in (1, 2, 8)
    )
    assert replay_rate(two) == replay_rate(one) * 2
    assert replay_rate(eight) == replay_rate(situation(Given(disk="san")))
    assert rate_in_words(eight).endswith("(an array of 8 disks)")
    assert "array" not in rate_in_words(one)


@pytest.mark.parametrize("disk", ["ssd", "nvme", "san"])
def test_an_array_of_anything_else_replays_as_one_disk_does(disk: StorageKind) -> None:
    given = Given(disk=disk)
    assert replay_rate(on_disks(given, ("sda", "sdb", "sdc"))) == replay_rate(situation(given))


@pytest.mark.parametrize("transport", ["nvme-volume", "rbd", "nbd"])
def test_a_network_volume_is_not_taken_for_a_disk_in_the_machine(transport: str) -> None:
    volume = on_volume(transport)
    assert replay_rate(volume) == VOLUME_RATE
    assert rate_in_words(volume) == "24 MiB/s assumed (a network volume, not probed)"


def test_what_a_person_or_a_probe_says_of_a_network_volume_counts() -> None:
    volume = on_volume("nvme-volume")
    said = dataclasses.replace(volume.answers, server=ServerAnswers(storage="ssd"))
    answered = dataclasses.replace(volume, answers=said)
    assert isinstance(volume.server, PostgresServer)
    probe = dataclasses.replace(PROBE, storage=Known("ssd", "test"))
    probed = dataclasses.replace(volume.server, probe=Known(probe, "test"))
    for known in (answered, dataclasses.replace(volume, server=probed)):
        assert replay_rate(known) == replay_rate(situation(Given(disk="ssd")))
