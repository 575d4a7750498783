"""What minor releases mend: profiles/minor_fixes.toml, checked against the majors that are known."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tunewiz.core.health.fixes import MinorFixes
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.minor_releases import minor_release
from tunewiz.core.values.versions import Major
from tunewiz.knowledge.profiles import read_record

_FILE = "minor_fixes.toml"


@cache
def load_minor_fixes() -> MinorFixes:
    """All of them; raises InputError for a release that is none, or newer than the newest of its major."""
    known = read_record(MinorFixes, _FILE)
    check_minor_fixes(known, f"profiles/{_FILE}")
    return known


def check_minor_fixes(known: MinorFixes, where: str) -> None:
    """Raises InputError for the first release that cannot be."""
    newest = dict(_numbers(known.newest, f"{where}: newest"))
    if len(newest) < len(known.newest):
        raise InputError(f"{where}: newest: found a major twice, expected each once")
    for fix in known.fixes:
        for major, minor in _numbers(fix.fixed_in, f"{where}: {fix.harm!r}"):
            if minor > newest.get(major, -1):
                release = f"{where}: {fix.harm!r}: found {major}.{minor}"
                raise InputError(f"{release}, expected no newer release than those in newest")


def _numbers(releases: tuple[str, ...], where: str) -> Iterator[tuple[Major, int]]:
    for release in releases:
        if (numbers := minor_release(release)) is None:
            raise InputError(f"{where}: found {release}, expected a minor release, 15.20 say")
        yield numbers
