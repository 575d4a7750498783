"""What is said of settings of 17 to 19 is what real servers of these majors do."""

import dataclasses
from collections.abc import Generator, Mapping
from contextlib import contextmanager

import pytest

from live_servers import the_server_alone
from real_postgres import Cluster
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.versions import V17, V18, Major
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import example_situation, situation_of

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(300)]

KNOWLEDGE = load_knowledge()
V19 = Major.parse("19")


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


def findings(server: PostgresServer, major: str) -> Mapping[str, Finding]:
    """The plan for this server, on a machine with many cores."""
    situation = example_situation(Given(major=major, cores=32, disk="nvme"), KNOWLEDGE)
    facts = dataclasses.replace(situation.facts, postgres=(server,))
    plan = plan_of(KNOWLEDGE.catalogue, situation_of(facts, situation.answers, KNOWLEDGE))
    return {finding.recommendation.id: finding for finding in plan.findings}


def proposed(finding: Finding) -> str:
    return finding.verdict.value if isinstance(finding.verdict, Proposal) else ""


def bad_lines(major: str) -> dict[str, str]:
    """By setting, what somebody may have written to no good."""
    lines = {
        "transaction_timeout": "1h",
        "idle_session_timeout": "1h",
        "parallel_leader_participation": "off",
    }
    if Major.parse(major) >= V18:
        lines |= {"vacuum_max_eager_freeze_failure_rate": "0", "autovacuum_max_workers": "20"}
    if Major.parse(major) >= V19:
        lines |= {"io_min_workers": "9", "io_max_workers": "3", "log_autoanalyze_min_duration": "-1"}
        lines |= {"timing_clock_source": "system"}
    return lines


def with_newer_settings(major: str) -> None:
    if Major.parse(major) < V17:
        pytest.skip("it has none of them")


def test_what_is_proposed_for_lines_to_no_good_is_what_the_server_takes(
    matrix_cluster: Cluster, major: str
) -> None:
    with_newer_settings(major)
    with started(matrix_cluster, bad_lines(major)) as server:
        verdicts = findings(server, major)
        for name in bad_lines(major).keys() - {"autovacuum_max_workers"}:
            assert verdicts[f"pg.{name}"].state in {"advise", "change"}, name
        values = {
            name: proposed(verdicts[f"pg.{name}"])
            for name in KNOWLEDGE.settings[Major.parse(major)].known
            if f"pg.{name}" in verdicts and name in {*bad_lines(major), "autovacuum_worker_slots"}
        }
    right = bad_lines(major) | {name: text for name, text in values.items() if text}
    with started(matrix_cluster, right):
        for name, text in values.items():
            if text:
                assert matrix_cluster.query(f"show {name}").split(" ")[0] == text, name


def test_defaults_of_a_real_server_are_left_alone(matrix_cluster: Cluster, major: str) -> None:
    with_newer_settings(major)
    with started(matrix_cluster, {}) as server:
        verdicts = findings(server, major)
        for name in bad_lines(major).keys() - {"io_max_workers", "autovacuum_max_workers"}:
            assert verdicts[f"pg.{name}"].state == "keep", name
