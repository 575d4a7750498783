"""Settings that came with a minor release: an older one of the same major refuses to start with them."""

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


def why_not_yet(name: str, release: str) -> str:
    """Why a release lacks a setting of later ones of its major; empty where it has it, or is not known.

    >>> why_not_yet("data_sync_retry", "9.5.7")
    'data_sync_retry first appeared in PostgreSQL 9.5.16, this server is 9.5.7'
    """
    firsts = FIRST_MINOR.get(name)
    matched = _RELEASE.fullmatch(release) if firsts else None
    if firsts is None or matched is None:
        return ""
    first = firsts.get(Major.parse(matched[1]), 0)
    if int(matched[2]) >= first:
        return ""
    return f"{name} first appeared in PostgreSQL {matched[1]}.{first}, this server is {release}"
