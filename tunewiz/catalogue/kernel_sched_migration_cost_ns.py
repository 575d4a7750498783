"""How reluctant the scheduler is to move a process: less so where a few cores share one cache."""

from __future__ import annotations

from tunewiz.core.kernel.scheduler import DEBUGFS, on_one_chip, place_of
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Declines,
    Dispute,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import SysctlTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.plural import how_many

KNOB = "sched.migration_cost_ns"
LOWER = 50_000
"""The z13 study's value, a tenth of the default (claim 6)."""

FEW_CORES = 8
"""The study had 4 on one chip and warns of large images; twice that is still few."""

MANY_USERS = 4
"""Connections per core: the study warns where users are as many as cores, and had far more."""


def decide(situation: Situation) -> Verdict:
    """A tenth of the default on a small image on one chip with many users."""
    current = situation.kernel_number(KNOB)
    if place_of(situation, KNOB) == "debugfs":
        path = f"{DEBUGFS}/migration_cost_ns"
        because = f"this kernel has it as {path}, which a reboot resets: to try it, write {LOWER} there"
        return Declined(because=because, kind="not_applicable")
    if current <= 2 * LOWER:
        return Declined(because=f"it is {current:,} ns: low already", kind="keep")
    unlike = _unlike(situation)
    if unlike:
        return Declined(because=unlike)
    return Proposal(
        value=str(LOWER),
        because=f"{situation.connections:,} connections on {how_many(situation.cores, 'core')} "
        f"of one chip: no cache is "
        f"lost by moving",
        computed=f"{current:,} ns / 10 = {LOWER:,} ns",
    )


def _unlike(situation: Situation) -> str:
    """Why the study itself would not apply it here; empty where it would."""
    if not on_one_chip(situation):
        return "the processors do not share one chip: moving a process loses its cache and its local memory"
    if situation.cores > FEW_CORES:
        return f"{situation.cores} cores are a large image, for which the study warns against it"
    if situation.connections < MANY_USERS * situation.cores:
        return (
            f"{how_many(situation.connections, 'connection')} on "
            f"{how_many(situation.cores, 'core')}: the study had "
            f"far more users than cores"
        )
    return ""


RECOMMENDATION = Recommendation(
    id="kernel.sched_migration_cost_ns",
    title="Lower the scheduler's migration cost",
    group="kernel",
    target=SysctlTarget(name="kernel.sched_migration_cost_ns", fact=KNOB, minimum=1, maximum=100_000_000),
    explanation=Explanation(
        changes="For this long after it ran, a process is taken to have its data in its processor's cache, "
        "and the scheduler rather leaves it there. The default is 500000 ns.",
        helps="Where all cores share one chip's cache, nothing is lost by moving: idle cores take waiting "
        "server processes sooner. On a z13 with 4 cores and many users that was worth almost 9 %.",
        leave_alone="On several sockets, drawers or large images, and where users are about as many as "
        "cores. An old tip for x86, this setting and autogroup changed together, cost 2 % on the same z13.",
        costs="More moves between cores. Where cores do not share a cache, each costs misses. The knob was "
        "measured with an older scheduler; from kernel 5.13 on it is a debugging file.",
        watch="User time in sar -u should rise with throughput; cpu-migrations in perf stat. lscpu "
        "--extended shows which processors share a cache.",
    ),
    pros=(
        "Waiting processes start sooner on idle cores.",
        "Almost 9 % more throughput where it was measured.",
    ),
    cons=(
        "The opposite was measured for a similar tip: try it with your own load.",
        "A gain with today's schedulers (EEVDF, kernel 6.6 and newer) was not measured.",
    ),
    risk=RiskLevel.MEDIUM,
    basis="measured",
    versions="Linux up to 5.12; later a debugging file",
    cites=(
        Cite(claim="z-deck.migration_cost"),
        Cite(claim="z-deck.migration_cost_caution"),
        Cite(claim="z-deck.autogroup", opposes=True),
        Cite(claim="kernel-talk.scheduler_knobs", opposes=True),
    ),
    disputes=(
        Dispute(
            one="z13, 4 cores on one chip, far more users than cores: lowered tenfold to 50000 ns, "
            "almost +9 %.",
            other="An old tip for x86 raises it and turns autogroup off, with up to +30 % reported there; "
            "on the same z13 that cost about 2 %.",
            follows="The lower value, and only where the kernel still has it as a sysctl and the machine is "
            "like the z13: one chip, few cores, many users. The tip is not followed: nobody says on "
            "what it was measured.",
            claims=(
                "z-deck.migration_cost",
                "z-deck.autogroup",
            ),
        ),
    ),
    decide=decide,
    examples=(
        Example(
            name="a small partition with many users",
            given=Given(
                architecture="s390x", huge_page_size="1MB", kernel_release="4.4.0", kernel={KNOB: 500_000}
            ),
            outcome=Sets(value="50000"),
        ),
        Example(
            name="the same with a newer kernel, which has no such sysctl",
            given=Given(architecture="s390x", huge_page_size="1MB", kernel={KNOB: 500_000}),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(
            name="two sockets",
            given=Given(sockets=2, kernel_release="4.18.0", kernel={KNOB: 500_000}),
            outcome=Declines(),
        ),
        Example(
            name="many cores",
            given=Given(cores=32, kernel_release="4.18.0", kernel={KNOB: 500_000}),
            outcome=Declines(),
        ),
        Example(
            name="as many users as cores",
            given=Given(connections=4, kernel_release="4.18.0", kernel={KNOB: 500_000}),
            outcome=Declines(),
        ),
        Example(
            name="low already",
            given=Given(kernel_release="4.18.0", kernel={KNOB: 50_000}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="lockdown hides the knob",
            given=Given(),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)
