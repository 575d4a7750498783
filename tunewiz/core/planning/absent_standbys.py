"""Commits that wait for standbys which are not there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.replication import replication, standbys_with_slots, synchronous_names
from tunewiz.core.server.standby import is_standby
from tunewiz.core.values.known import Known

WAITING = frozenset({"on", "remote_write", "remote_apply"})
"""Values of synchronous_commit with which a commit waits for them."""
_COUNTED = re.compile(r"\s*(?:(?:FIRST|ANY)\s+)?(\d+)\s*\(", re.IGNORECASE)


def absent_standbys(end: Situation) -> Iterator[tuple[str, str]]:
    """Code and text of the warning: fewer standbys are connected than each commit waits for."""
    names = synchronous_names(end)
    if not names or is_standby(end) or end.will_be("synchronous_commit") not in WAITING:
        return
    for read in replication(end):
        if isinstance(read.standbys, Known) and max(read.standbys.value, standbys_with_slots(end)) < needed(
            names
        ):
            text = (
                f"synchronous_standby_names = {names}: each commit waits for {needed(names)} of them, "
                f"connected: {read.standbys.value}. Whatever writes hangs until enough are there. Start "
                "them, or take the names out and reload."
            )
            yield "work_stops", text


def needed(names: str) -> int:
    """How many standbys must confirm a commit.

    >>> needed("s1, s2"), needed("ANY 2 (a, b, c)"), needed("FIRST 1 (a)"), needed("3 (a, b, c)")
    (1, 2, 1, 3)
    """
    counted = _COUNTED.match(names)
    return int(counted[1]) if counted else 1
