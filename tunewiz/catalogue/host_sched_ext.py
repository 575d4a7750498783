"""A scheduler that was loaded into the kernel (sched_ext): it decides, not the kernel's own."""

from __future__ import annotations

from tunewiz.core.kernel.scheduler import NO_SCHEDULER, loaded_scheduler
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict


def decide(situation: Situation) -> Verdict:
    """Advice where one is loaded."""
    name = loaded_scheduler(situation)
    if name is None:
        return Declined(
            because="/sys/kernel/sched_ext was not found: it came with kernel 6.12", kind="not_applicable"
        )
    if name == NO_SCHEDULER:
        return Declined(because="no other scheduler is loaded: the kernel's own decides", kind="keep")
    return Advice(
        because=f"the scheduler {name} is loaded: nothing that sources say of the kernel's own one holds",
        steps=situation.on_the_host(
            "cat /sys/kernel/sched_ext/state /sys/kernel/sched_ext/root/ops: whether, and which",
            "Run your own load with it, stop the program that loaded it, and run the same load again: the "
            "kernel goes back to its own scheduler at once.",
            "Keep the better one. If it stays, watch the kernel's log: after an error it is thrown out.",
        ),
        undo=("Start the program that loads it again.",),
    )


RECOMMENDATION = Recommendation(
    id="host.sched_ext",
    title="Measure the loaded scheduler against the kernel's own",
    group="host",
    target=AdviceTarget(name="loaded scheduler (sched_ext)"),
    explanation=Explanation(
        changes="From 6.12 on the kernel can load another scheduler as a set of BPF programs. While one is "
        "loaded, it schedules all ordinary processes, unless it takes only those that ask for it.",
        helps="Most were made for desktops and games, or for one company's load. Whether one suits many "
        "sessions of a database only your own load can tell; no source here measured PostgreSQL with any.",
        leave_alone="Where it was chosen for this load and measured with it.",
        costs="A measurement with and without it.",
        watch="Throughput and the spread of latency; sched_ext in the kernel's log.",
    ),
    pros=("You know what schedules the server.", "Can be tried at once, and back."),
    cons=("No source of this project measured it.",),
    risk=RiskLevel.LOW,
    basis="reasoned",
    versions="Linux 6.12 and newer",
    cites=(Cite(claim="kernel-sched-ext.loaded"), Cite(claim="lwn-sched-ext.one_for_all")),
    decide=decide,
    examples=(
        Example(
            name="a scheduler is loaded",
            given=Given(kernel={"sched.ext": "enabled", "sched.ext_ops": "lavd"}),
            outcome=Advises(),
        ),
        Example(
            name="the kernel could, and none is loaded",
            given=Given(kernel={"sched.ext": "disabled"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="an older kernel", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)
