"""Which server a bundle changes, where its settings go, or why it cannot change them."""

from __future__ import annotations

from pathlib import PurePosixPath

from tunewiz.core.facts.server import NO_SETTINGS, PostgresServer
from tunewiz.core.recommendation.cluster import Cluster, NoCluster
from tunewiz.core.recommendation.situation import NoServer
from tunewiz.core.values.known import Known, Unknown, known_or

DROP_IN = "zz-tunewiz.conf"
"""Read last: PostgreSQL takes the files of a directory in byte order (documentation, `include_dir`)."""


def cluster_of(server: PostgresServer | NoServer) -> Cluster | NoCluster:
    """The server in the form that the scripts need, or why they cannot change it."""
    match server:
        case NoServer(why=why):
            return NoCluster(why=why)
        case PostgresServer(owner="patroni"):
            return NoCluster(why="Patroni owns its configuration: change it with `patronictl edit-config`")
        case PostgresServer(
            major=Known(major), data_directory=Known(data_directory), config_file=Known(config_file)
        ):
            directory = known_or(server.include_directory, "")
            alters = _may_alter(server)
            include = "" if directory or alters else f"include = '{DROP_IN}'"
            paths = (data_directory, config_file, *([directory] if directory else []))
            strange = next((path for path in paths if not _is_plain(path)), None)
            if strange is not None:
                return NoCluster(why=f"its path {strange!r} is not one that a configuration file can name")
            return Cluster(
                major=major,
                data_directory=data_directory,
                config_file=config_file,
                owner=server.owner,
                system_identifier=known_or(server.system_identifier, ""),
                running=server.running,
                drop_in=_drop_in(directory, config_file if include else ""),
                include=include,
                alter_system=alters,
            )
        case _:
            return NoCluster(why=_what_is_missing(server))


def _drop_in(directory: str, config_file: str) -> str:
    """In the directory that is read, else beside the file that is to name it."""
    if directory:
        return str(PurePosixPath(directory) / DROP_IN)
    return str(PurePosixPath(config_file).parent / DROP_IN) if config_file else ""


def _may_alter(server: PostgresServer) -> bool:
    setting = known_or(server.settings, NO_SETTINGS).get("allow_alter_system")
    return setting is None or setting.value != "off"


def _is_plain(path: str) -> bool:
    return path.startswith("/") and path.isprintable() and ".." not in PurePosixPath(path).parts


def _what_is_missing(server: PostgresServer) -> str:
    named = {
        "major version": server.major,
        "data directory": server.data_directory,
        "configuration file": server.config_file,
    }
    missing = (
        f"its {name} is not known: {fact.why}" for name, fact in named.items() if isinstance(fact, Unknown)
    )
    return "; ".join(missing)
