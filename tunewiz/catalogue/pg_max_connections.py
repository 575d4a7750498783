"""max_connections: how many sessions the server lets in."""

from __future__ import annotations

from tunewiz.core.answers.server_limits import MAX_CONNECTIONS
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import peak_of_sessions
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.beside_buffers import largest_beside
from tunewiz.core.server.seen_work import SESSIONS, most_at_work
from tunewiz.core.server.sessions import FEW, ordinary_slots, reserved_slots, served_well, slots
from tunewiz.core.server.shared_memory import SHARED_PER_CONNECTION
from tunewiz.core.values.known import Known, Unknown, known_or
from tunewiz.core.values.rounding import round_up_to
from tunewiz.core.values.units import GIB, Bytes

SPARE = 10
"""Room for a person, a backup and monitoring beside the expected peak; the value is a multiple of it too."""

FOR_WORKERS = 4096
"""More processes than any plan's workers are: they count against the same limit."""
MOST = (MAX_CONNECTIONS - FOR_WORKERS) // SPARE * SPARE

PART_OF_MEMORY = 8
"""Slots may take an eighth of memory before anybody connects; what is more belongs behind a pool."""
IF_UNKNOWN = Bytes(GIB)
"""Where the size of memory is not known, the slots of a small machine are the most."""


def decide(situation: Situation) -> Verdict:
    """Room for the expected peak; never lowered. Not ticked where a pool would serve that many better."""
    if situation.connections <= slots(situation):
        return Declined(because=_covered(situation), kind="keep")
    if _most(situation) <= slots(situation):
        return Declined(because=_memory_ends(situation))
    if situation.connections > FEW and (rather := _pool_rather(situation)):
        because = f"{_too_few(situation)}; {rather}"
        return Proposal(value=_value(situation), because=because, computed=_computed(situation), ticked=False)
    return Proposal(value=_value(situation), because=_too_few(situation), computed=_computed(situation))


def _covered(situation: Situation) -> str:
    """What the slots cover: the last of them are reserved."""
    if situation.connections > (ordinary := ordinary_slots(situation)):
        return (
            f"{slots(situation):,} less {reserved_slots(situation)} reserved leave {ordinary:,} places: "
            f"if all {situation.connections:,} clients come at once, {situation.connections - ordinary:,} "
            f"are refused; then set {_value(situation)}, or put a pool in front"
        )
    covered = f"{slots(situation):,} already covers your {situation.connections:,}"
    taker = largest_beside(situation)
    if taker and taker.name == "max_connections":
        return f"{covered}; a lower limit would free up to {taker.size.human()}"
    return f"{covered}; a lower limit frees little memory"


def _most(situation: Situation) -> int:
    """The most slots that processes and memory allow."""
    in_memory = _memory(situation).count // PART_OF_MEMORY // SHARED_PER_CONNECTION.count
    return min(MOST, in_memory // SPARE * SPARE)


def _memory(situation: Situation) -> Bytes:
    match situation.facts.memory.total:
        case Known():
            return situation.memory
        case _:
            return IF_UNKNOWN


def _memory_ends(situation: Situation) -> str:
    return (
        f"slots for {situation.connections:,} would take "
        f"{(SHARED_PER_CONNECTION * situation.connections).short()} "
        f"of {_memory(situation).short()} before anybody connects: put a connection pool in front"
    )


def _wanted(situation: Situation) -> int:
    return round_up_to(situation.connections + reserved_slots(situation) + SPARE, SPARE)


def _value(situation: Situation) -> str:
    return str(min(_most(situation), _wanted(situation)))


def _computed(situation: Situation) -> str:
    reserved, most = reserved_slots(situation), _most(situation)
    if most < min(MOST, _wanted(situation)):
        part = f"{_memory(situation).short()} / {PART_OF_MEMORY}"
        return f"{part} / {SHARED_PER_CONNECTION.short()} of shared memory a slot = {most:,}, in tens"
    if _value(situation) == str(MOST):
        return f"{MAX_CONNECTIONS:,} processes at most - {FOR_WORKERS} for workers = {MOST:,}, in tens"
    return (
        f"{situation.connections:,} expected + {reserved} reserved + {SPARE} "
        f"spare = {_value(situation)}, in tens"
    )


def _too_few(situation: Situation) -> str:
    return f"{slots(situation):,} let in fewer than the {situation.connections:,} that are expected"


def _pool_rather(situation: Situation) -> str:
    """Why a pool is better than that many sessions; empty if it is not."""
    for active, _ in most_at_work(situation):
        if active <= known_or(served_well(situation), 0):
            return ""
    match served_well(situation):
        case Known(value=most) if situation.connections > most:
            return f"for more than about {most} at once, a connection pool in front is better than more slots"
        case Unknown():
            return "how many these processors serve at once is not known: consider a connection pool first"
        case _:
            return ""


RECOMMENDATION = Recommendation(
    id="pg.max_connections",
    title="Allow all expected connections",
    group="connections",
    target=PgTarget(name="max_connections"),
    explanation=Explanation(
        changes="How many sessions may be open at once. A few are reserved for superusers.",
        helps="A client over the limit is refused: “sorry, too many clients already”.",
        leave_alone="When a pool (such as PgBouncer) is in front of the server: then the pool's size counts, "
        "not the number of clients. It is never lowered here.",
        costs="A restart. Memory: some shared memory for each slot, several megabytes for each session "
        "in use. Throughput falls beyond a peak: more sessions are not more work done.",
        watch="Sessions in pg_stat_activity in the busiest hour, and how many of them are active.",
    ),
    pros=("No client is refused at the expected peak.",),
    cons=(
        "Requires a restart; on standbys it must be raised first.",
        "On the Power10 throughput peaked at 224 connections and fell at 448.",
    ),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    cites=(
        Cite(claim="power.connections_peak", opposes=True),
        Cite(claim="power.contention", near=True),
        Cite(claim="freund-connections.memory"),
        Cite(claim="postgres-manual.max_connections"),
    ),
    decide=decide,
    witnesses=(SESSIONS,),
    gives_way=7,
    observed=(peak_of_sessions,),
    examples=(
        Example(
            name="200 expected, 100 allowed",
            given=Given(connections=200, cores=32, threads_per_core=2),
            outcome=Sets(value="220"),
        ),
        Example(name="80 expected, 100 allowed", given=Given(connections=80), outcome=Declines(kind="keep")),
        Example(
            name="2000 belong behind a pool, and need slots where there is none",
            given=Given(connections=2000),
            outcome=Sets(value="2020"),
        ),
        Example(
            name="slots for 100000 would fill a small machine's memory",
            given=Given(connections=100_000, memory="4GB"),
            outcome=Sets(value="6240"),
        ),
        Example(
            name="slots for 100000 where memory is not known",
            given=Given(connections=100_000, memory_unknown=True),
            outcome=Sets(value="1560"),
        ),
        Example(
            name="a machine too small for more slots",
            given=Given(connections=2000, memory="64MB", settings={"shared_buffers": "16MB"}),
            outcome=Declines(kind="declined"),
        ),
        Example(
            name="more than expected stays",
            given=Given(connections=20, settings={"max_connections": "500"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
