"""What a keeper of settings takes and refuses: the records of profiles/keepers, and the judgement by them.

A keeper (Patroni, a Kubernetes operator) answers for a server's configuration. Some drop a value that they
do not take without a word to whoever set it, so a bundle is refused before instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TypeAlias

from tunewiz.core.values.pg_settings import SettingError, SettingsOfMajor
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleSource:
    """Where the rules were read."""

    repository: str
    path: str
    commit: str
    date: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Blocked:
    """Settings that cannot be set there at all."""

    names: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    """Beginnings of names."""
    but: tuple[str, ...] = ()
    """Names that begin so and can be set all the same."""
    why: str

    def has(self, name: str) -> bool:
        """Whether it speaks of the setting."""
        return name in self.names or (name.startswith(self.starts) and name not in self.but)


@dataclass(frozen=True, kw_only=True, slots=True)
class Always:
    """A setting that stays as it is."""

    name: str
    value: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class AllowedValues:
    """A setting of which some values are taken."""

    name: str
    values: tuple[str, ...]
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Least:
    """A setting below whose least value another one is used."""

    name: str
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Most:
    """A setting above whose largest value the keeper refuses it."""

    name: str
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Raised:
    """A setting that the keeper itself sets too low from a major on."""

    name: str
    since: str
    value: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Everywhere:
    """Settings that must be the same on every member."""

    names: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Libraries:
    """Where libraries that are loaded at the start are named, if not among the settings."""

    path: tuple[str, ...] = ()
    by_parameter: Mapping[str, str] = field(default_factory=dict[str, str])
    """Libraries that the keeper loads by itself once this parameter (`name=value`) is set."""


@dataclass(frozen=True, kw_only=True, slots=True)
class KubernetesResource:
    """The resource in which Kubernetes keeps it all; without a kind there is none."""

    api: str = ""
    kind: str = ""
    kubectl: str = ""
    """As kubectl is told which."""
    resources: tuple[str, ...] = ()
    """Where requests and limits are; empty if in a list, where no patch can put them."""
    order: str = ""
    """In which order the servers are restarted, a sentence."""
    name: str = ""
    """How to find the resource's name, sentences; empty if it is the cluster's."""
    major: tuple[str, ...] = ()
    """Where it names the major version, which cannot be changed; empty if it does not."""
    sizes: str = ""
    """What has requests and limits instead, if they are in another resource."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HelmChart:
    """The chart of the operator's project that makes the resource; without a name there is none."""

    name: str = ""
    repository: str = ""
    path: str = ""
    commit: str = ""
    date: str = ""
    """Where and when it was read."""
    root: tuple[str, ...] = ()
    """Where its values have what is under spec in the resource; empty if at the top."""


NO_CHART = HelmChart()
NO_MANIFEST = KubernetesResource()
NO_LIBRARIES = Libraries()
EVERYWHERE_NONE = Everywhere()


@dataclass(frozen=True, kw_only=True, slots=True)
class Rulebook:
    """One file of profiles/keepers."""

    title: str
    keeper: str
    """As facts name it."""
    path: tuple[str, ...]
    """Where settings are in its document."""
    numbers: bool
    """Whether numbers are written as such; else every value is a string."""
    oldest: str = "9.5"
    """The oldest major that it runs."""
    rules_of: str = ""
    """Another file whose rules hold here too."""
    sources: tuple[RuleSource, ...] = ()
    blocked: tuple[Blocked, ...] = ()
    always: tuple[Always, ...] = ()
    choices: tuple[AllowedValues, ...] = ()
    least: tuple[Least, ...] = ()
    most: tuple[Most, ...] = ()
    whole: tuple[str, ...] = ()
    """Settings of which only whole numbers are taken."""
    lost: str = ""
    """Characters that do not arrive there in a value."""
    raised: tuple[Raised, ...] = ()
    everywhere: Everywhere = EVERYWHERE_NONE
    libraries: Libraries = NO_LIBRARIES
    manifest: KubernetesResource = NO_MANIFEST
    chart: HelmChart = NO_CHART


@dataclass(frozen=True, slots=True)
class Taken:
    """It is put in force as it is written."""


@dataclass(frozen=True, slots=True)
class NotSettable:
    """No value of this setting can be set there."""

    why: str


@dataclass(frozen=True, slots=True)
class NotTaken:
    """Another value could be set there; this one would be dropped or refused."""

    why: str


Judgement: TypeAlias = Taken | NotSettable | NotTaken


def judged(rules: Rulebook, settings: SettingsOfMajor, name: str, value: str) -> Judgement:
    """What becomes of a setting with a value in the hands of the keeper.

    Args:
        rules: The keeper's.
        settings: Those of the server's major version.
        name: In lower case; with a dot for an extension's.
        value: As a person writes it.
    """
    blocked = next((entry for entry in rules.blocked if entry.has(name)), None)
    if blocked is not None:
        return NotSettable(blocked.why)
    if any(character in value for character in rules.lost):
        return NotTaken(f"{name}: expected no quotes, backslashes and line breaks, found {value!r}")
    if "." in name and not settings.has(name):
        return Taken()
    try:
        settings[name].canonical(value)
        reason = next(_reasons(rules, settings, name, value), "")
    except SettingError as error:
        return NotTaken(str(error))
    return NotTaken(reason) if reason else Taken()


def _reasons(rules: Rulebook, settings: SettingsOfMajor, name: str, value: str) -> Iterator[str]:
    """Why the value is not taken; raises SettingError for a rule that does not fit the setting."""
    info = settings[name]
    for always in rules.always:
        if always.name == name and not info.same(value, always.value):
            yield f"{name}: expected {always.value}, found {value}: {always.why}"
    for choices in rules.choices:
        if choices.name == name and value.strip().lower() not in map(str.lower, choices.values):
            expected = " or ".join(choices.values)
            yield f"{name}: expected {expected}, found {value}: {choices.why}"
    for least in rules.least:
        if least.name == name and float(info.canonical(value)) < float(info.canonical(least.value)):
            yield f"{name}: expected at least {least.value}, found {value}"
    for most in rules.most:
        if most.name == name and float(info.canonical(value)) > float(info.canonical(most.value)):
            yield f"{name}: expected at most {most.value}, found {value}"
    if name in rules.whole and not float(info.canonical(value)).is_integer():
        yield f"{name}: expected a whole number, found {value}"
