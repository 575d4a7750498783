"""How tables are made: what of it is a trouble, what only to be looked at, and its SQL with its undo."""

import dataclasses

import pytest

from small_health import DUPLICATE, HEALTHY
from small_plans import small_answers, small_facts
from small_tables import database
from tunewiz.collect.postgres.design_queries import design_queries
from tunewiz.core.answers.answers import Answers
from tunewiz.core.facts.design import DesignFlaw, DesignFlawKind
from tunewiz.core.health.troubles import Checkup, checkup
from tunewiz.core.tables.items import TableAdvice
from tunewiz.core.tables.tables import advice_on_tables
from tunewiz.core.values.known import Known, Unknown
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.minor_fixes import load_minor_fixes
from tunewiz.planning import make_plan

ALONE = small_answers()
FOLLOWED = dataclasses.replace(ALONE, server=dataclasses.replace(ALONE.server, replicas=1))
LONGER = dataclasses.replace(DUPLICATE, name="short", same_as="longer", bytes=8 * 1_048_576)


def flaw(kind: DesignFlawKind, count: int = 0) -> DesignFlaw:
    return DesignFlaw(kind=kind, schema="public", name="log", bytes=64 * 1_048_576, count=count)


def advice(*flaws: DesignFlaw, answers: Answers = ALONE) -> tuple[TableAdvice, Checkup]:
    here = dataclasses.replace(
        database(),
        invalid_indexes=Known((), ""),
        design_flaws=Known(flaws, ""),
        redundant_indexes=Known((LONGER,), "") if not flaws else Known((), ""),
    )
    facts = small_facts(health=Known(HEALTHY, "a look"), tables=Known((here,), "a look"))
    plan = make_plan(facts, answers, load_knowledge())
    return advice_on_tables(plan), checkup(plan, load_minor_fixes())


def test_a_published_table_without_identity_is_a_trouble_with_its_undo() -> None:
    tables, health = advice(flaw("no replica identity"))
    (decision,) = tables.decisions
    (trouble,) = health.troubles
    assert (trouble.kind, trouble.what) == ("no replica identity", "public.log")
    assert trouble.do == decision.do == ('ALTER TABLE "public"."log" REPLICA IDENTITY FULL;',)
    assert trouble.undo == ('ALTER TABLE IF EXISTS "public"."log" REPLICA IDENTITY DEFAULT;',)


def test_an_unlogged_table_is_a_trouble_only_where_standbys_follow() -> None:
    tables, health = advice(flaw("unlogged table"))
    assert (tables, health.troubles) == (TableAdvice(), ())
    tables, health = advice(flaw("unlogged table"), answers=FOLLOWED)
    assert [decision.undo for decision in tables.decisions] == [
        ('ALTER TABLE IF EXISTS "public"."log" SET UNLOGGED;',)
    ]
    assert [trouble.kind for trouble in health.troubles] == ["unlogged table"]


@pytest.mark.parametrize("kind", ["no primary key", "many partitions", "default partition"])
def test_what_may_be_meant_so_is_shown_and_is_no_trouble(kind: DesignFlawKind) -> None:
    tables, health = advice(flaw(kind, 2_000))
    assert [sight.kind for sight in tables.sights] == [kind]
    assert (tables.decisions, health.troubles) == ((), ())


def test_an_index_that_another_begins_with_can_be_dropped_and_made_again() -> None:
    tables, health = advice()
    (decision,) = tables.decisions
    assert (decision.kind, decision.do) == (
        "redundant index",
        ('DROP INDEX CONCURRENTLY "public"."short";',),
    )
    assert decision.undo == ("CREATE INDEX CONCURRENTLY again ON public.orders USING btree (total);",)
    assert health.troubles == ()


def test_an_archive_that_is_off_is_no_trouble_as_long_as_somebody_knows_it() -> None:
    _, health = advice(flaw("unlogged table"))
    (note,) = health.notes
    assert note.startswith("archive_mode is off: there is no way back to a point in time")
    unread = small_facts(settings=Unknown("not read"))
    assert checkup(make_plan(unread, ALONE, load_knowledge()), load_minor_fixes()).notes == ()


@pytest.mark.parametrize("release", [90_500, 90_600, 100_000, 110_000, 190_000])
def test_no_fragment_is_left_in_the_statements_of_any_release(release: int) -> None:
    for query in design_queries(release):
        for fragment in ("COLUMNS", "FROM", "NO_PARTITION"):
            assert fragment not in query.sql
    flaws, _ = design_queries(release)
    assert ("partdefid" in flaws.sql) is (release >= 110_000)
