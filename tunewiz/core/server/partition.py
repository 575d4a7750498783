"""Processors that a partition of IBM Z or Power, or a guest of z/VM, shares with others: what to ask for."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.partition import Partition, Polarization, ProcessorTime
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import NOT_LOOKED_FOR, Absent, Fact, Known, known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import Bytes

_NOT_READ: Fact[int | str] = NOT_LOOKED_FOR
MUCH_STEAL = 0.05
"""Stolen time from which on a host is called overbooked: a few percent are usual. An assumption."""


def steal_of(situation: Situation) -> float:
    """The stolen share of all time; 0 where the kernel does not count it."""
    return known_or(situation.facts.cpu.steal, 0.0)


def is_dedicated(situation: Situation) -> bool:
    """Whether the processors are known to be this partition's alone."""
    partition = situation.facts.virtualization.partition
    return isinstance(partition, Known) and not partition.value.shared


def is_shared(situation: Situation) -> bool:
    """Whether other partitions are known to run on the same processors."""
    partition = situation.facts.virtualization.partition
    return isinstance(partition, Known) and partition.value.shared


def partition_in_words(partition: Partition) -> str:
    """What the partition was given.

    >>> partition_in_words(Partition(shared=True, capped=False, processors=8, entitled=2.5, weight=128))
    '8 shared processors, 2.5 of them guaranteed, uncapped with weight 128'
    >>> partition_in_words(Partition(shared=True, capped=True, processors=4, entitled=None, weight=None))
    '4 shared processors, capped'
    >>> partition_in_words(Partition(shared=False, capped=False, processors=1, entitled=1.0, weight=None))
    '1 dedicated processor'
    """
    kind = "shared" if partition.shared else "dedicated"
    parts = [how_many(partition.processors, f"{kind} processor")]
    if partition.shared:
        if partition.entitled is not None:
            parts.append(f"{partition.entitled:g} of them guaranteed")
        weight = "" if partition.weight is None or partition.capped else f" with weight {partition.weight}"
        parts.append(f"{'capped' if partition.capped else 'uncapped'}{weight}")
    return ", ".join(parts)


def firmware_time_in_words(time: ProcessorTime) -> str:
    """What the firmware counted; empty where it counted nothing yet.

    >>> firmware_time_in_words(ProcessorTime(used=430, managed=5, online=1000))
    'of the time that its cores were online they ran 43.0 %, and the firmware took 0.5 % for itself'
    >>> firmware_time_in_words(ProcessorTime(used=475, managed=25, online=None))
    'of the real processor time given to it the firmware took 5.0 % for itself'
    """
    given = time.used + time.managed
    if not given or time.online == 0:
        return ""
    if time.online is None:
        own = _percent(time.managed, given)
        return f"of the real processor time given to it the firmware took {own} for itself"
    ran, own = _percent(time.used, time.online), _percent(time.managed, time.online)
    return f"of the time that its cores were online they ran {ran}, and the firmware took {own} for itself"


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.1%}".replace("%", " %")


def z_partition_steps(situation: Situation) -> Iterator[str]:
    """What the owner of an IBM Z machine can do for a logical partition (LPAR)."""
    partition = known_or(situation.facts.virtualization.partition, None)
    yield (
        "On the Hardware Management Console: the partition's weight. Its guaranteed time is the shared "
        "processors (IFLs) x its weight / the weights of all shared partitions."
    )
    if partition is not None and partition.capped:
        yield "It is capped (Limited in /proc/sysinfo): ask for a higher cap, or for none."
    yield "hyptop: the processor time of every partition, if this one may see it."
    yield from _firmware_steps(situation)
    yield from _dispatching_steps(situation)


def _firmware_steps(situation: Situation) -> Iterator[str]:
    """What stolen time does not tell: what the firmware itself takes, which is no other partition's."""
    time = situation.facts.virtualization.firmware_time
    if isinstance(time, Absent):
        yield (
            "mount none -t s390_hypfs /sys/hypervisor/s390: cputime and mgmtime of this partition there tell "
            "apart what it used and what the firmware took for itself; read this machine again afterwards."
        )
    elif isinstance(time, Known):
        yield (
            "echo 1 > /sys/hypervisor/s390/update, before and after a busy hour: mgmtime there is what the "
            "firmware takes for itself, time that no other partition had."
        )


