"""Telling an NVMe device how long data lives: possible, unmeasured, and lost with the next rewrite."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.server.seen_storage import PROBED


def decide(situation: Situation) -> Verdict:
    """An experiment for the bold."""
    if situation.storage_kind != "nvme":
        return Declined(
            because=f"the data is on {situation.storage_kind}, not on NVMe", kind="not_applicable"
        )
    if situation.in_container:
        return Declined(because="the device belongs to the host, not to a container", kind="not_applicable")
    if "unlike" not in situation.posture.ticks:
        return Declined(because="nobody measured a gain, and PostgreSQL sets no such hints itself")
    return Advice(
        because="the device accepts hints; only a measurement shows whether it honours them",
        steps=(
            "nvme id-ctrl DEVICE | grep oncs: bit 2 says that the device knows data-set management",
            "Try it on a device without data only: hints (nvme dsm) act below the file system",
            "A wrong range or option discards what is stored there: never on a device that is in use",
            "Compare latency and wear with and without hints: without a gain there, leave it at that",
        ),
        undo=("The hints have no undo: they fade when the blocks are written again.",),
    )


RECOMMENDATION = Recommendation(
    id="storage.nvme_hints",
    title="Try lifetime hints on NVMe",
    group="storage",
    target=AdviceTarget(name="NVMe hints"),
    explanation=Explanation(
        changes="NVMe devices can be told how often a range of blocks will be used, how long its data lasts, "
        "and whether reads or writes come next (data-set management).",
        helps="A device that honours the hints can place log and data apart and wear less.",
        leave_alone="Everywhere but in an experiment: devices may ignore the hints, and a table's files "
        "move when they are rewritten.",
        costs="Work at block level as root: a wrong range tells the device about other files. Never use "
        "--ad, which discards the data.",
        watch="Latency in iostat -x, and media wear in nvme smart-log over months.",
    ),
    pros=("Sound in theory for data that is only read.",),
    cons=("No gain was measured.", "Hints are lost with every rewrite of a file."),
    risk=RiskLevel.HIGH,
    basis="reasoned",
    versions="Linux 4.13 and newer",
    cites=(
        Cite(claim="kernel-talk.nvme_hints"),
        Cite(claim="kernel-hints.restored"),
        Cite(claim="kernel-hints.streams"),
    ),
    decide=decide,
    witnesses=(PROBED,),
    examples=(
        Example(name="NVMe, bold", given=Given(disk="nvme", posture="bold"), outcome=Advises()),
        Example(name="NVMe, balanced", given=Given(disk="nvme"), outcome=Declines()),
        Example(name="no NVMe", given=Given(disk="san"), outcome=Declines(kind="not_applicable")),
    ),
)
