"""How much memory is left: active sessions, and private memory of processes.

No value follows from these alone: they show how much room the memory budget has.
"""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Seen, Witness
from tunewiz.core.server.busy_hours import why_not_the_peak
from tunewiz.core.server.seen_memory import each_process
from tunewiz.core.server.seen_work import watched_sessions
from tunewiz.core.values.known import Known
from tunewiz.core.values.plural import how_many


def _at_work_told(situation: Situation) -> Iterator[Seen]:
    for most, when in watched_sessions(situation):
        quiet = why_not_the_peak(situation)
        words = f"at most {how_many(most.active, 'session')} active at once {when}"
        yield Seen(words=f"{words}{f': {quiet}' if quiet else ''}", enough=not quiet, decides=False)


AT_WORK = Witness(of="sessions active at once, while watched", look=_at_work_told)


def _processes_told(situation: Situation) -> Iterator[Seen]:
    match situation.server, tuple(each_process(situation)):
        case PostgresServer(process_memory=Known(value=observation)), ((_, words),):
            yield Seen(words=f"{words}, the largest {observation.largest.short()}", decides=False)
        case PostgresServer(process_memory=Known(value=observation)), _:
            few = (
                f"{how_many(observation.processes, 'process')} of the server, "
                f"{situation.thresholds.processes} needed"
            )
            yield Seen(words=f"too little was seen: {few}", enough=False, decides=False)
        case _:
            pass


PROCESSES = Witness(of="private memory of the server's processes", look=_processes_told)
ROOM = AT_WORK, PROCESSES
"""What the memory budget reads."""
