"""What is said of the place of a change, whatever kind it is: what was there, and what no bundle reaches."""

from __future__ import annotations

import re

from tunewiz.core.planning.finding import Finding
from tunewiz.core.values.errors import BundleError
from tunewiz.core.values.known import Fact, Known
from tunewiz.core.values.record import dataclass

NOT_KNOWN = "?"
"""A value before the change that the facts do not tell: the scripts take what they find."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OutOfReach:
    """A change that a person has to make."""

    finding: Finding
    why: str


def word_before(fact: Fact[int | str]) -> str:
    """What was there, as the scripts compare it."""
    return str(fact.value) if isinstance(fact, Known) else NOT_KNOWN


def expect(form: re.Pattern[str], text: str, what: str) -> None:
    """Raises BundleError for a name or a value that no target can have."""
    if form.fullmatch(text) is None:
        raise BundleError(f"expected {what}, found {text!r}")
