"""Whether the guard of apply.sh, which watches the server, is named beside a bundle's commands, and how."""

from __future__ import annotations

from tunewiz.bundle.placement import Placement
from tunewiz.bundle.reverting import confirming
from tunewiz.core.recommendation.cluster import Cluster
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import RiskLevel

GUARDED_MINUTES = 30
"""Until an unconfirmed change is reverted: the guard's longest window, and time to look at what it says."""


def has_guard(placement: Placement) -> bool:
    """Whether the scripts know a server to watch: not those of a bundle that changes the host alone."""
    serves = placement.pool or any(change.action.restarts_server for change in placement.host)
    return isinstance(placement.cluster, Cluster) and bool(placement.settings or serves)


def guard_is_first(placement: Placement) -> bool:
    """Whether it is suggested before all else: for a restart, and for what is risky."""
    stops = any(change.action.stops_server for change in placement.host)
    is_risky = any(finding.risk is not RiskLevel.LOW for finding in placement.findings)
    return has_guard(placement) and (placement.restart or stops or is_risky)


def guarded(start: Situation, placement: Placement) -> str:
    """The options of apply.sh with it."""
    return f"{confirming(start, placement, GUARDED_MINUTES)} --guard"
