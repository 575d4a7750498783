"""A well-tuned server is left alone: memory that somebody chose moves by a half, or for a cause seen here."""

import pytest

from situations import finding, situation
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.units import Bytes
from tunewiz.knowledge.loading import load_knowledge
from watched import activity, with_statistics

CATALOGUE = load_knowledge().catalogue
SIZES = "shared_buffers", "work_mem", "maintenance_work_mem"


def planned(settings: dict[str, str], **counted: int) -> Plan:
    given = Given(memory="128GB", available="120GB", cores=32, connections=100, settings=settings)
    since = activity(seconds=10**6, **counted)
    return plan_of(CATALOGUE, with_statistics(given, since=since))


def proposed(name: str) -> Bytes:
    """What is proposed where nobody chose anything."""
    return Bytes.parse(planned({}).end.will_be(name))


@pytest.mark.parametrize("name", SIZES)
def test_a_little_less_than_would_be_proposed_stays(name: str) -> None:
    chosen = (proposed(name) * 3 // 4).pg()
    result = planned({name: chosen})
    assert result.end.settings[name].same(result.end.will_be(name), chosen)
    assert "nothing that was seen here asks for it" in finding(result, f"pg.{name}").because


@pytest.mark.parametrize("name", SIZES)
def test_half_of_what_would_be_proposed_is_raised(name: str) -> None:
    result = planned({name: (proposed(name) // 2).pg()})
    assert Bytes.parse(result.end.will_be(name)) >= proposed(name) * 3 // 4


def test_a_little_more_for_a_cause_that_was_seen_is_planned() -> None:
    chosen = (proposed("shared_buffers") * 3 // 4).pg()
    reads = planned({"shared_buffers": chosen}, blocks_hit=10**9, blocks_read=10**9, commits=10**6)
    assert Bytes.parse(reads.end.will_be("shared_buffers")) > Bytes.parse(chosen)


def test_a_default_is_raised_however_little() -> None:
    assert Bytes.parse(planned({}).end.will_be("shared_buffers")) > Bytes.parse("128MB")


FACTORS = "vacuum_scale_factor", "vacuum_insert_scale_factor", "analyze_scale_factor"


@pytest.mark.parametrize("name", FACTORS)
@pytest.mark.parametrize(("size", "changes"), [("120GB", False), ("160GB", False), ("300GB", True)])
def test_a_part_of_a_table_is_not_lowered_a_little(name: str, size: str, *, changes: bool) -> None:
    result = finding(plan_of(CATALOGUE, situation(Given(database_size=size))), f"pg.autovacuum_{name}")
    assert isinstance(result.verdict, Proposal) is changes
    assert changes or "soon enough" in result.because
