"""Which fixes against lost, damaged or hidden data a server's minor release lacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.values.known import known_or
from tunewiz.core.values.minor_releases import minor_release
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.versions import Major

SHOWN = 3
"""Harms that are spelled out: the worst. The release notes have all."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Fix:
    """What minor releases mend."""

    fixed_in: tuple[str, ...]
    """The release of each major that brought the fix, `15.20` say."""
    harm: str
    """What may happen without it."""
    after: str = ""
    """What remains to be done after the update."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MinorFixes:
    """All of them, worst first, as `profiles/minor_fixes.toml` has them."""

    read_on: str
    """The day on which the release notes were read, YYYY-MM-DD."""
    newest: tuple[str, ...]
    """The last release of each major that was read."""
    fixes: tuple[Fix, ...]


def missing_fixes(server: PostgresServer, known: MinorFixes) -> Trouble | None:
    """The trouble with a release that lacks some; None if it lacks none, or its number is not known."""
    release = known_or(server.release, "")
    if (numbers := minor_release(release)) is None:
        return None
    missing = [fix for fix in known.fixes if _lacks(numbers, fix.fixed_in)]
    if not missing:
        return None
    major, minor = numbers
    newest = next(name for name in known.newest if Major.parse(name) == major)
    return Trouble(
        kind="fixes are missing",
        who="administrator",
        what=f"{major}.{minor}, update to {newest} or newer",
        because=_harms(missing, known.read_on),
        after=tuple(dict.fromkeys(fix.after for fix in missing if fix.after)),
        extent=len(missing),
    )


def newer_minor(server: PostgresServer, known: MinorFixes) -> Iterator[str]:
    """That there is a newer minor release, for one that lacks no fix against lost data: that is a trouble."""
    numbers = minor_release(known_or(server.release, ""))
    newest = {major: minor for name in known.newest for major, minor in _numbers(name)}
    if numbers is None or missing_fixes(server, known) is not None:
        return
    major, minor = numbers
    if minor < newest.get(major, minor):
        behind = how_many(newest[major] - minor, "minor release")
        yield (
            f"{major}.{minor} is {behind} behind {major}.{newest[major]}, the newest of {known.read_on}: "
            "an update needs a restart and no other work"
        )


def _numbers(name: str) -> tuple[tuple[Major, int], ...]:
    numbers = minor_release(name)
    return () if numbers is None else (numbers,)


def _lacks(numbers: tuple[Major, int], fixed_in: Iterable[str]) -> bool:
    """Whether a release is older than that of its major which brought a fix."""
    major, minor = numbers
    return any(fixed[0] == major and minor < fixed[1] for name in fixed_in if (fixed := minor_release(name)))


def _harms(missing: list[Fix], read_on: str) -> str:
    """The worst, how many more, and how far the release notes were read."""
    shown = "; ".join(fix.harm for fix in missing[:SHOWN])
    more = len(missing) - SHOWN
    rest = f"; and {how_many(more, 'more fault')} that release notes tell" if more > 0 else ""
    return f"Without its fixes: {shown}{rest}. Release notes were read on {read_on}."
