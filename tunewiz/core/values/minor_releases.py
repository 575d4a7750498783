"""The number of a minor release, and settings that came with one: an older one refuses to start with them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from tunewiz.core.values.versions import OLDEST, V10, V11, V96, Major

FIRST_MINOR: Mapping[str, Mapping[Major, int]] = MappingProxyType(
    {"data_sync_retry": MappingProxyType({OLDEST: 16, V96: 12, V10: 7, V11: 2})}
)
"""By setting: the minor release of each major that brought it (release notes of 2019-02-14)."""
_RELEASE = re.compile(r"(9\.\d|\d{2})\.(\d{1,3})(?!\d).*")


def minor_release(release: str) -> tuple[Major, int] | None:
    """A release's major and minor numbers; None for what is none, a beta or release candidate among them.

    >>> minor_release("15.18 (Debian 15.18-0+deb12u1)")
    (Major(rank=1500), 18)
    """
    if (matched := _RELEASE.fullmatch(release)) is None:
        return None
    return Major.parse(matched[1]), int(matched[2])


def why_not_yet(name: str, release: str) -> str:
    """Why a release lacks a setting of later ones of its major; empty where it has it, or is not known.

    >>> why_not_yet("data_sync_retry", "9.5.7")
    'data_sync_retry first appeared in PostgreSQL 9.5.16, this server is 9.5.7'
    """
    firsts, numbers = FIRST_MINOR.get(name), minor_release(release)
    if firsts is None or numbers is None:
        return ""
    major, minor = numbers
    first = firsts.get(major, 0)
    if minor >= first:
        return ""
    return f"{name} first appeared in PostgreSQL {major}.{first}, this server is {release}"
