"""The files of a bundle as the review shows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.errors import TunewizError
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class PreviewedFile:
    """A file that apply.sh will install."""

    path: str
    """Where on the machine."""
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangesOutOfReach:
    """Changes that the bundle cannot make."""

    why: str
    recommendations: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Previewed:
    """What a bundle does, and what it leaves to a person."""

    files: tuple[PreviewedFile, ...]
    out_of_reach: tuple[ChangesOutOfReach, ...]


Preview: TypeAlias = Callable[[Plan], Previewed]
"""Raises BundleError for a plan that no bundle can carry."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PreviewResult:
    """A preview, or why there is none."""

    previewed: Previewed
    why_not: str = ""


def look(preview: Preview, plan: Plan) -> PreviewResult:
    """The preview of a plan; if no bundle can carry it, an empty one and the reason."""
    try:
        return PreviewResult(previewed=preview(plan))
    except TunewizError as error:
        return PreviewResult(previewed=Previewed(files=(), out_of_reach=()), why_not=str(error))
