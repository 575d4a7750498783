"""An Ansible inventory: its hosts, its groups of groups, and the variables that a host has in the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from tunewiz.core.values.errors import InputError
from tunewiz.core.values.record import dataclass

ALL = "all"
UNGROUPED = "ungrouped"
PRIORITY = "ansible_group_priority"
_USUAL_PRIORITY = 1
_MOST_BITS = 64
"""Of a whole number that can be a label."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AnsibleHost:
    """A host with everything that its groups give it."""

    name: str
    groups: tuple[str, ...]
    """By name, without `all`."""
    variables: Mapping[str, object]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Group:
    """As the files have it; filled while they are read."""

    hosts: dict[str, None] = field(default_factory=dict[str, None])
    children: dict[str, None] = field(default_factory=dict[str, None])
    variables: dict[str, object] = field(default_factory=dict[str, object])


class AnsibleInventory:
    """What one or more files say together, as Ansible reads them: the later ones override."""

    def __init__(self) -> None:
        self._groups: dict[str, _Group] = {ALL: _Group(), UNGROUPED: _Group()}
        self._hosts: dict[str, dict[str, object]] = {}

    def has_group(self, name: str) -> bool:
        """Whether some file declares it."""
        return name in self._groups

    def add_group(self, name: str) -> None:
        """Declare a group; it may be there."""
        self._groups.setdefault(name, _Group())

    def add_host(self, name: str, group: str, variables: Mapping[str, object]) -> None:
        """Put a host into a declared group; its variables join those that it has."""
        self._hosts.setdefault(name, {}).update(variables)
        self._groups[group].hosts[name] = None

    def set_host_variables(self, name: str, variables: Mapping[str, object]) -> None:
        """Variables of a host, whichever its groups are."""
        self._hosts.setdefault(name, {}).update(variables)

    def add_child(self, parent: str, child: str) -> None:
        """Put a declared group into another."""
        self._groups[parent].children[child] = None

    def set_variable(self, group: str, name: str, value: object) -> None:
        """A variable of all hosts of a declared group."""
        self._groups[group].variables[name] = value

    def hosts(self, where: str) -> Iterator[AnsibleHost]:
        """All hosts; raises InputError for groups that contain each other."""
        parents = self._parents()
        above = {name: self._above(name, parents, where) for name in self._groups}
        depths = _depths(above, parents)
        ordered = sorted(self._groups, key=lambda name: (depths[name], self._priority(name, where), name))
        direct = dict[str, set[str]]()
        for name, group in self._groups.items():
            for host in group.hosts:
                direct.setdefault(host, set()).add(name)
        for host, own in self._hosts.items():
            named = direct.get(host, set()) - {ALL, UNGROUPED} or {UNGROUPED}
            every = {ALL, *named, *(name for group in named for name in above[group])}
            variables = dict[str, object]()
            for name in ordered:
                if name in every:
                    variables |= self._groups[name].variables
            variables.pop(PRIORITY, None)
            yield AnsibleHost(name=host, groups=tuple(sorted(every - {ALL})), variables={**variables, **own})

    def _parents(self) -> Mapping[str, set[str]]:
        parents: dict[str, set[str]] = {name: set() for name in self._groups}
        for name, group in self._groups.items():
            for child in group.children:
                parents[child].add(name)
        return parents

    def _above(self, name: str, parents: Mapping[str, set[str]], where: str) -> frozenset[str]:
        """The groups that a group is in, over any number of steps."""
        result, waiting = set[str](), [*parents[name]]
        while waiting:
            group = waiting.pop()
            if group not in result:
                result.add(group)
                waiting += parents[group]
        if name in result or (name == ALL and result):
            raise InputError(f"{where}: found the group {name} below itself, expected none to contain itself")
        return frozenset(result)

    def _priority(self, name: str, where: str) -> int:
        value = self._groups[name].variables.get(PRIORITY, _USUAL_PRIORITY)
        try:
            return int(str(value))
        except ValueError as error:
            raise InputError(f"{where}: {PRIORITY} of {name}: expected a whole number") from error


def _depths(above: Mapping[str, frozenset[str]], parents: Mapping[str, set[str]]) -> Mapping[str, int]:
    """The most steps from `all` to each group: a group has more groups above it than its parents have."""
    depths = dict[str, int]()
    for name in sorted(above, key=lambda group: len(above[group])):
        depths[name] = 0 if name == ALL else 1 + max((depths[parent] for parent in parents[name]), default=0)
    return depths


def label_text(value: object) -> str | None:
    """A variable as the value of a label; None for one that is not a text, number or switch.

    >>> label_text(True), label_text(3), label_text("eu"), label_text(["eu"])
    ('true', '3', 'eu', None)
    """
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value) if value.bit_length() <= _MOST_BITS else None
        case float():
            return str(value)
        case str():
            return value
        case _:
            return None
