"""The order of a bundle's work, as its review tells it: what is done when, and the downtime."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tunewiz.bundle.placement import Placement
from tunewiz.bundle.review.markdown import code, prose
from tunewiz.core.recommendation.actions import HostAction
from tunewiz.core.recommendation.cluster import Cluster
from tunewiz.kinds.sysctl import SYSCTL_FILE
from tunewiz.kinds.sysfs import TMPFILES_FILE

NO_DOWNTIME = "No downtime is expected: nothing is restarted."


def order_of_work(placement: Placement, installed: Mapping[str, bytes]) -> Iterator[str]:
    """A section: each deed, what it means for those who are connected, and what is left to do."""
    yield from ("## What apply.sh does, in this order", "")
    steps = [
        "Compares host, server and every touched value with the plan; keeps what is there now.",
        *(_written(sysctl.name, sysctl.value) for sysctl in placement.sysctls),
        *_put(installed, SYSCTL_FILE),
        *(_written(choice.path, choice.value) for choice in placement.choices),
        *_put(installed, TMPFILES_FILE),
        *(f"{prose(each.action_in_words)}." for each in _host(placement) if not each.stops_server),
        *_put(installed, *(path for path in installed if path not in _told(placement))),
        *_server_steps(placement),
    ]
    yield from (f"{number}. {step}" for number, step in enumerate(steps, start=1))
    yield from ("", *_downtime(placement), "")
    for each in _host(placement):
        if each.afterwards:
            yield from (*each.afterwards, "")


def _host(placement: Placement) -> Iterator[HostAction]:
    yield from (each.action for each in placement.host)


def _written(name: str, value: str) -> str:
    return f"Writes {code(value)} to {code(name)} and reads it back."


def _put(installed: Mapping[str, bytes], *paths: str) -> Iterator[str]:
    yield from (f"Puts {code(path)} in place." for path in paths if path in installed)


def _server_steps(placement: Placement) -> Iterator[str]:
    stopped = tuple(f"{prose(each.action_in_words)}." for each in _host(placement) if each.stops_server)
    if not placement.settings:
        yield from stopped
        if placement.restart:
            yield "Restarts the server, and proves by connecting that it is up."
        return
    if isinstance(placement.cluster, Cluster) and placement.cluster.include:
        line, file = placement.cluster.include, placement.cluster.config_file
        yield f"Adds the line {code(line)} to {code(file)}: ALTER SYSTEM is forbidden there."
    if isinstance(placement.cluster, Cluster) and (settings := placement.settings_in("auto")):
        names = ", ".join(code(each.name) for each in settings)
        yield f"Sets {names} with ALTER SYSTEM (in {code(placement.cluster.auto_conf)})."
    yield "Has PostgreSQL check its files (`postgres -C`) before they take effect."
    yield from stopped
    yield "Restarts the server." if placement.restart else "Has the server reload its configuration."
    yield "Proves by connecting that the server is up, and compares every setting."


def _told(placement: Placement) -> frozenset[str]:
    """Files that the steps of their own kind name."""
    host = (file.path for each in _host(placement) for file in each.files(placement.cluster))
    return frozenset((SYSCTL_FILE, TMPFILES_FILE, *host))


def _downtime(placement: Placement) -> Iterator[str]:
    if placement.reboot:
        yield "No script reboots the machine: when to do that, and the downtime it takes, is up to you."
    if not placement.restart:
        yield "No other downtime is expected." if placement.reboot else NO_DOWNTIME
        return
    yield "Downtime: as long as PostgreSQL takes to stop and start, usually a few seconds."
    yield from (each.downtime for each in _host(placement) if each.downtime)
    yield "A checkpoint is made just before, so that stopping is short; connections are cut (fast mode)."
    yield "If the server does not come up, its former files are restored and it is started again at once."
