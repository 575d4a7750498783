"""The rules of keepers (Patroni, operators): profiles/keepers, checked against the table of settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from tunewiz.core.keepers.rulebook import Blocked, Rulebook
from tunewiz.core.planning.target_names import KeptTarget
from tunewiz.core.values.errors import InputError
from tunewiz.knowledge.loading import load_settings
from tunewiz.knowledge.profiles import read_record


@cache
def load_rulebook(target: KeptTarget) -> Rulebook:
    """The rules of one target; raises InputError for a rule on a setting that no major has.

    Where it has the rules of another one too, its own come first; none of its own least values is lower.
    """
    own = _read(target)
    if not own.rules_of:
        return own
    base = _read(own.rules_of)
    limited = {entry.name for entry in own.least}
    return replace(
        own,
        sources=(*own.sources, *base.sources),
        blocked=(*own.blocked, *(_without(own, entry) for entry in base.blocked)),
        always=(*own.always, *(entry for entry in base.always if not _blocks(own, entry.name))),
        choices=(*own.choices, *base.choices),
        least=(*own.least, *(entry for entry in base.least if entry.name not in limited)),
        raised=(*own.raised, *base.raised),
        everywhere=base.everywhere,
        libraries=base.libraries,
    )


def _blocks(rules: Rulebook, name: str) -> bool:
    return any(entry.has(name) for entry in rules.blocked)


def _without(own: Rulebook, entry: Blocked) -> Blocked:
    """The other one's entry without what has a reason of its own here."""
    return replace(entry, names=tuple(name for name in entry.names if not _blocks(own, name)))


def _read(name: str) -> Rulebook:
    rules = read_record(Rulebook, "keepers", f"{name}.toml")
    check_rules(rules, f"profiles/keepers/{name}.toml")
    return rules


def check_rules(rules: Rulebook, where: str) -> None:
    """Raises InputError for the first rule that speaks of nothing."""
    known = {name for of_major in load_settings().values() for name in of_major.known}
    for kind, name in _judged(rules):
        if name not in known:
            raise InputError(f"{where}: {kind}: found {name}, expected a setting that some major has")


def _judged(rules: Rulebook) -> Iterator[tuple[str, str]]:
    """The settings whose values are judged; those that are blocked may be of extensions, or of the past."""
    yield from (("always", entry.name) for entry in rules.always)
    yield from (("choices", choice.name) for choice in rules.choices)
    yield from (("least", entry.name) for entry in rules.least)
    yield from (("most", entry.name) for entry in rules.most)
    yield from (("whole", name) for name in rules.whole)
    yield from (("raised", entry.name) for entry in rules.raised)
    yield from (("everywhere", name) for name in rules.everywhere.names)
