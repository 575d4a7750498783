"""Facts learned of a server after the others: by watching it, probing its storage, reading its log."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TypeAlias

from tunewiz.core.facts.deep_look import DeepLook
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.log import LogSeen
from tunewiz.core.facts.probe import Probe
from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.facts.waits import Waits
from tunewiz.core.values.known import Fact

Learned: TypeAlias = Callable[[Facts], Facts]
"""Adds to facts what was learned; nothing if they lack that server."""


def window_seen(server: PostgresServer, window: Fact[Window]) -> Learned:
    """What a server did while it was watched."""
    return _of(server, lambda server: dataclasses.replace(server, window=window))


def storage_probed(server: PostgresServer, probe: Fact[Probe]) -> Learned:
    """What its storage does."""
    return _of(server, lambda server: dataclasses.replace(server, probe=probe))


def log_read(server: PostgresServer, log: Fact[LogSeen]) -> Learned:
    """What its log shows."""
    return _of(server, lambda server: dataclasses.replace(server, log=log))


def waits_sampled(server: PostgresServer, waits: Fact[Waits]) -> Learned:
    """What its sessions waited for."""
    return _of(server, lambda server: dataclasses.replace(server, waits=waits))


def looked_deeper(server: PostgresServer, deep: Fact[DeepLook]) -> Learned:
    """What a deep look at it found."""
    return _of(server, lambda server: dataclasses.replace(server, deep=deep))


def _of(server: PostgresServer, change: Callable[[PostgresServer], PostgresServer]) -> Learned:
    def learned(facts: Facts) -> Facts:
        servers = (
            change(postgres_server)
            if postgres_server.data_directory == server.data_directory
            else postgres_server
            for postgres_server in facts.postgres
        )
        return dataclasses.replace(facts, postgres=tuple(servers))

    return learned
