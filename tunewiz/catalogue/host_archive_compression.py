"""Compressing archived WAL and backups by the processor's own instruction (IBM z15 and newer)."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.recommendation.evidence import IBM_Z, Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import needed
from tunewiz.core.values.versions import V15

Z = "s390x"
DEFLATE = "dflt"


def decide(situation: Situation) -> Verdict:
    """Advice where the processor has the instruction."""
    architecture = needed(situation.facts.host.architecture, "the architecture")
    if architecture != Z:
        because = f"an instruction of IBM Z, not of {architecture}"
        return Declined(because=because, kind="not_applicable")
    features = needed(
        situation.facts.cpu.features, "what the processor's instructions can do (/proc/cpuinfo)"
    )
    if DEFLATE not in features:
        because = (
            "its processor, or the hypervisor, offers no instruction for deflate (dflt): z15 and newer do"
        )
        return Declined(because=because, kind="keep")
    return Advice(
        because="its processor compresses in gzip's format by itself (dflt): that costs little time here",
        steps=tuple(_steps(situation)),
        undo=("Compress as before: files of either kind are read by any gzip.",),
    )


def _steps(situation: Situation) -> Iterator[str]:
    if situation.major >= V15:
        yield "Backups: pg_basebackup --compress=server-gzip:1; client-gzip:1 where it runs on this machine."
    else:
        yield "Backups: pg_basebackup -Z 1 on this machine."
    yield "Archived WAL: gzip -1 in archive_command, or level 1 in the settings of the tool that archives."
    yield (
        "The distribution's zlib and gzip must know the instruction. As they come from their makers they use "
        "it at level 1 alone; DFLTCC_LEVEL_MASK=0x7e in the environment of the program takes levels 1 to 6 "
        "where the build reads it, and the files get no smaller than at level 1."
    )
    yield (
        "Compare: time gzip -1 -c of one WAL file, and the same with DFLTCC_LEVEL_MASK=0x0000, which does "
        "without. If both take as long, the instruction is not used."
    )
    yield "TLS needs nothing: OpenSSL uses the processor's ciphers and hashes (CPACF, msa) by itself."


RECOMMENDATION = Recommendation(
    id="host.archive_compression",
    title="Compress archives by the processor's instruction",
    group="host",
    target=AdviceTarget(name="compression of archives and backups"),
    explanation=Explanation(
        changes="From z15 on each processor chip of IBM Z compresses data in the format of gzip and zlib "
        "(Integrated Accelerator for zEDC). Programs reach it by an instruction, without a device or driver.",
        helps="Archives and backups that are compressed take less room and time on the network, and the "
        "processors stay free for queries.",
        leave_alone="wal_compression, which knows other formats and gains nothing from it; and "
        "archives in zstd or lz4, which do not use it.",
        costs="Files are larger than at gzip's higher levels, whose place it takes where it is told to.",
        watch="Time and size of one backup before and after; %user while it runs.",
    ),
    pros=("Compression costs hardly any processor time.", "Any gzip reads the result."),
    cons=(
        "The ratio is that of gzip's level 1.",
        "The same data may give other bytes each time.",
        "No source here measured it with PostgreSQL.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="IBM z15, LinuxONE III and newer",
    cites=(
        Cite(claim="mainframe-blog.zlib", only_on=IBM_Z),
        Cite(claim="zlib-ng-z.level_1", only_on=IBM_Z),
        Cite(claim="openssl-s390xcap.by_itself", only_on=IBM_Z),
    ),
    decide=decide,
    examples=(
        Example(
            name="a z16",
            given=Given(architecture="s390x", huge_page_size="1MB", features=("zarch", "msa", "dflt")),
            outcome=Advises(),
        ),
        Example(
            name="a z13",
            given=Given(architecture="s390x", huge_page_size="1MB", features=("zarch", "msa")),
            outcome=Declines(kind="keep"),
        ),
        Example(name="x86-64", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)
