"""The answers for a fleet: defaults, by environment, label, group and host; the more specific ones go first.

A directory holds `default.toml`, `environments/NAME.toml`, `labels/NAME.toml`, `groups/NAME.toml` and
`hosts/HOST.toml`, all optional; in `policy.toml` stand the rules of the shop, in `inventory` inventories.
The file of an environment, a label or a group says which hosts it is for: `hosts = ["eu-db*"]`,
`labels = {tier = "gold"}`. Workload questions that no file answers are answered from the host's facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tunewiz.core.answers.answers import SCHEMA, Answers
from tunewiz.core.answers.form import answers_document
from tunewiz.core.facts.facts import Facts
from tunewiz.core.fleet.labels import ENVIRONMENT, GROUP, HostLabels, LabelSelector
from tunewiz.core.fleet.policy import PolicyRule
from tunewiz.core.values.errors import InputError
from tunewiz.fleet.answer_parts import (
    NOTHING,
    AnswersPart,
    GroupPart,
    check_agreed,
    merged,
    only_one,
    read_selector,
)
from tunewiz.fleet.files import text_of
from tunewiz.fleet.host_labels import labels_of
from tunewiz.fleet.inventory import NO_INVENTORIES, Inventories, read_inventories
from tunewiz.fleet.policy import POLICY, Policy, read_policy
from tunewiz.formats import toml
from tunewiz.formats.mismatch import MismatchError, shown
from tunewiz.formats.records import answers_from_document
from tunewiz.formats.structure import is_list, refusal
from tunewiz.knowledge.loading import Knowledge
from tunewiz.planning import default_answers

DEFAULT = "default.toml"
ENVIRONMENTS = "environments"
LABELS = "labels"
GROUPS = "groups"
HOSTS = "hosts"
INVENTORY = "inventory"
OWN = "your decisions"
"""Stands for the file name in errors about decisions made here."""
_LAYOUT = (
    f"A directory of answers holds {DEFAULT}, {ENVIRONMENTS}/NAME.toml, {LABELS}/NAME.toml, "
    f"{GROUPS}/NAME.toml, {HOSTS}/HOST.toml, {POLICY} and {INVENTORY}."
)

_COMPLETE: Mapping[str, object] = {
    "workload": {"kind": "oltp", "connections": 1, "database_size": "1GB"},
}
"""Completes a part for checking, as it may lack what another file has."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FleetAnswers:
    """All files."""

    default: AnswersPart = NOTHING
    environments: tuple[GroupPart, ...] = ()
    labelled: tuple[GroupPart, ...] = ()
    """Several may be for a host."""
    groups: tuple[GroupPart, ...] = ()
    hosts: Mapping[str, AnswersPart]
    own: Mapping[str, Mapping[str, object]] = field(default_factory=dict[str, Mapping[str, object]])
    """Decisions by host that replace those of all files, in the form of the files."""
    source: str = ""
    """The file or directory as typed; empty if none was named."""
    policy: Policy | None = None
    inventories: Inventories = NO_INVENTORIES
    label_names: frozenset[str] = frozenset()
    """The labels that some file or rule looks at."""

    @property
    def looks_at_labels(self) -> bool:
        """Whether anything depends on what a host is besides its name."""
        return bool(self.inventories.where or self.label_names)

    def parts(self, host: str, role: str = "") -> tuple[AnswersPart, ...]:
        """The answers for a host, the most specific last; its role is empty if its facts do not say it.

        Raises:
            InputError: Two environments, or two groups, name it, or two labels give different answers.
        """
        labels = self.labels(host, role).labels
        environment = only_one(_naming(self.environments, host, labels), host)
        group = only_one(_naming(self.groups, host, labels), host)
        labelled, own = tuple(_naming(self.labelled, host, labels)), self.hosts.get(host, NOTHING)
        check_agreed(labelled, (group, own), host)
        result = (self.default, environment, *labelled, group, own)
        return tuple(part for part in result if part is not NOTHING)

    def rules(self, host: str, role: str) -> tuple[PolicyRule, ...]:
        """The rules in force for a host; its role is empty if its facts do not say it."""
        if self.policy is None:
            return ()
        labels = self.labels(host, role)
        return tuple(rule for rule in self.policy.in_force if rule.concerns(labels))

    def labels(self, host: str, role: str) -> HostLabels:
        """What rules and answers know the host by; raises InputError where that is contradictory."""
        return labels_of(
            host,
            role,
            self.inventories.entries(host),
            self.label_names,
            (self.environments, self.groups),
        )

    def unused(self, hosts: Mapping[str, str]) -> Iterator[str]:
        """A message for every file and rule that is for none of these hosts, or is over.

        Args:
            hosts: Their roles by their names.
        """
        there = tuple(self.labels(host, role) for host, role in hosts.items())
        for group in (*self.environments, *self.labelled, *self.groups):
            if not any(group.names(labels.host, labels.labels) for labels in there):
                yield f"{group.part.where}: no host matches ({group.hosts_in_words})"
        for name, part in self.hosts.items():
            if name not in hosts:
                yield f"{part.where}: there are no facts of a host named {name}"
        yield from self.inventories.without(hosts)
        if self.policy is not None:
            yield from self.policy.expired()
            for rule in self.policy.in_force:
                if not any(replace(rule, role=None).concerns(labels) for labels in there):
                    yield f"{self.policy.where}: no host matches the rule on {rule.demands[0]}"


def _naming(
    parts: Sequence[GroupPart], host: str, labels: Mapping[str, tuple[str, ...]]
) -> Iterator[AnswersPart]:
    return (part.part for part in parts if part.names(host, labels))


USUAL = FleetAnswers(hosts={})
"""No answers: everything is taken from the facts."""


