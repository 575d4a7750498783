"""Which generators' arithmetic is known here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tunewiz.core.comparison.peer import PeerMachine
from tunewiz.core.comparison.pgconfig import pgconfig
from tunewiz.core.comparison.pgtune import pgtune
from tunewiz.core.comparison.timescaledb_tune import timescaledb_tune

PEER_RULES: Mapping[str, Callable[[PeerMachine], Mapping[str, str]]] = MappingProxyType(
    {"pgconfig": pgconfig, "pgtune": pgtune, "timescaledb-tune": timescaledb_tune}
)
"""By the name of their file in profiles/peers."""
