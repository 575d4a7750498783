"""autovacuum_vacuum_cost_limit: how much autovacuum does between two rests, all workers together."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from tunewiz.core.facts.storage_kind import StorageKind
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import dead_rows
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.database_size import size_of
from tunewiz.core.server.network_volumes import on_network_volume
from tunewiz.core.server.own_numbers import rather_than
from tunewiz.core.server.seen_storage import PROBED
from tunewiz.core.server.seen_vacuum import (
    DEAD_ROWS,
    FREEZING,
    freeze_forecast,
    vacuum_is_behind,
    vacuum_keeps_up,
)
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import KIB, MIB, Bytes

PASS = 3600
"""Seconds in which all pages of the databases could be dirtied once: autovacuum then keeps up with changes
that touch everything within an hour, more than a day brings on most servers. An assumption."""

PACE: Mapping[StorageKind, Bytes] = MappingProxyType(
    {"ssd": Bytes(200 * MIB), "san": Bytes(200 * MIB), "nvme": Bytes(400 * MIB)}
)
"""The most that is dirtied in a second: a part of what such storage writes, since queries come first. An
assumption; the default allows 39 MB."""

BEHIND = 2
"""Times PostgreSQL's default of points where dead rows show that vacuum does not keep up."""

USUAL = 200
"""PostgreSQL's default of vacuum_cost_limit."""

MOST = 10_000
"""The largest value that PostgreSQL takes (pg_settings, 9.5 to 18)."""

POINTS_A_PAGE = 20
"""vacuum_cost_page_dirty by default."""

PAGE = Bytes(8 * KIB)

TENS, HUNDREDS = 10, 100
"""What a person would round to, up to a thousand and beyond."""


def decide(situation: Situation) -> Verdict:
    """A pace for the size of the databases, on storage that can handle it; faster where it falls behind."""
    current = _current(situation)
    if not situation.workload.writes:
        because = f"{current} points are enough where little is written"
        return Declined(because=because, kind="keep")
    if _rest(situation) == 0:
        return Declined(because="autovacuum never rests: there is no pace to set", kind="keep")
    if on_network_volume(situation):
        return Declined(because="a network volume allows so many requests: probe it before it is given more")
    match situation.storage_told:
        case Known(value="hdd"):
            return Declined(because="spinning disks would feel a faster autovacuum")
        case Unknown():
            return Declined(because="spinning disks would feel it, and the kind of storage is not known")
        case Known(value=kind):
            return _faster(situation, current, _limit(situation, PACE[kind]), kind)


def _faster(situation: Situation, current: int, value: int, kind: StorageKind) -> Verdict:
    size = size_of(situation)
    if current >= value:
        because = f"{current} points are enough for {size.short()}"
        return Declined(because=because, kind="keep")
    for observation in vacuum_keeps_up(situation):
        because = f"{current} points are enough: {rather_than(observation, str(value))}"
        return Declined(because=because, kind="keep")
    return Proposal(
        value=str(value),
        because=f"{size.short()} with many writes: all workers share one allowance of "
        f"{how_many(current, 'point')}",
        computed=_computed(situation, value, kind),
    )


