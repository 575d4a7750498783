"""Labels of hosts: what inventories say of them, and selectors that name hosts by their labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from fnmatch import fnmatchcase

from tunewiz.core.values.errors import InputError
from tunewiz.core.values.record import dataclass

GROUP = "group"
"""The groups of an Ansible inventory that a host is in: the only label with several values."""
ROLE = "role"
ENVIRONMENT = "environment"
CLUSTER = "cluster"
TEMPLATE = "{{"
"""Where a value begins that only Ansible can compute."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InventoryHost:
    """What one inventory says of a host."""

    name: str
    where: str
    """The file."""
    labels: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class HostLabels:
    """What rules and answers know a host by."""

    host: str
    groups: tuple[str, ...] = ()
    environment: str = ""
    """Production, staging; empty if it is in none."""
    role: str = ""
    """Primary or standby; empty if it is not known."""
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Of inventories, and group, environment and role once more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelSelector:
    """Hosts with these labels: all of the names, each with one of its values."""

    wanted: tuple[tuple[str, tuple[str, ...]], ...]
    """Names of labels with patterns of values."""

    @property
    def names(self) -> frozenset[str]:
        """The labels that it looks at."""
        return frozenset(name for name, _ in self.wanted)

    def matches(self, labels: Mapping[str, tuple[str, ...]]) -> bool:
        """Whether a host with these labels is meant."""
        return all(
            any(fnmatchcase(value, pattern) for value in labels.get(name, ()) for pattern in patterns)
            for name, patterns in self.wanted
        )

    def __str__(self) -> str:
        return ", ".join(f"{name} = {' or '.join(patterns)}" for name, patterns in self.wanted)


def agreed(host: str, name: str, entries: Iterable[InventoryHost]) -> tuple[str, ...]:
    """The values of a label, of a host that several inventories may know.

    Raises:
        InputError: Two of them say different, or only Ansible can compute the value.
    """
    stated = dict[str, str]()
    for entry in entries:
        for value in entry.labels.get(name, ()):
            if TEMPLATE in value:
                raise InputError(
                    f"{entry.where}: {name} of {host}: found a template, expected a plain value",
                    "`ansible-inventory --list` does not compute it either: write the value itself.",
                )
            stated.setdefault(value, entry.where)
    if len(stated) > 1 and name != GROUP:
        both = " and ".join(f"{value} ({where})" for value, where in stated.items())
        raise InputError(
            f"{name} of {host}: found {both}, expected the same in every inventory",
            "Correct the one that is wrong, or leave it out.",
        )
    return tuple(stated)
