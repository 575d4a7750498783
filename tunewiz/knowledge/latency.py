"""The limits by which a measured latency tells the kind of storage."""

from __future__ import annotations

from functools import cache

from tunewiz.core.facts.storage_latency import LatencyRules
from tunewiz.knowledge.profiles import read_record


@cache
def latency_rules() -> LatencyRules:
    """As profiles/storage/latency.toml has them."""
    return read_record(LatencyRules, "storage", "latency.toml")
