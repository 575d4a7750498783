"""The settings of a plan that PostgreSQL's planner reads."""

from __future__ import annotations

from tunewiz.core.planning.plan import Plan
from tunewiz.core.proof.plan_flips import SettingTried
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.values.known import known_or

_PLANNER = frozenset(
    {
        "cpu_index_tuple_cost",
        "cpu_operator_cost",
        "cpu_tuple_cost",
        "cursor_tuple_fraction",
        "effective_cache_size",
        "effective_io_concurrency",
        "from_collapse_limit",
        "geqo",
        "geqo_threshold",
        "hash_mem_multiplier",
        "join_collapse_limit",
        "max_parallel_workers_per_gather",
        "min_parallel_index_scan_size",
        "min_parallel_relation_size",
        "min_parallel_table_scan_size",
        "parallel_setup_cost",
        "parallel_tuple_cost",
        "random_page_cost",
        "seq_page_cost",
        "work_mem",
    }
)
"""Settings that the planner reads while it plans (PostgreSQL's documentation, Query Planning and Resource
Consumption), beside those whose names begin with `enable_`. Not default_statistics_target: it counts only
once tables were analyzed anew."""


def planner_settings(plan: Plan) -> tuple[SettingTried, ...]:
    """The plan's new or assumed values of the settings that PostgreSQL's planner reads, by name."""
    situation = plan.start
    return tuple(
        SettingTried(name=name, before=known_or(situation.setting(name), "?"), after=finding.sets)
        for finding in sorted(plan.findings, key=lambda finding: finding.recommendation.id)
        if isinstance(finding.recommendation.target, PgTarget)
        and finding.sets
        and _is_read_by_planner(name := finding.recommendation.target.name)
    )


def _is_read_by_planner(name: str) -> bool:
    return name in _PLANNER or name.startswith("enable_")
