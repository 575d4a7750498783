"""What the kernel reads the time from: cheap without entering the kernel, expensive with it."""

from __future__ import annotations

from tunewiz.core.kernel.boot_entry import allows_second_entry, commands_to_add, commands_to_remove
from tunewiz.core.recommendation.actions import Action
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Advises,
    Declines,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import Effect, HostTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import known_or, needed
from tunewiz.kinds.boot import KernelArgument

SLOW = {"hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit"}
"""Every reading enters the kernel."""

TO_BE_MEASURED = "xen"
"""Without the kernel only where the host calls its time-stamp counter stable."""

CHECK = "pg_test_timing -d 3: the average should stay well below 100 ns"


def decide(situation: Situation) -> Verdict:
    """Advice for clock sources that enter the kernel at each reading."""
    source = needed(situation.facts.kernel.clocksource, "the clock source")
    if source in SLOW:
        because = f"the clock source is {source}: every reading of the clock enters the kernel"
    elif source == TO_BE_MEASURED:
        because = "Xen's clock may cost a system call at every reading: measure it"
    else:
        return Declined(because=f"{source} is read without entering the kernel", kind="keep")
    better = next(iter(_others(situation)), "")
    if better and source in SLOW and allows_second_entry(situation):
        return Proposal(
            value=f"clocksource={better}",
            because=f"{because}; {better} is offered, unless dmesg calls it unstable",
            computed=f"{source} becomes {better}, which the kernel lists as available",
            before=source,
            ticked=False,
        )
    return Advice(because=because, steps=_steps(situation, better), undo=_undo(situation, better))


def _others(situation: Situation) -> list[str]:
    """Sources that the kernel offers and that are read without entering it."""
    others = known_or(situation.facts.kernel.clocksources, ())
    return [name for name in others if name not in (TO_BE_MEASURED, *SLOW)]


def actions(_: Situation, value: str) -> tuple[Action, ...]:
    """One argument."""
    return (KernelArgument(arguments=(value,)),)


def _undo(situation: Situation, better: str) -> tuple[str, ...]:
    if not better:
        return ("Put the host's setting back.",)
    return situation.on_the_host(*commands_to_remove(situation, f"clocksource={better}"))


def _steps(situation: Situation, better: str) -> tuple[str, ...]:
    if not better:
        return (CHECK, "This machine offers no other; the owner of the host or its firmware settings may.")
    return (
        CHECK,
        *situation.on_the_host(
            f"dmesg | grep -i clocksource: if {better} is called unstable, leave everything as it is",
            *commands_to_add(situation, f"clocksource={better}"),
            "Restart the machine, and run pg_test_timing again.",
        ),
    )


RECOMMENDATION = Recommendation(
    id="host.clocksource",
    title="Use a faster clock source",
    group="host",
    target=HostTarget(name="clock source", effect=Effect.REBOOT),
    explanation=Explanation(
        changes="The kernel reads the time from one of several clocks. Some can be read by a program itself "
        "(vDSO), others only by a system call.",
        helps="PostgreSQL reads the clock all the time, most of all for EXPLAIN ANALYZE and "
        "track_io_timing. On a Xen cloud instance two frequent calls were reported to be 77 % slower.",
        leave_alone="Where the kernel itself has rejected the faster clock as unstable: time may run "
        "backwards. The clocks of most guests are read without the kernel as well: kvm-clock, Hyper-V's "
        "page, tsc under VMware, tod on IBM Z, timebase on POWER; only Xen's may not be.",
        costs="A kernel argument and a reboot. A clock that drifts harms everything that compares times.",
        watch="pg_test_timing before and after; system time in sar -u.",
    ),
    pros=("Timing becomes nearly free.",),
    cons=("A wrong clock is worse than a slow one.", "Often only the owner of the host can change it."),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    versions="every Linux",
    cites=(Cite(claim="kernel-talk.clock_source"),),
    decide=decide,
    actions=actions,
    examples=(
        Example(
            name="a slow clock, a better one is offered, and the loader allows a second entry",
            given=Given(clocksource="hpet", more_clocksources=("tsc",), loader="grub", reboot=True),
            outcome=Sets(value="clocksource=tsc"),
        ),
        Example(
            name="the same beside a loader that keeps its own list",
            given=Given(clocksource="hpet", more_clocksources=("tsc",), distribution="Fedora Linux 41"),
            outcome=Advises(),
        ),
        Example(name="a slow clock", given=Given(clocksource="hpet"), outcome=Advises()),
        Example(name="a Xen guest", given=Given(hypervisor="xen", clocksource="xen"), outcome=Advises()),
        Example(name="tsc", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="a KVM guest",
            given=Given(hypervisor="kvm", clocksource="kvm-clock"),
            outcome=Declines(kind="keep"),
        ),
    ),
)
