"""The log that a server's settings name.

Whoever may change them may name any path: read are only files of the server's owner, and none through a link.
"""

from __future__ import annotations

import glob
import stat
from pathlib import Path

from tunewiz.collect.logs.files import read_log
from tunewiz.core.facts.log import LogSeen
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.server.log_place import log_place
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Fact, Known, Unknown, known_or


def read_own_log(server: PostgresServer) -> Fact[LogSeen]:
    """What all files of its log tell, rotated ones too; unknown with the reason where they cannot be read."""
    place = log_place(server)
    if isinstance(place, Unknown):
        return place
    path = Path(place.value)
    try:
        owner = Path(known_or(server.data_directory, "")).stat().st_uid
        paths = [path for path in _named(path) if _is_of(path, owner)]
        if not paths:
            return Unknown(f"{path}: found no such file of the server's owner")
        return Known(read_log(paths, owner), place.value)
    except InputError as error:
        return Unknown(error.message)
    except OSError as error:
        return Unknown(f"{path}: {error.strerror or error}")


def _named(path: Path) -> list[Path]:
    """Those of a directory, or with such a beginning: postgresql-15-main.log.1, .2.gz."""
    return sorted(path.iterdir() if path.is_dir() else path.parent.glob(f"{glob.escape(path.name)}*"))


def _is_of(path: Path, owner: int) -> bool:
    try:
        status = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_uid == owner
