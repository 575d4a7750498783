"""Which findings the list shows, and in which order: a filter and a sorting that a person chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Literal, get_args

from tunewiz.core.planning.decisions import is_open, is_undecided
from tunewiz.core.planning.finding import Finding, NotDecided
from tunewiz.core.planning.impact import by_impact
from tunewiz.core.recommendation.targets import Effect
from tunewiz.core.values.record import dataclass
from tunewiz.core.words.finding import name_of
from tunewiz.text.choice import Choice

Shown = Literal["all", "restart", "risky", "measured", "mine", "undecided"]
Order = Literal["subject", "impact", "risk", "name"]
ORDERS: tuple[Order, ...] = get_args(Order)
SHOWN: tuple[Shown, ...] = get_args(Shown)

TITLES: Mapping[Shown, str] = MappingProxyType(
    {
        "all": "all",
        "restart": "requires a restart",
        "risky": "more than low risk",
        "measured": "measured on systems like yours",
        "mine": "changed by you",
        "undecided": "for you to decide",
    }
)
_RISKS = ("low", "medium", "high")


@dataclass(frozen=True, kw_only=True, slots=True)
class Arrangement:
    """What the list shows; as it is at first."""

    shown: Shown = "all"
    order: Order = "subject"

    def of(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings that pass the filter, in this order; those of one subject or risk by impact."""
        passed = by_impact(finding for finding in findings if _FILTERS[self.shown](finding))
        match self.order:
            case "subject" | "impact":
                return passed
            case "risk":
                return tuple(sorted(passed, key=_risk, reverse=True))
            case "name":
                return tuple(sorted(passed, key=lambda finding: name_of(finding).short.lower()))

    @property
    def is_filter(self) -> bool:
        """Whether it shows a part of the findings only."""
        return self.shown != "all"

    @property
    def in_words(self) -> str:
        """What differs from how it is at first; empty if nothing does."""
        filtered = f"filter: {TITLES[self.shown]}" if self.is_filter else ""
        ordered = f"by {self.order}" if self.order != "subject" else ""
        return " · ".join(part for part in (filtered, ordered) if part)

    @property
    def heading(self) -> str:
        """Over a list in one piece: what it shows, in which order."""
        title = TITLES[self.shown]
        return f"{title[0].upper()}{title[1:]}, by {self.order}"

    def hint(self, left_alone: int) -> str:
        """The order of the list, and which key shows what is missing from it."""
        if self.is_filter:
            ordered = f", by {self.order}" if self.order != "subject" else ""
            return f"Filter: {TITLES[self.shown]}{ordered}. f: another one, or all."
        order = "subject and effect" if self.order == "subject" else self.order
        return f"Sorted by {order}. a shows the {left_alone} that are left alone, and why."


AS_USUAL = Arrangement()


def next_order(order: Order) -> Order:
    """The next of the orders, in a circle."""
    return ORDERS[(ORDERS.index(order) + 1) % len(ORDERS)]


def choices(findings: Iterable[Finding]) -> tuple[Choice, ...]:
    """The filters, with how many of the findings each shows."""
    members = tuple(findings)
    return tuple(
        Choice(key=shown, title=TITLES[shown], about=str(len(Arrangement(shown=shown).of(members))))
        for shown in SHOWN
    )


def is_mine(finding: Finding) -> bool:
    """Whether a person decided about it, set its value or wrote a note."""
    return not isinstance(finding.decision, NotDecided)


def _is_like(finding: Finding) -> bool:
    return any(
        evidence.fit == "like" and evidence.speaks_for and evidence.systems for evidence in finding.evidence
    )


def _risk(finding: Finding) -> int:
    return _RISKS.index(finding.recommendation.risk.value)


_FILTERS: Mapping[Shown, Callable[[Finding], bool]] = MappingProxyType(
    {
        "all": lambda _: True,
        "restart": lambda finding: is_open(finding) and finding.takes_effect is Effect.RESTART,
        "risky": lambda finding: is_open(finding) and _risk(finding) > 0,
        "measured": lambda finding: is_open(finding) and _is_like(finding),
        "mine": is_mine,
        "undecided": is_undecided,
    }
)