def _limit(situation: Situation, most: Bytes) -> int:
    """Points for one rest; raises MissingFact."""
    pace = min(most, size_of(situation) // PASS)
    points = _rounded(int(_points(situation, pace)))
    behind = min(BEHIND * USUAL, int(_points(situation, most))) if _is_behind(situation) else 0
    return min(MOST, max(points, behind))


def _rounded(points: int) -> int:
    step = HUNDREDS if points >= TENS * HUNDREDS else TENS
    return points // step * step


def _points(situation: Situation, pace: Bytes) -> Fraction:
    return Fraction(pace.count * POINTS_A_PAGE, PAGE.count * 1000) * _rest(situation)


def _is_behind(situation: Situation) -> bool:
    return any(dead_row.speaks_for for dead_row in dead_rows(situation)) or bool(_behind_in_words(situation))


def _behind_in_words(situation: Situation) -> str:
    """Tables or autovacuum runs that are behind, or ids that will run out soon."""
    soon = situation.thresholds.freeze_soon.seconds
    freezing = (
        f"a vacuum against wraparound {words}" for left, words in freeze_forecast(situation) if left <= soon
    )
    return ", ".join((*vacuum_is_behind(situation), *freezing))


def _computed(situation: Situation, value: int, kind: StorageKind) -> str:
    wanted, most = size_of(situation) // PASS, PACE[kind]
    pace = f"{size_of(situation).short()} in an hour = {wanted.short()}/s"
    bound = f", at most {most.short()}/s on {kind}" if most < wanted else ""
    why = _behind_in_words(situation) or "dead rows show that it falls behind"
    behind = f"; {why}: at least {BEHIND} x {USUAL}" if _is_behind(situation) else ""
    rest = f"{float(_rest(situation)):g} ms"
    return f"{pace}{bound}{behind}: {value} points / {POINTS_A_PAGE} for a dirtied page of 8 kB each {rest}"


def _rest(situation: Situation) -> Fraction:
    """Milliseconds between two pieces of work."""
    own, info = (
        situation.will_be("autovacuum_vacuum_cost_delay"),
        situation.settings["autovacuum_vacuum_cost_delay"],
    )
    rest = Fraction(info.canonical(own))
    if rest >= 0:
        return rest
    return Fraction(situation.settings["vacuum_cost_delay"].canonical(situation.will_be("vacuum_cost_delay")))


def _current(situation: Situation) -> int:
    own = int(situation.will_be("autovacuum_vacuum_cost_limit"))
    return own if own >= 0 else int(situation.will_be("vacuum_cost_limit"))


RECOMMENDATION = Recommendation(
    id="pg.autovacuum_vacuum_cost_limit",
    title="Increase autovacuum_vacuum_cost_limit",
    group="vacuum",
    target=PgTarget(name="autovacuum_vacuum_cost_limit"),
    explanation=Explanation(
        changes="How many points of work all autovacuum workers together may do before they rest. Dirtying a "
        "page costs 20, reading one from disk 2 (10 up to 13).",
        helps="Large tables are cleaned and frozen in hours rather than days. More workers alone do "
        "not help: they share this allowance.",
        leave_alone="Small databases, mostly reads, rotating disks.",
        costs="More reading and writing in the background, and more WAL.",
        watch="How long autovacuum takes for the largest table (log_autovacuum_min_duration), iostat "
        "meanwhile.",
    ),
    pros=("Bloat and old transaction ids are dealt with in time.", "Takes a reload."),
    cons=(
        "Users may feel it on busy storage.",
        "That defaults were low for flash is documented; the value is a rule of thumb, not a measurement.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.autovacuum_on", near=True),
        Cite(claim="pgsql-page-miss.cost_limit"),
        Cite(claim="postgres-manual.autovacuum_vacuum_cost_limit"),
    ),
    decide=decide,
    witnesses=(DEAD_ROWS, FREEZING, PROBED),
    observed=(dead_rows,),
    after=("pg.autovacuum_vacuum_cost_delay",),
    examples=(
        Example(name="256 GB with writes", given=Given(database_size="256GB"), outcome=Sets(value="370")),
        Example(
            name="10 TB: as much as NVMe should bear",
            given=Given(database_size="10TB", disk="nvme"),
            outcome=Sets(value="2000"),
        ),
        Example(name="a small database", given=Given(database_size="10GB"), outcome=Declines(kind="keep")),
        Example(name="mostly reads", given=Given(workload="read_mostly"), outcome=Declines(kind="keep")),
        Example(name="rotating disks", given=Given(disk="hdd"), outcome=Declines()),
        Example(
            name="more was chosen",
            given=Given(settings={"autovacuum_vacuum_cost_limit": "2000"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
