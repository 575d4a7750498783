"""How long a server takes for what surrounds the runs of a measurement: assumed first, then measured."""

from __future__ import annotations

from dataclasses import dataclass

from tunewiz.core.values.units import MIB, Bytes

CREATED_A_SECOND, COPIED_A_SECOND = 40 * MIB, 100 * MIB
"""Assumed until it is measured (pgbench -i and CREATE DATABASE on a small virtual machine)."""
LEAST_COPY = 1.0
SWITCHED_BY_RESTART, SWITCHED_BY_RELOAD = 2.5, 1.5
"""Assumed seconds of a script that applies changes or rolls them back."""
SLACK = 1.5
"""Restarts and checkpoints take longer after a run that wrote, by convention."""
MOST_IN_MEMORY = 0.5
"""Share of memory; more data are not assumed to stay in the caches."""
DATA_SHARE = 0.2
"""Of a budget, at most, to create and copy data whose size nobody asked for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerPace:
    """How long this server takes, in seconds."""

    create: float
    """For the data that every run starts from; 0 once they are there."""
    copy: float
    """For one run's copy of the data, with a checkpoint."""
    copy_changed: float
    """The same with the changes in force: a setting that ruins the server slows this too."""
    switch: float
    """For a script that applies the changes or rolls them back, with the server's restart."""
    is_cached: bool
    """Whether memory holds the data: copying them has warmed the caches then."""
    is_measured: bool = False
    """Whether these are this server's figures; otherwise they are assumed."""

    def around(self, scripts: int, *, unchanged: int = 0, changed: int = 0) -> float:
        """So many scripts and copies of the data, with some slack."""
        return SLACK * (scripts * self.switch + unchanged * self.copy + changed * self.copy_changed)


def assumed_pace(data: Bytes, memory: Bytes, *, restarts: bool) -> ServerPace:
    """Before anything was measured.

    Args:
        data: Size of the data that every run starts from.
        memory: Of the machine; 0 if unknown.
        restarts: Whether the changes need a restart.
    """
    copy = LEAST_COPY + data.count / COPIED_A_SECOND
    return ServerPace(
        create=data.count / CREATED_A_SECOND,
        copy=copy,
        copy_changed=copy,
        switch=SWITCHED_BY_RESTART if restarts else SWITCHED_BY_RELOAD,
        is_cached=is_cached(data, memory),
    )


def is_cached(data: Bytes, memory: Bytes) -> bool:
    """Whether memory holds data that have just been copied."""
    return data.count <= MOST_IN_MEMORY * memory.count


def affordable_data(budget: int, runs: int) -> Bytes:
    """The most data that a budget of so many seconds allows, copied for so many runs."""
    seconds_a_byte = 1 / CREATED_A_SECOND + runs * SLACK / COPIED_A_SECOND
    return Bytes(int(DATA_SHARE * budget / seconds_a_byte))
