"""The wizard's steps as data: their order, which of them have nothing to ask, forward and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from tunewiz.core.disks import storage_is_settled
from tunewiz.core.facts import Facts
from tunewiz.core.facts_server import PostgresServer
from tunewiz.core.known import Known
from tunewiz.core.majors import NEWEST, OLDEST, Major


class Step(StrEnum):
    """One page of the wizard; the word stands in session files."""

    WELCOME = "welcome"
    MACHINE = "machine"
    SERVER = "server"
    WORKLOAD = "workload"
    RISK = "risk"
    RECOMMENDATIONS = "recommendations"
    REVIEW = "review"
    WRITE = "write"


@dataclass(frozen=True, kw_only=True, slots=True)
class StepInfo:
    """What a step asks, and whether it has something to ask on a machine."""

    step: Step
    question: str
    asks: Callable[[Facts], bool]


def _always(_facts: Facts) -> bool:
    return True


def server_is_settled(facts: Facts) -> bool:
    """Whether the facts alone say which server it is, of which major version, on what storage."""
    return len(facts.postgres) == 1 and major_is_settled(facts.postgres[0]) and storage_is_settled(facts)


def is_at_work(facts: Facts) -> bool:
    """Whether a server runs that has answered: it can be watched."""
    return any(each.running and isinstance(each.activity, Known) for each in facts.postgres)


def major_is_settled(server: PostgresServer) -> bool:
    """Whether the server's major version is known, and known to this program."""
    return isinstance(server.major, Known) and OLDEST <= Major.parse(server.major.value) <= NEWEST


STEPS = (
    StepInfo(step=Step.WELCOME, question="Which machine is to be tuned?", asks=_always),
    StepInfo(step=Step.MACHINE, question="What this machine is", asks=_always),
    StepInfo(
        step=Step.SERVER,
        question="Which PostgreSQL server, on what storage?",
        asks=lambda facts: is_at_work(facts) or not server_is_settled(facts),
    ),
    StepInfo(step=Step.WORKLOAD, question="What is it used for?", asks=_always),
    StepInfo(step=Step.RISK, question="What may it cost?", asks=_always),
    StepInfo(step=Step.RECOMMENDATIONS, question="What should change?", asks=_always),
    StepInfo(step=Step.REVIEW, question="What the bundle will do", asks=_always),
    StepInfo(step=Step.WRITE, question="Where should the bundle be written?", asks=_always),
)


def info(step: Step) -> StepInfo:
    """What stands about the step in `STEPS`."""
    return next(each for each in STEPS if each.step is step)


def steps_for(facts: Facts) -> tuple[Step, ...]:
    """The steps that have something to ask on this machine, in order."""
    return tuple(each.step for each in STEPS if each.asks(facts))


def forward(step: Step, facts: Facts) -> Step:
    """The next step that asks something; the last leads to itself."""
    later = [each for each in steps_for(facts) if _rank(each) > _rank(step)]
    return later[0] if later else step


def back(step: Step, facts: Facts) -> Step:
    """The step before that asks something; the first leads to itself."""
    earlier = before(step, facts)
    return earlier[-1] if earlier else step


def before(step: Step, facts: Facts) -> tuple[Step, ...]:
    """The steps that were asked before it."""
    return tuple(each for each in steps_for(facts) if _rank(each) < _rank(step))


def place(step: Step, facts: Facts) -> tuple[int, int]:
    """Which step of how many, counted from 1; a step that asks nothing counts as the next one."""
    steps = steps_for(facts)
    reached = [each for each in steps if _rank(each) <= _rank(step)]
    return len(reached), len(steps)


def _rank(step: Step) -> int:
    return [each.step for each in STEPS].index(step)
