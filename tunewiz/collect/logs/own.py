"""The log that a server's settings name, with the rights there are."""

from __future__ import annotations

from pathlib import Path

from tunewiz.collect.logs.files import read_log
from tunewiz.core.facts.log import LogSeen
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.server.log_place import log_place
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Fact, Known, Unknown


def read_own_log(server: PostgresServer) -> Fact[LogSeen]:
    """What all files of its log tell, rotated ones too; unknown with the reason where they cannot be read."""
    place = log_place(server)
    if isinstance(place, Unknown):
        return place
    path = Path(place.value)
    try:
        # Those of a directory, or with such a beginning: postgresql-15-main.log.1, .2.gz.
        paths = [path] if path.is_dir() else sorted(path.parent.glob(f"{path.name}*"))
        if not paths:
            return Unknown(f"{path}: found no such file")
        return Known(read_log(paths), place.value)
    except InputError as error:
        return Unknown(error.message)
    except OSError as error:
        return Unknown(f"{path}: {error.strerror or error}")
