"""Volumes that are reached over a network and look like flash in the machine: a class of their own."""

from __future__ import annotations

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known, MissingFact, known_or

VOLUMES = frozenset({"nvme-volume", "rbd", "nbd"})
"""Transports of them: volumes of a cloud as NVMe devices, block devices of Ceph, network block devices."""


def on_network_volume(situation: Situation) -> bool:
    """Whether the data are on one, and neither a person's answer nor a probe tells how fast it is."""
    if situation.answers.server.storage is not None or _is_probed(situation):
        return False
    try:
        disks = known_or(situation.storage_for("data").disks, ())
    except MissingFact:
        return False
    return any(known_or(disk.transport, "") in VOLUMES for disk in disks)


def _is_probed(situation: Situation) -> bool:
    match situation.server:
        case PostgresServer(probe=Known(value=probe)):
            return isinstance(probe.storage, Known)
        case _:
            return False
