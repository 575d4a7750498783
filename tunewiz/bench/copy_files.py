"""The files that a copy's settings go to: the copy's alone, and its owner's."""

from __future__ import annotations

import os
from pathlib import Path

from tunewiz.bench.copied import Copied
from tunewiz.bench.errors import RefusedError
from tunewiz.bundle.placement import Placement
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.recommendation.cluster import Cluster
from tunewiz.core.values.known import known_or


def check_files(placement: Placement, copied: Copied) -> None:
    """Raises RefusedError where settings would reach others: nobody has reviewed where they go."""
    cluster = placement.cluster
    if not isinstance(cluster, Cluster):
        raise RefusedError(f"{copied.directory}: its settings cannot be changed: {cluster.why}")
    for file in dict.fromkeys(filter(None, (cluster.config_file, cluster.drop_in, cluster.auto_conf))):
        try:
            _check_file(file, copied)
        except OSError as error:
            raise RefusedError(f"{file}: cannot be looked at: {error.strerror or error}") from error


def _check_file(file: str, copied: Copied) -> None:
    folder = Path(os.path.realpath(file)).parent
    if folder.stat().st_uid != Path(copied.directory).stat().st_uid:
        raise RefusedError(f"{file}: expected a directory of the copy's owner: its settings go there")
    for other in copied.others:
        if _reads(other, folder):
            where = known_or(other.data_directory, "an unknown directory")
            raise RefusedError(
                f"{file}: configures the server in {where} too, which the copy's settings would reach",
                "Start the copy with a configuration of its own.",
            )


def _reads(server: PostgresServer, folder: Path) -> bool:
    """Whether a server reads its configuration, or keeps its data, where a file would be written."""
    data, config = known_or(server.data_directory, ""), known_or(server.config_file, "")
    included = known_or(server.include_directory, "")
    parent = str(Path(config).parent) if config else ""
    directories = {os.path.realpath(text) for text in (parent, included) if text}
    return str(folder) in directories or (bool(data) and folder.is_relative_to(os.path.realpath(data)))
