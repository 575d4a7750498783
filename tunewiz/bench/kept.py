"""Scripts that were made for a run: kept with it, so that an interrupted run continues with the same ones."""

from __future__ import annotations

import os
from collections.abc import Mapping

from tunewiz.bench.errors import RefusedError
from tunewiz.bench.run import BenchRun, Place
from tunewiz.bundle.manifest import digest_of
from tunewiz.collect.system import regular_content


def keep_scripts(place: Place, contents: Mapping[str, bytes]) -> None:
    """Keep them; they hold values of the database's tables, so nobody else may read them."""
    place.scripts.mkdir(mode=0o700)
    for name, content in contents.items():
        file = place.scripts / name
        file.touch(mode=0o600)
        file.write_bytes(content)


def kept_scripts(place: Place, run: BenchRun) -> Mapping[str, bytes]:
    """Those that were kept; raises RefusedError if they are not the run's."""
    try:
        found = {
            each.name: regular_content(str(place.scripts / each.name), os.O_NOFOLLOW) for each in run.scripts
        }
    except OSError as error:
        raise RefusedError(f"{place.scripts}: cannot be read: {error.strerror or error}") from error
    if any(digest_of(found[each.name]) != each.digest for each in run.scripts):
        raise RefusedError(f"{place.scripts}: the scripts of the unfinished run were changed")
    return found
