"""Paths to one disk are one disk, and a volume that fills one disk after the other works on one at a time."""

import dataclasses

import pytest

from situations import situation
from tunewiz.catalogue import recommendations
from tunewiz.core.facts.machine import Layer, LayerKind, Storage, StorageKind
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, Verdict
from tunewiz.core.server.disk_layout import disks_at_once, distinct_disks
from tunewiz.core.values.known import NOT_LOOKED_FOR, Known, needed
from tunewiz.core.values.units import KIB, Bytes

RULES = {rule.id: rule for rule in recommendations()}
PATHS = "sda", "sdb", "sdc", "sdd"


def layer(kind: LayerKind, below: tuple[str, ...], pieces: int = 0, name: str = "dm-0") -> Layer:
    return Layer(
        name=name,
        label="mpatha" if kind == "multipath" else "vg-pg",
        kind=kind,
        below=below,
        chunk=Bytes(64 * KIB),
        stripe=Bytes(pieces * 64 * KIB),
        read_ahead_kb=Known(128, "test"),
    )


def storage(*layers: Layer, kind: StorageKind = "san") -> Storage:
    (data,) = situation(Given(disk=kind)).facts.storage
    (disk,) = needed(data.disks, "disks")
    disks = tuple(dataclasses.replace(disk, name=name) for name in PATHS)
    return dataclasses.replace(data, disks=Known(disks, "test"), layers=Known(layers, "test"))


def verdict(rule: str, data: Storage, kind: StorageKind = "san") -> Verdict:
    start = situation(Given(disk=kind))
    facts = dataclasses.replace(start.facts, storage=(data,))
    return RULES[rule].decide(dataclasses.replace(start, facts=facts))


ONE_DISK = layer("multipath", PATHS)
PAIRS = layer("raid", PATHS[:2], 2, "md0"), layer("raid", PATHS[2:], 2, "md1")
LINEAR, STRIPED = layer("lvm", PATHS), layer("lvm", PATHS, pieces=4)


@pytest.mark.parametrize(
    ("layers", "disks", "at_once"),
    [
        ((ONE_DISK,), 1, 1),
        ((LINEAR,), 4, 1),
        ((STRIPED,), 4, 4),
        ((), 4, 4),
        ((layer("lvm", ("md0", "md1")), *PAIRS), 4, 2),
        ((layer("lvm", ("md0", "md1"), pieces=2), *PAIRS), 4, 4),
        ((layer("crypt", ("md0",)), PAIRS[0]), 4, 2),
        ((layer("lvm", tuple(f"{path}1" for path in PATHS)),), 4, 1),
        ((layer("lvm", ("sda1", "sda2", "sdb1", "sdc1", "sdd1"), pieces=5),), 4, 4),
        ((layer("lvm", ("dm-0",)),), 4, 4),
    ],
    ids=[
        "paths",
        "linear",
        "striped",
        "array",
        "linear over stripes",
        "stripes over stripes",
        "encrypted stripes",
        "linear over partitions",
        "two stripes on a disk",
        "on itself",
    ],
)
def test_disks_are_counted_below_their_paths_and_work_at_once_where_they_are_striped(
    layers: tuple[Layer, ...], disks: int, at_once: int
) -> None:
    data = storage(*layers)
    assert len(distinct_disks(data, "data")) == disks
    assert disks_at_once(data, "data") == at_once


def test_stripes_over_multipath_work_on_a_disk_for_each_name() -> None:
    first, second = layer("multipath", PATHS[:2], 0, "dm-1"), layer("multipath", PATHS[2:], 0, "dm-2")
    disks = dataclasses.replace(first, label="mpathb"), second
    data = storage(layer("lvm", ("dm-1", "dm-2"), pieces=2), *disks)
    assert (len(distinct_disks(data, "data")), disks_at_once(data, "data")) == (2, 2)
    linear = storage(layer("lvm", ("dm-1", "dm-2")), *disks)
    assert (len(distinct_disks(linear, "data")), disks_at_once(linear, "data")) == (2, 1)


def test_a_volume_of_which_nobody_knows_what_lies_below_counts_its_disks() -> None:
    assert disks_at_once(dataclasses.replace(storage(), layers=NOT_LOOKED_FOR), "data") == len(PATHS)


def test_a_linear_volume_is_not_called_spread_over_its_disks() -> None:
    assert isinstance(verdict("storage.wal_disk", storage(LINEAR)), Advice)


def test_a_striped_volume_is() -> None:
    declined = verdict("storage.wal_disk", storage(STRIPED))
    assert isinstance(declined, Declined)
    assert "spread over 4 disks" in declined.because


@pytest.mark.parametrize("volume", [ONE_DISK, LINEAR])
def test_one_rotating_disk_at_a_time_serves_one_read_after_another(volume: Layer) -> None:
    declined = verdict("pg.effective_io_concurrency", storage(volume, kind="hdd"), "hdd")
    assert isinstance(declined, Declined)


def test_stripes_over_rotating_disks_serve_a_read_each() -> None:
    proposal = verdict("pg.effective_io_concurrency", storage(STRIPED, kind="hdd"), "hdd")
    assert isinstance(proposal, Proposal)
    assert proposal.value == "4"
