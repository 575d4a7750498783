"""Facts learned of a server after the others: by watching it, probing its storage, reading its log."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TypeAlias

from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.log import LogSeen
from tunewiz.core.facts.probe import Probe
from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.values.known import Fact

Learned: TypeAlias = Callable[[Facts], Facts]
"""Adds to facts what was learned; nothing if they lack that server."""


def window_seen(server: PostgresServer, seen: Fact[Window]) -> Learned:
    """What a server did while it was watched."""
    return _of(server, lambda each: dataclasses.replace(each, window=seen))


def storage_probed(server: PostgresServer, found: Fact[Probe]) -> Learned:
    """What its storage does."""
    return _of(server, lambda each: dataclasses.replace(each, probe=found))


def log_read(server: PostgresServer, told: Fact[LogSeen]) -> Learned:
    """What its log shows."""
    return _of(server, lambda each: dataclasses.replace(each, log=told))


def _of(server: PostgresServer, change: Callable[[PostgresServer], PostgresServer]) -> Learned:
    def learned(facts: Facts) -> Facts:
        servers = (
            change(each) if each.data_directory == server.data_directory else each for each in facts.postgres
        )
        return dataclasses.replace(facts, postgres=tuple(servers))

    return learned
