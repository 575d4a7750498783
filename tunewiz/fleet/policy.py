"""The rules of the shop for a fleet, from `policy.toml` beside the answers; and plans that obey them."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path

from tunewiz.core.answers.answers import Answers, Decision
from tunewiz.core.fleet.labels import LabelSelector
from tunewiz.core.fleet.policy import PolicyRule, new_decisions
from tunewiz.core.fleet.violations import Violation
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.target_words import target_name
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.names import meant
from tunewiz.fleet.answer_parts import read_selector
from tunewiz.fleet.files import text_of
from tunewiz.formats import toml
from tunewiz.formats.mismatch import MismatchError, shown
from tunewiz.formats.structure import DocumentForm, Notes, structure
from tunewiz.knowledge.loading import load_knowledge

POLICY = "policy.toml"
SCHEMA = 1
_HEAD = re.compile(r"\s*\[\[\s*rules\s*\]\]")
_FORM_OF_A_RULE = "one of value, at_least, at_most, leave = true and require = true"


def _day(data: object, _key: str, _notes: Notes) -> date:
    if type(data) is not date:
        raise MismatchError("a date such as 2027-01-31", shown(data))
    return data


_FORM = DocumentForm("texts", {date: _day, LabelSelector: read_selector})


@dataclass(frozen=True, kw_only=True, slots=True)
class _PolicyDocument:
    schema: int
    rules: tuple[PolicyRule, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """A file of rules."""

    where: str
    text: str
    rules: tuple[PolicyRule, ...]
    today: date

    @property
    def in_force(self) -> tuple[PolicyRule, ...]:
        """Those whose last day is not over."""
        return tuple(rule for rule in self.rules if rule.until is None or rule.until >= self.today)

    def expired(self) -> Iterator[str]:
        """A message for each of the others."""
        for violation in self.expirations():
            yield violation.text

    def expirations(self) -> Iterator[Violation]:
        """The rules whose last day is over."""
        for rule in self.rules:
            if rule not in self.in_force:
                text = (
                    f"{self.where}: the rule on {rule.demands[0]} expired on {rule.until} and is not obeyed: "
                    f"ask {rule.owner} ({rule.reason})"
                )
                yield Violation(
                    kind="expired", rule=rule, file=self.where, line=self.line_of(rule), hosts=(), text=text
                )

    def line_of(self, rule: PolicyRule) -> int:
        """The line at which a rule begins; 0 where that cannot be told, as in a file of inline tables."""
        heads = [number for number, text in enumerate(self.text.splitlines(), start=1) if _HEAD.match(text)]
        return heads[self.rules.index(rule)] if len(heads) == len(self.rules) else 0


def read_policy(file: Path, today: date | None = None) -> Policy:
    """The rules of a file; raises InputError for one that no host could obey."""
    text = text_of(file)
    document = structure(toml.loads(text, str(file)), _PolicyDocument, str(file), _FORM)
    if document.schema != SCHEMA:
        raise InputError(f"{file}: schema: found {document.schema}, expected {SCHEMA}")
    for number, rule in enumerate(document.rules, start=1):
        _check(rule, f"{file}: rule {number}")
    return Policy(where=str(file), text=text, rules=document.rules, today=today or datetime.now(UTC).date())


@contextmanager
def naming(policy: Policy | None) -> Generator[None]:
    """Put the file of the rules before what is wrong with one of them."""
    try:
        yield
    except InputError as error:
        where = "" if policy is None else policy.where
        raise InputError(f"{where}: {error.message}", error.hint) from error


def _check(rule: PolicyRule, where: str) -> None:
    if len(rule.demands) != 1:
        raise InputError(f"{where}: found {len(rule.demands)} demands, expected {_FORM_OF_A_RULE}")
    known = {
        name
        for recommendation in load_knowledge().catalogue
        for name in (recommendation.id, target_name(recommendation.target))
    }
    if rule.setting not in known:
        raise InputError(
            f"{where}: setting: found {rule.setting!r}, expected a setting that is planned",
            meant(rule.setting, sorted(known)) or "`tunewiz explain` lists them all.",
        )
    for key, names in (
        ("hosts", rule.hosts),
        ("groups", rule.groups),
        ("environments", rule.environments),
    ):
        if names == ():
            raise InputError(f"{where}: {key}: found [], expected names, or no such line for all hosts")
    for key, text in (("reason", rule.reason), ("owner", rule.owner)):
        if not text.strip():
            raise InputError(f"{where}: {key}: found nothing, expected words")


def obeying(
    rules: Iterable[PolicyRule], plan: Plan, answers: Answers, make: Callable[[Answers], Plan]
) -> tuple[Answers, Plan]:
    """The plan with the decisions that rules ask for, and the answers that lead to it.

    Raises:
        InputError: The setting does not take the value of a rule, or the server would not start with it.
    """
    all_rules, decided = tuple(rules), dict[str, Decision]()
    while new := new_decisions(all_rules, plan, decided):
        decided.update(new)
        answers = replace(answers, decisions={**answers.decisions, **decided})
        plan = make(answers)
    return answers, plan
