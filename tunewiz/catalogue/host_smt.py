"""Threads per core: more of them on Power10, a trade-off on x86."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import IBM_Z, Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Advises,
    Declines,
    Dispute,
    Example,
    Explanation,
    Recommendation,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.server.partition import MUCH_STEAL, steal_of
from tunewiz.core.values.known import known_or, needed

POWER = ("ppc64le", "ppc64")
Z = "s390x"
MEASURED = "POWER10"
MAX_MEASURED = 8
"""SMT8 on Power10 beat SMT4; no source compared others."""


def decide(situation: Situation) -> Verdict:
    """Advice on Power10 where a core runs fewer threads than it can."""
    threads = needed(situation.facts.cpu.threads_per_core, "the number of threads per core")
    architecture = needed(situation.facts.host.architecture, "the architecture")
    if architecture not in POWER:
        return Declined(because=f"{_each(threads)} per core: {_unmeasured(architecture)}", kind="keep")
    if known_or(situation.facts.cpu.smt, "") == "unsupported":
        because = "its cores have no second thread: only the hypervisor could give them more"
        return Declined(because=because, kind="keep")
    model = _model(situation)
    if not model.startswith(MEASURED):
        known = f"no source measured {model}" if model else "whether this is one is not known"
        because = f"SMT{threads} stays: threads were measured on Power10 alone, and {known}"
        return Declined(because=because, kind="keep")
    if threads >= MAX_MEASURED:
        return Declined(because=f"SMT{threads} did more than SMT4 on Power10", kind="keep")
    if steal_of(situation) >= MUCH_STEAL:
        because = f"SMT{threads} stays while others take cores away: threads of a stopped core do not run"
        return Declined(because=because, kind="keep")
    return Advice(
        because=f"cores run {_each(threads)} each; on Power10 eight did 24 % more than four",
        steps=(
            "ppc64_cpu --smt: what it is now; ppc64_cpu --threads-per-core: what it can be",
            f"ppc64_cpu --smt={MAX_MEASURED}",
            "Run your own load before and after: the number of processors changes for every program.",
        ),
        undo=(f"ppc64_cpu --smt={threads}",),
        computed="61,964 against 49,861 transactions per second (SMT8, SMT4)",
    )


def _unmeasured(architecture: str) -> str:
    if architecture == Z:
        return "no source measured PostgreSQL with another number on IBM Z (SMT-2 on IFLs)"
    return f"no source measured another number on {architecture}"


def _each(threads: int) -> str:
    return "one thread" if threads == 1 else f"{threads} threads"


def _model(situation: Situation) -> str:
    """The model of POWER in one word; empty if it is not known."""
    model = known_or(situation.facts.cpu.model, "").upper().partition(" ")[0]
    return model if model.startswith("POWER") else ""


RECOMMENDATION = Recommendation(
    id="host.smt",
    title="Use all hardware threads (SMT)",
    group="host",
    target=AdviceTarget(name="threads per core"),
    explanation=Explanation(
        changes="A core can run several threads at once (SMT, hyper-threading), which share its caches and "
        "its arithmetic.",
        helps="While one thread waits for memory another works. On Power10 eight threads per core did 24 % "
        "more transactions than four at the same load.",
        leave_alone="On x86 nothing is proposed: siblings get in each other's way in spin locks and latency "
        "spreads wider, but no source measured turning it off. Nor on other models of POWER, or while a "
        "partition's cores are taken away. On IBM Z a logical partition uses both threads of an IFL unless "
        "the kernel is told nosmt; IBM says it depends on the load, and hyptop shows how busy they are.",
        costs="Latency of a single query varies more. What queries do in parallel is sized by cores; "
        "how many sessions are at work at once, by threads.",
        watch="Throughput and the spread of latency under your own load; %idle per processor in mpstat -P "
        "ALL.",
    ),
    pros=(
        "More transactions from the same cores.",
        "Can be changed while the system runs, and undone as easily.",
    ),
    cons=(
        "Two threads of a core share its cache: latency deviates more.",
        "Per-core comparisons of platforms hide it: Power10 led 2.7 times with 8 threads against 2.",
    ),
    risk=RiskLevel.MEDIUM,
    basis="measured",
    versions="POWER and x86-64",
    cites=(
        Cite(claim="power.smt8"),
        Cite(claim="power.per_core"),
        Cite(claim="kernel-talk.sibling_threads", opposes=True),
        Cite(claim="ibm-smt.depends", only_on=IBM_Z),
    ),
    disputes=(
        Dispute(
            one="Power10: eight threads per core did 24 % more transactions than four at the same load.",
            other="The kernel talk: siblings share a core's cache and get in each other's way in spin "
            "locks; latency spreads wider. It shows plots, no numbers.",
            follows="Eight threads on Power10, where it was measured. Elsewhere the threads stay as they "
            "are: nobody measured turning them off.",
            claims=(
                "power.smt8",
                "kernel-talk.sibling_threads",
            ),
        ),
    ),
    decide=decide,
    examples=(
        Example(
            name="Power10 at SMT4",
            given=Given(architecture="ppc64le", processor="POWER10", cores=8, threads_per_core=4),
            outcome=Advises(),
        ),
        Example(
            name="POWER9 at SMT4",
            given=Given(architecture="ppc64le", processor="POWER9", cores=8, threads_per_core=4),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="Power10 at SMT8",
            given=Given(architecture="ppc64le", processor="POWER10", cores=8, threads_per_core=8),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="SMT-2 on IFLs",
            given=Given(architecture="s390x", huge_page_size="1MB", hypervisor="lpar", threads_per_core=2),
            outcome=Declines(kind="keep"),
        ),
        Example(name="hyper-threading", given=Given(threads_per_core=2), outcome=Declines(kind="keep")),
    ),
)
