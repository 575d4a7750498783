"""Mount options that cost writes, or the safety of every commit."""

from __future__ import annotations

from collections.abc import Mapping

from tunewiz.core.facts.machine import Storage
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
from tunewiz.kinds.mount import MountOption

UNSAFE = ("nobarrier", "barrier=0")
"""The kernel then does not ask the disks to empty their caches at an fsync."""

SLOW = {"sync": "every write waits for the disk", "strictatime": "every read writes an access time"}

LAZY_TIMES = ("relatime", "noatime")
"""One of them is in force unless someone asked for strict access times (the kernel's default is relatime)."""

KEEPS_NO_TIMES = frozenset({"zfs", "vxfs", "tmpfs", "overlay", "nfs", "nfs4", "9p", "cifs"})
"""File systems that keep access times in their own way: their options say nothing about it."""


def decide(situation: Situation) -> Verdict:
    """Advice where an option harms; access times that are written once a day need no change."""
    result = _found(situation)
    harmful = {mount: options for mount, options in result.items() if options}
    if not harmful:
        return Declined(because=f"no option costs writes or safety ({', '.join(result)})", kind="keep")
    text = "; ".join(f"{mount} has {', '.join(options)}" for mount, options in harmful.items())
    names = {name for options in harmful.values() for name in options}
    unsafe = bool(names & {*UNSAFE})
    if names == {"strictatime"} and not situation.in_container:
        return Proposal(
            value="noatime", because=f"{text}: {_why_slow(names)}", computed=text, before=text, ticked=False
        )
    return Advice(
        because=f"{text}: {'a power cut may damage the database' if unsafe else _why_slow(names)}",
        steps=situation.on_the_host(
            *(step for mount, options in harmful.items() for step in _steps(mount, options))
        ),
        undo=("Put the options back into /etc/fstab, and mount with them again.",),
        computed=text,
    )


def _found(situation: Situation) -> Mapping[str, tuple[str, ...]]:
    used = (situation.storage_for("data"), *situation.facts.storage)
    return {storage.mount: _harmful(storage) for storage in used if storage.roles}


def actions(situation: Situation, _: str) -> tuple[Action, ...]:
    """One for each file system that writes a time at every read."""
    return tuple(
        MountOption(mount=mount, instead_of="strictatime", option="noatime")
        for mount, options in _found(situation).items()
        if options == ("strictatime",)
    )


def _harmful(storage: Storage) -> tuple[str, ...]:
    words = needed(storage.options, f"how {storage.mount} is mounted").split(",")
    wrong = [word for word in words if word in (*UNSAFE, *SLOW)]
    keeps_times = known_or(storage.filesystem, "") not in KEEPS_NO_TIMES
    if keeps_times and "ro" not in words and not {*words} & {*LAZY_TIMES, "strictatime", ""}:
        wrong.append("strictatime")
    return tuple(wrong)


def _why_slow(names: set[str]) -> str:
    return "; ".join(SLOW[name] for name in sorted(names))


def _steps(mount: str, options: tuple[str, ...]) -> tuple[str, ...]:
    instead = {"nobarrier": "barrier", "barrier=0": "barrier=1", "sync": "async", "strictatime": "noatime"}
    wanted = ",".join(instead[name] for name in options)
    return (
        f"In /etc/fstab, at {mount}: {', '.join(options)} becomes {wanted}",
        f"findmnt --verify, then mount -o remount,{wanted} {mount}",
        f"findmnt -no OPTIONS {mount}: what is in force now",
    )


RECOMMENDATION = Recommendation(
    id="storage.mount_options",
    title="Remove harmful mount options",
    group="storage",
    target=HostTarget(name="mount options"),
    explanation=Explanation(
        changes="How a file system is mounted decides whether reading a file writes its access time, and "
        "whether the disks are asked to empty their caches at an fsync (barriers).",
        helps="With relatime or noatime reading writes next to nothing. With barriers, which are on by "
        "default, what was committed survives a power cut.",
        leave_alone="relatime, the kernel's default, is good enough; noatime saves one write a day for each "
        "file. XFS no longer has nobarrier: with it the mount fails at boot.",
        costs="A wrong word in /etc/fstab may keep the machine from booting: check it first.",
        watch="findmnt -no OPTIONS on the data's mount point; writes in iostat -x while only reading.",
    ),
    pros=("No write for a read.", "Commits survive a power cut."),
    cons=("fstab belongs to the whole machine.", "Beside relatime, noatime gains next to nothing."),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    versions="every Linux",
    cites=(
        Cite(claim="kernel-talk.fdatasync_errors", near=True),
        Cite(claim="vxfs.direct_io", near=True),
        Cite(claim="kernel-manual.ext4_barriers"),
    ),
    decide=decide,
    actions=actions,
    examples=(
        Example(
            name="access times at every read",
            given=Given(mount_options="rw,strictatime"),
            outcome=Sets(value="noatime"),
        ),
        Example(
            name="a sync mount, which only a person can change",
            given=Given(mount_options="rw,strictatime,sync"),
            outcome=Advises(),
        ),
        Example(
            name="no barriers",
            given=Given(mount_options="rw,relatime,nobarrier"),
            outcome=Advises(),
        ),
        Example(name="the kernel's default", given=Given(), outcome=Declines(kind="keep")),
        Example(name="noatime", given=Given(mount_options="rw,noatime"), outcome=Declines(kind="keep")),
        Example(
            name="ZFS keeps access times in its own way",
            given=Given(filesystem="zfs", mount_options="rw,xattr,noacl"),
            outcome=Declines(kind="keep"),
        ),
    ),
)
