"""The answers for a fleet: defaults, by environment, group and host; the more specific ones take precedence.

A directory holds `default.toml`, `environments/NAME.toml`, `groups/NAME.toml` and `hosts/HOST.toml`, all
optional; in `policy.toml` stand the rules of the shop. The file of an environment or a group names its hosts
(`hosts = ["eu-db*"]`).
Workload questions that no file answers are answered from the host's facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from tunewiz.core.answers.answers import SCHEMA, Answers
from tunewiz.core.answers.form import answers_document
from tunewiz.core.facts.facts import Facts
from tunewiz.core.fleet.policy import HostLabels, PolicyRule
from tunewiz.core.values.errors import InputError
from tunewiz.fleet.files import text_of
from tunewiz.fleet.policy import POLICY, Policy, read_policy
from tunewiz.formats import toml
from tunewiz.formats.mismatch import shown
from tunewiz.formats.records import answers_from_document
from tunewiz.formats.structure import is_list, is_table
from tunewiz.knowledge.loading import Knowledge
from tunewiz.planning import default_answers

DEFAULT = "default.toml"
ENVIRONMENTS = "environments"
GROUPS = "groups"
HOSTS = "hosts"
OWN = "your decisions"
"""Stands for the file name in errors about decisions made here."""
_LAYOUT = (
    f"A directory of answers holds {DEFAULT}, {ENVIRONMENTS}/NAME.toml, {GROUPS}/NAME.toml, "
    f"{HOSTS}/HOST.toml and {POLICY}."
)

_COMPLETE: Mapping[str, object] = {
    "workload": {"kind": "oltp", "connections": 1, "database_size": "1GB"},
}
"""Completes a part for checking, as it may lack what another file has."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswersPart:
    """One file, without its schema number."""

    where: str
    document: Mapping[str, object]


NOTHING = AnswersPart(where="", document={})


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupPart:
    """The answers of several hosts, and which: of a group, or of an environment."""

    part: AnswersPart
    patterns: tuple[str, ...]

    @property
    def name(self) -> str:
        """As its file has it."""
        return Path(self.part.where).stem

    def names(self, host: str) -> bool:
        """Whether a host is among them."""
        return any(fnmatchcase(host, pattern) for pattern in self.patterns)


@dataclass(frozen=True, kw_only=True, slots=True)
class FleetAnswers:
    """All files."""

    default: AnswersPart = NOTHING
    environments: tuple[GroupPart, ...] = ()
    groups: tuple[GroupPart, ...] = ()
    hosts: Mapping[str, AnswersPart]
    own: Mapping[str, Mapping[str, object]] = field(default_factory=dict[str, Mapping[str, object]])
    """Decisions by host that replace those of all files, in the form of the files."""
    source: str = ""
    """The file or directory as typed; empty if none was named."""
    policy: Policy | None = None

    def parts(self, host: str) -> tuple[AnswersPart, ...]:
        """The answers for a host, the most specific last.

        Raises:
            InputError: Two environments, or two groups, name it.
        """
        shared = (_only(self.environments, host), _only(self.groups, host))
        result = (self.default, *shared, self.hosts.get(host, NOTHING))
        return tuple(part for part in result if part is not NOTHING)

    def rules(self, host: str, role: str) -> tuple[PolicyRule, ...]:
        """The rules in force for a host; its role is empty if it is not known."""
        if self.policy is None:
            return ()
        labels = self.labels(host, role)
        return tuple(rule for rule in self.policy.in_force if rule.concerns(labels))

    def labels(self, host: str, role: str) -> HostLabels:
        """What rules know the host by."""
        environments = (part.name for part in self.environments if part.names(host))
        return HostLabels(
            host=host,
            groups=tuple(group.name for group in self.groups if group.names(host)),
            environment=next(environments, ""),
            role=role,
        )

    def unused(self, hosts: Iterable[str]) -> Iterator[str]:
        """A message for every file and rule that is for none of these hosts, or is over."""
        there = frozenset(hosts)
        for group in (*self.environments, *self.groups):
            if not any(map(group.names, there)):
                yield f"{group.part.where}: no host matches ({', '.join(group.patterns)})"
        for name, part in self.hosts.items():
            if name not in there:
                yield f"{part.where}: there are no facts of a host named {name}"
        if self.policy is not None:
            yield from self.policy.expired()
            for rule in self.policy.in_force:
                if not any(rule in self.rules(host, rule.role or "") for host in there):
                    yield f"{self.policy.where}: no host matches the rule on {rule.demands[0]}"


