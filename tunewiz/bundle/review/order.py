"""The order of a bundle's work, as its review tells it: what is done when, and what is left behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tunewiz.bundle.placement import Placement
from tunewiz.bundle.review.blocks import (
    Block,
    CodeText,
    Line,
    Numbered,
    Paragraph,
    heading,
    line,
    marked,
    names,
)
from tunewiz.core.recommendation.actions import HostAction
from tunewiz.core.recommendation.cluster import Cluster
from tunewiz.kinds.sysctl import SYSCTL_FILE
from tunewiz.kinds.sysfs import TMPFILES_FILE


def order_of_work(placement: Placement, installed: Mapping[str, bytes]) -> Iterator[Block]:
    """A section: each step, and what is left to do."""
    yield heading(2, "What apply.sh does, in this order")
    yield Numbered(tuple(_steps(placement, installed)))
    if left := _left_behind(placement):
        yield Paragraph(left)


def _steps(placement: Placement, installed: Mapping[str, bytes]) -> Iterator[Line]:
    yield line("Compares host, server and every touched value with the plan; keeps what is there now.")
    yield from _written([sysctl.name for sysctl in placement.sysctls], SYSCTL_FILE, installed)
    yield from _written([choice.path for choice in placement.choices], TMPFILES_FILE, installed)
    yield from (line(f"{action.action_in_words}.") for action in _host(placement) if not action.stops_server)
    files = [path for path in installed if path not in _own_files(placement)]
    if files:
        yield line("Puts ", *names(*files), " in place.")
    yield from _server_steps(placement)


def _host(placement: Placement) -> Iterator[HostAction]:
    yield from (change.action for change in placement.host)


def _written(targets: Sequence[str], file: str, installed: Mapping[str, bytes]) -> Iterator[Line]:
    if targets:
        kept = (", and puts ", CodeText(file), " in place") if file in installed else ()
        yield line("Writes ", *names(*targets), ", reads back what is in force", *kept, ".")


def _server_steps(placement: Placement) -> Iterator[Line]:
    stopped = tuple(line(f"{action.action_in_words}.") for action in _host(placement) if action.stops_server)
    if not placement.settings:
        yield from stopped
        if placement.restart:
            yield line("Restarts the server, and proves by connecting that it is up.")
        return
    if isinstance(placement.cluster, Cluster):
        yield from _in_place(placement, placement.cluster)
    yield marked("Has PostgreSQL check its files (`postgres -C`) before they take effect.")
    yield from stopped
    yield line("Restarts the server." if placement.restart else "Has the server reload its configuration.")
    yield line("Proves by connecting that the server is up, and compares every setting.")


def _in_place(placement: Placement, cluster: Cluster) -> Iterator[Line]:
    if cluster.include:
        file = CodeText(cluster.config_file)
        yield line(
            "Adds the line ", CodeText(cluster.include), " to ", file, ": ALTER SYSTEM is forbidden there."
        )
    if placement.settings_in("auto"):
        yield line("Sets the PostgreSQL settings with ALTER SYSTEM (in ", CodeText(cluster.auto_conf), ").")


def _own_files(placement: Placement) -> frozenset[str]:
    """Files that the steps of their own kind name."""
    host = (file.path for action in _host(placement) for file in action.files(placement.cluster))
    return frozenset((SYSCTL_FILE, TMPFILES_FILE, *host))


def _left_behind(placement: Placement) -> tuple[Line, ...]:
    return tuple(marked(sentence) for action in _host(placement) for sentence in action.afterwards)
