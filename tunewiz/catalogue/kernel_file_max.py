"""fs.file-max: how many files the whole machine may have open."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import SysctlTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.processes import processes_of

KNOB = "fs.file-max"
FOR_OTHERS = 2
"""The same number again for everything else on the machine. An assumption."""


def decide(situation: Situation) -> Verdict:
    """Twice what the server's processes may have open, where the kernel allows less than that."""
    current, files = situation.kernel_number(KNOB), int(situation.will_be("max_files_per_process"))
    processes = processes_of(situation)
    most = processes * files
    if most <= current:
        because = f"{current:,} files may be open, {processes:,} processes of {files:,} files are {most:,}"
        return Declined(because=because, kind="keep")
    return Proposal(
        value=str(most * FOR_OTHERS),
        because=f"{processes} processes may have {most:,} files open, the whole machine {current:,}",
        computed=f"{processes} processes x {files:,} files x {FOR_OTHERS}, to leave room for other "
        "programs = "
        f"{most * FOR_OTHERS:,}",
    )


RECOMMENDATION = Recommendation(
    id="kernel.file_max",
    title="Raise the machine's limit of open files",
    group="kernel",
    target=SysctlTarget(name=KNOB, minimum=1, maximum=2**63 - 1),
    explanation=Explanation(
        changes="How many files all processes together may have open. The kernel's default is one for every "
        "10 kB of memory; systemd raises it since version 240.",
        helps="Each session may keep max_files_per_process open. With many sessions and tables the machine's "
        "limit is reached first: then no process can open a file, and queries fail.",
        leave_alone="Where the limit is high already, as on most systems with systemd.",
        costs="A little kernel memory for every file that is actually open.",
        watch="/proc/sys/fs/file-nr: the first number stays far below the third. “VFS: file-max limit” "
        "in the kernel's log.",
    ),
    pros=("No query fails because other sessions have many files open.",),
    cons=("Sessions seldom open as many files as they may. No source of this project measured it.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="Linux",
    cites=(Cite(claim="kernel-manual.file_max"), Cite(claim="postgres-manual.open_files")),
    decide=decide,
    after=("pg.max_connections", "pg.max_worker_processes", "pg.autovacuum_max_workers"),
    examples=(
        Example(
            name="a small machine without systemd",
            given=Given(kernel={KNOB: 100_000}, settings={"max_connections": "200"}),
            outcome=Sets(value="458000"),
        ),
        Example(
            name="as systemd sets it", given=Given(kernel={KNOB: 2**63 - 1}), outcome=Declines(kind="keep")
        ),
        Example(name="nobody looked", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)
