"""What the kernel reads the time from: cheap without entering the kernel, dear with it."""

from __future__ import annotations

from tunewiz.core.evidence import Cite
from tunewiz.core.examples import Given
from tunewiz.core.known import known_or, needed
from tunewiz.core.model import (
    Advice,
    AdviceTarget,
    Advises,
    Declined,
    Declines,
    Example,
    Explanation,
    Recommendation,
    RiskLevel,
    Verdict,
)
from tunewiz.core.situation import Situation

SLOW = {"hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit"}
"""Every reading enters the kernel."""

TO_BE_MEASURED = "xen"
"""Without the kernel only where the host calls its time-stamp counter stable."""

CHECK = "pg_test_timing -d 3: the average should stay well below 100 ns"


def decide(now: Situation) -> Verdict:
    """Advice for clock sources that enter the kernel at each reading."""
    source = needed(now.facts.kernel.clocksource, "the clock source")
    if source in SLOW:
        because = f"the clock source is {source}: every look at the clock enters the kernel"
    elif source == TO_BE_MEASURED:
        because = "Xen's clock may cost a system call at every look: measure it"
    else:
        return Declined(because=f"{source} is read without entering the kernel", kind="keep")
    others = [name for name in known_or(now.facts.kernel.clocksources, ()) if name not in (source, *SLOW)]
    return Advice(
        because=because, steps=_steps(others), undo=("Remove clocksource= from the kernel's arguments.",)
    )


def _steps(others: list[str]) -> tuple[str, ...]:
    if not others:
        return (CHECK, "This machine offers no other: the owner of the host or its firmware settings may.")
    return (
        CHECK,
        f"dmesg | grep -i clocksource: if {others[0]} is called unstable, leave everything as it is",
        f"Else boot once with clocksource={others[0]}, and run pg_test_timing again.",
    )


RECOMMENDATION = Recommendation(
    id="host.clocksource",
    title="See to a clock that is cheap to read",
    group="host",
    target=AdviceTarget(name="clock source"),
    explanation=Explanation(
        changes="The kernel reads the time from one of several clocks. Some can be read by a program itself "
        "(vDSO), others only by a system call.",
        helps="PostgreSQL looks at the clock all the time, most of all for EXPLAIN ANALYZE and "
        "track_io_timing. On a Xen cloud instance two frequent calls were reported 77 % slower.",
        leave_alone="Where the kernel itself has rejected the faster clock as unstable: time may run "
        "backwards.",
        costs="A kernel argument and a reboot. A clock that drifts harms everything that compares times.",
        watch="pg_test_timing before and after; system time in sar -u.",
    ),
    pros=("Timing becomes nearly free.",),
    cons=("A wrong clock is worse than a slow one.", "Often only the owner of the host can change it."),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    versions="every Linux",
    cites=(Cite(claim="27"),),
    decide=decide,
    examples=(
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
