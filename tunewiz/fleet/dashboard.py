"""A Grafana dashboard of the metrics of a fleet, to be imported as it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Literal

_SOURCE = {"type": "prometheus", "uid": "${datasource}"}
_SCHEMA_VERSION = 39
_WIDTH = 24
"""Columns of Grafana's grid."""
_HOSTS = 20
"""Hosts that a table lists."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Panel:
    """One picture."""

    title: str
    kind: Literal["stat", "timeseries", "table"]
    query: str
    width: int
    legend: str = ""
    unit: str = "short"


_PANELS = (
    Panel(title="Hosts", kind="stat", query="sum(tunewiz_fleet_hosts)", width=4),
    Panel(title="Hosts not planned", kind="stat", query="sum(tunewiz_fleet_hosts_not_planned)", width=4),
    Panel(title="Hosts gone", kind="stat", query="sum(tunewiz_fleet_hosts_gone)", width=4),
    Panel(title="Groups", kind="stat", query="sum(tunewiz_fleet_groups)", width=4),
    Panel(
        title="Hosts with drift",
        kind="stat",
        query="count((tunewiz_fleet_host_changed_values + tunewiz_fleet_host_values_unlike_group) > 0) "
        "or vector(0)",
        width=4,
    ),
    Panel(
        title="Since the last collection",
        kind="stat",
        query="time() - max(tunewiz_fleet_collection_timestamp_seconds)",
        width=4,
        unit="s",
    ),
    Panel(
        title="Values that the plan changes",
        kind="timeseries",
        query="sum by (major) (tunewiz_fleet_host_changes)",
        width=12,
        legend="PostgreSQL {{major}}",
    ),
    Panel(
        title="Values that changed, and that no plan asked for",
        kind="timeseries",
        query="sum(tunewiz_fleet_host_changed_values)",
        width=12,
        legend="values",
    ),
    Panel(
        title="Rules that values in force do not keep, by host",
        kind="table",
        query=f"topk({_HOSTS}, tunewiz_fleet_host_policy_not_kept > 0)",
        width=12,
    ),
    Panel(
        title="Rules that plans do not obey, by host",
        kind="table",
        query=f"topk({_HOSTS}, tunewiz_fleet_host_policy_broken > 0)",
        width=12,
    ),
    Panel(
        title="Values unlike those of most hosts of the group",
        kind="table",
        query=f"topk({_HOSTS}, tunewiz_fleet_host_values_unlike_group > 0)",
        width=12,
    ),
    Panel(
        title="Trouble that no setting mends",
        kind="table",
        query=f"topk({_HOSTS}, tunewiz_fleet_host_troubles > 0)",
        width=12,
    ),
    Panel(
        title="Hosts on which a rule is not kept",
        kind="table",
        query="tunewiz_fleet_policy_rule_hosts_broken > 0",
        width=12,
    ),
    Panel(
        title="Time until a rule expires",
        kind="table",
        query="sort(tunewiz_fleet_policy_rule_end_seconds - time())",
        width=12,
        unit="s",
    ),
    Panel(
        title="Hosts that are not as their bundle planned them",
        kind="table",
        query="tunewiz_as_planned == 0",
        width=12,
    ),
    Panel(
        title="Values that are not as their bundle planned them",
        kind="table",
        query="tunewiz_difference",
        width=12,
    ),
)
_HEIGHT = {"stat": 4, "timeseries": 8, "table": 8}


def dashboard_text() -> str:
    """The dashboard as JSON; it asks for its data source, and needs no plugin."""
    document: dict[str, object] = {
        "title": "tunewiz: many servers",
        "uid": "tunewiz-fleet",
        "tags": ["postgresql", "tunewiz"],
        "schemaVersion": _SCHEMA_VERSION,
        "editable": True,
        "refresh": "5m",
        "time": {"from": "now-30d", "to": "now"},
        "timezone": "",
        "templating": {"list": [_data_source()]},
        "panels": list(_placed()),
    }
    return json.dumps(document, indent=1) + "\n"


def _data_source() -> dict[str, object]:
    return {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus"}


def _placed() -> Iterator[dict[str, object]]:
    """The panels from left to right, a new row where one is full."""
    column, row = 0, 0
    for number, panel in zip(count(1), _PANELS, strict=False):
        height = _HEIGHT[panel.kind]
        yield _panel(panel, number, {"x": column, "y": row, "w": panel.width, "h": height})
        column += panel.width
        if column >= _WIDTH:
            column, row = 0, row + height


def _panel(panel: Panel, number: int, position: dict[str, int]) -> dict[str, object]:
    is_series = panel.kind == "timeseries"
    target = {
        "refId": "A",
        "datasource": _SOURCE,
        "expr": panel.query,
        "legendFormat": panel.legend or "__auto",
        "instant": not is_series,
        "range": is_series,
        "format": "table" if panel.kind == "table" else "time_series",
    }
    return {
        "id": number,
        "title": panel.title,
        "type": panel.kind,
        "datasource": _SOURCE,
        "gridPos": position,
        "targets": [target],
        "fieldConfig": {"defaults": {"unit": panel.unit}, "overrides": []},
        "options": {},
    }
