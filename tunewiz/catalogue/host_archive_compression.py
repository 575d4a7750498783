"""Compressing archived WAL and backups by the processor itself (IBM z15, POWER9 and newer)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tunewiz.core.recommendation.evidence import IBM_POWER, IBM_Z, Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import Absent, needed
from tunewiz.core.values.versions import V15

UNITS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "s390x": ("dflt", "no instruction for deflate (dflt): z15 and newer do"),
        "ppc64le": ("nx-gzip", "no unit that compresses (/dev/crypto/nx-gzip): POWER9 and newer may"),
        "ppc64": ("nx-gzip", "no unit that compresses (/dev/crypto/nx-gzip): POWER9 and newer may"),
    }
)
"""By architecture: the kernel's name for it, and what to say where it is not there."""


def decide(situation: Situation) -> Verdict:
    """Advice where the machine compresses by itself."""
    architecture = needed(situation.facts.host.architecture, "the architecture")
    if architecture not in UNITS:
        because = f"{architecture} has no instruction or unit for gzip's format"
        return Declined(because=because, kind="not_applicable")
    name, without = UNITS[architecture]
    features = situation.facts.cpu.features
    offered = () if isinstance(features, Absent) else needed(features, "whether the processor can compress")
    if name not in offered:
        because = f"its processor, or the hypervisor, offers {without}"
        return Declined(because=because, kind="keep")
    on_z = architecture == "s390x"
    return Advice(
        because=f"its processor compresses in gzip's format by itself ({name}): that costs little time here",
        steps=tuple(_on_z(situation) if on_z else _on_power(situation)),
        undo=("Compress as before: files of either kind are read by any gzip.",),
    )


def _on_z(situation: Situation) -> Iterator[str]:
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


def _on_power(situation: Situation) -> Iterator[str]:
    gzip = "--compress=client-gzip:1" if situation.major >= V15 else "-Z 1"
    yield "Install libnxz (power-gzip): it takes the place of zlib in a program that is started with it."
    yield f"Backups: LD_PRELOAD=libnxz.so.0 pg_basebackup {gzip} on this machine."
    yield (
        "Archived WAL: a program that compresses by zlib, started in the same way in archive_command. The "
        "program gzip has code of its own and gains nothing."
    )
    yield "Compare time and size with and without LD_PRELOAD. If both take as long, the unit is not used."


RECOMMENDATION = Recommendation(
    id="host.archive_compression",
    title="Let the processor compress archives by itself",
    group="host",
    target=AdviceTarget(name="compression of archives and backups"),
    explanation=Explanation(
        changes="From z15 on each processor chip of IBM Z compresses data in the format of gzip and zlib "
        "(Integrated Accelerator for zEDC). Programs reach it by an instruction, without a device or driver. "
        "POWER9 and newer have such a unit too (NX), which programs reach by the library libnxz.",
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
    versions="IBM z15, LinuxONE III, POWER9 and newer",
    cites=(
        Cite(claim="mainframe-blog.zlib", only_on=IBM_Z),
        Cite(claim="zlib-ng-z.level_1", only_on=IBM_Z),
        Cite(claim="openssl-s390xcap.by_itself", only_on=IBM_Z),
        Cite(claim="kernel-vas.nx_gzip", only_on=IBM_POWER),
        Cite(claim="libnxz.preload", only_on=IBM_POWER),
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
        Example(
            name="a POWER10 whose partition may use its unit",
            given=Given(architecture="ppc64le", processor="POWER10", features=("nx-gzip",)),
            outcome=Advises(),
        ),
        Example(name="x86-64", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)
