"""A fact is known (with its source), absent (with how that is known), or unknown (with the reason)."""

from __future__ import annotations

from typing import Generic, TypeAlias, TypeVar

from tunewiz.core.values.record import dataclass

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Known(Generic[T_co]):
    """A value and its source: a path, a query, or `corrected by hand`."""

    value: T_co
    how: str


@dataclass(frozen=True, slots=True)
class Absent:
    """The machine has none of this: no limit, no container, no books on this architecture."""

    how: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """It could not be read."""

    why: str


Fact: TypeAlias = Known[T] | Unknown
MaybeFact: TypeAlias = Known[T] | Absent | Unknown

NOT_LOOKED_FOR = Unknown("it was not looked for")


class MissingFact(Exception):  # noqa: N818 - not an error: a decision declines because of it
    """A decision needs a fact that is unknown; `decide` turns it into Declined."""

    def __init__(self, what: str, why: str, *, absent: bool = False) -> None:
        super().__init__(f"{what}: none here ({why})" if absent else f"{what} is not known: {why}")
        self.why = why


def needed(fact: Known[T] | Absent | Unknown, what: str) -> T:
    """The value of a fact without which nothing can be decided; raises MissingFact."""
    match fact:
        case Known(value):
            return value
        case Absent(how):
            raise MissingFact(what, how, absent=True)
        case Unknown(why):
            raise MissingFact(what, why)


def known_or(fact: Known[T] | Absent | Unknown, otherwise: T) -> T:
    """The value of a fact, or a stated default where it is absent or unknown."""
    return fact.value if isinstance(fact, Known) else otherwise
