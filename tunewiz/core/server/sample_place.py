"""Where samples of a server are kept for the whole machine."""

from __future__ import annotations

SAMPLES = "/var/lib/tunewiz-watch"
"""A directory for each server in it: systemd gives it to the user of the unit (StateDirectory)."""


def server_name(directory: str) -> str:
    """A file name for a data directory: `var-lib-postgresql-15-main`."""
    letters = (each if each.isascii() and (each.isalnum() or each in "._") else "-" for each in directory)
    return "".join(letters).strip("-") or "root"
