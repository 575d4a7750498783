"""A measured latency says the kind of storage, or that it may be several."""

import dataclasses
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.facts.machine import Disk, StorageKind
from tunewiz.core.facts.probe import Reads
from tunewiz.core.facts.storage_latency import storage_by_latency
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.core.values.units import Bytes
from tunewiz.knowledge.latency import latency_rules

NOT_READ = Unknown("not read")
FASTEST_FIRST: tuple[StorageKind, ...] = ("nvme", "ssd", "san", "hdd")


def disk(transport: str = "virtio", *, rotates: bool | None = None) -> Disk:
    fact: Fact[bool] = NOT_READ if rotates is None else Known(rotates, "test")
    return Disk(
        name="vda",
        rotational=fact,
        scheduler=NOT_READ,
        read_ahead_kb=NOT_READ,
        transport=Known(transport, "test"),
    )


def kind(median_us: float, *disks: Disk, p99_us: float | None = None, count: int = 1000) -> Fact[StorageKind]:
    p99 = max(median_us, median_us if p99_us is None else p99_us)
    reads = Reads(
        block=Bytes(8192),
        count=count,
        median_us=median_us,
        p95_us=p99,
        p99_us=p99,
        bytes_a_second=Bytes(1),
    )
    return storage_by_latency(reads, Known(disks or (disk(),), "test"), latency_rules())


@pytest.mark.parametrize(
    ("median_us", "transport", "rotates", "expected"),
    [
        (90, "nvme", False, "nvme"),
        (90, "virtio", False, "ssd"),
        (150, "sata", False, "ssd"),
        (600, "nvme", False, "san"),
        (1_500, "virtio", True, "san"),
        (8_000, "sata", True, "hdd"),
        (8_000, "virtio", None, "hdd"),
        (90, "fc", True, "san"),
        (8_000, "iscsi", True, "san"),
    ],
)
def test_a_latency_that_fits_one_kind_says_it(
    *, median_us: float, transport: str, rotates: bool | None, expected: str
) -> None:
    fact = kind(median_us, disk(transport, rotates=rotates))
    assert isinstance(fact, Known)
    assert fact.value == expected
    assert f"{median_us:,} µs (median of 1,000)" in fact.how


@pytest.mark.parametrize("median_us", [220, 299, 2_500, 3_999])
def test_a_latency_between_two_kinds_says_neither(median_us: float) -> None:
    fact = kind(median_us)
    assert isinstance(fact, Unknown)
    assert "fits several kinds" in fact.why


def test_a_slow_disk_that_says_it_does_not_rotate_is_no_spinning_disk() -> None:
    assert "reports that it does not rotate" in str(kind(9_000, disk("nvme", rotates=False)))
    assert "reports that it does not rotate" in str(kind(9_000, disk(rotates=True), disk(rotates=False)))


def test_a_cache_that_answers_most_reads_is_not_taken_for_flash() -> None:
    assert "a cache may have answered" in str(kind(80, disk(rotates=True), p99_us=9_000))
    busy_flash = kind(80, disk(rotates=False), p99_us=9_000)
    assert isinstance(busy_flash, Known)


def test_few_reads_say_nothing() -> None:
    assert kind(90, count=latency_rules().fewest - 1) == Unknown("only 49 reads were timed")
    assert isinstance(kind(90, count=latency_rules().fewest), Known)


def test_where_the_disks_are_not_known_the_latency_says_it_alone() -> None:
    reads = dataclasses.replace(
        Reads(block=Bytes(8192), count=99, median_us=9e3, p95_us=9e3, p99_us=9e3, bytes_a_second=Bytes(1))
    )
    storage = storage_by_latency(reads, NOT_READ, latency_rules())
    assert isinstance(storage, Known)
    assert storage.value == "hdd"


@given(
    st.floats(1, 1e6),
    st.floats(1, 1e6),
    st.sampled_from(["nvme", "sata", "virtio"]),
    st.none() | st.booleans(),
)
def test_a_longer_wait_never_says_a_faster_kind(
    one: float,
    other: float,
    transport: str,
    rotates: bool | None,  # noqa: FBT001 - hypothesis gives it
) -> None:
    fast, slow = (kind(number, disk(transport, rotates=rotates)) for number in sorted((one, other)))
    if isinstance(fast, Known) and isinstance(slow, Known):
        assert FASTEST_FIRST.index(fast.value) <= FASTEST_FIRST.index(slow.value)


def test_every_kind_can_be_told() -> None:
    cases = ((90.0, "nvme"), (90.0, "sata"), (500.0, "virtio"), (9e3, "virtio"))
    result = {kind(median, disk(transport)) for median, transport in cases}
    assert {fact.value for fact in result if isinstance(fact, Known)} == set(get_args(StorageKind))
