"""A plan is right only if the server that it was made for starts with it and uses what it says."""

import dataclasses
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from drawn_machines import machines, small_machines
from fixtures_matrix import Tally
from real_postgres import Cluster
from tunewiz.bundle.cluster import DROP_IN
from tunewiz.bundle.dropins import drop_ins
from tunewiz.bundle.placing import placed
from tunewiz.collect.postgres.conf import quoted
from tunewiz.core.answers.answers import Accepted
from tunewiz.core.planning.decisions import is_open
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.known import Known
from tunewiz.core.values.versions import Major
from tunewiz.kinds.setting import PlacedSetting
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import example_situation, situation_of

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(300)]

KNOWLEDGE = load_knowledge()
PLANS = 200
STARTS = 15
WORKED_OUT = {
    "io_max_concurrency": "-1",
    "subtransaction_buffers": "0",
    "transaction_buffers": "0",
    "wal_buffers": "-1",
}
"""Values in whose place a running server shows what it took."""

judged = settings(
    max_examples=PLANS, database=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
started = settings(judged, max_examples=STARTS, phases=[Phase.generate])


def plan_on(cluster: Cluster, machine: Given, *, take_all: bool) -> Plan:
    """The plan for a drawn machine whose server is this one; with all that is proposed, or what is ticked."""
    situation = example_situation(machine, KNOWLEDGE)
    (server,) = situation.facts.postgres
    here = dataclasses.replace(
        server,
        data_directory=Known(str(cluster.data_directory), "test"),
        config_file=Known(str(cluster.config_file), "test"),
        include_directory=Known(str(conf_d(cluster)), "test"),
    )
    facts = dataclasses.replace(situation.facts, postgres=(here,))
    plan = plan_of(KNOWLEDGE.catalogue, situation_of(facts, situation.answers, KNOWLEDGE))
    return plan_of(KNOWLEDGE.catalogue, all_taken(plan)) if take_all else plan


def all_taken(plan: Plan) -> Situation:
    """The plan's situation with a yes to every proposal."""
    yes = {
        finding.recommendation.id: Accepted()
        for finding in plan.findings
        if is_open(finding) and isinstance(finding.verdict, Proposal)
    }
    return dataclasses.replace(plan.start, answers=dataclasses.replace(plan.start.answers, decisions=yes))


def conf_d(cluster: Cluster) -> Path:
    """The directory that the configuration includes at its end."""
    return cluster.data_directory / "conf.d"


def put_in_place(cluster: Cluster, machine: Given, plan: Plan) -> tuple[PlacedSetting, ...]:
    """Writes what the machine's server had and the plan's own file; returns what the file sets."""
    had = "".join(f"{name} = {quoted(value)}\n" for name, value in machine.settings.items())
    (conf_d(cluster) / "had.conf").write_text(had)
    drop_in = conf_d(cluster) / DROP_IN
    placement = placed(plan)
    drop_in.write_bytes(drop_ins(placement).get(str(drop_in), b""))
    return placement.settings


def by_file(cluster: Cluster, name: str) -> str:
    """A setting as the server reads it from its files: it reads and judges all of them for that."""
    postgres = cluster.programs.bin_directory / "postgres"
    return cluster.run(postgres, "-D", cluster.data_directory, "-C", name).removesuffix("\n")


def test_the_server_takes_every_generated_plan(matrix_cluster: Cluster, major: str, tally: Tally) -> None:
    @judged
    @given(machines((Major.parse(major),)), st.booleans(), st.integers(0, 100))
    def takes(machine: Given, take_all: bool, chosen: int) -> None:  # noqa: FBT001 - hypothesis passes it by name
        planned = put_in_place(matrix_cluster, machine, plan_on(matrix_cluster, machine, take_all=take_all))
        tally["plans accepted"] += 1
        if planned:
            one = planned[chosen % len(planned)]
            assert by_file(matrix_cluster, one.name) == one.value
        else:
            by_file(matrix_cluster, "work_mem")
        tally["plans accepted, well"] += 1

    takes()


def test_the_server_starts_with_a_generated_plan_and_shows_every_value(
    matrix_cluster: Cluster, major: str, tally: Tally
) -> None:
    @started
    @given(small_machines(Major.parse(major)), st.booleans())
    def starts(machine: Given, take_all: bool) -> None:  # noqa: FBT001 - hypothesis passes it by name
        plan = plan_on(matrix_cluster, machine, take_all=take_all)
        planned = put_in_place(matrix_cluster, machine, plan)
        tally["started"] += 1
        matrix_cluster.start()
        try:
            shown = dict(
                row.split("|", 1)
                for row in matrix_cluster.query("select name, setting from pg_settings").splitlines()
                if "|" in row
            )
        finally:
            matrix_cluster.stop()
        tally["started, well"] += 1
        differing = dict[str, tuple[str, str]]()
        for change in planned:
            canonical = plan.start.settings[change.name].canonical(shown[change.name])
            tally["values equal"] += 1
            if canonical == change.value or WORKED_OUT.get(change.name) == change.value:
                tally["values equal, well"] += 1
            else:
                differing[change.name] = (change.value, canonical)
        assert differing == {}

    starts()
