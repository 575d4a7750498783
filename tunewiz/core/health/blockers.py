"""Who blocks whom, as a tree, and the trouble that follows when much of active time waits for locks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tunewiz.core.facts.waits import BlockedSession, Waits
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.health.waits import shares_of
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import Duration, in_words

MUCH = 20
"""Percent of active time: below it, other waits are worth more attention."""
PREPARED = 0
"""The process number that pg_blocking_pids gives for a prepared transaction."""
INDENT = "  "


def blocker_tree(blocked: Sequence[BlockedSession]) -> Iterator[str]:
    """A line for each session, below the first that it waits for; who waits for nobody is at the left."""
    sessions = {session.pid: session for session in blocked}
    shown = set[int]()
    for root in _roots(sessions):
        yield from _branch(root, sessions, shown, depth=0)
    for pid in sessions:
        # A deadlock has no root; deadlock_timeout ends it.
        if pid not in shown:
            yield from _branch(pid, sessions, shown, depth=0)


def _roots(sessions: Mapping[int, BlockedSession]) -> Iterator[int]:
    """Those who are waited for and wait for nobody that is listed."""
    blockers = dict.fromkeys(pid for session in sessions.values() for pid in session.blockers)
    waiting = {session.pid for session in sessions.values() if session.blockers}
    return (pid for pid in blockers if pid not in waiting)


def _branch(
    pid: int, sessions: Mapping[int, BlockedSession], shown: set[int], *, depth: int
) -> Iterator[str]:
    shown.add(pid)
    yield INDENT * depth + _named(pid, sessions)
    for session in sessions.values():
        if pid in session.blockers and session.pid not in shown:
            yield from _branch(session.pid, sessions, shown, depth=depth + 1)


def _named(pid: int, sessions: Mapping[int, BlockedSession]) -> str:
    if pid == PREPARED:
        return "a prepared transaction (pg_prepared_xacts)"
    session = sessions.get(pid)
    if session is None:
        return f"session {pid}, which has ended by now"
    who = session.application or "no application name"
    where = f"{session.role} in {session.database}" if session.role else "of another role"
    since = in_words(Duration(session.seconds * 1_000))
    more = len(session.blockers) - 1
    also = f", and waits for {how_many(more, 'other')} too" if more > 0 else ""
    return f"session {pid}, {where} ({who}), {session.state or 'state hidden'}, for {since}{also}"


def trouble_with_locks(waits: Waits) -> Trouble | None:
    """The trouble if much of active time waits for locks."""
    share = next((share for share in shares_of(waits) if share.kind == "locks"), None)
    if share is None or share.percent < MUCH:
        return None
    sessions = {session.pid: session for session in waits.blocked}
    roots = tuple(pid for pid in _roots(sessions) if pid != PREPARED and pid in sessions)
    first = f"; first of all {_named(roots[0], sessions)}, holds others up" if roots else ""
    return Trouble(
        kind="sessions wait for locks",
        who="developers",
        what=f"session {roots[0]} blocks others" if roots else "",
        because=f"{share.percent} % of active time waits for locks, in {how_many(waits.samples, 'sample')} "
        f"over {how_many(waits.seconds, 'second')}: no setting in this plan changes that{first}. "
        "Transactions have to end sooner, or change less.",
        do=tuple(f"SELECT pg_terminate_backend({pid});" for pid in roots),
    )
