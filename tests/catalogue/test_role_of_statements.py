"""One role is given what its own statements need, and no other role or server is touched."""

import dataclasses

import pytest

from small_plans import small_answers, small_facts
from tunewiz.catalogue import role_jit, role_own_work_mem
from tunewiz.core.facts.counters import RoleStatements, Statements
from tunewiz.core.facts.log import SizeClass
from tunewiz.core.facts.server import Override
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Declined, Proposal
from tunewiz.core.values.known import Known, MissingFact, Unknown
from tunewiz.core.values.units import MIB, Bytes
from tunewiz.kinds.role import RoleSetting
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import situation_of

REPORTS = RoleStatements(
    role="reports for the role x",
    calls=1_000_000,
    run_ms=1_000_000,
    jit_ms=0,
    spills=(SizeClass(at_most=Bytes(64 * MIB), files=5_000),),
    is_superuser=False,
    can_log_in=True,
    connection_limit=4,
)
SHOP = dataclasses.replace(REPORTS, role="shop", jit_ms=300_000, spills=(), connection_limit=-1)
OWN = Override(database="", role=REPORTS.role, name="work_mem", value="32MB")


def situation(
    *roles: RoleStatements, overrides: tuple[Override, ...] = (), given: Given | None = None
) -> Situation:
    spills = tuple(entry for role in roles for entry in role.spills)
    statements = Statements(calls=2_000_000, run_ms=2_000_000, jit_ms=0, spills=spills, roles=roles)
    facts = small_facts(
        given or Given(memory="64GB"),
        statements=Known(statements, "test"),
        overrides=Known(overrides, "test"),
    )
    return situation_of(facts, small_answers(), load_knowledge())


def test_the_role_that_spills_gets_more_whatever_its_name_is() -> None:
    start = situation(REPORTS, SHOP)
    verdict = role_own_work_mem.decide(start)
    assert isinstance(verdict, Proposal)
    assert (verdict.value, verdict.ticked) == (f"192MB for the role {REPORTS.role}", False)
    expected = RoleSetting(role=REPORTS.role, database="", name="work_mem", value="192MB", before="")
    assert role_own_work_mem.actions(start, verdict.value) == (expected,)


def test_a_value_of_somebodys_own_goes_to_the_same_role() -> None:
    (setting,) = role_own_work_mem.actions(situation(REPORTS, SHOP), "256MB")
    assert setting == RoleSetting(role=REPORTS.role, database="", name="work_mem", value="256MB", before="")


@pytest.mark.parametrize("limit", [1, 4, 40, 400])
def test_all_sessions_of_the_role_together_fit_beside_everybody(limit: int) -> None:
    verdict = role_own_work_mem.decide(
        situation(dataclasses.replace(REPORTS, connection_limit=limit), given=Given(memory="8GB"))
    )
    if isinstance(verdict, Proposal):
        size = Bytes.parse(verdict.value.partition(" ")[0])
        assert size * limit < Bytes.parse("8GB")
    else:
        assert limit > REPORTS.connection_limit


@pytest.mark.parametrize(
    "roles",
    [
        (dataclasses.replace(REPORTS, is_superuser=True),),
        (dataclasses.replace(REPORTS, can_log_in=False),),
        (dataclasses.replace(REPORTS, connection_limit=-1),),
        (dataclasses.replace(REPORTS, connection_limit=0),),
        (dataclasses.replace(REPORTS, spills=(SizeClass(at_most=Bytes(64 * MIB), files=9),)),),
        (dataclasses.replace(REPORTS, spills=(SizeClass(at_most=Bytes(MIB), files=9_000),)),),
        (REPORTS, dataclasses.replace(REPORTS, role="shop")),
        (),
    ],
    ids=["superuser", "cannot log in", "no limit", "no connection", "few", "small", "two roles", "not told"],
)
def test_every_other_role_is_left_alone(roles: tuple[RoleStatements, ...]) -> None:
    assert isinstance(role_own_work_mem.decide(situation(*roles)), Declined)


@pytest.mark.parametrize("database", ["", "shop"])
def test_a_role_with_a_value_of_its_own_keeps_it(database: str) -> None:
    own = dataclasses.replace(OWN, database=database)
    verdict = role_own_work_mem.decide(situation(REPORTS, overrides=(own,)))
    assert isinstance(verdict, Declined)
    assert "has its own work_mem: 32MB" in verdict.because


def test_nothing_is_set_for_a_role_whose_settings_were_not_read() -> None:
    facts = situation(REPORTS).facts
    server = dataclasses.replace(facts.postgres[0], overrides=Unknown("no"))
    start = situation_of(dataclasses.replace(facts, postgres=(server,)), small_answers(), load_knowledge())
    with pytest.raises(MissingFact):
        role_own_work_mem.decide(start)


def test_compilation_is_turned_off_for_the_one_role_that_suffers() -> None:
    start = situation(REPORTS, SHOP)
    verdict = role_jit.decide(start)
    assert isinstance(verdict, Proposal)
    assert (verdict.value, verdict.ticked) == ("off for the role shop", False)
    expected = RoleSetting(role="shop", database="", name="jit", value="off", before="")
    assert role_jit.actions(start, verdict.value) == (expected,)


@pytest.mark.parametrize(
    "roles",
    [
        (REPORTS,),
        (SHOP, dataclasses.replace(SHOP, role="other")),
        (dataclasses.replace(SHOP, calls=3),),
        (dataclasses.replace(SHOP, run_ms=0),),
        (dataclasses.replace(SHOP, is_superuser=True),),
    ],
    ids=["nobody", "two", "few calls", "no time", "superuser"],
)
def test_compilation_stays_on_for_everybody_else(roles: tuple[RoleStatements, ...]) -> None:
    assert isinstance(role_jit.decide(situation(*roles)), Declined)
