"""Scripts generated for a run, saved so that an interrupted run continues with the same ones."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from tunewiz.bench.errors import RefusedError
from tunewiz.bench.run import RunDirectory
from tunewiz.bundle.manifest import digest_of
from tunewiz.collect.system import regular_content
from tunewiz.core.proof.proof import ProofScript


def keep_scripts(place: RunDirectory, contents: Mapping[str, bytes]) -> None:
    """Save them, readable by nobody else: they hold values from the database's tables."""
    place.scripts.mkdir(mode=0o700)
    for name, content in contents.items():
        file = place.scripts / name
        file.touch(mode=0o600)
        file.write_bytes(content)


def kept_scripts(place: RunDirectory, scripts: Iterable[ProofScript]) -> Mapping[str, bytes]:
    """The saved contents of these scripts; raises RefusedError if they were changed."""
    wanted = {script.name: script.digest for script in scripts}
    try:
        result = {name: regular_content(str(place.scripts / name), os.O_NOFOLLOW) for name in wanted}
    except OSError as error:
        raise RefusedError(f"{place.scripts}: cannot be read: {error.strerror or error}") from error
    if any(digest_of(result[name]) != digest for name, digest in wanted.items()):
        raise RefusedError(f"{place.scripts}: the scripts of the unfinished run were changed")
    return result
