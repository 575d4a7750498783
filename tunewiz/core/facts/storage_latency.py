"""The kind of storage, from the latency of single reads together with what the disks report."""

from __future__ import annotations

from typing import Literal

from tunewiz.core.facts.machine import Disk, StorageKind
from tunewiz.core.facts.probe import Reads
from tunewiz.core.values.known import Fact, Known, Unknown, known_or
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes

NETWORKS = frozenset({"fc", "zfcp", "dasd", "iscsi"})
"""Transports to a storage server, whose own disks are not visible from here."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LatencyRules:
    """Between which medians of 8 kB reads, in microseconds, storage is what."""

    flash_until: int
    """Flash in the machine, or behind a hypervisor on the same host."""
    network_from: int
    """Storage that is reached over a network."""
    network_until: int
    spinning_from: int
    """An arm has to move and a disk to turn."""
    fewest: int
    """Reads: of fewer the median says too little."""
    least_span: Bytes
    """Size of the files that the reads are spread over: less fits in the cache of a disk or an array."""
    file_systems: tuple[str, ...]
    """Those whose direct reads reach the device."""


def storage_by_latency(reads: Reads, disks: Fact[tuple[Disk, ...]], rules: LatencyRules) -> Fact[StorageKind]:
    """The kind; unknown where the latency fits several, or contradicts what the disks say.

    Args:
        reads: Single reads of 8 kB at random places that no cache of the machine answers.
        disks: Those below the file system.
        rules: The limits.
    """
    text = f"reads of 8 kB take {reads.median_us:,.0f} µs (median of {reads.count:,})"
    result = known_or(disks, ())
    transports = {known_or(disk.transport, "") for disk in result}
    if reads.count < rules.fewest:
        return Unknown(f"only {reads.count} reads were timed")
    if NETWORKS & transports:
        return Known("san", f"{text}, over {', '.join(sorted(NETWORKS & transports))}")
    kind = _kind(reads.median_us, is_nvme=transports == {"nvme"}, rules=rules)
    if isinstance(kind, Unknown):
        return Unknown(f"{text}, {kind.why}")
    if contrary := _contrary(kind, reads, _turning(result), rules):
        return Unknown(f"{text}, {contrary}")
    return Known(kind, text)


def _kind(median_us: float, *, is_nvme: bool, rules: LatencyRules) -> StorageKind | Unknown:
    if median_us <= rules.flash_until:
        return "nvme" if is_nvme else "ssd"
    if rules.network_from <= median_us <= rules.network_until:
        return "san"
    return "hdd" if median_us >= rules.spinning_from else Unknown("which fits several kinds")


def _turning(disks: tuple[Disk, ...]) -> Literal["all", "none", "some"]:
    """Which of the disks say that they rotate, or do not say it."""
    still = [isinstance(disk.rotational, Known) and not disk.rotational.value for disk in disks]
    if not any(still):
        return "all"
    return "none" if all(still) else "some"


def _contrary(kind: StorageKind, reads: Reads, turning: str, rules: LatencyRules) -> str:
    """What speaks against it; empty if nothing does."""
    if kind == "hdd" and turning != "all":
        return "as on spinning disks, but the disk reports that it does not rotate"
    if kind in {"ssd", "nvme"} and turning != "none" and reads.p99_us >= rules.spinning_from:
        return "but some take as long as on spinning disks: a cache may have answered the others"
    return ""
