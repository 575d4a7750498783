"""Whether mainframe disks (DASD) under the data take more than one request at a time."""

from __future__ import annotations

from tunewiz.core.facts.dasd import Dasd
from tunewiz.core.facts.machine import Disk
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.server.requests_at_once import dasd_disks, dasd_requests
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.plural import how_many

ECKD = "ECKD"


def decide(situation: Situation) -> Verdict:
    """Advice where no alias device serves the volumes of the data."""
    storage = situation.storage_for("data")
    requests = dasd_requests(storage)
    if requests is None:
        return Declined(because="the data is on no mainframe disk", kind="not_applicable")
    if requests.aliases:
        return Declined(because=f"the data's disks have aliases: {requests.in_words()}", kind="keep")
    volumes = how_many(requests.volumes, "volume")
    return Advice(
        because=f"{volumes} without alias devices: a volume takes one request, and the next one waits",
        steps=situation.on_the_host(*_steps(situation, dasd_disks(storage))),
        undo=("Switch the alias devices off again: chccwdev -d BUS-ID.",),
        computed=requests.in_words(),
    )


NO_ALIASES = (
    "Only ECKD disks have aliases: put a striped logical volume over several disks instead, or ask for SCSI "
    "disks over FCP, which queue requests by themselves."
)
ASK = "Ask the storage administrator for HyperPAV aliases in the control units of these volumes."
DEFINED = f"{ASK} They stand in the machine's I/O definition (IOCDS) too."
USE = "chccwdev -e BUS-ID for each alias, then lsdasd -u: it lists them as alias, with xx in the uid."
MINIDISKS = (
    "vmcp query virtual dasd: which of these disks are minidisks. z/VM spreads the requests of all its "
    "guests over aliases, but each minidisk of this guest still takes one at a time."
)
ASK_ZVM = (
    f"{ASK} Then ask z/VM's administrator for aliases of this guest's own, or for more minidisks, which LVM "
    "stripes over."
)


def _steps(situation: Situation, disks: tuple[Disk, ...]) -> tuple[str, ...]:
    """By the kind of disk, and by who owns the devices."""
    if not any(isinstance(disk.dasd, Known) and disk.dasd.value.discipline == ECKD for disk in disks):
        return (NO_ALIASES,)
    under_zvm = known_or(situation.facts.virtualization.hypervisor, "") == "zvm"
    return (MINIDISKS, ASK_ZVM, USE) if under_zvm else (DEFINED, USE)


_PLAIN = Disk(
    name="dasdb",
    rotational=Known(True, "example"),  # noqa: FBT003 - a fact
    scheduler=Known("mq-deadline", "example"),
    read_ahead_kb=Known(128, "example"),
    transport=Known("dasd", "example"),
    dasd=Known(Dasd(discipline=ECKD, control_unit="c280", aliases=0, pooled=False), "example"),
)
_SERVED = Disk(
    name="dasdb",
    rotational=Known(True, "example"),  # noqa: FBT003 - a fact
    scheduler=Known("mq-deadline", "example"),
    read_ahead_kb=Known(128, "example"),
    transport=Known("dasd", "example"),
    dasd=Known(Dasd(discipline=ECKD, control_unit="c280", aliases=8, pooled=True), "example"),
)

RECOMMENDATION = Recommendation(
    id="storage.dasd_aliases",
    title="Let mainframe disks take several requests at once",
    group="storage",
    target=AdviceTarget(name="alias devices (HyperPAV)"),
    explanation=Explanation(
        changes="A mainframe disk (ECKD DASD) is a device that takes one request at a time. Alias devices "
        "take others of the same disk; with HyperPAV all disks of a control unit share them.",
        helps="A database reads and writes from many sessions, and the storage server behind can serve them "
        "together. Without aliases they queue in the kernel.",
        leave_alone="Where aliases are there, and on SCSI disks over FCP, which have queues of their own.",
        costs="Aliases take device numbers, of which a control unit has 256 for volumes and aliases "
        "together, and must be defined by others.",
        watch="aqu-sz and await in iostat -x of the dasd devices: a queue above 1 with few requests served.",
    ),
    pros=("Requests of many sessions no longer wait for each other.", "Nothing in the database changes."),
    cons=("Needs the administrators of storage and machine.", "No source here measured PostgreSQL with it."),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="Linux on IBM Z, ECKD DASD",
    cites=(
        Cite(claim="ibm-hyperpav.one_transfer"),
        Cite(claim="ibm-hyperpav.pool"),
        Cite(claim="ibm-zvm.hyperpav_minidisks"),
    ),
    decide=decide,
    examples=(
        Example(
            name="a volume without aliases",
            given=Given(disk="san", architecture="s390x", huge_page_size="1MB", disks=(_PLAIN,)),
            outcome=Advises(),
        ),
        Example(
            name="a volume with eight of them",
            given=Given(disk="san", architecture="s390x", huge_page_size="1MB", disks=(_SERVED,)),
            outcome=Declines(kind="keep"),
        ),
        Example(name="other disks", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)
