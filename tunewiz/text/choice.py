"""One of several answers, as text."""

from __future__ import annotations

from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """One answer that can be given."""

    key: str
    title: str
    about: str = ""
