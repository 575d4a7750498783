"""Starts the program out of its unpacked files; they are unpacked where they are not there whole."""

from __future__ import annotations

import os
import sys

import built
import kept


def start() -> None:
    """Run the command line; ends the process."""
    sys.path[0] = _library()
    # Containers often forbid it in the environment. Here a place of our own was made for what is compiled.
    sys.dont_write_bytecode = False
    from tunewiz.cli import run  # noqa: PLC0415 - it has just become known where it is

    run()


def _library() -> str:
    """The folder of the modules, which takes the place of the one file in the path of modules."""
    name = f"{built.VERSION}-{built.DIGEST[:32]}"
    place = kept.cache_directory(os.environ)
    try:
        return _kept(kept.owned(place), name)
    except (kept.UnsafeError, OSError) as error:
        from temporary import unpacked_for_one_run  # noqa: PLC0415 - seldom needed

        reason = error.strerror or str(error) if isinstance(error, OSError) else str(error)
        return unpacked_for_one_run(place, reason)


def _kept(place: str, name: str) -> str:
    """Of an earlier start, or unpacked now; what others unpack at the same time is as good."""
    directory = f"{place}/{name}"
    if not kept.hold(directory):
        from unpacking import keep  # noqa: PLC0415 - the first start alone needs it

        keep(place, name)
    return f"{directory}/{kept.LIBRARY}"
