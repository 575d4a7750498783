"""Where samples of a server are kept for the whole machine, and by which service."""

from __future__ import annotations

import zlib

SAMPLES = "/var/lib/tunewiz-watch"
"""A directory for each server in it: systemd gives it to the user of the unit (StateDirectory)."""


def server_name(directory: str) -> str:
    """A file name for a data directory: `var-lib-postgresql-15-main`."""
    letters = (text if text.isascii() and (text.isalnum() or text in "._") else "-" for text in directory)
    return "".join(letters).strip("-") or "root"


def service_of(directory: str) -> str:
    """The name of the unit for a data directory."""
    return f"tunewiz-watch-{zlib.crc32(directory.encode('utf-8', 'surrogateescape')):08x}.service"
