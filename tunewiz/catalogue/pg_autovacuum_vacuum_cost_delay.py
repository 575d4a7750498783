"""autovacuum_vacuum_cost_delay: how long autovacuum rests between pieces of work."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import dead_rows
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.own_numbers import rather_than
from tunewiz.core.server.seen_vacuum import DEAD_ROWS, vacuum_keeps_up

REST = Fraction(2)
"""Milliseconds: the default since PostgreSQL 12; before it was 20."""


def decide(situation: Situation) -> Verdict:
    """Two milliseconds, as the server has it since 12."""
    info = situation.settings["autovacuum_vacuum_cost_delay"]
    text = situation.will_be("autovacuum_vacuum_cost_delay")
    current, shown = Fraction(info.canonical(text)), info.show(text)
    if current < 0:
        return Declined(because="-1: vacuum_cost_delay applies, by choice", kind="keep")
    if current <= REST:
        because = f"{shown} lets autovacuum keep up"
        return Declined(because=because, kind="keep")
    for observation in vacuum_keeps_up(situation):
        because = f"{shown} lets autovacuum keep up: {rather_than(observation, info.show(str(REST)))}"
        return Declined(because=because, kind="keep")
    pages = int(200 / 20 * 1000 / current)
    return Proposal(
        value=info.show(str(REST)),
        because=f"with {shown} all workers together may write only {pages} pages a second",
        computed="2 ms, the default since PostgreSQL 12: ten times the pace of the 20 ms before",
    )


RECOMMENDATION = Recommendation(
    id="pg.autovacuum_vacuum_cost_delay",
    title="Lower autovacuum_vacuum_cost_delay",
    group="vacuum",
    target=PgTarget(name="autovacuum_vacuum_cost_delay"),
    explanation=Explanation(
        changes="How long autovacuum sleeps each time it has done work worth "
        "autovacuum_vacuum_cost_limit points (a page read or written costs a few).",
        helps="Shorter sleeps: tables are cleaned before they bloat. PostgreSQL 12 made its default "
        "ten times shorter for this reason.",
        leave_alone="Where disks are at their limit in the busiest hour. From PostgreSQL 12 the default is "
        "right for most.",
        costs="More reading and writing in the background.",
        watch="n_dead_tup in pg_stat_user_tables, “avg read rate” and “avg write rate” in the "
        "autovacuum log.",
    ),
    pros=("Dead rows are removed before they pile up.", "Takes a reload."),
    cons=(
        "Users feel autovacuum more on slow disks.",
        "Measured by PostgreSQL's makers, not by the sources.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.autovacuum_on", near=True),
        Cite(claim="postgres-manual.autovacuum_vacuum_cost_delay"),
    ),
    decide=decide,
    witnesses=(DEAD_ROWS,),
    observed=(dead_rows,),
    examples=(
        Example(name="the default up to 11", given=Given(major="11"), outcome=Sets(value="2ms")),
        Example(
            name="slowed down by hand",
            given=Given(settings={"autovacuum_vacuum_cost_delay": "10ms"}),
            outcome=Sets(value="2ms"),
        ),
        Example(name="the default since 12", given=Given(major="12"), outcome=Declines(kind="keep")),
        Example(
            name="no rest at all was chosen",
            given=Given(settings={"autovacuum_vacuum_cost_delay": "0"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
