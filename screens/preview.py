"""The files of a bundle as the review shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tunewiz.core.plan import Plan


@dataclass(frozen=True, kw_only=True, slots=True)
class PreviewedFile:
    """A file that apply.sh will install."""

    path: str
    """Where on the machine."""
    text: str


Preview: TypeAlias = Callable[[Plan], Sequence[PreviewedFile]]
"""Raises BundleError for a plan that no bundle can carry."""
