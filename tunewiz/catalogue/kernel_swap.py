"""A little swap, so that a spike of memory use is slow rather than deadly."""

from __future__ import annotations

from tunewiz.core.recommendation.actions import Action
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Advises,
    Declines,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import HostTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import known_or, needed
from tunewiz.core.values.units import GIB, MIB, Bytes
from tunewiz.kinds.swap import SwapFile

MAXIMUM = Bytes(4 * GIB)
MINIMUM = Bytes(512 * MIB)
FILE = "/swapfile"
WHY = "there is no swap: a spike of memory use wakes the out-of-memory killer at once"
SHARE = 16
"""A sixteenth of memory within these bounds: the source says `at least a small amount` and no number."""


def decide(situation: Situation) -> Verdict:
    """Advice where there is none at all."""
    if situation.in_container:
        return Declined(because="swap belongs to the host, not to a container", kind="not_applicable")
    swap = needed(situation.facts.memory.swap_total, "the size of swap")
    if swap:
        return Declined(because=f"there is {swap.short()} of swap", kind="keep")
    memory, size = needed(situation.facts.memory.total, "the size of memory"), _size(situation)
    computed = f"{memory.short()} / {SHARE}, between {MINIMUM.short()} and {MAXIMUM.short()}: {size.short()}"
    if known_or(situation.facts.host.architecture, "") != "s390x":
        return Proposal(value=size.short(), because=WHY, computed=computed, before="none", ticked=False)
    return Advice(
        because=WHY,
        steps=_steps(size),
        undo=("swapoff /swapfile", "Remove the line from /etc/fstab.", "rm /swapfile"),
        computed=computed,
    )


def _size(situation: Situation) -> Bytes:
    memory = needed(situation.facts.memory.total, "the size of memory")
    return max(MINIMUM, min(MAXIMUM, (memory // SHARE).down_to(MINIMUM)))


def actions(situation: Situation, _: str) -> tuple[Action, ...]:
    """One file, in the root file system."""
    return (SwapFile(path=FILE, mebibytes=_size(situation).count // MIB),)


def _steps(size: Bytes) -> tuple[str, ...]:
    return (
        "Prefer a disk of its own (on IBM Z a small DASD or a VDISK) over the file below.",
        f"dd if=/dev/zero of={FILE} bs=1M count={size.count // MIB} && chmod 600 {FILE}",
        f"mkswap {FILE} && swapon {FILE}",
        f"echo '{FILE} none swap sw 0 0' >> /etc/fstab",
    )


RECOMMENDATION = Recommendation(
    id="kernel.swap",
    title="Add a little swap space",
    group="kernel",
    target=HostTarget(name="swap space"),
    explanation=Explanation(
        changes="Swap is disk space to which the kernel moves memory that has not been used for long.",
        helps="When memory runs short, idle pages go first. Without swap the kernel's out-of-memory "
        "killer ends a process: often PostgreSQL, whose clients then lose their connections.",
        leave_alone="In containers and on Kubernetes nodes, where the platform decides. Where swap is "
        "banned because secrets in memory must not reach a disk, unless it is encrypted.",
        costs="Some disk space. A machine that really lacks memory becomes very slow before it fails.",
        watch="si and so in vmstat 5: occasional values are fine, steady ones mean that memory is too small.",
    ),
    pros=("A spike is slow instead of deadly.", "It never hurt where it was measured, and sometimes helped."),
    cons=("A steady lack of memory shows as slowness, not as an error.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="every Linux",
    cites=(Cite(claim="z-deck.swap"),),
    decide=decide,
    actions=actions,
    examples=(
        Example(name="none at all", given=Given(swap="0B"), outcome=Sets(value="4 GiB")),
        Example(
            name="none on IBM Z, where a disk of its own is better than a file",
            given=Given(swap="0B", architecture="s390x"),
            outcome=Advises(),
        ),
        Example(name="some is there", given=Given(swap="2GB"), outcome=Declines(kind="keep")),
        Example(
            name="a container",
            given=Given(swap="0B", container="docker"),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)
