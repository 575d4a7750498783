"""Where a server's log is, as far as its settings and its packages show."""

from __future__ import annotations

import posixpath

from tunewiz.core.facts.server import NO_SETTINGS, PostgresServer
from tunewiz.core.values.known import Fact, Known, Unknown, known_or

_DEBIAN = "/var/lib/postgresql/"
"""Below it Debian's packages have a directory VERSION/NAME for each cluster."""


def log_place(server: PostgresServer) -> Fact[str]:
    """A directory, or the prefix of the file names: those of rotated files continue it."""
    settings = known_or(server.settings, NO_SETTINGS)
    collector, directory = settings.get("logging_collector"), settings.get("log_directory")
    data = known_or(server.data_directory, "")
    if collector is not None and collector.value == "on" and directory is not None and data:
        return Known(posixpath.join(data, directory.value), "log_directory")
    if server.owner == "debian" and data.startswith(_DEBIAN):
        name = data.removeprefix(_DEBIAN).strip("/").replace("/", "-")
        return Known(f"/var/log/postgresql/postgresql-{name}.log", "Debian's packages")
    return Unknown("its settings do not say where its log is; `tunewiz facts --log PATH` reads any")
