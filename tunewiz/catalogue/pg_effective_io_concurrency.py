"""effective_io_concurrency: how many reads the server asks for ahead."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import IBM_Z, Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.disk_layout import disks_at_once
from tunewiz.core.server.requests_at_once import DasdRequests, dasd_requests, queued_requests
from tunewiz.core.server.seen_storage import PROBED, READS, reads_fast
from tunewiz.core.values.known import Known, MissingFact, Unknown, known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.versions import V13

READS_AHEAD = 16
"""The default since PostgreSQL 18, where its makers found most of the gain."""

OLD_SCALE = 6
"""Up to 12 a value n stood for n + n/2 + n/3 … + 1 reads: 6 makes 15 (release notes 13)."""


def decide(situation: Situation) -> Verdict:
    """About sixteen reads ahead if storage can serve them in parallel."""
    current = int(situation.will_be("effective_io_concurrency"))
    wanted = READS_AHEAD if situation.major >= V13 else OLD_SCALE
    if isinstance(situation.storage_told, Unknown) and current < wanted and not any(reads_fast(situation)):
        because = f"the kind of storage is not known: {current} stays; {wanted} suits all but spinning disks"
        return Declined(because=f"{because}: say it on the server's page")
    kind = known_or(situation.storage_told, "any storage")
    if kind == "hdd":
        return _rotating(situation, current)
    if (mainframe := _mainframe(situation)) is not None:
        return _on_dasd(mainframe, current, wanted)
    if current >= wanted:
        return Declined(because=f"{current} reads ahead are enough for {kind}", kind="keep")
    if (queued := _queued(situation)) is not None and queued < READS_AHEAD:
        return _on_short_queues(queued, current, wanted)
    return Proposal(
        value=str(wanted),
        because=f"{kind} storage serves many reads in parallel",
        computed="; ".join((_computed(situation), *_measured(situation))),
    )


def _rotating(situation: Situation, current: int) -> Verdict:
    """One read at a time for each disk of an array, up to what suits flash."""
    data = situation.storage_for("data")
    disks = min(READS_AHEAD, disks_at_once(data, "data")) if isinstance(data.disks, Known) else 0
    if disks <= 1:
        return Declined(because="a rotating disk serves one read after another", kind="keep")
    if current >= disks:
        return Declined(because=f"{current} reads ahead are enough for {disks} rotating disks", kind="keep")
    return Proposal(
        value=str(disks),
        because=f"{disks} rotating disks serve as many reads in parallel",
        computed=f"one read for each disk of the array: {disks}",
        ticked=False,
    )


def _mainframe(situation: Situation) -> DasdRequests | None:
    """What mainframe disks take at once; None on other storage, known or not."""
    try:
        storage = situation.storage_for("data")
    except MissingFact:
        return None
    return dasd_requests(storage)


def _queued(situation: Situation) -> int | None:
    """What the queues of SCSI disks take; None on other storage, known or not."""
    try:
        return queued_requests(situation.storage_for("data"))
    except MissingFact:
        return None


def _on_short_queues(queued: int, current: int, wanted: int) -> Verdict:
    """No more reads ahead than the disks' queues take: somebody shortened them, usually for the storage."""
    value = min(queued, wanted if wanted == READS_AHEAD else _old_value(queued))
    taken = f"the disks' queues take {how_many(queued, 'request')} (queue_depth)"
    if current >= value:
        return Declined(because=f"{taken}: {current} reads ahead are enough", kind="keep")
    return Proposal(value=str(value), because=taken, computed=f"{taken}, less than {READS_AHEAD}")


