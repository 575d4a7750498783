"""The WAL on disks of its own: judged by the disks underneath, not by the path."""

from __future__ import annotations

from typing import Literal

from tunewiz.core.recommendation.actions import Action
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import wal_syncs
from tunewiz.core.recommendation.recommendation import (
    Advises,
    Declines,
    Dispute,
    Example,
    Explanation,
    Recommendation,
)
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.targets import Effect, HostTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.server.disk_layout import disks_at_once, distinct_disks
from tunewiz.core.server.seen_storage import PROBED
from tunewiz.core.values.known import MissingFact, known_or, needed
from tunewiz.core.values.versions import V10
from tunewiz.kinds.wal import MoveWal

FLASH = frozenset({"nvme", "ssd"})


def decide(situation: Situation) -> Verdict:
    """Advice where data and WAL share one disk and much is written."""
    data, wal = situation.storage_for("data"), situation.storage_for("wal")
    of_data, of_wal = distinct_disks(data, "data"), distinct_disks(wal, "WAL")
    if not of_data & of_wal:
        return Declined(because=f"the WAL is on {_told(of_wal)}, the data on {_told(of_data)}", kind="keep")
    if why := _in_vain(situation, of_data):
        return Declined(because=why)
    if situation.in_container:
        return Declined(because="its disks belong to the host, not to a container", kind="not_applicable")
    return Advice(
        because=f"data and WAL share {_told(of_data)}: random and sequential writing disturb each other",
        steps=_steps(situation),
        undo=("Stop the server, remove the link, move the directory back, start the server.",),
    )


def _in_vain(situation: Situation, disks: frozenset[str]) -> str:
    """Why nothing would be gained; empty if something would."""
    if not situation.workload.writes:
        return "this workload writes little WAL"
    try:
        kind = situation.storage_kind
    except MissingFact as missing:
        return f"data and WAL share {_told(disks)}; whether that hurts is unknown: {missing}"
    if kind in FLASH:
        return "flash handles both streams in parallel; a gain was measured on a SAN only"
    if kind == "san" and (count := disks_at_once(situation.storage_for("data"), "data")) > 1:
        return f"the volume is spread over {count} disks: on such volumes the z13 study gained nothing"
    return ""


def _told(disks: frozenset[str]) -> str:
    return ", ".join(sorted(disks))


def _name(situation: Situation) -> Literal["pg_wal", "pg_xlog"]:
    return "pg_xlog" if situation.major < V10 else "pg_wal"


def actions(situation: Situation, place: str) -> tuple[Action, ...]:
    """To the directory that a person gave: no plan can know of an unused disk."""
    assert not isinstance(situation.server, NoServer)  # noqa: S101 - the directory was checked before
    data = needed(situation.server.data_directory, "the data directory")
    return (MoveWal(data_directory=data, name=_name(situation), target=place),)


def _steps(situation: Situation) -> tuple[str, ...]:
    name = _name(situation)
    directory = (
        "DATA"
        if isinstance(situation.server, NoServer)
        else known_or(situation.server.data_directory, "DATA")
    )
    return (
        "Use a physically different disk: another storage server or extent pool, not another path.",
        "Have it mounted at boot, for example as /wal. Set this to /wal/main, and the bundle does the rest.",
        "By hand: make /wal/main, owned by the server's user, mode 0700. Stop the server.",
        f"mv {directory}/{name} /wal/main/{name}",
        f"ln -s /wal/main/{name} {directory}/{name}",
        "Start the server. If the disk is not mounted it will not start: mount it; never run pg_resetwal.",
    )


RECOMMENDATION = Recommendation(
    id="storage.wal_disk",
    title="Put the WAL on its own disks",
    group="storage",
    target=HostTarget(
        name="directory of the WAL",
        effect=Effect.RESTART,
        takes="place of the WAL",
        usual="in the data directory",
    ),
    explanation=Explanation(
        changes="The write-ahead log moves to another disk, with a symbolic link in its old place. Set a "
        "directory there as the value, and the bundle moves it: copied, compared, and reversible.",
        helps="The log is written in order and waited for at each commit; data files are read and written "
        "all over. On separate disks neither waits for the other, and more disks do the work.",
        leave_alone="On volumes that are striped over many disks the gain was near 0 %. If both would "
        "be on the same physical disks, nothing is gained.",
        costs="The server stops for the move. Both file systems must be mounted before the server starts, "
        "and backups by snapshot must hold both at one moment.",
        watch="await and %util of both disks in iostat -x; free space on the new one.",
    ),
    pros=(
        "About 10 % where one disk had served both; no harm was seen.",
        "A full data disk cannot stop the log.",
    ),
    cons=("Needs a stopped server.", "One more mount that must be there at startup and in every backup."),
    risk=RiskLevel.MEDIUM,
    basis="measured",
    versions="PostgreSQL 9.5 to 19",
    cites=(Cite(claim="z-deck.wal_on_own_disks"), Cite(claim="vxfs.wal_apart")),
    disputes=(
        Dispute(
            one="The z13 study's sandbox, one disk for data and WAL: the WAL on a disk of its own gave "
            "about 10 %.",
            other="The same study's large system, volumes striped over many disks of a storage server: "
            "near 0 %. It recommends disks of their own nevertheless: no load can be foreseen, and it does "
            "no harm.",
            follows="The disks: it is advised where both share one disk or rotating ones. Where a storage "
            "server stripes the volume or flash takes both it is not, against the study: a move stops the "
            "server, and gained nothing there.",
            claims=("z-deck.wal_on_own_disks",),
        ),
    ),
    decide=decide,
    observed=(wal_syncs,),
    witnesses=(PROBED,),
    actions=actions,
    examples=(
        Example(name="one disk for both", given=Given(disk="san"), outcome=Advises()),
        Example(
            name="already separate", given=Given(disk="san", wal_apart=True), outcome=Declines(kind="keep")
        ),
        Example(name="one rotating disk", given=Given(disk="hdd"), outcome=Advises()),
        Example(name="one NVMe device", given=Given(disk="nvme"), outcome=Declines()),
        Example(name="mostly reads", given=Given(disk="hdd", workload="read_mostly"), outcome=Declines()),
        Example(
            name="a container",
            given=Given(disk="hdd", container="docker"),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(
            name="the location of the WAL was not found",
            given=Given(wal_unknown=True),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)
