"""What a pod is given for the plan: memory, processors and huge pages, as Kubernetes counts them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from tunewiz.core.keepers.handover import Handover
from tunewiz.core.planning.plan import Plan
from tunewiz.core.server.shared_memory import WORTH_HUGE_PAGES, huge_pages_needed
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, MissingFact
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import GIB, KIB, MIB, Bytes

Quantities: TypeAlias = Mapping[str, str]
"""As under requests and limits: `memory: 8Gi`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Resources:
    """Requests and limits, which are the same: the pod is guaranteed what the plan was made for."""

    quantities: Quantities
    memory: Bytes
    huge_pages: Bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class HugePagesOfNode:
    """What a node must hold ready."""

    count: int
    size: Bytes
    computed: str


@dataclass(frozen=True, slots=True)
class NoResources:
    """There is nothing to say, and why."""

    why: str


def resources_of(plan: Plan) -> Resources | NoResources:
    """Memory and processors that the plan was made for; without huge pages."""
    memory = plan.start.facts.limits.memory
    if not isinstance(memory, Known):
        return NoResources(
            "the container's memory has no limit that could be read, so spec.resources is left alone"
        )
    quantities = {"memory": _binary(memory.value), **_cpu(plan)}
    return Resources(quantities=MappingProxyType(quantities), memory=memory.value, huge_pages=Bytes(0))


def with_huge_pages(
    plan: Plan, plain: Resources | NoResources
) -> tuple[Resources, HugePagesOfNode] | NoResources:
    """The same memory, the server's shared memory as huge pages: these count apart from the rest."""
    if isinstance(plain, NoResources):
        return plain
    if plan.end.will_be_size("shared_buffers") < WORTH_HUGE_PAGES:
        return NoResources(f"huge pages: below {WORTH_HUGE_PAGES.pg()} of shared_buffers they save little")
    try:
        need = huge_pages_needed(plan.end)
    except MissingFact as missing:
        return NoResources(f"huge pages: {missing}")
    pages = need.size * need.count
    rest = Bytes(plain.memory.count - pages.count)
    if rest.count <= 0:
        return NoResources(
            f"huge pages: {pages.human()} of them would leave nothing of the limit of {plain.memory.human()}"
        )
    quantities = {
        f"hugepages-{_binary(need.size)}": _binary(pages),
        **plain.quantities,
        "memory": _binary(rest),
    }
    node = HugePagesOfNode(count=need.count, size=need.size, computed=need.computed)
    return Resources(quantities=MappingProxyType(quantities), memory=rest, huge_pages=pages), node


def check_sizes(plan: Plan, handed: Handover, resources: Resources | NoResources) -> None:
    """What webhooks and the kernel would refuse, before: raises InputError.

    shared_buffers within the memory request or the huge pages; min_wal_size < max_wal_size < the volume
    (validateResources and validateWalSizeConfiguration in CloudNativePG's cluster_webhook.go, 2026-08).
    """
    end = plan.end
    buffers = end.will_be_size("shared_buffers")
    if isinstance(resources, Resources) and buffers > max(resources.memory, resources.huge_pages):
        room = f"{resources.memory.human()} of memory"
        raise InputError(
            f"--target: shared_buffers = {buffers.pg()} does not fit in the pod's request of {room}",
            f"{handed.rules.title} would refuse it: raise the request, or set less under [decisions].",
        )
    if not end.settings.has("max_wal_size"):
        return
    least, most = end.will_be_size("min_wal_size"), end.will_be_size("max_wal_size")
    if least >= most:
        raise InputError(
            f"--target: min_wal_size = {least.pg()} is not less than max_wal_size = {most.pg()}",
            f"{handed.rules.title} would refuse it: set other values for them under [decisions].",
        )
    volumes = (storage.total for storage in end.facts.storage if "wal" in storage.roles)
    volume = next((volume.value for volume in volumes if isinstance(volume, Known)), None)
    if volume is not None and most >= volume:
        raise InputError(
            f"--target: max_wal_size = {most.pg()} does not fit on the volume of {volume.human()}",
            f"{handed.rules.title} would refuse it: set less under [decisions], or give WAL a larger volume.",
        )


def _cpu(plan: Plan) -> Quantities:
    cpus = plan.start.facts.limits.cpus
    if not isinstance(cpus, Known):
        return {}
    thousandths = round(cpus.value * 1000)
    whole, part = divmod(thousandths, 1000)
    return {"cpu": f"{thousandths}m" if part else str(whole)}


def _binary(size: Bytes) -> str:
    """As Kubernetes writes it: the most compact whole number of Gi, Mi, Ki.

    >>> _binary(Bytes(3 * 2**30)), _binary(Bytes(3 * 2**20))
    ('3Gi', '3Mi')
    """
    for unit, name in ((GIB, "Gi"), (MIB, "Mi"), (KIB, "Ki")):
        if size.count % unit == 0:
            return f"{size.count // unit}{name}"
    return str(size.count)
