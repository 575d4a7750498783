"""The plan in the scripts' format: lines of fields separated by bars, special bytes escaped.

Line 1 is `tunewiz|1|NUMBER OF CHECKSUMS`; each part of the scripts tells the kinds that are its own.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator

from tunewiz.bundle.placement import Placement
from tunewiz.core.facts.machine import Host
from tunewiz.core.recommendation.actions import Row
from tunewiz.core.recommendation.cluster import Cluster
from tunewiz.core.values.known import known_or
from tunewiz.kinds.sysctl import SYSCTL_FILE
from tunewiz.kinds.sysfs import TMPFILES_FILE

FORMAT = 1
_PLAIN = frozenset((string.ascii_letters + string.digits + "/_.-+:=@%, ").encode())
_ESCAPE = re.compile(rb"\\0([0-3][0-7]{2})")


def escaped(text: str) -> str:
    r"""One field: bytes that could mean something to a shell become `\0ooo`, which `printf %b` undoes.

    >>> print(escaped("16GB|$(reboot)"))
    16GB\0174\0044\0050reboot\0051
    """
    raw = text.encode("utf-8", "surrogateescape")
    return "".join(chr(byte) if byte in _PLAIN else f"\\0{byte:03o}" for byte in raw)


def step_lines(placement: Placement, host: Host, checksums: int) -> bytes:
    """The whole file; `checksums` is the number of lines that SHA256SUMS will have."""
    return rows_as_lines(_rows(placement, host), checksums)


def rows_as_lines(rows: Iterable[Row], checksums: int) -> bytes:
    """Rows below the line that tells the format and how many lines SHA256SUMS will have."""
    whole = (("tunewiz", str(FORMAT), str(checksums)), *rows)
    return "".join("|".join(map(escaped, row)) + "\n" for row in whole).encode()


def _rows(placement: Placement, host: Host) -> Iterator[tuple[str, ...]]:
    yield "host", known_or(host.identity, ""), known_or(host.name, "")
    yield from _kernel(placement)
    yield from _host(placement)
    serves = placement.pool or any(
        change.action.restarts_server or change.action.asks_server for change in placement.host
    )
    if isinstance(placement.cluster, Cluster) and (placement.settings or serves):
        yield from _server(placement, placement.cluster)


def _kernel(placement: Placement) -> Iterator[tuple[str, ...]]:
    for sysctl in placement.sysctls:
        yield sysctl.row
    if placement.sysctls:
        yield "file", "sysctl", SYSCTL_FILE
    for choice in placement.choices:
        yield choice.row
    if placement.choices:
        yield "file", "tmpfiles", TMPFILES_FILE


def _host(placement: Placement) -> Iterator[tuple[str, ...]]:
    actions = [change.action for change in placement.host]
    for action in actions:
        yield from action.rows_before_files()
    for kind in {type(action): None for action in actions}:
        yield from kind.rows_for_all([action for action in actions if isinstance(action, kind)])
    # A file that several actions share is put in place once.
    files = (file for action in actions for file in action.files(placement.cluster))
    yield from dict.fromkeys(("file", file.reader, file.path) for file in files)
    for action in actions:
        yield from action.rows_after_files(placement.cluster)


def _server(placement: Placement, cluster: Cluster) -> Iterator[tuple[str, ...]]:
    yield (
        "cluster",
        cluster.major,
        cluster.data_directory,
        cluster.config_file,
        cluster.owner,
        cluster.system_identifier,
        "running" if cluster.running else "stopped",
    )
    if placement.settings_in("dropin"):
        yield "file", "postgres", cluster.drop_in
        if cluster.include:
            yield "include", cluster.config_file, cluster.include
    if placement.settings_in("auto"):
        yield "auto", cluster.auto_conf
    for host in placement.host:
        yield from host.action.rows_while_stopped()
    for setting in placement.settings:
        yield setting.row


def unescaped(field: str) -> str:
    r"""What a field stands for, as `printf %b` has it.

    >>> unescaped(escaped("16GB|$(reboot) é")) == "16GB|$(reboot) é"
    True
    """
    parts = _ESCAPE.split(field.encode())
    # Between the plain parts stand the digits of one byte.
    raw = b"".join(bytes([int(part, 8)]) if odd % 2 else part for odd, part in enumerate(parts))
    return raw.decode("utf-8", "surrogateescape")