def _only(parts: Iterable[GroupPart], host: str) -> AnswersPart:
    """The part that names a host; raises InputError if two do."""
    named = [group_part.part for group_part in parts if group_part.names(host)]
    if len(named) > 1:
        files = " and ".join(part.where for part in named)
        raise InputError(f"{files}: both name the host {host}, expected only one of them to")
    return named[0] if named else NOTHING


USUAL = FleetAnswers(hosts={})
"""No answers: everything is taken from the facts."""


def read_fleet_answers(path: Path) -> FleetAnswers:
    """A file for all hosts, or a directory; raises InputError for a file that no host could use."""
    if not path.is_dir():
        return FleetAnswers(default=_part(path), hosts={}, source=str(path))
    _check_layout(path)
    default, policy = path / DEFAULT, path / POLICY
    return FleetAnswers(
        default=_part(default) if default.exists() else NOTHING,
        environments=tuple(_group(file) for file in _files(path / ENVIRONMENTS)),
        groups=tuple(_group(file) for file in _files(path / GROUPS)),
        hosts={file.stem: _part(file) for file in _files(path / HOSTS)},
        source=str(path),
        policy=read_policy(policy) if policy.exists() else None,
    )


def named_answers(typed: str) -> FleetAnswers:
    """Those of a file or a directory as it was typed; the usual ones where nothing was."""
    return read_fleet_answers(Path(typed)) if typed else USUAL


def _check_layout(path: Path) -> None:
    known = {DEFAULT, ENVIRONMENTS, GROUPS, HOSTS, POLICY}
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


def _group(file: Path) -> GroupPart:
    document = _read(file)
    value = document.pop("hosts", None)
    if not (is_list(value) and value and all(isinstance(entry, str) and entry for entry in value)):
        raise InputError(f'{file}: hosts: found {shown(value)}, expected names such as ["eu-db*"]')
    _check(document, str(file))
    part = AnswersPart(where=str(file), document=document)
    return GroupPart(part=part, patterns=tuple(map(str, value)))


def _read(file: Path) -> dict[str, object]:
    document = toml.loads(text_of(file), str(file))
    schema = document.pop("schema", None)
    if schema != SCHEMA or isinstance(schema, bool):
        raise InputError(f"{file}: schema: found {shown(schema)}, expected {SCHEMA}")
    return document


def _check(document: Mapping[str, object], where: str) -> None:
    answers_from_document(_merged(_COMPLETE, document), where)


def answers_for(host: str, facts: Facts, answers: FleetAnswers, knowledge: Knowledge) -> tuple[Answers, str]:
    """The answers for a host, and the files that they are from; raises InputError."""
    usual = default_answers(facts, knowledge)
    said = document_for(host, answers)
    if not said:
        return usual, ""
    whole = _merged({"workload": answers_document(usual)["workload"]}, said)
    files = [part.where for part in answers.parts(host)]
    where = " and ".join((*files, OWN) if host in answers.own else files)
    return answers_from_document(whole, where), where


def document_for(host: str, answers: FleetAnswers) -> dict[str, object]:
    """The answers for a host, from the files and decisions here; raises InputError if two groups name it."""
    whole = dict[str, object]()
    for part in answers.parts(host):
        whole = _merged(whole, part.document)
    return {**whole, "decisions": answers.own[host]} if host in answers.own else whole


def _merged(under: Mapping[str, object], over: Mapping[str, object]) -> dict[str, object]:
    """The keys of the tables of both; where both have one, the second one's."""
    both = {**under, **over}
    for name, value in over.items():
        below = under.get(name)
        if is_table(below) and is_table(value):
            both[name] = {**below, **value}
    return both
