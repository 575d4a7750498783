"""The files of a fleet's answers: which hosts each is for, and what several of them may say together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from tunewiz.core.fleet.labels import LabelSelector
from tunewiz.core.values.errors import InputError
from tunewiz.formats.mismatch import MismatchError, shown
from tunewiz.formats.structure import Notes, is_list, is_table

SELECTOR_FORM = 'labels such as {tier = "gold", region = ["eu", "us"]}'


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswersPart:
    """One file, without its schema number."""

    where: str
    document: Mapping[str, object]


NOTHING = AnswersPart(where="", document={})


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupPart:
    """The answers of several hosts, and which: of a group, an environment, or hosts with a label."""

    part: AnswersPart
    patterns: tuple[str, ...] | None = None
    """Of names; None for all."""
    selector: LabelSelector | None = None
    """None for all; a file has at least one of both."""

    @property
    def name(self) -> str:
        """As its file has it."""
        return Path(self.part.where).stem

    @property
    def hosts_in_words(self) -> str:
        """Which hosts it is for."""
        names = () if self.patterns is None else self.patterns
        labels = () if self.selector is None else (str(self.selector),)
        return ", ".join((*names, *labels))

    def names(self, host: str, labels: Mapping[str, tuple[str, ...]]) -> bool:
        """Whether a host with these labels is among them."""
        named = self.patterns is None or any(fnmatchcase(host, pattern) for pattern in self.patterns)
        return named and (self.selector is None or self.selector.matches(labels))


def read_selector(data: object, _key: str = "", _notes: Notes | None = None) -> LabelSelector:
    """The labels that a file or a rule asks for; raises MismatchError."""
    if not is_table(data) or not data:
        raise MismatchError(SELECTOR_FORM, shown(data))
    return LabelSelector(wanted=tuple((name, _values(name, value)) for name, value in data.items()))


def _values(name: str, value: object) -> tuple[str, ...]:
    values = value if is_list(value) else [value]
    texts = tuple(text for text in values if isinstance(text, str) and text)
    if not texts or len(texts) < len(values):
        raise MismatchError(SELECTOR_FORM, shown(value), (name,))
    return texts


def only_one(parts: Iterable[AnswersPart], host: str) -> AnswersPart:
    """The part that names a host; raises InputError if two do."""
    named = tuple(parts)
    if len(named) > 1:
        files = " and ".join(part.where for part in named)
        raise InputError(f"{files}: both name the host {host}, expected only one of them to")
    return named[0] if named else NOTHING


def check_agreed(parts: Iterable[AnswersPart], over: Iterable[AnswersPart], host: str) -> None:
    """Raises InputError where two parts answer a question differently, which those over them leave open."""
    settled = {question for part in over for question, _ in _answered(part.document)}
    first = dict[str, tuple[object, str]]()
    for part in parts:
        for question, answer in _answered(part.document):
            before, where = first.setdefault(question, (answer, part.where))
            if answer != before and question not in settled:
                raise InputError(
                    f"{where} and {part.where}: both answer {question} for the host {host}, "
                    f"found {in_words(before)} and {in_words(answer)}, expected one answer",
                    "Answer it for the host's group, or in a file of its own, which goes before labels.",
                )


def _answered(document: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """The questions that a document answers."""
    for name, value in document.items():
        if is_table(value):
            yield from ((f"{name}.{key}", answer) for key, answer in value.items())
        else:
            yield name, value


def in_words(answer: object) -> str:
    """An answer; a decision by what it says.

    >>> in_words({"set": "8MB", "note": "as before"}), in_words(300)
    ('set = "8MB", note = "as before"', '300')
    """
    if is_table(answer):
        return ", ".join(f"{name} = {shown(value)}" for name, value in answer.items())
    return shown(answer)


def merged(under: Mapping[str, object], over: Mapping[str, object]) -> dict[str, object]:
    """The keys of the tables of both; where both have one, the second one's."""
    both = {**under, **over}
    for name, value in over.items():
        below = under.get(name)
        if is_table(below) and is_table(value):
            both[name] = {**below, **value}
    return both