def read_fleet_answers(path: Path | None, inventories: Sequence[Path] = ()) -> FleetAnswers:
    """A file for all hosts, or a directory; raises InputError for a file that no host could use.

    Args:
        path: None for no answers.
        inventories: Besides those in the directory.
    """
    beside = () if path is None else (path / INVENTORY,)
    own = (file for file in beside if file.exists() or file.is_symlink())
    known = read_inventories([*own, *inventories])
    answers = USUAL if path is None else _read_answers(path, has_inventory=bool(known.where))
    names = frozenset(_label_names(answers))
    known.check_read(names)
    return replace(answers, inventories=known, label_names=names)


def _label_names(answers: FleetAnswers) -> Iterator[str]:
    rules = () if answers.policy is None else answers.policy.rules
    parts = (*answers.environments, *answers.labelled, *answers.groups)
    for selector in (*(part.selector for part in parts), *(rule.labels for rule in rules)):
        if selector is not None:
            yield from selector.names


def _read_answers(path: Path, *, has_inventory: bool) -> FleetAnswers:
    if not path.is_dir():
        return FleetAnswers(default=_part(path), hosts={}, source=str(path))
    _check_layout(path)
    environment, group = (ENVIRONMENT, GROUP) if has_inventory else ("", "")
    default, policy = path / DEFAULT, path / POLICY
    return FleetAnswers(
        default=_part(default) if default.exists() else NOTHING,
        environments=tuple(_group(file, environment) for file in _files(path / ENVIRONMENTS)),
        labelled=tuple(_labelled(file) for file in _files(path / LABELS)),
        groups=tuple(_group(file, group) for file in _files(path / GROUPS)),
        hosts={file.stem: _part(file) for file in _files(path / HOSTS)},
        source=str(path),
        policy=read_policy(policy) if policy.exists() else None,
    )


def named_answers(typed: str) -> FleetAnswers:
    """Those of a file or a directory as it was typed; the usual ones where nothing was."""
    return read_fleet_answers(Path(typed)) if typed else USUAL


def _check_layout(path: Path) -> None:
    known = {DEFAULT, ENVIRONMENTS, LABELS, GROUPS, HOSTS, INVENTORY, POLICY}
    names = sorted(path.name for path in path.iterdir() if not path.name.startswith("."))
    for name in names:
        if name not in known:
            raise InputError(f"{path}: found {name}, expected {', '.join(sorted(known))}", _LAYOUT)
    if not names:
        raise InputError(f"{path}: expected answers, found none", _LAYOUT)


def _files(directory: Path) -> list[Path]:
    if not directory.is_dir():
        return []
    for path in directory.iterdir():
        if path.suffix != ".toml" and not path.name.startswith("."):
            raise InputError(f"{path}: expected a file NAME.toml", _LAYOUT)
    return sorted(directory.glob("[!.]*.toml"))


def _part(file: Path) -> AnswersPart:
    document = _read(file)
    _check(document, str(file))
    return AnswersPart(where=str(file), document=document)


def _group(file: Path, label: str) -> GroupPart:
    """A file for several hosts.

    One that does not say which is for those that an inventory gives the label with the file's name.
    """
    document = _read(file)
    patterns, selector = document.pop("hosts", None), document.pop("labels", None)
    if patterns is None and selector is None and label:
        selector = {label: file.stem}
    _check(document, str(file))
    return GroupPart(
        part=AnswersPart(where=str(file), document=document),
        patterns=None if patterns is None and selector is not None else _patterns(patterns, file),
        selector=None if selector is None else _selector(selector, file),
    )


def _labelled(file: Path) -> GroupPart:
    """A file for all hosts with its labels, and, where it has a list, of these names."""
    document = _read(file)
    patterns, selector = document.pop("hosts", None), document.pop("labels", None)
    _check(document, str(file))
    return GroupPart(
        part=AnswersPart(where=str(file), document=document),
        patterns=None if patterns is None else _patterns(patterns, file),
        selector=_selector(selector, file),
    )


def _patterns(value: object, file: Path) -> tuple[str, ...]:
    if not (is_list(value) and value and all(isinstance(entry, str) and entry for entry in value)):
        raise InputError(f'{file}: hosts: found {shown(value)}, expected names such as ["eu-db*"]')
    return tuple(map(str, value))


def _selector(value: object, file: Path) -> LabelSelector:
    try:
        return read_selector(value)
    except MismatchError as error:
        raise refusal(str(file), error.below(LABELS)) from error


def _read(file: Path) -> dict[str, object]:
    document = toml.loads(text_of(file), str(file))
    schema = document.pop("schema", None)
    if schema != SCHEMA or isinstance(schema, bool):
        raise InputError(f"{file}: schema: found {shown(schema)}, expected {SCHEMA}")
    return document


def _check(document: Mapping[str, object], where: str) -> None:
    answers_from_document(merged(_COMPLETE, document), where)


def answers_for(
    host: str, facts: Facts, answers: FleetAnswers, knowledge: Knowledge, role: str = ""
) -> tuple[Answers, str]:
    """The answers for a host, and the files that they are from; raises InputError."""
    usual = default_answers(facts, knowledge)
    said = document_for(host, answers, role)
    if not said:
        return usual, ""
    whole = merged({"workload": answers_document(usual)["workload"]}, said)
    files = [part.where for part in answers.parts(host, role)]
    where = " and ".join((*files, OWN) if host in answers.own else files)
    return answers_from_document(whole, where), where


def document_for(host: str, answers: FleetAnswers, role: str = "") -> dict[str, object]:
    """The answers for a host, from files and decisions here; raises InputError as `FleetAnswers.parts`."""
    whole = dict[str, object]()
    for part in answers.parts(host, role):
        whole = merged(whole, part.document)
    return {**whole, "decisions": answers.own[host]} if host in answers.own else whole
