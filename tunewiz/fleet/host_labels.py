"""What a host is: its environment, groups, role and other labels; what contradicts is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tunewiz.core.fleet.labels import ENVIRONMENT, GROUP, ROLE, HostLabels, InventoryHost, agreed
from tunewiz.core.values.errors import InputError
from tunewiz.fleet.answer_parts import GroupPart

_CORRECT = "Correct one of them: nothing is planned for the host until both agree."


def labels_of(
    host: str,
    role: str,
    entries: Sequence[InventoryHost],
    names: Iterable[str],
    parts: tuple[Sequence[GroupPart], Sequence[GroupPart]],
) -> HostLabels:
    """Everything that is known.

    Args:
        host: Its name.
        role: As its facts say; empty if they do not.
        entries: What inventories say.
        names: The labels that some rule or file of answers looks at.
        parts: The files of environments, then those of groups.

    Raises:
        InputError: Two that know the host contradict each other.
    """
    stated = {name: agreed(host, name, entries) for name in {*names, GROUP, ROLE, ENVIRONMENT}}
    settled = _role(host, role, stated[ROLE], entries)
    labels = {**stated, ROLE: (settled,) if settled else ()}
    environments, groups = parts
    environment = _environment(host, labels, environments, entries)
    labels[ENVIRONMENT] = (environment,) if environment else ()
    named = [part.name for part in groups if part.names(host, labels)]
    _check_groups(host, named, groups, entries)
    known = tuple(dict.fromkeys((*named, *labels[GROUP])))
    return HostLabels(
        host=host, groups=known, environment=environment, role=settled, labels={**labels, GROUP: known}
    )


def _role(host: str, role: str, stated: tuple[str, ...], entries: Sequence[InventoryHost]) -> str:
    if not stated:
        return role
    if role and role != stated[0]:
        raise InputError(
            f"{_source_of(entries, ROLE)}: {host} is a {stated[0]}, its facts say {role}; expected the same",
            "Collect the facts again, or correct the inventory.",
        )
    return stated[0]


def _environment(
    host: str,
    labels: Mapping[str, tuple[str, ...]],
    environments: Sequence[GroupPart],
    entries: Sequence[InventoryHost],
) -> str:
    """That of the files, or of an inventory; two files are refused where their answers are merged."""
    named = [part for part in environments if part.names(host, labels)]
    if not labels[ENVIRONMENT]:
        return named[0].name if named else ""
    (stated,) = labels[ENVIRONMENT]
    where = _source_of(entries, ENVIRONMENT)
    for part in environments:
        if (part in named) != (part.name == stated):
            text = "names the host" if part in named else "does not name the host"
            raise InputError(f"{part.part.where}: {text} {host}, which is in {stated} by {where}", _CORRECT)
    return stated


def _check_groups(
    host: str, named: Sequence[str], groups: Sequence[GroupPart], entries: Sequence[InventoryHost]
) -> None:
    """A file of answers and an inventory's group of the same name must mean the same hosts."""
    stated = {name: entry.where for entry in entries for name in entry.labels.get(GROUP, ())}
    for part in groups:
        if part.name in stated and part.name not in named:
            where = stated[part.name]
            raise InputError(
                f"{part.part.where}: does not name the host {host}, which is in {part.name} by {where}",
                _CORRECT,
            )


def _source_of(entries: Sequence[InventoryHost], name: str) -> str:
    """The first that states a label."""
    return next(entry.where for entry in entries if entry.labels.get(name))
