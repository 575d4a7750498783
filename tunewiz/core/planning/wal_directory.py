"""A directory for the write-ahead log: what can be checked before looking at it."""

from __future__ import annotations

import re

from tunewiz.core.planning.ownership import keeper_of
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.server.standby import is_standby
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import MissingFact, needed

_PLACE = re.compile(r"(/[A-Za-z0-9_][A-Za-z0-9_.@+-]*){2,}")
"""Below a mount point, in characters that every script can handle."""


def checked_wal_place(text: str, where: str, situation: Situation) -> str:
    """The directory, as it was given; raises InputError if a bundle could not move the log there."""
    if _PLACE.fullmatch(text) is None:
        raise InputError(
            f"{where}: expected a directory below a mount point, found {text!r}",
            "An absolute path of letters, digits and _.@+- such as /wal/main, absent or empty.",
        )
    if why := _why_not(text, situation):
        raise InputError(f"{where}: the log cannot be moved by a bundle: {why}")
    return text


def _why_not(text: str, situation: Situation) -> str:
    if why := _not_ours(situation):
        return why
    if isinstance(situation.server, NoServer):
        return situation.server.why
    try:
        data = needed(situation.server.data_directory, "the data directory")
        apart = situation.storage_for("data").mount != situation.storage_for("wal").mount
    except MissingFact as missing:
        return str(missing)
    if apart:
        return "it is on a file system of its own already"
    return f"{text} is inside the data directory" if text.startswith(f"{data}/") else ""


def _not_ours(situation: Situation) -> str:
    """Who else is responsible for it; empty if this server alone is."""
    if situation.in_container:
        return "its disks belong to the host, not to a container"
    if keeper := keeper_of(situation):
        return f"{keeper} manages this server and creates its directories"
    return "a standby's is moved by hand, with its primary in mind" if is_standby(situation) else ""
