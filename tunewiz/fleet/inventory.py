"""The inventories of a fleet: which hosts there are besides their facts, and what their labels are.

A file is an Ansible inventory (INI, or the JSON of `ansible-inventory --list`), the JSON of
`kubectl get pods -o json`, or that of `patronictl list -f json`. A directory is one Ansible inventory; what
Patroni and Kubernetes say may lie in it too. Nothing is executed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tunewiz.core.fleet.labels import CLUSTER, ENVIRONMENT, GROUP, ROLE, InventoryHost
from tunewiz.core.fleet.remarks import some_of
from tunewiz.core.values.errors import InputError
from tunewiz.fleet.files import text_of
from tunewiz.formats.ansible_ini import read_ini
from tunewiz.formats.ansible_inventory import AnsibleHost, AnsibleInventory, label_text
from tunewiz.formats.inventory_documents import (
    kind_of,
    read_ansible,
    read_documents,
    read_members,
    read_pods,
)
from tunewiz.formats.mismatch import shown

OWN_VARIABLES: Mapping[str, str] = {
    "tunewiz_role": ROLE,
    "tunewiz_environment": ENVIRONMENT,
    "tunewiz_cluster": CLUSTER,
}
"""Variables of Ansible that are labels under a shorter name."""
NAME_VARIABLE = "tunewiz_host"
"""The name that a host has in its facts, where the inventory has another."""
_RESERVED = frozenset({GROUP, *OWN_VARIABLES.values(), NAME_VARIABLE})
_VARIABLES = ("group_vars", "host_vars")
"""Directories of variables in YAML, which are not read."""
_IGNORED = (".pyc", ".pyo", ".swp", ".bak", "~", ".rpm", ".md", ".txt", ".rst", ".orig", ".cfg", ".retry")
"""As Ansible leaves them out of a directory, but for .ini."""
_OTHER_FORMS = (".yml", ".yaml", ".toml")
_YAML = re.compile(r"\s*(?:#.*\n\s*)*(?:---|[\w.\"'-]+:\s*(?:#.*)?(?:\n|$))")
_JSON = re.compile(r"\s*(?:\{|\[\s*[\{\]])")


@dataclass(frozen=True, kw_only=True, slots=True)
class UnreadVariables:
    """A file of variables that only Ansible reads."""

    file: str
    text: str
    inventory: str
    """What `ansible-inventory -i` takes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InventorySource:
    """One file, or the Ansible inventory of one directory."""

    hosts: Mapping[str, tuple[InventoryHost, ...]]
    """By name, in small letters."""
    short: Mapping[str, tuple[str, ...]]
    """These names by their part before the first dot."""

    def entries(self, host: str) -> tuple[InventoryHost, ...]:
        """What it says of a host; raises InputError where it could mean several.

        A name without a domain and one with it are the same host.
        """
        name = host.casefold()
        if name in self.hosts:
            return self.hosts[name]
        same = self.short.get(name.partition(".")[0], ())
        names = [other for other in same if "." not in name or "." not in other]
        if len(names) > 1:
            where = self.hosts[names[0]][0].where
            raise InputError(
                f"{where}: found {some_of(names)} for the host {host}, expected one",
                f"Give the variable {NAME_VARIABLE}: {host} to the right one.",
            )
        return self.hosts[names[0]] if names else ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Inventories:
    """All of them."""

    where: tuple[str, ...] = ()
    """As they were named."""
    sources: tuple[InventorySource, ...] = ()
    unread: tuple[UnreadVariables, ...] = field(default=())

    def entries(self, host: str) -> tuple[InventoryHost, ...]:
        """What they say of a host; raises InputError as one of them does."""
        return tuple(entry for source in self.sources for entry in source.entries(host))

    def without(self, hosts: Iterable[str]) -> Iterator[str]:
        """A message on the hosts that no inventory has."""
        missing = sorted(host for host in hosts if self.where and not self.entries(host))
        if missing:
            where, names = " and ".join(self.where), some_of(missing)
            yield f"{where}: no host is named {names}: answers and rules by label leave such hosts out"

    def check_read(self, names: Iterable[str]) -> None:
        """Raises InputError where one of these labels may be in variables that are not read."""
        wanted = ({*names} - _RESERVED) | {*OWN_VARIABLES, NAME_VARIABLE}
        keys = "|".join(map(re.escape, sorted(wanted)))
        pattern = re.compile(rf"(?<![\w./-])({keys})[\"']?\s*:")
        for unread in self.unread:
            if match := pattern.search(unread.text):
                raise InputError(
                    f"{unread.file}: found {match[1]}, which only Ansible can read there",
                    _listing(unread.inventory),
                )