def _on_dasd(requests: DasdRequests, current: int, wanted: int) -> Verdict:
    """No more reads ahead than the volumes and their alias devices take."""
    if requests.at_once == 1:
        because = (
            f"a mainframe volume without alias devices (PAV) takes one request at a time: {current} stays"
        )
        return Declined(because=f"{because}; HyperPAV aliases would change that", kind="keep")
    value = wanted if wanted == READS_AHEAD else _old_value(requests.at_once)
    value = min(value, requests.at_once)
    if current >= value:
        because = f"{current} reads ahead are enough: {requests.in_words()}"
        return Declined(because=because, kind="keep")
    return Proposal(
        value=str(value),
        because=f"its mainframe disks take {how_many(requests.at_once, 'request')} at once",
        computed=f"{requests.in_words()}; no more than {wanted}",
    )


def _old_value(reads: int) -> int:
    """The largest value of the old scale that stands for no more reads than that, up to the usual one."""
    fitting = (value for value in range(1, OLD_SCALE + 1) if _old_reads(value) <= reads)
    return max(fitting, default=1)


def _old_reads(value: int) -> float:
    """What a value stood for: n + n/2 + n/3 … + 1."""
    return sum(value / part for part in range(1, value + 1))


def _measured(situation: Situation) -> tuple[str, ...]:
    """What was measured, where the kind of storage is not known."""
    return tuple(reads_fast(situation)) if isinstance(situation.storage_told, Unknown) else ()


def _computed(situation: Situation) -> str:
    if situation.major >= V13:
        return f"{READS_AHEAD}, the default since PostgreSQL 18"
    return f"{OLD_SCALE}: up to PostgreSQL 12 that means {OLD_SCALE} + 3 + 2 + 1.5 + 1.2 + 1 = about 15 reads"


RECOMMENDATION = Recommendation(
    id="pg.effective_io_concurrency",
    title="Increase effective_io_concurrency",
    group="storage",
    target=PgTarget(name="effective_io_concurrency"),
    explanation=Explanation(
        changes="How many page reads a session asks for before it needs them. Up to 17 only bitmap heap "
        "scans (reads of many scattered rows through an index) do so; from 18 sequential scans "
        "as well.",
        helps="Flash and storage servers answer many reads at once: waiting for each in turn wastes that.",
        leave_alone="On a single rotating disk, and on a single mainframe volume (ECKD DASD) without alias "
        "devices, which takes one request at a time. From PostgreSQL 18 the default is 16 and right for "
        "most.",
        costs="Large values may delay the reads of other sessions. The kernel's read ahead works beside it.",
        watch="Times of bitmap heap scans in EXPLAIN (ANALYZE, BUFFERS) with track_io_timing, read "
        "latency in iostat -x.",
    ),
    pros=("Scattered reads come sooner on flash and SAN.", "Takes a reload; a session can try it first."),
    cons=("Queries that find everything cached gain nothing.", "No source of this project measured it."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.read_ahead", near=True),
        Cite(claim="kernel-talk.nvme_no_scheduler", near=True),
        Cite(claim="postgres-manual.effective_io_concurrency"),
        Cite(claim="ibm-hyperpav.one_transfer", only_on=IBM_Z),
        Cite(claim="ibm-hyperpav.pool", only_on=IBM_Z),
        Cite(claim="ibm-queue-depth.shorter", only_on=IBM_Z),
    ),
    decide=decide,
    witnesses=(READS, PROBED),
    examples=(
        Example(name="flash", given=Given(disk="ssd", major="15"), outcome=Sets(value="16")),
        Example(name="a SAN", given=Given(disk="san", major="17"), outcome=Sets(value="16")),
        Example(name="the scale up to 12", given=Given(disk="nvme", major="12"), outcome=Sets(value="6")),
        Example(
            name="PostgreSQL 18 has it by default",
            given=Given(disk="nvme", major="18"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="more was chosen",
            given=Given(disk="ssd", settings={"effective_io_concurrency": "200"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="storage of unknown kind", given=Given(disk_unknown=True), outcome=Declines()),
        Example(name="a rotating disk", given=Given(disk="hdd"), outcome=Declines(kind="keep")),
    ),
)
