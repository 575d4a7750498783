"""Which changes may be switched back and forth under a live server's clients: none that could harm them."""

import dataclasses

import pytest

from situations import plan, proposes, situation
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.switchable import checkpoints_among, why_not_switched
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import NoServer
from tunewiz.core.recommendation.targets import Effect, PgTarget
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers, make_plan

KNOWLEDGE = load_knowledge()


def planned(machine: str) -> Plan:
    facts = demo_facts(machine)
    return make_plan(facts, default_answers(facts, KNOWLEDGE), KNOWLEDGE)


def refused(entry: Plan, *ids: str) -> str:
    return "\n".join(why_not_switched(entry, ids))


@pytest.mark.parametrize("machine", demo_names())
def test_only_settings_that_a_reload_changes_within_the_accepted_risk_are_switched(machine: str) -> None:
    result = planned(machine)
    for finding in result.findings:
        if refused(result, finding.recommendation.id):
            continue
        assert isinstance(finding.recommendation.target, PgTarget)
        assert finding.changes
        assert finding.takes_effect is Effect.RELOAD
        assert finding.recommendation.group != "durability"
        assert not isinstance(result.start.server, NoServer)
        assert result.start.server.running


def test_across_the_example_machines_some_changes_are_switched_and_most_are_not() -> None:
    plans = [planned(machine) for machine in demo_names()]
    reasons = [refused(entry, finding.recommendation.id) for entry in plans for finding in entry.findings]
    assert 0 < reasons.count("") < len(reasons) / 2


def test_a_reloadable_change_on_a_primary_is_switched() -> None:
    result = plan(proposes("pg.work_mem", "64MB"), now=situation(Given()))
    assert refused(result, "pg.work_mem") == ""


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (Given(role="standby"), "the server is a standby"),
        (Given(owner="patroni"), "kept by Patroni"),
        (Given(owner="container"), "kept by a container's manager"),
    ],
)
def test_a_server_whose_settings_are_not_its_own_is_refused(given: Given, reason: str) -> None:
    result = plan(proposes("pg.work_mem", "64MB"), now=situation(given))
    assert reason in refused(result, "pg.work_mem")


def test_a_server_that_does_not_run_is_refused() -> None:
    outcome = situation(Given())
    assert not isinstance(outcome.server, NoServer)
    stopped = dataclasses.replace(outcome, server=dataclasses.replace(outcome.server, running=False))
    result = plan(proposes("pg.work_mem", "64MB"), now=stopped)
    assert "the server is not running" in refused(result, "pg.work_mem")


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("pg.shared_buffers", "8GB", "takes effect: restart"),
        ("kernel.swappiness", "1", "not a PostgreSQL setting"),
    ],
)
def test_what_a_reload_does_not_change_is_refused_by_name(name: str, value: str, reason: str) -> None:
    assert reason in refused(plan(proposes(name, value), now=situation(Given())), name)


def test_what_decides_about_lost_transactions_is_not_switched() -> None:
    decides = dataclasses.replace(proposes("pg.synchronous_commit", "off"), group="durability")
    result = plan(decides, now=situation(Given()))
    assert "what a crash loses" in refused(result, "pg.synchronous_commit")


def test_a_name_that_no_recommendation_has_is_refused_with_the_others_reasons() -> None:
    result = plan(proposes("pg.shared_buffers", "8GB"), now=situation(Given()))
    text = refused(result, "pg.no_such", "pg.shared_buffers")
    assert "pg.no_such: found no recommendation of that name" in text
    assert "pg.shared_buffers: a reload does not put it in force" in text


def test_changes_that_move_checkpoints_are_known_by_name() -> None:
    assert checkpoints_among(("pg.work_mem", "pg.max_wal_size")) == ("pg.max_wal_size",)
    assert not checkpoints_among(("pg.work_mem",))