NO_INVENTORIES = Inventories()


def read_inventories(paths: Sequence[Path]) -> Inventories:
    """Files and directories; raises InputError for one that is no inventory."""
    sources, unread = list[InventorySource](), list[UnreadVariables]()
    for path in paths:
        folder = path if path.is_dir() else path.parent
        files = _files(path) if path.is_dir() else [path]
        ansible, has_ini, others = AnsibleInventory(), False, list[InventorySource]()
        for file in files:
            text = text_of(file)
            if _JSON.match(text):
                others += _read_json(text, str(file), ansible)
            else:
                _check_ini(file, text)
                read_ini(text, str(file), ansible)
                has_ini = True
        read = [_source(_ansible_hosts(ansible, str(path))), *others]
        if not any(source.hosts for source in read):
            raise InputError(f"{path}: found no host, expected an inventory")
        sources += read
        if has_ini:
            unread += (
                UnreadVariables(file=str(file), text=text_of(file), inventory=str(path))
                for file in _variable_files(folder)
            )
    return Inventories(
        where=tuple(map(str, paths)),
        sources=tuple(source for source in sources if source.hosts),
        unread=tuple(unread),
    )


def _files(directory: Path) -> list[Path]:
    """In the order in which Ansible reads them; raises InputError where there is none."""
    files = sorted(
        file
        for file in directory.iterdir()
        if not file.name.startswith(".") and not file.name.endswith(_IGNORED) and file.name not in _VARIABLES
    )
    if not files:
        raise InputError(f"{directory}: found no inventory, expected at least one file")
    for file in files:
        if file.is_dir():
            raise InputError(f"{file}: found a directory, expected the files of one inventory")
    return files


def _variable_files(folder: Path) -> list[Path]:
    found_in = (folder / name for name in _VARIABLES)
    return sorted(file for directory in found_in for file in directory.rglob("*") if file.is_file())


def _check_ini(file: Path, text: str) -> None:
    """Raises InputError for what is not read here, before a line of it is misunderstood."""
    kind = ""
    if text.startswith("#!"):
        kind = "a script"
    elif file.suffix in _OTHER_FORMS or _YAML.match(text):
        kind = "TOML" if file.suffix == ".toml" else "YAML"
    if kind:
        raise InputError(f"{file}: found {kind}, expected INI or JSON", _listing(str(file)))


def _listing(inventory: str) -> str:
    return (
        f"Run `ansible-inventory -i {inventory} --list > inventory.json`, and name inventory.json instead: "
        "it has everything that Ansible knows."
    )


def _read_json(text: str, where: str, ansible: AnsibleInventory) -> Iterator[InventorySource]:
    """What Ansible says joins the rest of its inventory; others are sources of their own."""
    document = read_documents(text, where)
    match kind_of(document):
        case "pods":
            yield _source(read_pods(document, where))
        case "patroni":
            yield _source(read_members(document, where))
        case _:
            read_ansible(document, where, ansible)


def _source(hosts: Iterable[InventoryHost]) -> InventorySource:
    by_name = dict[str, list[InventoryHost]]()
    for host in hosts:
        by_name.setdefault(host.name.casefold(), []).append(host)
    short = dict[str, list[str]]()
    for name in by_name:
        short.setdefault(name.partition(".")[0], []).append(name)
    return InventorySource(
        hosts={name: tuple(same) for name, same in by_name.items()},
        short={name: tuple(names) for name, names in short.items()},
    )


def _ansible_hosts(inventory: AnsibleInventory, where: str) -> Iterator[InventoryHost]:
    for host in inventory.hosts(where):
        name = label_text(host.variables.get(NAME_VARIABLE, host.name)) or host.name
        labels = {**_labels(host), GROUP: host.groups}
        yield InventoryHost(name=name, where=where, labels=labels)
        for role in labels.get(ROLE, ()):
            if role not in {"primary", "standby"}:
                at = f"{where}: tunewiz_role of {host.name}"
                raise InputError(f"{at}: found {shown(role)}, expected primary or standby")


def _labels(host: AnsibleHost) -> dict[str, tuple[str, ...]]:
    texts = ((name, label_text(value)) for name, value in host.variables.items() if name not in _RESERVED)
    return {OWN_VARIABLES.get(name, name): (value,) for name, value in texts if value is not None}
