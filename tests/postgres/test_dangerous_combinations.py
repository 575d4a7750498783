"""Dangerous values together on real servers: the plan starts there, and each danger that stays is named."""

import dataclasses
from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from test_matrix import plan_on, put_in_place

from dangers import a_value
from drawn_machines import small_machines
from fixtures_matrix import Tally
from real_postgres import Cluster
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.dangers import Danger
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.server.copy_on_write import data_copied_on_write
from tunewiz.core.values.pg_settings import SettingInfo
from tunewiz.core.values.versions import V10, V96, Major
from tunewiz.knowledge.loading import load_knowledge

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(300)]

KNOWLEDGE = load_knowledge()
ROWS = KNOWLEDGE.dangers.rows
COMBINATIONS = 20
"""For each of a dozen majors: more than two hundred servers in all."""
NOT_STARTED_WITH = {
    "max_connections",
    "ignore_system_indexes",
    "session_replication_role",
    "log_statement_stats",
    "standard_conforming_strings",
}
"""Too much shared memory, other answers to the test's questions, and a setting that excludes its siblings,
one that 19 takes no other value of."""
LEFT_OUT_OF_SESSIONS = {
    "client_min_messages",
    "default_transaction_read_only",
    "idle_session_timeout",
    "statement_timeout",
    "tcp_user_timeout",
    "transaction_timeout",
}
"""They would end or change the test's own questions, but not the start; or show as 0 on a local socket."""

drawn = settings(
    max_examples=COMBINATIONS,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.generate],
)


NEW_IN_MINORS = {"data_sync_retry"}
"""Came to old majors with minor releases; the first releases of 9.5 to 11 lack it."""


def rows_of(known: Mapping[str, SettingInfo]) -> list[Danger]:
    """Those that a server of the major can be started and asked with."""
    apart = NOT_STARTED_WITH | LEFT_OUT_OF_SESSIONS | NEW_IN_MINORS
    rows = [danger for danger in ROWS if danger.setting in known and danger.setting not in apart]
    return [
        danger for danger in rows if accepts(known[danger.setting], a_value(danger, known[danger.setting]))
    ]


def accepts(info: SettingInfo, value: str) -> bool:
    """Whether that major has the value: choices come and go."""
    return info.vartype not in {"bool", "enum"} or value in (info.choices or ("on", "off"))


@st.composite
def sick_machines(draw: st.DrawFn, major: Major) -> Given:
    """A small machine whose server has several dangerous values at once."""
    known = KNOWLEDGE.settings[major].known
    rows = draw(
        st.lists(st.sampled_from(rows_of(known)), min_size=2, max_size=12, unique_by=lambda row: row.setting)
    )
    values = dict[str, str]() if major >= V10 else {"wal_level": "hot_standby" if major < V96 else "replica"}
    for danger in rows:
        values |= {name: others[0] for name, others in danger.beside.items() if name in known}
        values[danger.setting] = a_value(danger, known[danger.setting])
    return dataclasses.replace(draw(small_machines(major)), role="primary", settings=values)


def live_values(cluster: Cluster) -> Mapping[str, str]:
    """Every setting as the server has it, in its own unit."""
    lines = cluster.query("select name, setting from pg_settings").splitlines()
    return dict(line.split("|", 1) for line in lines if "|" in line)


def dangers_of(plan: Plan, live: Mapping[str, str]) -> set[str]:
    """The settings whose live values are dangerous."""
    known = plan.end.settings
    copied = data_copied_on_write(plan.end)
    rows = [danger for danger in ROWS if not (copied and danger.harmless_on_copies)]
    having = [danger for danger in rows if danger.setting in live and known.has(danger.setting)]
    return {danger.setting for danger in having if is_dangerous(danger, known[danger.setting], live)}


def is_dangerous(danger: Danger, info: SettingInfo, live: Mapping[str, str]) -> bool:
    beside = all(live[name] in values for name, values in danger.beside.items() if name in live)
    other = danger.below_setting
    is_below = other is None or Fraction(live[info.name]) < Fraction(live[other])
    return beside and is_below and danger.applies(info, live[info.name])


def test_a_server_with_dangerous_values_starts_with_its_plan_and_each_that_stays_is_named(
    matrix_cluster: Cluster, major: str, tally: Tally
) -> None:
    @drawn
    @given(sick_machines(Major.parse(major)), st.booleans())
    def starts(machine: Given, take_all: bool) -> None:  # noqa: FBT001 - hypothesis passes it by name
        plan = plan_on(matrix_cluster, machine, take_all=take_all)
        put_in_place(matrix_cluster, machine, plan)
        tally["started"] += 1
        matrix_cluster.start()
        try:
            live = live_values(matrix_cluster)
        finally:
            matrix_cluster.stop()
        tally["started, well"] += 1
        codes = {"data_at_risk", "work_stops", "dangerous_value", "value_note"}
        named = {warning.text.partition(" = ")[0] for warning in plan.warnings if warning.code in codes}
        assert sorted(dangers_of(plan, live) ^ named) == []

    starts()
