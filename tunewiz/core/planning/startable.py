"""The very first warnings: a server that is down because of its values, or would not start with them."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.startup_checks import clashes
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.beside_buffers import largest_beside
from tunewiz.core.server.override_layers import fatal_lines
from tunewiz.core.server.shared_memory import shared_overhead
from tunewiz.core.server.start_limits import is_strict, spendable, unfit
from tunewiz.core.values.known import MissingFact


def startable(start: Situation, end: Situation) -> Iterator[tuple[str, str]]:
    """Code and text of each warning."""
    match start.server:
        case PostgresServer(running=False) as server if causes := tuple(_causes(start, server)):
            yield "server_down", _down(start, end, causes)
        case _:
            yield from _too_large(start, end)


def fits_within(end: Situation) -> Iterator[tuple[str, str]]:
    """That strict accounting or a 32-bit system bounds the whole plan."""
    try:
        allowed, memory = spendable(end), end.memory
    except MissingFact:
        return
    if is_strict(end) and allowed < memory:
        text = (
            f"With vm.overcommit_memory = 2 the kernel promises {allowed.human()} of {memory.human()}: "
            "the plan stays within that. For more, raise vm.overcommit_ratio or vm.overcommit_kbytes, "
            "and plan again."
        )
        yield "commit_limit", text
    if taker := largest_beside(end):
        text = (
            f"{taker.name} = {taker.value} takes {taker.size.human()} of {memory.human()} as shared memory, "
            "before anybody connects. Lower it: a restart gives that back."
        )
        yield "shared_memory_beside", text
    if end.is_32_bit:
        text = (
            f"A process of a 32-bit system addresses 3 GiB: the plan counts on {memory.human()}. Only a "
            "64-bit system uses more."
        )
        yield "address_space", text


def _causes(start: Situation, server: PostgresServer) -> Iterator[str]:
    yield from fatal_lines(server)
    yield from (clash.text for clash in clashes(start))
    if too_large := _shared_memory(start):
        yield too_large


def _shared_memory(situation: Situation) -> str:
    """Why shared memory does not fit; empty if it does."""
    buffers = situation.will_be_size("shared_buffers")
    limit = unfit(situation, buffers)
    if limit is None:
        return ""
    beside, taker = shared_overhead(situation, buffers).human(), largest_beside(situation)
    of_it = f" ({taker.words})" if taker else ""
    return f"shared_buffers of {buffers.pg()} and {beside} beside them{of_it} exceed {limit.words}"


def _larger(end: Situation) -> str:
    """What to lower: the buffers, or what takes more than they do."""
    taker = largest_beside(end)
    buffers = "shared_buffers"
    return taker.name if taker and taker.size > end.will_be_size(buffers) else buffers


def _down(start: Situation, end: Situation, causes: tuple[str, ...]) -> str:
    lowered = _repaired(start, end)
    first = f" The plan sets {lowered}." if lowered else ""
    rest = "Correct that first, start the server, read its log, and plan again."
    return f"The server is down, and it does not start as it is set: {'; '.join(causes)}.{first} {rest}"


def _repaired(start: Situation, end: Situation) -> str:
    """What the plan sets so that shared memory fits; empty if nothing."""
    buffers = "shared_buffers"
    if _shared_memory(start) and not _shared_memory(end) and buffers in end.chosen:
        return f"{buffers} = {end.will_be(buffers)}"
    return ""


def _too_large(start: Situation, end: Situation) -> Iterator[tuple[str, str]]:
    """Of a running server, or one of which nothing is known: what would happen at its next start."""
    if cause := _shared_memory(end):
        hint = f"lower {_larger(end)}"
        yield "would_not_start", f"The server would not start, or be killed at work: {cause}. Better: {hint}."
    elif cause := _shared_memory(start):
        sets = f"the plan sets shared_buffers = {end.will_be('shared_buffers')}"
        yield "too_large_today", f"Today's values cannot hold: {cause}; {sets}."
