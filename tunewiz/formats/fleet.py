"""The public form of a fleet: groups.json."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.groups import Drift, HostGroup, drift_in, outliers
from tunewiz.core.fleet.hosts import HostDecision

SCHEMA = 1


def fleet_json(fleet: Fleet) -> str:
    """The same fleet gives the same bytes, in ASCII."""
    apart = outliers(fleet.groups)
    document = {
        "schema": SCHEMA,
        "groups": [
            {
                **_group(group),
                "outlier": {
                    "nearest": apart[group.name].nearest,
                    "differs": list(apart[group.name].differences),
                }
                if group.name in apart
                else None,
            }
            for group in fleet.groups
        ],
        "waves": [list(wave) for wave in fleet.waves],
        "troubles": {kind: list(hosts) for kind, hosts in fleet.troubles.items()},
        "failed": [
            {"host": failure.host, "file": failure.source, "why": failure.why} for failure in fleet.failed
        ],
        "unused_answers": list(fleet.unused),
        "violations": violations_document(fleet),
    }
    return json.dumps(document, indent=1) + "\n"


def violations_document(fleet: Fleet) -> list[dict[str, object]]:
    """The rules of the shop that are over or not obeyed."""
    return [
        {
            "kind": violation.kind,
            "rule": violation.rule.demands[0],
            "reason": violation.rule.reason,
            "owner": violation.rule.owner,
            "until": None if violation.rule.until is None else violation.rule.until.isoformat(),
            "hosts": list(violation.hosts),
        }
        for violation in fleet.violations
    ]


def _group(group: HostGroup) -> dict[str, object]:
    hosts = [host.host for host in group.hosts]
    differs = group.differs
    return {
        "name": group.name,
        "major": group.major,
        "hosts": hosts,
        "decisions": [
            _decision(decision, group.today(decision), group.values(decision)) for decision in group.decisions
        ],
        "differs": {
            decision.id: dict(zip(hosts, values, strict=True)) for decision, values in differs.items()
        },
        "today": {
            decision.id: dict(zip(hosts, (host.today[index] for host in group.hosts), strict=True))
            for index, decision in enumerate(group.decisions)
            if len(group.today(decision)) > 1
        },
        "drift": [_drift(drift) for drift in drift_in(group)],
    }


def _decision(decision: HostDecision, today: Sequence[str], values: Sequence[str]) -> dict[str, object]:
    """What is not the same on all hosts is null here, and told host by host in the group's maps."""
    return {
        "id": decision.id,
        "name": decision.name,
        "state": decision.state,
        "today": today[0] if len(today) == 1 else None,
        "value": values[0] if len(values) == 1 else None,
        "takes_effect": decision.takes,
        "decided": decision.decided or None,
    }


def _drift(drift: Drift) -> dict[str, object]:
    return {
        "host": drift.host,
        "name": drift.name,
        "found": drift.found,
        "most": drift.most,
        "share": round(float(drift.share), 3),
    }
