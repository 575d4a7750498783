"""Why windows of a live server must not be compared, a sentence each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tunewiz.core.comparison.live_changes import changed_settings
from tunewiz.core.comparison.sightings import NamedFacts, Sighting, compared_identifier, server_in
from tunewiz.core.facts.server import NO_SETTINGS
from tunewiz.core.values.known import known_or

COUNTING = ("pg_stat_statements.track", "pg_stat_statements.track_utility")
"""Settings that decide which statements are counted."""


def other_servers(files: Sequence[NamedFacts]) -> Iterator[str]:
    """Refusals of files without the server that is compared."""
    identifier = compared_identifier(files)
    if not identifier:
        yield (
            f"found no watched window of a server with a known system identifier in "
            f"{', '.join(file.file for file in files)}, expected one in each file: record them with "
            "`tunewiz facts --watch 1h -o FILE`"
        )
        return
    for named in files:
        if server_in(named, identifier) is None:
            result = [known_or(server.system_identifier, "an unknown one") for server in named.facts.postgres]
            yield (
                f"system identifier: found {' and '.join(result) or 'no server'} in {named.file}, expected "
                f"{identifier} as in the other files: compare windows of the same server"
            )


def differing(before: Sequence[Sighting], after: Sequence[Sighting]) -> Iterator[str]:
    """Refusals of windows that differ in what must be the same."""
    every = [*before, *after]
    for what, of, advice in _THE_SAME:
        yield from _unlike(what, of, advice, every)
    for side, windows in (("BEFORE", before), ("AFTER", after)):
        yield from _unsteady(side, windows)
    yield from _counted_otherwise(every)
    yield from _out_of_order(before, after)


def _machine(window: Sighting) -> str:
    host = window.facts.host
    return known_or(host.identity, "") or known_or(host.name, "")


_THE_SAME: tuple[tuple[str, Callable[[Sighting], str], str], ...] = (
    (
        "major version",
        lambda window: known_or(window.server.major, ""),
        "statistics of two major versions cannot be compared",
    ),
    ("machine", _machine, "compare windows from one machine, since machines differ in speed"),
    (
        "role",
        lambda window: known_or(window.server.role, ""),
        "a primary and a standby have different work: compare windows of one role",
    ),
)


def _unlike(
    what: str, of: Callable[[Sighting], str], advice: str, windows: Sequence[Sighting]
) -> Iterator[str]:
    first = windows[0]
    for window in windows[1:]:
        if of(window) != of(first):
            yield (
                f"{what}: found {of(window) or 'an unknown one'} in {window.file}, expected "
                f"{of(first) or 'an unknown one'} as in {first.file}: {advice}"
            )
            return


def _unsteady(side: str, windows: Sequence[Sighting]) -> Iterator[str]:
    """Settings that changed among the windows of one side."""
    first = windows[0]
    for window in windows[1:]:
        old, new = (known_or(sighting.server.settings, NO_SETTINGS) for sighting in (first, window))
        if names := changed_settings(old, new):
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            yield (
                f"{side}: found {names[0]}{more} in {window.file} to differ from {first.file}, expected the "
                "same settings in all windows of a side: leave out the windows before or after that change"
            )
            return


def _counted_otherwise(windows: Sequence[Sighting]) -> Iterator[str]:
    first = windows[0]
    for name in COUNTING:
        for window in windows[1:]:
            old, new = (
                known_or(sighting.server.settings, NO_SETTINGS).get(name) for sighting in (first, window)
            )
            if old is not None and new is not None and old.value != new.value:
                yield (
                    f"{name}: found {new.value} in {window.file}, expected {old.value} as in {first.file}: "
                    "the statements counted differ; watch again with the same value"
                )
                break


def _out_of_order(before: Sequence[Sighting], after: Sequence[Sighting]) -> Iterator[str]:
    last = max(before, key=lambda sighting: sighting.span.ended)
    first = min(after, key=lambda sighting: sighting.span.began)
    if first.span.began < last.span.ended:
        yield (
            f"time: found {first.file} of AFTER, which began on {first.span.words}, expected it to begin "
            f"after the end of {last.file} of BEFORE, which began on {last.span.words}: name the earlier "
            "windows first"
        )
