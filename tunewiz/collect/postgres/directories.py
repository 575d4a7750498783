"""Where data directories of stopped servers are, by the layouts of packages."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass

from tunewiz.collect import file_values
from tunewiz.collect.postgres.conf import read_configuration
from tunewiz.collect.system import System
from tunewiz.core.values.known import Known

DEBIAN_ROOT = "/etc/postgresql"
"""What PG_CLUSTER_CONF_ROOT replaces (pg_lsclusters(1))."""
_USUAL = (
    "/var/lib/pgsql/*/data",
    "/var/lib/pgsql/data",
    "/var/lib/postgresql/*/data",
    "/var/lib/postgresql/data",
    "/var/lib/postgresql/*/docker",
    "/var/lib/postgres/data",
    "/usr/local/pgsql/data",
)
"""PGDG's and the distributions' RPM packages, Alpine, the container images, Arch, the source."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ClusterDirectories:
    """A cluster's data directory and the configuration that it is started with."""

    directory: str
    config_file: str
    how: str
    """How it was found."""


def cluster_places(system: System) -> Iterator[ClusterDirectories]:
    """Every cluster that the layouts lead to; the same one may come twice."""
    yield from _debian(system)
    result = (system.environ.get("PGDATA", ""), "environment: PGDATA")
    for pattern, how in (result, *((pattern, "a usual place of packages") for pattern in _USUAL)):
        for directory in _matching(system, pattern):
            if system.exists(f"{directory}/PG_VERSION"):
                yield ClusterDirectories(
                    directory=directory, config_file=f"{directory}/postgresql.conf", how=how
                )


def _debian(system: System) -> Iterator[ClusterDirectories]:
    """`/etc/postgresql/VERSION/NAME/postgresql.conf` names the data directory."""
    root = system.environ.get("PG_CLUSTER_CONF_ROOT", DEBIAN_ROOT)
    for version in _names(system, root):
        for name in _names(system, f"{root}/{version}"):
            config = f"{root}/{version}/{name}/postgresql.conf"
            if system.exists(config):
                named = read_configuration(system, config, None).effective.get("data_directory")
                usual = f"/var/lib/postgresql/{version}/{name}"
                yield ClusterDirectories(
                    directory=named.value if named else usual, config_file=config, how=config
                )


def _matching(system: System, pattern: str) -> Iterator[str]:
    """A path, or those with any name in the place of its star."""
    before, star, after = pattern.partition("*")
    if star:
        yield from (f"{before}{name}{after}" for name in _names(system, posixpath.dirname(before)))
    elif pattern.startswith("/"):
        yield pattern.rstrip("/")


def _names(system: System, directory: str) -> tuple[str, ...]:
    names = file_values.names(system, directory)
    return names.value if isinstance(names, Known) else ()
