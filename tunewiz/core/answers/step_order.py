"""The order of the wizard's steps on a machine, without those that have nothing to ask there."""

from __future__ import annotations

from typing import assert_never

from tunewiz.core.answers.steps import Direction, Step
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.storage_kind import storage_is_settled
from tunewiz.core.values.known import Known
from tunewiz.core.values.versions import NEWEST, OLDEST, Major


def server_is_settled(facts: Facts) -> bool:
    """Whether the facts alone determine the server, its major version and its storage."""
    match facts.postgres:
        case (server,):
            return major_is_settled(server) and storage_is_settled(facts, server.data_directory)
        case _:
            return False


def is_at_work(facts: Facts) -> bool:
    """Whether a running server has answered, so that it can be watched."""
    return any(server.running and isinstance(server.activity, Known) for server in facts.postgres)


def major_is_settled(server: PostgresServer) -> bool:
    """Whether the server's major version is known, and known to this program."""
    return isinstance(server.major, Known) and OLDEST <= Major.parse(server.major.value) <= NEWEST


def _asks(step: Step, facts: Facts) -> bool:
    return step is not Step.SERVER or is_at_work(facts) or not server_is_settled(facts)


def steps_for(facts: Facts) -> tuple[Step, ...]:
    """The steps that have something to ask on this machine, in order."""
    return tuple(step for step in Step if _asks(step, facts))


def forward(step: Step, facts: Facts) -> Step:
    """The next step that asks something; the last leads to itself."""
    later = [entry for entry in steps_for(facts) if _rank(entry) > _rank(step)]
    return later[0] if later else step


def back(step: Step, facts: Facts) -> Step:
    """The step before that asks something; the first leads to itself."""
    earlier = before(step, facts)
    return earlier[-1] if earlier else step


def before(step: Step, facts: Facts) -> tuple[Step, ...]:
    """The steps that were asked before it."""
    return tuple(entry for entry in steps_for(facts) if _rank(entry) < _rank(step))


def target(step: Step, to: Direction, facts: Facts) -> Step:
    """The step that is shown after one that was left in that direction."""
    match to:
        case "forward":
            return forward(step, facts)
        case "back":
            return back(step, facts)
        case Step():
            return to
        case _:
            assert_never(to)


def place(step: Step, facts: Facts) -> tuple[int, int]:
    """The number of the step and of all steps, from 1; a step that asks nothing counts as the next one."""
    steps = steps_for(facts)
    reached = [entry for entry in steps if _rank(entry) <= _rank(step)]
    return len(reached), len(steps)


def _rank(step: Step) -> int:
    return list(Step).index(step)
