"""What real servers took for themselves is never said to be set, and what a file sets always is."""

import dataclasses
from collections.abc import Generator, Mapping
from contextlib import contextmanager

import pytest

from live_servers import the_server_alone, value
from real_postgres import Cluster
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.upgrade.configured import configured
from tunewiz.core.values.versions import V17, V18, Major
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import example_situation, situation_of

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(300)]

KNOWLEDGE = load_knowledge()
SIZES = ("16MB", "128MB", "1GB", "4GB")
LINES = "select distinct lower(name) from pg_file_settings where error is null or not applied"
SETTLED_AT_START = ("transaction_buffers", "subtransaction_buffers", "io_max_concurrency", "wal_buffers")
SAID_OF_SET_VALUES = ("set to ", "was set by hand", "but only")


@contextmanager
def started(cluster: Cluster, lines: Mapping[str, str]) -> Generator[PostgresServer]:
    """The server with these lines in its configuration, as it is found."""
    text = "".join(f"{name} = {text}\n" for name, text in lines.items())
    (cluster.data_directory / "conf.d" / "lines.conf").write_text(text)
    cluster.start()
    try:
        yield the_server_alone(cluster)
    finally:
        cluster.stop()


def plan_for(server: PostgresServer, major: str) -> Plan:
    """The plan for this server on a machine of which little matters here."""
    situation = example_situation(Given(major=major, memory="64GB"), KNOWLEDGE)
    facts = dataclasses.replace(situation.facts, postgres=(server,))
    return plan_of(KNOWLEDGE.catalogue, situation_of(facts, situation.answers, KNOWLEDGE))


def reasons(plan: Plan) -> dict[str, str]:
    """Why each automatic setting that this major has is what the plan makes it."""
    by_id = {finding.recommendation.id: finding for finding in plan.findings}
    names = [name for name in SETTLED_AT_START if plan.start.settings.has(name)]
    return {name: by_id[f"pg.{name}"].because for name in names}


def test_what_is_called_set_is_what_a_file_sets(matrix_cluster: Cluster, major: str) -> None:
    for size in SIZES:
        with started(matrix_cluster, {"shared_buffers": size}) as server:
            lines = set(matrix_cluster.query(LINES).splitlines())
            settings = value(server.settings)
            assert {name.lower() for name, setting in settings.items() if setting.is_set} == lines, size
            in_words = {
                line.setting.lower() for line in configured(server, KNOWLEDGE.settings[Major.parse(major)])
            }
            assert in_words == lines, size
            plan = plan_for(server, major)
            for name, because in reasons(plan).items():
                assert not any(words in because for words in SAID_OF_SET_VALUES), (size, name, because)
                assert plan.start.will_be(name) == plan.start.default(name), (size, name)


def test_a_line_that_leaves_the_size_to_the_server_sets_nothing(matrix_cluster: Cluster, major: str) -> None:
    lines = {"wal_buffers": "-1"}
    if Major.parse(major) >= V17:
        lines |= {"transaction_buffers": "0", "subtransaction_buffers": "0"}
    with started(matrix_cluster, {"shared_buffers": "1GB", **lines}) as server:
        assert [name for name in lines if value(server.settings)[name].is_set] == []
        for name, because in reasons(plan_for(server, major)).items():
            assert not any(words in because for words in SAID_OF_SET_VALUES), (name, because)


def test_a_line_with_less_than_the_server_would_take_is_set(matrix_cluster: Cluster, major: str) -> None:
    lines = {"wal_buffers": "64kB"}
    if Major.parse(major) >= V17:
        lines |= {"transaction_buffers": "128kB", "subtransaction_buffers": "128kB"}
    if Major.parse(major) >= V18:
        lines |= {"io_max_concurrency": "2"}
    with started(matrix_cluster, {"shared_buffers": "1GB", **lines}) as server:
        assert [name for name in lines if value(server.settings)[name].is_set] == list(lines)
        by_id = {finding.recommendation.id: finding for finding in plan_for(server, major).findings}
        for name in lines:
            verdict = by_id[f"pg.{name}"].verdict
            assert isinstance(verdict, Proposal), name
            assert any(words in verdict.because for words in SAID_OF_SET_VALUES), (name, verdict.because)
