"""Whether High Performance FICON (zHPF) carries the requests to mainframe disks under the data."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.dasd import Dasd
from tunewiz.core.facts.machine import Disk
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.server.requests_at_once import eckd_disks
from tunewiz.core.values.known import Known, known_or, needed
from tunewiz.core.values.plural import how_many


def decide(situation: Situation) -> Verdict:
    """Advice where a disk does without, or where some of its paths are left out."""
    disks = eckd_disks(situation.storage_for("data"))
    if not disks:
        return Declined(because="the data is on no ECKD disk", kind="not_applicable")
    without = [disk.name for disk in disks if not _is_on(disk)]
    if without:
        return _advice(
            situation, f"{', '.join(without)}: without zHPF each command goes over the channel alone"
        )
    left_out = list(_left_out(disks))
    if left_out:
        return _advice(
            situation, f"paths are left out, since they lack the others' zHPF: {', '.join(left_out)}"
        )
    disks_in_words = how_many(len(disks), "disk")
    return Declined(because=f"zHPF carries the requests of {disks_in_words}", kind="keep")


def _is_on(disk: Disk) -> bool:
    return needed(disk.hpf, f"whether zHPF carries the requests of {disk.name} (lsdasd -l)")


def _left_out(disks: tuple[Disk, ...]) -> Iterator[str]:
    """`dasdb: 4a 4b` for each disk whose paths are not all of a kind."""
    for disk in disks:
        if isinstance(disk.channel_paths, Known) and disk.channel_paths.value.without_hpf:
            yield f"{disk.name}: {' '.join(disk.channel_paths.value.without_hpf)}"


SEE = "lsdasd -l BUS-ID: hpf, and paths_invalid_hpf_characteristics"
SWITCHED_OFF = (
    "dmesg | grep -i 'High Performance FICON': if it was deactivated, nofcx stands in the parameter dasd= of "
    "the kernel or of the module dasd_mod; remove it there, and restart the machine at a convenient time."
)
ASK = (
    "Otherwise ask the administrators of the machine and of the storage: its channels, the control unit and "
    "its licence must all have zHPF."
)
ASK_ZVM = "Ask z/VM's administrator whether this guest may use zHPF on these volumes."
CHECK = (
    "Afterwards: dasdstat -e DISK, some load on a partition of it, dasdstat DISK: it counts requests that "
    "used HPF."
)


def _advice(situation: Situation, because: str) -> Advice:
    under_zvm = known_or(situation.facts.virtualization.hypervisor, "") == "zvm"
    owner = (ASK_ZVM,) if under_zvm else ()
    return Advice(
        because=because,
        steps=situation.on_the_host(SEE, SWITCHED_OFF, *owner, ASK, CHECK),
        undo=("nofcx in the parameter dasd= switches zHPF off again.",),
    )


def _disk(*, hpf: bool) -> Disk:
    return Disk(
        name="dasdb",
        rotational=Known(True, "example"),  # noqa: FBT003 - a fact
        scheduler=Known("mq-deadline", "example"),
        read_ahead_kb=Known(128, "example"),
        transport=Known("dasd", "example"),
        dasd=Known(Dasd(discipline="ECKD", control_unit="c280", aliases=8, pooled=True), "example"),
        hpf=Known(hpf, "example"),
    )


RECOMMENDATION = Recommendation(
    id="storage.hpf",
    title="Let High Performance FICON carry requests",
    group="storage",
    target=AdviceTarget(name="High Performance FICON (zHPF)"),
    explanation=Explanation(
        changes="FICON is the fibre protocol of mainframe disks. With zHPF a request goes to the control "
        "unit as a whole; without it, each of its commands goes over the channel alone.",
        helps="Requests of a few blocks, as a database reads and writes them, load the channel less, and "
        "more of them fit through it.",
        leave_alone="Where it is on, and on all other disks: FBA disks and SCSI over FCP do not use it.",
        costs="Nothing while it runs; the storage server may need a licence for it.",
        watch="dasdstat: requests that used HPF; r_await and w_await of the dasd devices in iostat -x.",
    ),
    pros=("More requests through the same channels.", "Nothing in the database changes."),
    cons=("Needs the administrators of storage and machine.", "No source here measured PostgreSQL with it."),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="Linux on IBM Z, ECKD DASD",
    cites=(
        Cite(claim="ibm-zhpf.small_blocks"),
        Cite(claim="ibm-dasd-hpf.dasdstat"),
        Cite(claim="ibm-dasd-nofcx.deactivated"),
        Cite(claim="s390-tools.path_masks"),
    ),
    decide=decide,
    examples=(
        Example(
            name="a volume without it",
            given=Given(disk="san", architecture="s390x", huge_page_size="1MB", disks=(_disk(hpf=False),)),
            outcome=Advises(),
        ),
        Example(
            name="a volume with it",
            given=Given(disk="san", architecture="s390x", huge_page_size="1MB", disks=(_disk(hpf=True),)),
            outcome=Declines(kind="keep"),
        ),
        Example(name="other disks", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)
