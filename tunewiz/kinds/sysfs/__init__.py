"""One word of a choice under /sys, made persistent by a file under /etc/tmpfiles.d."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.placed import NOT_KNOWN, expect
from tunewiz.core.recommendation.actions import Row, SysfsValue
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import known_or

TMPFILES_FILE = "/etc/tmpfiles.d/tunewiz.conf"

_SYSFS_PATH = re.compile(r"/sys(/[A-Za-z0-9_:-][A-Za-z0-9_.:-]*)+")
_WORD = re.compile(r"[A-Za-z0-9_+.-]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedChoice:
    """A word under /sys, with what it was."""

    finding: Finding
    path: str
    fact: str
    """Its key in the kernel facts."""
    value: str
    before: str

    @property
    def row(self) -> Row:
        """The step."""
        return "sysfs", self.path, self.before, self.value

    @property
    def line(self) -> str:
        """In the file that keeps it."""
        return f"w {self.path} - - - - {self.value}"


def place_choice(finding: Finding, action: SysfsValue, start: Situation) -> PlacedChoice:
    """Raises BundleError for a path or a word that there cannot be."""
    expect(_SYSFS_PATH, action.path, "a path under /sys")
    expect(_WORD, action.value, "a word")
    target = finding.recommendation.target
    return PlacedChoice(
        finding=finding,
        path=action.path,
        fact=target.fact if target.kind == "sysfs" else "",
        value=action.value,
        before=known_or(start.current(target), NOT_KNOWN),
    )
