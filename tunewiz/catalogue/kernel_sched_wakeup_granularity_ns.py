"""How easily a woken process preempts another: for dumps and reports beside transactions."""

from __future__ import annotations

from tunewiz.core.kernel.scheduler import DEBUGFS, place_of
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict

KNOB = "sched.wakeup_granularity_ns"
FILES = {
    "sysctl": "/proc/sys/kernel/sched_wakeup_granularity_ns",
    "debugfs": f"{DEBUGFS}/wakeup_granularity_ns",
}


def decide(situation: Situation) -> Verdict:
    """An experiment for mixed work: the source names no value."""
    current = situation.kernel_number(KNOB)
    if situation.workload.kind != "mixed":
        return Declined(because="it was measured with a dump beside transactions, which is not your workload")
    path = FILES[place_of(situation, KNOB)]
    return Advice(
        because="long and short work run side by side: how often they interrupt each other can be tried",
        steps=(
            f"echo {current * 2} > {path}",
            "Time a dump or report and the transactions beside it; keep doubling as long as both gain.",
        ),
        undo=(f"echo {current} > {path}",),
        computed=f"now {current} ns; doubled: {current * 2} ns",
    )


RECOMMENDATION = Recommendation(
    id="kernel.sched_wakeup_granularity_ns",
    title="Try a larger wakeup granularity",
    group="kernel",
    target=AdviceTarget(name="wake-up granularity"),
    explanation=Explanation(
        changes="A process that wakes up takes the processor from a running one only if it is behind by "
        "this much time. A larger value means fewer interruptions.",
        helps="Long work keeps its processor and its cache: a dump beside transactions finished 7 % sooner "
        "after the value was tuned, and a short query beside a long one slowed that by 9 %.",
        leave_alone="Where only the latency of short queries counts. From kernel 6.6 on (EEVDF) the knob is "
        "gone: base_slice_ns in debugfs, the shortest turn of a process, is what is left, and no source "
        "measured PostgreSQL with another value of it.",
        costs="Short work may wait a little longer for a processor. A reboot resets the value.",
        watch="cpu-migrations and cache-misses in perf stat, the time of the long job, and the latency of "
        "the short queries.",
    ),
    pros=("Dumps and reports may finish sooner.",),
    cons=("The source names no value: it takes a measurement of your own.", "Short queries may wait longer."),
    risk=RiskLevel.LOW,
    basis="measured",
    versions="Linux 2.6.23 to 6.5",
    cites=(
        Cite(claim="kernel-talk.wakeup_granularity"),
        Cite(claim="kernel-talk.scheduler_knobs"),
        Cite(claim="kernel-eevdf.slices"),
    ),
    decide=decide,
    examples=(
        Example(
            name="reports beside transactions",
            given=Given(workload="mixed", kernel_release="4.18.0", kernel={KNOB: 15_000_000}),
            outcome=Advises(),
        ),
        Example(
            name="transactions only",
            given=Given(kernel_release="4.18.0", kernel={KNOB: 15_000_000}),
            outcome=Declines(),
        ),
        Example(
            name="EEVDF has no such knob",
            given=Given(workload="mixed", kernel_release="6.8.0"),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)
