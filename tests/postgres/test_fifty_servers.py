"""Forty sick states of a real server and ten healthy: the culprit is named first, no alarm is false."""

import dataclasses
from collections.abc import Sequence
from contextlib import ExitStack

import pytest

from fixtures_postgres import MakeCluster
from live_servers import the_server_alone, value
from made_troubles import HEALTHY, MADE, SETTINGS, MadeTrouble, sick_cases
from real_postgres import Cluster
from sessions_at_work import aged
from small_plans import small_answers, small_facts
from tunewiz.collect.postgres.wait_sampling import sample_server_waits
from tunewiz.collect.system import LiveSystem
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.health.troubles import checkup
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.versions import Major
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.minor_fixes import load_minor_fixes
from tunewiz.planning import make_plan

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(1_800)]
TWO_HOURS = 7_200
RIGHT_AT_LEAST = 38
"""Of forty, where ten healthy ones add up to 48 of 50."""


def looked_at(cluster: Cluster, case: tuple[MadeTrouble, ...]) -> PostgresServer:
    server = the_server_alone(cluster)
    if any(made.is_sampled for made in case):
        waits = sample_server_waits(LiveSystem(), server, 4, lambda _: None, lambda: False)
        server = dataclasses.replace(server, waits=waits)
    return aged(server, TWO_HOURS) if any(made.is_old for made in case) else server


def troubles(server: PostgresServer) -> tuple[Trouble, ...]:
    """All but which release happens to be installed."""
    facts = dataclasses.replace(small_facts(Given(major=str(value(server.major)))), postgres=(server,))
    result = checkup(make_plan(facts, small_answers(), load_knowledge()), load_minor_fixes())
    return tuple(trouble for trouble in result.troubles if trouble.kind != "fixes are missing")


def fault(case: tuple[MadeTrouble, ...], named: tuple[Trouble, ...]) -> str:
    """What is wrong with the names; empty if the costliest is first and the others are there too."""
    texts = [(trouble.kind, f"{trouble.what} {trouble.because}") for trouble in named]
    if not texts or texts[0][0] != case[0].kind or case[0].what not in _all_of(case[0], texts):
        return f"first of {[made.name for made in case]}: {texts[:1]}"
    missing = [made.name for made in case if made.what not in _all_of(made, texts)]
    return f"{missing} of {[made.name for made in case]}: {texts}" if missing else ""


def _all_of(made: MadeTrouble, texts: Sequence[tuple[str, str]]) -> str:
    return " ".join(text for kind, text in texts if kind == made.kind)


def test_there_are_forty_different_ones() -> None:
    names = [tuple(made.name for made in case) for case in sick_cases()]
    assert len(set(names)) == len(names) == 40
    assert all(case == tuple(sorted(case, key=MADE.index)) for case in sick_cases())
    assert len(HEALTHY) == 10


def test_the_culprit_is_named_first_and_healthy_servers_raise_no_alarm(make_cluster: MakeCluster) -> None:
    cluster = make_cluster(settings=SETTINGS)
    if Major.parse(cluster.programs.major) < Major(1500):
        pytest.skip("collations of databases have versions from 15 on")
    cluster.start()
    alarms = dict[str, tuple[Trouble, ...]]()
    for name, maker in HEALTHY:
        with maker(cluster):
            if named := troubles(the_server_alone(cluster)):
                alarms[name] = named
    assert alarms == {}
    faults = list[str]()
    for case in sick_cases():
        with ExitStack() as stack:
            for made in case:
                stack.enter_context(made.maker(cluster))
            faults.append(fault(case, troubles(looked_at(cluster, case))))
    assert sum(not text for text in faults) >= RIGHT_AT_LEAST, [text for text in faults if text]
    assert troubles(the_server_alone(cluster)) == ()