def _dispatching_steps(situation: Situation) -> Iterator[str]:
    """By how the firmware dispatches the processors: all alike, or some for longer than others."""
    vertical = known_or(situation.facts.cpu.polarization, None)
    if vertical is not None and vertical.low:
        yield (
            f"{_low_of_all(vertical)} run only while other partitions leave time over (vertical low): ask "
            "for a weight that covers them, or count on the others alone."
        )
    elif known_or(situation.facts.cpu.dispatching, "") == "horizontal":
        yield (
            "chcpu -p vertical: the guaranteed time goes to few processors, which then run for longer. It "
            "suits kernels with HiperDispatch; run your own load before and after (chcpu -p horizontal)."
        )


def _low_of_all(vertical: Polarization) -> str:
    """How many are vertical low.

    >>> _low_of_all(Polarization(high=2, medium=1, low=5))
    '5 of 8 processors'
    """
    return f"{vertical.low} of {vertical.high + vertical.medium + vertical.low} processors"


def power_partition_steps(situation: Situation) -> Iterator[str]:
    """What the owner of a Power machine can do for a partition of PowerVM."""
    partition = known_or(situation.facts.virtualization.partition, None)
    yield "lparstat -i: entitled capacity, mode, and the shared pool; lparstat 5: what is used of it."
    if partition is not None and partition.pool is not None:
        yield (
            f"Its shared pool has {how_many(partition.pool, 'real processor')}: app in lparstat 5 says how "
            "many are idle. It is 0 until the Hardware Management Console allows the partition to collect "
            "performance information. Near 0 at the busiest hour, more weight helps at others' cost alone."
        )
    if partition is None or partition.entitled is None:
        yield "On the Hardware Management Console: an entitled capacity that covers the busiest hour."
        return
    needs = (
        "On the Hardware Management Console: an entitled capacity that covers the busiest hour; now it is "
    )
    yield f"{needs}{partition.entitled:g} of {how_many(partition.processors, 'virtual processor')}."
    if partition.capped:
        yield "It is capped: it never gets more, even when the pool is idle. Ask for uncapped, with a weight."
    elif partition.weight is not None:
        yield f"Beyond that it competes for idle time with weight {partition.weight} (0 to 255)."


def memory_taken(situation: Situation) -> Bytes:
    """What z/VM's resource manager holds of this guest's memory (CMM); 0 where that is not known."""
    kernel = situation.facts.kernel.settings
    pools = [known_or(kernel.get(name, _NOT_READ), 0) for name in ("vm.cmm_pages", "vm.cmm_timed_pages")]
    pages = sum(pages for pages in pools if isinstance(pages, int))
    return Bytes(pages * known_or(situation.facts.memory.page_size, Bytes(0)).count)


def zvm_steps(situation: Situation) -> Iterator[str]:
    """What to ask the administrator of z/VM, in the words of its commands; `vmcp` sends them from Linux."""
    yield "vmcp query userid: this guest's name. The next two are commands of z/VM's administrator."
    yield (
        "SET SHARE userid RELATIVE n: its share of processors, memory and paging beside the others'; it is "
        "100 unless its directory entry says otherwise."
    )
    yield (
        "SET QUICKDSP userid ON: dispatched at once, never in the eligible list. It was seen to help where "
        "processors and memory were overcommitted, and nowhere else."
    )
    if taken := memory_taken(situation):
        yield (
            f"{taken.human()} of this guest's memory are with z/VM (CMM, /proc/sys/vm/cmm_pages), and "
            "Linux cannot use them: ask how far its resource manager (VMRM) may go, or "
            "that it leaves this guest out."
        )
    yield (
        "Stolen time is the sum of both levels: z/VM ran another guest, or the machine another partition. "
        "Only z/VM's own monitor tells them apart; Linux cannot."
    )
    if is_shared(situation):
        yield "z/VM's own partition shares its processors: its weight counts too, since both take time away."
