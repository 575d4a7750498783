"""A worked example as a person reads it: what differs from the usual server, not the name of a test."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import cast

from tunewiz.core.recommendation.examples import Given

USUAL = (
    "On a server with 64GB of memory, 4 cores of x86_64, an SSD, PostgreSQL 15 as it is installed, "
    "256GB of data and 200 connections for transactions, unless told otherwise:"
)
"""The server that `Given()` is, in words."""

_OF: Mapping[str, str] = {
    "memory": "{} of memory",
    "available": "{} of it available",
    "swap": "{} of swap",
    "cores": "{} cores",
    "threads_per_core": "{} threads per core",
    "sockets": "{} sockets",
    "architecture": "{}",
    "kernel_release": "Linux {}",
    "hypervisor": "under {}",
    "container": "in {}",
    "disk": "data on {}",
    "filesystem": "{}",
    "major": "PostgreSQL {}",
    "role": "a {}",
    "workload": "{}",
    "connections": "{} connections",
    "replicas": "{} standbys",
    "database_size": "{} of data",
    "posture": "{}",
    "recovery_time": "recovery within {}",
    "free_space": "{} free for WAL",
    "owner": "kept by {}",
}
_WHETHER: Mapping[str, tuple[str, str]] = {
    "running": ("running", "the server is down"),
    "restart": ("restarts accepted", "no restart accepted"),
    "reboot": ("reboots accepted", "no reboot accepted"),
    "may_change_kernel": ("kernel changes accepted", "no kernel change accepted"),
}
NOTHING_DIFFERS = "the usual server"


def described(name: str, given: Given) -> str:
    """What differs, shortly; an example's own name where that is a list of parts such as disks or slots."""
    values = {entry.name: getattr(given, entry.name) for entry in dataclasses.fields(given)}
    different = {key: value for key, value in values.items() if value != getattr(Given(), key)}
    if any(not _is_plain(value) for value in different.values()):
        return name
    return (
        ", ".join(part for key, value in different.items() for part in _parts(key, value)) or NOTHING_DIFFERS
    )


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(isinstance(part, str) for part in cast("tuple[object, ...]", value))
    return isinstance(value, str | int | float | Mapping)


def _parts(name: str, value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from (
            f"{key} = {_joined(setting)}"
            for key, setting in sorted(cast("Mapping[str, object]", value).items())
        )
    elif isinstance(value, bool):
        yield _whether(name, value=value)
    elif value in ("", ()):
        yield f"no {_as_words(name)}"
    elif name in _OF:
        yield _OF[name].format(value)
    else:
        yield f"{_as_words(name)} {_joined(value)}"


def _joined(value: object) -> str:
    return ", ".join(map(str, cast("tuple[object, ...]", value))) if isinstance(value, tuple) else str(value)


def _whether(name: str, *, value: bool) -> str:
    yes, no = _WHETHER.get(name, (_as_words(name), f"not {_as_words(name)}"))
    return yes if value else no


def _as_words(name: str) -> str:
    return name.replace("_", " ")
